//! A table at which everything is drawn.

use crate::games::table::Table;

/// Draws everything, each result and each option being equally likely.
pub struct Random {
    state: u64,
    /// Choices made so far.
    pub answers: u64,
}

impl Random {
    /// The same seed gives the same games.
    pub fn new(seed: u64) -> Random {
        Random { state: seed, answers: 0 }
    }

    /// A number below `bound`. SplitMix64, and its upper half scaled down: uneven by less than one in a million for all
    /// bounds that these games have.
    #[inline]
    fn below(&mut self, bound: u32) -> u32 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let upper = (mixed ^ (mixed >> 31)) >> 32;
        ((upper * u64::from(bound)) >> 32) as u32
    }
}

impl Table for Random {
    #[inline]
    fn roll(&mut self, highest: u32) -> u32 {
        self.below(highest) + 1
    }

    #[inline]
    fn choose(&mut self, _side: usize, count: u32, _key: impl Fn(u32) -> String) -> u32 {
        self.answers += 1;
        self.below(count)
    }

    #[inline]
    fn choose_some(&mut self, _side: usize, count: u32, size: u32, _key: impl Fn(u32) -> String) -> u64 {
        self.answers += 1;
        let mut chosen: u64 = 0;
        while chosen.count_ones() < size {
            chosen |= 1 << self.below(count);
        }
        chosen
    }
}
