//! What is dealt again for a seat that looks ahead, and after a take-back: nothing in it may depend on what the seat cannot see.

use crate::runtime::{Choice, Pending};
use crate::testing::{Table, game};
use std::collections::BTreeSet;

/// Two tables that look the same to the first side; `first` and `second` are the ranks of the cards, from the top of the deck.
fn twins(declared: &str, statements: &str) -> [Table; 2] {
    let table = |ranks: [u8; 6]| {
        // The last to be moved lies on top.
        let order = |rank: &u8| format!("  each card in (deck where it.rank = {rank}) {{ move card to deck }}\n");
        let cards: String = ranks.iter().rev().map(order).collect();
        game(&format!(
            "sides 2
piece card (cards) {{ counter rank in 1..6 }}
each side has {{ zone hand: cards, seen by owner  zone shown: cards, open }}
the table has {{ zone deck: cards, seen by nobody, in order }}
{declared}
to play {{
  let me = first of sides
  count rank from 1 to 6 {{ create card(rank: rank) in deck }}
{cards}{statements}
  finish with nobody
}}"
        ))
        .play()
    };
    [table([1, 2, 3, 4, 5, 6]), table([6, 4, 2, 1, 3, 5])]
}

/// What comes of what the first side imagines is the same, whatever the cards are; and it is not always the same.
#[track_caller]
fn tells_nothing(declared: &str, statements: &str) {
    let twins = twins(declared, statements);
    let mut ends = BTreeSet::new();
    for seed in 0..40 {
        let [one, other] = twins.each_ref().map(|table| {
            let mut imagined = table.session.imagine(0, seed);
            let Pending::Decisions(open) = imagined.pending() else { panic!("nobody is asked") };
            let id = open[0].id;
            imagined.choose(id, Choice::Option(0)).expect("a legal answer");
            format!("{:?}", imagined.pending())
        });
        assert_eq!(one, other, "{seed}");
        ends.insert(one);
    }
    assert!(ends.len() > 1, "{ends:?}");
}

#[test]
fn a_variable_refers_to_the_card_that_is_there_now() {
    tells_nothing(
        "",
        "  let card = first of top 1 of deck
  me must choose 1 in [1, 2] as now
  if card is not none and card.rank > 3 { finish with me }",
    );
}

#[test]
fn so_do_lists_of_cards_and_loops_over_them() {
    tells_nothing(
        "",
        "  let some = top 3 of deck
  each card in some {
    me must choose 1 in [1, 2] as now
    if card.rank > 3 { finish with me }
    if any of some has it.rank > 4 { finish with me.foe }
  }",
    );
}

#[test]
fn a_variable_of_a_block_that_has_ended_changes_nothing() {
    // The list of the block is gone when the numbers are put in its place, some of which are those of cards.
    let [mut table, _] = twins(
        "",
        "  repeat 2 times {
    let pair = [7, 7]
    let some = top 3 of deck
    if sum of pair = 1 { finish with me.foe }
    me must choose 1 in [1, 2] as before
    each card in some { if card.rank = 9 { finish with me } }
    if count of some = 9 { finish with me }
  }
  let numbers = [1, 2, 3, 4, 5, 6, 7, 8]
  me must choose 1 in [1, 2] as now
  if member 4 of numbers = 4 and member 5 of numbers = 5 and member 6 of numbers = 6 { finish with me }",
    );
    table.answer(0, "choose(1)");
    table.answer(0, "choose(1)");
    for seed in 0..40 {
        let mut imagined = table.session.imagine(0, seed);
        imagined.choose(table.decision(0).id, Choice::Option(0)).expect("a legal answer");
        assert!(format!("{:?}", imagined.pending()).contains("winners: [0]"), "{seed}: {:?}", imagined.pending());
    }
}

#[test]
fn so_do_parameters_and_what_procedures_give() {
    tells_nothing(
        "to peek(card: card, others: list of card): card {
  first of sides must choose 1 in [1, 2] as now
  if any of others has it.rank = 6 { give card }
  each other in others { give other }
  give card
}",
        "  each card in top 1 of deck {
    do peek(card, top 2 of deck) as found
    if found.rank > 3 { finish with me }
  }",
    );
}
