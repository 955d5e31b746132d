//! The difference between two variants of a game over the same seeds, with its confidence interval.

use super::interval::DEVIATIONS;
use super::mean::{Spread, Sums};

/// The mean by which the second of two variants exceeds the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    pub games: u64,
    pub mean: f64,
    /// Bounds of the 95 % confidence interval; `None` for a single game.
    pub bounds: Option<(f64, f64)>,
}

/// The conclusion that the games allow. More or less than in the first variant, or not enough games to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    More,
    Less,
    NotEnough,
}

/// Minimum number of games. With fewer, bounds are too rough for any conclusion.
pub const FEWEST_GAMES: u64 = 30;

impl Difference {
    /// The difference of means, from the difference in each game; `None` without games.
    pub fn of_means(differences: Sums) -> Option<Difference> {
        let mean = differences.mean()?;
        let bounds = mean.spread.map(|Spread { low, high, .. }| (low, high));
        Some(Difference { games: differences.games, mean: mean.mean, bounds })
    }

    /// The difference of shares, from the difference in each game: 1, -1 or 0. This is Agresti and Min's interval, which adds
    /// half a game to each possible outcome of a pair. So even if no game differs, a small difference is not ruled out.
    pub fn of_shares(differences: Sums) -> Option<Difference> {
        let Difference { games, mean, .. } = Difference::of_means(differences)?;
        let (ups, downs) = differences.ups_and_downs();
        let all = games as f64 + 2.0;
        let (up, down) = (ups as f64 + 0.5, downs as f64 + 0.5);
        let centre = (up - down) / all;
        let margin = DEVIATIONS * ((up + down) - (up - down) * centre).max(0.0).sqrt() / all;
        let bounds = ((centre - margin).clamp(-1.0, mean), (centre + margin).clamp(mean, 1.0));
        Some(Difference { games, mean, bounds: Some(bounds) })
    }

    /// The difference in the opposite direction.
    pub fn other_way(self) -> Difference {
        Difference { mean: -self.mean, bounds: self.bounds.map(|(low, high)| (-high, -low)), ..self }
    }

    /// The sign of the difference, if the whole confidence interval has it.
    pub fn evidence(&self) -> Evidence {
        match self.bounds.filter(|_| self.games >= FEWEST_GAMES) {
            Some((low, _)) if low > 0.0 => Evidence::More,
            Some((_, high)) if high < 0.0 => Evidence::Less,
            _ => Evidence::NotEnough,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many games with one more, one less, and the same.
    fn shares(ups: u64, downs: u64, same: u64) -> Difference {
        let mut sums = Sums::default();
        (0..ups).for_each(|_| sums.add_value(2));
        (0..downs).for_each(|_| sums.add_value(-2));
        (0..same).for_each(|_| sums.add_value(0));
        Difference::of_shares(sums).unwrap()
    }

    fn means(halves: impl IntoIterator<Item = i64>) -> Difference {
        let mut sums = Sums::default();
        halves.into_iter().for_each(|halves| sums.add_value(halves));
        Difference::of_means(sums).unwrap()
    }

    #[test]
    fn the_bounds_of_shares_are_those_of_the_books() {
        // By hand, from the formula of Agresti and Min (2005): b = 150.5, c = 86.5, n = 1602.
        let difference = shares(150, 86, 1364);
        let (low, high) = difference.bounds.unwrap();
        assert_eq!(difference.mean, 0.04);
        assert!((low - 0.0212).abs() < 1e-4 && (high - 0.0587).abs() < 1e-4, "{low} {high}");
        assert_eq!(difference.evidence(), Evidence::More);
        assert_eq!(shares(86, 150, 1364).evidence(), Evidence::Less);
    }

    #[test]
    fn where_no_game_differs_a_share_is_not_known_to_be_the_same() {
        let difference = shares(0, 0, 100);
        let (low, high) = difference.bounds.unwrap();
        assert_eq!((difference.mean, difference.evidence()), (0.0, Evidence::NotEnough));
        assert!(low < -0.01 && high > 0.01 && low == -high);
    }

    #[test]
    fn few_games_tell_nothing() {
        assert_eq!(means([6; 29]).evidence(), Evidence::NotEnough);
        assert_eq!(means([6; 30]).evidence(), Evidence::More);
        assert_eq!(means([-6; 30]).evidence(), Evidence::Less);
        assert_eq!(means((0..100).map(|game| 2 * (game % 2) - 1)).evidence(), Evidence::NotEnough);
        assert_eq!(means([6]).bounds, None);
        assert_eq!(shares(29, 0, 0).evidence(), Evidence::NotEnough);
    }
}
