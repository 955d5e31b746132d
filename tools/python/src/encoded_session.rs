//! `ludex.EncodedSession`: one game that is played by numbered actions, for learners that take one step at a time.

use crate::engine_calls::playing;
use crate::failure::Failure;
use crate::values::to_python;
use ludex_engine::json as form;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::encoding::{EncodedSession, Encoding, outcome_value};
use ludex_engine::runtime::{Event, Pending, RandomRequest, Viewer};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::fmt::Write;
use std::sync::Arc;

/// How the games of a program between certain sides are told in numbers.
#[pyclass(module = "ludex", name = "Encoding", frozen)]
pub struct PyEncoding(pub Arc<Encoding>);

#[pymethods]
impl PyEncoding {
    /// How many actions there are.
    #[getter]
    fn actions(&self) -> usize {
        self.0.action_count()
    }

    /// How many numbers an observation has.
    #[getter]
    fn width(&self) -> usize {
        self.0.observation_width()
    }

    /// How many numbers tell of a legal action.
    #[getter]
    fn feature_width(&self) -> usize {
        self.0.feature_width()
    }

    /// Of how many legal actions there are features.
    #[getter]
    fn most_legal(&self) -> usize {
        self.0.most_legal()
    }

    #[getter]
    fn seats(&self) -> usize {
        self.0.seat_count()
    }

    /// What an action is called.
    fn action_name(&self, action: usize) -> Option<String> {
        self.0.action_name(action)
    }

    /// What each action and each number stands for.
    fn table(&self) -> String {
        self.0.table_text()
    }

    fn __str__(&self) -> String {
        self.0.table_text()
    }

    fn __repr__(&self) -> String {
        format!("<ludex.Encoding: {} actions, {} numbers>", self.0.action_count(), self.0.observation_width())
    }
}

/// A game that is played by actions.
#[pyclass(module = "ludex", name = "EncodedSession")]
#[derive(Clone)]
pub struct Coded {
    pub encoding: Arc<Encoding>,
    pub game: EncodedSession,
    /// What each seat has seen and done, if it is kept.
    seen: Option<Vec<String>>,
    /// Results of chance that were chosen for the open request.
    results: Vec<i64>,
}

impl Coded {
    pub fn new(game: EncodedSession, encoding: Arc<Encoding>, first: &[Event], remembers: bool) -> Coded {
        let seen = remembers.then(|| vec![String::new(); encoding.seat_count()]);
        let mut coded = Coded { encoding, game, seen, results: Vec::new() };
        coded.remember(first);
        coded
    }

    fn failure(&self, problem: Problem) -> Failure {
        Failure::of(problem, &self.game.session().program().sources)
    }

    /// Adds to what each seat has seen.
    fn remember(&mut self, events: &[Event]) {
        let Some(seen) = &mut self.seen else { return };
        for event in events {
            for (seat, seen) in seen.iter_mut().enumerate() {
                let viewer = Viewer::Seat(seat);
                match event.seen_by(viewer) {
                    // Dictionaries keep their order, so that what is alike is written alike.
                    Some(event) => _ = writeln!(seen, "{}", Value::Object(form::event_facts(event))),
                    None if event.reaches_viewer(viewer) => seen.push_str("hidden\n"),
                    None => {}
                }
            }
        }
    }

    fn going_on(&mut self, deed: impl FnOnce(&mut EncodedSession) -> Result<(), Box<Problem>>) -> Result<(), Failure> {
        let sources = self.game.session().program().sources.clone();
        let game = &mut self.game;
        let remembers = self.seen.is_some();
        let events = playing(|| {
            deed(game).map_err(|problem| Failure::of(*problem, &sources))?;
            Ok(if remembers { game.take_events() } else { Vec::new() })
        })?;
        self.remember(&events);
        Ok(())
    }

    fn request(&self) -> Option<&RandomRequest> {
        match self.game.session().pending() {
            Pending::Random(request) => Some(request),
            _ => None,
        }
    }
}

#[pymethods]
impl Coded {
    /// The seat that is to choose; none if play is over, or chance is to decide.
    #[getter]
    fn seat(&self) -> Option<usize> {
        self.game.asked_seat()
    }

    #[getter]
    fn seats(&self) -> usize {
        self.encoding.seat_count()
    }

    #[getter]
    fn encoding(&self) -> PyEncoding {
        PyEncoding(self.encoding.clone())
    }

    /// Whether play is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    /// Whether no action of the open decision has been chosen yet.
    #[getter]
    fn is_fresh(&self) -> bool {
        self.game.is_fresh()
    }

    /// The actions that may be chosen now, rising.
    fn legal(&self) -> Vec<u32> {
        self.game.legal_actions().to_vec()
    }

    /// Chooses an action.
    fn play(&mut self, action: u32) -> PyResult<()> {
        Ok(self.going_on(|game| game.play_action(action))?)
    }

