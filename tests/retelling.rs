//! From play to test: scenarios and positions that are saved in play, made of recordings, and brought up to date.

use crate::support::{Folder, ludex_in, run};

const PLAY: [&str; 8] = ["play", "dice-challenge", "--seat", "0=sailor-mercury", "--seat", "1=kunzite:greedy", "--seed", "7"];

fn read(folder: &Folder, path: &str) -> String {
    std::fs::read_to_string(folder.file(path)).unwrap()
}

#[test]
fn what_has_happened_in_play_is_saved_as_a_test_that_passes() {
    let folder = Folder::empty("saved scenario");
    let said = run(&folder, &PLAY, "8\nsave --scenario turn.yaml\nsave --scenario turn.yaml\nsave --position\nquit\n");
    assert!(said.stdout.contains("scenario saved in turn.yaml"), "{}", said.stdout);
    assert!(said.stdout.contains("`turn.yaml` is there already"), "{}", said.stdout);
    assert!(said.stdout.contains("name a file: `save --position FILE`"), "{}", said.stdout);
    insta::assert_snapshot!(read(&folder, "turn.yaml"));
    run(&folder, &["test", "turn.yaml"], "");
}

#[test]
fn a_position_that_is_saved_in_play_is_played_from() {
    let folder = Folder::empty("saved position");
    run(&folder, &PLAY, "8\nsave --position turn.yaml\nquit\n");
    insta::assert_snapshot!(read(&folder, "turn.yaml"));
    assert!(run(&folder, &["check", "turn.yaml"], "").stdout.contains("no problems"));
    run(&folder, &["play", "--position", "turn.yaml", "--seat", "0=:human", "--seat", "1=:random"], "quit\n");
}

/// The file would tell each of them what the other holds.
#[test]
fn nothing_is_saved_so_where_several_people_hide_something_from_each_other() {
    let folder = Folder::empty("saved secrets");
    let play = ["play", "sailor-moon-ccg", "--seat", "0=moon:human", "--seat", "1=mercury:human", "--seed", "3"];
    let said = ludex_in(&folder, &play, "\nsave --scenario turn.yaml\nsave --position turn.yaml\nquit\nquit\n");
    assert!(said.stdout.contains("the file would tell what you hide from each other"), "{}", said.stdout);
    assert!(!folder.file("turn.yaml").exists());
}

#[test]
fn a_recording_becomes_a_scenario_from_any_answer_to_any_other() {
    let folder = Folder::empty("recorded scenario");
    let play = ["play", "dice-challenge", "--seed", "11", "--seat", "0=droids:random", "--seat", "1=wiseman:random"];
    let said = run(&folder, &play, "");
    let recording = said.stdout.lines().find_map(|line| line.strip_prefix("kept in ")).unwrap().to_string();
    for more in [&["--from", "3", "--to", "6"][..], &["--from", "5"], &["--to", "0"], &[]] {
        let args: Vec<&str> = ["replay", &recording, "--as-scenario", "As it was"].iter().chain(more).copied().collect();
        folder.write("told.yaml", &run(&folder, &args, "").stdout);
        run(&folder, &["test", "told.yaml"], "");
    }
    let beyond = ludex_in(&folder, &["replay", &recording, "--as-scenario", "--to", "9999"], "");
    assert_eq!(beyond.status, 2, "{}", beyond.stderr);
}

const STALE: &str = "# Mine.
- name: A die is captured   # as always
  game: dice-challenge
  position:
    sides:
      - entrants: [sailor-mercury]
        zones: {in_play: [{id: a, size: 4, value: 2}, {id: b, size: 6, value: 5}]}
      - entrants: [kunzite]
        zones: {in_play: [{id: x, size: 6, value: 4}, {id: y, size: 20, value: 5}]}
    at: turn(active: 0)
  random: [6, 1, 1]
  play:
    - 0: power_attack(b > x)
    - expect: [captured(y by 0), rolled(b, 3)]
  # What comes of it.
  then: {sides: [{zones: {captured: {count: 2}}, counters: {tokens: 1}}], outcome: {winner: 0}}
";

#[test]
fn what_scenarios_expect_is_brought_up_to_date_once_it_was_seen() {
    let folder = Folder::empty("stale scenario");
    folder.write("stale.yaml", STALE);
    let asked = ludex_in(&folder, &["test", "stale.yaml", "--update"], "");
    assert_eq!((asked.status, read(&folder, "stale.yaml")), (1, STALE.to_string()), "nobody could be asked");
    let updated = run(&folder, &["test", "stale.yaml", "--update", "--yes"], "");
    insta::assert_snapshot!(updated.stdout);
    let again = run(&folder, &["test", "stale.yaml", "--update", "--yes"], "");
    assert!(again.stderr.contains("no expectation is to be changed"), "{}", again.stderr);
}

#[test]
fn an_answer_that_is_no_longer_possible_is_left_to_whoever_wrote_it() {
    let folder = Folder::empty("broken scenario");
    let broken = STALE.replace("power_attack(b > x)", "power_attack(a > x)");
    folder.write("broken.yaml", &broken);
    let updated = ludex_in(&folder, &["test", "broken.yaml", "--update", "--yes"], "");
    assert_eq!((updated.status, read(&folder, "broken.yaml")), (1, broken));
}
