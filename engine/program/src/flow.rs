//! The reads and writes of each instruction, and the control flow after it. Analyses of code use it: the compiler to find
//! endless loops, entries and hidden information, the engine for taint, dealing again and the odds. A *frame*
//! holds the slots of one run of a procedure, clause or move.

use super::operands::Operand;
use super::{Address, Expr, Instruction, Program, Slot, TextId};
use std::collections::BTreeSet;

/// The effect of an instruction on the frame it runs in.
#[derive(Default)]
pub struct DefUse<'p> {
    /// Expressions in order of evaluation.
    pub reads: Vec<&'p Expr>,
    /// Slots that are read outside of expressions.
    pub slots: Vec<Slot>,
    /// Slots that it fills before any of its expressions reads them.
    pub bound: Vec<Slot>,
    /// Texts for players.
    pub texts: Vec<TextId>,
    pub writes: Vec<Slot>,
    /// The addresses at which play may go on in this frame.
    pub next: Vec<Address>,
    /// Other code may use the frame in the meantime, so that nothing is certain.
    pub unclear: bool,
}

/// The reads, writes and successors of the instruction at an address.
pub fn def_use(program: &Program, at: Address) -> DefUse<'_> {
    let Some(instruction) = program.code.get(at as usize) else {
        return DefUse { unclear: true, ..DefUse::default() };
    };
    let mut def_use = DefUse { unclear: instruction.lets_others_act(), ..DefUse::default() };
    if instruction.falls_through() {
        def_use.next.push(at + 1);
    }
    instruction.visit_operands(&mut |operand| match operand {
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

/// The instructions that may be the first to read a slot after an address, in the same frame.
pub fn first_readers(program: &Program, from: Address, slot: Slot) -> Vec<Address> {
    let mut seen = BTreeSet::new();
    let mut readers = Vec::new();
    let mut waiting = vec![from];
    while let Some(at) = waiting.pop() {
        if !seen.insert(at) {
            continue;
        }
        let def_use = def_use(program, at);
        if slots_read_by(program, &def_use).any(|read| read == slot) {
            readers.push(at);
        } else if !def_use.writes.contains(&slot) {
            waiting.extend(def_use.next);
        }
    }
    readers.sort_unstable();
    readers
}

/// The lifetimes of the values in slots. Each instruction is decoded once, when the first search reaches it.
pub struct Lifetimes<'p> {
    program: &'p Program,
    steps: Vec<Option<Step>>,
    /// By address: its predecessors among the instructions decoded so far.
    before: Vec<Vec<Address>>,
    /// By address: the last search that reached it, and the last that found the slot still alive after it.
    reached: Vec<usize>,
    alive: Vec<usize>,
    searches: usize,
}

/// An instruction, reduced to its use of slots.
struct Step {
    reads: Vec<Slot>,
    writes: Vec<Slot>,
    next: Vec<Address>,
}

impl Step {
    /// Reduces the instruction at an address to its use of slots.
    fn decode_at(program: &Program, at: Address) -> Step {
        let def_use = def_use(program, at);
        let reads = slots_read_by(program, &def_use).collect();
        let next = def_use.next.into_iter().filter(|next| (*next as usize) < program.code.len()).collect();
        Step { reads, writes: def_use.writes, next }
    }
}

impl<'p> Lifetimes<'p> {
    pub fn from_program(program: &'p Program) -> Lifetimes<'p> {
        let length = program.code.len();
        let steps = std::iter::repeat_with(|| None).take(length).collect();
        Lifetimes {
            program,
            steps,
            before: vec![Vec::new(); length],
            reached: vec![0; length],
            alive: vec![0; length],
            searches: 0,
        }
    }

    /// Decodes an instruction unless an earlier search has.
    fn decode_step(&mut self, at: Address) -> Option<&Step> {
        let place = self.steps.get_mut(at as usize)?;
        if place.is_none() {
            let step = Step::decode_at(self.program, at);
            step.next.iter().for_each(|next| self.before[*next as usize].push(at));
            *place = Some(step);
        }
        place.as_ref()
    }

    /// The addresses that play may reach from an address in the same frame, and after which it may still read the value that
    /// the slot has there.
    pub fn alive_after(&mut self, from: Address, slot: Slot) -> Vec<Address> {
        self.searches += 1;
        let mut readers = Vec::new();
        let mut waiting = vec![from];
        while let Some(at) = waiting.pop() {
            let search = self.searches;
            if self.reached.get_mut(at as usize).is_none_or(|reached| std::mem::replace(reached, search) == search) {
                continue;
            }
            let Some(step) = self.decode_step(at) else { continue };
            if step.reads.contains(&slot) {
                readers.push(at);
            }
            if !step.writes.contains(&slot) {
                waiting.extend(&step.next);
            }
        }
        let mut alive = Vec::new();
        while let Some(at) = readers.pop() {
            for before in self.before[at as usize].iter().copied() {
                let writes = self.steps[before as usize].as_ref().is_none_or(|step| step.writes.contains(&slot));
                let is_passed = self.reached[before as usize] == self.searches && !writes;
                if is_passed && std::mem::replace(&mut self.alive[before as usize], self.searches) != self.searches {
                    alive.push(before);
                    readers.push(before);
                }
            }
        }
        alive.sort_unstable();
        alive
    }
}

/// The slots that affect what an instruction does, or what players read of it.
fn slots_read_by<'u>(program: &'u Program, def_use: &'u DefUse<'u>) -> impl Iterator<Item = Slot> + 'u {
    let texts = def_use.texts.iter().flat_map(|text| program.text_expressions(*text));
    let in_expressions = def_use.reads.iter().copied().chain(texts).flat_map(Expr::unbound_slots);
    def_use.slots.iter().copied().chain(in_expressions.filter(|slot| !def_use.bound.contains(slot)))
}

