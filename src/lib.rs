//! The `ludex` command: arguments in, an exit status out. Its library is for the command and its tests alone; games are
//! played from Rust with the crate in `engine/`.

mod cli;
mod fullscreen;
#[doc(hidden)]
pub mod fuzzing;
mod host;
mod serve;
mod terminal;
mod tournament;
mod usage;
mod verbs;

use ludex_bots::{rng, updates};
use ludex_toolkit::{
    STACK, args, bots, checking, edited_file, exit, game, guard, interactions, layout, lines, load, making, manual, mutation,
    open_files, output, packing, protocol, retelling, rulebook, running, scenario, shards, shared, simulation, stop, table,
    watching, whole_file, work,
};
use std::process::ExitCode;

/// Does what the arguments of this process ask for.
pub fn run() -> ExitCode {
    guard::install();
    game::outlive_large_files();
    let run = || guard::guarded(cli::run).unwrap_or_else(|bug| cli::report(&(*bug).into(), cli::Told::Nowhere));
    let thread = std::thread::Builder::new().name("main".into()).stack_size(STACK).spawn(run);
    let ended = thread.map(|thread| thread.join());
    running::end_all();
    match ended {
        Ok(Ok(status)) => return ExitCode::from(status),
        // The guard lets no panic through.
        Ok(Err(_)) => {}
        Err(error) => output::failure(&format!("the program cannot start: {error}"), None),
    }
    ExitCode::from(exit::PROBLEMS)
}
