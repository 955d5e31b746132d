//! Expressions: they look at the state and change nothing that lasts.

use super::machine::{Machine, Rules};
use super::state::{EntityId, NOWHERE};
use crate::program::Quantifier;
use crate::program::{BestKey, Comparison, Expr, KindSort, NONE, Value};
use std::cmp::Ordering;

impl Machine {
    /// The value of an expression whose slots begin at `base`.
    #[inline(always)]
    pub fn evaluate(&mut self, rules: Rules, base: usize, expr: &Expr) -> Value {
        match expr {
            Expr::Constant(value) => *value,
            Expr::Local(slot) => self.slot(base, *slot),
            _ => self.evaluate_leaf(rules, base, expr),
        }
    }

    /// Expressions without parts; a function of their own, as most expressions are such.
    #[inline(never)]
    fn evaluate_leaf(&mut self, rules: Rules, base: usize, expr: &Expr) -> Value {
        match expr {
            Expr::LocalField { slot, field } => {
                let of = self.slot(base, *slot);
                self.field(of, *field)
            }
            Expr::TableField(field) => self.field(Value::from(rules.cast.table), *field),
            Expr::LocalZone { slot, zone } => {
                let of = self.slot(base, *slot);
                self.zone_of(of, *zone)
            }
            Expr::LentZone { slot, foe, field, zone } => {
                let mut side = self.slot(base, *slot);
                if *foe {
                    if side & !1 != 0 {
                        return self.nothing_there();
                    }
                    side = 1 - side;
                }
                match self.state.board.field(side, *field) {
                    Some(lender) => self.zone_of(lender, *zone),
                    None => self.nothing_there(),
                }
            }
            Expr::LocalPlace(slot) => self.place_of(self.slot(base, *slot)),
            Expr::LocalFoe(slot) => self.foe_of(self.slot(base, *slot)),
            Expr::LocalMoveField { slot, index } => self.move_field(self.slot(base, *slot), *index),
            _ => self.evaluate_node(rules, base, expr),
        }
    }

