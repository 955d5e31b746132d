//! Something wrong with what was given, as data. How it looks is the validator's business.

use crate::source::{Sources, Span};
use std::fmt::{self, Display};

/// How bad it is: an error stops play, a warning does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing can be played until it is put right.
    Error,
    /// Play goes on, but this was probably not meant.
    Warning,
}

/// How sure it is that something is wrong. Errors always are certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// What is written has no effect, or never does what it says.
    Certain,
    /// It does something, but hardly what was meant.
    Probable,
}

impl Confidence {
    /// The word for it, for people and programs.
    pub fn word(self) -> &'static str {
        match self {
            Confidence::Certain => "certain",
            Confidence::Probable => "probable",
        }
    }
}

/// A stretch of a text, and what to write in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is taken away; nothing if it ends where it starts.
    pub span: Span,
    /// What takes its place.
    pub text: String,
}

/// A text with some edits made, none of which meets another.
pub fn edited(text: &str, mut edits: Vec<&Edit>) -> String {
    edits.sort_by_key(|edit| edit.span);
    let (mut new, mut from) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        new.push_str(text.get(from..edit.span.start as usize).unwrap_or_default());
        new.push_str(&edit.text);
        from = edit.span.end as usize;
    }
    new.push_str(text.get(from..).unwrap_or_default());
    new
}

/// What mends a problem without anything left to decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fix {
    /// In the main place, and in others where it stands alone, this word for that one.
    Word {
        /// As it is written.
        wrong: String,
        /// As it should be.
        right: String,
    },
    /// All of these, or none.
    Edits(Vec<Edit>),
}

/// A sentence for people: in lower case, without a final stop, the reader's words in backticks. It can be shown and compared,
/// but no program can look for words in it: what programs need to know of a problem is in its code and its subject.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message(String);

impl<S: Into<String>> From<S> for Message {
    fn from(words: S) -> Message {
        Message(words.into())
    }
}

impl Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// One thing wrong: what, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// A code of the register ([`crate::codes`]), such as `LX0101`; `ludex explain CODE` tells more.
    pub code: &'static str,
    /// Whether it stops play.
    pub severity: Severity,
    /// How sure it is.
    pub confidence: Confidence,
    /// The fact.
    pub message: Message,
    /// The name, as it is written, that is unknown or wrong; none if the problem is not about a single name.
    pub subject: Option<Box<str>>,
    /// Places, the main one first, each with a short remark.
    pub labels: Vec<(Span, String)>,
    /// What to do about it.
    pub help: Option<String>,
    /// The same for programs, where only one thing can be meant.
    pub fix: Option<Box<Fix>>,
}

impl Problem {
    /// An error without places; `code` is one of [`crate::codes`].
    pub fn error(code: &'static str, message: impl Into<Message>) -> Problem {
        Problem {
            code,
            severity: Severity::Error,
            confidence: Confidence::Certain,
            message: message.into(),
            subject: None,
            labels: Vec::new(),
            help: None,
            fix: None,
        }
    }

    /// A warning without places of something that is certain; `code` is one of [`crate::codes`].
    pub fn warning(code: &'static str, message: impl Into<Message>) -> Problem {
        Problem { severity: Severity::Warning, ..Problem::error(code, message) }
    }

    /// A warning without places of something that may be meant so; `code` is one of [`crate::codes`].
    pub fn suspicion(code: &'static str, message: impl Into<Message>) -> Problem {
        Problem { confidence: Confidence::Probable, ..Problem::warning(code, message) }
    }

    /// Adds a place with a remark of a few words, which may be empty. The first one added is the main place.
    pub fn at(mut self, span: Span, remark: impl Into<String>) -> Problem {
        self.labels.push((span, remark.into()));
        self
    }

    /// Notes the name that is unknown or wrong, so that checks can tell which problems have the same cause.
    pub fn about(mut self, subject: &str) -> Problem {
        self.subject = Some(subject.into());
        self
    }

    /// Says what to do about it, in place of any help before.
    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self.fix = None;
        self
    }

    /// Notes the unknown name, and adds `did you mean …` when one of the known words is near.
    pub fn suggest<'a>(self, wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Problem {
        // The same word is there in some other place, and no help.
        let near = closest(wrong, known.into_iter().filter(|word| *word != wrong));
        let problem = self.about(wrong);
        near.into_iter().fold(problem, Problem::meant)
    }

    /// Asks whether a known word was meant. If no other can be, the problem can be mended.
    pub fn meant(self, near: Near) -> Problem {
        let problem = self.help(format!("did you mean `{near}`?"));
        let fix = near.alone.then(|| Box::new(Fix::Word { wrong: near.wrong, right: near.word }));
        Problem { fix, ..problem }
    }

    /// What is to be written in some place, where nothing else can be meant; further places add to it.
    pub fn instead(mut self, span: Span, text: impl Into<String>) -> Problem {
        self.also_instead(span, text);
        self
    }

    /// As [`Problem::instead`], for a problem that is found before its last place.
    pub fn also_instead(&mut self, span: Span, text: impl Into<String>) {
        let edit = Edit { span, text: text.into() };
        match self.fix.as_deref_mut() {
            Some(Fix::Edits(edits)) => edits.push(edit),
            _ => self.fix = Some(Box::new(Fix::Edits(vec![edit]))),
        }
    }

    /// What is to be written where, in the order of the text; nothing if that is not certain.
    pub fn edits(&self, sources: &Sources) -> Vec<Edit> {
        match self.fix.as_deref() {
            None => Vec::new(),
            Some(Fix::Edits(edits)) => {
                let mut edits = edits.clone();
                edits.sort_by_key(|edit| edit.span);
                edits
            }
            Some(Fix::Word { wrong, right }) if is_plain(wrong) && is_plain(right) => {
                let main = self.labels.first().and_then(|(span, _)| word_within(*span, wrong, sources));
                let others = self.labels.iter().skip(1).map(|(span, _)| *span);
                let others = others.filter(|span| main.is_some_and(|main| main != *span) && sources.slice(*span) == wrong);
                main.into_iter().chain(others).map(|span| Edit { span, text: right.clone() }).collect()
            }
            Some(Fix::Word { .. }) => Vec::new(),
        }
    }

    /// Translates every text in it, such as names that replaced something in the reader's text before it was parsed.
    pub fn translate(mut self, translate: impl Fn(&str) -> String) -> Problem {
        self.message = Message(translate(&self.message.0));
        self.labels.iter_mut().for_each(|(_, remark)| *remark = translate(remark));
        self.help = self.help.as_deref().map(translate);
        self
    }

    /// Whether it stops play.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Where a word stands in a place, if it stands there once.
