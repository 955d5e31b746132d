//! `ludex sim --compare`: the same games in variants, and what differs.

use crate::support::{Folder, Run, ludex_in};
use insta::assert_snapshot;
use serde_json::Value;

/// The first side wins by a throw of so much.
const TOSS: &str = "ludex 1
game toss \"Toss\"
sides 2
die sizes 6, 12
option needed = 4 in 1..12 \"what wins\"
option idle = 1 in 1..9 \"what changes nothing\"
mode long \"Long\" { replace option needed = 12 in 1..12 \"what wins\" }
each side has { counter won: halves }
the table has { zone tray: dice, open  counter shown }
to play {
  create die(size: 12) in tray as die
  roll die
  set shown to 12 divided by (die.value + idle - idle) rounded down
  let one = first of sides
  set one.won to half of die.value
  if die.value >= needed { finish with one }
  finish with one.foe
}
";

fn toss(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("rules/toss/toss.ludex", TOSS);
    folder
}

fn sim(folder: &Folder, more: &[&str]) -> Run {
    ludex_in(folder, &[&["sim", "toss"], more].concat(), "")
}

fn json(folder: &Folder, more: &[&str]) -> Value {
    let run = sim(folder, &[more, &["--format", "json"]].concat());
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

/// A number of a comparison.
fn number<'v>(report: &'v Value, of: &str, side: usize) -> &'v Value {
    let numbers = report["numbers"].as_array().unwrap();
    numbers.iter().find(|number| number["of"] == of && number["side"] == side).unwrap()
}

#[test]
fn every_variant_gives_what_it_gives_by_itself() {
    let folder = toss("compare-alone");
    let report = json(&folder, &["--games", "300", "--compare", "needed=4,9", "--count", "won"]);
    for (place, needed) in ["needed=4", "needed=9"].iter().enumerate() {
        let alone = json(&folder, &["--games", "300", "--option", needed, "--count", "won"]);
        assert_eq!(report["variants"][place]["name"], *needed);
        assert_eq!(report["variants"][place]["digest"], alone["digest"]);
        let wins = &number(&report, "wins", 0)["values"][place]["mean"];
        assert!((wins.as_f64().unwrap() - alone["sides"][0]["win_rate"].as_f64().unwrap()).abs() < 1e-12);
        assert_eq!(number(&report, "counter", 0)["values"][place]["mean"], alone["counters"][0]["sides"][0]["mean"]);
    }
}

/// Each throw is the same in both, so that only games count in which the throw lies between: nobody wins by less.
#[test]
fn differences_are_taken_game_by_game() {
    let folder = toss("compare-paired");
    let report = json(&folder, &["--games", "400", "--compare", "needed=4,5", "--count", "won"]);
    let wins = number(&report, "wins", 0);
    let [four, five] = [0, 1].map(|place| wins["values"][place]["mean"].as_f64().unwrap());
    let difference = &wins["differences"][0];
    let [mean, low, high] = ["mean", "low", "high"].map(|key| difference[key].as_f64().unwrap());
    assert!((mean - (five - four)).abs() < 1e-12 && low < mean && mean < high);
    assert_eq!(difference["evidence"], "less");
    // Of games that have nothing to do with each other the bounds are three times as far apart.
    assert!(high - low < 0.06, "{low} {high}");
    let won = &number(&report, "counter", 0)["differences"][0];
    assert_eq!((&won["mean"], &won["evidence"]), (&Value::from(0.0), &Value::from("not enough")));
}

