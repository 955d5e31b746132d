//! A rematch: the same sides, the same players, new dice. `play` and `serve` offer it after a game.

use super::seats::{Seat, make_seats};
use super::{Game, NewGame, Recorder, new_salt, unpredictable_seed};
use crate::args::PlayerSpec;
use crate::stop::Stop;
use ludex_engine::problem::Problem;
use ludex_engine::recording::seed_of_bots;
use ludex_engine::runtime::{Dice, Setup};

/// Whether a rematch is possible. A game cannot be repeated if it started from a position, used shares or listed results, or had
/// only bots as players.
pub fn can_rematch(game: &Game) -> bool {
    let header = game.header();
    header.position.is_none()
        && header.shares.is_none()
        && !matches!(Dice::from(&header.dice), Dice::Listed(_))
        && !game.seats().iter().all(Seat::is_bot)
}

/// Starts a new game with the same people, bots and programs. `recorder` creates its recording, see [`Game::start`].
pub fn start_rematch(game: &Game, recorder: impl FnOnce() -> Result<Option<Recorder>, Problem>) -> Result<Game, Stop> {
    let (header, program) = (game.header(), game.session().program().clone());
    let seed = unpredictable_seed()?;
    // The seats know the command lines of programs; the recording does not.
    let player = |seat: usize| {
        let word = game.seats().get(seat).map(|seat| seat.player.as_str());
        word.and_then(|word| word.parse().ok()).unwrap_or(PlayerSpec::Human)
    };
    let referee = match header.seats.get(header.sides.len()) {
        Some(_) => player(header.sides.len()),
        None => PlayerSpec::default(),
    };
    let seats = make_seats(&program, &header.sides, &[], &referee, "human", player, seed_of_bots(seed))?;
    let setup = Setup {
        sides: header.sides.clone(),
        seed,
        dice: Dice::from(&header.dice),
        position: None,
        names: header.names.clone(),
        watched: true,
    };
    let deal = NewGame { program, setup, seats, shares: None, salt: new_salt(), position: None };
    Ok(Game::start(deal, recorder)?)
}
