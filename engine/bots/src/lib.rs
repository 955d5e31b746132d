//! Who answers for the seats of a game: bots that know no game, and the loop in which they play. The command and the Python
//! module play with the same bots, who draw from the same streams of numbers, so that both play the same games.
//!
//! Whatever each game of a simulation goes through is here or in the engine: both are built to be fast.

pub mod digest;
mod greedy;
pub mod play;
mod player;
mod policy_bot;
mod random;
pub mod rng;
pub mod score;
mod series;
mod transcript;
pub mod updates;
pub mod usage;

pub use greedy::Greedy;
pub use player::Player;
pub use policy_bot::PolicyBot;
pub use random::Random;
pub use series::Series;
pub use transcript::Transcript;
