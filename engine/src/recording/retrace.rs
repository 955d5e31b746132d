//! The shortest way to where a recorded session stands: its answers without those that were taken back, and the results of chance.

use crate::recording::{Entry, RecordedSession};
use crate::runtime::{Choice, DecisionId, Pending, Session, SessionOptions, Setup};
use ludex_compiler::position::Position;
use ludex_program::Program;
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use std::sync::Arc;

/// An answer on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Who answered.
    pub seat: usize,
    /// The key of the answer, in which each piece goes under its own number.
    pub key: String,
    /// Nobody was asked: there was only one answer, and that had not to show.
    pub forced: bool,
}

/// How to come to where a session stands.
#[derive(Clone, Debug)]
pub struct Way {
    /// What to start from. Chance comes from the list of [`Way::results`].
    pub setup: Setup,
    /// The answers, in order.
    pub given: Vec<Given>,
    /// All results of chance, in order.
    pub results: Vec<i64>,
    /// Play ended as somebody gave up, which is no answer.
    pub resigned: bool,
}

impl RecordedSession {
    /// The way to where it stands, given the position that play began from.
    pub fn way(&self, program: Arc<Program>, position: Option<Position>) -> Result<Way, Problem> {
        let setup = self.header().setup(position);
        let renumbers = self.header().renumbers;
        let options = SessionOptions { stops_at_forced: true, traces: true, renumbers, ..SessionOptions::default() };
        let mut session = Session::start_with(program, &setup, options)?;
        let (mut given, mut resigned) = (Vec::new(), false);
        for entry in self.in_force() {
            match entry {
                Entry::Answer { decision, seat, key } => {
                    let own = session.key_with_own_numbers(decision, &key);
                    let is_forced = |session: &Session| match session.pending() {
                        Pending::Decisions(open) => open.iter().any(|open| open.id == decision && open.forced),
                        _ => false,
                    };
                    given.push(Given { seat, key: own, forced: is_forced(&session) });
                    session.choose(decision, Choice::Key(key)).map_err(|problem| *problem)?;
                }
                Entry::Thrown { result, .. } => session.supply(&result).map_err(|problem| *problem)?,
                Entry::TakenBack { undo } if undo.redeals => return Err(dealt_again()),
                Entry::TakenBack { undo } => undo.seed.into_iter().for_each(|seed| session.reseed(seed)),
                Entry::Resigned { .. } => resigned = true,
                Entry::Withdrawn { .. } => {}
            }
            session.take_events();
        }
        // What answers itself has its results of chance too.
        while let Some((decision, answer)) = forced(&session) {
            session.choose(decision, answer).map_err(|problem| *problem)?;
        }
        let results = session.results().to_vec();
        Ok(Way { setup, given, results, resigned })
    }
}

/// The pieces have changed places since the start, and no result of chance tells how.
fn dealt_again() -> Problem {
    Problem::error(codes::SCENARIO_STATE, "after an answer was taken back, what nobody had seen was dealt again")
        .help("only a game without such a take-back can be told from its start; `ludex replay` plays all of it")
}

/// A decision that is open with its only answer, which must not show.
fn forced(session: &Session) -> Option<(DecisionId, Choice)> {
    let Pending::Decisions(open) = session.pending() else { return None };
    let decision = open.iter().find(|open| open.forced)?.id;
    Some((decision, session.forced_answer(decision)?))
}
