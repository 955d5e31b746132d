//! From a challenge to a duel.

use super::{Actor, add_entry, duel_numbered, end_duel, ensure_active, ensure_running, player_named, refusal_problem};
use crate::tournament::duel::{Duel, DuelId, DuelState, PlayerId};
use crate::tournament::journal::Event;
use crate::tournament::state::Tournament;
use jiff::Timestamp;
use ludex_engine::problem::{Problem, join_words};

/// Maximum number of duels of a tournament, including refused ones.
const MOST_DUELS: usize = 100_000;

/// Challenges another player. Players may challenge anybody any number of times, but not again while a challenge is unanswered.
pub fn challenge_player(tournament: &mut Tournament, actor: &Actor, opponent: &str, now: Timestamp) -> Result<DuelId, Problem> {
    ensure_running(tournament)?;
    let challenger = actor.acting_player()?;
    let challenged = player_named(tournament, opponent)?.id;
    if challenger == challenged {
        return Err(refusal_problem("players cannot challenge themselves").help("challenge another player"));
    }
    ensure_active(tournament, challenger)?;
    ensure_active(tournament, challenged)?;
    ensure_no_open_challenge(tournament, challenger, challenged)?;
    if tournament.duels.len() >= MOST_DUELS {
        return Err(refusal_problem(format!("a tournament has at most {MOST_DUELS} challenges")));
    }
    let id = DuelId(tournament.duels.keys().last().map_or(1, |last| last.0 + 1));
    tournament.duels.insert(id, new_duel(id, [challenger, challenged], now));
    add_entry(tournament, Some(actor), Some(id), Event::Challenged { challenger, challenged }, now);
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

/// Refuses a challenge while another between the two, in either direction, is unanswered.
fn ensure_no_open_challenge(tournament: &Tournament, challenger: PlayerId, challenged: PlayerId) -> Result<(), Problem> {
    let between = |duel: &&Duel| duel.side_of(challenger).is_some() && duel.side_of(challenged).is_some();
    let mut waiting = tournament.duels.values().filter(|duel| duel.state == DuelState::Challenged);
    let Some(duel) = waiting.find(between) else { return Ok(()) };
    let [first, second] = duel.players.map(|player| tournament.player_name(player));
    let number = duel.id.0;
    let actor = tournament.typed_name(challenger);
    let help = match duel.players[0] == challenger {
        true => format!("`ludex tournament withdraw {number} --as {actor}` takes it back"),
        false => format!("`ludex tournament accept {number} --as {actor}` accepts it"),
    };
    Err(refusal_problem(format!("{first} has challenged {second} already: duel {number}")).help(help))
}

/// Accepts a challenge. A player can be in only one accepted duel.
pub fn accept_challenge(
    tournament: &mut Tournament,
    actor: &Actor,
    duel: Option<DuelId>,
    now: Timestamp,
) -> Result<DuelId, Problem> {
    ensure_running(tournament)?;
    let id = challenge_to_answer(tournament, actor, duel)?;
    for player in duel_numbered(tournament, id)?.players {
        ensure_active(tournament, player)?;
        if let Some(other) = tournament.accepted_duel(player) {
            let message = format!("{} is in duel {} already", tournament.player_name(player), other.id.0);
            return Err(refusal_problem(message).help("a player is in one duel at a time; play that one, or report it, first"));
        }
    }
    if let Some(duel) = tournament.duels.get_mut(&id) {
        duel.state = DuelState::Accepted;
    }
    add_entry(tournament, Some(actor), Some(id), Event::Accepted, now);
    Ok(id)
}

/// Refuses a challenge, for any reason.
pub fn refuse_challenge(
    tournament: &mut Tournament,
    actor: &Actor,
    duel: Option<DuelId>,
    now: Timestamp,
) -> Result<DuelId, Problem> {
    ensure_running(tournament)?;
    let id = challenge_to_answer(tournament, actor, duel)?;
    end_duel(tournament, id, DuelState::Refused, now);
    add_entry(tournament, Some(actor), Some(id), Event::Refused, now);
    Ok(id)
}

/// Withdraws a challenge before it is answered.
pub fn withdraw_challenge(
    tournament: &mut Tournament,
    actor: &Actor,
    duel: Option<DuelId>,
    now: Timestamp,
) -> Result<DuelId, Problem> {
    ensure_running(tournament)?;
    let id = unanswered_challenge(tournament, actor, duel, 0)?;
    end_duel(tournament, id, DuelState::Withdrawn, now);
    add_entry(tournament, Some(actor), Some(id), Event::Withdrawn, now);
    Ok(id)
}

/// The unanswered challenge that the actor may accept or refuse.
fn challenge_to_answer(tournament: &Tournament, actor: &Actor, duel: Option<DuelId>) -> Result<DuelId, Problem> {
    unanswered_challenge(tournament, actor, duel, 1)
}

/// The unanswered challenge in which the actor is on a side: the one that is named, or the only one. Side 0 is the challenger,
/// side 1 the challenged player.
fn unanswered_challenge(tournament: &Tournament, actor: &Actor, duel: Option<DuelId>, side: usize) -> Result<DuelId, Problem> {
    let player = actor.acting_player()?;
    match duel {
        Some(id) => ensure_waiting(tournament, duel_numbered(tournament, id)?, player, side).map(|()| id),
        None => only_challenge(tournament, player, side),
    }
}

/// Refuses a duel that was answered already, or whose given side is another player.
fn ensure_waiting(tournament: &Tournament, duel: &Duel, player: PlayerId, side: usize) -> Result<(), Problem> {
    let name = tournament.player_name(player);
    let number = duel.id.0;
    if duel.state != DuelState::Challenged {
        return Err(refusal_problem(format!("duel {number} is not waiting for an answer: {}", tournament.status_text(duel))));
    }
    if duel.side_of(player) == Some(side) {
        return Ok(());
    }
    let [challenger, challenged] = duel.players.map(|player| tournament.player_name(player));
    Err(match side {
        0 => refusal_problem(format!("only {challenger} can withdraw duel {number}, not {name}")),
        _ => refusal_problem(format!("only {challenged} can answer duel {number}, not {name}")),
    })
}

/// The only unanswered challenge with the player on this side; a refusal if there are none or several.
fn only_challenge(tournament: &Tournament, player: PlayerId, side: usize) -> Result<DuelId, Problem> {
    let is_one = |duel: &&Duel| duel.state == DuelState::Challenged && duel.side_of(player) == Some(side);
    let found: Vec<&Duel> = tournament.duels.values().filter(is_one).collect();
    let name = tournament.player_name(player);
    match (found.as_slice(), side) {
        ([only], _) => Ok(only.id),
        ([], 0) => Err(refusal_problem(format!("no challenge of {name} is waiting for an answer"))),
        ([], _) => Err(refusal_problem(format!("no challenge is waiting for {name} to answer"))),
        (several, _) => {
            let other = |duel: &&Duel| format!("{} ({})", duel.id.0, tournament.player_name(duel.players[1 - side]));
            let numbers = join_words(&several.iter().map(other).collect::<Vec<_>>(), "and");
            Err(refusal_problem(format!("several challenges are waiting: duels {numbers}"))
                .help("give the number of one of them"))
        }
    }
}
