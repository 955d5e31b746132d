//! Expressions of one frame, translated to the slots of another.
//!
//! Conditions of abilities and actions are translated before play, so that the frame that asks can evaluate them without slots of
//! their own.

use ludex_program::operands::Operand;
use ludex_program::{Expr, Slot};

/// The expression with each slot replaced by the result of `value_of`, in slots of the other frame; `None` if it is not simple
/// enough, or if a slot has no result.
pub fn substitute_slots(expr: &Expr, value_of: &dyn Fn(Slot) -> Option<Expr>) -> Option<Expr> {
    match expr {
        Expr::Local(slot) => value_of(*slot),
        Expr::LocalField { slot, field } => Some(match value_of(*slot)? {
            Expr::Local(slot) => Expr::LocalField { slot, field: *field },
            of => Expr::Field { of: Box::new(of), field: *field },
        }),
        Expr::LocalFoe(slot) => Some(match value_of(*slot)? {
            Expr::Local(slot) => Expr::LocalFoe(slot),
            side => Expr::Foe(Box::new(side)),
        }),
        _ if is_simple(expr) => with_operands(expr.clone(), value_of),
        _ => None,
    }
}

/// The same for the operands of a form. A slot that the form itself reads can only be replaced by another slot.
fn with_operands(mut expr: Expr, value_of: &dyn Fn(Slot) -> Option<Expr>) -> Option<Expr> {
    let mut found = true;
    expr.visit_operands_mut(&mut |operand| match operand {
        Operand::Part(part) => match substitute_slots(part, value_of) {
            Some(value) => *part = value,
            None => found = false,
        },
        Operand::Reads(slot) => match value_of(*slot) {
            Some(Expr::Local(own)) => *slot = own,
            _ => found = false,
        },
        _ => found = false,
    });
    found.then_some(expr)
}

/// Whether evaluating a form in another frame is cheap and has no side effects: it makes no list, and fills no slot.
fn is_simple(expr: &Expr) -> bool {
    let is_read = matches!(
        expr,
        Expr::Constant(_)
            | Expr::Table
            | Expr::TableField(_)
            | Expr::LocalZone { .. }
            | Expr::LentZone { .. }
            | Expr::LocalMoveField { .. }
            | Expr::Field { .. }
            | Expr::Zone { .. }
            | Expr::HasMark { .. }
            | Expr::Foe(_)
            | Expr::Fold { .. }
    );
    is_read || matches!(expr, Expr::Not(_) | Expr::And(..) | Expr::Or(..) | Expr::Compare(..))
}
