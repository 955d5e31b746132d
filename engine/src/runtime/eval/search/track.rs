//! What is known of a set while its members are read one after the other, in order: a state, to which each member that is
//! taken leads on. A sum is such a state, and so is whatever else conditions want to know.

use crate::runtime::eval::search::automaton::Automaton;
use crate::runtime::eval::search::fillings::Fillings;
use std::ops::Range;
use std::sync::Arc;

/// What leads to no move, whatever follows.
pub const DEAD: u32 = u32::MAX;

/// The sets as they are read for some fillings of the other roles. States are counted from 0, in which no member has been read.
#[derive(Clone, Debug)]
pub enum Track {
    /// The state is the sum of the members, up to the highest that is wanted.
    Sum { keys: Arc<Vec<usize>>, highest: usize, fillings: Fillings },
    /// The state is one of an automaton, which reads the class of each candidate.
    Classes { classes: Vec<u16>, automaton: Automaton },
}

/// States side by side that a member leads to others side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub from: usize,
    pub to: usize,
    pub length: usize,
}

impl Track {
    pub fn states(&self) -> usize {
        match self {
            Track::Sum { highest, .. } => highest + 1,
            Track::Classes { automaton, .. } => automaton.states(),
        }
    }

    /// The state after the candidate at a place is taken.
    pub fn after(&self, state: u32, place: usize) -> u32 {
        match self {
            Track::Sum { keys, highest, .. } => {
                let sum = state as usize + keys[place];
                if sum <= *highest { sum as u32 } else { DEAD }
            }
            Track::Classes { classes, automaton } => automaton.after(state, classes[place]),
        }
    }

    /// The same for all states that are not dead after it.
    pub fn runs(&self, place: usize) -> Vec<Run> {
        if let Track::Sum { keys, .. } = self {
            let length = self.states().saturating_sub(keys[place]);
            return vec![Run { from: 0, to: self.states() - length, length }];
        }
        let mut runs: Vec<Run> = Vec::new();
        for from in 0..self.states() {
            let after = self.after(from as u32, place);
            if after == DEAD {
                continue;
            }
            let to = after as usize;
            match runs.last_mut() {
                Some(run) if (run.from + run.length, run.to + run.length) == (from, to) => run.length += 1,
                _ => runs.push(Run { from, to, length: 1 }),
            }
        }
        runs
    }

    /// The fillings of the other roles that a state accepts, by their numbers, in order.
    pub fn accepted(&self, state: u32) -> Vec<usize> {
        match self {
            Track::Classes { automaton, .. } => automaton
                .accepts
                .get(state as usize)
                .map_or(Vec::new(), |accepted| accepted.iter().map(|filling| *filling as usize).collect()),
            Track::Sum { .. } => {
                self.all_accepted().filter(|(of, _)| *of == state as usize).map(|(_, filling)| filling).collect()
            }
        }
    }

    /// Every state with each filling that it accepts.
    pub fn all_accepted(&self) -> Box<dyn Iterator<Item = (usize, usize)> + '_> {
        match self {
            Track::Sum { highest, fillings, .. } => {
                let wanted = |filling| Some((fillings.wanted_sum(filling)?, filling));
                Box::new((0..fillings.count()).filter_map(wanted).filter(|(sum, _)| sum <= highest))
            }
            Track::Classes { automaton, .. } => {
                let accepts = automaton.accepts.iter().enumerate();
                Box::new(accepts.flat_map(|(state, accepted)| accepted.iter().map(move |filling| (state, *filling as usize))))
            }
        }
    }

    /// The same for some of the fillings; none if it accepts none of them.
    pub fn restrict(&self, fillings: &Range<u32>) -> Option<Track> {
        let Track::Classes { classes, automaton } = self else { return None };
        Some(Track::Classes { classes: classes.clone(), automaton: automaton.restrict(fillings)? })
    }

    /// Whether the members lead from state to state in the same way as in another.
    pub fn goes_like(&self, other: &Track) -> bool {
        match (self, other) {
            (Track::Classes { classes, automaton }, Track::Classes { classes: others, automaton: other }) => {
                classes == others && automaton.goes_like(other)
            }
            _ => false,
        }
    }
}
