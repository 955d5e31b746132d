//! Modes of a line of packages, and scripts that are for a mode only.

use super::tells;
use crate::testing::{Texts, game};
use ludex_program::Program;

const POND: &str = "\
sides 2 of 1 newt
sheet newt (newts) { speed: number = 1 }
each side has { counter flies }
define reach: number = 1
define depth: number = 2
hook dusk(side: side)
to play {
  say \"{reach} {depth}\"
  open dusk(first of sides)
  finish with sides
}
mode by-night \"By night\" { replace define depth: number = 9 }
";
const HOP: &str = "//! ability hop \"Hop\"\n//! trigger hop at dusk(side)\n//!   do { say \"hop\" }\n";
const GLOW: &str =
    "//! mode by-night\n//! ability glow \"Glow\"\n//! trigger glow at dusk(side)\n\nfn glow() { say(\"it glows\"); }\n";
const FLY: &str = "//! mode by-night\n//! replaces\n//! ability hop \"Fly\"\n//! trigger fly at dusk(side)\n\nfn fly(me) { add(me, \"flies\", 1); say(`flies ${me.flies}`); }\n";

fn pond() -> Texts {
    game(POND)
        .sheet("tom", "name: Tom\nabilities: [hop, glow]\n")
        .script("hop", HOP)
        .file("scripts/pond/by-night/glow.rhai", GLOW)
}

fn marsh(rules: &str) -> Texts {
    pond().package("marsh", "pond", rules)
}

/// What is said in a game whose sides bring a newt each, without the second side's.
fn said(texts: &Texts, game: &str, mode: &str) -> Vec<String> {
    let program = texts.program_of(game, mode);
    crate::testing::Table::new(&program, &crate::testing::setup(&[&["tom"], &["tom"]])).new_said_texts()
}

fn abilities(program: &Program) -> Vec<(&str, &str)> {
    program.abilities.iter().map(|ability| (ability.id.as_str(), ability.title.as_str())).collect()
}

// --- modes of packages -----------------------------------------------------------------

#[test]
fn modes_are_inherited_and_come_after_all_packages() {
    let texts = marsh("replace define reach: number = 5\n").package(
        "lake",
        "marsh",
        "define mud: number = 1\nreplace define reach: number = mud + 6\n",
    );
    assert_eq!(said(&texts, "pond", "by-night")[0], "1 9");
    assert_eq!(said(&texts, "marsh", "by-night")[0], "5 9");
    assert_eq!(said(&texts, "lake", "by-night")[0], "7 9");
    assert_eq!(said(&texts, "lake", "standard")[0], "7 2");
}

#[test]
fn replacing_a_mode_adds_to_it() {
    let texts = marsh("replace mode by-night { replace define reach: number = 4 }\n");
    assert_eq!(said(&texts, "marsh", "by-night")[0], "4 9");
    let again = texts.package("bog", "marsh", "replace mode by-night \"In the bog\" { replace define depth: number = 0 }\n");
    assert_eq!(said(&again, "bog", "by-night")[0], "4 0");
    let title = |game: &str| again.program_of(game, "standard").modes[0].title.clone();
    assert_eq!([title("pond"), title("marsh"), title("bog")], ["By night", "By night", "In the bog"]);
}

#[test]
fn packages_that_know_nothing_of_each_other_add_to_the_same_mode() {
    let texts = marsh("replace mode by-night { replace define reach: number = 4 }\n").package(
        "lake",
        "pond",
        "replace mode by-night { define moon: number = 7  replace define depth: number = moon }\n",
    );
    for extends in ["marsh, lake", "lake, marsh"] {
        assert_eq!(said(&texts.clone().package("delta", extends, ""), "delta", "by-night")[0], "4 7");
    }
}

#[test]
fn a_mode_of_each_becomes_one_if_that_is_said() {
    let mode = |reach: u8, name: &str| format!("mode dry \"Dry\" {{ replace define {name}: number = {reach} }}\n");
    let texts = marsh(&mode(4, "reach")).package("lake", "pond", &mode(7, "depth"));
    let delta = texts.package("delta", "marsh, lake", "replace mode dry { }\n");
    assert_eq!(said(&delta, "delta", "dry")[0], "4 7");
}

