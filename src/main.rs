//! The `ludex` command: arguments in, an exit status out.

mod cli;
mod game;
mod guard;
mod host;
mod layout;
mod lines;
mod load;
mod output;
mod players;
mod running;
mod scenario;
mod simulation;
mod terminal;
mod tournament;
mod verbs;
mod whole_file;

use clap::Parser;
use ludex_engine::source::Sources;
use std::process::ExitCode;

fn main() -> ExitCode {
    guard::install();
    let status = guard::guarded(|| cli::Cli::try_parse().map_or_else(|error| cli::tell(&error), cli::Cli::run));
    let status = status.unwrap_or_else(|bug| {
        output::problems(&[*bug], &Sources::default());
        cli::PROBLEMS
    });
    running::end_all();
    ExitCode::from(status)
}
