//! Abilities that are more than a plain effect: rhai functions, run on behalf of an entrant.
//!
//! A script may ask. rhai cannot wait, so at an unanswered question the script is left, and when the answer comes it is
//! run again from where it began, with all earlier answers on a tape. What it did before is done again in the same way.
//!
//! The machine runs what is here, as a clause may be a script, and what is here runs the machine, as a script may do what rules do.

pub mod api;
mod check;
pub(crate) mod host;
mod lower;
mod printed;
mod reach;
mod run;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use check::check;
pub(crate) use lower::lower;
pub(crate) use reach::points;
