//! The mean of a number per game, with its confidence interval.
//!
//! Numbers are counted in halves, because payoffs may be halves: all sums stay whole, so that shards add up exactly.

use super::interval::DEVIATIONS;
use serde::{Deserialize, Serialize};

/// Exact sums of numbers in units of one half. The order of addition does not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    /// Number of values.
    pub games: u64,
    #[serde(with = "in_digits")]
    sum: i128,
    /// The sum of the squares.
    #[serde(with = "in_digits")]
    squares: i128,
}

/// Stores large integers as text, since JSON numbers cannot hold them.
mod in_digits {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(number: &i128, serializer: S) -> Result<S::Ok, S::Error> {
        number.to_string().serialize(serializer)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<i128, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// The mean of some numbers, in whole units rather than halves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    pub mean: f64,
    /// The standard deviation of the numbers, and the bounds of the mean with 95 % confidence; `None` for a single number.
    pub spread: Option<Spread>,
}

/// The variation of the numbers, and the certainty of their mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub deviation: f64,
    pub low: f64,
    pub high: f64,
}

impl Sums {
    /// Adds the number of one game.
    pub fn add_value(&mut self, halves: i64) {
        self.games += 1;
        // Values in rules have less than 33 bits, so no number of games comes close to an overflow.
        self.sum += i128::from(halves);
        self.squares += i128::from(halves) * i128::from(halves);
    }

    pub fn add_sums(&mut self, other: Sums) {
        self.games += other.games;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The sum of all numbers, in halves.
    pub fn sum_in_halves(self) -> i128 {
        self.sum
    }

    /// The number of values 1 and the number of values -1, if all others are 0.
    pub fn ups_and_downs(self) -> (u64, u64) {
        let (balance, moved) = (self.sum / 2, self.squares / 4);
        let half = |number: i128| u64::try_from(number / 2).unwrap_or(0);
        (half(moved + balance), half(moved - balance))
    }

    /// The mean; `None` without values.
    pub fn mean(self) -> Option<Mean> {
        let count = i128::from(self.games);
        let floor = self.sum.checked_div_euclid(count)?;
        let rest = self.sum.rem_euclid(count);
        let games = self.games as f64;
        let mean = (floor as f64 + rest as f64 / games) / 2.0;
        if self.games == 1 {
            return Some(Mean { mean, spread: None });
        }
        // Squares of the distance from an integer next to the mean: large numbers that hardly differ lose no precision.
        let around = self.squares - 2 * floor * self.sum + floor * floor * count;
        let less = rest * rest;
        let squares = (around - less / count) as f64 - (less % count) as f64 / games;
        let deviation = (squares.max(0.0) / (games - 1.0)).sqrt() / 2.0;
        let margin = DEVIATIONS * deviation / games.sqrt();
        Some(Mean { mean, spread: Some(Spread { deviation, low: mean - margin, high: mean + margin }) })
    }
}

/// Adds the values of one game to several sums, by index.
pub fn add_values(sums: &mut Vec<Sums>, numbers: &[i64]) {
    sums.resize(sums.len().max(numbers.len()), Sums::default());
    sums.iter_mut().zip(numbers).for_each(|(sums, number)| sums.add_value(*number));
}

/// Adds the sums of other games.
pub fn merge_sums(sums: &mut Vec<Sums>, others: &[Sums]) {
    sums.resize(sums.len().max(others.len()), Sums::default());
    sums.iter_mut().zip(others).for_each(|(sums, more)| sums.add_sums(*more));
}

impl Mean {
    /// The form `1.2500 (1.2255 to 1.2745), standard deviation 0.5591`.
    pub fn mean_text(&self) -> String {
        let mean = format_four_decimals(self.mean);
        match self.spread {
            None => mean,
            Some(Spread { deviation, low, high }) => {
                format!(
                    "{mean} ({} to {}), standard deviation {}",
                    format_four_decimals(low),
                    format_four_decimals(high),
                    format_four_decimals(deviation)
                )
            }
        }
    }
}

/// Formats a number with four decimals.
fn format_four_decimals(number: f64) -> String {
    format_decimals(number, 4)
}

/// Formats a number with `decimals` decimals, without a sign if it rounds to 0.
pub fn format_decimals(number: f64, decimals: usize) -> String {
    let shown = format!("{number:.decimals$}");
    match shown.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|sign| matches!(sign, b'0' | b'.')) => rest.to_string(),
        _ => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(halves: impl IntoIterator<Item = i64>) -> Sums {
        let mut sums = Sums::default();
        halves.into_iter().for_each(|halves| sums.add_value(halves));
        sums
    }

    fn mean_and_deviation(halves: impl IntoIterator<Item = i64>) -> (f64, f64) {
        let mean = sums(halves).mean().unwrap();
        (mean.mean, mean.spread.unwrap().deviation)
    }

    #[test]
    fn means_and_deviations_are_those_of_the_books() {
        // 2, 4, 4, 4, 5, 5, 7, 9: the mean is 5, the squares around it come to 32.
        let (mean, deviation) = mean_and_deviation([2, 4, 4, 4, 5, 5, 7, 9].map(|number| 2 * number));
        assert_eq!(mean, 5.0);
        assert!((deviation - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!(mean_and_deviation([1, 1, 1]), (0.5, 0.0));
        assert_eq!(mean_and_deviation([-1, 1]).0, 0.0);
        let mean = sums([-3; 400].into_iter().chain([3; 400])).mean().unwrap();
        let Spread { deviation, low, high } = mean.spread.unwrap();
        assert!((high - DEVIATIONS * deviation / 800f64.sqrt()).abs() < 1e-12 && low == -high);
    }

    #[test]
    fn large_numbers_that_hardly_differ_keep_their_deviation() {
        let most = 2 * i64::from(i32::MAX);
        let (mean, deviation) = mean_and_deviation((0..1_000_000).map(|game| most - 2 * (game % 2)));
        assert_eq!(mean, f64::from(i32::MAX) - 0.5);
        assert!((deviation - 0.5).abs() < 1e-6, "{deviation}");
        let (_, deviation) = mean_and_deviation((0..1_000_000).map(|game| if game == 7 { -most } else { most }));
        assert!((deviation - 2.0 * f64::from(i32::MAX) / 1000.0).abs() < 1.0, "{deviation}");
    }

    #[test]
    fn of_nothing_there_is_no_mean_and_of_one_number_no_deviation() {
        assert_eq!(sums([]).mean(), None);
        assert_eq!(sums([-5]).mean(), Some(Mean { mean: -2.5, spread: None }));
    }

    #[test]
    fn parts_add_up_to_the_whole_in_any_order() {
        let (mut one, mut other) = (sums([5, -9, 2]), sums([7, 7]));
        one.add_sums(sums([7, 7]));
        other.add_sums(sums([5, -9, 2]));
        assert_eq!((one, other), (sums([5, -9, 2, 7, 7]), sums([5, -9, 2, 7, 7])));
        let mut all = vec![sums([1])];
        merge_sums(&mut all, &[sums([2]), sums([3])]);
        add_values(&mut all, &[4, 5]);
        assert_eq!(all, [sums([1, 2, 4]), sums([3, 5])]);
    }

    #[test]
    fn a_mean_is_shown_with_its_bounds() {
        assert_eq!(sums([0, 2, 4]).mean().unwrap().mean_text(), "1.0000 (-0.1316 to 2.1316), standard deviation 1.0000");
        assert_eq!(sums([-5]).mean().unwrap().mean_text(), "-2.5000");
        assert_eq!(format_four_decimals(-0.000_01), "0.0000");
    }
}
