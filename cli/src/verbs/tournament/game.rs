//! The game of a tournament's duels.

use super::context::Context;
use crate::args::SeatSpec;
use crate::game::loaded::{GameRequest, LoadedGame, open_requested_game};
use crate::output;
use crate::stop::Stop;
use crate::tournament::duel::{Entrant, LineUp};
use crate::tournament::state::Game;
use ludex_engine::library::CompileRequest;
use ludex_engine::program::Program;
use ludex_engine::runtime::{Dice, Session, Setup};

/// Compiles the game with the settings of the tournament. Prints a note if its files have changed since.
pub fn open_game(context: &Context, game: &Game) -> Result<LoadedGame, Stop> {
    let wanted = CompileRequest { mode: Some(game.mode.clone()), options: game.options.clone(), open: false };
    let loaded = open_requested_game(context.common, GameRequest { game: Some(&game.id), wanted, position: None })?;
    loaded.print_warnings();
    if loaded.program.hash != game.package_hash {
        output::print_remark(
            "note: the files of the game have changed since the tournament began; it continues with the current ones",
        );
    }
    Ok(loaded)
}

/// The line-up that ids name. Starts a game with it, to make sure that it can be played. An error if the rules do not admit it.
pub fn line_up(loaded: &LoadedGame, ids: &[String]) -> Result<LineUp, Stop> {
    let spec = SeatSpec { side: 0, entrants: ids.to_vec(), player: None };
    loaded.choose_entrants(&[spec])?;
    let setup = Setup {
        sides: vec![ids.to_vec(), ids.to_vec()],
        seed: 1.into(),
        dice: Dice::Seeded,
        position: None,
        names: Vec::new(),
        watched: false,
    };
    Session::start(loaded.program.clone(), &setup).map_err(|problem| loaded.stop_with_problem(problem))?;
    let name = |id: &String| loaded.program.sheets.get(id).map_or_else(|| id.clone(), |sheet| sheet.name.clone());
    Ok(ids.iter().map(|id| Entrant { id: id.clone(), name: name(id) }).collect())
}

/// The game's title, with that of its mode unless it is the default.
pub fn game_title(program: &Program) -> String {
    match program.modes.iter().find(|mode| mode.name == program.mode) {
        Some(mode) => format!("{} ({})", program.title, mode.title),
        None => program.title.clone(),
    }
}
