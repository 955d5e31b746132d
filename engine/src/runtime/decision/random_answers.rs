//! The source of random answers.
//!
//! Bots draw answers with it, policies decide by chance, and the odds of best play try all draws ([`Lots`] is a trait for that
//! reason).

use crate::runtime::random::{Generator, random_below};
use std::collections::BTreeSet;

/// Draws numbers and combinations of them. The results of the same lots must never change, because bots and imagined games depend
/// on them.
pub trait Lots {
    /// A number from 0 up to but not including `limit`.
    fn draw_below(&mut self, limit: u64) -> u64;
    /// A number from `least` to `most`.
    fn draw_between(&mut self, least: i64, most: i64) -> i64;
    /// The numbers below `count` in random order.
    fn draw_order(&mut self, count: u64) -> Vec<u64>;
    /// A uniformly chosen set of `size` different numbers below `limit`, in ascending order.
    fn draw_sample(&mut self, limit: u64, size: u64) -> Vec<u64> {
        let mut chosen = BTreeSet::new();
        // Floyd's algorithm: each new number is below one more than the last could reach.
        for reach in limit.saturating_sub(size)..limit {
            let number = self.draw_below(reach + 1);
            if !chosen.insert(number) {
                chosen.insert(reach);
            }
        }
        chosen.into_iter().collect()
    }
    /// From `least` to `most` of the numbers below `count`, in ascending order. With `or_none` the empty set is also possible.
    fn draw_set(&mut self, count: u64, least: u64, most: u64, or_none: bool) -> Vec<u64>;
    /// Whether to choose nothing, which counts as one answer beside `others`.
    fn draws_nothing(&mut self, others: u128) -> bool;
}

/// Draws the size of a set first: all sizes are equally likely, not all sets.
impl Lots for Generator {
    fn draw_below(&mut self, limit: u64) -> u64 {
        u64::from(random_below(self, u32::try_from(limit).unwrap_or(u32::MAX)))
    }

    fn draw_between(&mut self, least: i64, most: i64) -> i64 {
        let numbers = most.wrapping_sub(least).cast_unsigned().saturating_add(1);
        least.wrapping_add(Lots::draw_below(self, numbers).cast_signed())
    }

    fn draw_order(&mut self, count: u64) -> Vec<u64> {
        let mut left: Vec<u64> = (0..count).collect();
        (0..count).map(|_| left.remove(Lots::draw_below(self, left.len() as u64) as usize)).collect()
    }

    fn draw_set(&mut self, count: u64, least: u64, most: u64, or_none: bool) -> Vec<u64> {
        let sizes = most.saturating_sub(least) + 1;
        let size = least + Lots::draw_below(self, sizes + u64::from(or_none));
        if size > most {
            return Vec::new();
        }
        let mut chosen: Vec<u64> = (0..count).collect();
        while chosen.len() as u64 > size {
            chosen.remove(Lots::draw_below(self, chosen.len() as u64) as usize);
        }
        chosen
    }

    fn draws_nothing(&mut self, others: u128) -> bool {
        let answers = u64::try_from(others).unwrap_or(u64::MAX).saturating_add(1);
        Lots::draw_below(self, answers) == 0
    }
}
