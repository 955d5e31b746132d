//! Games for those who learn to play them: what a seat sees as a row of numbers, and its answers as a fixed set of actions.
//!
//! `domain` says what may be chosen, and `laid_open` makes the open question out so that it can be looked at. `sizes` looks how many
//! things there are, by playing games from fixed seeds; `space` numbers the actions, and `columns` the
//! numbers of a row. Both depend on the program and on who plays, and on nothing else. `listed` writes legal moves as actions, one
//! after the other; `turn` puts an answer together of the actions that are chosen; `observe` and `features` write rows. `table`
//! tells people what all of it means.

mod columns;
mod domain;
mod features;
mod laid_open;
mod listed;
mod observe;
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
use turn::{Turn, Went};

/// How the games of a program between certain sides are told in numbers.
#[derive(Clone, Debug)]
pub struct Encoding {
    space: Space,
    columns: Columns,
    seats: usize,
    /// So many legal actions have features.
    most_legal: usize,
    hash: String,
}

impl Encoding {
    /// The encoding for games like this session, which must be at the start of one. Equal programs and sides give equal encodings.
    pub fn of(session: &Session) -> Result<Encoding, Box<Problem>> {
        let sizes = Sizes::of(session)?;
        let context = &session.game.context();
        let space = Space::new(context, &sizes);
        let columns = Columns::new(context, &session.machine, &sizes);
        let seats = context.roster.sides + usize::from(context.program.referee.is_some());
        let most_legal = sizes.most_legal.min(space.len());
        Ok(Encoding { space, columns, seats, most_legal, hash: context.program.hash.clone() })
    }

    /// How many actions there are.
    pub fn actions(&self) -> usize {
        self.space.len()
    }

    /// How many numbers an observation has.
    pub fn width(&self) -> usize {
        self.columns.width
    }

    /// How many numbers tell of a legal action.
    pub fn feature_width(&self) -> usize {
        features::width(&self.columns)
    }

    /// Of how many legal actions there are features; the rest are legal all the same.
    pub fn most_legal(&self) -> usize {
        self.most_legal
    }

    /// How many seats there are: the sides', and the referee's if there is one.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// What an action is called: `leap(piece 3)`, `done`.
    pub fn action_name(&self, action: usize) -> Option<String> {
        self.space.name(u32::try_from(action).ok()?)
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
    /// Goes on with a session, which must be of the encoding's program and sides.
    pub fn new(session: Session, encoding: Arc<Encoding>) -> EncodedSession {
        let mut game = EncodedSession { encoding, session, turn: Turn::default() };
        game.turn.begin(&mut game.session, &game.encoding.space);
        game
    }

    /// The game itself.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Begins again from another seed.
    pub fn restart(&mut self, seed: impl Into<Seed>) -> Result<(), Box<Problem>> {
        self.session.restart(seed)?;
        self.turn.begin(&mut self.session, &self.encoding.space);
        Ok(())
    }

    /// The seat that is to choose an action; none if play is over or waits for results of chance.
    pub fn seat(&self) -> Option<usize> {
        self.turn.seat()
    }

    /// The actions that may be chosen now, rising.
    pub fn legal(&self) -> &[u32] {
        self.turn.legal()
    }

    /// Whether no action of the open decision has been chosen yet.
    pub fn is_fresh(&self) -> bool {
        self.turn.is_fresh()
    }

    /// Chooses an action. If it completes an answer, play goes on to the next question.
    pub fn play(&mut self, action: u32) -> Result<(), Box<Problem>> {
        match self.place_of(action) {
            Some(place) => self.play_at(place),
            None => Err(Box::new(self.illegal(action))),
        }
    }

    /// Where an action stands among those that may be chosen now; none if it may not.
    #[inline]
    pub fn place_of(&self, action: u32) -> Option<usize> {
        self.legal().binary_search(&action).ok()
    }

    /// As [`EncodedSession::play`], with the action that stands at a place among those that may be chosen now.
    pub fn play_at(&mut self, place: usize) -> Result<(), Box<Problem>> {
        let went = self.choose_at(place);
        self.look();
        went
    }

    /// As [`EncodedSession::play_at`], but once the action completes an answer, nothing may be chosen until [`EncodedSession::look`].
    /// Who steps many games does the one with several of them, then the other: a processor is faster at the same work than at all
    /// of it in turn.
    pub fn choose_at(&mut self, place: usize) -> Result<(), Box<Problem>> {
        match self.turn.choose(place, &self.encoding.space) {
            Some(Went::Further) => Ok(()),
            Some(Went::Whole(decision, choice)) => {
                self.turn.close();
                self.session.choose(decision, choice)
            }
            None => Err(Box::new(Problem::error(codes::ILLEGAL_CHOICE, format!("no action stands at place {place}")))),
        }
    }

    /// Looks at the question that is open now, if that has not been done.
    pub fn look(&mut self) {
        if self.turn.is_closed() {
            self.turn.begin(&mut self.session, &self.encoding.space);
        }
    }

    /// Answers the open decision as a whole.
    pub fn answer(&mut self, decision: u64, choice: Choice) -> Result<(), Box<Problem>> {
        let went = self.session.choose(decision, choice);
        self.turn.begin(&mut self.session, &self.encoding.space);
        went
    }

    /// The events since the last call, where they are kept.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.session.take_events()
    }

    /// Gives results of chance that are wanted.
    pub fn supply(&mut self, results: &[i64]) -> Result<(), Box<Problem>> {
        let went = self.session.supply(results);
        self.turn.begin(&mut self.session, &self.encoding.space);
        went
    }

    #[cold]
    fn illegal(&self, action: u32) -> Problem {
        let name = self.encoding.space.name(action).unwrap_or_else(|| "no action at all".to_string());
        let problem = Problem::error(codes::ILLEGAL_CHOICE, format!("action {action} ({name}) is not legal now"));
        problem.help("choose one that the mask allows")
    }

    /// How the game ended.
    pub fn outcome(&self) -> Option<&Outcome> {
        match self.session.pending() {
            Pending::Finished(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Writes what a seat sees into a row of as many numbers as the encoding is wide.
    pub fn observe(&self, seat: usize, row: &mut [f32]) {
        observe::write(&self.encoding.columns, &self.encoding.space, &self.session, &self.turn, seat, row);
    }

    /// Writes 1 for each legal action, and 0 for the others.
    pub fn mask(&self, mask: &mut [u8]) {
        mask.fill(0);
        for action in self.legal() {
            if let Some(cell) = mask.get_mut(*action as usize) {
                *cell = 1;
            }
        }
    }

    /// Writes a row for each legal action, as many as there is room for, and gives how many. `observation` is what the seat that is
    /// to choose sees.
    pub fn features(&self, observation: &[f32], rows: &mut [f32]) -> usize {
        let Encoding { space, columns, .. } = &*self.encoding;
        features::write(columns, space, self.legal(), observation, rows)
    }
}

/// What the end of a game is worth to a side: what the rules say, or else 1 for those that have won and -1 for the others, and 0
/// where all have won or nobody.
pub fn worth(outcome: &Outcome, side: usize, sides: usize) -> f64 {
    if let Some(payoffs) = &outcome.payoffs {
        return payoffs.get(side).map_or(0.0, |payoff| payoff.halves() as f64 / 2.0);
    }
    let decided = (1..sides).contains(&outcome.winners.len());
    match decided {
        true if outcome.winners.contains(&side) => 1.0,
        true => -1.0,
        false => 0.0,
    }
}
