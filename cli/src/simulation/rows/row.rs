//! One game as a row.
//!
//! Threads make rows as games end; [`RowWriter`] writes them to a file.

use crate::simulation::plan::Plan;
use ludex_engine::runtime::{Outcome, OutcomeResult};
use std::fs::File;
use std::io;

/// The row of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its number, from 0.
    pub game: u64,
    /// The seed of all its chance and its bots.
    pub seed: u64,
    /// How it ended: `win`, `tie`, `nobody`, `abandoned`, `capped`, or `fault`.
    pub end: &'static str,
    pub answers: u64,
    pub turns: u64,
    /// One entry for each side.
    pub sides: Vec<Side>,
}

/// The columns for a side of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// The ids of its entrants.
    pub characters: Vec<String>,
    pub won: bool,
    /// `None` if the rules give no payoffs.
    pub payoff: Option<f64>,
}

impl Row {
    /// The row of a game that has ended. Without an outcome, it ended with a fault. `sides` are the entrants of each side.
    pub fn new(plan: &Plan, sides: &[Vec<String>], game: u64, outcome: Option<&Outcome>, answers: u64, turns: u64) -> Row {
        let payoffs = outcome.and_then(|outcome| outcome.payoffs.as_ref());
        let side = |(side, characters): (usize, &Vec<String>)| Side {
            characters: characters.clone(),
            won: outcome.is_some_and(|outcome| outcome.winners.contains(&side)),
            payoff: payoffs.and_then(|payoffs| payoffs.get(side)).map(|payoff| payoff.half_count() as f64 / 2.0),
        };
        let end = match outcome.map(|outcome| outcome.result) {
            None => "fault",
            Some(OutcomeResult::Win) => "win",
            Some(OutcomeResult::Tie) => "tie",
            Some(OutcomeResult::Nobody) => "nobody",
            Some(OutcomeResult::Capped) => "capped",
            Some(OutcomeResult::Abandoned) => "abandoned",
        };
        Row { game, seed: plan.seed_of(game), end, answers, turns, sides: sides.iter().enumerate().map(side).collect() }
    }
}

/// An output format for rows.
pub trait RowWriter: Send {
    /// Writes the next row, possibly with others later.
    fn add(&mut self, row: Row) -> io::Result<()>;
    /// Completes the file and returns it.
    fn finish(self: Box<Self>) -> io::Result<File>;
}
