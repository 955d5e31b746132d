//! Odds: the probability of each value of an expression that throws dice and runs procedures of the rules.
//!
//! `pools` finds the dice in the expression. `phrase` turns it into a procedure, which is compiled with the game and run on its
//! own. `search` runs it for every throw: `points`, `slots` and `states` find out which states are equal for all that follows,
//! `readings` and `throws` do the same for throws. `chain` sums up the probability of each value with `weight`, and `caps` bounds
//! the probability that a loop reaches its cap. If that is too much work, the procedure is run many times with seeded dice.
//!
//! The verb `odds` of the command and the Python module make an [`OddsQuery`] for an expression; the expression `play` is a whole
//! match. A *step* is an instruction of the program, at its address. A *frame* runs a procedure, and its *slots* hold the values
//! there. A *stop* pauses a run although no die is thrown (`stops`). Dice are *open* if they fall only when a step looks at them
//! (`open_dice`).

mod appends;
mod best;
mod budget;
mod caps;
mod chain;
mod clamps;
mod folds;
mod fraction;
mod highest_members;
mod open_dice;
mod other_notations;
mod phrase;
mod points;
mod pools;
mod readings;
mod search;
mod slots;
mod states;
mod stops;
#[cfg(test)]
mod tests;
mod throws;
mod weight;

pub use best::{Answer, Best, Question, Rows, Worth};
pub use budget::Reason;

pub use fraction::Fraction;

use crate::compile::Compile;
use crate::runtime::context::Context;
use crate::runtime::eval::meter::{Meter, group_thousands};
use crate::runtime::flow::shared_code::SharedCode;
use crate::runtime::flow::{Game, Machine, Stop};
use crate::runtime::session::setup::PreparedMatch;
use crate::runtime::session::{Session, setup};
use crate::runtime::sheet_before_play;
use crate::runtime::state::{Finish, FrameRole, NO_SLOT};
use crate::runtime::{Dice, Setup, random};
use budget::{Trouble, bytes_to_show, time_to_show};
use ludex_compiler::library::{CompileRequest, Library};
use ludex_program::{Address, CodePlace, FinishCode, Instruction, NONE, ProcedureId, Program, Shape, Value, Winners};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::{SourceId, Span};
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use stops::Stops;
use weight::{Factors, Weight};

/// The amount of work to spend, and what to do if it is not enough.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Maximum work for exact odds, in units that are the same on every machine.
    pub limit: u64,
    /// Number of random samples to draw instead.
    pub samples: u64,
    /// The seed of the samples.
    pub seed: u64,
    /// A throw with more results than this stays open until a step looks at it. This changes the amount of work, never the odds.
    pub most_drawn: u64,
    /// Time limit of the search. When it runs out, the search returns what it has found so far.
    pub time: Option<Duration>,
    /// Approximate memory limit in bytes, with the same effect. If it is `None`, a search that needs more than
    /// [`Effort::most_memory`] counts as too much work.
    pub memory: Option<u64>,
    /// A flag that stops the search in the same way once it is set.
    pub interrupt: Option<&'static AtomicBool>,
    /// A callback that reports progress from time to time: the work done and its maximum.
    pub progress: Option<fn(u64, u64)>,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort {
            limit: LIMIT,
            samples: 100_000,
            seed: 1,
            most_drawn: 5_000,
            time: None,
            memory: None,
            interrupt: None,
            progress: None,
        }
    }
}

impl Effort {
    /// Approximate number of bytes that a search may use.
    pub fn most_memory(&self) -> u64 {
        self.memory.unwrap_or(MEMORY)
    }

    /// The limit that a search exceeded, in words: `more work than 20 or more memory than 256 MB`.
    pub fn exceeded_limit_text(&self) -> String {
        let memory =
            if self.memory.is_none() { format!(" or more memory than {} MB", MEMORY / 1_000_000) } else { String::new() };
        format!("more work than {}{memory}", group_thousands(self.limit))
    }
}

/// About five seconds of work on an idle core.
const LIMIT: u64 = 20_000_000;
/// In bytes; enough for anything that fits on a screen.
const MEMORY: u64 = 256_000_000;

