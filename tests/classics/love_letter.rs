//! Love Letter in plain Rust: a card is its value less one.

use super::games::table::{Table, shuffle};
use super::{PACKS, compare_with, ways};

const NAMES: [&str; 8] = ["guard", "priest", "baron", "handmaid", "prince", "king", "countess", "princess"];
const PACK: [u8; 16] = [0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7];

struct Move {
    key: String,
    card: u8,
    target: Option<usize>,
    named: u8,
}

struct Round {
    deck: Vec<u8>,
    aside: Option<u8>,
    hands: Vec<Vec<u8>>,
    /// The values of the cards that each side has laid down.
    played: Vec<u32>,
    protected: Vec<bool>,
}

/// Plays a match; the winners, each a bit.
fn play(table: &mut impl Table, sides: usize, goal: u32) -> u32 {
    let mut tokens = vec![0; sides];
    let mut starter = 0;
    loop {
        let mut round = Round::deal(table, sides);
        round.play(starter, table);
        let winners = round.winners();
        winners.iter().for_each(|side| tokens[*side] += 1);
        if tokens.iter().any(|tokens| *tokens >= goal) {
            let most = tokens.iter().max();
            return (0..sides).filter(|side| Some(&tokens[*side]) == most).map(|side| 1 << side).sum();
        }
        starter = winners[0];
    }
}

impl Round {
    fn deal(table: &mut impl Table, sides: usize) -> Round {
        let mut pack = PACK;
        shuffle(&mut pack, table);
        let mut deck = pack.to_vec();
        let aside = deck.pop();
        if sides == 2 {
            deck.truncate(12);
        }
        let hands = (0..sides).map(|_| deck.pop().into_iter().collect()).collect();
        Round { deck, aside, hands, played: vec![0; sides], protected: vec![false; sides] }
    }

    /// Who is still in the round.
    fn staying(&self) -> Vec<usize> {
        (0..self.hands.len()).filter(|side| !self.hands[*side].is_empty()).collect()
    }

    fn play(&mut self, starter: usize, table: &mut impl Table) {
        let mut active = starter;
        while !self.deck.is_empty() && self.staying().len() > 1 {
            if self.hands[active].is_empty() {
                active = (active + 1) % self.hands.len();
                continue;
            }
            self.protected[active] = false;
            self.hands[active].extend(self.deck.pop());
            let mut moves = self.moves(active);
            let chosen = table.choose_if_open(active, moves.len() as u32, |option| moves[option as usize].key.clone());
            self.carry_out(active, &moves.swap_remove(chosen as usize));
            active = (active + 1) % self.hands.len();
        }
    }

    fn moves(&self, active: usize) -> Vec<Move> {
        let mut hand = self.hands[active].clone();
        hand.dedup();
        if hand.contains(&6) && hand.iter().any(|card| [4, 5].contains(card)) {
            hand = vec![6];
        }
        hand.iter().flat_map(|card| self.moves_with(active, *card)).collect()
    }

    fn moves_with(&self, active: usize, card: u8) -> Vec<Move> {
        let name = NAMES[usize::from(card)];
        let mut targets = self.staying();
        targets.retain(|side| if *side == active { card == 4 } else { !self.protected[*side] });
        let plain = |action: &str| vec![Move { key: format!("{action}({name})"), card, target: None, named: 0 }];
        match card {
            0 | 1 | 2 | 5 if targets.is_empty() => plain("nothing"),
            0 => {
                let guess = |target: usize, named: u8| {
                    let key = format!("guard(guard>{target}>{})", NAMES[usize::from(named)]);
                    Move { key, card, target: Some(target), named }
                };
                targets.iter().flat_map(|target| (1..8).map(|named| guess(*target, named))).collect()
            }
            1 | 2 | 4 | 5 => {
                let at = |target| Move { key: format!("{name}({name}>{target})"), card, target: Some(target), named: 0 };
                targets.into_iter().map(at).collect()
            }
            _ => plain(name),
        }
    }

    fn carry_out(&mut self, active: usize, chosen: &Move) {
        let place = self.hands[active].iter().position(|card| *card == chosen.card).unwrap();
        self.hands[active].remove(place);
        self.played[active] += u32::from(chosen.card) + 1;
        match (chosen.card, chosen.target) {
            (0, Some(target)) if self.hands[target] == [chosen.named] => self.lay_down(target),
            (2, Some(target)) if self.hands[target] < self.hands[active] => self.lay_down(target),
            (2, Some(target)) if self.hands[target] > self.hands[active] => self.lay_down(active),
            (3, _) => self.protected[active] = true,
            (4, Some(target)) => {
                let had_princess = self.hands[target] == [7];
                self.lay_down(target);
                if !had_princess {
                    let drawn = self.deck.pop().or_else(|| self.aside.take());
                    self.hands[target].extend(drawn);
                }
            }
            (5, Some(target)) => self.hands.swap(active, target),
            (7, _) => self.lay_down(active),
            _ => {}
        }
    }

    fn lay_down(&mut self, side: usize) {
        self.played[side] += self.hands[side].drain(..).map(|card| u32::from(card) + 1).sum::<u32>();
    }

    fn winners(&self) -> Vec<usize> {
        let worth = |side: &usize| (self.hands[*side].clone(), self.played[*side]);
        let staying = self.staying();
        let best = staying.iter().map(worth).max();
        staying.into_iter().filter(|side| Some(worth(side)) == best).collect()
    }
}

#[test]
fn love_letter_is_the_same_in_plain_rust() {
    for sides in 2..=4 {
        let options = [("goal", "2")];
        compare_with("love-letter", &options, &PACKS[..sides], sides, 20, |table| play(table, sides, 2));
    }
}

#[test]
fn the_first_five_choices_of_love_letter_can_be_made_in_957_ways() {
    ways::count("love-letter", &PACKS[..3], 5, 957, |table| play(table, 3, 1));
}
