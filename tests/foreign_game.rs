//! A sixth game, Pig, whose files lie outside the repository: the program knows nothing of it but them.

use crate::support::{Folder, run};
use serde_json::Value;

/// On a turn roll as often as you like; a 1 loses what the turn was worth, holding keeps it. 100 points win.
const RULES: &str = r#"ludex 1
game pig "Pig"

sides 2

option goal = 100 in 10..1000 "points that win"

die sizes 6

each side has { counter points }

the table has {
  zone board: dice, open
  counter pot                          ## what this turn is worth so far
}

family decision(active: side) {}

action again() is decision
  says "roll again"

action hold() is decision
  when pot > 0
  says "hold and keep {pot}"

standing of side = side.points

to play {
  create die(size: 6) in table.board for first of sides
  repeat at most 1000 times { each side in sides { do turn(side) } }
  otherwise { finish with nobody "nobody came to {goal}" }
}

scope turn(active: side) {
  set pot to 0
  repeat at most 1000 times {
    active must choose decision as decision "Roll or hold?" else { stop turn }
    if decision is hold {
      add pot to active.points as banked "{active} keeps {pot}"
      if active.points >= goal { finish with active }
      stop turn
    }
    roll table.board because "a turn of {active}"
    let shown = sum of table.board.value
    if shown = 1 { say "{active} rolls a 1 and gets nothing"  stop turn }
    add shown to pot
  } otherwise { stop turn }
}
"#;

/// The first roll of a turn is not asked for: there is nothing to hold yet.
const SCENARIO: &str = "- name: a 1 loses what the turn was worth
  start: {options: {goal: 10}}
  random: [4, 1, 6, 5]
  play:
    - 0: {legal: [again, hold]}
    - 0: again
    - expect: [said(side 0 rolls a 1 and gets nothing), chose(again by 1), rolled(0, 6)]
    - 1: again
    - 1: hold
    - expect: [banked(points, 11 by 1)]
  then: {sides: [{counters: {points: 0}}, {counters: {points: 11}}], outcome: win}
";

fn pig(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("rules/pig/pig.ludex", RULES);
    folder.write("rules/pig/scenarios/turns.yaml", SCENARIO);
    folder
}

#[test]
fn it_is_checked_listed_and_shown() {
    let folder = pig("pig-check");
    assert!(run(&folder, &["check"], "").stdout.contains("no problems"));
    assert!(run(&folder, &["list"], "").stdout.contains("Pig (this folder)"));
    assert!(run(&folder, &["show", "pig"], "").stdout.contains("points that win"));
}

#[test]
fn its_scenario_holds() {
    let report = run(&pig("pig-test"), &["test", "pig"], "");
    assert!(report.stdout.contains("1 scenario"), "{}", report.stdout);
}

#[test]
fn bots_play_it_and_looking_ahead_helps() {
    let folder = pig("pig-sim");
    let args = ["sim", "pig", "--games", "20", "--check", "--format", "json", "--seat", "0=:greedy"];
    let report: Value = serde_json::from_str(&run(&folder, &args, "").stdout).unwrap();
    assert_eq!((&report["faults"], &report["capped"], &report["check"]["failed"]), (&0.into(), &0.into(), &0.into()));
    let wins = |side: usize| report["sides"][side]["wins"].as_u64().unwrap();
    assert_eq!(wins(0) + wins(1), 20);
}

#[test]
fn people_play_it_to_the_end() {
    let folder = pig("pig-play");
    // Hold after every roll: somebody comes to 10 soon.
    let input = "hold\n".repeat(40);
    let args = ["play", "pig", "--seed", "4", "--option", "goal=10", "--seat", "0=:human", "--seat", "1=:human"];
    let run = run(&folder, &args, &input);
    assert!(run.stdout.contains("Player 1 against Player 2"), "{}", run.stdout);
    assert!(run.stdout.contains("Roll or hold?"));
    assert!(run.stdout.contains(" wins"), "{}", run.stdout);
}

#[test]
fn nobody_is_asked_whom_they_bring() {
    let folder = pig("pig-bare");
    let run = run(&folder, &["play", "pig"], "\n\nhold\nquit\n");
    assert!(!run.stdout.contains("Who do you play?"), "{}", run.stdout);
    assert!(run.stdout.contains("Who plays against you?"));
}
