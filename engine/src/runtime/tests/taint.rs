//! Taint: looking ahead reveals no value that rules keep and have computed from something hidden.

use crate::runtime::{Choice, Form, Pending};
use crate::testing::{Table, Texts, game};
use ludex_syntax::codes::NO_LOOK_AHEAD;
use std::collections::BTreeSet;

/// A deck of three cards that nobody sees, with these ranks.
fn table(declared: &str, statements: &str, ranks: [u8; 3]) -> Table {
    rules(declared, statements, ranks).play()
}

/// Whether `check` warns that looking ahead is refused.
fn is_warned(declared: &str, statements: &str) -> bool {
    let (_, problems) = rules(declared, statements, WORLDS[0]).compile_mode("pond", "standard");
    problems.iter().any(|problem| problem.code == NO_LOOK_AHEAD)
}

fn rules(declared: &str, statements: &str, ranks: [u8; 3]) -> Texts {
    let [a, b, c] = ranks;
    game(&format!(
        "sides 2
piece card (cards) {{ counter rank in 1..6 }}
each side has {{ zone hand: cards, seen by owner  guess: number in 1..6 }}
the table has {{ zone deck: cards, seen by nobody, in order  total: number  codes: list of number in 1..6, at most 4 }}
{declared}
to play {{
  let me = first of sides
  create card(rank: {c}) in deck  create card(rank: {b}) in deck  create card(rank: {a}) in deck
{statements}
  finish with nobody
}}"
    ))
}

/// What comes of the first answer, for a seat that looks ahead; none where it cannot.
fn foreseen(table: &Table, seat: usize, seed: u64) -> Option<String> {
    let mut imagined = table.session.imagine(seat, seed);
    let Pending::Decisions(open) = imagined.pending() else { panic!("nobody is asked") };
    let first = match open[0].form {
        Form::Number { min, .. } => Choice::Number(min),
        _ => Choice::Option(0),
    };
    let id = open[0].id;
    imagined.choose(id, first).ok()?;
    Some(format!("{:?}", imagined.pending()))
}

const WORLDS: [[u8; 3]; 3] = [[1, 2, 3], [6, 5, 4], [2, 6, 1]];

/// The same comes of it in all worlds; in several ways, as what is hidden is drawn.
#[track_caller]
fn is_drawn(declared: &str, statements: &str) {
    assert!(!is_warned(declared, statements), "nothing is refused");
    let worlds = WORLDS.map(|ranks| table(declared, statements, ranks));
    let mut ends = BTreeSet::new();
    for seed in 0..60 {
        let [one, other, third] = worlds.each_ref().map(|world| foreseen(world, 0, seed).expect("it can look ahead"));
        assert!(one == other && other == third, "{seed}: {one} {other} {third}");
        ends.insert(one);
    }
    assert!(ends.len() > 1, "{ends:?}");
}

/// It is known that the seat wins, in all worlds, and `check` is silent.
#[track_caller]
fn is_foreseen(declared: &str, statements: &str) {
    assert!(!is_warned(declared, statements), "nothing is refused");
    is_foreseen_in_play(declared, statements);
}

/// It is known that the seat wins, in all worlds.
#[track_caller]
fn is_foreseen_in_play(declared: &str, statements: &str) {
    for ranks in WORLDS {
        let end = foreseen(&table(declared, statements, ranks), 0, 1).expect("it can look ahead");
        assert!(end.contains("winners: [0]"), "{end}");
    }
}

/// Looking ahead is refused in every world, and `check` warns of it.
#[track_caller]
fn is_refused(declared: &str, statements: &str) {
    assert!(is_warned(declared, statements), "`check` warns of it");
    is_refused_in_play(declared, statements);
}

/// Looking ahead is refused in every world.
#[track_caller]
fn is_refused_in_play(declared: &str, statements: &str) {
    for ranks in WORLDS {
        assert_eq!(foreseen(&table(declared, statements, ranks), 0, 1), None, "{ranks:?}");
    }
}

/// The seat knows what it is about, and looks ahead as ever.
#[track_caller]
fn is_known(declared: &str, statements: &str) {
    let worlds = WORLDS.map(|ranks| table(declared, statements, ranks));
    let ends: BTreeSet<String> = worlds.iter().filter_map(|world| foreseen(world, 0, 1)).collect();
    assert!(ends.len() > 1, "{ends:?}");
}

#[test]
fn a_number_in_a_variable_may_be_any() {
    is_refused(
        "",
        "  let peeked = sum of (top 1 of deck).rank
  me must choose 1 in [1, 2] as now
  if peeked > 3 { finish with me }",
    );
}

