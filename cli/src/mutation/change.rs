//! A change of one text.
//!
//! A mutant is a library with one such change, made in memory.

use ludex_engine::source::{SourceId, line_start};
use std::ops::Range;

/// A change of a text in one place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    pub source: SourceId,
    /// The bytes that are replaced.
    pub start: usize,
    pub end: usize,
    pub with: String,
}

impl Change {
    pub fn new(source: SourceId, at: Range<usize>, with: impl Into<String>) -> Change {
        Change { source, start: at.start, end: at.end, with: with.into() }
    }

    /// The text with the change.
    pub fn apply_to(&self, text: &str) -> String {
        let (before, after) = (text.get(..self.start).unwrap_or(""), text.get(self.end..).unwrap_or(""));
        format!("{before}{}{after}", self.with)
    }

    /// The line of the text where the change begins, from 1.
    pub fn start_line(&self, text: &str) -> usize {
        text.get(..self.start).map_or(0, |before| before.matches('\n').count()) + 1
    }

    /// The text before and after the change, each on one line. A short change is shown with its surroundings.
    pub fn before_and_after(&self, text: &str) -> (String, String) {
        let changed = text.get(self.start..self.end).unwrap_or("");
        if changed.len().min(self.with.len()) >= TELLING {
            return (one_line(changed), one_line(&self.with));
        }
        let before = line_start(text, self.start);
        let after = text.get(self.end..).and_then(|after| after.find('\n')).map_or(text.len(), |end| self.end + end);
        let (head, tail) = (text.get(before..self.start).unwrap_or(""), text.get(self.end..after).unwrap_or(""));
        (one_line(&format!("{head}{changed}{tail}")), one_line(&format!("{head}{}{tail}", self.with)))
    }
}

/// Minimum length in bytes of a text that is clear without its surroundings.
const TELLING: usize = 12;

/// Formats a text for a list.
fn one_line(text: &str) -> String {
    const LONGEST: usize = 100;
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
