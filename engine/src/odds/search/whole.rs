//! The search if procedures change the table: a state is the whole machine, and no result is shared between states.

use crate::odds::budget::Trouble;
use crate::odds::chain::{Steps, solve};
use crate::odds::search::{Map, Numbered, Search, WORK_OF_RUN, WORK_OF_SETTLING, work_beyond_run};
use crate::odds::states::{Key, Keys};
use crate::odds::weight::Weight;
use crate::odds::{Asked, Done};
use crate::runtime::eval::meter::Meter;
use crate::runtime::flow::Machine;
use ludex_program::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Approximate memory of a machine in bytes, without its lists.
const BYTES_OF_MACHINE: usize = size_of::<Machine>() + 2_000;

/// A state in which the table may have changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum WholePlace {
    Value(Vec<Value>),
    Machine(Key),
}

/// The states of whole machines with their transitions.
struct Whole {
    keys: Keys,
    places: Numbered<WholePlace>,
    /// The machines still to be followed.
    machines: Map<u32, Machine>,
    steps: Vec<Steps>,
}

impl Whole {
    fn number(&mut self, asked: &Asked, machine: Machine) -> Result<u32, Trouble> {
        let (place, waits) = match asked.look(machine)? {
            Done::Value(value) => (WholePlace::Value(value), None),
            Done::Throws(machine) => (WholePlace::Machine(self.keys.of(&asked.game.program, &machine)), Some(machine)),
        };
        let (number, is_new) = self.places.number(place);
        if is_new {
            self.steps.push(None);
            waits.into_iter().for_each(|machine| drop(self.machines.insert(number, *machine)));
        }
        Ok(number)
    }
}

/// Copying this many values costs as much as one step of a chain.
const VALUES_PER_WORK: u64 = 128;

/// Maximum number of machines kept at a time.
const MOST_MACHINES: usize = 200_000;

impl Search<'_> {
    /// The values of the whole expression.
    pub(super) fn all_of_machine(&mut self, machine: Machine) -> Result<BTreeMap<Vec<Value>, Weight>, Trouble> {
        let keys = Keys::new(&self.asked.game, self.asked.start.state.board.clone(), 1);
        let mut whole = Whole { keys, places: Numbered::new(), machines: Map::default(), steps: Vec::new() };
        let ends = self.ends_of_machine(&mut whole, machine);
        let value = |state: u32| match &whole.places.0[state as usize] {
            WholePlace::Value(value) => Some(value.clone()),
            WholePlace::Machine(_) => None,
        };
        if let Err(Trouble::Stopped(_)) = ends {
            self.budget.allow_to_settle(WORK_OF_SETTLING);
            self.settled = self.spread(&whole.steps, value);
        }
        Ok(ends?.into_iter().filter_map(|(state, weight)| Some((value(state)?, weight))).collect())
    }

    fn ends_of_machine(&mut self, whole: &mut Whole, machine: Machine) -> Result<BTreeMap<u32, Weight>, Trouble> {
        let asked = self.asked;
        whole.number(asked, machine)?;
        let mut next = 0;
        while next < whole.steps.len() {
            let state = next as u32;
            next += 1;
            let Some(machine) = whole.machines.remove(&state) else { continue };
            let throw = self.throw_of(&machine)?;
            let mut to = Vec::with_capacity(throw.results.len());
            for results in &throw.results {
                self.budget.spend(WORK_OF_RUN + machine.state.lists.len() as u64 / VALUES_PER_WORK)?;
                let mut machine = machine.clone();
                machine.meter = Meter::default();
                machine.supply_with(&asked.game.context(), results.clone());
                self.budget.spend(work_beyond_run(&machine))?;
                self.budget.keep(BYTES_OF_MACHINE + size_of_val(&machine.state.lists[..]))?;
                to.push(whole.number(asked, machine)?);
            }
            whole.steps[state as usize] = Some((to.into(), Rc::clone(&throw.cases)));
            if whole.machines.len() > MOST_MACHINES {
                return Err(Trouble::TooMuch);
            }
        }
        let is_end = |state: u32| matches!(whole.places.0[state as usize], WholePlace::Value(_));
        solve(&whole.steps, is_end, &mut self.factors, &mut self.budget)
    }
}
