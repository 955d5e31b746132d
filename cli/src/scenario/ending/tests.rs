use super::compare::bracketed_list;
use super::*;
use crate::scenario::labels::Labels;
use ludex_engine::runtime::{PieceInZone, Under};
use ludex_engine::source::SourceId;

fn zone_of(text: &str) -> Vec<ExpectedPiece> {
    let (root, mut problems) = ludex_engine::yaml::parse_document(text, SourceId(0));
    let pieces = root.and_then(|root| pieces::read_pieces("it", &root, &mut problems)).unwrap_or_default();
    assert!(problems.is_empty(), "{problems:?}");
    pieces
}

fn found(id: usize, size: i32, value: i32) -> PieceInZone {
    let (size, value, owner) = (Some(size), Some(value), Some(0));
    PieceInZone { id, kind: "die".to_string(), size, value, owner, ..PieceInZone::default() }
}

#[test]
fn zones_hold_the_expected_pieces_in_any_order() {
    let labels = Labels::new([("a".to_string(), 1), ("b".to_string(), 2)].into());
    let lying = [found(1, 6, 3), found(2, 6, 5), found(7, 8, 5)];
    let same = |text: &str| pieces::are_same_pieces(&labels, &zone_of(text), &lying.iter().collect::<Vec<_>>());
    assert!(same("[a, b, 8]"));
    assert!(same("[8, b, a]"));
    assert!(same("[6, {id: a, value: 3}, {size: 8, owner: 0}]"));
    assert!(same("[6, 6, {value: 5, marks: []}]"));
    for text in ["[a, b]", "[a, b, 6]", "[a, b, 8, 8]", "[{id: a, value: 4}, b, 8]", "[a, b, {size: 8, owner: 1}]"] {
        assert!(!same(text), "{text}");
    }
}

#[test]
fn cards_are_told_by_their_sheets_and_what_lies_with_them() {
    let labels = Labels::new([("x".to_string(), 2)].into()).with_keys(&["otter", "otter#2", "newt"].map(str::to_string));
    let card = |id: usize, sheet: &str| {
        let sheet = Some(sheet.to_string());
        PieceInZone { id, kind: "card".to_string(), title: sheet.clone(), sheet, size: None, value: None, ..found(id, 0, 0) }
    };
    let mut bearer = card(0, "otter");
    bearer.fields = [("worms".to_string(), "2".to_string())].into();
    bearer.under = vec![Under::Seen { zone: "pocket".to_string(), piece: Box::new(card(2, "newt")) }];
    let lying = [&bearer, &card(1, "otter")];
    let same = |text: &str| pieces::are_same_pieces(&labels, &zone_of(text), &lying);
    for text in
        ["[otter, otter]", "{otter: 2}", "[{card: otter, worms: 2, pocket: [x]}, {id: otter#2}]", "[{pocket: [newt]}, otter]"]
    {
        assert!(same(text), "{text}");
    }
    for text in [
        "{otter: 1}",
        "[otter, newt]",
        "[{card: otter, worms: 3}, otter]",
        "[{pocket: []}, {pocket: [newt], worms: 1}]",
        "[x, otter]",
    ] {
        assert!(!same(text), "{text}");
    }
    assert_eq!(
        bracketed_list(zone_of("[{card: otter, worms: 2, pocket: [newt]}]").iter().map(ExpectedPiece::piece_text)),
        "[{card: otter, worms: 2, pocket: [newt]}]"
    );
}

#[test]
fn pieces_are_shown_as_they_are_written() {
    let text = "[a, 8, {id: a, size: 8, value: 3, owner: 0, marks: [wet]}]";
    assert_eq!(bracketed_list(zone_of(text).iter().map(ExpectedPiece::piece_text)), text);
}

#[test]
fn endings_are_read_with_their_places() {
    let text = "sides:\n  - counters: {score: 44, depth: 36.5}\n    used: {leap: 1}\n  -\ntable: {left: 3, box: [a]}\noutcome: {winner: 1}\n";
    let (root, mut problems) = ludex_engine::yaml::parse_document(text, SourceId(0));
    let ending = Ending::read(&root.unwrap(), "`then`", &mut problems).unwrap();
    assert_eq!(problems, []);
    assert_eq!(ending.sides[0].counters[1].1.value, "36.5");
    assert_eq!(ending.sides[0].used[0].1.value, 1);
    assert_eq!((ending.table.counters.len(), ending.table.zones.len()), (1, 1));
    assert_eq!(ending.outcome.unwrap().value, ExpectedOutcome::Winners(vec![1]));
}

#[test]
fn an_outcome_that_is_none_of_the_words_is_told() {
    let (root, mut problems) = ludex_engine::yaml::parse_document("outcome: won\n", SourceId(0));
    assert!(Ending::read(&root.unwrap(), "`then`", &mut problems).unwrap().outcome.is_none());
    assert_eq!(problems[0].message.to_string(), "`outcome` cannot be `won`");
}
