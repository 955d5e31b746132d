//! The `ludex` command: arguments in, an exit status out.

mod cli;
mod game;
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
use std::process::ExitCode;

fn main() -> ExitCode {
    // A panic may quote a file.
    std::panic::set_hook(Box::new(|panic| output::remark(&panic.to_string())));
    let status = cli::Cli::try_parse().map_or_else(|error| cli::tell(&error), cli::Cli::run);
    running::end_all();
    ExitCode::from(status)
}
