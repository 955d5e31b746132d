//! Who won how often against whom.

use crate::simulation::tally::{Tally, Wins};

/// The results by the numbers of the two that met.
pub struct Table<'a> {
    pub tally: &'a Tally,
    pub count: usize,
}

impl Table<'_> {
    /// The wins of `side` where `first` met `second`.
    fn cell(&self, first: usize, second: usize, side: usize) -> Wins {
        let score = self.tally.pairs.get(first * self.count + second);
        score.map_or(Wins::default(), |score| Wins { wins: score.wins.get(side).copied().unwrap_or(0), games: score.games })
    }

    pub fn as_first(&self, row: usize) -> Wins {
        (0..self.count).fold(Wins::default(), |sum, rival| sum.and(self.cell(row, rival, 0)))
    }

    pub fn as_second(&self, row: usize) -> Wins {
        (0..self.count).fold(Wins::default(), |sum, rival| sum.and(self.cell(rival, row, 1)))
    }

    pub fn overall(&self, row: usize) -> Wins {
        self.as_first(row).and(self.as_second(row))
    }

    /// In either order.
    pub fn against(&self, row: usize, rival: usize) -> Wins {
        self.cell(row, rival, 0).and(self.cell(rival, row, 1))
    }

    /// The rivals against whom one does worst and best.
    pub fn extremes(&self, row: usize) -> (Option<usize>, Option<usize>) {
        let rate = |rival: &usize| self.against(row, *rival).share().rate;
        // Those whom one has never met are neither.
        let rivals = || (0..self.count).filter(|rival| *rival != row && self.against(row, *rival).games > 0);
        let worst = rivals().min_by(|a, b| rate(a).total_cmp(&rate(b)));
        (worst, rivals().max_by(|a, b| rate(a).total_cmp(&rate(b))))
    }

    /// The strongest first; those who never played stand last.
    pub fn by_strength(&self) -> Vec<usize> {
        let rate = |row: &usize| Some(self.overall(*row)).filter(|wins| wins.games > 0).map_or(-1.0, |wins| wins.share().rate);
        let mut rows: Vec<usize> = (0..self.count).collect();
        rows.sort_by(|a, b| rate(b).total_cmp(&rate(a)));
        rows
    }
}
