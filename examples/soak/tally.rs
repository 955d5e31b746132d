//! The results of a run.

use std::fmt::{self, Display};
use std::time::Duration;

/// Maximum time for one answer.
pub const MOST_TIME: Duration = Duration::from_secs(1);
/// Maximum memory beyond that of valid play, in bytes.
pub const MOST_MEMORY: u64 = 64 << 20;
/// Maximum number of failures described in words.
const MOST_TOLD: usize = 20;

#[derive(Debug, Default)]
pub struct Tally {
    pub longest: Duration,
    /// Beyond the baseline, in bytes.
    pub memory: u64,
    wrong: usize,
}

impl Tally {
    /// Counts and prints a failure.
    pub fn wrong(&mut self, what: String) {
        self.wrong += 1;
        if self.wrong <= MOST_TOLD {
            println!("WRONG: {what}");
        }
    }

    pub fn is_sound(&self) -> bool {
        self.wrong == 0
    }
}

impl Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { longest, memory, wrong } = self;
        if !longest.is_zero() {
            writeln!(formatter, "the longest took {longest:.1?}; at most {} KiB beyond the baseline", memory >> 10)?;
        }
        write!(formatter, "{wrong} wrong")
    }
}
