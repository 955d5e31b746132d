//! Legal moves as rows of actions. No row is a prefix of another, so following actions always leads to exactly one move.
//!
//! A *row* is the sequence of actions for one option of the question, in the order of the options. A *group* is the moves of one
//! action of the rules, or one offer. A *flat* action has an action for each whole move. `turn` lets the player follow the rows.

use crate::runtime::context::Context;
use crate::runtime::encoding::domain::Domain;
use crate::runtime::encoding::space::{DIGITS, DONE, Flat, NO, PASS, Space, ValueIndexes, YES};
use crate::runtime::eval::question::{Group, GroupKind, Question, QuestionForm};
use crate::runtime::eval::search::Chosen;
use crate::runtime::flow::{Machine, PlayContext};
use crate::runtime::state::NOWHERE;
use ludex_program::{NONE, RoleAmount, RoleInfo, Value};
use smallvec::SmallVec;
use std::ops::Range;

/// Number of digits that can write any value.
const VALUE_DIGITS: u32 = 10;

/// The rows of a question, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// The actions of all rows.
    actions: Vec<u32>,
    /// Number of rows.
    count: usize,
    /// If all rows are single actions: the number of places where an action is lower than the one before it, and the last such
    /// place.
    falls: usize,
    fall: usize,
    /// The start of each row, and the end of the last one; empty while all rows are single actions.
    starts: Vec<u32>,
}

impl Rows {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The action at an index of a row.
    #[inline]
    pub fn action_at(&self, row: u32, depth: usize) -> Option<u32> {
        self.row_actions(row as usize).get(depth).copied()
    }

    /// The actions of a row.
    #[inline]
    fn row_actions(&self, row: usize) -> &[u32] {
        match self.are_single() {
            true => &self.actions[row..=row],
            false => &self.actions[self.starts[row] as usize..self.starts[row + 1] as usize],
        }
    }

    fn clear(&mut self) {
        self.actions.clear();
        self.starts.clear();
        (self.count, self.falls) = (0, 0);
    }

    /// Records whether single-action rows are in order. Only the first of the new rows, at index `first`, can be lower than the
    /// row before it.
    #[inline]
    fn note_order(&mut self, first: usize) {
        if let Some([before, next]) = first.checked_sub(1).and_then(|before| self.actions.get(before..=first))
            && before > next
        {
            self.falls += 1;
            self.fall = first;
        }
    }

    /// The index at which single-action rows start again, if they consist of two ascending runs and the second ends below the
    /// start of the first. 0 if they ascend throughout; `None` otherwise.
    pub fn second_run_start(&self) -> Option<usize> {
        match (self.falls, self.actions.as_slice()) {
            (0, _) => Some(0),
            (1, [first, .., last]) if last < first => Some(self.fall),
            _ => None,
        }
    }

    /// Completes the last row.
    #[inline]
    fn end_row(&mut self) {
        if self.starts.is_empty() && self.actions.len() != self.count + 1 {
            self.starts.extend(0..=self.count as u32);
        }
        self.count += 1;
        match self.starts.is_empty() {
            true => self.note_order(self.actions.len() - 1),
            false => self.starts.push(self.actions.len() as u32),
        }
    }

    /// Writes the options of a question, in their order.
    pub fn write_options(&mut self, context: &Context, machine: &Machine, space: &Space, question: &Question) {
        self.rewrite_with(context, machine, space, |writer| match question.form {
            QuestionForm::YesNo => [YES, NO].into_iter().for_each(|word| writer.write_action(word)),
            QuestionForm::Options => writer.write_moves(question),
            QuestionForm::OneItem | QuestionForm::Of(_) => writer.write_items(question),
        });
    }

    /// The same for a question whose moves are only counted; false if there is no such question. The moves of the rules come
    /// first, then those of abilities, and passing.
    pub fn write_counted(&mut self, context: &PlayContext, machine: &Machine, space: &Space) -> bool {
        self.rewrite_with(context, machine, space, |writer| {
            let counted =
                machine.each_counted_move(context, |action, first, second| writer.write_counted_move(action, first, second));
            match counted {
                None => return false,
                Some(true) => writer.write_action(PASS),
                Some(false) => {
                    if let Some(others) =
                        machine.scratch.questions.first().filter(|_| machine.move_counts.has_alternatives_in_question())
                    {
                        writer.write_moves(others);
                    }
                }
            }
            true
        })
    }

    /// Writes all rows from the start, and then adds numbers to equal ones.
    fn rewrite_with<T>(
        &mut self,
        context: &Context,
        machine: &Machine,
        space: &Space,
        write: impl FnOnce(&mut Writer) -> T,
    ) -> T {
        self.clear();
        let mut writer = Writer { context, machine, space, rows: self, doubtful: false };
        let written = write(&mut writer);
        if writer.doubtful {
            self.number_equal_rows();
        }
        written
    }

