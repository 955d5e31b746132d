//! Points: throws in procedures, with the slots that matter when play is there.
//!
//! A *state* at a point is a row of values: first the number and the size of the dice ([`Point::DICE`] values), then the slots of
//! [`Point::state`]. A *place* is an index in that row, so the slot at `state[i]` has the place `DICE + i`. A slot is *passed on*
//! if no step reads it before the next point; one run then serves all its values. `search` makes points and stores states. A
//! *clamp* is a value that represents all higher ones (`clamps`), and a *reading* says what matters of the results (`readings`).

use crate::odds::readings::Reading;
use crate::odds::slots::{SlotContent, pool_at};
use crate::odds::stops::Stops;
use crate::runtime::flow::Machine;
use crate::runtime::state::{FrameRole, NO_SLOT};
use ludex_program::flow::def_use;
use ludex_program::{Address, Expr, Instruction, ProcedureId, Program, Shape, Slot, Value};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A throw in a procedure.
#[derive(Debug)]
pub struct Point {
    pub procedure: ProcedureId,
    pub at: Address,
    /// The slot for the results of the dice.
    pub pool: Slot,
    /// A machine that has once stopped here, without the frames above that of the procedure.
    pub machine: Machine,
    /// The index of the frame of the procedure in that machine.
    pub floor: usize,
    /// The slots that are read later. In a state, the number and the size of the dice come before them.
    pub state: Vec<(Slot, SlotContent)>,
    /// Slots that hold lengths of the arena of lists.
    pub lengths: Vec<Slot>,
    /// Whether each slot of [`Point::state`] is only passed on, or added to, until the next point.
    passed_by: Vec<bool>,
    /// The places of numbers that are only added to the result, if the procedure ends before the next point.
    pub given: Box<[u16]>,
    /// The part of the throw's results that matters.
    pub reading: Rc<Reading>,
    /// The place in a state of the value that the procedure waits for here, and whether it is a list.
    pub result_place: Option<(usize, bool)>,
    /// The caller's slot for the procedure's result.
    pub result: Slot,
    /// Whether the procedure returns a list.
    pub gives_list: bool,
    /// The clamp of the result: all higher values count as this one.
    pub clamp: Option<Value>,
    /// The clamp of each slot of [`Point::state`].
    pub clamps: Vec<Value>,
    /// The places of lists of which only the highest members are read. The largest of the sources is the number of members.
    pub tops: Vec<(usize, Vec<Source>)>,
}

/// The source of a value of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A known value.
    Fixed(Value),
    /// The value at a place of the previous state, with a number added.
    Kept(u16, Value),
}

impl Source {
    /// The value; `None` on overflow.
    pub fn value_from(self, before: &[Value]) -> Option<Value> {
        match self {
            Source::Fixed(value) => Some(value),
            Source::Kept(place, more) => before[usize::from(place)].checked_add(more),
        }
    }
}

impl Point {
    /// Number of values for the dice at the beginning of a state: the number of dice, and their size.
    pub const DICE: usize = 2;

    /// Makes the point at which a machine has stopped, in the frame with the index `floor`: the throw at `at`, which puts its
    /// results into `pool`. `slots` are those that are read later, and `reading` is how the results are read. The caller sets the
    /// clamps and the tops.
    pub fn new(
        (program, stops): (&Program, &Stops),
        machine: &Machine,
        floor: usize,
        (at, pool): (Address, Slot),
        slots: &[(Slot, SlotContent)],
        reading: &Rc<Reading>,
    ) -> Point {
        let mut machine = machine.clone();
        // The data of frames above it is not needed.
        let end = machine.state.frames.get(floor + 1).map(|next| next.base as usize);
        end.into_iter().for_each(|end| machine.state.slots.truncate(end));
        machine.state.frames.truncate(floor + 1);
        let frame = machine.state.frames[floor];
        let (procedure, result) = match frame.role {
            FrameRole::Procedure { procedure, result } => (procedure, result),
            _ => (0, NO_SLOT),
        };
        let state: Vec<(Slot, SlotContent)> = slots.iter().copied().filter(|(_, holds)| *holds != SlotContent::Length).collect();
        let lengths = slots.iter().filter(|(_, holds)| *holds == SlotContent::Length).map(|(slot, _)| *slot).collect();
        let (mut looked_at, given) = find_used_slots(program, at + 1);
        if let Reading::Folds(folds, _) = reading.as_ref() {
            for fold in folds {
                looked_at.extend(fold.expr.unbound_slots());
                looked_at.extend(fold.count.iter().flat_map(Expr::unbound_slots));
                looked_at.extend(fold.over.iter().flat_map(|(_, list)| list.unbound_slots()));
            }
        }
        // The results of open dice are written into all lists that hold them.
        looked_at.extend(stops.looks_after(at).iter().flat_map(|look| look.slots.keys()));
        let gives_number = program.procedures[usize::from(procedure)].gives == Shape::Number;
        if !gives_number {
            looked_at.extend(&given);
        }
        let passed_by: Vec<bool> = state.iter().map(|(slot, _)| !looked_at.contains(slot)).collect();
        let places = state.iter().enumerate().filter(|(_, (slot, _))| given.contains(slot) && !looked_at.contains(slot));
        let given = places.map(|(place, _)| (Point::DICE + place) as u16).collect();
        // If the step before the stop is a call, the point waits for its value.
        let waits_for = match at.checked_sub(1).and_then(|before| program.code.get(before as usize)) {
            Some(Instruction::Call { result, .. }) => *result,
            _ => None,
        };
        let place = |slot: Slot| state.iter().position(|(own, _)| *own == slot);
        let result_place = waits_for.and_then(place).map(|place| (Point::DICE + place, state[place].1 == SlotContent::List));
        let gives_list = program.procedures[usize::from(procedure)].gives.is_list();
        let reading = Rc::clone(reading);
        let (clamp, clamps, tops) = (None, Vec::new(), Vec::new());
        Point {
            procedure,
            at,
            pool,
            machine,
            floor,
            state,
            lengths,
            passed_by,
            given,
            reading,
            result_place,
            result,
            gives_list,
            clamp,
            clamps,
            tops,
        }
    }

