//! All results of random draws: a policy with chances is followed through each of them.
//!
//! `graph` asks a policy for its answer again and again. Each time, [`Draws`] supplies another combination of results, like a
//! counter of which the last digit moves first.

use crate::runtime::decision::Lots;

/// Iterates over all combinations of random draws.
#[derive(Default)]
pub struct Draws {
    /// The result of each draw in this round; new draws get 0.
    drawn: Vec<u64>,
    /// The limit of each draw.
    pub limits: Vec<u64>,
    /// Number of draws made in this round.
    at: usize,
}

impl Draws {
    /// Goes on to the next combination; false after the last.
    pub fn next_combination(&mut self) -> bool {
        self.at = 0;
        while let (Some(drawn), Some(limit)) = (self.drawn.pop(), self.limits.pop()) {
            if drawn + 1 < limit {
                self.drawn.push(drawn + 1);
                self.limits.push(limit);
                return true;
            }
        }
        false
    }
}

impl Lots for Draws {
    fn draw_below(&mut self, limit: u64) -> u64 {
        if self.at == self.drawn.len() {
            self.drawn.push(0);
            self.limits.push(limit.max(1));
        }
        self.at += 1;
        self.drawn[self.at - 1]
    }

    fn draw_between(&mut self, least: i64, most: i64) -> i64 {
        least.wrapping_add(self.draw_below(most.abs_diff(least).saturating_add(1)).cast_signed())
    }

    fn draw_order(&mut self, count: u64) -> Vec<u64> {
        let mut left: Vec<u64> = (0..count).collect();
        (0..count).map(|_| left.remove(self.draw_below(left.len() as u64) as usize)).collect()
    }

    fn draw_set(&mut self, count: u64, least: u64, most: u64, or_none: bool) -> Vec<u64> {
        let sizes = most.saturating_sub(least) + 1;
        let size = least + self.draw_below(sizes + u64::from(or_none));
        if size > most { Vec::new() } else { self.draw_sample(count, size) }
    }

    fn draws_nothing(&mut self, others: u128) -> bool {
        self.draw_below(u64::try_from(others).unwrap_or(u64::MAX - 1) + 1) == 0
    }
}
