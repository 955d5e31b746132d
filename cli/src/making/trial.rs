//! A trial game: does play get anywhere, and what does a scenario of it look like?
//!
//! Everything that `new` makes is tried in this way before it is written.

use crate::args::SeatSpec;
use crate::game::loaded::playable_sheets;
use crate::guard::catch_panic;
use crate::retelling::{ScenarioStart, Story};
use crate::simulation::Plan;
use ludex_bots::Player;
use ludex_bots::play::answer_next;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::recording::{Entry, PathAnswer, ShortestPath};
use ludex_engine::runtime::{Session, SessionOptions, Setup};
use std::sync::Arc;

/// Number of answers after which an unfinished game has been played long enough.
const MOST_ANSWERS: usize = 400;

/// Lets bots play at random, with the given entrant on the first side. There is none in a game whose sides bring nothing. An
/// error if the game cannot start or play has a fault.
pub fn play_trial(program: &Arc<Program>, first: Option<&str>, seed: u64) -> Result<Story, Problem> {
    let seats: Vec<SeatSpec> =
        first.map(|id| SeatSpec { side: 0, entrants: trial_team(program, id), player: None }).into_iter().collect();
    let plan = Plan::new(program, &seats, None, 1, seed)
        .and_then(|plan| plan.with_referee(program, None))
        .map_err(|stop| stop.main_problem())?;
    let mut setup = plan.setup_template();
    plan.prepare_setup(&mut setup, 0);
    let setup = Setup { watched: true, ..setup };
    let mut bots = plan.make_bots(program, 0);
    let game = || -> Result<Story, Problem> {
        let way = record_way(program, setup, &mut bots)?;
        Story::from_way(program.clone(), way)
    };
    catch_panic(game).unwrap_or_else(|bug| Err(*bug))
}

/// The new entrant, with others if a side brings several.
pub fn trial_team(program: &Program, id: &str) -> Vec<String> {
    let others = playable_sheets(program).into_iter().map(|sheet| sheet.id.clone()).filter(|other| other != id);
    std::iter::once(id.to_string()).chain(others).take(program.sides.entrants_least.max(1)).collect()
}

/// Plays with bots, and returns the answers and the results of chance.
fn record_way(program: &Arc<Program>, setup: Setup, bots: &mut [Box<dyn Player>]) -> Result<ShortestPath, Problem> {
    let mut session = Session::start_with(program.clone(), &setup, SessionOptions { traces: true, ..SessionOptions::default() })?;
    let mut entries = Vec::new();
    while entries.len() < MOST_ANSWERS && answer_next(&mut session, bots, Some(&mut entries)).map_err(|problem| *problem)? {
        session.take_events();
    }
    let given = entries.into_iter().filter_map(|entry| match entry {
        Entry::Answer { seat, key, .. } => Some(PathAnswer { seat, key, forced: false }),
        _ => None,
    });
    Ok(ShortestPath { setup, given: given.collect(), results: session.chance_results().to_vec(), resigned: false })
}

/// Writes some steps of a game as a scenario. It starts from a position, unless that takes many more words than starting at the
/// beginning. `from` and `to` are numbers of answers: the scenario starts after the first `from` answers, and ends after `to`.
pub fn scenario_text(story: &Story, name: &str, from: usize, to: usize) -> Result<String, Problem> {
    let whole = || story.write_scenario(name, ScenarioStart::Beginning, to).map(|told| told.text);
    let part = story.write_scenario(name, ScenarioStart::Step(from), to).map(|told| told.text);
    match (part, whole()) {
        (Ok(part), Ok(whole)) => Ok(if part.len() < 2 * whole.len() { part } else { whole }),
        (Ok(text), Err(_)) | (Err(_), Ok(text)) => Ok(text),
        (Err(problem), Err(_)) => Err(problem),
    }
}
