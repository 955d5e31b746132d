//! The same game once more: the same sides, the same players, new dice.

use super::go_on::recorded_player;
use super::new_recorder;
use crate::args::PlayerSpec;
use crate::game::seats::{Seat, seats};
use crate::game::{Game, NewGame, UndoLimit, new_key, new_salt};
use crate::stop::Stop;
use crate::terminal::{self, End, Ended, Face, Log, Question};
use ludex_engine::recording::seed_of_bots;
use ludex_engine::runtime::{Dice, Setup};

/// Plays a game that was begun; gives the exit status.
pub fn play((game, log): (Game, Log), undo: UndoLimit, face: &dyn Face) -> Result<u8, Stop> {
    let mut played = terminal::play(game.limit_undo(undo), log, face);
    while matches!(played.end, End::Over(_)) && face.is_keyboard() && can_be(&played.game) {
        if !is_wanted(face).unwrap_or(false) {
            break;
        }
        let game = of(&played.game)?;
        played = terminal::play(game.limit_undo(undo), Log::default(), face);
    }
    played.status
}

/// Asks whoever has just played whether they want to play again.
fn is_wanted(face: &dyn Face) -> Result<bool, Ended> {
    loop {
        let line = face.ask(Question::bare("rematch, or Enter to leave:"))?;
        match line.to_lowercase().as_str() {
            "rematch" | "again" | "r" | "y" | "yes" => return Ok(true),
            "" | "n" | "no" | "q" | "quit" | "exit" | "leave" => return Ok(false),
            _ => face.say("type `rematch` to play again with the same sides and new dice, or press Enter"),
        }
    }
}

/// Whether there can be one: not of a position, which is one moment of a game, nor of results that were listed, nor where
/// nobody but bots has played.
fn can_be(game: &Game) -> bool {
    let header = game.header();
    header.position.is_none()
        && header.shares.is_none()
        && !matches!(Dice::from(&header.dice), Dice::Listed(_))
        && !game.seats().iter().all(Seat::is_bot)
}

/// A new game of the same people and bots.
fn of(game: &Game) -> Result<Game, Stop> {
    let (header, program) = (game.header(), game.session().program().clone());
    let seed = new_key()?;
    let referee = match header.seats.get(header.sides.len()) {
        Some(_) => recorded_player(header, header.sides.len()),
        None => PlayerSpec::default(),
    };
    let player = |seat| recorded_player(header, seat);
    let seats = seats(&program, &header.sides, &[], &referee, "human", player, seed_of_bots(seed))?;
    let setup = Setup {
        sides: header.sides.clone(),
        seed,
        dice: Dice::from(&header.dice),
        position: None,
        names: header.names.clone(),
        watched: true,
    };
    let deal = NewGame { program: program.clone(), setup, seats, shares: None, salt: new_salt(), position: None };
    Ok(Game::start(deal, || new_recorder(&program))?)
}
