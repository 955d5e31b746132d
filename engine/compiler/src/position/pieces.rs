//! The pieces of a zone in a position: dice, cards and other pieces, each with its counters, its marks and the pieces in its
//! own zones.
//!
//! A card is printed on a sheet and named by its id; a die is named by its size; other pieces by the name of their kind. A plain
//! piece has nothing but that.

use super::PiecePosition;
use super::read::PositionReader;
use crate::field::is_plain_shape;
use crate::sheet::{self, read_die, read_die_with_faces, read_plain_die};
use ludex_program::{FieldInfo, PIECE_SHEET, PrintedPiece, ZoneInfo};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, nearest_word, with_article};
use ludex_syntax::source::Span;
use ludex_syntax::yaml::{Key, Node, Value};
use std::collections::BTreeMap;

impl PositionReader<'_> {
    /// Reads `[otter, {card: newt, id: n, worms: 2}]`, `[6, {size: 8, value: 3}]` or `[frog, {frog: 3}]`. For cards and
    /// pieces of the rules, also their counts: `{otter: 2, newt: 1}`.
    pub(super) fn read_pieces(&mut self, zone: &ZoneInfo, node: &Node) -> Vec<PiecePosition> {
        let program = self.program;
        // Any number of pieces is allowed here, even none.
        let zone = ZoneInfo { optional: true, ..zone.clone() };
        if let Value::Map(entries) = &node.value {
            if program.is_printed(zone.holds) {
                let pieces = sheet::listed_cards(program, &zone, node, self.problems);
                return pieces.into_iter().map(|piece| plain_piece(piece, node.span)).collect();
            }
            if !program.is_die(zone.holds) {
                return self.read_counts(&zone, entries);
            }
        }
        let what = format!("`{}`", zone.name);
        let Some(list) = node.as_list(self.problems, &what) else { return Vec::new() };
        list.iter().filter_map(|node| self.read_piece(&zone, node)).collect()
    }

    /// Reads `{frog: 3}`: the number of pieces without further properties.
    fn read_counts(&mut self, zone: &ZoneInfo, entries: &[(Key, Node)]) -> Vec<PiecePosition> {
        let mut found = Vec::new();
        for (key, node) in entries {
            let Some(piece) = self.piece_by_kind_name(zone, &key.name, key.span) else { continue };
            let most = sheet::MOST_CARDS as i64;
            let count = node.as_number(self.problems, &format!("the number of `{}`", key.name), 0..=most).unwrap_or(0);
            if count > 0 {
                let piece = self.check_piece_fields(plain_piece(piece, key.span));
                found.extend((0..count).map(|_| piece.clone()));
            }
        }
        found
    }

    /// Reads one piece of a list.
    fn read_piece(&mut self, zone: &ZoneInfo, node: &Node) -> Option<PiecePosition> {
        match &node.value {
            Value::Map(entries) => self.read_described_piece(zone, entries, node),
            _ => self.read_plain_piece(zone, node).map(|piece| self.check_piece_fields(plain_piece(piece, node.span))),
        }
    }

    /// Reads a piece without further properties: the id of a sheet, the size of a die, or the name of a kind.
    fn read_plain_piece(&mut self, zone: &ZoneInfo, node: &Node) -> Option<PrintedPiece> {
        let program = self.program;
        if program.is_printed(zone.holds) {
            return sheet::read_card_id(program, zone, node, self.problems);
        }
        if program.is_die(zone.holds) {
            return read_die(node, &format!("`{}`", zone.name), program, self.problems);
        }
        let kind = &program.kind(zone.holds).name;
        let name = node.as_text(self.problems, &with_article(kind))?.to_string();
        self.piece_by_kind_name(zone, &name, node.span)
    }

    /// A piece created by rules, by the name of its kind.
    fn piece_by_kind_name(&mut self, zone: &ZoneInfo, name: &str, span: Span) -> Option<PrintedPiece> {
        let kind = &self.program.kind(zone.holds);
        if name == kind.name {
            return Some(PrintedPiece { kind: zone.holds, size: 0, print: None, marks: 0 });
        }
        let message = format!("`{}` holds {}, but `{name}` is not one of them", zone.name, kind.plural);
        let problem = Problem::error(codes::PIECE_KIND, message).with_label(span, "another kind");
        let with = kind
            .fields
            .iter()
            .rev()
            .find(|field| field.name != "owner")
            .map_or("id: a".to_string(), |field| format!("{}: …", field.name));
        self.problems.push(problem.help(format!("write `{}`, or `{{{with}}}` if it has other properties", kind.name)));
        None
    }

    /// Reads a piece with further properties.
    fn read_described_piece(&mut self, zone: &ZoneInfo, entries: &[(Key, Node)], node: &Node) -> Option<PiecePosition> {
        let program = self.program;
        let kind = &program.kinds[usize::from(zone.holds)];
        let (is_card, is_die) = (program.is_printed(zone.holds), program.is_die(zone.holds));
        let mut found = match (is_card, is_die) {
            (false, false) => self.piece_by_kind_name(zone, &kind.name, node.span),
            _ => None,
        };
        let what = format!("`{}`", zone.name);
        let own: &[&str] = match (is_card, is_die) {
            (true, _) => &["card"],
            (_, true) => &["size", "die", "value"],
            _ => &[],
        };
        let zones = kind.zones.iter().map(|zone| zone.name.as_str());
        let also: Vec<&str> = own.iter().copied().chain(["id", "owner", "marks"]).chain(zones).collect();
        let (mut fields, mut under) = (BTreeMap::new(), BTreeMap::new());
        let (mut id, mut owner, mut marks, mut value) = (None, None, 0, None);
        for (key, node) in entries {
            match key.name.as_str() {
                "card" if is_card => found = sheet::read_card_id(program, zone, node, self.problems),
                "size" if is_die => found = read_plain_die(node, &what, program, self.problems),
                "die" if is_die => found = read_die_with_faces(node, program, self.problems),
                "value" if is_die => value = Some(node),
                "id" => id = self.read_id(node),
                "owner" => owner = self.read_owner(node, zone.holds),
                "marks" => marks = self.read_marks(node),
                name => match (0..).zip(&kind.zones).find(|(_, zone)| zone.name == name) {
                    Some((place, zone)) => {
                        under.insert(name, (place, self.read_pieces(zone, node)));
                    }
                    None => fields.extend(self.read_field(key, node, zone.holds, None, &also)),
                },
            }
        }
        let says = |wanted: &[&str]| entries.iter().any(|(key, _)| wanted.contains(&key.name.as_str()));
        let unclear = match (is_card, is_die) {
            (true, _) if !says(&["card"]) => Some(("card", "card", "with the id of its sheet")),
            (_, true) if !says(&["size", "die"]) => Some(("die", "size", "with its number of sides")),
            _ => None,
        };
        let is_near =
            |(key, _): &(Key, Node)| !also.contains(&key.name.as_str()) && nearest_word(&key.name, own.iter().copied()).is_some();
        // If a similar key was reported as unknown, the missing one is not reported.
        if let Some((thing, key, with)) = unclear.filter(|_| !entries.iter().any(is_near)) {
            let problem = Problem::error(codes::YAML_MISSING_KEY, format!("it is not clear which {thing} this is"));
            self.problems
                .push(problem.with_label(node.span, format!("`{key}` is missing here")).help(format!("add `{key}: …` {with}")));
        }
        let value = value.and_then(|value| self.read_shown_value(value, found));
        let under = under.into_values().collect();
        Some(self.check_piece_fields(PiecePosition { id, owner, marks, value, fields, under, ..plain_piece(found?, node.span) }))
    }

    /// Checks that a piece has a value for each field without a first value.
    fn check_piece_fields(&mut self, piece: PiecePosition) -> PiecePosition {
        let kind = self.program.kind(piece.piece.kind);
        let begins = |field: u16| {
            self.program.defaults.iter().any(|(of, with, _)| *with == field && self.program.is_kind(piece.piece.kind, *of))
        };
        let is_card = self.program.is_printed(piece.piece.kind);
        let is_open = |(index, field): &(u16, &FieldInfo)| {
            let is_known = field.name.is_empty() || field.shape.has_first_value() || is_card && *index == PIECE_SHEET;
            !is_known && !begins(*index) && !piece.fields.contains_key(index)
        };
        if let Some((_, field)) = (0..).zip(&kind.fields).find(is_open) {
            let message = format!("the `{}` of this {} is missing", field.name, kind.name);
            let problem = Problem::error(codes::MISSING_VALUE, message).with_label(piece.span, "here");
            self.problems.push(match is_plain_shape(self.program, &field.shape) {
                true => problem.help(format!("write `{{{}: …}}`", field.name)),
                false => {
                    problem.help("a position cannot set it: give the field a first value in the rules, or let it be `or none`")
                }
            });
        }
        piece
    }
}

/// A piece without further properties.
fn plain_piece(piece: PrintedPiece, span: Span) -> PiecePosition {
    PiecePosition { id: None, piece, value: None, owner: None, marks: 0, fields: BTreeMap::new(), under: Vec::new(), span }
}
