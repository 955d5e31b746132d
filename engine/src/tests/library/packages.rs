//! What packages declare, put together: what counts, what clashes, and how a clash is settled.

use super::tells;
use crate::testing::{Texts, game};

const POND: &str = "\
sides 2
die sizes 4, 6
option goal = 3 in 1..9 \"how far\"
standing of side = side.flies
each side has { counter flies = 2 in 0..20  mark wet \"is wet\"  zone nest, burrow: dice, open }
define reach: number = 1
define depth: number = 2
hook dusk(side: side)
policy careful for hop { prefer highest it.far }
family hop(side: side) { far: number }
action leap is hop gives far = reach
to play {
  each side in sides { do day(side) }
  finish with sides
}
scope day(side: side) {
  open dusk(side)
  roll side.nest + side.burrow
  mark side as wet until end of day
  if side is wet { say \"{reach} {depth} {goal} {side.flies}\" }
  if side.flies > 100 { side may choose hop as hopped }
}
";

fn pond() -> Texts {
    game(POND)
}

/// Two packages of the pond, and one that extends both.
fn delta(marsh: &str, lake: &str, own: &str) -> Texts {
    let texts = pond().package("marsh", "pond", marsh).package("lake", "pond", lake);
    texts.package("delta", "marsh, lake", own)
}

/// What is wrong with it.
fn wrong(marsh: &str, lake: &str, own: &str) -> String {
    delta(marsh, lake, own).problem_report("delta", "standard")
}

/// What is said first in it.
fn said(texts: &Texts, game: &str) -> String {
    texts.said_texts_in(game, "standard").swap_remove(0)
}

#[test]
fn packages_that_change_different_things_go_together() {
    let texts = delta("replace define reach: number = 7\n", "replace define depth: number = 8\n", "");
    assert_eq!(said(&texts, "pond"), "1 2 3 2");
    assert_eq!(said(&texts, "marsh"), "7 2 3 2");
    assert_eq!(said(&texts, "delta"), "7 8 3 2");
}

#[test]
fn the_order_decides_nothing_of_what_is_played() {
    let marsh = "replace define reach: number = depth + 7\nremove hook dusk\nreplace scope day(side: side) { say \"{reach}\" }\ndie sizes 30\n";
    let lake = "replace define depth: number = 8\neach side has { replace counter flies = 5 in 0..20 }\ndie sizes 20, 4\n";
    let code = |extends: &str| {
        let texts = pond().package("marsh", "pond", marsh).package("lake", "pond", lake).package("delta", extends, "");
        let program = texts.program_of("delta", "standard");
        format!("{:?} {:?} {:?} {:?}", program.code, program.places, program.kinds, program.die_sizes)
    };
    assert_eq!(code("marsh, lake"), code("lake, marsh"));
}

#[test]
fn each_level_changes_what_the_one_before_has_made() {
    let texts = pond()
        .package("marsh", "pond", "replace define reach: number = 5\ndefine mud: number = 1\n")
        .package("swamp", "marsh", "replace define reach: number = mud + 6\nreplace define mud: number = 2\n")
        .package("bog", "swamp", "replace define mud: number = 3\nremove define depth\noption depth = 4 in 1..9\n");
    assert_eq!(said(&texts, "marsh"), "5 2 3 2");
    assert_eq!(said(&texts, "swamp"), "8 2 3 2");
    assert_eq!(said(&texts, "bog"), "9 4 3 2");
}

#[test]
fn what_descends_from_the_other_counts_wherever_it_is_named() {
    let texts = pond()
        .package("marsh", "pond", "replace define reach: number = 5\n")
        .package("swamp", "marsh", "replace define reach: number = 6\n")
        .package("lake", "pond", "replace define depth: number = 9\n");
    for extends in ["marsh, swamp, lake", "swamp, marsh, lake", "lake, swamp, marsh"] {
        assert_eq!(said(&texts.clone().package("delta", extends, ""), "delta"), "6 9 3 2", "{extends}");
    }
}

#[test]
fn who_extends_both_says_which_one_counts() {
    let (five, six) = ("replace define reach: number = 5\n", "replace define reach: number = 6\n");
    assert_eq!(said(&delta(five, six, "replace define reach: number = 56\n"), "delta"), "56 2 3 2");
    let below = delta(five, six, "replace define reach: number = 56\n").package("sea", "lake, delta", "");
    assert_eq!(said(&below, "sea"), "56 2 3 2");
    let above = delta(five, six, "").package("sea", "delta", "replace define reach: number = 7\n");
    assert_eq!(said(&above, "sea"), "7 2 3 2");
    let removed = delta(five, six, "remove define reach\noption reach = 4 in 1..9\n");
    assert_eq!(said(&removed, "delta"), "4 2 3 2");
}

#[test]
fn both_may_remove_the_same() {
    let texts = delta("remove hook dusk\n", "remove hook dusk\n", "replace scope day(side: side) { say \"{side.flies}\" }\n");
    let problems = texts.compile_mode("delta", "standard").1;
    assert!(problems.iter().all(|problem| !problem.is_error()), "{problems:?}");
    let again = delta("remove define depth\n", "remove define depth\n", "define depth: number = 8\n");
    assert_eq!(said(&again, "delta"), "1 8 3 2");
}

#[test]
fn what_one_removes_the_other_may_not_change_unless_it_is_declared_again() {
    let again = delta("remove define depth\n", "replace define depth: number = 5\n", "replace define depth: number = 8\n");
    assert_eq!(said(&again, "delta"), "1 8 3 2");
}

tells! {
    both_replace: wrong("replace define reach: number = 5\n", "replace define reach: number = 6\n", ""), @r#"
    LX0320 error: `marsh` and `lake` both change `define reach`
      rules/marsh/game.ludex:3:16 `reach` `marsh` replaces it here
      rules/lake/game.ludex:3:16 `reach` `lake` replaces it here
      help: `delta` extends both: say there which one counts, with `replace define reach …`
    "#
    both_declare: wrong("define mud: number = 5\n", "define mud: number = 6\n", ""), @r#"
    LX0320 error: `marsh` and `lake` both declare `define mud`
      rules/marsh/game.ludex:3:8 `mud` `marsh` declares it here
      rules/lake/game.ludex:3:8 `mud` `lake` declares it here
      help: `delta` extends both: say there which one counts, with `replace define mud …`
    "#
    one_removes_what_the_other_replaces: wrong("remove hook dusk\nreplace scope day(side: side) { }\n", "replace hook dusk(side: side) goes round\n", ""), @r#"
    LX0320 error: `marsh` and `lake` both change `hook dusk`
      rules/marsh/game.ludex:3:13 `dusk` `marsh` removes it here
      rules/lake/game.ludex:3:14 `dusk` `lake` replaces it here
      help: `delta` extends both: say there which one counts, with `replace hook dusk …`
    "#
    three_replace: pond().package("marsh", "pond", "replace standing of side = 1\n").package("lake", "pond", "replace standing of side = 2\n").package("moor", "pond", "replace standing of side = 3\n").package("delta", "moor, lake, marsh", "").problem_report("delta", "standard"), @r#"
    LX0320 error: `moor`, `lake` and `marsh` all change `standing`
      rules/moor/game.ludex:3:9 `standing of side = 3` `moor` replaces it here
      rules/lake/game.ludex:3:9 `standing of side = 2` `lake` replaces it here
      rules/marsh/game.ludex:3:9 `standing of side = 1` `marsh` replaces it here
      help: `delta` extends all of them: say there which one counts, with `replace standing …`
    "#
    only_two_of_three_are_settled: pond().package("marsh", "pond", "replace define reach: number = 1\n").package("lake", "pond", "replace define reach: number = 2\n").package("moor", "pond", "replace define reach: number = 3\n").package("delta", "marsh, lake", "replace define reach: number = 12\n").package("sea", "delta, moor", "").problem_report("sea", "standard"), @r#"
    LX0320 error: `delta` and `moor` both change `define reach`
      rules/delta/game.ludex:3:16 `reach` `delta` replaces it here
      rules/moor/game.ludex:3:16 `reach` `moor` replaces it here
      help: `sea` extends both: say there which one counts, with `replace define reach …`
    "#
    it_is_told_once_to_whoever_extends_what_clashes: delta("replace define reach: number = 5\n", "replace define reach: number = 6\n", "").package("sea", "delta", "").problem_report("sea", "standard"), @r#"
    LX0320 error: `marsh` and `lake` both change `define reach`
      rules/marsh/game.ludex:3:16 `reach` `marsh` replaces it here
      rules/lake/game.ludex:3:16 `reach` `lake` replaces it here
      help: `delta` extends both: say there which one counts, with `replace define reach …`
    "#
    a_procedure_and_a_scope_of_one_name: wrong("to wade(side: side) { }\nreplace to play { each side in sides { do wade(side) } finish with sides }\n", "scope wade(side: side) { }\n", ""), @r#"
    LX0320 error: `marsh` and `lake` both declare `to wade`
      rules/marsh/game.ludex:3:4 `wade` `marsh` declares it here
      rules/lake/game.ludex:3:7 `wade` `lake` declares it here
      help: `delta` extends both: say there which one counts, with `replace to wade …`
    "#

    what_one_uses_the_other_removes: wrong("replace define reach: number = depth\n", "remove define depth\nreplace scope day(side: side) { say \"{reach}\" }\n", ""), @r#"
    LX0301 error: nothing here is called `depth`
      rules/marsh/game.ludex:3:32 `depth` `marsh` uses it
      rules/lake/game.ludex:3:15 `depth` `lake` removes it here
      help: `delta` extends both: declare `depth` there again, or leave out one of the two
    "#
    what_the_game_uses_a_package_removes: wrong("remove define depth\n", "", ""), @r#"
    LX0301 error: nothing here is called `depth`
      rules/pond/game.ludex:22:34 `depth` `pond` uses it
      rules/marsh/game.ludex:3:15 `depth` `marsh` removes it here
      help: also replace its uses in `marsh`, or do not remove it
    "#

    // --- what stands in a game once ----------------------------------------------------
    sides_again: wrong("sides 3\n", "", ""), @r#"
    LX0302 error: `pond` has `sides` already
      rules/marsh/game.ludex:3:1 `sides 3` declared again
      rules/pond/game.ludex:3:1 `sides 2` declared here
      help: to replace it, write `replace sides …`
    "#
    standing_again: wrong("standing of side = 1\n", "", ""), @r#"
    LX0302 error: `pond` has `standing` already
      rules/marsh/game.ludex:3:1 `standing of side = 1` declared again
      rules/pond/game.ludex:6:1 `standing of side = side.flies` declared here
      help: to replace it, write `replace standing …`
    "#
    a_second_referee: game(&format!("referee \"Heron\"\n{POND}")).package("marsh", "pond", "referee \"Stork\"\n").problem_report("marsh", "standard"), @r#"
    LX0302 error: `pond` has `referee` already
      rules/marsh/game.ludex:3:1 `referee "Stork"` declared again
      rules/pond/game.ludex:3:1 `referee "Heron"` declared here
      help: to replace it, write `replace referee …`
    "#
    a_policy_for_the_same_family: wrong("policy careful for hop { prefer highest 1 }\n", "", ""), @r#"
    LX0302 error: `pond` has `policy careful for hop` already
      rules/marsh/game.ludex:3:8 `careful` declared again
      rules/pond/game.ludex:11:8 `careful` declared here
      help: to replace it, write `replace policy careful for hop …`
    "#

    // --- what is not there -------------------------------------------------------------
    replacing_what_is_not_there: wrong("replace define raech: number = 1\n", "", ""), @r#"
    LX0301 error: there is no `define raech` to replace
      rules/marsh/game.ludex:3:16 `raech` not there
      help: did you mean `reach`?
    "#
    removing_what_is_not_there: wrong("remove action laep\n", "", ""), @r#"
    LX0301 error: there is no `action laep` to remove
      rules/marsh/game.ludex:3:15 `laep` not there
      help: did you mean `leap`?
    "#
    replacing_what_was_removed_below: pond().package("marsh", "pond", "remove hook dusk\nreplace scope day(side: side) { say \"{side.flies}\" }\n").package("swamp", "marsh", "replace hook dusk(side: side)\n").problem_report("swamp", "standard"), @r#"
    LX0301 error: there is no `hook dusk` to replace
      rules/swamp/game.ludex:3:14 `dusk` not there
      rules/marsh/game.ludex:3:13 `dusk` `marsh` removes it here
      help: write it without `replace` to add it
    "#
    a_game_replaces_nothing: game(&format!("{POND}replace define reach: number = 2\n")).problem_report("pond", "standard"), @r#"
    LX0301 error: only a package can replace or remove
      rules/pond/game.ludex:25:1 `replace define reach: number = 2` this game extends no other
      help: change the declaration itself, or start the game with `package … extends …`
    "#
    changed_twice: wrong("replace define reach: number = 2\nremove define reach\n", "", ""), @r#"
    LX0302 error: `define reach` is changed twice in one place
      rules/marsh/game.ludex:4:15 `reach` again here
      rules/marsh/game.ludex:3:16 `reach` first here
      help: remove one of the two
    "#
    declared_again: wrong("define reach: number = 2\n", "", ""), @r#"
    LX0302 error: `pond` has `define reach` already
      rules/marsh/game.ludex:3:8 `reach` declared again
      rules/pond/game.ludex:8:8 `reach` declared here
      help: to replace it, write `replace define reach …`
    "#
    replacing_what_has_no_name: wrong("replace each side has { counter flies }\n", "", ""), @r#"
    LX0301 error: this cannot be replaced
      rules/marsh/game.ludex:3:1 `replace each side has { counter flies }` has no name to find it by
      help: write it without `replace`, and put `replace` before each member in its braces that replaces another
    "#
}

// --- die sizes -------------------------------------------------------------------------

/// The sizes of the dice of a game.
fn sizes(texts: &Texts, game: &str) -> Vec<i32> {
    texts.program_of(game, "standard").die_sizes.clone()
}

#[test]
fn die_sizes_are_added() {
    let texts = delta("die sizes 30, 4\n", "die sizes 20, 30\n", "die sizes 2\n");
    assert_eq!(sizes(&texts, "pond"), [4, 6]);
    assert_eq!(sizes(&texts, "marsh"), [4, 6, 30]);
    assert_eq!(sizes(&texts, "delta"), [2, 4, 6, 20, 30]);
}

#[test]
fn die_sizes_are_replaced() {
    let texts = delta("replace die sizes 10, 8\n", "", "die sizes 20\n");
    assert_eq!(sizes(&texts, "marsh"), [10, 8]);
    assert_eq!(sizes(&texts, "delta"), [8, 10, 20]);
    assert_eq!(sizes(&delta("die sizes 8\n", "die sizes 10\n", "replace die sizes 4, 12\n"), "delta"), [4, 12]);
    assert_eq!(sizes(&delta("replace die sizes 8\n", "die sizes 10\n", "replace die sizes 4, 12\n"), "delta"), [4, 12]);
}

tells! {
    one_replaces_what_the_other_adds_to: wrong("replace die sizes 4, 8\n", "die sizes 30\n", ""), @r#"
    LX0320 error: `marsh` and `lake` both change `die sizes`
      rules/marsh/game.ludex:3:9 `die sizes 4, 8` `marsh` replaces it here
      rules/lake/game.ludex:3:1 `die sizes 30` `lake` declares it here
      help: `delta` extends both: say there which one counts, with `replace die sizes …`
    "#
    both_say_all_sizes: wrong("replace die sizes 4, 8\ndie sizes 2\n", "replace die sizes 30\n", ""), @r#"
    LX0320 error: `marsh` and `lake` both change `die sizes`
      rules/marsh/game.ludex:3:9 `die sizes 4, 8` `marsh` replaces it here
      rules/lake/game.ludex:3:9 `die sizes 30` `lake` replaces it here
      help: `delta` extends both: say there which one counts, with `replace die sizes …`
    LX0302 error: `die sizes` is given twice
      rules/marsh/game.ludex:4:1 `die sizes 2` again here
      rules/marsh/game.ludex:3:9 `die sizes 4, 8` first here
      help: remove one of them
    "#
}

#[test]
fn whoever_adds_to_what_another_replaces_is_told_of_the_line_that_replaces() {
    let texts = pond().package("marsh", "pond", "replace die sizes 8\n").package("swamp", "marsh", "die sizes 10\n");
    let texts = texts.package("lake", "pond", "die sizes 20\n").package("delta", "swamp, lake", "");
    assert!(texts.problem_report("delta", "standard").starts_with("LX0320 error: `marsh` and `lake` both change `die sizes`"));
}

// --- members ---------------------------------------------------------------------------

#[test]
fn a_package_replaces_a_member_where_it_stands() {
    let texts = pond().package(
        "marsh",
        "pond",
        "each side has { replace counter flies = 9 in 0..20  counter eggs }\ndefine reading(side: side) = side.eggs\n",
    );
    assert_eq!(said(&texts, "marsh"), "1 2 3 9");
    let names = |game: &str| {
        let program = texts.program_of(game, "standard");
        program.kinds[1].fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!((names("pond"), names("marsh")), (vec!["flies".to_string()], vec!["flies".to_string(), "eggs".to_string()]));
}

#[test]
fn one_name_of_several_in_a_line_is_replaced_alone() {
    let texts = pond().package("marsh", "pond", "each side has { replace zone nest: dice, seen by owner }\n");
    let program = texts.program_of("marsh", "standard");
    let zones: Vec<String> = program.kinds[1].zones.iter().map(|zone| format!("{} {:?}", zone.name, zone.seen)).collect();
    assert_eq!(zones, ["nest Owner", "burrow All"]);
}

#[test]
fn a_member_may_become_something_else() {
    let texts = pond().package("marsh", "pond", "each side has { replace flies: number = 4 }\n");
    assert_eq!(said(&texts, "marsh"), "1 2 3 4");
    let marks = pond().package("marsh", "pond", "each side has { replace mark wet \"drips\" }\n").program_of("marsh", "standard");
    assert_eq!(marks.marks.iter().map(|mark| mark.text.as_str()).collect::<Vec<_>>(), ["drips"]);
}

#[test]
fn who_extends_both_says_which_member_counts() {
    let flies = |count: u8| format!("each side has {{ replace counter flies = {count} in 0..20 }}\n");
    assert_eq!(said(&delta(&flies(5), &flies(6), &flies(7)), "delta"), "1 2 3 7");
    let eggs = "each side has { counter eggs }\ndefine hatch(side: side) = side.eggs\n";
    let other = "each side has { counter eggs = 3 in 1..9 }\n";
    let settled = delta(eggs, other, "each side has { replace counter eggs = 5 in 0..9 }\n").program_of("delta", "standard");
    let eggs: Vec<_> = settled.kinds[1].fields.iter().filter(|field| field.name == "eggs").collect();
    assert_eq!(eggs.iter().map(|field| (field.initial, field.range)).collect::<Vec<_>>(), [(5, Some((0, 9)))]);
}

#[test]
fn a_replaced_sheet_and_its_members() {
    let sheets = "sides 2 of 1 newt\nsheet newt (newts) { speed: number  tail: number }\nto play { finish with sides where it.newts.speed > 1 }\n";
    let texts = game(sheets)
        .package("marsh", "pond", "replace sheet newt (newts) { speed: number = 3 }\n")
        .package("lake", "pond", "each newt has { replace tail: number = 4 }\n")
        .package("delta", "marsh, lake", "");
    let told = texts.problem_report("delta", "standard");
    assert!(told.starts_with("LX0320 error: `marsh` and `lake` both change `tail` of each newt"), "{told}");
}

tells! {
    both_add_a_member: wrong("each side has { counter eggs }\n", "each side has { zone eggs: dice, open }\n", ""), @r#"
    LX0320 error: `marsh` and `lake` both declare `eggs` of each side
      rules/marsh/game.ludex:3:25 `eggs` `marsh` declares it here
      rules/lake/game.ludex:3:22 `eggs` `lake` declares it here
      help: `delta` extends both: say there which one counts, with `each side has { replace counter eggs … }`
    "#
    both_replace_a_member: wrong("each side has { replace counter flies = 5 in 0..9 }\n", "each side has { replace flies: number }\n", ""), @r#"
    LX0320 error: `marsh` and `lake` both change `flies` of each side
      rules/marsh/game.ludex:3:33 `flies` `marsh` replaces it here
      rules/lake/game.ludex:3:25 `flies` `lake` replaces it here
      help: `delta` extends both: say there which one counts, with `each side has { replace counter flies … }`
    "#
    both_add_one_to_the_table: wrong("the table has { counter eggs }\n", "the table has { counter eggs }\n", ""), @r#"
    LX0320 error: `marsh` and `lake` both declare `eggs` of the table
      rules/marsh/game.ludex:3:25 `eggs` `marsh` declares it here
      rules/lake/game.ludex:3:25 `eggs` `lake` declares it here
      help: `delta` extends both: say there which one counts, with `the table has { replace counter eggs … }`
    "#
    a_member_again: wrong("each side has { counter flies }\n", "", ""), @r#"
    LX0302 error: each side has `flies` already
      rules/marsh/game.ludex:3:25 `flies` declared again
      rules/pond/game.ludex:7:25 `flies` declared here
      help: to replace it, write `replace counter flies …`
    "#
    a_member_that_is_not_there: wrong("each side has { replace counter eggs }\n", "", ""), @r#"
    LX0301 error: each side has no `eggs` to replace
      rules/marsh/game.ludex:3:33 `eggs` not there
      help: write it without `replace` to add it
    "#
    a_member_twice_in_one_package: wrong("each side has { counter eggs }\neach side has { counter eggs }\n", "", ""), @r#"
    LX0302 error: `eggs` is declared twice
      rules/marsh/game.ludex:4:25 `eggs` again here
      rules/marsh/game.ludex:3:25 `eggs` first declared here
      help: give one of them another name
    "#
    a_game_replaces_no_member: game(&POND.replace("counter flies", "replace counter flies")).problem_report("pond", "standard"), @r#"
    LX0301 error: each side has no `flies` to replace
      rules/pond/game.ludex:7:33 `flies` not there
      help: write it without `replace` to add it
    "#
}
