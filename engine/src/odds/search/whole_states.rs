//! The search if procedures change the table: a state is the whole machine, and no result is shared between states.
//!
//! [`Search::solve_query`] calls this if the expression runs anything that changes more than its own slots, such as pieces. A
//! *whole place* is such a state: a final value, or the key of a machine that waits at a throw.

use crate::odds::budget::Trouble;
use crate::odds::chain::{Transitions, solve_chain};
use crate::odds::search::{NumberedSet, Search, StableMap, WORK_OF_RUN, WORK_OF_SETTLING, work_beyond_run};
use crate::odds::states::{Key, KeyMaker};
use crate::odds::weight::Weight;
use crate::odds::{OddsQuery, RunState};
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
struct WholeChain {
    keys: KeyMaker,
    places: NumberedSet<WholePlace>,
    /// The machines still to be followed.
    machines: StableMap<u32, Machine>,
    steps: Vec<Transitions>,
}

impl WholeChain {
    /// The number of the state in which a machine has stopped. A new state is followed later.
    fn number_machine(&mut self, asked: &OddsQuery, machine: Machine) -> Result<u32, Trouble> {
        let (place, waits) = match asked.examine_machine(machine)? {
            RunState::Value(value) => (WholePlace::Value(value), None),
            RunState::Throws(machine) => (WholePlace::Machine(self.keys.state_key(&asked.game.program, &machine)), Some(machine)),
        };
        let (number, is_new) = self.places.number_item(place);
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
    pub(super) fn solve_whole_machines(&mut self, machine: Machine) -> Result<BTreeMap<Vec<Value>, Weight>, Trouble> {
        let keys = KeyMaker::new(&self.asked.game, self.asked.start.state.board.clone(), 1);
        let mut whole = WholeChain { keys, places: NumberedSet::new(), machines: StableMap::default(), steps: Vec::new() };
        let ends = self.find_machine_ends(&mut whole, machine);
        let value = |state: u32| match &whole.places.0[state as usize] {
            WholePlace::Value(value) => Some(value.clone()),
            WholePlace::Machine(_) => None,
        };
        if let Err(Trouble::Stopped(_)) = ends {
            self.budget.allow_to_settle(WORK_OF_SETTLING);
            self.settled = self.settle_shares(&whole.steps, value);
        }
        Ok(ends?.into_iter().filter_map(|(state, weight)| Some((value(state)?, weight))).collect())
    }

    /// Follows all machines, and returns the end states with their probabilities.
    fn find_machine_ends(&mut self, whole: &mut WholeChain, machine: Machine) -> Result<BTreeMap<u32, Weight>, Trouble> {
        let asked = self.asked;
        whole.number_machine(asked, machine)?;
        let mut next = 0;
        while next < whole.steps.len() {
            let state = next as u32;
            next += 1;
            // End states have no machine.
            let Some(machine) = whole.machines.remove(&state) else { continue };
            let throw = self.find_throw_for_machine(&machine)?;
            let mut to = Vec::with_capacity(throw.results.len());
            for results in &throw.results {
                // A copy of the machine for each result.
                self.budget.spend_work(WORK_OF_RUN + machine.state.lists.len() as u64 / VALUES_PER_WORK)?;
                let mut machine = machine.clone();
                machine.meter = Meter::default();
                machine.supply_with(&asked.game.play_context(), results.clone());
                self.budget.spend_work(work_beyond_run(&machine))?;
                self.budget.reserve_bytes(BYTES_OF_MACHINE + size_of_val(&machine.state.lists[..]))?;
                to.push(whole.number_machine(asked, machine)?);
            }
            whole.steps[state as usize] = Some((to.into(), Rc::clone(&throw.cases)));
            if whole.machines.len() > MOST_MACHINES {
                return Err(Trouble::TooMuch);
            }
        }
        let is_end = |state: u32| matches!(whole.places.0[state as usize], WholePlace::Value(_));
        solve_chain(&whole.steps, is_end, &mut self.factors, &mut self.budget)
    }
}