#[test]
fn so_may_one_that_was_handed_on() {
    is_refused(
        "to wait(number: number) {
  let me = first of sides
  me must choose 1 in [1, 2] as now
  if number > 7 { finish with me }
}",
        "  do wait(3 + sum of (top 1 of deck).rank)",
    );
    is_refused(
        "to peek: number { give sum of (top 1 of deck).rank }",
        "  do peek as peeked
  me must choose 1 in [1, 2] as now
  if peeked > 3 { finish with me }",
    );
}

#[test]
fn a_list_of_the_code_is_drawn_within_its_range() {
    is_drawn(
        "",
        "  set codes to (top 3 of deck).rank
  me must choose 1 in [1, 2] as now
  if highest of codes > 5 { finish with me }",
    );
    is_drawn(
        "",
        "  let copied = (top 3 of deck).rank
  set codes to sorted copied
  me must choose 1 in [1, 2] as now
  if lowest of codes > 2 { finish with me }",
    );
}

#[test]
fn a_field_with_a_range_is_drawn_and_one_without_refuses() {
    is_drawn(
        "",
        "  set me.guess to highest of (top 3 of deck).rank
  me must choose 1 in [1, 2] as now
  if me.guess > 3 { finish with me }",
    );
    is_refused(
        "",
        "  set total to highest of (top 2 of deck).rank
  me must choose 1 in [1, 2] as now
  if total > 3 { finish with me }",
    );
    is_refused(
        "",
        "  add sum of (top 1 of deck).rank to total
  add 1 to total
  me must choose 1 in [1, 2] as now
  if total > 3 { finish with me }",
    );
}

#[test]
fn what_is_so_or_not_is_drawn() {
    is_drawn(
        "",
        "  let high = any of top 1 of deck has it.rank > 3
  me must choose 1 in [1, 2] as now
  if high { finish with me }",
    );
}

#[test]
fn how_many_of_the_hidden_cards_are_high_is_hidden() {
    is_refused(
        "",
        "  let high = count of (deck where it.rank > 3)
  me must choose 1 in [1, 2] as now
  if high > 1 { finish with me }",
    );
}

#[test]
fn how_many_cards_there_are_is_not() {
    is_foreseen(
        "",
        "  let cards = count of deck
  me must choose 1 in [1, 2] as now
  if cards = 3 { finish with me }",
    );
}

#[test]
fn what_is_made_of_ones_own_hand_is_known_to_oneself() {
    let own = |side: &str| {
        format!(
            "  move first of top 1 of deck to {side}.hand
  let own = sum of {side}.hand.rank
  set total to own
  me must choose 1 in [1, 2] as now
  if own > 3 and total > 3 {{ finish with me }}"
        )
    };
    is_known("", &own("me"));
    is_refused("", &own("me.foe"));
}

#[test]
fn a_card_that_was_shown_hides_nothing() {
    is_known(
        "",
        "  show top 1 of deck to [me]
  let peeked = sum of (top 1 of deck).rank
  me must choose 1 in [1, 2] as now
  if peeked > 3 { finish with me }",
    );
}

#[test]
fn what_is_set_anew_is_hidden_no_more() {
    // The warning stands where a field is set, whatever becomes of it.
    is_foreseen_in_play(
        "",
        "  set total to sum of (top 1 of deck).rank
  let peeked = total
  set total to 4
  set peeked to 5
  me must choose 1 in [1, 2] as now
  if total + peeked = 9 { finish with me }",
    );
}

#[test]
fn what_has_ended_hides_nothing() {
    is_foreseen(
        "",
        "  each card in (deck where it.rank > 0) { let rank = card.rank  if rank = 9 { finish with me } }
  let one = 1
  let two = 2
  me must choose 1 in [1, 2] as now
  if one + two = 3 { finish with me }",
    );
}

#[test]
fn how_long_a_list_is_may_be_hidden() {
    let statements = |list: &str| {
        format!(
            "  set codes to {list}
  me must choose 1 in [1, 2] as now
  if count of codes > 1 {{ finish with me }}"
        )
    };
    is_refused("", &statements("(deck where it.rank > 3).rank"));
    is_foreseen("", &statements("sorted (top 2 of deck).rank"));
}

#[test]
fn a_mark_without_a_text_is_hidden_where_hidden_cards_decide() {
    let declared = "each card has { mark worn  mark bent \"is bent\" }";
    let marked = |statements: &str, mark: &str| {
        format!(
            "  create card(rank: 2) in me.hand
  {statements}
  me must choose 1 in [1, 2] as now
  if any of me.hand has it is {mark} {{ finish with me }}"
        )
    };
    is_refused(declared, &marked("mark (me.hand where it.rank < highest of (top 1 of deck).rank) as worn", "worn"));
    is_refused(declared, &marked("if any of top 1 of deck has it.rank > 3 { mark me.hand as worn }", "worn"));
    is_known(declared, &marked("if any of top 1 of deck has it.rank > 3 { mark me.hand as bent }", "bent"));
    // `check` does not follow marks on cards that a seat cannot see.
    is_refused_in_play(declared, &marked("mark (top 2 of deck) as bent  move (top 1 of deck) to me.hand", "bent"));
    // A seat that sees all marked pieces, or none that differ, knows the mark.
    is_foreseen(declared, &marked("mark (top 1 of deck) as worn  move (top 1 of deck) to me.hand", "worn"));
    is_foreseen(declared, &marked("mark deck as worn  move (top 1 of deck) to me.hand", "worn"));
}

