//! Expressions that make lists or read them.
//!
//! A list is stored in the arena `State::lists` as its length and its members; its value is the index of the length. Lists that
//! exist elsewhere are read in place, as `Members`. A new one is made between [`Eval::begin_list`] and [`Eval::end_list`], or with
//! [`Eval::push_list`]. In loops, each member is in `slot` while a condition or value is evaluated.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::evaluate::columns::Filter;
use crate::runtime::limits::PAIRS_PER_WORK;
use crate::runtime::state::{Board, Entity, EntityId, NOWHERE, State, members_of};
use ludex_program::MOST_IN_RANGE;
use ludex_program::{BoardOperation, Expr, KindId, KindSort, Line, NONE, Quantifier, Slot, Value};
use ludex_syntax::codes;
use std::ops::RangeInclusive;

/// Members of a list that is only read: in the arena, on a sheet, in a zone, or consecutive numbers.
#[derive(Clone, Copy)]
pub(super) enum Members<'r> {
    Listed(Value),
    Printed(&'r [Value]),
    /// In a list stored in a field of a thing.
    Held(Value, u16),
    InZone(Value),
    /// Cells of a board.
    Cells(Line),
    Numbers(Value, Value),
}

impl<'r> Members<'r> {
    /// The members, one after the other.
    #[inline(always)]
    pub(super) fn member_values<'s>(self, state: &'s State) -> impl DoubleEndedIterator<Item = Value> + 's
    where
        'r: 's,
    {
        let (mut listed, mut pieces, mut numbers): (&'s [Value], &'s [EntityId], _) = (&[], &[], None);
        let mut cells = Line::NONE;
        match self {
            Members::Listed(list) => listed = state.list_values(list),
            Members::Printed(members) => listed = members,
            Members::Held(of, field) => listed = state.board.list_in_field(of, field),
            Members::InZone(zone) => pieces = state.board.ordered_pieces(zone),
            Members::Cells(line) => cells = line,
            Members::Numbers(from, to) => numbers = Some(from..=to),
        }
        let listed = listed.iter().copied().chain(pieces.iter().map(|piece| Value::from(*piece)));
        listed.chain(cells.cell_indexes()).chain(numbers.into_iter().flatten())
    }

    /// Like [`Members::member_values`], as a slice of pieces or of other things, one of which is empty. Both are empty for
    /// members that are not stored in a row.
    #[inline]
    fn as_slices<'s>(self, state: &'s State) -> (&'s [EntityId], &'s [Value])
    where
        'r: 's,
    {
        match self {
            Members::Listed(list) => (&[], state.list_values(list)),
            Members::Printed(members) => (&[], members),
            Members::Held(of, field) => (&[], state.board.list_in_field(of, field)),
            Members::InZone(zone) => (state.board.ordered_pieces(zone), &[]),
            Members::Cells(_) | Members::Numbers(..) => (&[], &[]),
        }
    }

    /// Whether enough members are stored in a row to make a filter worthwhile.
    #[inline]
    fn are_many(self, state: &State) -> bool {
        self.member_count(state) >= LEAST_TO_FILTER && !matches!(self, Members::Cells(_) | Members::Numbers(..))
    }

    #[inline]
    pub(super) fn member_count(self, state: &State) -> usize {
        match self {
            Members::Listed(list) => state.list_values(list).len(),
            Members::Printed(members) => members.len(),
            Members::Held(of, field) => state.board.list_in_field(of, field).len(),
            Members::InZone(zone) => state.board.count_pieces(zone),
            Members::Cells(line) => line.cell_count(),
            Members::Numbers(from, to) => (from..=to).count(),
        }
    }

    /// The member at an index from 0.
    #[inline]
    pub(super) fn member_at(self, state: &State, index: usize) -> Option<Value> {
        match self {
            Members::Listed(list) => state.list_values(list).get(index).copied(),
            Members::Printed(members) => members.get(index).copied(),
            Members::Held(of, field) => state.board.list_in_field(of, field).get(index).copied(),
            Members::InZone(zone) => state.board.ordered_pieces(zone).get(index).map(|piece| Value::from(*piece)),
            Members::Cells(line) => line.nth_cell(index),
            Members::Numbers(from, to) => (from..=to).nth(index),
        }
    }

    /// The last member: for a zone, the piece on top.
    #[inline]
    fn last_member(self, state: &State) -> Option<Value> {
        match self {
            Members::InZone(zone) => state.board.zones.top_pieces(zone as usize, 1).last().map(|piece| Value::from(*piece)),
            others => others.member_values(state).next_back(),
        }
    }

    /// Whether a thing is one of them.
    #[inline]
    fn contains_thing(self, state: &State, thing: Value) -> bool {
        match self {
            Members::InZone(zone) => thing != NONE && zone != NONE && state.board.place_of(thing) == zone,
            others => others.member_values(state).any(|member| member == thing),
        }
    }
}

