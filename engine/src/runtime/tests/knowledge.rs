//! What is said and shown to some only, and what seats know of hidden places.

use crate::runtime::state::Knowledge;
use crate::runtime::{Session, Setup, Viewer, ZoneView};
use crate::testing::{Table, game, setup};
use proptest::prelude::*;

const RULES: &str = r#"
sides 2 of 1 basket
sheet basket (baskets) { zone stock: fruits, seen by nobody, in order }
sheet fruit
piece fruit (fruits) from fruit { counter bites }
each side has {
  basket: basket = first of baskets, lending stock
  zone hand: fruits, seen by owner
  zone shelf: fruits, open
}
"#;

#[track_caller]
fn play(statements: &str) -> Table {
    let names = ["plum", "pear", "fig", "kiwi", "lime", "date"];
    let sheets: String =
        names.iter().map(|name| format!("  {name}: {{sheet: fruit, name: {}}}\n", name.to_uppercase())).collect();
    let setting = "let me = first of sides  let you = last of sides";
    let table = game(&format!("{RULES}\nto play {{ {setting} {statements} }}"))
        .sheet("fruits", &format!("sheets:\n{sheets}"))
        .sheet("one", &format!("sheet: basket\nname: One\nstock: [{}]\n", names.join(", ")))
        .play_with_sheets(&["one", "one"]);
    table.check();
    table
}

/// The texts that a viewer reads.
fn read(table: &Table, viewer: Viewer) -> Vec<String> {
    table.events.iter().filter_map(|event| event.seen_by(viewer)).map(|event| event.text.clone()).collect()
}

/// The sheets that a seat knows in a zone of the first side, with their places from the top.
fn known(table: &Table, seat: usize, zone: &str) -> Vec<(String, Option<usize>)> {
    match &table.session.view(Viewer::Seat(seat)).sides[0].zones[zone] {
        ZoneView::Hidden { known, .. } => {
            known.iter().map(|known| (known.piece.sheet.clone().unwrap_or_default(), known.from_top)).collect()
        }
        ZoneView::Seen(_) => panic!("the zone is seen"),
    }
}

#[test]
fn some_are_told_what_others_are_not() {
    let table = play("say \"a secret\" to you  say \"for both\" to sides  say \"for all\"");
    assert_eq!(read(&table, Viewer::Seat(1))[..3], ["a secret", "for both", "for all"]);
    assert_eq!(read(&table, Viewer::Seat(0))[..2], ["for both", "for all"]);
    assert_eq!(read(&table, Viewer::Spectator)[0], "for all");
}

#[test]
fn what_somebody_may_not_know_is_not_named() {
    let table = play(
        "let uppermost = last of me.stock  move uppermost to me.hand as drawn \"{me} draws {uppermost}\"
        say \"{uppermost} is drawn\"  say \"{uppermost}!\" to me  say \"{uppermost}?\" to sides
        move uppermost to me.shelf  say \"{uppermost} is played\"",
    );
    let told = ["One (1) draws DATE", "a fruit is drawn", "DATE!", "a fruit?", "DATE goes to shelf of One (1)", "DATE is played"];
    assert_eq!(read(&table, Viewer::Seat(0))[..6], told);
    assert_eq!(read(&table, Viewer::Seat(1))[..2], ["a fruit is drawn", "a fruit?"]);
}

#[test]
fn what_all_have_been_shown_is_named_to_all() {
    let table = play(
        "show top 1 of me.stock to you  say \"{last of me.stock}?\"  show top 1 of me.stock to me  say \"{last of me.stock}!\"",
    );
    assert_eq!(read(&table, Viewer::Spectator)[..2], ["a fruit?", "DATE!"]);
}

#[test]
fn a_field_of_a_piece_is_told_with_the_piece() {
    let table = play(
        "let plum = first of me.stock  if plum is none { stop }  set plum.bites to 2  move plum to me.shelf  set plum.bites to 3",
    );
    let told = ["PLUM goes to shelf of One (1)", "PLUM's bites is 3"];
    assert_eq!(read(&table, Viewer::Seat(0))[..2], told);
}

#[test]
fn what_is_shown_is_known_until_it_is_shuffled() {
    let shown = "show top 2 of me.stock to you";
    let table = play(shown);
    assert_eq!(known(&table, 1, "stock"), [("date".to_string(), Some(1)), ("lime".to_string(), Some(2))]);
    assert_eq!(known(&table, 0, "stock"), []);
    assert_eq!(read(&table, Viewer::Seat(1))[0], "One (2) sees DATE and LIME");
    assert!(read(&table, Viewer::Spectator).iter().all(|text| !text.contains("DATE")));
    assert_eq!(known(&play(&format!("{shown} shuffle me.stock")), 1, "stock"), []);
    // The topmost is known to be in the hand; what else goes there is not told from it.
    let drawn = format!("{shown} move top 1 of me.stock to me.hand");
    assert_eq!(known(&play(&drawn), 1, "hand"), [("date".to_string(), None)]);
    assert_eq!(known(&play(&drawn), 1, "stock"), [("lime".to_string(), Some(1))]);
    let back = format!("{drawn} move top 1 of me.stock to me.hand move first of me.hand to bottom of me.stock");
    assert_eq!((known(&play(&back), 1, "hand"), known(&play(&back), 1, "stock")), (vec![], vec![]));
}

