//! Typed readers for nodes, which report a problem for every value that does not fit. Readers get `what`, the name of the
//! value in messages, and return `None` after a problem.

use std::ops::RangeInclusive;

use super::scan::missing_space;
use super::{Key, MOST_OF_A_SORT, Node, Value};
use crate::codes;
use crate::problem::{Near, Problem, closest_match, join_words, nearest_word};
use crate::source::Span;

impl Node {
    /// Returns a reader for a map. `what` names it in messages: `the sheet`, `` `sides` ``.
    pub fn as_map(&self, problems: &mut Vec<Problem>, what: &str) -> Option<MapReader<'_>> {
        let entries = self.as_entries(problems, what)?;
        Some(MapReader {
            what: what.to_string(),
            span: self.span,
            entries,
            asked: Vec::new(),
            missing: Vec::new(),
            rest_taken: false,
        })
    }

    /// Returns the entries of a map with user-defined keys.
    pub fn as_entries(&self, problems: &mut Vec<Problem>, what: &str) -> Option<&[(Key, Node)]> {
        match &self.value {
            Value::Map(entries) => Some(entries),
            Value::Text(text) if missing_space(text) => {
                self.report_unfit(problems, what, "a map of `key: value` lines", "put a space after the `:`")
            }
            Value::Null => self.report_unfit(problems, what, "a map of `key: value` lines", "write its lines below it, indented"),
            _ => self.report_unfit(problems, what, "a map of `key: value` lines", "write `key: value` lines, or `{key: value}`"),
        }
    }

    /// Returns the members of a list. Otherwise reports a problem that calls the value `what`.
    pub fn as_list(&self, problems: &mut Vec<Problem>, what: &str) -> Option<&[Node]> {
        match &self.value {
            Value::List(list) => Some(list),
            Value::Null => self.report_unfit(problems, what, "a list", "write `[]` for an empty list"),
            Value::Map(_) => self.report_unfit(problems, what, "a list", "start each entry with `- `, or write `[…, …]`"),
            Value::Text(text) => {
                self.report_unfit(problems, what, "a list", &format!("put it in brackets: `[{}]`", with_commas(text)))
            }
            _ => self.report_unfit(problems, what, "a list", &format!("put it in brackets: `[{}]`", self.literal_text())),
        }
    }

    /// Returns a text. A number or `true` that is meant as text needs quotes.
    pub fn as_text(&self, problems: &mut Vec<Problem>, what: &str) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            Value::Null => self.report_unfit(problems, what, "text", "write the text after the `:`"),
            Value::List(_) | Value::Map(_) => self.report_unfit(problems, what, "text", "put text that holds brackets in quotes"),
            _ => self.report_unfit(problems, what, "text", &format!("put it in quotes: `\"{}\"`", self.literal_text())),
        }
    }

    /// Returns the index of one of some words.
    pub fn as_one_of(&self, problems: &mut Vec<Problem>, what: &str, words: &[&str]) -> Option<usize> {
        let text = self.as_text(problems, what)?;
        let found = words.iter().position(|word| *word == text);
        if found.is_none() {
            let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
            let problem = Problem::error(codes::YAML_WORD, format!("{what} cannot be `{}`", brief_text(text)))
                .with_label(self.span, format!("must be {}", join_words(&quoted, "or")));
            problems.push(problem.suggest(text, words.iter().copied()));
        }
        found
    }

    /// Returns yes or no. Otherwise reports a problem that calls the value `what`.
    pub fn as_flag(&self, problems: &mut Vec<Problem>, what: &str) -> Option<bool> {
        match &self.value {
            Value::Flag(flag) => Some(*flag),
            // The words of the rules language.
            Value::Text(text) if text == "yes" => Some(true),
            Value::Text(text) if text == "no" => Some(false),
            Value::Text(text) => {
                let word = match text.to_lowercase().as_str() {
                    "yes" | "on" | "y" | "true" => "true",
                    "no" | "off" | "n" | "false" => "false",
                    _ => {
                        return self.report_unfit(problems, what, "`true` or `false`", "write `true` or `false`, without quotes");
                    }
                };
                self.report_unfit(problems, what, "`true` or `false`", &format!("write `{word}`, without quotes"))
            }
            _ => self.report_unfit(problems, what, "`true` or `false`", "write `true` or `false`"),
        }
    }

    /// Returns a whole number within a range.
    pub fn as_number(&self, problems: &mut Vec<Problem>, what: &str, range: RangeInclusive<i64>) -> Option<i64> {
        let number = match &self.value {
            Value::Number(number) => *number,
            Value::Text(text) => return self.not_a_number(problems, what, text),
            _ => {
                return self.report_unfit(problems, what, "a whole number", "write a number such as `4`");
            }
        };
        if range.contains(&number) {
            return Some(number);
        }
        let (message, label) = match (*range.start(), *range.end()) {
            (least, i64::MAX) => (format!("{what} is too small"), format!("must be {least} or more")),
            (i64::MIN, most) => (format!("{what} is too large"), format!("must be {most} or less")),
            (least, most) if least == most => (format!("{what} cannot be {number}"), format!("must be {least}")),
            (least, most) => (format!("{what} is out of range"), format!("must be from {least} to {most}")),
        };
        problems.push(Problem::error(codes::YAML_RANGE, message).with_label(self.span, label));
        None
    }

    /// Reports a text in place of a number, with advice by its form.
    fn not_a_number(&self, problems: &mut Vec<Problem>, what: &str, text: &str) -> Option<i64> {
        if several_numbers(text) {
            let help = format!("put a comma after each: `{}`", with_commas(text));
            return self.report_unfit(problems, what, "one whole number", &help);
        }
        let plain: String = text.chars().filter(|sign| !matches!(sign, '_' | ' ' | '\'' | ',')).collect();
        let digits =
            !plain.is_empty() && plain.strip_prefix(['-', '+']).unwrap_or(&plain).bytes().all(|sign| sign.is_ascii_digit());
        match plain.parse::<i64>() {
            Ok(number) => {
                self.report_unfit(problems, what, "a whole number", &format!("write it plainly, without quotes: `{number}`"))
            }
            Err(_) if digits => {
                let problem = Problem::error(codes::YAML_RANGE, format!("{what} is out of range"))
                    .with_label(self.span, "numbers of a game are smaller");
                problems.push(problem);
                None
            }
            Err(_) if text.parse::<f64>().is_ok() => {
                self.report_unfit(problems, what, "a whole number", "only whole numbers are counted here: leave the fraction out")
            }
            Err(_) => self.report_unfit(problems, what, "a whole number", "write a number such as `4`"),
        }
    }

    /// A description of the value for messages: `the number 4`, `a list`.
    pub fn describe_value(&self) -> String {
        match &self.value {
            Value::Null => "empty".into(),
            Value::Flag(flag) => format!("the flag `{flag}`"),
            Value::Number(number) => format!("the number {number}"),
            Value::Text(text) => format!("the text `{}`", brief_text(text)),
            Value::List(_) => "a list".into(),
            Value::Map(_) => "a map".into(),
        }
    }

    /// The value as it is written, for messages; `…` for a list or map.
    fn literal_text(&self) -> String {
        match &self.value {
            Value::Flag(flag) => flag.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Text(text) => brief_text(text),
            _ => "…".into(),
        }
    }

    /// Reports a value of the wrong type. Always returns `None`, so that readers can return the result.
    fn report_unfit<T>(&self, problems: &mut Vec<Problem>, what: &str, wanted: &str, help: &str) -> Option<T> {
        let message = format!("{what} must be {wanted}");
        let label = match self.value {
            Value::Null => "the value is missing".to_string(),
            _ => format!("this is {}", self.describe_value()),
        };
        problems.push(Problem::error(codes::YAML_TYPE, message).with_label(self.span, label).help(help));
        None
    }
}

