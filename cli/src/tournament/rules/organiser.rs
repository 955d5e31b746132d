//! The operations of the organiser: the end of the tournament, and its page.

use super::{Actor, add_entry, ensure_running, make_void, refusal_problem};
use crate::tournament::duel::{DuelId, VoidReason};
use crate::tournament::journal::Event;
use crate::tournament::state::{OverReason, Settings, Tournament};
use crate::tournament::{standings, time};
use jiff::Timestamp;
use ludex_engine::problem::Problem;
use std::path::PathBuf;

/// Writes the first line of the journal.
pub fn begin_journal(tournament: &mut Tournament, now: Timestamp) {
    let actor = Actor { name: tournament.settings.organiser.clone(), player: None, organiser: true };
    add_entry(tournament, Some(&actor), None, Event::Began, now);
}

/// Whether the deadline has passed but has not been applied yet.
pub fn is_deadline_due(settings: &Settings, now: Timestamp) -> bool {
    now >= settings.deadline && !settings.time_up && settings.closed.is_none()
}

/// Applies the deadline once it has passed: open duels become void. Every command begins with this, so that no process has to
/// wait for the deadline. The entries of the journal have the time of the deadline.
pub fn apply_deadline(tournament: &mut Tournament, now: Timestamp) {
    if is_deadline_due(&tournament.settings, now) {
        let deadline = tournament.settings.deadline;
        tournament.settings.time_up = true;
        add_entry(tournament, None, None, Event::TimeUp, deadline);
        end_open_duels(tournament, VoidReason::TimeUp, deadline);
    }
}

/// Makes every open duel void.
fn end_open_duels(tournament: &mut Tournament, reason: VoidReason, now: Timestamp) {
    let open: Vec<DuelId> = tournament.duels.values().filter(|duel| duel.is_open()).map(|duel| duel.id).collect();
    for duel in open {
        make_void(tournament, None, duel, reason, now);
    }
}

/// Moves the deadline, before time is up.
pub fn move_deadline(tournament: &mut Tournament, actor: &Actor, deadline: Timestamp, now: Timestamp) -> Result<(), Problem> {
    actor.ensure_organiser(tournament)?;
    ensure_running(tournament)?;
    ensure_future(deadline, now)?;
    tournament.settings.deadline = deadline;
    add_entry(tournament, Some(actor), None, Event::DeadlineMoved { deadline }, now);
    Ok(())
}

/// Refuses a deadline that has passed.
pub fn ensure_future(deadline: Timestamp, now: Timestamp) -> Result<(), Problem> {
    if deadline > now {
        return Ok(());
    }
    let message = format!("{} has passed", time::local_time_text(deadline));
    Err(refusal_problem(message).help("write another day as `2030-05-01 18:30`; `--for 2h` counts from now"))
}

/// Chooses the page for the wall, or drops it.
pub fn set_page(tournament: &mut Tournament, actor: &Actor, page: Option<PathBuf>, now: Timestamp) {
    let event = if page.is_some() { Event::PageChosen } else { Event::PageDropped };
    tournament.settings.page = page;
    add_entry(tournament, Some(actor), None, event, now);
}

/// Ends the tournament for good. Results can no longer be corrected.
pub fn close_tournament(tournament: &mut Tournament, actor: &Actor, now: Timestamp) -> Result<(), Problem> {
    actor.ensure_organiser(tournament)?;
    if tournament.over_reason() == Some(OverReason::Closed) {
        return Err(refusal_problem("the tournament is closed already"));
    }
    end_open_duels(tournament, VoidReason::Closed, now);
    tournament.settings.closed = Some(now);
    let champions = standings::find_champions(tournament);
    add_entry(tournament, Some(actor), None, Event::Closed { champions }, now);
    Ok(())
}
