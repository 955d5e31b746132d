//! A game as it was played → a scenario or a position that leads to the same state. A scenario is a test in YAML: the start of
//! play, the answers, and what is expected. A position is a state in YAML from which play can start at an entry: a procedure
//! that the rules mark with `entry`. `save --scenario` in a game, `replay --as-scenario`, `record` and `new` use it.
//!
//! The text is tried before it is returned: a scenario must pass, and from a position play must go on as it did. If the last
//! entry of the rules cannot be written down, an earlier one is used, and finally the start of the game.

pub mod append;
mod names;
mod rest;
mod story;
mod telling;
#[cfg(test)]
mod tests;

pub use rest::{BeginningState, ScenarioRest};
pub use story::Story;
pub use telling::ScenarioStart;
