//! The destination of lines.

use crate::exit::PROBLEMS;
use crate::output;
use crate::protocol::messages::{self, Fields, To, addressed, alone};
use ludex_engine::problem::Problem;
use serde_json::Value;
use std::cell::RefCell;
use std::rc::Rc;

/// Points to the full report of a failure.
pub const MORE: &str = "standard error shows more to the person who started the table";

/// The destination of lines.
#[derive(Clone, Debug)]
pub struct Out {
    /// Only send what this seat may see.
    pub as_seat: Option<usize>,
    /// The buffer that takes the lines instead of stdout.
    kept: Option<Kept>,
}

/// Lines that stay in this process, shared with their reader.
pub type Kept = Rc<RefCell<Vec<Value>>>;

impl Out {
    pub fn stdout(as_seat: Option<usize>) -> Out {
        Out { as_seat, kept: None }
    }

    pub fn kept(as_seat: Option<usize>, kept: Kept) -> Out {
        Out { as_seat, kept: Some(kept) }
    }

    pub fn send_each(&self, lines: Vec<(To, Fields)>) {
        lines.into_iter().for_each(|(to, line)| self.send(to, line));
    }

    pub fn send(&self, to: To, fields: Fields) {
        if self.as_seat.is_none_or(|only| to.includes(only)) {
            let line = if self.as_seat.is_some() { alone(fields) } else { addressed(to, fields) };
            match &self.kept {
                Some(kept) => kept.borrow_mut().push(line),
                None => output::json(&line),
            }
        }
    }

    /// Tells everybody that play cannot start or go on. Returns the exit status.
    pub fn refuse(&self, problem: &Problem) -> u8 {
        self.send(To::All, messages::error(problem));
        PROBLEMS
    }
}

/// Refuses like [`Out::send_refusal`], before there is a game. A client for one seat does not learn the errors of a command line or of
/// files that are not its own.
pub fn refuse(problem: &Problem, as_seat: Option<usize>) -> u8 {
    let out = Out::stdout(as_seat);
    match as_seat {
        Some(_) => out.refuse(&Problem::error(problem.code, "the game cannot begin").help(MORE)),
        None => out.refuse(problem),
    }
}
