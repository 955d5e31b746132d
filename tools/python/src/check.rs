//! `ludex.check`: what is wrong with the games of the libraries.

use crate::engine_calls::within;
use crate::failure::told;
use crate::library::Libraries;
use crate::values::to_python;
use ludex_engine::Compile;
use ludex_engine::library::CompileRequest;
use ludex_engine::problem::Problem;
use pyo3::prelude::*;
use serde_json::Value;
use std::path::PathBuf;

/// What is wrong with a game in each of its modes, or with all games; nothing is raised.
#[pyfunction]
#[pyo3(signature = (game=None, *, library=Vec::new()))]
pub fn check(py: Python<'_>, game: Option<String>, library: Vec<PathBuf>) -> PyResult<Py<PyAny>> {
    let found = py.detach(|| {
        within(|| {
            let mut libraries = Libraries::read(&library);
            let games = match game {
                Some(game) => {
                    libraries = libraries.with_game(&game)?;
                    vec![game]
                }
                None => libraries.library.game_ids(),
            };
            let mut problems = std::mem::take(&mut libraries.problems);
            for game in games {
                let modes = libraries.library.requests_by_mode(&game, &CompileRequest::default());
                let found = libraries.library.compile_each(&game, &modes).1;
                // What a game extends is looked at with each that extends it.
                problems.extend(found.into_iter().filter(|problem| !problems.contains(problem)).collect::<Vec<Problem>>());
            }
            Ok(Value::Array(problems.iter().map(|problem| told(problem, &libraries.library.sources)).collect()))
        })
    })?;
    to_python(py, &found)
}
