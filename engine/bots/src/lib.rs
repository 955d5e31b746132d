//! The bots that play seats without knowing any game, and the loop in which they play. The command and the Python module share
//! these bots and their streams of random numbers, so both play the same games.
//!
//! All code that each game of a simulation runs is here or in the engine, because both are built for speed.

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
