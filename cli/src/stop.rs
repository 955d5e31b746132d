//! Why a verb stops before it has a result: one shape from the file to the exit status, told in one place.

use crate::exit::{DONE, PROBLEMS, USAGE};
use crate::output;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::source::Sources;
use ludex_validator::Report;
use serde_json::json;

/// What keeps a verb from going on.
#[derive(Clone, Debug)]
pub struct Stop {
    /// What is wrong; nothing, where somebody who was asked has left.
    pub problems: Vec<Problem>,
    /// The texts that the problems have places in.
    pub sources: Sources,
    /// The exit status.
    pub status: u8,
}

impl Stop {
    /// Something is wrong with what was given or found.
    pub fn new(problems: Vec<Problem>, sources: Sources) -> Stop {
        Stop { problems, sources, status: PROBLEMS }
    }

    /// The command line is wrong, or does not fit the game.
    pub fn usage(problem: Problem) -> Stop {
        Stop { status: USAGE, ..Stop::from(problem) }
    }

    /// Somebody who was asked has left. Nothing is wrong.
    pub fn left() -> Stop {
        Stop { status: DONE, ..Stop::new(Vec::new(), Sources::default()) }
    }

    /// The problem to tell if there is room for one.
    pub fn first(&self) -> Problem {
        let error = self.problems.iter().find(|problem| problem.is_error()).or(self.problems.first()).cloned();
        error.unwrap_or_else(|| Problem::error(codes::UNKNOWN_GAME, "the game cannot be played"))
    }

    /// Tells why nothing more is done: programs by one object on stdout, people by drawings on stderr. Gives the exit status.
    pub fn report(&self, command: Option<&str>, as_json: bool) -> u8 {
        if as_json && !self.problems.is_empty() {
            let mut object = Report::new(self.problems.clone()).to_json(&self.sources, "");
            object["command"] = json!(command);
            output::json(&object);
        } else {
            output::errors(&self.problems, &self.sources);
        }
        self.status
    }
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Stop {
        Stop::new(vec![problem], Sources::default())
    }
}
