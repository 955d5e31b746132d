//! Finds the slots of a procedure that still matter at each address, and their content there.
//!
//! When in doubt, a slot matters and may hold anything. Then fewer states are found to be equal, and the odds are still right.

use ludex_program::flow::{def_use, reachable};
use ludex_program::{Address, AskCode, AskCodeWhat, Expr, Instruction, ProcedureId, Program, RoleAmount, Shape, Slot};
use std::collections::{BTreeMap, BTreeSet};

/// The content of a slot, as far as comparing two of them goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A number or another value that can be compared directly.
    Plain,
    /// The place of a list of plain values in the arena.
    List,
    /// A length of the arena: nothing that is read depends on it.
    Length,
    /// Perhaps a list of lists, a move, or different things on different paths.
    Anything,
}

/// The slots that matter when play is at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Memory {
    Everything,
    Slots(Vec<(Slot, Holds)>),
}

/// The slots that matter at each address of the procedures analysed so far.
#[derive(Default)]
pub struct Memories {
    procedures: BTreeMap<ProcedureId, Known>,
}

/// The slots that matter at each address of one procedure.
#[derive(Default)]
struct Known {
    before: BTreeMap<Address, Memory>,
    /// The same while a pool is thrown, after its number and size of dice are computed.
    thrown: BTreeMap<Address, Memory>,
}

impl Memories {
    /// The slots of a procedure that matter when it continues at an address.
    pub fn at(&mut self, program: &Program, procedure: ProcedureId, at: Address) -> &Memory {
        self.known(program, procedure).before.get(&at).unwrap_or(&Memory::Everything)
    }

    /// The slots of a procedure that matter once the dice thrown at an address are determined.
    pub fn thrown(&mut self, program: &Program, procedure: ProcedureId, at: Address) -> &Memory {
        self.known(program, procedure).thrown.get(&at).unwrap_or(&Memory::Everything)
    }

    fn known(&mut self, program: &Program, procedure: ProcedureId) -> &Known {
        self.procedures.entry(procedure).or_insert_with(|| look(program, procedure))
    }
}

fn look(program: &Program, procedure: ProcedureId) -> Known {
    let Some(info) = program.procedures.get(usize::from(procedure)) else { return Known::default() };
    let addresses = reachable(program, &[info.start]);
    let live = live(program, &addresses);
    let holds = holds(program, procedure, info.start);
    let nothing = Vec::new();
    let memory = |at: Address, slots: Option<BTreeSet<Slot>>| match slots {
        Some(slots) => {
            let held = holds.get(&at).unwrap_or(&nothing);
            let held = |slot: Slot| held.get(usize::from(slot)).copied().flatten().unwrap_or(Holds::Plain);
            Memory::Slots(slots.iter().map(|slot| (*slot, held(*slot))).collect())
        }
        None => Memory::Everything,
    };
    let before = addresses.iter().map(|at| (*at, memory(*at, live.get(at).cloned().flatten()))).collect();
    let throws = |at: &&Address| matches!(program.code.get(**at as usize), Some(Instruction::RollPool { .. }));
    let thrown = addresses.iter().filter(throws).map(|at| (*at, memory(*at, live_after(program, *at, &live)))).collect();
    Known { before, thrown }
}

/// The slot for the results of dice that are not pieces, if they are rolled at this address.
pub fn pool_at(program: &Program, at: Address) -> Option<Slot> {
    match program.code.get(at as usize)? {
        Instruction::RollPool { slot, .. } => Some(*slot),
        _ => None,
    }
}

// --- what is read later ----------------------------------------------------------

