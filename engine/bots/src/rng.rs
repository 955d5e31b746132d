//! Random numbers outside a session: the draws of bots, and seeds derived from seeds.

use ludex_engine::runtime::Lots;
use ludex_engine::runtime::arrange::count_subsets;

/// A stream of random numbers. The same seed gives the same stream on every platform, for ever.
///
/// This is SplitMix64: one addition and a mix of eight bytes, which costs a bot almost nothing.
#[derive(Clone, Debug)]
pub struct BotRng(u64);

/// The odd number nearest to 2^64 divided by the golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The seed of the `index`-th item derived from `seed`: a game of a simulation, a bot of a game.
pub fn derive_seed(seed: u64, index: u64) -> u64 {
    let start = scramble_bits(seed.wrapping_add(STEP));
    scramble_bits(start.wrapping_add(index.wrapping_add(1).wrapping_mul(STEP)))
}

/// Mixes each bit of a number into all bits.
pub fn scramble_bits(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

impl BotRng {
    /// The `index`-th stream of a seed.
    pub fn new(seed: u64, index: u64) -> BotRng {
        BotRng(derive_seed(seed, index))
    }

    /// The next 64 random bits.
    pub fn next_bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        scramble_bits(self.0)
    }

    /// A number from 0 up to, but not including, 1.
    fn next_fraction(&mut self) -> f64 {
        (self.next_bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// All possible results of a draw are equally likely.
impl Lots for BotRng {
    /// Returns 0 if `limit` is 0.
    ///
    /// Lemire's method: a multiplication instead of a division. It rejects the few draws that would make some numbers more
    /// likely.
    fn draw_below(&mut self, limit: u64) -> u64 {
        let mut product = u128::from(self.next_bits()) * u128::from(limit);
        if (product as u64) < limit {
            let uneven = limit.wrapping_neg() % limit;
            while (product as u64) < uneven {
                product = u128::from(self.next_bits()) * u128::from(limit);
            }
        }
        (product >> 64) as u64
    }

    fn draw_between(&mut self, least: i64, most: i64) -> i64 {
        let offset = match most.wrapping_sub(least).cast_unsigned().checked_add(1) {
            Some(numbers) => self.draw_below(numbers),
            None => self.next_bits(),
        };
        least.wrapping_add(offset.cast_signed())
    }

    fn draw_order(&mut self, count: u64) -> Vec<u64> {
        let mut numbers: Vec<u64> = (0..count).collect();
        for last in (1..numbers.len()).rev() {
            numbers.swap(last, self.draw_below(last as u64 + 1) as usize);
        }
        numbers
    }

    /// Each set of a size from `least` to `most`, and with `or_none` the empty set as well, is equally likely.
    fn draw_set(&mut self, count: u64, least: u64, most: u64, or_none: bool) -> Vec<u64> {
        let most = most.min(count);
        let sizes = set_weights(count, least, most);
        let all = sizes.iter().sum::<f64>();
        // The weights are numbers of sets, relative to the number of sets of the least size.
        let none = if or_none { 1.0 / count_subsets(count, least) as f64 } else { 0.0 };
        let mut draw = self.next_fraction() * (all + none);
        if draw >= all {
            return Vec::new();
        }
        let mut size = least;
        for weight in sizes {
            if draw < weight || size == most {
                break;
            }
            draw -= weight;
            size += 1;
        }
        self.draw_sample(count, size)
    }

    /// True with the probability of one result among `others` more.
    fn draws_nothing(&mut self, others: u128) -> bool {
        self.next_fraction() * (others as f64 + 1.0) < 1.0
    }
}

/// The number of sets of each size from `least` to `most`, relative to the number of sets of size `least`.
fn set_weights(count: u64, least: u64, most: u64) -> Vec<f64> {
    let mut weight = 1.0f64;
    let mut weights = vec![weight];
    for size in least..most {
        // Capped below infinity, which only sets of hundreds of items could reach.
        weight = (weight * (count - size) as f64 / (size + 1) as f64).min(1e200);
        weights.push(weight);
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_never_changes() {
        let mut rng = BotRng(0);
        // The first results of the published SplitMix64 from the state 0.
        assert_eq!(rng.next_bits(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(rng.next_bits(), 0x6e78_9e6a_a1b9_65f4);
        assert_eq!(derive_seed(1, 0), derive_seed(1, 0));
        assert_ne!(derive_seed(1, 0), derive_seed(1, 1));
        assert_ne!(derive_seed(1, 0), derive_seed(0, 1));
        let seeds: std::collections::BTreeSet<u64> = (0..100).flat_map(|a| (0..100).map(move |b| derive_seed(a, b))).collect();
        assert_eq!(seeds.len(), 10_000);
    }

    #[test]
    fn every_number_below_a_limit_is_equally_likely() {
        let mut rng = BotRng::new(7, 0);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[rng.draw_below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&times| (9_600..10_400).contains(&times)), "{seen:?}");
    }

    #[test]
    fn numbers_keep_within_their_bounds() {
        let mut rng = BotRng::new(7, 1);
        assert!((0..1000).all(|_| (-3..=4).contains(&rng.draw_between(-3, 4))));
        assert_eq!(rng.draw_between(5, 5), 5);
        rng.draw_between(i64::MIN, i64::MAX);
    }

    /// So many different results are drawn, each of them about a thousand times.
    #[track_caller]
    fn all_come_up_equally_often(mut rng: BotRng, results: usize, draw: impl Fn(&mut BotRng) -> Vec<u64>) {
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..results * 1_000 {
            *seen.entry(draw(&mut rng)).or_insert(0u32) += 1;
        }
        assert_eq!(seen.len(), results);
        assert!(seen.values().all(|&times| (880..1120).contains(&times)), "{seen:?}");
    }

    #[test]
    fn every_sample_is_equally_likely() {
        let rng = BotRng::new(3, 0);
        all_come_up_equally_often(rng, 10, |rng| rng.draw_sample(5, 2));
    }

    #[test]
    fn every_order_is_equally_likely() {
        let rng = BotRng::new(3, 1);
        all_come_up_equally_often(rng, 6, |rng| rng.draw_order(3));
    }

    #[test]
    fn a_sample_is_never_larger_than_what_there_is() {
        assert_eq!(BotRng::new(3, 0).draw_sample(3, 9), [0, 1, 2]);
    }

    #[test]
    fn there_are_as_many_sets_as_counting_says() {
        assert_eq!(set_weights(4, 0, 4), [1.0, 4.0, 6.0, 4.0, 1.0]);
        assert_eq!(set_weights(4, 1, 2), [1.0, 1.5]);
        assert_eq!(set_weights(5, 2, 2), [1.0]);
    }

    #[test]
    fn every_legal_set_is_equally_likely() {
        let rng = BotRng::new(11, 0);
        all_come_up_equally_often(rng, 4 + 6 + 4, |rng| rng.draw_set(4, 1, 3, false));
    }

    #[test]
    fn choosing_nothing_is_as_likely_as_any_set() {
        let rng = BotRng::new(5, 0);
        all_come_up_equally_often(rng, 6 + 1, |rng| rng.draw_set(4, 2, 2, true));
    }

    #[test]
    fn a_set_over_many_things_is_still_legal() {
        let size = BotRng::new(2, 0).draw_set(5_000, 1, 5_000, false).len();
        assert!((1..=5_000).contains(&size));
        assert_eq!(BotRng::new(2, 0).draw_set(5_000, 4_999, 4_999, true).len(), 4_999, "nothing is one of 5 001");
    }
}
