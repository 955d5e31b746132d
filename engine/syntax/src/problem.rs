//! Problems in the user's input, as data. The validator renders them.

use crate::source::{Sources, Span};
use std::fmt::{self, Display};

/// The severity of a problem: an error stops play, a warning does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Play is impossible until it is fixed.
    Error,
    /// Play continues, but this is probably a mistake.
    Warning,
}

/// The confidence that something is wrong. Errors are always certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The text has no effect, or never does what it says.
    Certain,
    /// The text has an effect, but hardly the intended one.
    Probable,
}

impl Confidence {
    /// The word for people and programs.
    pub fn as_word(self) -> &'static str {
        match self {
            Confidence::Certain => "certain",
            Confidence::Probable => "probable",
        }
    }
}

/// A replacement of a range of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The text to remove; empty for an insertion.
    pub span: Span,
    /// The replacement.
    pub text: String,
}

/// Applies edits to a text. They must not overlap.
pub fn apply_edits(text: &str, mut edits: Vec<&Edit>) -> String {
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

/// A fix for a problem that leaves nothing to decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fix {
    /// Replaces a word in the main place, and in the other places where it occurs on its own.
    Word {
        /// The word as written.
        wrong: String,
        /// The correct word.
        right: String,
    },
    /// Applies all of these edits, or none.
    Edits(Vec<Edit>),
}

/// A sentence for people: in lower case, without a full stop, with the user's words in backticks. It can be shown and compared,
/// but programs cannot search it: all they need to know about a problem is in its code and subject.
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

/// One problem: the fact, its places and the help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// A code of the register ([`crate::codes`]), such as `LX0101`; `ludex explain CODE` explains it.
    pub code: &'static str,
    /// Its severity.
    pub severity: Severity,
    /// The confidence that it is a problem.
    pub confidence: Confidence,
    /// The fact.
    pub message: Message,
    /// The unknown or wrong name, as written; `None` if the problem is not about a single name.
    pub subject: Option<Box<str>>,
    /// The places, the main one first, each with a short remark.
    pub labels: Vec<(Span, String)>,
    /// Advice for the user.
    pub help: Option<String>,
    /// The same as edits, if only one thing can be meant.
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

    /// A certain warning without places; `code` is one of [`crate::codes`].
    pub fn warning(code: &'static str, message: impl Into<Message>) -> Problem {
        Problem { severity: Severity::Warning, ..Problem::error(code, message) }
    }

    /// A probable warning without places, about something that may be intended; `code` is one of [`crate::codes`].
    pub fn probable_warning(code: &'static str, message: impl Into<Message>) -> Problem {
        Problem { confidence: Confidence::Probable, ..Problem::warning(code, message) }
    }

    /// Adds a place with a remark of a few words, which may be empty. The first place added is the main one.
    pub fn with_label(mut self, span: Span, remark: impl Into<String>) -> Problem {
        self.labels.push((span, remark.into()));
        self
    }

    /// Sets the unknown or wrong name, so that checks can find out which problems have the same cause.
    pub fn with_subject(mut self, subject: &str) -> Problem {
        self.subject = Some(subject.into());
        self
    }

    /// Sets the help, and replaces any previous help.
    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self.fix = None;
        self
    }

    /// Sets the unknown name, and adds `did you mean …` if one of the known words is near.
    pub fn suggest<'a>(self, wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Problem {
        // The same word exists, but in another role, so it is no help.
        let near = closest_match(wrong, known.into_iter().filter(|word| *word != wrong));
        let problem = self.with_subject(wrong);
        near.into_iter().fold(problem, Problem::suggest_near)
    }

    /// Suggests a known word. If no other word is near, the problem can be fixed automatically.
    pub fn suggest_near(self, near: Near) -> Problem {
        let problem = self.help(format!("did you mean `{near}`?"));
        let fix = near.alone.then(|| Box::new(Fix::Word { wrong: near.wrong, right: near.word }));
        Problem { fix, ..problem }
    }

    /// Sets the replacement for a place, if nothing else can be meant; further places add to it.
    pub fn with_edit(mut self, span: Span, text: impl Into<String>) -> Problem {
        self.add_edit(span, text);
        self
    }

    /// Same as [`Problem::with_edit`], for a problem that is found before its last place.
    pub fn add_edit(&mut self, span: Span, text: impl Into<String>) {
        let edit = Edit { span, text: text.into() };
        match self.fix.as_deref_mut() {
            Some(Fix::Edits(edits)) => edits.push(edit),
            _ => self.fix = Some(Box::new(Fix::Edits(vec![edit]))),
        }
    }

    /// The edits of the fix, in the order of the text; empty if there is no certain fix.
    pub fn fix_edits(&self, sources: &Sources) -> Vec<Edit> {
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
                let others = others.filter(|span| main.is_some_and(|main| main != *span) && sources.span_text(*span) == wrong);
                main.into_iter().chain(others).map(|span| Edit { span, text: right.clone() }).collect()
            }
            Some(Fix::Word { .. }) => Vec::new(),
        }
    }

    /// Translates all of its texts, such as names that replaced something in the user's text before it was parsed.
    pub fn translate_texts(mut self, translate: impl Fn(&str) -> String) -> Problem {
        self.message = Message(translate(&self.message.0));
        self.labels.iter_mut().for_each(|(_, remark)| *remark = translate(remark));
        self.help = self.help.as_deref().map(translate);
        self
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// The place of a word within a span, if it occurs there exactly once.
fn word_within(span: Span, word: &str, sources: &Sources) -> Option<Span> {
    let text = sources.span_text(span);
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

/// Whether a word needs no quotes anywhere.
fn is_plain(word: &str) -> bool {
    let signs = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-' | ' ');
    word.starts_with(char::is_alphanumeric) && word.chars().all(signs) && word.trim() == word
}

/// Maximum number of problems with suggestions: with more, suggestions are not read anyway.
pub const MOST_SUGGESTED: usize = 100;

/// Longer words are never treated as typos.
const LONGEST_WORD: usize = 64;

/// A known word near a wrong one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    wrong: String,
    /// The known word.
    pub word: String,
    /// Whether no other known word is near.
    alone: bool,
}

impl Near {
    /// The proper word for something that was called by another of its names.
    pub fn sole_match(wrong: &str, word: &str) -> Near {
        Near { wrong: wrong.to_string(), word: word.to_string(), alone: true }
    }
}

impl Display for Near {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.word)
    }
}

