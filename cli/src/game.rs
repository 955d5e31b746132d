//! A game in progress: a recorded session with a player at each of its seats. A seat belongs to a side, or to the referee; its
//! player is a bot (which may be a program) inside the game, or a person whose answers the caller supplies. `terminal`,
//! `fullscreen`, `host` and `serve` drive a [`Game`]; they differ in who asks and how it looks. `verbs` start or resume it.

#[cfg(test)]
pub mod broken;
mod chance;
mod explored_chance;
mod in_progress;
mod interrupt;
pub mod kept_libraries;
pub mod loaded;
pub mod lock;
mod recorder;
mod rehearsal;
pub mod rematch;
mod reopen;
mod retention;
pub mod salvage;
pub mod seats;
mod store;
mod undo;
pub mod unfinished;

pub use chance::{choose_seed, new_salt, new_seed, unpredictable_seed, warn_of_seed};
pub use explored_chance::Luck;
pub use in_progress::{Game, NewGame};
pub use interrupt::{exit_interrupted, on_interrupt, outlive_large_files, resume_hint, set_kept_recording};
pub use recorder::Recorder;
pub use rehearsal::{Beginning, RehearsedGame};
pub use reopen::{ReopenedRecording, reopen_recording};
pub use seats::Seat;
pub use store::{RecordingStore, allow_no_recording};
pub use undo::{USED_UP, Undo, UndoLimit};
