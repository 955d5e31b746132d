//! What is said twice, says nothing, or can never be: ranges, loops, comparisons, names.

use crate::testing::{Texts, game};

const HEAD: &str = "\
sides 2 of 1 newt
sheet newt (newts) { zone nest: dice, open }
die sizes 4, 6
option frogs = 3 in 1..9 \"how many frogs there are\"
each side has { counter flies  counter lives = 3 in 0..5 }
standing of side = side.flies + side.lives + frogs + count of side.newts.nest
";

fn with(declaration: &str, statement: &str) -> Texts {
    game(&format!("{HEAD}{declaration}\nto play {{\n  let side = first of sides\n  {statement}\n  finish with side\n}}\n"))
        .sheet("tom", "name: Tom\nnest: [4, 6]\n")
}

fn said_in(statement: &str) -> Vec<String> {
    with("", statement).check_all_modes()
}

fn declared(declaration: &str) -> Vec<String> {
    with(declaration, "").check_all_modes().into_iter().filter(|told| !told.starts_with("LX0313")).collect()
}

#[test]
fn a_range_goes_from_a_whole_number_to_a_higher_one() {
    let whole = "LX0401 this must be a whole number, so that it is known before play";
    let rows = [
        ("each side has { counter eggs in 9..1 }", "LX0414 there are no numbers from 9 to 1"),
        ("each side has { counter eggs in [1, 2]..9 }", whole),
        ("each side has { counter eggs in yes..9 }", whole),
        ("each side has { counter eggs in 0..frogs }", whole),
        ("each side has { eggs: flag in 0..9 }", "LX0401 only a number has a range, and `eggs` is not a number"),
        ("each side has { eggs: side or none in 0..9 }", "LX0401 only a number has a range, and `eggs` is not a number"),
        ("each side has { counter eggs = 12 in 0..9 }", "LX0507 `eggs` is 12 at first, but it must be from 0 to 9"),
        ("option eggs = yes in 1..9 \"eggs\"", whole),
        ("option eggs = 3 in [1]..9 \"eggs\"", whole),
        ("option eggs = 3 in 9..3 \"eggs\"", "LX0414 there are no numbers from 9 to 3"),
        ("table eggs(n) { 5..1: 2  otherwise: 4 }", "LX0414 there are no numbers from 5 to 1"),
        ("each die has { mark damp { depth: number in 1..3 } }", "LX0401 a field of a mark cannot have a range"),
    ];
    for (declaration, wanted) in rows {
        let found = declared(declaration);
        assert!(found.iter().any(|told| told == wanted), "{declaration}: {found:?}");
    }
    for fitting in ["each side has { counter eggs in -3..-3 }", "each side has { eggs: halves = 1 in 0..9 }"] {
        assert_eq!(declared(fitting), Vec::<String>::new(), "{fitting}");
    }
}

#[test]
fn nobody_chooses_between_ends_that_are_turned() {
    let wanted = ["LX0414 there are no numbers from 5 to 2"];
    assert_eq!(said_in("side must choose number in 5..2 as found\n  add found to side.flies"), wanted);
    assert_eq!(said_in("side must choose 5 to 2 in side.newts.nest as found\n  roll found"), wanted);
    assert_eq!(
        said_in("side must choose number in 12..frogs as found\n  add found to side.flies"),
        ["LX0414 there are no numbers from 12 to 9"]
    );
    assert_eq!(said_in("side must choose number in 9..frogs as found\n  add found to side.flies"), Vec::<String>::new());
}

#[test]
fn a_loop_has_a_round() {
    let never = ["LX0527 this loop has no rounds: its statements never run"];
    for loop_ in [
        "repeat at most 0 times { add 1 to side.flies } otherwise { }",
        "count n from 5 to 1 { add n to side.flies }",
        "count n from 1 down to 5 { add n to side.flies }",
        "each n in (5..1) { add n to side.flies }",
    ] {
        assert_eq!(said_in(loop_), never, "{loop_}");
    }
    for loop_ in ["count n from 5 to 5 { add n to side.flies }", "count n from frogs to 1 { add n to side.flies }"] {
        assert_eq!(said_in(loop_), Vec::<String>::new(), "{loop_}");
    }
}

#[test]
fn a_comparison_that_ranges_settle_is_told() {
    let told = |condition: &str| said_in(&format!("if {condition} {{ add 1 to side.flies }}"));
    for never in ["side.lives > 5", "frogs = 10", "0 > count of side.newts.nest", "side.lives = frogs + 0 and side.lives < 0"] {
        assert_eq!(told(never), ["LX0524 this never holds"], "{never}");
    }
    for always in ["side.lives >= 0", "frogs != 0", "3 < 4"] {
        assert_eq!(told(always), ["LX0524 this always holds"], "{always}");
    }
    for open in ["side.lives >= 5", "side.flies >= 0", "side.lives < frogs", "frogs = 9", "count of side.newts.nest = 0"] {
        assert_eq!(told(open), Vec::<String>::new(), "{open}");
    }
}