/// The values of an expression with their probabilities, lowest value first.
#[derive(Clone, Debug)]
pub struct Odds {
    /// The game with the procedure made from the expression. Without hashes of files.
    pub program: Arc<Program>,
    /// The type of the values.
    pub shape: Shape,
    /// Each possible value, the lowest first.
    pub values: Vec<ValueOdds>,
    /// The total number of cases.
    pub of: BigUint,
    /// How the odds were found, and so whether they are exact.
    pub found: OddsMethod,
}

/// The method by which odds were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OddsMethod {
    /// By following every throw.
    Exactly {
        /// The work done.
        work: u64,
        /// The outcomes left out have a total probability below ten to this power; `None` if nothing was left out.
        cut: Option<i64>,
    },
    /// By rolling at random.
    ByTrying {
        /// The number of random rolls.
        samples: u64,
    },
    /// The search was stopped: the probabilities are bounds.
    Between {
        /// The reason why it was stopped.
        reason: Reason,
    },
}

/// One value and its probability.
#[derive(Clone, Debug)]
pub struct ValueOdds {
    /// One number, or the members of a list.
    pub value: Vec<Value>,
    /// The value as text for people.
    pub shown: String,
    /// The probability in lowest terms: the fraction of all rolls for random rolls, the lower bound for bounds.
    pub share: Fraction,
    /// The number of cases with this value, out of [`Odds::of`].
    pub cases: BigUint,
    /// The number of random rolls with this value; 0 for other methods.
    pub times: u64,
    /// The upper bound on the probability, if the search was stopped; otherwise 0.
    pub at_most: f64,
}

/// Returns the odds of an expression, which is a source of its own, in the library. `wanted` has the mode and the options of the
/// game, and `sides` the ids of each side's sheets.
pub fn compute_odds(
    library: &Library,
    game: &str,
    wanted: &CompileRequest,
    sides: &[Vec<String>],
    expression: SourceId,
    effort: &Effort,
) -> Result<Odds, Vec<Problem>> {
    let asked = OddsQuery::new(library, game, wanted, sides, expression)?;
    asked.find_odds(effort).map_err(|problem| vec![*problem])
}

/// Number of times that each value came up in random samples.
pub type SampleCounts = BTreeMap<Vec<Value>, u64>;

/// An expression whose odds are wanted, compiled to a procedure that is run on its own.
pub struct OddsQuery {
    /// The game with the procedure, as compiled.
    rules: Arc<Program>,
    sides: Vec<Vec<String>>,
    /// The same program, with stops added.
    game: Arc<Game>,
    procedure: ProcedureId,
    shape: Shape,
    /// The expression is the whole match; its value is what the match is worth to the first side, in halves.
    is_match: bool,
    /// The least and the greatest possible value, if known beforehand.
    bounds: Option<(Value, Value)>,
    /// The machine before the procedure begins.
    start: Machine,
    /// The address at which the frame around it continues; the instruction there ends everything.
    end: Address,
    stops: Stops,
}

/// The state in which a run has stopped: with its value, or at a throw of the machine.
enum RunState {
    Value(Vec<Value>),
    Throws(Box<Machine>),
}

