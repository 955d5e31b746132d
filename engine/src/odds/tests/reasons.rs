//! Throws and states that differ for one reason only: each test fails if that reason is forgotten.

use super::brute::{Tape, by_force};
use super::*;
use crate::odds::Fraction;

const REASONS: &str = "
sides 2
the table has { counter drops in 0..9 }
to play { finish with nobody }
define some(maybe: number or none): number = if maybe is none then 0 else maybe
to arms: number { roll 2 d3 as xs  give sum of (if highest of xs >= 2 then xs else [3]) }
to places: number {
  let sum = 0
  each value in [1, 2, 4] {
    roll 1 d2 as coin
    if sum of coin = 1 { add value to sum }
  }
  give sum
}
to twice: number {
  roll 1 d2 as coin
  if sum of coin = 1 { roll 1 d2 as other  give sum of other }
  roll 1 d2 as other
  give sum of other + 10
}
to rains: number {
  add 1 to drops
  roll 1 d2 as coin
  if sum of coin = 1 { roll 1 d2 as other  give sum of other }
  roll 1 d2 as other
  give sum of other + 10
}
to shown: list of number { roll 2 d3 as xs  give xs }
to callers: number {
  do shown as one
  do shown as other
  give count of (one where it = 1) + 10 * some(first of other)
}
to either_way: number {
  roll 2 d3 as xs
  roll 1 d2 as coin
  let ys = xs
  if sum of coin = 1 { set ys to sorted xs }
  give some(first of ys)
}
to overwritten: number {
  let n = 7
  roll 1 d2 as coin
  if sum of coin = 1 { set n to 5 }
  roll 1 d2 as other
  give n * 10 + sum of other
}
to shrinking: number {
  let n = 0
  roll 2 d3 as xs
  add sum of xs to n
  roll 1 d2 as coin
  set n to n - sum of coin
  if n >= 3 { give 1 }
  give 0
}
to falling: number {
  let n = 0
  roll 2 d3 as xs
  add sum of xs to n
  roll 1 d2 as coin
  let ys = if sum of coin = 1 then [0 - 3] else [1]
  add sum of ys to n
  if n >= 3 { give 1 }
  give 0
}
to lowered: number {
  let n = 5
  roll 2 d2 as xs
  let more = some(member 1 of sorted [sum of xs - 7])
  add more to n
  if n >= 1 { give 1 }
  give 0
}
to thrown: number {
  let n = 0
  roll 2 d3 as xs
  add sum of xs to n
  roll 1 d2 as coin
  add sum of coin to n
  give n
}
to both: number {
  do thrown as one
  do thrown as other
  give (if one >= 4 then 100 else 0) + other
}
to below: number {
  roll 3 d2 as xs
  let low = count of (xs where it < 1)
  let ys = sorted down xs
  give low * 10 + some(member 2 of ys)
}
to reread: number {
  roll 3 d3 as xs
  let ys = sorted down xs
  let n = 0
  repeat 2 times {
    count place from 1 to 2 {
      roll 1 d2 as coin
      if some(member place of ys) > sum of coin { add 1 to n }
    }
  }
  give n
}
to rising: number {
  roll 3 d3 as xs
  let ys = sorted xs
  roll 1 d2 as coin
  give some(first of ys) * 10 + sum of coin
}
to among_them: number {
  roll 2 d3 as xs
  let ys = sorted down (xs + [2])
  roll 1 d2 as coin
  give some(member 1 of ys) * 10 + sum of coin
}
to doubles: number {
  let stake = 1
  repeat 3 times {
    roll 1 d2 as coin
    if sum of coin = 2 { leave }
    add stake to stake
  }
  give stake
}
to mixed: number {
  roll 2 d2 as xs
  roll 2 d3 as ys
  let zs = sorted down (ys + xs)
  give sum of (zs where it >= 1)
}
to asked_for_each: number {
  roll 2 d3 as xs
  roll 1 d4 as ys
  give if all of xs has it in ys then 1 else 2
}
to side_by_side: number {
  roll 2 d2 as xs
  roll 2 d2 as ys
  let zs = sorted down (ys + xs)
  give some(member 2 of zs) + 10 * highest of xs
}
to exploding: number {
  roll 3 d3 as once
  roll count of (once where it = 3) d3 as twice
  let values = once without 3
  each value in sorted down twice { set values to values + (3 + value) }
  let shown = sorted down values
  let total = 0
  count place from 1 to 2 { set total to total + sum of [member place of shown] }
  give total
}
to overlapping: number {
  roll 3 d3 as once
  roll 2 d3 as twice
  let values = once
  each value in twice { set values to values + (value - 2) }
  give some(member 2 of sorted down values) * 10 + some(member 4 of sorted down values)
}
to moved_twice: number {
  roll 3 d3 as once
  let values = [0 - 2]
  each value in sorted down once { set values to values + (value - 3) }
  let more = [7]
  each value in values { set more to more + (4 + value) }
  give some(member 3 of sorted down more) * 10 + count of (once where it = 3)
}
to moved_and_left_out: number {
  roll 3 d3 as once
  let values = [1]
  each value in once { set values to values + (value + 3) }
  let rest = values without 5
  give some(member 2 of sorted down rest)
}
to moved_far: number {
  roll 3 d3 as once
  let values = [0]
  each value in once { set values to values + (3000 + value) }
  give some(member 2 of sorted down values)
}
to moved_by_what_they_show: number {
  roll 3 d3 as once
  let values = [0]
  each value in once { set values to values + (value + (if value > 1 then 2 else 0)) }
  give some(member 2 of sorted down values)
}
to moved_by_those_before: number {
  roll 3 d3 as once
  let values = [0]
  each value in sorted down once { set values to values + (value + count of values) }
  give some(member 2 of sorted down values)
}
to among_others: number { roll 2 d3 as xs  roll 2 d3 as ys  give count of (xs where it in ys) }
to without_others: number { roll 2 d3 as xs  roll 2 d3 as ys  give some(first of sorted down (ys without xs)) }
to the_best(keep: number): number {
  let values = [2]
  repeat 3 times {
    roll 2 d3 as shown
    set values to (sum of shown * 2 - highest of shown) + values
  }
  let best = sorted down values
  let total = 0
  count place from 1 to keep { set total to total * 10 + sum of member place of best }
  give total
}
to the_best_of_some: number {
  let keep = 1
  let values = [2]
  repeat 2 times { roll 1 d3 as shown  set values to values + shown }
  roll 1 d3 as places
  if sum of places > 1 { set keep to sum of places }
  let total = 0
  count place from 1 to keep { set total to total + sum of member place of sorted down values }
  give total
}
to read_in_rounds: number {
  roll 3 d3 as xs
  let n = 0
  repeat 2 times { if 3 in xs { add 1 to n } }
  give n
}
to said_aloud: number {
  roll 3 d3 as xs
  say \"so far {sum of xs}\"
  if 3 in xs { give 2 }
  give 1
}
to coin: number { roll 1 d2 as thrown  give sum of thrown }
to pair: list of number { roll 2 d3 as thrown  give thrown }
to the_best_that_are_given: number {
  let values = [2]
  roll 2 d3 as shown
  set values to values + shown
  do coin as keep
  give sum of highest keep of values
}
to the_best_of_the_given: number {
  let n = 0
  repeat 2 times {
    do pair as values
    roll 1 d2 as coin
    add sum of highest 1 of values * sum of coin to n
  }
  give n
}
to the_best_and_all: number {
  let values = [2]
  repeat 2 times { roll 1 d3 as shown  set values to values + shown }
  roll 1 d2 as coin
  give highest of values + 10 * (if sum of coin = 1 then sum of values else count of values)
}
to the_best_on_one_way: number {
  let values = [2]
  repeat 2 times { roll 1 d3 as shown  set values to values + shown }
  roll 1 d2 as coin
  let best = values
  if sum of coin = 1 { set best to sorted down values }
  give some(member 1 of best) + 10 * sum of coin
}
to the_best_while_it_rolls: number {
  let values = [1]
  let total = 0
  count place from 1 to 2 {
    roll 2 d3 as shown
    set values to values + shown
    roll 1 d2 as coin
    set total to total * 10 + sum of coin + sum of member place of sorted down values
  }
  give total
}
to renamed: number {
  roll 2 d2 as xs
  repeat 2 times { let ys = xs }
  give sum of xs
}
to in_itself: number { roll 2 d3 as xs  give if sum of xs - 1 in xs then 1 else 0 }
to least_of_later: number { roll 2 d3 as xs  set drops to 2  give count of (xs where it >= drops) }
to range_of_later: number { roll 2 d3 as xs  set drops to 2  give count of ((1..drops) where it in xs) }
to least_handed_on: number {
  roll 1 d3 as coin
  let n = sum of coin
  roll 2 d3 as xs
  roll 1 d2 as other
  give count of (xs where it >= n) * 10 + sum of other
}
to count_handed_on: number {
  roll 1 d3 as coin
  let n = sum of coin
  roll 2 d3 as xs
  roll 1 d2 as other
  give sum of highest n of xs * 10 + sum of other
}
to range_handed_on: number {
  roll 1 d3 as coin
  let n = sum of coin
  roll 2 d3 as xs
  roll 1 d2 as other
  give count of ((1..n) where it in xs) * 10 + sum of other
}
to added_twice: number {
  roll 1 d2 as coin
  let n = sum of coin
  roll 1 d2 as other
  give n + n + sum of other
}
to mirrored: number {
  roll 3 d2 as xs
  let ys = sorted down xs
  let n = 0
  count place from 1 to 3 {
    let back = 4 - place
    roll 1 d2 as coin
    let high = some(member back of ys)
    let low = some(member place of ys)
    if high + low > 2 * sum of coin { add 1 to n }
  }
  give n
}
to reused: number {
  let given = 0
  if yes is yes {
    let n = 0
    roll 1 d2 as coin
    add sum of coin to n
    roll 1 d2 as other
    if n >= 0 { set given to sum of other }
  }
  if yes is yes {
    let one = if given >= 2 then last of sides else first of sides
    roll 1 d2 as coin
    add sum of coin * (if one.foe is first of sides then 10 else 1) to given
  }
  give given
}
to filtered: number {
  roll 2 d3 as xs
  let ys = xs where it >= 2
  give count of ys
}
to named_again: number {
  roll 2 d3 as xs
  let ys = xs
  give count of (ys where it >= 2)
}
to same(values: list of number): list of number { give values }
to through: number {
  roll 2 d3 as xs
  do same(xs) as ys
  give some(first of ys)
}
to spread(values: list of number): number { give highest of values - lowest of values }
to in_order: number {
  roll 2 d3 as xs
  do spread(sorted xs) as n
  give n
}
to both_ends: number { roll 3 d3 as xs  give sum of highest 2 of xs * 10 + sum of lowest 2 of xs }
to unequal_ends: number {
  roll 1 d2 as coin
  let n = sum of coin
  roll 1 d2 as other
  if sum of other = 1 { give n }
  give 5
}
to beside: number {
  roll 1 d2 as coin
  let n = sum of coin
  roll 2 d2 as xs
  let ws = xs + [n]
  let ys = sorted down xs
  let high = some(first of ys)
  roll 1 d2 as other
  give sum of ws * 10 + high
}
to walked: number {
  roll 3 d2 as xs
  let n = 0
  each value in sorted down xs {
    roll 1 d2 as coin
    if value > sum of coin { add 1 to n }
  }
  give n
}
to walked_later: number {
  roll 3 d2 as xs
  let ys = sorted down xs
  let n = 0
  count round from 1 to 2 { roll 1 d2 as coin  add sum of coin * round to n }
  count place from 1 to 3 {
    roll 1 d2 as coin
    if some(member place of ys) > sum of coin { add 10 to n }
  }
  give n
}
to walked_about: number {
  roll 3 d2 as xs
  let ys = sorted down xs
  let n = 0
  each place in [3, 1] {
    roll 1 d2 as coin
    if some(member place of ys) > sum of coin { add place to n }
  }
  give n
}
to without_ones: number {
  roll 3 d2 as xs
  let ys = xs without 1
  roll 1 d2 as coin
  give count of ys * 10 + sum of coin
}
to left_over: number {
  roll 1 d2 as coin
  let n = sum of coin
  roll 2 d2 as xs
  let ys = (xs + [n]) without xs
  roll 1 d2 as other
  give count of ys * 10 + sum of other
}
to losing(more: number): number {
  let n = 0
  roll 2 d3 as xs
  add sum of xs to n
  roll 1 d2 as coin
  add more to n
  if n >= 3 { give 1 }
  give 0
}
to losing_more(more: number): number {
  let n = 0
  roll 2 d3 as xs
  add sum of xs to n
  roll 1 d2 as coin
  add sum of coin * more to n
  if n >= 3 { give 1 }
  give 0
}
to rained_dice: number {
  add 1 to drops
  roll 1 d2 as coin
  roll sum of coin d2 as xs
  give sum of xs
}
to in_order_again: number {
  roll 2 d3 as xs
  let ys = sorted (xs where it >= 2)
  give count of ys
}
to up_to_its_highest: number { roll 2 d3 as xs  give count of ((1..highest of xs) where it in xs) }
to sometimes: list of number {
  roll 2 d3 as xs
  if sum of xs = 4 { give xs }
  give [1]
}
to at_times: number {
  do sometimes as ys
  give some(first of ys)
}
to two_counts: number { roll 3 d2 as xs  give count of (xs where it = 3) * 10 + count of (xs where it = 1) }
to among_them_at_once: number { roll 2 d3 as xs  give some(member 1 of sorted down (xs + [2])) }
to rolled_again: number {
  let ys = [9]
  let n = 0
  repeat 2 times {
    roll 2 d2 as xs
    add count of (ys where it = 2) to n
    set ys to xs
  }
  give n * 10 + count of (ys where it = 2)
}
to walked_and_counted: number {
  roll 3 d2 as xs
  let ys = sorted down xs
  let n = 0
  count place from 1 to 3 {
    roll 1 d2 as coin
    if some(member place of ys) > sum of coin { add count of (ys where it = 2) to n }
  }
  give n
}
to walked_again: number {
  let n = 0
  repeat 2 times {
    roll 2 d2 as xs
    let ys = sorted down xs
    roll 1 d2 as coin
    count place from 1 to 2 {
      if some(member place of ys) > sum of coin { add 1 to n }
    }
  }
  give n
}
to compared_and_read: number {
  let n = 0
  roll 2 d3 as xs
  add sum of xs to n
  roll 1 d2 as coin
  add sum of coin to n
  give if n >= 4 then n * 2 else 1
}
to without_its_highest: number { roll 2 d3 as xs  give count of (xs without highest of xs) }
to its_highest: number { roll 2 d3 as xs  give count of (those of xs with highest it) }
to its_highest_in_order: number { roll 2 d3 as xs  give count of sorted (xs where it = highest of xs) }
to quantified: number {
  roll 2 d3 as xs
  give (if none of xs has it = 3 then 1 else 2) + (if all of xs have it >= 2 then 10 else 20)
}
to by_its_count: number { roll 3 d3 as xs  give sum of lowest count of (xs where it >= 2) of xs }
";

