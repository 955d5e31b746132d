//! What a move needs whatever fills its roles, told before any candidate is looked at.
//!
//! `when top is nothing or (top is pair and rank > top_rank)` cannot hold for any card while `top` is a straight. So the part of
//! a condition that no role decides becomes a condition of its own: where it does not hold, the action has no move, and nothing
//! is gathered. In the same way what is read at once is asked before what looks through lists, and what lets all candidates pass
//! before any of them is looked at.

use ludex_program::{ActionInfo, Expr, Joining, SearchPlan, Settled, Slot};

/// Gives an action the needs of its conditions, where its moves are not counted by a kernel.
pub(super) fn tell_needs(action: &mut ActionInfo) {
    if action.fillings.is_some() {
        return;
    }
    let roles = action.roles.iter().enumerate();
    let filled: Vec<Slot> = roles.flat_map(|(index, role)| [action.context + index as Slot, role.filter_slot]).collect();
    let tests = action.roles.iter().filter(|role| role.after == 0).flat_map(|role| &role.tests);
    let joining = match &action.search {
        SearchPlan::Walk(conditions) => conditions.as_slice(),
        _ => &[],
    };
    let conditions = tests.chain(joining.iter().map(|condition| &condition.expr));
    let needs: Vec<Expr> = conditions.filter_map(|condition| need(condition, &filled)).collect();
    for need in needs {
        if !action.guard.contains(&need) {
            action.guard.push(need);
        }
    }
    if action.pairing.is_none() {
        tell_needs_of_roles(action, &filled);
    }
    for role in &mut action.roles {
        role.settled = role.tests.iter().map(|test| settled(test, &filled)).collect();
    }
    action.enough = enough_before_last(action);
    if let SearchPlan::Walk(conditions) = &mut action.search {
        *conditions = simplest_first(std::mem::take(conditions));
    }
}

/// What lets every candidate of the last role make a move, if that can be told before the role is filled. Of `dice > quantity or
/// (dice = quantity and shown > face)` that is, for `shown`, that `dice` is above `quantity`.
fn enough_before_last(action: &ActionInfo) -> Option<Expr> {
    let SearchPlan::Walk(conditions) = &action.search else { return None };
    let last = action.roles.len().checked_sub(1)?;
    let unknown = [action.context + last as Slot, action.roles[last].filter_slot];
    let conditions = conditions.iter().filter(|condition| condition.after > last);
    let enough: Option<Vec<Expr>> = conditions.map(|condition| enough(&condition.expr, &unknown)).collect();
    enough?.into_iter().reduce(|one, other| Expr::And(Box::new(one), Box::new(other)))
}

/// What makes a condition hold, as far as it is read at once and does not read any of some slots; none if nothing does.
fn enough(condition: &Expr, unknown: &[Slot]) -> Option<Expr> {
    match condition {
        Expr::And(left, right) => Some(Expr::And(Box::new(enough(left, unknown)?), Box::new(enough(right, unknown)?))),
        Expr::Or(left, right) => {
            // What stands first is always looked at, and may fail.
            let right = if is_read_at_once(left) { enough(right, unknown) } else { None };
            match (enough(left, unknown), right) {
                (Some(left), Some(right)) => Some(Expr::Or(Box::new(left), Box::new(right))),
                (one, other) => one.or(other),
            }
        }
        Expr::Remembered { value, .. } => enough(value, unknown),
        other => known_at_once(other, unknown),
    }
}

/// What a condition asks first, if that reads none of some slots and is enough for it to hold. It is asked first of whatever is
/// looked at first, so that it may fail.
fn settled(condition: &Expr, unknown: &[Slot]) -> Option<Settled> {
    match condition {
        Expr::Or(left, right) if reads_none(left, unknown) => Some(match settled(right, unknown) {
            Some(Settled { by, rest }) => Settled { by: Expr::Or(left.clone(), Box::new(by)), rest },
            None => Settled { by: left.as_ref().clone(), rest: right.as_ref().clone() },
        }),
        Expr::Or(left, right) => {
            let Settled { by, rest } = settled(left, unknown)?;
            Some(Settled { by, rest: Expr::Or(Box::new(rest), right.clone()) })
        }
        Expr::Remembered { value, .. } => settled(value, unknown),
        _ => None,
    }
}

/// Gives each role what a candidate must be, whatever fills the other roles. Of `cards > length or (cards = length and rank + 1 >
/// lowest)` that is, for `cards`, that it is not below `length`.
fn tell_needs_of_roles(action: &mut ActionInfo, filled: &[Slot]) {
    let SearchPlan::Walk(conditions) = &action.search else { return };
    for (index, role) in action.roles.iter_mut().enumerate() {
        let slot = action.context + index as Slot;
        if role.shape.is_list() || role.after > 0 || role.filter_slot != slot {
            continue;
        }
        let others: Vec<Slot> = filled.iter().copied().filter(|other| *other != slot).collect();
        let needs = conditions.iter().filter_map(|condition| need(&condition.expr, &others));
        let own: Vec<Expr> = needs.filter(|need| need.slots().contains(&slot)).collect();
        if !own.is_empty() {
            // Other actions take the same things without it.
            role.shared = None;
            role.tests.extend(own);
        }
    }
}

/// What must hold for a condition to hold, as far as it is read at once and does not read any of some slots; none if that is
/// nothing.
fn need(condition: &Expr, unknown: &[Slot]) -> Option<Expr> {
    match condition {
        Expr::And(left, right) => match (need(left, unknown), need(right, unknown)) {
            (Some(left), Some(right)) => Some(Expr::And(Box::new(left), Box::new(right))),
            (one, other) => one.or(other),
        },
        Expr::Or(left, right) => Some(Expr::Or(Box::new(need(left, unknown)?), Box::new(need(right, unknown)?))),
        // What is worked out for the inner part is not worked out here.
        Expr::With { slot, then, .. } => need(then, &[unknown, &[*slot]].concat()),
        Expr::Remembered { value, .. } => need(value, unknown),
        other => known_at_once(other, unknown),
    }
}

/// An expression that is read at once and does not read any of some slots.
fn known_at_once(expr: &Expr, unknown: &[Slot]) -> Option<Expr> {
    (is_read_at_once(expr) && reads_none(expr, unknown)).then(|| expr.clone())
}

fn reads_none(expr: &Expr, unknown: &[Slot]) -> bool {
    !expr.slots().iter().any(|slot| unknown.contains(slot))
}

/// Whether an expression only compares what is read at once, which never fails.
pub fn is_read_at_once(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Local(_) | Expr::TableField(_) => true,
        Expr::Compare(..) | Expr::Not(_) | Expr::And(..) | Expr::Or(..) | Expr::AtLeast(..) | Expr::AtMost(..) => {
            let mut all = true;
            expr.parts(&mut |part| all = all && is_read_at_once(part));
            all
        }
        _ => false,
    }
}

/// Puts what is read at once before what is not, among conditions that can be told as soon as the same roles are filled.
fn simplest_first(conditions: Vec<Joining>) -> Vec<Joining> {
    let mut first: Vec<Joining> = Vec::new();
    for condition in conditions.iter().filter(|condition| !is_read_at_once(&condition.expr)) {
        first.extend(need(&condition.expr, &[]).map(|expr| Joining { expr, after: condition.after }));
    }
    let (simple, rest): (Vec<Joining>, Vec<Joining>) =
        conditions.into_iter().partition(|condition| is_read_at_once(&condition.expr));
    simple.into_iter().chain(first).chain(rest).collect()
}