    #[inline(never)]
    fn evaluate_node(&mut self, rules: Rules, base: usize, expr: &Expr) -> Value {
        match expr {
            Expr::Field { of, field } => {
                let of = self.evaluate(rules, base, of);
                self.field(of, *field)
            }
            Expr::Zone { of, zone } => {
                let of = self.evaluate(rules, base, of);
                self.zone_of(of, *zone)
            }
            Expr::PlaceOf(piece) => {
                let piece = self.evaluate(rules, base, piece);
                self.place_of(piece)
            }
            Expr::HasMark { of, mark } => {
                let of = self.evaluate(rules, base, of);
                self.has_mark(of, *mark) as Value
            }
            Expr::KindIs { of, kind } => {
                let of = self.evaluate(rules, base, of);
                self.state.board.entities.get(of as usize).is_some_and(|entity| rules.program.is_kind(entity.kind, *kind))
                    as Value
            }
            Expr::Printed { of, column } => {
                let of = self.evaluate(rules, base, of);
                match rules.program.prints.value(of, *column) {
                    Some(value) => value,
                    None => self.nothing_there(),
                }
            }
            Expr::SheetIs { of, sheet } => {
                let of = self.evaluate(rules, base, of);
                let prints = &rules.program.prints;
                prints.print(of).is_some_and(|print| prints.is_sheet(print.sheet, *sheet)) as Value
            }
            Expr::Table => Value::from(rules.cast.table),
            Expr::Foe(side) => {
                let side = self.evaluate(rules, base, side);
                self.foe_of(side)
            }
            Expr::Neighbour { of, left } => {
                let of = self.evaluate(rules, base, of);
                self.neighbour(rules, of, *left)
            }
            Expr::SideOf(entity) => {
                let entity = self.evaluate(rules, base, entity);
                self.state.board.side_of(rules.program, entity)
            }
            Expr::MoveField { of, index } => {
                let of = self.evaluate(rules, base, of);
                self.move_field(of, *index)
            }
            Expr::MoveIs { of, action } => {
                let of = self.evaluate(rules, base, of);
                (of >= 0 && self.state.lists.get(of as usize) == Some(&Value::from(*action))) as Value
            }
            Expr::MoveIn { of, family } => {
                let of = self.evaluate(rules, base, of);
                self.is_move_of(rules, of, *family) as Value
            }
            Expr::AsMove { of, family } => {
                let of = self.evaluate(rules, base, of);
                if of != NONE && !self.is_move_of(rules, of, *family) {
                    let name = &rules.program.families[*family as usize].name;
                    return self.fault(&format!("a move of `{name}` is wanted, but another one was chosen"));
                }
                of
            }
            Expr::With { slot, value, then } => {
                let value = self.evaluate(rules, base, value);
                self.set_slot(base, *slot, value);
                self.evaluate(rules, base, then)
            }
            Expr::Not(inner) => (self.evaluate(rules, base, inner) == 0) as Value,
            Expr::And(left, right) => (self.evaluate(rules, base, left) != 0 && self.evaluate(rules, base, right) != 0) as Value,
            Expr::Or(left, right) => (self.evaluate(rules, base, left) != 0 || self.evaluate(rules, base, right) != 0) as Value,
            Expr::Compare(comparison, left, right) => {
                let left = self.evaluate(rules, base, left);
                let right = self.evaluate(rules, base, right);
                comparison.holds(left, right) as Value
            }
            Expr::CompareLists(comparison, left, right) => {
                let left = self.evaluate(rules, base, left);
                let right = self.evaluate(rules, base, right);
                let order = self.state.list(left).cmp(self.state.list(right));
                comparison.holds(order as Value, Ordering::Equal as Value) as Value
            }
            Expr::If(condition, yes, no) => {
                let branch = if self.evaluate(rules, base, condition) != 0 { yes } else { no };
                self.evaluate(rules, base, branch)
            }
            Expr::CountZone(zone) => {
                let zone = self.evaluate(rules, base, zone);
                self.state.board.pieces(zone).len() as Value
            }
            Expr::SumZone { zone, field } => {
                let zone = self.evaluate(rules, base, zone);
                let board = &self.state.board;
                let sum: i64 =
                    board.pieces(zone).iter().filter_map(|piece| board.field(Value::from(*piece), *field)).map(i64::from).sum();
                self.counted(sum)
            }
            Expr::InZone { item, zone } => {
                let item = self.evaluate(rules, base, item);
                let zone = self.evaluate(rules, base, zone);
                let place = self.state.board.entities.get(item as usize).map_or(NOWHERE, |entity| entity.place);
                (place != NOWHERE && Value::from(place) == zone) as Value
            }
            Expr::Fold { hook, arguments } => self.fold(rules, base, *hook, arguments),
            Expr::Can { family, arguments } => {
                let arguments: Vec<Value> = arguments.iter().map(|a| self.evaluate(rules, base, a)).collect();
                self.can(rules, *family, &arguments) as Value
            }
            Expr::Add(..)
            | Expr::Subtract(..)
            | Expr::Multiply(..)
            | Expr::Divide { .. }
            | Expr::AtLeast(..)
            | Expr::AtMost(..)
            | Expr::IsOdd(..) => self.arithmetic(rules, base, expr),
            _ => self.evaluate_list(rules, base, expr),
        }
    }

    #[inline(never)]
    fn arithmetic(&mut self, rules: Rules, base: usize, expr: &Expr) -> Value {
        let (left, right) = match expr {
            Expr::Add(left, right)
            | Expr::Subtract(left, right)
            | Expr::Multiply(left, right)
            | Expr::Divide { left, right, .. }
            | Expr::AtLeast(left, right)
            | Expr::AtMost(left, right) => (left, right),
            Expr::IsOdd(inner) => return self.evaluate(rules, base, inner) & 1,
            _ => return NONE,
        };
        let left = self.evaluate(rules, base, left);
        let right = self.evaluate(rules, base, right);
        let result = match expr {
            Expr::Add(..) => left.checked_add(right),
            Expr::Subtract(..) => left.checked_sub(right),
            Expr::Multiply(..) => left.checked_mul(right),
            Expr::Divide { up, .. } => divide(left, right, *up),
            Expr::AtLeast(..) => Some(left.max(right)),
            _ => Some(left.min(right)),
        };
        match result {
            Some(value) if value != NONE => value,
            _ if right == 0 => self.fault("a number is divided by zero"),
            _ => self.fault("a number grows beyond what can be counted"),
        }
    }

