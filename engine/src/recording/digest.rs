//! Sums that tell whether two plays are the same, and the promise made about a seed.

use crate::runtime::Event;
use sha2::{Digest as _, Sha256};

/// Sums up events as they happen. What happened counts, not how it was worded or where its rule stands, so that a
/// rule may be reworded or moved without making old recordings look wrong.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    hash: Sha256,
    events: u64,
}

impl Digest {
    pub fn add(&mut self, event: &Event) {
        self.add_line(&serde_json::Value::Object(crate::json::facts(event)).to_string());
    }

    /// Counts something that is no event but belongs to what happened, such as a take-back.
    pub fn add_line(&mut self, line: &str) {
        self.hash.update(line.as_bytes());
        self.hash.update(b"\n");
        self.events += 1;
    }

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
pub fn commitment(seed: u64, salt: &str) -> String {
    hexadecimal(&Sha256::digest(format!("{seed}:{salt}")))
}

/// The seed for what follows entry number `entry`, a take-back. It follows from the first seed, so it is bound by the
/// commitment too. Below 2^53, which every reader of JSON holds exactly.
pub fn fresh_seed(seed: u64, entry: usize) -> u64 {
    let hash = Sha256::digest(format!("{seed} after entry {entry}"));
    let number = hash.iter().take(8).fold(0u64, |number, &byte| number << 8 | u64::from(byte));
    number >> 11
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