/// Holds an expression against every throw, with throws that fall at once and with throws that are left open.
#[track_caller]
fn compare(expression: &str, of: &dyn Fn(&mut Tape) -> i64) {
    let wanted = by_force(of).unwrap();
    for most_drawn in [u64::MAX, 1] {
        let effort = Effort { most_drawn, ..Effort::default() };
        let odds = ask_with(&game(REASONS), &CompileRequest::default(), expression, &effort);
        let odds = odds.unwrap_or_else(|problems| panic!("{expression}: {problems:#?}"));
        let found = odds.values.iter().map(|value| (i64::from(value.value[0]), value.share.clone()));
        assert_eq!(found.collect::<Vec<(i64, Fraction)>>(), wanted, "{expression} with {most_drawn} drawn");
    }
}

#[test]
fn the_arms_of_if_are_not_made_die_by_die() {
    compare("arms", &|tape| match tape.dice(2, 3)[..] {
        [1, 1] => 3,
        ref xs => xs.iter().sum(),
    });
}

#[test]
fn how_far_a_loop_has_come_is_part_of_a_state() {
    compare("places", &|tape| [1, 2, 4].into_iter().filter(|_| tape.dice(1, 2) == [1]).sum());
}

#[test]
fn where_play_is_is_part_of_a_state() {
    let twice = |tape: &mut Tape| {
        let coin = tape.dice(1, 2)[0];
        tape.dice(1, 2)[0] + if coin == 1 { 0 } else { 10 }
    };
    compare("twice", &twice);
    // Here the table changes, so that each state is a whole machine.
    compare("rains", &twice);
}

