//! Tracks read the members of a set in order. Each member leads from one state to another, and the last state decides which
//! fillings of the other roles make a legal move. A running sum is a state, as is everything else that conditions ask about a set.
//!
//! The moves of such sets are counted and found by `ranks`. `place` is the index of a candidate of the set.

use crate::runtime::eval::search::automaton::Automaton;
use crate::runtime::eval::search::fillings::Fillings;
use std::ops::Range;
use std::sync::Arc;

/// The state from which no members lead to a legal move.
pub const DEAD: u32 = u32::MAX;

/// Reads the sets for some fillings of the other roles. Reading starts in state 0.
#[derive(Clone, Debug)]
pub enum Track {
    /// The state is the sum of the members, up to the highest wanted sum.
    Sum { keys: Arc<Vec<usize>>, highest: usize, fillings: Fillings },
    /// The state is that of an automaton that reads the class of each candidate.
    Classes { classes: Vec<u16>, automaton: Automaton },
}

/// Consecutive states that lead to consecutive states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub from: usize,
    pub to: usize,
    pub length: usize,
}

impl Track {
    pub fn state_count(&self) -> usize {
        match self {
            Track::Sum { highest, .. } => highest + 1,
            Track::Classes { automaton, .. } => automaton.state_count(),
        }
    }

    /// The state after the candidate at a place.
    pub fn next_state(&self, state: u32, place: usize) -> u32 {
        match self {
            Track::Sum { keys, highest, .. } => {
                let sum = state as usize + keys[place];
                if sum <= *highest { sum as u32 } else { DEAD }
            }
            Track::Classes { classes, automaton } => automaton.next_state(state, classes[place]),
        }
    }

    /// The states after the candidate at a place, for all states that it does not lead to [`DEAD`].
    pub fn state_runs(&self, place: usize) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for from in 0..self.state_count() {
            let after = self.next_state(from as u32, place);
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

    /// The numbers of the fillings that a state accepts, in order.
    pub fn accepted_fillings(&self, state: u32) -> Vec<usize> {
        match self {
            Track::Classes { automaton, .. } => automaton
                .accepts
                .get(state as usize)
                .map_or(Vec::new(), |accepted| accepted.iter().map(|filling| *filling as usize).collect()),
            Track::Sum { .. } => {
                self.all_accepted_fillings().filter(|(of, _)| *of == state as usize).map(|(_, filling)| filling).collect()
            }
        }
    }

    /// All pairs of a state and a filling that it accepts.
    pub fn all_accepted_fillings(&self) -> Box<dyn Iterator<Item = (usize, usize)> + '_> {
        match self {
            Track::Sum { highest, fillings, .. } => {
                let wanted = |filling| Some((fillings.wanted_sum(filling)?, filling));
                Box::new((0..fillings.filling_count()).filter_map(wanted).filter(|(sum, _)| sum <= highest))
            }
            Track::Classes { automaton, .. } => {
                let accepts = automaton.accepts.iter().enumerate();
                Box::new(accepts.flat_map(|(state, accepted)| accepted.iter().map(move |filling| (state, *filling as usize))))
            }
        }
    }

    /// The track for some of the fillings; `None` if it accepts none of them.
    pub fn restrict_to(&self, fillings: &Range<u32>) -> Option<Track> {
        let Track::Classes { classes, automaton } = self else { return None };
        Some(Track::Classes { classes: classes.clone(), automaton: automaton.restrict_to(fillings)? })
    }

    /// Whether it has the same transitions as another track.
    pub fn has_same_transitions(&self, other: &Track) -> bool {
        match (self, other) {
            (Track::Classes { classes, automaton }, Track::Classes { classes: others, automaton: other }) => {
                classes == others && automaton.has_same_transitions(other)
            }
            _ => false,
        }
    }
}
