//! The only place where something unforeseeable comes in.

use super::Seat;
use crate::output;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::recording::Shares;
use ludex_engine::runtime::{Dice, Seed};

/// A number below 2^53, for what need not be kept from anybody.
pub fn new_seed() -> u64 {
    let mut bytes = [0; 8];
    fill(&mut bytes);
    u64::from_le_bytes(bytes) >> 11
}

/// The seed that shares make, or that was asked for, or else one that nobody can foretell anything from.
pub fn seed(asked: Option<u64>, shares: Option<&Shares>) -> Result<Seed, Problem> {
    match (shares, asked) {
        (Some(shares), _) => Ok(shares.seed()),
        (None, Some(number)) => Ok(Seed::Number(number)),
        (None, None) => new_key(),
    }
}

/// A seed that nobody can foretell anything from.
pub fn new_key() -> Result<Seed, Problem> {
    let mut key = [0; 32];
    match getrandom::fill(&mut key) {
        Ok(()) => Ok(Seed::Key(key)),
        Err(error) => Err(Problem::error(codes::NO_RANDOMNESS, format!("this system gives no randomness: {error}"))
            .help("`--seed N` plays with dice that follow from a number")),
    }
}

/// Says that dice can be foretold, where people who play each other may not know.
pub fn warn_of_seed(seed: Seed, dice: &Dice, seats: &[Seat]) {
    let people = seats.iter().filter(|seat| !seat.is_bot()).count();
    if seed.is_foreseeable() && *dice == Dice::Seeded && people > 1 {
        output::remark("note: with `--seed` whoever knows the number, or works it out from some rolls, foretells all others");
    }
}

/// Thirty-two hexadecimal digits that hide a seed in its commitment.
pub fn new_salt() -> String {
    let mut bytes = [0; 16];
    fill(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn fill(bytes: &mut [u8]) {
    if getrandom::fill(bytes).is_err() {
        // A system without a source of randomness: the clock is not unforeseeable, but play can go on.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let clock = now.as_nanos().to_le_bytes();
        bytes.iter_mut().zip(clock.iter().cycle()).for_each(|(byte, tick)| *byte = *tick);
    }
}
