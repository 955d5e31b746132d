//! A library: the texts of games, sheets and scripts, put together to games that can be compiled.

use crate::problem::Problem;
use crate::program::Program;
use crate::source::{SourceId, Sources};
use std::collections::BTreeMap;

/// One file as it was found.
#[derive(Clone, Debug)]
pub struct File {
    /// Relative to its library, with `/`: `rules/dice-challenge/play.ludex`.
    pub path: String,
    pub text: String,
    /// Which library it came from: `bundled`, or a folder.
    pub library: String,
}

/// All texts of all libraries, later ones last.
#[derive(Clone, Debug, Default)]
pub struct Library {
    pub sources: Sources,
}

/// What was asked for when compiling a game.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub mode: Option<String>,
    pub options: BTreeMap<String, String>,
}

impl Library {
    pub fn new(_files: Vec<File>) -> (Library, Vec<Problem>) {
        unimplemented!()
    }

    /// The scenario files of a game, in order.
    pub fn scenarios(&self, _game: &str) -> Vec<SourceId> {
        unimplemented!()
    }

    /// The README files of a game's rules, which list its rule ids.
    pub fn readmes(&self, _game: &str) -> Vec<SourceId> {
        unimplemented!()
    }

    /// The ids of all games, sorted.
    pub fn games(&self) -> Vec<String> {
        unimplemented!()
    }

    /// Compiles a game with all sheets and abilities; the program is there if no problem is an error.
    pub fn compile(&self, _game: &str, _wanted: &Wanted) -> (Option<Program>, Vec<Problem>) {
        unimplemented!()
    }
}
