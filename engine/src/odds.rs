//! Odds: how likely each value of an expression is, in which dice are thrown and procedures of the rules carried out.
//!
//! `pools` finds the dice in the expression, `phrase` makes a procedure of it, which is compiled with the game and
//! carried out alone. `search` does so for every throw: `slots` and `states` tell which states are equal for all that
//! follows, `readings` and `throws` which throws. Where that is too much work, the procedure is carried out many times
//! with dice from a seed.

mod fraction;
mod phrase;
mod pools;
mod readings;
mod search;
mod slots;
mod states;
#[cfg(test)]
mod tests;
mod throws;

pub use fraction::Fraction;

use crate::codes;
use crate::compile::unfit_sheet;
use crate::library::{Library, Wanted};
use crate::problem::Problem;
use crate::program::{Address, FinishCode, Instruction, NONE, Place, ProcedureId, Program, Shape, Value, Winners};
use crate::runtime::eval::meter::Meter;
use crate::runtime::flow::shared_code::SharedCode;
use crate::runtime::flow::{Game, Machine, Stop};
use crate::runtime::session::setup;
use crate::runtime::session::setup::Prepared;
use crate::runtime::state::{FrameRole, NO_SLOT};
use crate::runtime::{Dice, Setup, random};
use crate::source::{SourceId, Span};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// How much work is done, and what happens where that is not enough.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The most throws that are looked at.
    pub limit: u64,
    /// How often chance is tried instead.
    pub samples: u64,
    /// What chance follows from where it is tried.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { limit: 1_000_000, samples: 100_000, seed: 1 }
    }
}

/// The values of an expression with how likely each is, the lowest first.
#[derive(Clone, Debug)]
pub struct Odds {
    /// The game, and the procedure that was made of the expression.
    pub program: Arc<Program>,
    /// The type of the values.
    pub shape: Shape,
    /// Each value that may come, the lowest first.
    pub values: Vec<ValueOdds>,
    /// Whether these are exact.
    pub found: Found,
}

/// How odds were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// By looking at so many throws.
    Exactly {
        /// How many different throws there are.
        throws: u64,
    },
    /// By trying so often.
    ByTrying {
        /// How often.
        samples: u64,
    },
}

#[derive(Clone, Debug)]
/// One value, and how likely it is.
pub struct ValueOdds {
    /// One, or the members of a list.
    pub value: Vec<Value>,
    /// As a person reads it.
    pub shown: String,
    /// In lowest terms; where chance was tried, the part of all tries.
    pub share: Fraction,
    /// How many tries came to it.
    pub times: u64,
}

/// The odds of an expression, which is in a source of its own.
pub fn odds(
    library: &Library,
    game: &str,
    wanted: &Wanted,
    sides: &[Vec<String>],
    expression: SourceId,
    effort: &Effort,
) -> Result<Odds, Vec<Problem>> {
    let asked = Asked::new(library, game, wanted, sides, expression)?;
    asked.answer(effort).map_err(|problem| vec![*problem])
}

/// How often each value came when chance was tried.
pub type Times = BTreeMap<Vec<Value>, u64>;

/// An expression whose odds are asked for: a procedure that is carried out alone.
pub struct Asked {
    game: Arc<Game>,
    procedure: ProcedureId,
    shape: Shape,
    /// Before the procedure begins.
    start: Machine,
    /// Where the frame around it goes on: what stands there ends all.
    end: Address,
}

/// Where carrying it out has come to.
enum Done {
    Value(Vec<Value>),
    Throws(Box<Machine>),
}

impl Asked {
    /// Reads and compiles an expression, which is in a source of its own.
    pub fn new(
        library: &Library,
        game: &str,
        wanted: &Wanted,
        sides: &[Vec<String>],
        expression: SourceId,
    ) -> Result<Asked, Vec<Problem>> {
        let text = &library.sources.get(expression).text;
        let span = Span::new(expression, 0, text.len());
        let phrase = pools::read(expression, text).map_err(|problem| vec![problem])?;
        let mut program = library.compile_with(unfit_sheet, game, wanted, |items| phrase::procedure(&phrase, items))?;
        let unknown = || vec![Problem::error(codes::ODDS_VALUE, "this expression cannot be worked out").at(span, "here")];
        let procedure = program.procedure(phrase::NAME).ok_or_else(unknown)?;
        let shape = program.procedures[usize::from(procedure)].gives.clone();
        if !has_odds(&shape) {
            let problem = Problem::error(codes::ODDS_VALUE, "this has no value, so it has no odds").at(span, "no value");
            return Err(vec![problem.help("ask for a number, for yes or no, for a word or a thing, or for a list of these")]);
        }
        let end = prepare(&mut program, span);
        Asked::begin_with(program, sides, procedure, shape, end).map_err(|problem| vec![problem])
    }

