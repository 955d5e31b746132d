//! Pieces and where they lie: made, removed, shuffled, seen and hidden.

use crate::runtime::{Dice, Pending, Setup, Viewer, ZoneView};
use crate::testing::{Table, game, setup};
use std::collections::BTreeSet;

const DECKS: &str = r#"
sides 2
die sizes 4, 6, 8, 10, 12
each side has {
  zone deck: dice, seen by nobody, in order
  zone hand: dice, seen by owner
  zone bag: dice, open
}
piece die (dice) { home: zone of dice = place  worth: number }
to play {
  each side in sides {
    each size in [4, 6, 8, 10, 12] { create die(size: size, worth: size + 1) in side.deck for side }
  }
  WHAT
  let me = first of sides
  me may "Over?" as over
  finish with nobody
}
"#;

fn decks(what: &str) -> Table {
    game(&DECKS.replace("WHAT", what)).play()
}

/// The ids in a zone of a side, as a viewer sees them.
fn lies(table: &Table, viewer: Viewer, side: usize, zone: &str) -> Result<Vec<usize>, usize> {
    match &table.session.view(viewer).sides[side].zones[zone] {
        ZoneView::Seen(pieces) => Ok(pieces.iter().map(|piece| piece.id).collect()),
        ZoneView::Hidden { count, .. } => Err(*count),
    }
}

#[test]
fn pieces_are_made_with_their_fields() {
    let mut table = decks(
        "create die(size: 6, home: (last of sides).bag) in (first of sides).bag for last of sides as extra  say \"{extra.owner} {extra.home is (last of sides).bag} {extra.worth} {extra.value}\"",
    );
    let news = table.new_event_texts();
    assert_eq!(news[0], "created(0, deck by 0)");
    assert_eq!(news[10..12], ["created(10, bag by 1)", "said(side 1 yes 0 0)"]);
    assert_eq!(lies(&table, Viewer::Spectator, 0, "bag"), Ok(vec![10]));
    table.check();
}

#[test]
fn removed_pieces_are_gone_for_good() {
    let mut table = decks(
        "let s = first of sides
         let gone = last of s.deck
         say \"{count of dice}\"
         each die in s.deck where it.size = 12 { remove die }
         say \"{count of dice} {count of s.deck} {gone is none}\"
         each die in dice where it.place is not it.home { move die to die.home }
         say \"{count of s.deck}\"",
    );
    assert_eq!(table.new_said_texts(), ["10", "9 4 no", "4"]);
    table.check();
}

#[test]
fn a_removed_piece_cannot_be_moved_back() {
    let problem = game("sides 2\ndie sizes 6\neach side has { zone bag: dice, open }\nto play {\n  let s = first of sides\n  create die(size: 6) in s.bag for s as extra\n  remove extra\n  move extra to s.bag\n}").fault();
    assert_eq!(problem.message.to_string(), "a piece that was removed from the game cannot be moved");
}

#[test]
fn pieces_are_put_on_top_or_underneath() {
    let table = decks(
        "let s = first of sides  move (top 1 of s.deck) to bottom of s.deck  move (first of s.deck) to s.bag  move (top 2 of s.deck) to s.bag",
    );
    assert_eq!(lies(&table, Viewer::Trusted, 0, "bag"), Ok(vec![4, 3, 2]));
    assert_eq!(lies(&table, Viewer::Trusted, 0, "deck"), Ok(vec![0, 1]));
}

#[test]
fn shuffling_changes_the_order_and_nothing_else() {
    let orders: BTreeSet<Vec<usize>> = (0..20)
        .map(|seed| {
            let program = game(&DECKS.replace("WHAT", "let s = first of sides  shuffle s.deck")).program();
            let table = Table::new(&program, &Setup { seed: seed.into(), ..setup(&[&[], &[]]) });
            table.check();
            lies(&table, Viewer::Trusted, 0, "deck").expect("all is seen")
        })
        .collect();
    assert!(orders.len() > 15);
    assert!(orders.iter().all(|order| order.iter().collect::<BTreeSet<_>>().len() == 5));
    // By listed results, from the last place down.
    let program = game(&DECKS.replace("WHAT", "let s = first of sides  shuffle s.deck")).program();
    let table = Table::new(&program, &Setup { dice: Dice::Listed(vec![1, 1, 1, 1]), ..setup(&[&[], &[]]) });
    assert_eq!(lies(&table, Viewer::Trusted, 0, "deck"), Ok(vec![1, 2, 3, 4, 0]));
}

// --- who sees what --------------------------------------------------------------------

const DEAL: &str =
    "each side in sides { shuffle side.deck  move (top 2 of side.deck) to side.hand  move (top 1 of side.deck) to side.bag }";

#[test]
fn zones_show_what_they_say() {
    let table = decks(DEAL);
    for (viewer, seen) in [
        (Viewer::Seat(0), [true, false]),
        (Viewer::Seat(1), [false, true]),
        (Viewer::Spectator, [false, false]),
        (Viewer::Trusted, [true, true]),
    ] {
        for side in [0, 1] {
            assert_eq!(lies(&table, viewer, side, "hand").is_ok(), seen[side], "{viewer:?}");
            assert_eq!(lies(&table, viewer, side, "hand").map_or_else(|count| count, |ids| ids.len()), 2);
            assert_eq!(lies(&table, viewer, side, "deck").is_ok(), viewer == Viewer::Trusted);
            assert!(lies(&table, viewer, side, "bag").is_ok());
        }
    }
}

