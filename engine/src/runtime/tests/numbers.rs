//! Under which numbers pieces go: a number does not tell which copy comes back from a shuffle.

use crate::json;
use crate::runtime::{EventKind, Session, SessionOptions, Setup, Viewer, ZoneView};
use crate::testing::{Table, game, setup};
use std::collections::BTreeSet;
use std::sync::Arc;

const NUTS: &str = r#"
sides 2 of 1 squirrel
sheet squirrel (squirrels) { zone stock: nuts, seen by nobody, in order }
sheet nut { weight: number = 1 in 1..9 }
piece nut (nuts) from nut
each side has {
  squirrel: squirrel = first of squirrels, lending stock
  zone hand: nuts, seen by owner
  zone field: nuts, open, out of play
}
family deed(active: side) {}
action lay(nuts: 1 to 2 in active.hand) is deed says "lay {nuts}" do { move nuts to active.field }
to play {
  let me = first of sides
  let rival = last of sides
  WHAT
}
"#;

fn table(what: &str, seed: u64, renumbers: bool) -> Table {
    let program = game(&NUTS.replace("WHAT", what))
        .sheet("nuts", "sheets:\n  acorn: {sheet: nut, name: Acorn}\n  walnut: {sheet: nut, name: Walnut, weight: 5}\n")
        .sheet("red", "sheet: squirrel\nname: Red\nstock: {acorn: 5, walnut: 2}\n")
        .sheet("grey", "sheet: squirrel\nname: Grey\nstock: {acorn: 4}\n")
        .program();
    started(&program, seed, renumbers)
}

fn started(program: &Arc<ludex_program::Program>, seed: u64, renumbers: bool) -> Table {
    let setup = Setup { seed: seed.into(), ..setup(&[&["red"], &["grey"]]) };
    let options = SessionOptions { stops_at_forced: true, renumbers, ..SessionOptions::default() };
    let mut session = Session::start_with(program.clone(), &setup, options).unwrap();
    let events = session.take_events();
    Table { session, events, told: 0, answers: Vec::new() }
}

/// The numbers of the pieces that the first side sees moving, in order.
fn numbers_seen(table: &Table) -> Vec<usize> {
    let seen = table.events.iter().filter_map(|event| event.seen_by(Viewer::Seat(0)));
    let moved = seen.filter_map(|event| match &event.kind {
        EventKind::Moved { piece, .. } => Some(piece.id),
        _ => None,
    });
    moved.collect()
}

fn hand(table: &Table, side: usize) -> Vec<(usize, String)> {
    let ZoneView::Seen(pieces) = &table.session.view(Viewer::Seat(side)).sides[side].zones["hand"] else {
        panic!("a hand is seen by its owner")
    };
    pieces.iter().map(|piece| (piece.id, piece.sheet.clone().unwrap_or_default())).collect()
}

/// The rival shows one copy, shuffles it into the stock, and shows WHICH. How often that has the same number.
fn same_number(which: &str, renumbers: bool) -> usize {
    let what = "
        shuffle rival.stock
        move top 1 of rival.stock to rival.hand
        let kept = first of rival.hand
        move top 1 of rival.stock to rival.field
        let seen = first of rival.field
        move seen to rival.stock
        shuffle rival.stock
        move WHICH to rival.field
        finish with nobody";
    let program = table(&what.replace("WHICH", which), 0, renumbers).session.program().clone();
    let is_same = |seed: &u64| {
        let table = started(&program, *seed, renumbers);
        table.check();
        let seen = numbers_seen(&table);
        seen.first() == seen.last()
    };
    (0..1_000).filter(is_same).count()
}

#[test]
fn whether_a_copy_comes_back_or_another_cannot_be_told_by_its_number() {
    assert_eq!((same_number("seen", false), same_number("kept", false)), (1_000, 0), "numbers that are kept tell it");
    for which in ["seen", "kept"] {
        let same = same_number(which, true);
        assert!((200..300).contains(&same), "with four copies a quarter has the same number, not {same} for `{which}`");
    }
}

/// Five acorns and two walnuts, some in the hand, shuffled often; the first side is asked.
fn shuffled(seed: u64) -> Table {
    let what = "
        shuffle me.stock
        move top 4 of me.stock to me.hand
        repeat 3 times { shuffle me.stock }
        me must choose deed as chosen else { stop }
        do chosen
        finish with nobody";
    table(what, seed, true)
}

