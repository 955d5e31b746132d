//! Many games between bots: those that `ludex sim` plays, from the same seeds.

use crate::bots;
use crate::failure::Failure;
use ludex_bots::play::play_game;
use ludex_bots::rng::{BotRng, derive_seed};
use ludex_bots::{Player, Series};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::{Dice, Lots, OutcomeResult, Pending, Session, Setup};
use serde_json::{Value, json};
use std::sync::Arc;

/// The stream of a game's seed from which entrants are drawn. Bots use the streams of their seats' numbers.
const DRAWING: u64 = 1 << 32;

/// What is simulated.
pub struct Plan {
    pub program: Arc<Program>,
    pub games: u64,
    pub seed: u64,
    /// Whom the sides bring; for those that are empty somebody is drawn for each game.
    pub sides: Vec<Vec<String>>,
    /// Who answers for each seat.
    pub players: Vec<String>,
}

/// What came of some games.
#[derive(Default)]
pub struct Tally {
    games: u64,
    wins: Vec<u64>,
    ties: u64,
    nobody: u64,
    answers: u64,
    /// Of all payoffs, in halves.
    payoffs: Vec<i64>,
    faults: Vec<(u64, Problem)>,
}

/// Those who may play, by the ids of their sheets.
pub fn entrants(program: &Program) -> Vec<String> {
    let of_sides = program.sheets.values().filter(|sheet| Some(sheet.kind) == program.sides.entrant);
    of_sides.filter(|sheet| Session::check_entrant(program, &sheet.id).is_ok()).map(|sheet| sheet.id.clone()).collect()
}

impl Plan {
    /// Plays all games.
    pub fn run(&self) -> Result<Tally, Failure> {
        let program = &self.program;
        let seats = self.sides.len() + usize::from(program.referee.is_some());
        let from = if self.has_open_sides() { entrants(program) } else { Vec::new() };
        let mut tally = Tally { wins: vec![0; self.sides.len()], payoffs: vec![0; self.sides.len()], ..Tally::default() };
        let mut series = Series::new(program.clone(), false);
        let mut setup = Setup {
            sides: self.sides.clone(),
            seed: self.seed.into(),
            dice: Dice::Seeded,
            position: None,
            names: Vec::new(),
            watched: false,
        };
        for index in 0..self.games {
            let seed = derive_seed(self.seed, index);
            let mut bots: Vec<Box<dyn Player>> = Vec::new();
            for seat in 0..seats {
                let name = self.players.get(seat).map_or("random", String::as_str);
                bots.push(bots::bot(name, program, seed, seat).map_err(|problem| Failure::of(problem, &program.sources))?);
            }
            self.prepare(&mut setup, seed, &from);
            let played = series.next(&setup).and_then(|session| {
                let answers = play_game(session, &mut bots, None)?;
                tally.count(session, answers);
                Ok(())
            });
            if let Err(problem) = played {
                tally.faults.push((index, *problem));
            }
        }
        Ok(tally)
    }

    fn has_open_sides(&self) -> bool {
        self.program.sides.entrants_least > 0 && self.sides.iter().any(Vec::is_empty)
    }

    /// Turns a setup into that of the game with this seed.
    fn prepare(&self, setup: &mut Setup, seed: u64, from: &[String]) {
        setup.seed = seed.into();
        if !self.has_open_sides() {
            return;
        }
        let each = *self.program.sides.team_sizes().start() as u64;
        let mut rng = BotRng::new(seed, DRAWING);
        for (side, _) in setup.sides.iter_mut().zip(&self.sides).filter(|(_, given)| given.is_empty()) {
            let drawn = rng.draw_sample(from.len() as u64, each);
            *side = drawn.into_iter().filter_map(|place| from.get(place as usize).cloned()).collect();
        }
    }
}

impl Tally {
    fn count(&mut self, session: &Session, answers: u64) {
        let Pending::Finished(outcome) = session.pending() else { return };
        self.games += 1;
        self.answers += answers;
        match outcome.result {
            OutcomeResult::Win => outcome.winners.iter().for_each(|side| self.wins[*side] += 1),
            OutcomeResult::Tie => self.ties += 1,
            OutcomeResult::Abandoned | OutcomeResult::Nobody | OutcomeResult::Capped => self.nobody += 1,
        }
        for (sum, payoff) in self.payoffs.iter_mut().zip(outcome.payoffs.iter().flatten()) {
            *sum += payoff.half_count();
        }
    }

    pub fn told(&self, program: &Program) -> Value {
        let games = self.games.max(1) as f64;
        let payoffs: Vec<f64> = self.payoffs.iter().map(|sum| *sum as f64 / 2.0 / games).collect();
        let faults = self
            .faults
            .iter()
            .map(|(index, problem)| json!({ "game": index, "problem": crate::failure::told(problem, &program.sources) }));
        json!({
            "games": self.games,
            "wins": self.wins,
            "ties": self.ties,
            "nobody": self.nobody,
            "answers": self.answers as f64 / games,
            "payoffs": payoffs,
            "faults": faults.collect::<Vec<_>>(),
        })
    }
}
