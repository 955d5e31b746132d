//! Finds actions of two things whose conditions only compare what stands with the second of them.
//!
//! Of `when dice > quantity or (dice = quantity and shown > face)` the first part does not speak of `shown`: where it holds, all
//! numbers go with `dice`, and where it does not, `shown` is only compared with a number that is the same for all.

use super::needs::is_read_at_once;
use ludex_program::{ActionInfo, Expr, Pairing, RoleAmount, SearchPlan};

/// Gives an action whose combinations are looked at its conditions as a pairing, if they are one.
pub(super) fn find_pairing(action: &mut ActionInfo) {
    let SearchPlan::Walk(conditions) = &action.search else { return };
    let is_one = |amount: &RoleAmount| matches!(amount, RoleAmount::One);
    if action.roles.len() == 2 && action.roles.iter().all(|role| is_one(&role.amount) && role.after == 0) {
        let (first, second) = (action.context, action.context + 1);
        // What takes longest is asked last.
        let (simple, others): (Vec<Expr>, Vec<Expr>) =
            conditions.iter().map(|condition| condition.expr.clone()).partition(is_read_at_once);
        let condition = simple.into_iter().chain(others).reduce(|one, other| Expr::And(Box::new(one), Box::new(other)));
        action.pairing = condition.and_then(|condition| Pairing::of(&condition, first, second)).map(Box::new);
    }
}