    /// A sum, if it is a number that can be counted.
    #[inline]
    fn counted(&mut self, sum: i64) -> Value {
        match Value::try_from(sum) {
            Ok(sum) if sum != NONE => sum,
            _ => self.fault("a number grows beyond what can be counted"),
        }
    }

    #[inline(never)]
    fn evaluate_list(&mut self, rules: Rules, base: usize, expr: &Expr) -> Value {
        match expr {
            Expr::CountList(list) => {
                let list = self.evaluate(rules, base, list);
                self.state.list(list).len() as Value
            }
            Expr::SumList(list) => {
                let list = self.evaluate(rules, base, list);
                let sum: i64 = self.state.list(list).iter().map(|number| i64::from(*number)).sum();
                self.counted(sum)
            }
            Expr::ExtremeOf { highest, list } => {
                let list = self.evaluate(rules, base, list);
                let numbers = self.state.list(list).iter().copied();
                if *highest { numbers.max() } else { numbers.min() }.unwrap_or(0)
            }
            Expr::EndOf { last, list } => {
                let list = self.evaluate(rules, base, list);
                let members = self.state.list(list);
                if *last { members.last() } else { members.first() }.copied().unwrap_or(NONE)
            }
            Expr::InList { item, list } => {
                let item = self.evaluate(rules, base, item);
                let list = self.evaluate(rules, base, list);
                self.state.list(list).contains(&item) as Value
            }
            Expr::AnswerOf { answers, members, of } => {
                let of = self.evaluate(rules, base, of);
                let place = self.state.list(self.slot(base, *members)).iter().position(|member| *member == of);
                match place.and_then(|place| self.state.list(self.slot(base, *answers)).get(place).copied()) {
                    Some(answer) => answer,
                    None => self.fault("an answer is wanted of somebody who was not asked"),
                }
            }
            Expr::Quantified { which, list, slot, condition } => {
                let list = self.evaluate(rules, base, list);
                self.quantified(rules, base, *which, list, *slot, condition) as Value
            }
            Expr::BestOne { list, slot, keys } => {
                let list = self.evaluate(rules, base, list);
                self.best_one(rules, base, list, *slot, keys)
            }
            Expr::BestAll { list, slot, keys } => {
                let list = self.evaluate(rules, base, list);
                self.best(rules, base, list, *slot, keys)
            }
            Expr::ZoneList(zone) => {
                let zone = self.evaluate(rules, base, zone);
                let at = self.begin_list();
                self.push_zone(zone);
                self.end_list(at)
            }
            Expr::PrintedList { of, column } => {
                let of = self.evaluate(rules, base, of);
                match rules.program.prints.value(of, *column) {
                    Some(list) => self.push_list(rules.program.prints.list(list)),
                    None => self.nothing_there(),
                }
            }
            Expr::PrintedName(of) => {
                let of = self.evaluate(rules, base, of);
                match rules.program.prints.print(of) {
                    Some(print) => print.name,
                    None => self.nothing_there(),
                }
            }
            Expr::PrintOf(entrant) => {
                let entrant = self.evaluate(rules, base, entrant);
                match rules.cast.print_of(rules.program, entrant) {
                    Some(print) => print,
                    None => self.nothing_there(),
                }
            }
            Expr::ListOf(members) => {
                let values: Vec<Value> = members.iter().map(|member| self.evaluate(rules, base, member)).collect();
                self.push_list(&values)
            }
            Expr::Single(inner) => {
                let value = self.evaluate(rules, base, inner);
                if value == NONE { self.push_list(&[]) } else { self.push_list(&[value]) }
            }
            Expr::Range(from, to) => {
                let from = self.evaluate(rules, base, from);
                let to = self.evaluate(rules, base, to);
                if to.saturating_sub(from) > 10_000 {
                    return self.fault("a range has more than 10,000 numbers");
                }
                let at = self.begin_list();
                self.state.lists.extend(from..=to);
                self.end_list(at)
            }
            Expr::Concatenate(left, right) => {
                let left = self.evaluate(rules, base, left);
                let right = self.evaluate(rules, base, right);
                if self.state.list(right).is_empty() {
                    return left;
                }
                if self.state.list(left).is_empty() {
                    return right;
                }
                let at = self.begin_list();
                for list in [left, right] {
                    let start = list as usize + 1;
                    let length = self.state.list(list).len();
                    self.state.lists.extend_from_within(start.min(at)..(start + length).min(at));
                }
                self.end_list(at)
            }
            Expr::Without(left, right) => {
                let left = self.evaluate(rules, base, left);
                let right = self.evaluate(rules, base, right);
                let rest: Vec<Value> =
                    self.state.list(left).iter().filter(|value| !self.state.list(right).contains(value)).copied().collect();
                self.push_list(&rest)
            }
            Expr::Where { list, slot, condition } => {
                let list = self.evaluate(rules, base, list);
                let at = self.begin_list();
                for index in 0..self.state.list(list).len() {
                    let member = self.state.lists[list as usize + 1 + index];
                    let mark = self.state.lists.len();
                    let kept = self.test(rules, base, *slot, member, condition);
                    self.state.lists.truncate(mark);
                    if kept {
                        self.state.lists.push(member);
                    }
                }
                self.end_list(at)
            }
            Expr::FieldList { zone, field, sorted, down } => {
                let zone = self.evaluate(rules, base, zone);
                let at = self.begin_list();
                let (board, lists) = (&self.state.board, &mut self.state.lists);
                let field_of = |piece: &EntityId| board.field(Value::from(*piece), *field).unwrap_or(NONE);
                lists.extend(board.pieces(zone).iter().map(field_of));
                if *sorted {
                    sort_few(&mut self.state.lists[at..]);
                    if *down {
                        self.state.lists[at..].reverse();
                    }
                }
                self.end_list(at)
            }
            Expr::Map { list, slot, value } => {
                let list = self.evaluate(rules, base, list);
                let at = self.begin_list();
                for index in 0..self.state.list(list).len() {
                    let member = self.state.lists[list as usize + 1 + index];
                    self.set_slot(base, *slot, member);
                    let mapped = self.evaluate(rules, base, value);
                    self.state.lists.push(mapped);
                }
                self.end_list(at)
            }
            Expr::MapZone { list, zone } => {
                let list = self.evaluate(rules, base, list);
                let at = self.begin_list();
                for index in 0..self.state.list(list).len() {
                    let owner = self.state.lists[list as usize + 1 + index];
                    if let Some(zone) = self.state.board.zone_of(owner, *zone) {
                        self.push_zone(Value::from(zone));
                    }
                }
                self.end_list(at)
            }
            Expr::Sorted { down, list } => {
                let list = self.evaluate(rules, base, list);
                let start = list as usize + 1;
                let at = self.begin_list();
                let length = self.state.list(list).len();
                self.state.lists.extend_from_within(start..start + length);
                let copy = &mut self.state.lists[at..];
                copy.sort_unstable();
                if *down {
                    copy.reverse();
                }
                self.end_list(at)
            }
            Expr::Top { count, zone } => {
                let count = self.evaluate(rules, base, count).max(0) as usize;
                let zone = self.evaluate(rules, base, zone);
                let at = self.begin_list();
                let (board, lists) = (&self.state.board, &mut self.state.lists);
                lists.extend(board.pieces(zone).iter().rev().take(count).map(|piece| Value::from(*piece)));
                self.end_list(at)
            }
            Expr::Sides => {
                let at = self.begin_list();
                self.state.lists.extend(0..rules.cast.sides as Value);
                if !self.state.board.gone.is_empty() {
                    let gone = &self.state.board.gone;
                    let mut index = at;
                    while let Some(side) = self.state.lists.get(index) {
                        if gone.iter().any(|gone| Value::from(*gone) == *side) {
                            self.state.lists.remove(index);
                        } else {
                            index += 1;
                        }
                    }
                }
                self.end_list(at)
            }
            Expr::Every(kind) => {
                let at = self.begin_list();
                let may_be_gone = rules.program.kind(*kind).sort == KindSort::Piece;
                for (id, entity) in self.state.board.entities.iter().enumerate() {
                    // A piece that lies nowhere was removed from the game.
                    let left = entity.side != NOWHERE && self.state.board.gone.contains(&entity.side);
                    if rules.program.is_kind(entity.kind, *kind) && !(may_be_gone && entity.place == NOWHERE) && !left {
                        self.state.lists.push(id as Value);
                    }
                }
                self.end_list(at)
            }
            Expr::Neighbours(of) => {
                let of = self.evaluate(rules, base, of);
                self.neighbours(rules, of)
            }
            Expr::EntrantsOf(side) => {
                let side = self.evaluate(rules, base, side);
                let entrants = rules.cast.entrants.get(side as usize).map_or(&[][..], Vec::as_slice);
                let members: Vec<Value> = entrants.iter().map(|id| Value::from(*id)).collect();
                self.push_list(&members)
            }
            _ => NONE,
        }
    }

