//! The fuzz targets, with the inputs that are kept of them.

#[path = "fuzz/src/lib.rs"]
mod targets;

use crate::support::Luck;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use targets::twins::Tally;
use targets::{TARGETS, Target};

/// So many inputs are kept of a target, and none is longer, in bytes.
const MOST_INPUTS: usize = 40;
const LONGEST_INPUT: usize = 4 << 10;

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz").join(path)
}

/// The inputs of a target, in the order of their names.
fn inputs(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder("corpus").join(target)).unwrap();
    let paths: BTreeSet<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

fn replay(target: &str, function: Target) {
    for (path, input) in inputs(target) {
        let held = std::panic::catch_unwind(|| function(&input));
        assert!(held.is_ok(), "{target} does not hold for {}", path.display());
    }
}

macro_rules! replayed {
    ($($target:ident)*) => {
        $(#[test]
        fn $target() {
            replay(stringify!($target), targets::$target);
        })*

        #[test]
        fn every_target_is_replayed() {
            let replayed = [$(stringify!($target)),*];
            assert_eq!(TARGETS.map(|(name, _)| name), replayed);
        }
    };
}

replayed!(rules sheets scripts positions scenarios recordings protocol compile_then_play twins);

#[test]
fn every_target_is_a_program_of_its_own() {
    let manifest = fs::read_to_string(folder("Cargo.toml")).unwrap();
    for (name, _) in TARGETS {
        assert!(manifest.contains(&format!("\nname = \"{name}\"\n")), "{name}");
        let program = fs::read_to_string(folder("fuzz_targets").join(format!("{name}.rs"))).unwrap();
        assert!(program.contains(&format!("ludex_fuzz::{name}(input)")), "{name}");
    }
}

#[test]
fn what_is_kept_is_small() {
    for (target, _) in TARGETS {
        let inputs = inputs(target);
        assert!((1..=MOST_INPUTS).contains(&inputs.len()), "{target}: {} inputs", inputs.len());
        for (path, input) in inputs {
            assert!(input.len() <= LONGEST_INPUT, "{}: {} bytes", path.display(), input.len());
        }
    }
}

#[test]
fn words_are_changed_within_the_room_there_is() {
    let text = "roll 2 d6 as pool — \"ünd\"\n";
    let mut changed = BTreeSet::new();
    for seed in 0..200 {
        let mut data = [text.as_bytes(), &[0; 20]].concat();
        let Some(size) = targets::words::change(&mut data, text.len(), text.len() + 20, seed) else { continue };
        changed.insert(String::from_utf8(data[..size].to_vec()).unwrap());
    }
    assert!(changed.len() > 50, "{changed:#?}");
    assert_eq!(targets::words::change(&mut [0xff; 4], 4, 4, 1), None);
}

/// Plays so many random games with secrets, from one on, each in two worlds.
fn play_twins(games: u64, from: u64) -> Tally {
    let mut tally = Tally::default();
    for seed in from..from + games {
        let mut luck = Luck(seed);
        let length = 40 + luck.below(300);
        let input: Vec<u8> = (0..length).map(|_| luck.below(256) as u8).collect();
        if let Err(difference) = targets::twins::judge(&input, &mut tally) {
            panic!("game {seed}: {difference}");
        }
    }
    tally
}

#[test]
fn a_seat_cannot_tell_the_worlds_of_random_games_with_secrets_apart() {
    let tally = play_twins(200, 0);
    // Else they show nothing.
    assert!(tally.unplayed < 10 && tally.questions > 200 && tally.taken_back > 10, "{tally:?}");
    assert!(tally.copies > 2_500 && tally.refused < tally.copies / 2, "{tally:?}");
}

/// `LUDEX_TWINS` says how many, and `LUDEX_TWINS_FROM` from which on.
#[test]
#[ignore = "takes an hour; run by hand with `--release`"]
fn a_seat_cannot_tell_the_worlds_of_very_many_games_apart() {
    let number = |name: &str, otherwise| std::env::var(name).map_or(otherwise, |value| value.parse().unwrap());
    let (games, from) = (number("LUDEX_TWINS", 200_000), number("LUDEX_TWINS_FROM", 1_000));
    println!("{games} games: {:#?}", play_twins(games, from));
}
