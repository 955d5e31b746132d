//! `ludex._engine.Vector`: many games at once. All are stepped without Python's lock, and write into arrays that are given.

use crate::encoded_session::PyEncoding;
use crate::engine_calls::playing;
use crate::failure::Failure;
use ludex_bots::rng::derive_seed;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::encoding::{EncodedSession, Encoding, outcome_value};
use numpy::{PyReadonlyArray1, PyReadwriteArray, PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArray3, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// How a game went on: it goes on, it is over, or something went wrong in its rules.
const GOES_ON: u8 = 0;
const OVER: u8 = 1;
const FAULT: u8 = 2;

/// So many games take each part of a step together: a processor that has just done the same is faster at it, and what they need is
/// still at hand for the next part.
const TOGETHER: usize = 16;

/// So many games in a row that ask nothing are enough.
const MOST_UNASKED: usize = 1_000;

/// Many games of one program, each of which begins again when it is over.
#[pyclass(module = "ludex._engine")]
pub struct Vector {
    encoding: Arc<Encoding>,
    games: Vec<EncodedSession>,
    sides: usize,
    seed: u64,
    /// Games begun so far.
    begun: u64,
    finished: u64,
    faults: Vec<Problem>,
    /// Where the actions of a step stand among the legal ones of each game.
    places: Vec<usize>,
}

/// Where the games write what there is to see.
struct Out<'a> {
    observations: &'a mut [f32],
    masks: &'a mut [u8],
    seats: &'a mut [i32],
    /// With how many rows each game has.
    features: Option<(&'a mut [f32], &'a mut [i32])>,
}

impl<'a> Out<'a> {
    /// The arrays for so many games, if all have the shapes that they must have.
    fn new(
        encoding: &Encoding,
        count: usize,
        observations: &'a mut PyReadwriteArray2<'_, f32>,
        masks: &'a mut PyReadwriteArray2<'_, u8>,
        seats: &'a mut PyReadwriteArray1<'_, i32>,
        features: &'a mut Option<PyReadwriteArray3<'_, f32>>,
        counts: &'a mut Option<PyReadwriteArray1<'_, i32>>,
    ) -> PyResult<Out<'a>> {
        let features = match (features, counts) {
            (Some(features), Some(counts)) => {
                let shape = [count, encoding.most_legal(), encoding.feature_width()];
                Some((cells(features, "features", &shape)?, cells(counts, "counts", &[count])?))
            }
            (None, None) => None,
            _ => return Err(PyValueError::new_err("`features` and `counts` are given together, or neither is")),
        };
        Ok(Out {
            observations: cells(observations, "observations", &[count, encoding.observation_width()])?,
            masks: cells(masks, "masks", &[count, encoding.action_count()])?,
            seats: cells(seats, "seats", &[count])?,
            features,
        })
    }
}

impl Vector {
    pub fn new(game: EncodedSession, encoding: Arc<Encoding>, count: usize, sides: usize, seed: u64) -> Result<Vector, Failure> {
        let games = vec![game; count];
        let mut vector = Vector { encoding, games, sides, seed, begun: 0, finished: 0, faults: Vec::new(), places: Vec::new() };
        (0..count).try_for_each(|index| vector.begin_again(index))?;
        Ok(vector)
    }

    /// All games, as many together as are stepped together.
    fn together(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let count = self.games.len();
        (0..count).step_by(TOGETHER).map(move |first| first..count.min(first + TOGETHER))
    }

    /// Writes what the seat that is to choose sees in each of some games.
    fn write(&self, games: Range<usize>, out: &mut Out) {
        let encoding = &self.encoding;
        let (width, actions, wide) =
            (encoding.observation_width(), encoding.action_count(), encoding.most_legal() * encoding.feature_width());
        let row = |index: usize| index * width..(index + 1) * width;
        for index in games.clone() {
            let seat = self.games[index].asked_seat();
            out.seats[index] = seat.map_or(-1, |seat| seat as i32);
            self.games[index].write_observation(seat.unwrap_or(0), &mut out.observations[row(index)]);
        }
        for index in games.clone() {
            self.games[index].write_mask(&mut out.masks[index * actions..(index + 1) * actions]);
        }
        let Some((features, counts)) = &mut out.features else { return };
        for index in games {
            let rows = &mut features[index * wide..(index + 1) * wide];
            counts[index] = self.games[index].write_features(&out.observations[row(index)], rows) as i32;
        }
    }

    /// Looks the actions up before any of them is chosen.
    fn look_up(&mut self, actions: &[i64]) -> Result<(), Failure> {
        self.places.clear();
        for (index, (game, action)) in self.games.iter().zip(actions).enumerate() {
            if let Some(place) = u32::try_from(*action).ok().and_then(|action| game.place_of(action)) {
                self.places.push(place);
            } else {
                let message = format!("action {action} is not legal in game {index}");
                let problem = Problem::error(codes::ILLEGAL_CHOICE, message).help("choose one that the mask allows");
                return Err(Failure::of(problem, &game.session().program().sources));
            }
        }
        Ok(())
    }

    fn step_all(&mut self, actions: &[i64], rewards: &mut [f32], done: &mut [u8], out: &mut Out) -> Result<(), Failure> {
        self.look_up(actions)?;
        rewards.fill(0.0);
        for games in self.together() {
            for index in games.clone() {
                done[index] = self.choose(index, rewards);
                if done[index] != GOES_ON {
                    self.finished += u64::from(done[index] == OVER);
                    self.begin_again(index)?;
                }
            }
            self.games[games.clone()].iter_mut().for_each(EncodedSession::open_question);
            self.write(games, out);
        }
        Ok(())
    }

