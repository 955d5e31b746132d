//! The shortest path to the current state of a recorded session: its answers, without those taken back, and the results of
//! chance.
//!
//! `retelling` of the command turns a played game into a scenario or a position from this path.

use crate::recording::{Entry, RecordedSession};
use crate::runtime::{Choice, DecisionId, Pending, Session, SessionOptions, Setup};
use ludex_compiler::position::Position;
use ludex_program::Program;
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use std::sync::Arc;

/// An answer on the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathAnswer {
    /// The seat that answered.
    pub seat: usize,
    /// The key of the answer, with each piece under its own number.
    pub key: String,
    /// A forced answer, given without asking the seat: it was the only one, and that must not show.
    pub forced: bool,
}

/// The path to the current state of a session.
#[derive(Clone, Debug)]
pub struct ShortestPath {
    /// The setup to start from. Chance comes from the list of [`ShortestPath::results`].
    pub setup: Setup,
    /// The answers, in order.
    pub given: Vec<PathAnswer>,
    /// All results of chance, in order.
    pub results: Vec<i64>,
    /// Play ended with a resignation, which is not an answer.
    pub resigned: bool,
}

impl RecordedSession {
    /// Returns the path to the current state, given the position that play began from. Fails if hidden things were dealt again
    /// after a take-back, because no result of chance says how.
    pub fn shortest_path(&self, program: Arc<Program>, position: Option<Position>) -> Result<ShortestPath, Problem> {
        let setup = self.header().session_setup(position);
        let renumbers = self.header().renumbers;
        let options = SessionOptions { stops_at_forced: true, traces: true, renumbers, ..SessionOptions::default() };
        let mut session = Session::start_with(program, &setup, options)?;
        let (mut given, mut resigned) = (Vec::new(), false);
        for entry in self.entries_in_force() {
            match entry {
                Entry::Answer { decision, seat, key } => {
                    // Scenarios are played without exchanging numbers, so keys must have the pieces' own.
                    let own = session.key_with_own_numbers(decision, &key);
                    let is_forced = |session: &Session| match session.pending() {
                        Pending::Decisions(open) => open.iter().any(|open| open.id == decision && open.forced),
                        _ => false,
                    };
                    given.push(PathAnswer { seat, key: own, forced: is_forced(&session) });
                    session.choose(decision, Choice::Key(key)).map_err(|problem| *problem)?;
                }
                Entry::Thrown { result, .. } => session.supply(&result).map_err(|problem| *problem)?,
                Entry::TakenBack { undo } if undo.redeals => return Err(redeal_problem()),
                Entry::TakenBack { undo } => undo.seed.into_iter().for_each(|seed| session.reseed(seed)),
                Entry::Resigned { .. } => resigned = true,
                Entry::Withdrawn { .. } => {}
            }
            session.take_events();
        }
        // Forced answers at the end have results of chance too.
        while let Some((decision, answer)) = open_forced_answer(&session) {
            session.choose(decision, answer).map_err(|problem| *problem)?;
        }
        let results = session.chance_results().to_vec();
        Ok(ShortestPath { setup, given, results, resigned })
    }
}

/// The error if pieces were dealt again after a take-back: no result of chance tells how.
fn redeal_problem() -> Problem {
    Problem::error(codes::SCENARIO_STATE, "hidden things were dealt again after an answer was taken back")
        .help("this needs a game without such a take-back; `ludex replay` plays all of it")
}

/// An open forced decision and its only answer.
fn open_forced_answer(session: &Session) -> Option<(DecisionId, Choice)> {
    let Pending::Decisions(open) = session.pending() else { return None };
    let decision = open.iter().find(|open| open.forced)?.id;
    Some((decision, session.forced_answer(decision)?))
}