impl OddsQuery {
    /// Parses and compiles an expression, which is a source of its own.
    pub fn new(
        library: &Library,
        game: &str,
        wanted: &CompileRequest,
        sides: &[Vec<String>],
        expression: SourceId,
    ) -> Result<OddsQuery, Vec<Problem>> {
        let text = &library.sources.get(expression).text;
        let span = Span::new(expression, 0, text.len());
        if text.trim() == MATCH {
            let (program, problems) = library.compile(game, wanted);
            let mut program = program.ok_or(problems)?;
            let (procedure, end) = (program.play, prepare_program(&mut program, span));
            let rules = Arc::new(program);
            let sides = all_sides(&rules, sides).map_err(|problem| vec![problem])?;
            let seated = rules.sides.check_all_sides(sides.iter().enumerate());
            seated.map_err(|problem| vec![problem.help(seat_options_text(&rules))])?;
            // In halves: a match is lost, tied or won.
            let bounds = (!has_payoffs(&rules)).then_some((0, 2));
            let asked = OddsQuery::insert_stops(rules, sides, procedure, (Shape::Halves, end), &BTreeSet::new());
            return asked.map(|asked| OddsQuery { is_match: true, bounds, ..asked }).map_err(|problem| vec![problem]);
        }
        let written_here = |problem| other_notations::or_translation(problem, expression, text);
        let phrase = pools::parse_phrase(expression, text).map_err(|problem| vec![written_here(problem)])?;
        let mut procedures = Vec::new();
        let compiled = library.compile_with(sheet_before_play, game, wanted, |items| {
            procedures = phrase::value_procedure_names(items);
            phrase::expression_procedure(&phrase, items)
        });
        // In rules, a procedure is not a value.
        let known = procedures.iter().map(String::as_str);
        let meant = |problem: Problem| match problem.labels.first().map(|(span, _)| *span) {
            Some(span) if span.source == expression && problem.code == codes::UNKNOWN_NAME && problem.help.is_none() => {
                problem.suggest(library.sources.span_text(span), known.clone())
            }
            _ => problem,
        };
        let mut program =
            compiled.map_err(|problems| problems.into_iter().map(|problem| meant(written_here(problem))).collect::<Vec<_>>())?;
        let unknown = || vec![Problem::error(codes::ODDS_VALUE, "this expression cannot be worked out").with_label(span, "here")];
        let procedure = program.procedure_by_name(phrase::NAME).ok_or_else(unknown)?;
        let shape = program.procedures[usize::from(procedure)].gives.clone();
        if !has_odds(&shape) {
            let problem = Problem::error(codes::ODDS_VALUE, "this has no value, so it has no odds").with_label(span, "no value");
            return Err(vec![problem.help("ask for a number, for yes or no, for a word or a thing, or for a list of these")]);
        }
        appends::merge_appends(&mut program);
        let end = prepare_program(&mut program, span);
        let sides = all_sides(&program, sides).map_err(|problem| vec![problem])?;
        let rules = Arc::new(program);
        OddsQuery::insert_stops(rules, sides, procedure, (shape, end), &BTreeSet::new()).map_err(|problem| vec![problem])
    }

    /// Returns the same, but the dice of these throws fall only when a step looks at them.
    fn with_open_dice(&self, throws: &BTreeSet<Address>) -> Result<OddsQuery, Problem> {
        let (rules, shape) = (Arc::clone(&self.rules), (self.shape.clone(), self.end));
        let asked = OddsQuery::insert_stops(rules, self.sides.clone(), self.procedure, shape, throws)?;
        Ok(OddsQuery { is_match: self.is_match, bounds: self.bounds, ..asked })
    }

    /// Returns the same, but it stops only for throws and questions, and shuffled zones are dealt as they are looked at.
    fn without_stops(&self) -> Result<OddsQuery, Problem> {
        let (game, mut start) = before_play(Arc::clone(&self.rules), &self.sides)?;
        start.board_mut().zones.deal_late();
        let (rules, sides, shape) = (Arc::clone(&self.rules), self.sides.clone(), self.shape.clone());
        let OddsQuery { procedure, is_match, bounds, end, .. } = *self;
        Ok(OddsQuery { rules, sides, game, procedure, shape, is_match, bounds, start, end, stops: Stops::default() })
    }

    /// Returns a query for a procedure, which runs in a copy of the program with stops. The dice of the throws in `open` fall
    /// only when a step looks at them. `shape` is the type of the values, and `end` is [`OddsQuery::end`].
    fn insert_stops(
        rules: Arc<Program>,
        sides: Vec<Vec<String>>,
        procedure: ProcedureId,
        (shape, end): (Shape, Address),
        open: &BTreeSet<Address>,
    ) -> Result<OddsQuery, Problem> {
        let mut program = Program::clone(&rules);
        let stops = Stops::put_into(&mut program, procedure, open);
        let (game, start) = before_play(Arc::new(program), &sides)?;
        let bounds = (shape == Shape::Flag).then_some((0, 1));
        Ok(OddsQuery { rules, sides, game, procedure, shape, is_match: false, bounds, start, end, stops })
    }

    /// Returns the exact odds if they fit the work limit, otherwise odds from random rolls. If time or memory runs out, returns
    /// bounds, or odds from fewer rolls.
    pub fn find_odds(&self, effort: &Effort) -> Result<Odds, Box<Problem>> {
        let until = effort.time.and_then(|time| Instant::now().checked_add(time));
        match self.find_exact_odds(effort)? {
            Some(odds) => Ok(odds),
            None => self.sample_odds(effort, until),
        }
    }

