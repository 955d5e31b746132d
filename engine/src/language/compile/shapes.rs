//! Looking at lowered expressions: which slots they read, and whether they have a shape that a search knows.

use crate::program::{Comparison, Expr, Joining, Key, SearchPlan, Slot};

/// The direct parts of an expression, to look at or to change: `$each` goes through several, `$of` borrows one's value.
macro_rules! visit_parts {
    ($expr:expr, $visit:expr, $each:ident, $($of:tt)+) => {
        match $expr {
            Expr::Constant(_) | Expr::Local(_) | Expr::Sides | Expr::Table | Expr::Referee | Expr::Every(_) => {}
            Expr::LocalField { .. } | Expr::TableField(_) | Expr::LentZone { .. } | Expr::LocalZone { .. } => {}
            Expr::LocalPlace(_) | Expr::LocalFoe(_) | Expr::LocalMoveField { .. } => {}
            Expr::Field { of: a, .. }
            | Expr::Zone { of: a, .. }
            | Expr::HasMark { of: a, .. }
            | Expr::KindIs { of: a, .. }
            | Expr::Printed { of: a, .. }
            | Expr::PrintedList { of: a, .. }
            | Expr::SheetIs { of: a, .. }
            | Expr::PrintedName(a)
            | Expr::PrintOf(a)
            | Expr::MoveField { of: a, .. }
            | Expr::MoveIs { of: a, .. }
            | Expr::MoveIn { of: a, .. }
            | Expr::AsMove { of: a, .. }
            | Expr::AnswerOf { of: a, .. }
            | Expr::PlaceOf(a)
            | Expr::Foe(a)
            | Expr::SideOf(a)
            | Expr::Not(a)
            | Expr::IsOdd(a)
            | Expr::CountZone(a)
            | Expr::CountList(a)
            | Expr::SumList(a)
            | Expr::Sorts { list: a, .. }
            | Expr::ZoneList(a)
            | Expr::Single(a)
            | Expr::EntrantsOf(a)
            | Expr::Neighbours(a)
            | Expr::Neighbour { of: a, .. }
            | Expr::SumZone { zone: a, .. }
            | Expr::FieldList { zone: a, .. }
            | Expr::ExtremeOf { list: a, .. }
            | Expr::EndOf { list: a, .. }
            | Expr::Sorted { list: a, .. }
            | Expr::MapZone { list: a, .. } => $visit(a),
            Expr::And(a, b)
            | Expr::Or(a, b)
            | Expr::Compare(_, a, b)
            | Expr::CompareLists(_, a, b)
            | Expr::Add(a, b)
            | Expr::Subtract(a, b)
            | Expr::Multiply(a, b)
            | Expr::AtLeast(a, b)
            | Expr::AtMost(a, b)
            | Expr::Range(a, b)
            | Expr::Concatenate(a, b)
            | Expr::Without(a, b)
            | Expr::Divide { left: a, right: b, .. }
            | Expr::InZone { item: a, zone: b }
            | Expr::InList { item: a, list: b }
            | Expr::Top { count: a, zone: b }
            | Expr::With { value: a, then: b, .. }
            | Expr::Quantified { list: a, condition: b, .. }
            | Expr::Where { list: a, condition: b, .. }
            | Expr::Map { list: a, value: b, .. } => {
                $visit(a);
                $visit(b);
            }
            Expr::If(a, b, c) => {
                $visit(a);
                $visit(b);
                $visit(c);
            }
            Expr::Fold { arguments: members, .. } | Expr::Can { arguments: members, .. } | Expr::ListOf(members) => {
                members.$each().for_each($visit)
            }
            Expr::BestOne { list, keys, .. } | Expr::BestAll { list, keys, .. } => {
                $visit(list);
                keys.$each().for_each(|key| $visit($($of)+ key.value));
            }
        }
    };
}

/// Calls `visit` on the direct parts of an expression.
pub fn parts<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    visit_parts!(expr, visit, iter, &);
}

