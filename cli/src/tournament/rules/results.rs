//! The end of a duel: played here, or reported from a table.
//!
//! A game that is played here begins with a commitment, a hash of its seed, which identifies it when it ends. A duel with a
//! winner moves a token; any other end is void.

use super::{
    Actor, add_entry, duel_numbered, end_duel, ensure_running, make_void, player_named, refusal_problem, void_abandoned_duels,
};
use crate::tournament::duel::{Duel, DuelId, DuelState, PlayerId, VoidReason};
use crate::tournament::journal::Event;
use crate::tournament::name;
use crate::tournament::state::{OverReason, Stage, Tournament};
use jiff::Timestamp;
use ludex_engine::problem::Problem;

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnding {
    /// The winning side.
    Won(usize),
    Void(VoidReason),
}

/// A result reported from a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportedResult {
    /// The winner's name.
    Winner(String),
    Tie,
    CalledOff,
}

/// Whether a finished game counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountStatus {
    Yes,
    /// The duel was over before the game. The recording is still stored with it.
    TooLate,
    /// The duel was started again meanwhile.
    BegunAnew,
}

/// Begins a game of a duel. It is identified by its seed commitment; of several games of one duel only the last counts.
pub fn begin_game(
    tournament: &mut Tournament,
    actor: &Actor,
    duel: DuelId,
    commitment: &str,
    now: Timestamp,
) -> Result<(), Problem> {
    ensure_running(tournament)?;
    let found = duel_numbered(tournament, duel)?;
    ensure_ready(tournament, found)?;
    ensure_participant(tournament, actor, found)?;
    if let Some(duel) = tournament.duels.get_mut(&duel) {
        duel.commitment = Some(commitment.to_string());
    }
    add_entry(tournament, Some(actor), Some(duel), Event::GameBegan { commitment: commitment.to_string() }, now);
    Ok(())
}

/// The duel to play: the one that is named, or the actor's current one.
pub fn duel_to_play(tournament: &Tournament, actor: &Actor, duel: Option<DuelId>) -> Result<DuelId, Problem> {
    ensure_running(tournament)?;
    let id = find_meant_duel(tournament, actor, duel, None)?;
    ensure_ready(tournament, duel_numbered(tournament, id)?).map(|()| id)
}

/// Refuses a duel that is not accepted, or in which choices are missing.
fn ensure_ready(tournament: &Tournament, duel: &Duel) -> Result<(), Problem> {
    let problem = refusal_problem(format!("duel {} cannot be played: {}", duel.id.0, tournament.status_text(duel)));
    match missing_step_help(tournament, duel) {
        Some(help) => Err(problem.help(help)),
        None if tournament.stage_of(duel).is_some() => Ok(()),
        None => Err(problem),
    }
}

/// Advice on what the two still have to do before they can play.
fn missing_step_help(tournament: &Tournament, duel: &Duel) -> Option<&'static str> {
    match tournament.stage_of(duel)? {
        Stage::Ready => None,
        Stage::Choosing => Some("`ludex tournament choose --as NAME` chooses"),
        Stage::Same => Some("`ludex tournament choose` and `agree` do this, each with `--as NAME`"),
    }
}

/// Ends a game that began here. Its result and its recording are stored together. It is never refused: if it no longer counts,
/// the return value says why. `recording` is the text of the game's recording.
pub fn finish_game(
    tournament: &mut Tournament,
    duel: DuelId,
    commitment: &str,
    ending: GameEnding,
    recording: String,
    now: Timestamp,
) -> Result<CountStatus, Problem> {
    let found = duel_numbered(tournament, duel)?;
    let counted = match (found.commitment.as_deref() == Some(commitment), found.state) {
        (true, DuelState::Accepted) => CountStatus::Yes,
        (true, _) => CountStatus::TooLate,
        (false, _) => CountStatus::BegunAnew,
    };
    if counted != CountStatus::BegunAnew {
        tournament.recordings.push((duel, recording));
    }
    match counted {
        CountStatus::Yes => conclude_duel(tournament, None, duel, ending, |winner| Event::Played { winner }, now),
        CountStatus::TooLate | CountStatus::BegunAnew => add_entry(tournament, None, Some(duel), Event::NotCounted, now),
    }
    Ok(counted)
}

/// Enters a result from a table, on behalf of one of the two or of the organiser.
pub fn report_result(
    tournament: &mut Tournament,
    actor: &Actor,
    duel: Option<DuelId>,
    reported: &ReportedResult,
    now: Timestamp,
) -> Result<DuelId, Problem> {
    ensure_running(tournament)?;
    let winner = match reported {
        ReportedResult::Winner(name) => Some(player_named(tournament, name)?.id),
        ReportedResult::Tie | ReportedResult::CalledOff => None,
    };
    let id = find_meant_duel(tournament, actor, duel, winner)?;
    let duel = duel_numbered(tournament, id)?;
    ensure_reportable(tournament, duel, reported)?;
    ensure_participant(tournament, actor, duel)?;
    let ending = match (reported, winner) {
        (_, Some(winner)) => GameEnding::Won(side_of_winner(tournament, duel, winner)?),
        (ReportedResult::CalledOff, None) => GameEnding::Void(VoidReason::CalledOff),
        (_, None) => GameEnding::Void(VoidReason::Tie),
    };
    conclude_duel(tournament, Some(actor), id, ending, |winner| Event::Reported { winner }, now);
    Ok(id)
}

