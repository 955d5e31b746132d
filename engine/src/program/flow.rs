//! What each instruction reads and writes, and where play goes on after it.

use super::parts::parts;
use super::{Address, AskCode, AskCodeWhat, Expr, Instruction, Program, RoleAmount, Slot, TextId, TextPart};
use std::collections::BTreeSet;

/// What an instruction does in the frame it runs in.
#[derive(Default)]
pub struct Deed<'p> {
    /// Expressions in the order in which they are worked out.
    pub reads: Vec<&'p Expr>,
    /// Slots that are read beside those in expressions.
    pub slots: Vec<Slot>,
    /// Slots that it fills itself before any of its expressions reads them.
    pub bound: Vec<Slot>,
    /// What players read of it.
    pub texts: Vec<TextId>,
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
        Instruction::Set { of, value, naming, .. } | Instruction::Add { of, value, naming, .. } => {
            deed.reads.extend([of, value]);
            deed.texts.extend(naming.text);
        }
        Instruction::Move { what, to, naming, .. } | Instruction::MoveOne { piece: what, to, naming, .. } => {
            deed.reads.extend([what, to]);
            deed.texts.extend(naming.text);
        }
        Instruction::MoveEach { list, variable, to, naming, .. } => {
            deed.reads.extend([list, to]);
            deed.bound.push(*variable);
            deed.writes.push(*variable);
            deed.texts.extend(naming.text);
        }
        Instruction::Roll { what, reason } => {
            deed.reads.push(what);
            deed.texts.extend(*reason);
        }
        Instruction::Remove { what } | Instruction::Unmark { what, .. } => deed.reads.push(what),
        Instruction::RollPool { count, size, slot, reason } => {
            deed.reads.extend([count, size]);
            deed.writes.push(*slot);
            deed.texts.extend(*reason);
        }
        Instruction::Draw { count, from, slot, reason, .. } => {
            deed.reads.extend([count, from]);
            deed.writes.push(*slot);
            deed.texts.extend(*reason);
        }
        Instruction::RemoveSides { what } => deed.reads.push(what),
        Instruction::Show { what, to } => deed.reads.extend([what, to]),
        Instruction::Shuffle { zone } => deed.reads.push(zone),
        Instruction::Create(code) => {
            deed.reads.extend([&code.zone, &code.owner]);
            deed.reads.extend(code.fields.iter().map(|(_, value)| value));
            deed.writes.extend(code.slot);
        }
        Instruction::Mark(code) => {
            deed.reads.push(&code.what);
            deed.reads.extend(code.fields.iter().map(|(_, value)| value));
            deed.reads.extend(code.until.iter().filter_map(|until| until.of.as_ref()));
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
        Instruction::Stop { .. } | Instruction::CapReached => deed.next.clear(),
        Instruction::NothingToChoose { prompt } => {
            deed.texts.extend(*prompt);
            deed.next.clear();
        }
        Instruction::Finish { winners, text } => {
            deed.reads.extend(winners);
            deed.texts.extend(*text);
            deed.next.clear();
        }
        Instruction::Open(open) => {
            deed.reads.extend(open.arguments.iter().chain(&open.first));
            deed.next = open.arms.iter().copied().chain([open.next]).chain(open.after_use).collect();
            deed.unclear = open.after_use.is_some();
        }
        Instruction::Ask(ask) => {
            asked(ask, &mut deed);
            deed.next.extend(ask.otherwise);
            deed.unclear = true;
        }
        Instruction::AskAtOnce(code) => {
            asked(&code.ask, &mut deed);
            deed.reads.push(&code.set);
            deed.bound.push(code.variable);
            deed.writes.extend([code.variable, code.members]);
            deed.unclear = true;
        }
        Instruction::Answer { .. } => deed.unclear = true,
        Instruction::DoMove { value } => deed.reads.push(value),
        Instruction::Say { to, text } => {
            deed.reads.extend(to);
            deed.texts.push(*text);
        }
        Instruction::RestoreUses { .. } => {}
    }
    deed
}

/// What a question reads, and the slots that its answer fills.
fn asked<'p>(ask: &'p AskCode, deed: &mut Deed<'p>) {
    deed.reads.push(&ask.who);
    deed.reads.extend(ask.during.iter().flat_map(|(_, arguments)| arguments));
    deed.texts.extend(ask.prompt.iter().chain(&ask.pass_text));
    deed.writes.push(ask.slot);
    match &ask.what {
        AskCodeWhat::Families(families) => deed.reads.extend(families.iter().flat_map(|(_, arguments)| arguments)),
        AskCodeWhat::Among { amount, set, .. } => {
            deed.reads.push(set);
            if let RoleAmount::Some(least, most) = amount {
                deed.reads.extend(std::iter::once(least).chain(most));
            }
        }
        AskCodeWhat::Number { least, most } => deed.reads.extend([least, most]),
        AskCodeWhat::Order { set, .. } => deed.reads.push(set),
        AskCodeWhat::Divide(divide) => {
            deed.reads.extend([&divide.total, &divide.step, &divide.among]);
            deed.writes.push(divide.receivers);
        }
        AskCodeWhat::Word(_) | AskCodeWhat::YesNo => {}
    }
}

/// The instructions that read a slot first on the ways that play may go from an address on in the same frame.
pub fn first_readers(program: &Program, from: Address, slot: Slot) -> Vec<Address> {
    let mut seen = BTreeSet::new();
    let mut readers = Vec::new();
    let mut waiting = vec![from];
    while let Some(at) = waiting.pop() {
        if !seen.insert(at) {
            continue;
        }
        let deed = deed(program, at);
        if is_read(program, &deed, slot) {
            readers.push(at);
        } else if !deed.writes.contains(&slot) {
            waiting.extend(deed.next);
        }
    }
    readers.sort_unstable();
    readers
}

/// Whether a slot matters to what an instruction does, or to what players read of it.
fn is_read(program: &Program, deed: &Deed, slot: Slot) -> bool {
    let in_expressions = || deed.reads.iter().any(|expr| slots_of(expr).contains(&slot));
    let in_texts = || deed.texts.iter().any(|text| slots_said(program, *text).contains(&slot));
    deed.slots.contains(&slot) || !deed.bound.contains(&slot) && (in_expressions() || in_texts())
}

/// The slots that a text shows.
fn slots_said(program: &Program, text: TextId) -> Vec<Slot> {
    let said = |part: &TextPart| match part {
        TextPart::Words(_) => Vec::new(),
        TextPart::Hole(expr, _) => slots_of(expr),
        TextPart::Choice { condition, yes, no } => {
            [slots_of(condition), slots_said(program, *yes), slots_said(program, *no)].concat()
        }
    };
    program.text(text).iter().flat_map(said).collect()
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
    let mut found = BTreeSet::new();
    let mut waiting = from.to_vec();
    while let Some(at) = waiting.pop() {
        if (at as usize) < program.code.len() && found.insert(at) {
            waiting.extend(deed(program, at).next);
        }
    }
    found.into_iter().collect()
}
