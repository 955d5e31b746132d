//! Finds actions whose conditions read only aggregates of their multi-valued role.
//!
//! `when sum of dice.value >= target.value and all of dice has it.size > 4` reads a sum and a flag for all members. Each such
//! part becomes a slot; the rest of the condition no longer reads the set.
//!
//! A role is a part of a move that is chosen; a multi-valued one is filled with a set of several candidates. The search of the
//! engine builds such a set member by member and updates the aggregates, instead of testing every set. Called by `fuse`, when all
//! code is complete.

use super::shapes::rename_slot;
use ludex_program::operands::Operand;
use ludex_program::{
    ActionInfo, Aggregate, AggregateKind, Aggregation, Comparison, Expr, Quantifier, RoleAmount, SearchPlan, Slot,
};

/// Sets the aggregation of an action that is searched by walking, if its conditions read nothing but aggregates of its
/// multi-valued role.
pub(super) fn find_aggregates(action: &mut ActionInfo) {
    let SearchPlan::Walk(conditions) = &action.search else { return };
    if action.roles.iter().any(|role| role.after > 0) {
        return;
    }
    let is_set = |role: &usize| matches!(action.roles[*role].amount, RoleAmount::Some(..));
    let mut sets = (0..action.roles.len()).filter(is_set);
    let (Some(set), None) = (sets.next(), sets.next()) else { return };
    let mut reader = Reader {
        set: action.context + set as Slot,
        bound: action.context,
        roles: action.context..action.context + action.roles.len() as Slot,
        member: action.slots,
        next: action.slots + 1,
        first: None,
        aggregates: Vec::new(),
    };
    let conditions: Option<Vec<Expr>> =
        conditions.iter().map(|condition| reader.replace_aggregates(condition.expr.clone())).collect();
    let Some(conditions) = conditions else { return };
    let Reader { mut aggregates, first, member, next, .. } = reader;
    let gathered: Vec<Slot> = aggregates.iter().map(|aggregate| aggregate.slot).chain(first).collect();
    for aggregate in &mut aggregates {
        aggregate.compared_with = compared_with(&conditions, aggregate.slot, &gathered);
    }
    let depends = |role: &usize| {
        let slot = action.context + *role as Slot;
        *role != set && aggregates.iter().any(|aggregate| aggregate.value.unbound_slots().contains(&slot))
    };
    let read_with = (0..action.roles.len()).filter(depends).collect();
    action.slots = next;
    action.aggregation = Some(Box::new(Aggregation { set, aggregates, conditions, member, first, read_with }));
}

/// Rewrites the conditions of one action, and collects the aggregates that they read.
struct Reader {
    /// The slot of the multi-valued role.
    set: Slot,
    /// Slots below this are filled before any role.
    bound: Slot,
    /// The slots of all roles.
    roles: std::ops::Range<Slot>,
    member: Slot,
    /// The next free slot.
    next: Slot,
    /// The slot of the set's first member, once it is read.
    first: Option<Slot>,
    aggregates: Vec<Aggregate>,
}

/// The values read from the members of a list: those that pass a test, and a value of each.
struct Members {
    test: Option<Expr>,
    value: Option<Expr>,
}

impl Reader {
    /// Rewrites an expression so that it reads aggregates from slots. None if it reads the set in any other way.
    fn replace_aggregates(&mut self, expr: Expr) -> Option<Expr> {
        if !expr.unbound_slots().contains(&self.set) {
            return Some(expr);
        }
        if let Some(read) = self.match_aggregate(&expr) {
            return Some(read);
        }
        match expr {
            Expr::Local(_) => None,
            // An alias of the set, such as the parameter of a definition.
            Expr::With { slot, value, mut then } if *value == Expr::Local(self.set) => {
                rename_slot(&mut then, slot, self.set);
                self.replace_aggregates(*then)
            }
            mut other => {
                let mut sound = true;
                other.visit_operands_mut(&mut |operand| match operand {
                    Operand::Part(part) => match self.replace_aggregates(std::mem::replace(part, Expr::Constant(0))) {
                        Some(read) => *part = read,
                        None => sound = false,
                    },
                    // A form that reads the set directly.
                    Operand::Reads(slot) if *slot == self.set => sound = false,
                    _ => {}
                });
                sound.then_some(other)
            }
        }
    }

    /// The slot read in place of an expression that is an aggregate of the set; none if it is no aggregate, or not one that can be
    /// gathered member by member.
    fn match_aggregate(&mut self, expr: &Expr) -> Option<Expr> {
        let number = |members: Members, value: Expr| match members.test {
            Some(test) => Expr::If(Box::new(test), Box::new(value), Box::new(Expr::Constant(0))),
            None => value,
        };
        match expr {
            Expr::CountList(list) => {
                let members = self.analyse_members(list)?;
                self.allocate_aggregate(AggregateKind::Sum, number(members, Expr::Constant(1)))
            }
            Expr::SumList(list) => {
                let mut members = self.analyse_members(list)?;
                let value = members.value.take().unwrap_or(Expr::Local(self.member));
                self.allocate_aggregate(AggregateKind::Sum, number(members, value))
            }
            Expr::ExtremeOf { highest, list } => {
                let Members { test: None, value } = self.analyse_members(list)? else { return None };
                let kind = if *highest { AggregateKind::Highest } else { AggregateKind::Lowest };
                self.allocate_aggregate(kind, value.unwrap_or(Expr::Local(self.member)))
            }
            Expr::Quantified { which, list, slot, condition } => {
                let Members { test, value: None } = self.analyse_members(list)? else { return None };
                let mut holds = condition.as_ref().clone();
                rename_slot(&mut holds, *slot, self.member);
                match which {
                    Quantifier::All => {
                        let holds = match test {
                            Some(test) => Expr::Or(Box::new(Expr::Not(Box::new(test))), Box::new(holds)),
                            None => holds,
                        };
                        self.allocate_aggregate(AggregateKind::All, holds)
                    }
                    Quantifier::Any | Quantifier::NoneOf => {
                        let holds = match test {
                            Some(test) => Expr::And(Box::new(test), Box::new(holds)),
                            None => holds,
                        };
                        let any = self.allocate_aggregate(AggregateKind::Any, holds)?;
                        Some(if *which == Quantifier::Any { any } else { Expr::Not(Box::new(any)) })
                    }
                }
            }
            Expr::InList { item, list } if **list == Expr::Local(self.set) => {
                let same = Expr::Compare(Comparison::Equal, Box::new(Expr::Local(self.member)), item.clone());
                self.allocate_aggregate(AggregateKind::Any, same)
            }
            Expr::EndOf { last: false, list } if **list == Expr::Local(self.set) => Some(Expr::Local(self.first_member_slot())),
            _ => None,
        }
    }