fn word_within(span: Span, word: &str, sources: &Sources) -> Option<Span> {
    let text = sources.slice(span);
    let belongs = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-');
    let is_whole = |(start, _): &(usize, &str)| {
        let before = text[..*start].chars().next_back();
        let behind = text[start + word.len()..].chars().next();
        !before.is_some_and(belongs) && !behind.is_some_and(belongs)
    };
    let mut found = text.match_indices(word).filter(is_whole);
    let (start, _) = found.next().filter(|_| !word.is_empty() && found.next().is_none())?;
    let start = span.start as usize + start;
    Some(Span::new(span.source, start, start + word.len()))
}

/// Whether a word means itself wherever it stands, without quotes.
fn is_plain(word: &str) -> bool {
    let signs = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-' | ' ');
    word.starts_with(char::is_alphanumeric) && word.chars().all(signs) && word.trim() == word
}

/// Where more than so much is wrong, nobody reads what each name may have meant.
pub const MOST_SUGGESTED: usize = 100;

/// Longer words are no slips of anything.
const LONGEST_WORD: usize = 64;

/// A known word that is near a wrong one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    wrong: String,
    /// The known word.
    pub word: String,
    /// Whether no other is near.
    alone: bool,
}

impl Near {
    /// The word of a thing that was called by another of its names.
    pub fn named(wrong: &str, word: &str) -> Near {
        Near { wrong: wrong.to_string(), word: word.to_string(), alone: true }
    }
}

impl Display for Near {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.word)
    }
}

/// The known word nearest to `wrong`: another case first, then at most two slips
/// (one in words of four letters or fewer).
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (near, _) = near_words(wrong, known)?;
    Some(near)
}

/// As [`nearest`], with what a mended text needs to know.
pub fn closest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<Near> {
    let (word, alone) = near_words(wrong, known)?;
    Some(Near { alone, ..Near::named(wrong, word) })
}

/// The nearest known word, and whether no other is near. Where only capitals or hyphens differ, others are not.
fn near_words<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<(&'a str, bool)> {
    if wrong.len() > LONGEST_WORD {
        return None;
    }
    let slips = if wrong.chars().count() <= 4 { 1 } else { 2 };
    let wrong = folded(wrong);
    let known = known.into_iter().filter(|word| word.len() <= LONGEST_WORD);
    let mut near: Vec<(usize, &str)> =
        known.filter_map(|word| Some((slips_between(&folded(word), &wrong, slips)?, word))).collect();
    near.sort_unstable();
    near.dedup();
    let (slips, word) = *near.first()?;
    Some((word, near.get(1).is_none_or(|(others, _)| slips == 0 && *others > 0)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes;

    /// What is put in the place of the whole text, which is a wrong word.
    fn mended(text: &str, wrong: &str, known: &[&str]) -> Vec<String> {
        let mut sources = Sources::default();
        let span = Span::new(sources.add("a", text), 0, text.len());
        let problem = Problem::error(codes::UNKNOWN_NAME, "wrong").at(span, "").suggest(wrong, known.iter().copied());
        let edit = |edit: &Edit| format!("{}{}{}", &text[..edit.span.start as usize], edit.text, &text[edit.span.end as usize..]);
        problem.edits(&sources).iter().map(edit).collect()
    }

    #[test]
    fn a_word_is_mended_only_if_no_other_can_be_meant() {
        assert_eq!(mended("pebles", "pebles", &["pebbles", "nest"]), ["pebbles"]);
        assert_eq!(mended("pebles", "pebles", &["pebbles", "pebbles"]), ["pebbles"]);
        // Both are near.
        assert_eq!(mended("pebles", "pebles", &["pebbles", "peebles"]), Vec::<String>::new());
        // Only hyphens and capitals differ, which nothing else matches.
        assert_eq!(mended("Second Leap", "Second Leap", &["second-leap", "second-lead"]), ["second-leap"]);
        assert_eq!(mended("xyz", "xyz", &["pebbles"]), Vec::<String>::new());
    }

    #[test]
    fn a_word_is_mended_where_it_stands_once() {
        assert_eq!(mended("'é', \"oter\"", "oter", &["otter"]), ["'é', \"otter\""]);
        assert_eq!(mended("leap(oter, oter)", "oter", &["otter"]), Vec::<String>::new());
        assert_eq!(mended("leap(oter, coter)", "oter", &["otter"]), ["leap(otter, coter)"]);
    }

    #[test]
    fn help_that_is_put_in_its_place_takes_the_fix_with_it() {
        let problem = Problem::error(codes::UNKNOWN_NAME, "wrong").suggest("pebles", ["pebbles"]);
        assert!(problem.fix.is_some() && problem.help("look closely").fix.is_none());
    }
}
