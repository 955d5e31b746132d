//! Sets of seats.
//!
//! Knowledge of pieces and taint are sets of seats. The spectator has the number after the last side; the referee, whose seat has
//! that number, sees the same.

use ludex_program::MOST_SEATS;
use serde::Serialize;

/// A set of seats. The spectator may be in it, too, as the seat after the last side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Seats(u128);

// A bit for each side and one more.
const _: () = assert!(MOST_SEATS < 127);

impl Seats {
    /// All sides and the spectator.
    pub fn for_everyone(sides: usize) -> Seats {
        Seats((2 << sides) - 1)
    }

    /// The set of one seat.
    pub fn for_seat(seat: usize) -> Seats {
        Seats(1 << seat)
    }

    /// The intersection with another set.
    pub fn intersect_with(self, others: Seats) -> Seats {
        Seats(self.0 & others.0)
    }

    /// The union with another set.
    pub fn union_with(self, others: Seats) -> Seats {
        Seats(self.0 | others.0)
    }

    /// The seats that are not in another set.
    pub fn without(self, others: Seats) -> Seats {
        Seats(self.0 & !others.0)
    }

    /// Whether a seat is in the set; false for a seat that does not exist.
    pub fn contains(self, seat: usize) -> bool {
        u32::try_from(seat).ok().and_then(|seat| self.0.checked_shr(seat)).is_some_and(|from| from & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_that_there_is_not_is_among_nobody() {
        let all = Seats::for_everyone(2);
        assert_eq!([0, 2, 3, 127, 128, usize::MAX].map(|seat| all.contains(seat)), [true, true, false, false, false, false]);
    }
}
