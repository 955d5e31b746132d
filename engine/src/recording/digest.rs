//! Digests that show whether two plays are the same, and the commitment to a seed.
//!
//! `session` digests a play for its last line ([`crate::recording::Ending`]); a replay compares that digest with its own. A
//! *salt* is a random text that keeps others from guessing a committed seed.

use crate::runtime::{Event, EventKind, Outcome, OutcomeResult, Seed};
use sha2::{Digest as _, Sha256};

/// A digest of events as they happen. It covers what happens and the words of an ending, but not other words or the place of
/// rules, so a rule can be reworded or moved without invalidating old recordings.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    hash: Sha256,
    /// Number of events and lines added.
    events: u64,
}

impl Digest {
    /// Adds an event, without its text and its cause.
    pub fn add_event(&mut self, event: &Event) {
        // Before `Nobody` existed, an end without a winner was recorded as `Capped`.
        if let EventKind::Finished { outcome } = &event.kind
            && outcome.result == OutcomeResult::Nobody
        {
            let outcome = Outcome { result: OutcomeResult::Capped, ..outcome.clone() };
            return self.add_event(&Event { kind: EventKind::Finished { outcome }, ..event.clone() });
        }
        self.add_line(&serde_json::Value::Object(crate::json::event_facts(event)).to_string());
    }

    /// Adds a line for something that is not an event, such as a take-back.
    pub fn add_line(&mut self, line: &str) {
        self.hash.update(line.as_bytes());
        self.hash.update(b"\n");
        self.events += 1;
    }

    /// Number of events and lines added.
    pub fn event_count(&self) -> u64 {
        self.events
    }

    /// The digest as sixteen hexadecimal digits.
    pub fn digest_text(&self) -> String {
        let mut digits = hexadecimal_text(&self.hash.clone().finalize());
        digits.truncate(16);
        digits
    }
}

/// The commitment published before play, so that the seed cannot be replaced later: the SHA-256 of `SEED:SALT`. Once both are
/// revealed at the end, anyone can check it with `printf SEED:SALT | sha256sum`.
pub fn commitment_to_seed(seed: impl std::fmt::Display, salt: &str) -> String {
    hexadecimal_text(&Sha256::digest(format!("{seed}:{salt}")))
}

/// The seed of chance after a take-back. `entry` is the number of the take-back among the public entries. The new seed derives
/// from the first one, so the commitment covers it too, and has the same kind. A number is below 2^53, which every JSON reader
/// holds exactly.
pub fn fresh_seed(seed: Seed, entry: usize) -> Seed {
    let hash = Sha256::digest(format!("{seed} after entry {entry}"));
    match seed {
        Seed::Number(_) => Seed::Number(leading_number(&hash) >> 11),
        Seed::Key(_) => Seed::Key(hash.into()),
    }
}

/// The seed for the random streams of bots. If the seed of play is a secret key, it reveals nothing about that.
pub fn seed_of_bots(seed: Seed) -> u64 {
    match seed {
        Seed::Number(number) => number,
        Seed::Key(_) => leading_number(&Sha256::digest(format!("{seed} for bots"))),
    }
}

/// The first eight bytes as a number.
fn leading_number(hash: &[u8]) -> u64 {
    hash.iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// The bytes as hexadecimal digits, two for each.
pub(super) fn hexadecimal_text(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
