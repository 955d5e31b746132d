//! Tic-tac-toe: a bit for each square, row by row.

use super::table::{Table, bit_of};

const LINES: [u64; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const SQUARES: u64 = 0o777;

/// Plays a game; the winners, each a bit.
pub fn play(table: &mut impl Table) -> u32 {
    let mut taken = [0u64; 2];
    let mut side = 0;
    loop {
        let free = SQUARES & !(taken[0] | taken[1]);
        if free == 0 {
            return 0b11;
        }
        let chosen = table.choose_if_open(side, free.count_ones(), |option| format!("claim({})", bit_of(free, option)));
        taken[side] |= 1 << bit_of(free, chosen);
        if LINES.iter().any(|line| taken[side] & line == *line) {
            return 1 << side;
        }
        side = 1 - side;
    }
}