/// Minimum number of members for a filter. With fewer, testing each by itself takes less time than building one.
const LEAST_TO_FILTER: usize = 4;

impl Eval {
    /// The value of a form that makes or reads lists, or of a rare form.
    #[inline(never)]
    pub(super) fn evaluate_rare_form(&mut self, context: &Context, base: usize, expr: &Expr) -> Value {
        match expr {
            Expr::Option(option) => context.program.options[usize::from(*option)].value,
            Expr::CountList(list) => match list.as_ref() {
                Expr::Where { list, slot, condition } => self.count_where(context, base, list, *slot, condition),
                Expr::Every(kind) => self.count_kind(context, *kind),
                list => self.resolve_members(context, base, list).member_count(&self.state) as Value,
            },
            Expr::SumList(list) => {
                let members = self.members_to_read(context, base, list);
                let sum: i64 = members.member_values(&self.state).map(i64::from).sum();
                self.checked_sum(sum)
            }
            Expr::ExtremeOf { highest, list } => {
                let members = self.members_to_read(context, base, list);
                let numbers = members.member_values(&self.state);
                if *highest { numbers.max() } else { numbers.min() }.unwrap_or(0)
            }
            Expr::EndOf { last: false, list } => self.first_member(context, base, list),
            Expr::EndOf { last: true, list } => {
                self.resolve_members(context, base, list).last_member(&self.state).unwrap_or(NONE)
            }
            Expr::Sorts { list, pieces } => {
                let list = self.evaluate(context, base, list);
                self.first_of_each_sort(context, list, *pieces)
            }
            Expr::InList { item, list } => {
                let item = self.evaluate(context, base, item);
                if let Expr::Sorts { list, pieces: true } = list.as_ref() {
                    let list = self.evaluate(context, base, list);
                    return self.is_first_of_its_sort(context, item, list) as Value;
                }
                let members = self.members_to_read(context, base, list);
                members.contains_thing(&self.state, item) as Value
            }
            Expr::AnswerOf { answers, members, of } => {
                let of = self.evaluate(context, base, of);
                let members = self.evaluate(context, base, members);
                let answers = self.evaluate(context, base, answers);
                self.meter.add_work(self.state.list_values(members).len() as u64);
                let place = self.state.list_values(members).iter().position(|member| *member == of);
                match place.and_then(|place| self.state.list_values(answers).get(place).copied()) {
                    Some(answer) => answer,
                    None => self.raise("the rules need an answer about something that was not part of the question"),
                }
            }
            Expr::Quantified { which, list, slot, condition } => {
                if *which != Quantifier::All
                    && let Some(sought) = self.find_in_index(context, base, list, *slot, condition)
                {
                    let found = self.first_indexed(context, &sought).flatten();
                    return (found.is_some() == (*which == Quantifier::Any)) as Value;
                }
                let holds = *which != Quantifier::All;
                if let Expr::OnBoard(what, operands) = list.as_ref()
                    && let Some(found) = self.any_line_matches(context, base, (*what, operands), (*slot, condition), holds)
                {
                    return (found == (*which == Quantifier::Any)) as Value;
                }
                let members = self.resolve_members(context, base, list);
                self.test_quantifier(context, base, *which, members, *slot, condition) as Value
            }
            Expr::BestOne { list, slot, keys } => {
                let list = self.evaluate(context, base, list);
                self.best_one(context, base, list, *slot, keys)
            }
            Expr::BestAll { list, slot, keys } => {
                let list = self.evaluate(context, base, list);
                self.best_members(context, base, list, *slot, keys)
            }
            Expr::ZoneList(zone) => {
                let zone = self.evaluate(context, base, zone);
                self.zone_list(zone)
            }
            Expr::Held { of, field } => {
                let of = self.evaluate(context, base, of);
                self.copy_field_list(of, *field)
            }
            Expr::PrintedList { of, column } => {
                let of = self.evaluate(context, base, of);
                match context.program.prints.printed_value(of, *column) {
                    Some(list) => self.push_list(context.program.prints.printed_list(list)),
                    None => self.raise_none_read(),
                }
            }
            Expr::MapList { list, slot, value } => self.map_list(context, base, list, *slot, value),
            Expr::PrintedName(of) => {
                let of = self.evaluate(context, base, of);
                match context.program.prints.find_print(of) {
                    Some(print) => print.name,
                    None => self.raise_none_read(),
                }
            }
            Expr::PrintOf(entrant) => {
                let entrant = self.evaluate(context, base, entrant);
                match context.roster.print_of(context.program, entrant) {
                    Some(print) => print,
                    None => self.raise_none_read(),
                }
            }
            Expr::ListOf(members) => {
                let values: Vec<Value> = members.iter().map(|member| self.evaluate(context, base, member)).collect();
                self.push_list(&values)
            }
            Expr::Single(inner) => {
                let value = self.evaluate(context, base, inner);
                if value == NONE { self.push_list(&[]) } else { self.push_list(&[value]) }
            }
            Expr::Range(from, to) => {
                let from = self.evaluate(context, base, from);
                let to = self.evaluate(context, base, to);
                let Some(numbers) = self.number_range(from, to) else { return NONE };
                if !self.spend_on(numbers.clone().count()) {
                    return NONE;
                }
                let at = self.begin_list();
                self.state.lists.extend(numbers);
                self.end_list(at)
            }
            Expr::Without(left, right) => {
                let left = self.evaluate(context, base, left);
                let right = self.evaluate(context, base, right);
                if !self.spend_on_pairs(self.state.list_values(left).len(), self.state.list_values(right).len()) {
                    return NONE;
                }
                let rest: Vec<Value> = self
                    .state
                    .list_values(left)
                    .iter()
                    .filter(|value| !self.state.list_values(right).contains(value))
                    .copied()
                    .collect();
                self.push_list(&rest)
            }
            Expr::Sorted { down, list } => {
                let list = self.evaluate(context, base, list);
                if !self.spend_on(self.state.list_values(list).len()) {
                    return NONE;
                }
                let at = self.begin_list();
                self.copy_members(list, at);
                let copy = self.state.lists.get_mut(at..).unwrap_or_default();
                sort_few(copy);
                if *down {
                    copy.reverse();
                }
                self.end_list(at)
            }
            Expr::Keep { highest, count, list } => {
                let count = self.evaluate(context, base, count).max(0) as usize;
                let list = self.evaluate(context, base, list);
                self.keep_extremes(list, count, *highest)
            }
            Expr::Top { count, zone } => {
                let count = self.evaluate(context, base, count).max(0) as usize;
                let zone = self.evaluate(context, base, zone);
                if !self.spend_on(count.min(self.state.board.count_pieces(zone))) {
                    return NONE;
                }
                let at = self.begin_list();
                let (board, lists) = (&self.state.board, &mut self.state.lists);
                lists.extend(board.zones.top_pieces(zone as usize, count).iter().rev().map(|piece| Value::from(*piece)));
                self.end_list(at)
            }
            Expr::Neighbour { of, left } => {
                let of = self.evaluate(context, base, of);
                self.ring_neighbour(context, of, *left)
            }
            Expr::Neighbours(of) => {
                let of = self.evaluate(context, base, of);
                self.ring_neighbours(context, of)
            }
            Expr::OnBoard(what, operands) => self.evaluate_on_board(context, base, *what, operands),
            Expr::EntrantsOf(side) => {
                let side = self.evaluate(context, base, side);
                let entrants = context.roster.entrants.get(side as usize).map_or(&[][..], Vec::as_slice);
                let members: Vec<Value> = entrants.iter().map(|id| Value::from(*id)).collect();
                self.push_list(&members)
            }
            // Only the referee is left, who is no thing.
            _ => NONE,
        }
    }

