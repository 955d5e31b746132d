//! Something wrong with what was given, as data. How it looks is the validator's business.

use crate::source::Span;
use std::fmt::Display;

/// How bad it is: an error stops play, a warning does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing can be played until it is put right.
    Error,
    /// Play goes on, but this was probably not meant.
    Warning,
}

/// One thing wrong: what, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// A code of the register ([`crate::codes`]), such as `LX0101`; `ludex explain CODE` tells more.
    pub code: &'static str,
    /// Whether it stops play.
    pub severity: Severity,
    /// The fact, in lower case, without a final stop, the reader's words in backticks.
    pub message: String,
    /// Places, the main one first, each with a short remark.
    pub labels: Vec<(Span, String)>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Problem {
    /// An error without places; `code` is one of [`crate::codes`].
    pub fn error(code: &'static str, message: impl Into<String>) -> Problem {
        Problem { code, severity: Severity::Error, message: message.into(), labels: Vec::new(), help: None }
    }

    /// A warning without places; `code` is one of [`crate::codes`].
    pub fn warning(code: &'static str, message: impl Into<String>) -> Problem {
        Problem { severity: Severity::Warning, ..Problem::error(code, message) }
    }

    /// Adds a place with a remark of a few words, which may be empty. The first one added is the main place.
    pub fn at(mut self, span: Span, remark: impl Into<String>) -> Problem {
        self.labels.push((span, remark.into()));
        self
    }

    /// Says what to do about it, in place of any help before.
    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }

    /// Adds `did you mean …` when one of the known words is near.
    pub fn suggest<'a>(self, wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Problem {
        // The same word is there in some other place, and no help.
        match nearest(wrong, known.into_iter().filter(|word| *word != wrong)) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self,
        }
    }

    /// Whether it stops play.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Longer words are no slips of anything.
const LONGEST_WORD: usize = 64;

/// The known word nearest to `wrong`: another case first, then at most two slips
/// (one in words of four letters or fewer).
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if wrong.len() > LONGEST_WORD {
        return None;
    }
    let slips = if wrong.chars().count() <= 4 { 1 } else { 2 };
    let wrong = folded(wrong);
    known
        .into_iter()
        .filter(|word| word.len() <= LONGEST_WORD)
        .filter_map(|word| Some((slips_between(&folded(word), &wrong, slips)?, word)))
        .min()
        .map(|(_, word)| word)
}

/// A word without what is often mistaken: capitals, and what stands between its parts.
fn folded(word: &str) -> Vec<char> {
    let sign = |sign: char| if matches!(sign, '-' | ' ') { '_' } else { sign };
    word.chars().flat_map(char::to_lowercase).map(sign).collect()
}

/// How many slips lie between two words, if they are no more than `most`. What stands in both at the beginning and at the
/// end is not looked at, and words of another length are not compared: few are.
fn slips_between(one: &[char], other: &[char], most: usize) -> Option<usize> {
    if one.len().abs_diff(other.len()) > most {
        return None;
    }
    let same = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[same..], &other[same..]);
    let same = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[..one.len() - same], &other[..other.len() - same]);
    let strange = one.iter().filter(|sign| !other.contains(sign)).count();
    let slips = || strsim::generic_damerau_levenshtein(one, other);
    (strange <= most).then(slips).filter(|slips| *slips <= most)
}

/// A list as a sentence holds it: `a`, `a and b`, `a, b and c`.
pub fn joined<S: AsRef<str>>(words: &[S], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.as_ref().to_string(),
        [front @ .., end] => {
            let front: Vec<&str> = front.iter().map(|w| w.as_ref()).collect();
            format!("{} {last} {}", front.join(", "), end.as_ref())
        }
    }
}

/// `2`, or `2 to 4`.
pub fn between<N: PartialEq + Display>(least: N, most: N) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// With a great first letter.
pub fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// `an otter`, `a newt`
pub fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// The same words named once with their number, in the order in which they first stand: `Otter`, `3 × Heron`.
pub fn counted_alike<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut known: Vec<(&str, usize)> = Vec::new();
    for word in words {
        match known.iter_mut().find(|(found, _)| *found == word) {
            Some((_, times)) => *times += 1,
            None => known.push((word, 1)),
        }
    }
    let shown = |(word, times): (&str, usize)| if times == 1 { word.to_string() } else { format!("{times} × {word}") };
    known.into_iter().map(shown).collect()
}

/// The rules that are cited, in brackets.
pub fn cited(rules: &[String]) -> String {
    if rules.is_empty() { String::new() } else { format!(" ({})", rules.join(", ")) }
}
