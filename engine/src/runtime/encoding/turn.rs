//! An answer in progress, built from actions. Forced actions are skipped.
//!
//! An *action* is a number to choose. Options of a question with few of them are *rows* of actions (`move_rows`), and the player
//! follows them action by action. All other answers are built by a [`Way`]. An action is *forced*, and skipped, if it is the only
//! legal one.

use crate::runtime::context::Context;
use crate::runtime::decision::{Choice, Decision, DecisionId, Form};
use crate::runtime::encoding::all_options::{LISTED, build_open_question};
use crate::runtime::encoding::domain::Domain;
use crate::runtime::encoding::move_rows::{Rows, digits_of};
use crate::runtime::encoding::space::{DIGITS, DONE, ITEMS, PASS, Space};
use crate::runtime::eval::question::Question;
use crate::runtime::flow::Machine;
use crate::runtime::session::{Pending, Session};
use ludex_program::NONE;

/// The result of choosing an action.
pub enum ActionResult {
    /// Further actions must be chosen.
    Further,
    /// The answer is complete.
    Whole(DecisionId, Choice),
}

/// The way to build the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Way {
    /// One of the rows.
    #[default]
    Listed,
    /// One of the rows, each of which is a single action.
    Single,
    /// Members in ascending order, then done: from `min` to `max` of them.
    Members { min: u64, max: u64 },
    /// One member after the other.
    Order,
    /// A number that has an action.
    Number { min: i64, max: i64 },
    /// A number by its distance from the lowest one, in digits.
    Digits(Digits),
    /// An amount for each member but the last, in multiples of a step. `left` is the rest of the total in steps, and `digits` the
    /// amount that is being written.
    Amounts { left: u64, step: i64, digits: Option<Digits> },
    /// An option by its index.
    Index(Digits),
}

/// A number that is being written in digits: `written` so far, from 0 to `most`. `least` is added to it at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Digits {
    least: i64,
    most: u64,
    written: u64,
    /// Number of digits still to come.
    left: u32,
}

impl Digits {
    fn new(least: i64, most: u64) -> Digits {
        Digits { least, most, written: 0, left: digits_of(most) }
    }

    /// Whether a digit can come next.
    fn allows_digit(&self, digit: u64) -> bool {
        let lowest = u128::from(self.written * 10 + digit) * 10u128.pow(self.left - 1);
        self.left > 0 && lowest <= u128::from(self.most)
    }

    fn with_digit(self, digit: u64) -> Digits {
        Digits { written: self.written * 10 + digit, left: self.left - 1, ..self }
    }
}

/// The open question, and the actions chosen so far.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// The open decision, and its seat.
    asked: Option<(DecisionId, usize)>,
    /// The place of the asking statement.
    pub site: u32,
    /// The way to build the answer.
    way: Way,
    /// The question may be answered by passing.
    may_pass: bool,
    /// The legal actions, in ascending order.
    legal: Vec<u32>,
    /// Number of places by which single-action rows were rotated to be in ascending order; `None` if they had to be sorted.
    turned: Option<usize>,
    /// The chosen actions, without forced ones.
    pub chosen: Vec<u32>,
    /// The rows of the question, if its options are listed.
    rows: Rows,
    /// The rows that begin with the actions chosen and skipped so far.
    alive: Vec<u32>,
    /// Number of actions of those rows that were chosen or skipped.
    depth: usize,
    /// For choices of members: the action of each member, and the members taken.
    items: Vec<u32>,
    taken: Vec<u64>,
    /// For a division: the amounts so far.
    amounts: Vec<i64>,
}

impl Turn {
    pub fn asked_seat(&self) -> Option<usize> {
        self.asked.map(|(_, seat)| seat)
    }

    pub fn legal_actions(&self) -> &[u32] {
        &self.legal
    }

    pub fn is_fresh(&self) -> bool {
        self.chosen.is_empty()
    }

    /// Closes the question: it has been answered, or there is none.
    pub fn close_question(&mut self) {
        self.asked = None;
        self.legal.clear();
        self.chosen.clear();
    }

