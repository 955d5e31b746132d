//! What each instruction reads and writes, and where play goes on after it.

use super::parts::parts;
use super::{Address, Expr, Instruction, Program, Slot};

/// What an instruction does in the frame it runs in.
#[derive(Default)]
pub struct Deed<'p> {
    /// Expressions in the order in which they are worked out.
    pub reads: Vec<&'p Expr>,
    /// Slots that are read beside those in expressions.
    pub slots: Vec<Slot>,
    pub writes: Vec<Slot>,
    /// Where play may go on in this frame.
    pub next: Vec<Address>,
    /// Others may do anything in the meantime: nothing can be told.
    pub unclear: bool,
}

/// The deed of the instruction at an address.
pub fn deed(program: &Program, at: Address) -> Deed<'_> {
    let mut deed = Deed { next: vec![at + 1], ..Deed::default() };
    let Some(instruction) = program.code.get(at as usize) else {
        return Deed { next: Vec::new(), unclear: true, ..Deed::default() };
    };
    match instruction {
        Instruction::Let { slot, value, .. } => {
            deed.reads.push(value);
            deed.writes.push(*slot);
        }
        Instruction::Set { of, value, .. } | Instruction::Add { of, value, .. } => deed.reads.extend([of, value]),
        Instruction::Move { what, to, .. } | Instruction::MoveOne { piece: what, to, .. } => deed.reads.extend([what, to]),
        Instruction::MoveEach { list, variable, to, .. } => {
            deed.reads.extend([list, to]);
            deed.writes.push(*variable);
        }
        Instruction::Roll { what, .. } | Instruction::Remove { what } | Instruction::Unmark { what, .. } => deed.reads.push(what),
        Instruction::RollPool { count, size, slot, .. } => {
            deed.reads.extend([count, size]);
            deed.writes.push(*slot);
        }
        Instruction::Draw { count, from, slot, .. } => {
            deed.reads.extend([count, from]);
            deed.writes.push(*slot);
        }
        Instruction::RemoveSides { what } => deed.reads.push(what),
        Instruction::Show { what, to } => deed.reads.extend([what, to]),
        Instruction::Shuffle { zone } => deed.reads.push(zone),
        Instruction::Create { fields, zone, owner, slot, .. } => {
            deed.reads.extend([zone, owner]);
            deed.reads.extend(fields.iter().map(|(_, value)| value));
            deed.writes.extend(*slot);
        }
        Instruction::Mark { what, fields, until, .. } => {
            deed.reads.push(what);
            deed.reads.extend(fields.iter().map(|(_, value)| value));
            deed.reads.extend(until.iter().filter_map(|until| until.of.as_ref()));
        }
        Instruction::Jump(to) => deed.next = vec![*to],
        Instruction::JumpUnless { condition, to } => {
            deed.reads.push(condition);
            deed.next.push(*to);
        }
        Instruction::EachBegin { list, slot } => {
            deed.reads.push(list);
            deed.writes.extend([*slot, slot + 1, slot + 2]);
        }
        Instruction::EachNext { slot, variable, end, .. } => {
            deed.slots.extend([*slot, slot + 1, slot + 2]);
            deed.writes.extend([slot + 1, *variable]);
            deed.next.push(*end);
        }
        Instruction::RepeatBegin { slot } => deed.writes.extend([*slot, slot + 1]),
        Instruction::RepeatNext { slot, most, end, .. } => {
            deed.slots.extend([*slot, slot + 1]);
            deed.reads.push(most);
            deed.writes.push(*slot);
            deed.next.push(*end);
        }
        Instruction::Call { arguments, result, .. } => {
            deed.reads.extend(arguments);
            deed.writes.extend(*result);
        }
        Instruction::Return { value } => {
            deed.reads.extend(value);
            deed.next.clear();
        }
        Instruction::Stop { .. } | Instruction::CapReached | Instruction::NothingToChoose { .. } => deed.next.clear(),
        Instruction::Finish { winners, .. } => {
            deed.reads.extend(winners);
            deed.next.clear();
        }
        Instruction::Open(open) => {
            deed.reads.extend(open.arguments.iter().chain(&open.first));
            deed.next = open.arms.iter().copied().chain([open.next]).chain(open.after_use).collect();
            deed.unclear = open.after_use.is_some();
        }
        Instruction::Ask(ask) => {
            deed.next.extend(ask.otherwise);
            deed.unclear = true;
        }
        Instruction::AskAtOnce(_) | Instruction::Answer { .. } => deed.unclear = true,
        Instruction::DoMove { value } => deed.reads.push(value),
        Instruction::Say { to, .. } => deed.reads.extend(to),
        Instruction::RestoreUses { .. } => {}
    }
    deed
}

/// Calls `visit` with each slot that an expression reads and does not set itself.
pub fn free_slots(expr: &Expr, bound: &mut Vec<Slot>, visit: &mut dyn FnMut(Slot)) {
    let mut read = |slot: Slot| {
        if !bound.contains(&slot) {
            visit(slot);
        }
    };
    match expr {
        Expr::Local(slot)
        | Expr::LocalField { slot, .. }
        | Expr::LocalZone { slot, .. }
        | Expr::LocalPlace(slot)
        | Expr::LocalFoe(slot)
        | Expr::LocalMoveField { slot, .. }
        | Expr::LentZone { slot, .. } => read(*slot),
        _ => {}
    }
    match expr {
        Expr::With { slot, value: first, then: inner }
        | Expr::Quantified { slot, list: first, condition: inner, .. }
        | Expr::Where { slot, list: first, condition: inner }
        | Expr::Map { slot, list: first, value: inner } => {
            free_slots(first, bound, visit);
            bound.push(*slot);
            free_slots(inner, bound, visit);
            bound.pop();
        }
        Expr::CanWhere { arguments, slot, condition, .. } => {
            arguments.iter().for_each(|argument| free_slots(argument, bound, visit));
            bound.push(*slot);
            free_slots(condition, bound, visit);
            bound.pop();
        }
        Expr::BestOne { list, slot, keys } | Expr::BestAll { list, slot, keys } => {
            free_slots(list, bound, visit);
            bound.push(*slot);
            keys.iter().for_each(|key| free_slots(&key.value, bound, visit));
            bound.pop();
        }
        other => parts(other, &mut |part| free_slots(part, bound, visit)),
    }
}

/// The slots that an expression reads and does not set itself.
pub fn slots_of(expr: &Expr) -> Vec<Slot> {
    let mut found = Vec::new();
    free_slots(expr, &mut Vec::new(), &mut |slot| found.push(slot));
    found
}

/// Every address that play may come to in the same frame from some.
pub fn reachable(program: &Program, from: &[Address]) -> Vec<Address> {
    let mut found = std::collections::BTreeSet::new();
    let mut waiting = from.to_vec();
    while let Some(at) = waiting.pop() {
        if (at as usize) < program.code.len() && found.insert(at) {
            waiting.extend(deed(program, at).next);
        }
    }
    found.into_iter().collect()
}