#[test]
fn a_mode_and_a_package_that_change_the_same() {
    let depth = "replace define depth: number = 5\n";
    let settled = marsh(&format!("{depth}replace mode by-night {{ replace define depth: number = 50 }}\n"));
    assert_eq!(said(&settled, "marsh", "standard")[0], "1 5");
    assert_eq!(said(&settled, "marsh", "by-night")[0], "1 50");
    // What the mode's own package changes it knows of.
    let own = marsh("replace define reach: number = 3\nmode dry \"Dry\" { replace define reach: number = 4 }\n");
    assert_eq!(said(&own, "marsh", "dry")[0], "4 2");
    // And so it is of what lies below.
    let below = own.package("lake", "marsh", "");
    assert_eq!(said(&below, "lake", "dry")[0], "4 2");
}

tells! {
    a_mode_against_a_package: marsh("replace define depth: number = 5\n").problem_report("marsh", "by-night"), @r#"
    LX0320 error: `marsh` and the mode `by-night` of `pond` both change `define depth`
      rules/marsh/game.ludex:3:16 `depth` `marsh` replaces it here
      rules/pond/game.ludex:14:43 `depth` the mode `by-night` of `pond` replaces it here
      help: say in `marsh` which one counts, with `replace mode by-night { replace define depth … }`
    "#
    a_mode_removes_what_a_package_replaces: marsh("mode dry \"Dry\" { remove hook dusk  replace to play { finish with sides } }\n").package("lake", "pond", "replace hook dusk(side: side) goes round\n").package("delta", "lake, marsh", "").problem_report("delta", "dry"), @r#"
    LX0320 error: `lake` and the mode `dry` of `marsh` both change `hook dusk`
      rules/lake/game.ludex:3:14 `dusk` `lake` replaces it here
      rules/marsh/game.ludex:3:30 `dusk` the mode `dry` of `marsh` removes it here
      help: say in `delta` which one counts, with `replace mode dry { replace hook dusk … }`
    "#
    two_blocks_of_one_mode: marsh("replace mode by-night { replace define reach: number = 4 }\n").package("lake", "pond", "replace mode by-night { replace define reach: number = 5 }\n").package("delta", "lake, marsh", "").problem_report("delta", "by-night"), @r#"
    LX0320 error: the mode `by-night` of `lake` and the mode `by-night` of `marsh` both change `define reach`
      rules/lake/game.ludex:3:40 `reach` the mode `by-night` of `lake` replaces it here
      rules/marsh/game.ludex:3:40 `reach` the mode `by-night` of `marsh` replaces it here
      help: say in `delta` which one counts, with `replace mode by-night { replace define reach … }`
    "#
    two_modes_of_one_name: marsh("mode dry \"Dry\" { }\n").package("lake", "pond", "mode dry \"Dried up\" { }\n").package("delta", "lake, marsh", "").problem_report("delta", "standard"), @r#"
    LX0320 error: `lake` and `marsh` both declare `mode dry`
      rules/lake/game.ludex:3:6 `dry` `lake` declares it here
      rules/marsh/game.ludex:3:6 `dry` `marsh` declares it here
      help: `delta` extends both: say there which one counts, with `replace mode dry { … }`
    "#
    two_titles_of_one_mode: marsh("replace mode by-night \"Darkness\" { }\n").package("lake", "pond", "replace mode by-night \"Moonlight\" { }\n").package("delta", "lake, marsh", "").problem_report("delta", "standard"), @r#"
    LX0320 error: `lake` and `marsh` both change the title of `mode by-night`
      rules/lake/game.ludex:3:23 `"Moonlight"` `lake` replaces it here
      rules/marsh/game.ludex:3:23 `"Darkness"` `marsh` replaces it here
      help: `delta` extends both: say there which one counts, with `replace mode by-night "…" { … }`
    "#
    a_mode_again: marsh("mode by-night \"Again\" { }\n").problem_report("marsh", "standard"), @r#"
    LX0302 error: `pond` has `mode by-night` already
      rules/marsh/game.ludex:3:6 `by-night` declared again
      rules/pond/game.ludex:14:6 `by-night` declared here
      help: to add to it, write `replace mode by-night { … }`
    "#
    a_mode_that_is_not_there: marsh("replace mode by_nihgt { }\n").problem_report("marsh", "standard"), @r#"
    LX0301 error: there is no `mode by_nihgt` to replace
      rules/marsh/game.ludex:3:14 `by_nihgt` not there
      help: did you mean `by-night`?
    "#
    what_the_mode_has_already: marsh("replace mode by-night { define depth: number = 3 }\n").problem_report("marsh", "by-night"), @r#"
    LX0302 error: the mode `by-night` of `pond` has `define depth` already
      rules/marsh/game.ludex:3:32 `depth` declared again
      rules/pond/game.ludex:14:43 `depth` declared here
      help: to replace it, write `replace define depth …`
    "#
    sides_again_in_a_mode: marsh("mode many \"Many\" { sides 3 of 1 newt }\n").problem_report("marsh", "many"), @r#"
    LX0302 error: `pond` has `sides` already
      rules/marsh/game.ludex:3:20 `sides 3 of 1 newt` declared again
      rules/pond/game.ludex:3:1 `sides 2 of 1 newt` declared here
      help: to replace it, write `replace sides …`
    "#
    a_mode_named_as_the_game_without_one: marsh("mode standard \"Usual\" { }\n").problem_report("marsh", "standard"), @r#"
    LX0302 error: every game has the mode `standard`
      rules/marsh/game.ludex:3:6 `standard` declared again
      help: it is the game without any mode: give this one another name
    "#
    what_cannot_stand_in_a_mode: marsh("mode wet \"Wet\" { replace mode by-night { } game lake \"Lake\" }\n").problem_report("marsh", "standard"), @r#"
    LX0101 error: this cannot be inside the braces of a mode
      rules/marsh/game.ludex:3:18 `replace mode by-night { }` inside a mode
      help: put it after the `}` of the mode
    LX0101 error: this cannot be inside the braces of a mode
      rules/marsh/game.ludex:3:44 `game lake "Lake"` inside a mode
      help: put it after the `}` of the mode
    "#
    a_mode_of_the_game_is_replaced_in_the_game: game(&format!("{POND}replace mode by-night {{ }}\n")).problem_report("pond", "standard"), @r#"
    LX0301 error: only a package can replace or remove
      rules/pond/game.ludex:15:1 `replace mode by-night { }` this game extends no other
      help: change the declaration itself, or start the game with `package … extends …`
    LX0313 warning: the counter `flies` is never read
      rules/pond/game.ludex:5:25 `flies` never read
      help: rules may add to it, but never read it
    "#
}