    /// Analyses a list that is derived from the set by filtering it and then reading a value of each member.
    fn analyse_members(&self, list: &Expr) -> Option<Members> {
        match list {
            Expr::Local(slot) if *slot == self.set => Some(Members { test: None, value: None }),
            Expr::Where { list, slot, condition } => {
                let Members { test, value: None } = self.analyse_members(list)? else { return None };
                let mut passes = condition.as_ref().clone();
                rename_slot(&mut passes, *slot, self.member);
                let test = match test {
                    Some(test) => Expr::And(Box::new(test), Box::new(passes)),
                    None => passes,
                };
                Some(Members { test: Some(test), value: None })
            }
            Expr::Map { list, slot, value } => {
                let Members { test, value: None } = self.analyse_members(list)? else { return None };
                let mut value = value.as_ref().clone();
                rename_slot(&mut value, *slot, self.member);
                Some(Members { test, value: Some(value) })
            }
            _ => None,
        }
    }

    /// Returns a read of the aggregate's slot, which is shared by equal aggregates. None if its value does not only depend on what
    /// is known while the set is built.
    fn allocate_aggregate(&mut self, kind: AggregateKind, value: Expr) -> Option<Expr> {
        let value = self.replace_first_member(value);
        let is_known = |slot: Slot| {
            slot < self.bound || slot == self.member || Some(slot) == self.first || slot != self.set && self.roles.contains(&slot)
        };
        if !value.unbound_slots().into_iter().all(is_known) || value.contains(&asks_further) {
            return None;
        }
        let known = self.aggregates.iter().find(|aggregate| aggregate.kind == kind && aggregate.value == value);
        let slot = match known {
            Some(aggregate) => aggregate.slot,
            None => {
                let slot = self.new_slot();
                self.aggregates.push(Aggregate { kind, slot, value, compared_with: None });
                slot
            }
        };
        Some(Expr::Local(slot))
    }

    /// Replaces reads of the set's first member by its slot.
    fn replace_first_member(&mut self, mut expr: Expr) -> Expr {
        if matches!(&expr, Expr::EndOf { last: false, list } if **list == Expr::Local(self.set)) {
            return Expr::Local(self.first_member_slot());
        }
        expr.visit_parts_mut(&mut |part| *part = self.replace_first_member(std::mem::replace(part, Expr::Constant(0))));
        expr
    }

    fn first_member_slot(&mut self) -> Slot {
        match self.first {
            Some(slot) => slot,
            None => {
                let slot = self.new_slot();
                self.first = Some(slot);
                slot
            }
        }
    }

    fn new_slot(&mut self) -> Slot {
        self.next += 1;
        self.next - 1
    }
}

/// Whether an expression runs modifiers or searches moves. Such expressions are not evaluated for more members than the
/// conditions need.
fn asks_further(expr: &Expr) -> bool {
    matches!(expr, Expr::Fold { .. } | Expr::Can { .. } | Expr::CanWhere { .. } | Expr::Supposing { .. })
}

/// The expressions that a slot is compared with, if that is its only use and none of them depends on an aggregate.
fn compared_with(conditions: &[Expr], slot: Slot, gathered: &[Slot]) -> Option<Vec<Expr>> {
    let mut with = Vec::new();
    let all = conditions.iter().all(|condition| is_only_compared(condition, slot, gathered, &mut with));
    all.then_some(with)
}

/// Whether a slot is only compared in an expression. The values that it is compared with are added to `with`; none may depend on an
/// aggregate, whose slots are `gathered`.
fn is_only_compared(expr: &Expr, slot: Slot, gathered: &[Slot], with: &mut Vec<Expr>) -> bool {
    let is_slot = |side: &Expr| *side == Expr::Local(slot);
    match expr {
        Expr::Local(read) => *read != slot,
        Expr::Compare(_, left, right) if is_slot(left) || is_slot(right) => {
            let other = if is_slot(left) { right } else { left };
            let is_outside = !other.unbound_slots().iter().any(|read| gathered.contains(read))
                && !fills_slots(other)
                && !other.contains(&asks_further);
            with.push(other.as_ref().clone());
            is_outside
        }
        // Comparisons inside binding forms use values that are unknown outside.
        other if fills_slots(other) => !other.unbound_slots().contains(&slot),
        other => {
            let mut all = true;
            other.visit_parts(&mut |part| all = all && is_only_compared(part, slot, gathered, with));
            all
        }
    }
}

/// Whether an expression fills slots.
fn fills_slots(expr: &Expr) -> bool {
    let mut bound = Vec::new();
    expr.collect_bound_slots(&mut bound);
    !bound.is_empty()
}
