//! A number that stands for all outcomes: equal runs have equal digests.

use crate::players::stream::scramble;
use ludex_engine::runtime::Outcome;

/// Folds numbers and words, in order, to eight bytes.
#[derive(Clone, Copy, Debug)]
struct Fold(u64);

impl Fold {
    fn number(&mut self, number: u64) {
        self.0 = scramble(self.0.rotate_left(23) ^ number.wrapping_add(0x9e37_79b9_7f4a_7c15));
    }

    fn word(&mut self, word: &str) {
        self.number(word.len() as u64);
        for part in word.as_bytes().chunks(8) {
            let mut bytes = [0; 8];
            for (place, byte) in bytes.iter_mut().zip(part) {
                *place = *byte;
            }
            self.number(u64::from_le_bytes(bytes));
        }
    }
}

/// The digest of one game. Those of several games are added, so their order does not matter,
/// and a game's number is folded in, so which game ended how does.
pub fn of_game(index: u64, outcome: &Outcome, answers: u64, turns: u64) -> u64 {
    let mut fold = Fold(0);
    fold.number(index);
    fold.number(outcome.result as u64);
    fold.number(outcome.winners.len() as u64);
    for &winner in &outcome.winners {
        fold.number(winner as u64);
    }
    for score in outcome.scores.iter().flatten() {
        fold.word(&score.0);
        fold.word(&score.1);
    }
    fold.number(answers);
    fold.number(turns);
    fold.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::runtime::OutcomeResult;

    fn outcome(winner: usize, score: &str) -> Outcome {
        let scores = vec![vec![("score".to_string(), score.to_string())]];
        Outcome { result: OutcomeResult::Win, winners: vec![winner], scores, text: None }
    }

    #[test]
    fn every_part_of_an_outcome_counts() {
        let digest = of_game(3, &outcome(0, "12"), 40, 9);
        assert_eq!(digest, of_game(3, &outcome(0, "12"), 40, 9));
        assert_ne!(digest, of_game(4, &outcome(0, "12"), 40, 9));
        assert_ne!(digest, of_game(3, &outcome(1, "12"), 40, 9));
        assert_ne!(digest, of_game(3, &outcome(0, "13"), 40, 9));
        assert_ne!(digest, of_game(3, &outcome(0, "12"), 41, 9));
        assert_ne!(digest, of_game(3, &outcome(0, "12"), 40, 8));
    }
}
