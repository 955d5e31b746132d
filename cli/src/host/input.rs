//! The lines from the other end.

use crate::lines::{LONGEST_LINE, Lines};
use std::io::{BufRead, BufReader};

pub type Input = Lines<Box<dyn BufRead>>;

pub fn input() -> Input {
    lines_of(Box::new(BufReader::new(std::io::stdin())))
}

pub fn lines_of(reader: Box<dyn BufRead>) -> Input {
    Lines::new(reader, LONGEST_LINE)
}
