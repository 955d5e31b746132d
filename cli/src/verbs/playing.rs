//! Common parts of `play`, `resume` and duels of a tournament: a game at this terminal.

pub mod rematch;
pub mod resume;

use crate::game::{Recorder, RecordingStore, allow_no_recording};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::Dice;
use std::io;
use std::path::PathBuf;

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiceSource {
    /// Ludex rolls
    Seeded,
    /// You roll real dice and type what they show
    Physical,
}

impl DiceSource {
    pub fn to_dice(self) -> Dice {
        match self {
            DiceSource::Physical => Dice::External,
            DiceSource::Seeded => Dice::Seeded,
        }
    }
}

/// A new recording in the platform's folder, or `None` if recordings are impossible there.
pub fn new_recorder(program: &Program, libraries: &[PathBuf]) -> Result<Option<Recorder>, Problem> {
    let made = match RecordingStore::play_store() {
        Some(store) => store.add_recording(&program.game, libraries),
        None => Err(io::Error::new(io::ErrorKind::NotFound, "there is no folder for it")),
    };
    allow_no_recording(made, Some("`save FILE` stores the game where you like"))
}
