//! `ludex.Session`: one game in progress, and the conversation with it.

use crate::engine_calls::playing;
use crate::failure::Failure;
use crate::questions::{Answer, decision, random};
use crate::seat::Seat;
use crate::values::to_python;
use ludex_engine::codes;
use ludex_engine::json as form;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::{Choice, Decision, Event, Pending, Session, Viewer};
use pyo3::prelude::*;
use serde_json::{Value, json};

/// What has been done in a session since it began or was copied.
#[derive(Clone, Debug)]
enum Deed {
    Chosen(u64, Choice),
    Supplied(Vec<i64>),
    Resigned(usize),
}

/// A game in progress.
#[pyclass(module = "ludex", name = "Session")]
#[derive(Clone)]
pub struct PySession {
    pub session: Session,
    /// As it was before the first deed.
    start: Session,
    deeds: Vec<Deed>,
    /// What happened since the session began to be watched, and how much of it before each deed.
    events: Vec<Event>,
    before: Vec<usize>,
}

impl PySession {
    pub fn new(mut session: Session) -> PySession {
        let events = session.take_events();
        PySession { start: session.clone(), session, deeds: Vec::new(), events, before: Vec::new() }
    }

    fn sources(&self) -> &ludex_engine::source::Sources {
        &self.session.program().sources
    }

    pub fn failure(&self, problem: Problem) -> Failure {
        Failure::of(problem, self.sources())
    }

    fn done(&mut self, deed: Deed) {
        self.before.push(self.events.len());
        self.deeds.push(deed);
        self.events.extend(self.session.take_events());
    }

    /// The open decisions, of one seat or of all.
    pub fn open(&self, seat: Option<usize>) -> Vec<Decision> {
        match self.session.pending() {
            Pending::Decisions(open) => {
                open.iter().filter(|decision| seat.is_none_or(|seat| decision.seat == seat)).cloned().collect()
            }
            Pending::Random(_) | Pending::Finished(_) => Vec::new(),
        }
    }

    pub fn told_decisions(&self, seat: Option<usize>) -> Result<Value, Failure> {
        playing(|| Ok(self.open(seat).iter().map(|open| decision(&self.session, open)).collect()))
    }

    pub fn told_view(&self, viewer: Viewer) -> Result<Value, Failure> {
        playing(|| Ok(form::view_json(&self.session.view(viewer))))
    }

    /// What a viewer may know of what happened, from some event on.
    pub fn told_events(&self, viewer: Viewer, since: usize) -> Value {
        let reaching = self.events.iter().filter(|event| event.reaches_viewer(viewer)).enumerate().skip(since);
        let told = reaching.map(|(place, event)| match event.seen_by(viewer) {
            Some(event) => Value::Object(form::event_json(event, place as u64 + 1)),
            None => json!({ "type": "event", "n": place + 1, "kind": "hidden" }),
        });
        Value::Array(told.collect())
    }

    /// Answers a decision: the one with this number, or the first that is open.
    pub fn answer(&mut self, answer: Answer, id: Option<u64>, seat: Option<usize>) -> Result<(), Failure> {
        let open = self.open(seat);
        let found = open.iter().find(|decision| id.is_none_or(|id| decision.id == id));
        let Some(found) = found else {
            let message = match id {
                Some(id) => format!("decision {id} is not open"),
                None => "no decision is open".to_string(),
            };
            return Err(self.failure(Problem::error(codes::ILLEGAL_CHOICE, message).help("`pending()` has the open decisions")));
        };
        let choice = answer.choice(found).map_err(|problem| self.failure(problem))?;
        self.choose_now(found.id, choice)
    }

    pub fn choose_now(&mut self, id: u64, choice: Choice) -> Result<(), Failure> {
        let sources = self.session.program().sources.clone();
        let session = &mut self.session;
        playing(|| session.choose(id, choice.clone()).map_err(|problem| Failure::of(*problem, &sources)))?;
        self.done(Deed::Chosen(id, choice));
        Ok(())
    }

    pub fn imagined(&self, seat: usize, seed: u64) -> Result<PySession, Failure> {
        self.check_seat(seat)?;
        playing(|| Ok(PySession::new(self.session.imagine(seat, seed))))
    }

    pub fn check_seat(&self, seat: usize) -> Result<(), Failure> {
        let seats = self.seats();
        if seat < seats {
            return Ok(());
        }
        let problem = Problem::error(codes::SEATS, format!("there is no seat {seat}"));
        Err(self.failure(problem.help(format!("the seats are 0 to {}", seats - 1))))
    }

    fn do_again(&mut self, deed: &Deed) -> Result<(), Box<Problem>> {
        match deed {
            Deed::Chosen(id, choice) => self.session.choose(*id, choice.clone()),
            Deed::Supplied(results) => self.session.supply(results),
            Deed::Resigned(seat) => {
                self.session.resign(*seat);
                Ok(())
            }
        }
    }

    pub fn told_outcome(&self) -> Option<Value> {
        match self.session.pending() {
            Pending::Finished(outcome) => Some(Value::Object(form::outcome_json(outcome))),
            _ => None,
        }
    }
}