    /// The members of one list, then those of another. If one is empty, the other is the result.
    #[inline(never)]
    pub(super) fn concatenate_lists(&mut self, context: &Context, base: usize, left: &Expr, right: &Expr) -> Value {
        let left = self.evaluate_inline(context, base, left);
        let right = self.evaluate_inline(context, base, right);
        if self.state.list_values(right).is_empty() {
            return left;
        }
        if self.state.list_values(left).is_empty() {
            return right;
        }
        self.join_lists(left, right)
    }

    #[inline(never)]
    fn join_lists(&mut self, left: Value, right: Value) -> Value {
        if !self.spend_on(self.state.list_values(left).len() + self.state.list_values(right).len()) {
            return NONE;
        }
        let at = self.begin_list();
        self.copy_members(left, at);
        self.copy_members(right, at);
        self.end_list(at)
    }

    /// The highest or lowest `count` members of a list, in its order. Among equal members, earlier ones are kept.
    fn keep_extremes(&mut self, list: Value, count: usize, highest: bool) -> Value {
        let length = self.state.list_values(list).len();
        if length <= count {
            return list;
        }
        if !self.spend_on(length) {
            return NONE;
        }
        let at = self.begin_list();
        if let Some(last) = count.checked_sub(1) {
            // They are sorted in the place of the result, to find the last value to keep.
            self.copy_members(list, at);
            let sorted = self.state.lists.get_mut(at..).unwrap_or_default();
            sort_few(sorted);
            if highest {
                sorted.reverse();
            }
            let least = sorted.get(last).copied().unwrap_or(NONE);
            let mut equals = count - sorted.iter().position(|value| *value == least).unwrap_or(0);
            self.state.lists.truncate(at);
            for index in 0..length {
                let value = self.state.list_member(list, index);
                let is_equal = value == least && equals > 0;
                equals -= usize::from(is_equal);
                if is_equal || value != least && (value > least) == highest {
                    self.state.lists.push(value);
                }
            }
        }
        self.end_list(at)
    }

