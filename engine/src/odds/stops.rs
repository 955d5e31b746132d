//! Stops: places at which a procedure pauses although no die is thrown, at the beginning of a round of a loop or after a call has
//! returned. Paths that lead to the same state by then merge.
//!
//! A stop is a throw of one die with one face, which is never read. So the machine runs it without knowing about stops.
//!
//! A *loop* is a `repeat`. Stops are put before its rounds and after calls that throw dice, and before each look at open dice
//! (`open_dice`). The step at such a place moves to the end of the program, together with its stop, and a jump takes its old
//! place. `OddsQuery` puts the stops into its program, and `search` asks them.

use crate::odds::open_dice::{DiceLook, Walk, find_looks};
use crate::odds::slots::pool_at;
use ludex_program::flow::{def_use, reachable_addresses};
use ludex_program::{Address, Comparison, Expr, Instruction, ProcedureId, Program, Shape, Slot};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The procedures of a program that can be solved on their own, and the stops of its loops.
#[derive(Debug, Default)]
pub struct Stops {
    /// Procedures that change only their own slots, ask no questions and end nothing else.
    alone: BTreeSet<ProcedureId>,
    /// The `repeat` loops in them that contain throws.
    pub loops: Vec<Loop>,
    /// The start of the code appended to the program.
    first: Address,
    /// For each step of the appended code: the original step.
    stands_for: Vec<Address>,
    /// The current addresses of steps of the rules that were moved.
    moved: BTreeMap<Address, Address>,
    /// Throws whose dice stay open until a step looks at them.
    open: BTreeSet<Address>,
    /// The looks of the step after each stop before a look.
    looks: BTreeMap<Address, Vec<DiceLook>>,
    /// The walks through lists of open dice, each with its procedure.
    walks: Vec<(ProcedureId, Walk)>,
}

/// A `repeat` loop.
#[derive(Debug)]
pub struct Loop {
    pub procedure: ProcedureId,
    /// The step of the rules that begins each round.
    pub step: Address,
    /// The slot that counts the rounds.
    pub counter: Slot,
    /// The stop at which each round begins.
    pub head: Address,
    /// The steps of a round, including the test whether it begins.
    round: Range<Address>,
    /// Maximum number of rounds.
    pub most: Expr,
    /// Whether it can end before its cap.
    pub may_end: bool,
}

impl Loop {
    /// Whether a step belongs to it.
    pub fn contains(&self, at: Address) -> bool {
        self.round.contains(&at)
    }
}

impl Stops {
    /// Inserts the stops into a program that runs from the procedure `from`. The throws in `open` leave their dice open until a
    /// step looks at them.
    pub fn put_into(program: &mut Program, from: ProcedureId, open: &BTreeSet<Address>) -> Stops {
        let calls = Calls::calls_from(program, from);
        let mut stops =
            Stops { alone: calls.alone_procedures(program), first: program.code.len() as Address, ..Stops::default() };
        stops.open.clone_from(open);
        let throwing = calls.throwing_procedures(program);
        for procedure in stops.alone.clone() {
            let info = &program.procedures[usize::from(procedure)];
            let (mut places, mut pools) = (Vec::new(), Vec::new());
            for at in reachable_addresses(program, &[info.start]) {
                match program.code.get(at as usize) {
                    Some(Instruction::Call { procedure, .. }) if throwing.contains(procedure) => places.push((at, false)),
                    Some(Instruction::RepeatNext { .. }) => places.push((at, true)),
                    Some(Instruction::RollPool { count: Expr::Constant(1..), .. }) => {}
                    Some(Instruction::RollPool { count, .. }) => pools.push((at, count.clone())),
                    _ => {}
                }
            }
            let loops: Vec<(Address, Loop)> = places
                .iter()
                .filter(|(_, repeats)| *repeats)
                .filter_map(|(at, _)| Some((*at, find_loop(program, procedure, *at, &throwing)?)))
                .collect();
            // A slot of its own for the results of stops, which is never read.
            let spare = info.slots;
            let mut looks: BTreeMap<Address, Vec<DiceLook>> = BTreeMap::new();
            for at in reachable_addresses(program, &[info.start]) {
                let (Some(throw), Some(pool)) = (stops.open_throw(at), pool_at(program, at)) else { continue };
                let (found, walks) = find_looks(program, throw, at, pool);
                found.into_iter().for_each(|look| looks.entry(look.step).or_default().push(look));
                stops.walks.extend(walks.into_iter().map(|walk| (procedure, walk)));
            }
            program.procedures[usize::from(procedure)].slots += 1;
            // Before the others, so that a call is right before the stop after it.
            for (step, looks) in looks {
                let place = stops.insert_stop(program, step, spare, true);
                stops.looks.insert(place, looks);
            }
            for (at, mut found) in loops {
                found.head = stops.insert_stop(program, at, spare, true);
                stops.loops.push(found);
            }
            for (at, _) in places.into_iter().filter(|(_, repeats)| !repeats) {
                stops.insert_stop(program, at, spare, false);
            }
            for (at, count) in pools {
                stops.split_throw(program, at, count, spare);
            }
        }
        let moved = &stops.moved;
        stops.looks.values_mut().flatten().for_each(|look| look.step = moved.get(&look.step).copied().unwrap_or(look.step));
        stops
    }

