//! Positions in the middle of a turn: played, recorded and replayed.

use crate::support::{Folder, Run, ludex_in};
use serde_json::Value;

// --- the middle of a turn --------------------------------------------------------------

const TURNS: &str = r#"ludex 1
game turns "Turns"
sides 2
each side has { counter points }
the table has { next_up: side = first of sides }
to play {
  repeat at most 2 times {
    do turn(next_up)
    set next_up to next_up.foe
  } otherwise { finish with sides where it.points > 2 }
}
scope turn(active: side) {
  do jump(active)
  add 1 to active.points as rested
}
entry to jump(active: side) {
  active may "Jump?" as jumps
  if jumps { add 1 to active.points as jumped }
}
"#;

const MIDDLE: &str = "game: turns\nsides: [{}, {}]\ntable: {next_up: 1}\nat: jump(active: 1)\n";

/// A game from the middle of a turn as Ludex played it when 0 stood for whatever the procedures around an entry were given:
/// the turn of side 1 went on as that of side 0.
const OF_OLD: &str = r#"{"ludex-recording":1,"ludex":"0.1.0","generator":"pcg32","game":"turns","mode":"standard","options":{},"package_hash":"b1de120dda7d6af225fec7d230ad4e161678d3826c0173a9e8f0c57b5f989cef","files":{"rules/turns/turns.ludex":"e3e9b72e5f595bc4587f802563d982bf07de882794a5e20be7d573817c27dc6f"},"sides":[[],[]],"seats":[{"seat":0,"side":0,"entrants":[],"player":"human"},{"seat":1,"side":1,"entrants":[],"player":"human"}],"position":"game: turns\nsides: [{}, {}]\ntable: {next_up: 1}\nat: jump(active: 1)\n","seed":3,"salt":"02a1f03be3d3b8d4b0d571f04e9dbde1","dice":"seeded"}
{"decision":1,"seat":1,"key":"yes"}
{"decision":2,"seat":0,"key":"yes"}
{"decision":3,"seat":1,"key":"no"}
{"outcome":{"result":"win","winners":[0]},"events":17,"digest":"b7d6a1e57a3f6f27"}
"#;

fn turns(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("rules/turns/turns.ludex", TURNS);
    folder
}

fn said(run: &Run) -> String {
    format!("{}{}", run.stdout, run.stderr)
}

/// The recording of a game that was played.
fn kept(played: &Run) -> String {
    let path = played.stdout.lines().find_map(|line| line.strip_prefix("kept in "));
    std::fs::read_to_string(path.unwrap_or_else(|| panic!("{}", said(played)))).unwrap()
}

/// The events of a recording that are named so, with the side that they concern.
fn named(folder: &Folder, recording: &str, kind: &str) -> Vec<u64> {
    let path = folder.write("game.ludexrec", recording);
    let run = ludex_in(folder, &["replay", &path, "--format", "json"], "");
    assert_eq!(run.status, 0, "{}", said(&run));
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let events = report["events"].as_array().unwrap();
    events.iter().filter(|event| event["kind"] == kind).map(|event| event["by"].as_u64().unwrap()).collect()
}

#[test]
fn a_game_from_the_middle_of_a_turn_goes_on_with_it_and_is_replayed() {
    let folder = turns("positions-middle");
    let position = folder.write("middle.yaml", MIDDLE);
    let args = ["play", "--position", &position, "--seat", "0=:human", "--seat", "1=:human", "--seed", "3", "--plain"];
    let played = ludex_in(&folder, &args, "yes\nyes\nno\n");
    let recording = kept(&played);
    assert!(recording.contains(r#""entry":"jump(active: 1) in turn(active: 1)""#), "{recording}");
    assert_eq!(named(&folder, &recording, "rested"), [1, 0, 1]);
}

#[test]
fn an_old_recording_is_replayed_as_it_was_played() {
    let folder = turns("positions-old");
    assert_eq!(named(&folder, OF_OLD, "rested"), [0, 0, 1]);
    // A recording of today with these answers is another game.
    let today = OF_OLD.replace(r#""seed":3"#, r#""entry":"jump(active: 1) in turn(active: 1)","seed":3"#);
    let path = folder.write("today.ludexrec", &today);
    let run = ludex_in(&folder, &["replay", &path], "");
    assert!(run.status == 1 && run.stderr.contains("LX0822"), "{}", said(&run));
}

#[test]
fn an_old_recording_goes_on_as_it_was_played() {
    let folder = turns("positions-resumed");
    let cut: String = OF_OLD.lines().take(2).map(|line| format!("{line}\n")).collect();
    let path = folder.write("game.ludexrec", &cut);
    let resumed = ludex_in(&folder, &["play", "--resume", &path, "--plain"], "yes\nno\n");
    assert_eq!(kept(&resumed), OF_OLD);
}

#[test]
fn a_recording_of_old_whose_position_would_not_do_today_is_replayed_all_the_same() {
    let folder = turns("positions-unsaid");
    let rules =
        TURNS.replace("do jump(active)", "do jump").replace("jump(active: side)", "jump").replace("active may", "next_up may");
    folder.write(
        "rules/turns/turns.ludex",
        &rules.replace("if jumps { add 1 to active.points", "if jumps { add 1 to next_up.points"),
    );
    let recording = OF_OLD.replace("at: jump(active: 1)", "at: jump");
    assert_eq!(named(&folder, &recording, "rested"), [0, 0, 1]);
    let position = folder.write("middle.yaml", &format!("ludex-position: 1\n{}", MIDDLE.replace("jump(active: 1)", "jump")));
    let checked = ludex_in(&folder, &["check", &position], "");
    assert!(said(&checked).contains("write it as `jump in turn(active: 0)`"), "{}", said(&checked));
}

#[test]
fn an_overview_says_what_each_entry_needs() {
    let folder = turns("positions-show");
    let leap = "\nto show_off { do leap }\nentry to leap { say \"leaps\" }\n";
    folder.write(
        "rules/turns/turns.ludex",
        &format!("{}{leap}", TURNS.replace("  do jump(active)\n", "  do jump(active)\n  do show_off\n")),
    );
    let shown = ludex_in(&folder, &["show", "turns"], "");
    let entries: Vec<&str> =
        shown.stdout.lines().skip_while(|line| *line != "Play can start at").skip(1).take(2).map(str::trim).collect();
    assert_eq!(entries, ["jump(active: 0)", "leap in turn(active: 0)"], "{}", said(&shown));
}
