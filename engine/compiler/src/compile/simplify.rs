//! Evaluates operations on lists at compile time, or without making the list.
//!
//! `count of (low..low + length - 1)` is `length`, the highest of `[rank, rank]` is `rank`, and the length of a field's list
//! is in its cell. This turns definitions with list parameters, such as `beats([card.rank])`, into plain comparisons, which
//! give the necessary conditions of a move, see [`super::needs`].
//!
//! Called by `fuse` for each expression, when all code is complete. `Expr::With` puts a value into a slot for the expression in it,
//! as an argument of a definition.

use ludex_program::{Comparison, Expr, Slot};

/// Simplifies an expression and all its subexpressions.
pub(super) fn simplify_expression(expr: &mut Expr) {
    substitute_lists(expr);
    expr.visit_parts_mut(&mut simplify_expression);
    if let Some(simpler) = simplify_once(expr) {
        *expr = simpler;
    }
}

/// Substitutes a list for its name in operations that do not need the list itself. Removes a name that is no longer read.
fn substitute_lists(expr: &mut Expr) {
    let Expr::With { slot, value, then } = expr else { return };
    let is_supposed = |part: &Expr| matches!(part, Expr::Supposing { .. });
    if !is_plain_list(value) || then.contains(&is_supposed) {
        return;
    }
    substitute_list(then, *slot, value);
    if !then.unbound_slots().contains(slot) {
        *expr = std::mem::replace(then, Expr::Table);
        substitute_lists(expr);
    }
}

/// Whether all operations on a list that [`substitute_list`] looks for can be evaluated without it, and its parts are cheap to
/// evaluate twice: a range, or equal members.
fn is_plain_list(list: &Expr) -> bool {
    match list {
        Expr::Range(first, last) => is_quick(first) && is_quick(last),
        Expr::ListOf(members) => members.first().is_some_and(is_quick) && are_equal(members),
        _ => false,
    }
}

/// Whether an expression is cheap and reads only state that stays constant during evaluation.
fn is_quick(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Local(_) | Expr::Table => true,
        Expr::Field { of, .. } | Expr::Printed { of, .. } => is_quick(of),
        Expr::Add(one, other) | Expr::Subtract(one, other) => is_quick(one) && is_quick(other),
        _ => false,
    }
}

fn are_equal(members: &[Expr]) -> bool {
    members.windows(2).all(|pair| pair[0] == pair[1])
}

/// Substitutes a list for its slot in operations that do not need the list itself.
fn substitute_list(expr: &mut Expr, slot: Slot, list: &Expr) {
    let is_it = |asked: &Expr| *asked == Expr::Local(slot);
    match expr {
        Expr::CountList(asked) | Expr::ExtremeOf { list: asked, .. } if is_it(asked) => **asked = list.clone(),
        Expr::Sorts { list: asked, pieces: false } if is_it(asked) => **asked = list.clone(),
        _ => expr.visit_parts_mut(&mut |part| substitute_list(part, slot, list)),
    }
}

/// A simpler expression for an operation on a list, if there is one. Its parts are simplified already.
fn simplify_once(expr: &Expr) -> Option<Expr> {
    match expr {
        Expr::CountList(list) => list_length(list),
        Expr::ExtremeOf { highest, list } => list_extreme(*highest, list),
        _ => None,
    }
}

/// An expression for the length of a list that does not make the list.
fn list_length(list: &Expr) -> Option<Expr> {
    match list {
        Expr::Range(first, last) => Some(clamp_to_zero(range_length(first, last)?)),
        Expr::ListOf(members) if members.iter().all(is_quick) => Some(Expr::Constant(i32::try_from(members.len()).ok()?)),
        // The field's cell holds the length.
        Expr::Held { of, field } => Some(Expr::Field { of: of.clone(), field: *field }),
        Expr::Sorts { list, pieces: false } => match list.as_ref() {
            Expr::Range(..) => list_length(list),
            Expr::ListOf(_) if is_plain_list(list) => Some(Expr::Constant(1)),
            _ => None,
        },
        _ => None,
    }
}

fn clamp_to_zero(count: Expr) -> Expr {
    match count {
        Expr::Constant(count) => Expr::Constant(count.max(0)),
        count => Expr::AtLeast(Box::new(count), Box::new(Expr::Constant(0))),
    }
}

/// An expression for the highest or lowest member, 0 for an empty list, that does not make the list.
fn list_extreme(highest: bool, list: &Expr) -> Option<Expr> {
    match list {
        Expr::Range(first, last) if is_plain_list(list) => {
            let end = if highest { last } else { first };
            let is_something = Expr::Compare(Comparison::LessEqual, first.clone(), last.clone());
            Some(Expr::If(Box::new(is_something), end.clone(), Box::new(Expr::Constant(0))))
        }
        Expr::ListOf(members) if is_plain_list(list) => members.first().cloned(),
        _ => None,
    }
}

/// The number of integers from `first` to `last`, if the terms of its ends cancel to at most one term and a constant. It is
/// negative or 0 for an empty range.
fn range_length(first: &Expr, last: &Expr) -> Option<Expr> {
    let mut sum = Sum { terms: Vec::new(), constant: 1 };
    sum.add_term(last, 1);
    sum.add_term(first, -1);
    sum.terms.retain(|(_, times)| *times != 0);
    let constant = Expr::Constant(i32::try_from(sum.constant).ok()?);
    match sum.terms.as_slice() {
        [] => Some(constant),
        [(term, 1)] if sum.constant == 0 => Some(term.clone()),
        [(term, 1)] => Some(Expr::Add(Box::new(term.clone()), Box::new(constant))),
        _ => None,
    }
}

/// A sum of terms with coefficients, and a constant.
struct Sum {
    terms: Vec<(Expr, i64)>,
    constant: i64,
}

impl Sum {
    /// Adds an expression `times` times, term by term.
    fn add_term(&mut self, expr: &Expr, times: i64) {
        match expr {
            Expr::Constant(number) => self.constant += i64::from(*number) * times,
            Expr::Add(one, other) => {
                self.add_term(one, times);
                self.add_term(other, times);
            }
            Expr::Subtract(one, other) => {
                self.add_term(one, times);
                self.add_term(other, -times);
            }
            other => match self.terms.iter_mut().find(|(term, _)| term == other) {
                Some((_, count)) => *count += times,
                None => self.terms.push((other.clone(), times)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_nothing_reads_any_longer_goes() {
        let (low, length) = (Box::new(Expr::Local(1)), Box::new(Expr::Local(2)));
        let last = Expr::Subtract(Box::new(Expr::Add(low.clone(), length.clone())), Box::new(Expr::Constant(1)));
        let list = Expr::Range(low, Box::new(last));
        let count = Expr::CountList(Box::new(Expr::Local(7)));
        let mut asked = Expr::With { slot: 7, value: Box::new(list), then: Box::new(count) };
        simplify_expression(&mut asked);
        assert_eq!(asked, Expr::AtLeast(length, Box::new(Expr::Constant(0))));
    }
}
