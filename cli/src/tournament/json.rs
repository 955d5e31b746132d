//! A tournament as JSON objects without secrets.
//!
//! A line-up is secret until both players have chosen; the functions that show both see to that.

use super::duel::{Duel, DuelState, Entrant, LineUp, PlayerId};
use super::journal::{Entry, Event};
use super::standings::{self, Row, Status};
use super::state::{OverReason, Stage, Tournament};
use jiff::Timestamp;
use serde_json::{Value, json};

/// The tournament with its players, ranked. `now` gives the time left.
pub fn standings_json(tournament: &Tournament, now: Timestamp) -> Value {
    let settings = &tournament.settings;
    let game = &settings.game;
    let champions = tournament.over_reason().map(|_| standings::find_champions(tournament)).unwrap_or_default();
    let left = settings.deadline.duration_since(now).as_secs().max(0);
    json!({
        "game": game.id,
        "mode": game.mode,
        "options": game.options,
        "package_hash": game.package_hash,
        "team_size": game.team.as_ref().map(|team| team.size),
        "tokens": settings.tokens,
        "organiser": settings.organiser,
        "deadline": settings.deadline.to_string(),
        "seconds_left": if tournament.over_reason().is_some() { 0 } else { left },
        "state": state_word(tournament),
        "champions": champions.iter().filter_map(|id| tournament.players.get(id)).map(|player| &player.name).collect::<Vec<_>>(),
        "page": settings.page,
        "players": standings::standing_rows(tournament).iter().map(|row| player_json(tournament, row)).collect::<Vec<_>>(),
    })
}

/// Whether the tournament is running, or why it is over.
fn state_word(tournament: &Tournament) -> &'static str {
    match tournament.over_reason() {
        None => "running",
        Some(OverReason::Closed) => "closed",
        Some(OverReason::TimeUp) => "time_up",
        Some(OverReason::AllTokens) => "all_tokens",
    }
}

/// A player's row of the standings.
pub fn player_json(tournament: &Tournament, row: &Row) -> Value {
    let status = match row.status {
        Status::Free => "free",
        Status::InDuel(_) => "in_duel",
        Status::Out => "out",
        Status::Left => "left",
    };
    let duel = match row.status {
        Status::InDuel(number) => Some(number),
        _ => None,
    };
    json!({
        "rank": row.rank,
        "name": tournament.players.get(&row.player).map(|player| &player.name),
        "tokens": row.tokens,
        "won": row.won,
        "lost": row.lost,
        "status": status,
        "duel": duel,
    })
}

/// Line-ups are null until both have chosen.
pub fn duel_json(tournament: &Tournament, duel: &Duel) -> Value {
    let name = |player| tournament.players.get(&player).map(|player| &player.name);
    let [challenger, challenged] = duel.players.map(name);
    let ids = |line_up: &LineUp| line_up.iter().map(|entrant: &Entrant| entrant.id.clone()).collect::<Vec<_>>();
    let reason = match duel.state {
        DuelState::Void(reason) => Some(reason),
        _ => None,
    };
    json!({
        "duel": duel.id,
        "challenger": challenger,
        "challenged": challenged,
        "state": duel_state(tournament, duel),
        "winner": duel.winner_and_loser().and_then(|(winner, _)| name(winner)),
        "reason": reason,
        "chosen": duel.line_ups.each_ref().map(Option::is_some),
        "line_ups": duel.both_line_ups().map(|line_ups| line_ups.map(ids)),
        "agreed": duel.agreed,
        "made": duel.made.to_string(),
        "ended": duel.ended.map(|time| time.to_string()),
        "text": tournament.status_text(duel),
    })
}

/// The word for the state of a duel; that of an accepted one says what comes next.
fn duel_state(tournament: &Tournament, duel: &Duel) -> &'static str {
    match (duel.state, tournament.stage_of(duel)) {
        (DuelState::Challenged, _) => "challenged",
        (DuelState::Refused, _) => "refused",
        (DuelState::Withdrawn, _) => "withdrawn",
        (DuelState::Finished { .. }, _) => "finished",
        (DuelState::Void(_), _) => "void",
        (DuelState::Accepted, Some(Stage::Choosing)) => "choosing",
        (DuelState::Accepted, Some(Stage::Same)) => "same",
        (DuelState::Accepted, _) => "ready",
    }
}

/// An entry of the journal, also in words.
pub fn entry_json(tournament: &Tournament, entry: &Entry) -> Value {
    json!({
        "at": entry.at.to_string(),
        "by": entry.by,
        "duel": entry.duel,
        "event": event_json(tournament, &entry.event),
        "text": entry.describe_entry(tournament),
    })
}

/// An event with the names of players instead of their numbers.
fn event_json(tournament: &Tournament, event: &Event) -> Value {
    let mut value = json!(event);
    let name = |value: &Value| {
        let player = value.as_i64().map(PlayerId).and_then(|id| tournament.players.get(&id));
        player.map_or(Value::Null, |player| json!(player.name))
    };
    for part in ["player", "challenger", "challenged", "winner"] {
        if let Some(found) = value.get_mut(part) {
            *found = name(found);
        }
    }
    if let Some(Value::Array(champions)) = value.get_mut("champions") {
        champions.iter_mut().for_each(|champion| *champion = name(champion));
    }
    value
}
