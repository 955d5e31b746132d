//! The only source of unpredictable randomness: seeds and salts from the system. A seed decides all dice and shuffles of a
//! game. It is a 256-bit key that results do not reveal, or with `--seed` a number, from which they can be predicted.

use super::Seat;
use crate::output;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::recording::Shares;
use ludex_engine::runtime::{Dice, Seed};

/// Returns a random number below 2^53, which every JSON reader holds exactly, for uses without secrecy.
pub fn new_seed() -> u64 {
    let mut bytes = [0; 8];
    fill_random(&mut bytes);
    u64::from_le_bytes(bytes) >> 11
}

/// Returns the seed that the players' shares make, or else `asked` (the number of `--seed`), or else an unpredictable one.
pub fn choose_seed(asked: Option<u64>, shares: Option<&Shares>) -> Result<Seed, Problem> {
    match (shares, asked) {
        (Some(shares), _) => Ok(shares.combined_seed()),
        (None, Some(number)) => Ok(Seed::Number(number)),
        (None, None) => unpredictable_seed(),
    }
}

/// Returns an unpredictable seed. An error if the system provides no randomness: a predictable one would not do.
pub fn unpredictable_seed() -> Result<Seed, Problem> {
    let mut key = [0; 32];
    match getrandom::fill(&mut key) {
        Ok(()) => Ok(Seed::Key(key)),
        Err(error) => Err(Problem::error(codes::NO_RANDOMNESS, format!("this system provides no randomness: {error}"))
            .help("use `--seed N` to play with dice that are computed from a number")),
    }
}

/// Warns that dice are predictable, in games between people.
pub fn warn_of_seed(seed: Seed, dice: &Dice, seats: &[Seat]) {
    let people = seats.iter().filter(|seat| !seat.is_bot()).count();
    if seed.is_foreseeable() && *dice == Dice::Seeded && people > 1 {
        output::print_remark(
            "note: with `--seed`, anyone who knows the number, or works it out from rolls, can predict all others",
        );
    }
}

/// Returns 32 hexadecimal digits that are hashed together with the seed, or with the table's share of it. The hash, the
/// commitment, is published before play; the salt prevents guessing the seed from it.
pub fn new_salt() -> String {
    let mut bytes = [0; 16];
    fill_random(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Fills in random bytes. They need not be secret.
fn fill_random(bytes: &mut [u8]) {
    if getrandom::fill(bytes).is_err() {
        // Without a source of randomness the clock must do: predictable, but play can go on.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let clock = now.as_nanos().to_le_bytes();
        bytes.iter_mut().zip(clock.iter().cycle()).for_each(|(byte, tick)| *byte = *tick);
    }
}
