//! Builds nodes from the events of the YAML parser. The parser reports one *event* for each scalar and for the start and end
//! of each list and map. A scalar in a map is a key or a value, in turn; a *frame* is a list or map that is still open.

use std::borrow::Cow;
use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError};

use super::scan::tab_for_colon;
use super::{DEEPEST, Key, MOST_OF_A_SORT, Node, Value, calls};
use crate::codes;
use crate::problem::Problem;
use crate::source::{SourceId, Span};

/// The result of one pass over a text.
pub(super) struct Outcome {
    pub root: Option<Node>,
    pub problems: Vec<Problem>,
    /// The error that ended the pass early; `problems` has those found before it.
    pub stopped: Option<ScanError>,
    /// The innermost bracket that was open at the error.
    pub bracket: Option<Span>,
}

/// Parses `copy`, the text with some characters replaced byte for byte. Places are those of `text`.
pub(super) fn build(copy: &str, text: &str, source: SourceId) -> Outcome {
    let mut builder = Builder::new(copy, text, source);
    for event in Parser::new_from_str(copy) {
        match event {
            Err(error) => return builder.finish(Some(error)),
            Ok((event, span)) => {
                if !builder.handle_event(event, span.start.index(), span.end.index()) {
                    break;
                }
            }
        }
    }
    builder.finish(None)
}

/// Converts places: the parser counts characters, and Ludex counts bytes.
pub(super) struct Places<'t> {
    copy: &'t str,
    text: &'t str,
    source: SourceId,
    /// The first byte of each character of `copy`; `None` if every character is one byte.
    bytes: Option<Vec<u32>>,
}

impl<'t> Places<'t> {
    /// `copy` is as long as `text`, byte for byte.
    pub fn new(copy: &'t str, text: &'t str, source: SourceId) -> Places<'t> {
        let bytes = (!copy.is_ascii()).then(|| copy.char_indices().map(|(byte, _)| byte as u32).collect());
        Places { copy, text, source, bytes }
    }

    /// The byte of a character, given by its number.
    pub fn byte(&self, character: usize) -> usize {
        let byte = match &self.bytes {
            Some(bytes) => bytes.get(character).map(|byte| *byte as usize),
            None => Some(character),
        };
        byte.unwrap_or(self.copy.len()).min(self.copy.len())
    }

    /// A span of whole characters of the original text.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let mut start = start.min(self.text.len());
        let mut end = end.clamp(start, self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        Span::new(self.source, start, end)
    }

    /// The copy from a byte on.
    pub fn rest(&self, byte: usize) -> &'t str {
        self.copy.get(byte..).unwrap_or("")
    }
}

/// Builds the tree, event by event.
struct Builder<'t> {
    places: Places<'t>,
    problems: Vec<Problem>,
    open: Vec<Frame>,
    root: Option<Node>,
    documents: usize,
    /// The tree cannot be trusted.
    broken: bool,
    /// Number of duplicate keys. This and the following counts limit the problems of one sort.
    duplicates: usize,
    /// Number of values without a key that is a word.
    unnamed: usize,
    /// Number of anchors, aliases and tags.
    refused: usize,
    /// Number of tabs inside texts that were reported.
    tabs: usize,
}

/// An open list or map.
struct Frame {
    span: Span,
    /// It is written with brackets, so it ends with the closing bracket and not with its last entry.
    bracketed: bool,
    items: Items,
}

/// The contents of a frame so far. In a map, `pending` is the key whose value comes next; without one, the next scalar is a
/// key.
enum Items {
    List(Vec<Node>),
    Map { entries: Vec<(Key, Node)>, seen: Seen, pending: Option<Pending> },
}

/// The places of the keys of a map. Small maps are searched linearly; large ones are sorted.
#[derive(Default)]
struct Seen {
    sorted: BTreeMap<String, Span>,
}

impl Seen {
    /// Maximum number of keys that are searched linearly.
    const FEW: usize = 12;

    /// The place of a key among the complete entries.
    fn place(&self, name: &str, entries: &[(Key, Node)]) -> Option<Span> {
        match entries.len() <= Seen::FEW {
            true => entries.iter().find(|(key, _)| key.name == name).map(|(key, _)| key.span),
            false => self.sorted.get(name).copied(),
        }
    }

    /// Adds the last key.
    fn note(&mut self, entries: &[(Key, Node)]) {
        let new = if entries.len() == Seen::FEW + 1 { entries } else { entries.last().map_or(&[][..], std::slice::from_ref) };
        if entries.len() > Seen::FEW {
            self.sorted.extend(new.iter().map(|(key, _)| (key.name.clone(), key.span)));
        }
    }
}

