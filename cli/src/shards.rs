//! Long work shared out among processes or machines. It consists of numbered pieces, each of which comes to the same wherever it
//! is done. A process does some of them, a [`Part`], and writes down what it has counted, a [`Shard`]; all shards of a folder
//! are [`merged`] to what one run would have counted. What the pieces are, and what is counted, is for the verb to say.

mod file;
mod merge;
mod part;

pub use file::Shard;
pub use merge::{Merged, merged, verb};
pub use part::Part;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a verb is asked for: whatever decides its outcome, besides the files of the games.
pub trait Divisible: Serialize + DeserializeOwned {
    /// As the command line has it.
    const VERB: &'static str;
    const PIECES: Pieces;
    type Counted: Counted;

    /// How many pieces there are in all.
    fn pieces(&self) -> u64;
}

/// What is counted of some pieces. Nothing but whole numbers and words, so that the sum is that of one run, bit for bit.
pub trait Counted: Serialize + DeserializeOwned {
    /// Adds what was counted of other pieces, in whatever order.
    fn add(&mut self, other: Self);
}

/// What the pieces of some work are called.
#[derive(Clone, Copy, Debug)]
pub struct Pieces {
    pub one: &'static str,
    pub many: &'static str,
    /// What is done to them: games are played.
    pub done: &'static str,
}
