//! `ludex odds --best`, as it is shipped. What it finds is compared with other ways to find it in the engine.

use crate::support::{Folder, Run, ludex};
use serde_json::Value;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Anglers who decide how long to wait.
const ANGLING: &str = r#"ludex 1
game angling "Angling"
sides 2 named "Ann", "Bea"
piece lure (lures) { weight: number }
type sky is one of clear, grey
each side has { zone box: lures, open  counter fish }
the table has { zone water: lures, open  counter bites }

policy patient for waiting { prefer highest (if it is wait then 1 else 0) }
family waiting(active: side) {}
action wait() is waiting says "wait"
action pull() is waiting says "pull"

## As many fish as the last bite, or none once it is gone.
to wait_for_bites(active: side): number {
  roll 1 d4 as bite
  repeat 2 times {
    active must choose waiting as waiting "Wait for another?" else { leave }
    if waiting is pull { leave }
    roll 1 d4 as other
    set bite to other
  }
  give sum of bite
}
to duel(ann: side, bea: side): number {
  roll 1 d3 as depth
  ann must choose number in 1..3 as guess "How deep?"
  bea may "Move?" as moves
  roll 1 d2 as drift
  give (if guess = sum of depth then 2 else 0) - (if moves then sum of drift - 1 else 0)
}
to looks(ann: side): sky { roll 1 d2 as shown  ann may "Look?" as sees  if sees { give clear } give grey }
to three: number {
  let sum = 0
  each side in sides { side may "Bait?" as bait  if bait { set sum to sum + 1 } }
  give sum
}
mode crowd "Three sides" { replace sides 3 named "Ann", "Bea", "Cid" }
mode shared "Both may win" {
  replace to play {
    each side in sides { side may "Cast?" as cast  if cast { add 1 to side.fish } }
    finish with payoff of side = side.fish
  }
}
to play {
  each side in sides { do wait_for_bites(side) as caught  add caught to side.fish }
  finish with those of sides with highest it.fish
}
"#;

/// Lures that only their owner sees.
const SECRETS: &str = r#"ludex 1
game secrets "Secrets"
sides 2 named "Ann", "Bea"
piece lure (lures) { weight: number }
each side has { zone box: lures, seen by owner }
to hidden(ann: side): number {
  create lure(weight: 1) in (last of sides).box
  create lure(weight: 2) in (last of sides).box
  shuffle (last of sides).box
  let heavy = 0
  each lure in (last of sides).box { if heavy = 0 { set heavy to lure.weight } }
  ann must choose number in 1..2 as guess
  give if guess = heavy then 1 else 0
}
to play { finish with sides }
"#;

fn angling() -> Folder {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let folder = Folder::new(&format!("best play {}", RUNS.fetch_add(1, Ordering::Relaxed)));
    folder.write("rules/angling/angling.ludex", ANGLING);
    folder.write("rules/secrets/secrets.ludex", SECRETS);
    folder
}

fn best(expression: &str, more: &[&str]) -> Run {
    best_in("angling", expression, more)
}

fn best_in(game: &str, expression: &str, more: &[&str]) -> Run {
    let folder = angling();
    let mut run = ludex(&[&["odds", game, expression, "--best", "--library", &folder.path()], more].concat());
    run.stderr = run.stderr.replace(&folder.path(), "LIBRARY");
    run
}

#[track_caller]
fn text(expression: &str, more: &[&str]) -> String {
    let run = best(expression, more);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{expression}");
    run.stdout
}

fn json(expression: &str, more: &[&str]) -> Value {
    serde_json::from_str(&text(expression, &[&["--format", "json"], more].concat())).unwrap()
}

#[track_caller]
fn refused(expression: &str, more: &[&str]) -> String {
    let run = best(expression, more);
    assert!(run.status != 0 && run.stdout.is_empty(), "{expression}: {}", run.stdout);
    run.stderr
}

#[test]
fn one_side_decides() {
    insta::assert_snapshot!(text("wait_for_bites(first of sides)", &[]));
}

#[test]
fn two_sides_decide() {
    insta::assert_snapshot!(text("duel(first of sides, last of sides)", &[]));
}

#[test]
fn a_match_is_won_or_lost() {
    insta::assert_snapshot!(text("play", &["--policy", "patient"]));
}

#[test]
fn the_decision_table_is_a_table_for_spreadsheets() {
    insta::assert_snapshot!(text("wait_for_bites(first of sides)", &["--format", "csv"]));
}

#[test]
fn programs_get_every_answer_with_its_worth() {
    let report = json("wait_for_bites(first of sides)", &[]);
    let best = &report["best"];
    // The last throw is 5/2 on average, so 1 and 2 are thrown again; the first throw is worth 3 or more, or else that.
    assert_eq!(best["worth"]["fraction"], "13/4", "{report:#}");
    let first = &best["decisions"][0];
    assert_eq!(first["answers"].as_array().map(Vec::len), Some(2), "{report:#}");
    let mean = best["odds"]["mean"]["fraction"].as_str();
    assert_eq!(mean, best["worth"]["fraction"].as_str());
}

#[test]
fn what_has_no_best_play_is_refused() {
    let all = [
        ("looks(first of sides)", &[][..]),
        ("three", &["--mode", "crowd"]),
        ("play", &["--mode", "shared"]),
        ("1d6", &["--policy", "none"]),
        ("wait_for_bites(first of sides)", &["--limit", "20"]),
        ("1d6", &["--html", "page.html"]),
    ];
    let told: String = all
        .iter()
        .map(|(expression, more)| format!("{expression} {}\n{}\n", more.join(" "), refused(expression, more)))
        .collect();
    insta::assert_snapshot!(told);
}

#[test]
fn a_side_must_see_what_matters() {
    let run = best_in("secrets", "hidden(first of sides)", &[]);
    assert!(run.stdout.is_empty());
    insta::assert_snapshot!(run.stderr);
    let run = best_in("secrets", "hidden(last of sides)", &["--format", "json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr));
    assert_eq!(report["best"]["worth"]["fraction"], "1", "{report:#}");
}

#[test]
fn a_match_that_nobody_decides_has_odds() {
    let run = ludex(&[
        "odds",
        "yahtzee",
        "play",
        "--mode",
        "alike",
        "--library",
        concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics"),
        "--no-local",
        "--limit",
        "1",
        "--samples",
        "200",
    ]);
    assert!(run.stdout.contains("won") && run.stdout.contains("lost"), "{}{}", run.stdout, run.stderr);
}
