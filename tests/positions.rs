//! Positions in the middle of a turn, and with sides that bring several: played, recorded, tested and shown.

use crate::support::{Folder, Run, ludex_in, unsealed};
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
    let of_today: String = OF_OLD.replace("{\"ludex-recording\":1,", "{\"ludex-recording\":2,");
    assert_eq!(unsealed(&kept(&resumed)), of_today);
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

// --- sides with several entrants -----------------------------------------------------------

const RELAY: &str = r#"ludex 1
game relay "Relay"
sides 2 of 1..3 runner
die sizes 6, 8
piece die (dice) {}
sheet runner (runners) { zone bag: dice, open = none }
each runner has {
  zone hand: dice, open
  counter breath = 3
  pacer: runner or none, shown
  mark tired "must rest"
}
each side has {
  ahead: runner = first of runners, shown, lending bag, hand
  late: flag
  counter laps
}
the table has { leader: runner or none }
hook lap(active: side)

to play { do race }
scope race { repeat at most 20 times { do run } otherwise { finish with nobody "over" } }
entry to run {
  each side in sides {
    open lap(side) asking side first
    side must choose 1 in side.hand as die "Which die?" else { say "{side.ahead} has nothing in hand"  stop }
    move die to side.bag
    take 1 from side.ahead.breath
    set side.late to count of side.bag > 1
  }
}
"#;

const DASH: &str = r#"//! ability dash "Dash"
//! uses 2 per race
//! offer dash at lap(active)
//!   when active is me and me.ahead is holder
//!   says "{holder} dashes"
//!   do { add 1 to me.laps }
"#;

fn relay(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("rules/relay/relay.ludex", RELAY);
    folder.write("scripts/relay/dash.rhai", DASH);
    folder.write("characters/relay/hare.yaml", "name: Hare\nbag: [6]\nabilities: [dash]\n");
    folder.write("characters/relay/stoat.yaml", "name: Stoat\nbag: [8]\nabilities: [dash]\n");
    folder
}

const POSITION: &str = "game: relay
sides:
  - entrants:
      - hare: {zones: {hand: [{id: a, size: 6, value: 2}]}, used: {dash: 1}, breath: 1, pacer: stoat}
      - stoat: {zones: {hand: [{id: b, size: 8, value: 5}, {id: c, size: 6, value: 1}], bag: []}, marks: [tired]}
    counters: {ahead: stoat}
  - entrants: [hare]
    zones: {hand: [{id: x, size: 6, value: 3}], bag: []}
    used: {dash: 2}
