//! A session: program, state, and the conversation with those who play.

use super::{Choice, Decision, DecisionId, Event, OptionView, Outcome, Refusal, View, Viewer};
use crate::problem::Problem;
use crate::program::Program;
use std::sync::Arc;

/// What a session starts from.
#[derive(Clone, Debug)]
pub struct Setup {
    /// For each side the ids of its entrants.
    pub sides: Vec<Vec<String>>,
    pub seed: u64,
    pub dice: Dice,
    pub position: Option<crate::position::Position>,
    /// Whether events are kept for [`Session::take_events`]. Simulations leave it off.
    pub watched: bool,
}

/// Where results of chance come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dice {
    /// A generator started from the seed.
    Seeded,
    /// These results, in order; a missing one ends play with a fault.
    Listed(Vec<i64>),
    /// Asked for: [`Pending::Random`].
    External,
}

/// What the session waits for.
#[derive(Debug)]
pub enum Pending<'a> {
    /// One decision, or several put at once.
    Decisions(&'a [Decision]),
    Random(&'a RandomRequest),
    Finished(&'a Outcome),
}

/// Results of chance that are wanted from outside, thrown together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomRequest {
    pub id: u64,
    pub kind: RandomKind,
    pub draws: Vec<RandomDraw>,
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RandomKind {
    Roll,
    Shuffle,
    Pick,
}

/// One result: a number from 1 to `size`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomDraw {
    /// The piece rolled, if it is one.
    pub piece: Option<usize>,
    pub size: i64,
}

#[derive(Clone, Debug)]
pub struct Session {
    program: Arc<Program>,
}

impl Session {
    /// Starts play and runs to the first question.
    pub fn start(program: Arc<Program>, setup: &Setup) -> Result<Session, Problem> {
        let _ = setup;
        Ok(Session { program })
    }

    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    pub fn pending(&self) -> Pending<'_> {
        unimplemented!()
    }

    /// What a decision asks, as its seat reads it.
    pub fn prompt(&self, _decision: DecisionId) -> String {
        unimplemented!()
    }

    /// One option of an open decision, by its index in canonical order.
    pub fn option(&self, _decision: DecisionId, _index: u64) -> Option<OptionView> {
        unimplemented!()
    }

    /// The key under which a choice is recorded: an option's key, `choose(1+2)`, `number(4)`.
    pub fn choice_key(&self, _decision: DecisionId, _choice: &Choice) -> Option<String> {
        unimplemented!()
    }

    /// The choice that a key names, if it is legal now; else why not (telling the rule where one forbids it).
    pub fn find(&self, _decision: DecisionId, _key: &str) -> Result<Choice, Refusal> {
        unimplemented!()
    }

    /// Answers a decision and plays on to the next question. On a fault of an ability or the rules the session
    /// is as it was before the choice, and the problem tells place and cause.
    pub fn choose(&mut self, _decision: DecisionId, _choice: Choice) -> Result<(), Box<Problem>> {
        unimplemented!()
    }

    /// Gives the results that [`Pending::Random`] asks for.
    pub fn supply(&mut self, _results: &[i64]) -> Result<(), Box<Problem>> {
        unimplemented!()
    }

    /// The events since the last call, as everybody at the table may see them.
    pub fn take_events(&mut self) -> Vec<Event> {
        unimplemented!()
    }

    /// Everything a seat, or a spectator, may see.
    pub fn view(&self, _viewer: Viewer) -> View {
        unimplemented!()
    }

    /// A session that agrees with all the seat has seen; everything else, and the dice to come, is dealt afresh from `seed`.
    pub fn imagine(&self, _seat: usize, _seed: u64) -> Session {
        unimplemented!()
    }

    /// How well a side stands, as the rules declare it (`standing of side`); higher is better.
    pub fn standing(&self, _side: usize) -> Option<i64> {
        unimplemented!()
    }

    /// A seat gives up: the session ends as abandoned.
    pub fn resign(&mut self, _seat: usize) {
        unimplemented!()
    }

    /// Listed results that nobody has asked for yet.
    pub fn unused_results(&self) -> &[i64] {
        unimplemented!()
    }

    /// Draws from another seed from now on; listed results go on as they are.
    pub fn reseed(&mut self, _seed: u64) {
        unimplemented!()
    }

    /// How many results of chance were drawn so far.
    pub fn draws(&self) -> u64 {
        unimplemented!()
    }
}
