//! Totals of game outcomes. Scores can be added in any order, with the same result.

use ludex_engine::runtime::{Outcome, OutcomeResult};
use serde::{Deserialize, Serialize};

/// The outcomes of finished games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    pub games: u64,
    /// By side: games that it won alone, that it won with others, and that others won.
    pub wins: Vec<u64>,
    pub shared: Vec<u64>,
    pub lost: Vec<u64>,
    /// Games that ended in a tie.
    pub ties: u64,
    /// Games that several sides won, games that all of several sides won, and games without a winner.
    pub together: u64,
    pub all_won: u64,
    pub nobody: u64,
    /// In some game, several sides won and others lost.
    pub some_shared: bool,
    pub capped: u64,
    pub turns: Spread,
    pub answers: Spread,
    /// How often each scope began, in the order in which the rules declare them.
    pub scopes: Vec<Spread>,
}

/// A sum and a maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spread {
    pub sum: u64,
    pub most: u64,
}

/// One finished game.
#[derive(Clone, Copy, Debug)]
pub struct FinishedGame<'a> {
    pub index: u64,
    pub outcome: &'a Outcome,
    pub turns: u64,
    pub answers: u64,
    /// How often each scope began.
    pub scopes: &'a [u64],
}

impl Score {
    /// An empty score for games with this many sides.
    pub fn new(sides: usize) -> Score {
        Score { wins: vec![0; sides], shared: vec![0; sides], lost: vec![0; sides], ..Score::default() }
    }

    /// Adds a game.
    pub fn add_game(&mut self, game: &FinishedGame<'_>) {
        self.games += 1;
        match game.outcome.result {
            OutcomeResult::Tie => self.ties += 1,
            OutcomeResult::Capped => self.capped += 1,
            OutcomeResult::Win | OutcomeResult::Nobody | OutcomeResult::Abandoned => {}
        }
        let winners = &game.outcome.winners;
        self.some_shared |= winners.len() > 1 && winners.len() < self.wins.len();
        self.together += u64::from(winners.len() > 1);
        self.all_won += u64::from(winners.len() > 1 && winners.len() == self.wins.len());
        self.nobody += u64::from(winners.is_empty());
        for side in 0..self.wins.len() {
            let count = match (winners.contains(&side), winners.len()) {
                (_, 0) => continue,
                (true, 1) => &mut self.wins,
                (true, _) => &mut self.shared,
                (false, _) => &mut self.lost,
            };
            count[side] += 1;
        }
        self.turns.add_value(game.turns);
        self.answers.add_value(game.answers);
        self.scopes.resize(game.scopes.len(), Spread::default());
        for (spread, begun) in self.scopes.iter_mut().zip(game.scopes) {
            spread.add_value(*begun);
        }
    }

    /// Adds other games.
    pub fn add_score(&mut self, other: &Score) {
        self.games += other.games;
        for (counts, more) in [(&mut self.wins, &other.wins), (&mut self.shared, &other.shared), (&mut self.lost, &other.lost)] {
            counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        }
        self.ties += other.ties;
        self.together += other.together;
        self.all_won += other.all_won;
        self.nobody += other.nobody;
        self.some_shared |= other.some_shared;
        self.capped += other.capped;
        self.turns.add_spread(other.turns);
        self.answers.add_spread(other.answers);
        self.scopes.resize(self.scopes.len().max(other.scopes.len()), Spread::default());
        for (spread, more) in self.scopes.iter_mut().zip(&other.scopes) {
            spread.add_spread(*more);
        }
    }

    /// Games that ended in a tie for a side: it won with others.
    pub fn shared_wins_of(&self, side: usize) -> u64 {
        self.shared.get(side).copied().unwrap_or(0)
    }

    /// Games that ended without a winner, but not at a cap.
    pub fn unwon_games(&self) -> u64 {
        self.nobody.saturating_sub(self.capped)
    }

    /// Whether sides win with others and never alone, that is, play together.
    pub fn is_cooperative(&self) -> bool {
        self.together > 0 && self.wins.iter().all(|wins| *wins == 0)
    }
}

impl Spread {
    /// Adds the value of one game.
    fn add_value(&mut self, number: u64) {
        self.sum += number;
        self.most = self.most.max(number);
    }

    /// Adds the values of other games.
    fn add_spread(&mut self, other: Spread) {
        self.sum += other.sum;
        self.most = self.most.max(other.most);
    }

    /// The mean over this many games; 0 for none.
    pub fn mean_per_game(&self, games: u64) -> f64 {
        if games == 0 { 0.0 } else { self.sum as f64 / games as f64 }
    }
}
