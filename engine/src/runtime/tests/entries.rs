//! Play from the middle: what the procedures around an entry go on with, and what a position must say of it.

use crate::runtime::{Session, Setup};
use crate::testing::{Table, Texts, game, setup};
use ludex_compiler::position::Position;
use ludex_syntax::codes;
use ludex_syntax::source::SourceId;

/// A turn of three steps for each of two sides in turn.
const TURNS: &str = "sides 2
type pace is one of slow, fast
each side has { counter steps }
the table has { next_up: side = first of sides }
to play {
  repeat at most 2 times {
    do turn(next_up)
    set next_up to next_up.foe
  } otherwise { finish with nobody \"over\" }
}
scope turn(active: side) {
  say \"{active} begins\"
  do walk(active)
  do leap(2)
  do hurry(slow)
  add 1 to active.steps
  say \"{active} ends\"
}
entry to walk(active: side) { say \"{active} walks\" }
entry to leap(height: number) { say \"somebody leaps {height}\" }
to hurry(pace: pace) {
  do run(3)
  say \"at a {pace} pace\"
}
entry to run(laps: number) { say \"{laps} times\" }
";

const TWO: &str = "sides: [{}, {}]\n";

fn said(rules: &str, at: &str) -> Vec<String> {
    let mut table = game(rules).play_from_position(&format!("{TWO}at: \"{at}\"\n"));
    table.check();
    table.new_said_texts()
}

const FIRST: [&str; 6] = ["side 1 begins", "side 1 walks", "somebody leaps 2", "3 times", "at a slow pace", "side 1 ends"];

/// What is said from a step of side 1's turn on, with the whole turns that follow.
fn from_step(step: &str, at: &str) {
    let said = game(TURNS).play_from_position(&format!("{TWO}table: {{next_up: 1}}\nat: \"{at}\"\n")).new_said_texts();
    let first: Vec<String> = FIRST.map(str::to_string).into_iter().skip_while(|said| !said.contains(step)).collect();
    assert_eq!(said[..first.len()], first, "{said:?}");
    assert_eq!(said[first.len()], "side 0 begins");
}

// --- going on --------------------------------------------------------------------------

#[test]
fn what_the_entry_is_given_under_the_same_name_goes_without_saying() {
    from_step("walks", "walk(active: 1)");
    from_step("walks", "walk(1)");
}

#[test]
fn what_does_not_go_without_saying_is_named_from_the_inside_out() {
    from_step("leaps", "leap(height: 2) in turn(active: 1)");
    from_step("3 times", "run(laps: 3) in hurry(pace: slow) in turn(active: 1)");
    assert_eq!(said(TURNS, "run(3) in hurry(fast) in turn(1)")[..2], ["3 times", "at a fast pace"]);
}

#[test]
fn what_goes_without_saying_may_be_said() {
    from_step("walks", "walk(active: 1) in turn(active: 1)");
    from_step("walks", "walk(active: 1) in turn");
    from_step("walks", "walk(active: 1) in turn in play");
}

#[test]
fn a_nearer_procedure_speaks_for_those_further_out() {
    let rules = "sides 2
        to play { do day(first of sides) }
        to day(active: side) { do turn(last of sides)  say \"day of {active}\" }
        to turn(active: side) { do walk(2)  say \"turn of {active}\" }
        entry to walk(steps: number) { say \"{steps} steps\" }";
    assert_eq!(said(rules, "walk(steps: 2) in turn(active: 0)"), ["2 steps", "turn of side 0", "day of side 0"]);
    // Of another type, or under another name, nothing is known.
    let days = rules.replace("day(active: side)", "day(whose: side)").replace("day of {active}", "day of {whose}");
    assert_eq!(said(&days, "walk(steps: 2) in turn(active: 0) in day(whose: 1)"), ["2 steps", "turn of side 0", "day of side 1"]);
    let numbers = "sides 2
        to play { do day(7) }
        to day(count: number) { do turn(first of sides)  say \"day {count}\" }
        to turn(count: side) { do walk  say \"turn of {count}\" }
        entry to walk { say \"walks\" }";
    assert_eq!(said(numbers, "walk in turn(count: 1) in day(count: 5)"), ["walks", "turn of side 1", "day 5"]);
}

#[test]
fn what_nobody_looks_at_any_more_need_not_be_said() {
    let rules = "sides 2
        to play { do turn(first of sides, 5) }
        to turn(active: side, speed: number) { say \"{active} {speed}\"  do walk(2)  say \"over\" }
        entry to walk(steps: number) { say \"{steps} steps\" }";
    assert_eq!(said(rules, "walk(2)"), ["2 steps", "over"]);
    assert_eq!(said(rules, "walk(2) in turn(speed: 3)"), ["2 steps", "over"]);
}

#[test]
fn a_scope_is_somebodys_even_if_its_rules_are_done_with_it() {
    let rules = "sides 2
        each side has { mark tired \"is tired\" }
        to play { do turn(first of sides)  say \"{sides where it is tired}\" }
        scope turn(active: side) { do walk }
        entry to walk {
          each side in sides { mark side as tired until end of next turn of last of sides }
          mark first of sides as tired until end of turn
        }";
    assert_eq!(game(rules).position_problems(&format!("{TWO}at: walk\n")).len(), 1);
    let events = |at: &str| {
        let table = game(rules).play_from_position(&format!("{TWO}at: {at}\n"));
        table.session.view(crate::runtime::Viewer::Spectator).active
    };
    assert_eq!(events("walk in turn(active: 1)"), None, "play is over");
}

#[test]
fn what_an_entry_gives_comes_to_its_caller() {
    let rules = "sides 2
        to play { do walk(4) as steps  say \"{steps} steps in all\"  do all_of(steps) as names  say \"{names}\" }
        entry to walk(steps: number): number { give steps + 1 }
        to all_of(steps: number): list of side { give sides where steps > 2 }";
    assert_eq!(said(rules, "walk(2)"), ["3 steps in all", "side 0 and side 1"]);
}

#[test]
fn loops_around_an_entry_count_what_comes_after() {
    let rules = "sides 2
        to play {
          repeat 2 times {
            let all = sides where it is not none
            repeat 1 times { do walk  let some = all_sides  say \"{count of some}\" }
          }
        }
        define all_sides = sides where it is a_side
        define a_side = first of sides
        entry to walk { let here = sides  say \"{count of here}\" }";
    assert_eq!(said(rules, "walk"), ["2", "1", "2", "1", "2", "1", "2", "1"]);
}

// --- what values may be ------------------------------------------------------------------

const KINDS: &str = "sides 2 of 1 beast
die sizes 4, 6
piece die (dice) {}
type pace is one of slow, very_fast
sheet beast (beasts) { zone nest: dice, open = none }
to play { do look(1, half of 1, 1 = 1, slow, none, first of beasts, none) }
entry to look(count: number, half: halves, wet: flag, pace: pace, near: side or none, beast: beast, die: die or none) {
  say \"{count} {half} {wet} {pace} {near} {beast} {die}\"
}
";

fn beasts() -> Texts {
    game(KINDS).sheet("otter", "name: Otter\n").sheet("newt", "name: Newt\n")
}

fn looked(values: &str) -> String {
    let sides = "sides:\n  - {entrants: [otter], zones: {nest: [{id: a, size: 6, value: 5}]}}\n  - entrants: [newt]\n";
    beasts().play_from_position(&format!("{sides}at: \"look({values})\"\n")).new_said_texts().join(", ")
}

#[test]
fn numbers_words_sides_entrants_and_pieces_can_be_given() {
    assert_eq!(looked("3, 1.5, yes, very_fast, 1, newt, a"), "3 1.5 yes very fast Newt Newt d6:5");
    assert_eq!(
        looked("die: none, near: none, count: -2, half: 2, wet: false, pace: slow, beast: otter"),
        "-2 2 no slow none Otter none"
    );
}

#[test]
fn a_value_that_cannot_be_is_told_with_what_is_wanted() {
    let sides = "sides:\n  - {entrants: [otter], zones: {nest: [{id: a, size: 6}]}}\n  - entrants: [otter]\n";
    let wrong = |values: &str| {
        let told = beasts().position_problems(&format!("{sides}at: \"look({values})\"\n"));
        let [(code, message, help)] = told.as_slice() else { panic!("{told:?}") };
        assert_eq!(*code, codes::POSITION_ENTRY);
        let example = "look(count: 0, half: 0, wet: no, pace: slow, near: 0, beast: newt, die: a)";
        assert_eq!(*help, format!("write it as `{example}`"));
        message.clone()
    };
    assert_eq!(wrong("x, 1, yes, slow, none, otter, a"), "`x` is not a number");
    assert_eq!(wrong("99999999999, 1, yes, slow, none, otter, a"), "`99999999999` is too large");
    assert_eq!(wrong("1, 1.3, yes, slow, none, otter, a"), "`1.3` should be a number, or one and a half such as `1.5`");
    assert_eq!(wrong("1, 1, 1, slow, none, otter, a"), "`1` should be `yes` or `no`");
    assert_eq!(wrong("1, 1, yes, fast, none, otter, a"), "`fast` should be `slow` or `very_fast`");
    assert_eq!(wrong("1, 1, yes, slow, 2, otter, a"), "there is no side 2");
    assert_eq!(wrong("1, 1, yes, slow, none, newt, a"), "`newt` does not play here");
    assert_eq!(wrong("1, 1, yes, slow, none, none, a"), "`none` does not play here");
    assert_eq!(wrong("1, 1, yes, slow, none, otter#2, b"), "no piece has the id `b`");
    assert_eq!(wrong("1, 1, yes, slow, none, otter#2"), "`look` needs `die`");
}

// --- what is wrong with a position ---------------------------------------------------------

#[test]
fn what_is_around_an_entry_must_fit_it() {
    let wrong = |at: &str| {
        let told = game(TURNS).position_problems(&format!("{TWO}at: \"{at}\"\n"));
        let [(codes::POSITION_ENTRY, message, help)] = told.as_slice() else { panic!("{told:?}") };
        format!("{message}; {help}")
    };
    let leap = "write it as `leap(height: 0) in turn(active: 0)`";
    assert_eq!(wrong("leap(height: 1)"), format!("`leap` happens inside `turn`, which needs its `active`; {leap}"));
    assert_eq!(wrong("leap(height: 1) in turn(active: 2)"), format!("there is no side 2; {leap}"));
    assert_eq!(wrong("leap(height: 1) in turn(height: 2)"), format!("`turn` does not take `height: 2`; {leap}"));
    assert_eq!(
        wrong("walk(active: 1) in turn(active: 0)"),
        "`active` of `turn` cannot be 0, because it is 1 further inside; write it as `walk(active: 0)`"
    );
    let inside = "from the inside out, it happens inside `hurry`, `turn` and `play`";
    assert_eq!(wrong("run(1) in turn(1) in hurry(slow)"), format!("`hurry` is named twice, or in the wrong order; {inside}"));
    assert_eq!(wrong("run(1) in walk(1)"), format!("`run` does not happen inside `walk`; {inside}"));
    assert_eq!(wrong("run(1) in hurry(slow"), "`hurry(slow` has no closing bracket; ");
    assert_eq!(wrong("run(1)in hurry(slow)"), "there is something after the bracket of `run`; ");
    assert_eq!(
        wrong("run(1) in hurry in turn(1)"),
        "`run` happens inside `hurry`, which needs its `pace`; write it as `run(laps: 0) in hurry(pace: slow) in turn(active: 0)`"
    );
}

#[test]
fn whatever_stands_there_is_told_and_never_a_panic() {
    let program = game(TURNS).program();
    let bits = ["", " ", "(", ")", ":", ",", " in ", "walk", "walk(", "turn", "active", "1", "-", "none", "é", "walk(1)"];
    let all = bits.iter().flat_map(|first| bits.iter().flat_map(move |next| bits.map(|last| format!("{first}{next}{last}"))));
    for at in all {
        let (node, mut problems) = ludex_syntax::yaml::parse_document(&format!("{TWO}at: \"{at}\"\n"), SourceId(0));
        let position = node.and_then(|node| Position::read(&node, &program, &mut problems));
        assert_eq!(position.is_some(), problems.is_empty());
        let fits = ["walk(1)", "walk(,1)", "walk(1,)", "walk(active:1)"].contains(&at.trim());
        assert!(position.is_none() || fits || at.starts_with("walk(1) in turn"), "{at}");
    }
}

#[test]
fn others_may_play_than_the_position_names() {
    let program = beasts().program();
    let text = "sides:\n  - {entrants: [otter], zones: {nest: [{id: a, size: 6}]}}\n  - entrants: [newt]\nat: \"look(1, 1, yes, slow, none, newt, a)\"\n";
    let (node, mut problems) = ludex_syntax::yaml::parse_document(text, SourceId(0));
    let position = Position::read(&node.unwrap(), &program, &mut problems);
    let start = |sides: &[&[&str]]| Session::start(program.clone(), &Setup { position: position.clone(), ..setup(sides) });
    assert!(start(&[&["newt"], &["otter"]]).is_ok());
    let problem = start(&[&["otter"], &["otter"]]).unwrap_err();
    assert_eq!(
        (problem.code, problem.message.to_string().as_str()),
        (codes::POSITION_ENTRY, "`beast` cannot be `newt` in this match")
    );
}

// --- what is wrong with rules ----------------------------------------------------------------

/// What is wrong with an entry `walk` around which this is.
fn unsaid(rules: &str) -> Vec<String> {
    let rules = format!("sides 2\nthe table has {{ far: number  hot: flag }}\nhook seen()\n{rules}");
    let told = game(&rules).error_details();
    assert!(told.iter().all(|(code, ..)| *code == codes::ENTRY_LOCAL), "{told:?}");
    told.into_iter().map(|(_, message, _)| message).collect()
}

/// The same of statements around `do walk`.
fn unsaid_in(statements: &str) -> Vec<String> {
    unsaid(&format!("to play {{ {statements} }}\nentry to walk {{ say \"walks\" }}"))
}

const GOES_ON: &str =
    "a position cannot start at `walk`: `play` still needs `far_off` afterwards, and a position cannot say what it is";

#[test]
fn what_a_caller_goes_on_with_cannot_be_a_name_of_its_own() {
    assert_eq!(unsaid_in("let far_off = far  do walk  set far to far_off"), [GOES_ON]);
    assert_eq!(unsaid_in("let far_off = far  do walk  say \"{far_off}\""), [GOES_ON]);
    assert_eq!(unsaid_in("let far_off = far  do walk  say \"{if far_off > 2 then \"a\" else \"b\"}\""), [GOES_ON]);
    assert_eq!(unsaid_in("let far_off = far  repeat 2 times { if far > 1 { say \"{far_off}\" }  do walk }"), [GOES_ON]);
    assert_eq!(
        unsaid_in("first of sides may choose number in 1..3 as far_off \"?\"  do walk  if far_off is none { stop }"),
        [GOES_ON]
    );
    assert_eq!(unsaid_in("let far_off = far  do walk  first of sides may \"{far_off}?\" as yes"), [GOES_ON]);
    assert_eq!(unsaid_in("let far_off = far  do walk  first of sides must choose number in 1..far_off as n \"?\""), [GOES_ON]);
    assert_eq!(
        unsaid_in("let far_off = far  do walk  each side in sides at once must choose number in 1..far_off as n \"?\""),
        [GOES_ON]
    );
    assert_eq!(
        unsaid_in(
            "each side in sides at once must choose number in 1..2 as far_off \"?\"  do walk  each side in sides { say \"{far_off(side)}\" }"
        ),
        [GOES_ON]
    );
    assert_eq!(unsaid_in("let far_off = far  do walk  open seen() { when nothing { say \"{far_off}\" } }"), [GOES_ON]);
}

#[test]
fn a_name_that_is_set_again_before_it_is_looked_at_does_no_harm() {
    let fine = |statements: &str| assert_eq!(unsaid_in(statements), [""; 0], "{statements}");
    fine("let far_off = far  say \"{far_off}\"  do walk  set far_off to 3  say \"{far_off}\"");
    fine("let far_off = far  if far_off > 1 { do walk }");
    fine("repeat 3 times { let far_off = far  say \"{far_off}\"  do walk }");
    fine("repeat far times { first of sides may choose number in 1..3 as far_off \"?\"  do walk }");
    fine("each side in sides { say \"{side}\" }  do walk  each side in sides { say \"{side}\" }");
    fine(
        "do walk  each side in sides at once must choose number in 1..2 as n \"{side}\"  each side in sides { say \"{n(side)}\" }",
    );
    fine("let far_off = far  repeat 2 times { do walk  leave }  if hot { set far_off to 2 } else { stop }  say \"{far_off}\"");
}

#[test]
fn a_loop_over_a_list_cannot_be_gone_on_with() {
    let message = "a position cannot start at `walk`: `play` calls it in a loop over a list, and a position cannot say how far that loop is";
    assert_eq!(unsaid_in("each side in sides { do walk }"), [message]);
    assert_eq!(unsaid_in("count number from 1 to 3 { do walk }"), [message]);
    // The loop is left in any case.
    assert_eq!(unsaid_in("each side in sides { do walk  stop }"), [""; 0]);
    assert_eq!(unsaid_in("each side in sides { do walk  leave }"), [""; 0]);
}

#[test]
fn what_a_procedure_around_is_given_must_be_something_that_can_be_said() {
    let rules = |after: &str| {
        format!(
            "to play {{ do turn(sides) }}\nto turn(all: list of side) {{ do walk  {after} }}\nentry to walk {{ say \"walks\" }}"
        )
    };
    assert_eq!(unsaid(&rules("say \"over\"")), [""; 0]);
    let message = "a position cannot start at `walk`: `turn` still needs `all` afterwards, and a position cannot say what it is";
    assert_eq!(unsaid(&rules("say \"{all}\"")), [message]);
    let own = "to play { do walk(sides) }\nentry to walk(all: list of side) { say \"{all}\" }";
    assert_eq!(unsaid(own), ["a position cannot start at `walk`: it cannot say what `all` is"]);
}

#[test]
fn a_caller_around_several_entries_is_told_of_once() {
    let rules = "to play { let far_off = far  do turn  say \"{far_off}\" }
        to turn { do walk  do rest }\nentry to walk { say \"w\" }\nentry to rest { say \"r\" }";
    assert_eq!(unsaid(rules), [GOES_ON]);
}

#[test]
fn a_block_after_each_use_is_no_place_to_start_in() {
    let message = "a position cannot start at `walk`: it would have to say which ability has just been used";
    assert_eq!(unsaid_in("open seen() after each use { do walk }"), [message]);
}

#[test]
fn an_entry_must_be_called_from_one_place_in_a_procedure() {
    let several = "a position cannot start at `walk`: `walk` is called from 2 places, so what follows it is not clear";
    assert_eq!(unsaid_in("do walk  do walk"), [several]);
    let never = |called: &str| format!("play never reaches `walk`: no code that it reaches calls `{called}`");
    assert_eq!(unsaid("to play { }\nentry to walk { }"), [never("walk")]);
    assert_eq!(unsaid("to play { }\nentry to walk { if hot { do rest } }\nto rest { if hot { do walk } }"), [never("rest")]);
    let in_a_move = "family deed(side: side) {}\naction stroll is deed says \"stroll\" do { do walk }
        to play { first of sides may choose deed(first of sides) as deed  if deed is not none { do deed } MORE }\nentry to walk { say \"w\" }";
    let middle = "a position cannot start at `walk`: `walk` is called in the middle of a move or an ability";
    assert_eq!(unsaid(&in_a_move.replace("MORE", "")), [middle]);
    // Where a procedure calls it, that is the place at which a position starts, whatever moves and abilities do.
    assert_eq!(unsaid(&in_a_move.replace("MORE", "do walk")), [""; 0]);
    let ability = "//! ability dive \"Dive\"\n//! trigger dive at seen()\n//!   do { do walk }\n";
    let rules = "sides 2 of 1 beast\nsheet beast (beasts) {}\nhook seen()\nto play { open seen()  do walk }\nentry to walk { say \"walks\" }";
    let texts = game(rules).sheet("otter", "name: Otter\nabilities: [dive]\n").script("dive", ability);
    assert_eq!(texts.error_details(), []);
    let mut table = Table::new(&texts.program(), &setup(&[&["otter"], &["otter"]]));
    assert_eq!(table.new_said_texts(), ["walks", "walks", "walks"]);
}
