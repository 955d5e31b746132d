//! The pieces of a zone, as `then` writes them.
//!
//! A piece is a die, which has a size or custom faces, or a card, which has a sheet. An expected piece says only some of its
//! properties. The order of pieces in a zone is not compared.

use crate::scenario::labels::Labels;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::{PieceInZone, Under};
use ludex_engine::source::Span;
use ludex_engine::yaml::{Node, Value};

/// An expected piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ExpectedPiece {
    pub name: Option<String>,
    pub size: Option<i64>,
    /// The name of a die with custom faces.
    pub die: Option<String>,
    pub value: Option<i64>,
    pub owner: Option<i64>,
    pub marks: Option<Vec<String>>,
    /// The sheet of a card.
    pub card: Option<String>,
    /// Its counters and fields, in the words of the file.
    pub fields: Vec<(String, String)>,
    /// The contents of its zones.
    pub under: Vec<(String, Vec<ExpectedPiece>)>,
    /// Where the file has it.
    pub place: Option<Span>,
}

/// Reads the contents of a zone: a list, or cards with their numbers.
pub(super) fn read_pieces(name: &str, node: &Node, problems: &mut Vec<Problem>) -> Option<Vec<ExpectedPiece>> {
    if let Value::Map(entries) = &node.value {
        let mut found = Vec::new();
        for (key, node) in entries {
            let count = node.as_number(problems, &format!("the number of `{}`", key.name), 0..=1_000)?;
            let card = ExpectedPiece { card: Some(key.name.clone()), place: Some(key.span), ..ExpectedPiece::default() };
            found.extend((0..count).map(|_| card.clone()));
        }
        return Some(found);
    }
    let list = node.as_list(problems, &format!("`{name}`"))?;
    Some(list.iter().filter_map(|node| read_piece(node, problems)).collect())
}

/// Reads a name, the size of a die, or a map of properties.
fn read_piece(node: &Node, problems: &mut Vec<Problem>) -> Option<ExpectedPiece> {
    let place = Some(node.span);
    match &node.value {
        Value::Text(name) => Some(ExpectedPiece { name: Some(name.clone()), place, ..ExpectedPiece::default() }),
        Value::Number(size) => Some(ExpectedPiece { size: Some(*size), place, ..ExpectedPiece::default() }),
        _ => {
            let mut map = node.as_map(problems, "a piece")?;
            let name = map.optional_value("id").and_then(|node| match &node.value {
                Value::Number(number) => Some(number.to_string()),
                _ => node.as_text(problems, "`id`").map(str::to_string),
            });
            let mut number = |key| map.optional_value(key).and_then(|node| node.as_number(problems, key, i64::MIN..=i64::MAX));
            let (size, value, owner) = (number("size"), number("value"), number("owner"));
            let die = map.optional_value("die").and_then(|node| node.as_text(problems, "`die`")).map(str::to_string);
            let card = map.optional_value("card").and_then(|node| node.as_text(problems, "`card`")).map(str::to_string);
            let marks = map.optional_value("marks").and_then(|node| node.as_list(problems, "`marks`"));
            let marks =
                marks.map(|list| list.iter().filter_map(|node| node.as_text(problems, "a mark")).map(str::to_string).collect());
            let mut piece = ExpectedPiece { name, size, die, value, owner, marks, card, place, ..ExpectedPiece::default() };
            // Only a card has counters, fields and zones of its own.
            if piece.size.is_none() && piece.die.is_none() {
                for (key, node) in map.take_rest() {
                    match &node.value {
                        Value::List(_) | Value::Map(_) => {
                            piece.under.extend(read_pieces(&key.name, node, problems).map(|found| (key.name.clone(), found)));
                        }
                        Value::Number(number) => piece.fields.push((key.name.clone(), number.to_string())),
                        Value::Flag(flag) => piece.fields.push((key.name.clone(), if *flag { "yes" } else { "no" }.to_string())),
                        _ => {
                            let words = node.as_text(problems, &format!("`{}`", key.name)).map(|words| words.replace('_', " "));
                            piece.fields.extend(words.map(|words| (key.name.clone(), words)));
                        }
                    }
                }
            }
            map.finish(problems);
            Some(piece)
        }
    }
}

/// Whether expected and found pieces can be paired one to one, in any order.
pub(super) fn are_same_pieces(labels: &Labels, expected: &[ExpectedPiece], found: &[&PieceInZone]) -> bool {
    let mut taken_by = vec![None; found.len()];
    let finds_one = |place| assign_piece(labels, place, expected, found, &mut taken_by, &mut vec![false; found.len()]);
    expected.len() == found.len() && (0..expected.len()).all(finds_one)
}

