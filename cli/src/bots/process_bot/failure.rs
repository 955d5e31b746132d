//! Why a program gives no answer, and what to do about it.

use super::limits::{Excess, MOST_STEPS, MOST_WRONG};
use super::process::MOST_UNREAD;
use crate::lines::LONGEST_LINE;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

/// A reason for a missing answer.
pub enum Failure {
    NotStarted(io::Error),
    /// Its limits cannot be determined.
    NoLimit(String),
    Ended(ExitStatus),
    /// Still runs, but has closed its output.
    Closed,
    TooMuch(Excess),
    Silent(Duration),
    TooSlow(Duration),
    Deaf,
    TooLong,
    Wrong(String),
    Undecided,
}

impl Failure {
    pub fn words(&self) -> String {
        match self {
            Failure::NotStarted(error) => format!("cannot be started: {error}"),
            Failure::NoLimit(words) => format!("is not started: {words}"),
            Failure::Ended(status) => format!("ended before it answered ({status})"),
            Failure::Closed => "closed its output before it answered".to_string(),
            Failure::TooMuch(excess) => format!("was ended: it {excess}"),
            Failure::Silent(patience) => format!("wrote no line for {}", seconds(*patience)),
            Failure::TooSlow(patience) => format!("took more than {} over one decision", seconds(*patience)),
            Failure::Deaf => format!("left more than {MOST_UNREAD} bytes unread of what it was told"),
            Failure::TooLong => format!("wrote a line of more than {LONGEST_LINE} bytes"),
            Failure::Wrong(reason) => format!("gave {MOST_WRONG} wrong answers in a row, the last because {reason}"),
            Failure::Undecided => format!("took {MOST_STEPS} steps over one decision without deciding it"),
        }
    }

    pub fn help(&self) -> String {
        let help = match self {
            Failure::TooMuch(excess) => return excess.help(),
            Failure::NotStarted(_) => {
                "say how it is started, then its arguments, with spaces between them: `exec=./bot` or `exec=python3 bot.py`"
            }
            Failure::NoLimit(_) => "without it in the environment the usual limit holds",
            Failure::Silent(_) => {
                "a program must send each answer at once: many languages hold lines back until they are flushed; \
                 `LUDEX_BOT_SECONDS` gives it more time"
            }
            Failure::TooSlow(_) => "this is ten times what it may take for a line; `LUDEX_BOT_SECONDS` gives it more time",
            Failure::Deaf => "a program reads every line, also those that ask for nothing",
            Failure::Ended(_) | Failure::Closed => {
                "a program goes on until its input ends, also after an `outcome`: another game may follow"
            }
            Failure::TooLong | Failure::Wrong(_) | Failure::Undecided => {
                "answer each `decision` with one line, such as `{\"choose\":ID,\"option\":0}` with its `id`"
            }
        };
        help.to_string()
    }
}

fn seconds(duration: Duration) -> String {
    match duration.as_secs() {
        1 => "1 second".to_string(),
        seconds => format!("{seconds} seconds"),
    }
}