/// Calls `visit` on the direct parts of an expression, to change them.
pub fn parts_mut(expr: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
    visit_parts!(expr, visit, iter_mut, &mut);
}

/// Every slot an expression reads.
pub fn slots_read(expr: &Expr, found: &mut Vec<Slot>) {
    match expr {
        Expr::Local(slot) => found.push(*slot),
        Expr::AnswerOf { answers, members, .. } => found.extend([*answers, *members]),
        _ => {}
    }
    parts(expr, &mut |part| slots_read(part, found));
}

/// Whether an expression reads a slot from `first` on.
pub fn reads_slot_from(expr: &Expr, first: Slot) -> bool {
    let mut found = Vec::new();
    slots_read(expr, &mut found);
    found.iter().any(|slot| *slot >= first)
}

/// The conditions that are joined by `and`.
pub fn conjuncts(expr: Expr, into: &mut Vec<Expr>) {
    match expr {
        Expr::And(left, right) => {
            conjuncts(*left, into);
            conjuncts(*right, into);
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

/// The search that fits the conditions that join roles; each role must take part or be free.
pub fn plan(conditions: &[Expr], roles: &[RoleSlot], dependent: bool) -> SearchPlan {
    let walk = || {
        let joining = |expr: &Expr| Joining { expr: expr.clone(), after: filled_first(expr, roles.iter().map(|role| role.slot)) };
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

/// How many of the first roles must be filled before an expression can be worked out, the roles given by their slots.
pub fn filled_first(expr: &Expr, roles: impl Iterator<Item = Slot>) -> usize {
    let mut read = Vec::new();
    slots_read(expr, &mut read);
    roles.enumerate().filter(|(_, slot)| read.contains(slot)).map(|(index, _)| index + 1).max().unwrap_or(0)
}

fn role_of(slot: Slot, roles: &[RoleSlot]) -> Option<usize> {
    roles.iter().position(|role| role.slot == slot)
}

/// A number read off a role that is one thing: itself or a field of it.
fn single_key(expr: &Expr, roles: &[RoleSlot]) -> Option<(usize, Key)> {
    let (slot, key) = match expr {
        Expr::Local(slot) => (*slot, Key::Itself),
        Expr::Field { of, field } => match of.as_ref() {
            Expr::Local(slot) => (*slot, Key::Field(*field)),
            _ => return None,
        },
        _ => return None,
    };
    let role = role_of(slot, roles)?;
    (!roles[role].list && !roles[role].optional).then_some((role, key))
}

/// `die.value >= target.value`, `die is not target`
fn compare_plan(condition: &Expr, roles: &[RoleSlot]) -> Option<SearchPlan> {
    let (operator, left, right) = match condition {
        Expr::Compare(operator, left, right) => (*operator, left, right),
        Expr::Not(inner) => match inner.as_ref() {
            Expr::Compare(operator, left, right) => (operator.negated(), left, right),
            _ => return None,
        },
        _ => return None,
    };
    let (left, left_key) = single_key(left, roles)?;
    let (right, right_key) = single_key(right, roles)?;
    (left != right && roles.len() == 2).then_some(SearchPlan::Compare { left, right, left_key, right_key, operator })
}

/// `sum of dice.value = target.value`, perhaps with `+ helper.size`
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
    // The order of moves is that of the roles, and the search yields set, joker, target.
    let in_order = joker.map_or(set < target, |(joker, _)| set < joker && joker < target);
    (roles.len() == taking_part && distinct && in_order).then_some(SearchPlan::SumEqual {
        set,
        set_key,
        joker,
        target,
        target_key,
    })
}

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
    let role = role_of(*slot, roles)?;
    roles[role].list.then_some((role, key))
}

/// Lets everything that reads one slot read another.
pub fn rename_slot(expr: &mut Expr, from: Slot, to: Slot) {
    if let Expr::Local(slot) = expr
        && *slot == from
    {
        *slot = to;
    }
    parts_mut(expr, &mut |part| rename_slot(part, from, to));
}
