//! The `ludex` command: arguments in, an exit status out. Its library is for the command and its tests alone; games are
//! played from Rust with the crate in `engine/`.
//!
//! What can be done with games, however it is asked for, is below: libraries are opened, games are played and kept, scenarios
//! are run, and long work is counted and shared among processes. The faces of the command (terminal, browser, programs) and its
//! verbs stand on it.

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

/// Room for whatever calls whatever in rules within the limits of a library. The system gives as much of it as is used.
const STACK: usize = 256 << 20;

/// Does what the arguments of this process ask for.
pub fn run() -> ExitCode {
    game::outlive_large_files();
    run_guarded(cli::run)
}

/// Does work that gives an exit status. A panic in it is reported.
fn run_guarded(work: impl FnOnce() -> u8 + Send + 'static) -> ExitCode {
    guard::install();
    let run = || guard::guarded(work).unwrap_or_else(|bug| cli::report(&(*bug).into(), cli::Told::Nowhere));
    let thread = std::thread::Builder::new().name("main".into()).stack_size(STACK).spawn(run);
    let ended = thread.map(|thread| thread.join());
    running::end_all();
    match ended {
        Ok(Ok(status)) => return ExitCode::from(status),
        // The guard lets no panic through.
        Ok(Err(_)) => {}
        Err(error) => output::failure(format!("the program cannot start: {error}"), None),
    }
    ExitCode::from(exit::PROBLEMS)
}
