//! Games that mean harm, and games that were changed at random.

#[path = "../engine/src/runtime/tests/attacks.rs"]
mod attacks;
mod mutants;

use ludex_engine::runtime::random::{derive_seed, seeded_generator};
use mutants::{Tally, changed, play, small};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn changed_games_neither_panic_nor_go_on_for_ever() {
    let originals = small();
    let mut tally = Tally::default();
    for index in 0..90u64 {
        let original = &originals[index as usize % originals.len()];
        let files = changed(original, &mut seeded_generator(derive_seed(15, index)));
        let played = catch_unwind(AssertUnwindSafe(|| play(&original.game, files, index, &mut tally)));
        assert!(played.is_ok(), "change {index} of {}", original.name);
    }
    assert!(tally.played > 10 && tally.refused > 20, "it must come to something: {tally:?}");
}

#[test]
fn games_that_are_not_changed_are_played() {
    for original in small().iter().take(1) {
        let mut tally = Tally::default();
        (0..4).for_each(|seed| play(&original.game, original.files.clone(), seed, &mut tally));
        assert_eq!(tally, Tally { played: 8, ..Tally::default() });
    }
}
