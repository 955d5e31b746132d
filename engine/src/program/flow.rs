//! What each instruction reads and writes, and where play goes on after it.

use super::parts::parts;
use super::{Address, AskCode, AskCodeWhat, Expr, Instruction, Program, RoleAmount, Slot, TextId, TextPart};
use std::collections::BTreeSet;

/// What an instruction does in the frame it runs in.
#[derive(Default)]
pub struct DefUse<'p> {
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

/// The def_use of the instruction at an address.
pub fn def_use(program: &Program, at: Address) -> DefUse<'_> {
    let mut def_use = DefUse { next: vec![at + 1], ..DefUse::default() };
    let Some(instruction) = program.code.get(at as usize) else {
        return DefUse { next: Vec::new(), unclear: true, ..DefUse::default() };
    };
    match instruction {
        Instruction::Let { slot, value, .. } => {
            def_use.reads.push(value);
            def_use.writes.push(*slot);
        }
        Instruction::Set { of, value, naming, .. } | Instruction::Add { of, value, naming, .. } => {
            def_use.reads.extend([of, value]);
            def_use.texts.extend(naming.text);
        }
        Instruction::Move { what, to, naming, .. } | Instruction::MoveOne { piece: what, to, naming, .. } => {
            def_use.reads.extend([what, to]);
            def_use.texts.extend(naming.text);
        }
        Instruction::MoveEach { list, variable, to, naming, .. } => {
            def_use.reads.extend([list, to]);
            def_use.bound.push(*variable);
            def_use.writes.push(*variable);
            def_use.texts.extend(naming.text);
        }
        Instruction::Roll { what, reason } => {
            def_use.reads.push(what);
            def_use.texts.extend(*reason);
        }
        Instruction::Remove { what } | Instruction::Unmark { what, .. } => def_use.reads.push(what),
        Instruction::RollPool { count, size, slot, reason } => {
            def_use.reads.extend([count, size]);
            def_use.writes.push(*slot);
            def_use.texts.extend(*reason);
        }
        Instruction::Draw { count, from, slot, reason, .. } => {
            def_use.reads.extend([count, from]);
            def_use.writes.push(*slot);
            def_use.texts.extend(*reason);
        }
        Instruction::RemoveSides { what } => def_use.reads.push(what),
        Instruction::Show { what, to } => def_use.reads.extend([what, to]),
        Instruction::Shuffle { zone } => def_use.reads.push(zone),
        Instruction::Create(code) => {
            def_use.reads.extend([&code.zone, &code.owner]);
            def_use.reads.extend(code.fields.iter().map(|(_, value)| value));
            def_use.writes.extend(code.slot);
        }
        Instruction::Mark(code) => {
            def_use.reads.push(&code.what);
            def_use.reads.extend(code.fields.iter().map(|(_, value)| value));
            def_use.reads.extend(code.until.iter().filter_map(|until| until.of.as_ref()));
        }
        Instruction::Jump(to) => def_use.next = vec![*to],
        Instruction::JumpUnless { condition, to } => {
            def_use.reads.push(condition);
            def_use.next.push(*to);
        }
        Instruction::EachBegin { list, slot } => {
            def_use.reads.push(list);
            def_use.writes.extend([*slot, slot + 1, slot + 2]);
        }
        Instruction::EachNext { slot, variable, end, .. } => {
            def_use.slots.extend([*slot, slot + 1, slot + 2]);
            def_use.writes.extend([slot + 1, *variable]);
            def_use.next.push(*end);
        }
        Instruction::RepeatBegin { slot } => def_use.writes.extend([*slot, slot + 1]),
        Instruction::RepeatNext { slot, most, end, .. } => {
            def_use.slots.extend([*slot, slot + 1]);
            def_use.reads.push(most);
            def_use.writes.push(*slot);
            def_use.next.push(*end);
        }
        Instruction::Call { arguments, result, .. } => {
            def_use.reads.extend(arguments);
            def_use.writes.extend(*result);
        }
        Instruction::Return { value } => {
            def_use.reads.extend(value);
            def_use.next.clear();
        }
        Instruction::Stop { .. } | Instruction::CapReached => def_use.next.clear(),
        Instruction::NothingToChoose { prompt } => {
            def_use.texts.extend(*prompt);
            def_use.next.clear();
        }
        Instruction::Finish { winners, text } => {
            def_use.reads.extend(winners);
            def_use.texts.extend(*text);
            def_use.next.clear();
        }
        Instruction::Open(open) => {
            def_use.reads.extend(open.arguments.iter().chain(&open.first));
            def_use.next = open.arms.iter().copied().chain([open.next]).chain(open.after_use).collect();
            def_use.unclear = open.after_use.is_some();
        }
        Instruction::Ask(ask) => {
            asked(ask, &mut def_use);
            def_use.next.extend(ask.otherwise);
            def_use.unclear = true;
        }
        Instruction::AskAtOnce(code) => {
            asked(&code.ask, &mut def_use);
            def_use.reads.push(&code.set);
            def_use.bound.push(code.variable);
            def_use.writes.extend([code.variable, code.members]);
            def_use.unclear = true;
        }
        Instruction::Answer { .. } => def_use.unclear = true,
        Instruction::DoMove { value } => def_use.reads.push(value),
        Instruction::Say { to, text } => {
            def_use.reads.extend(to);
            def_use.texts.push(*text);
        }
        Instruction::RestoreUses { .. } => {}
    }
    def_use
}

/// What a question reads, and the slots that its answer fills.
fn asked<'p>(ask: &'p AskCode, def_use: &mut DefUse<'p>) {
    def_use.reads.push(&ask.who);
    def_use.reads.extend(ask.during.iter().flat_map(|(_, arguments)| arguments));
    def_use.texts.extend(ask.prompt.iter().chain(&ask.pass_text));
    def_use.writes.push(ask.slot);
    match &ask.what {
        AskCodeWhat::Families(families) => def_use.reads.extend(families.iter().flat_map(|(_, arguments)| arguments)),
        AskCodeWhat::Among { amount, set, .. } => {
            def_use.reads.push(set);
            if let RoleAmount::Some(least, most) = amount {
                def_use.reads.extend(std::iter::once(least).chain(most));
            }
        }
        AskCodeWhat::Number { least, most } => def_use.reads.extend([least, most]),
        AskCodeWhat::Order { set, .. } => def_use.reads.push(set),
        AskCodeWhat::Divide(divide) => {
            def_use.reads.extend([&divide.total, &divide.step, &divide.among]);
            def_use.writes.push(divide.receivers);
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
        let def_use = def_use(program, at);
        if is_read(program, &def_use, slot) {
            readers.push(at);
        } else if !def_use.writes.contains(&slot) {
            waiting.extend(def_use.next);
        }
    }
    readers.sort_unstable();
    readers
}

/// Whether a slot matters to what an instruction does, or to what players read of it.
fn is_read(program: &Program, def_use: &DefUse, slot: Slot) -> bool {
    let in_expressions = || def_use.reads.iter().any(|expr| slots_of(expr).contains(&slot));
    let in_texts = || def_use.texts.iter().any(|text| slots_said(program, *text).contains(&slot));
    def_use.slots.contains(&slot) || !def_use.bound.contains(&slot) && (in_expressions() || in_texts())
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
            waiting.extend(def_use(program, at).next);
        }
    }
    found.into_iter().collect()
}