    /// Returns odds from random rolls: as many as requested, or as many as there is time for before `until`.
    fn sample_odds(&self, effort: &Effort, until: Option<Instant>) -> Result<Odds, Box<Problem>> {
        // The target time between two readings of the clock.
        const LONG: Duration = Duration::from_millis(20);
        let samples = effort.samples.max(1);
        let mut times = SampleCounts::new();
        let (mut done, mut batch) = (0, 1u64);
        // The memory of the values so far, and the time it takes to show them.
        let (mut bytes, mut rest) = (0, Duration::ZERO);
        while done < samples {
            let began = Instant::now();
            let next = samples.min(done.saturating_add(batch));
            for (value, more) in self.sample_values(effort.seed, done..next)? {
                let numbers = value.len();
                *times.entry(value).or_insert_with(|| {
                    bytes += bytes_to_show(numbers);
                    rest += time_to_show(numbers);
                    0
                }) += more;
            }
            done = next;
            if bytes as u64 > effort.most_memory() {
                break;
            }
            let now = Instant::now();
            let is_interrupted = effort.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed));
            if is_interrupted || until.is_some_and(|until| now + rest >= until) {
                break;
            }
            effort.progress.inspect(|progress| progress(done, samples));
            if now - began < LONG {
                batch = batch.saturating_mul(2);
            }
        }
        Ok(self.odds_from_samples(times, done))
    }

    /// Returns the exact odds, or bounds; `None` if the exact odds exceed the work limit.
    pub fn find_exact_odds(&self, effort: &Effort) -> Result<Option<Odds>, Box<Problem>> {
        let mut settled = search::SettledShares::new();
        match search::compute_exact_shares(self, effort, &mut settled) {
            Ok(search::ExactShares { shares, factors, work, cut }) => {
                Ok(Some(self.odds_from_shares(shares, &factors, OddsMethod::Exactly { work, cut })))
            }
            Err(Trouble::Problem(problem)) => Err(Box::new(self.with_seat_help(*problem))),
            Err(Trouble::TooMuch | Trouble::Again) => Ok(None),
            Err(Trouble::Stopped(reason)) => Ok(Some(self.odds_from_bounds(settled, reason))),
        }
    }

    /// Builds odds with these probabilities.
    fn odds_from_shares(
        &self,
        shares: impl IntoIterator<Item = (Vec<Value>, Weight)>,
        factors: &Factors,
        found: OddsMethod,
    ) -> Odds {
        let (values, weights): (Vec<_>, Vec<_>) = shares.into_iter().unzip();
        let (cases, of) = factors.over_common_denominator(&weights);
        let of = factors.denominator_value(&of);
        let values = values.into_iter().zip(cases).zip(&weights).map(|((value, cases), weight)| {
            let share = factors.fraction_of_weight(weight);
            ValueOdds { at_most: 0.0, shown: String::new(), share, value, cases, times: 0 }
        });
        self.build_odds(values.collect(), of, found)
    }

    /// Builds bounds from the settled probabilities: the rest may belong to any value.
    fn odds_from_bounds(&self, settled: search::SettledShares, reason: Reason) -> Odds {
        // An upper bound on all rounding errors together.
        const ROUNDED: f64 = 1e-9;
        let low = |chance: f64| (chance - ROUNDED).clamp(0.0, 1.0);
        let rest = 1.0 - settled.values().map(|chance| low(*chance)).sum::<f64>();
        let whole = 1u64 << 53;
        let values = settled.into_iter().map(|(value, chance)| {
            let cases = (low(chance) * whole as f64).floor() as u64;
            let at_most = (low(chance) + rest).min(1.0);
            ValueOdds { at_most, shown: String::new(), share: case_share(cases, whole), value, cases: cases.into(), times: 0 }
        });
        self.build_odds(values.collect(), whole.into(), OddsMethod::Between { reason })
    }

    /// Builds odds from the results of random rolls.
    pub fn odds_from_samples(&self, times: SampleCounts, samples: u64) -> Odds {
        let values = times.into_iter().map(|(value, times)| {
            let share = case_share(times, samples).in_lowest_terms();
            ValueOdds { at_most: 0.0, shown: String::new(), share, value, cases: times.into(), times }
        });
        self.build_odds(values.collect(), samples.into(), OddsMethod::ByTrying { samples })
    }

    /// Returns a machine that has run to the first throw, or to the end. With a `floor` of 1 it also stops when the procedure
    /// returns, before the frame around it ends everything.
    fn start_machine(&self, dice: Dice, floor: usize) -> Machine {
        let mut machine = self.start.clone();
        machine.dice = dice;
        self.run_procedure(&mut machine, floor);
        machine
    }

    /// Starts the procedure, and runs until dice are needed, or until at most `floor` frames are left.
    fn run_procedure(&self, machine: &mut Machine, floor: usize) -> Stop {
        let context = &self.game.play_context();
        // Each throw may cost as much as an answer.
        machine.meter = Meter::default();
        // The frame around it has a slot for the result.
        let around = FrameRole::Procedure { procedure: self.procedure, result: NO_SLOT };
        machine.push_frame(around, self.end, 1);
        machine.start_procedure(context, self.procedure, &[], 0);
        machine.run(context, floor)
    }

    /// Examines a stopped machine: its value, or the throw it waits for.
    fn examine_machine(&self, mut machine: Machine) -> Result<RunState, Problem> {
        if let Some(fault) = machine.fault.take() {
            return Err(*fault);
        }
        if let Some(value) = self.value_at_end(&machine)? {
            return Ok(RunState::Value(value));
        }
        if machine.request.is_some() {
            return Ok(RunState::Throws(Box::new(machine)));
        }
        let seat = machine.decisions.first().map(|decision| decision.seat as Value);
        let who = seat.map_or("a player".to_string(), |side| machine.side_name(&self.game.play_context(), side));
        let problem = Problem::error(codes::ODDS_QUESTION, format!("{who} is asked here, but odds have no players"))
            .help("`--best` finds the best answers; or ask for a part without questions, with the answer filled in");
        Err(self.with_frame_place(problem, &machine, "a question"))
    }

    /// Adds advice about missing players to a fault, if they are the likely cause.
    fn with_seat_help(&self, fault: Problem) -> Problem {
        let is_open = self.rules.sides.entrants_least > 0 && self.sides.iter().any(Vec::is_empty);
        match is_open && fault.code == codes::FAULT && fault.help.is_none() {
            true => fault.help(seat_options_text(&self.rules)),
            false => fault,
        }
    }

    /// Adds the place in the rules at which a machine has stopped, with a remark, to a problem.
    fn with_frame_place(&self, problem: Problem, machine: &Machine, remark: &str) -> Problem {
        let mut frames = machine.state.frames.iter().rev().filter(|frame| frame.runs_instructions());
        match frames.next().and_then(|frame| self.game.program.code_place(frame.at)) {
            Some(place) => problem.with_label(place.span, remark),
            None => problem,
        }
    }

    /// The value, if a machine has reached its end.
    fn value_at_end(&self, machine: &Machine) -> Result<Option<Vec<Value>>, Problem> {
        let Some(finish) = &machine.state.finished else { return Ok(None) };
        if self.is_match {
            return self.worth_of_match(finish).map(|halves| Some(vec![halves]));
        }
        let frames = &machine.state.frames;
        if frames.len() == 1 && frames.first().is_some_and(|frame| frame.at == self.end) {
            let value = machine.read_slot(0, 0);
            return Ok(Some(if self.shape.is_list() { machine.state.list_values(value).to_vec() } else { vec![value] }));
        }
        let problem = Problem::error(codes::ODDS_VALUE, "the match ends before there is a value");
        Err(self
            .with_frame_place(problem, machine, "it ends here")
            .help(format!("use `{MATCH}` for the value of the whole match")))
    }

    /// The value of a match to the first side, in halves: the payoff if the rules define one, otherwise 1 for a win and a half
    /// for a tie or an abandoned match.
    fn worth_of_match(&self, finish: &Finish) -> Result<Value, Problem> {
        match &finish.payoffs {
            Some(payoffs) => {
                let halves = payoffs.first().map_or(0, |payoff| payoff.half_count());
                let too_large = || Problem::error(codes::NUMBER_OVERFLOW, "the payoff of the match is too large for odds");
                Value::try_from(halves).map_err(|_| too_large())
            }
            None if self.bounds.is_none() => Ok(0),
            None => {
                let is_won = finish.winners.contains(&0);
                let is_tied = finish.winners.is_empty() || (is_won && finish.winners.len() > 1);
                Ok(if is_tied { 1 } else { 2 * Value::from(is_won) })
            }
        }
    }

    /// The number of units per point in which values are counted.
    fn units_per_point(&self) -> f64 {
        if self.shape == Shape::Halves { 2.0 } else { 1.0 }
    }

    /// The name of a side for people.
    fn side_name(&self, side: usize) -> String {
        self.start.side_name(&self.game.play_context(), side as Value)
    }

    /// Returns a session that has run to the first throw or question, or to the end.
    fn start_session(&self) -> Result<Session, Box<Problem>> {
        let mut machine = self.start.clone();
        machine.meter = Meter::default();
        if !self.is_match {
            machine.push_frame(FrameRole::Procedure { procedure: self.procedure, result: NO_SLOT }, self.end, 1);
        }
        let result = if self.is_match { NO_SLOT } else { 0 };
        machine.start_procedure(&self.game.play_context(), self.procedure, &[], result);
        Session::carry_on(Arc::clone(&self.game), machine)
    }

    /// Counts how often each value comes up in random samples. The result of a sample depends only on the seed and on its number.
    pub fn sample_values(&self, seed: u64, tries: Range<u64>) -> Result<SampleCounts, Box<Problem>> {
        let mut times = SampleCounts::new();
        let mut machine = self.start.clone();
        machine.dice = Dice::Seeded;
        for number in tries {
            machine.state = self.start.state.clone();
            machine.state.generator = random::seeded_generator(random::derive_seed(seed, number));
            self.run_procedure(&mut machine, 0);
            match self.examine_machine(std::mem::replace(&mut machine, self.start.clone()))? {
                RunState::Value(value) => *times.entry(value).or_insert(0) += 1,
                RunState::Throws(_) => {}
            }
            machine.dice = Dice::Seeded;
        }
        Ok(times)
    }

    /// Adds the text of each value.
    fn build_odds(&self, mut values: Vec<ValueOdds>, of: BigUint, found: OddsMethod) -> Odds {
        let mut machine = self.start.clone();
        let is_counted = self.is_match && self.bounds.is_some();
        for one in &mut values {
            if is_counted {
                let word = ["lost", "tied", "won"].get(one.value.first().map_or(0, |halves| *halves as usize));
                one.shown = word.copied().unwrap_or_default().to_string();
                continue;
            }
            let value = match one.value[..] {
                [value] if !self.shape.is_list() => value,
                _ => machine.push_list(&one.value),
            };
            one.shown = machine.describe_value(&self.game.play_context(), value, &self.shape);
        }
        Odds { program: Arc::clone(&self.game.program), shape: self.shape.clone(), values, of, found }
    }
}