    /// Appends the members of a list, which is stored before `end`, to the arena.
    fn copy_members(&mut self, list: Value, end: usize) {
        let length = self.state.list_values(list).len();
        if length > 0 {
            let start = (list as usize + 1).min(end);
            self.state.lists.extend_from_within(start..(start + length).min(end));
        }
    }

    /// The list of a field of all pieces of a zone: in their order, or sorted, in descending order with `down`.
    #[inline(never)]
    pub(super) fn field_list(
        &mut self,
        context: &Context,
        base: usize,
        zone: &Expr,
        field: u16,
        (sorted, down): (bool, bool),
    ) -> Value {
        let zone = self.evaluate_inline(context, base, zone);
        if !self.spend_on(self.state.board.count_pieces(zone)) {
            return NONE;
        }
        let at = self.begin_list();
        let (board, lists) = (&self.state.board, &mut self.state.lists);
        let field_of = |piece: &EntityId| board.field(Value::from(*piece), field).unwrap_or(NONE);
        lists.extend(board.ordered_pieces(zone).iter().map(field_of));
        if sorted {
            let fields = self.state.lists.get_mut(at..).unwrap_or_default();
            sort_few(fields);
            if down {
                fields.reverse();
            }
        }
        self.end_list(at)
    }

    /// The list of the members for which a condition holds.
    #[inline(never)]
    pub(super) fn list_where(&mut self, context: &Context, base: usize, list: &Expr, slot: Slot, condition: &Expr) -> Value {
        if let Expr::Every(kind) = list
            && let Some(filter) = self.make_filter(context, base, condition, slot)
        {
            return self.filter_kind(context, base, *kind, slot, &filter);
        }
        let list = self.evaluate(context, base, list);
        if !self.spend_on(self.state.list_values(list).len()) {
            return NONE;
        }
        if let Some(filter) = self.make_filter(context, base, condition, slot) {
            return self.filter_list(context, base, list, slot, &filter);
        }
        let at = self.begin_list();
        for index in 0..self.state.list_values(list).len() {
            if !self.may_go_on_working() {
                break;
            }
            let member = self.state.list_member(list, index);
            let mark = self.state.lists.len();
            let kept = self.test_member(context, base, slot, member, condition);
            self.state.lists.truncate(mark);
            if kept {
                self.state.lists.push(member);
            }
        }
        self.end_list(at)
    }

