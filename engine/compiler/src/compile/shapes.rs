//! Matches lowered expressions against the forms that searches support.
//!
//! A role is a part of a move that is chosen from candidates. The search of `runtime/search` has fast ways to find moves if the
//! condition that joins the roles has one of these forms; otherwise it walks through all combinations. A key is the number that
//! such a search reads from a candidate. Called by `actions`.

use ludex_program::operands::Operand;
use ludex_program::{Comparison, Expr, JoiningCondition, Key, SearchPlan, Slot};

/// Appends the operands of nested `and`s, from left to right. Any other expression is appended itself.
pub fn split_conjuncts(expr: Expr, into: &mut Vec<Expr>) {
    match expr {
        Expr::And(left, right) => {
            split_conjuncts(*left, into);
            split_conjuncts(*right, into);
        }
        other => into.push(other),
    }
}

/// A role as the search sees it: its slot, whether it is a list, and whether it may be left empty.
pub struct RoleSlot {
    pub slot: Slot,
    pub list: bool,
    pub optional: bool,
}

/// Chooses the search for conditions that join roles. A fast one needs all roles to take part in the condition, or no condition.
/// `dependent`: the candidates of a role depend on other roles.
pub fn choose_search(conditions: &[Expr], roles: &[RoleSlot], dependent: bool) -> SearchPlan {
    let walk = || {
        let joining = |expr: &Expr| JoiningCondition {
            expr: expr.clone(),
            after: count_roles_before(expr, roles.iter().map(|role| role.slot)),
        };
        SearchPlan::Walk(conditions.iter().map(joining).collect())
    };
    if dependent {
        return walk();
    }
    let found = match conditions {
        [] => Some(SearchPlan::Product),
        [one] => compare_plan(one, roles).or_else(|| sum_plan(one, roles)),
        _ => None,
    };
    found.unwrap_or_else(walk)
}

/// Number of leading roles that must be filled before an expression can be evaluated. Roles are given by their slots.
pub fn count_roles_before(expr: &Expr, roles: impl Iterator<Item = Slot>) -> usize {
    let read = expr.unbound_slots();
    roles.enumerate().filter(|(_, slot)| read.contains(slot)).map(|(index, _)| index + 1).max().unwrap_or(0)
}

/// The index of the role with a slot.
fn role_at_slot(slot: Slot, roles: &[RoleSlot]) -> Option<usize> {
    roles.iter().position(|role| role.slot == slot)
}

/// The role and the key that an expression reads, if it is a single-valued role that is always filled, or a field of one.
fn single_key(expr: &Expr, roles: &[RoleSlot]) -> Option<(usize, Key)> {
    let (slot, key) = match expr {
        Expr::Local(slot) => (*slot, Key::Itself),
        Expr::Field { of, field } => match of.as_ref() {
            Expr::Local(slot) => (*slot, Key::Field(*field)),
            _ => return None,
        },
        _ => return None,
    };
    let role = role_at_slot(slot, roles)?;
    (!roles[role].list && !roles[role].optional).then_some((role, key))
}

/// Matches `die.value >= target.value` and `die is not target`, with two roles.
fn compare_plan(condition: &Expr, roles: &[RoleSlot]) -> Option<SearchPlan> {
    let (operator, left, right) = match condition {
        Expr::Compare(operator, left, right) => (*operator, left, right),
        Expr::Not(inner) => match inner.as_ref() {
            Expr::Compare(operator, left, right) => (operator.negate(), left, right),
            _ => return None,
        },
        _ => return None,
    };
    let (left, left_key) = single_key(left, roles)?;
    let (right, right_key) = single_key(right, roles)?;
    (left != right && roles.len() == 2).then_some(SearchPlan::Compare { left, right, left_key, right_key, operator })
}

/// Matches `sum of dice.value = target.value`, optionally with `+ helper.size`. The helper is the joker.
fn sum_plan(condition: &Expr, roles: &[RoleSlot]) -> Option<SearchPlan> {
    let Expr::Compare(Comparison::Equal, left, right) = condition else { return None };
    let (sum, key) = if single_key(right, roles).is_some() { (left, right) } else { (right, left) };
    let (target, target_key) = single_key(key, roles)?;
    let (set, set_key, joker) = match sum.as_ref() {
        Expr::Add(a, b) => match (set_sum(a, roles), single_key(b, roles)) {
            (Some((set, key)), Some(joker)) => (set, key, Some(joker)),
            _ => {
                let (set, key) = set_sum(b, roles)?;
                (set, key, Some(single_key(a, roles)?))
            }
        },
        other => {
            let (set, key) = set_sum(other, roles)?;
            (set, key, None)
        }
    };
    let taking_part = 2 + usize::from(joker.is_some());
    let distinct = joker.is_none_or(|(joker, _)| joker != target);
    // Moves are ordered by roles, and the search yields set, joker, target.
    let in_order = joker.map_or(set < target, |(joker, _)| set < joker && joker < target);
    (roles.len() == taking_part && distinct && in_order).then_some(SearchPlan::SumEqual {
        set,
        set_key,
        joker,
        target,
        target_key,
    })
}

/// The multi-valued role and the key, if an expression is the sum over that role.
fn set_sum(expr: &Expr, roles: &[RoleSlot]) -> Option<(usize, Key)> {
    let Expr::SumList(list) = expr else { return None };
    let (list, key) = match list.as_ref() {
        Expr::Map { list, slot, value } => match value.as_ref() {
            Expr::Field { of, field } if matches!(of.as_ref(), Expr::Local(s) if s == slot) => {
                (list.as_ref(), Key::Field(*field))
            }
            _ => return None,
        },
        other => (other, Key::Itself),
    };
    let Expr::Local(slot) = list else { return None };
    let role = role_at_slot(*slot, roles)?;
    roles[role].list.then_some((role, key))
}

/// Replaces the reads of one slot by reads of another.
pub fn rename_slot(expr: &mut Expr, from: Slot, to: Slot) {
    expr.visit_operands_mut(&mut |operand| match operand {
        Operand::Part(part) => rename_slot(part, from, to),
        Operand::Reads(slot) if *slot == from => *slot = to,
        _ => {}
    });
}
