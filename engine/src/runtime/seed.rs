//! The seed of chance: a predictable number, or a secret key.
//!
//! The seed is fixed when a match is set up, and recordings contain it. A take-back may give play a new one.

use crate::runtime::random::{Generator, derive_key, derive_seed, keyed_generator, seeded_generator};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Number of bytes of a key.
const KEY_BYTES: usize = 32;

/// The seed of a session, written as a number or as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seed {
    /// Seeds PCG32, which stays the same for ever. A few results are enough to compute all others.
    Number(u64),
    /// Seeds ChaCha20: no number of results reveals the next.
    Key([u8; KEY_BYTES]),
}

impl Seed {
    /// The generator of all results of a match, at its start.
    pub(crate) fn start_generator(&self) -> Generator {
        match self {
            Seed::Number(number) => seeded_generator(*number),
            Seed::Key(key) => keyed_generator(*key),
        }
    }

    /// The generator of the pieces' public numbers. It is separate from that of results, so that those stay the same with it and
    /// without.
    pub(crate) fn generator_of_numbers(&self) -> Generator {
        match self {
            Seed::Number(number) => seeded_generator(derive_seed(*number, u64::MAX)),
            Seed::Key(key) => keyed_generator(derive_key(*key)),
        }
    }

    /// The name of its generator in recordings and the protocol. Another name means other dice.
    pub(crate) fn generator_name(&self) -> &'static str {
        match self {
            Seed::Number(_) => "pcg32",
            Seed::Key(_) => "chacha20",
        }
    }

    /// Whether results reveal those that follow.
    pub fn is_foreseeable(&self) -> bool {
        matches!(self, Seed::Number(_))
    }
}

impl From<u64> for Seed {
    fn from(number: u64) -> Seed {
        Seed::Number(number)
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seed::Number(number) => write!(formatter, "{number}"),
            Seed::Key(key) => key.iter().try_for_each(|byte| write!(formatter, "{byte:02x}")),
        }
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Seed({self})")
    }
}

/// Parses a key from its digits.
impl FromStr for Seed {
    type Err = String;

    fn from_str(text: &str) -> Result<Seed, String> {
        let wrong = || format!("a seed is a number, or a text of {} hexadecimal digits", KEY_BYTES * 2);
        if text.len() != KEY_BYTES * 2 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        let mut key = [0; KEY_BYTES];
        for (byte, digits) in key.iter_mut().zip(text.as_bytes().chunks(2)) {
            let digits = std::str::from_utf8(digits).map_err(|_| wrong())?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| wrong())?;
        }
        Ok(Seed::Key(key))
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Seed::Number(number) => serializer.serialize_u64(*number),
            Seed::Key(_) => serializer.serialize_str(&self.to_string()),
        }
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seed, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        let wrong = || D::Error::custom(format!("a seed is a number, or a text of {} hexadecimal digits", KEY_BYTES * 2));
        match &value {
            serde_json::Value::String(text) => text.parse().map_err(D::Error::custom),
            number => number.as_u64().map(Seed::Number).ok_or_else(wrong),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_read_as_it_is_written() {
        let key = Seed::Key(std::array::from_fn(|index| index as u8 * 7));
        for seed in [Seed::Number(0), Seed::Number(u64::MAX), key] {
            let text = serde_json::to_string(&seed).unwrap();
            assert_eq!(serde_json::from_str::<Seed>(&text).unwrap(), seed);
        }
        assert_eq!(serde_json::to_string(&Seed::Key([0xa5; 32])).unwrap(), format!("\"{}\"", "a5".repeat(32)));
    }

    #[test]
    fn anything_else_is_no_seed() {
        let (short, long, sign) = ("a5".repeat(31), "a5".repeat(33), "+5".repeat(32));
        for text in ["-1", "1.5", "null", "[]", "\"7\"", &format!("\"{short}\""), &format!("\"{long}\""), &format!("\"{sign}\"")]
        {
            assert!(serde_json::from_str::<Seed>(text).is_err(), "{text}");
        }
    }
}
