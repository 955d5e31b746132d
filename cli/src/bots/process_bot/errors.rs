//! Passes a program's stderr on to ours, up to a limit.

use crate::lines::{Line, Lines};
use std::io::{BufReader, Read};

/// Maximum length of a line in bytes. Longer lines are left out.
const LONGEST: usize = 8 << 10;
/// Maximum number of bytes passed on in all.
const MOST: usize = 1 << 20;
/// Maximum number of characters of the last line that a report repeats.
const LAST_WORDS: usize = 300;

/// Counts what is passed on. Lines that are left out are still read; otherwise the program would block.
#[derive(Default)]
struct StderrRelay {
    passed: usize,
    has_left_out: bool,
    is_full: bool,
}

/// Passes stderr of the named program on to `say` until it ends, and returns the last line.
pub fn relay_stderr(stderr: impl Read, name: &str, mut say: impl FnMut(&str)) -> String {
    let mut lines = Lines::new(BufReader::new(stderr), LONGEST);
    let mut passing = StderrRelay::default();
    let mut last = String::new();
    loop {
        let (shown, note) = match lines.read_line() {
            Line::End => return last.chars().take(LAST_WORDS).collect(),
            Line::NotText => continue,
            Line::TooLong => (None, passing.drop_long_line()),
            Line::Text(text) => {
                if !text.trim().is_empty() {
                    last = text.trim().to_string();
                }
                passing.pass_line(text)
            }
        };
        shown.iter().for_each(|text| say(text));
        note.iter().for_each(|note| say(&format!("ludex: `{name}` {note}")));
    }
}

impl StderrRelay {
    /// Returns the line, if there is room for it, and a note to print after it, if any.
    fn pass_line(&mut self, text: String) -> (Option<String>, Option<String>) {
        self.passed += text.len() + 1;
        if self.passed <= MOST {
            return (Some(text), None);
        }
        let is_first = !std::mem::replace(&mut self.is_full, true);
        (None, is_first.then(|| format!("has written more than {MOST} bytes on stderr: the rest is left out")))
    }

    /// Returns a note for the first long line that is left out.
    fn drop_long_line(&mut self) -> Option<String> {
        let is_first = !std::mem::replace(&mut self.has_left_out, true) && !self.is_full;
        is_first.then(|| format!("has written a line of more than {LONGEST} bytes on stderr: such lines are left out"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_over_is_left_out_with_one_note() {
        let mut passing = StderrRelay::default();
        let line = "x".repeat(1023);
        let told: Vec<_> = (0..2000).map(|_| passing.pass_line(line.clone())).collect();
        assert_eq!(told.iter().filter(|(shown, _)| shown.is_some()).count(), 1024);
        assert_eq!(told.iter().filter(|(_, note)| note.is_some()).count(), 1);
        assert!(told[1024].1.is_some());
    }

    #[test]
    fn long_lines_are_told_once() {
        let mut passing = StderrRelay::default();
        assert_eq!([passing.drop_long_line(), passing.drop_long_line()].iter().flatten().count(), 1);
    }

    #[test]
    fn the_last_words_are_short() {
        let said = format!("hello\n{}\n\n{}\n{}", "y".repeat(5000), "z".repeat(9000), "z".repeat(9000));
        let mut told = Vec::new();
        assert_eq!(relay_stderr(said.as_bytes(), "a test", |text| told.push(text.to_string())), "y".repeat(300));
        let note = "ludex: `a test` has written a line of more than 8192 bytes on stderr: such lines are left out";
        assert_eq!((told[0].as_str(), told[1].len(), told[2].as_str(), told[3].as_str()), ("hello", 5000, "", note));
        assert_eq!(told.len(), 4);
    }
}