/// Finds a piece for the expected one at `place`. A piece that is taken may be reassigned for it. This is a search for an
/// augmenting path, as in matching of bipartite graphs. `taken_by` has the expected piece of each found one, and `tried` the
/// found ones already considered in this search.
fn assign_piece(
    labels: &Labels,
    place: usize,
    expected: &[ExpectedPiece],
    found: &[&PieceInZone],
    taken_by: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for (number, piece) in found.iter().enumerate() {
        if tried[number] || !expected[place].matches_piece(labels, piece) {
            continue;
        }
        tried[number] = true;
        if taken_by[number].is_none_or(|other| assign_piece(labels, other, expected, found, taken_by, tried)) {
            taken_by[number] = Some(place);
            return true;
        }
    }
    false
}

impl ExpectedPiece {
    /// Whether a found piece has all properties that are expected.
    fn matches_piece(&self, labels: &Labels, found: &PieceInZone) -> bool {
        let same = |expected: Option<i64>, found: Option<i64>| expected.is_none() || expected == found;
        // Pieces made by the rules are named by their kind.
        let is_made = found.sheet.is_none() && found.size.is_none();
        let is_card = |card: &String| found.sheet.as_ref() == Some(card) || is_made && found.kind == *card;
        let is_called = |die: &str| found.title.is_some() && found.sheet.is_none() && found.kind == die;
        // The id of a sheet matches any card of it.
        let is_named = |name: &String| match labels.piece_by_word(name) {
            Some(id) if id == found.id => true,
            _ if labels.is_piece_name(name) => false,
            _ => is_called(name) || is_card(name),
        };
        // A size alone means a die with faces from 1 to its size.
        let plain = self.size.is_none() || self.die.is_some() || found.title.is_none();
        plain
            && self.name.as_ref().is_none_or(is_named)
            && self.die.as_ref().is_none_or(|die| is_called(die))
            && self.card.as_ref().is_none_or(is_card)
            && same(self.size, found.size.map(i64::from))
            && same(self.value, found.value.map(i64::from))
            && same(self.owner, found.owner.map(|owner| owner as i64))
            && self.marks.as_ref().is_none_or(|marks| *marks == found.marks)
            && self.fields.iter().all(|(name, words)| found.fields.get(name) == Some(words))
            && self.under.iter().all(|(zone, pieces)| self::are_same_pieces(labels, pieces, &pieces_under(found, zone)))
    }

    /// A found piece as messages show it, with the marks and fields that some expected pieces have.
    pub fn from_found(labels: &Labels, piece: &PieceInZone, expected: &[ExpectedPiece]) -> ExpectedPiece {
        let is_asked = |name: &String| expected.iter().any(|expected| expected.fields.iter().any(|(asked, _)| asked == name));
        let fields = piece.fields.iter().filter(|(name, _)| is_asked(name));
        ExpectedPiece {
            name: Some(labels.piece_name(piece.id)),
            size: piece.size.filter(|_| piece.title.is_none()).map(i64::from),
            // A die with custom faces. Cards have titles, too.
            die: (piece.title.is_some() && piece.size.is_some()).then(|| piece.kind.clone()),
            value: piece.value.map(i64::from),
            marks: expected.iter().any(|expected| expected.marks.is_some()).then(|| piece.marks.clone()),
            fields: fields.map(|(name, words)| (name.clone(), words.clone())).collect(),
            ..ExpectedPiece::default()
        }
    }

    /// Formats the piece: `a`, `8`, or `{id: a, size: 8, value: 3}`.
    pub fn piece_text(&self) -> String {
        let number = |key: &str, number: Option<i64>| number.map(|number| format!("{key}: {number}"));
        let mut parts: Vec<String> = [
            self.name.as_ref().map(|name| format!("id: {name}")),
            number("size", self.size),
            self.die.as_ref().map(|die| format!("die: {die}")),
            self.card.as_ref().map(|card| format!("card: {card}")),
            number("value", self.value),
            number("owner", self.owner),
            self.marks.as_ref().map(|marks| format!("marks: [{}]", marks.join(", "))),
        ]
        .into_iter()
        .flatten()
        .collect();
        parts.extend(self.fields.iter().map(|(name, words)| format!("{name}: {words}")));
        parts.extend(self.under.iter().map(|(zone, pieces)| {
            let pieces: Vec<String> = pieces.iter().map(ExpectedPiece::piece_text).collect();
            format!("{zone}: [{}]", pieces.join(", "))
        }));
        match (self, parts.as_slice()) {
            (ExpectedPiece { name: Some(name), .. } | ExpectedPiece { card: Some(name), .. }, [_]) => name.clone(),
            (ExpectedPiece { size: Some(size), .. }, [_]) => size.to_string(),
            (_, parts) => format!("{{{}}}", parts.join(", ")),
        }
    }
}

/// The contents of one of a piece's zones.
fn pieces_under<'p>(piece: &'p PieceInZone, wanted: &str) -> Vec<&'p PieceInZone> {
    let seen = |under: &'p Under| match under {
        Under::Seen { zone, piece } if zone == wanted => Some(piece.as_ref()),
        _ => None,
    };
    piece.under.iter().filter_map(seen).collect()
}
