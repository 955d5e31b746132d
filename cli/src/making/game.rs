//! A small new game, that of the tutorial, as a starting point for another.

use super::{Name, NewFile, NewFiles, trial};
use crate::load::{LoadedLibraries, slashed_path};
use crate::making::workshop::compile_in_modes;
use crate::stop::Stop;
use ludex_engine::library::{CompileRequest, File};
use ludex_engine::problem::Problem;
use std::path::Path;

const RULES: &str = include_str!("game/rules.ludex");
const README: &str = include_str!("game/README.md");
const SCENARIOS: &str = include_str!("game/scenarios.yaml");

/// Creates the rules of a game with a table, and scenarios. `folder` is the one they will be written to, whose name problems
/// show.
pub fn create_game(loaded: &LoadedLibraries, name: &Name, folder: &Path) -> Result<NewFiles, Stop> {
    refuse_taken_game(loaded, name)?;
    let id = &name.id;
    let named = |text: &str| text.replace("NEW-GAME", id).replace("New Game", &name.title);
    let files = vec![
        NewFile::new(format!("rules/{id}/{id}.ludex"), named(RULES)),
        NewFile::new(format!("rules/{id}/README.md"), named(README)),
        NewFile::new(format!("rules/{id}/scenarios/{id}.yaml"), named(SCENARIOS)),
    ];
    let library = slashed_path(folder);
    let file = |file: &NewFile| File { path: file.path.clone(), text: file.text.clone(), library: library.clone() };
    let program = compile_in_modes(loaded, files.iter().map(file).collect(), id, &CompileRequest::default())?;
    trial::play_trial(&program, None, 1)?;
    let next = vec![
        (format!("ludex play {id}"), "play it against a bot"),
        (format!("ludex test {id}"), "run its scenarios"),
        (format!("ludex sim {id} --seat 0=:policy=careful"), "let bots play a thousand games"),
    ];
    Ok(NewFiles { files, next })
}

/// Refuses the name of an existing game.
pub fn refuse_taken_game(loaded: &LoadedLibraries, name: &Name) -> Result<(), Problem> {
    match loaded.library.game_ids().contains(&name.id) {
        true => Err(name.taken_problem("a game")),
        false => Ok(()),
    }
}