#[test]
fn an_imagined_session_keeps_what_a_seat_sees_and_deals_the_rest() {
    let table = decks(DEAL);
    let mut dealt = BTreeSet::new();
    for seed in 0..60 {
        let imagined = table.session.imagine(0, seed);
        assert_eq!(imagined.view(Viewer::Seat(0)), table.session.view(Viewer::Seat(0)));
        assert_eq!(imagined.verify_state(), Ok(()));
        let copy = Table { session: imagined, ..table.clone() };
        dealt.insert((
            lies(&copy, Viewer::Trusted, 1, "hand"),
            lies(&copy, Viewer::Trusted, 1, "deck"),
            lies(&copy, Viewer::Trusted, 0, "deck"),
        ));
    }
    assert!(dealt.len() > 20);
}

#[test]
fn what_is_imagined_does_not_depend_on_the_truth() {
    // Two deals that look the same to the first side.
    let deals: Vec<Table> = (0..400)
        .map(|seed| Table::new(&game(&DECKS.replace("WHAT", DEAL)).program(), &Setup { seed: seed.into(), ..setup(&[&[], &[]]) }))
        .collect();
    let looks = |table: &Table| format!("{:?}", table.session.view(Viewer::Seat(0)));
    let truth = |table: &Table| table.session.view(Viewer::Trusted);
    let (one, other) = deals
        .iter()
        .enumerate()
        .find_map(|(index, one)| {
            deals[index + 1..]
                .iter()
                .find(|other| looks(other) == looks(one) && truth(other) != truth(one))
                .map(|other| (one, other))
        })
        .expect("of so many deals two look alike");
    for seed in 0..20 {
        let (one, other) = (one.session.imagine(0, seed), other.session.imagine(0, seed));
        assert_eq!(one.view(Viewer::Trusted), other.view(Viewer::Trusted));
    }
}

#[test]
fn hidden_pieces_are_dealt_afresh_inside_scripts_too() {
    let rules = DECKS
        .replace("sides 2\n", "sides 2 of 1 hero\nsheet hero (heroes) { }\nhook begun()\n")
        .replace("WHAT", &format!("{DEAL}  open begun()"));
    let script = "//! ability peek \"Peek\"\n//! trigger looks at begun()\n//!   when me is first of sides\nfn looks(me) {\n  let n = choose_number(me, \"How many?\", 1, 2);\n  let other = me.foe;\n  move_to(choose(me, \"Which?\", me.hand), me.bag);\n  move_to(other.hand, other.bag);\n}\n";
    let mut table = game(&rules)
        .sheet("otter", "name: Otter\nabilities: [peek]\n")
        .script("peek", script)
        .play_with_sheets(&["otter", "otter"]);
    table.answer(0, "number(1)");
    let id = table.decision(0).id;
    let mut revealed = BTreeSet::new();
    for seed in 0..40 {
        let mut imagined = table.session.imagine(0, seed);
        imagined.choose(id, crate::runtime::Choice::Option(0)).expect("legal");
        assert!(matches!(imagined.pending(), Pending::Decisions(_)));
        assert_eq!(imagined.verify_state(), Ok(()));
        let copy = Table { session: imagined, ..table.clone() };
        revealed.insert(lies(&copy, Viewer::Trusted, 1, "bag"));
    }
    assert!(revealed.len() > 5, "{revealed:?}");
}

#[test]
fn an_imagined_session_deals_afresh_what_hidden_fields_refer_to() {
    let rules = DECKS
        .replace("each side has {", "each side has {\n  pocketed: die or none")
        .replace("WHAT", &format!("{DEAL}  let rival = (first of sides).foe  set rival.pocketed to first of rival.hand"))
        .replace("  finish with nobody", "  move (first of sides).foe.pocketed to (first of sides).foe.bag  finish with nobody");
    let table = game(&rules).play();
    let pocketed = |seed: u64| {
        let mut imagined = table.session.imagine(0, seed);
        assert_eq!(imagined.verify_state(), Ok(()));
        let held = lies(&Table { session: imagined.clone(), ..table.clone() }, Viewer::Trusted, 1, "hand").expect("trusted");
        let id = table.decision(0).id;
        imagined.choose(id, crate::runtime::Choice::Option(0)).expect("legal");
        let bag = lies(&Table { session: imagined, ..table.clone() }, Viewer::Trusted, 1, "bag").expect("trusted");
        assert_eq!(bag.last(), held.first(), "the first of the hand, whatever that is imagined to be");
        bag.last().copied()
    };
    assert!((0..40).map(pocketed).collect::<BTreeSet<_>>().len() > 2);
}

#[test]
fn a_list_in_a_field_says_how_many_it_can_hold() {
    let rules = "sides 2\ndie sizes 6\neach side has { picked: dice }\nto play { finish with nobody }";
    assert_eq!(crate::testing::game(rules).problems(), ["the largest size of `picked` is missing"]);
}
