//! Expressions that compare members of a list with each other.
//!
//! A *key* is a value by which members are compared, see [`BestKey`]. Each member is in `slot` while its key is evaluated.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::evaluate::lists::Members;
use ludex_program::{BestKey, Expr, NONE, Quantifier, Value};
use std::cmp::Ordering;

impl Eval {
    /// Whether a condition holds for any, for all or for no members.
    #[inline(never)]
    pub(super) fn test_quantifier(
        &mut self,
        context: &Context,
        base: usize,
        which: Quantifier,
        members: Members,
        slot: u16,
        condition: &Expr,
    ) -> bool {
        // One member decides: the first that passes, or for `all` the first that fails.
        match self.first_matching(context, base, members, slot, condition, which != Quantifier::All) {
            Some(found) => found.is_some() == (which == Quantifier::Any),
            // A fault: the value does not matter.
            None => which == Quantifier::Any,
        }
    }

    /// The only member for which the keys, compared in turn, are highest or lowest; none if several tie.
    #[inline(never)]
    pub(super) fn best_one(&mut self, context: &Context, base: usize, list: Value, slot: u16, keys: &[BestKey]) -> Value {
        let Some((first, rest)) = keys.split_first() else { return NONE };
        let length = self.state.list_values(list).len();
        if length == 0 {
            return NONE;
        }
        let values = self.key_values(context, base, list, slot, first);
        let top = self.best_index(values, length, first);
        let alone = (0..length).all(|index| index == top || self.compare_keys(values, index, top, first) != Ordering::Equal);
        if alone {
            return self.state.list_values(list).get(top).copied().unwrap_or(NONE);
        }
        if rest.is_empty() {
            return NONE;
        }
        let best = self.best_members(context, base, list, slot, keys);
        match self.state.list_values(best) {
            [only] => *only,
            _ => NONE,
        }
    }

    /// The list of members for which the keys, compared in turn, are highest or lowest.
    #[inline(never)]
    pub(super) fn best_members(&mut self, context: &Context, base: usize, list: Value, slot: u16, keys: &[BestKey]) -> Value {
        let mut best = list;
        for key in keys {
            let length = self.state.list_values(best).len();
            if length < 2 {
                break;
            }
            let values = self.key_values(context, base, best, slot, key);
            let top = self.best_index(values, length, key);
            if !self.may_go_on_working() {
                break;
            }
            let at = self.begin_list();
            for index in 0..length {
                if self.compare_keys(values, index, top, key) == Ordering::Equal {
                    let member = self.state.list_member(best, index);
                    self.state.lists.push(member);
                }
            }
            best = self.end_list(at);
        }
        best
    }

    /// Stores a key of each member consecutively in the arena, and returns the index of the first. Lists used as keys follow.
    fn key_values(&mut self, context: &Context, base: usize, list: Value, slot: u16, key: &BestKey) -> usize {
        let length = self.state.list_values(list).len();
        let values = self.state.lists.len();
        self.state.lists.resize(values + length, 0);
        if !self.spend_on(2 * length) {
            return values;
        }
        for index in 0..length {
            let member = self.state.list_member(list, index);
            self.set_slot(base, slot, member);
            let lists = self.state.lists.len();
            let value = self.evaluate(context, base, &key.value);
            if !key.list {
                self.state.lists.truncate(lists);
            }
            if let Some(place) = self.state.lists.get_mut(values + index) {
                *place = value;
            }
        }
        self.check_list_sizes();
        values
    }

    /// The first member whose key is not exceeded by any other. `values` is the index of the first key in the arena.
    fn best_index(&self, values: usize, length: usize, key: &BestKey) -> usize {
        let better = |index: usize, top: usize| self.compare_keys(values, index, top, key) == Ordering::Greater;
        (1..length).fold(0, |top, index| if better(index, top) { index } else { top })
    }

    /// Compares the keys of two members. The preferred key counts as greater.
    #[inline]
    fn compare_keys(&self, values: usize, one: usize, other: usize, key: &BestKey) -> Ordering {
        let key_of = |place: usize| self.state.lists.get(values + place).copied().unwrap_or(NONE);
        let (one, other) = (key_of(one), key_of(other));
        let order = match key.list {
            true => compare_lists(self.state.list_values(one), self.state.list_values(other), key.short_is_high),
            false => one.cmp(&other),
        };
        if key.highest { order } else { order.reverse() }
    }
}

/// Compares lists from the left. A list that ends first is lower, or higher with `short_is_high`.
fn compare_lists(a: &[Value], b: &[Value], short_is_high: bool) -> Ordering {
    let shared = a.len().min(b.len());
    a[..shared].cmp(&b[..shared]).then(if short_is_high { b.len().cmp(&a.len()) } else { a.len().cmp(&b.len()) })
}