    fn begin_with(
        program: Program,
        sides: &[Vec<String>],
        procedure: ProcedureId,
        shape: Shape,
        end: Address,
    ) -> Result<Asked, Problem> {
        check_sides(&program, sides)?;
        let mut sides = sides.to_vec();
        sides.resize(sides.len().max(program.sides.least), Vec::new());
        let setup = Setup { sides, seed: 0.into(), dice: Dice::External, position: None, names: Vec::new(), watched: false };
        let program = Arc::new(program);
        let Prepared { roster, code, machine: mut start } = setup::prepare_any(&program, &setup, &mut SharedCode::default())?;
        start.begin_again();
        let state = &mut start.state;
        state.frames.clear();
        state.slots.clear();
        state.lists.clear();
        state.serial = 0;
        let game = Arc::new(Game { program, roster, code, start: state.board.clone(), bearing: state.bearing.clone() });
        Ok(Asked { game, procedure, shape, start, end })
    }

    /// The exact odds if they can be found with so much work, and otherwise those of as many tries.
    pub fn answer(&self, effort: &Effort) -> Result<Odds, Box<Problem>> {
        match self.exact(effort.limit)? {
            Some(odds) => Ok(odds),
            None => {
                let samples = effort.samples.max(1);
                Ok(self.of_tries(self.tried(effort.seed, 0..samples)?, samples))
            }
        }
    }

    /// The exact odds; none if more throws would have to be looked at.
    pub fn exact(&self, limit: u64) -> Result<Option<Odds>, Box<Problem>> {
        match search::exact(self, limit) {
            Ok(exact) => {
                let shares = exact.shares.into_iter().map(|(value, share)| (value, share, 0)).collect();
                Ok(Some(self.told(shares, Found::Exactly { throws: exact.throws })))
            }
            Err(search::Trouble::Problem(problem)) => Err(problem),
            Err(search::Trouble::TooMany) => Ok(None),
        }
    }

    /// The odds that so many tries come to.
    pub fn of_tries(&self, times: Times, samples: u64) -> Odds {
        let share = |times: u64| search::part(times, samples);
        let shares = times.into_iter().map(|(value, times)| (value, share(times), times)).collect();
        self.told(shares, Found::ByTrying { samples })
    }

    /// A hash over the files of the game.
    pub fn hash(&self) -> &str {
        &self.game.program.hash
    }

    /// A machine that has come to the first throw, or to the end.
    fn begin(&self, dice: Dice) -> Machine {
        let mut machine = self.start.clone();
        machine.dice = dice;
        self.run(&mut machine);
        machine
    }

    fn run(&self, machine: &mut Machine) -> Stop {
        let context = &self.game.context();
        // Each throw may cost as much as an answer.
        machine.meter = Meter::default();
        // The frame around it has a slot for what is given.
        let around = FrameRole::Procedure { procedure: self.procedure, result: NO_SLOT };
        machine.push_frame(around, self.end, 1);
        machine.enter(context, self.procedure, &[], 0);
        machine.run(context, 0)
    }

    /// Where a machine has come to that has stopped.
    fn look(&self, mut machine: Machine) -> Result<Done, Problem> {
        if let Some(fault) = machine.fault.take() {
            return Err(*fault);
        }
        if machine.state.finished.is_some() {
            let frames = &machine.state.frames;
            if frames.len() == 1 && frames.first().is_some_and(|frame| frame.at == self.end) {
                return Ok(Done::Value(self.value(&machine)));
            }
            let problem = Problem::error(codes::ODDS_VALUE, "the match is finished before there is a value");
            return Err(self.placed(problem, &machine, "finished here"));
        }
        if machine.request.is_some() {
            return Ok(Done::Throws(Box::new(machine)));
        }
        let seat = machine.decisions.first().map(|decision| decision.seat as Value);
        let who = seat.map_or("somebody".to_string(), |side| machine.side_name(&self.game.context(), side));
        let problem = Problem::error(codes::ODDS_QUESTION, format!("{who} is asked here, but odds have no players"))
            .help("ask for the odds of a part without a question, with the answer already in it");
        Err(self.placed(problem, &machine, "a question"))
    }

