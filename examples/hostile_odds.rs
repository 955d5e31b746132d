//! Odds of hostile expressions, with limits on time and memory. Half are random tokens, half come from the generator of
//! `tests/judged_odds` with larger numbers.
//!
//! ```sh
//! cargo run --release --example hostile_odds              # 100,000: no panic, time and memory under their limits
//! cargo run --release --example hostile_odds -- 1 4711    # one, of the seed 4711
//! ```
//!
//! Times are processor times, so other work on the machine does not count.

#[path = "../tests/judged_odds"]
#[allow(dead_code, reason = "the judge of the tests uses the rest")]
mod judged_odds {
    pub mod generator;
    pub mod hostile;
    pub mod random;
    pub mod tree;
}
#[path = "shared/peak.rs"]
mod peak;

use judged_odds::hostile::{Hostile, Maker};
use ludex_engine::odds::{Effort, OddsMethod};
use peak::peak;
use rustix::time::{ClockId, clock_gettime};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Duration;

/// The time budget of an expression, and the extra time allowed until it stops.
const TIME: Duration = Duration::from_millis(100);
const MOST_SECONDS_AFTER: f64 = 0.2;

/// The memory budget of the search in bytes, and the extra memory allowed for the process.
const MEMORY: u64 = 32 << 20;
const MOST_MEMORY: u64 = MEMORY + (MEMORY >> 1);

/// The results of some expressions.
#[derive(Default)]
struct Tally {
    refused: u64,
    exact: u64,
    rolled: u64,
    stopped: u64,
    wrong: u64,
    longest: (f64, u64),
    /// Memory before the first expression, plus any excess over the limit since then.
    baseline: u64,
}

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let (count, first) = (numbers.first().copied().unwrap_or(100_000), numbers.get(1).copied().unwrap_or(0));
    let (maker, mut tally) = (Maker::new(), Tally::default());
    let start = most_memory();
    tally.baseline = start;
    for seed in first..first + count {
        let hostile = maker.make(seed);
        if let Err(what) = tally.ask(seed, &hostile) {
            tally.wrong += 1;
            println!("seed {seed}: {what}: {}", hostile.expression);
        }
    }
    let Tally { refused, exact, rolled, stopped, wrong, longest, .. } = tally;
    println!("{count} expressions: {refused} refused, {exact} exact, {rolled} rolled, {stopped} stopped, {wrong} wrong");
    println!(
        "the longest took {:.2} s (seed {}); {} MiB were held",
        longest.0,
        longest.1,
        most_memory().saturating_sub(start) >> 20
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Tally {
    fn ask(&mut self, seed: u64, hostile: &Hostile) -> Result<(), String> {
        let effort = Effort { time: Some(TIME), memory: Some(MEMORY), ..Effort::default() };
        let begun = processor_time();
        let found = catch_unwind(AssertUnwindSafe(|| hostile.ask(&effort).map(|odds| odds.found)));
        let (seconds, held) = (processor_time() - begun, most_memory().saturating_sub(self.baseline));
        if seconds > self.longest.0 {
            self.longest = (seconds, seed);
        }
        match found.map_err(|_| "panics".to_string())? {
            Err(_) => self.refused += 1,
            Ok(OddsMethod::Exactly { .. }) => self.exact += 1,
            Ok(OddsMethod::ByTrying { .. }) => self.rolled += 1,
            Ok(OddsMethod::Between { .. }) => self.stopped += 1,
        }
        if seconds > TIME.as_secs_f64() + MOST_SECONDS_AFTER {
            return Err(format!("takes {seconds:.2} s"));
        }
        if held > MOST_MEMORY {
            self.baseline += held - MOST_MEMORY;
            return Err(format!("takes {} MiB", held >> 20));
        }
        Ok(())
    }
}

/// Processor time of this process in seconds.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Peak memory of this process in bytes.
fn most_memory() -> u64 {
    peak(std::process::id())
}
