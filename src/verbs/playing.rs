//! What `play`, `resume` and duels of a tournament have in common: a game at this terminal.

pub mod go_on;

use crate::exit::{DONE, PROBLEMS};
use crate::game::loaded::BadStart;
use crate::game::{Game, Recorder, RecordingStore, UndoLimit};
use crate::output;
use crate::terminal::questions::NoAnswer;
use crate::terminal::{self, Input, Log, Screen};
use ludex_engine::program::Program;
use ludex_engine::runtime::Dice;
use std::io;

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiceSource {
    /// Ludex rolls
    Seeded,
    /// You roll real dice and type what they show
    Physical,
}

impl DiceSource {
    pub fn dice(self) -> Dice {
        match self {
            DiceSource::Physical => Dice::External,
            DiceSource::Seeded => Dice::Seeded,
        }
    }
}

/// Why no game begins.
pub enum NoGame {
    Bad(BadStart),
    /// Something was asked, and is not answered.
    NoAnswer(NoAnswer),
    /// It has been told already.
    Told,
}

/// Plays a game that was begun, or tells why there is none; gives the exit status.
pub fn play(begun: Result<(Game, Log), NoGame>, undo: UndoLimit, screen: Screen, input: Input) -> u8 {
    match begun {
        Ok((game, log)) => terminal::play(game.limit_undo(undo), log, screen, input).status,
        Err(NoGame::Bad(bad)) => bad.report(),
        Err(NoGame::Told) => PROBLEMS,
        Err(NoGame::NoAnswer(NoAnswer::Quit)) => DONE,
        Err(NoGame::NoAnswer(NoAnswer::Ended(ended))) => {
            output::failure(&ended.words(), Some("`--seat` and `--option` answer the questions before the game"));
            PROBLEMS
        }
    }
}

impl From<BadStart> for NoGame {
    fn from(bad: BadStart) -> NoGame {
        NoGame::Bad(bad)
    }
}

impl From<NoAnswer> for NoGame {
    fn from(none: NoAnswer) -> NoGame {
        NoGame::NoAnswer(none)
    }
}

/// A recording in the platform's folder. Play goes on without one if there can be none.
pub fn new_recorder(program: &Program) -> Option<Recorder> {
    let made = match RecordingStore::of_play() {
        Some(store) => store.add(&program.game),
        None => Err(io::Error::new(io::ErrorKind::NotFound, "there is no folder for it")),
    };
    made.map_err(|error| {
        let help = "`save FILE` keeps the game where you like";
        output::failure(&format!("the game cannot be recorded: {error}"), Some(help));
    })
    .ok()
}