#[test]
fn who_sees_a_piece_leave_knows_where_it_is() {
    let table = play("move last of me.stock to me.shelf  move me.shelf to bottom of me.stock");
    assert_eq!(known(&table, 1, "stock"), [("date".to_string(), Some(6))]);
    let imagined = |seed: u64| table.session.imagine(1, seed).view(Viewer::Trusted).sides[0].zones["stock"].clone();
    let sheet = |seed: u64, place: usize| match imagined(seed) {
        ZoneView::Seen(pieces) => pieces[place].sheet.clone().unwrap_or_default(),
        ZoneView::Hidden { .. } => String::new(),
    };
    assert!((0..20).all(|seed| sheet(seed, 0) == "date"));
    assert!((0..20).any(|seed| sheet(seed, 1) != sheet(0, 1)));
}

#[test]
fn wrong_listeners_are_told() {
    let told = |statements: &str| {
        let texts = game(&format!("{RULES}\nto play {{ {statements} }}"));
        texts.problems()
    };
    assert_eq!(told("say \"a\" to fruits")[0], "only sides can hear something, but this is a fruit");
    assert_eq!(told("show sides to sides")[0], "only pieces can be shown, but this is a side");
}

/// What the second side knows of the dice in the cup of the first, and what it has read of rolls there.
fn known_dice(statements: &str) -> (Vec<Option<i32>>, Vec<String>) {
    let rules = "sides 2\ndie sizes 6\neach side has { zone cup: dice, seen by owner  zone tray: dice, open }";
    let play = format!("let me = first of sides  repeat 2 times {{ create die(size: 6) in me.tray for me }}  {statements}");
    let table = game(&format!("{rules}\nto play {{ {play} }}")).play();
    table.check();
    let known = match &table.session.view(Viewer::Seat(1)).sides[0].zones["cup"] {
        ZoneView::Hidden { known, .. } => known.iter().map(|known| known.piece.value).collect(),
        ZoneView::Seen(_) => panic!("the cup is seen"),
    };
    (known, read(&table, Viewer::Seat(1)).into_iter().filter(|text| text.contains("shows") || text.contains("value")).collect())
}

#[test]
fn what_a_hidden_die_shows_is_known_until_it_shows_something_else() {
    let covered = "each die in me.tray { set die.value to 3 }  move me.tray to me.cup";
    assert_eq!(known_dice(covered).0, [Some(3), Some(3)]);
    let (known, read) = known_dice(&format!("{covered}  roll me.cup"));
    assert_eq!(known, []);
    assert_eq!(read.len(), 2, "of the two that lay open: {read:?}");
    let (known, read) =
        known_dice(&format!("{covered}  let one = first of me.cup  if one is none {{ stop }}  set one.value to 5"));
    assert_eq!((known, read.len()), (vec![Some(3)], 2));
}

/// What has become of dice in zones that all see, or some, or nobody, after statements that nobody watches: where each lies,
/// and what who knows.
fn followed(statements: &str) -> (Vec<Vec<u16>>, Knowledge) {
    let zones =
        "zone tray: dice, open  zone cup: dice, seen by owner  zone brow: dice, seen by all but owner  zone pit: dice, seen by nobody
        zone deck: dice, seen by nobody, in order";
    let play = format!(
        "let me = first of sides  let you = last of sides  repeat 3 times {{ create die(size: 6) in me.tray for me }}
        create die(size: 6) in me.pit for me  create die(size: 6) in me.pit for me  create die(size: 6) in you.deck for you  {statements}  finish with nobody"
    );
    let program = game(&format!("sides 2\ndie sizes 6\neach side has {{ {zones} }}\nto play {{ {play} }}")).program();
    let session = Session::start(program, &Setup { watched: false, ..setup(&[&[], &[]]) }).expect("play runs to its end");
    let state = &session.machine.state;
    ((0..state.board.zones.len() as i32).map(|zone| state.board.ordered_pieces(zone).to_vec()).collect(), state.known.clone())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_that_move_all_together_are_followed_as_if_each_had_moved_by_itself(
        steps in prop::collection::vec((0..10usize, prop_oneof![3 => (0..10usize).prop_map(Some), 1 => Just(None)], 0..5usize), 1..8),
    ) {
        let zone = |of: usize| format!("{}.{}", ["me", "you"][of / 5], ["tray", "cup", "brow", "pit", "deck"][of % 5]);
        let statements = |each: bool| {
            let step = |(from, to, shown): &(usize, Option<usize>, usize)| {
                let (from, to) = (zone(*from), zone(to.unwrap_or(*from)));
                let moved = match each {
                    true => format!("each die in {from} {{ if die in {from} {{ move die to {to} }} }}"),
                    false => format!("move {from} to {to}"),
                };
                // Sometimes one of the sides is shown what lies uppermost.
                match shown {
                    0 | 1 => format!("show top 1 of {from} to {}  {moved}", ["me", "you"][*shown]),
                    _ => moved,
                }
            };
            steps.iter().map(step).collect::<Vec<_>>().join("\n")
        };
        prop_assert_eq!(followed(&statements(false)), followed(&statements(true)), "{}", statements(false));
    }
}
