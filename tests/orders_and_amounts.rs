//! A game in which things are put in order and totals are divided; its files lie outside the repository.

use crate::support::{Folder, ludex_in, run};
use serde_json::Value;
use std::collections::BTreeSet;

/// Who has seen three dice says in which order they come, loads the raft, and guards three shores in secret.
const RULES: &str = r#"ludex 1
game ferry "Ferry"

sides 2

die sizes 4, 6, 8

each side has {
  zone stack: dice, seen by nobody, in order
  zone raft: dice, open
  counter points
}
the table has { turns: number }      # taken since the shores were guarded

standing of side = side.points

to play {
  each side in sides {
    create die(size: 4) in side.stack for side
    create die(size: 6) in side.stack for side
    create die(size: 8) in side.stack for side
    shuffle side.stack
  }
  repeat 2 times {
    repeat at most 2 times until turns = 2 {
      do turn(if turns = 0 then first of sides else last of sides)
      set turns to turns + 1
    } otherwise { }
    set turns to 0
    do guard
  }
  finish with those of sides with highest it.points
}

entry scope turn(active: side) {
  active must order top 3 of active.stack as stacked "Which comes when? The last lies on top" tells
  move stacked to active.stack
  show top 3 of active.stack to active
  move top 1 of active.stack to active.raft
  roll active.raft because "the load"
  active may divide 60 in steps of 10 among active.raft as loads "Load the raft" "load nothing"
  each die in active.raft {
    add (loads(die) but at most die.value * 10) to active.points as carried "{die} carries {loads(die)}"
  }
}

entry to guard {
  let shores = [1, 2, 3]
  each side in sides at once in secret must divide 4 in steps of 2 among shores as guards "Guard the shores"
  each shore in shores {
    each side in sides {
      if guards(side, shore) > guards(side.foe, shore) { add 5 to side.points as held "{side} holds shore {shore}" }
    }
  }
}
"#;

const SCENARIOS: &str = "- name: the last die named lies on top, and no die carries more than it shows
  position:
    sides: [{zones: {stack: [{id: a, size: 4, value: 1}, {id: b, size: 6, value: 1}], raft: [{id: c, size: 8, value: 1}]}}, {}]
    at: turn(active: 0)
  random: [2, 3]
  play:
    - 0: {legal: [order(b + a), a + b], not: {order(a): each must be named, order(a + a): twice, pass: not among}}
    - 0: {only: [order(a + b), order(b + a)]}
    - 0: order(b + a)
    - expect: [chose(order(b + a) by 0), rolled(c, 2), rolled(a, 3)]
    - 0: {legal: [divide(c = 60), pass], not: {divide(a = 50): the amounts add up to 50, divide(a = 65): not a multiple of 10}}
    - 0: divide(c = 40 + a = 20)
    - expect: [chose(divide(a = 20 + c = 40) by 0), carried(points, 20), carried(points, 40)]
  then: {sides: [{counters: {points: 40}}, {}]}

- name: who has more guards holds a shore
  position: {sides: [{}, {}], at: guard}
  play:
    - 0: 1 = 4
    - 1: divide(2 = 2 + 3 = 2)
    - expect: [chose(divide(1=4) by 0), chose(divide(2=2+3=2) by 1), held(points, 5 by 0), held(points, 10 by 1)]
";

pub fn ferry(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("rules/ferry/ferry.ludex", RULES);
    folder.write("rules/ferry/scenarios/crossing.yaml", SCENARIOS);
    folder
}

#[test]
fn its_scenarios_hold() {
    let folder = ferry("ferry-test");
    assert!(run(&folder, &["check"], "").stdout.contains("no problems"));
    let report = run(&folder, &["test", "ferry"], "");
    assert!(report.stdout.contains("ferry: 2 scenarios, 0 failed"), "{}", report.stdout);
}