#[test]
fn each_caller_reads_a_throw_in_its_own_way() {
    compare("callers", &|tape| {
        let (one, other) = (tape.dice(2, 3), tape.dice(2, 3));
        one.iter().filter(|shown| **shown == 1).count() as i64 + 10 * other[0]
    });
}

#[test]
fn a_list_that_is_only_in_order_on_one_way_is_in_none() {
    compare("either_way", &|tape| {
        let mut xs = tape.dice(2, 3);
        if tape.dice(1, 2) == [1] {
            xs.sort_unstable();
        }
        xs[0]
    });
}

#[test]
fn a_number_that_is_set_anew_on_one_way_is_not_added_to() {
    compare("overwritten", &|tape| if tape.dice(1, 2) == [1] { 50 } else { 70 } + tape.dice(1, 2)[0]);
}

#[test]
fn numbers_that_shrink_again_are_told_apart() {
    compare("shrinking", &|tape| {
        let sum: i64 = tape.dice(2, 3).iter().sum();
        i64::from(sum - tape.dice(1, 2)[0] >= 3)
    });
    compare("falling", &|tape| {
        let sum: i64 = tape.dice(2, 3).iter().sum();
        i64::from(sum + if tape.dice(1, 2) == [1] { -3 } else { 1 } >= 3)
    });
    compare("lowered", &|tape| i64::from(tape.dice(2, 2).iter().sum::<i64>() >= 3));
}

