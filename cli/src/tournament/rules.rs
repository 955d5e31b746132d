//! The operations of a tournament, with their conditions and effects: pure functions over its data.
//!
//! Each checks first and changes afterwards, so that a refused operation changes nothing. `now` is the time of the operation.
//! Each adds what it does to the journal.

mod duels;
mod line_ups;
mod organiser;
mod players;
mod results;
#[cfg(test)]
mod tests;

pub use duels::{accept_challenge, challenge_player, refuse_challenge, withdraw_challenge};
pub use line_ups::{agree_to_same, choose_line_up, duel_to_choose, ensure_team_size};
pub use organiser::{apply_deadline, begin_journal, close_tournament, ensure_future, is_deadline_due, move_deadline, set_page};
pub use players::{MOST_PLAYERS, join_tournament, leave_tournament};
pub use results::{CountStatus, GameEnding, ReportedResult, begin_game, duel_to_play, finish_game, report_result, void_duel};

use super::duel::{Duel, DuelId, DuelState, PlayerId, VoidReason};
use super::journal::{Entry, Event};
use super::name;
use super::state::{OverReason, Player, Tournament};
use jiff::Timestamp;
use ludex_engine::codes;
use ludex_engine::problem::{Problem, nearest_word};

/// The person who acts. Names are a convention between people at one machine, not a login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    name: String,
    /// The player that they are, if they take part.
    player: Option<PlayerId>,
    /// Whether they are the organiser, who may also be a player.
    organiser: bool,
}

impl Actor {
    /// The person with a name; without a name, the organiser.
    pub fn find_by_name(tournament: &Tournament, name: Option<&str>) -> Result<Actor, Problem> {
        let organiser = &tournament.settings.organiser;
        let Some(name) = name else {
            return Ok(Actor { name: organiser.clone(), player: None, organiser: true });
        };
        let organises = name::name_key(name) == name::name_key(organiser);
        match player_named(tournament, name) {
            Ok(player) => Ok(Actor { name: player.name.clone(), player: Some(player.id), organiser: organises }),
            Err(_) if organises => Ok(Actor { name: organiser.clone(), player: None, organiser: true }),
            Err(problem) => Err(problem),
        }
    }

    /// The acting player. Fails if only the organiser acts.
    pub fn acting_player(&self) -> Result<PlayerId, Problem> {
        self.player.ok_or_else(|| {
            let (shown, typed) = (name::display_name(&self.name), name::quote_for_shell(&self.name));
            let problem = refusal_problem(format!("only players can do this, and {shown} is the organiser"));
            problem.help(format!("name a player with `--as`; `ludex tournament join {typed}` lets the organiser play, too"))
        })
    }

    /// Refuses a person other than the organiser.
    fn ensure_organiser(&self, tournament: &Tournament) -> Result<(), Problem> {
        if self.organiser {
            return Ok(());
        }
        let organiser = name::quote_for_shell(&tournament.settings.organiser);
        Err(refusal_problem(format!("only the organiser can do this, not {}", name::display_name(&self.name)))
            .help(format!("leave out `--as`, or say `--as {organiser}`")))
    }
}

/// The refusal of an operation in the current state.
fn refusal_problem(message: impl Into<String>) -> Problem {
    Problem::error(codes::TOURNAMENT_REFUSED, message)
}

/// Finds a player by name, ignoring case.
pub fn player_named<'a>(tournament: &'a Tournament, name: &str) -> Result<&'a Player, Problem> {
    let key = name::name_key(name);
    if let Some(player) = tournament.players.values().find(|player| name::name_key(&player.name) == key) {
        return Ok(player);
    }
    let names: Vec<String> = tournament.players.values().map(|player| name::display_name(&player.name)).collect();
    let problem = Problem::error(codes::TOURNAMENT_UNKNOWN, format!("there is no player `{}`", name::display_name(name)));
    let begins = names.iter().map(String::as_str).find(|known| name::name_key(known).starts_with(&key));
    Err(match nearest_word(name, names.iter().map(String::as_str)).or(begins.filter(|_| !key.is_empty())) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem.help("`ludex tournament standings` lists the players, and `ludex tournament join NAME` adds one"),
    })
}