    pub fn is_closed(&self) -> bool {
        self.asked.is_none()
    }

    /// Prepares the open question of a session, if there is one.
    pub fn begin_question(&mut self, session: &mut Session, space: &Space) {
        self.close_question();
        let Pending::Decisions([decision, ..]) = session.pending() else { return };
        let decision = decision.clone();
        self.asked = Some((decision.id, decision.seat));
        // A window has no asking statement.
        let frame = session.machine.state.frames.last();
        self.site = frame.filter(|frame| frame.runs_instructions()).map_or(0, |frame| frame.at + 1);
        self.may_pass = decision.may_pass;
        build_open_question(session);
        let Session { game, machine, .. } = session;
        let context = &game.play_context();
        // The decisions of a group have consecutive numbers, from that of the group on.
        let place = decision.group.map_or(0, |group| (decision.id - group) as usize);
        if decision.form == Form::One && decision.count <= LISTED {
            if self.rows.write_counted(context, machine, space) {
                return self.begin_rows();
            }
            // Moves that are found by rank are listed once.
            if decision.count > 100
                && let Some(question) = machine.scratch.questions.get_mut(place)
            {
                question.list_first(decision.count);
            }
            let Some(question) = machine.scratch.questions.get(place) else { return };
            self.begin_listed(context, machine, space, question);
        } else {
            self.begin_other(context, machine, space, &decision, place);
        }
    }

    /// Writes the options of a question as rows, and starts following them.
    fn begin_listed(&mut self, context: &Context, machine: &Machine, space: &Space, question: &Question) {
        self.rows.write_options(context, machine, space, question);
        self.begin_rows();
    }

    /// Starts following the rows.
    fn begin_rows(&mut self) {
        self.way = if self.rows.are_single() { Way::Single } else { Way::Listed };
        if self.way == Way::Single {
            self.legal.extend_from_slice(self.rows.single_actions());
            // The actions of each group ascend. The second of two groups may be below the first.
            self.turned = self.rows.second_run_start();
            match self.turned {
                Some(0) => {}
                Some(turn) => self.legal.rotate_left(turn),
                None => self.legal.sort_unstable(),
            }
            return;
        }
        self.alive.clear();
        self.alive.extend(0..self.rows.len() as u32);
        self.depth = 0;
        self.list_rows();
        // A common prefix is not a choice. But if there is only one answer, at least one action must be chosen.
        if self.alive.len() > 1 {
            self.skip_common();
        }
    }

    /// Starts an answer that is not one of the rows. `place` is the index of the question among those open.
    fn begin_other(&mut self, context: &Context, machine: &Machine, space: &Space, decision: &Decision, place: usize) {
        self.taken.clear();
        self.amounts.clear();
        self.way = match decision.form {
            Form::One => Way::Index(Digits::new(0, decision.count - 1)),
            Form::Some { min, max } => Way::Members { min, max },
            Form::Order => Way::Order,
            Form::Number { min, max } if space.number_action(min).is_some() && space.number_action(max).is_some() => {
                Way::Number { min, max }
            }
            Form::Number { min, max } => Way::Digits(Digits::new(min, max.abs_diff(min))),
            Form::Split { total, step } => Way::Amounts { left: (total / step.max(1)).unsigned_abs(), step, digits: None },
        };
        self.items.clear();
        if let Some(question) = machine.scratch.questions.get(place) {
            self.note_items(context, machine, space, question);
        }
        self.list_legal(space);
        // If there is only one answer, at least one action must be chosen.
        let answers = decision.answers().count_answers();
        if answers > 1 {
            self.skip_forced(space);
        }
    }

