//! Ordinary libraries with much of one kind of declaration, in any size: one kind for each that the grammar knows. Nothing is wrong in
//! them. The long check compares what verbs that only read take for one size and for twice that.

use super::inputs::{File, GAME, Kind, SHEET, each, game, listed, otter, rules};

/// Named as in the grammar. The size is one of which twice as much is within the limits.
pub const DECLARATIONS: &[Kind] = &[
    Kind { name: "language", large: 95, files: |n| games(n, "") },
    Kind { name: "game", large: 95, files: |n| games(n, "") },
    Kind { name: "package", large: 95, files: packages },
    Kind { name: "sides", large: 95, files: |n| games(n, "") },
    Kind { name: "referee", large: 95, files: |n| games(n, "referee \"Judge\"\n") },
    Kind { name: "option", large: 2_400, files: |n| all(n, |i| format!("option o{i} = 1 in 1..9 \"o\"")) },
    Kind { name: "words", large: 800, files: |n| all(n, |i| format!("type w{i} is one of a{i}, b{i}")) },
    Kind { name: "die_sizes", large: 90, files: die_sizes },
    Kind { name: "die_kind", large: 600, files: |n| all(n, |i| format!("die k{i} \"k{i}\" with faces 1, 2, 3")) },
    Kind { name: "piece", large: 1_200, files: |n| all(n, |i| format!("piece p{i} (p{i}s) {{ f{i}: number = 0 }}")) },
    Kind { name: "sheet", large: 800, files: sheets },
    Kind { name: "table_rows", large: 2_400, files: |n| all(n, |i| format!("table t{i}(x) {{ 1: 2  otherwise: 0 }}")) },
    Kind { name: "has", large: 1_200, files: |n| all(n, |i| format!("each side has {{ counter c{i} }}")) },
    Kind { name: "define", large: 2_400, files: |n| all(n, |i| format!("define d{i} = {i}")) },
    Kind { name: "hook", large: 2_400, files: |n| all(n, |i| format!("hook h{i}(side: side)")) },
    Kind { name: "family", large: 800, files: |n| all(n, |i| format!("family f{i}(active: side) {{ g{i}: number = 1 }}")) },
    Kind {
        name: "action_item",
        large: 1_100,
        files: |n| of_family(n, |i| format!("action a{i}(die in active.otters.nest) is deed")),
    },
    Kind {
        name: "procedure",
        large: 2_400,
        files: |n| all(n, |i| format!("to p{i}(active: side) {{ add 1 to active.points }}")),
    },
    Kind { name: "standing", large: 95, files: |n| games(n, "standing of side = side.points\n") },
    Kind { name: "policy", large: 2_400, files: |n| of_family(n, |i| format!("policy q{i} for deed {{ prefer highest 1 }}")) },
    Kind { name: "mode", large: 15, files: |n| all(n, |i| format!("mode m{i} \"M\" {{ define x = {i} }}")) },
    Kind { name: "replace", large: 1_200, files: |n| changed(n, |i| format!("replace define d{i} = 2")) },
    Kind { name: "remove_item", large: 1_200, files: |n| changed(n, |i| format!("remove define d{i}")) },
    Kind { name: "abilities_work", large: 95, files: |n| games(n, "abilities work when me.points < 9\n") },
    Kind { name: "shared_uses", large: 95, files: |n| games(n, "abilities share uses per turn\n") },
    Kind {
        name: "ability_works",
        large: 600,
        files: |n| all(n, |i| format!("{}ability hop-{i} works when me.points < 9", ability(i))),
    },
    Kind { name: "ability", large: 600, files: |n| all(n, ability) },
];

fn all(n: usize, declaration: impl Fn(usize) -> String) -> Vec<File> {
    rules(each(n, |i| declaration(i) + "\n"))
}

fn of_family(n: usize, declaration: impl Fn(usize) -> String) -> Vec<File> {
    rules(format!("family deed(active: side) {{}}\n{}", each(n, |i| declaration(i) + "\n")))
}

/// What a game has once, in so many games.
fn games(n: usize, more: &str) -> Vec<File> {
    let files = |i: usize| {
        let rules = GAME.replace("pond", &format!("g{i}")) + more;
        [(format!("rules/g{i}/game.ludex"), rules), (format!("characters/g{i}/otter.yaml"), SHEET.to_string())]
    };
    [game(), otter()].into_iter().chain((0..n).flat_map(files)).collect()
}

fn packages(n: usize) -> Vec<File> {
    let text = |i: usize| format!("ludex 1\npackage p{i} \"P\" extends pond\ndefine e{i} = 1\n");
    [game(), otter()].into_iter().chain((0..n).map(|i| (format!("rules/p{i}/game.ludex"), text(i)))).collect()
}

/// Definitions, and a package that changes each.
fn changed(n: usize, change: impl Fn(usize) -> String) -> Vec<File> {
    let mut files = all(n, |i| format!("define d{i} = 1"));
    let package = format!("ludex 1\npackage p \"P\" extends pond\n{}", each(n, |i| change(i) + "\n"));
    files.push(("rules/p/game.ludex".into(), package));
    files
}

fn die_sizes(n: usize) -> Vec<File> {
    let sizes = listed(n + 2, |i| (i + 4).to_string());
    vec![("rules/pond/game.ludex".into(), GAME.replace("die sizes 4, 6", &format!("die sizes {sizes}"))), otter()]
}

fn sheets(n: usize) -> Vec<File> {
    let mut files = all(n, |i| format!("sheet s{i} {{ f: number }}"));
    let lines = each(n, |i| format!("l{i}: list of s{i} = none  "));
    files[0].1 = GAME.replace("zone nest: dice, open", &format!("zone nest: dice, open  {lines}"));
    files
}

fn ability(i: usize) -> String {
    format!("ability hop-{i} \"Hop {i}\" \"Hops.\"\n  trigger hops at dusk(side) when side is me do {{ say \"a\" }}\n")
}
