//! Some of those at the table.

use crate::program::MOST_SEATS;
use serde::Serialize;

/// Some of the seats, and perhaps whoever only looks on, who comes behind the last side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Seats(u128);

// A bit for each side and one more.
const _: () = assert!(MOST_SEATS < 127);

impl Seats {
    /// So many sides, and who looks on.
    pub fn all(sides: usize) -> Seats {
        Seats((2 << sides) - 1)
    }

    pub fn only(seat: usize) -> Seats {
        Seats(1 << seat)
    }

    /// Those that are among others, too.
    pub fn and(self, others: Seats) -> Seats {
        Seats(self.0 & others.0)
    }

    /// They and others.
    pub fn or(self, others: Seats) -> Seats {
        Seats(self.0 | others.0)
    }

    /// Those of them that are not among others.
    pub fn without(self, others: Seats) -> Seats {
        Seats(self.0 & !others.0)
    }

    pub fn contains(self, seat: usize) -> bool {
        self.0 >> seat & 1 == 1
    }
}