#[pymethods]
impl PySession {
    /// How many seats there are: one for each side, and one for the referee.
    #[getter]
    pub fn seats(&self) -> usize {
        self.session.view(Viewer::Spectator).sides.len() + usize::from(self.session.program().referee.is_some())
    }

    /// The open decisions, each with its options.
    fn pending(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, &self.told_decisions(None)?)
    }

    /// The results of chance that are wanted, in a session with `dice="external"`.
    fn random(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self.session.pending() {
            Pending::Random(request) => to_python(py, &random(request)),
            _ => Ok(py.None()),
        }
    }

    /// How the game ended; none while it goes on.
    fn outcome(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.told_outcome().map_or_else(|| Ok(py.None()), |outcome| to_python(py, &outcome))
    }

    #[pyo3(signature = (answer, decision=None))]
    fn choose(&mut self, answer: Answer, decision: Option<u64>) -> PyResult<()> {
        Ok(self.answer(answer, decision, None)?)
    }

    fn supply(&mut self, results: Vec<i64>) -> PyResult<()> {
        let sources = self.sources().clone();
        let session = &mut self.session;
        playing(|| session.supply(&results).map_err(|problem| Failure::of(*problem, &sources)))?;
        self.done(Deed::Supplied(results));
        Ok(())
    }

    /// What a seat may know; without a seat, what everybody may.
    #[pyo3(signature = (seat=None))]
    fn view(&self, py: Python<'_>, seat: Option<usize>) -> PyResult<Py<PyAny>> {
        seat.map_or(Ok(()), |seat| self.check_seat(seat))?;
        to_python(py, &self.told_view(seat.map_or(Viewer::Spectator, Viewer::Seat))?)
    }

    /// What a seat may know of what happened; without a seat, what everybody may.
    #[pyo3(signature = (seat=None, since=0))]
    fn events(&self, py: Python<'_>, seat: Option<usize>, since: usize) -> PyResult<Py<PyAny>> {
        seat.map_or(Ok(()), |seat| self.check_seat(seat))?;
        to_python(py, &self.told_events(seat.map_or(Viewer::Spectator, Viewer::Seat), since))
    }

    #[pyo3(signature = (seat, seed=0))]
    fn imagine(&self, seat: usize, seed: u64) -> PyResult<PySession> {
        Ok(self.imagined(seat, seed)?)
    }

    #[pyo3(name = "clone")]
    fn copy(&self) -> PySession {
        self.clone()
    }

    fn __copy__(&self) -> PySession {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PySession {
        self.clone()
    }

    /// Takes the last answers back.
    #[pyo3(signature = (count=1))]
    fn undo(&mut self, count: usize) -> PyResult<()> {
        let Some(kept) = self.deeds.len().checked_sub(count) else {
            let message = format!("{count} answers are to be taken back, but only {} were given", self.deeds.len());
            return Err(self.failure(Problem::error(codes::UNDO_REFUSED, message)).into());
        };
        let sources = self.sources().clone();
        let mut again = PySession { session: self.start.clone(), ..self.clone() };
        playing(|| {
            let mut deeds = self.deeds.iter().take(kept);
            deeds.try_for_each(|deed| again.do_again(deed)).map_err(|problem| Failure::of(*problem, &sources))
        })?;
        again.session.take_events();
        again.deeds.truncate(kept);
        again.events.truncate(self.before.get(kept).copied().unwrap_or(self.events.len()));
        again.before.truncate(kept);
        *self = again;
        Ok(())
    }

    fn resign(&mut self, seat: usize) -> PyResult<()> {
        self.check_seat(seat)?;
        self.session.resign(seat);
        self.done(Deed::Resigned(seat));
        Ok(())
    }

    /// How well each side does, where the rules declare a standing.
    fn standings(&self) -> PyResult<Option<Vec<Option<i64>>>> {
        Ok(playing(|| Ok(self.session.standings()))?)
    }

    /// The key under which recordings write an answer down.
    #[pyo3(signature = (answer, decision=None))]
    fn key(&self, answer: Answer, decision: Option<u64>) -> PyResult<Option<String>> {
        let open = self.open(None);
        let Some(found) = open.iter().find(|open| decision.is_none_or(|id| open.id == id)) else { return Ok(None) };
        let choice = answer.choice(found).map_err(|problem| self.failure(problem))?;
        Ok(playing(|| Ok(self.session.choice_key(found.id, &choice)))?)
    }

    /// The game as one seat may see it, to hand to a bot.
    fn seat(slf: Bound<'_, Self>, seat: usize) -> PyResult<Seat> {
        slf.borrow().check_seat(seat)?;
        Ok(Seat { session: slf.unbind(), seat })
    }

    fn __repr__(&self) -> String {
        let program = self.session.program();
        let state = match self.session.pending() {
            Pending::Finished(_) => "finished",
            Pending::Random(_) => "waiting for results of chance",
            Pending::Decisions(_) => "waiting for an answer",
        };
        format!("<ludex.Session of {}, {state}>", program.game)
    }
}
