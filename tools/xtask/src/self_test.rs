//! Measures how many mistakes `ludex check` finds, and how well it reports them.
//!
//! A library is read once (`corpus`), its texts into words and signs (`tokens`), and its names are resolved (`vocabulary`). A
//! class of mistakes (`classes`) finds all places for it, each as a change of one text (`mistake`). A sample of each class is
//! drawn by a seed (`drawn`). Each mistake is made in a copy of the library and judged (`trial`), on all cores. `measure` runs
//! all of this, and `report` sums it up. A *mutant* is a copy of the library with one mistake. It has *escaped* if `check`
//! accepts it. A *slip* is a misspelt word.

mod classes;
mod corpus;
mod drawn;
mod measure;
mod mistake;
mod report;
#[cfg(test)]
mod schemas;
mod tokens;
mod trial;
mod vocabulary;

use classes::CLASSES;
use ludex::tooling::{self, CommonArgs, DONE, Format, LibraryCheck, LoadedLibraries, PROBLEMS, Stop, open_libraries, pair};
use ludex_engine::codes;
use ludex_engine::problem::{Problem, closest_match};
use ludex_validator::Report;
use measure::{Wanted, measure};
use std::path::PathBuf;

/// What is measured, and how.
#[derive(clap::Args)]
pub struct Args {
    /// A folder, or a file made by `ludex pack`, to make mistakes in instead of the bundled library (repeatable)
    #[arg(long = "library", value_name = "DIR|ZIP")]
    libraries: Vec<PathBuf>,
    /// Leave out the games, characters and scripts in the current folder
    #[arg(long)]
    no_local: bool,
    /// The mode in which games are checked
    #[arg(long, value_name = "MODE")]
    mode: Option<String>,
    /// A value for an option of the games (repeatable)
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = pair)]
    options: Vec<(String, String)>,
    /// How many mistakes of each class are made
    #[arg(long, value_name = "N", default_value_t = 80)]
    mutants_per_class: usize,
    /// Only mistakes of this class
    #[arg(long, value_name = "NAME")]
    class: Option<String>,
    /// Also list every mistake that was not reported as it should be
    #[arg(long)]
    show_escaped: bool,
    /// How many games of every mode are played with what was accepted
    #[arg(long, value_name = "N", default_value_t = 20)]
    games_per_mutant: u64,
    /// The seed by which mistakes and games are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The format of results
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json"])]
    format: String,
}

/// Measures `check` and returns the exit status.
pub fn run(args: &Args) -> Result<u8, Stop> {
    let class = args.class.as_deref();
    if let Some(name) = class.filter(|name| CLASSES.iter().all(|class| class.name != *name)) {
        return Err(Stop::usage_error(no_class(name)));
    }
    let common = common(args);
    let wanted = Wanted { class, per_class: args.mutants_per_class, games: args.games_per_mutant, seed: args.seed };
    let classes = if class.is_some() { 1 } else { CLASSES.len() };
    if common.for_programs() {
        tooling::keep_for_programs();
    }
    tooling::keep_what_is_done();
    let bar = tooling::progress_bar(classes.saturating_mul(args.mutants_per_class) as u64, "mistakes");
    let check = |loaded: &LoadedLibraries| Report::new(LibraryCheck::new(loaded, common.requested_settings()).find_problems(&[]));
    let found = measure(&open_libraries(&common), &wanted, &check, &|| bar.inc(1));
    bar.finish_and_clear();
    let found = found.map_err(|(problems, sources)| Stop::new(problems, sources))?;
    match common.is_json() {
        true => tooling::print_json(&report::json(&found, args.show_escaped)),
        false => tooling::print_text(&report::text(&found, args.show_escaped)),
    }
    Ok(tooling::exit_status(if report::is_sound(&found) { DONE } else { PROBLEMS }))
}

/// The arguments that other commands have, too.
fn common(args: &Args) -> CommonArgs {
    CommonArgs {
        libraries: args.libraries.clone(),
        no_local: args.no_local,
        mode: args.mode.clone(),
        options: args.options.clone(),
        format: if args.format == "json" { Format::Json } else { Format::Text },
        ..CommonArgs::default()
    }
}

/// The error for an unknown class.
fn no_class(name: &str) -> Problem {
    let problem = Problem::error(codes::COMMAND_LINE, format!("there is no class of mistakes `{name}`"));
    match closest_match(name, CLASSES.iter().map(|class| class.name)) {
        Some(near) => problem.suggest_near(near),
        None => problem.help("`cargo xtask self-test --mutants-per-class 0` lists the classes"),
    }
}
