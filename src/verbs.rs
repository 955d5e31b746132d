//! One verb, one file: an `Args` struct and a function that gives the exit status.

pub mod check;
pub mod explain;
pub mod host;
pub mod list;
pub mod odds;
pub mod play;
mod playing;
pub mod replay;
pub mod resume;
pub mod show;
pub mod sim;
pub mod test;
pub mod tournament;
