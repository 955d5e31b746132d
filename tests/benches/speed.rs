//! How fast the shipped rules play, held against the same game written straight into Rust.
//!
//! Both play random matches in turn, in one thread and in one run; what counts is processor time, and the ratio of
//! medians. Run it with `cargo bench --bench speed`, or with `-- ROUNDS` for more rounds than nine.

mod native;
mod shipped;

use ludex_engine::program::Program;
use ludex_engine::runtime::Session;
use ludex_engine::runtime::random::derive_seed;
use native::SideDice;
use shipped::{SHIPPED, compile, median, play, processor_time, start};
use std::sync::Arc;

/// Matches of one measurement: of the rules, and of the native program.
const MATCHES: u64 = 4_000;
const NATIVE_MATCHES: u64 = 40_000;

/// Pairings with abilities; the first two sheets have abilities that are never used without them.
const PAIRINGS: [(&str, &str); 6] = [
    ("sailor-mercury", "kunzite"),
    ("kunzite", "kunzite"),
    ("tuxedo-mask", "tuxedo-mask"),
    ("luna-and-artemis", "queen-beryl"),
    ("droids", "wiseman"),
    ("sailor-moon", "prince-dimande"),
];

fn main() {
    let rounds = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(9usize).max(1);
    let program = program();
    let mut contests = vec![Contest::new(&program, "plain-a", "plain-b")];
    contests.extend(PAIRINGS.iter().map(|(one, other)| Contest::new(&program, one, other)));
    let mut native = Vec::new();
    for round in 0..rounds {
        native.push(time_native(round as u64));
        contests.iter_mut().for_each(|contest| contest.measure(round as u64));
    }
    let reference = median(&mut native);
    println!("native: {:.0} matches a second of processor time (median of {rounds})", reference);
    let mut product = 1.0;
    for (index, contest) in contests.iter_mut().enumerate() {
        let ratio = median(&mut contest.speeds) / reference;
        println!("{:<34} {:>9.0} matches a second, ratio {ratio:.3}", contest.name, median(&mut contest.speeds));
        if index > 0 {
            product *= ratio;
        }
    }
    println!("with abilities, geometric mean: {:.3}", f64::powf(product, 1.0 / PAIRINGS.len() as f64));
}

struct Contest {
    name: String,
    session: Session,
    speeds: Vec<f64>,
}

impl Contest {
    fn new(program: &Arc<Program>, one: &str, other: &str) -> Contest {
        let session = start(program, &[&[one], &[other]]);
        Contest { name: format!("{one} against {other}"), session, speeds: Vec::new() }
    }

    fn measure(&mut self, round: u64) {
        let before = processor_time();
        for index in 0..MATCHES {
            play(&mut self.session, derive_seed(round, index));
        }
        self.speeds.push(MATCHES as f64 / (processor_time() - before));
    }
}

fn time_native(seed: u64) -> f64 {
    let sides = [
        SideDice { starting: &[8, 8, 10, 20], reserve: &[6, 10, 12, 20] },
        SideDice { starting: &[8, 10, 20, 20], reserve: &[8, 10, 12, 12] },
    ];
    let before = processor_time();
    let tally = native::play(&sides, NATIVE_MATCHES, seed + 1);
    assert!(tally.matches == NATIVE_MATCHES && tally.turns > 0);
    NATIVE_MATCHES as f64 / (processor_time() - before)
}

/// The shipped game, with two characters that have the reference dice and no abilities.
fn program() -> Arc<Program> {
    let plain = [("plain-a", "[8, 8, 10, 20]", "[6, 10, 12, 20]"), ("plain-b", "[8, 10, 20, 20]", "[8, 10, 12, 12]")];
    let sheets = plain.map(|(name, starting, reserve)| {
        let path = format!("characters/dice-challenge/{name}.yaml");
        (path, format!("name: {name}\nstarting: {starting}\nreserve: {reserve}\n"))
    });
    compile(SHIPPED, "dice-challenge", &sheets)
}
