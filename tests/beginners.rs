//! Mistakes of people who write their first game: the whole message, with its place, its cause, and what to write.

use crate::support::{Folder, ludex_in};
use insta::assert_snapshot;

const HEAD: &str = "ludex 1\ngame pig \"Pig\"\nsides 2\n";
const PLAY: &str = "to play { finish with nobody }\n";

/// What `check` says of a folder with these files.
fn checked(files: &[(&str, &str)]) -> String {
    // Each test has a folder of its own.
    let test = std::thread::current().name().unwrap_or("beginners").replace("::", "-");
    let folder = Folder::empty(&test);
    for (path, text) in files {
        folder.write(path, text);
    }
    ludex_in(&folder, &["check"], "").stdout
}

/// What `check` says of each of these games.
fn games(bodies: &[&str]) -> String {
    let told = |body: &&str| {
        let text = if body.starts_with("ludex 1") { (*body).to_string() } else { format!("{HEAD}{body}") };
        checked(&[("rules/pig/pig.ludex", text.as_str())])
    };
    bodies.iter().map(told).collect::<Vec<_>>().join("\n")
}

#[test]
fn members_with_a_comma_between_them() {
    assert_snapshot!(games(&[
        &format!("each side has {{ counter points,\n  counter days: number = 0 in 0..9 }}\n{PLAY}"),
        &format!("each side has {{ counter points: number = 0 in 0..9,\n  counter days: number = 0 in 0..9 }}\n{PLAY}"),
        &format!("each side has {{ counter points: 0 }}\n{PLAY}"),
        &format!("each side has {{ counter flagged: flag = true }}\n{PLAY}"),
    ]));
}

#[test]
fn heads_that_say_it_otherwise() {
    assert_snapshot!(games(&[
        &format!("ludex 1\ngame pig \"Pig\"\nplayers 2\n{PLAY}"),
        &format!("ludex 1\nsides 2\n{PLAY}"),
        &format!("ludex 1\ngame pig \"Pig\" extends pond\nsides 2\n{PLAY}"),
        &format!("ludex 1\ngame pig \"Pig\"\nsides 3 named \"A\", \"B\", \"C\" in a ring\n{PLAY}"),
        &format!("die sizes d6\n{PLAY}"),
        &format!("each side has {{ zone tray: dice }}\n{PLAY}"),
        &format!("each side has {{ counter größe: number = 0 in 0..9 }}\n{PLAY}"),
    ]));
}

#[test]
fn functions_of_scripts() {
    let rules = "ludex 1\ngame pig \"Pig\"\nsides 2 of 1 animal\nsheet animal (animals) { }\nhook day(active: side)\n\
                 to play { open day(first of sides)  finish with nobody }\n";
    let told = |function: &str| {
        let script = format!("//! ability x \"X\" \"y\"\n//! offer z at day(active)\n//!   says \"zz\"\n\n{function}\n");
        checked(&[
            ("rules/pig/pig.ludex", rules),
            ("characters/pig/otter.yaml", "name: Otter\nabilities: [x]\n"),
            ("characters/pig/heron.yaml", "name: Heron\n"),
            ("scripts/pig/x.rhai", &script),
        ])
    };
    let wrong = [
        "function z(me) { say(\"x\"); }",
        "fn z(me) { let x = (die) => { die }; say(\"x\"); }",
        "fn z(me) { z(me); }",
        "fn z(me) { while true { say(\"x\"); } }",
        "fn z(me) { let a = [1].length; say(`${a}`); }",
        "fn z(me) { [1].forEach(d => say(\"x\")); }",
        "fn z(me) { let b = 1; b++; say(`${b}`); }",
    ];
    assert_snapshot!(wrong.map(told).join("\n"));
}

#[test]
fn lists_of_abilities() {
    let sheet = |abilities: &str| {
        let text = format!("name: Owl\nstarting: [4, 8, 8, 12]\nreserve: [4, 6, 10, 10]\nabilities: {abilities}\n");
        checked(&[("characters/dice-challenge/owl.yaml", &text)])
    };
    assert_snapshot!(["[Planet Power]", "[planet_power]", "[planet-power],"].map(sheet).join("\n"));
}

#[test]
fn a_replacement_with_other_parameters_is_told_once_and_where_it_is_written() {
    let base = "ludex 1\ngame pond \"Pond\"\nsides 2\nto wade(side: side, depth: number) { say \"{side} {depth}\" }\n\
                to play { do wade(first of sides, 1)  do wade(first of sides, 2)  finish with nobody }\n";
    let package = "ludex 1\npackage marsh \"Marsh\" extends pond\nreplace to wade(side: side) { say \"{side}\" }\n";
    assert_snapshot!(checked(&[("rules/pond/pond.ludex", base), ("rules/marsh/marsh.ludex", package)]));
}
