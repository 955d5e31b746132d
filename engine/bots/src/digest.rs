//! A number that identifies all outcomes: equal runs have equal digests. `sim` prints it, so that runs in shards, on other
//! machines or of other versions can be compared.

use crate::rng::scramble_bits;
use crate::score::FinishedGame;

/// Hashes a sequence of numbers to eight bytes.
#[derive(Clone, Copy, Debug)]
struct Fold(u64);

impl Fold {
    /// Adds the next number of the sequence.
    fn add_number(&mut self, number: u64) {
        self.0 = scramble_bits(self.0.rotate_left(23) ^ number.wrapping_add(0x9e37_79b9_7f4a_7c15));
    }
}

/// The digest of one game. Digests of several games are added, so their order does not matter. Each includes the game's number,
/// so swapped outcomes change the sum. Scores are left out, because only watched games report them, and the digest must not
/// depend on watching.
pub fn game_digest(game: &FinishedGame<'_>) -> u64 {
    let FinishedGame { index, outcome, turns, answers, .. } = *game;
    let mut fold = Fold(0);
    fold.add_number(index);
    fold.add_number(outcome.result as u64);
    fold.add_number(outcome.winners.len() as u64);
    for &winner in &outcome.winners {
        fold.add_number(winner as u64);
    }
    for payoff in outcome.payoffs.iter().flatten() {
        fold.add_number(payoff.half_count().cast_unsigned());
    }
    fold.add_number(answers);
    fold.add_number(turns);
    fold.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::runtime::{Outcome, OutcomeResult};

    fn outcome(winner: usize) -> Outcome {
        Outcome { result: OutcomeResult::Win, winners: vec![winner], scores: Vec::new(), payoffs: None, text: None }
    }

    fn digest(index: u64, outcome: &Outcome, answers: u64, turns: u64) -> u64 {
        game_digest(&FinishedGame { index, outcome, turns, answers, scopes: &[] })
    }

    #[test]
    fn every_part_of_an_outcome_counts() {
        let all = digest(3, &outcome(0), 40, 9);
        assert_eq!(all, digest(3, &outcome(0), 40, 9));
        assert_ne!(all, digest(4, &outcome(0), 40, 9));
        assert_ne!(all, digest(3, &outcome(1), 40, 9));
        assert_ne!(all, digest(3, &outcome(0), 41, 9));
        assert_ne!(all, digest(3, &outcome(0), 40, 8));
    }

    #[test]
    fn scores_do_not_count() {
        let watched = Outcome { scores: vec![vec![("score".to_string(), "12".to_string())]], ..outcome(0) };
        assert_eq!(digest(3, &watched, 40, 9), digest(3, &outcome(0), 40, 9));
    }
}