#[test]
fn a_number_that_one_caller_compares_and_another_adds_is_whole_for_the_other() {
    compare("both", &|tape| {
        let mut thrown = || tape.dice(2, 3).iter().sum::<i64>() + tape.dice(1, 2)[0];
        (if thrown() >= 4 { 100 } else { 0 }) + thrown()
    });
}

#[test]
fn what_stands_for_a_die_that_has_not_fallen_is_no_number() {
    compare("below", &|tape| {
        let mut xs = tape.dice(3, 2);
        xs.sort_unstable();
        xs[1]
    });
}

#[test]
fn members_are_forgotten_only_when_they_are_read_for_the_last_time() {
    compare("reread", &|tape| {
        let mut ys = tape.dice(3, 3);
        ys.sort_unstable_by(|one, other| other.cmp(one));
        (0..4).filter(|round| ys[round % 2] > tape.dice(1, 2)[0]).count() as i64
    });
}

#[test]
fn dice_fall_in_their_place_in_every_order() {
    compare("rising", &|tape| {
        let xs = tape.dice(3, 3);
        xs.iter().min().unwrap() * 10 + tape.dice(1, 2)[0]
    });
    compare("among_them", &|tape| {
        let xs = tape.dice(2, 3);
        xs.iter().max().unwrap().max(&2) * 10 + tape.dice(1, 2)[0]
    });
}