#[test]
fn a_comparison_is_told_only_if_every_mode_settles_it() {
    let statement = "if side.lives > 5 { add 1 to side.flies }";
    let wider = "mode long \"Long\" { each side has { replace counter lives = 3 in 0..9 } }";
    assert_eq!(with(wider, statement).check_all_modes(), Vec::<String>::new());
    let other = "mode long \"Long\" { replace option frogs = 2 in 1..9 \"frogs\" }";
    assert_eq!(with(other, statement).check_all_modes(), ["LX0524 this never holds"]);
    let own = "mode long \"Long\" { replace to croak(side: side) { if side.lives > 5 { add 1 to side.flies } } }\nto croak(side: side) { }";
    assert_eq!(with(own, "do croak(side)").check_all_modes(), ["LX0524 this never holds"]);
}

#[test]
fn definitions_are_not_looked_through() {
    let most = "define most: number = 9\ndefine high(n: number): flag = n > most";
    assert_eq!(with(most, "if high(10) and side.lives < most { add 1 to side.flies }").check_all_modes(), Vec::<String>::new());
}

#[test]
fn what_is_said_twice_is_told() {
    let same = "LX0525 an earlier condition is the same as this one";
    assert_eq!(said_in("if side.flies = 3 { } else if side.flies = 3 { add 1 to side.flies }"), [same]);
    assert_eq!(said_in("if side.flies = 3 { } else if side.flies = 4 { add 1 to side.flies }"), Vec::<String>::new());
    let row = ["LX0525 an earlier row of the table covers this"];
    assert_eq!(declared("table eggs(n) { 1..5: 2  3: 4  otherwise: 4 }"), row);
    assert_eq!(declared("table eggs(n) { 1..5: 2  5..7: 4  otherwise: 4 }"), row);
    assert_eq!(declared("table eggs(n) { 1: 2  2: 3  1..2: 4  otherwise: 4 }"), row);
    assert_eq!(declared("table eggs(n) { 3: 2  1..5: 4  5..6: 1  otherwise: 4 }"), row);
    assert_eq!(declared("table eggs(n, m) { 1, 2: 2  1, 2: 3  otherwise: 4 }"), row);
    // An exception stands before what it is one to.
    assert_eq!(declared("table eggs(n) { 3: 2  1..5: 4  otherwise: 4 }"), Vec::<String>::new());
    assert_eq!(declared("table eggs(n) { 6..7: 2  1..5: 4  8: 3  otherwise: 4 }"), Vec::<String>::new());
    assert_eq!(declared("table eggs(n, m) { 1, 2: 2  2, 1: 3  otherwise: 4 }"), Vec::<String>::new());
}

#[test]
fn an_ability_says_each_thing_once() {
    let script = "//! ability hop \"Hop\"\n//! uses 1 per day\n//! uses 2 per day\n//! trigger hop at dusk(side)\n//!   when side is me\n//!   when side is me\n//!   do { add 1 to me.flies }\n";
    let texts = with("hook dusk(side: side)\nscope day() { open dusk(first of sides) }", "do day")
        .sheet_again("tom", "name: Tom\nnest: [4, 6]\nabilities: [hop]\n")
        .script("hop", script);
    let wanted =
        ["LX0525 an earlier condition is the same as this one", "LX0525 the number of uses in this scope was given before"];
    assert_eq!(texts.check_all_modes(), wanted);
}

#[test]
fn what_is_compared_with_itself_or_set_to_itself_is_told() {
    let rows = [
        ("if side.flies = side.flies { add 1 to side.flies }", "LX0526 this is compared with itself, which always holds"),
        ("if side is not side { add 1 to side.flies }", "LX0526 this is compared with itself, which never holds"),
        ("set side.flies to side.flies", "LX0526 this is set to its own value"),
    ];
    for (statement, wanted) in rows {
        assert_eq!(said_in(statement), [wanted], "{statement}");
    }
    assert_eq!(said_in("if side.flies = side.foe.flies { add 1 to side.flies }"), Vec::<String>::new());
}

#[test]
fn nothing_is_divided_by_nothing() {
    let by_0 = ["LX0911 a number cannot be divided by 0"];
    assert_eq!(said_in("add side.flies divided by 0 rounded down to side.flies"), by_0);
    assert_eq!(said_in("add remainder of side.flies divided by 0 to side.flies"), by_0);
}

#[test]
fn a_name_that_nothing_speaks_of_is_told() {
    assert_eq!(said_in("let eggs = 3"), ["LX0321 `eggs` is never used"]);
    for used in [
        "let eggs = 3\n  add eggs to side.flies",
        "let eggs = 3\n  say \"{eggs} eggs\"",
        "let dice = side.newts.nest\n  roll dice",
        "let eggs = side.newts.nest\n  each die in eggs where it.value > 1 { add 1 to side.flies }",
    ] {
        assert_eq!(said_in(used), Vec::<String>::new(), "{used}");
    }
}