/// Whether a text is several numbers separated by spaces.
fn several_numbers(text: &str) -> bool {
    let is_number = |word: &str| word.parse::<i64>().is_ok();
    text.split_whitespace().count() > 1 && text.split_whitespace().all(is_number)
}

/// The members of a list with commas. Several words may be one member, but several numbers never are.
fn with_commas(text: &str) -> String {
    if several_numbers(text) { text.split_whitespace().collect::<Vec<_>>().join(", ") } else { brief_text(text) }
}

/// A text on one line, short enough for a message.
fn brief_text(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    match line.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or("")),
        None if line.len() < text.trim_end().len() => format!("{line}…"),
        None => line.to_string(),
    }
}

/// The problem for further unknown keys, after some were reported one by one.
pub fn more_unknown(what: &str, more: usize, first: &Key) -> Problem {
    let problem = Problem::error(codes::YAML_UNKNOWN_KEY, format!("{what} has {more} more unknown keys"));
    problem.with_label(first.span, "the first of them")
}

/// Reads a map key by key. At the end, it reports missing keys and keys that were never read.
#[must_use = "call `finish` to report missing and unknown keys"]
pub struct MapReader<'n> {
    what: String,
    /// The place of the map.
    pub span: Span,
    entries: &'n [(Key, Node)],
    /// The keys that were read, whether they exist or not.
    asked: Vec<&'static str>,
    /// The required keys that do not exist.
    missing: Vec<&'static str>,
    /// The entries that were not read have been taken by [`MapReader::take_rest`].
    rest_taken: bool,
}