#[test]
fn copies_exchange_numbers_among_each_other_and_with_nothing_else() {
    let mut firsts = BTreeSet::new();
    for seed in 0..40 {
        let table = shuffled(seed);
        table.check();
        for (number, sheet) in hand(&table, 0) {
            let made = if number < 5 { "acorn" } else { "walnut" };
            assert_eq!((sheet.as_str(), number < 7), (made, true), "the numbers of the first seven are those of the first stock");
            firsts.insert(number);
        }
    }
    assert_eq!(firsts, (0..7).collect(), "every number comes up");
}

#[test]
fn keys_views_and_events_call_a_piece_by_the_same_number() {
    for seed in 0..20 {
        let asked = shuffled(seed);
        let decision = asked.decision(0);
        let options = asked.session.options(decision.id, 0, decision.count);
        for option in &options {
            let mut table = asked.clone();
            table.answer(0, &option.key);
            let laid: Vec<usize> = option.args.iter().flat_map(|(_, argument)| argument.piece_numbers()).collect();
            let moved: Vec<usize> = table.events[asked.events.len()..]
                .iter()
                .filter_map(|event| match &event.kind {
                    EventKind::Moved { piece, .. } => Some(piece.id),
                    _ => None,
                })
                .collect();
            assert_eq!(moved, laid, "`{}` lays what it says", option.key);
            assert!(laid.is_sorted(), "pieces come in the order of their numbers, which tells nothing else");
            let left: Vec<usize> = hand(&table, 0).into_iter().map(|(number, _)| number).collect();
            assert!(laid.iter().all(|number| !left.contains(number)));
            table.check();
        }
        let numbers: Vec<usize> = hand(&asked, 0).into_iter().map(|(number, _)| number).collect();
        for number in 0..11 {
            let found = asked.session.find_choice(decision.id, &format!("lay({number})"));
            assert_eq!(found.is_ok(), numbers.contains(&number), "`lay({number})` with {numbers:?}");
            assert_eq!(asked.session.can_see(0, number), numbers.contains(&number));
        }
    }
}

#[test]
fn what_all_can_see_keeps_its_number() {
    let what = "
        move (top 2 of me.stock) to me.field
        shuffle me.stock
        shuffle me.field
        me must choose deed as chosen else { stop }
        finish with nobody";
    for seed in 0..10 {
        let table = table(what, seed, true);
        let ZoneView::Seen(pieces) = table.session.view(Viewer::Spectator).sides[0].zones["field"].clone() else {
            panic!("the field is open")
        };
        let numbers: BTreeSet<usize> = pieces.iter().map(|piece| piece.id).collect();
        let moved: BTreeSet<usize> = numbers_seen(&table).into_iter().collect();
        assert_eq!(numbers, moved);
    }
}

/// A world that agrees with all a seat has seen goes on like the one that is: what is exchanged depends on chance alone.
#[test]
fn in_another_world_the_same_chance_gives_the_same_numbers() {
    let what = "
        shuffle me.stock
        shuffle rival.stock
        move top 3 of me.stock to me.hand
        move top 2 of rival.stock to rival.hand
        me may \"Go on?\" as go
        repeat 2 times { shuffle rival.stock }
        shuffle me.stock
        me must choose deed as chosen else { stop }
        finish with nobody";
    for seed in 0..20 {
        let table = table(what, seed, true);
        for world in 0..5 {
            let mut other = table.clone();
            other.session = table.session.imagine(0, world);
            other.session.start_watching();
            let mut one = table.clone();
            one.session.reseed(seed);
            other.session.reseed(seed);
            let seen = |mut table: Table| {
                table.answer(0, "yes");
                let decision = table.decision(0);
                let view = json::view_json(&table.session.view(Viewer::Seat(0))).to_string();
                (view, table.session.options(decision.id, 0, decision.count))
            };
            assert_eq!(seen(one), seen(other));
        }
    }
}

/// Nothing is counted beyond the highest number, or between numbers that are further apart than there are numbers.
#[test]
fn ranges_end_where_numbers_end() {
    let rules = "sides 2\nto play { say \"{count of (2147483646..2147483647)} {count of (2000000000..-2000000000)} \
         {all of (2147483646..2147483647) has it > 0} {any of (2147483646..2147483647) has it < 0} \
         {none of (2000000000..-2000000000) has it > 0} {count of ((2147483647..2147483647) where it > 0)}\" finish with nobody }";
    assert_eq!(game(rules).play().new_said_texts(), ["2 0 yes no yes 1"]);
}
