//! Lines of a report.

use std::fmt::Write;

/// How wide the longest of some words is, in letters.
pub fn longest<'a>(words: impl Iterator<Item = &'a String>) -> usize {
    words.map(|word| word.chars().count()).max().unwrap_or(0)
}

pub fn line(page: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(page, "{}", text.trim_end());
}