/// Whether the rules define payoffs.
fn has_payoffs(rules: &Program) -> bool {
    rules.code.iter().any(|step| matches!(step, Instruction::Finish(finish) if finish.payoff.is_some()))
}

/// The expression that means the whole match.
const MATCH: &str = "play";

/// The entrants of each side, padded to the minimum number of sides.
fn all_sides(program: &Program, sides: &[Vec<String>]) -> Result<Vec<Vec<String>>, Problem> {
    check_sides(program, sides)?;
    let mut sides = sides.to_vec();
    sides.resize(sides.len().max(program.sides.least), Vec::new());
    Ok(sides)
}

/// Advice for sides without sheets: the options to add to the command.
fn seat_options_text(program: &Program) -> String {
    let seats: Vec<String> = (0..program.sides.least).map(|side| format!("--seat {side}=…")).collect();
    format!("say who plays: `{}`", seats.join(" "))
}

/// The game with these sides, and a machine at the table before anything has run, without frames and with dice from outside.
fn before_play(program: Arc<Program>, sides: &[Vec<String>]) -> Result<(Arc<Game>, Machine), Problem> {
    let (sides, names) = (sides.to_vec(), Vec::new());
    let setup = Setup { sides, seed: 0.into(), dice: Dice::ExternalAll, position: None, names, watched: false };
    let PreparedMatch { mut roster, code, machine: mut start } =
        setup::prepare_unchecked(&program, &setup, &mut SharedCode::default())?;
    if program.hides {
        roster.seers = start.seers_of_zones(&Context { program: &program, roster: &roster });
    }
    // The setup is about to play the match; only the procedure is run instead.
    start.begin_again();
    let state = &mut start.state;
    state.frames.clear();
    state.slots.clear();
    state.lists.clear();
    state.serial = 0;
    let game = Arc::new(Game { program, roster, code, start: state.board.clone(), bearing: state.bearing.clone() });
    Ok((game, start))
}