#[test]
fn people_read_which_is_better_and_whether_that_is_sure() {
    let folder = toss("compare-text");
    let shown = |games: &str, compared: &str| sim(&folder, &["--games", games, "--compare", compared]).stdout;
    assert_snapshot!(shown("400", "needed=4,9"), @r"
    toss: 400 games of each, seed 1; each game has the same seed in all
    side 0: random
    side 1: random

                    needed=4  needed=9  difference (95 % sure)
    side 0 wins, %      72.0      33.8  -38.2 (-42.8 to -33.3)
    side 1 wins, %      28.0      66.2  +38.2 (33.3 to 42.8)

    For side 0 `needed=4` is better: 38.2 (33.3 to 42.8) more wins in 100 games than
      with `needed=9`.
    For side 1 `needed=9` is better: 38.2 (33.3 to 42.8) more wins in 100 games than
      with `needed=4`.
    ");
    assert_snapshot!(shown("400", "needed=5"), @r"
    toss: 400 games of each, seed 1; each game has the same seed in all
    side 0: random
    side 1: random

                    needed=4  needed=5  difference (95 % sure)
    side 0 wins, %      72.0      65.2  -6.8 (-9.2 to -4.2)
    side 1 wins, %      28.0      34.8  +6.8 (4.2 to 9.2)

    For side 0 `needed=4` is better: 6.8 (4.2 to 9.2) more wins in 100 games than
      with `needed=5`.
    For side 1 `needed=5` is better: 6.8 (4.2 to 9.2) more wins in 100 games than
      with `needed=4`.
    ");
    assert_snapshot!(shown("400", "idle=1,2"), @r"
    toss: 400 games of each, seed 1; each game has the same seed in all
    side 0: random
    side 1: random

                    idle=1  idle=2  difference (95 % sure)
    side 0 wins, %    72.0    72.0  0.0 (-0.5 to 0.5)
    side 1 wins, %    28.0    28.0  0.0 (-0.5 to 0.5)

    With `idle=2` every game went as with `idle=1`: 400 games show no difference.
    ");
    assert_snapshot!(shown("400", "needed=3,4,5,12"), @r"
    toss: 400 games of each, seed 1; each game has the same seed in all
    side 0: random
    side 1: random

                    needed=3                needed=4                needed=5
    side 0 wins, %      82.0                    72.0                    65.2
      difference               -10.0 (-12.9 to -7.0)  -16.8 (-20.3 to -13.0)
    side 1 wins, %      18.0                    28.0                    34.8
      difference                 +10.0 (7.0 to 12.9)    +16.8 (13.0 to 20.3)

                    needed=3               needed=12
    side 0 wins, %      82.0                     7.2
      difference              -74.8 (-78.7 to -70.1)
    side 1 wins, %      18.0                    92.8
      difference                +74.8 (70.1 to 78.7)

    For side 0 `needed=3` is better: 10.0 (7.0 to 12.9) more wins in 100 games than
      with `needed=4`.
    For side 1 `needed=4` is better: 10.0 (7.0 to 12.9) more wins in 100 games than
      with `needed=3`.
    For side 0 `needed=3` is better: 16.8 (13.0 to 20.3) more wins in 100 games than
      with `needed=5`.
    For side 1 `needed=5` is better: 16.8 (13.0 to 20.3) more wins in 100 games than
      with `needed=3`.
    For side 0 `needed=3` is better: 74.8 (70.1 to 78.7) more wins in 100 games than
      with `needed=12`.
    For side 1 `needed=12` is better: 74.8 (70.1 to 78.7) more wins in 100 games
      than with `needed=3`.
    ");
    assert_snapshot!(shown("12", "mode=long"), @r"
    toss: 12 games of each, seed 1; each game has the same seed in all
    side 0: random
    side 1: random

                    mode=standard  mode=long  difference (95 % sure)
    side 0 wins, %           75.0        0.0  -75.0 (-93.0 to -35.5)
    side 1 wins, %           25.0      100.0  +75.0 (35.5 to 93.0)

    These are too few games for a conclusion: play at least 30.
    ");
}

#[test]
fn every_line_fits_a_terminal() {
    let folder = toss("compare-width");
    for compared in [["needed=1,2,3,4,5,6,7,8,9,10", "--count=won"], ["0=:greedy", "--count=shown"]] {
        let run = sim(&folder, &["--games", "40", "--compare", compared[0], compared[1]]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(run.stdout.lines().all(|line| line.chars().count() <= 80), "{}", run.stdout);
    }
}

#[test]
fn the_output_does_not_depend_on_the_threads() {
    let folder = toss("compare-threads");
    folder.write("rules/toss/toss.ludex", &TOSS.replace("die.value + idle - idle", "die.value - idle"));
    for format in ["text", "json"] {
        let asked = ["--games", "200", "--compare", "idle=1,2", "--count", "won", "--format", format, "--threads"];
        let one = sim(&folder, &[&asked[..], &["1"]].concat());
        assert_eq!(one.status, 1, "a game in which 1 or 2 is thrown ends by a fault");
        assert!(one.stdout.contains("payoff") || one.stdout.contains("won"), "{}", one.stdout);
        for threads in ["2", "5"] {
            let run = sim(&folder, &[&asked[..], &[threads]].concat());
            assert_eq!((run.status, &run.stdout), (1, &one.stdout), "{threads} threads");
        }
    }
}

/// What ends by a fault in one variant is left out of all, so that the others are still compared like with like.
#[test]
fn games_that_a_fault_ends_are_left_out_and_counted() {
    let folder = toss("compare-faults");
    folder.write("rules/toss/toss.ludex", &TOSS.replace("die.value + idle - idle", "die.value - idle"));
    let run = sim(&folder, &["--games", "120", "--compare", "idle=1,2", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let faults = |place: usize| report["variants"][place]["faults"].as_u64().unwrap();
    assert!(faults(0) > 0 && faults(1) > 0);
    assert_eq!(report["compared"].as_u64(), Some(120 - faults(0) - faults(1)));
    assert_eq!(number(&report, "wins", 0)["differences"][0]["games"], report["compared"]);
    let text = sim(&folder, &["--games", "120", "--compare", "idle=1,2"]).stdout;
    assert!(text.contains(&format!("left out: {}", faults(0) + faults(1))), "{text}");
}

#[test]
fn a_library_is_compared_with_the_game_without_it() {
    let folder = Folder::new("compare-library");
    folder.write("base/rules/toss/toss.ludex", TOSS);
    folder.write("sharp/rules/toss/toss.ludex", &TOSS.replace(">= needed", ">= needed + 3"));
    folder.write("same/rules/toss/toss.ludex", TOSS);
    let compared = |library: &str| sim(&folder, &["--library", "base", "--games", "200", "--compare", library]);
    let run = compared("sharp");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("For side 0 `without sharp` is better"), "{}", run.stdout);
    let refused = compared("same");
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("`same` changes nothing in `toss`"), "{}", refused.stderr);
}

/// Everybody is counted by themselves, without the games in which they meet themselves.
#[test]
fn everybody_of_all_pairs_has_a_difference() {
    let folder = Folder::new("compare-pairs");
    let asked = ["sim", "dice-challenge", "--games", "60", "--all-pairs", "--compare", "1=:auto", "--format", "json"];
    let run = ludex_in(&folder, &asked, "");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let of_entrants = report["numbers"].as_array().unwrap().iter().filter(|number| !number["entrant"].is_null());
    assert_eq!(of_entrants.count(), 24);
}

#[test]
fn what_cannot_be_compared_is_refused_with_the_reason() {
    let folder = toss("compare-refused");
    let refused = |more: &[&str], words: &str| {
        let run = sim(&folder, &[&["--games", "5"], more].concat());
        assert!((1..=2).contains(&run.status) && run.stdout.is_empty(), "{more:?}: {}", run.stdout);
        assert!(run.stderr.contains(words), "{more:?}: {}", run.stderr);
    };
    refused(&["--compare", "needed=3,4", "--shard", "0/2", "--out", "run"], "`--compare` cannot be combined with `--shard`");
    refused(&["--compare", "needed=3,4", "--check"], "not for differences");
    refused(&["--compare", "needed=3,4", "--usage"], "usage is not compared");
    refused(&["--compare", "neded=3,4"], "did you mean `needed`?");
    refused(&["--compare", "needed=3,40"], "40");
    refused(&["--compare", "needed=3,"], "lacks a name or a value");
    refused(&["--compare", "needed=3,3"], "`needed=3` is compared with itself");
    refused(&["--compare", "needed=4"], "`needed=4` is compared with itself");
    refused(&["--compare", "needed=3,4", "--option", "needed=5"], "sets one value");
    refused(&["--compare", "needed=3,4", "--compare", "idle=3"], "must be the only one");
    refused(&["--compare", "nowhere"], "there is no library `nowhere`");
    refused(&["--compare", "mode=logn"], "the modes are: long and standard");
    refused(&["--compare", "0=:gredy"], "did you mean `greedy`?");
}
