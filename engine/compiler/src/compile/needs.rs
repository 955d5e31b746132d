//! Computes the necessary conditions of a move, which are tested before its candidates.
//!
//! `when top is nothing or (top is pair and rank > top_rank)` fails for every card while `top` is a straight. So the part of
//! a condition that reads no role becomes a condition of its own: if it fails, the action has no move and no candidates are
//! gathered. Similarly, simple reads are tested before searches through lists, and conditions that let all candidates pass
//! before any single candidate.
//!
//! Roles are the parts of a move that are chosen from candidates; each has a slot. In this file, `unknown` are the slots that are
//! not filled yet when a condition is to be tested. A condition is necessary if a move can only be legal when it holds, and
//! sufficient if all moves are legal then. Called by `fuse`, at the end.

use ludex_program::{ActionInfo, Expr, JoiningCondition, SearchPlan, Slot, SplitTest};

/// Adds the necessary conditions to an action, unless a kernel counts its moves.
pub(super) fn add_needs(action: &mut ActionInfo) {
    if action.fillings.is_some() {
        return;
    }
    let roles = action.roles.iter().enumerate();
    // The slots that are filled only while roles are searched.
    let filled: Vec<Slot> = roles.flat_map(|(index, role)| [action.context + index as Slot, role.filter_slot]).collect();
    let tests = action.roles.iter().filter(|role| role.after == 0).flat_map(|role| &role.tests);
    let joining = match &action.search {
        SearchPlan::Walk(conditions) => conditions.as_slice(),
        _ => &[],
    };
    let conditions = tests.chain(joining.iter().map(|condition| &condition.expr));
    let needs: Vec<Expr> = conditions.filter_map(|condition| necessary_condition(condition, &filled)).collect();
    for need in needs {
        if !action.guard.contains(&need) {
            action.guard.push(need);
        }
    }
    if action.pairing.is_none() {
        add_role_needs(action, &filled);
    }
    for role in &mut action.roles {
        role.settled = role.tests.iter().map(|test| settled_part(test, &filled)).collect();
    }
    action.enough = enough_before_last(action);
    if let SearchPlan::Walk(conditions) = &mut action.search {
        *conditions = simplest_first(std::mem::take(conditions));
    }
}

/// A condition under which every candidate of the last role makes a move, if it can be tested before that role is filled. For
/// `dice > quantity or (dice = quantity and shown > face)` with the last role `shown`, it is `dice > quantity`.
fn enough_before_last(action: &ActionInfo) -> Option<Expr> {
    let SearchPlan::Walk(conditions) = &action.search else { return None };
    let last = action.roles.len().checked_sub(1)?;
    let unknown = [action.context + last as Slot, action.roles[last].filter_slot];
    let conditions = conditions.iter().filter(|condition| condition.after > last);
    let enough: Option<Vec<Expr>> = conditions.map(|condition| sufficient_condition(&condition.expr, &unknown)).collect();
    enough?.into_iter().reduce(|one, other| Expr::And(Box::new(one), Box::new(other)))
}

/// A sufficient condition that is a simple read and does not read the given slots; none if there is none.
fn sufficient_condition(condition: &Expr, unknown: &[Slot]) -> Option<Expr> {
    match condition {
        Expr::And(left, right) => {
            Some(Expr::And(Box::new(sufficient_condition(left, unknown)?), Box::new(sufficient_condition(right, unknown)?)))
        }
        Expr::Or(left, right) => {
            // The first operand is always evaluated, and may fail.
            let right = if is_simple_read(left) { sufficient_condition(right, unknown) } else { None };
            match (sufficient_condition(left, unknown), right) {
                (Some(left), Some(right)) => Some(Expr::Or(Box::new(left), Box::new(right))),
                (one, other) => one.or(other),
            }
        }
        Expr::Remembered { value, .. } => sufficient_condition(value, unknown),
        other => simple_read(other, unknown),
    }
}

