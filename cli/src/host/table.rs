//! A table in memory that takes lines one by one, for fuzz targets. It is the [`Host`] with a buffer instead of stdin and
//! stdout.

use super::input::lines_from;
use super::line_output::{LineBuffer, Out};
use super::{AfterLine, Host};
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

/// The configuration of a table.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The ids of the entrants of each side.
    pub sides: Vec<Vec<String>>,
    /// The players of the other seats.
    pub others: Others,
    /// True if results of chance are requested in lines of their own.
    pub typed: bool,
    /// True if the whole state may be requested.
    pub trusted: bool,
    /// The only seat that lines may speak for.
    pub as_seat: Option<usize>,
}

/// The players of all seats but the one that lines speak for, which is seat 0 by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// Lines answer for them.
    Outside,
    /// Bots that answer at random.
    Random,
    /// Bots whose answers depend only on the number of the question.
    Steady,
}

/// A game with the lines it has sent.
pub struct Table {
    host: Host,
    kept: LineBuffer,
}

/// The effect of a line.
#[derive(Clone, Debug)]
pub struct Heard {
    /// The lines sent before this one was read: events and open requests.
    pub told: Vec<Value>,
    /// The lines sent in reply.
    pub replies: Vec<Value>,
    /// Whether the state of the game or its recording changed.
    pub changed: bool,
    /// Whether the line left the table.
    pub left: bool,
}

impl Table {
    /// Begins a game with seed 7.
    pub fn new(program: Arc<Program>, setting: Setting) -> Result<Table, Problem> {
        let seats =
            setting.sides.iter().enumerate().map(|(seat, entrants)| setting.create_seat(seat, entrants, &program)).collect();
        let dice = if setting.typed { Dice::External } else { Dice::Seeded };
        let setup =
            Setup { sides: setting.sides.clone(), seed: 7.into(), dice, position: None, names: Vec::new(), watched: true };
        let deal = NewGame { program, setup, seats, shares: None, salt: "5a17".to_string(), position: None };
        let kept = LineBuffer::default();
        let game = Game::start(deal, || Ok(None))?;
        let nothing = lines_from(Box::new(Cursor::new(Vec::new())));
        let host = Host::new(game, Out::to_buffer(setting.as_seat, kept.clone()), setting.trusted, nothing);
        host.send_hello();
        Ok(Table { host, kept })
    }

    /// Lets play advance until a line is needed, then passes it one. `None` if play is over.
    pub fn pass_line(&mut self, line: &[u8]) -> Option<Heard> {
        if self.host.advance_play().is_some() {
            return None;
        }
        let told = self.kept.take();
        let (session, recording) = (self.session().clone(), self.recording());
        self.host.input = lines_from(Box::new(Cursor::new([line, b"\n"].concat())));
        let next = self.host.handle_line();
        let changed = recording != self.recording() || !session.same_state(self.session());
        Some(Heard { told, replies: self.kept.take(), changed, left: matches!(next, Ok(AfterLine::Leave)) })
    }

    pub fn session(&self) -> &Session {
        self.host.game.session()
    }

    /// The recording so far.
    pub fn recording(&self) -> String {
        self.host.game.recording_text()
    }
}

impl Setting {
    /// A seat with its player. Seats that lines speak for have an outside player.
    fn create_seat(&self, seat: usize, entrants: &[String], program: &Program) -> Seat {
        let outside = || Seat::for_outside_player(seat, entrants.to_vec(), "stdin");
        match self.others {
            _ if seat == self.as_seat.unwrap_or(0) => outside(),
            Others::Outside => outside(),
            Others::Random => {
                Seat::for_bot(seat, entrants.to_vec(), &PlayerSpec::Random, program, 7).unwrap_or_else(|_| outside())
            }
            Others::Steady => Seat::for_player(seat, entrants.to_vec(), "steady", Box::new(Steady)),
        }
    }
}

/// A player whose answers depend only on the number of the question.
struct Steady;

impl Player for Steady {
    fn answer(&mut self, _: &Session, decision: &Decision) -> Result<Choice, Box<Problem>> {
        Ok(steady_choice(decision, 0))
    }
}

/// An answer determined by the number of its question and `number`, which serves as a seed.
pub fn steady_choice(decision: &Decision, number: u64) -> Choice {
    Random::new(BotRng::new(number, decision.id)).random_choice(decision)
}
