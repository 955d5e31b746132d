//! One verb, one file: an `Args` struct and a function that gives the exit status.

pub mod check;
pub mod explain;
mod fixing;
pub mod host;
mod interactions;
pub mod list;
pub mod merge;
mod mutants;
pub mod new;
pub mod odds;
pub mod play;
mod playing;
mod playtest;
pub mod replay;
pub mod resume;
pub mod rules;
mod self_test;
pub mod serve;
pub mod show;
pub mod sim;
pub mod test;
pub mod tour;
pub mod tournament;
