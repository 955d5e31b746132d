//! Chance: the only place where results are drawn.
//!
//! [`Generator`] draws numbers; `effect` asks it for all results of the rules. `luck` is the generator in use.

use chacha20::ChaCha20Rng;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};

/// A generator whose stream is the same on every platform and in every version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Generator {
    /// Small and fast, for simulations. A few results reveal all others.
    Plain(Pcg32),
    /// For people who play each other. Boxed, because the state is copied often.
    Keyed(Box<KeyedStream>),
}

/// A position in the ChaCha20 stream of a key. Past results do not reveal the next ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyedStream {
    key: [u8; 32],
    /// Number of 32-bit words drawn.
    drawn: u64,
}

impl KeyedStream {
    /// The next word. Its block is computed again each time, so that copies stay small.
    fn next_u32(&mut self) -> u32 {
        let mut stream = ChaCha20Rng::from_seed(self.key);
        stream.set_word_pos(u128::from(self.drawn));
        self.drawn += 1;
        stream.next_u32()
    }
}

/// Generators with different next results hash differently.
impl Hash for Generator {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        match self {
            Generator::Plain(plain) => plain.clone().next_u64().hash(hasher),
            Generator::Keyed(keyed) => (keyed.key, keyed.drawn).hash(hasher),
        }
    }
}

/// The generator for a number.
pub fn seeded_generator(seed: u64) -> Generator {
    Generator::Plain(Pcg32::seed_from_u64(seed))
}

/// The generator for a key.
pub(crate) fn keyed_generator(key: [u8; 32]) -> Generator {
    Generator::Keyed(Box::new(KeyedStream { key, drawn: 0 }))
}

/// Derives another key that does not reveal the first: the first words of the key's ChaCha20 stream 1. Results are drawn from
/// stream 0.
pub(crate) fn derive_key(key: [u8; 32]) -> [u8; 32] {
    let mut stream = ChaCha20Rng::from_seed(key);
    stream.set_stream(1);
    let mut other = [0; 32];
    stream.fill_bytes(&mut other);
    other
}

/// A number in `0..bound`, uniformly distributed.
#[inline]
pub fn random_below(generator: &mut Generator, bound: u32) -> u32 {
    match generator {
        Generator::Plain(plain) => random_below_plain(plain, bound),
        Generator::Keyed(keyed) => random_below_keyed(keyed, bound),
    }
}

/// Like [`random_below`], for a plain generator.
#[inline(always)]
pub fn random_below_plain(plain: &mut Pcg32, bound: u32) -> u32 {
    uniform_below(bound, || plain.next_u32())
}

/// Like [`random_below`], for a keyed stream.
// A separate function, so that simulations do not carry its code.
#[inline(never)]
fn random_below_keyed(keyed: &mut KeyedStream, bound: u32) -> u32 {
    uniform_below(bound, || keyed.next_u32())
}

/// A number in `0..bound` from uniform words (Lemire's method: multiply, and draw again in the rare biased case).
#[inline(always)]
fn uniform_below(bound: u32, mut word: impl FnMut() -> u32) -> u32 {
    let mut wide = u64::from(word()) * u64::from(bound);
    if (wide as u32) < bound {
        let threshold = bound.wrapping_neg() % bound.max(1);
        while (wide as u32) < threshold {
            wide = u64::from(word()) * u64::from(bound);
        }
    }
    (wide >> 32) as u32
}

/// Shuffles things uniformly (Fisher and Yates: from the last place down, each place gets one of the things not placed yet).
pub(crate) fn shuffle_slice<T>(things: &mut [T], luck: &mut Generator) {
    for last in (1..things.len()).rev() {
        things.swap(last, random_below(luck, last as u32 + 1) as usize);
    }
}

/// Derives a seed from a seed and an index: one for each game of a simulation, each take-back, each bot.
pub fn derive_seed(seed: u64, index: u64) -> u64 {
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
        let mut stream = seeded_generator(1);
        let drawn: Vec<u32> = (0..8).map(|_| random_below(&mut stream, 20) + 1).collect();
        assert_eq!(drawn, [5, 10, 16, 2, 20, 4, 18, 3]);
    }

    /// The key stream of RFC 8439 for a key and a nonce of zeros (its first and second test vectors).
    #[test]
    fn the_stream_of_a_key_is_chacha20() {
        let Generator::Keyed(mut stream) = keyed_generator([0; 32]) else { panic!("this is a key") };
        let words: Vec<u32> = (0..18).map(|_| stream.next_u32()).collect();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let first = [0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90, 0x40, 0x5d, 0x6a, 0xe5, 0x53, 0x86, 0xbd, 0x28];
        assert_eq!(bytes[..16], first);
        assert_eq!(bytes[64..72], [0x9f, 0x07, 0xe7, 0xbe, 0x55, 0x51, 0x38, 0x7a]);
    }

    #[test]
    fn the_results_of_a_key_never_change() {
        let mut stream = keyed_generator(std::array::from_fn(|index| index as u8));
        let drawn: Vec<u32> = (0..8).map(|_| random_below(&mut stream, 20) + 1).collect();
        assert_eq!(drawn, [10, 9, 10, 6, 9, 16, 6, 12]);
    }

    #[test]
    fn a_copy_goes_on_where_the_other_stands() {
        let mut one = keyed_generator([9; 32]);
        let _: Vec<u32> = (0..21).map(|_| random_below(&mut one, 6)).collect();
        let mut other = one.clone();
        assert_eq!(one, other);
        assert!((0..100).all(|_| random_below(&mut one, 1_000_000) == random_below(&mut other, 1_000_000)));
        assert_eq!(size_of::<Generator>(), 24, "the state is copied all the time");
    }

    #[test]
    fn every_number_below_the_bound_comes_up_equally_often() {
        let mut stream = seeded_generator(7);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[random_below(&mut stream, 6) as usize] += 1;
        }
        assert!(seen.iter().all(|&times| (9_600..10_400).contains(&times)), "{seen:?}");
    }
}
