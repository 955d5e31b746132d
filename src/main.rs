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

/// Room for whatever calls whatever in rules within the limits of a library. The system gives as much of it as is used.
const STACK: usize = 256 << 20;

/// What the system says of a program that has panicked.
const PANICKED: u8 = 101;

fn main() -> ExitCode {
    // A panic may quote a file.
    std::panic::set_hook(Box::new(|panic| output::remark(&panic.to_string())));
    let run = || cli::Cli::try_parse().map_or_else(|error| cli::tell(&error), cli::Cli::run);
    let thread = std::thread::Builder::new().name("main".into()).stack_size(STACK).spawn(run);
    let ended = thread.map(|thread| thread.join());
    running::end_all();
    match ended {
        Ok(Ok(status)) => ExitCode::from(status),
        // The panic has been told.
        Ok(Err(_)) => ExitCode::from(PANICKED),
        Err(error) => {
            output::failure(&format!("the program cannot start: {error}"), None);
            ExitCode::from(cli::PROBLEMS)
        }
    }
}