    /// Moves the throw at `at` to the end of the program, in two versions: without a stop for a `count` of at least 1, and with a
    /// stop after it for less, because such a throw has no dice to pause at. `slot` is the spare slot of the procedure.
    fn split_throw(&mut self, program: &mut Program, at: Address, count: Expr, slot: Slot) {
        let start = program.code.len() as Address;
        let next = Instruction::Jump(self.current_address(at) + 1);
        let throw = self.take_step(program, at, start);
        let condition = Expr::Compare(Comparison::GreaterEqual, Box::new(count), Box::new(Expr::Constant(1)));
        let steps = [
            Instruction::JumpUnless { condition, to: start + 3 },
            throw.clone(),
            next.clone(),
            throw,
            stop_instruction(slot),
            next,
        ];
        self.append_steps(program, at, steps);
        self.moved.insert(at, start + 1);
    }

    /// Appends steps that represent the original step at `at`.
    fn append_steps<const N: usize>(&mut self, program: &mut Program, at: Address, steps: [Instruction; N]) {
        let place = program.places[at as usize].clone();
        program.code.extend(steps);
        program.places.extend(std::iter::repeat_n(place, N));
        self.stands_for.extend([at; N]);
    }

    /// Moves the step at `at` to the end of the program, with a stop before or after it. `slot` is the spare slot of the
    /// procedure. Returns the address of the stop.
    fn insert_stop(&mut self, program: &mut Program, at: Address, slot: Slot, before: bool) -> Address {
        let start = program.code.len() as Address;
        let next = Instruction::Jump(self.current_address(at) + 1);
        let step = self.take_step(program, at, start);
        let (one, other) = if before { (stop_instruction(slot), step) } else { (step, stop_instruction(slot)) };
        self.append_steps(program, at, [one, other, next]);
        self.moved.insert(at, if before { start + 1 } else { start });
        if before { start } else { start + 1 }
    }

    /// Takes the step of the rules at `at` from its current address, and replaces it with a jump to `to`.
    fn take_step(&self, program: &mut Program, at: Address, to: Address) -> Instruction {
        let place = self.current_address(at);
        std::mem::replace(&mut program.code[place as usize], Instruction::Jump(to))
    }

    /// The current address of a step of the rules.
    fn current_address(&self, at: Address) -> Address {
        self.moved.get(&at).copied().unwrap_or(at)
    }

    /// The throws whose dice stay open until a step looks at them.
    pub fn open_throws(&self) -> &BTreeSet<Address> {
        &self.open
    }

    /// The number of the open throw at an address of the rules; `None` if the throw is not open.
    pub fn open_throw(&self, at: Address) -> Option<usize> {
        self.open.iter().position(|open| *open == at)
    }

    /// The looks of the step after a stop, one for each open throw.
    pub fn looks_after(&self, stop: Address) -> &[DiceLook] {
        self.looks.get(&stop).map_or(&[], Vec::as_slice)
    }

    /// The walks that are in progress at a step of the rules.
    pub fn walks_at(&self, procedure: ProcedureId, step: Address) -> impl Iterator<Item = &Walk> {
        let own = self.walks.iter().filter(move |(own, walk)| *own == procedure && walk.round.contains(&step));
        own.map(|(_, walk)| walk)
    }

    /// Whether a procedure can be solved without its callers: it and all that it calls change only their own slots.
    pub fn is_alone(&self, procedure: ProcedureId) -> bool {
        self.alone.contains(&procedure)
    }

    /// The step of the rules that a step represents.
    pub fn original_step(&self, at: Address) -> Address {
        let put = at.checked_sub(self.first).and_then(|place| self.stands_for.get(place as usize));
        put.copied().unwrap_or(at)
    }
}

/// A throw of one die with one face into a spare slot.
fn stop_instruction(slot: Slot) -> Instruction {
    Instruction::RollPool { slot, reason: None, count: Expr::Constant(1), size: Expr::Constant(1) }
}

/// The procedures that each procedure calls.
struct Calls(BTreeMap<ProcedureId, BTreeSet<ProcedureId>>);

