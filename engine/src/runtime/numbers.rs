//! The public numbers of pieces in events, keys and views.
//!
//! At first a piece's public number is its own: its place in the order in which things were made. A player who has seen a card
//! could then recognise the same copy after a shuffle. So a shuffle swaps the numbers of copies at random.

use crate::runtime::random::{Generator, shuffle_slice};
use ludex_program::Value;
use serde::{Deserialize, Serialize};

/// The public number of each thing; empty while all have their own.
#[derive(Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Numbers(Vec<u16>);

impl Clone for Numbers {
    fn clone(&self) -> Numbers {
        Numbers(self.0.clone())
    }

    fn clone_from(&mut self, other: &Numbers) {
        self.0.clone_from(&other.0);
    }
}

impl Numbers {
    /// Whether all pieces have their own numbers.
    #[inline]
    pub fn are_own(&self) -> bool {
        self.0.is_empty()
    }

    /// The public number of a piece, as a number on the board.
    #[inline]
    pub fn public_number(&self, piece: Value) -> Value {
        self.0.get(piece as usize).map_or(piece, |number| Value::from(*number))
    }

    /// The piece with a public number.
    pub fn piece_by_number(&self, number: Value) -> Value {
        let found = self.0.iter().position(|other| Value::from(*other) == number);
        found.map_or(number, |piece| piece as Value)
    }

    /// Sorts pieces by their public numbers.
    pub fn sort_by_number<T>(&self, pieces: &mut [T], piece: impl Fn(&T) -> Value) {
        pieces.sort_by_key(|each| self.public_number(piece(each)));
    }

    /// Lets some pieces exchange their public numbers at random. `luck` is a generator for this alone.
    ///
    /// The result depends only on the set of numbers and on chance, not on which piece had which number before.
    pub fn exchange_numbers(&mut self, mut pieces: Vec<u16>, luck: &mut Generator) {
        self.sort_by_number(&mut pieces, |piece| Value::from(*piece));
        let mut numbers: Vec<u16> = pieces.iter().map(|piece| self.public_number(Value::from(*piece)) as u16).collect();
        shuffle_slice(&mut numbers, luck);
        let things = pieces.iter().max().map_or(0, |last| last + 1);
        self.0.extend(self.0.len() as u16..things);
        for (piece, number) in pieces.into_iter().zip(numbers) {
            self.0[usize::from(piece)] = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::random::seeded_generator;
    use std::collections::BTreeMap;

    #[test]
    fn a_piece_goes_under_its_own_number_until_it_is_exchanged() {
        let mut numbers = Numbers::default();
        assert!(numbers.are_own());
        assert_eq!((numbers.public_number(7), numbers.piece_by_number(7)), (7, 7));
        let mut luck = seeded_generator(1);
        for _ in 0..50 {
            numbers.exchange_numbers(vec![3, 9, 4], &mut luck);
            for piece in [3, 4, 9] {
                assert!([3, 4, 9].contains(&numbers.public_number(piece)));
                assert_eq!(numbers.piece_by_number(numbers.public_number(piece)), piece);
            }
            assert_eq!((numbers.public_number(5), numbers.public_number(20)), (5, 20), "others keep theirs");
        }
    }

    #[test]
    fn each_copy_comes_back_under_each_number_equally_often() {
        let mut luck = seeded_generator(5);
        let mut found: BTreeMap<Vec<Value>, u32> = BTreeMap::new();
        let mut numbers = Numbers::default();
        for _ in 0..6_000 {
            numbers.exchange_numbers(vec![1, 2, 3], &mut luck);
            *found.entry((1..4).map(|piece| numbers.public_number(piece)).collect()).or_default() += 1;
        }
        assert_eq!(found.len(), 6, "every order comes up");
        assert!(found.values().all(|times| (900..1_100).contains(times)), "{found:?}");
    }

    /// Somebody who does not know which piece goes under which number learns nothing from what comes of it.
    #[test]
    fn what_comes_of_it_does_not_depend_on_which_piece_went_under_which_number() {
        let exchanged = |first: u64| {
            let mut numbers = Numbers::default();
            numbers.exchange_numbers(vec![4, 5, 6, 7], &mut seeded_generator(first));
            let before: Vec<Value> = (4..8).map(|number| numbers.piece_by_number(number)).collect();
            numbers.exchange_numbers(vec![5, 7, 4, 6], &mut seeded_generator(99));
            before.into_iter().map(|piece| numbers.public_number(piece)).collect::<Vec<_>>()
        };
        assert_eq!(exchanged(1), exchanged(2));
        assert_eq!(exchanged(1), exchanged(3));
    }
}