    /// Number of members of a list that satisfy a condition, without making a list of them.
    fn count_where(&mut self, context: &Context, base: usize, list: &Expr, slot: Slot, condition: &Expr) -> Value {
        if let Some(sought) = self.find_in_index(context, base, list, slot, condition) {
            return self.count_indexed(context, &sought);
        }
        let members = self.resolve_members(context, base, list);
        if !self.spend_on(members.member_count(&self.state)) {
            return 0;
        }
        if let Members::Cells(line) = members
            && let Some(test) = self.cell_test(context, base, condition, slot)
        {
            return self.count_cells(context, line, &test);
        }
        if members.are_many(&self.state)
            && let Some(filter) = self.make_filter(context, base, condition, slot)
        {
            let board = &self.state.board;
            let counted = match members.as_slices(&self.state) {
                ([], listed) => filter.count_passing(context.program, board, listed),
                (pieces, _) => filter.count_passing(context.program, board, pieces),
            };
            return counted.map_or_else(|| self.raise_none_read(), |count| count as Value);
        }
        let (mut count, mut index) = (0, 0);
        while let Some(member) = members.member_at(&self.state, index)
            && self.may_go_on_working()
        {
            let mark = self.state.lists.len();
            count += Value::from(self.test_member(context, base, slot, member, condition));
            self.state.lists.truncate(mark);
            index += 1;
        }
        count
    }

    /// The first member of a list, or none.
    #[inline(never)]
    fn first_member(&mut self, context: &Context, base: usize, list: &Expr) -> Value {
        let Expr::Where { list: all, slot, condition } = list else {
            return self.resolve_members(context, base, list).member_at(&self.state, 0).unwrap_or(NONE);
        };
        if matches!(all.as_ref(), Expr::Every(_)) {
            let list = self.evaluate(context, base, list);
            return self.state.list_member(list, 0);
        }
        if let Some(sought) = self.find_in_index(context, base, all, *slot, condition) {
            return self.first_indexed(context, &sought).flatten().unwrap_or(NONE);
        }
        let members = self.resolve_members(context, base, all);
        match self.first_matching(context, base, members, *slot, condition, true) {
            Some(found) => found.unwrap_or(NONE),
            None => NONE,
        }
    }

