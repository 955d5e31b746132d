//! What answers are drawn with.

use crate::runtime::random::{Generator, below};
use std::collections::BTreeSet;

/// Draws numbers, and what can be made of them. What is drawn with the same lots must never change: bots and imagined games hang
/// on it.
pub trait Lots {
    /// A number from 0 up to but not including `limit`.
    fn below(&mut self, limit: u64) -> u64;
    /// A number from `least` to `most`.
    fn between(&mut self, least: i64, most: i64) -> i64;
    /// The numbers below `count` in any order.
    fn shuffled(&mut self, count: u64) -> Vec<u64>;
    /// `size` different numbers below `limit`, rising, each such set as likely as any other.
    fn sample(&mut self, limit: u64, size: u64) -> Vec<u64> {
        let mut chosen = BTreeSet::new();
        // Floyd's way: each new number is below one more than the last could reach.
        for reach in limit.saturating_sub(size)..limit {
            let number = self.below(reach + 1);
            if !chosen.insert(number) {
                chosen.insert(reach);
            }
        }
        chosen.into_iter().collect()
    }
    /// From `least` to `most` of the numbers below `count`, rising; with `or_none` nothing at all is one set more.
    fn set(&mut self, count: u64, least: u64, most: u64, or_none: bool) -> Vec<u64>;
    /// Whether nothing is chosen, which is one answer beside so many others.
    fn is_none(&mut self, others: u128) -> bool;
}

/// Sets are drawn by their size first: each size is equally likely, not each set.
impl Lots for Generator {
    fn below(&mut self, limit: u64) -> u64 {
        u64::from(below(self, u32::try_from(limit).unwrap_or(u32::MAX)))
    }

    fn between(&mut self, least: i64, most: i64) -> i64 {
        let numbers = most.wrapping_sub(least).cast_unsigned().saturating_add(1);
        least.wrapping_add(Lots::below(self, numbers).cast_signed())
    }

    fn shuffled(&mut self, count: u64) -> Vec<u64> {
        let mut left: Vec<u64> = (0..count).collect();
        (0..count).map(|_| left.remove(Lots::below(self, left.len() as u64) as usize)).collect()
    }

    fn set(&mut self, count: u64, least: u64, most: u64, or_none: bool) -> Vec<u64> {
        let sizes = most.saturating_sub(least) + 1;
        let size = least + Lots::below(self, sizes + u64::from(or_none));
        if size > most {
            return Vec::new();
        }
        let mut chosen: Vec<u64> = (0..count).collect();
        while chosen.len() as u64 > size {
            chosen.remove(Lots::below(self, chosen.len() as u64) as usize);
        }
        chosen
    }

    fn is_none(&mut self, others: u128) -> bool {
        let answers = u64::try_from(others).unwrap_or(u64::MAX).saturating_add(1);
        Lots::below(self, answers) == 0
    }
}
