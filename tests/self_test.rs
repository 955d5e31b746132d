//! `check --play` and `test --mutants`, as they are shipped.

use crate::support::{Folder, Run, ludex_in};
use serde_json::Value;

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}{}", run.stdout, run.stderr))
}

// --- check --play -------------------------------------------------------------------

/// Each takes 1 to 3 of five stones again and again, and nobody looks how many are left.
const STONES: &str = "ludex 1
game stones \"Stones\"
sides 2
each side has { counter stones = 5 in 0..5 }
to play {
  repeat at most 100 times {
    each side in sides { do turn(side) }
  } otherwise { finish with nobody }
}
to turn(side: side) {
  side must choose number in 1..3 as taken
  take taken from side.stones
}
";

fn stones(name: &str, rules: &str) -> Folder {
    let folder = Folder::empty(name);
    folder.write("rules/stones/game.ludex", rules);
    folder
}

#[test]
fn a_fault_in_play_is_a_problem_at_its_line_with_the_shortest_game_to_it() {
    let folder = stones("check-play", STONES);
    let run = ludex_in(&folder, &["check", "rules/stones", "--play", "20", "--format", "json"], "");
    assert_eq!(run.status, 1, "{}", run.stderr);
    let report = json(&run);
    let problem = report["problems"].as_array().and_then(|problems| problems.first()).unwrap();
    assert_eq!((report["errors"].as_u64(), problem["line"].as_u64()), (Some(1), Some(12)), "{report}");
    // Three, whatever the other takes, and three: fewer answers do not lead there.
    assert!(problem["message"].as_str().unwrap().ends_with(", after 3 answers"), "{problem}");
    let help = problem["help"].as_str().unwrap();
    let recording = help.split("`ludex replay ").nth(1).and_then(|rest| rest.split('`').next()).unwrap();
    let again = ludex_in(&folder, &["replay", recording], "");
    assert!(again.stderr.contains("would become -1"), "{}{}", again.stdout, again.stderr);
}

#[test]
fn games_without_a_fault_leave_nothing_to_tell() {
    let rules = STONES.replace("take taken from side.stones", "if taken <= side.stones { take taken from side.stones }");
    let folder = stones("check-play-sound", &rules);
    let run = ludex_in(&folder, &["check", "rules/stones", "--play", "5"], "");
    assert_eq!((run.status, run.stdout.as_str()), (0, "no problems\n"), "{}", run.stderr);
}

#[test]
fn what_has_mistakes_is_not_played() {
    let folder = stones("check-play-mistakes", &STONES.replace("do turn(side)", "do tunr(side)"));
    let run = ludex_in(&folder, &["check", "rules/stones", "--play", "5", "--format", "json"], "");
    assert!(json(&run)["problems"].as_array().unwrap().iter().all(|problem| problem["line"] == 7), "{}", run.stdout);
}

// --- test --mutants -----------------------------------------------------------------

const SCORING: &str = "ludex 1
game stones \"Stones\"
sides 2
each side has { counter stones  counter turns }
to play {
  repeat 2 times { each side in sides { do turn(side) } }
  finish with those of sides with highest it.stones
}
to turn(side: side) {
  add 1 to side.turns
  side must choose number in 1..3 as taken
  if taken = 3 { add 2 to side.stones }
  add taken to side.stones
}
";

/// What the sides have taken, and nothing else.
const SCENARIO: &str = "- name: Whoever takes three gets two more
  start: {}
  play:
    - 0: 3
    - 1: 2
    - 0: 1
    - 1: 1
  then: {sides: [{counters: {stones: 6}}, {counters: {stones: 3}}]}
";

/// What came of all changes of the package.
fn tried(folder: &Folder) -> Value {
    let run = ludex_in(folder, &["test", "stones", "--mutants", "200", "--library", ".", "--format", "json"], "");
    let package = json(&run)["packages"][0].clone();
    assert!(package.is_object(), "{}{}", run.stdout, run.stderr);
    package
}

/// The lines of one of its lists, with what was done there.
fn listed(package: &Value, list: &str) -> Vec<(u64, String)> {
    let one = |one: &Value| (one["line"].as_u64().unwrap(), one["how"].as_str().unwrap().to_string());
    package[list].as_array().unwrap().iter().map(one).collect()
}

fn unnoticed(folder: &Folder) -> (u64, Vec<(u64, String)>) {
    let package = tried(folder);
    (package["tried"].as_u64().unwrap(), listed(&package, "unnoticed"))
}

#[test]
fn what_no_scenario_looks_at_is_listed() {
    let folder = Folder::empty("test-mutants");
    folder.write("rules/stones/game.ludex", SCORING);
    folder.write("rules/stones/scenarios/taking.yaml", SCENARIO);
    let (tried, unnoticed) = unnoticed(&folder);
    assert!(tried > 10, "{tried}");
    let of = |line: u64| unnoticed.iter().filter(|(at, _)| *at == line).map(|(_, how)| how.as_str()).collect::<Vec<_>>();
    // Nobody looks at the turns; what is taken is looked at in every way.
    assert!(of(10).contains(&"left out") && of(10).contains(&"one more"), "{unnoticed:?}");
    assert_eq!((of(12), of(13)), (Vec::new(), Vec::new()), "{unnoticed:?}");
}

#[test]
fn a_scenario_more_notices_it() {
    let folder = Folder::empty("test-mutants-more");
    folder.write("rules/stones/game.ludex", SCORING);
    folder.write("rules/stones/scenarios/taking.yaml", &SCENARIO.replace("stones: 6}", "stones: 6, turns: 2}"));
    let (_, unnoticed) = unnoticed(&folder);
    assert!(!unnoticed.contains(&(10, "left out".to_string())), "{unnoticed:?}");
}