    /// The first member for which a condition holds (or fails), if there is one; the outer `None` is a fault.
    pub(super) fn first_matching(
        &mut self,
        context: &Context,
        base: usize,
        members: Members,
        slot: Slot,
        condition: &Expr,
        holds: bool,
    ) -> Option<Option<Value>> {
        if let Members::Cells(line) = members
            && let Some(test) = self.cell_test(context, base, condition, slot)
        {
            return if self.spend_on(line.cell_count()) { self.first_cell(context, line, &test, holds) } else { None };
        }
        if members.are_many(&self.state)
            && let Some(filter) = self.make_filter(context, base, condition, slot)
        {
            let board = &self.state.board;
            let found = match members.as_slices(&self.state) {
                ([], listed) => filter.first_passing(context.program, board, listed, holds),
                (pieces, _) => filter.first_passing(context.program, board, pieces, holds),
            };
            if found.is_none() {
                self.raise_none_read();
            }
            return found.filter(|_| self.spend_on(members.member_count(&self.state)));
        }
        let mut index = 0;
        while let Some(member) = members.member_at(&self.state, index) {
            let lists = self.state.lists.len();
            let is_such = self.test_member(context, base, slot, member, condition) == holds;
            self.state.lists.truncate(lists);
            if !self.spend_work(1) || self.fault.is_some() {
                return None;
            }
            if is_such {
                return Some(Some(member));
            }
            index += 1;
        }
        Some(None)
    }

    /// The list of the members that pass a filter.
    fn filter_list(&mut self, context: &Context, base: usize, list: Value, slot: Slot, filter: &Filter) -> Value {
        let State { board, lists, slots, .. } = &mut self.state;
        let at = lists.len();
        let Some(()) = filter.append_passing(context.program, board, lists, list) else { return self.raise_none_read() };
        // The slot ends with the last member, as if each had been tested in it.
        if let (Some(last), Some(variable)) = (members_of(lists, list).last(), slots.get_mut(base + usize::from(slot))) {
            *variable = *last;
        }
        self.check_list_sizes();
        at as Value
    }

    /// The list of an expression's values for all members.
    #[inline(never)]
    pub(super) fn map_members(&mut self, context: &Context, base: usize, list: &Expr, slot: Slot, value: &Expr) -> Value {
        let list = self.evaluate(context, base, list);
        let at = self.begin_list();
        for index in 0..self.state.list_values(list).len() {
            if !self.spend_work(1) {
                break;
            }
            let member = self.state.list_member(list, index);
            self.set_slot(base, slot, member);
            let mapped = self.evaluate_inline(context, base, value);
            self.state.lists.push(mapped);
        }
        self.end_list(at)
    }

    /// The members of all lists that an expression gives for the members.
    fn map_list(&mut self, context: &Context, base: usize, list: &Expr, slot: Slot, value: &Expr) -> Value {
        let list = self.evaluate(context, base, list);
        // The members' lists are temporary, and use the place of the result.
        let mark = self.state.lists.len();
        let mut all = Vec::new();
        for index in 0..self.state.list_values(list).len() {
            let member = self.state.list_member(list, index);
            self.set_slot(base, slot, member);
            let members = self.evaluate(context, base, value);
            all.extend_from_slice(self.state.list_values(members));
            let count = self.state.list_values(members).len();
            self.state.lists.truncate(mark);
            if !self.spend_on(1 + count) {
                break;
            }
        }
        self.push_list(&all)
    }

    /// The pieces in one zone of each member; `zone` is its index among the zones of that kind.
    #[inline(never)]
    pub(super) fn map_zone(&mut self, context: &Context, base: usize, list: &Expr, zone: u16) -> Value {
        let list = self.evaluate(context, base, list);
        let at = self.begin_list();
        for index in 0..self.state.list_values(list).len() {
            let zone = self.state.board.zone_of(self.state.list_member(list, index), zone).map_or(NONE, Value::from);
            if !self.spend_on(1 + self.state.board.count_pieces(zone)) {
                break;
            }
            self.push_zone(zone);
        }
        self.end_list(at)
    }

    /// The list of all things of a kind that are in the game.
    #[inline(never)]
    pub(super) fn list_all_of_kind(&mut self, context: &Context, kind: KindId) -> Value {
        if !self.spend_on(self.state.board.entities.len()) {
            return NONE;
        }
        let at = self.begin_list();
        let State { board, lists, .. } = &mut self.state;
        push_all(lists, board, make_kind_test(context, board, kind));
        self.order_by_number(context, kind, at);
        self.end_list(at)
    }

