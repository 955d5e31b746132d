//! The secret choice of line-ups.

use super::{Actor, duel_numbered, ensure_running, log, refused};
use crate::tournament::duel::{Duel, DuelId, LineUp};
use crate::tournament::journal::Event;
use crate::tournament::state::{Stage, Tournament};
use jiff::Timestamp;
use ludex_engine::problem::Problem;

/// Chooses a line-up for the actor's duel. A choice can be changed until the other player has chosen too; then both are revealed
/// at once. After two equal choices, a new one makes both choose again.
pub fn choose(tournament: &mut Tournament, actor: &Actor, line_up: LineUp, now: Timestamp) -> Result<DuelId, Problem> {
    ensure_running(tournament)?;
    let (id, side) = chooses_in(tournament, actor)?;
    ensure_team_size(tournament, line_up.len())?;
    let same = stage(tournament, id)? == Stage::Same;
    let Some(duel) = tournament.duels.get_mut(&id) else { return Ok(id) };
    if same {
        duel.line_ups = [None, None];
        duel.agreed = [false, false];
    }
    duel.line_ups[side] = Some(line_up);
    let player = duel.players[side];
    let revealed = duel.revealed().map(|both| both.map(LineUp::clone));
    log(tournament, Some(actor), Some(id), Event::Chose { player }, now);
    if let Some(line_ups) = revealed {
        log(tournament, None, Some(id), Event::Revealed { line_ups }, now);
    }
    Ok(id)
}

/// The duel in which the actor has to choose, and their side. Called before the possible choices are shown.
pub fn chooses_in(tournament: &Tournament, actor: &Actor) -> Result<(DuelId, usize), Problem> {
    let (duel, side) = own_duel(tournament, actor)?;
    if tournament.settings.game.team.is_none() {
        let title = &tournament.settings.game.title;
        return Err(refused(format!("players bring nothing to a duel of {title}")).help(play_it(duel.id)));
    }
    match (stage(tournament, duel.id)?, duel.revealed()) {
        (Stage::Ready, Some(line_ups)) => {
            let message = format!("both have chosen: {}", tournament.plays(duel, line_ups));
            Err(refused(message).help(play_it(duel.id)))
        }
        _ => Ok((duel.id, side)),
    }
}

/// Refuses a team whose size is not that of the tournament.
pub fn ensure_team_size(tournament: &Tournament, size: usize) -> Result<(), Problem> {
    match &tournament.settings.game.team {
        Some(team) if team.size != size => {
            let message = format!("each player brings {team} to a duel of this tournament, not {size}");
            Err(refused(message).help(match team.size {
                1 => "name one".to_string(),
                size => format!("name {size}, with a space between them"),
            }))
        }
        _ => Ok(()),
    }
}

/// Agrees that both play with the same line-up. The duel is ready when both agree.
pub fn agree(tournament: &mut Tournament, actor: &Actor, now: Timestamp) -> Result<DuelId, Problem> {
    ensure_running(tournament)?;
    let (duel, side) = own_duel(tournament, actor)?;
    let id = duel.id;
    if stage(tournament, id)? != Stage::Same {
        let message = format!("there is nothing to agree to in duel {}: {}", id.0, tournament.status_text(duel));
        return Err(refused(message));
    }
    let Some(duel) = tournament.duels.get_mut(&id) else { return Ok(id) };
    if duel.agreed[side] {
        return Ok(id);
    }
    duel.agreed[side] = true;
    let player = duel.players[side];
    log(tournament, Some(actor), Some(id), Event::Agreed { player }, now);
    Ok(id)
}

fn own_duel<'a>(tournament: &'a Tournament, actor: &Actor) -> Result<(&'a Duel, usize), Problem> {
    let player = actor.player()?;
    let duel = tournament.accepted_duel(player);
    duel.and_then(|duel| Some((duel, duel.side(player)?))).ok_or_else(|| {
        let message = format!("{} is not in a duel", tournament.name(player));
        refused(message).help("a duel begins with `ludex tournament challenge` and `ludex tournament accept`")
    })
}

fn stage(tournament: &Tournament, duel: DuelId) -> Result<Stage, Problem> {
    let duel = duel_numbered(tournament, duel)?;
    tournament.stage(duel).ok_or_else(|| refused(format!("duel {} is not being played", duel.id.0)))
}

fn play_it(duel: DuelId) -> String {
    format!("`ludex tournament play {}` plays it, and `report` enters its result", duel.0)
}