/// Whether values of a shape can be compared and shown.
fn has_odds(shape: &Shape) -> bool {
    match shape {
        Shape::OrNone(inner) | Shape::List(inner) => !inner.is_list() && has_odds(inner),
        Shape::Number | Shape::Halves | Shape::Flag | Shape::Word(_) | Shape::Entity(_) => true,
        Shape::Zone(_) | Shape::Move(_) | Shape::Sheet(_) | Shape::Text | Shape::Nothing => false,
    }
}

/// Prepares a program for being run in parts: it prints nothing, and everything ends at the returned address.
fn prepare_program(program: &mut Program, span: Span) -> Address {
    for instruction in &mut program.code {
        if let Instruction::Roll { reason, .. } | Instruction::RollPool { reason, .. } = instruction {
            *reason = None;
        }
    }
    // Checks are never run here, and the holes of their texts would count as readings of the throws.
    program.checks.clear();
    // Twice: a frame is assumed to have called from the instruction before its own address, and that must not belong to a script.
    for _ in 0..2 {
        let finish = FinishCode { winners: Winners::Nobody, capped: false, payoff: None, text: None };
        program.code.push(Instruction::Finish(Box::new(finish)));
        program.places.push(CodePlace { span, rules: Vec::new() });
    }
    program.code.len() as Address - 1
}

