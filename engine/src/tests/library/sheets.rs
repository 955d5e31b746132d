//! Sheets of a line of packages: which one of an id counts.

use super::tells;
use crate::testing::{Texts, game};

const POND: &str = "\
sides 2 of 1 newt
sheet newt (newts) { speed: number }
hook dusk(side: side)
to play { each side in sides { open dusk(side) }  finish with sides where (any of it.newts has it.speed > 1) }
";
const HOP: &str = "//! ability hop \"Hop\"\n//! trigger hop at dusk(side)\n//!   do { say \"hop\" }\n";

fn newt(name: &str, speed: u8) -> String {
    format!("name: {name}\nspeed: {speed}\n")
}

fn replacing(name: &str, speed: u8) -> String {
    format!("replaces: true\n{}", newt(name, speed))
}

/// Two packages of a pond with one newt, and one that extends both.
fn delta() -> Texts {
    let texts = game(POND).sheet("tom", &newt("Tom", 1)).script("hop", HOP);
    texts.package("marsh", "pond", "").package("lake", "pond", "").package("delta", "marsh, lake", "")
}

fn names(texts: &Texts, game: &str) -> Vec<String> {
    let program = texts.program_of(game, "standard");
    program.sheets.values().map(|sheet| format!("{} {}", sheet.id, sheet.name)).collect()
}

#[test]
fn each_package_adds_its_own() {
    let texts = delta().file("characters/marsh/ann.yaml", &newt("Ann", 2)).file("characters/lake/bob.yaml", &newt("Bob", 3));
    assert_eq!(names(&texts, "pond"), ["tom Tom"]);
    assert_eq!(names(&texts, "delta"), ["ann Ann", "bob Bob", "tom Tom"]);
}

#[test]
fn files_of_several_may_be_named_alike() {
    let several = |id: &str| format!("sheets:\n  {id}:\n    name: {id}\n    speed: 2\n");
    let texts = delta().file("characters/marsh/newts.yaml", &several("ann")).file("characters/lake/newts.yaml", &several("bob"));
    assert_eq!(names(&texts, "delta"), ["ann ann", "bob bob", "tom Tom"]);
}

#[test]
fn one_among_several_takes_the_place_of_another() {
    let several = "sheets:\n  ann:\n    name: Ann\n    speed: 2\n  tom:\n    replaces: true\n    name: Thomas\n    speed: 2\n";
    let texts = delta().file("characters/marsh/newts.yaml", several);
    assert_eq!(names(&texts, "marsh"), ["ann Ann", "tom Thomas"]);
    assert_eq!(names(&texts, "delta"), ["ann Ann", "tom Thomas"]);
}

#[test]
fn a_file_of_several_takes_the_place_of_a_whole_file() {
    let several = "sheets:\n  ann:\n    name: Ann\n    speed: 2\n  bob:\n    name: Bob\n    speed: 2\n";
    let others = "replaces: true\nsheets:\n  ann:\n    name: Anna\n    speed: 2\n  cid:\n    name: Cid\n    speed: 2\n";
    let texts = delta().file("characters/pond/newts.yaml", several).file("characters/marsh/newts.yaml", others);
    assert_eq!(names(&texts, "pond"), ["ann Ann", "bob Bob", "tom Tom"]);
    assert_eq!(names(&texts, "delta"), ["ann Anna", "cid Cid", "tom Tom"]);
}

#[test]
fn who_extends_both_brings_the_sheet_that_counts() {
    let texts = delta()
        .file("characters/marsh/tom.yaml", &replacing("Tim", 2))
        .file("characters/lake/tom.yaml", &replacing("Tam", 2))
        .file("characters/delta/tom.yaml", &replacing("Tum", 2));
    assert_eq!(names(&texts, "delta"), ["tom Tum"]);
    let new = delta()
        .file("characters/marsh/ann.yaml", &newt("Ann", 2))
        .file("characters/lake/newts.yaml", "sheets:\n  ann:\n    name: Anna\n    speed: 2\n")
        .file("characters/delta/ann.yaml", &replacing("Anne", 2));
    assert_eq!(names(&new, "delta"), ["ann Anne", "tom Tom"]);
}

