//! Points: throws in procedures, with what matters of the slots when play is there.

use crate::odds::readings::Reading;
use crate::odds::slots::{Holds, pool_at};
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
    /// Gets what the dice show.
    pub pool: Slot,
    /// A machine that has come here once, and the frames in it that are not of the procedure.
    pub machine: Machine,
    pub floor: usize,
    /// The slots that are read later. A state has the number of dice and their size before them.
    pub state: Vec<(Slot, Holds)>,
    /// Slots that say how long the arena of lists was.
    pub lengths: Vec<Slot>,
    /// Whether each slot of the state is only handed on, or added to, until the next point.
    passed_by: Vec<bool>,
    /// The places in the state of numbers that are only added to what is given, if the procedure ends before the next point.
    pub given: Box<[u16]>,
    pub reading: Rc<Reading>,
    /// Where in a state the value stands that the procedure waits for here, and whether it is a list.
    pub result_place: Option<(usize, bool)>,
    /// The caller's slot that gets what the procedure gives, and whether that is a list.
    pub result: Slot,
    pub gives_list: bool,
    /// Higher values of what it gives are not told apart from this one.
    pub clamp: Option<Value>,
    /// The same for each slot of the state.
    pub clamps: Vec<Value>,
    /// The places of lists of which only the highest members are read. The largest of the numbers is how many.
    pub tops: Vec<(usize, Vec<Source>)>,
}

/// Where a value of a state comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    Fixed(Value),
    /// From a place of the state before, with a number added.
    Kept(u16, Value),
}

impl Source {
    /// The value; none if it is too large.
    pub fn of(self, before: &[Value]) -> Option<Value> {
        match self {
            Source::Fixed(value) => Some(value),
            Source::Kept(place, more) => before[usize::from(place)].checked_add(more),
        }
    }
}

impl Point {
    /// How many values at the beginning of a state tell the dice.
    pub const DICE: usize = 2;

