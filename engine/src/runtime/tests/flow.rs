//! What comes next: loops, values that are given, definitions, and how lists are kept.

use crate::testing::{Table, game};

fn body(statements: &str) -> Table {
    game(&format!("sides 2\neach side has {{ counter points }}\nto play {{ {statements}\n finish with nobody }}\n{HELPERS}"))
        .play()
}

const HELPERS: &str = "
to level_of(side: side): number { if side.points >= 2 { give 10 }  give side.points + 1 }
to those_below(most: number): list of number {
  let found = [0]
  count step from 1 to 9 { if step < most { set found to found + step } }
  give found
}
to first_above(least: number): number { count step from 1 to 9 { if step > least { give step } }  give 0 }
";

fn said(statements: &str) -> Vec<String> {
    body(statements).new_said_texts()
}

#[test]
fn repeat_counts_leaves_and_skips() {
    assert_eq!(said("let n = 0  repeat 4 times { add 1 to n  if n = 2 { skip }  say \"{n}\" }"), ["1", "3", "4"]);
    assert_eq!(said("let n = 0  repeat 4 times { add 1 to n  if n = 3 { leave }  say \"{n}\" }"), ["1", "2"]);
    assert_eq!(said("repeat 0 times { say \"never\" }"), [""; 0]);
}

#[test]
fn a_cap_says_what_then() {
    assert_eq!(
        said("let n = 0  repeat at most 3 times until n = 2 { add 1 to n } otherwise { say \"cap\" }  say \"{n}\""),
        ["2"]
    );
    assert_eq!(
        said("let n = 0  repeat at most 3 times until n = 3 { add 1 to n } otherwise { say \"cap\" }  say \"{n}\""),
        ["3"]
    );
    assert_eq!(
        said("let n = 0  repeat at most 3 times until n = 4 { add 1 to n } otherwise { say \"cap\" }  say \"{n}\""),
        ["cap", "3"]
    );
    assert_eq!(said("repeat at most 3 times { leave } otherwise { say \"cap\" }"), [""; 0]);
}

#[test]
fn each_goes_through_what_was_there_when_it_began() {
    assert_eq!(
        said("let xs = [3, 1, 2]  each x in xs { set xs to xs + x  say \"{x}\" }  say \"{count of xs}\""),
        ["3", "1", "2", "6"]
    );
    assert_eq!(said("each x in (1..3) where it is odd { say \"{x}\" }"), ["1", "3"]);
    assert_eq!(said("each x in (1..3) { each y in (1..3) { if y = 2 { leave }  say \"{x}{y}\" } }"), ["11", "21", "31"]);
}

#[test]
fn count_goes_up_and_down() {
    assert_eq!(said("count n from 2 to 4 { say \"{n}\" }"), ["2", "3", "4"]);
    assert_eq!(said("count n from 3 down to 1 { if n = 2 { skip }  say \"{n}\" }"), ["3", "1"]);
    assert_eq!(said("count n from 3 to 1 { say \"{n}\" }  count n from 1 down to 3 { say \"{n}\" }"), [""; 0]);
}

#[test]
fn procedures_give_values_and_lists() {
    assert_eq!(
        said("let s = first of sides  do level_of(s) as a  add 2 to s.points  do level_of(s) as b  say \"{a} {b}\""),
        ["1 10"]
    );
    assert_eq!(said("do those_below(4) as some  do those_below(2) as few  say \"{some} / {few}\""), ["0, 1, 2 and 3 / 0 and 1"]);
    assert_eq!(
        said("let all = [9]  repeat 2 times { do those_below(3) as some  set all to all + some }  say \"{all}\""),
        ["9, 0, 1, 2, 0, 1 and 2"]
    );
    assert_eq!(said("do first_above(6) as n  say \"{n}\""), ["7"]);
}