    /// Number of things of a kind, without making a list of them.
    fn count_kind(&mut self, context: &Context, kind: KindId) -> Value {
        if !self.spend_on(self.state.board.entities.len()) {
            return 0;
        }
        let counts = make_kind_test(context, &self.state.board, kind);
        let first = first_index_of_kind(context, kind);
        self.state.board.entities.iter().skip(first).filter(|entity| counts(entity)).count() as Value
    }

    /// The list of the things of a kind that are in the game and pass a filter.
    fn filter_kind(&mut self, context: &Context, base: usize, kind: KindId, slot: Slot, filter: &Filter) -> Value {
        if !self.spend_on(self.state.board.entities.len()) {
            return NONE;
        }
        let at = self.begin_list();
        let State { board, lists, .. } = &mut self.state;
        match filter.append_all_passing(
            context.program,
            board,
            lists,
            first_index_of_kind(context, kind),
            make_kind_test(context, board, kind),
        ) {
            Some(NONE) => {}
            Some(last) => self.set_slot(base, slot, last),
            None => return self.raise_none_read(),
        }
        self.order_by_number(context, kind, at);
        self.end_list(at)
    }

    /// The list of the sides that are still in the game.
    #[inline(never)]
    pub(super) fn all_sides(&mut self, context: &Context) -> Value {
        let at = self.begin_list();
        let (board, lists) = (&self.state.board, &mut self.state.lists);
        let is_out = |side: &Value| board.eliminated.iter().any(|eliminated| Value::from(*eliminated) == *side);
        let sides = 0..context.roster.sides as Value;
        match board.eliminated.is_empty() {
            true => lists.extend(sides),
            false => lists.extend(sides.filter(|side| !is_out(side))),
        }
        self.end_list(at)
    }

    // --- lists -----------------------------------------------------------------

    /// The range between two numbers. A range that is too long is a fault.
    #[inline]
    pub(in crate::runtime) fn number_range(&mut self, from: Value, to: Value) -> Option<RangeInclusive<Value>> {
        if to.saturating_sub(from) >= MOST_IN_RANGE {
            self.raise_as(codes::PIECE_LIMIT, "a range has more than 10,000 numbers");
            return None;
        }
        Some(from..=to)
    }

    /// The members of a list that is only read. Existing lists are not copied.
    #[inline]
    pub(super) fn resolve_members<'r>(&mut self, context: &'r Context<'r>, base: usize, list: &Expr) -> Members<'r> {
        match list {
            Expr::ZoneList(zone) => Members::InZone(self.evaluate_inline(context, base, zone)),
            Expr::Held { of, field } => Members::Held(self.evaluate_inline(context, base, of), *field),
            Expr::OnBoard(what @ (BoardOperation::RowAt | BoardOperation::ColumnAt | BoardOperation::Run), operands) => {
                Members::Cells(self.line_on_board(context, base, *what, operands))
            }
            Expr::Range(from, to) => {
                let (from, to) = (self.evaluate(context, base, from), self.evaluate(context, base, to));
                match self.number_range(from, to) {
                    Some(_) => Members::Numbers(from, to),
                    None => Members::Listed(NONE),
                }
            }
            Expr::PrintedList { of, column } => {
                let of = self.evaluate(context, base, of);
                match context.program.prints.printed_value(of, *column) {
                    Some(list) => Members::Printed(context.program.prints.printed_list(list)),
                    None => Members::Listed(self.raise_none_read()),
                }
            }
            other => Members::Listed(self.evaluate(context, base, other)),
        }
    }

    /// Starts a list at the end of the arena, with a place for its length. Returns the index of its first member, for
    /// [`Eval::end_list`]; the caller appends the members.
    pub fn begin_list(&mut self) -> usize {
        self.state.lists.push(0);
        self.state.lists.len()
    }

