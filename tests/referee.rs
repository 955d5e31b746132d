//! A game with a referee, and policies to play it by; its files lie outside the repository.

use crate::support::{Folder, ludex_in, run};
use serde_json::Value;

/// Two jumpers; the judge may take points off. Who leaps far wins, if nothing is taken off.
const RULES: &str = r#"ludex 1
game leap "Leap"

sides 2
referee "Judge"

each side has { counter points }

family jump(side: side) { height: number }
action leap(height in (1..5)) is jump
  says "leap {height} high"

policy high for jump { prefer highest it.height }
policy low for jump { prefer highest 0 - it.height }

to play {
  each side in sides {
    side must choose jump as jump "How high?" else { stop }
    referee may choose number in 1..4 as fault "Points off?"
    set side.points to jump.height
    if fault is not none { take fault from side.points as fined }
  }
  let winner = the one of sides with highest it.points
  if winner is none { finish with sides }
  finish with winner
}
"#;

const SCENARIOS: &str = "- name: without a word of the judge the points stand
  start: {}
  play: [0: leap(5), 1: leap(3)]
  then: {outcome: win}
- name: the judge takes points off
  start: {}
  play:
    - 0: leap(5)
    - referee: {legal: [1, 2, 3, 4, pass]}
    - referee: 4
    - expect: [fined(points, 1 by 0)]
    - 1: leap(3)
    - referee: pass
  then: {sides: [{counters: {points: 1}}, {counters: {points: 3}}]}
";

fn leap(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("rules/leap/leap.ludex", RULES);
    folder.write("rules/leap/scenarios/judge.yaml", SCENARIOS);
    folder
}

#[test]
fn scenarios_name_the_referee_or_leave_out_what_is_usual() {
    let folder = leap("referee-scenarios");
    let run = run(&folder, &["test", "leap", "--library", "."], "");
    assert!(run.stdout.contains("leap: 2 scenarios, 0 failed"), "{}", run.stdout);
}

#[test]
fn policies_play_against_each_other_under_a_silent_judge() {
    let folder = leap("referee-sim");
    let args = ["sim", "leap", "--library", ".", "--seat", "0=:policy=high", "--seat", "1=:policy=low"];
    let run = run(&folder, &[&args[..], &["--games", "50", "--check", "--format", "json"]].concat(), "");
    let report: Value = serde_json::from_str(&run.stdout).expect("one object");
    assert_eq!((&report["sides"][0]["wins"], &report["faults"]), (&Value::from(50), &Value::from(0)));
}

#[test]
fn an_unknown_policy_is_told_with_those_there_are() {
    let folder = leap("referee-policy");
    let run = ludex_in(&folder, &["sim", "leap", "--library", ".", "--seat", "0=:policy=hihg"], "");
    assert_ne!(run.status, 0);
    assert!(run.stderr.contains("`leap` has no policy `hihg`") && run.stderr.contains("policy=high"), "{}", run.stderr);
}

#[test]
fn a_person_may_be_the_judge() {
    let folder = leap("referee-play");
    let args = ["play", "leap", "--library", ".", "--seat", "0=:policy=high", "--seat", "1=:policy=low", "--referee", "human"];
    let run = run(&folder, &args, "4\npass\n");
    assert!(run.stdout.contains("Points off?") && run.stdout.contains("Judge: Points off? 4"), "{}", run.stdout);
    assert!(run.stdout.contains("Judge: Points off? pass"), "{}", run.stdout);
}

#[test]
fn a_judge_that_rules_as_usual_is_no_news_in_the_log() {
    let folder = leap("referee-log");
    let args = ["play", "leap", "--library", ".", "--seat", "0=:policy=high", "--seat", "1=:human"];
    let run = run(&folder, &args, "log all\nquit\n");
    let (_, log) = run.stdout.split_once("> log all\n").unwrap();
    assert!(log.contains("leap 5 high") && !log.contains("Judge"), "{log}");
}