#[test]
fn stop_ends_a_procedure_and_all_within() {
    let rules = "sides 2
to play { do outer  say \"after\"  finish with nobody }
to outer { repeat 3 times { do inner }  say \"not reached\" }
to inner { repeat 2 times { say \"inner\"  if count of sides = 2 { stop outer } }  say \"not reached\" }";
    assert_eq!(game(rules).play().new_said_texts(), ["inner", "after"]);
    assert_eq!(
        game(&rules.replace("stop outer", "stop")).play().new_said_texts(),
        ["inner", "inner", "inner", "not reached", "after"]
    );
}

#[test]
fn lists_survive_what_comes_after_them() {
    // Nested loops, procedures and questions about lists, while an outer list grows.
    let statements = "let best = [0]
      repeat 3 times {
        let seen = [1, 2]
        each x in seen {
          do those_below(x + 1) as below
          if count of below > count of best { set best to below }
        }
        say \"{seen} {best}\"
      }";
    assert_eq!(said(statements), ["1 and 2 0, 1 and 2"; 3]);
    let twice = "let all = [0]  repeat 2 times { repeat 2 times { set all to all + (count of all) } }  say \"{all}\"";
    assert_eq!(said(twice), ["0, 1, 2, 3 and 4"]);
}

#[test]
fn a_long_game_of_lists_stays_small() {
    let rules = "sides 2
die sizes 6
each side has { zone bag: dice, open  counter points }
define strong(side: side) = side.bag where it.value >= 4
to play {
  each side in sides { repeat 3 times { create die(size: 6) in side.bag for side } }
  repeat 10000 times { do round }
  finish with nobody
}
scope round {
  roll sides.bag
  let all = sides.bag.value + [1, 2, 3]
  each side in sides {
    let mine = strong(side)
    each die in mine { if die.value = highest of all { add 1 to side.points } }
    do of_value(side, 6) as sixes
    set all to all without sixes.value
  }
  count n from 1 to 3 { let more = [n] + all  if count of more = 0 { say \"never\" } }
  if highest of all = 6 { first_side_may }
}
to of_value(side: side, value: number): dice { give side.bag where it.value = value }";
    let asking = rules
        .replace("first_side_may", "each side in sides { if side.points < 0 { side may \"?\" as told } }")
        .replace("repeat 10000", "repeat TIMES");
    let arena = |times: usize| {
        let rules = asking
            .replace("TIMES", &times.to_string())
            .replace("finish with nobody", "let s = first of sides  s may \"Over?\" as over  finish with nobody");
        let setup = crate::runtime::Setup { watched: false, ..crate::testing::setup(&[&[], &[]]) };
        let table = Table::new(&game(&rules).program(), &setup);
        let state = &table.session.machine.state;
        (state.lists.len(), state.slots.len(), state.frames.len(), state.lasting.len(), state.use_log.len())
    };
    assert_eq!(arena(500), arena(10));
    assert!(arena(500).0 < 20, "{:?}", arena(500));
}

#[test]
fn a_list_that_grows_in_a_loop_is_not_kept_twice() {
    let grown = "let all = [0]  repeat 2000 times { set all to [count of all] }  say \"{all}\"  let s = first of sides  s may \"Over?\" as over";
    let table = body(grown);
    assert!(table.session.machine.state.lists.len() < 100, "{}", table.session.machine.state.lists.len());
}

#[test]
fn leave_and_skip_belong_to_the_loop_they_stand_in() {
    let rules =
        "sides 2\nhook moment()\nto play { repeat 2 times { open moment() after each use { leave } }  finish with nobody }";
    assert_eq!(game(rules).problems(), ["`leave` is outside every loop"]);
}

#[test]
fn a_table_gives_what_its_first_fitting_row_says() {
    let rules = "sides 2
option bonus = 10 in 0..20 \"on top\"
table aim(defenders) { 1: 4  2: 5  3..bonus: defenders + 3  4: 99  otherwise: 0 }
table step(size) { 4..6: 1  8: size - 6 }
to play {
  each number in [1, 2, 4, 10, 11, -1] { say \"{aim(number)}\" }
  say \"{step(5 + 1)} {step(8)} {step(7)}\"
  finish with nobody
}";
    assert_eq!(game(rules).play().new_said_texts(), ["4", "5", "7", "13", "0", "0", "1 2 none"]);
}

#[test]
fn words_stand_in_lists_and_choices() {
    let rules = "sides 2
type stat is one of body, mind, soul
define better(stat: stat): stat = if stat is body then mind else if stat is mind then soul else soul
to play {
  each stat in [body, mind, soul] { say \"{stat} {better(stat)}\" if stat in [mind, soul] { say \"no body\" } }
  finish with nobody
}";
    let said = game(rules).play().new_said_texts();
    assert_eq!(said, ["body mind", "mind soul", "no body", "soul soul", "no body"]);
}
