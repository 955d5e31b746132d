//! Wins of each entrant against each other.
//!
//! `sim --all-pairs` plays all ordered pairs; an entrant is a row, by its index in the list of the plan.

use crate::simulation::tally::{Tally, Wins};

/// The results by the numbers of the two entrants.
pub struct Table<'a> {
    pub tally: &'a Tally,
    /// Number of entrants.
    pub count: usize,
}

impl Table<'_> {
    /// The wins of `side` in games of `first` against `second`.
    fn side_wins(&self, first: usize, second: usize, side: usize) -> Wins {
        let score = self.tally.pairs.get(first * self.count + second);
        score.map_or(Wins::default(), |score| Wins { wins: score.wins.get(side).copied().unwrap_or(0), games: score.games })
    }

    /// The wins of an entrant on the first side, against all including itself.
    pub fn wins_as_first(&self, row: usize) -> Wins {
        (0..self.count).fold(Wins::default(), |sum, rival| sum.add_wins(self.side_wins(row, rival, 0)))
    }

    /// The wins of an entrant on the second side.
    pub fn wins_as_second(&self, row: usize) -> Wins {
        (0..self.count).fold(Wins::default(), |sum, rival| sum.add_wins(self.side_wins(rival, row, 1)))
    }

    /// The wins of an entrant on either side.
    pub fn overall_wins(&self, row: usize) -> Wins {
        self.wins_as_first(row).add_wins(self.wins_as_second(row))
    }

    /// The wins in both orders.
    pub fn wins_against(&self, row: usize, rival: usize) -> Wins {
        self.side_wins(row, rival, 0).add_wins(self.side_wins(rival, row, 1))
    }

    /// The rivals with the worst and the best results for an entrant.
    pub fn extreme_rivals(&self, row: usize) -> (Option<usize>, Option<usize>) {
        let rate = |rival: &usize| self.wins_against(row, *rival).share().rate;
        // Rivals it never met are neither.
        let rivals = || (0..self.count).filter(|rival| *rival != row && self.wins_against(row, *rival).games > 0);
        let worst = rivals().min_by(|a, b| rate(a).total_cmp(&rate(b)));
        (worst, rivals().max_by(|a, b| rate(a).total_cmp(&rate(b))))
    }

    /// The entrants by strength, strongest first. Those that never played come last.
    pub fn rank_by_strength(&self) -> Vec<usize> {
        let rate =
            |row: &usize| Some(self.overall_wins(*row)).filter(|wins| wins.games > 0).map_or(-1.0, |wins| wins.share().rate);
        let mut rows: Vec<usize> = (0..self.count).collect();
        rows.sort_by(|a, b| rate(b).total_cmp(&rate(a)));
        rows
    }
}
