//! Whose a piece is, where that must be said.

use crate::runtime::{Viewer, ZoneView};
use crate::testing::{Table, Texts, game};

/// Each child has a bag with one die of its own; `place` is where they are made.
fn toys(place: &str, then: &str) -> Texts {
    game(&format!(
        "sides 2
die sizes 4, 6
the table has {{ zone chest, shelf: dice, open }}
each side has {{ zone bag, caught: dice, open }}
to play {{
  each side in sides {{ create die(size: 4) in {place} for side  create die(size: 6) in {place} for side }}
  let me = first of sides
  let you = last of sides
  {then}
  finish with nobody
}}"
    ))
}

fn said(place: &str, then: &str) -> Vec<String> {
    toys(place, then).play().new_said_texts()
}

/// For each piece of a zone, the name of the owner that is said.
fn owners(table: &Table, zone: &str) -> Vec<Option<String>> {
    let view = table.session.view(Viewer::Seat(0));
    let mut zones = view.table.zones.iter().chain(view.sides.iter().flat_map(|side| &side.zones));
    let Some((_, ZoneView::Seen(pieces))) = zones.find(|(name, _)| *name == zone) else { panic!("no {zone}") };
    pieces.iter().map(|piece| piece.of.clone()).collect()
}

#[test]
fn what_was_captured_needs_no_owner() {
    let capture = "move you.bag to me.caught  say \"{me.caught}\"";
    assert_eq!(said("side.bag", capture), ["d4 and d6"]);
    let mut table = toys("side.bag", "move you.bag to me.caught  roll me.caught  me may \"Go on?\" as goes_on").play();
    assert_eq!(owners(&table, "caught"), [None, None]);
    table.answer(0, "yes").check();
}

#[test]
fn among_pieces_of_others_it_is_said() {
    assert_eq!(said("side.bag", "move first of you.bag to me.bag  say \"{me.bag}\""), ["d4, d6 and d4 of side 1"]);
    assert_eq!(
        said("side.bag", "move first of you.bag to table.shelf  move first of me.bag to table.shelf  say \"{table.shelf}\""),
        ["d4 of side 1 and d4 of side 0"]
    );
    assert_eq!(said("side.bag", "move you.bag to table.shelf  say \"{table.shelf}\""), ["d4 and d6"]);
}

#[test]
fn where_all_play_from_one_table_it_is_said_everywhere() {
    let then = "each side in sides { move table.chest where it.owner is side.foe to side.bag }
  say \"{me.bag} and {you.bag}\"
  move first of me.bag to you.bag
  say \"{you.bag} and {me.bag}\"";
    assert_eq!(
        said("table.chest", then),
        ["d4 of side 1 and d6 of side 1 and d4 of side 0 and d6 of side 0", "d4 of side 0, d6 of side 0 and d4 and d6 of side 1"]
    );
    let table = toys("table.chest", "me must choose 1 in table.chest as die").play();
    let texts: Vec<String> = table.session.options(table.decision(0).id, 0, 9).into_iter().map(|option| option.text).collect();
    assert_eq!(texts, ["d4 of side 0", "d6 of side 0", "d4 of side 1", "d6 of side 1"]);
    let names = ["side 0", "side 0", "side 1", "side 1"].map(|name| Some(name.to_string()));
    assert_eq!(owners(&table, "chest"), names);
}

#[test]
fn where_all_is_of_one_it_goes_without_saying() {
    let mut table = game(
        "sides 2
die sizes 6
the table has { zone box: dice, open }
to play { create die(size: 6) in table.box for first of sides  roll table.box  say \"{table.box}\"  finish with nobody }",
    )
    .play_with_results(&[3]);
    assert_eq!(table.new_said_texts(), ["d6:3"]);
}