/// A key that still waits for its value.
enum Pending {
    Named(Key),
    /// The value is parsed and dropped: its key is a duplicate, or is not a name.
    Dropped(Span),
}

impl<'t> Builder<'t> {
    fn new(copy: &'t str, text: &'t str, source: SourceId) -> Builder<'t> {
        Builder {
            places: Places::new(copy, text, source),
            problems: Vec::new(),
            open: Vec::new(),
            root: None,
            documents: 0,
            broken: false,
            duplicates: 0,
            unnamed: 0,
            refused: 0,
            tabs: 0,
        }
    }

    /// Handles one event. Returns false if no further events are needed.
    fn handle_event(&mut self, event: Event, start: usize, end: usize) -> bool {
        let (start, end) = (self.places.byte(start), self.places.byte(end));
        match event {
            Event::DocumentStart(_) => return self.document(start, end),
            Event::Scalar(value, style, anchor, tag) => {
                let start = self.skip_decorations(start, end, anchor != 0 || tag.is_some());
                self.scalar(calls::restore_signs(value), style, start, end);
            }
            Event::SequenceStart(anchor, tag) => {
                let start = self.skip_decorations(start, end, anchor != 0 || tag.is_some());
                return self.push(start, end, '[', Items::List(Vec::new()));
            }
            Event::MappingStart(anchor, tag) => {
                let start = self.skip_decorations(start, end, anchor != 0 || tag.is_some());
                let items = Items::Map { entries: Vec::new(), seen: Seen::default(), pending: None };
                return self.push(start, end, '{', items);
            }
            Event::SequenceEnd | Event::MappingEnd => self.pop(start),
            Event::Alias(_) => {
                self.refuse(start, end);
                self.broken = true;
                let span = self.places.span(start, end);
                self.attach(Node { span, value: Value::Null });
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        true
    }

    /// Counts a document. Returns false after the first, with a problem.
    fn document(&mut self, start: usize, end: usize) -> bool {
        self.documents += 1;
        if self.documents > 1 {
            let problem = Problem::error(codes::YAML_DOCUMENTS, "a second document starts in this file")
                .with_label(self.places.span(start, end), "the file is read up to here")
                .help("put each document into a file of its own, or remove the `---`");
            self.problems.push(problem);
        }
        self.documents == 1
    }

    /// The start of a value after its anchor and tag, which are refused. `decorated` says whether it has any.
    fn skip_decorations(&mut self, start: usize, end: usize, decorated: bool) -> usize {
        if !decorated {
            return start;
        }
        let mut at = start;
        while self.places.rest(at).starts_with(['&', '!']) {
            let rest = self.places.rest(at);
            let word = at + rest.find(is_end_of_word).unwrap_or(rest.len());
            self.refuse(at, word);
            let behind = self.places.rest(word);
            at = word + (behind.len() - behind.trim_start().len());
        }
        // There is only an anchor or a tag, so their place is used.
        if at > end { start } else { at }
    }

    /// Reports the anchor, alias or tag between two bytes.
    fn refuse(&mut self, start: usize, end: usize) {
        self.refused += 1;
        if self.refused <= MOST_OF_A_SORT {
            self.problems.push(refusal(self.places.rest(start), self.places.span(start, end)));
        }
    }

    /// Adds a scalar: as a key, or as a value.
    fn scalar(&mut self, value: Cow<'_, str>, style: ScalarStyle, start: usize, end: usize) {
        let place = self.scalar_span(style, start, end);
        self.tab_inside(style, place);
        let wants_key = matches!(self.open.last(), Some(Frame { items: Items::Map { pending: None, .. }, .. }));
        if wants_key {
            return self.begin_entry(value, style, place);
        }
        let span = if place.start == place.end { self.left_out(start).unwrap_or(place) } else { place };
        let value = match style {
            ScalarStyle::Plain => unquoted_value(value),
            _ => Value::Text(value.into_owned()),
        };
        self.attach(Node { span, value });
    }

    /// The place of a scalar, without what the parser counts to it at its end.
    fn scalar_span(&self, style: ScalarStyle, start: usize, end: usize) -> Span {
        let written = self.places.rest(start).get(..end.saturating_sub(start)).unwrap_or("");
        let length = match style {
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => written.len(),
            ScalarStyle::Plain => written.trim_end_matches([' ', '\t', '\r', '\n', ',']).len(),
            ScalarStyle::Literal | ScalarStyle::Folded => written.trim_end().len(),
        };
        self.places.span(start, start + length)
    }

    /// Reports a tab inside a name or a text: it looks like spaces, so the name is not what it seems.
    fn tab_inside(&mut self, style: ScalarStyle, place: Span) {
        let at = place.start as usize;
        let written = self.places.rest(at).get(..place.end as usize - at).unwrap_or("");
        if matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) || !written.contains('\t') || self.tabs >= MOST_OF_A_SORT {
            return;
        }
        let mut start = at;
        for line in written.split_inclusive('\n') {
            if let Some(tab) = tab_for_colon(line).filter(|_| style == ScalarStyle::Plain) {
                self.problems.push(tab.tab_problem(&self.places, start));
                self.tabs += 1;
                return;
            }
            let inner = line.trim();
            let first = start + line.len() - line.trim_start().len();
            if let Some(tab) = inner.find('\t') {
                let rest = &inner[tab..];
                let span = self.places.span(first + tab, first + inner.len() - rest.trim_start().len());
                let problem =
                    Problem::probable_warning(codes::YAML_TAB, "there is a tab inside a text, where it looks like spaces");
                let problem =
                    problem.with_label(span, "a tab").help("write a space in its place, or what else should stand here");
                self.problems.push(problem.with_edit(span, " "));
                self.tabs += 1;
                return;
            }
            start += line.len();
        }
    }

    /// The place for a missing value: its key, or its `-`.
    fn left_out(&self, at: usize) -> Option<Span> {
        match &self.open.last()?.items {
            Items::Map { pending: Some(Pending::Named(key)), .. } => Some(key.span),
            Items::Map { pending: Some(Pending::Dropped(span)), .. } => Some(*span),
            Items::Map { pending: None, .. } => None,
            Items::List(_) => {
                let before = self.places.copy.get(..at)?.trim_end();
                before.ends_with('-').then(|| self.places.span(before.len() - 1, before.len()))
            }
        }
    }

    /// Notes a key, which waits for its value. If it is empty or a duplicate, its value is dropped.
    fn begin_entry(&mut self, name: Cow<'_, str>, style: ScalarStyle, span: Span) {
        if style == ScalarStyle::Plain && name.is_empty() {
            let problem = Problem::error(codes::YAML_KEY, "a value has no key")
                .with_label(span, "a key is missing here")
                .help("write `key: value`");
            self.unnamed += 1;
            self.problems.extend((self.unnamed <= MOST_OF_A_SORT).then_some(problem));
            return self.await_value(Pending::Dropped(span));
        }
        let first = self.first_place_of_key(&name);
        let Some(first) = first else {
            return self.await_value(Pending::Named(Key { name: name.into_owned(), span }));
        };
        self.duplicates += 1;
        if self.duplicates <= MOST_OF_A_SORT {
            let problem = Problem::error(codes::YAML_DUPLICATE_KEY, format!("`{name}` is given twice"))
                .with_label(span, "given again here")
                .with_label(first, "given here first")
                .help("keep one of the two; if both are meant, put their values together under one key");
            self.problems.push(problem);
        }
        self.await_value(Pending::Dropped(span));
    }

    /// The place of the same key in the innermost map.
    fn first_place_of_key(&self, name: &str) -> Option<Span> {
        match self.open.last().map(|frame| &frame.items) {
            Some(Items::Map { entries, seen, .. }) => seen.place(name, entries),
            _ => None,
        }
    }

    /// Has a key wait for its value.
    fn await_value(&mut self, key: Pending) {
        if let Some(Frame { items: Items::Map { pending, .. }, .. }) = self.open.last_mut() {
            *pending = Some(key);
        }
    }

    /// Opens a list or map. Returns false if it is nested too deeply.
    fn push(&mut self, start: usize, end: usize, bracket: char, items: Items) -> bool {
        if self.open.len() >= DEEPEST {
            self.problems.push(too_deep(self.places.span(start, start + 1)));
            self.broken = true;
            return false;
        }
        let bracketed = start < end && self.places.rest(start).starts_with(bracket);
        self.open.push(Frame { span: self.places.span(start, start), bracketed, items });
        true
    }

    /// Closes a list or map; `end` is the byte of its closing bracket, if it has one.
    fn pop(&mut self, end: usize) {
        let Some(Frame { mut span, bracketed, items }) = self.open.pop() else {
            return;
        };
        if bracketed {
            let closing = self.places.rest(end).chars().next().map_or(0, char::len_utf8);
            span = span.extend_to(self.places.span(end, end + closing));
        }
        let value = match items {
            Items::List(list) => {
                if let (false, Some(last)) = (bracketed, list.last()) {
                    span = span.extend_to(last.span);
                }
                Value::List(list)
            }
            Items::Map { entries, .. } => {
                if let (false, Some((key, _)), Some((_, last))) = (bracketed, entries.first(), entries.last()) {
                    span = key.span.extend_to(last.span);
                }
                Value::Map(entries)
            }
        };
        self.attach(Node { span, value });
    }

    /// Adds a finished node to its parent.
    fn attach(&mut self, node: Node) {
        let Some(frame) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        match &mut frame.items {
            Items::List(list) => list.push(node),
            Items::Map { entries, seen, pending } => match pending.take() {
                Some(Pending::Named(key)) => {
                    entries.push((key, node));
                    seen.note(entries);
                }
                Some(Pending::Dropped(_)) => {}
                None => {
                    let problem = Problem::error(codes::YAML_KEY, "a key is a list or a map")
                        .with_label(node.span, "a key is one word")
                        .help("write `key: value`; put text that holds `[` or `{` in quotes");
                    self.unnamed += 1;
                    self.problems.extend((self.unnamed <= MOST_OF_A_SORT).then_some(problem));
                    *pending = Some(Pending::Dropped(node.span));
                }
            },
        }
    }

    /// Ends the pass, and reports an empty text.
    fn finish(mut self, stopped: Option<ScanError>) -> Outcome {
        if stopped.is_none() && self.documents == 0 {
            self.problems.push(
                Problem::error(codes::YAML_EMPTY, "nothing is written in this file")
                    .with_label(self.places.span(0, 0), "comments and blank lines only")
                    .help("a file with `key: value` lines is expected here"),
            );
        }
        let bracket = self.open.iter().rev().find(|frame| frame.bracketed).map(|frame| frame.span);
        let bracket = bracket.map(|span| self.places.span(span.start as usize, span.start as usize + 1));
        let root = self.root.filter(|_| !self.broken);
        Outcome { root, problems: self.problems, stopped, bracket }
    }
}