/// Finds a duel by its number.
pub fn duel_numbered(tournament: &Tournament, id: DuelId) -> Result<&Duel, Problem> {
    tournament.duels.get(&id).ok_or_else(|| {
        let problem = Problem::error(codes::TOURNAMENT_UNKNOWN, format!("there is no duel {}", id.0));
        match tournament.duels.len() {
            0 => problem.help("there are no challenges yet"),
            1 => problem.help("there is only duel 1"),
            count => problem.help(format!("duels are numbered from 1 to {count}")),
        }
    })
}

/// Refuses an operation that needs a running tournament.
fn ensure_running(tournament: &Tournament) -> Result<(), Problem> {
    let Some(over) = tournament.over_reason() else { return Ok(()) };
    let why = match over {
        OverReason::Closed => "the tournament is closed",
        OverReason::TimeUp => "time is up",
        OverReason::AllTokens => "the tournament is over: one player holds every token",
    };
    let help = match over {
        OverReason::Closed => "`ludex tournament standings` shows who has won",
        _ => "`ludex tournament standings` shows who has won; the organiser corrects a result with `ludex tournament void DUEL`",
    };
    Err(refusal_problem(why).help(help))
}

/// Refuses a player who cannot duel, having left or lost all tokens.
fn ensure_active(tournament: &Tournament, player: PlayerId) -> Result<(), Problem> {
    let name = tournament.player_name(player);
    if tournament.players.get(&player).is_some_and(|player| player.left.is_some()) {
        return Err(refusal_problem(format!("{name} has left"))
            .help(format!("`ludex tournament join {}` lets them come back", tournament.typed_name(player))));
    }
    if tournament.tokens_of(player) <= 0 {
        return Err(refusal_problem(format!("{name} has no tokens left, and is out")));
    }
    Ok(())
}

/// Applies the automatic effects of an operation: open duels of players who have left or have no tokens become void.
fn void_abandoned_duels(tournament: &mut Tournament, now: Timestamp) {
    let tokens = tournament.tokens_by_player();
    let has_left = |id: &PlayerId| tournament.players.get(id).is_some_and(|player| player.left.is_some());
    let is_out = |id: &PlayerId| tokens.get(id).is_none_or(|&tokens| tokens <= 0);
    let reason = |duel: &Duel| match duel.players.iter().any(has_left) {
        true => Some(VoidReason::Left),
        false => duel.players.iter().any(is_out).then_some(VoidReason::NoTokens),
    };
    let open = tournament.duels.values().filter(|duel| duel.is_open());
    let ended: Vec<(DuelId, VoidReason)> = open.filter_map(|duel| Some((duel.id, reason(duel)?))).collect();
    for (duel, reason) in ended {
        make_void(tournament, None, duel, reason, now);
    }
}

/// Ends a duel without a winner; a previous winner gives the token back. The token needs no change, because tokens are computed
/// from the duels.
fn make_void(tournament: &mut Tournament, by: Option<&Actor>, duel: DuelId, reason: VoidReason, now: Timestamp) {
    let winner = tournament.duels.get(&duel).and_then(Duel::winner_and_loser).map(|(winner, _)| winner);
    end_duel(tournament, duel, DuelState::Void(reason), now);
    add_entry(tournament, by, Some(duel), Event::Voided { reason, winner }, now);
}

/// Sets the final state of a duel.
fn end_duel(tournament: &mut Tournament, duel: DuelId, state: DuelState, now: Timestamp) {
    if let Some(duel) = tournament.duels.get_mut(&duel) {
        duel.state = state;
        duel.ended = Some(now);
    }
}

/// Adds an entry to the journal.
fn add_entry(tournament: &mut Tournament, by: Option<&Actor>, duel: Option<DuelId>, event: Event, now: Timestamp) {
    let by = by.map(|actor| actor.name.clone());
    tournament.entries.push(Entry { at: now, by, duel, event });
}
