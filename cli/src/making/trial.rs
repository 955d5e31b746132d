//! A trial game: does play get anywhere, and what does a scenario of it look like?

use crate::args::SeatSpec;
use crate::game::loaded::entrants;
use crate::guard::guarded;
use crate::retelling::{From, Story};
use crate::simulation::Plan;
use ludex_bots::Player;
use ludex_bots::play::answer;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::recording::{Entry, Given, Way};
use ludex_engine::runtime::{Session, SessionOptions, Setup};
use std::sync::Arc;

/// Number of answers after which an unfinished game has been played long enough.
const MOST_ANSWERS: usize = 400;

/// Lets bots play at random, with the given entrant on the first side. There is none in a game whose sides bring nothing.
pub fn played(program: &Arc<Program>, first: Option<&str>, seed: u64) -> Result<Story, Problem> {
    let seats: Vec<SeatSpec> =
        first.map(|id| SeatSpec { side: 0, entrants: team(program, id), player: None }).into_iter().collect();
    let plan = Plan::new(program, &seats, None, 1, seed)
        .and_then(|plan| plan.refereed_by(program, None))
        .map_err(|stop| stop.first())?;
    let mut setup = plan.setup();
    plan.prepare(&mut setup, 0);
    let setup = Setup { watched: true, ..setup };
    let mut bots = plan.bots(program, 0);
    let game = || -> Result<Story, Problem> {
        let way = way(program, setup, &mut bots)?;
        Story::along(program.clone(), way)
    };
    guarded(game).unwrap_or_else(|bug| Err(*bug))
}

/// The new entrant, with others if a side brings several.
pub fn team(program: &Program, id: &str) -> Vec<String> {
    let others = entrants(program).into_iter().map(|sheet| sheet.id.clone()).filter(|other| other != id);
    std::iter::once(id.to_string()).chain(others).take(program.sides.entrants_least.max(1)).collect()
}

fn way(program: &Arc<Program>, setup: Setup, bots: &mut [Box<dyn Player>]) -> Result<Way, Problem> {
    let mut session = Session::start_with(program.clone(), &setup, SessionOptions { traces: true, ..SessionOptions::default() })?;
    let mut entries = Vec::new();
    while entries.len() < MOST_ANSWERS && answer(&mut session, bots, Some(&mut entries)).map_err(|problem| *problem)? {
        session.take_events();
    }
    let given = entries.into_iter().filter_map(|entry| match entry {
        Entry::Answer { seat, key, .. } => Some(Given { seat, key, forced: false }),
        _ => None,
    });
    Ok(Way { setup, given: given.collect(), results: session.results().to_vec(), resigned: false })
}

/// Writes some steps of a game as a scenario. It starts from a position, unless that takes many more words than starting at the
/// beginning.
pub fn scenario(story: &Story, name: &str, from: usize, to: usize) -> Result<String, Problem> {
    let whole = || story.scenario(name, From::Beginning, to).map(|told| told.text);
    let part = story.scenario(name, From::Step(from), to).map(|told| told.text);
    match (part, whole()) {
        (Ok(part), Ok(whole)) => Ok(if part.len() < 2 * whole.len() { part } else { whole }),
        (Ok(text), Err(_)) | (Err(_), Ok(text)) => Ok(text),
        (Err(problem), Err(_)) => Err(problem),
    }
}
