//! Pig: roll as often as you like, but a 1 loses what the turn was worth.

use super::table::Table;

const GOAL: u32 = 100;
const MOST_ROUNDS: u32 = 1_000;
const MOST_ROLLS: u32 = 100;

/// Plays a game; the winners, each a bit.
pub fn play(table: &mut impl Table) -> u32 {
    let mut points = [0; 2];
    for _ in 0..MOST_ROUNDS {
        for side in 0..2 {
            points[side] += turn(side, table);
            if points[side] >= GOAL {
                return 1 << side;
            }
        }
    }
    0
}

fn turn(side: usize, table: &mut impl Table) -> u32 {
    let mut pot = 0;
    for _ in 0..MOST_ROLLS {
        let shown = table.roll(6);
        if shown == 1 {
            return 0;
        }
        pot += shown;
        if table.choose(side, 2, |option| ["again", "hold"][option as usize].to_string()) == 1 {
            break;
        }
    }
    pot
}