#[test]
fn how_many_are_kept_may_depend_on_the_throw() {
    compare("by_its_count", &|tape| {
        let mut xs = tape.dice(3, 3);
        xs.sort_unstable();
        xs.iter().take(xs.iter().filter(|shown| **shown >= 2).count()).sum()
    });
}

#[test]
fn a_fault_in_a_round_that_is_never_played_is_none() {
    compare("doubles", &|tape| {
        let thrown = (0..3).take_while(|_| tape.dice(1, 2) == [1]).count();
        1 << thrown
    });
}

#[test]
fn dice_of_two_throws_stay_what_they_are() {
    compare("mixed", &|tape| tape.dice(2, 2).iter().sum::<i64>() + tape.dice(2, 3).iter().sum::<i64>());
}

#[test]
fn a_throw_that_is_also_in_a_list_with_another_stays_one() {
    compare("side_by_side", &|tape| {
        let (xs, ys) = (tape.dice(2, 2), tape.dice(2, 2));
        let mut zs = [xs.as_slice(), &ys].concat();
        zs.sort_unstable_by(|one, other| other.cmp(one));
        zs[1] + 10 * xs.iter().max().unwrap()
    });
}

#[test]
fn a_fold_is_asked_for_dice_that_have_fallen() {
    compare("asked_for_each", &|tape| {
        let (xs, ys) = (tape.dice(2, 3), tape.dice(1, 4));
        if xs.iter().all(|face| ys.contains(face)) { 1 } else { 2 }
    });
}

fn down(mut values: Vec<i64>) -> Vec<i64> {
    values.sort_unstable_by(|one, other| other.cmp(one));
    values
}