// --- scripts of modes --------------------------------------------------------------------

#[test]
fn a_script_of_a_mode_adds_its_ability_there_alone() {
    assert_eq!(said(&pond(), "pond", "standard"), ["1 2", "hop", "hop"]);
    assert_eq!(said(&pond(), "pond", "by-night"), ["1 9", "hop", "it glows", "hop", "it glows"]);
    assert_eq!(abilities(&pond().program_of("pond", "standard")), [("hop", "Hop")]);
    assert_eq!(abilities(&pond().program_of("pond", "by-night")), [("glow", "Glow"), ("hop", "Hop")]);
}

#[test]
fn a_script_of_a_mode_takes_the_place_of_an_ability_with_functions_of_its_own() {
    let texts = pond().file("scripts/pond/by-night/hop.rhai", FLY);
    assert_eq!(said(&texts, "pond", "standard"), ["1 2", "hop", "hop"]);
    assert_eq!(said(&texts, "pond", "by-night"), ["1 9", "flies 1", "it glows", "flies 1", "it glows"]);
}

#[test]
fn the_same_ability_is_another_one_in_each_mode() {
    let dry = FLY.replace("by-night", "dry").replace("Fly", "Crawl");
    let texts = game(&format!("{POND}mode dry \"Dry\" {{ }}\n"))
        .script("hop", HOP)
        .file("scripts/pond/by-night/hop.rhai", FLY)
        .file("scripts/pond/dry/hop.rhai", &dry);
    let title = |mode: &str| texts.program_of("pond", mode).abilities[0].title.clone();
    assert_eq!([title("standard"), title("by-night"), title("dry")], ["Hop", "Fly", "Crawl"]);
}

#[test]
fn a_package_brings_a_script_for_a_mode_that_it_inherits() {
    let texts = marsh("").file("scripts/marsh/by-night/hop.rhai", FLY);
    assert_eq!(said(&texts, "pond", "by-night"), ["1 9", "hop", "it glows", "hop", "it glows"]);
    assert_eq!(said(&texts, "marsh", "by-night"), ["1 9", "flies 1", "it glows", "flies 1", "it glows"]);
}

#[test]
fn a_mode_removes_an_ability_that_sheets_list() {
    let texts = marsh("replace mode by-night { remove ability hop  remove ability glow }\n");
    assert_eq!(said(&texts, "marsh", "by-night"), ["1 9"]);
    assert_eq!(said(&texts, "marsh", "standard"), ["1 2", "hop", "hop"]);
}

