//! What each instruction reads and writes, and where play goes on after it.

use super::operands::Operand;
use super::{Address, Expr, Program, Slot, TextId, TextPart};
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

/// What the instruction at an address reads and writes.
pub fn def_use(program: &Program, at: Address) -> DefUse<'_> {
    let Some(instruction) = program.code.get(at as usize) else {
        return DefUse { unclear: true, ..DefUse::default() };
    };
    let mut def_use = DefUse { unclear: instruction.lets_others_act(), ..DefUse::default() };
    if instruction.goes_on() {
        def_use.next.push(at + 1);
    }
    instruction.operands(&mut |operand| match operand {
        Operand::Part(expr) => def_use.reads.push(expr),
        Operand::Reads(slot) => def_use.slots.push(slot),
        Operand::Binds(slot) => {
            def_use.bound.push(slot);
            def_use.writes.push(slot);
        }
        Operand::Writes(slot) => def_use.writes.push(slot),
        Operand::Says(text) => def_use.texts.push(text),
        Operand::GoesTo(to) => def_use.next.push(*to),
    });
    def_use
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
    let in_expressions = || def_use.reads.iter().any(|expr| expr.slots().contains(&slot));
    let in_texts = || def_use.texts.iter().any(|text| slots_said(program, *text).contains(&slot));
    def_use.slots.contains(&slot) || !def_use.bound.contains(&slot) && (in_expressions() || in_texts())
}

/// The slots that a text shows.
fn slots_said(program: &Program, text: TextId) -> Vec<Slot> {
    let said = |part: &TextPart| match part {
        TextPart::Words(_) => Vec::new(),
        TextPart::Hole(expr, _) | TextPart::Written(expr) => expr.slots(),
        TextPart::Choice { condition, yes, no } => {
            [condition.slots(), slots_said(program, *yes), slots_said(program, *no)].concat()
        }
    };
    program.text(text).iter().flat_map(said).collect()
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