    pub fn new(
        (program, stops): (&Program, &Stops),
        machine: &Machine,
        floor: usize,
        (at, pool): (Address, Slot),
        slots: &[(Slot, Holds)],
        reading: &Rc<Reading>,
    ) -> Point {
        let mut machine = machine.clone();
        // What frames above it need is not wanted.
        let end = machine.state.frames.get(floor + 1).map(|next| next.base as usize);
        end.into_iter().for_each(|end| machine.state.slots.truncate(end));
        machine.state.frames.truncate(floor + 1);
        let frame = machine.state.frames[floor];
        let (procedure, result) = match frame.role {
            FrameRole::Procedure { procedure, result } => (procedure, result),
            _ => (0, NO_SLOT),
        };
        let state: Vec<(Slot, Holds)> = slots.iter().copied().filter(|(_, holds)| *holds != Holds::Length).collect();
        let lengths = slots.iter().filter(|(_, holds)| *holds == Holds::Length).map(|(slot, _)| *slot).collect();
        let (mut looked_at, given) = looked_at(program, at + 1);
        if let Reading::Folds(folds, _) = reading.as_ref() {
            for fold in folds {
                looked_at.extend(fold.expr.slots());
                looked_at.extend(fold.count.iter().flat_map(Expr::slots));
                looked_at.extend(fold.over.iter().flat_map(|(_, list)| list.slots()));
            }
        }
        // What open dice show is written into all lists that hold them.
        looked_at.extend(stops.looks(at).iter().flat_map(|look| look.slots.keys()));
        let gives_number = program.procedures[usize::from(procedure)].gives == Shape::Number;
        if !gives_number {
            looked_at.extend(&given);
        }
        let passed_by: Vec<bool> = state.iter().map(|(slot, _)| !looked_at.contains(slot)).collect();
        let places = state.iter().enumerate().filter(|(_, (slot, _))| given.contains(slot) && !looked_at.contains(slot));
        let given = places.map(|(place, _)| (Point::DICE + place) as u16).collect();
        // It waits for the value of a call where the step before the stop is one.
        let waits_for = match at.checked_sub(1).and_then(|before| program.code.get(before as usize)) {
            Some(Instruction::Call { result, .. }) => *result,
            _ => None,
        };
        let place = |slot: Slot| state.iter().position(|(own, _)| *own == slot);
        let result_place = waits_for.and_then(place).map(|place| (Point::DICE + place, state[place].1 == Holds::List));
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

    /// Whether a slot of the state is only handed on.
    pub fn passes_by(&self, place: usize) -> bool {
        self.passed_by[place]
    }

    /// The places of lists in a state, and their slots.
    pub fn list_places(&self) -> impl Iterator<Item = (usize, Slot)> {
        let lists = self.state.iter().enumerate().filter(|(_, (_, holds))| *holds == Holds::List);
        lists.map(|(place, (slot, _))| (Point::DICE + place, *slot))
    }

    /// Where to find constants and slots in a state; none if a slot is not in it.
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

    /// Where a slot stands in the state, if it is only handed on.
    pub fn passed_by(&self, slot: Slot) -> Option<u16> {
        let place = self.state.iter().position(|(own, _)| *own == slot)?;
        self.passed_by[place].then_some((Point::DICE + place) as u16)
    }

    /// A state in which values that are not told apart are the same.
    pub fn clamped(&self, mut state: Box<[Value]>) -> Box<[Value]> {
        for (value, clamp) in state.iter_mut().skip(Point::DICE).zip(&self.clamps) {
            *value = (*value).min(*clamp);
        }
        state
    }

    /// What of a state is looked at before the next point.
    pub fn looked_at(&self, values: &[Value]) -> Box<[Value]> {
        let (dice, slots) = values.split_at(Point::DICE);
        dice.iter()
            .chain(slots.iter().zip(&self.passed_by).filter(|(_, passed)| !**passed).map(|(value, _)| value))
            .copied()
            .collect()
    }
}

/// The slots that steps look at from an address on up to the next throw, or that they fill with something new. A number that
/// is only added to is not among them. Behind them the slots that are only added to the value that is given.
fn looked_at(program: &Program, from: Address) -> (BTreeSet<Slot>, BTreeSet<Slot>) {
    let mut found = BTreeSet::new();
    let mut given: Option<BTreeSet<Slot>> = None;
    let mut seen = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(at) = waiting.pop() {
        let Some(step) = program.code.get(at as usize).filter(|_| seen.insert(at)) else { continue };
        if let Some((_, more)) = added(step) {
            found.extend(more.slots());
            waiting.push(at + 1);
            continue;
        }
        if let Instruction::Return { value: Some(value) } = step {
            let mut terms = BTreeSet::new();
            terms_of(value, &mut terms, &mut found);
            // Of several ends each must add the same.
            if let Some(given) = given.replace(terms.clone()) {
                found.extend(given.symmetric_difference(&terms));
            }
            continue;
        }
        let def_use = def_use(program, at);
        found.extend(def_use.reads.iter().flat_map(|expr| expr.slots()));
        found.extend(def_use.slots.iter().chain(&def_use.writes));
        // In a procedure with stops every throw is of some dice, or leads to a stop.
        if pool_at(program, at).is_none() {
            waiting.extend(def_use.next);
        }
    }
    (found, given.unwrap_or_default())
}

/// The slots that are added to make a sum; those that anything else is done with are `found`.
fn terms_of(expr: &Expr, terms: &mut BTreeSet<Slot>, found: &mut BTreeSet<Slot>) {
    match expr {
        Expr::Add(one, other) => {
            terms_of(one, terms, found);
            terms_of(other, terms, found);
        }
        Expr::Local(slot) if terms.insert(*slot) => {}
        other => found.extend(other.slots()),
    }
}

/// The slot that a step adds something to, and what.
pub fn added(step: &Instruction) -> Option<(Slot, &Expr)> {
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
