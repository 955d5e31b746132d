//! Why a program gives no answer, and what to do about it.

use super::limits::{Excess, MOST_STEPS, MOST_WRONG};
use super::process::MOST_UNREAD;
use crate::lines::LONGEST_LINE;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

/// A reason for a missing answer. Any of them ends the program.
pub enum Failure {
    NotStarted(io::Error),
    /// Its limits cannot be determined.
    NoLimit(String),
    Ended(ExitStatus),
    /// Still runs, but has closed its output.
    Closed,
    TooMuch(Excess),
    /// Wrote no line in this time.
    Silent(Duration),
    /// Did not complete one decision in this time.
    TooSlow(Duration),
    /// Does not read its input.
    Deaf,
    /// Wrote a line that is too long.
    TooLong,
    /// Gave too many wrong answers in a row; the reason why the last was wrong.
    Wrong(String),
    /// Took too many steps in one decision.
    Undecided,
}

impl Failure {
    /// The end of a sentence that begins with the program.
    pub fn failure_text(&self) -> String {
        match self {
            Failure::NotStarted(error) => format!("cannot be started: {error}"),
            Failure::NoLimit(words) => format!("is not started: {words}"),
            Failure::Ended(status) => format!("ended before it answered ({status})"),
            Failure::Closed => "closed its output before it answered".to_string(),
            Failure::TooMuch(excess) => format!("was stopped: it {excess}"),
            Failure::Silent(patience) => format!("wrote no line for {}", seconds_text(*patience)),
            Failure::TooSlow(patience) => format!("took more than {} for one decision", seconds_text(*patience)),
            Failure::Deaf => format!("left more than {MOST_UNREAD} bytes of its input unread"),
            Failure::TooLong => format!("wrote a line of more than {LONGEST_LINE} bytes"),
            Failure::Wrong(reason) => format!("gave {MOST_WRONG} wrong answers in a row, the last because {reason}"),
            Failure::Undecided => format!("took {MOST_STEPS} steps in one decision and did not complete it"),
        }
    }

    /// How to avoid it.
    pub fn help(&self) -> String {
        let help = match self {
            Failure::TooMuch(excess) => return excess.help(),
            Failure::NotStarted(_) => {
                "write its path and its arguments, separated by spaces: `exec=./bot` or `exec=python3 bot.py`"
            }
            Failure::NoLimit(_) => "remove it from the environment to use the default limit",
            Failure::Silent(_) => {
                "a program must send each answer at once: many languages hold lines back until they are flushed; \
                 `LUDEX_BOT_SECONDS` gives it more time"
            }
            Failure::TooSlow(_) => "this is ten times the limit for one line; `LUDEX_BOT_SECONDS` gives it more time",
            Failure::Deaf => "a program must read every line, also lines that need no answer",
            Failure::Ended(_) | Failure::Closed => {
                "a program must run until its input ends, even after an `outcome`: another game may follow"
            }
            Failure::TooLong | Failure::Wrong(_) | Failure::Undecided => {
                "answer each `decision` with one line, such as `{\"choose\":ID,\"option\":0}` with its `id`"
            }
        };
        help.to_string()
    }
}

fn seconds_text(duration: Duration) -> String {
    match duration.as_secs() {
        1 => "1 second".to_string(),
        seconds => format!("{seconds} seconds"),
    }
}
