//! Pieces that rules make: what they are called, where a position puts them, and all words of a type.

use crate::runtime::{Viewer, ZoneView};
use crate::testing::{Texts, game};
use ludex_program::Program;

const CARDS: &str = "sides 2
type suit (suits) is one of clubs, hearts
type rank (ranks) is one of seven, queen, ace
piece card (cards) shown as \"{rank} of {suit}\" { suit: suit  rank: rank  counter dents in 0..3  zone under: cards, open }
each side has { zone hand: cards, seen by owner  zone row: cards, open  counter turns }
the table has { zone deck: cards, seen by nobody, in order, out of play }
";

fn pack(then: &str) -> Texts {
    game(&format!(
        "{CARDS}to play {{
  each suit in suits {{ each rank in ranks {{ create card(suit: suit, rank: rank) in deck }} }}
  do on(first of sides)
}}
entry scope on(active: side) {{
  {then}
  finish with active
}}"
    ))
}

#[test]
fn a_pack_is_three_lines_and_each_card_goes_by_what_it_is() {
    let mut table = pack(
        "say \"{deck}\"  move top 2 of deck to active.hand  let chosen = first of active.hand
  active must choose 1 in active.hand as one \"Which?\"  say \"{active} plays {one}\"
  say \"{count of (deck where it.suit is hearts)} of {count of suits} suits\"",
    )
    .play();
    assert_eq!(table.options(0), ["choose(5)", "choose(4)"]);
    let decision = table.decision(0);
    let words: Vec<String> = table.session.options(decision.id, 0, 2).into_iter().map(|option| option.text).collect();
    assert_eq!(words, ["ace of hearts", "queen of hearts"]);
    assert_eq!(table.new_said_texts(), ["a card, a card, a card, a card, a card and a card"], "what nobody sees is not named");
    table.answer(0, "choose(5)");
    assert_eq!(table.new_said_texts(), ["side 0 plays a card", "1 of 2 suits"]);
    let view = table.session.view(Viewer::Seat(0));
    let ZoneView::Seen(hand) = &view.sides[0].zones["hand"] else { panic!("its own hand is hidden from it") };
    assert_eq!(hand.iter().map(|card| card.display_name()).collect::<Vec<_>>(), ["ace of hearts", "queen of hearts"]);
    assert!(!format!("{:?}", table.session.view(Viewer::Seat(1))).contains("queen"));
    table.check();
}

/// What a piece is called says what its shown fields say.
#[test]
fn a_shown_field_is_not_told_again_behind_the_name_that_has_it() {
    let rules = CARDS.replace("rank: rank  counter dents", "rank: rank, shown  worn: flag, shown  counter dents");
    let table = game(&format!(
        "{rules}to play {{ let me = first of sides  create card(suit: hearts, rank: queen, worn: yes, dents: 2) in me.row }}"
    ))
    .play();
    let view = table.session.view(Viewer::Spectator);
    let ZoneView::Seen(row) = &view.sides[0].zones["row"] else { panic!("the row is open") };
    assert_eq!(row[0].display_name(), "queen of hearts");
    let facts: Vec<String> = row[0].facts.iter().map(|fact| format!("{} {}", fact.name, fact.value)).collect();
    assert_eq!(facts, ["worn yes", "dents 2"]);
    assert_eq!(row[0].fields["rank"], "queen", "programs read it as a field");
}

const HAND: &str = "table: {deck: {card: 2}}
sides:
- zones: {row: [{id: q, suit: hearts, rank: queen, dents: 2, under: [{rank: ace}]}, card]}
- {}
at: on(1)
";

#[test]
fn a_position_places_them_with_all_they_have() {
    let mut table = pack(
        "each card in sides.row { say \"{card}: {card.dents}, {count of card.under}, {card.owner}\" }
  say \"{count of deck}\"",
    )
    .play_from_position(HAND);
    assert_eq!(table.new_said_texts(), ["queen of hearts: 2, 1, side 0", "seven of clubs: 0, 0, side 0", "2"]);
    table.check();
}