    /// Whether a condition holds with `member` in `slot`.
    #[inline]
    pub fn test(&mut self, rules: Rules, base: usize, slot: u16, member: Value, condition: &Expr) -> bool {
        self.set_slot(base, slot, member);
        self.holds(rules, base, condition)
    }

    /// Whether a condition holds. Most are comparisons of two plain values.
    #[inline]
    pub fn holds(&mut self, rules: Rules, base: usize, condition: &Expr) -> bool {
        match condition {
            Expr::Compare(comparison, left, right) => {
                let left = self.evaluate(rules, base, left);
                let right = self.evaluate(rules, base, right);
                comparison.holds(left, right)
            }
            other => self.evaluate(rules, base, other) != 0,
        }
    }

    #[inline(never)]
    fn quantified(&mut self, rules: Rules, base: usize, which: Quantifier, list: Value, slot: u16, condition: &Expr) -> bool {
        let stop_at = which != Quantifier::All;
        for index in 0..self.state.list(list).len() {
            let member = self.state.list(list)[index];
            if self.test(rules, base, slot, member, condition) == stop_at {
                return which == Quantifier::Any;
            }
        }
        which != Quantifier::Any
    }

    /// The only member for which the keys, compared in turn, are highest or lowest; none if several are alike.
    #[inline(never)]
    fn best_one(&mut self, rules: Rules, base: usize, list: Value, slot: u16, keys: &[BestKey]) -> Value {
        let Some((first, rest)) = keys.split_first() else { return NONE };
        let length = self.state.list(list).len();
        if length == 0 {
            return NONE;
        }
        let values = self.key_values(rules, base, list, slot, first);
        let top = self.top_of(values, length, first);
        let alone = (0..length).all(|index| index == top || self.compare_keys(values, index, top, first) != Ordering::Equal);
        if alone {
            return self.state.list(list).get(top).copied().unwrap_or(NONE);
        }
        if rest.is_empty() {
            return NONE;
        }
        let best = self.best(rules, base, list, slot, keys);
        match self.state.list(best) {
            [only] => *only,
            _ => NONE,
        }
    }

