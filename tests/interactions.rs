//! `check --interactions`: pairs of abilities whose order matters, or comes to a limit, or that never meet.

use crate::support::{Folder, Run, ludex_in};
use serde_json::Value;
use std::collections::BTreeMap;

const RULES: &str = r#"game meadow "Meadow"
sides 2 of 1 beast
sheet beast (beasts) { size: number }
each side has { counter score }
the table has { counter days }
die sizes 6, 20
the table has { zone pond: dice, open }

hook dawn()
hook noon()
hook feast(active: side)
hook dusk()
hook midnight()

to play {
  create die(size: 20) in table.pond
  repeat at most 4 times {
    do day
    if table.days = 4 { do ring }
    if table.days > 9 { open midnight() }
  }
  finish with sides where it.score > 5
}
entry scope day {
  add 1 to table.days
  open dawn()
  open noon()
  open feast(first of sides)
}
to ring { open dusk() }
"#;

/// Each ability with what it does, and when.
const ABILITIES: [(&str, &str); 11] = [
    ("sing", "trigger sing at dawn() do { add 1 to me.score }"),
    ("hum", "trigger hum at dawn() do { add 2 to me.score }"),
    ("gamble", "trigger gamble at dawn() do { roll table.pond  add (sum of table.pond.value) to me.score }"),
    ("double", "trigger double at noon() do { each side in sides { set side.score to side.score * 2 } }"),
    ("more", "trigger more at noon() do { each side in sides { add 1 to side.score } }"),
    ("wipe", "trigger wipe at noon() late do { each side in sides { set side.score to 0 } }"),
    ("nibble", "uses 1 per day\n//! offer nibble at feast(active) says \"nibble\" do { add 1 to me.score }"),
    (
        "gobble",
        "uses 1 per day\n//! offer gobble at feast(active) says \"gobble\" do { each side in sides { set side.score to 0 } }",
    ),
    ("echo", "trigger echo at dusk() do { do ring }"),
    ("reply", "trigger reply at dusk() do { do ring }"),
    ("owl", "trigger owl at midnight() do { add 1 to me.score }"),
];

fn meadow(name: &str, sides: [&str; 2]) -> Folder {
    let folder = Folder::empty(name);
    folder.write("rules/meadow/meadow.ludex", RULES);
    for (ability, does) in ABILITIES {
        folder.write(&format!("scripts/meadow/{ability}.rhai"), &format!("//! ability {ability} \"{ability}\"\n//! {does}\n"));
    }
    for (beast, abilities) in ["north", "south"].into_iter().zip(sides) {
        let sheet = format!("name: {beast}\nsize: 1\nabilities: [{abilities}]\n");
        folder.write(&format!("characters/meadow/{beast}.yaml"), &sheet);
    }
    folder
}

fn audited(folder: &Folder, more: &[&str]) -> Run {
    let args = ["check", "--library", ".", "rules/meadow", "--interactions", "--games", "20"];
    ludex_in(folder, &[&args[..], more].concat(), "")
}

/// The pairs by their names: how often they met, differed and came to a limit.
fn pairs(folder: &Folder) -> BTreeMap<String, Value> {
    let out = audited(folder, &["--format", "json"]);
    assert_eq!(out.status, 0, "{}", out.stderr);
    let value: Value = serde_json::from_str(&out.stdout).unwrap();
    let pairs = value["interactions"][0]["pairs"].as_array().unwrap();
    let name = |pair: &Value| ["one", "other"].map(|which| pair[which]["ability"].as_str().unwrap().to_string()).join(" ");
    pairs.iter().map(|pair| (name(pair), pair.clone())).collect()
}

const NORTH: &str = "sing, gamble, double, nibble, echo, owl";
const SOUTH: &str = "hum, more, wipe, gobble, reply";

#[test]
fn people_read_what_differs_first_and_what_never_met() {
    let folder = meadow("interactions told", [NORTH, SOUTH]);
    let out = audited(&folder, &[]);
    assert_eq!(out.status, 0, "{}", out.stderr);
    assert!(out.stdout.lines().all(|line| line.chars().count() <= 80));
    insta::assert_snapshot!(out.stdout);
}

#[test]
fn an_order_matters_where_the_results_differ() {
    let pairs = pairs(&meadow("interactions differ", [NORTH, SOUTH]));
    let count = |pair: &str, what: &str| pairs[pair][what].as_u64().unwrap();
    // Adding first and doubling then gives more than the other way round.
    assert_eq!(count("double more", "differing"), count("double more", "compared"));
    assert!(count("double more", "compared") > 0);
    assert_eq!(pairs["double more"]["differences"][0], "values of fields and counters");
    // Both add, so that it does not matter.
    assert!(count("hum sing", "compared") > 0 && count("hum sing", "differing") == 0);
    // Each rings the bell again at which both act.
    assert!(count("echo reply", "looping") > 0 && count("echo reply", "differing") == 0);
    // It is never midnight.
    assert_eq!(count("owl owl", "met"), 0);
}

#[test]
fn offers_are_used_the_other_way_round() {
    let pairs = pairs(&meadow("interactions offered", [NORTH, SOUTH]));
    // Whoever nibbles behind the gobbler keeps what they got.
    let pair = &pairs["gobble nibble"];
    assert!(pair["compared"].as_u64() > Some(0), "{pair}");
    assert_eq!(pair["differing"], pair["compared"], "{pair}");
    let both = self::pairs(&meadow("interactions of one side", ["nibble, gobble", "sing"]));
    let pair = &both["gobble nibble"];
    assert!(pair["differing"].as_u64() > Some(0), "{pair}");
}

/// What the rules put in an order is no pair, and dice fall the same whoever rolls first.
#[test]
fn neither_a_declared_order_nor_chance_makes_a_difference() {
    let pairs = pairs(&meadow("interactions of chance", [NORTH, "gamble, more, wipe"]));
    assert!(!pairs.contains_key("more wipe") && !pairs.contains_key("double wipe"), "{:?}", pairs.keys());
    assert!(pairs.contains_key("wipe wipe"));
    let pair = &pairs["gamble sing"];
    assert!(pair["compared"].as_u64() > Some(0) && pair["differing"] == 0, "{pair}");
}

#[test]
fn games_are_the_same_for_a_seed() {
    let folder = meadow("interactions again", [NORTH, SOUTH]);
    let told = |seed: &str| audited(&folder, &["--format", "json", "--seed", seed]).stdout;
    assert_eq!(told("4"), told("4"));
    assert_ne!(told("4"), told("5"));
}

#[test]
fn the_flags_fit_together() {
    let folder = meadow("interactions flags", [NORTH, SOUTH]);
    let out = ludex_in(&folder, &["check", "--library", ".", "--games", "3"], "");
    assert!(out.status == 2 && out.stderr.contains("--interactions"), "{}", out.stderr);
    let out = audited(&folder, &["--play", "3"]);
    assert_eq!(out.status, 2, "{}", out.stderr);
}
