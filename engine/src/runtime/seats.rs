//! Some of those at the table.

use crate::program::MOST_SEATS;

/// Some of the seats, and perhaps whoever only looks on, who comes behind the last side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

    /// Those of them that are not among others.
    pub fn without(self, others: Seats) -> Seats {
        Seats(self.0 & !others.0)
    }

    pub fn contains(self, seat: usize) -> bool {
        self.0 >> seat & 1 == 1
    }

    /// One after the other, from the first on.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let seat = left.trailing_zeros() as usize;
            (left != 0).then(|| {
                left &= left - 1;
                seat
            })
        })
    }
}