/// The duel that is named, or the current one of the actor or the winner.
fn find_meant_duel(
    tournament: &Tournament,
    actor: &Actor,
    duel: Option<DuelId>,
    winner: Option<PlayerId>,
) -> Result<DuelId, Problem> {
    if let Some(duel) = duel {
        return Ok(duel);
    }
    let Some(player) = actor.player.or(winner) else {
        return Err(
            refusal_problem("it is not clear which duel is meant").help("give its number; `ludex tournament duels` lists them")
        );
    };
    match tournament.accepted_duel(player) {
        Some(duel) => Ok(duel.id),
        None => Err(refusal_problem(format!("{} is not in a duel", tournament.player_name(player)))),
    }
}

/// Refuses a report that is not possible yet. A duel can have a result once both choices are known; it may be called off before.
fn ensure_reportable(tournament: &Tournament, duel: &Duel, reported: &ReportedResult) -> Result<(), Problem> {
    let number = duel.id.0;
    let refusal = refusal_problem(format!("duel {number} cannot be reported: {}", tournament.status_text(duel)));
    match duel.state {
        DuelState::Accepted => {
            match missing_step_help(tournament, duel) {
                Some(help) if *reported != ReportedResult::CalledOff => Err(refusal
                    .help(format!("{help}; `ludex tournament report {number} --called-off` ends the duel without a result"))),
                _ => Ok(()),
            }
        }
        DuelState::Finished { .. } => {
            Err(refusal.help(format!("if that is wrong, the organiser can correct it with `ludex tournament void {number}`")))
        }
        _ => Err(refusal),
    }
}

/// Refuses a person who is neither one of the two players nor the organiser.
fn ensure_participant(tournament: &Tournament, actor: &Actor, duel: &Duel) -> Result<(), Problem> {
    if actor.organiser || actor.player.is_some_and(|player| duel.side_of(player).is_some()) {
        return Ok(());
    }
    let [first, second] = duel.players.map(|player| tournament.player_name(player));
    let message = format!("{} is not in duel {}", name::display_name(&actor.name), duel.id.0);
    Err(refusal_problem(message).help(format!("only {first}, {second} or the organiser can do this")))
}

/// The side of the reported winner; a refusal if they are not in the duel.
fn side_of_winner(tournament: &Tournament, duel: &Duel, winner: PlayerId) -> Result<usize, Problem> {
    let [first, second] = duel.players.map(|player| tournament.player_name(player));
    duel.side_of(winner).ok_or_else(|| {
        let message = format!("{} is not in duel {}", tournament.player_name(winner), duel.id.0);
        refusal_problem(message).help(format!("its winner is {first} or {second}"))
    })
}

/// Ends a duel. `event` is the journal's entry if there is a winner. Players who lose their last token are out, and their other
/// duels become void.
fn conclude_duel(
    tournament: &mut Tournament,
    by: Option<&Actor>,
    duel: DuelId,
    ending: GameEnding,
    event: impl Fn(PlayerId) -> Event,
    now: Timestamp,
) {
    match ending {
        GameEnding::Void(reason) => make_void(tournament, by, duel, reason, now),
        GameEnding::Won(winner) => {
            end_duel(tournament, duel, DuelState::Finished { winner }, now);
            let result = tournament.duels.get(&duel).and_then(Duel::winner_and_loser);
            if let Some((winner, _)) = result {
                add_entry(tournament, by, Some(duel), event(winner), now);
            }
        }
    }
    void_abandoned_duels(tournament, now);
}

/// Corrects a mistake on behalf of the organiser: the duel loses its winner, and the token goes back. An open duel simply ends.
/// A winner who has lost the token meanwhile cannot give it back.
pub fn void_duel(tournament: &mut Tournament, actor: &Actor, duel: DuelId, now: Timestamp) -> Result<(), Problem> {
    actor.ensure_organiser(tournament)?;
    let found = duel_numbered(tournament, duel)?;
    if tournament.over_reason() == Some(OverReason::Closed) {
        return Err(refusal_problem("the tournament is closed").help("its results are final"));
    }
    if !found.is_open() && found.winner_and_loser().is_none() {
        return Err(refusal_problem(format!("duel {} has nothing to correct: {}", duel.0, tournament.status_text(found))));
    }
    if let Some((winner, _)) = found.winner_and_loser()
        && tournament.tokens_of(winner) <= 0
    {
        let message = format!("{} has no token left to give back", tournament.player_name(winner));
        return Err(refusal_problem(message).help("first void a later duel that this player has lost, if that one is wrong, too"));
    }
    make_void(tournament, Some(actor), duel, VoidReason::Organiser, now);
    void_abandoned_duels(tournament, now);
    Ok(())
}