    /// Gives each member its action. If two would share one, or one has none, then no member has an action.
    fn note_items(&mut self, context: &Context, machine: &Machine, space: &Space, question: &Question) {
        let domain = question.item_shape.as_ref().and_then(|shape| Domain::for_shape(context.program, shape));
        let action = |item: &i32| domain.and_then(|domain| space.thing_action(context, machine, domain, *item));
        self.items.extend(question.items.iter().filter(|item| **item != NONE).map(|item| action(item).unwrap_or(u32::MAX)));
        let mut sorted = self.items.clone();
        sorted.sort_unstable();
        if sorted.last() == Some(&u32::MAX) || sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            self.items.fill(u32::MAX);
        }
    }

    /// Chooses the action at an index of the legal ones; `None` if there is no such index.
    pub fn choose_action(&mut self, legal: usize, space: &Space) -> Option<ActionResult> {
        let (id, _) = self.asked?;
        let action = *self.legal.get(legal)?;
        self.chosen.push(action);
        let found = match self.way {
            Way::Single => {
                let place = match self.turned {
                    Some(turned) => {
                        let place = legal + turned;
                        Some(if place < self.legal.len() { place } else { place - self.legal.len() })
                    }
                    None => self.rows.single_actions().iter().position(|single| *single == action),
                };
                place.map(|place| Choice::Option(place as u64))
            }
            Way::Listed => {
                let (rows, depth) = (&self.rows, self.depth);
                self.alive.retain(|row| rows.action_at(*row, depth) == Some(action));
                self.depth += 1;
                self.skip_common()
            }
            _ => match self.take_action(action, space) {
                Some(choice) => Some(choice),
                None => {
                    self.list_legal(space);
                    self.skip_forced(space)
                }
            },
        };
        Some(found.map_or(ActionResult::Further, |choice| ActionResult::Whole(id, choice)))
    }

    // --- one of the rows -----------------------------------------------------------------

    /// Lists the legal actions: the next actions of the remaining rows.
    fn list_rows(&mut self) {
        self.legal.clear();
        let (rows, depth) = (&self.rows, self.depth);
        self.legal.extend(self.alive.iter().filter_map(|row| rows.action_at(*row, depth)));
        self.legal.sort_unstable();
        self.legal.dedup();
    }

    /// Skips actions that all remaining rows share. Returns the option if only one is left.
    fn skip_common(&mut self) -> Option<Choice> {
        loop {
            if let [only] = self.alive.as_slice() {
                return Some(Choice::Option(u64::from(*only)));
            }
            self.list_rows();
            if self.legal.len() != 1 {
                return None;
            }
            self.depth += 1;
        }
    }

    // --- all others ----------------------------------------------------------------------

    /// Takes forced actions. Returns the answer if that completes it.
    fn skip_forced(&mut self, space: &Space) -> Option<Choice> {
        while let [only] = *self.legal.as_slice() {
            if let Some(choice) = self.take_action(only, space) {
                return Some(choice);
            }
            self.list_legal(space);
        }
        None
    }

    /// The action of a member: its own, or one for its index `place` among those that can still be chosen.
    fn item_action(&self, space: &Space, item: usize, place: usize) -> Option<u32> {
        match self.items.get(item) {
            Some(action) if *action != u32::MAX => Some(*action),
            _ => space.items.filter(|_| place < ITEMS as usize).map(|first| first + place as u32),
        }
    }

    /// The members that may come next.
    fn open_items(&self) -> impl Iterator<Item = usize> + '_ {
        let count = self.items.len();
        let (from, all) = match self.way {
            Way::Members { min, .. } => {
                let from = self.taken.last().map_or(0, |last| *last as usize + 1);
                // Enough members must remain to reach the minimum.
                let wanted = (min as usize).saturating_sub(self.taken.len() + 1);
                (from, count.saturating_sub(wanted))
            }
            _ => (0, count),
        };
        (from..all).filter(|item| self.way != Way::Order || !self.taken.contains(&(*item as u64)))
    }

    /// Lists the legal actions for the current way.
    fn list_legal(&mut self, space: &Space) {
        let mut legal = std::mem::take(&mut self.legal);
        legal.clear();
        let fresh = self.taken.is_empty() && self.amounts.is_empty();
        let mut passes = self.may_pass && fresh && self.chosen.is_empty();
        match self.way {
            Way::Listed | Way::Single => {}
            Way::Members { min, max } => {
                let taken = self.taken.len() as u64;
                if taken >= min && (taken > 0 || !passes) {
                    legal.push(DONE);
                }
                passes &= taken == 0;
                if taken < max {
                    legal.extend(self.open_items().enumerate().filter_map(|(place, item)| self.item_action(space, item, place)));
                }
            }
            Way::Order => {
                legal.extend(self.open_items().enumerate().filter_map(|(place, item)| self.item_action(space, item, place)));
            }
            Way::Number { min, max } => legal.extend((min..=max).filter_map(|number| space.number_action(number))),
            Way::Digits(digits) | Way::Index(digits) | Way::Amounts { digits: Some(digits), .. } => {
                passes &= digits.written == 0 && digits.left == digits_of(digits.most);
                legal.extend((0..10).filter(|digit| digits.allows_digit(*digit)).map(|digit| DIGITS + digit as u32));
            }
            Way::Amounts { left, step, digits: None } => match (space.number_action(0), space.number_action(left as i64)) {
                (Some(first), Some(last)) => legal.extend(first..=last),
                _ => {
                    let digits = Digits::new(0, left);
                    self.way = Way::Amounts { left, step, digits: Some(digits) };
                    legal.extend((0..10).filter(|digit| digits.allows_digit(*digit)).map(|digit| DIGITS + digit as u32));
                }
            },
        }
        if passes {
            legal.push(PASS);
        }
        legal.sort_unstable();
        legal.dedup();
        self.legal = legal;
    }

    /// Takes an action. Returns the answer if it is complete.
    fn take_action(&mut self, action: u32, space: &Space) -> Option<Choice> {
        if action == PASS {
            return Some(Choice::Options(Vec::new()));
        }
        match self.way {
            Way::Listed | Way::Single => None,
            Way::Members { max, .. } => {
                if action != DONE {
                    self.take_item(action, space);
                }
                let complete = action == DONE || self.taken.len() as u64 == max || self.open_items().next().is_none();
                complete.then(|| Choice::Options(self.taken.clone()))
            }
            Way::Order => {
                self.take_item(action, space);
                (self.taken.len() == self.items.len()).then(|| Choice::Options(self.taken.clone()))
            }
            Way::Number { min, max } => {
                (min..=max).find(|number| space.number_action(*number) == Some(action)).map(Choice::Number)
            }
            Way::Digits(digits) => {
                let digits = digits.with_digit(u64::from(action - DIGITS));
                self.way = Way::Digits(digits);
                (digits.left == 0).then(|| Choice::Number(digits.least.wrapping_add_unsigned(digits.written)))
            }
            Way::Index(digits) => {
                let digits = digits.with_digit(u64::from(action - DIGITS));
                self.way = Way::Index(digits);
                (digits.left == 0).then_some(Choice::Option(digits.written))
            }
            Way::Amounts { left, step, digits } => self.take_amount(action, space, left, step, digits),
        }
    }

    /// Takes the member that an action means.
    fn take_item(&mut self, action: u32, space: &Space) {
        let mut open = self.open_items().enumerate();
        let found = open.find(|(place, item)| self.item_action(space, *item, *place) == Some(action)).map(|(_, item)| item);
        drop(open);
        self.taken.extend(found.map(|item| item as u64));
    }

    /// Takes an amount, or a digit of it. Returns the answer if all amounts are there.
    fn take_amount(&mut self, action: u32, space: &Space, left: u64, step: i64, digits: Option<Digits>) -> Option<Choice> {
        let amount = match digits {
            None => space.number_action(0).map_or(0, |first| u64::from(action.saturating_sub(first))),
            Some(digits) => {
                let digits = digits.with_digit(u64::from(action - DIGITS));
                if digits.left > 0 {
                    self.way = Way::Amounts { left, step, digits: Some(digits) };
                    return None;
                }
                digits.written
            }
        };
        let left = left - amount;
        self.amounts.push(amount as i64 * step);
        self.way = Way::Amounts { left, step, digits: None };
        if self.amounts.len() + 1 < self.items.len() {
            return None;
        }
        // The last member gets the rest.
        if self.amounts.len() < self.items.len() {
            self.amounts.push(left as i64 * step);
        }
        Some(Choice::Amounts(self.amounts.clone()))
    }
}
