//! Lines that people, or a pipe in their place, have typed.

use super::screen::Screen;
use crate::lines::{Line, Lines};
use std::io::{self, BufReader, Stdin};

/// Longer lines are no answers.
const LONGEST_LINE: usize = 4096;

pub struct Input {
    lines: Lines<BufReader<Stdin>>,
}

/// There is nothing more to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended;

impl Input {
    pub fn new() -> Input {
        Input { lines: Lines::new(BufReader::new(io::stdin()), LONGEST_LINE) }
    }

    /// Asks until a line of text comes.
    pub fn ask(&mut self, screen: &Screen, prompt: &str) -> Result<String, Ended> {
        loop {
            screen.prompt(prompt);
            match self.lines.read() {
                Line::Text(text) => {
                    screen.echo(text.trim());
                    return Ok(text.trim().to_string());
                }
                Line::NotText => screen.say("this is not text; type a number, or `help`"),
                Line::TooLong => screen.say("this line is too long for an answer; type a number, or `help`"),
                Line::End => return Err(Ended),
            }
        }
    }
}
