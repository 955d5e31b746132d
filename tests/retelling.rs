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
    assert!(said.stdout.contains("`turn.yaml` exists already"), "{}", said.stdout);
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
    assert!(said.stdout.contains("the file would show what you hide from each other"), "{}", said.stdout);
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
    assert!(again.stderr.contains("there are no expectations to change"), "{}", again.stderr);
}

#[test]
fn an_answer_that_is_no_longer_possible_is_left_to_whoever_wrote_it() {
    let folder = Folder::empty("broken scenario");
    let broken = STALE.replace("power_attack(b > x)", "power_attack(a > x)");
    folder.write("broken.yaml", &broken);
    let updated = ludex_in(&folder, &["test", "broken.yaml", "--update", "--yes"], "");
    assert_eq!((updated.status, read(&folder, "broken.yaml")), (1, broken));
}

// --- a scenario that is played on ----------------------------------------------------------------

const CLASSICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics");

const BEGUN: &str = "# Mine.
- name: What comes of a second attack   # as far as it goes
  game: dice-challenge
  position:
    sides:
      - entrants: [sailor-mercury]
        zones: {in_play: [{id: a, size: 4, value: 2}, {id: b, size: 6, value: 5}]}
      - entrants: [kunzite]
        zones: {in_play: [{id: x, size: 6, value: 4}, {id: y, size: 20, value: 5}, {id: z, size: 8, value: 8}]}
    at: turn(active: 0)
  random: [6]   # a six
  play:
    - 0: power_attack(b > x)   # the beginning
    - expect: [captured(x by 0)]
";

/// What is typed to a scenario that is played on.
fn record(folder: &Folder, more: &[&str], input: &str) -> crate::support::Run {
    let args: Vec<&str> = ["record", "begun.yaml", "--library", CLASSICS].iter().chain(more).copied().collect();
    ludex_in(folder, &args, input)
}

#[test]
fn a_scenario_is_played_on_and_passes_with_what_was_played() {
    let folder = Folder::empty("played on");
    folder.write("begun.yaml", BEGUN);
    let asked = record(&folder, &["--seed", "3"], "1\n2\nquit\n");
    assert!(asked.stdout.contains("+    - 0: skill_attack(a+b > z)"), "{}", asked.stdout);
    assert!(asked.stderr.contains("no file is changed: without a terminal, add `--yes`"), "{}", asked.stderr);
    assert_eq!(read(&folder, "begun.yaml"), BEGUN, "nobody could be asked");
    let written = record(&folder, &["--seed", "3", "--yes"], "1\nundo\n1\n2\nundo\nresign\n2\nquit\n");
    assert_eq!(written.status, 0, "{}", written.stderr);
    insta::assert_snapshot!(read(&folder, "begun.yaml"));
    run(&folder, &["test", "begun.yaml"], "");
    // The end of the input is the end of play, and nobody goes back behind the beginning.
    let again = record(&folder, &["--yes"], "undo\n");
    assert!(again.stdout.contains("you have no decision to go back to"), "{}", again.stdout);
    assert!(again.stderr.contains("no answer was given"), "{}", again.stderr);
}

#[test]
fn results_are_listed_rolled_or_typed() {
    let folder = Folder::empty("played dice");
    let written = |start: &str, more: &[&str], input: &str| {
        folder.write("begun.yaml", start);
        let said = record(&folder, &[&["--yes"], more].concat(), input);
        assert_eq!(said.status, 0, "{}\n{}", said.stdout, said.stderr);
        run(&folder, &["test", "begun.yaml", "--library", CLASSICS], "");
        read(&folder, "begun.yaml")
    };
    let bare = "- name: Somebody scores\n  game: pig\n  start: {}\n";
    insta::assert_snapshot!(written(bare, &["--rolls", "4,3,6"], "again\nhold\nquit\n"), @"
    - name: Somebody scores
      game: pig
      start: {}
      random: [4, 3, 6]
      play:
        - 0: again
        - expect: [rolled(0, 3 by 0)]
        - 0: hold
        - expect: [scored(7 by 0), rolled(1, 6 by 1)]
      then: {sides: [{counters: {points: 7}}, {}], outcome: none}
    ");
    assert!(written(bare, &["--dice", "physical"], "4\nhold\n6\nquit\n").contains("random: [4, 6]"));
    // An answer for which nobody has said what was rolled is left out.
    assert!(written(bare, &["--dice", "physical"], "4\nagain\n5\nhold\nquit\n").contains("random: [4, 5]"));
    let ended = "- name: Somebody scores\n  game: pig\n  start: {}\n  random: [4, 2, 5, 6]\n  play: [{0: again}]\n  then: {table: {pot: 6}}\n";
    insta::assert_snapshot!(written(ended, &[], "hold\nquit\n"), @"
    - name: Somebody scores
      game: pig
      start: {}
      random: [4, 2, 5]
      play:
        - 0: again
        - 0: hold
        - expect: [scored(6 by 0), rolled(1, 5 by 1)]
      then: {table: {pot: 5}}
    ");
}

#[test]
fn a_beginning_that_fails_says_where() {
    let folder = Folder::empty("played wrong");
    for (text, said) in [
        (BEGUN.replace("captured(x by 0)", "captured(y by 0)"), "begun.yaml:14"),
        (BEGUN.replace("power_attack(b > x)", "power_attack(a > x)"), "begun.yaml:13"),
        (BEGUN.replace("game: dice-challenge", "game: dice-chalenge"), "did you mean `dice-challenge`?"),
        (
            "- name: One\n  game: pig\n  start: {}\n  random: [4]\n  play:\n    - 0: hold\n    - expect: [scored(5)]\n".into(),
            "begun.yaml:7",
        ),
        ("- name: One\n  game: pig\n  start: {}\n  then: {refused: no}\n".into(), "play does not begin"),
        (
            format!(
                "{BEGUN}- name: Another\n  game: dice-challenge\n  start: {{sides: [[droids], [kunzite]]}}\n  then: {{outcome: none}}\n"
            ),
            "--scenario NAME",
        ),
    ] {
        folder.write("begun.yaml", &text);
        let failed = record(&folder, &["--yes"], "1\nquit\n");
        assert_eq!(failed.status, 1, "{}\n{}", failed.stdout, failed.stderr);
        assert!(failed.stderr.contains(said), "{said}: {}", failed.stderr);
        assert_eq!(read(&folder, "begun.yaml"), text);
    }
    folder.write("begun.yaml", BEGUN);
    let unknown = record(&folder, &["--scenario", "What comes of a second atack"], "");
    assert!(unknown.stderr.contains("did you mean `What comes of a second attack`?"), "{}", unknown.stderr);
}
