//! Sums that tell whether two plays are the same, and the promise made about a seed.

use crate::runtime::{Event, EventKind, Outcome, OutcomeResult, Seed};
use sha2::{Digest as _, Sha256};

/// Sums up events as they happen. What happened counts, not how it was worded or where its rule stands, so that a
/// rule may be reworded or moved without making old recordings look wrong.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    hash: Sha256,
    events: u64,
}

impl Digest {
    /// Counts an event, without its words and its cause.
    pub fn add(&mut self, event: &Event) {
        // An end without a winner was called so before it had a word of its own.
        if let EventKind::Finished { outcome } = &event.kind
            && outcome.result == OutcomeResult::Nobody
        {
            let outcome = Outcome { result: OutcomeResult::Capped, ..outcome.clone() };
            return self.add(&Event { kind: EventKind::Finished { outcome }, ..event.clone() });
        }
        self.add_line(&serde_json::Value::Object(crate::json::facts(event)).to_string());
    }

    /// Counts something that is no event but belongs to what happened, such as a take-back.
    pub fn add_line(&mut self, line: &str) {
        self.hash.update(line.as_bytes());
        self.hash.update(b"\n");
        self.events += 1;
    }

    /// How many events and lines were counted.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Sixteen hexadecimal digits.
    pub fn text(&self) -> String {
        let mut digits = hexadecimal(&self.hash.clone().finalize());
        digits.truncate(16);
        digits
    }
}

/// What is shown before play, so that nobody can pick another seed afterwards: the SHA-256 of `SEED:SALT`, which
/// anybody can check with `printf SEED:SALT | sha256sum` once both are told at the end.
pub fn commitment(seed: impl std::fmt::Display, salt: &str) -> String {
    hexadecimal(&Sha256::digest(format!("{seed}:{salt}")))
}

/// The seed for what follows entry number `entry`, a take-back. It follows from the first seed, so it is bound by the
/// commitment too, and is of the same kind. A number is below 2^53, which every reader of JSON holds exactly.
pub fn fresh_seed(seed: Seed, entry: usize) -> Seed {
    let hash = Sha256::digest(format!("{seed} after entry {entry}"));
    match seed {
        Seed::Number(_) => Seed::Number(number(&hash) >> 11),
        Seed::Key(_) => Seed::Key(hash.into()),
    }
}

/// What the streams of bots start from. Of a key they must not tell anything.
pub fn seed_of_bots(seed: Seed) -> u64 {
    match seed {
        Seed::Number(number) => number,
        Seed::Key(_) => number(&Sha256::digest(format!("{seed} for bots"))),
    }
}

fn number(hash: &[u8]) -> u64 {
    hash.iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte))
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