#[test]
fn an_ability_within_a_mode_needs_no_file() {
    let inline =
        "replace mode by-night {\n  replace ability hop \"Swim\"\n    trigger swim at dusk(side) do { say \"swim\" }\n}\n";
    assert_eq!(said(&marsh(inline), "marsh", "by-night"), ["1 9", "swim", "it glows", "swim", "it glows"]);
}

#[test]
fn a_package_replaces_an_ability_in_its_rules() {
    let inline = "replace ability hop \"Swim\"\n  trigger swim at dusk(side) do { say \"swim\" }\n";
    assert_eq!(said(&marsh(inline), "marsh", "standard"), ["1 2", "swim", "swim"]);
}

#[test]
fn scripts_of_modes_are_part_of_the_hash() {
    let other = pond().file("scripts/pond/by-night/hop.rhai", FLY);
    assert_ne!(pond().program_of("pond", "standard").hash, other.program_of("pond", "standard").hash);
    let files = other.program_of("pond", "standard").files.clone();
    assert!(files.iter().any(|(path, _)| path == "scripts/pond/by-night/hop.rhai"));
}

#[test]
fn an_ability_that_no_mode_has_is_unknown() {
    let texts = pond().sheet("ann", "name: Ann\nabilities: [gloom]\n");
    assert!(texts.problem_report("pond", "standard").contains("LX0601 error: there is no ability `gloom`"));
}

/// Scripts of two packages for one mode.
fn both(own: &str) -> Texts {
    let swim = FLY.replace("Fly", "Swim");
    let texts = marsh("").package("lake", "pond", "").package("delta", "marsh, lake", own);
    texts.file("scripts/marsh/by-night/hop.rhai", FLY).file("scripts/lake/by-night/hop.rhai", &swim)
}

#[test]
fn who_extends_both_brings_the_script_that_counts() {
    let dive = FLY.replace("Fly", "Dive");
    let texts = both("").file("scripts/delta/by-night/hop.rhai", &dive);
    assert_eq!(abilities(&texts.program_of("delta", "by-night")), [("glow", "Glow"), ("hop", "Dive")]);
    let usual = |title: &str| HOP.replace("\"Hop\"", &format!("\"{title}\"")).replace("//! ability", "//! replaces\n//! ability");
    let packages = marsh("").package("lake", "pond", "").package("delta", "marsh, lake", "");
    let packages = packages.file("scripts/marsh/hop.rhai", &usual("Jump")).file("scripts/lake/hop.rhai", &usual("Leap"));
    let settled = packages.file("scripts/delta/hop.rhai", &usual("Bound"));
    assert_eq!(abilities(&settled.program_of("delta", "standard")), [("hop", "Bound")]);
}