    /// Ends the list whose first member is at an index, and returns its value.
    pub fn end_list(&mut self, at: usize) -> Value {
        let length = self.state.lists.len().saturating_sub(at);
        let begins = at.saturating_sub(1);
        if let Some(place) = self.state.lists.get_mut(begins) {
            *place = length as Value;
        }
        self.check_list_sizes();
        begins as Value
    }

    /// Makes a list of these members, and returns its value.
    pub fn push_list(&mut self, members: &[Value]) -> Value {
        let at = self.begin_list();
        self.state.lists.extend_from_slice(members);
        self.end_list(at)
    }

    /// The current list of a field.
    fn copy_field_list(&mut self, of: Value, field: u16) -> Value {
        let count = self.state.board.list_in_field(of, field).len();
        if !self.spend_on(count) {
            return NONE;
        }
        let at = self.begin_list();
        self.state.lists.extend_from_slice(self.state.board.list_in_field(of, field));
        self.end_list(at)
    }

    /// The pieces of a zone as a list.
    fn zone_list(&mut self, zone: Value) -> Value {
        if !self.spend_on(self.state.board.count_pieces(zone)) {
            return NONE;
        }
        let at = self.begin_list();
        self.push_zone(zone);
        self.end_list(at)
    }

    /// The members of a list, all of which are about to be read.
    fn members_to_read<'r>(&mut self, context: &'r Context<'r>, base: usize, list: &Expr) -> Members<'r> {
        let members = self.resolve_members(context, base, list);
        self.meter.add_work(members.member_count(&self.state) as u64 / PAIRS_PER_WORK);
        members
    }

    /// Sorts things of a kind, stored in the arena from index `at` on, by their public numbers.
    #[inline]
    fn order_by_number(&mut self, context: &Context, kind: KindId, at: usize) {
        let State { board, lists, .. } = &mut self.state;
        if !board.numbers.are_own() && context.program.kind(kind).sort == KindSort::Piece {
            board.numbers.sort_by_number(lists.get_mut(at..).unwrap_or_default(), |piece| *piece);
        }
    }

    /// Appends the pieces of a zone to the arena, in order.
    fn push_zone(&mut self, zone: Value) {
        let (board, lists) = (&self.state.board, &mut self.state.lists);
        lists.extend(board.ordered_pieces(zone).iter().map(|piece| Value::from(*piece)));
    }
}

/// Appends all things that count, see `make_kind_test`.
#[inline]
fn push_all(lists: &mut Vec<Value>, board: &Board, counts: impl Fn(&Entity) -> bool) {
    for (id, entity) in board.entities.iter().enumerate() {
        if counts(entity) {
            lists.push(id as Value);
        }
    }
}

/// The first possible index of things of a kind: pieces come after all others.
#[inline]
fn first_index_of_kind(context: &Context, kind: KindId) -> usize {
    match context.program.kind(kind).sort {
        KindSort::Piece => usize::from(context.roster.first_piece),
        _ => 0,
    }
}

/// A predicate for things of a kind that are in the game.
#[inline]
pub(super) fn make_kind_test<'b>(context: &'b Context<'b>, board: &'b Board, kind: KindId) -> impl Fn(&Entity) -> bool {
    // A piece that is nowhere was removed from the game.
    let must_lie = context.program.kind(kind).sort == KindSort::Piece;
    let all_stay = board.eliminated.is_empty();
    move |entity: &Entity| {
        context.program.is_kind(entity.kind, kind)
            && (!must_lie || entity.place != NOWHERE)
            && (all_stay || entity.side == NOWHERE || !board.eliminated.contains(&entity.side))
    }
}

/// Sorts a few values in place; leaves longer slices to the library.
#[inline]
fn sort_few(values: &mut [Value]) {
    if values.len() > 16 {
        values.sort_unstable();
        return;
    }
    for end in 1..values.len() {
        let mut at = end;
        while at > 0 && values[at - 1] > values[at] {
            values.swap(at - 1, at);
            at -= 1;
        }
    }
}