#[test]
fn what_a_position_says_wrongly_of_them_is_told() {
    let wrong = |cards: &str| {
        let told = pack("let n = 1").position_problems(&format!("sides: [{{zones: {{hand: {cards}}}}}, {{}}]\n"));
        told.into_iter().map(|(code, message, _)| format!("{code} {message}")).collect::<Vec<_>>()
    };
    assert_eq!(wrong("[king]"), ["LX0608 `hand` holds cards, but `king` is not one of them"]);
    assert_eq!(wrong("{king: 2}"), ["LX0608 `hand` holds cards, but `king` is not one of them"]);
    assert_eq!(wrong("[{rank: king}]")[0], "LX0214 `rank` cannot be `king`");
    assert_eq!(wrong("[{dents: 4}]")[0], "LX0211 `dents` is out of range");
    assert_eq!(wrong("[{colour: red}]")[0], "LX0310 there is no counter `colour`");
}

#[test]
fn what_has_no_first_value_must_be_said() {
    let rules = "sides 2
piece boat (boats) { rower: side  mate: boat or none }
each side has { zone bay: boats, open }
to play { each side in sides { create boat(rower: side) in side.bay }  do sail }
entry to sail() { each boat in boats { say \"{boat.rower}\" }  finish with nobody }
";
    let at = |boats: &str| format!("sides: [{{zones: {{bay: {boats}}}}}, {{}}]\nat: sail\n");
    let told = game(rules).position_problems(&at("[boat]"));
    assert_eq!(told[0].1, "the `rower` of this boat is missing");
    assert_eq!(game(rules).play_from_position(&at("[{rower: 1}]")).new_said_texts(), ["side 1"]);
}

#[test]
fn names_of_pieces_are_made_of_their_own_fields() {
    let told = |text: &str| {
        let told = game(&format!(
            "sides 2
die sizes 6
piece card (cards) shown as \"{text}\" {{ counter rank }}
each side has {{ zone hand: cards, open }}
to play {{ let me = first of sides  create card(rank: 3) in me.hand as card  say \"{{card}}\"  finish with me }}"
        ));
        told.error_details().into_iter().map(|(_, message, _)| message).collect::<Vec<_>>()
    };
    assert_eq!(told("{rank} up"), [] as [&str; 0]);
    assert_eq!(told("{rnak}"), ["a card has no field called `rnak`"]);
    assert_eq!(told("{rank + 1}"), ["the text for a card can only have words and its own fields"]);
    let dice = game("sides 2\ndie sizes 6\npiece die (dice) shown as \"bone\" {}\nto play { finish with nobody }");
    assert_eq!(dice.error_details()[0].1, "a die is always shown by its size and its value");
}

#[test]
fn all_words_of_a_type_have_a_name() {
    let texts = pack("say \"{suits}\"  active must choose a suit as led \"Which?\"  say \"{suits without led}\"");
    let _: &Program = &texts.program();
    let mut table = texts.play();
    assert_eq!(table.new_said_texts(), ["clubs and hearts"]);
    table.answer(0, "choose(clubs)");
    assert_eq!(table.new_said_texts(), ["hearts"]);
    let twice =
        game("sides 2\ntype suit (cards) is one of a, b\npiece card (cards)\nto play { finish with nobody }").error_details();
    assert_eq!(twice[0].0, "LX0302", "{twice:?}");
}

#[test]
fn a_piece_may_have_the_plural_of_the_table() {
    let rules = "sides 2\npiece bench (tables)\nthe table has { zone hall: tables, open }
to play { create bench() in table.hall  create bench() in table.hall  say \"{count of tables} and {count of table.hall}\"  finish with nobody }";
    assert_eq!(game(rules).play().new_said_texts(), ["2 and 2"]);
}
