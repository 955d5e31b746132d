//! Limits of work, time and memory for the search for exact odds.
//!
//! All parts of the search spend their work from one [`Budget`], so that they stop as soon as a limit is reached. `search` starts
//! again with the rest of it if it meets [`Trouble::Again`].

use ludex_syntax::problem::Problem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The reason why there are no exact odds.
pub enum Trouble {
    /// They would exceed the work limit, or need more memory than a search has by default.
    TooMuch,
    /// Time or memory ran out, or the user stopped it.
    Stopped(Reason),
    /// An assumption does not hold: the search starts again with other settings.
    Again,
    /// Play fails, or has no odds.
    Problem(Box<Problem>),
}

/// The reason why a search was stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its time ran out.
    Time,
    /// Its memory ran out.
    Memory,
    /// The user asked for the results so far.
    Interrupted,
}

impl From<Problem> for Trouble {
    fn from(problem: Problem) -> Trouble {
        Trouble::Problem(Box::new(problem))
    }
}

/// The remaining work, time and memory.
pub struct Budget {
    /// The work limit, in units that are the same on every machine.
    limit: u64,
    /// Half of the limit. The search gives up on not counting the rounds of loops at this point, because counting them needs the
    /// other half. `u64::MAX` once the search has stopped.
    half: u64,
    /// The work done.
    pub spent: u64,
    /// Throws with more results than this are left open.
    pub most_drawn: u64,
    /// The time at which the search must stop, less the time that it takes to show the values found.
    until: Option<Instant>,
    /// The memory limit.
    most_bytes: u64,
    /// The memory limit was set explicitly, so reaching it stops the search. Otherwise it counts as too much work.
    stops_when_full: bool,
    /// The bytes counted since the search began.
    bytes: u64,
    /// A flag that stops the search once it is set.
    interrupt: Option<&'static AtomicBool>,
    /// A callback that reports the work done and its limit.
    progress: Option<fn(u64, u64)>,
    /// The amount of work at which limits are checked again.
    next_look: u64,
}

/// Approximate time to show a value of this many numbers.
pub fn time_to_show(numbers: usize) -> Duration {
    Duration::from_nanos(500 + 80 * numbers as u64)
}

/// Approximate size in bytes of a value of this many numbers, with everything shown about it.
pub fn bytes_to_show(numbers: usize) -> usize {
    200 + 12 * numbers
}

/// Bytes held for each byte counted: a growing table holds its old memory next to the new one, and an allocator rounds up.
const HELD_PER_BYTE: u64 = 2;

/// Work between two checks of the clock.
const WORK_PER_LOOK: u64 = 20_000;

impl Budget {
    /// The whole budget of an effort.
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

    /// Sets the total work limit.
    pub fn set_limit(&mut self, limit: u64) {
        self.limit = limit.max(self.spent);
        self.half = self.limit / 2;
    }

    /// The remaining work.
    pub fn work_left(&self) -> u64 {
        self.limit - self.spent
    }

    /// Whether half of the work limit has been used.
    pub fn is_half_spent(&self) -> bool {
        self.spent > self.half
    }

    /// Fails if this much work would exceed the limit. Spends nothing.
    pub fn check_work(&self, work: u64) -> Result<(), Trouble> {
        if work > self.work_left() { Err(Trouble::TooMuch) } else { Ok(()) }
    }

    /// Spends work. Fails if that exceeds the limit, and from time to time checks the clock and the flag.
    #[inline]
    pub fn spend_work(&mut self, work: u64) -> Result<(), Trouble> {
        self.spent = self.spent.saturating_add(work);
        if self.spent > self.limit {
            self.spent = self.limit;
            return Err(Trouble::TooMuch);
        }
        if self.spent >= self.next_look { self.check_limits() } else { Ok(()) }
    }

    /// Counts bytes that are kept until the end, and checks the limit.
    pub fn reserve_bytes(&mut self, bytes: usize) -> Result<(), Trouble> {
        self.count_bytes(bytes);
        self.check_memory(0)
    }

    /// Counts bytes without a check; an excess is found later.
    pub fn count_bytes(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
    }

    /// Reserves the time and memory needed to show a value of this many numbers at the end.
    pub fn reserve_for_value(&mut self, numbers: usize) -> Result<(), Trouble> {
        self.until = self.until.and_then(|until| until.checked_sub(time_to_show(numbers)));
        self.reserve_bytes(bytes_to_show(numbers))
    }

    /// Checks that this many temporary bytes fit beside the bytes that are kept.
    pub fn check_memory(&self, bytes: usize) -> Result<(), Trouble> {
        match HELD_PER_BYTE * (self.bytes + bytes as u64) > self.most_bytes {
            true if self.stops_when_full => Err(Trouble::Stopped(Reason::Memory)),
            true => Err(Trouble::TooMuch),
            false => Ok(()),
        }
    }

    /// Fails if the time is up or the flag is set; otherwise reports progress.
    fn check_limits(&mut self) -> Result<(), Trouble> {
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

    /// Grants extra work and a little extra memory after a stop, to combine what is known.
    pub fn allow_to_settle(&mut self, work: u64) {
        // Only the first such call adds memory.
        if self.half != u64::MAX {
            self.most_bytes = self.most_bytes.saturating_add(self.most_bytes / 8);
        }
        (self.until, self.interrupt) = (None, None);
        (self.limit, self.half) = (self.spent.saturating_add(work), u64::MAX);
    }

    /// Prepares for another search with the rest of the budget.
    pub fn begin_again(&mut self) {
        self.bytes = 0;
    }
}
