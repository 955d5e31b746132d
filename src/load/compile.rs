//! The library and the game that a command line asks for.

use super::{Loaded, load};
use crate::args::Common;
use crate::exit::PROBLEMS;
use crate::output;
use ludex_engine::library::Wanted;
use ludex_engine::problem::{Problem, nearest};
use ludex_engine::program::Program;
use std::sync::Arc;

impl Common {
    /// Reads all libraries: the bundled one, `LUDEX_LIBRARY`, the current folder if it is one, and `--library`.
    pub fn load(&self) -> Loaded {
        load(&self.libraries)
    }

    /// Loads and compiles a game. Errors go to stderr, and how many warnings there are; with an error, or for an unknown game,
    /// the exit status comes back.
    pub fn compile(&self, game: &str) -> Result<Arc<Program>, u8> {
        self.compile_from(&self.load(), game, &self.wanted())
    }

    /// For an unknown game the exit status comes back.
    pub fn known(&self, loaded: &Loaded, game: &str) -> Result<(), u8> {
        let games = loaded.library.games();
        if games.iter().any(|known| known == game) { Ok(()) } else { Err(unknown_game(game, &games)) }
    }

    /// As [`Common::compile`], for a library already loaded and another mode or other options
    /// (a scenario's, a recording's).
    pub fn compile_from(&self, loaded: &Loaded, game: &str, wanted: &Wanted) -> Result<Arc<Program>, u8> {
        self.known(loaded, game)?;
        let (program, mut problems) = loaded.library.compile(game, wanted);
        problems.splice(0..0, loaded.problems.iter().cloned());
        output::errors(&problems, &loaded.library.sources);
        match program {
            Some(program) if !problems.iter().any(Problem::is_error) => Ok(Arc::new(program)),
            _ => Err(PROBLEMS),
        }
    }
}

fn unknown_game(game: &str, games: &[String]) -> u8 {
    let help = match nearest(game, games.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`ludex list` tells which games there are".to_string(),
    };
    output::failure(&format!("there is no game `{game}`"), Some(&help));
    PROBLEMS
}
