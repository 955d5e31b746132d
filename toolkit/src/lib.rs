//! What can be done with games, however it is asked for: libraries are opened, games are played and kept, scenarios are run,
//! and long work is counted and shared among processes. The faces of the command (terminal, browser, programs) and its verbs
//! stand on it. Its library is for the command and its tests alone; games are played from Rust with the crate in `engine/`.

pub mod args;
pub mod bots;
pub mod checking;
pub mod edited_file;
pub mod exit;
pub mod game;
pub mod guard;
pub mod interactions;
pub mod layout;
pub mod lines;
pub mod load;
pub mod making;
pub mod manual;
pub mod markdown;
pub mod mutation;
pub mod open_files;
pub mod output;
pub mod packing;
pub mod protocol;
pub mod retelling;
pub mod rulebook;
pub mod running;
pub mod scenario;
pub mod shards;
pub mod shared;
pub mod simulation;
pub mod stop;
pub mod table;
pub mod watching;
pub mod whole_file;
pub mod work;

/// Room for whatever calls whatever in rules within the limits of a library. The system gives as much of it as is used.
pub const STACK: usize = 256 << 20;
