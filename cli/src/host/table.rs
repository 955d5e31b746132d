//! A table in memory, to which lines are said one by one: for fuzz targets.

use super::input::lines_of;
use super::out::{Kept, Out};
use super::{Host, Next};
use crate::args::PlayerSpec;
use crate::game::{Game, NewGame, Seat};
use ludex_bots::rng::BotRng;
use ludex_bots::{Player, Random};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::{Choice, Decision, Dice, Session, Setup};
use serde_json::Value;
use std::io::Cursor;
use std::sync::Arc;

/// How a table is set.
#[derive(Clone, Debug)]
pub struct Setting {
    /// For each side the ids of its entrants.
    pub sides: Vec<Vec<String>>,
    /// Who answers for the other seats.
    pub others: Others,
    /// Results of chance are asked for in lines of their own.
    pub typed: bool,
    /// The whole state may be asked for.
    pub trusted: bool,
    /// Only this seat is spoken for.
    pub as_seat: Option<usize>,
}

/// Who answers for all seats but the one that is spoken for, which is seat 0 if there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// Lines do.
    Outside,
    /// Bots that answer at random.
    Random,
    /// Bots of which each answer follows from the number of the question, whatever they were asked before.
    Steady,
}

pub struct Table {
    host: Host,
    kept: Kept,
}

/// What came of a line.
#[derive(Clone, Debug)]
pub struct Heard {
    /// What was sent before the line was read: what had happened, and what is open.
    pub told: Vec<Value>,
    /// What was sent in reply.
    pub replies: Vec<Value>,
    /// Whether the game stands otherwise than before, or other lines are in its recording.
    pub changed: bool,
    /// Whether the line left the table.
    pub left: bool,
}

impl Table {
    /// A game from seed 7.
    pub fn new(program: Arc<Program>, setting: Setting) -> Result<Table, Problem> {
        let seats = setting.sides.iter().enumerate().map(|(seat, entrants)| setting.seat(seat, entrants, &program)).collect();
        let dice = if setting.typed { Dice::External } else { Dice::Seeded };
        let setup =
            Setup { sides: setting.sides.clone(), seed: 7.into(), dice, position: None, names: Vec::new(), watched: true };
        let deal = NewGame { program, setup, seats, shares: None, salt: "5a17".to_string(), position: None };
        let kept = Kept::default();
        let game = Game::start(deal, || Ok(None))?;
        let nothing = lines_of(Box::new(Cursor::new(Vec::new())));
        let host = Host::new(game, Out::kept(setting.as_seat, kept.clone()), setting.trusted, nothing);
        host.greet();
        Ok(Table { host, kept })
    }

    /// Says a line when it is somebody's turn to speak; none if play is over.
    pub fn say(&mut self, line: &[u8]) -> Option<Heard> {
        if self.host.advance().is_some() {
            return None;
        }
        let told = self.kept.take();
        let (session, recording) = (self.session().clone(), self.recording());
        self.host.input = lines_of(Box::new(Cursor::new([line, b"\n"].concat())));
        let next = self.host.hear();
        let changed = recording != self.recording() || !session.same_state(self.session());
        Some(Heard { told, replies: self.kept.take(), changed, left: matches!(next, Ok(Next::Leave)) })
    }

    pub fn session(&self) -> &Session {
        self.host.game.session()
    }

    /// The recording as it stands.
    pub fn recording(&self) -> String {
        self.host.game.recording()
    }
}

impl Setting {
    fn seat(&self, seat: usize, entrants: &[String], program: &Program) -> Seat {
        let outside = || Seat::outside(seat, entrants.to_vec(), "stdin");
        match self.others {
            _ if seat == self.as_seat.unwrap_or(0) => outside(),
            Others::Outside => outside(),
            Others::Random => Seat::bot(seat, entrants.to_vec(), &PlayerSpec::Random, program, 7).unwrap_or_else(|_| outside()),
            Others::Steady => Seat::answered_by(seat, entrants.to_vec(), "steady", Box::new(Steady)),
        }
    }
}

/// Answers by the number of the question alone.
struct Steady;

impl Player for Steady {
    fn answer(&mut self, _: &Session, decision: &Decision) -> Result<Choice, Box<Problem>> {
        Ok(lot(decision, 0))
    }
}

/// An answer that follows from the number of its question and this number.
pub fn lot(decision: &Decision, number: u64) -> Choice {
    Random::new(BotRng::new(number, decision.id)).choose(decision)
}