    /// Whether a slot is only passed on, or added to, until the next point. `place` is an index of [`Point::state`] and does not
    /// count the dice, unlike other places.
    pub fn passes_on_slot(&self, place: usize) -> bool {
        self.passed_by[place]
    }

    /// The places of lists in a state, and their slots.
    pub fn list_places(&self) -> impl Iterator<Item = (usize, Slot)> {
        let lists = self.state.iter().enumerate().filter(|(_, (_, holds))| *holds == SlotContent::List);
        lists.map(|(place, (slot, _))| (Point::DICE + place, *slot))
    }

    /// The sources of constants and slots in a state of this point; `None` if a slot is not in it.
    pub fn find_sources(&self, exprs: &[Expr]) -> Option<Vec<Source>> {
        let source = |expr: &Expr| match expr {
            Expr::Constant(value) => Some(Source::Fixed(*value)),
            Expr::Local(slot) => {
                let place = self.state.iter().position(|(own, _)| own == slot)?;
                Some(Source::Kept((Point::DICE + place) as u16, 0))
            }
            _ => None,
        };
        exprs.iter().map(source).collect()
    }

    /// The place of a slot in a state, if it is only passed on.
    pub fn passed_on_place(&self, slot: Slot) -> Option<u16> {
        let place = self.state.iter().position(|(own, _)| *own == slot)?;
        self.passed_by[place].then_some((Point::DICE + place) as u16)
    }

    /// Applies the clamps to a state.
    pub fn clamp_state(&self, mut state: Box<[Value]>) -> Box<[Value]> {
        for (value, clamp) in state.iter_mut().skip(Point::DICE).zip(&self.clamps) {
            *value = (*value).min(*clamp);
        }
        state
    }

    /// The values of a state that are looked at before the next point.
    pub fn relevant_values(&self, values: &[Value]) -> Box<[Value]> {
        let (dice, slots) = values.split_at(Point::DICE);
        dice.iter()
            .chain(slots.iter().zip(&self.passed_by).filter(|(_, passed)| !**passed).map(|(value, _)| value))
            .copied()
            .collect()
    }
}

/// Returns two sets for the steps from an address on up to the next throw or the end: the slots that they look at or overwrite,
/// except numbers that are only added to, and the slots that are only added to the result.
fn find_used_slots(program: &Program, from: Address) -> (BTreeSet<Slot>, BTreeSet<Slot>) {
    let mut found = BTreeSet::new();
    let mut given: Option<BTreeSet<Slot>> = None;
    let mut seen = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(at) = waiting.pop() {
        let Some(step) = program.code.get(at as usize).filter(|_| seen.insert(at)) else { continue };
        if let Some((_, more)) = find_addend(step) {
            found.extend(more.unbound_slots());
            waiting.push(at + 1);
            continue;
        }
        if let Instruction::Return { value: Some(value) } = step {
            let mut terms = BTreeSet::new();
            collect_terms(value, &mut terms, &mut found);
            // If there are several ends, each must add the same.
            if let Some(given) = given.replace(terms.clone()) {
                found.extend(given.symmetric_difference(&terms));
            }
            continue;
        }
        let def_use = def_use(program, at);
        found.extend(def_use.reads.iter().flat_map(|expr| expr.unbound_slots()));
        found.extend(def_use.slots.iter().chain(&def_use.writes));
        // In a procedure with stops, every throw has dice or leads to a stop.
        if pool_at(program, at).is_none() {
            waiting.extend(def_use.next);
        }
    }
    (found, given.unwrap_or_default())
}

/// Collects the slots that are terms of a sum into `terms`. Slots with any other use are added to `found`.
fn collect_terms(expr: &Expr, terms: &mut BTreeSet<Slot>, found: &mut BTreeSet<Slot>) {
    match expr {
        Expr::Add(one, other) => {
            collect_terms(one, terms, found);
            collect_terms(other, terms, found);
        }
        Expr::Local(slot) if terms.insert(*slot) => {}
        other => found.extend(other.unbound_slots()),
    }
}

/// The slot to which a step adds something, or from which it subtracts something, and that number.
pub fn find_addend(step: &Instruction) -> Option<(Slot, &Expr)> {
    let Instruction::Let { list: false, slot, value } = step else { return None };
    let is_it = |expr: &Expr| *expr == Expr::Local(*slot);
    let more = match value {
        Expr::Add(one, more) if is_it(one) => more,
        Expr::Add(more, one) if is_it(one) => more,
        Expr::Subtract(one, less) if is_it(one) => less,
        _ => return None,
    };
    Some((*slot, more))
}
