//! Many games between bots: those that `ludex sim` plays, from the same seeds.

use crate::failure::Failure;
use crate::players::{self, Player};
use crate::rng::{BotRng, derive};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::{Dice, Lots, OutcomeResult, Pending, Session, Setup};
use serde_json::{Value, json};
use std::sync::Arc;

/// A game that has not ended after so many answers never will.
pub const MOST_ANSWERS: u64 = 1_000_000;
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
    of_sides.filter(|sheet| Session::admit(program, &sheet.id).is_ok()).map(|sheet| sheet.id.clone()).collect()
}

impl Plan {
    /// Plays all games.
    pub fn run(&self) -> Result<Tally, Failure> {
        let program = &self.program;
        let seats = self.sides.len() + usize::from(program.referee.is_some());
        let from = if self.has_open_sides() { entrants(program) } else { Vec::new() };
        let mut tally = Tally { wins: vec![0; self.sides.len()], payoffs: vec![0; self.sides.len()], ..Tally::default() };
        let mut model: Option<Session> = None;
        for index in 0..self.games {
            let seed = derive(self.seed, index);
            let mut bots = Vec::new();
            for seat in 0..seats {
                let name = self.players.get(seat).map_or("random", String::as_str);
                bots.push(players::bot(name, program, seed, seat).map_err(|problem| Failure::of(problem, &program.sources))?);
            }
            let played = self.start(model.take(), seed, &from).and_then(|mut session| {
                let answers = play(&mut session, &mut bots)?;
                Ok((session, answers))
            });
            match played {
                Ok((session, answers)) => {
                    tally.count(&session, answers);
                    model = (!self.has_open_sides()).then_some(session);
                }
                Err(problem) => tally.faults.push((index, *problem)),
            }
        }
        Ok(tally)
    }

    fn has_open_sides(&self) -> bool {
        self.program.sides.entrants_least > 0 && self.sides.iter().any(Vec::is_empty)
    }

    fn start(&self, model: Option<Session>, seed: u64, from: &[String]) -> Result<Session, Box<Problem>> {
        if let Some(mut model) = model {
            model.restart(seed)?;
            return Ok(model);
        }
        let mut sides = self.sides.clone();
        if self.has_open_sides() {
            let each = *self.program.sides.team_sizes().start() as u64;
            let mut rng = BotRng::new(seed, DRAWING);
            for side in sides.iter_mut().filter(|side| side.is_empty()) {
                let drawn = rng.sample(from.len() as u64, each);
                *side = drawn.into_iter().filter_map(|place| from.get(place as usize).cloned()).collect();
            }
        }
        let setup = Setup { sides, seed: seed.into(), dice: Dice::Seeded, position: None, names: Vec::new(), watched: false };
        Ok(Session::start(self.program.clone(), &setup)?)
    }
}

/// Lets bots answer until play is over; how many answers they gave.
pub fn play(session: &mut Session, bots: &mut [Box<dyn Player + Send>]) -> Result<u64, Box<Problem>> {
    for answers in 0..MOST_ANSWERS {
        let Pending::Decisions(open) = session.pending() else { return Ok(answers) };
        let Some(decision) = open.first() else { return Ok(answers) };
        let choice = bots[decision.seat].answer(session, decision)?;
        let id = decision.id;
        session.choose(id, choice)?;
    }
    Err(Box::new(endless()))
}

pub fn endless() -> Problem {
    Problem::error("", format!("the game has not ended after {MOST_ANSWERS} answers"))
        .help("give a loop of the rules a cap that ends the game")
}

impl Tally {
    fn count(&mut self, session: &Session, answers: u64) {
        let Pending::Finished(outcome) = session.pending() else { return };
        self.games += 1;
        self.answers += answers;
        match outcome.result {
            OutcomeResult::Win => outcome.winners.iter().for_each(|side| self.wins[*side] += 1),
            OutcomeResult::Tie => self.ties += 1,
            OutcomeResult::Abandoned | OutcomeResult::Capped => self.nobody += 1,
        }
        for (sum, payoff) in self.payoffs.iter_mut().zip(outcome.payoffs.iter().flatten()) {
            *sum += payoff.halves();
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
