//! A mistake: a wrong change of a text.

use ludex::tooling::Change;
use ludex_bots::rng::BotRng;
use ludex_engine::runtime::Lots;
use ludex_engine::source::SourceId;
use std::collections::BTreeSet;
use std::ops::{Deref, Range};

/// A change that `check` must report, with the expected report.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mistake {
    pub change: Change,
    /// The word to suggest, for a slip.
    pub right: Option<String>,
    /// An earlier place at which the mistake may also be reported: for a missing closing bracket, the opening one.
    pub or_at: Option<usize>,
    /// Whether the reported place is ignored: something missing may be noticed anywhere.
    pub anywhere: bool,
}

impl Deref for Mistake {
    type Target = Change;

    fn deref(&self) -> &Change {
        &self.change
    }
}

impl Mistake {
    /// Replaces the bytes `at` by `with`.
    pub fn new(source: SourceId, at: Range<usize>, with: impl Into<String>) -> Mistake {
        Mistake { change: Change::new(source, at, with), right: None, or_at: None, anywhere: false }
    }

    /// A word to be replaced by a slip. `at` is its place. The wrong spelling is drawn later.
    pub fn slip(source: SourceId, at: Range<usize>, word: &str) -> Mistake {
        Mistake { right: Some(word.to_string()), ..Mistake::new(source, at, word) }
    }

    /// Also accepts a report at this byte.
    pub fn or_at(self, byte: usize) -> Mistake {
        Mistake { or_at: Some(byte), ..self }
    }

    /// Accepts a report at any line.
    pub fn anywhere(self) -> Mistake {
        Mistake { anywhere: true, ..self }
    }

    /// The same mistake with other text.
    pub fn written(&self, with: String) -> Mistake {
        Mistake { change: Change { with, ..self.change.clone() }, ..self.clone() }
    }

    /// Whether it is a slip, whose text is drawn later.
    pub fn is_slip(&self) -> bool {
        self.right.is_some()
    }

    /// The lines of the changed text with the mistake, from 1: those of the change, and after a removal also the next line that
    /// is not empty.
    pub fn lines(&self, changed: &str) -> BTreeSet<usize> {
        let line = |byte: usize| changed.get(..byte).map_or(0, |before| before.matches('\n').count()) + 1;
        let first = line(self.start);
        // A final line end belongs to the line before.
        let last = line(self.start + self.with.trim_end_matches('\n').len()).max(first);
        let mut lines: BTreeSet<usize> = (first..=last).collect();
        lines.extend(self.or_at.map(line));
        if self.with.len() < self.end - self.start {
            let rest = changed.get(self.start + self.with.len()..).unwrap_or("");
            let blank = rest.len() - rest.trim_start().len();
            lines.insert(line(self.start + self.with.len() + blank));
        }
        lines
    }
}

/// Misspells a word so that the result is unknown: swaps two letters, or leaves out, doubles or replaces one. None after 20
/// attempts, or if the word is too short.
pub fn slip(word: &str, known: &BTreeSet<String>, rng: &mut BotRng) -> Option<String> {
    let signs: Vec<char> = word.chars().collect();
    // Short words have too many similar ones.
    if signs.len() < 4 {
        return None;
    }
    (0..20).map(|_| slipped(&signs, rng)).find(|slip| slip != word && !known.contains(slip))
}

/// A word with one slip of the pen, from its letters.
fn slipped(signs: &[char], rng: &mut BotRng) -> String {
    let mut signs = signs.to_vec();
    let last = signs.len() as u64 - 1;
    // The first letter is rarely affected.
    let place = 1 + rng.draw_below(last.max(1)) as usize;
    match rng.draw_below(4) {
        0 => signs.swap(place - 1, place),
        1 => drop(signs.remove(place)),
        2 => signs.insert(place, signs[place]),
        _ => signs[place] = (b'a' + rng.draw_below(26) as u8) as char,
    }
    signs.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_no_word_that_is_known() {
        let known: BTreeSet<String> = ["flies", "files"].map(String::from).into();
        let mut rng = BotRng::new(1, 1);
        for _ in 0..200 {
            let slip = slip("flies", &known, &mut rng).unwrap();
            assert!(!known.contains(&slip) && slip.len().abs_diff(5) <= 1, "{slip}");
        }
        assert_eq!(slip("me", &known, &mut rng), None);
    }

    #[test]
    fn a_change_knows_its_lines() {
        let text = "one\ntwo {\n\nthree }\n";
        let change = Mistake::new(SourceId(0), 4..7, "a\nb");
        assert_eq!(change.apply_to(text), "one\na\nb {\n\nthree }\n");
        assert_eq!(change.lines(&change.apply_to(text)), [2, 3].into());
        let removed = Mistake::new(SourceId(0), 8..9, "");
        assert_eq!(removed.lines(&removed.apply_to(text)), [2, 4].into());
    }
}
