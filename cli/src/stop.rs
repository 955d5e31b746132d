//! Why a verb stops before it has a result: one type from the file to the exit status, reported in one place.

use crate::exit::{DONE, PROBLEMS, USAGE};
use crate::output;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::source::Sources;
use ludex_validator::Report;
use serde_json::json;

/// The reason that a verb cannot continue.
#[derive(Clone, Debug)]
pub struct Stop {
    /// The problems; empty if the user left when asked.
    pub problems: Vec<Problem>,
    /// The texts that the problems refer to.
    pub sources: Sources,
    /// The exit status.
    pub status: u8,
}

impl Stop {
    /// The input or the result has problems.
    pub fn new(problems: Vec<Problem>, sources: Sources) -> Stop {
        Stop { problems, sources, status: PROBLEMS }
    }

    /// The command line is invalid, or does not fit the game.
    pub fn usage_error(problem: Problem) -> Stop {
        Stop { status: USAGE, ..Stop::from(problem) }
    }

    /// The user left when asked. This is no error.
    pub fn user_left() -> Stop {
        Stop { status: DONE, ..Stop::new(Vec::new(), Sources::default()) }
    }

    /// The most important problem, if only one can be shown.
    pub fn main_problem(&self) -> Problem {
        let error = self.problems.iter().find(|problem| problem.is_error()).or(self.problems.first()).cloned();
        error.unwrap_or_else(|| Problem::error(codes::UNKNOWN_GAME, "the game cannot be played"))
    }

    /// Reports why the verb stops: to programs as one object on stdout, to people as text on stderr. Returns the exit status.
    pub fn report(&self, command: Option<&str>, as_json: bool) -> u8 {
        if as_json && !self.problems.is_empty() {
            let mut object = Report::new(self.problems.clone()).to_json(&self.sources, "");
            object["command"] = json!(command);
            output::print_json(&object);
        } else {
            output::print_errors(&self.problems, &self.sources);
        }
        self.status
    }
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Stop {
        Stop::new(vec![problem], Sources::default())
    }
}
