//! Finds the slots of a procedure that still matter at each address, and their content there.
//!
//! When in doubt, a slot matters and may hold anything. Then fewer states are found to be equal, and the odds are still right.
//!
//! A slot *matters* at an address if its value is read from there on before it is written. `search` and `states` compare states
//! by these slots. The *arena* holds all lists of a machine one after another, and a slot has the place of a list there.

use ludex_program::flow::{def_use, reachable_addresses};
use ludex_program::{Address, AskCode, AskCodeWhat, Expr, Instruction, ProcedureId, Program, RoleAmount, Shape, Slot};
use std::collections::{BTreeMap, BTreeSet};

/// The content of a slot, as far as comparing two of them goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotContent {
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
pub enum LiveSlots {
    Everything,
    Slots(Vec<(Slot, SlotContent)>),
}

/// The slots that matter at each address of the procedures analysed so far.
#[derive(Default)]
pub struct Memories {
    procedures: BTreeMap<ProcedureId, ProcedureMemory>,
}

/// The slots that matter at each address of one procedure.
#[derive(Default)]
struct ProcedureMemory {
    /// The slots that matter before the step at an address runs.
    before: BTreeMap<Address, LiveSlots>,
    /// The same while a pool is thrown, after its number and size of dice are computed.
    thrown: BTreeMap<Address, LiveSlots>,
}

impl Memories {
    /// The slots of a procedure that matter when it continues at an address.
    pub fn memory_at(&mut self, program: &Program, procedure: ProcedureId, at: Address) -> &LiveSlots {
        self.procedure_memory(program, procedure).before.get(&at).unwrap_or(&LiveSlots::Everything)
    }

    /// The slots of a procedure that matter once the dice thrown at an address are determined.
    pub fn memory_at_throw(&mut self, program: &Program, procedure: ProcedureId, at: Address) -> &LiveSlots {
        self.procedure_memory(program, procedure).thrown.get(&at).unwrap_or(&LiveSlots::Everything)
    }

    /// The analysis of a procedure, made at the first request.
    fn procedure_memory(&mut self, program: &Program, procedure: ProcedureId) -> &ProcedureMemory {
        self.procedures.entry(procedure).or_insert_with(|| analyse_procedure(program, procedure))
    }
}

