//! One change of one text.

use ludex_bots::rng::BotRng;
use ludex_engine::runtime::Lots;
use ludex_engine::source::{SourceId, line_start};
use std::collections::BTreeSet;
use std::ops::Range;

/// What a text is changed to at one place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    pub source: SourceId,
    /// The bytes that are replaced.
    pub start: usize,
    pub end: usize,
    pub with: String,
    /// The word that should be suggested, if it is a slip of one.
    pub right: Option<String>,
    /// Another place of the text, before this one, at which the mistake may be told as well: what a missing bracket closes.
    pub or_at: Option<usize>,
    /// Where it is told does not matter: what is missing is missed somewhere else.
    pub anywhere: bool,
}

impl Change {
    pub fn new(source: SourceId, at: Range<usize>, with: impl Into<String>) -> Change {
        Change { source, start: at.start, end: at.end, with: with.into(), right: None, or_at: None, anywhere: false }
    }

    /// A word that is to become a slip of itself.
    pub fn slip(source: SourceId, at: Range<usize>, word: &str) -> Change {
        Change { right: Some(word.to_string()), ..Change::new(source, at, word) }
    }

    pub fn or_at(self, byte: usize) -> Change {
        Change { or_at: Some(byte), ..self }
    }

    pub fn anywhere(self) -> Change {
        Change { anywhere: true, ..self }
    }

    /// Whether anything is changed yet: a slip is drawn later.
    pub fn is_slip(&self) -> bool {
        self.right.is_some()
    }

    pub fn applied(&self, text: &str) -> String {
        let (before, after) = (text.get(..self.start).unwrap_or(""), text.get(self.end..).unwrap_or(""));
        format!("{before}{}{after}", self.with)
    }

    /// The line of the text, from 1, at which the change begins.
    pub fn line(&self, text: &str) -> usize {
        line_of(text, self.start)
    }

    /// The lines of the changed text, from 1, at which the mistake is: those of the change, and the next one with anything on
    /// it where something was taken out.
    pub fn lines(&self, changed: &str) -> BTreeSet<usize> {
        let line = |byte: usize| line_of(changed, byte);
        let first = line(self.start);
        // A line end at the end of what stands there now belongs to the line before.
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

    /// What is written there before and after, each on one line; with what stands around it if that is little.
    pub fn shown(&self, text: &str) -> (String, String) {
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

fn line_of(text: &str, byte: usize) -> usize {
    text.get(..byte).map_or(0, |before| before.matches('\n').count()) + 1
}

/// A text of so many bytes tells by itself what it is.
const TELLING: usize = 12;

/// A text as a list holds it.
fn one_line(text: &str) -> String {
    const LONGEST: usize = 100;
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A word with one slip that is none of the known words: two letters swapped, one left out, written twice, or another.
pub fn slip(word: &str, known: &BTreeSet<String>, rng: &mut BotRng) -> Option<String> {
    let signs: Vec<char> = word.chars().collect();
    // Of short words too many others are as near.
    if signs.len() < 4 {
        return None;
    }
    (0..20).map(|_| slipped(&signs, rng)).find(|slip| slip != word && !known.contains(slip))
}

fn slipped(signs: &[char], rng: &mut BotRng) -> String {
    let mut signs = signs.to_vec();
    let last = signs.len() as u64 - 1;
    // The first letter is hit seldom.
    let place = 1 + rng.below(last.max(1)) as usize;
    match rng.below(4) {
        0 => signs.swap(place - 1, place),
        1 => drop(signs.remove(place)),
        2 => signs.insert(place, signs[place]),
        _ => signs[place] = (b'a' + rng.below(26) as u8) as char,
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
        let change = Change::new(SourceId(0), 4..7, "a\nb");
        assert_eq!(change.applied(text), "one\na\nb {\n\nthree }\n");
        assert_eq!(change.lines(&change.applied(text)), [2, 3].into());
        let removed = Change::new(SourceId(0), 8..9, "");
        assert_eq!(removed.lines(&removed.applied(text)), [2, 4].into());
    }
}
