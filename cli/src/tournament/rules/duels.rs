//! From a challenge to a duel.

use super::{Actor, duel_numbered, end, ensure_active, ensure_running, log, player_named, refused};
use crate::tournament::duel::{Duel, DuelId, DuelState, PlayerId};
use crate::tournament::journal::Event;
use crate::tournament::state::Tournament;
use jiff::Timestamp;
use ludex_engine::problem::{Problem, joined};

/// Maximum number of duels of a tournament, including refused ones.
const MOST_DUELS: usize = 100_000;

/// Challenges another player. Players may challenge anybody any number of times, but not again while a challenge is unanswered.
pub fn challenge(tournament: &mut Tournament, actor: &Actor, opponent: &str, now: Timestamp) -> Result<DuelId, Problem> {
    ensure_running(tournament)?;
    let challenger = actor.player()?;
    let challenged = player_named(tournament, opponent)?.id;
    if challenger == challenged {
        return Err(refused("players cannot challenge themselves").help("challenge somebody else"));
    }
    ensure_active(tournament, challenger)?;
    ensure_active(tournament, challenged)?;
    ensure_no_open_challenge(tournament, challenger, challenged)?;
    if tournament.duels.len() >= MOST_DUELS {
        return Err(refused(format!("a tournament has at most {MOST_DUELS} challenges")));
    }
    let id = DuelId(tournament.duels.keys().last().map_or(1, |last| last.0 + 1));
    tournament.duels.insert(id, new_duel(id, [challenger, challenged], now));
    log(tournament, Some(actor), Some(id), Event::Challenged { challenger, challenged }, now);
    Ok(id)
}

fn new_duel(id: DuelId, players: [PlayerId; 2], now: Timestamp) -> Duel {
    Duel {
        id,
        players,
        state: DuelState::Challenged,
        line_ups: [None, None],
        agreed: [false, false],
        commitment: None,
        made: now,
        ended: None,
    }
}

fn ensure_no_open_challenge(tournament: &Tournament, challenger: PlayerId, challenged: PlayerId) -> Result<(), Problem> {
    let between = |duel: &&Duel| duel.side(challenger).is_some() && duel.side(challenged).is_some();
    let mut waiting = tournament.duels.values().filter(|duel| duel.state == DuelState::Challenged);
    let Some(duel) = waiting.find(between) else { return Ok(()) };
    let [first, second] = duel.players.map(|player| tournament.name(player));
    let number = duel.id.0;
    let actor = tournament.typed_name(challenger);
    let help = match duel.players[0] == challenger {
        true => format!("`ludex tournament withdraw {number} --as {actor}` takes it back"),
        false => format!("`ludex tournament accept {number} --as {actor}` accepts it"),
    };
    Err(refused(format!("{first} has challenged {second} already: duel {number}")).help(help))
}

/// Accepts a challenge. A player can be in only one accepted duel.
pub fn accept(tournament: &mut Tournament, actor: &Actor, duel: Option<DuelId>, now: Timestamp) -> Result<DuelId, Problem> {
    ensure_running(tournament)?;
    let id = answered(tournament, actor, duel)?;
    for player in duel_numbered(tournament, id)?.players {
        ensure_active(tournament, player)?;
        if let Some(other) = tournament.accepted_duel(player) {
            let message = format!("{} is in duel {} already", tournament.name(player), other.id.0);
            return Err(refused(message).help("a player is in one duel at a time; play that one, or report it, first"));
        }
    }
    if let Some(duel) = tournament.duels.get_mut(&id) {
        duel.state = DuelState::Accepted;
    }
    log(tournament, Some(actor), Some(id), Event::Accepted, now);
    Ok(id)
}

/// Refuses a challenge, for any reason.
pub fn refuse(tournament: &mut Tournament, actor: &Actor, duel: Option<DuelId>, now: Timestamp) -> Result<DuelId, Problem> {
    ensure_running(tournament)?;
    let id = answered(tournament, actor, duel)?;
    end(tournament, id, DuelState::Refused, now);
    log(tournament, Some(actor), Some(id), Event::Refused, now);
    Ok(id)
}

/// Withdraws a challenge before it is answered.
pub fn withdraw(tournament: &mut Tournament, actor: &Actor, duel: Option<DuelId>, now: Timestamp) -> Result<DuelId, Problem> {
    ensure_running(tournament)?;
    let id = waiting(tournament, actor, duel, 0)?;
    end(tournament, id, DuelState::Withdrawn, now);
    log(tournament, Some(actor), Some(id), Event::Withdrawn, now);
    Ok(id)
}

fn answered(tournament: &Tournament, actor: &Actor, duel: Option<DuelId>) -> Result<DuelId, Problem> {
    waiting(tournament, actor, duel, 1)
}

/// The unanswered challenge in which the actor is on a side: the one that is named, or the only one.
fn waiting(tournament: &Tournament, actor: &Actor, duel: Option<DuelId>, side: usize) -> Result<DuelId, Problem> {
    let player = actor.player()?;
    match duel {
        Some(id) => ensure_waiting(tournament, duel_numbered(tournament, id)?, player, side).map(|()| id),
        None => only_one(tournament, player, side),
    }
}

fn ensure_waiting(tournament: &Tournament, duel: &Duel, player: PlayerId, side: usize) -> Result<(), Problem> {
    let name = tournament.name(player);
    let number = duel.id.0;
    if duel.state != DuelState::Challenged {
        return Err(refused(format!("duel {number} is not waiting for an answer: {}", tournament.status_text(duel))));
    }
    if duel.side(player) == Some(side) {
        return Ok(());
    }
    let [challenger, challenged] = duel.players.map(|player| tournament.name(player));
    Err(match side {
        0 => refused(format!("only {challenger} can withdraw duel {number}, not {name}")),
        _ => refused(format!("only {challenged} can answer duel {number}, not {name}")),
    })
}

fn only_one(tournament: &Tournament, player: PlayerId, side: usize) -> Result<DuelId, Problem> {
    let is_one = |duel: &&Duel| duel.state == DuelState::Challenged && duel.side(player) == Some(side);
    let found: Vec<&Duel> = tournament.duels.values().filter(is_one).collect();
    let name = tournament.name(player);
    match (found.as_slice(), side) {
        ([only], _) => Ok(only.id),
        ([], 0) => Err(refused(format!("no challenge of {name} is waiting for an answer"))),
        ([], _) => Err(refused(format!("no challenge is waiting for {name} to answer"))),
        (several, _) => {
            let other = |duel: &&Duel| format!("{} ({})", duel.id.0, tournament.name(duel.players[1 - side]));
            let numbers = joined(&several.iter().map(other).collect::<Vec<_>>(), "and");
            Err(refused(format!("several challenges are waiting: duels {numbers}")).help("give the number of one of them"))
        }
    }
}