/// Refuses more sides than the game can have, and sheets that do not exist.
fn check_sides(program: &Program, sides: &[Vec<String>]) -> Result<(), Problem> {
    let most = program.sides.most;
    if sides.len() > most {
        return Err(Problem::error(codes::SEATS, format!("`{}` has no side {}", program.game, sides.len() - 1))
            .help(format!("sides are numbered from 0 to {}", most.saturating_sub(1))));
    }
    program.check_sheets_exist(sides)
}

impl Odds {
    /// Whether the values are numbers, which have a mean and an order.
    pub fn are_numbers(&self) -> bool {
        matches!(self.shape, Shape::Number | Shape::Halves)
    }

    /// The mean, if the values are numbers.
    pub fn mean(&self) -> Option<Fraction> {
        self.are_numbers().then(|| self.moment(1))
    }

    /// The variance, if the values are numbers.
    pub fn variance(&self) -> Option<Fraction> {
        let mean = self.mean()?;
        Some(self.moment(2).minus(&mean.times(&mean)).in_lowest_terms())
    }

    /// For each value, the probabilities of at least that value and of at most that value.
    pub fn cumulative_shares(&self) -> Vec<(Fraction, Fraction)> {
        let mut below = BigUint::default();
        let all: BigUint = self.values.iter().map(|value| &value.cases).sum();
        let sums = self.values.iter().map(|value| {
            let at_least = &all - &below;
            below += &value.cases;
            (Fraction::new(at_least, self.of.clone()), Fraction::new(below.clone(), self.of.clone()))
        });
        sums.collect()
    }

    /// The mean of a power of the values.
    fn moment(&self, power: u32) -> Fraction {
        let mut sum = Fraction::zero();
        for value in &self.values {
            let number = value.value.first().copied().filter(|number| *number != NONE).unwrap_or(0);
            let number = Fraction::from_whole(i64::from(number).pow(power));
            sum.add(&number.times_cases(&value.cases, &self.of));
        }
        let halves = if self.shape == Shape::Halves { 1u64 << power } else { 1 };
        sum.times(&case_share(1, halves)).in_lowest_terms()
    }
}

/// The fraction of `cases` out of `of`.
fn case_share(cases: u64, of: u64) -> Fraction {
    Fraction::new(BigUint::from(cases), BigUint::from(of))
}