    fn placed(&self, problem: Problem, machine: &Machine, remark: &str) -> Problem {
        let mut frames = machine.state.frames.iter().rev().filter(|frame| frame.runs());
        match frames.next().and_then(|frame| self.game.program.place(frame.at)) {
            Some(place) => problem.at(place.span, remark),
            None => problem,
        }
    }

    fn value(&self, machine: &Machine) -> Vec<Value> {
        let value = machine.slot(0, 0);
        if self.shape.is_list() { machine.state.list(value).to_vec() } else { vec![value] }
    }

    /// How often each value comes when chance is tried. What comes of a try depends on the seed and on its number alone.
    pub fn tried(&self, seed: u64, tries: Range<u64>) -> Result<Times, Box<Problem>> {
        let mut times = Times::new();
        let mut machine = self.start.clone();
        machine.dice = Dice::Seeded;
        for number in tries {
            machine.state = self.start.state.clone();
            machine.state.generator = random::generator(random::derive(seed, number));
            self.run(&mut machine);
            match self.look(std::mem::replace(&mut machine, self.start.clone()))? {
                Done::Value(value) => *times.entry(value).or_insert(0) += 1,
                Done::Throws(_) => {}
            }
            machine.dice = Dice::Seeded;
        }
        Ok(times)
    }

    fn told(&self, shares: Vec<(Vec<Value>, Fraction, u64)>, found: Found) -> Odds {
        let mut machine = self.start.clone();
        let mut shown = |value: &[Value]| {
            let value = match value {
                [one] if !self.shape.is_list() => *one,
                members => machine.push_list(members),
            };
            machine.shown(&self.game.context(), value, &self.shape)
        };
        let values = shares
            .into_iter()
            .map(|(value, share, times)| ValueOdds { shown: shown(&value), share: share.reduced(), value, times })
            .collect();
        Odds { program: Arc::clone(&self.game.program), shape: self.shape.clone(), values, found }
    }
}

/// Whether values of a shape can be told apart and shown.
fn has_odds(shape: &Shape) -> bool {
    match shape {
        Shape::OrNone(inner) | Shape::List(inner) => !inner.is_list() && has_odds(inner),
        Shape::Number | Shape::Halves | Shape::Flag | Shape::Word(_) | Shape::Entity(_) => true,
        Shape::Zone(_) | Shape::Move(_) | Shape::Sheet(_) | Shape::Text | Shape::Nothing => false,
    }
}

/// Makes a program ready to be carried out in parts: nothing is said in it, and at the address given all ends.
fn prepare(program: &mut Program, span: Span) -> Address {
    for instruction in &mut program.code {
        if let Instruction::Roll { reason, .. } | Instruction::RollPool { reason, .. } = instruction {
            *reason = None;
        }
    }
    let finish = FinishCode { winners: Winners::Nobody, payoff: None, text: None };
    program.code.push(Instruction::Finish(Box::new(finish)));
    program.places.push(Place { span, rules: Vec::new() });
    program.code.len() as Address - 1
}

fn check_sides(program: &Program, sides: &[Vec<String>]) -> Result<(), Problem> {
    let most = program.sides.most;
    if sides.len() > most {
        return Err(Problem::error(codes::SEATS, format!("`{}` has no side {}", program.game, sides.len() - 1))
            .help(format!("sides are numbered from 0 to {}", most.saturating_sub(1))));
    }
    program.check_known(sides)
}

impl Odds {
    /// Whether the values are numbers, so that they have a mean, and one is at least another.
    pub fn are_numbers(&self) -> bool {
        matches!(self.shape, Shape::Number | Shape::Halves)
    }

    /// The mean of numbers.
    pub fn mean(&self) -> Option<Fraction> {
        self.are_numbers().then(|| self.weighed(|number| number.clone()).reduced())
    }

    /// The variance of numbers.
    pub fn variance(&self) -> Option<Fraction> {
        let mean = self.mean()?;
        let square = self.weighed(|number| number.times(number));
        Some(square.minus(&mean.times(&mean)).reduced())
    }

    fn weighed(&self, of: impl Fn(&Fraction) -> Fraction) -> Fraction {
        let mut sum = Fraction::zero();
        for value in &self.values {
            let number = value.value.first().copied().filter(|number| *number != NONE).unwrap_or(0);
            let number = match self.shape {
                Shape::Halves => Fraction::whole(i64::from(number)).times(&search::part(1, 2)),
                _ => Fraction::whole(i64::from(number)),
            };
            sum.add(&of(&number).times(&value.share));
        }
        sum
    }
}
