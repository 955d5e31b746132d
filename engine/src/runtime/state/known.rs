//! Seats' knowledge of hidden pieces.

use crate::runtime::seats::Seats;
use crate::runtime::state::EntityId;
use serde::Serialize;

/// Known pieces in the order of their ids, each with all seats that know it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Known(Vec<(EntityId, Seats)>);

impl Known {
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

    #[inline]
    fn place(&self, piece: EntityId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&piece, |(known, _)| *known)
    }

    /// The seats that know a piece.
    #[inline]
    pub fn by(&self, piece: EntityId) -> Seats {
        self.place(piece).ok().and_then(|place| self.0.get(place)).map_or(Seats::default(), |(_, seats)| *seats)
    }

    /// Adds seats that know a piece.
    pub fn learn(&mut self, piece: EntityId, seats: Seats) {
        if seats == Seats::default() {
            return;
        }
        match self.place(piece) {
            Ok(place) => {
                if let Some((_, known)) = self.0.get_mut(place) {
                    *known = known.or(seats);
                }
            }
            Err(place) => self.0.insert(place, (piece, seats)),
        }
    }

    /// Removes all knowledge of a piece.
    pub fn forget(&mut self, piece: EntityId) {
        if let Ok(place) = self.place(piece) {
            self.0.remove(place);
        }
    }

    /// Reduces the seats that know each piece to those that `keep` returns.
    pub fn retain(&mut self, mut keep: impl FnMut(EntityId, Seats) -> Seats) {
        self.0.retain_mut(|(piece, seats)| {
            *seats = keep(*piece, *seats);
            *seats != Seats::default()
        });
    }
}
