//! Interchangeable pieces: they are in the same place and equal in everything that the viewer sees, so that moves with any of
//! them are listed once. Also the details that distinguish pieces that only look alike. [`super::menu::Menu`] asks for both.

use ludex_engine::runtime::{Argument, OptionView, PieceInZone, View, ZoneView};
use std::collections::BTreeMap;

/// The pieces a viewer sees, by their number, each with its place. Their own numbers are removed, so that equal pieces compare
/// equal.
#[derive(Default)]
pub struct AlikePieces {
    pieces: BTreeMap<usize, (String, PieceInZone)>,
}

impl AlikePieces {
    /// The pieces in a view. Hidden ones cannot be compared, so they are not interchangeable.
    pub fn from_view(view: &View) -> AlikePieces {
        let own = view.sides.iter().flat_map(|side| {
            let each = side.each.iter().flat_map(move |entrant| {
                entrant.zones.iter().map(move |(name, zone)| (format!("{} of {}", name.replace('_', " "), entrant.name), zone))
            });
            let zones = side.zones.iter().map(move |(name, zone)| (format!("{} of {}", name.replace('_', " "), side.name), zone));
            each.chain(zones)
        });
        let table = view.table.zones.iter().map(|(name, zone)| (name.replace('_', " "), zone));
        let mut pieces = BTreeMap::new();
        for (place, zone) in own.chain(table) {
            let ZoneView::Seen(seen) = zone else { continue };
            for piece in seen {
                pieces.insert(piece.id, (place.clone(), PieceInZone { id: 0, number: None, ..piece.clone() }));
            }
        }
        AlikePieces { pieces }
    }

    /// Whether two moves do the same with interchangeable pieces.
    pub fn are_alike(&self, one: &OptionView, other: &OptionView) -> bool {
        one.action == other.action
            && one.ability == other.ability
            && one.args.len() == other.args.len()
            && one.args.iter().zip(&other.args).all(|(one, other)| self.are_alike_arguments(&one.1, &other.1))
    }

    fn are_alike_arguments(&self, one: &Argument, other: &Argument) -> bool {
        match (one, other) {
            (Argument::Piece(one), Argument::Piece(other)) => one.id == other.id || self.are_alike_pieces(one.id, other.id),
            (Argument::List(one), Argument::List(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| self.are_alike_arguments(one, other))
            }
            _ => one == other,
        }
    }

    /// Whether two pieces are both seen, in the same place and equal.
    fn are_alike_pieces(&self, one: usize, other: usize) -> bool {
        self.pieces.get(&one).is_some_and(|known| self.pieces.get(&other) == Some(known))
    }

    /// The place and the marks of each piece of a move, such as `hand of Ann, tapped`, to tell the move from one with the same
    /// text.
    pub fn piece_details(&self, option: &OptionView) -> Vec<String> {
        let pieces = option.args.iter().flat_map(|(_, argument)| argument.piece_numbers());
        let told = pieces.filter_map(|id| self.pieces.get(&id)).map(|(place, piece)| {
            let marks = piece.marks.iter().map(|mark| format!(", {}", mark.replace('_', " ")));
            format!("{place}{}", marks.collect::<String>())
        });
        told.collect()
    }
}
