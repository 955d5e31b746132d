//! Conditions on two things, told for all that may be the second of them at once.

use super::{Comparison, Expr, Slot};

/// The conditions of an action of two roles, each of one thing.
#[derive(Clone, Debug, PartialEq)]
pub enum Pairing {
    /// It does not read the second role: what it comes to is the same for all that may fill that.
    Known(Expr),
    /// The first thing itself, on the left, compared with something that reads neither role. It never fails.
    First(Comparison, Expr),
    /// What stands with the second thing, compared with something that does not read it.
    Compared {
        /// Itself, a field, its place or what is printed on it.
        column: Expr,
        /// How the column, on the left, and the other compare.
        comparison: Comparison,
        /// What it is compared with.
        with: Expr,
    },
    /// The inner one does not hold.
    Not(Box<Pairing>),
    /// Both hold.
    And(Box<Pairing>, Box<Pairing>),
    /// One of them holds, or both.
    Or(Box<Pairing>, Box<Pairing>),
}

impl Pairing {
    /// A condition on what stands in two slots, told for all that may stand in the second; none if it reads that in another way.
    pub fn of(condition: &Expr, first: Slot, second: Slot) -> Option<Pairing> {
        if !condition.slots().contains(&second) {
            return Some(Pairing::of_first(condition, first));
        }
        let part = |part: &Expr| Some(Box::new(Pairing::of(part, first, second)?));
        match condition {
            Expr::Not(inner) => Some(Pairing::Not(part(inner)?)),
            Expr::And(left, right) => Some(Pairing::And(part(left)?, part(right)?)),
            Expr::Or(left, right) => Some(Pairing::Or(part(left)?, part(right)?)),
            Expr::Compare(comparison, left, right) => {
                let (comparison, column, with) = match is_column(left, second) {
                    true => (*comparison, left, right),
                    false => (comparison.flipped(), right, left),
                };
                let is_so = is_column(column, second) && !with.slots().contains(&second);
                is_so.then(|| Pairing::Compared { column: Expr::clone(column), comparison, with: Expr::clone(with) })
            }
            _ => None,
        }
    }

    /// A condition that does not read the second slot.
    fn of_first(condition: &Expr, first: Slot) -> Pairing {
        if let Expr::Compare(comparison, left, right) = condition {
            let is_first = |expr: &Expr| matches!(expr, Expr::Local(slot) if *slot == first);
            let is_other =
                |expr: &Expr| matches!(expr, Expr::Constant(_) | Expr::Local(_) | Expr::TableField(_)) && !is_first(expr);
            match (left.as_ref(), right.as_ref()) {
                (left, with) if is_first(left) && is_other(with) => return Pairing::First(*comparison, with.clone()),
                (with, right) if is_first(right) && is_other(with) => return Pairing::First(comparison.flipped(), with.clone()),
                _ => {}
            }
        }
        Pairing::Known(condition.clone())
    }
}

/// Whether an expression is read off what stands in a slot.
fn is_column(expr: &Expr, of: Slot) -> bool {
    match expr {
        Expr::Local(slot) | Expr::LocalPlace(slot) | Expr::LocalField { slot, .. } => *slot == of,
        Expr::Printed { of: print, .. } => matches!(**print, Expr::LocalField { slot, .. } if slot == of),
        _ => false,
    }
}