    /// The members for which the keys, compared in turn, are highest or lowest, as a list.
    #[inline(never)]
    fn best(&mut self, rules: Rules, base: usize, list: Value, slot: u16, keys: &[BestKey]) -> Value {
        let mut best = list;
        for key in keys {
            let length = self.state.list(best).len();
            if length < 2 {
                break;
            }
            let values = self.key_values(rules, base, best, slot, key);
            let top = self.top_of(values, length, key);
            let at = self.begin_list();
            for index in 0..length {
                if self.compare_keys(values, index, top, key) == Ordering::Equal {
                    let member = self.state.lists[best as usize + 1 + index];
                    self.state.lists.push(member);
                }
            }
            best = self.end_list(at);
        }
        best
    }

    /// A key of each member, one after the other in the arena; where they begin. Lists that they stand for come behind.
    fn key_values(&mut self, rules: Rules, base: usize, list: Value, slot: u16, key: &BestKey) -> usize {
        let length = self.state.list(list).len();
        let values = self.state.lists.len();
        self.state.lists.extend(std::iter::repeat_n(0, length));
        for index in 0..length {
            let member = self.state.lists[list as usize + 1 + index];
            self.set_slot(base, slot, member);
            self.state.lists[values + index] = self.evaluate(rules, base, &key.value);
        }
        values
    }

    /// The first member whose key no other's excels.
    fn top_of(&self, values: usize, length: usize, key: &BestKey) -> usize {
        let better = |index: usize, top: usize| self.compare_keys(values, index, top, key) == Ordering::Greater;
        (1..length).fold(0, |top, index| if better(index, top) { index } else { top })
    }

    /// How the keys of two members compare; the one that is wanted is the greater.
    #[inline]
    fn compare_keys(&self, values: usize, one: usize, other: usize, key: &BestKey) -> Ordering {
        let (one, other) = (self.state.lists[values + one], self.state.lists[values + other]);
        let order = match key.list {
            true => compare_lists(self.state.list(one), self.state.list(other), key.short_is_high),
            false => one.cmp(&other),
        };
        if key.highest { order } else { order.reverse() }
    }

