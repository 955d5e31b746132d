//! Games encoded for machine learning: each seat's view as a row of numbers, and its answers as a fixed set of actions.
//!
//! `domain` defines the possible choices, and `all_options` lists the open question in full. `sizes` measures the number of
//! things by playing games from fixed seeds. `space` numbers the actions, and `columns` the numbers of a row; both depend only on
//! the program and the players. `move_rows` writes legal moves as sequences of actions, and `turn` builds an answer from the
//! chosen actions. `observation` and `features` write rows, and `table` explains the encoding to people.
//!
//! An *action* here is a number to choose, not an action of the rules: one or more of them in a row make an answer. The Python
//! module plays through an [`EncodedSession`].

mod all_options;
mod columns;
mod domain;
mod features;
mod move_rows;
mod observation;
mod sizes;
mod space;
mod table;
#[cfg(test)]
mod tests;
mod turn;

use crate::runtime::decision::Choice;
use crate::runtime::event::{Event, Outcome};
use crate::runtime::seed::Seed;
use crate::runtime::session::{Pending, Session};
use columns::Columns;
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use sizes::Sizes;
use space::Space;
use std::sync::Arc;
use turn::{ActionResult, Turn};

/// The numeric encoding of a program's games between certain sides.
#[derive(Clone, Debug)]
pub struct Encoding {
    /// The actions.
    space: Space,
    /// The columns of an observation.
    columns: Columns,
    seats: usize,
    /// Maximum number of legal actions with features.
    most_legal: usize,
    /// The hash of the program.
    hash: String,
}

impl Encoding {
    /// The encoding for games like this session, which must be at the start of one. Equal programs and sides give equal
    /// encodings.
    pub fn from_session(session: &Session) -> Result<Encoding, Box<Problem>> {
        let sizes = Sizes::measure_games(session)?;
        let context = &session.game.play_context();
        let space = Space::new(context, &sizes);
        let columns = Columns::new(context, &session.machine, &sizes);
        let seats = context.roster.sides + usize::from(context.program.referee.is_some());
        let most_legal = sizes.most_legal.min(space.len());
        Ok(Encoding { space, columns, seats, most_legal, hash: context.program.hash.clone() })
    }

    /// Number of actions.
    pub fn action_count(&self) -> usize {
        self.space.len()
    }

    /// Number of values in an observation.
    pub fn observation_width(&self) -> usize {
        self.columns.width
    }

    /// Number of feature values of a legal action.
    pub fn feature_width(&self) -> usize {
        features::row_width(&self.columns)
    }

    /// Maximum number of legal actions with features. Further actions have none, but are still legal.
    pub fn most_legal(&self) -> usize {
        self.most_legal
    }

    /// Number of seats: the sides', and the referee's if there is one.
    pub fn seat_count(&self) -> usize {
        self.seats
    }

    /// The name of an action: `leap(piece 3)`, `done`.
    pub fn action_name(&self, action: usize) -> Option<String> {
        self.space.action_name(u32::try_from(action).ok()?)
    }
}

/// A game that is played by actions.
#[derive(Clone, Debug)]
pub struct EncodedSession {
    encoding: Arc<Encoding>,
    session: Session,
    turn: Turn,
}

impl EncodedSession {
    /// Continues a session, which must have the encoding's program and sides.
    pub fn new(session: Session, encoding: Arc<Encoding>) -> EncodedSession {
        let mut game = EncodedSession { encoding, session, turn: Turn::default() };
        game.turn.begin_question(&mut game.session, &game.encoding.space);
        game
    }

    /// The game itself.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Restarts the game from another seed.
    pub fn restart(&mut self, seed: impl Into<Seed>) -> Result<(), Box<Problem>> {
        self.session.restart(seed)?;
        self.turn.begin_question(&mut self.session, &self.encoding.space);
        Ok(())
    }

    /// The seat to choose an action; `None` if play is over or waits for results of chance.
    pub fn asked_seat(&self) -> Option<usize> {
        self.turn.asked_seat()
    }

    /// The legal actions, in ascending order.
    pub fn legal_actions(&self) -> &[u32] {
        self.turn.legal_actions()
    }

    /// Whether no action of the open decision has been chosen yet.
    pub fn is_fresh(&self) -> bool {
        self.turn.is_fresh()
    }

