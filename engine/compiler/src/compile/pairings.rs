//! Finds actions with two roles whose conditions only compare values of the second.
//!
//! In `when dice > quantity or (dice = quantity and shown > face)`, the first part does not read `shown`: if it holds, all
//! numbers go with `dice`. Otherwise `shown` is only compared with a number that is the same for all.
//!
//! A pairing lets the search test all candidates of the second role at once, for each candidate of the first. Called by `fuse`,
//! when all code is complete.

use super::needs::is_simple_read;
use ludex_program::{ActionInfo, Expr, Pairing, RoleAmount, SearchPlan};

/// Sets the pairing of an action that is searched by walking, if its conditions have this form.
pub(super) fn find_pairing(action: &mut ActionInfo) {
    let SearchPlan::Walk(conditions) = &action.search else { return };
    let is_one = |amount: &RoleAmount| matches!(amount, RoleAmount::One);
    if action.roles.len() == 2 && action.roles.iter().all(|role| is_one(&role.amount) && role.after == 0) {
        let (first, second) = (action.context, action.context + 1);
        // The most expensive conditions come last.
        let (simple, others): (Vec<Expr>, Vec<Expr>) =
            conditions.iter().map(|condition| condition.expr.clone()).partition(is_simple_read);
        let condition = simple.into_iter().chain(others).reduce(|one, other| Expr::And(Box::new(one), Box::new(other)));
        action.pairing = condition.and_then(|condition| Pairing::from_condition(&condition, first, second)).map(Box::new);
    }
}