#[test]
fn a_scenario_that_is_wrong_tells_what_may_be_answered() {
    let folder = ferry("ferry-wrong");
    let only = SCENARIOS.replace("only: [order(a + b), order(b + a)]", "only: [order(a + b)]");
    folder.write("rules/ferry/scenarios/crossing.yaml", &only.replace("0: 1 = 4", "0: {only: [1 = 4]}"));
    let report = ludex_in(&folder, &["test", "ferry"], "");
    for told in [
        "another order should not be possible, but is",
        "the orders of order(1), order(0)",
        "another division should not be possible, but is",
        "4 divided in steps of 2 among divide(1), divide(2)",
    ] {
        assert!(report.stderr.contains(told) || report.stdout.contains(told), "{told}:\n{}{}", report.stdout, report.stderr);
    }
}

#[test]
fn bots_play_it_and_looking_ahead_helps() {
    let folder = ferry("ferry-sim");
    let games = |more: &[&str]| -> Value {
        let args = [&["sim", "ferry", "--games", "60", "--format", "json"], more].concat();
        serde_json::from_str(&run(&folder, &args, "").stdout).unwrap()
    };
    let report = games(&["--check", "--seat", "0=:greedy"]);
    assert_eq!((&report["faults"], &report["capped"], &report["check"]["failed"]), (&0.into(), &0.into(), &0.into()));
    let wins = |side: usize| report["sides"][side]["wins"].as_u64().unwrap();
    assert!(wins(0) > 2 * wins(1), "{report}");
    // Watched and unwatched play agree.
    assert_eq!(games(&["--usage"])["digest"], games(&[])["digest"]);
}

const SEATS: [&str; 4] = ["--seat", "0=:human", "--seat", "1=:auto"];

#[test]
fn people_type_numbers_and_amounts() {
    let folder = ferry("ferry-play");
    let input = "3 1\n3 3 1\nwhy order(0+1)\norder(0+2+1)\n60\n9 9 9\n2 2\n0 2 2\nundo\n4 0 0\nquit\n";
    let told = run(&folder, &[&["play", "ferry", "--plain", "--seed", "4"], &SEATS[..]].concat(), input);
    let (_, story) = told.stdout.split_once("Which comes when?").unwrap_or_default();
    insta::assert_snapshot!(story);
    let prompts: BTreeSet<&str> = told.stderr.lines().filter(|line| line.starts_with("Player 1")).collect();
    insta::assert_snapshot!(prompts.into_iter().collect::<Vec<_>>().join("\n"), @r"
    Player 1 (60, or `pass`, or help):
    Player 1 (an amount for each of the 3: multiples of 2, 4 in total, or help):
    Player 1 (the 2 numbers, in the order you want, or help):
    Player 1 (the 3 numbers, in the order you want, or help):
    ");
}

#[test]
fn a_game_is_saved_resumed_and_played_again() {
    let folder = ferry("ferry-resume");
    let left = run(
        &folder,
        &[&["play", "ferry", "--plain", "--seed", "4"], &SEATS[..]].concat(),
        "hint\n2 3 1\nsave kept.ludexrec\nquit\n",
    );
    assert!(left.stdout.contains("hint: "), "{}", left.stdout);
    let kept = std::fs::read_to_string(folder.file("kept.ludexrec")).unwrap();
    assert!(kept.contains("\"key\":\"order("), "{kept}");
    let more = run(&folder, &["play", "--plain", "--resume", "kept.ludexrec"], "60\n0 2 2\nundo\n2 2 0\nquit\n");
    assert!(more.stdout.contains("Player 1: 2 for 1 and 2 for 2"), "{}", more.stdout);
    let path = more.stdout.lines().find_map(|line| line.strip_prefix("kept in ")).unwrap_or("kept.ludexrec");
    let again = run(&folder, &["replay", path], "");
    assert!(again.stdout.contains("Player 1: 60 for d4:1"), "{}", again.stdout);
}
