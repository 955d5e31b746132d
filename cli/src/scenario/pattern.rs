//! `kind(what, what by SIDE)`: an event as a scenario expects it.
//!
//! `expect` and `exactly` list them. `kind` is the name of the event, and the rest are its arguments, as in
//! [`events`](super::events).

use super::events::{Argument, MatchableEvent};
use super::labels::Labels;
use ludex_engine::program::Program;
use std::fmt;

/// An expected event. Arguments left out at the end, and a missing side, match anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pub kind: String,
    pub arguments: Vec<Word>,
    pub by: Option<usize>,
}

/// One argument, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    pub quoted: bool,
}

impl Pattern {
    /// The text of a pattern that an event matches; `None` if its words cannot occur in one.
    pub fn text_for_event(event: &MatchableEvent, program: &Program, labels: &Labels) -> Option<String> {
        let shown = event.pattern_text(program, labels);
        Pattern::parse(&shown).ok().filter(|pattern| pattern.matches_event(event, labels)).map(|_| shown)
    }

    /// Parses a pattern. The error describes the mistake.
    pub fn parse(text: &str) -> Result<Pattern, String> {
        let text = text.trim();
        let (kind, rest) = match text.find('(') {
            Some(at) => text.split_at(at),
            None => (text, ""),
        };
        let kind = kind.trim();
        if kind.is_empty() || !kind.chars().all(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '-')) {
            return Err(format!("`{kind}` is not the name of an event"));
        }
        let body = match rest {
            "" => "",
            _ => rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).ok_or("a `)` is missing at the end")?,
        };
        let (body, by) = split_side(body)?;
        let arguments = split_commas(body)?.into_iter().map(Word::new).collect();
        Ok(Pattern { kind: kind.to_string(), arguments, by })
    }

    /// Whether an event has this kind, this side, and these arguments in one of its forms.
    pub fn matches_event(&self, told: &MatchableEvent, labels: &Labels) -> bool {
        self.kind == told.kind
            && self.by.is_none_or(|side| told.by == Some(side))
            && told.readings.iter().any(|arguments| self.matches_arguments(arguments, labels))
    }

    fn matches_arguments(&self, arguments: &[Argument], labels: &Labels) -> bool {
        self.arguments.len() <= arguments.len()
            && self.arguments.iter().zip(arguments).all(|(word, argument)| word.matches_argument(argument, labels))
    }
}

impl Word {
    fn new(text: &str) -> Word {
        let text = text.trim();
        match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
            Some(inner) => Word { text: inner.to_string(), quoted: true },
            None => Word { text: text.to_string(), quoted: false },
        }
    }

    /// A piece may be named or numbered, and a key may have the scenario's form.
    fn matches_argument(&self, argument: &Argument, labels: &Labels) -> bool {
        match argument {
            Argument::Piece(piece) => labels.piece_by_word(&self.text) == Some(*piece),
            Argument::Key(key) => labels.engine_key(&self.text) == labels.engine_key(key),
            Argument::Word(word) => self.text == *word,
        }
    }
}

impl Pattern {
    /// The variants of the pattern in which one number is the amount of a change. `set(x, 2)` expects the new value 2; an
    /// author who means the change is pointed to `set(x, 2 more)`.
    pub fn amount_variants(&self) -> Vec<Pattern> {
        let numbers = self.arguments.iter().enumerate().filter(|(_, word)| !word.quoted && is_number(&word.text));
        let amounts = numbers.flat_map(|(place, word)| {
            ["more", "less"].map(|way| {
                let mut pattern = self.clone();
                if let Some(argument) = pattern.arguments.get_mut(place) {
                    argument.text = format!("{} {way}", word.text.trim_start_matches(['+', '-']));
                }
                pattern
            })
        });
        amounts.collect()
    }
}

/// Whether a word is a number, optionally with a sign and a fraction: `1`, `+2`, `-1.5`.
fn is_number(word: &str) -> bool {
    let digits = word.trim_start_matches(['+', '-']).replacen('.', "", 1);
    !digits.is_empty() && digits.bytes().all(|sign| sign.is_ascii_digit())
}

/// Splits off ` by SIDE` at the end.
fn split_side(body: &str) -> Result<(&str, Option<usize>), String> {
    let (front, side) = match body.trim().strip_prefix("by ") {
        Some(side) => ("", side),
        None => match body.rsplit_once(" by ") {
            // Inside quotes it is an ordinary word.
            Some((_, side)) if side.contains('"') => return Ok((body, None)),
            Some(parts) => parts,
            None => return Ok((body, None)),
        },
    };
    match side.trim().parse() {
        Ok(side) => Ok((front, Some(side))),
        Err(_) => Err(format!("`{}` is not the number of a side", side.trim())),
    }
}

