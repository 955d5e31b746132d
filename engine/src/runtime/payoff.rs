//! The value of a match's end to a side.
//!
//! The rules may give each side a payoff at the end; scores over many games, the odds and machine learning use it.

use ludex_compiler::field::halves_text;
use ludex_program::Value;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A multiple of one half, stored as a number of halves, so that payoffs compare and add up exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Payoff(i64);

impl Payoff {
    /// From a value that the rules have computed: a number of halves if `halves` is set, otherwise a whole number.
    pub fn from_value(value: Value, halves: bool) -> Payoff {
        Payoff(i64::from(value) * if halves { 1 } else { 2 })
    }

    /// From the notation in files: `3`, `-0.5`.
    pub fn parse_payoff(words: &str) -> Option<Payoff> {
        serde_json::from_str(words).ok()
    }

    /// The payoff as a number of halves.
    pub fn half_count(self) -> i64 {
        self.0
    }
}

/// The form for people: `3`, `-0.5`.
impl fmt::Display for Payoff {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&halves_text(self.0))
    }
}

/// A number, with `.5` if it is not whole.
impl Serialize for Payoff {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 % 2 {
            0 => serializer.serialize_i64(self.0 / 2),
            _ => serializer.serialize_f64(self.0 as f64 / 2.0),
        }
    }
}

impl<'de> Deserialize<'de> for Payoff {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Payoff, D::Error> {
        // Every payoff that rules can compute is within this bound, which is far below the limit of 64 bits.
        const MOST: f64 = (1u64 << 40) as f64;
        let halves = f64::deserialize(deserializer)? * 2.0;
        match halves.fract() == 0.0 && halves.abs() <= MOST {
            true => Ok(Payoff(halves as i64)),
            false => Err(D::Error::custom("a payoff is a whole number or a multiple of 0.5")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITTEN: [(i64, &str); 7] =
        [(0, "0"), (6, "3"), (-2, "-1"), (1, "0.5"), (-1, "-0.5"), (-5, "-2.5"), (-2 * i32::MAX as i64, "-2147483647")];

    #[test]
    fn people_and_programs_read_the_same_number() {
        for (halves, written) in WRITTEN {
            assert_eq!(Payoff(halves).to_string(), written);
            assert_eq!(serde_json::to_string(&Payoff(halves)).unwrap(), written);
            assert_eq!(serde_json::from_str::<Payoff>(written).unwrap(), Payoff(halves));
        }
    }

    #[test]
    fn what_is_no_half_is_refused() {
        for wrong in ["0.25", "1e300", "\"1\"", "null"] {
            assert!(serde_json::from_str::<Payoff>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_and_halves_compare() {
        assert_eq!(Payoff::from_value(3, false), Payoff::from_value(6, true));
        assert!(Payoff::from_value(-1, true) > Payoff::from_value(-1, false));
        assert_eq!(Payoff::from_value(Value::MAX, false).half_count(), 2 * i64::from(Value::MAX));
    }
}
