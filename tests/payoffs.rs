//! What the end of a match is worth to each side, everywhere it is told.

use crate::support::{Folder, ludex_in, run};
use serde_json::{Value, json};

/// The first side gets half of what a die shows, and the other side loses it.
pub const WAGER: &str = "ludex 1
game wager \"Wager\"
sides 2
die sizes 4
each side has { counter won: halves }
the table has { zone tray: dice, open  counter shown }
to play {
  let one = first of sides
  create die(size: 4) in tray as die
  roll die
  set shown to die.value
  set one.won to half of shown
  finish with payoff of side = if side is one then side.won else 0 - one.won
}
";

pub fn wager(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("rules/wager/wager.ludex", WAGER);
    folder
}

#[test]
fn payoffs_are_told_kept_and_played_again() {
    let folder = wager("payoffs-told");
    let text = run(&folder, &["play", "wager", "--rolls", "3", "--seat", "0=:random", "--seat", "1=:random"], "").stdout;
    assert!(text.contains("won 1.5 · payoff 1.5") && text.contains("won 0 · payoff -1.5"), "{text}");
    let lines = run(&folder, &["host", "wager", "--rolls", "3", "--seat", "0=:random", "--seat", "1=:random"], "").stdout;
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let outcome = lines.last().unwrap();
    assert_eq!((&outcome["winners"], &outcome["result"]), (&json!([0]), &json!("win")));
    assert_eq!(outcome["payoffs"], json!([1.5, -1.5]));
    let finished = lines.iter().find(|line| line["kind"] == "finished").unwrap();
    assert_eq!(finished["outcome"]["payoffs"], outcome["payoffs"]);
    let path = outcome["recording"].as_str().unwrap();
    let recording = std::fs::read_to_string(path).unwrap();
    assert!(recording.lines().last().unwrap().contains(r#""winners":[0],"payoffs":[1.5,-1.5]"#), "{recording}");
    let again = run(&folder, &["replay", path, "--format", "json"], "").stdout;
    let again: Value = serde_json::from_str(again.lines().last().unwrap()).unwrap();
    assert_eq!(again["outcome"]["payoffs"], outcome["payoffs"], "{again}");
    // Who changes the rules changes what the end is worth, and the recording is not true any more.
    folder.write("rules/wager/wager.ludex", &WAGER.replace("0 - one.won", "side.won - one.won - 1"));
    let other = ludex_in(&folder, &["replay", path], "");
    assert_ne!(other.status, 0, "{}", other.stdout);
}

#[test]
fn scenarios_hold_payoffs_against_theirs() {
    let folder = wager("payoffs-scenario");
    let judge = |then: &str| {
        let scenario = format!("- name: the die decides\n  start: {{}}\n  random: [3]\n  then: {{outcome: {then}}}\n");
        folder.write("rules/wager/scenarios/ends.yaml", &scenario);
        ludex_in(&folder, &["test", "wager"], "")
    };
    for then in ["{payoffs: [1.5, -1.5]}", "{winner: 0, payoffs: [1.5, -1.5]}", "{result: win, payoffs: [1.5, -1.5]}", "win"] {
        let run = judge(then);
        assert_eq!(run.status, 0, "{then}: {}{}", run.stdout, run.stderr);
    }
    for (then, words) in [
        ("{payoffs: [1.5, 1]}", "should be 1.5 and 1, but is 1.5 and -1.5"),
        ("{payoffs: [1.5]}", "should be 1.5, but is 1.5 and -1.5"),
        ("{winner: 1, payoffs: [1.5, -1.5]}", "the win of side 1"),
        ("{payoffs: [1.25, many]}", "a payoff must be a number or halves"),
        ("{payoffs: 3}", "`payoffs` must be a list"),
    ] {
        let run = judge(then);
        let said: Vec<&str> = run.stderr.split_whitespace().filter(|word| *word != "│").collect();
        assert!(run.status == 1 && said.join(" ").contains(words), "{then}: {}", run.stderr);
    }
}
