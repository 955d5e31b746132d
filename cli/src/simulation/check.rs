//! Checks the invariants of sessions, answer by answer, while a game is replayed.
//!
//! `sim --check` and `check --play` use it. An invariant is a promise of the engine that no rules can break, so a failure is a
//! bug of Ludex.

use super::plan::Plan;
use ludex_bots::Player;
use ludex_bots::rng::BotRng;
use ludex_engine::program::Program;
use ludex_engine::runtime::{Choice, Decision, Event, Form, Lots, Pending, Session, Setup, Viewer};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Approximate number of games that are checked in full, spread evenly.
const IN_FULL: u64 = 5_000;

/// Maximum number of options checked per decision.
const MOST_OPTIONS: u64 = 256;

/// A stream of a game's seed that no bot draws from. Used to deal hidden things again.
const IMAGINING: u64 = (1 << 32) + 1;

/// Number of games per fully checked game. Of all games of a plan, every such one is replayed and checked.
pub fn full_check_interval(games: u64) -> u64 {
    (games / IN_FULL).max(1)
}

/// Replays a game while recording its events, checks it before each answer, and replays it from its keys. The game must not have
/// ended with a fault. `index` is the number of the game in the plan, and `answers` the number of answers that it took. The
/// error describes the failed check.
pub fn check_game(program: &Arc<Program>, plan: &Plan, setup: &Setup, index: u64, answers: u64) -> Result<(), String> {
    let watched = Setup { watched: true, ..setup.clone() };
    let start = || Session::start(program.clone(), &watched).map_err(|problem| problem.message.to_string());
    let mut rng = BotRng::new(plan.seed_of(index), IMAGINING);
    let first = play_with_checks(start()?, &mut plan.make_bots(program, index), &mut rng)?;
    if first.keys.len() as u64 != answers {
        return Err(format!("the game takes {} answers when it is watched and {answers} when it is not", first.keys.len()));
    }
    let again = replay_keys(start()?, &first.keys)?;
    same_events(&first.events, &again)
}

/// The result of a game.
struct GameTrace {
    keys: Vec<String>,
    events: Vec<Event>,
}

/// Plays a game, and checks the state, the options and what each seat sees before each answer.
fn play_with_checks(mut session: Session, bots: &mut [Box<dyn Player>], rng: &mut BotRng) -> Result<GameTrace, String> {
    let mut played = GameTrace { keys: Vec::new(), events: Vec::new() };
    loop {
        session.verify_state()?;
        played.events.extend(session.take_events());
        let Pending::Decisions(open) = session.pending() else { break };
        let Some(decision) = open.first() else { break };
        check_option_keys(&session, decision, rng)?;
        check_no_leaks(&session, decision, bots.len(), rng.next_bits())?;
        let Some(bot) = bots.get_mut(decision.seat) else { return Err(format!("seat {} has no player", decision.seat)) };
        let choice = bot.answer(&session, decision).map_err(|problem| problem.message.to_string())?;
        let id = decision.id;
        played.keys.push(session.choice_key(id, &choice).ok_or("an answer has no key")?);
        session.choose(id, choice).map_err(|problem| problem.message.to_string())?;
    }
    session.verify_events(&played.events)?;
    Ok(played)
}

/// Plays a game by the keys of its answers, and returns its events.
fn replay_keys(mut session: Session, keys: &[String]) -> Result<Vec<Event>, String> {
    for key in keys {
        let Pending::Decisions(open) = session.pending() else { return Err(format!("`{key}` is not asked in the replay")) };
        let Some(id) = open.first().map(|decision| decision.id) else { break };
        let choice =
            session.find_choice(id, key).map_err(|refusal| format!("`{key}` is refused in the replay: {}", refusal.reason))?;
        session.choose(id, choice).map_err(|problem| problem.message.to_string())?;
    }
    Ok(session.take_events())
}

/// Compares the events of a game with those of its replay.
fn same_events(first: &[Event], again: &[Event]) -> Result<(), String> {
    match first.iter().zip(again).find(|(one, other)| one != other) {
        Some((one, other)) => Err(format!("event {} is `{}`, but `{}` in the replay", one.number, one.text, other.text)),
        None if first.len() != again.len() => Err(format!("{} events, but {} in the replay", first.len(), again.len())),
        None => Ok(()),
    }
}

/// Checks that every option has a unique key that leads back to it. Of a question with very many options, a sample is checked.
fn check_option_keys(session: &Session, decision: &Decision, rng: &mut BotRng) -> Result<(), String> {
    if decision.form != Form::One {
        check_key_leads_back(session, decision, &decision.answers().first_answer())?;
        if let Form::Number { max, .. } = decision.form {
            check_key_leads_back(session, decision, &Choice::Number(max))?;
        }
        return check_key_leads_back(session, decision, &decision.answers().draw_answer(rng));
    }
    let mut keys = BTreeSet::new();
    for index in rng.draw_sample(decision.count, MOST_OPTIONS) {
        let option = session.option(decision.id, index).ok_or_else(|| format!("option {index} is missing"))?;
        check_key_leads_back(session, decision, &Choice::Option(index))?;
        if let Some(twice) = keys.replace(option.key) {
            return Err(format!("two options have the key `{twice}`"));
        }
    }
    match session.option(decision.id, decision.count) {
        Some(option) => Err(format!("there are more options than were counted, such as `{}`", option.key)),
        None => Ok(()),
    }
}

/// Checks that the key of an answer is accepted, and means the same answer.
fn check_key_leads_back(session: &Session, decision: &Decision, choice: &Choice) -> Result<(), String> {
    let key = session.choice_key(decision.id, choice).ok_or_else(|| format!("{choice:?} has no key"))?;
    match session.find_choice(decision.id, &key) {
        Ok(found) if found == *choice => Ok(()),
        Ok(found) => Err(format!("the key `{key}` of {choice:?} leads to {found:?}")),
        Err(refusal) => Err(format!("the key `{key}` of {choice:?} is refused: {}", refusal.reason)),
    }
}

/// Checks that a seat sees the same table and question after all hidden information is dealt again. If it sees something else,
/// that depends on information hidden from it.
fn check_no_leaks(session: &Session, decision: &Decision, seats: usize, seed: u64) -> Result<(), String> {
    for seat in 0..seats {
        let imagined = session.imagine(seat, seed);
        imagined.verify_state().map_err(|fault| format!("the game as seat {seat} imagines it is wrong: {fault}"))?;
        if imagined.view(Viewer::Seat(seat)) != session.view(Viewer::Seat(seat)) {
            return Err(format!("seat {seat} sees something that depends on what is hidden from it"));
        }
        let Pending::Decisions(open) = imagined.pending() else { return Err("an imagined session has ended".to_string()) };
        if seat == decision.seat && !open.contains(decision) {
            return Err(format!("the question to seat {seat} depends on what is hidden from it"));
        }
    }
    Ok(())
}
