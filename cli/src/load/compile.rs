//! Loads the libraries and compiles the game of a command line.

use super::{LoadedLibraries, Purpose, open_libraries};
use crate::args::CommonArgs;
use crate::output;
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::library::CompileRequest;
use ludex_engine::problem::{Problem, nearest_word};
use ludex_engine::program::Program;
use std::path::Path;
use std::sync::Arc;

impl CommonArgs {
    /// Reads all libraries: the bundled one, `LUDEX_LIBRARY`, the current folder if it is a library, and `--library`.
    pub fn load_libraries(&self) -> LoadedLibraries {
        open_libraries(self)
    }

    /// Compiles a game in the requested mode and with the requested options, or with those of a scenario, a recording or a
    /// simulation. Optional files with errors are left out. The number of warnings goes to stderr; errors are returned. Sheets
    /// that the command line puts on sides must not have errors.
    pub fn compile_from(
        &self,
        loaded: &mut LoadedLibraries,
        game: &str,
        wanted: &CompileRequest,
        purpose: Purpose,
    ) -> Result<Arc<Program>, Stop> {
        self.compile_with(loaded, game, wanted, (purpose, &self.seat_entrants()))
    }

    /// Like [`CommonArgs::compile_from`], for a game that needs certain sheets or abilities. A game is compiled for a
    /// `Purpose`: the needed files must be free of errors, others may be left out.
    pub fn compile_with(
        &self,
        loaded: &mut LoadedLibraries,
        game: &str,
        wanted: &CompileRequest,
        (purpose, needed): (Purpose, &[&str]),
    ) -> Result<Arc<Program>, Stop> {
        refuse_unknown_game(game, &loaded.library.game_ids()).map_err(|unknown| loaded.unknown_game_stop(unknown))?;
        match loaded.compile_game(game, wanted, (purpose, needed)) {
            Ok((program, mut warnings)) => {
                warnings.splice(0..0, loaded.problems.iter().filter(|problem| !problem.is_error()).cloned());
                output::print_errors(&warnings, &loaded.library.sources);
                Ok(Arc::new(program))
            }
            Err(problems) => Err(Stop::new(problems, loaded.library.sources.clone())),
        }
    }

    /// The entrants that the command line puts on the sides.
    pub fn seat_entrants(&self) -> Vec<&str> {
        self.seats.iter().flat_map(|seat| &seat.entrants).map(String::as_str).collect()
    }
}

/// Refuses an unknown game. The error suggests a similar one of `games`, the known ones.
pub fn refuse_unknown_game(game: &str, games: &[String]) -> Result<(), Problem> {
    if games.iter().any(|known| known == game) {
        return Ok(());
    }
    let problem = Problem::error(codes::UNKNOWN_GAME, format!("there is no game `{game}`"));
    Err(problem.help(did_you_mean(game, games)))
}

/// Suggests a game with a similar name, or the game of the named file.
pub fn did_you_mean(game: &str, games: &[String]) -> String {
    let stem = Path::new(game).file_stem().and_then(|stem| stem.to_str()).filter(|stem| *stem != game);
    if let Some(known) = stem.and_then(|stem| games.iter().find(|known| *known == stem)) {
        return format!("write its name, `{known}`");
    }
    match nearest_word(game, games.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`ludex list` shows the games".to_string(),
    }
}
