//! Tic-tac-toe and four in a row: how many games there are, and how many ways to begin one.
//!
//! In both, what is on the board is all there is to know. So Ludex goes on from each board once, however it came about.

use super::{program, started};
use ludex_engine::runtime::{Choice, Pending, Session};
use std::collections::HashMap;

/// What each side has put where, in an order that does not depend on how the game went.
type Board = Vec<(String, usize)>;

/// Counts the ways to make so many choices.
struct Count {
    /// Whether a game that ends sooner counts.
    with_ended: bool,
    known: HashMap<(Board, usize), u64>,
}

impl Count {
    fn of(game: &str, choices: usize, with_ended: bool) -> u64 {
        let session = started(&program(game), &[], 2);
        Count { with_ended, known: HashMap::new() }.after(&session, &Vec::new(), choices)
    }

    fn after(&mut self, session: &Session, board: &Board, choices: usize) -> u64 {
        let Pending::Decisions(open) = session.pending() else { return u64::from(self.with_ended) };
        if choices == 1 && !self.with_ended {
            return open[0].count;
        }
        let place = (board.clone(), choices);
        if let Some(ways) = self.known.get(&place) {
            return *ways;
        }
        let mut ways = 0;
        for option in session.options(open[0].id, 0, open[0].count) {
            let mut next = session.clone();
            next.choose(open[0].id, Choice::Option(option.id)).unwrap();
            let mut board = board.clone();
            board.push((option.key, open[0].seat));
            // What is in different places can be put there in any order; what is in one column keeps its own.
            board.sort_by(|one, other| one.0.cmp(&other.0));
            ways += self.after(&next, &board, choices - 1);
        }
        self.known.insert(place, ways);
        ways
    }
}

/// How often a plain program can drop so many discs, if nobody has four in a row before the last. A column is a list of sides.
fn drops(columns: &mut [Vec<usize>; 7], side: usize, discs: usize) -> u64 {
    if discs == 0 {
        return 1;
    }
    let mut ways = 0;
    for column in 0..7 {
        if columns[column].len() < 6 {
            columns[column].push(side);
            if discs == 1 || !has_four(columns, column) {
                ways += drops(columns, 1 - side, discs - 1);
            }
            columns[column].pop();
        }
    }
    ways
}

/// Whether the topmost disc of a column is one of four in a row.
fn has_four(columns: &[Vec<usize>; 7], column: usize) -> bool {
    let row = columns[column].len() - 1;
    let side = columns[column][row];
    let is_own = |right: isize, up: isize| {
        let place = usize::try_from(column as isize + right).ok().zip(usize::try_from(row as isize + up).ok());
        place.and_then(|(column, row)| columns.get(column)?.get(row)) == Some(&side)
    };
    let reach = |right: isize, up: isize| (1..4).take_while(|step| is_own(right * step, up * step)).count();
    [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(right, up)| reach(right, up) + reach(-right, -up) >= 3)
}

fn four_in_a_row_begins_in(ways: u64, choices: usize) {
    assert_eq!(drops(&mut Default::default(), 0, choices), ways);
    assert_eq!(Count::of("four-in-a-row", choices, false), ways);
}

#[test]
fn there_are_255168_games_of_tic_tac_toe() {
    assert_eq!(Count::of("tic-tac-toe", 9, true), 255_168);
}

#[test]
fn the_first_seven_discs_of_four_in_a_row_can_be_dropped_in_823536_ways() {
    four_in_a_row_begins_in(823_536, 7);
}

#[test]
#[ignore = "takes half a minute; run by hand, best with `--release`"]
fn the_first_eight_discs_of_four_in_a_row_can_be_dropped_in_5673234_ways() {
    four_in_a_row_begins_in(5_673_234, 8);
}
