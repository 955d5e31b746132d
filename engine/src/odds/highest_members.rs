//! Finds lists of which only the highest members are read, so the others are irrelevant.
//!
//! If rules sum the five highest of many values, a state remembers only five of them. Before the members are read, rules may
//! append to the list, sort it in descending order, and add the same number to all members.
//!
//! A *point* is a throw at which `search` identifies states. It calls [`find_tops`] for each list of a state there, and truncates
//! the list with [`keep_highest`].

use crate::odds::open_dice::{OpenDie, is_slot_plus};
use crate::odds::readings::{FoldKind, Kinds, ListKind, read_step};
use crate::odds::slots::pool_at;
use ludex_program::flow::def_use;
use ludex_program::{Address, Expr, Instruction, Program, Slot, Value};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A fact about a slot that holds on every path from a point, at which a list is truncated.
#[derive(Clone, Debug, PartialEq)]
enum Fact {
    Anything,
    /// A list made from the truncated list, on some path. `down`: sorted in descending order, on every path.
    Members {
        down: bool,
    },
    /// A number or list of numbers, all at most a number known at the point.
    UpTo(Expr),
}

/// Facts about slots. A slot without a fact still holds what it held at the point.
type Facts = BTreeMap<Slot, Fact>;

/// Returns how many of the highest members of the list in `slot` are read after the throw at `at`: the largest of the returned
/// constants and slots, which already have their values. `None` if the list may be read in any other way.
pub fn find_tops(program: &Program, at: Address, slot: Slot) -> Option<Vec<Expr>> {
    let facts = collect_facts(program, at, slot);
    let tops = facts.iter().map(|(step, facts)| find_tops_of_step(program, *step, facts)).collect::<Option<Vec<_>>>();
    tops.map(|tops| tops.concat())
}

/// Collects the facts before each step that play may reach after the throw at `at`, where `slot` holds the list.
fn collect_facts(program: &Program, at: Address, slot: Slot) -> BTreeMap<Address, Facts> {
    let pool = pool_at(program, at).map(|pool| (pool, Fact::Anything));
    let first: Facts = pool.into_iter().chain([(slot, Fact::Members { down: false })]).collect();
    let mut known = BTreeMap::from([(at + 1, first)]);
    let mut waiting = vec![at + 1];
    while let Some(step) = waiting.pop() {
        let Some(mut facts) = known.get(&step).cloned() else { continue };
        apply_step(program, step, &mut facts);
        for next in def_use(program, step).next {
            let joined = known.get(&next).map_or_else(|| facts.clone(), |before| join_facts(before, &facts));
            if known.get(&next) != Some(&joined) {
                known.insert(next, joined);
                waiting.push(next);
            }
        }
    }
    known
}

/// The facts that hold on both of two paths that meet.
fn join_facts(one: &Facts, other: &Facts) -> Facts {
    let join = |slot: &Slot| match (one.get(slot), other.get(slot)) {
        (one, other) if one == other => one.cloned(),
        (Some(Fact::Members { .. }), _) | (_, Some(Fact::Members { .. })) => Some(Fact::Members { down: false }),
        _ => Some(Fact::Anything),
    };
    one.keys().chain(other.keys()).filter_map(|slot| Some((*slot, join(slot)?))).collect()
}

/// Updates the facts with the writes of a step.
fn apply_step(program: &Program, step: Address, facts: &mut Facts) {
    let written = match program.code.get(step as usize) {
        Some(Instruction::Let { slot, value, .. }) => trace_order(value, facts).map(|down| (*slot, Fact::Members { down })),
        Some(Instruction::EachBegin { list: Expr::Range(_, to), slot }) => if_known(to, facts).map(|to| (*slot, Fact::UpTo(to))),
        Some(Instruction::EachNext { slot, variable, .. }) => match facts.get(slot) {
            Some(Fact::UpTo(to)) => Some((*variable, Fact::UpTo(to.clone()))),
            _ => None,
        },
        _ => None,
    };
    facts.extend(def_use(program, step).writes.into_iter().map(|slot| (slot, Fact::Anything)));
    facts.extend(written);
}

/// Returns how many of the highest members a step reads; `None` if it may read more.
fn find_tops_of_step(program: &Program, step: Address, facts: &Facts) -> Option<Vec<Expr>> {
    if let Some(Instruction::Let { value, .. }) = program.code.get(step as usize)
        && trace_order(value, facts).is_some()
    {
        return Some(Vec::new());
    }
    let kind = |down: bool| if down { ListKind::Fixed { plain: true } } else { ListKind::Bag { plain: true } };
    let members = facts.iter().filter_map(|(slot, fact)| match fact {
        Fact::Members { down } => Some((*slot, kind(*down))),
        _ => None,
    });
    let looks = read_step(program, step, &members.collect::<Kinds>());
    let members = looks.members.iter().map(|(place, list)| match (place, trace_order(list, facts)?) {
        // Members are counted from 1, so a place of at most `to` reads at most the `to` highest.
        (Expr::Local(slot), true) if let Some(Fact::UpTo(to)) = facts.get(slot) => Some(to.clone()),
        (place, true) => if_known(place, facts),
        (_, false) => None,
    });
    let folds = looks.folds.iter().map(|fold| match (fold.kind, &fold.count) {
        _ if trace_order(&fold.expr, facts).is_none() || !fold.over.is_empty() => None,
        (FoldKind::Highest, _) => Some(Expr::Constant(1)),
        (FoldKind::Kept { highest: true, .. }, Some(count)) => if_known(count, facts),
        _ => None,
    });
    if looks.everything { None } else { members.chain(folds).collect() }
}

/// Returns an expression if it is a number that is known at the point.
fn if_known(number: &Expr, facts: &Facts) -> Option<Expr> {
    let is_known = match number {
        Expr::Constant(_) => true,
        Expr::Local(slot) => !facts.contains_key(slot),
        _ => false,
    };
    is_known.then(|| number.clone())
}

/// Returns whether an expression is sorted in descending order, if its highest members follow from those of the truncated list;
/// otherwise `None`.
fn trace_order(expr: &Expr, facts: &Facts) -> Option<bool> {
    let reads = |expr: &Expr| expr.unbound_slots().iter().any(|slot| matches!(facts.get(slot), Some(Fact::Members { .. })));
    match expr {
        Expr::Local(slot) => match facts.get(slot) {
            Some(Fact::Members { down }) => Some(*down),
            _ => None,
        },
        Expr::Sorted { down: true, list } => trace_order(list, facts).map(|_| true),
        Expr::Map { list, slot, value } if is_slot_plus(value, *slot) && !reads(value) => trace_order(list, facts),
        Expr::Concatenate(one, other) => {
            let is_part = |expr: &Expr| trace_order(expr, facts).is_some() || !reads(expr);
            let is_made_of = reads(one) || reads(other);
            (is_made_of && is_part(one) && is_part(other)).then_some(false)
        }
        _ => None,
    }
}

/// Keeps the highest members of a list, up to a number, and the open dice that may be among them. All open dice of a throw are
/// kept or dropped together.
pub fn keep_highest(list: &[Value], count: usize) -> Vec<Value> {
    let (mut open, mut fallen): (Vec<Value>, Vec<Value>) = list.iter().partition(|member| OpenDie::from_code(**member).is_some());
    fallen.sort_unstable_by_key(|member| Reverse(*member));
    fallen.truncate(count);
    if fallen.len() == count {
        let least = fallen.last().copied();
        open.retain(|die| OpenDie::from_code(*die).map(|die| die.most + die.plus) > least && least.is_some());
    }
    fallen.extend(open);
    fallen
}