#[test]
fn dice_to_which_something_is_added_stay_what_they_are() {
    compare("exploding", &|tape| {
        let once = tape.dice(3, 3);
        let twice = tape.dice(once.iter().filter(|face| **face == 3).count() as i64, 3);
        let values = once.into_iter().filter(|face| *face < 3).chain(twice.into_iter().map(|face| 3 + face));
        down(values.collect())[..2].iter().sum()
    });
    compare("overlapping", &|tape| {
        let mut values = tape.dice(3, 3);
        values.extend(tape.dice(2, 3).into_iter().map(|face| face - 2));
        let values = down(values);
        values[1] * 10 + values[3]
    });
    compare("moved_twice", &|tape| {
        let once = tape.dice(3, 3);
        let more = [7, 2].into_iter().chain(once.iter().map(|face| face + 1));
        down(more.collect())[2] * 10 + once.iter().filter(|face| **face == 3).count() as i64
    });
    compare("moved_and_left_out", &|tape| {
        let moved = tape.dice(3, 3).into_iter().map(|face| face + 3);
        down(moved.chain([1]).filter(|value| *value != 5).collect()).get(1).copied().unwrap_or(0)
    });
    compare("moved_far", &|tape| 3000 + down(tape.dice(3, 3))[1]);
    compare("moved_by_what_they_show", &|tape| {
        let values = tape.dice(3, 3).into_iter().map(|face| if face > 1 { face + 2 } else { face });
        down(values.collect())[1]
    });
    compare("moved_by_those_before", &|tape| {
        let once = down(tape.dice(3, 3));
        down(once.iter().zip(1..).map(|(face, before)| face + before).collect())[1]
    });
}

#[test]
fn a_step_reads_no_open_dice_of_another_throw() {
    compare("among_others", &|tape| {
        let (xs, ys) = (tape.dice(2, 3), tape.dice(2, 3));
        xs.iter().filter(|face| ys.contains(face)).count() as i64
    });
    compare("without_others", &|tape| {
        let (xs, ys) = (tape.dice(2, 3), tape.dice(2, 3));
        ys.iter().filter(|face| !xs.contains(face)).max().copied().unwrap_or(0)
    });
}

#[test]
fn the_highest_members_are_enough_where_no_more_are_read() {
    let best = |keep: usize| {
        move |tape: &mut Tape| {
            let mut values = vec![2];
            for _ in 0..3 {
                let shown = tape.dice(2, 3);
                values.push(shown.iter().sum::<i64>() * 2 - shown.iter().max().unwrap());
            }
            down(values).iter().take(keep).fold(0, |total, value| total * 10 + value)
        }
    };
    (0..5).for_each(|keep| compare(&format!("the_best({keep})"), &best(keep)));
    let rolled = |tape: &mut Tape| vec![2, tape.dice(1, 3)[0], tape.dice(1, 3)[0]];
    compare("the_best_of_some", &|tape| {
        let values = down(rolled(tape));
        values.iter().take(tape.dice(1, 3)[0] as usize).sum()
    });
    compare("the_best_that_are_given", &|tape| {
        let values = down(tape.dice(2, 3).into_iter().chain([2]).collect());
        values.iter().take(tape.dice(1, 2)[0] as usize).sum()
    });
    compare("the_best_of_the_given", &|tape| (0..2).map(|_| *tape.dice(2, 3).iter().max().unwrap() * tape.dice(1, 2)[0]).sum());
    compare("the_best_and_all", &|tape| {
        let values = rolled(tape);
        let coin = tape.dice(1, 2)[0];
        values.iter().max().unwrap() + 10 * if coin == 1 { values.iter().sum() } else { 3 }
    });
    compare("the_best_on_one_way", &|tape| {
        let values = rolled(tape);
        let coin = tape.dice(1, 2)[0];
        10 * coin + if coin == 1 { *values.iter().max().unwrap() } else { values[0] }
    });
    compare("the_best_while_it_rolls", &|tape| {
        let mut values = vec![1];
        let mut total = 0;
        for place in 0..2 {
            values.extend(tape.dice(2, 3));
            total = total * 10 + tape.dice(1, 2)[0] + down(values.clone())[place];
        }
        total
    });
}

#[test]
fn a_loop_begins_before_its_first_round() {
    compare("renamed", &|tape| tape.dice(2, 2).iter().sum());
}

