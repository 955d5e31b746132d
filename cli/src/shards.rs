//! Long work divided among processes or machines. It consists of numbered pieces, each with the same result wherever it is
//! done. A process does some of them, a [`Part`], and writes its counts as a [`Shard`], a file. `merge` adds all shards of a
//! folder to the counts of a single run. Each verb (`sim`, `check --play`, `test --mutants`, `odds`) defines its pieces and
//! counts.

mod file;
mod merge;
mod part;

pub use file::Shard;
pub use merge::{MergedCounts, find_verb, merge_folder};
pub use part::Part;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A verb's request: everything that decides its result, except the files of the games.
pub trait Divisible: Serialize + DeserializeOwned {
    /// The verb on the command line.
    const VERB: &'static str;
    /// The words for its pieces.
    const PIECES: Pieces;
    /// The counts of some pieces.
    type Counted: MergeableCounts;

    /// Total number of pieces.
    fn piece_count(&self) -> u64;
}

/// The counts of some pieces. They hold only integers and words, so that the sum equals that of a single run bit for bit.
pub trait MergeableCounts: Serialize + DeserializeOwned {
    /// Adds the counts of other pieces. The order in which counts are added makes no difference.
    fn add_counts(&mut self, other: Self);
}

/// The words for pieces in messages.
#[derive(Clone, Copy, Debug)]
pub struct Pieces {
    pub one: &'static str,
    pub many: &'static str,
    /// The verb for them in messages, such as `play`.
    pub done: &'static str,
}