/// All addresses that play may reach from the given ones in the same frame.
pub fn reachable_addresses(program: &Program, from: &[Address]) -> Vec<Address> {
    addresses_before(program, from.to_vec(), None).into_iter().collect()
}

/// The addresses that play may reach from an address before it reaches another. `from` itself is not among them, unless play
/// can come back to it.
pub fn addresses_between(program: &Program, from: Address, to: Option<Address>) -> BTreeSet<Address> {
    addresses_before(program, def_use(program, from).next, to)
}

/// The given addresses, and all that play may reach from there before it reaches `end`.
fn addresses_before(program: &Program, mut waiting: Vec<Address>, end: Option<Address>) -> BTreeSet<Address> {
    let mut found = BTreeSet::new();
    while let Some(at) = waiting.pop() {
        if Some(at) != end && (at as usize) < program.code.len() && found.insert(at) {
            waiting.extend(def_use(program, at).next);
        }
    }
    found
}

/// The immediate post-dominator of each address, if there is one: all paths from the address meet there, unless the match
/// ends.
pub fn find_joins(program: &Program) -> Vec<Option<Address>> {
    let exit = program.code.len();
    let next = find_successors(program);
    let before = find_predecessors(&next);
    // Post-order from the end backwards.
    let mut order = Vec::new();
    let mut number = vec![usize::MAX; exit + 1];
    let mut waiting = vec![(exit, 0)];
    number[exit] = 0;
    while let Some((at, done)) = waiting.pop() {
        match before[at].get(done) {
            Some(from) => {
                waiting.push((at, done + 1));
                if number[*from] == usize::MAX {
                    number[*from] = 0;
                    waiting.push((*from, 0));
                }
            }
            None => {
                number[at] = order.len();
                order.push(at);
            }
        }
    }
    let mut join = vec![usize::MAX; exit + 1];
    join[exit] = exit;
    let mut changes = true;
    while std::mem::take(&mut changes) {
        for at in order.iter().rev().copied().filter(|at| *at != exit) {
            let known = next[at].iter().copied().filter(|to| join[*to] != usize::MAX);
            let found = known.reduce(|one, other| nearest_join(&join, &number, one, other)).unwrap_or(usize::MAX);
            changes |= std::mem::replace(&mut join[at], found) != found;
        }
    }
    join.into_iter().take(exit).map(|join| (join < exit).then_some(join as Address)).collect()
}

/// The successors of each address; the end of the code stands for the end of a procedure or of the match. Leaves out
/// successors from which the match ends before the next question, if there are others: if play goes on, they were not taken.
/// A loop that never exits gets an edge to the end at its head, so that paths within it meet.
fn find_successors(program: &Program) -> Vec<Vec<usize>> {
    let exit = program.code.len();
    let next =
        |at: usize| def_use(program, at as Address).next.into_iter().map(|to| exit.min(to as usize)).collect::<Vec<usize>>();
    let mut ways: Vec<Vec<usize>> = (0..exit).map(next).collect();
    let before = find_predecessors(&ways);
    let goes_on = |at: &usize| {
        let instruction = &program.code[*at];
        instruction.may_wait() || ways[*at].is_empty() && !matches!(instruction, Instruction::Finish(_))
    };
    let mut on = vec![false; exit + 1];
    mark_predecessors(&before, (0..exit).filter(goes_on).chain([exit]), &mut on);
    for to in &mut ways {
        if to.iter().any(|to| on[*to]) {
            to.retain(|to| on[*to]);
        }
        if to.is_empty() {
            to.push(exit);
        }
    }
    let before = find_predecessors(&ways);
    let mut leaves = vec![false; exit + 1];
    mark_predecessors(&before, [exit], &mut leaves);
    for at in (0..exit).rev() {
        if !leaves[at] {
            ways[at].push(exit);
            mark_predecessors(&before, [at], &mut leaves);
        }
    }
    ways
}

/// Marks the given addresses and all that lead there.
fn mark_predecessors(before: &[Vec<usize>], from: impl IntoIterator<Item = usize>, marked: &mut [bool]) {
    let mut waiting: Vec<usize> = from.into_iter().collect();
    while let Some(at) = waiting.pop() {
        if !std::mem::replace(&mut marked[at], true) {
            waiting.extend(&before[at]);
        }
    }
}

/// The predecessors of each address, and of the end.
fn find_predecessors(ways: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); ways.len() + 1];
    for (at, to) in ways.iter().enumerate() {
        to.iter().for_each(|to| before[*to].push(at));
    }
    before
}

/// The nearest common post-dominator of two addresses. `join` has the post-dominators found so far, and `number` the
/// post-order of each address.
fn nearest_join(join: &[usize], number: &[usize], mut one: usize, mut other: usize) -> usize {
    while one != other {
        while number[one] < number[other] {
            one = join[one];
        }
        while number[other] < number[one] {
            other = join[other];
        }
    }
    one
}
