//! The lines from the other end, limited in length.

use crate::lines::{LONGEST_LINE, Lines};
use std::io::{BufRead, BufReader};

pub type Input = Lines<Box<dyn BufRead>>;

pub fn stdin_lines() -> Input {
    lines_from(Box::new(BufReader::new(std::io::stdin())))
}

pub fn lines_from(reader: Box<dyn BufRead>) -> Input {
    Lines::new(reader, LONGEST_LINE)
}
