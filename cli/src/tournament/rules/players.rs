//! Joining and leaving.

use super::{Actor, add_entry, ensure_running, player_named, refusal_problem, void_abandoned_duels};
use crate::tournament::duel::PlayerId;
use crate::tournament::journal::Event;
use crate::tournament::name;
use crate::tournament::state::{Player, Tournament};
use jiff::Timestamp;
use ludex_engine::codes;
use ludex_engine::problem::Problem;

/// Maximum number of players of a tournament.
pub const MOST_PLAYERS: usize = 10_000;

/// Adds a player, at any time, with the initial number of tokens. A player who has left comes back with their old tokens.
pub fn join_tournament(tournament: &mut Tournament, text: &str, now: Timestamp) -> Result<PlayerId, Problem> {
    ensure_running(tournament)?;
    let name = name::check_name(text)?;
    if let Ok(known) = player_named(tournament, &name).cloned() {
        return come_back(tournament, known, now);
    }
    if tournament.players.len() >= MOST_PLAYERS {
        return Err(refusal_problem(format!("a tournament has at most {MOST_PLAYERS} players")));
    }
    let id = PlayerId(tournament.players.keys().last().map_or(1, |last| last.0 + 1));
    tournament.players.insert(id, Player { id, name, joined: now, left: None });
    log_player_event(tournament, id, Event::Joined { player: id }, now);
    Ok(id)
}

/// Lets a known player join again; a refusal if they have not left.
fn come_back(tournament: &mut Tournament, known: Player, now: Timestamp) -> Result<PlayerId, Problem> {
    if known.left.is_none() {
        let shown = name::display_name(&known.name);
        let problem = Problem::error(codes::TOURNAMENT_NAME, format!("there is a player {shown} already"));
        return Err(problem.help("add a second name or a number; capitals and spaces alone do not make a new name"));
    }
    if let Some(player) = tournament.players.get_mut(&known.id) {
        player.left = None;
    }
    log_player_event(tournament, known.id, Event::CameBack { player: known.id }, now);
    Ok(known.id)
}

/// Lets a player leave. Their tokens still count, and their open duels become void.
pub fn leave_tournament(tournament: &mut Tournament, actor: &Actor, now: Timestamp) -> Result<PlayerId, Problem> {
    ensure_running(tournament)?;
    let id = actor.acting_player()?;
    let name = tournament.player_name(id);
    match tournament.players.get_mut(&id) {
        Some(player) if player.left.is_none() => player.left = Some(now),
        _ => return Err(refusal_problem(format!("{name} has left already"))),
    }
    add_entry(tournament, Some(actor), None, Event::Left { player: id }, now);
    void_abandoned_duels(tournament, now);
    Ok(id)
}

/// Adds an entry with the player as its actor.
fn log_player_event(tournament: &mut Tournament, id: PlayerId, event: Event, now: Timestamp) {
    let name = tournament.players.get(&id).map(|player| player.name.clone()).unwrap_or_default();
    let actor = Actor { name, player: Some(id), organiser: false };
    add_entry(tournament, Some(&actor), None, event, now);
}