#[test]
fn what_is_sought_may_depend_on_the_throw() {
    compare("up_to_its_highest", &|tape| {
        let xs = tape.dice(2, 3);
        if xs[0] == xs[1] { 1 } else { 2 }
    });
    compare("in_itself", &|tape| {
        let xs = tape.dice(2, 3);
        i64::from(xs.contains(&(xs.iter().sum::<i64>() - 1)))
    });
}

#[test]
fn the_table_may_change_between_a_throw_and_a_look() {
    compare("least_of_later", &|tape| tape.dice(2, 3).iter().filter(|shown| **shown >= 2).count() as i64);
    compare("range_of_later", &|tape| {
        let xs = tape.dice(2, 3);
        (1..=2).filter(|face| xs.contains(face)).count() as i64
    });
}

#[test]
fn what_a_fold_reads_is_known_when_the_dice_are_thrown() {
    let handed_on = |of: fn(&[i64], i64) -> i64| {
        move |tape: &mut Tape| {
            let n = tape.dice(1, 3)[0];
            let mut xs = tape.dice(2, 3);
            xs.sort_unstable_by(|one, other| other.cmp(one));
            of(&xs, n) * 10 + tape.dice(1, 2)[0]
        }
    };
    compare("least_handed_on", &handed_on(|xs, n| xs.iter().filter(|shown| **shown >= n).count() as i64));
    compare("count_handed_on", &handed_on(|xs, n| xs.iter().take(n as usize).sum()));
    compare("range_handed_on", &handed_on(|xs, n| (1..=n).filter(|face| xs.contains(face)).count() as i64));
}

#[test]
fn a_number_may_be_added_twice() {
    compare("added_twice", &|tape| 2 * tape.dice(1, 2)[0] + tape.dice(1, 2)[0]);
}

#[test]
fn members_in_two_places_are_both_read() {
    compare("mirrored", &|tape| {
        let mut ys = tape.dice(3, 2);
        ys.sort_unstable_by(|one, other| other.cmp(one));
        (0..3).filter(|place| ys[2 - place] + ys[*place] > 2 * tape.dice(1, 2)[0]).count() as i64
    });
}

#[test]
fn which_members_are_left_may_depend_on_the_others() {
    compare("without_its_highest", &|tape| {
        let xs = tape.dice(2, 3);
        i64::from(xs[0] != xs[1])
    });
    for expression in ["its_highest", "its_highest_in_order"] {
        compare(expression, &|tape| {
            let xs = tape.dice(2, 3);
            if xs[0] == xs[1] { 2 } else { 1 }
        });
    }
}

#[test]
fn each_quantifier_is_a_fold_of_its_own() {
    compare("quantified", &|tape| {
        let xs = tape.dice(2, 3);
        (if xs.contains(&3) { 2 } else { 1 }) + if xs.contains(&1) { 20 } else { 10 }
    });
}

#[test]
fn a_list_with_another_name_may_have_other_members() {
    let many = |tape: &mut Tape| tape.dice(2, 3).iter().filter(|shown| **shown >= 2).count() as i64;
    compare("filtered", &many);
    compare("named_again", &many);
    compare("in_order_again", &many);
}

#[test]
fn procedures_may_look_at_a_list_in_its_order() {
    compare("through", &|tape| tape.dice(2, 3)[0]);
    compare("in_order", &|tape| {
        let xs = tape.dice(2, 3);
        (xs[0] - xs[1]).abs()
    });
    compare("at_times", &|tape| {
        let xs = tape.dice(2, 3);
        if xs[0] + xs[1] == 4 { xs[0] } else { 1 }
    });
}

#[test]
fn the_highest_and_the_lowest_are_kept_apart() {
    compare("both_ends", &|tape| {
        let mut xs = tape.dice(3, 3);
        xs.sort_unstable();
        (xs[1] + xs[2]) * 10 + xs[0] + xs[1]
    });
}

#[test]
fn one_end_may_add_what_another_does_not() {
    compare("unequal_ends", &|tape| {
        let n = tape.dice(1, 2)[0];
        if tape.dice(1, 2) == [1] { n } else { 5 }
    });
}

