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

/// Ids that nobody takes for each other.
const IDS: [&str; 18] = [
    "pig",
    "otter",
    "heron",
    "badger",
    "toad",
    "weasel",
    "magpie",
    "squirrel",
    "dormouse",
    "kingfisher",
    "lynx",
    "rook",
    "vole",
    "wren",
    "ibis",
    "newt",
    "crane",
    "elk",
];

/// What `check` says of a library with each of these games, which have ids of their own.
fn games(bodies: &[&str]) -> String {
    let file = |(number, body): (usize, &&str)| {
        let text = if body.starts_with("ludex 1") { (*body).to_string() } else { format!("{HEAD}{body}") };
        let id = IDS[number];
        (format!("rules/{id}/pig.ludex"), text.replacen("game pig", &format!("game {id}"), 1))
    };
    let files: Vec<(String, String)> = bodies.iter().enumerate().map(file).collect();
    checked(&files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>())
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

/// What `check` says of a game with these statements in a turn.
fn turns(bodies: &[&str]) -> String {
    let game = |body: &&str| {
        format!(
            "die sizes 6\neach side has {{ zone tray: dice, open  counter points }}\n\
             family decision(active: side) {{}}\naction hold() is decision\n  says \"hold\"\n\
             to other(active: side) {{ roll active.tray  add 1 to active.points  say \"{{active.points}}\" }}\n\
             to play {{ do turn(first of sides)  do other(first of sides)  finish with nobody }}\n\
             scope turn(active: side) {{\n  active must choose decision else {{ }}\n  {body}\n}}\n"
        )
    };
    let games_of: Vec<String> = bodies.iter().map(game).collect();
    games(&games_of.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn what_never_ends_is_told_once() {
    assert_snapshot!(games(&[
        "to play { do play }\n",
        "to play { do turn(first of sides) }\nscope turn(active: side) { say \"{active}\"  do next(active) }\n\
         to next(active: side) { do turn(active) }\n",
    ]));
}

#[test]
fn cases_that_are_written_otherwise() {
    let of_numbers = turns(&[
        "depending on active.points {\n    1: {\n      stop turn\n    }\n    2: {\n      stop turn\n    }\n    otherwise: {\n      stop turn\n    }\n  }",
        "depending on active.points { case 1..3: stop turn\n    default: stop turn }",
    ]);
    let of_words = games(&[&format!(
        "type mood is one of calm, sour\nthe table has {{ mood: mood }}\nto say_it {{ depending on mood {{ calm => {{ say \"a\" }} sour {{ say \"b\" }} }} }}\n{}",
        PLAY.replace("{ finish", "{ do say_it  set mood to sour  finish")
    )]);
    assert_snapshot!([of_numbers, of_words].join("\n"));
}

#[test]
fn loops_that_are_written_otherwise() {
    assert_snapshot!(turns(&[
        "while active.points < 3 { roll active.tray }",
        "while true { roll active.tray }",
        "repeat up to 3 times { roll active.tray }",
        "repeat 3 { roll active.tray }",
        "loop 3 times { roll active.tray }",
    ]));
}

#[test]
fn statements_that_are_written_otherwise() {
    assert_snapshot!(turns(&[
        "if active.points > 3 finish with active",
        "let a = 3\n  say a + \"x\"",
        "say \"x\" + active.points",
        "say \"a \"b\" c\"",
        "say \"a \"b\"\"",
        "let x 3",
        "add 3 active.points",
        "do other active",
        "roll 2 dice",
        "active must choose one of decision else { }",
        "stop game",
        "stop round",
        "tie",
        "pass",
        "roll active.hand",
        "let x = if active.points > 1 then active.tray else []\n  say \"{count of x}\"",
    ]));
}

#[test]
fn comments_of_other_languages() {
    assert_snapshot!(turns(&["/* a\n  \"b { */ say \"y\"", "<!-- a --> say \"y\"", "-- a\n  say \"y\""]));
}

#[test]
fn declarations_that_are_written_otherwise() {
    let with = |body: &str| format!("{body}\n{PLAY}");
    assert_snapshot!(games(&[
        &with("ludex 1\ngame pig \"Pig\"\nsides: 2"),
        &with("ludex 1\ngame pig \"Pig\"\nsides two"),
        &with("ludex 1\ngame pig \"Pig\"\n2 sides"),
        &with("ludex 1\ngame pig \"Pig\"\nsides 3\nin a ring"),
        &with("ludex 1\ngame pig\nsides 2"),
        &with("ludex 1\ngame: pig \"Pig\"\nsides 2"),
        &with("die size 6"),
        &with("type mood = calm, sour"),
        &with("each player has { counter points }"),
        &with("each side have { counter points }"),
        &with("table has { counter points }"),
        &with("each side has { number points = 0 }"),
        &with("each side has { n: number in 1..7 = 3 }"),
        &with("each side has { n: number = 3 in 1 to 7 }"),
        &with("each side has { n: each or none }"),
        &with("each side has { n: list }"),
        &with("each side has { n: colour }"),
        &with("to other(side active) { say \"{side}\" }"),
    ]));
}

#[test]
fn headers_of_scripts() {
    let rules = "ludex 1\ngame pig \"Pig\"\nsides 2 of 1 animal\nsheet animal (animals) { }\nhook day(active: side)\n\
                 to play { do turn(first of sides)  finish with nobody }\nscope turn(active: side) { open day(active) }\n";
    let wrong = [
        "uses 3 per game",
        "uses 3",
        "3 uses per turn",
        "trigger z at day do { say \"x\" }",
        "offer z at day(active) says: \"x\" do { say \"x\" }",
        "offer z at day(active) if active is me says \"x\" do { say \"x\" }",
    ];
    let names: Vec<String> = (1..=wrong.len()).map(|number| format!("x{number}")).collect();
    let mut files = vec![
        ("rules/pig/pig.ludex".to_string(), rules.to_string()),
        ("characters/pig/otter.yaml".to_string(), format!("name: Otter\nabilities: [{}]\n", names.join(", "))),
        ("characters/pig/heron.yaml".to_string(), "name: Heron\n".to_string()),
    ];
    files.extend(
        names
            .iter()
            .zip(wrong)
            .map(|(name, part)| (format!("scripts/pig/{name}.rhai"), format!("//! ability {name} \"X\" \"y\"\n//! {part}\n"))),
    );
    assert_snapshot!(checked(&files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>()));
}

#[test]
fn what_lies_on_a_board_and_what_extends_itself() {
    let board = "ludex 1\ngame pig \"Pig\"\nsides 2\npiece card (cards) { rank: number }\n\
                 the table has { zone rows: row of 4 of cards, open }\nto play { say \"{sum of rows.rank}\"  finish with nobody }\n";
    let a = "ludex 1\npackage a \"A\" extends b\n";
    let b = "ludex 1\npackage b \"B\" extends a\n";
    assert_snapshot!(
        [checked(&[("rules/pig/pig.ludex", board)]), checked(&[("rules/a/a.ludex", a), ("rules/b/b.ludex", b)]),].join("\n")
    );
}

#[test]
fn scenarios_that_are_written_otherwise() {
    let rules = format!(
        "{HEAD}die sizes 6, 8\npiece disc (discs) {{ counter level in 0..5 }}\n\
         each side has {{ zone tray: dice, open  zone pile: discs, open }}\nfamily decision(active: side) {{}}\n\
         action again(die in active.tray) is decision\n  says \"roll {{die}}\"\naction hold() is decision\n  says \"hold\"\n\
         to play {{ each side in sides {{ create die(size: 6) in side.tray for side  create disc() in side.pile for side }} \
         do turn(first of sides)  finish with nobody }}\nentry scope turn(active: side) {{ active must choose decision as decision else {{ }} \
         if decision is hold {{ finish with active }} roll active.tray  add 1 to (first of active.foe.pile).level }}\n"
    );
    let rules = rules.replace("add 1 to (first of active.foe.pile).level", "each disc in active.pile { add 1 to disc.level }");
    let position = "  position: {sides: [{zones: {tray: [{id: a, size: 6, value: 2}]}}, {}], at: turn(active: 0)}\n";
    let told = |scenario: &str| {
        let folder = Folder::empty("beginners-scenarios");
        folder.write("rules/pig/pig.ludex", &rules);
        folder.write("rules/pig/scenarios/t.yaml", &scenario.replace("POSITION\n", position));
        let run = ludex_in(&folder, &["test", "pig"], "");
        [run.stdout, run.stderr].concat()
    };
    let wrong = [
        "- name: a\nPOSITION\n  random: [3]\n  play:\n    - 0 again(a)\n  then: {outcome: tie}\n",
        "- name: a\nPOSITION\n  play:\n    - 0: hold\n  then: {winner: 0}\n",
        "- name: a\nPOSITION\n  play:\n    - 0: hold\n  then: {outcome: 0}\n",
        "name: a\nplay:\n  - 0: hold\n",
        "- name: a\nPOSITION\n  random: [3]\n  play:\n    - 0: again(a)\n    - expect: [rolled(a#2, 2)]\n",
        "- name: a\nPOSITION\n  random: [3]\n  play:\n    - 0: again(a)\n    - expect: [rolled(a #2, 2)]\n",
        "- name: a\n  position: {sides: [{zones: {pile: [{disc: disc, owner: 0}]}}, {}], at: turn(active: 0)}\n  play:\n    - 0: hold\n  then: {outcome: win}\n",
    ];
    assert_snapshot!(wrong.map(told).join("\n"));
}

#[test]
fn answers_that_are_no_option() {
    let rules = format!(
        "{HEAD}family decision(active: side) {{}}\naction again() is decision\n  says \"roll again\"\naction hold() is decision\n  says \"hold\"\n\
         to play {{ first of sides must choose decision as decision \"What now?\" else {{ }}  finish with nobody }}\n"
    );
    let folder = Folder::empty("beginners-answers");
    folder.write("rules/pig/pig.ludex", &rules);
    let seats = ["play", "pig", "--seat", "0=:human", "--seat", "1=:human", "--seed", "1"];
    let run = ludex_in(&folder, &seats, "amber\n7\nroll\n0\nquit\n");
    let answers: Vec<&str> = run.stdout.lines().skip_while(|line| !line.contains("amber")).collect();
    assert_snapshot!(answers.join("\n"));
}

#[test]
fn dice_and_counts_in_the_words_of_other_languages() {
    assert_snapshot!(games(&[
        "die sizes 6\nto play {\n  let x = roll d6\n  say \"{x}\"\n  finish with nobody\n}\n",
        "die sizes 6\nto play {\n  roll d6 as x\n  say \"{x}\"\n  finish with nobody\n}\n",
        &format!("die sizes 6\neach side has {{ zone in-play: dice, open }}\n{PLAY}"),
        &format!("die sizes 6\neach side has {{ zone hand: dice, open  n: number of dice }}\n{PLAY}"),
        "die sizes 6\neach side has { zone hand: dice, open  counter points }\nto play {\n\
         each side in sides { add number of dice in hand to side.points }\n  finish with nobody\n}\n",
    ]));
}
