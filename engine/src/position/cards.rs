//! Cards in a position: by the ids of their sheets, with what is counted on them and what lies under them.

use super::PiecePosition;
use super::read::Reader;
use crate::codes;
use crate::problem::Problem;
use crate::program::{PrintedPiece, ZoneInfo};
use crate::sheet;
use crate::source::Span;
use crate::yaml::{Node, Value};
use std::collections::BTreeMap;

impl Reader<'_> {
    /// `[otter, {card: newt, id: n, worms: 2}]`, or `{otter: 2, newt: 1}`.
    pub(super) fn cards(&mut self, zone: &ZoneInfo, node: &Node) -> Vec<PiecePosition> {
        let program = self.program;
        // Any number may lie here, none as well.
        let zone = ZoneInfo { optional: true, ..zone.clone() };
        if let Value::Map(_) = &node.value {
            let pieces = sheet::listed_cards(program, &zone, node, self.problems);
            return pieces.into_iter().map(|piece| plain(piece, node.span)).collect();
        }
        let what = format!("`{}`", zone.name);
        let Some(list) = node.as_list(self.problems, &what) else { return Vec::new() };
        list.iter().filter_map(|node| self.card(&zone, node)).collect()
    }

    fn card(&mut self, zone: &ZoneInfo, node: &Node) -> Option<PiecePosition> {
        let Value::Map(entries) = &node.value else {
            return sheet::card(self.program, zone, node, self.problems).map(|piece| plain(piece, node.span));
        };
        let kind = &self.program.kinds[usize::from(zone.holds)];
        let mut found: Option<PiecePosition> = None;
        let mut fields = BTreeMap::new();
        let mut under = BTreeMap::new();
        let (mut id, mut owner, mut marks) = (None, None, 0);
        for (key, value) in entries {
            match key.name.as_str() {
                "card" => found = sheet::card(self.program, zone, value, self.problems).map(|piece| plain(piece, node.span)),
                "id" => id = self.id(value),
                "owner" => owner = self.owner(value),
                "marks" => marks = self.marks(value),
                name => match (0..).zip(&kind.zones).find(|(_, zone)| zone.name == name) {
                    Some((place, zone)) => {
                        under.insert(name, (place, self.cards(zone, value)));
                    }
                    None => fields.extend(self.field(key, value, zone.holds, None)),
                },
            }
        }
        if !entries.iter().any(|(key, _)| key.name == "card") {
            let problem = Problem::error(codes::YAML_MISSING_KEY, "it is not clear which card this is");
            self.problems.push(problem.at(node.span, "`card` is missing here").help("add `card: …` with the id of its sheet"));
        }
        let under = under.into_values().collect();
        found.map(|piece| PiecePosition { id, owner, marks, fields, under, ..piece })
    }
}

/// A piece of which nothing is said but what it is.
pub(super) fn plain(piece: PrintedPiece, span: Span) -> PiecePosition {
    PiecePosition { id: None, piece, value: None, owner: None, marks: 0, fields: BTreeMap::new(), under: Vec::new(), span }
}