impl<'n> MapReader<'n> {
    /// The value of a required key; a missing one is reported by [`MapReader::finish`].
    pub fn required_value(&mut self, name: &'static str) -> Option<&'n Node> {
        let found = self.optional_value(name);
        if found.is_none() {
            self.missing.push(name);
        }
        found
    }

    /// The value of an optional key.
    pub fn optional_value(&mut self, name: &'static str) -> Option<&'n Node> {
        self.asked.push(name);
        self.find_entry(name).map(|(_, node)| node)
    }

    /// An entry with its key, without counting it as read.
    pub fn find_entry(&self, name: &str) -> Option<&'n (Key, Node)> {
        self.entries.iter().find(|(key, _)| key.name == name)
    }

    /// The entries not read so far, for keys that only the rules know (zones, counters). They count as read then. Missing keys
    /// are still reported.
    pub fn take_rest(&mut self) -> Vec<&'n (Key, Node)> {
        let rest: Vec<_> = self.unread_entries().collect();
        self.rest_taken = true;
        rest
    }

    /// Whether a key not read so far looks like one of these.
    pub fn has_near(&self, names: &[&str]) -> bool {
        self.unread_entries().any(|(key, _)| nearest_word(&key.name, names.iter().copied()).is_some())
    }

    /// Reports missing and unknown keys. An unknown key that looks like a missing one is reported instead of it.
    pub fn finish(self, problems: &mut Vec<Problem>) {
        let mut missing = self.missing.clone();
        let present: Vec<&str> = self.entries.iter().map(|(key, _)| key.name.as_str()).collect();
        let unknown: Vec<&(Key, Node)> = self.unread_entries().collect();
        for (key, _) in unknown.iter().take(MOST_OF_A_SORT) {
            let free = self.asked.iter().copied().filter(|name| !present.contains(name));
            let near = closest_match(&key.name, free);
            missing.retain(|name| near.as_ref().is_none_or(|near| near.word != *name));
            problems.push(self.unknown_key_problem(key, near));
        }
        if let Some((key, _)) = unknown.get(MOST_OF_A_SORT) {
            problems.push(more_unknown(&self.what, unknown.len() - MOST_OF_A_SORT, key));
        }
        if let Some((last, others)) = missing.split_last() {
            let place = self.entries.first().map_or(self.span, |(key, _)| key.span);
            let quoted = |form: fn(&str) -> String| join_words(&missing.iter().map(|name| form(name)).collect::<Vec<_>>(), "and");
            let names = quoted(|name| format!("`{name}`"));
            let (none, are, a_line) = match others {
                [] => (format!("`{last}`"), "is", "a line"),
                _ => (join_words(&missing.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>(), "or"), "are", "the lines"),
            };
            let problem = Problem::error(codes::YAML_MISSING_KEY, format!("{} has no {none}", self.what))
                .with_label(place, format!("{names} {are} missing beside this"))
                .help(format!("add {a_line} {}", quoted(|name| format!("`{name}: …`"))));
            problems.push(problem);
        }
    }

    /// The entries whose keys were not read so far.
    fn unread_entries(&self) -> impl Iterator<Item = &'n (Key, Node)> {
        let entries = if self.rest_taken { &[] } else { self.entries };
        entries.iter().filter(|(key, _)| !self.asked.contains(&key.name.as_str()))
    }

    /// The problem for an unknown key; `near` is the similar key that it may be meant for.
    fn unknown_key_problem(&self, key: &Key, near: Option<Near>) -> Problem {
        let problem = Problem::error(codes::YAML_UNKNOWN_KEY, format!("{} has no key `{}`", self.what, brief_text(&key.name)))
            .with_label(key.span, "not known here");
        match near {
            Some(near) => problem.suggest_near(near),
            None if self.asked.is_empty() => problem,
            None => {
                let known: Vec<String> = self.asked.iter().map(|name| format!("`{name}`")).collect();
                problem.help(format!("the keys are {}", join_words(&known, "and")))
            }
        }
    }
}
