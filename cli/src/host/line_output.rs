//! The destination of lines: stdout, or a buffer in tests. A client for one seat gets only the lines for that seat, without
//! the fields that it must not see; otherwise each line says whom it is for.

use crate::exit::PROBLEMS;
use crate::output;
use crate::protocol::messages::{self, Fields, Recipients, add_recipients, remove_private_fields};
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
    kept: Option<LineBuffer>,
}

/// Lines that stay in this process, shared with their reader.
pub type LineBuffer = Rc<RefCell<Vec<Value>>>;

impl Out {
    pub fn to_stdout(as_seat: Option<usize>) -> Out {
        Out { as_seat, kept: None }
    }

    pub fn to_buffer(as_seat: Option<usize>, kept: LineBuffer) -> Out {
        Out { as_seat, kept: Some(kept) }
    }

    pub fn send_lines(&self, lines: Vec<(Recipients, Fields)>) {
        lines.into_iter().for_each(|(to, line)| self.send_line(to, line));
    }

    /// Sends a line; to a client for one seat only if the line is for that seat.
    pub fn send_line(&self, to: Recipients, fields: Fields) {
        if self.as_seat.is_none_or(|only| to.includes_seat(only)) {
            let line = if self.as_seat.is_some() { remove_private_fields(fields) } else { add_recipients(to, fields) };
            match &self.kept {
                Some(kept) => kept.borrow_mut().push(line),
                None => output::print_json(&line),
            }
        }
    }

    /// Tells everybody that play cannot start or go on. Returns the exit status.
    pub fn send_refusal(&self, problem: &Problem) -> u8 {
        self.send_line(Recipients::All, messages::error_message(problem));
        PROBLEMS
    }
}

/// Refuses like [`Out::send_refusal`], before there is a game. A client for one seat does not learn the errors of a command
/// line or of files that are not its own.
pub fn refuse_start(problem: &Problem, as_seat: Option<usize>) -> u8 {
    let out = Out::to_stdout(as_seat);
    match as_seat {
        Some(_) => out.send_refusal(&Problem::error(problem.code, "the game cannot begin").help(MORE)),
        None => out.send_refusal(problem),
    }
}