    /// Chooses the action that was looked up for a game, and tells how the game went on. Nobody has looked at its next question then.
    fn choose(&mut self, index: usize, rewards: &mut [f32]) -> u8 {
        let game = &mut self.games[index];
        if let Err(problem) = game.choose_at(self.places[index]) {
            self.faults.push(*problem);
            return FAULT;
        }
        let Some(outcome) = game.outcome() else { return GOES_ON };
        let seats = self.encoding.seat_count();
        for side in 0..self.sides {
            rewards[index * seats + side] = outcome_value(outcome, side, self.sides) as f32;
        }
        OVER
    }

    /// Begins the next game that asks anything. Where all that could be chosen is forced, a game may be over before.
    fn begin_again(&mut self, index: usize) -> Result<(), Failure> {
        let game = &mut self.games[index];
        let failure = |problem: Problem, game: &EncodedSession| Failure::of(problem, &game.session().program().sources);
        for _ in 0..MOST_UNASKED {
            let seed = derive_seed(self.seed, self.begun);
            self.begun += 1;
            game.restart(seed).map_err(|problem| failure(*problem, game))?;
            if game.asked_seat().is_some() {
                return Ok(());
            }
        }
        let message = format!("{MOST_UNASKED} games in a row have ended without a question");
        Err(failure(Problem::error("", message).help("choose a game in which somebody decides something"), game))
    }
}

/// The numbers of an array, if it has as many as are wanted, one after the other.
fn cells<'a, T: numpy::Element, D: numpy::ndarray::Dimension>(
    array: &'a mut PyReadwriteArray<'_, T, D>,
    name: &str,
    shape: &[usize],
) -> PyResult<&'a mut [T]> {
    if array.shape() != shape {
        return Err(PyValueError::new_err(format!("`{name}` has the shape {:?}, but {shape:?} is wanted", array.shape())));
    }
    array
        .as_slice_mut()
        .map_err(|_| PyValueError::new_err(format!("the numbers of `{name}` do not lie one after the other in memory")))
}

#[pymethods]
impl Vector {
    #[getter]
    fn encoding(&self) -> PyEncoding {
        PyEncoding(self.encoding.clone())
    }

    #[getter]
    fn count(&self) -> usize {
        self.games.len()
    }

    /// How many games have come to their end.
    #[getter]
    fn finished(&self) -> u64 {
        self.finished
    }

    /// What went wrong in rules since the last call.
    fn faults(&mut self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let Some(game) = self.games.first() else { return Ok(Vec::new()) };
        let sources = &game.session().program().sources;
        let told = self.faults.iter().map(|problem| crate::values::to_python(py, &crate::failure::told(problem, sources)));
        let told = told.collect::<PyResult<Vec<_>>>()?;
        self.faults.clear();
        Ok(told)
    }

    /// Begins all games again.
    fn restart(&mut self, py: Python<'_>, seed: u64) -> PyResult<()> {
        self.seed = seed;
        self.begun = 0;
        let all = || playing(|| (0..self.games.len()).try_for_each(|index| self.begin_again(index)));
        Ok(py.detach(all)?)
    }

    /// Chooses an action in each game, and writes what came of it.
    #[pyo3(signature = (actions, observations, masks, seats, rewards, done, features=None, counts=None))]
    #[expect(clippy::too_many_arguments, reason = "each array is one")]
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        mut observations: PyReadwriteArray2<'_, f32>,
        mut masks: PyReadwriteArray2<'_, u8>,
        mut seats: PyReadwriteArray1<'_, i32>,
        mut rewards: PyReadwriteArray2<'_, f32>,
        mut done: PyReadwriteArray1<'_, u8>,
        mut features: Option<PyReadwriteArray3<'_, f32>>,
        mut counts: Option<PyReadwriteArray1<'_, i32>>,
    ) -> PyResult<()> {
        let count = self.games.len();
        let actions = actions.as_slice().map_err(|_| PyValueError::new_err("`actions` is not one row of numbers"))?;
        if actions.len() != count {
            return Err(PyValueError::new_err(format!("{} actions are given for {count} games", actions.len())));
        }
        let shape = [count, self.encoding.seat_count()];
        let (rewards, done) = (cells(&mut rewards, "rewards", &shape)?, cells(&mut done, "done", &[count])?);
        let encoding = self.encoding.clone();
        let mut out = Out::new(&encoding, count, &mut observations, &mut masks, &mut seats, &mut features, &mut counts)?;
        Ok(py.detach(|| playing(|| self.step_all(actions, rewards, done, &mut out)))?)
    }

    /// Writes what the seat that is to choose sees in each game.
    #[pyo3(signature = (observations, masks, seats, features=None, counts=None))]
    fn look(
        &self,
        py: Python<'_>,
        mut observations: PyReadwriteArray2<'_, f32>,
        mut masks: PyReadwriteArray2<'_, u8>,
        mut seats: PyReadwriteArray1<'_, i32>,
        mut features: Option<PyReadwriteArray3<'_, f32>>,
        mut counts: Option<PyReadwriteArray1<'_, i32>>,
    ) -> PyResult<()> {
        let mut out =
            Out::new(&self.encoding, self.games.len(), &mut observations, &mut masks, &mut seats, &mut features, &mut counts)?;
        py.detach(|| {
            playing(|| {
                self.together().for_each(|games| self.write(games, &mut out));
                Ok(())
            })
        })?;
        Ok(())
    }
}