table: {leader: hare#2}
at: run
";

/// A scenario that starts from the position, with these lines behind it.
fn scenario(lines: &str) -> String {
    let position: String = POSITION.lines().skip(1).map(|line| format!("    {line}\n")).collect();
    format!("- name: everybody is told of\n  position:\n{position}{lines}")
}

const THEN: &str = "  play:
    - 0: {only: [dash, pass]}
    - 0: dash
    - 0: pass
    - 0: b
    - expect: ['set(stoat, breath, 2)']
  then:
    sides:
      - entrants:
          - hare: {zones: {hand: [a], bag: []}, used: {dash: 1}, breath: 1, pacer: stoat, marks: []}
          - stoat: {zones: {hand: [c], bag: [{id: b, value: 5}]}, used: {dash: 1}, breath: 2, pacer: none, marks: [tired]}
        counters: {ahead: stoat, late: false, laps: 1}
      - entrants: [{hare: {zones: {hand: [], bag: [x]}, used: {dash: 2}, breath: 2}}]
        zones: {bag: [x]}
        used: {dash: 2}
        counters: {ahead: hare#2}
    table: {leader: hare#2}
";

fn tested(folder: &Folder, scenario: &str) -> Run {
    folder.write("rules/relay/scenarios/run.yaml", scenario);
    ludex_in(folder, &["test", "relay"], "")
}

#[test]
fn scenarios_state_zones_uses_and_fields_of_each_entrant() {
    let folder = relay("positions-relay");
    let run = tested(&folder, &scenario(THEN));
    assert_eq!(run.status, 0, "{}", said(&run));
}

#[test]
fn what_is_not_so_of_an_entrant_is_told() {
    let folder = relay("positions-relay-wrong");
    let wrong = |from: &str, to: &str, told: &str| {
        let changed = THEN.replacen(from, to, 1);
        assert_ne!(changed, THEN, "{from}");
        let run = tested(&folder, &scenario(&changed));
        assert!(run.status == 1 && said(&run).contains(told), "{told}: {}", said(&run));
    };
    wrong("hand: [c], bag", "hand: [b], bag", "`hand` of `stoat` should be [b], but is [{id: c, size: 6, value: 1}]");
    wrong("{hand: [a], bag: []}", "{hnad: [a]}", "`hnad` of `hare` should be a zone, but is unknown here");
    wrong(
        "used: {dash: 1}, breath: 1, pacer: stoat, marks",
        "used: {dash: 0}, marks",
        "the uses of `dash` of `hare` should be 0, but is 1",
    );
    wrong("pacer: stoat, marks: []", "pacer: none, marks: []", "`pacer` of `hare` should be none, but is stoat");
    wrong("counters: {ahead: stoat, late", "counters: {ahead: hare, late", "`ahead` of side 0 should be hare, but is stoat");
    wrong("late: false", "late: true", "`late` of side 0 should be true, but is no");
    wrong("counters: {ahead: hare#2}", "counters: {ahead: hare}", "`ahead` of side 1 should be hare, but is hare#2");
    wrong("leader: hare#2", "leader: hare", "`leader` should be hare, but is hare#2");
}

#[test]
fn of_several_entrants_it_is_said_of_whom_something_is_told() {
    let folder = relay("positions-relay-whose");
    let zones = tested(&folder, &scenario("  then: {sides: [{zones: {hand: [a]}}]}\n"));
    assert!(said(&zones).contains("`hand` of side 0 should be one zone, but is a zone of each entrant"), "{}", said(&zones));
    assert!(said(&zones).contains("`- hare: {zones: {hand: […]}}`"), "{}", said(&zones));
    let used = tested(&folder, &scenario("  then: {sides: [{used: {dash: 1}}]}\n"));
    assert!(said(&used).contains("the uses of `dash` of side 0 should be 1, but is counted for 2 entrants"), "{}", said(&used));
}

#[test]
fn views_and_the_board_show_zones_and_uses_with_each_entrant() {
    let folder = relay("positions-relay-views");
    let position = folder.write("position.yaml", POSITION);
    let seats = ["--position", &position, "--seat", "1=:random", "--seed", "1"];
    let hosted = ludex_in(&folder, &[&["host", "relay"], &seats[..]].concat(), "{\"quit\":true}\n");
    let decision =
        hosted.stdout.lines().find(|line| line.contains("\"decision\"")).unwrap_or_else(|| panic!("{}", said(&hosted)));
    let view = &serde_json::from_str::<Value>(decision).unwrap()["view"];
    let side = &view["sides"][0];
    assert_eq!(side["fields"]["ahead"], "Stoat");
    assert_eq!((&side["uses"]["dash"]["left"], &side["uses"]["dash#2"]["left"]), (&1.into(), &2.into()));
    let [hare, stoat] = &side["each"].as_array().unwrap()[..] else { panic!("{side}") };
    assert_eq!(
        (&hare["key"], &hare["uses"]["dash"]["left"], &hare["fields"]["pacer"]),
        (&"hare".into(), &1.into(), &"Stoat".into())
    );
    assert_eq!(
        (&stoat["key"], &stoat["uses"]["dash"]["left"], stoat["zones"]["hand"].as_array().unwrap().len()),
        (&"stoat".into(), &2.into(), 2)
    );
    assert_eq!(view["sides"][1]["each"][0]["key"], "hare#2");
    let played = ludex_in(&folder, &[&["play", "--plain"], &seats[..]].concat(), "quit\n");
    let board: Vec<&str> =
        played.stdout.lines().skip_while(|line| !line.ends_with("(you)")).take_while(|line| !line.is_empty()).collect();
    insta::assert_snapshot!(board.join("\n"), @r"
    Hare and Stoat (you)
      ahead Stoat · laps 0
      Hare · breath 1 · pacer Stoat · Dash: 1 left this race
        hand: 2 on d6
      Stoat · breath 3 · Dash: 2 left this race · [must rest]
        hand: 5 on d8, 1 on d6
    ");
}