#[test]
fn dice_fall_in_all_lists_that_hold_them() {
    compare("beside", &|tape| {
        let n = tape.dice(1, 2)[0];
        let xs = tape.dice(2, 2);
        tape.dice(1, 2);
        (xs.iter().sum::<i64>() + n) * 10 + xs.iter().max().unwrap()
    });
}

#[test]
fn members_are_read_one_after_the_other() {
    let falling = |tape: &mut Tape| {
        let mut ys = tape.dice(3, 2);
        ys.sort_unstable_by(|one, other| other.cmp(one));
        ys
    };
    compare("walked", &|tape| falling(tape).iter().filter(|shown| **shown > tape.dice(1, 2)[0]).count() as i64);
    compare("walked_later", &|tape| {
        let ys = falling(tape);
        let sum = tape.dice(1, 2)[0] + 2 * tape.dice(1, 2)[0];
        sum + 10 * ys.iter().filter(|shown| **shown > tape.dice(1, 2)[0]).count() as i64
    });
    compare("walked_and_counted", &|tape| {
        let ys = falling(tape);
        let high = ys.iter().filter(|shown| **shown == 2).count() as i64;
        high * ys.iter().filter(|shown| **shown > tape.dice(1, 2)[0]).count() as i64
    });
    compare("walked_again", &|tape| {
        let mut round = || {
            let (xs, coin) = (tape.dice(2, 2), tape.dice(1, 2)[0]);
            xs.iter().filter(|shown| **shown > coin).count() as i64
        };
        round() + round()
    });
    compare("walked_about", &|tape| {
        let ys = falling(tape);
        [3, 1].into_iter().filter(|place| ys[place - 1] > tape.dice(1, 2)[0]).sum::<usize>() as i64
    });
}

#[test]
fn dice_fall_for_everything_that_a_step_looks_at() {
    compare("two_counts", &|tape| tape.dice(3, 2).iter().filter(|shown| **shown == 1).count() as i64);
    compare("among_them_at_once", &|tape| *tape.dice(2, 3).iter().max().unwrap().max(&2));
    compare("rolled_again", &|tape| {
        let mut round = || tape.dice(2, 2).iter().filter(|shown| **shown == 2).count() as i64;
        round() * 10 + round()
    });
}

#[test]
fn a_number_that_is_compared_may_be_read_too() {
    compare("compared_and_read", &|tape| {
        let n = tape.dice(2, 3).iter().sum::<i64>() + tape.dice(1, 2)[0];
        if n >= 4 { n * 2 } else { 1 }
    });
}

#[test]
fn dice_that_are_taken_out_have_fallen() {
    compare("without_ones", &|tape| {
        let xs = tape.dice(3, 2);
        xs.iter().filter(|shown| **shown > 1).count() as i64 * 10 + tape.dice(1, 2)[0]
    });
    compare("left_over", &|tape| {
        let n = tape.dice(1, 2)[0];
        let is_left = !tape.dice(2, 2).contains(&n);
        i64::from(is_left) * 10 + tape.dice(1, 2)[0]
    });
}

#[test]
fn an_argument_may_be_below_zero() {
    compare("losing(0 - 3)", &|tape| {
        let sum: i64 = tape.dice(2, 3).iter().sum();
        i64::from(sum - 3 >= 3)
    });
    compare("losing_more(0 - 2)", &|tape| {
        let sum: i64 = tape.dice(2, 3).iter().sum();
        i64::from(sum - 2 * tape.dice(1, 2)[0] >= 3)
    });
}

#[test]
fn how_many_dice_are_thrown_is_part_of_a_state() {
    compare("rained_dice", &|tape| {
        let count = tape.dice(1, 2)[0];
        tape.dice(count, 2).iter().sum()
    });
}

#[test]
fn a_slot_may_hold_a_number_and_later_a_thing() {
    compare("reused", &|tape| {
        tape.dice(1, 2);
        let given = tape.dice(1, 2)[0];
        given + tape.dice(1, 2)[0] * if given >= 2 { 10 } else { 1 }
    });
}

#[test]
fn rounds_without_throws_are_counted_from_the_first() {
    compare("read_in_rounds", &|tape| if tape.dice(3, 3).contains(&3) { 2 } else { 0 });
}

#[test]
fn what_is_only_said_of_a_throw_is_not_read_off_it() {
    compare("said_aloud", &|tape| if tape.dice(3, 3).contains(&3) { 2 } else { 1 });
}
