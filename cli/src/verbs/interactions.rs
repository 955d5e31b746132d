//! `ludex check --interactions`: whether the order in which abilities act matters. Only a report, never an error.

use crate::args::CommonArgs;
use crate::exit::DONE;
use crate::interactions::{self, Audit};
use crate::load::LoadedLibraries;
use crate::output;
use crate::simulation::Plan;
use crate::stop::Stop;
use crate::work;
use ludex_engine::Compile;
use ludex_engine::program::Program;
use std::sync::Arc;

#[derive(clap::Args)]
pub struct Interactions {
    /// Report pairs of abilities that act at the same time in random games, and whether their order matters
    #[arg(long, conflicts_with = "play")]
    interactions: bool,
    /// How many games of every mode `--interactions` plays
    #[arg(long, value_name = "N", default_value_t = 200, requires = "interactions", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
}

impl Interactions {
    pub fn is_wanted(&self) -> bool {
        self.interactions
    }
}

/// Plays some games in each of their requested modes. Games without abilities are skipped, and those in which players must be
/// named.
pub fn run(args: &Interactions, common: &CommonArgs, loaded: &LoadedLibraries, games: &[String], seed: u64) -> Result<u8, Stop> {
    work::keep_what_is_done();
    let mut programs: Vec<Arc<Program>> = Vec::new();
    for game in games {
        for wanted in loaded.library.requests_by_mode(game, &common.requested_settings()) {
            let (program, problems) = loaded.library.compile(game, &wanted);
            let program = program.ok_or_else(|| Stop::new(problems, loaded.library.sources.clone()))?;
            programs.extend((!program.abilities.is_empty()).then(|| Arc::new(program)));
        }
    }
    let bar = work::progress_bar(args.games.saturating_mul(programs.len() as u64), "games");
    let mut audits: Vec<(&Program, Audit)> = Vec::new();
    for program in &programs {
        if let Some(plan) = Plan::random_plan(program, args.games, seed) {
            audits.push((program, interactions::audit_games(program, &plan, &|| bar.inc(1))));
        }
    }
    bar.finish_and_clear();
    match common.is_json() {
        true => output::print_json(&interactions::audit_json(&audits)),
        false if audits.is_empty() => output::print_text("no game here has abilities\n"),
        false => output::print_text(&interactions::audit_text(&audits)),
    }
    Ok(work::exit_status(DONE))
}