tells! {
    two_scripts_for_one_mode: both("").problem_report("delta", "by-night"), @r#"
    LX0320 error: the mode `by-night` of `marsh` and the mode `by-night` of `lake` both change `ability hop`
      scripts/marsh/by-night/hop.rhai:3:13 `hop` the mode `by-night` of `marsh` replaces it here
      scripts/lake/by-night/hop.rhai:3:13 `hop` the mode `by-night` of `lake` replaces it here
      help: put a script `hop.rhai` with the lines `//! mode by-night` and `//! replaces` into `delta`
    "#
    two_scripts_of_one_id: marsh("").package("lake", "pond", "").package("delta", "marsh, lake", "").file("scripts/marsh/dive.rhai", &HOP.replace("hop", "dive")).file("scripts/lake/dive.rhai", &HOP.replace("hop", "dive")).problem_report("delta", "standard"), @r#"
    LX0320 error: `marsh` and `lake` both declare `ability dive`
      scripts/marsh/dive.rhai:1:13 `dive` `marsh` declares it here
      scripts/lake/dive.rhai:1:13 `dive` `lake` declares it here
      help: `delta` extends both: put a script `dive.rhai` with a line `//! replaces` there
    "#
    a_script_of_a_mode_against_one_of_a_package: marsh("").package("lake", "pond", "").package("delta", "marsh, lake", "").file("scripts/marsh/by-night/hop.rhai", FLY).file("scripts/lake/hop.rhai", &HOP.replace("//! ability", "//! replaces\n//! ability")).problem_report("delta", "by-night"), @r#"
    LX0320 error: `lake` and the mode `by-night` of `marsh` both change `ability hop`
      scripts/lake/hop.rhai:2:13 `hop` `lake` replaces it here
      scripts/marsh/by-night/hop.rhai:3:13 `hop` the mode `by-night` of `marsh` replaces it here
      help: put a script `hop.rhai` with the lines `//! mode by-night` and `//! replaces` into `delta`
    "#
    a_mode_that_no_game_has: pond().file("scripts/pond/by-nihgt/dive.rhai", &GLOW.replace("by-night", "by-nihgt").replace("glow", "dive")).problem_report("pond", "standard"), @r#"
    LX0807 error: there is no mode `by-nihgt`
      scripts/pond/by-nihgt/dive.rhai:1:5 `mode by-nihgt` not known
      help: did you mean `by-night`?
    LX0313 warning: the counter `flies` is never read
      rules/pond/game.ludex:5:25 `flies` never read
      help: rules may add to it, but never read it
    "#
    a_mode_where_there_are_none: game("sides 2\nto play { finish with sides }\n").file("scripts/pond/glow.rhai", GLOW).problem_report("pond", "standard"), @r#"
    LX0807 error: there is no mode `by-night`
      scripts/pond/glow.rhai:1:5 `mode by-night` not known
      help: `pond` has no modes: leave this line out
    "#
    a_script_of_a_mode_that_does_not_say_that_it_replaces: pond().file("scripts/pond/by-night/hop.rhai", &FLY.replace("//! replaces\n", "")).problem_report("pond", "by-night"), @r#"
    LX0007 error: the name `hop` is taken
      scripts/pond/by-night/hop.rhai:1:1 `` `pond` has an ability of this name
      scripts/pond/hop.rhai:1:13 `hop` declared here
      help: rename the file, or add a line `//! replaces` to replace the other
    LX0313 warning: the counter `flies` is never read
      rules/pond/game.ludex:5:25 `flies` never read
      help: rules may add to it, but never read it
    "#
    a_script_of_a_mode_that_replaces_nothing: pond().file("scripts/pond/by-night/hopp.rhai", &FLY.replace("ability hop", "ability hopp")).problem_report("pond", "by-night"), @r#"
    LX0008 error: there is no other `hopp` to replace
      scripts/pond/by-night/hopp.rhai:2:5 `replaces` replaces nothing
      help: a file replaces the file with its own name; did you mean `hop`?
    "#
    two_scripts_of_one_mode_and_id: pond().file("scripts/pond/glow.rhai", GLOW).problem_report("pond", "standard"), @r#"
    LX0007 error: the name `glow` is taken
      scripts/pond/glow.rhai:1:1 `` `scripts/pond/by-night/glow.rhai` of the bundled library has this name
      help: rename one of the two files
    LX0313 warning: the counter `flies` is never read
      rules/pond/game.ludex:5:25 `flies` never read
      help: rules may add to it, but never read it
    "#
    a_script_and_the_rules_for_one_mode: marsh("replace mode by-night {\n  replace ability hop \"Swim\"\n    trigger swim at dusk(side) do { say \"swim\" }\n}\n").file("scripts/marsh/by-night/hop.rhai", FLY).problem_report("marsh", "by-night"), @r#"
    LX0302 error: `ability hop` is changed twice in one place
      scripts/marsh/by-night/hop.rhai:3:13 `hop` again here
      rules/marsh/game.ludex:4:19 `hop` first here
      help: remove one of the two
    "#
    a_function_that_is_missing_in_a_mode: pond().file("scripts/pond/by-night/hop.rhai", &FLY.replace("fn fly", "fn flee")).problem_report("pond", "by-night"), @r#"
    LX0704 error: there is no function `fly`
      scripts/pond/by-night/hop.rhai:4:5 `trigger fly at dusk(side)` needs a function of its name
      help: write `fn fly(…) { … }` under the header, or `do { … }` here
    LX0705 warning: nothing calls `flee`
      scripts/pond/by-night/hop.rhai:6:4 `flee` never called
    "#
}

#[test]
fn what_clashes_in_a_mode_keeps_nobody_from_playing_without_it() {
    let clashing = marsh("replace define depth: number = 5\n");
    assert_eq!(said(&clashing, "marsh", "standard")[0], "1 5");
    assert_eq!(clashing.problem_report("marsh", "standard"), "");
    assert!(clashing.problem_report("marsh", "by-night").contains("both change `define depth`"));
}
