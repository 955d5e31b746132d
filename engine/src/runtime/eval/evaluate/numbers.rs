//! Expressions with numbers and flags as values.
//!
//! A flag is 0 or 1. A result out of range is a fault; so is the lowest number, which is the value of `none`.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::limits::PAIRS_PER_WORK;
use crate::runtime::state::NOWHERE;
use ludex_program::{Comparison, Expr, NONE, Value};
use ludex_syntax::codes;
use std::cmp::Ordering;

impl Eval {
    #[inline(never)]
    pub(super) fn evaluate_not(&mut self, context: &Context, base: usize, inner: &Expr) -> Value {
        Value::from(!self.evaluate_condition(context, base, inner))
    }

    #[inline(never)]
    pub(super) fn evaluate_and(&mut self, context: &Context, base: usize, left: &Expr, right: &Expr) -> Value {
        Value::from(self.evaluate_condition(context, base, left) && self.evaluate_condition(context, base, right))
    }

    #[inline(never)]
    pub(super) fn evaluate_or(&mut self, context: &Context, base: usize, left: &Expr, right: &Expr) -> Value {
        Value::from(self.evaluate_condition(context, base, left) || self.evaluate_condition(context, base, right))
    }

    #[inline(never)]
    pub(super) fn evaluate_compare(
        &mut self,
        context: &Context,
        base: usize,
        comparison: Comparison,
        left: &Expr,
        right: &Expr,
    ) -> Value {
        let left = self.evaluate(context, base, left);
        let right = self.evaluate(context, base, right);
        Value::from(comparison.holds_for(left, right))
    }

    /// Whether two lists of numbers compare in this way, member by member from the first.
    #[inline(never)]
    pub(super) fn compare_two_lists(
        &mut self,
        context: &Context,
        base: usize,
        comparison: Comparison,
        left: &Expr,
        right: &Expr,
    ) -> Value {
        let left = self.evaluate(context, base, left);
        let right = self.evaluate(context, base, right);
        self.meter.add_work(self.state.list_values(left).len() as u64 / PAIRS_PER_WORK);
        let order = self.state.list_values(left).cmp(self.state.list_values(right));
        Value::from(comparison.holds_for(order as Value, Ordering::Equal as Value))
    }

    #[inline(never)]
    pub(super) fn evaluate_if(&mut self, context: &Context, base: usize, condition: &Expr, yes: &Expr, no: &Expr) -> Value {
        let branch = if self.evaluate_condition(context, base, condition) { yes } else { no };
        self.evaluate_inline(context, base, branch)
    }

    /// Number of pieces in a zone.
    #[inline(never)]
    pub(super) fn count_zone(&mut self, context: &Context, base: usize, zone: &Expr) -> Value {
        let zone = self.evaluate_inline(context, base, zone);
        self.state.board.count_pieces(zone) as Value
    }

    /// The sum of a field of the pieces in a zone.
    #[inline(never)]
    pub(super) fn sum_zone(&mut self, context: &Context, base: usize, zone: &Expr, field: u16) -> Value {
        let zone = self.evaluate_inline(context, base, zone);
        self.meter.add_work(self.state.board.count_pieces(zone) as u64);
        let board = &self.state.board;
        let fields = board.unordered_pieces(zone).iter().filter_map(|piece| board.field(Value::from(*piece), field));
        let sum = fields.map(i64::from).sum();
        self.checked_sum(sum)
    }

    /// Whether a piece is in a zone; false if either is none.
    #[inline(never)]
    pub(super) fn in_zone(&mut self, context: &Context, base: usize, item: &Expr, zone: &Expr) -> Value {
        let item = self.evaluate(context, base, item);
        let zone = self.evaluate(context, base, zone);
        let place = self.state.board.entities.get(item as usize).map_or(NOWHERE, |entity| entity.place);
        Value::from(place != NOWHERE && Value::from(place) == zone)
    }

    #[inline(never)]
    pub(super) fn evaluate_add(&mut self, context: &Context, base: usize, left: &Expr, right: &Expr) -> Value {
        let (left, right) = (self.evaluate(context, base, left), self.evaluate(context, base, right));
        self.checked_number(left.checked_add(right))
    }

    #[inline(never)]
    pub(super) fn evaluate_subtract(&mut self, context: &Context, base: usize, left: &Expr, right: &Expr) -> Value {
        let (left, right) = (self.evaluate(context, base, left), self.evaluate(context, base, right));
        self.checked_number(left.checked_sub(right))
    }

    #[inline(never)]
    pub(super) fn evaluate_multiply(&mut self, context: &Context, base: usize, left: &Expr, right: &Expr) -> Value {
        let (left, right) = (self.evaluate(context, base, left), self.evaluate(context, base, right));
        self.checked_number(left.checked_mul(right))
    }

    #[inline(never)]
    pub(super) fn evaluate_divide(&mut self, context: &Context, base: usize, left: &Expr, right: &Expr, up: bool) -> Value {
        let (left, right) = (self.evaluate(context, base, left), self.evaluate(context, base, right));
        if right == 0 {
            return self.raise_as(codes::DIVISION_BY_ZERO, "a number is divided by zero");
        }
        self.checked_number(divide_rounded(left, right, up))
    }

    /// The higher of two numbers: `x but at least y`.
    #[inline(never)]
    pub(super) fn evaluate_at_least(&mut self, context: &Context, base: usize, left: &Expr, right: &Expr) -> Value {
        self.evaluate(context, base, left).max(self.evaluate(context, base, right))
    }

    /// The lower of two numbers: `x but at most y`.
    #[inline(never)]
    pub(super) fn at_most(&mut self, context: &Context, base: usize, left: &Expr, right: &Expr) -> Value {
        self.evaluate(context, base, left).min(self.evaluate(context, base, right))
    }

    #[inline(never)]
    pub(super) fn is_odd(&mut self, context: &Context, base: usize, number: &Expr) -> Value {
        self.evaluate(context, base, number) & 1
    }

    /// The result of a calculation, if it is in range.
    #[inline(always)]
    fn checked_number(&mut self, result: Option<Value>) -> Value {
        match result {
            Some(value) if value != NONE => value,
            _ => self.raise_overflow(),
        }
    }

    #[cold]
    #[inline(never)]
    fn raise_overflow(&mut self) -> Value {
        self.raise_as(codes::NUMBER_OVERFLOW, "a number goes beyond 2,147,483,647")
    }

    /// A sum, if it is in range.
    #[inline]
    pub(super) fn checked_sum(&mut self, sum: i64) -> Value {
        self.checked_number(Value::try_from(sum).ok())
    }
}

/// A quotient rounded down, or up; `None` on an overflow.
fn divide_rounded(left: Value, right: Value, up: bool) -> Option<Value> {
    let (towards_zero, rest) = (left.checked_div(right)?, left.checked_rem(right)?);
    // Division drops the remainder, which rounds up below zero and down above it.
    let below_zero = (rest < 0) != (right < 0);
    Some(match rest {
        0 => towards_zero,
        _ if up => towards_zero + Value::from(!below_zero),
        _ => towards_zero - Value::from(below_zero),
    })
}