/// Finds the slots that matter at each address that a procedure can reach.
fn analyse_procedure(program: &Program, procedure: ProcedureId) -> ProcedureMemory {
    let Some(info) = program.procedures.get(usize::from(procedure)) else { return ProcedureMemory::default() };
    let addresses = reachable_addresses(program, &[info.start]);
    let live = live_slots(program, &addresses);
    let holds = slot_contents(program, procedure, info.start);
    let nothing = Vec::new();
    let memory = |at: Address, slots: Option<BTreeSet<Slot>>| match slots {
        Some(slots) => {
            let held = holds.get(&at).unwrap_or(&nothing);
            let held = |slot: Slot| held.get(usize::from(slot)).copied().flatten().unwrap_or(SlotContent::Plain);
            LiveSlots::Slots(slots.iter().map(|slot| (*slot, held(*slot))).collect())
        }
        None => LiveSlots::Everything,
    };
    let before = addresses.iter().map(|at| (*at, memory(*at, live.get(at).cloned().flatten()))).collect();
    let throws = |at: &&Address| matches!(program.code.get(**at as usize), Some(Instruction::RollPool { .. }));
    let thrown = addresses.iter().filter(throws).map(|at| (*at, memory(*at, live_after(program, *at, &live)))).collect();
    ProcedureMemory { before, thrown }
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
fn live_slots(program: &Program, addresses: &[Address]) -> BTreeMap<Address, Option<BTreeSet<Slot>>> {
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

/// The slots that matter before the instruction at an address, given those at other addresses.
fn live_at(program: &Program, at: Address, live: &BTreeMap<Address, Option<BTreeSet<Slot>>>) -> Option<BTreeSet<Slot>> {
    let mut slots = live_after(program, at, live)?;
    let def_use = def_use(program, at);
    slots.extend(def_use.reads.iter().flat_map(|expr| expr.unbound_slots()));
    slots.extend(&def_use.slots);
    Some(slots)
}

// --- what slots hold -------------------------------------------------------------

/// The content of each slot; `None` if it is still empty.
type SlotContents = Vec<Option<SlotContent>>;

/// The content of the slots before each address.
fn slot_contents(program: &Program, procedure: ProcedureId, start: Address) -> BTreeMap<Address, SlotContents> {
    let info = &program.procedures[usize::from(procedure)];
    let mut first: SlotContents = vec![None; usize::from(info.slots)];
    for (slot, (_, shape)) in first.iter_mut().zip(&info.params) {
        *slot = Some(content_of_shape(shape));
    }
    let mut known = BTreeMap::from([(start, first)]);
    let mut waiting = vec![start];
    while let Some(at) = waiting.pop() {
        let Some(mut held) = known.get(&at).cloned() else { continue };
        let def_use = def_use(program, at);
        note_writes(program, at, &mut held);
        if def_use.unclear {
            held.fill(Some(SlotContent::Anything));
        }
        for next in def_use.next {
            let joined = match known.get(&next) {
                Some(before) => before.iter().zip(&held).map(|(one, other)| join_contents(*one, *other)).collect(),
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

/// The content of a slot that is reached on two paths.
fn join_contents(one: Option<SlotContent>, other: Option<SlotContent>) -> Option<SlotContent> {
    match (one, other) {
        (None, held) | (held, None) => held,
        (Some(one), Some(other)) if one == other => Some(one),
        _ => Some(SlotContent::Anything),
    }
}

/// Notes the values that an instruction puts into slots.
fn note_writes(program: &Program, at: Address, held: &mut SlotContents) {
    let Some(instruction) = program.code.get(at as usize) else { return };
    let set = |slot: Slot, holds: SlotContent, held: &mut SlotContents| {
        if let Some(place) = held.get_mut(usize::from(slot)) {
            *place = Some(holds);
        }
    };
    match instruction {
        Instruction::Let { slot, value, .. } => {
            let value = expression_content(program, value, held);
            set(*slot, value, held);
        }
        Instruction::EachBegin { list, slot } => {
            let list = expression_content(program, list, held);
            set(*slot, list, held);
            set(slot + 1, SlotContent::Plain, held);
            set(slot + 2, SlotContent::Length, held);
        }
        Instruction::EachNext { slot, variable, .. } => {
            let member = member_content(held.get(usize::from(*slot)).copied().flatten());
            set(*variable, member, held);
        }
        Instruction::RepeatBegin { slot } => {
            set(*slot, SlotContent::Plain, held);
            set(slot + 1, SlotContent::Length, held);
        }
        Instruction::RollPool { slot, .. } => set(*slot, SlotContent::List, held),
        Instruction::Call { procedure, result: Some(result), .. } => {
            let gives = program.procedures.get(usize::from(*procedure)).map(|info| content_of_shape(&info.gives));
            set(*result, gives.unwrap_or(SlotContent::Anything), held);
        }
        Instruction::Ask(code) => note_answers(code, false, held),
        Instruction::AskAtOnce(code) => {
            set(code.variable, SlotContent::Plain, held);
            set(code.members, SlotContent::List, held);
            note_answers(&code.ask, true, held);
        }
        Instruction::Create(code) => code.slot.iter().for_each(|slot| set(*slot, SlotContent::Plain, held)),
        Instruction::MoveEach { variable, .. } => set(*variable, SlotContent::Plain, held),
        Instruction::Finish(code) => code.payoff.iter().for_each(|payoff| set(payoff.side, SlotContent::Plain, held)),
        _ => {}
    }
}

/// Notes the answers that a question puts into slots. Questions asked `at_once` give a list, with an answer of each who is asked.
fn note_answers(code: &AskCode, at_once: bool, held: &mut SlotContents) {
    let (answer, receivers) = match &code.what {
        AskCodeWhat::Families(_) => (SlotContent::Anything, None),
        AskCodeWhat::Among { amount: RoleAmount::Some(..), .. } | AskCodeWhat::Order { .. } => (SlotContent::List, None),
        AskCodeWhat::Among { .. } | AskCodeWhat::Number { .. } | AskCodeWhat::Word(_) | AskCodeWhat::YesNo => {
            (SlotContent::Plain, None)
        }
        AskCodeWhat::Divide(divide) => (SlotContent::List, Some(divide.receivers)),
    };
    let of_all = |holds: SlotContent| if at_once { list_content(holds) } else { holds };
    let slots = [Some((code.slot, answer)), receivers.map(|slot| (slot, SlotContent::List))];
    for (slot, holds) in slots.into_iter().flatten() {
        if let Some(place) = held.get_mut(usize::from(slot)) {
            *place = Some(of_all(holds));
        }
    }
}

/// The content of a slot for values of a shape.
fn content_of_shape(shape: &Shape) -> SlotContent {
    match shape {
        Shape::OrNone(inner) => content_of_shape(inner),
        Shape::List(inner) if !inner.is_list() => SlotContent::List,
        shape if shape.is_list() => SlotContent::Anything,
        _ => SlotContent::Plain,
    }
}

/// The content of a slot for a member of this list.
fn member_content(list: Option<SlotContent>) -> SlotContent {
    match list {
        Some(SlotContent::List) => SlotContent::Plain,
        _ => SlotContent::Anything,
    }
}

/// A list with such members.
fn list_content(member: SlotContent) -> SlotContent {
    if member == SlotContent::Plain { SlotContent::List } else { SlotContent::Anything }
}

/// The content of a slot that gets the value of an expression. `held` is the content of all slots.
fn expression_content(program: &Program, expr: &Expr, held: &mut SlotContents) -> SlotContent {
    match expr {
        Expr::Local(slot) => held.get(usize::from(*slot)).copied().flatten().unwrap_or(SlotContent::Plain),
        Expr::Field { .. } | Expr::LocalField { .. } | Expr::TableField(_) => SlotContent::Plain,
        Expr::MoveField { .. } | Expr::LocalMoveField { .. } | Expr::AsMove { .. } | Expr::AnswerOf { .. } => {
            SlotContent::Anything
        }
        Expr::Fold { hook, .. } => {
            let value = program.hooks.get(usize::from(*hook)).and_then(|hook| hook.value.as_ref());
            value.map_or(SlotContent::Anything, |(shape, _)| content_of_shape(shape))
        }
        Expr::With { slot, value, then } => {
            let value = expression_content(program, value, held);
            with_slot_content(*slot, value, held, |held| expression_content(program, then, held))
        }
        Expr::Remembered { value, .. } => expression_content(program, value, held),
        Expr::If(_, yes, no) => {
            let (yes, no) = (expression_content(program, yes, held), expression_content(program, no, held));
            if yes == no { yes } else { SlotContent::Anything }
        }
        Expr::EndOf { list, .. } | Expr::BestOne { list, .. } => member_content(Some(expression_content(program, list, held))),
        Expr::ListOf(members) => {
            let plain = members.iter().all(|member| expression_content(program, member, held) == SlotContent::Plain);
            if plain { SlotContent::List } else { SlotContent::Anything }
        }
        Expr::Single(inner) => list_content(expression_content(program, inner, held)),
        Expr::Where { list, .. }
        | Expr::Sorts { list, .. }
        | Expr::Sorted { list, .. }
        | Expr::BestAll { list, .. }
        | Expr::Keep { list, .. }
        | Expr::Without(list, _) => list_content(member_content(Some(expression_content(program, list, held)))),
        Expr::Concatenate(one, other) => {
            let (one, other) = (expression_content(program, one, held), expression_content(program, other, held));
            if one == other { list_content(member_content(Some(one))) } else { SlotContent::Anything }
        }
        Expr::Map { list, slot, value } => {
            let item = member_content(Some(expression_content(program, list, held)));
            list_content(with_slot_content(*slot, item, held, |held| expression_content(program, value, held)))
        }
        Expr::FieldList { .. } => SlotContent::List,
        Expr::MapList { list, slot, value } => {
            let item = member_content(Some(expression_content(program, list, held)));
            with_slot_content(*slot, item, held, |held| expression_content(program, value, held))
        }
        Expr::PrintedList { .. }
        | Expr::Held { .. }
        | Expr::ZoneList(_)
        | Expr::Range(..)
        | Expr::MapZone { .. }
        | Expr::Top { .. } => SlotContent::List,
        Expr::Sides | Expr::Every(_) | Expr::EntrantsOf(_) | Expr::Neighbours(_) => SlotContent::List,
        Expr::Supposing { then, .. } => expression_content(program, then, held),
        other if is_plain(other) => SlotContent::Plain,
        // Nothing is known about other forms.
        _ => SlotContent::Anything,
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

/// The content that `look` finds while a slot temporarily holds something else.
fn with_slot_content(
    slot: Slot,
    holds: SlotContent,
    held: &mut SlotContents,
    look: impl FnOnce(&mut SlotContents) -> SlotContent,
) -> SlotContent {
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
