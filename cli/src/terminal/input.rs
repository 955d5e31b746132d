//! Lines typed by people or read from a pipe.

use super::screen::Screen;
use crate::lines::{Line, Lines};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use std::io::{self, BufReader, IsTerminal, Stdin};

/// Maximum length of an answer, in bytes.
const LONGEST_LINE: usize = 4096;

/// Number of lines in a row without an answer after which a pipe is given up: it may never end.
const MOST_LINES: usize = 1000;

/// The lines of stdin.
pub struct Input {
    lines: Lines<BufReader<Stdin>>,
    /// Lines since the last answer; not used for a keyboard.
    idle: usize,
    /// True if a person types the lines, who may make as many mistakes as they like.
    keyboard: bool,
}

/// The reason that reading has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputEnd {
    NothingLeft,
    /// Too many lines of a pipe in a row were no answers.
    NoAnswers,
}

impl From<InputEnd> for Problem {
    fn from(ended: InputEnd) -> Problem {
        let message = match ended {
            InputEnd::NothingLeft => "the input ended before the game did".to_string(),
            InputEnd::NoAnswers => format!("{MOST_LINES} lines in a row were not answers"),
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
    pub fn reset_idle_count(&mut self) {
        self.idle = 0;
    }

    /// Prints the prompt and reads a line, until it gets one of text. Returns it without spaces at its ends.
    pub fn ask_line(&mut self, screen: &Screen, prompt: &str) -> Result<String, InputEnd> {
        loop {
            if self.idle >= MOST_LINES && !self.keyboard {
                return Err(InputEnd::NoAnswers);
            }
            self.idle += 1;
            screen.print_prompt(prompt);
            match self.lines.read_line() {
                Line::Text(text) => {
                    screen.echo_answer(text.trim());
                    return Ok(text.trim().to_string());
                }
                Line::NotText => screen.print_text("this is not text; type a number, or `help`"),
                Line::TooLong => screen.print_text("this line is too long for an answer; type a number, or `help`"),
                Line::End => return Err(InputEnd::NothingLeft),
            }
        }
    }
}