/// Returns the known word nearest to `wrong`: one that differs only in case is best, then one with at most two typos (one in
/// words of up to four letters).
pub fn nearest_word<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (near, _) = near_words(wrong, known)?;
    Some(near)
}

/// Same as [`nearest_word`], with the details needed for a fix.
pub fn closest_match<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<Near> {
    let (word, alone) = near_words(wrong, known)?;
    Some(Near { alone, ..Near::sole_match(wrong, word) })
}

/// The nearest known word, and whether no other is near. If one differs only in capitals or hyphens, others do not count.
fn near_words<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<(&'a str, bool)> {
    if wrong.len() > LONGEST_WORD {
        return None;
    }
    let slips = if wrong.chars().count() <= 4 { 1 } else { 2 };
    let wrong = fold_word(wrong);
    let known = known.into_iter().filter(|word| word.len() <= LONGEST_WORD);
    let mut near: Vec<(usize, &str)> =
        known.filter_map(|word| Some((slips_between(&fold_word(word), &wrong, slips)?, word))).collect();
    near.sort_unstable();
    near.dedup();
    let (slips, word) = *near.first()?;
    Some((word, near.get(1).is_none_or(|(others, _)| slips == 0 && *others > 0)))
}

/// A word without common differences: in lower case, with one separator.
fn fold_word(word: &str) -> Vec<char> {
    let sign = |sign: char| if matches!(sign, '-' | ' ') { '_' } else { sign };
    word.chars().flat_map(char::to_lowercase).map(sign).collect()
}

/// The edit distance between two words, if it is at most `most`. A common prefix and suffix are skipped, and so are pairs of very
/// different length or with too many different letters.
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

/// A list for a sentence: `a`, `a and b`, `a, b and c`.
pub fn join_words<S: AsRef<str>>(words: &[S], last: &str) -> String {
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
pub fn range_text<N: PartialEq + Display>(least: N, most: N) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// Capitalises the first letter.
pub fn capitalise_first(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A noun with its article: `an otter`, `a newt`.
pub fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// Puts a text on one line, with one space between words.
pub fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Merges equal words and adds their number, in the order of first occurrence: `Otter`, `3 × Heron`.
pub fn count_alike<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<String> {
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

/// The cited rules in brackets, after a space; empty if there are none.
pub fn cites_text(rules: &[String]) -> String {
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
        let problem = Problem::error(codes::UNKNOWN_NAME, "wrong").with_label(span, "").suggest(wrong, known.iter().copied());
        let edit = |edit: &Edit| format!("{}{}{}", &text[..edit.span.start as usize], edit.text, &text[edit.span.end as usize..]);
        problem.fix_edits(&sources).iter().map(edit).collect()
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