/// The value of a scalar without quotes. Fractions and numbers out of range stay text: only the reader of the value knows whether
/// a number is meant.
fn unquoted_value(written: Cow<'_, str>) -> Value {
    // Most are words or short numbers, for which the full check is slow.
    if written.starts_with(|sign: char| sign.is_ascii_alphabetic()) && !SAID_IN_WORDS.contains(&&*written) {
        return Value::Text(written.into_owned());
    }
    if let Some(number) = short_number(&written) {
        return Value::Number(number);
    }
    match serde_yaml::from_str(&written) {
        Ok(serde_yaml::Value::Null) => Value::Null,
        Ok(serde_yaml::Value::Bool(flag)) => Value::Flag(flag),
        Ok(serde_yaml::Value::Number(number)) => match number.as_i64() {
            Some(number) => Value::Number(number),
            None => Value::Text(written.into_owned()),
        },
        _ => Value::Text(written.into_owned()),
    }
}

/// The words that are not text: null and the flags.
const SAID_IN_WORDS: [&str; 9] = ["null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE"];

/// A short number, which is the same in every base of YAML. A number that begins with 0 may not be.
fn short_number(written: &str) -> Option<i64> {
    let digits = written.strip_prefix('-').unwrap_or(written);
    let is_short = digits.len() <= 15 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = digits.bytes().next().is_some_and(|first| first != b'0') || written == "0";
    (is_short && is_plain).then(|| written.parse().ok()).flatten()
}

