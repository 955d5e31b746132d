//! The library and the game that a command line asks for.

use super::{Loaded, load};
use crate::args::Common;
use crate::output;
use crate::stop::Stop;
use ludex_engine::Compile;
use ludex_engine::codes;
use ludex_engine::library::Wanted;
use ludex_engine::problem::{Problem, nearest};
use ludex_engine::program::Program;
use std::path::Path;
use std::sync::Arc;

impl Common {
    /// Reads all libraries: the bundled one, `LUDEX_LIBRARY`, the current folder if it is one, and `--library`.
    pub fn load(&self) -> Loaded {
        load(self)
    }

    /// Compiles a game of a library in some mode and with some options: those that were asked for, or those of a scenario, a
    /// recording or a simulation. How many warnings there are goes to stderr; errors come back.
    pub fn compile_from(&self, loaded: &Loaded, game: &str, wanted: &Wanted) -> Result<Arc<Program>, Stop> {
        known_game(game, &loaded.library.games()).map_err(|unknown| loaded.without_game(unknown))?;
        loaded.tell_strays();
        let (program, mut problems) = loaded.library.compile(game, wanted);
        problems.splice(0..0, loaded.problems.iter().cloned());
        match program {
            Some(program) if !problems.iter().any(Problem::is_error) => {
                output::errors(&problems, &loaded.library.sources);
                Ok(Arc::new(program))
            }
            _ => Err(Stop::new(problems, loaded.library.sources.clone())),
        }
    }
}

/// Refuses a game that there is not.
pub fn known_game(game: &str, games: &[String]) -> Result<(), Problem> {
    if games.iter().any(|known| known == game) {
        return Ok(());
    }
    let problem = Problem::error(codes::UNKNOWN_GAME, format!("there is no game `{game}`"));
    Err(problem.help(did_you_mean(game, games)))
}

/// The game that is meant, if one is called alike, or is in the file that is named.
pub fn did_you_mean(game: &str, games: &[String]) -> String {
    let stem = Path::new(game).file_stem().and_then(|stem| stem.to_str()).filter(|stem| *stem != game);
    if let Some(known) = stem.and_then(|stem| games.iter().find(|known| *known == stem)) {
        return format!("write its name, `{known}`");
    }
    match nearest(game, games.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`ludex list` shows the games".to_string(),
    }
}
