//! Hanabi in plain Rust: a card is its colour and its number.

use super::games::table::Table;
use super::{compare_with, ways};

const SHEETS: [&str; 5] = ["north", "east", "south", "west", "centre"];
const COLOURS: [&str; 5] = ["white", "yellow", "green", "blue", "red"];
const NUMBERS: [u8; 10] = [1, 1, 1, 2, 2, 3, 3, 4, 4, 5];

#[derive(Clone, Copy)]
enum Deed {
    Play(usize),
    Discard(usize),
    Colour(usize, usize),
    Number(usize, u8),
}

impl Deed {
    /// What Ludex calls it, which counts cards from the last one.
    fn key(self, hand: usize) -> String {
        match self {
            Deed::Play(place) => format!("play({})", hand - place),
            Deed::Discard(place) => format!("discard({})", hand - place),
            Deed::Colour(other, colour) => format!("tell_colour({other}>{})", COLOURS[colour]),
            Deed::Number(other, number) => format!("tell_number({other}>{number})"),
        }
    }
}

struct Game {
    deck: Vec<(usize, u8)>,
    hands: Vec<Vec<(usize, u8)>>,
    heights: [u8; 5],
    clues: u32,
    fuses: u32,
}

/// Plays a game; all sides as bits, or none of them.
fn play(table: &mut impl Table, sides: usize, goal: u8, fuses: u32) -> u32 {
    let mut game = Game::deal(table, sides, fuses);
    let mut left = sides;
    for active in (0..sides).cycle() {
        left -= usize::from(game.deck.is_empty());
        let deeds = game.deeds(active);
        let hand = game.hands[active].len();
        let chosen = table.choose_if_open(active, deeds.len() as u32, |option| deeds[option as usize].key(hand));
        game.carry_out(active, deeds[chosen as usize]);
        if game.heights.iter().sum::<u8>() >= goal {
            return (1 << sides) - 1;
        }
        if game.fuses == 0 || left == 0 {
            return 0;
        }
    }
    unreachable!()
}

impl Game {
    fn deal(table: &mut impl Table, sides: usize, fuses: u32) -> Game {
        let mut deck: Vec<(usize, u8)> = (0..50).map(|card| (card / 10, NUMBERS[card % 10])).collect();
        for top in (1..50).rev() {
            deck.swap(top, table.roll(top as u32 + 1) as usize - 1);
        }
        let size = if sides > 3 { 4 } else { 5 };
        let hands = (0..sides).map(|_| (0..size).filter_map(|_| deck.pop()).collect()).collect();
        Game { deck, hands, heights: [0; 5], clues: 8, fuses }
    }

    fn deeds(&self, active: usize) -> Vec<Deed> {
        let own = 0..self.hands[active].len();
        let mut deeds: Vec<Deed> = own.clone().map(Deed::Play).collect();
        if self.clues < 8 {
            deeds.extend(own.map(Deed::Discard));
        }
        for (other, hand) in self.hands.iter().enumerate().filter(|(other, _)| *other != active && self.clues > 0) {
            let has_colour = |colour: &usize| hand.iter().any(|card| card.0 == *colour);
            let has_number = |number: &u8| hand.iter().any(|card| card.1 == *number);
            deeds.extend((0..5).filter(has_colour).map(|colour| Deed::Colour(other, colour)));
            deeds.extend((1..6).filter(has_number).map(|number| Deed::Number(other, number)));
        }
        deeds
    }

    fn carry_out(&mut self, active: usize, deed: Deed) {
        match deed {
            Deed::Play(place) => {
                let (colour, number) = self.hands[active].remove(place);
                if self.heights[colour] + 1 == number {
                    self.heights[colour] = number;
                    self.clues = (self.clues + u32::from(number == 5)).min(8);
                } else {
                    self.fuses -= 1;
                }
                self.hands[active].extend(self.deck.pop());
            }
            Deed::Discard(place) => {
                self.hands[active].remove(place);
                self.clues += 1;
                self.hands[active].extend(self.deck.pop());
            }
            Deed::Colour(..) | Deed::Number(..) => self.clues -= 1,
        }
    }
}

#[test]
fn hanabi_is_the_same_in_plain_rust() {
    for sides in 2..=5 {
        compare_with("hanabi", &[("goal", "2")], &SHEETS[..sides], sides, 20, |table| play(table, sides, 2, 3));
        // Long ones, up to the last card.
        let options = [("goal", "7"), ("lives", "50")];
        compare_with("hanabi", &options, &SHEETS[..sides], sides, 10, |table| play(table, sides, 7, 50));
    }
}

#[test]
fn the_first_three_choices_of_hanabi_can_be_made_in_1106_ways() {
    ways::count("hanabi", &SHEETS[..2], 3, 1106, |table| play(table, 2, 25, 3));
}