impl Calls {
    /// The calls of a procedure and of all procedures that it leads to.
    fn calls_from(program: &Program, from: ProcedureId) -> Calls {
        let mut calls = Calls(BTreeMap::new());
        let mut waiting = vec![from];
        while let Some(procedure) = waiting.pop() {
            let Some(info) = program.procedures.get(usize::from(procedure)) else { continue };
            if calls.0.contains_key(&procedure) {
                continue;
            }
            let called = |at: &Address| match program.code.get(*at as usize) {
                Some(Instruction::Call { procedure, .. }) => Some(*procedure),
                _ => None,
            };
            let called: BTreeSet<ProcedureId> = reachable_addresses(program, &[info.start]).iter().filter_map(called).collect();
            waiting.extend(&called);
            calls.0.insert(procedure, called);
        }
        calls
    }

    /// The procedures for which a condition holds, and for which it also holds for all procedures that they call.
    fn closed_under_calls(&self, holds: impl Fn(ProcedureId) -> bool) -> BTreeSet<ProcedureId> {
        let mut found: BTreeSet<ProcedureId> = self.0.keys().copied().filter(|procedure| holds(*procedure)).collect();
        loop {
            let before = found.len();
            let all = found.clone();
            found.retain(|procedure| self.0[procedure].is_subset(&all));
            if found.len() == before {
                return found;
            }
        }
    }

    /// The procedures that can be solved without their callers, see [`Stops::is_alone`].
    fn alone_procedures(&self, program: &Program) -> BTreeSet<ProcedureId> {
        self.closed_under_calls(|procedure| {
            let info = &program.procedures[usize::from(procedure)];
            let steps = reachable_addresses(program, &[info.start]);
            let gives = !info.gives.is_list() || matches!(info.gives, Shape::List(_));
            gives && !info.scope && steps.iter().all(|at| changes_only_own_slots(program, *at))
        })
    }

    /// The procedures that roll dice which are not pieces, themselves or in a procedure that they call.
    fn throwing_procedures(&self, program: &Program) -> BTreeSet<ProcedureId> {
        let throws = |procedure: &ProcedureId| {
            let info = &program.procedures[usize::from(*procedure)];
            let steps = reachable_addresses(program, &[info.start]);
            steps.iter().any(|at| matches!(program.code.get(*at as usize), Some(Instruction::RollPool { .. })))
        };
        let all: BTreeSet<ProcedureId> = self.0.keys().copied().collect();
        let quiet = self.closed_under_calls(|procedure| !throws(&procedure));
        all.difference(&quiet).copied().collect()
    }
}

/// Whether a step changes only slots of its own procedure.
fn changes_only_own_slots(program: &Program, at: Address) -> bool {
    let Some(step) = program.code.get(at as usize) else { return false };
    let is_own = matches!(
        step,
        Instruction::Let { .. }
            | Instruction::RollPool { .. }
            | Instruction::Jump(_)
            | Instruction::JumpUnless { .. }
            | Instruction::EachBegin { .. }
            | Instruction::EachNext { .. }
            | Instruction::RepeatBegin { .. }
            | Instruction::RepeatNext { .. }
            | Instruction::Call { .. }
            | Instruction::Return { value: Some(_) }
            | Instruction::CapReached
            | Instruction::Say { .. }
            | Instruction::Debug { .. }
    );
    // There is no audience, so messages do not matter.
    is_own && (matches!(step, Instruction::Say { .. } | Instruction::Debug { .. }) || !def_use(program, at).unclear)
}

/// Loops with up to this many rounds are always counted.
pub const FEW_ROUNDS: i32 = 30;

/// The counter, the cap and the steps of a `repeat` loop, if its `RepeatNext` is at an address.
pub fn round_at(program: &Program, at: Address) -> Option<(Slot, &Expr, Range<Address>)> {
    let Some(Instruction::RepeatNext { slot, end, most, .. }) = program.code.get(at as usize) else { return None };
    let begins = |before: &Address| matches!(&program.code[*before as usize], Instruction::RepeatBegin { slot: s } if s == slot);
    let start = (0..at).rev().find(begins)? + 1;
    Some((*slot, most, start..*end))
}

/// The loop whose `RepeatNext` is at an address, if dice are thrown in it.
fn find_loop(program: &Program, procedure: ProcedureId, at: Address, throwing: &BTreeSet<ProcedureId>) -> Option<Loop> {
    let (counter, most, round) = round_at(program, at)?;
    let throws = round.clone().any(|at| match &program.code[at as usize] {
        Instruction::RollPool { .. } => true,
        Instruction::Call { procedure, .. } => throwing.contains(procedure),
        _ => false,
    });
    let ends = |step: Address| {
        let found = def_use(program, step);
        let leaves = matches!(program.code[step as usize], Instruction::Return { .. });
        step != at && (leaves || found.next.iter().any(|next| !round.contains(next)))
    };
    // Only a long loop that may end by itself is followed without a count.
    let is_long = !matches!(most, Expr::Constant(..=FEW_ROUNDS));
    let may_end = is_long && round.clone().any(ends);
    throws.then(|| Loop { procedure, step: at, counter, head: at, round, most: most.clone(), may_end })
}
