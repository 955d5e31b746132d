//! Chance: the one place where results are drawn.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};

/// A generator whose stream is the same on every platform and in every version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generator(Pcg32);

/// What comes next tells generators apart.
impl Hash for Generator {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.clone().next_u64().hash(hasher);
    }
}

/// The generator of a seed.
pub fn generator(seed: u64) -> Generator {
    Generator(Pcg32::seed_from_u64(seed))
}

/// A number in `0..bound`, each equally likely (Lemire's method: multiply, and draw again in the rare uneven case).
#[inline]
pub fn below(generator: &mut Generator, bound: u32) -> u32 {
    let mut wide = u64::from(generator.0.next_u32()) * u64::from(bound);
    if (wide as u32) < bound {
        let threshold = bound.wrapping_neg() % bound.max(1);
        while (wide as u32) < threshold {
            wide = u64::from(generator.0.next_u32()) * u64::from(bound);
        }
    }
    (wide >> 32) as u32
}

/// A seed made from a seed and an index: one for each game of a simulation, each take-back, each bot.
pub fn derive(seed: u64, index: u64) -> u64 {
    let mut mixed = seed ^ index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        let mut stream = generator(1);
        let drawn: Vec<u32> = (0..8).map(|_| below(&mut stream, 20) + 1).collect();
        assert_eq!(drawn, [5, 10, 16, 2, 20, 4, 18, 3]);
    }

    #[test]
    fn every_number_below_the_bound_comes_up_equally_often() {
        let mut stream = generator(7);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[below(&mut stream, 6) as usize] += 1;
        }
        assert!(seen.iter().all(|&times| (9_600..10_400).contains(&times)), "{seen:?}");
    }
}
