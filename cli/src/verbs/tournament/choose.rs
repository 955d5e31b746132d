//! `ludex tournament choose`: the secret choice of a line-up.

use super::context::Context;
use super::game::{line_up, open_game};
use crate::game::loaded::LoadedGame;
use crate::game::new_seed;
use crate::stop::Stop;
use crate::terminal::questions::Questions;
use crate::terminal::{Input, Screen};
use crate::tournament::rules::{self, Actor};
use crate::tournament::state::Tournament;
use ludex_bots::rng::BotRng;

#[derive(clap::Args)]
pub struct Args {
    /// Who plays for you, by id, as many as each player brings; without them you
    /// are asked, and your answer is removed from the screen
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Who chooses
    #[arg(long = "as", value_name = "NAME")]
    name: String,
}

/// The choice is checked before it is stored, so that a duel cannot fail to start because of it.
pub fn run(args: &Args, context: &Context) -> Result<u8, Stop> {
    let tournament = context.read_tournament()?;
    let actor = Actor::find_by_name(&tournament, Some(&args.name))?;
    // Only a player who may choose is asked.
    rules::duel_to_choose(&tournament, &actor)?;
    let loaded = open_game(context, &tournament.settings.game)?;
    let asked = args.ids.is_empty();
    let ids = if asked { ask_line_up(&loaded, &tournament, &actor)? } else { args.ids.clone() };
    rules::ensure_team_size(&tournament, ids.len())?;
    let line_up = line_up(&loaded, &ids)?;
    context
        .change_duel("choose", Some(&args.name), |tournament, actor, now| rules::choose_line_up(tournament, actor, line_up, now))
}

/// Asks at the terminal, and wipes the answer from it. Entrants are drawn at random if the player leaves it to chance.
fn ask_line_up(loaded: &LoadedGame, tournament: &Tournament, actor: &Actor) -> Result<Vec<String>, Stop> {
    let screen = Screen::detect(false).for_secrets();
    let mut input = Input::new();
    let title = format!("{}, who plays for you?", tournament.player_name(actor.acting_player()?));
    let count = tournament.settings.game.team.as_ref().map_or(0, |team| team.size);
    let chosen = Questions::new(&screen, &mut input).ask_entrants(&loaded.program, &title, count, false);
    screen.wipe_screen();
    match chosen {
        Ok(Some(ids)) => Ok(ids),
        Ok(None) => Ok(loaded.draw_entrants(count, &[], &mut BotRng::new(new_seed(), 0))),
        Err(none) => Err(none.into_stop("name who plays for you: `ludex tournament choose ID --as NAME`")),
    }
}
