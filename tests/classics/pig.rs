//! Pig: what a turn is worth on average.

use super::library;
use crate::support::ludex;
use std::collections::BTreeMap;

/// The chance that a turn that is held at 20 comes to each number of points, in parts of six to the power of `ROLLS`.
fn held_at_twenty() -> BTreeMap<u64, u128> {
    let mut ends: BTreeMap<u64, u128> = BTreeMap::new();
    let mut rolling = BTreeMap::from([(0, 6u128.pow(ROLLS))]);
    while let Some((points, chance)) = rolling.pop_first() {
        if points >= 20 {
            *ends.entry(points).or_default() += chance;
            continue;
        }
        *ends.entry(0).or_default() += chance / 6;
        for shown in 2..=6 {
            *rolling.entry(points + shown).or_default() += chance / 6;
        }
    }
    ends
}

/// Nobody holds later: ten twos are 20.
const ROLLS: u32 = 10;

#[test]
fn holding_at_20_brings_8_1418_points_a_turn() {
    let total: u128 = held_at_twenty().iter().map(|(points, chance)| u128::from(*points) * chance).sum();
    assert_eq!(total, 492_303_203);
    let root = library().to_string_lossy().into_owned();
    let odds = ludex(&["odds", "pig", "held_at(20)", "--library", &root]);
    assert!(odds.stdout.contains("mean 492303203/60466176 (8.141795)"), "{}{}", odds.stdout, odds.stderr);
    assert_eq!(6u128.pow(ROLLS), 60_466_176);
}