/// With an option that is not set unless somebody asks for it.
fn optional() -> String {
    let option = "option threes is one of usual, double = usual \"what a three counts\"\neach side";
    let branch = "if threes is double { if taken = 3 { add 7 to side.stones } }\n  add taken";
    SCORING.replacen("each side", option, 1).replacen("add taken", branch, 1)
}

/// The same game with the option.
fn doubled() -> String {
    SCENARIO
        .replace("Whoever", "With the option, whoever")
        .replace("start: {}", "start: {options: {threes: double}}")
        .replace("6}", "13}")
}

#[test]
fn what_only_an_option_leads_to_is_broken_and_counted_too() {
    let folder = Folder::empty("test-mutants-options");
    folder.write("rules/stones/game.ludex", &optional());
    folder.write("rules/stones/scenarios/taking.yaml", SCENARIO);
    let line = 14;
    let (_, missed) = unnoticed(&folder);
    let mut there: Vec<&str> = missed.iter().filter(|(at, _)| *at == line).map(|(_, how)| how.as_str()).collect();
    there.sort();
    // What asks for the option itself is noticed: with its opposite the usual game is another one.
    assert_eq!(there, ["left out", "one more", "one more", "the other side", "turned into its opposite"], "{missed:?}");
    let coverage = || ludex_in(&folder, &["test", "stones", "--coverage", "--library", "."], "").stdout;
    let covered = coverage();
    assert!(covered.contains("game.ludex:14:40: never reached: add 7 to side.stones\n"), "{covered}");
    assert!(covered.contains("game.ludex:14:28: never asked: taken = 3\n"), "{covered}");
    assert!(!covered.contains("threes is double"), "{covered}");

    folder.write("rules/stones/scenarios/threes.yaml", &doubled());
    assert_eq!(unnoticed(&folder).1.iter().filter(|(at, _)| *at == line).count(), 0);
    let covered = coverage();
    assert!(covered.contains("coverage: 0 of 0 rules, 8 of 8 statements, 4 of 4 sides of conditions\n"), "{covered}");
}

/// Why nobody notices what happens in `turn`.
fn unnoticed_turns(more: &str) -> String {
    format!("- in: turn\n  at: add 1 to side.turns\n{more}  because: only statistics read it\n")
}

#[test]
fn a_file_says_why_something_is_not_noticed_until_it_is() {
    let folder = Folder::empty("test-mutants-ignored");
    let entries = "rules/stones/unnoticed.yaml";
    folder.write("rules/stones/game.ludex", SCORING);
    folder.write(entries, &unnoticed_turns("  how: left-out\n"));
    folder.write("rules/stones/scenarios/taking.yaml", SCENARIO);
    let package = tried(&folder);
    assert_eq!(listed(&package, "explained"), [(10, "left out".to_string())], "{package}");
    assert_eq!(package["explained"][0]["because"], "only statistics read it");
    assert!(listed(&package, "unnoticed").contains(&(10, "one more".to_string())), "{package}");
    folder.write(entries, &unnoticed_turns(""));
    let package = tried(&folder);
    assert!(!listed(&package, "unnoticed").iter().any(|(line, _)| *line == 10), "{package}");
    assert_eq!(package["problems"].as_array().map(Vec::len), Some(0), "{package}");
    let checked = ludex_in(&folder, &["check", "rules", "--format", "concise"], "").stdout;
    assert!(!checked.contains("LX001"), "{checked}");

    // Once a scenario looks at it, the entry says nothing any more.
    folder.write(entries, &unnoticed_turns("  how: left-out\n"));
    folder.write("rules/stones/scenarios/taking.yaml", &SCENARIO.replace("stones: 6}", "stones: 6, turns: 2}"));
    let package = tried(&folder);
    let problem = &package["problems"][0];
    assert_eq!((&problem["code"], &problem["line"]), (&"LX0018".into(), &1.into()), "{package}");
}

#[test]
fn people_read_both_shares() {
    let folder = Folder::empty("test-mutants-shares");
    folder.write("rules/stones/game.ludex", SCORING);
    folder.write("rules/stones/unnoticed.yaml", &unnoticed_turns(""));
    folder.write("rules/stones/scenarios/taking.yaml", SCENARIO);
    let run = ludex_in(&folder, &["test", "stones", "--mutants", "200", "--library", "."], "");
    insta::assert_snapshot!(run.stdout, @"
    rules/stones/game.ludex:10: not noticed, and need not be: the other side
      `add 1 to side.turns`
      becomes `add 1 to side.foe.turns`
      because only statistics read it
    rules/stones/game.ludex:10: not noticed, and need not be: left out
      `add 1 to side.turns`
      becomes ``
      because only statistics read it
    rules/stones/game.ludex:10: not noticed, and need not be: one more
      `add 1 to side.turns`
      becomes `add 2 to side.turns`
      because only statistics read it
    rules/stones/game.ludex:10: not noticed, and need not be: exchanged with the next
      `add 1 to side.turns side must choose number in 1..3 as taken`
      becomes `side must choose number in 1..3 as taken add 1 to side.turns`
      because only statistics read it
    rules/stones/game.ludex:6: no scenario notices: one more
      `repeat 2 times { each side in sides { do turn(side) } }`
      becomes `repeat 3 times { each side in sides { do turn(side) } }`
    rules/stones/game.ludex:7: no scenario notices: left out
      `finish with those of sides with highest it.stones`
      becomes ``
    rules/stones/game.ludex:11: no scenario notices: one more
      `side must choose number in 1..3 as taken`
      becomes `side must choose number in 1..4 as taken`
    stones: 10 of 17 changes noticed, 58 %; 10 of the 13 that need to be, 76 %
    ");
}