    /// Chooses an action. If it completes an answer, play goes on to the next question.
    pub fn play_action(&mut self, action: u32) -> Result<(), Box<Problem>> {
        match self.place_of(action) {
            Some(place) => self.play_at(place),
            None => Err(Box::new(self.illegal_action_problem(action))),
        }
    }

    /// The index of an action among the legal ones; `None` if it is illegal.
    #[inline]
    pub fn place_of(&self, action: u32) -> Option<usize> {
        self.legal_actions().binary_search(&action).ok()
    }

    /// Like [`EncodedSession::play_action`], but takes an index among the legal actions.
    pub fn play_at(&mut self, place: usize) -> Result<(), Box<Problem>> {
        let went = self.choose_at(place);
        self.open_question();
        went
    }

    /// Like [`EncodedSession::play_at`], but once the action completes an answer, no choice is possible until
    /// [`EncodedSession::open_question`]. This lets you step many games in batches: choose in several games, then open the
    /// question in each of them. A processor repeats one kind of work faster than it alternates between two.
    pub fn choose_at(&mut self, place: usize) -> Result<(), Box<Problem>> {
        match self.turn.choose_action(place, &self.encoding.space) {
            Some(ActionResult::Further) => Ok(()),
            Some(ActionResult::Whole(decision, choice)) => {
                self.turn.close_question();
                self.session.choose(decision, choice)
            }
            None => Err(Box::new(Problem::error(codes::ILLEGAL_CHOICE, format!("index {place} has no legal action")))),
        }
    }

    /// Looks at the open question, if that has not been done.
    pub fn open_question(&mut self) {
        if self.turn.is_closed() {
            self.turn.begin_question(&mut self.session, &self.encoding.space);
        }
    }

    /// Answers the open decision as a whole.
    pub fn answer_decision(&mut self, decision: u64, choice: Choice) -> Result<(), Box<Problem>> {
        let went = self.session.choose(decision, choice);
        self.turn.begin_question(&mut self.session, &self.encoding.space);
        went
    }

    /// The events since the last call, if events are kept.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.session.take_events()
    }

    /// Gives the requested results of chance.
    pub fn supply(&mut self, results: &[i64]) -> Result<(), Box<Problem>> {
        let went = self.session.supply(results);
        self.turn.begin_question(&mut self.session, &self.encoding.space);
        went
    }

    /// The problem of an action that is not legal now.
    #[cold]
    fn illegal_action_problem(&self, action: u32) -> Problem {
        let name = self.encoding.space.action_name(action).unwrap_or_else(|| "unknown".to_string());
        let problem = Problem::error(codes::ILLEGAL_CHOICE, format!("action {action} ({name}) is not legal now"));
        problem.help("choose one that the mask allows")
    }

    /// The outcome of the game.
    pub fn outcome(&self) -> Option<&Outcome> {
        match self.session.pending() {
            Pending::Finished(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Writes a seat's view into a row as long as the encoding's width.
    pub fn write_observation(&self, seat: usize, row: &mut [f32]) {
        observation::write_seat_row(&self.encoding.columns, &self.encoding.space, &self.session, &self.turn, seat, row);
    }

    /// Writes 1 for each legal action, and 0 for the others.
    pub fn write_mask(&self, mask: &mut [u8]) {
        mask.fill(0);
        for action in self.legal_actions() {
            if let Some(cell) = mask.get_mut(*action as usize) {
                *cell = 1;
            }
        }
    }

    /// Writes a row for each legal action, as many as fit, and returns their number. `observation` is the view of the seat to
    /// choose.
    pub fn write_features(&self, observation: &[f32], rows: &mut [f32]) -> usize {
        let Encoding { space, columns, .. } = &*self.encoding;
        features::write_rows(columns, space, self.legal_actions(), observation, rows)
    }
}

/// The value of a game's end to a side: the rules' payoff, or else 1 for winners, -1 for the others, and 0 if all sides or none
/// have won.
pub fn outcome_value(outcome: &Outcome, side: usize, sides: usize) -> f64 {
    if let Some(payoffs) = &outcome.payoffs {
        return payoffs.get(side).map_or(0.0, |payoff| payoff.half_count() as f64 / 2.0);
    }
    let decided = (1..sides).contains(&outcome.winners.len());
    match decided {
        true if outcome.winners.contains(&side) => 1.0,
        true => -1.0,
        false => 0.0,
    }
}