    // --- lists -----------------------------------------------------------------

    pub fn begin_list(&mut self) -> usize {
        self.state.lists.push(0);
        self.state.lists.len()
    }

    pub fn end_list(&mut self, at: usize) -> Value {
        let length = self.state.lists.len() - at;
        self.state.lists[at - 1] = length as Value;
        (at - 1) as Value
    }

    pub fn push_list(&mut self, members: &[Value]) -> Value {
        let at = self.begin_list();
        self.state.lists.extend_from_slice(members);
        self.end_list(at)
    }

    fn push_zone(&mut self, zone: Value) {
        let (board, lists) = (&self.state.board, &mut self.state.lists);
        lists.extend(board.pieces(zone).iter().map(|piece| Value::from(*piece)));
    }

    // --- single reads ----------------------------------------------------------

    #[inline]
    pub fn slot(&self, base: usize, slot: u16) -> Value {
        self.state.slots.get(base + slot as usize).copied().unwrap_or(NONE)
    }

    #[inline]
    pub fn set_slot(&mut self, base: usize, slot: u16, value: Value) {
        if let Some(place) = self.state.slots.get_mut(base + slot as usize) {
            *place = value;
        }
    }

    #[inline]
    pub fn field(&mut self, of: Value, field: u16) -> Value {
        match self.state.board.field(of, field) {
            Some(value) => value,
            None => self.nothing_there(),
        }
    }

    #[inline]
    fn zone_of(&mut self, of: Value, zone: u16) -> Value {
        match self.state.board.zone_of(of, zone) {
            Some(zone) => Value::from(zone),
            None => self.nothing_there(),
        }
    }

    #[inline]
    fn place_of(&self, piece: Value) -> Value {
        match self.state.board.entities.get(piece as usize) {
            Some(entity) if entity.place != NOWHERE => Value::from(entity.place),
            _ => NONE,
        }
    }

    #[inline]
    fn foe_of(&mut self, side: Value) -> Value {
        if side & !1 == 0 { 1 - side } else { self.nothing_there() }
    }

    fn is_move_of(&self, rules: Rules, of: Value, family: u16) -> bool {
        let action = usize::try_from(of).ok().and_then(|of| self.state.lists.get(of));
        let own = action.and_then(|action| rules.program.actions.get(*action as usize)).and_then(|action| action.family);
        own.is_some_and(|own| rules.program.is_family(own, family))
    }

    #[inline]
    fn move_field(&mut self, of: Value, index: u16) -> Value {
        match self.state.lists.get((of as usize).wrapping_add(2 + usize::from(index))) {
            Some(value) if of >= 0 => *value,
            _ => self.nothing_there(),
        }
    }

    #[inline]
    pub fn has_mark(&self, of: Value, mark: u16) -> bool {
        self.state.board.entities.get(of as usize).is_some_and(|entity| entity.marks >> mark & 1 == 1)
    }

    #[cold]
    fn nothing_there(&mut self) -> Value {
        self.fault("something is asked of nothing: a `none` has no fields, zones or foe")
    }
}

/// Sorts a handful in place; more are left to the library.
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

/// Lists compare from the left; one that ends first is the lower, or with `short_is_high` the higher.
fn compare_lists(a: &[Value], b: &[Value], short_is_high: bool) -> Ordering {
    let shared = a.len().min(b.len());
    a[..shared].cmp(&b[..shared]).then(if short_is_high { b.len().cmp(&a.len()) } else { a.len().cmp(&b.len()) })
}

fn divide(left: Value, right: Value, up: bool) -> Option<Value> {
    let (towards_zero, rest) = (left.checked_div(right)?, left.checked_rem(right)?);
    // Division drops the rest, which rounds up below zero and down above it.
    let below_zero = (rest < 0) != (right < 0);
    Some(match rest {
        0 => towards_zero,
        _ if up => towards_zero + Value::from(!below_zero),
        _ => towards_zero - Value::from(below_zero),
    })
}

impl Comparison {
    /// Whether an ordering satisfies the comparison.
    pub fn allows(self, order: Ordering) -> bool {
        self.holds(order as Value, 0)
    }
}