/// The slots that are read from each address on before they are written; `None` if this is unknown.
fn live(program: &Program, addresses: &[Address]) -> BTreeMap<Address, Option<BTreeSet<Slot>>> {
    let mut live: BTreeMap<Address, Option<BTreeSet<Slot>>> = addresses.iter().map(|at| (*at, Some(BTreeSet::new()))).collect();
    loop {
        let mut changed = false;
        for at in addresses.iter().rev() {
            let found = live_at(program, *at, &live);
            if live.get(at) != Some(&found) {
                live.insert(*at, found);
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}

/// The slots that are read after an instruction and not written by it.
fn live_after(program: &Program, at: Address, live: &BTreeMap<Address, Option<BTreeSet<Slot>>>) -> Option<BTreeSet<Slot>> {
    let def_use = def_use(program, at);
    let mut slots = BTreeSet::new();
    for next in &def_use.next {
        slots.extend(live.get(next)?.as_ref()?.iter().filter(|slot| !def_use.writes.contains(slot)));
    }
    Some(slots).filter(|_| !def_use.unclear)
}

fn live_at(program: &Program, at: Address, live: &BTreeMap<Address, Option<BTreeSet<Slot>>>) -> Option<BTreeSet<Slot>> {
    let mut slots = live_after(program, at, live)?;
    let def_use = def_use(program, at);
    slots.extend(def_use.reads.iter().flat_map(|expr| expr.slots()));
    slots.extend(&def_use.slots);
    Some(slots)
}

// --- what slots hold -------------------------------------------------------------

/// The content of each slot; `None` if it is still empty.
type Held = Vec<Option<Holds>>;

/// The content of the slots before each address.
fn holds(program: &Program, procedure: ProcedureId, start: Address) -> BTreeMap<Address, Held> {
    let info = &program.procedures[usize::from(procedure)];
    let mut first: Held = vec![None; usize::from(info.slots)];
    for (slot, (_, shape)) in first.iter_mut().zip(&info.params) {
        *slot = Some(held_by(shape));
    }
    let mut known = BTreeMap::from([(start, first)]);
    let mut waiting = vec![start];
    while let Some(at) = waiting.pop() {
        let Some(mut held) = known.get(&at).cloned() else { continue };
        let def_use = def_use(program, at);
        put(program, at, &mut held);
        if def_use.unclear {
            held.fill(Some(Holds::Anything));
        }
        for next in def_use.next {
            let joined = match known.get(&next) {
                Some(before) => before.iter().zip(&held).map(|(one, other)| join(*one, *other)).collect(),
                None => held.clone(),
            };
            if known.get(&next) != Some(&joined) {
                known.insert(next, joined);
                waiting.push(next);
            }
        }
    }
    known
}

fn join(one: Option<Holds>, other: Option<Holds>) -> Option<Holds> {
    match (one, other) {
        (None, held) | (held, None) => held,
        (Some(one), Some(other)) if one == other => Some(one),
        _ => Some(Holds::Anything),
    }
}

/// Notes the values that an instruction puts into slots.
fn put(program: &Program, at: Address, held: &mut Held) {
    let Some(instruction) = program.code.get(at as usize) else { return };
    let set = |slot: Slot, holds: Holds, held: &mut Held| {
        if let Some(place) = held.get_mut(usize::from(slot)) {
            *place = Some(holds);
        }
    };
    match instruction {
        Instruction::Let { slot, value, .. } => {
            let value = worth(program, value, held);
            set(*slot, value, held);
        }
        Instruction::EachBegin { list, slot } => {
            let list = worth(program, list, held);
            set(*slot, list, held);
            set(slot + 1, Holds::Plain, held);
            set(slot + 2, Holds::Length, held);
        }
        Instruction::EachNext { slot, variable, .. } => {
            let member = member(held.get(usize::from(*slot)).copied().flatten());
            set(*variable, member, held);
        }
        Instruction::RepeatBegin { slot } => {
            set(*slot, Holds::Plain, held);
            set(slot + 1, Holds::Length, held);
        }
        Instruction::RollPool { slot, .. } => set(*slot, Holds::List, held),
        Instruction::Call { procedure, result: Some(result), .. } => {
            let gives = program.procedures.get(usize::from(*procedure)).map(|info| held_by(&info.gives));
            set(*result, gives.unwrap_or(Holds::Anything), held);
        }
        Instruction::Ask(code) => answered(code, false, held),
        Instruction::AskAtOnce(code) => {
            set(code.variable, Holds::Plain, held);
            set(code.members, Holds::List, held);
            answered(&code.ask, true, held);
        }
        Instruction::Create(code) => code.slot.iter().for_each(|slot| set(*slot, Holds::Plain, held)),
        Instruction::MoveEach { variable, .. } => set(*variable, Holds::Plain, held),
        Instruction::Finish(code) => code.payoff.iter().for_each(|payoff| set(payoff.side, Holds::Plain, held)),
        _ => {}
    }
}

/// Notes the answers that a question puts into slots. Questions asked at once give a list of answers.
fn answered(code: &AskCode, at_once: bool, held: &mut Held) {
    let (answer, receivers) = match &code.what {
        AskCodeWhat::Families(_) => (Holds::Anything, None),
        AskCodeWhat::Among { amount: RoleAmount::Some(..), .. } | AskCodeWhat::Order { .. } => (Holds::List, None),
        AskCodeWhat::Among { .. } | AskCodeWhat::Number { .. } | AskCodeWhat::Word(_) | AskCodeWhat::YesNo => {
            (Holds::Plain, None)
        }
        AskCodeWhat::Divide(divide) => (Holds::List, Some(divide.receivers)),
    };
    let of_all = |holds: Holds| if at_once { list_of(holds) } else { holds };
    let slots = [Some((code.slot, answer)), receivers.map(|slot| (slot, Holds::List))];
    for (slot, holds) in slots.into_iter().flatten() {
        if let Some(place) = held.get_mut(usize::from(slot)) {
            *place = Some(of_all(holds));
        }
    }
}

fn held_by(shape: &Shape) -> Holds {
    match shape {
        Shape::OrNone(inner) => held_by(inner),
        Shape::List(inner) if !inner.is_list() => Holds::List,
        shape if shape.is_list() => Holds::Anything,
        _ => Holds::Plain,
    }
}

/// The content of a slot for a member of this list.
fn member(list: Option<Holds>) -> Holds {
    match list {
        Some(Holds::List) => Holds::Plain,
        _ => Holds::Anything,
    }
}

/// A list with such members.
fn list_of(member: Holds) -> Holds {
    if member == Holds::Plain { Holds::List } else { Holds::Anything }
}

/// The value of an expression.
fn worth(program: &Program, expr: &Expr, held: &mut Held) -> Holds {
    match expr {
        Expr::Local(slot) => held.get(usize::from(*slot)).copied().flatten().unwrap_or(Holds::Plain),
        Expr::Field { .. } | Expr::LocalField { .. } | Expr::TableField(_) => Holds::Plain,
        Expr::MoveField { .. } | Expr::LocalMoveField { .. } | Expr::AsMove { .. } | Expr::AnswerOf { .. } => Holds::Anything,
        Expr::Fold { hook, .. } => {
            let value = program.hooks.get(usize::from(*hook)).and_then(|hook| hook.value.as_ref());
            value.map_or(Holds::Anything, |(shape, _)| held_by(shape))
        }
        Expr::With { slot, value, then } => {
            let value = worth(program, value, held);
            within(*slot, value, held, |held| worth(program, then, held))
        }
        Expr::Remembered { value, .. } => worth(program, value, held),
        Expr::If(_, yes, no) => {
            let (yes, no) = (worth(program, yes, held), worth(program, no, held));
            if yes == no { yes } else { Holds::Anything }
        }
        Expr::EndOf { list, .. } | Expr::BestOne { list, .. } => member(Some(worth(program, list, held))),
        Expr::ListOf(members) => {
            let plain = members.iter().all(|member| worth(program, member, held) == Holds::Plain);
            if plain { Holds::List } else { Holds::Anything }
        }
        Expr::Single(inner) => list_of(worth(program, inner, held)),
        Expr::Where { list, .. }
        | Expr::Sorts { list, .. }
        | Expr::Sorted { list, .. }
        | Expr::BestAll { list, .. }
        | Expr::Keep { list, .. }
        | Expr::Without(list, _) => list_of(member(Some(worth(program, list, held)))),
        Expr::Concatenate(one, other) => {
            let (one, other) = (worth(program, one, held), worth(program, other, held));
            if one == other { list_of(member(Some(one))) } else { Holds::Anything }
        }
        Expr::Map { list, slot, value } => {
            let item = member(Some(worth(program, list, held)));
            list_of(within(*slot, item, held, |held| worth(program, value, held)))
        }
        Expr::FieldList { .. } => Holds::List,
        Expr::MapList { list, slot, value } => {
            let item = member(Some(worth(program, list, held)));
            within(*slot, item, held, |held| worth(program, value, held))
        }
        Expr::PrintedList { .. }
        | Expr::Held { .. }
        | Expr::ZoneList(_)
        | Expr::Range(..)
        | Expr::MapZone { .. }
        | Expr::Top { .. } => Holds::List,
        Expr::Sides | Expr::Every(_) | Expr::EntrantsOf(_) | Expr::Neighbours(_) => Holds::List,
        Expr::Supposing { then, .. } => worth(program, then, held),
        other if is_plain(other) => Holds::Plain,
        // Nothing is known about other forms.
        _ => Holds::Anything,
    }
}

/// Whether an expression always evaluates to a number, a flag or an entity.
fn is_plain(expr: &Expr) -> bool {
    use Expr::*;
    let of_things = matches!(
        expr,
        Constant(_)
            | LocalZone { .. }
            | LocalPlace(_)
            | LocalFoe(_)
            | LentZone { .. }
            | Zone { .. }
            | PlaceOf(_)
            | Table
            | Referee
            | Foe(_)
            | Neighbour { .. }
            | SideOf(_)
            | HasMark { .. }
            | KindIs { .. }
            | MoveIs { .. }
            | MoveIn { .. }
            | Printed { .. }
            | PrintedName(_)
            | PrintOf(_)
            | SheetIs { .. }
    );
    let of_truths = matches!(
        expr,
        Not(_)
            | And(..)
            | Or(..)
            | Compare(..)
            | CompareLists(..)
            | IsOdd(_)
            | InZone { .. }
            | InList { .. }
            | Quantified { .. }
            | Can { .. }
            | CanWhere { .. }
    );
    let of_numbers = matches!(
        expr,
        Add(..)
            | Subtract(..)
            | Multiply(..)
            | Divide { .. }
            | AtLeast(..)
            | AtMost(..)
            | CountZone(_)
            | SumZone { .. }
            | CountList(_)
            | SumList(_)
            | ExtremeOf { .. }
    );
    of_things || of_truths || of_numbers
}

/// Runs `look` while a slot temporarily holds something else.
fn within(slot: Slot, holds: Holds, held: &mut Held, look: impl FnOnce(&mut Held) -> Holds) -> Holds {
    let before = held.get(usize::from(slot)).copied();
    if let Some(place) = held.get_mut(usize::from(slot)) {
        *place = Some(holds);
    }
    let found = look(held);
    if let (Some(place), Some(before)) = (held.get_mut(usize::from(slot)), before) {
        *place = before;
    }
    found
}