/// The leading part of a condition that does not read the given slots and is sufficient for it. It is evaluated first for the
/// first candidate, so it may fail.
fn settled_part(condition: &Expr, unknown: &[Slot]) -> Option<SplitTest> {
    match condition {
        Expr::Or(left, right) if reads_none(left, unknown) => Some(match settled_part(right, unknown) {
            Some(SplitTest { by, rest }) => SplitTest { by: Expr::Or(left.clone(), Box::new(by)), rest },
            None => SplitTest { by: left.as_ref().clone(), rest: right.as_ref().clone() },
        }),
        Expr::Or(left, right) => {
            let SplitTest { by, rest } = settled_part(left, unknown)?;
            Some(SplitTest { by, rest: Expr::Or(Box::new(rest), right.clone()) })
        }
        Expr::Remembered { value, .. } => settled_part(value, unknown),
        _ => None,
    }
}

/// Adds to each role a necessary condition on its candidates that reads no other role. For `cards > length or (cards = length
/// and rank + 1 > lowest)` and the role `cards`, it is that `cards` is not below `length`.
fn add_role_needs(action: &mut ActionInfo, filled: &[Slot]) {
    let SearchPlan::Walk(conditions) = &action.search else { return };
    for (index, role) in action.roles.iter_mut().enumerate() {
        let slot = action.context + index as Slot;
        if role.shape.is_list() || role.after > 0 || role.filter_slot != slot {
            continue;
        }
        let others: Vec<Slot> = filled.iter().copied().filter(|other| *other != slot).collect();
        let needs = conditions.iter().filter_map(|condition| necessary_condition(&condition.expr, &others));
        let own: Vec<Expr> = needs.filter(|need| need.unbound_slots().contains(&slot)).collect();
        if !own.is_empty() {
            // Other actions share its candidates without this condition.
            role.shared = None;
            role.tests.extend(own);
        }
    }
}

/// A necessary condition that is a simple read and does not read the given slots; none if there is none.
fn necessary_condition(condition: &Expr, unknown: &[Slot]) -> Option<Expr> {
    match condition {
        Expr::And(left, right) => match (necessary_condition(left, unknown), necessary_condition(right, unknown)) {
            (Some(left), Some(right)) => Some(Expr::And(Box::new(left), Box::new(right))),
            (one, other) => one.or(other),
        },
        Expr::Or(left, right) => {
            Some(Expr::Or(Box::new(necessary_condition(left, unknown)?), Box::new(necessary_condition(right, unknown)?)))
        }
        // The slot is only filled inside.
        Expr::With { slot, then, .. } => necessary_condition(then, &[unknown, &[*slot]].concat()),
        Expr::Remembered { value, .. } => necessary_condition(value, unknown),
        other => simple_read(other, unknown),
    }
}

/// The expression itself, if it is a simple read and does not read the given slots.
fn simple_read(expr: &Expr, unknown: &[Slot]) -> Option<Expr> {
    (is_simple_read(expr) && reads_none(expr, unknown)).then(|| expr.clone())
}

/// Whether an expression reads none of the given slots.
fn reads_none(expr: &Expr, unknown: &[Slot]) -> bool {
    !expr.unbound_slots().iter().any(|slot| unknown.contains(slot))
}

/// Whether an expression is a simple read: it only compares values that are at hand, and never fails.
pub fn is_simple_read(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Local(_) | Expr::TableField(_) => true,
        Expr::Compare(..) | Expr::Not(_) | Expr::And(..) | Expr::Or(..) | Expr::AtLeast(..) | Expr::AtMost(..) => {
            let mut all = true;
            expr.visit_parts(&mut |part| all = all && is_simple_read(part));
            all
        }
        _ => false,
    }
}

/// Moves simple reads before other conditions, and adds those that are necessary for the others. A condition is still tested as
/// soon as its roles are filled, so only the order among equals matters.
fn simplest_first(conditions: Vec<JoiningCondition>) -> Vec<JoiningCondition> {
    let mut first: Vec<JoiningCondition> = Vec::new();
    for condition in conditions.iter().filter(|condition| !is_simple_read(&condition.expr)) {
        first.extend(necessary_condition(&condition.expr, &[]).map(|expr| JoiningCondition { expr, after: condition.after }));
    }
    let (simple, rest): (Vec<JoiningCondition>, Vec<JoiningCondition>) =
        conditions.into_iter().partition(|condition| is_simple_read(&condition.expr));
    simple.into_iter().chain(first).chain(rest).collect()
}
