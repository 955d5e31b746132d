//! `ludex.load` and `ludex.Game`.

use crate::encoded_session::{Coded, PyEncoding};
use crate::engine_calls::within;
use crate::failure::{Failure, told};
use crate::library::Libraries;
use crate::odds;
use crate::session::PySession;
use crate::simulation::{Plan, entrants};
use crate::values::to_python;
use crate::vector::Vector;
use ludex_engine::codes;
use ludex_engine::json as form;
use ludex_engine::library::CompileRequest;
use ludex_engine::odds::Effort;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::encoding::{EncodedSession, Encoding};
use ludex_engine::runtime::{Dice, Seed, Session, SessionOptions, Setup, policy};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A game, compiled in one mode and with one value for each option.
#[pyclass(module = "ludex", frozen)]
pub struct Game {
    pub program: Arc<Program>,
    libraries: Arc<Libraries>,
    wanted: CompileRequest,
    warnings: Vec<Problem>,
    /// By the sides that they are for.
    encodings: Mutex<BTreeMap<Vec<Vec<String>>, Arc<Encoding>>>,
}

/// The value of an option as Python gives it.
#[derive(FromPyObject)]
pub enum OptionValue {
    Number(i64),
    Word(String),
}

/// Loads and compiles a game.
#[pyfunction]
#[pyo3(signature = (game, *, library=Vec::new(), mode=None, options=BTreeMap::new()))]
pub fn load(
    py: Python<'_>,
    game: String,
    library: Vec<PathBuf>,
    mode: Option<String>,
    options: BTreeMap<String, OptionValue>,
) -> PyResult<Game> {
    let words = |value: OptionValue| match value {
        OptionValue::Number(number) => number.to_string(),
        OptionValue::Word(word) => word,
    };
    let options = options.into_iter().map(|(name, value)| (name, words(value))).collect();
    let wanted = CompileRequest { mode, options, open: false };
    let load = || {
        let libraries = Libraries::read(&library).with_game(&game)?;
        let (program, warnings) = libraries.compile(&game, &wanted)?;
        Ok(Game {
            program: Arc::new(program),
            libraries: Arc::new(libraries),
            wanted: wanted.clone(),
            warnings,
            encodings: Mutex::default(),
        })
    };
    Ok(py.detach(|| within(load))?)
}

/// The ids of all games.
#[pyfunction]
#[pyo3(signature = (*, library=Vec::new()))]
pub fn games(py: Python<'_>, library: Vec<PathBuf>) -> PyResult<Vec<String>> {
    Ok(py.detach(|| within(|| Ok(Libraries::read(&library).library.game_ids())))?)
}

impl Game {
    pub fn failure(&self, problem: Problem) -> Failure {
        Failure::of(problem, &self.program.sources)
    }

    /// Where results of chance come from, by its word.
    fn dice(&self, word: &str) -> Result<Dice, Failure> {
        match word {
            "seeded" => Ok(Dice::Seeded),
            "external" => Ok(Dice::External),
            other => {
                let problem = Problem::error("", format!("there are no dice `{other}`"));
                Err(self.failure(problem.help("write `seeded` or `external`")))
            }
        }
    }

    /// The sides that are meant: those named, or the first who may play, one after the other.
    pub fn sides_for(&self, sides: Option<Vec<Vec<String>>>) -> Result<Vec<Vec<String>>, Failure> {
        let info = &self.program.sides;
        if let Some(sides) = sides {
            return Ok(sides);
        }
        let count = info.least.max(1);
        if info.entrants_least == 0 {
            return Ok(vec![Vec::new(); count]);
        }
        let from = entrants(&self.program);
        let each = *info.team_sizes().start();
        if from.is_empty() {
            return Err(self.failure(Problem::error(codes::SEATS, format!("nobody is there to play `{}`", self.program.game))));
        }
        Ok((0..count).map(|side| (0..each).map(|place| from[(side * each + place) % from.len()].clone()).collect()).collect())
    }

    pub fn setup(&self, sides: Option<Vec<Vec<String>>>, seed: Seed, dice: Dice, watched: bool) -> Result<Setup, Failure> {
        Ok(Setup { sides: self.sides_for(sides)?, seed, dice, position: None, names: Vec::new(), watched })
    }

    /// A setup with its encoding.
    fn encode(&self, sides: Option<Vec<Vec<String>>>, dice: Dice, watched: bool) -> Result<(Setup, Arc<Encoding>), Failure> {
        let setup = self.setup(sides, 1.into(), dice, watched)?;
        let seeded = Setup { dice: Dice::Seeded, watched: false, ..setup.clone() };
        let mut known = self.encodings.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(encoding) = known.get(&setup.sides) {
            return Ok((setup, encoding.clone()));
        }
        let encoding = Encoding::from_session(&self.begin(&seeded)?).map_err(|problem| self.failure(*problem))?;
        let encoding = Arc::new(encoding);
        known.insert(setup.sides.clone(), encoding.clone());
        Ok((setup, encoding))
    }

    /// Starts a game. Where something is hidden, copies of cards exchange their numbers when they are shuffled.
    pub fn begin(&self, setup: &Setup) -> Result<Session, Failure> {
        self.begin_with(setup, SessionOptions { renumbers: true, ..SessionOptions::default() })
    }

    fn begin_with(&self, setup: &Setup, options: SessionOptions) -> Result<Session, Failure> {
        Session::start_with(self.program.clone(), setup, options).map_err(|problem| self.failure(problem))
    }
}

#[pymethods]
impl Game {
    /// Its id: `pig`.
    #[getter]
    fn id(&self) -> &str {
        &self.program.game
    }

