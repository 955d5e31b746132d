//! The `ludex` command: arguments in, an exit status out. This library serves only the command and its tests. To play games from
//! Rust, use the crate in `engine/`.
//!
//! Its modules cover everything that can be done with games, by any interface: libraries are opened, games are played and kept,
//! scenarios are run, and long work is counted and shared among processes. The verbs and interfaces of the command (terminal,
//! browser, programs) build on them.

mod args;
mod bots;
mod checking;
mod cli;
mod edited_file;
mod exit;
mod fullscreen;
#[doc(hidden)]
pub mod fuzzing;
mod game;
mod guard;
mod host;
mod interactions;
mod layout;
mod lines;
mod load;
mod making;
mod manual;
mod markdown;
mod mutation;
mod open_files;
mod output;
mod packing;
#[doc(hidden)]
pub mod protocol;
mod retelling;
mod rulebook;
mod running;
mod scenario;
mod serve;
mod shards;
mod shared;
mod simulation;
mod stop;
mod table;
mod terminal;
pub mod tooling;
mod tournament;
mod usage;
mod verbs;
mod watching;
mod whole_file;
mod work;

use std::process::ExitCode;

/// Stack size for the deepest calls that rules can make within the limits of a library. The system commits only what is used.
const STACK: usize = 256 << 20;

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    game::outlive_large_files();
    run_guarded(cli::run_command_line)
}

/// Runs work that returns an exit status on a thread with a large stack, then ends all programs that it has started. A panic
/// in it is reported.
fn run_guarded(work: impl FnOnce() -> u8 + Send + 'static) -> ExitCode {
    guard::install_hook();
    let run = || guard::catch_panic(work).unwrap_or_else(|bug| cli::report_stop(&(*bug).into(), cli::PriorReport::Nowhere));
    let thread = std::thread::Builder::new().name("main".into()).stack_size(STACK).spawn(run);
    let ended = thread.map(|thread| thread.join());
    running::end_all();
    match ended {
        Ok(Ok(status)) => return ExitCode::from(status),
        // The guard catches all panics.
        Ok(Err(_)) => {}
        Err(error) => output::print_failure(format!("the program cannot start: {error}"), None),
    }
    ExitCode::from(exit::PROBLEMS)
}
