//! The mean of numbers of which each game gives one, and how sure it is.

use super::interval::DEVIATIONS;
use serde::{Deserialize, Serialize};

/// Numbers of halves, added up exactly, so that it does not matter in which order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    /// How many numbers there are.
    pub games: u64,
    #[serde(with = "in_digits")]
    sum: i128,
    #[serde(with = "in_digits")]
    squares: i128,
}

/// JSON has no room for such numbers: they are written as texts.
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

/// What numbers come to on average, as numbers and no longer as halves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    pub mean: f64,
    /// The standard deviation of the numbers, and the bounds that the mean has with 95 % confidence: nothing of a single number.
    pub spread: Option<Spread>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub deviation: f64,
    pub low: f64,
    pub high: f64,
}

impl Sums {
    pub fn note(&mut self, halves: i64) {
        self.games += 1;
        // Whatever rules can count has less than 33 bits, so that no number of games comes near the end of these.
        self.sum += i128::from(halves);
        self.squares += i128::from(halves) * i128::from(halves);
    }

    pub fn add(&mut self, other: Sums) {
        self.games += other.games;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// All numbers together, in halves.
    pub fn total(self) -> i128 {
        self.sum
    }

    /// How many numbers are 1 and how many are -1, where all others are 0.
    pub fn ups_and_downs(self) -> (u64, u64) {
        let (balance, moved) = (self.sum / 2, self.squares / 4);
        let half = |number: i128| u64::try_from(number / 2).unwrap_or(0);
        (half(moved + balance), half(moved - balance))
    }

    /// Nothing of no numbers.
    pub fn mean(self) -> Option<Mean> {
        let count = i128::from(self.games);
        let floor = self.sum.checked_div_euclid(count)?;
        let rest = self.sum.rem_euclid(count);
        let games = self.games as f64;
        let mean = (floor as f64 + rest as f64 / games) / 2.0;
        if self.games == 1 {
            return Some(Mean { mean, spread: None });
        }
        // Squares of what each number is above a whole one next to the mean: large numbers that hardly differ lose nothing.
        let around = self.squares - 2 * floor * self.sum + floor * floor * count;
        let less = rest * rest;
        let squares = (around - less / count) as f64 - (less % count) as f64 / games;
        let deviation = (squares.max(0.0) / (games - 1.0)).sqrt() / 2.0;
        let margin = DEVIATIONS * deviation / games.sqrt();
        Some(Mean { mean, spread: Some(Spread { deviation, low: mean - margin, high: mean + margin }) })
    }
}

/// For each of several numbers what games have given, by place.
pub fn note(sums: &mut Vec<Sums>, numbers: &[i64]) {
    sums.resize(sums.len().max(numbers.len()), Sums::default());
    sums.iter_mut().zip(numbers).for_each(|(sums, number)| sums.note(*number));
}

/// Takes in what other games have given.
pub fn add(sums: &mut Vec<Sums>, others: &[Sums]) {
    sums.resize(sums.len().max(others.len()), Sums::default());
    sums.iter_mut().zip(others).for_each(|(sums, more)| sums.add(*more));
}

impl Mean {
    /// `1.2500 (1.2255 to 1.2745), standard deviation 0.5591`
    pub fn shown(&self) -> String {
        let mean = plain(self.mean);
        match self.spread {
            None => mean,
            Some(Spread { deviation, low, high }) => {
                format!("{mean} ({} to {}), standard deviation {}", plain(low), plain(high), plain(deviation))
            }
        }
    }
}

/// A number with four decimals.
fn plain(number: f64) -> String {
    decimals(number, 4)
}

/// A number with so many decimals, and without a sign if they are all 0.
pub fn decimals(number: f64, decimals: usize) -> String {
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
        halves.into_iter().for_each(|halves| sums.note(halves));
        sums
    }

    fn found(halves: impl IntoIterator<Item = i64>) -> (f64, f64) {
        let mean = sums(halves).mean().unwrap();
        (mean.mean, mean.spread.unwrap().deviation)
    }

    #[test]
    fn means_and_deviations_are_those_of_the_books() {
        // 2, 4, 4, 4, 5, 5, 7, 9: the mean is 5, the squares around it come to 32.
        let (mean, deviation) = found([2, 4, 4, 4, 5, 5, 7, 9].map(|number| 2 * number));
        assert_eq!(mean, 5.0);
        assert!((deviation - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!(found([1, 1, 1]), (0.5, 0.0));
        assert_eq!(found([-1, 1]).0, 0.0);
        let mean = sums([-3; 400].into_iter().chain([3; 400])).mean().unwrap();
        let Spread { deviation, low, high } = mean.spread.unwrap();
        assert!((high - DEVIATIONS * deviation / 800f64.sqrt()).abs() < 1e-12 && low == -high);
    }

    #[test]
    fn large_numbers_that_hardly_differ_keep_their_deviation() {
        let most = 2 * i64::from(i32::MAX);
        let (mean, deviation) = found((0..1_000_000).map(|game| most - 2 * (game % 2)));
        assert_eq!(mean, f64::from(i32::MAX) - 0.5);
        assert!((deviation - 0.5).abs() < 1e-6, "{deviation}");
        let (_, deviation) = found((0..1_000_000).map(|game| if game == 7 { -most } else { most }));
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
        one.add(sums([7, 7]));
        other.add(sums([5, -9, 2]));
        assert_eq!((one, other), (sums([5, -9, 2, 7, 7]), sums([5, -9, 2, 7, 7])));
        let mut all = vec![sums([1])];
        add(&mut all, &[sums([2]), sums([3])]);
        note(&mut all, &[4, 5]);
        assert_eq!(all, [sums([1, 2, 4]), sums([3, 5])]);
    }

    #[test]
    fn a_mean_is_shown_with_its_bounds() {
        assert_eq!(sums([0, 2, 4]).mean().unwrap().shown(), "1.0000 (-0.1316 to 2.1316), standard deviation 1.0000");
        assert_eq!(sums([-5]).mean().unwrap().shown(), "-2.5000");
        assert_eq!(plain(-0.000_01), "0.0000");
    }
}
