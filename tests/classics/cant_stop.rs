//! Can't Stop: the odds of the commonest columns, and games beside a plain program that pairs the dice in its own way.

use super::games::table::Table;
use super::{compare, library};
use crate::support::ludex;
use std::collections::BTreeMap;

const SPACES: [u32; 13] = [0, 0, 3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3];

/// What four dice add up to in pairs, in three ways.
fn pairings(dice: [u32; 4]) -> [[usize; 2]; 3] {
    let total: u32 = dice.iter().sum();
    [1, 2, 3].map(|partner| {
        let sum = dice[0] + dice[partner];
        [sum.min(total - sum) as usize, sum.max(total - sum) as usize]
    })
}

#[derive(Default)]
struct Board {
    climbed: [[u32; 13]; 2],
    runners: BTreeMap<usize, u32>,
}

impl Board {
    /// A runner goes up in this column, if it can.
    fn climb(&mut self, side: usize, column: usize) -> bool {
        let is_won = self.climbed.iter().any(|climbed| climbed[column] == SPACES[column]);
        let has_room = self.runners.get(&column).map_or(self.runners.len() < 3, |space| *space < SPACES[column]);
        if is_won || !has_room {
            return false;
        }
        *self.runners.entry(column).or_insert(self.climbed[side][column]) += 1;
        true
    }

    /// What may be climbed with these dice: what Ludex calls it, and the runners that follow.
    fn ways(&self, side: usize, dice: [u32; 4]) -> BTreeMap<String, BTreeMap<usize, u32>> {
        let mut ways = BTreeMap::new();
        for pairing in pairings(dice) {
            let after = |columns: &[usize]| {
                let mut board = Board { climbed: self.climbed, runners: self.runners.clone() };
                let climbed = columns.iter().filter(|column| board.climb(side, **column)).count();
                (climbed, board.runners)
            };
            let [low, high] = pairing;
            let (climbed, runners) = after(&pairing);
            if climbed == 2 || climbed == 1 && low == high {
                ways.insert(format!("both({low}>{high})"), runners);
                continue;
            }
            for column in pairing {
                if let (1, runners) = after(&[column]) {
                    ways.insert(format!("one({column})"), runners);
                }
            }
        }
        ways
    }
}

fn play(table: &mut impl Table) -> u32 {
    let mut board = Board::default();
    for turn in 0.. {
        let side = turn % 2;
        loop {
            let dice = [0; 4].map(|_| table.roll(6));
            let mut ways: Vec<_> = board.ways(side, dice).into_iter().collect();
            if ways.is_empty() {
                board.runners.clear();
                break;
            }
            let chosen = table.choose_if_open(side, ways.len() as u32, |way| ways[way as usize].0.clone());
            board.runners = ways.swap_remove(chosen as usize).1;
            if table.choose(side, 2, |option| ["again", "rest"][option as usize].to_string()) == 1 {
                break;
            }
        }
        for (column, space) in std::mem::take(&mut board.runners) {
            board.climbed[side][column] = space;
        }
        if (2..13).filter(|column| board.climbed[side][*column] == SPACES[*column]).count() >= 3 {
            return 1 << side;
        }
    }
    unreachable!()
}

#[test]
fn cant_stop_is_the_same_in_plain_rust() {
    compare("cant-stop", &[], 2, 20, play);
}

#[test]
fn four_dice_make_a_six_seven_or_eight_in_1192_of_1296_cases() {
    let rolls = (0..1296).map(|roll| [roll % 6 + 1, roll / 6 % 6 + 1, roll / 36 % 6 + 1, roll / 216 + 1]);
    let found = rolls.filter(|dice| pairings(*dice).as_flattened().iter().any(|sum| (6..=8).contains(sum))).count();
    assert_eq!(found, 1192);
    let root = library().to_string_lossy().into_owned();
    let odds = ludex(&["odds", "cant-stop", "makes_any(4d6, [6, 7, 8])", "--library", &root]);
    assert!(odds.stdout.contains("149/162"), "{}{}", odds.stdout, odds.stderr);
    assert_eq!(149 * 1296 / 162, found);
}
