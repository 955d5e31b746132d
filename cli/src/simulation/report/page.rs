//! Lines of a report.

use std::fmt::Write;

/// The number of characters in the longest of some words.
pub fn longest_width<'a>(words: impl Iterator<Item = &'a String>) -> usize {
    words.map(|word| word.chars().count()).max().unwrap_or(0)
}

/// Adds a line without spaces at its end.
pub fn add_line(page: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(page, "{}", text.trim_end());
}