tells! {
    both_have_a_new_sheet: delta().file("characters/marsh/ann.yaml", &newt("Ann", 2)).file("characters/lake/ann.yaml", &newt("Anna", 2)).problem_report("delta", "standard"), @r#"
    LX0320 error: `marsh` and `lake` both declare the sheet `ann`
      characters/marsh/ann.yaml:1:1 `name` `marsh` declares it here
      characters/lake/ann.yaml:1:1 `name` `lake` declares it here
      help: `delta` extends both: put a sheet `ann.yaml` with a line `replaces: true` there
    "#
    both_replace_a_sheet: delta().file("characters/marsh/tom.yaml", &replacing("Tim", 2)).file("characters/lake/tom.yaml", &replacing("Tam", 2)).problem_report("delta", "standard"), @r#"
    LX0320 error: `marsh` and `lake` both change the sheet `tom`
      characters/marsh/tom.yaml:1:1 `replaces` `marsh` replaces it here
      characters/lake/tom.yaml:1:1 `replaces` `lake` replaces it here
      help: `delta` extends both: put a sheet `tom.yaml` with a line `replaces: true` there
    "#
    a_sheet_that_does_not_say_that_it_replaces: delta().file("characters/marsh/tom.yaml", &newt("Tim", 2)).problem_report("delta", "standard"), @r#"
    LX0007 error: the name `tom` is taken
      characters/marsh/tom.yaml:1:1 `name` `pond` has a sheet of this name
      characters/pond/tom.yaml:1:1 `name` written here
      help: rename the sheet, or add a line `replaces: true` to replace the other
    "#
    one_among_several_that_does_not_say_so: delta().file("characters/marsh/newts.yaml", "sheets:\n  tom:\n    name: Tim\n    speed: 2\n").problem_report("marsh", "standard"), @r#"
    LX0007 error: the name `tom` is taken
      characters/marsh/newts.yaml:2:3 `tom` `pond` has a sheet of this name
      characters/pond/tom.yaml:1:1 `name` written here
      help: rename the sheet, or add a line `replaces: true` to replace the other
    "#
    one_among_several_that_replaces_nothing: delta().file("characters/marsh/newts.yaml", "sheets:\n  tim:\n    replaces: true\n    name: Tim\n    speed: 2\n").problem_report("marsh", "standard"), @r#"
    LX0008 error: there is no other `tim` to replace
      characters/marsh/newts.yaml:3:15 `true` replaces nothing
      help: remove this, or give the sheet the name of the one it replaces
    "#
    a_sheet_of_one_uses_an_ability_that_the_other_removes: delta().file("rules/marsh/more.ludex", "remove ability hop\n").file("characters/lake/ann.yaml", &format!("{}abilities: [hop]\n", newt("Ann", 2))).problem_report("delta", "standard"), @r#"
    LX0601 error: there is no ability `hop`
      characters/lake/ann.yaml:3:13 `hop` `lake` uses it
      rules/marsh/more.ludex:1:16 `hop` `marsh` removes it here
      help: `delta` extends both: declare `hop` there again, or leave out one of the two
    "#
    a_sheet_of_the_game_uses_an_ability_that_a_package_removes: delta().sheet("ann", &format!("{}abilities: [hop]\n", newt("Ann", 2))).file("rules/marsh/more.ludex", "remove ability hop\n").problem_report("marsh", "standard"), @r#"
    LX0601 error: there is no ability `hop`
      characters/pond/ann.yaml:3:13 `hop` `pond` uses it
      rules/marsh/more.ludex:1:16 `hop` `marsh` removes it here
      help: also replace its uses in `marsh`, or do not remove it
    "#
    rules_are_replaced_by_declarations: delta().file("rules/marsh/play.ludex", "#! replaces\ndefine wet: number = 1\n").file("rules/pond/play.ludex", "define dry: number = 1\n").problem_report("marsh", "standard"), @r#"
    LX0008 error: there is no other `play` to replace
      rules/marsh/play.ludex:1:4 `replaces` replaces nothing
      help: remove this, or give the file the name of the one it replaces
    LX0313 warning: the definition `wet` is never used
      rules/marsh/play.ludex:2:8 `wet` never used
      help: remove it, or check whether its name is misspelt in other places
    "#
}
