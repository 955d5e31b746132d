//! Lines typed by people or read from a pipe.

use super::screen::Screen;
use crate::lines::{Line, Lines};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use std::io::{self, BufReader, IsTerminal, Stdin};

/// Maximum length of an answer, in bytes.
const LONGEST_LINE: usize = 4096;

/// Number of lines in a row without an answer after which a pipe is given up.
const MOST_LINES: usize = 1000;

pub struct Input {
    lines: Lines<BufReader<Stdin>>,
    /// Lines since the last answer; not used for a keyboard.
    idle: usize,
    keyboard: bool,
}

/// The reason that reading has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    NothingLeft,
    NoAnswers,
}

impl From<Ended> for Problem {
    fn from(ended: Ended) -> Problem {
        let message = match ended {
            Ended::NothingLeft => "the input ended before the game did".to_string(),
            Ended::NoAnswers => format!("{MOST_LINES} lines in a row were not answers"),
        };
        Problem::error(codes::INPUT_ENDED, message)
    }
}

impl Input {
    pub fn new() -> Input {
        let lines = Lines::new(BufReader::new(io::stdin()), LONGEST_LINE);
        Input { lines, idle: 0, keyboard: io::stdin().is_terminal() }
    }

    /// Whether a person types the lines.
    pub fn is_keyboard(&self) -> bool {
        self.keyboard
    }

    /// Notes that the last line was an answer.
    pub fn answered(&mut self) {
        self.idle = 0;
    }

    /// Asks until it gets a line of text.
    pub fn ask(&mut self, screen: &Screen, prompt: &str) -> Result<String, Ended> {
        loop {
            if self.idle >= MOST_LINES && !self.keyboard {
                return Err(Ended::NoAnswers);
            }
            self.idle += 1;
            screen.prompt(prompt);
            match self.lines.read() {
                Line::Text(text) => {
                    screen.echo(text.trim());
                    return Ok(text.trim().to_string());
                }
                Line::NotText => screen.say("this is not text; type a number, or `help`"),
                Line::TooLong => screen.say("this line is too long for an answer; type a number, or `help`"),
                Line::End => return Err(Ended::NothingLeft),
            }
        }
    }
}
