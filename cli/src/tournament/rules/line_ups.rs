//! The secret choice of line-ups.
//!
//! A line-up is the entrants that a player brings to a duel. Neither may depend on the other's, so both stay secret until both
//! are known.

use super::{Actor, add_entry, duel_numbered, ensure_running, refusal_problem};
use crate::tournament::duel::{Duel, DuelId, LineUp};
use crate::tournament::journal::Event;
use crate::tournament::state::{Stage, Tournament};
use jiff::Timestamp;
use ludex_engine::problem::Problem;

/// Chooses a line-up for the actor's duel. A choice can be changed until the other player has chosen too; then both are revealed
/// at once. After two equal choices, a new one makes both choose again.
pub fn choose_line_up(tournament: &mut Tournament, actor: &Actor, line_up: LineUp, now: Timestamp) -> Result<DuelId, Problem> {
    ensure_running(tournament)?;
    let (id, side) = duel_to_choose(tournament, actor)?;
    ensure_team_size(tournament, line_up.len())?;
    let same = duel_stage(tournament, id)? == Stage::Same;
    let Some(duel) = tournament.duels.get_mut(&id) else { return Ok(id) };
    if same {
        duel.line_ups = [None, None];
        duel.agreed = [false, false];
    }
    duel.line_ups[side] = Some(line_up);
    let player = duel.players[side];
    let revealed = duel.both_line_ups().map(|both| both.map(LineUp::clone));
    add_entry(tournament, Some(actor), Some(id), Event::Chose { player }, now);
    if let Some(line_ups) = revealed {
        add_entry(tournament, None, Some(id), Event::Revealed { line_ups }, now);
    }
    Ok(id)
}

/// The duel in which the actor has to choose, and their side. Called before the possible choices are shown. A refusal if
/// nothing is chosen in this game, or both have chosen already.
pub fn duel_to_choose(tournament: &Tournament, actor: &Actor) -> Result<(DuelId, usize), Problem> {
    let (duel, side) = own_duel(tournament, actor)?;
    if tournament.settings.game.team.is_none() {
        let title = &tournament.settings.game.title;
        return Err(refusal_problem(format!("players bring nothing to a duel of {title}")).help(play_help(duel.id)));
    }
    match (duel_stage(tournament, duel.id)?, duel.both_line_ups()) {
        (Stage::Ready, Some(line_ups)) => {
            let message = format!("both have chosen: {}", tournament.line_ups_text(duel, line_ups));
            Err(refusal_problem(message).help(play_help(duel.id)))
        }
        _ => Ok((duel.id, side)),
    }
}

/// Refuses a team whose size is not that of the tournament.
pub fn ensure_team_size(tournament: &Tournament, size: usize) -> Result<(), Problem> {
    match &tournament.settings.game.team {
        Some(team) if team.size != size => {
            let message = format!("each player brings {team} to a duel of this tournament, not {size}");
            Err(refusal_problem(message).help(match team.size {
                1 => "name one".to_string(),
                size => format!("name {size}, with a space between them"),
            }))
        }
        _ => Ok(()),
    }
}

/// Agrees that both play with the same line-up. The duel is ready when both agree.
pub fn agree_to_same(tournament: &mut Tournament, actor: &Actor, now: Timestamp) -> Result<DuelId, Problem> {
    ensure_running(tournament)?;
    let (duel, side) = own_duel(tournament, actor)?;
    let id = duel.id;
    if duel_stage(tournament, id)? != Stage::Same {
        let message = format!("there is nothing to agree to in duel {}: {}", id.0, tournament.status_text(duel));
        return Err(refusal_problem(message));
    }
    let Some(duel) = tournament.duels.get_mut(&id) else { return Ok(id) };
    if duel.agreed[side] {
        return Ok(id);
    }
    duel.agreed[side] = true;
    let player = duel.players[side];
    add_entry(tournament, Some(actor), Some(id), Event::Agreed { player }, now);
    Ok(id)
}

/// The accepted duel of the actor, and the side they are on.
fn own_duel<'a>(tournament: &'a Tournament, actor: &Actor) -> Result<(&'a Duel, usize), Problem> {
    let player = actor.acting_player()?;
    let duel = tournament.accepted_duel(player);
    duel.and_then(|duel| Some((duel, duel.side_of(player)?))).ok_or_else(|| {
        let message = format!("{} is not in a duel", tournament.player_name(player));
        refusal_problem(message).help("a duel begins with `ludex tournament challenge` and `ludex tournament accept`")
    })
}

/// The progress of a duel; a refusal if it is not accepted or is over.
fn duel_stage(tournament: &Tournament, duel: DuelId) -> Result<Stage, Problem> {
    let duel = duel_numbered(tournament, duel)?;
    tournament.stage_of(duel).ok_or_else(|| refusal_problem(format!("duel {} is not being played", duel.id.0)))
}

fn play_help(duel: DuelId) -> String {
    format!("`ludex tournament play {}` plays it, and `report` enters its result", duel.0)
}
