//! A small new game, that of the tutorial, as a starting point for another.

use super::{Made, Name, NewFile, trial};
use crate::load::{Loaded, slashed};
use crate::making::workshop::compiled;
use crate::stop::Stop;
use ludex_engine::library::{File, Wanted};
use ludex_engine::problem::Problem;
use std::path::Path;

const RULES: &str = include_str!("game/rules.ludex");
const README: &str = include_str!("game/README.md");
const SCENARIOS: &str = include_str!("game/scenarios.yaml");

/// Creates the rules of a game with a table, and scenarios.
pub fn game(loaded: &Loaded, name: &Name, folder: &Path) -> Result<Made, Stop> {
    free(loaded, name)?;
    let id = &name.id;
    let named = |text: &str| text.replace("NEW-GAME", id).replace("New Game", &name.title);
    let files = vec![
        NewFile::new(format!("rules/{id}/{id}.ludex"), named(RULES)),
        NewFile::new(format!("rules/{id}/README.md"), named(README)),
        NewFile::new(format!("rules/{id}/scenarios/{id}.yaml"), named(SCENARIOS)),
    ];
    let library = slashed(folder);
    let file = |file: &NewFile| File { path: file.path.clone(), text: file.text.clone(), library: library.clone() };
    let program = compiled(loaded, files.iter().map(file).collect(), id, &Wanted::default())?;
    trial::played(&program, None, 1)?;
    let next = vec![
        (format!("ludex play {id}"), "play it against a bot"),
        (format!("ludex test {id}"), "run its scenarios"),
        (format!("ludex sim {id} --seat 0=:policy=careful"), "let bots play a thousand games"),
    ];
    Ok(Made { files, next })
}

/// Refuses the name of an existing game.
pub fn free(loaded: &Loaded, name: &Name) -> Result<(), Problem> {
    match loaded.library.games().contains(&name.id) {
        true => Err(name.taken("a game")),
        false => Ok(()),
    }
}