/// Whether a character ends an anchor, an alias or a tag.
pub(super) fn is_end_of_word(sign: char) -> bool {
    sign.is_whitespace() || matches!(sign, ',' | '[' | ']' | '{' | '}')
}

/// The problem for an anchor, alias or tag, which this parser does not accept.
pub(super) fn refusal(rest: &str, span: Span) -> Problem {
    let word: String = rest.chars().take_while(|sign| !is_end_of_word(*sign)).take(40).collect();
    let (what, advice) = match rest.chars().next() {
        Some('&') => ("an anchor", "write the value out wherever it is needed, without the anchor"),
        Some('*') => ("an alias", "write the value out here; a text that starts with `*` needs quotes"),
        _ => ("a tag", "leave it out; a text that starts with `!` needs quotes"),
    };
    Problem::error(codes::YAML_ANCHOR, format!("`{word}` is {what}, which is not read here"))
        .with_label(span, format!("{what} of YAML"))
        .help(advice)
}

/// The problem of lists and maps that are nested too deeply.
pub(super) fn too_deep(span: Span) -> Problem {
    Problem::error(codes::YAML_DEPTH, format!("lists and maps are nested more than {DEEPEST} deep"))
        .with_label(span, "this one is too deep")
        .help("look for brackets that are never closed")
}
