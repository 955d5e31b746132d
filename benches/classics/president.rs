//! President: singles, pairs, triples and rows, each to be beaten by a higher one of its kind.

use super::table::{Table, bit_of, shuffle};

const GOAL: u32 = 50;
const NAMES: [&str; 13] =
    ["three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace", "two"];
/// Everything but the two, which is in no row.
const IN_ROWS: u16 = 0x0fff;
const SHORTEST_ROW: u32 = 3;
const LONGEST_ROW: u32 = 12;
/// Kinds of what is played: so many copies, or from 3 on a row of that length and one more.
const KINDS: usize = (LONGEST_ROW - SHORTEST_ROW) as usize + 4;

/// Which ranks there are at least once, twice, three and four times, each a bit.
#[derive(Clone, Copy, Default)]
struct Hand([u16; 4]);

impl Hand {
    #[inline]
    fn add(&mut self, rank: u8) {
        let mut card = 1 << rank;
        for copies in &mut self.0 {
            let there = *copies & card;
            *copies |= card;
            card = there;
        }
    }

    /// Takes a card of each of these ranks.
    #[inline]
    fn take(&mut self, mut ranks: u16) {
        for copies in self.0.iter_mut().rev() {
            let there = *copies & ranks;
            *copies &= !there;
            ranks &= !there;
        }
    }

    fn count(&self) -> u32 {
        self.0.iter().map(|copies| copies.count_ones()).sum()
    }

    /// The lowest cards of what may be played of a kind.
    #[inline]
    fn of_kind(&self, kind: usize) -> u16 {
        if kind < 3 {
            return self.0[kind];
        }
        (1..row_length(kind)).fold(self.0[0] & IN_ROWS, |starts, step| starts & (self.0[0] & IN_ROWS) >> step)
    }
}

fn row_length(kind: usize) -> u32 {
    kind as u32 - 3 + SHORTEST_ROW
}

/// What is played: its kind and the rank of its lowest card.
#[derive(Clone, Copy)]
struct Play {
    kind: usize,
    rank: u32,
}

impl Play {
    fn key(self) -> String {
        let card = NAMES[self.rank as usize];
        match self.kind {
            0 => format!("single({card})"),
            1 => format!("pair({card})"),
            2 => format!("triple({card})"),
            kind => format!("straight({card}>{})", row_length(kind)),
        }
    }

    #[inline]
    fn lay(self, hand: &mut Hand) {
        if self.kind < 3 {
            (0..=self.kind).for_each(|_| hand.take(1 << self.rank));
        } else {
            hand.take(((1 << row_length(self.kind)) - 1) << self.rank);
        }
    }
}

/// Plays a match; the winners, each a bit.
pub fn play(table: &mut impl Table) -> u32 {
    let mut points = [0; 4];
    let mut first = 0;
    while points.iter().all(|points| *points < GOAL) {
        let mut hands = dealt(table);
        first = play_deal(&mut hands, first, table);
        points.iter_mut().zip(&hands).for_each(|(points, hand)| *points += hand.count());
    }
    let fewest = points.iter().min();
    (0..4).filter(|side| Some(&points[*side]) == fewest).map(|side| 1 << side).sum()
}

fn dealt(table: &mut impl Table) -> [Hand; 4] {
    let mut pack = [0u8; 52];
    (0..52).for_each(|card| pack[usize::from(card)] = card / 4);
    shuffle(&mut pack, table);
    // From the top of the pack, which is its end.
    [0, 1, 2, 3].map(|side| {
        let mut hand = Hand::default();
        pack[39 - 13 * side..][..13].iter().for_each(|rank| hand.add(*rank));
        hand
    })
}

/// Plays a deal; who first has no cards left.
fn play_deal(hands: &mut [Hand; 4], mut leader: usize, table: &mut impl Table) -> usize {
    loop {
        leader = play_trick(hands, leader, table);
        if hands[leader].0[0] == 0 {
            return leader;
        }
    }
}

/// Plays until all others have passed, or somebody has no cards left; who played last.
fn play_trick(hands: &mut [Hand; 4], leader: usize, table: &mut impl Table) -> usize {
    let mut top = lead(&hands[leader], leader, table);
    top.lay(&mut hands[leader]);
    let mut best = leader;
    let mut player = (leader + 1) % 4;
    while hands[best].0[0] != 0 && player != best {
        if let Some(higher) = follow(&hands[player], top, player, table) {
            higher.lay(&mut hands[player]);
            (top, best) = (higher, player);
        }
        player = (player + 1) % 4;
    }
    best
}

fn lead(hand: &Hand, side: usize, table: &mut impl Table) -> Play {
    let mut kinds = [0u16; KINDS];
    let mut count = 0;
    for (kind, lowest) in kinds.iter_mut().enumerate() {
        *lowest = hand.of_kind(kind);
        count += lowest.count_ones();
    }
    let chosen = table.choose_if_open(side, count, |option| pick(&kinds, option).key());
    pick(&kinds, chosen)
}

#[inline]
fn pick(kinds: &[u16; KINDS], mut number: u32) -> Play {
    let mut kind = 0;
    while number >= kinds[kind].count_ones() {
        number -= kinds[kind].count_ones();
        kind += 1;
    }
    Play { kind, rank: bit_of(u64::from(kinds[kind]), number) }
}

#[inline]
fn follow(hand: &Hand, top: Play, side: usize, table: &mut impl Table) -> Option<Play> {
    let higher = u64::from(hand.of_kind(top.kind)) >> (top.rank + 1) << (top.rank + 1);
    let count = higher.count_ones();
    let play = |option| Play { kind: top.kind, rank: bit_of(higher, option) };
    let key = |option| if option == count { "pass".to_string() } else { play(option).key() };
    let chosen = table.choose_if_open(side, count + 1, key);
    (chosen < count).then(|| play(chosen))
}