/// Splits at commas outside parentheses and quotes.
fn split_commas(body: &str) -> Result<Vec<&str>, String> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut quoted) = (0, 0i32, false);
    for (at, sign) in body.char_indices() {
        match sign {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                parts.push(&body[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        if depth < 0 {
            return Err("there is one `)` too many".to_string());
        }
    }
    if quoted {
        return Err("a `\"` is missing".to_string());
    }
    if depth > 0 {
        return Err("a `)` is missing".to_string());
    }
    if !body.trim().is_empty() {
        parts.push(&body[start..]);
    }
    match parts.iter().any(|part| part.trim().is_empty()) {
        true => Err("a word is missing before or after a comma".to_string()),
        false => Ok(parts),
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.arguments.iter().map(|word| match word.quoted {
            true => format!("\"{}\"", word.text),
            false => word.text.clone(),
        });
        let words = words.collect::<Vec<_>>().join(", ");
        match (words.is_empty(), self.by) {
            (true, None) => f.write_str(&self.kind),
            (true, Some(side)) => write!(f, "{}(by {side})", self.kind),
            (false, None) => write!(f, "{}({words})", self.kind),
            (false, Some(side)) => write!(f, "{}({words} by {side})", self.kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn labels() -> Labels {
        Labels::new(BTreeMap::from([("a".to_string(), 3), ("y".to_string(), 9)]))
    }

    fn told(kind: &str, by: Option<usize>, arguments: Vec<Argument>) -> MatchableEvent {
        MatchableEvent { kind: kind.to_string(), by, readings: vec![arguments] }
    }

    fn matches(pattern: &str, told: &MatchableEvent) -> bool {
        Pattern::parse(pattern).unwrap().matches_event(told, &labels())
    }

    #[test]
    fn what_is_left_out_matches_anything() {
        let rolled = told("rolled", Some(0), vec![Argument::Piece(3), Argument::Word("6".to_string())]);
        for pattern in ["rolled", "rolled(a)", "rolled(3)", "rolled(a, 6)", "rolled(a,6 by 0)", "rolled(by 0)"] {
            assert!(matches(pattern, &rolled), "{pattern}");
        }
        for pattern in ["moved", "rolled(y)", "rolled(a, 5)", "rolled(a, 6 by 1)", "rolled(a, 6, 7)"] {
            assert!(!matches(pattern, &rolled), "{pattern}");
        }
    }

    #[test]
    fn a_side_that_is_named_must_be_there() {
        assert!(!matches("shuffled(by 0)", &told("shuffled", None, Vec::new())));
    }

    #[test]
    fn keys_hold_names_in_any_order() {
        let chose = told("chose", Some(1), vec![Argument::Key("attack(3+4>9)".to_string())]);
        assert!(matches("chose(attack(4 + a > y) by 1)", &chose));
        assert!(!matches("chose(attack(a > y) by 1)", &chose));
    }

    #[test]
    fn quoted_texts_may_hold_anything() {
        let said = told("said", None, vec![Argument::Word("done, by all (so far)".to_string())]);
        assert!(matches("said(\"done, by all (so far)\")", &said));
        assert!(!matches("said(\"done\")", &said));
    }

    #[test]
    fn a_pattern_is_shown_as_it_is_read() {
        for text in ["rolled", "rolled(a, 6)", "captured(y by 0)", "used(by 1)", "said(\"a, b\")", "chose(hop(1+2 > 3) by 0)"] {
            assert_eq!(Pattern::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_pattern_is_told() {
        let wrong = |text| Pattern::parse(text).unwrap_err();
        assert_eq!(wrong("rolled(a"), "a `)` is missing at the end");
        assert_eq!(wrong("rolled a 6"), "`rolled a 6` is not the name of an event");
        assert_eq!(wrong("rolled(a by me)"), "`me` is not the number of a side");
        assert_eq!(wrong("rolled(a,)"), "a word is missing before or after a comma");
        assert_eq!(wrong("chose(hop(1)"), "a `)` is missing");
        assert_eq!(wrong("said(\"so)"), "a `\"` is missing");
        assert_eq!(wrong("(a)"), "`` is not the name of an event");
    }
}