    /// The results of chance that may come next, each as likely as the others and told as often as there are faces with it; empty
    /// where chance is not asked.
    fn chance(&self) -> Vec<i64> {
        let Some(draw) = self.request().and_then(|request| request.draws.get(self.results.len())) else { return Vec::new() };
        match &draw.faces {
            Some(faces) => faces.values.iter().map(|face| i64::from(*face)).collect(),
            None => (1..=draw.size).collect(),
        }
    }

    /// How many draws of chance the open request still wants.
    fn chance_left(&self) -> usize {
        self.request().map_or(0, |request| request.draws.len() - self.results.len())
    }

    /// Lets chance decide the next draw.
    fn draw(&mut self, result: i64) -> PyResult<()> {
        self.results.push(result);
        if self.chance_left() == 0 {
            let results = std::mem::take(&mut self.results);
            self.going_on(|game| game.supply(&results))?;
        }
        Ok(())
    }

    /// All that a seat has seen and done since the game began.
    fn recall(&self, seat: usize) -> String {
        self.seen.as_ref().and_then(|seen| seen.get(seat)).cloned().unwrap_or_default()
    }

    /// What a seat sees, in numbers.
    fn observe<'py>(&self, py: Python<'py>, seat: usize) -> Bound<'py, PyArray1<f32>> {
        let mut row = vec![0.0; self.encoding.observation_width()];
        self.game.write_observation(seat, &mut row);
        PyArray1::from_vec(py, row)
    }

    /// 1 for each legal action of a seat; all 0 if it is not to choose.
    #[pyo3(signature = (seat=None))]
    fn mask<'py>(&self, py: Python<'py>, seat: Option<usize>) -> Bound<'py, PyArray1<i8>> {
        let mut mask = vec![0; self.encoding.action_count()];
        if seat.is_none_or(|seat| self.game.asked_seat() == Some(seat)) {
            self.game.write_mask(&mut mask);
        }
        PyArray1::from_iter(py, mask.into_iter().map(|cell| cell as i8))
    }

    /// A row of numbers for each legal action.
    fn features<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let wide = self.encoding.feature_width();
        let mut rows = vec![0.0; wide * self.game.legal_actions().len()];
        if let Some(seat) = self.game.asked_seat() {
            let mut row = vec![0.0; self.encoding.observation_width()];
            self.game.write_observation(seat, &mut row);
            self.game.write_features(&row, &mut rows);
        }
        PyArray1::from_vec(py, rows).reshape([self.game.legal_actions().len(), wide])
    }

    /// What the end is worth to each seat; all 0 while play goes on, and for the referee.
    fn returns(&self) -> Vec<f64> {
        let sides = self.game.session().view(Viewer::Spectator).sides.len();
        let of =
            |seat: usize| self.game.outcome().filter(|_| seat < sides).map_or(0.0, |outcome| outcome_value(outcome, seat, sides));
        (0..self.encoding.seat_count()).map(of).collect()
    }

    /// How play ended.
    fn outcome(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self.game.outcome() {
            Some(outcome) => to_python(py, &Value::Object(form::outcome_json(outcome))),
            None => Ok(py.None()),
        }
    }

    /// What chance is asked for.
    fn request_told(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, &self.request().map_or(json!(null), crate::questions::random))
    }

    /// A game that agrees with all that a seat has seen; everything else is dealt afresh. The seat has yet to begin its answer.
    #[pyo3(signature = (seat, seed=0))]
    fn imagine(&self, seat: usize, seed: u64) -> PyResult<Coded> {
        let game = playing(|| Ok(EncodedSession::new(self.game.session().imagine(seat, seed), self.encoding.clone())))?;
        Ok(Coded { game, seen: None, results: Vec::new(), encoding: self.encoding.clone() })
    }

    /// What a seat may know.
    fn view(&self, py: Python<'_>, seat: usize) -> PyResult<Py<PyAny>> {
        to_python(py, &form::view_json(&self.game.session().view(Viewer::Seat(seat))))
    }

    /// Begins again from another seed.
    fn restart(&mut self, seed: u64) -> PyResult<()> {
        self.results.clear();
        self.seen.iter_mut().flatten().for_each(String::clear);
        Ok(self.going_on(|game| game.restart(seed))?)
    }

    #[pyo3(name = "clone")]
    fn copy(&self) -> Coded {
        self.clone()
    }

    fn __copy__(&self) -> Coded {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Coded {
        self.clone()
    }

    /// A bot of the engine answers whatever is open, whoever is asked.
    fn play_bot(&mut self, bot: &str, seed: u64) -> PyResult<()> {
        let Some(seat) = self.game.asked_seat() else { return Ok(()) };
        let program = self.game.session().program().clone();
        let bot = crate::bots::bot(bot, &program, seed, seat);
        let mut bot = bot.map_err(|problem| self.failure(problem))?;
        Ok(self.going_on(|game| {
            let Pending::Decisions([decision, ..]) = game.session().pending() else { return Ok(()) };
            let (id, choice) = (decision.id, bot.answer(game.session(), decision)?);
            game.answer_decision(id, choice)
        })?)
    }
}
