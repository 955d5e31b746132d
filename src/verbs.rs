//! One verb, one file: an `Args` struct and a function that gives the exit status.

pub mod check;
pub mod explain;
pub mod host;
pub mod list;
mod mutants;
pub mod odds;
pub mod play;
mod playing;
mod playtest;
pub mod replay;
pub mod resume;
mod self_test;
pub mod serve;
pub mod show;
pub mod sim;
pub mod test;
pub mod tournament;