    /// What players call it.
    #[getter]
    fn title(&self) -> &str {
        &self.program.title
    }

    #[getter]
    fn mode(&self) -> &str {
        &self.program.mode
    }

    /// The modes that there are.
    #[getter]
    fn modes(&self) -> Vec<&str> {
        self.program.modes.iter().map(|mode| mode.name.as_str()).collect()
    }

    /// Each option with its value.
    #[getter]
    fn options(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, &Value::Object(form::game_options_json(&self.program)))
    }

    /// The hash over the files that it was made from.
    #[getter]
    fn hash(&self) -> &str {
        &self.program.hash
    }

    /// How many sides may play, at least and at most.
    #[getter]
    fn sides(&self) -> (usize, usize) {
        (self.program.sides.least, self.program.sides.most)
    }

    /// Who may play, by the ids of their sheets.
    #[getter]
    fn entrants(&self) -> PyResult<Vec<String>> {
        Ok(within(|| Ok(entrants(&self.program)))?)
    }

    /// The policies that the rules declare.
    #[getter]
    fn policies(&self) -> Vec<&str> {
        policy::sorted_policy_names(&self.program)
    }

    /// What `check` warns of.
    #[getter]
    fn warnings(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let warnings = self.warnings.iter().map(|problem| told(problem, &self.program.sources));
        to_python(py, &Value::Array(warnings.collect()))
    }

    /// Starts a game.
    #[pyo3(signature = (*, sides=None, seed=1, dice="seeded", watched=true))]
    fn start(&self, sides: Option<Vec<Vec<String>>>, seed: u64, dice: &str, watched: bool) -> PyResult<PySession> {
        let dice = self.dice(dice)?;
        let begun = within(|| self.begin(&self.setup(sides, seed.into(), dice, watched)?));
        Ok(PySession::new(begun?))
    }

    /// Plays games between bots, and adds them up.
    #[pyo3(signature = (games=1000, *, seed=1, sides=None, players=Vec::new()))]
    fn sim(
        &self,
        py: Python<'_>,
        games: u64,
        seed: u64,
        sides: Option<Vec<Vec<String>>>,
        players: Vec<String>,
    ) -> PyResult<Py<PyAny>> {
        let open = vec![Vec::new(); self.program.sides.least.max(1)];
        let plan = Plan { program: self.program.clone(), games, seed, sides: sides.unwrap_or(open), players };
        let tally = py.detach(|| within(|| plan.run()))?;
        to_python(py, &tally.told(&self.program))
    }

    /// How the games between some sides are told in numbers.
    #[pyo3(signature = (*, sides=None))]
    fn encoding(&self, py: Python<'_>, sides: Option<Vec<Vec<String>>>) -> PyResult<PyEncoding> {
        Ok(PyEncoding(py.detach(|| within(|| Ok(self.encode(sides, Dice::Seeded, false)?.1)))?))
    }

    /// Starts a game that is played by actions. `remembers` keeps what each seat has seen and done. With `dice="external"` chance is
    /// asked draw by draw, see `EncodedSession.chance`, and a shuffled card is drawn when it is looked at.
    #[pyo3(signature = (*, sides=None, seed=1, dice="seeded", remembers=false))]
    fn play(&self, sides: Option<Vec<Vec<String>>>, seed: u64, dice: &str, remembers: bool) -> PyResult<Coded> {
        let dice = self.dice(dice)?;
        Ok(within(|| {
            let (setup, encoding) = self.encode(sides, dice, remembers)?;
            let setup = Setup { seed: seed.into(), ..setup };
            // Which copy is which is no secret of a game that is enumerated: chance decides nothing but what it is asked for.
            let session = match setup.dice {
                Dice::External => self.begin_with(&setup, SessionOptions { deals_late: true, ..SessionOptions::default() }),
                _ => self.begin(&setup),
            };
            let mut session = session?;
            let events = session.take_events();
            Ok(Coded::new(EncodedSession::new(session, encoding.clone()), encoding, &events, remembers))
        })?)
    }

    /// Starts many games that are played by actions.
    #[pyo3(signature = (count, *, sides=None, seed=1))]
    fn vector(&self, py: Python<'_>, count: usize, sides: Option<Vec<Vec<String>>>, seed: u64) -> PyResult<Vector> {
        let start = || {
            let (setup, encoding) = self.encode(sides, Dice::Seeded, false)?;
            let game = EncodedSession::new(self.begin(&setup)?, encoding.clone());
            Vector::new(game, encoding, count, setup.sides.len(), seed)
        };
        Ok(py.detach(|| within(start))?)
    }

    /// How likely each value of an expression is.
    #[pyo3(signature = (expression, *, sides=Vec::new(), limit=20_000_000, samples=100_000, seed=1, time=None, memory=None))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn odds(
        &self,
        py: Python<'_>,
        expression: &str,
        sides: Vec<Vec<String>>,
        limit: u64,
        samples: u64,
        seed: u64,
        time: Option<f64>,
        memory: Option<u64>,
    ) -> PyResult<Py<PyAny>> {
        // Longer than can be said is as long as it takes.
        let time = time.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok());
        let effort = Effort { limit, samples, seed, time, memory, ..Effort::default() };
        let work = || odds::told(&self.libraries, &self.program.game, &self.wanted, &sides, expression, &effort);
        let found = py.detach(|| within(work))?;
        to_python(py, &found)
    }

    fn __repr__(&self) -> String {
        let Value::Object(options) = json!(form::game_options_json(&self.program)) else { return String::new() };
        let options: Vec<String> = options.iter().map(|(name, value)| format!(", {name}={value}")).collect();
        format!("<ludex.Game {} ({}{})>", self.program.game, self.program.mode, options.concat())
    }
}
