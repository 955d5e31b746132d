//! Backgammon: every position that the first rolls can lead to, and games beside a plain program that looks for the longest
//! way to use the dice.

use super::games::table::Table;
use super::{compare, program, started};
use ludex_engine::runtime::{Choice, Pending, Session, Viewer, ZoneView};
use std::collections::BTreeSet;

const BAR: usize = 25;
const OFF: usize = 0;

/// How many checkers each side has on its points, as it counts them.
type Board = [[u8; 26]; 2];

fn start() -> Board {
    let mut side = [0; 26];
    (side[24], side[13], side[8], side[6]) = (2, 5, 3, 5);
    [side; 2]
}

/// The board after a checker has gone from this point, if it may.
fn after(mut board: Board, side: usize, point: usize, pips: usize) -> Option<Board> {
    let last = (1..=BAR).rev().find(|point| board[side][*point] > 0)?;
    let target = point.saturating_sub(pips);
    let other = BAR - target;
    if board[side][point] == 0 || last == BAR && point != BAR {
        return None;
    }
    if target == OFF && (last > 6 || point < pips && point < last) || target != OFF && board[1 - side][other] > 1 {
        return None;
    }
    board[side][point] -= 1;
    board[side][target] += 1;
    if target != OFF && board[1 - side][other] == 1 {
        board[1 - side][other] = 0;
        board[1 - side][BAR] += 1;
    }
    Some(board)
}

fn plays(board: Board, side: usize, dice: &[usize]) -> Vec<(usize, usize, Board)> {
    let pips: BTreeSet<usize> = dice.iter().copied().collect();
    let of = |pips: usize| (1..=BAR).filter_map(move |point| Some((point, pips, after(board, side, point, pips)?)));
    pips.into_iter().flat_map(of).collect()
}

fn without(dice: &[usize], pips: usize) -> Vec<usize> {
    let place = dice.iter().position(|die| *die == pips).unwrap();
    [&dice[..place], &dice[place + 1..]].concat()
}

/// How many of these dice can be used.
fn most(board: Board, side: usize, dice: &[usize]) -> usize {
    let used = |(_, pips, next): (usize, usize, Board)| 1 + most(next, side, &without(dice, pips));
    plays(board, side, dice).into_iter().map(used).max().unwrap_or(0)
}

/// What may be played first: a point and a die, and the board that follows.
fn options(board: Board, side: usize, dice: &[usize]) -> Vec<(usize, usize, Board)> {
    let most_used = most(board, side, dice);
    let mut found = plays(board, side, dice);
    found.retain(|(_, pips, next)| 1 + most(*next, side, &without(dice, *pips)) == most_used);
    let highest = found.iter().map(|(_, pips, _)| *pips).max();
    found.retain(|(_, pips, _)| most_used > 1 || Some(*pips) == highest);
    found
}

/// Where a turn with these dice can end.
fn ends(board: Board, side: usize, dice: &[usize]) -> BTreeSet<Board> {
    let options = options(board, side, dice);
    if options.is_empty() {
        return [board].into();
    }
    options.into_iter().flat_map(|(_, pips, next)| ends(next, side, &without(dice, pips))).collect()
}

fn dice_of(one: usize, other: usize) -> Vec<usize> {
    if one == other { vec![one; 4] } else { vec![one, other] }
}

fn play(table: &mut impl Table) -> u32 {
    let mut board = start();
    let roll = |table: &mut _| [Table::roll(table, 6) as usize, Table::roll(table, 6) as usize];
    let mut rolled = roll(table);
    while rolled[0] == rolled[1] {
        rolled = roll(table);
    }
    let mut side = usize::from(rolled[0] < rolled[1]);
    loop {
        let mut dice = dice_of(rolled[0], rolled[1]);
        loop {
            let options = options(board, side, &dice);
            if options.is_empty() {
                break;
            }
            let key = |option: u32| format!("play({}>{})", options[option as usize].0, options[option as usize].1);
            let (_, pips, next) = options[table.choose_if_open(side, options.len() as u32, key) as usize];
            board = next;
            dice = without(&dice, pips);
            if board[side][OFF] == 15 {
                return 1 << side;
            }
        }
        side = 1 - side;
        rolled = roll(table);
    }
}

/// The board of Ludex, as everybody sees it. Nobody has borne anything off.
fn board_of(session: &Session) -> Board {
    let view = session.view(Viewer::Spectator);
    [0, 1].map(|side| {
        let ZoneView::Seen(checkers) = &view.sides[side].zones["checkers"] else { panic!("checkers are hidden") };
        let mut points = [0; 26];
        checkers.iter().for_each(|checker| points[checker.value.unwrap() as usize] += 1);
        points
    })
}

/// Where a turn can end in Ludex: there, dice are rolled again.
fn ends_in_ludex(session: &Session) -> BTreeSet<Board> {
    let Pending::Decisions(open) = session.pending() else { return [board_of(session)].into() };
    let next = |option: u64| {
        let mut next = session.clone();
        next.choose(open[0].id, Choice::Option(option)).unwrap();
        ends_in_ludex(&next)
    };
    (0..open[0].count).flat_map(next).collect()
}

fn opened_with(high: i64, low: i64) -> Session {
    let mut session = started(&program("backgammon"), &[], 2);
    session.supply(&[high, low]).unwrap();
    session
}

#[test]
fn the_first_roll_of_backgammon_leads_to_as_many_positions() {
    let rolls = (2..=6).flat_map(|high| (1..high).map(move |low| (high, low)));
    let counts = rolls.map(|(high, low)| {
        let found = ends_in_ludex(&opened_with(high, low));
        assert_eq!(found, ends(start(), 0, &[high as usize, low as usize]), "{high} and {low}");
        found.len()
    });
    assert_eq!(counts.collect::<Vec<_>>(), [15, 16, 17, 14, 18, 17, 8, 8, 9, 9, 10, 14, 14, 14, 7]);
}

#[test]
fn doubles_of_backgammon_lead_to_as_many_positions() {
    let mut session = opened_with(6, 5);
    for key in ["play(24 > 6)", "play(18 > 5)"] {
        let Pending::Decisions(open) = session.pending() else { panic!("{:?}", session.pending()) };
        let id = open[0].id;
        let choice = session.find_choice(id, key).unwrap();
        session.choose(id, choice).unwrap();
    }
    let counts = (1..=6).map(|shown| {
        let mut session = session.clone();
        session.supply(&[shown, shown]).unwrap();
        let mut board = start();
        (board[0][24], board[0][13]) = (1, 6);
        let found = ends_in_ludex(&session);
        assert_eq!(found, ends(board, 1, &dice_of(shown as usize, shown as usize)), "{shown} and {shown}");
        found.len()
    });
    assert_eq!(counts.collect::<Vec<_>>(), [42, 75, 74, 56, 14, 18]);
}

#[test]
fn backgammon_is_the_same_in_plain_rust() {
    compare("backgammon", &[], 2, 8, play);
}