#[test]
fn hidden_dice_are_rolled_again() {
    let declared = "die sizes 6
each side has { zone cup: dice, seen by owner }";
    let sum_of = |side: &str| {
        format!(
            "  repeat 3 times {{ create die(size: 6) in {side}.cup for {side} }}
  roll {side}.cup
  me must choose 1 in [1, 2] as now
  say \"{{sum of {side}.cup.value}}\"
  if sum of {side}.cup.value > 10 {{ finish with me }}"
        )
    };
    let ends = |side: &str| {
        let table = table(declared, &sum_of(side), WORLDS[0]);
        (0..60).filter_map(|seed| foreseen(&table, 0, seed)).collect::<BTreeSet<String>>()
    };
    assert_eq!(ends("me.foe").len(), 2, "they may show much or little");
    assert_eq!(ends("me").len(), 1, "one's own dice are known");
}

// --- what is only done because of it -----------------------------------------------

#[test]
fn what_is_set_because_of_a_hidden_card_is_hidden() {
    is_drawn(
        "",
        "  if any of top 1 of deck has it.rank > 3 { set me.guess to 5 } else { set me.guess to 2 }
  me must choose 1 in [1, 2] as now
  if me.guess > 3 { finish with me }",
    );
    is_refused(
        "",
        "  let found = 0
  if any of top 1 of deck has it.rank > 3 { set found to 1 }
  me must choose 1 in [1, 2] as now
  if found = 1 { finish with me }",
    );
}

#[test]
fn so_is_what_is_not_set() {
    is_drawn(
        "to note_it { if any of top 1 of deck has it.rank > 3 { do keep_it } }
to keep_it { set (first of sides).guess to 6 }",
        "  do note_it
  do note_it
  me must choose 1 in [1, 2] as now
  if me.guess > 3 { finish with me }",
    );
}

#[test]
fn so_is_what_a_procedure_would_have_set() {
    is_drawn(
        "to keep_it { set (first of sides).guess to 6 }",
        "  if any of top 1 of deck has it.rank > 3 { do keep_it }
  me must choose 1 in [1, 2] as now
  if me.guess > 3 { finish with me }",
    );
}

#[test]
fn so_is_how_often_something_is_done() {
    is_refused(
        "",
        "  let often = 0
  each card in (deck where it.rank > 3) { set often to often + 1 }
  me must choose 1 in [1, 2] as now
  if often > 1 { finish with me }",
    );
}

#[test]
fn where_all_ways_have_met_nothing_is_hidden_any_more() {
    is_foreseen(
        "",
        "  let found = 0
  if any of top 1 of deck has it.rank > 3 { set found to 1 }
  set found to 3
  me must choose 1 in [1, 2] as now
  if found = 3 { finish with me }",
    );
}

#[test]
fn what_was_not_set_is_hidden_where_the_match_ends_behind_a_loop() {
    is_refused(
        "",
        "  if any of top 1 of deck has it.rank > 3 { set total to 1 }
  me must choose number in 1..2 as now
  count n from 1 to 2 { set total to total + n }
  finish with me",
    );
}

#[test]
fn that_the_match_goes_on_is_seen() {
    is_foreseen(
        "",
        "  if any of top 1 of deck has it.rank = 9 { say \"It is over.\" finish with me.foe }
  me must choose 1 in [1, 2] as now
  finish with me",
    );
}

#[test]
fn who_is_shown_the_card_in_the_meantime_knows() {
    let shown = |to: &str| {
        format!(
            "  let found = 0
  if any of top 1 of deck has it.rank > 3 {{ set found to 1  move first of top 1 of deck to {to}.hand }}
  else {{ set found to 2  move first of top 1 of deck to {to}.hand }}
  me must choose 1 in [1, 2] as now
  if found = 1 {{ finish with me }}"
        )
    };
    is_known("", &shown("me"));
    is_refused("", &shown("me.foe"));
}

#[test]
fn where_there_is_too_much_to_follow_nobody_looks_ahead() {
    let statements = "  let found = 0
  repeat 400 times {
    set found to count of ((1..300) where any of (1..300) has it > 299 and any of deck has it.rank > 9)
  }
  set found to 3
  me must choose 1 in [1, 2] as now
  if found = 3 { finish with me }";
    for ranks in WORLDS {
        assert_eq!(foreseen(&table("", statements, ranks), 0, 1), None);
    }
}
