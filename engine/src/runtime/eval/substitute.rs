//! Expressions of one frame, told in the slots of another.

use crate::program::{Expr, Slot};

/// What an expression comes to where its slots hold what `value_of` tells; none if it is not as simple as that.
pub fn substitute(expr: &Expr, value_of: &dyn Fn(Slot) -> Option<Expr>) -> Option<Expr> {
    let slot_of = |slot: &Slot| match value_of(*slot)? {
        Expr::Local(slot) => Some(slot),
        _ => None,
    };
    let part = |expr: &Expr| substitute(expr, value_of).map(Box::new);
    Some(match expr {
        Expr::Constant(_) | Expr::Table | Expr::TableField(_) => expr.clone(),
        Expr::Local(slot) => value_of(*slot)?,
        Expr::LocalField { slot, field } => match value_of(*slot)? {
            Expr::Local(slot) => Expr::LocalField { slot, field: *field },
            of => Expr::Field { of: Box::new(of), field: *field },
        },
        Expr::LocalFoe(slot) => Expr::LocalFoe(slot_of(slot)?),
        Expr::LocalZone { slot, zone } => Expr::LocalZone { slot: slot_of(slot)?, zone: *zone },
        Expr::LentZone { slot, foe, field, zone } => {
            Expr::LentZone { slot: slot_of(slot)?, foe: *foe, field: *field, zone: *zone }
        }
        Expr::LocalMoveField { slot, index } => Expr::LocalMoveField { slot: slot_of(slot)?, index: *index },
        Expr::Field { of, field } => Expr::Field { of: part(of)?, field: *field },
        Expr::Zone { of, zone } => Expr::Zone { of: part(of)?, zone: *zone },
        Expr::HasMark { of, mark } => Expr::HasMark { of: part(of)?, mark: *mark },
        Expr::Foe(side) => Expr::Foe(part(side)?),
        Expr::Not(inner) => Expr::Not(part(inner)?),
        Expr::And(left, right) => Expr::And(part(left)?, part(right)?),
        Expr::Or(left, right) => Expr::Or(part(left)?, part(right)?),
        Expr::Compare(comparison, left, right) => Expr::Compare(*comparison, part(left)?, part(right)?),
        Expr::Fold { hook, arguments } => {
            let arguments = arguments.iter().map(|argument| substitute(argument, value_of));
            Expr::Fold { hook: *hook, arguments: arguments.collect::<Option<_>>()? }
        }
        _ => return None,
    })
}
