//! `ludex check --play N`: games between bots that answer at random, in every mode. A fault is a problem like any other, told
//! at its line, with a recording of as few answers as lead to it.

use crate::game::RecordingStore;
use crate::load::Loaded;
use crate::simulation::{self, Plan, Settings, Trouble, TroubleKind, shrunk};
use crate::work;
use ludex_engine::codes;
use ludex_engine::library::Wanted;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use std::sync::Arc;

#[derive(clap::Args)]
pub struct Playtest {
    /// Also play so many games of every mode between bots that answer at random, and look for faults in them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    play: Option<u64>,
}

impl Playtest {
    pub fn games(&self) -> Option<u64> {
        self.play
    }
}

/// What goes wrong in so many games of each mode of some games.
pub fn problems(loaded: &Loaded, games: &[String], wanted: &Wanted, number: u64, seed: u64) -> Vec<Problem> {
    let mut problems: Vec<Problem> = Vec::new();
    for game in games {
        for mode in loaded.library.in_each_mode(game, wanted).into_iter().take_while(|_| !work::is_stopped()) {
            for problem in of_mode(loaded, game, &mode, number, seed) {
                // Modes share most of the rules.
                let is_known = |known: &Problem| (known.code, known.labels.first()) == (problem.code, problem.labels.first());
                if problem.labels.is_empty() || !problems.iter().any(is_known) {
                    problems.push(problem);
                }
            }
        }
    }
    problems
}

fn of_mode(loaded: &Loaded, game: &str, wanted: &Wanted, number: u64, seed: u64) -> Vec<Problem> {
    let Some(program) = loaded.library.compile(game, wanted).0.map(Arc::new) else { return Vec::new() };
    let Some(plan) = Plan::at_random(&program, number, seed) else { return Vec::new() };
    let bar = work::bar(number, "games");
    let settings = Settings { check: true, ..Settings::default() };
    let tally = simulation::run(&program, &plan, 0..plan.games, settings, &|games| bar.inc(games));
    bar.finish_and_clear();
    match tally {
        Ok(tally) => told(&program, &plan, tally.troubles),
        Err(problem) => vec![*problem],
    }
}

/// Each fault once, with the shortest game that comes to it.
fn told(program: &Arc<Program>, plan: &Plan, troubles: Vec<Trouble>) -> Vec<Problem> {
    let mut shortest: Vec<Trouble> = Vec::new();
    for trouble in troubles {
        let same = |known: &&mut Trouble| match (known.problem(), trouble.problem()) {
            (Some(known), Some(other)) => (known.code, known.labels.first()) == (other.code, other.labels.first()),
            _ => known.message() == trouble.message(),
        };
        match shortest.iter_mut().find(same) {
            Some(known) if known.entries.len() <= trouble.entries.len() => {}
            Some(known) => *known = trouble,
            None => shortest.push(trouble),
        }
    }
    shortest.into_iter().map(|trouble| problem(program, shrunk(program, plan, trouble))).collect()
}

/// The fault itself, and how to play it again.
fn problem(program: &Program, trouble: Trouble) -> Problem {
    let problem = match &trouble.kind {
        TroubleKind::Fault(fault) => (**fault).clone(),
        TroubleKind::Check(failed) => Problem::error(codes::INTERNAL, format!("Ludex itself has failed: {failed}")),
    };
    let advice = problem.help.as_ref().map_or(String::new(), |help| format!("{help}; "));
    let kept = match RecordingStore::of_sim().map(|store| store.add_whole(&program.game, &trouble.recording())) {
        Some(Ok(path)) => format!("`ludex replay {}` plays the game to here again", path.display()),
        Some(Err(error)) => format!("the game could not be kept: {error}"),
        None => "the game is not kept, as there is no folder for it".to_string(),
    };
    let answers = match trouble.entries.len() {
        0 => "before the first answer".to_string(),
        1 => "after 1 answer".to_string(),
        more => format!("after {more} answers"),
    };
    let mode = if program.mode == "standard" { String::new() } else { format!(", in mode {}", program.mode) };
    let message = format!("{}, {answers}{mode}", problem.message);
    Problem { message, ..problem }.help(format!("{advice}{kept}"))
}
