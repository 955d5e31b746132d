//! One verb, one file: an `Args` struct and a function that gives the exit status.
//!
//! A verb is a subcommand of `ludex`. `cli` parses its `Args` and calls its `run`, which returns a `Stop` if there is no result.
//! Private modules hold flags and steps that several verbs share.

pub mod check;
pub mod completions;
pub mod diff;
pub mod doctor;
pub mod explain;
mod fixing;
pub mod fmt;
pub mod host;
mod interactions;
pub mod list;
pub mod merge;
mod mutants;
pub mod new;
pub mod odds;
pub mod pack;
mod pages;
pub mod play;
mod playing;
mod playtest;
pub mod record;
pub mod replay;
pub mod resume;
pub mod rules;
pub mod schema;
pub mod serve;
mod sharding;
pub mod show;
pub mod sim;
pub mod test;
pub mod tour;
pub mod tournament;
