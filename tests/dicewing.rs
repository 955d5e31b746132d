//! The second bundled game, whose sides bring nothing: exact tables of its dice, and a variant that somebody has at home.

use crate::support::{Folder, ludex, ludex_in, run};
use serde_json::Value;
use std::path::Path;

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dicewing");

/// The report of `ludex test` on a game or files of scenarios, which must all pass.
fn report_of(named: &[&str]) -> String {
    let report = ludex(&[&["test"], named, &["--library", TABLES]].concat());
    assert_eq!(report.status, 0, "{}\n{}", report.stdout, report.stderr);
    report.stdout
}

#[test]
fn the_ways_in_which_small_dice_can_fall_come_out_as_calculated() {
    let files = ["facts", "match-ups"].map(|name| format!("{TABLES}/rules/dicewing-tables/scenarios/{name}.yaml"));
    let report = report_of(&files.each_ref().map(String::as_str));
    assert!(report.contains("34 scenarios, 0 failed"), "{report}");
}

#[test]
#[ignore = "a minute"]
fn every_way_in_which_dice_can_fall_comes_out_as_calculated() {
    let report = report_of(&["dicewing-tables"]);
    assert!(report.contains("117 scenarios, 0 failed"), "{report}");
}

#[test]
fn the_keyboard_changes_hands_for_each_secret_answer() {
    let folder = Folder::new("dicewing-hot-seat");
    // Thirteen drafts; the fourteenth die is the last. Side 0 drafts last and is asked first.
    let input = format!("{}\n1 2\n\n1 2\nquit\n", "1\n".repeat(13));
    let played = run(&folder, &["play", "dicewing", "--seed", "3", "--seat", "0=:human", "--seat", "1=:human"], &input);
    let handed: Vec<&str> = played.stderr.lines().filter(|line| line.starts_with("hand over to")).collect();
    let words = |player: usize| format!("hand over to Player {player}, who presses Enter when the others look away");
    assert_eq!(handed, [words(1), words(2)]);
    let told = played.stdout.lines().filter(|line| line.starts_with("Player 1: ") && line.contains(" and "));
    assert_eq!(told.count(), 1, "{}", played.stdout);
}

// --- a variant ---------------------------------------------------------------------

/// The example of a variant, as the description of the language has it.
fn home() -> Folder {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/REFERENCE.md")).unwrap();
    let start = page.find("ludex 1\npackage dicewing-at-home ").expect("the reference shows a variant");
    let text = &page[start..];
    let folder = Folder::outside("dicewing-at-home");
    folder.write("rules/dicewing-at-home/home.ludex", &text[..text.find("```").unwrap()]);
    folder.write("rules/dicewing-at-home/scenarios/home.yaml", SCENARIOS);
    folder
}

/// What `ludex test` tells of the variant, as JSON.
fn tested(folder: &Folder) -> Value {
    serde_json::from_str(&ludex_in(folder, &["test", "dicewing-at-home", "--format", "json"], "").stdout).unwrap()
}

#[test]
fn the_scenarios_of_the_game_show_what_the_variant_changes() {
    let folder = home();
    let report = tested(&folder);
    let results = report["games"][0]["results"].as_array().unwrap();
    let failed: Vec<&Value> = results.iter().filter(|result| result["passed"] == false).collect();
    assert!(failed.iter().all(|result| result["package"] == "dicewing"), "{failed:?}");
    let names: Vec<&str> = failed.iter().map(|result| result["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"A 00 on a d% becomes a 90") && names.len() < results.len(), "{names:?}");
    // The one of the variant stands in for all that no longer hold.
    let stands_in = format!("  replaces: {}\n  shows:", serde_json::to_string(&names).unwrap());
    folder.write("rules/dicewing-at-home/scenarios/home.yaml", &SCENARIOS.replace("  shows:", &stands_in));
    let report = tested(&folder);
    assert_eq!(report["failed"], 0);
    assert_eq!(report["scenarios"].as_u64(), Some((results.len() - names.len()) as u64));
    assert_eq!(run(&folder, &["test", "dicewing"], "").status, 0);
}

const SCENARIOS: &str = "- name: A d% shows 1 to 10, two even numbers are on target, and nothing is damaged
  shows: [DW-004, DW-043, DW-065]
  position:
    sides:
      - zones: {squadron: [{id: a, die: percentile, value: 4, owner: 0}, {id: b, size: 6, value: 2, owner: 1}, {id: c, size: 8, value: 5}, {id: d, size: 4, value: 4}, {id: e, size: 4, value: 4}]}
      - zones: {squadron: [{id: x, size: 20, value: 9, owner: 0}, {id: y, size: 12, value: 6, owner: 1}, {id: z, size: 10, value: 5}, {id: t, size: 4, value: 3}, {id: u, size: 4, value: 3}]}
    at: attack_run
  play:
    - 0: choose(a+b)
    - 1: choose(x+y)
    - expect: [initial_power(6 by 0), targeting_bonus(15 by 0), initial_power(15 by 1), captured(x by 0)]
  then:
    sides:
      - {counters: {power: 15}, zones: {squadron: [{id: c, value: 5}, {id: d, value: 4}, {id: e, value: 4}]}}
      - {counters: {power: 15}, zones: {squadron: [{id: z, value: 5}, {id: t, value: 3}, {id: u, value: 3}]}}
";

#[test]
fn a_variant_is_a_few_lines_in_a_folder_of_ones_own() {
    let folder = home();
    assert_eq!(run(&folder, &["check"], "").stdout, "dicewing-at-home extends dicewing\nno problems\n");
    let listed = run(&folder, &["list"], "").stdout;
    assert!(listed.contains("DiceWing at home (this folder)") && listed.contains("extends dicewing"), "{listed}");
    let args = ["play", "dicewing-at-home", "--seed", "5", "--seat", "0=:greedy", "--seat", "1=:greedy"];
    let played = run(&folder, &args, "");
    assert!(played.stdout.contains("DiceWing at home") && played.stdout.contains(" wins"), "{}", played.stdout);
    assert!(!played.stdout.contains("Collateral Damage"), "{}", played.stdout);
    let args = ["sim", "dicewing-at-home", "--games", "100", "--check", "--format", "json"];
    let report: Value = serde_json::from_str(&run(&folder, &args, "").stdout).unwrap();
    assert_eq!((&report["faults"], &report["check"]["failed"]), (&0.into(), &0.into()));
}
