//! A game as it was played → a scenario or a position that leads to the same place.
//!
//! What is written is tried before anybody gets it: a scenario must pass, and from a position play must go on as it did. Where the
//! last entry of the rules cannot be written down so, an earlier one is taken, and at last the start of the game.

mod names;
mod rest;
mod story;
mod telling;
#[cfg(test)]
mod tests;
pub mod written_on;

pub use rest::{Open, Rest};
pub use story::Story;
pub use telling::From;