    /// Adds rows of one action each.
    #[inline]
    fn add_singles(&mut self, actions: Range<u32>) {
        if self.are_single() {
            let first = self.actions.len();
            self.actions.extend(actions);
            self.count = self.actions.len();
            return self.note_order(first);
        }
        for action in actions {
            self.actions.push(action);
            self.end_row();
        }
    }

    /// Whether each row is one action.
    #[inline]
    pub fn are_single(&self) -> bool {
        self.starts.is_empty()
    }

    /// All actions, if each row is one.
    pub fn single_actions(&self) -> &[u32] {
        &self.actions
    }

    /// Appends numbers to rows that are equal, to distinguish them.
    fn number_equal_rows(&mut self) {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by(|one, other| self.row_actions(*one).cmp(self.row_actions(*other)).then(one.cmp(other)));
        let mut further: Vec<(usize, usize)> = vec![(0, 1); self.len()];
        for alike in order.chunk_by(|one, other| self.row_actions(*one) == self.row_actions(*other)) {
            alike.iter().enumerate().for_each(|(number, row)| further[*row] = (number, alike.len()));
        }
        let old = std::mem::take(self);
        for (row, (number, of)) in further.into_iter().enumerate() {
            self.actions.extend_from_slice(old.row_actions(row));
            if of > 1 {
                push_digits(&mut self.actions, number as u64, digits_of(of as u64 - 1));
            }
            self.end_row();
        }
    }
}

/// Number of decimal digits.
pub fn digits_of(number: u64) -> u32 {
    number.checked_ilog10().unwrap_or(0) + 1
}

/// Adds a number as `width` decimal digits, the first one first.
fn push_digits(actions: &mut Vec<u32>, number: u64, width: u32) {
    actions.extend((0..width).rev().map(|place| DIGITS + (number / 10u64.pow(place) % 10) as u32));
}

/// Writes the rows of one question.
struct Writer<'a> {
    context: &'a Context<'a>,
    machine: &'a Machine,
    space: &'a Space,
    rows: &'a mut Rows,
    /// Some rows may be equal.
    doubtful: bool,
}

