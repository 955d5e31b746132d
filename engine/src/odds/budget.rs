//! How much work, time and memory the search for exact odds may take.

use ludex_syntax::problem::Problem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why there are no exact odds.
pub enum Trouble {
    /// They would be more work than is allowed, or need more memory than a search has by default.
    TooMuch,
    /// Time or memory ran out, or the user stopped it.
    Stopped(Reason),
    /// What was taken for granted does not hold: it begins again with other settings.
    Again,
    Problem(Box<Problem>),
}

/// What ended the search before its work was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its time was up.
    Time,
    /// Its memory was full.
    Memory,
    /// The user wanted to see what is known so far.
    Interrupted,
}

impl From<Problem> for Trouble {
    fn from(problem: Problem) -> Trouble {
        Trouble::Problem(Box::new(problem))
    }
}

/// What may still be spent.
pub struct Budget {
    /// In units that are the same on every machine.
    limit: u64,
    half: u64,
    pub spent: u64,
    /// Throws with more results are left open.
    pub most_drawn: u64,
    until: Option<Instant>,
    most_bytes: u64,
    /// The limit of memory was set for this search, which stops there. Otherwise it is like too much work.
    stops_when_full: bool,
    bytes: u64,
    interrupt: Option<&'static AtomicBool>,
    /// Told from time to time how much of the limit is spent.
    progress: Option<fn(u64, u64)>,
    /// Looked at again when so much is spent.
    next_look: u64,
}

/// How long it takes to show a value of so many numbers, about.
pub fn time_to_show(numbers: usize) -> Duration {
    Duration::from_nanos(500 + 80 * numbers as u64)
}

/// How many bytes a value of so many numbers takes with all that is shown of it, about.
pub fn bytes_of_shown(numbers: usize) -> usize {
    200 + 12 * numbers
}

/// Bytes held for each byte counted: a growing table holds its old memory beside the new one, and an allocator rounds up.
const HELD_PER_BYTE: u64 = 2;

/// The clock is looked at after so much work.
const WORK_PER_LOOK: u64 = 20_000;

impl Budget {
    pub fn new(effort: &super::Effort) -> Budget {
        Budget {
            limit: effort.limit,
            half: effort.limit / 2,
            spent: 0,
            most_drawn: effort.most_drawn,
            until: effort.time.and_then(|time| Instant::now().checked_add(time)),
            most_bytes: effort.most_memory(),
            stops_when_full: effort.memory.is_some(),
            bytes: 0,
            interrupt: effort.interrupt,
            progress: effort.progress,
            next_look: 0,
        }
    }

    /// Allows so much work in all.
    pub fn set_limit(&mut self, limit: u64) {
        self.limit = limit.max(self.spent);
        self.half = self.limit / 2;
    }

    /// Work that is still allowed.
    pub fn left(&self) -> u64 {
        self.limit - self.spent
    }

    /// Whether half of what is allowed has been spent.
    pub fn is_half_spent(&self) -> bool {
        self.spent > self.half
    }

    /// Whether so much work is still allowed, before any of it is done.
    pub fn check(&self, work: u64) -> Result<(), Trouble> {
        if work > self.left() { Err(Trouble::TooMuch) } else { Ok(()) }
    }

    #[inline]
    pub fn spend(&mut self, work: u64) -> Result<(), Trouble> {
        self.spent = self.spent.saturating_add(work);
        if self.spent > self.limit {
            self.spent = self.limit;
            return Err(Trouble::TooMuch);
        }
        if self.spent >= self.next_look { self.look() } else { Ok(()) }
    }

    /// Bytes that are kept until the end.
    pub fn keep(&mut self, bytes: usize) -> Result<(), Trouble> {
        self.note(bytes);
        self.hold(0)
    }

    /// The same; if they are too many, that is found later.
    pub fn note(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
    }

    /// Reserves the time and memory that showing a value of this many numbers takes in the end.
    pub fn show_later(&mut self, numbers: usize) -> Result<(), Trouble> {
        self.until = self.until.and_then(|until| until.checked_sub(time_to_show(numbers)));
        self.keep(bytes_of_shown(numbers))
    }

    /// Bytes that are needed for a while, beside those that are kept.
    pub fn hold(&self, bytes: usize) -> Result<(), Trouble> {
        match HELD_PER_BYTE * (self.bytes + bytes as u64) > self.most_bytes {
            true if self.stops_when_full => Err(Trouble::Stopped(Reason::Memory)),
            true => Err(Trouble::TooMuch),
            false => Ok(()),
        }
    }

    fn look(&mut self) -> Result<(), Trouble> {
        self.next_look = self.spent + WORK_PER_LOOK;
        if self.until.is_some_and(|until| Instant::now() >= until) {
            return Err(Trouble::Stopped(Reason::Time));
        }
        if self.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Trouble::Stopped(Reason::Interrupted));
        }
        if let Some(progress) = self.progress {
            progress(self.spent, self.limit);
        }
        Ok(())
    }

    /// The search was stopped: allows so much more work, and a little more memory, to put together what is known.
    pub fn allow_to_settle(&mut self, work: u64) {
        if self.half != u64::MAX {
            self.most_bytes = self.most_bytes.saturating_add(self.most_bytes / 8);
        }
        (self.until, self.interrupt) = (None, None);
        (self.limit, self.half) = (self.spent.saturating_add(work), u64::MAX);
    }

    /// Another search begins, with what is left.
    pub fn begin_again(&mut self) {
        self.bytes = 0;
    }
}
