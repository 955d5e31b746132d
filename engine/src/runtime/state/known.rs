//! Seats' knowledge of hidden pieces.
//!
//! A seat knows a piece in a hidden place if it has seen it and could follow it since; `effect::reveal` keeps this up to date. A
//! piece in an open place is not listed here.

use crate::runtime::seats::Seats;
use crate::runtime::state::EntityId;
use serde::Serialize;

/// Known pieces in the order of their ids, each with all seats that know it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Knowledge(Vec<(EntityId, Seats)>);

impl Knowledge {
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of known pieces.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The index of a piece in the list, or the index where it would be.
    #[inline]
    fn piece_index(&self, piece: EntityId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&piece, |(known, _)| *known)
    }

    /// The seats that know a piece.
    #[inline]
    pub fn seats_knowing(&self, piece: EntityId) -> Seats {
        self.piece_index(piece).ok().and_then(|place| self.0.get(place)).map_or(Seats::default(), |(_, seats)| *seats)
    }

    /// Adds seats that know a piece.
    pub fn add_seats(&mut self, piece: EntityId, seats: Seats) {
        if seats == Seats::default() {
            return;
        }
        match self.piece_index(piece) {
            Ok(place) => {
                if let Some((_, known)) = self.0.get_mut(place) {
                    *known = known.union_with(seats);
                }
            }
            Err(place) => self.0.insert(place, (piece, seats)),
        }
    }

    /// Removes all knowledge of a piece.
    pub fn forget_piece(&mut self, piece: EntityId) {
        if let Ok(place) = self.piece_index(piece) {
            self.0.remove(place);
        }
    }

    /// Reduces the seats that know each piece to those that `keep` returns.
    pub fn retain_seats(&mut self, mut keep: impl FnMut(EntityId, Seats) -> Seats) {
        self.0.retain_mut(|(piece, seats)| {
            *seats = keep(*piece, *seats);
            *seats != Seats::default()
        });
    }
}