impl Writer<'_> {
    fn end_row(&mut self) {
        self.rows.end_row();
    }

    /// Writes a row of one action.
    #[inline]
    fn write_action(&mut self, action: u32) {
        self.rows.actions.push(action);
        self.end_row();
    }

    /// Writes a row for each thing of a question that is not about moves.
    fn write_items(&mut self, question: &Question) {
        let domain = question.item_shape.as_ref().and_then(|shape| Domain::for_shape(self.context.program, shape));
        self.doubtful = !matches!(domain, Some(Domain::Piece | Domain::Side | Domain::Entrant | Domain::Zone | Domain::Word(_)));
        for item in &question.items {
            match *item {
                NONE => self.rows.actions.push(PASS),
                item => self.write_thing(domain, item),
            }
            self.end_row();
        }
    }

    /// Writes the moves of all groups of a question.
    fn write_moves(&mut self, question: &Question) {
        let groups = question.groups();
        let kind = |group: &Group| (group.kind, group.action, group.clause);
        self.doubtful =
            groups.iter().enumerate().any(|(place, group)| groups[..place].iter().any(|other| kind(other) == kind(group)));
        for group in groups {
            match group.kind {
                GroupKind::Pass => self.write_action(PASS),
                GroupKind::Offer => {
                    match self.space.offers[usize::from(group.clause)] {
                        Some(offer) => self.rows.actions.push(offer),
                        None => self.write_unknown(),
                    }
                    self.write_holder(group.instance);
                    self.end_row();
                }
                GroupKind::Action | GroupKind::Grant | GroupKind::OfferWithTargets => self.write_group(question, group),
            }
        }
    }

    /// Writes the moves of a group. Most groups need only numbers.
    fn write_group(&mut self, question: &Question, group: &Group) {
        let space = self.space;
        let flat = space.flat[usize::from(group.action)].as_ref();
        if group.roles == 0
            && group.instance == NOWHERE
            && flat.is_none()
            && let Some(kind) = space.kinds[usize::from(group.action)]
        {
            return self.write_action(kind);
        }
        let Some(flat) = flat.filter(|flat| group.instance == NOWHERE && flat.is_of_numbers()) else {
            return question.each_move(group, |_, chosen| {
                self.write_move(question, group, chosen);
                false
            });
        };
        if self.write_pairs(question, group, flat).is_none() {
            question.each_move(group, |_, chosen| {
                let only = |role: usize| if let Chosen::One(value) = chosen[role] { value } else { NONE };
                match flat.find_action(only, ValueIndexes::place_of_number) {
                    Some(action) => self.write_action(action),
                    None => self.write_move(question, group, chosen),
                }
                false
            });
        }
    }

    /// Writes the moves of a group that are pairs of numbers, if all have their own actions; runs of consecutive actions are
    /// written at once. `None` if that is impossible.
    fn write_pairs(&mut self, question: &Question, group: &Group, flat: &Flat) -> Option<()> {
        let pairs = group.search.paired_moves(&question.gathered)?;
        let [first, second] = flat.role_pair()?;
        // Candidates are sorted, so checking the ends is enough.
        first.place_of_number(pairs.first.first()?.id)?;
        first.place_of_number(pairs.first.last()?.id)?;
        let least = second.place_of_number(pairs.second.first()?.id)?;
        let most = second.place_of_number(pairs.second.last()?.id)?;
        if (most - least) as usize + 1 != pairs.second.len() {
            return None;
        }
        let mut run = 0..0;
        for (of, row) in pairs.matching_rows() {
            let from = flat.first + first.place_of_number(of.id)? * second.count + least;
            for places in row {
                let start = from + places.start as u32;
                if start != run.end {
                    self.rows.add_singles(std::mem::replace(&mut run, start..start));
                }
                run.end += places.len() as u32;
            }
        }
        self.rows.add_singles(run);
        Some(())
    }

    /// Writes a move whose fillings are known. It has at most two roles.
    fn write_counted_move(&mut self, action: u16, first: &[Value], second: Value) {
        let only = |role: usize| if role == 0 { first.first().copied().unwrap_or(NONE) } else { second };
        // Only the first role takes several.
        self.write_filled(action, only, |_| SmallVec::from_slice(first));
        self.end_row();
    }

    /// Writes an ability that was not in play at the start.
    fn write_unknown(&mut self) {
        self.doubtful = true;
        self.rows.actions.push(DONE);
    }

    /// Writes a move with the fillings of its roles.
    fn write_move(&mut self, question: &Question, group: &Group, chosen: &[Chosen]) {
        let members = |role: usize| question.role_things(group, role, chosen[role]);
        let only = |role: usize| match chosen[role] {
            Chosen::One(value) => value,
            several => question.role_things(group, role, several).next().unwrap_or(NONE),
        };
        self.write_filled(group.action, only, |role| members(role).collect());
        self.write_holder(group.instance);
        self.end_row();
    }

    /// Writes an action with its fillings. Uses a single action if one exists; else first the roles for one thing, then the
    /// members of each role of several, in ascending order.
    #[inline]
    fn write_filled(&mut self, action: u16, only: impl Fn(usize) -> Value, members: impl Fn(usize) -> SmallVec<[Value; 16]>) {
        let info = &self.context.program.actions[usize::from(action)];
        let flat = self.space.flat[usize::from(action)].as_ref();
        let place = |places: &ValueIndexes, value: Value| places.value_index(self.context, self.machine, value);
        if let Some(whole) = flat.and_then(|flat| flat.find_action(&only, place)) {
            return self.rows.actions.push(whole);
        }
        match self.space.kinds[usize::from(action)] {
            Some(kind) => self.rows.actions.push(kind),
            None => self.write_unknown(),
        }
        let takes_several = |role: &RoleInfo| matches!(role.amount, RoleAmount::Some(..));
        for (place, role) in info.roles.iter().enumerate().filter(|(_, role)| !takes_several(role)) {
            self.write_thing(Domain::for_shape(self.context.program, &role.item), only(place));
        }
        for (place, role) in info.roles.iter().enumerate().filter(|(_, role)| takes_several(role)) {
            self.write_members(Domain::for_shape(self.context.program, &role.item), &mut members(place));
        }
    }

    /// Writes the members of a set in ascending order, and then the end.
    fn write_members(&mut self, domain: Option<Domain>, members: &mut [Value]) {
        if domain == Some(Domain::Piece) && !self.machine.state.board.numbers.are_own() {
            members.sort_unstable_by_key(|piece| self.machine.number_of_piece(self.context, *piece));
        }
        members.iter().for_each(|member| self.write_thing(domain, *member));
        self.rows.actions.push(DONE);
    }

    /// Writes the holder of an ability in play, if the move comes from one.
    fn write_holder(&mut self, instance: u16) {
        if instance == NOWHERE {
            return;
        }
        let Some(found) = self.context.roster.instances.get(usize::from(instance)) else { return };
        let holder = Value::from(found.holder);
        match self.machine.is_piece(self.context, holder) {
            true => self.write_thing(Some(Domain::Piece), holder),
            false => self.write_thing(Some(Domain::Entrant), holder),
        }
    }

    /// Writes the action of a thing, or its digits if it has none.
    #[inline]
    fn write_thing(&mut self, domain: Option<Domain>, value: Value) {
        match domain.and_then(|domain| self.space.thing_action(self.context, self.machine, domain, value)) {
            Some(action) => self.rows.actions.push(action),
            None => self.write_digits(domain, value),
        }
    }

    /// Writes a thing without its own action, in digits. Things without a public number are distinguished by their index.
    #[cold]
    fn write_digits(&mut self, domain: Option<Domain>, value: Value) {
        let number = match domain {
            Some(Domain::Piece) => self.machine.number_of_piece(self.context, value) as i64,
            Some(_) => i64::from(value),
            None => {
                self.doubtful = true;
                0
            }
        };
        push_digits(&mut self.rows.actions, number.wrapping_sub(i64::from(Value::MIN)) as u64, VALUE_DIGITS);
    }
}
