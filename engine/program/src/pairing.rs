//! Conditions on two things, tested in bulk over all candidates of the second. `compile/pairings.rs` of the compiler makes
//! them for actions with two roles of one thing each. The engine's search (`runtime/eval/search/pairing.rs`) fixes the first
//! thing and then tests a *column*, one value of each candidate for the second, at once.

use super::{Comparison, Expr, Slot};

/// The conditions of an action with two single-valued roles.
#[derive(Clone, Debug, PartialEq)]
pub enum Pairing {
    /// It does not read the second role, so its value is the same for all candidates of that.
    Known(Expr),
    /// The first thing itself, on the left, compared with an expression that reads neither role. It never fails.
    First(Comparison, Expr),
    /// A value of the second thing, compared with an expression that does not read it.
    Compared {
        /// The second thing, a field of it, its zone or a value printed on it.
        column: Expr,
        /// The comparison. The column is its left operand.
        comparison: Comparison,
        /// The expression it is compared with.
        with: Expr,
    },
    /// The inner condition does not hold.
    Not(Box<Pairing>),
    /// Both hold.
    And(Box<Pairing>, Box<Pairing>),
    /// At least one of them holds.
    Or(Box<Pairing>, Box<Pairing>),
}

impl Pairing {
    /// Converts a condition on two slots to a bulk test over the second. None if it reads the second slot in another way.
    /// `first` and `second` are the slots of the two roles.
    pub fn from_condition(condition: &Expr, first: Slot, second: Slot) -> Option<Pairing> {
        if !condition.unbound_slots().contains(&second) {
            return Some(Pairing::from_first_condition(condition, first));
        }
        let part = |part: &Expr| Some(Box::new(Pairing::from_condition(part, first, second)?));
        match condition {
            Expr::Not(inner) => Some(Pairing::Not(part(inner)?)),
            Expr::And(left, right) => Some(Pairing::And(part(left)?, part(right)?)),
            Expr::Or(left, right) => Some(Pairing::Or(part(left)?, part(right)?)),
            Expr::Compare(comparison, left, right) => {
                let (comparison, column, with) = match is_column(left, second) {
                    true => (*comparison, left, right),
                    false => (comparison.swap_operands(), right, left),
                };
                let is_so = is_column(column, second) && !with.unbound_slots().contains(&second);
                is_so.then(|| Pairing::Compared { column: Expr::clone(column), comparison, with: Expr::clone(with) })
            }
            _ => None,
        }
    }

    /// Converts a condition that does not read the second slot.
    fn from_first_condition(condition: &Expr, first: Slot) -> Pairing {
        if let Expr::Compare(comparison, left, right) = condition {
            let is_first = |expr: &Expr| matches!(expr, Expr::Local(slot) if *slot == first);
            let is_other =
                |expr: &Expr| matches!(expr, Expr::Constant(_) | Expr::Local(_) | Expr::TableField(_)) && !is_first(expr);
            match (left.as_ref(), right.as_ref()) {
                (left, with) if is_first(left) && is_other(with) => return Pairing::First(*comparison, with.clone()),
                (with, right) if is_first(right) && is_other(with) => {
                    return Pairing::First(comparison.swap_operands(), with.clone());
                }
                _ => {}
            }
        }
        Pairing::Known(condition.clone())
    }
}

/// Whether an expression is read directly from the thing in a slot.
fn is_column(expr: &Expr, of: Slot) -> bool {
    match expr {
        Expr::Local(slot) | Expr::LocalPlace(slot) | Expr::LocalField { slot, .. } => *slot == of,
        Expr::Printed { of: print, .. } => matches!(**print, Expr::LocalField { slot, .. } if slot == of),
        _ => false,
    }
}
