//! Who answers for the seats of a game: bots that know no game, and the loop in which they play. The command and the Python
//! module play with the same bots, who draw from the same streams of numbers, so that both play the same games.
//!
//! Whatever a game of a simulation goes through at each of its answers is here or in the engine: both are built to be fast.

mod greedy;
pub mod play;
mod player;
mod policy_bot;
mod random;
pub mod rng;
mod series;
mod transcript;
pub mod updates;

pub use greedy::Greedy;
pub use player::Player;
pub use policy_bot::PolicyBot;
pub use random::Random;
pub use series::Series;
pub use transcript::Transcript;
