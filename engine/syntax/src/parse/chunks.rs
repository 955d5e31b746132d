//! Cuts a text into declarations, so that each is parsed alone and one mistake does not hide the next. A chunk begins at a
//! line in the first column, or in that of a header, with a word that does not merely continue the code before it. If
//! brackets are still open there, only a word that surely begins a declaration begins a chunk, so a missing `}` spoils one
//! declaration only.

use super::scan::Scanned;
use crate::codes;
use crate::limits::DECLARATION_BYTES;
use crate::problem::Problem;
use crate::source::{SourceId, Span};
use std::ops::Range;

/// Maximum nesting depth of brackets.
const DEEPEST: usize = 64;

/// A range of the text that is parsed alone.
pub(super) struct Chunk {
    pub start: usize,
    pub end: usize,
    /// The closing brackets that are missing at its end.
    pub closing: String,
    /// The line end at which a `}` is missing.
    pub closed_at: Option<usize>,
    /// The problem with its brackets.
    pub problem: Option<Box<Problem>>,
    /// Whether parsing it makes sense in spite of the problem.
    pub readable: bool,
    /// Whether further problems in it are likely to follow from this one.
    pub quiet: bool,
}

impl Chunk {
    /// A text that is parsed in one piece, with the problem of its brackets.
    pub fn whole_text(scanned: &Scanned, chunks: Vec<Chunk>) -> Chunk {
        let problem = chunks.into_iter().find_map(|chunk| chunk.problem);
        let (closing, readable) = (String::new(), problem.is_none());
        Chunk { start: 0, end: scanned.code.len(), closing, closed_at: None, readable, quiet: false, problem }
    }
}

/// The rules for lines that begin a chunk.
pub(super) struct Starts {
    /// The last column, from 0, in which a chunk may begin.
    pub column: usize,
    /// Whether a line begins a chunk even if brackets are still open.
    pub surely: fn(&str) -> bool,
}

/// Words that only continue the code before them, in any column. A line that begins with one of them begins no chunk.
const CONTINUING: [&str; 24] = [
    "when",
    "says",
    "gives",
    "do",
    "obliges",
    "tells",
    "early",
    "late",
    "free",
    "priority",
    "else",
    "otherwise",
    "then",
    "and",
    "or",
    "where",
    "after",
    "asking",
    "during",
    "because",
    "as",
    "with",
    "missing",
    "is",
];

/// Words that begin a declaration.
pub(super) const DECLARATIONS: [&str; 26] = [
    "ludex",
    "game",
    "package",
    "sides",
    "referee",
    "option",
    "type",
    "die",
    "piece",
    "sheet",
    "table",
    "each",
    "the",
    "define",
    "hook",
    "family",
    "action",
    "entry",
    "to",
    "scope",
    "standing",
    "policy",
    "mode",
    "replace",
    "ability",
    "abilities",
];

/// Words that begin a part of an ability.
pub(super) const PARTS: [&str; 10] =
    ["uses", "provenance", "parameter", "offer", "trigger", "instead", "modify", "grant", "forbid", "demand"];

/// Whether a line can only be the beginning of a declaration, and not a statement or clause.
pub(super) fn surely_declares(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or("");
    let second = words.next().unwrap_or("");
    match first {
        "each" | "the" => words.next() == Some("has"),
        "to" => line.contains(['{', '(']),
        "remove" => ["define", "die", "hook", "family", "action", "to", "scope", "option", "ability"].contains(&second),
        "die" => second == "sizes" || line.contains('"'),
        _ => DECLARATIONS.contains(&first),
    }
}

/// Whether a line begins a part of an ability.
pub(super) fn surely_a_part(line: &str) -> bool {
    PARTS.contains(&first_word(line))
}

/// The letters, digits and `_` at the start of a line.
fn first_word(line: &str) -> &str {
    let end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(line.len());
    &line[..end]
}

/// Cuts the code of a text into chunks, without blank ones.
pub(super) fn cut_chunks(source: SourceId, text: &str, scanned: &Scanned, starts: &Starts) -> Vec<Chunk> {
    let mut cutter = Cutter { source, scanned, start: 0, brackets: Brackets::default(), chunks: Vec::new() };
    let mut brackets = scanned.brackets.iter().copied().peekable();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let code = scanned.code.get(at..at + line.len()).unwrap_or("");
        if cutter.begins_chunk(code, starts) {
            let indent = code.len() - code.trim_start().len();
            let word = first_word(code.trim_start()).len();
            cutter.end_chunk(at, Some(Span::new(source, at + indent, at + indent + word)));
        }
        at += line.len();
        while let Some(bracket) = brackets.next_if(|(place, _)| *place < at) {
            cutter.brackets.add_bracket(source, bracket);
        }
    }
    cutter.end_chunk(scanned.code.len(), None);
    cutter.chunks
}

/// Cuts a text line by line.
struct Cutter<'a> {
    source: SourceId,
    scanned: &'a Scanned,
    /// The start of the current chunk, and the brackets in it so far.
    start: usize,
    brackets: Brackets,
    chunks: Vec<Chunk>,
}

impl Cutter<'_> {
    /// Whether a new chunk begins at this line of code.
    fn begins_chunk(&self, line: &str, starts: &Starts) -> bool {
        let words = line.trim_start();
        let column = line.len() - words.len();
        let begins =
            if self.brackets.open.is_empty() { !CONTINUING.contains(&first_word(words)) } else { (starts.surely)(words) };
        begins && column <= starts.column && words.starts_with(char::is_alphabetic)
    }

    /// Ends the chunk before the first word of the next one.
    fn end_chunk(&mut self, end: usize, next: Option<Span>) {
        let brackets = std::mem::take(&mut self.brackets);
        let start = std::mem::replace(&mut self.start, end);
        if self.scanned.code.get(start..end).is_none_or(|code| code.trim().is_empty()) {
            return;
        }
        let mut closing: String =
            brackets.open.iter().rev().filter_map(|(_, open)| closing_bracket(*open)).map(char::from).collect();
        let first = self.scanned.code.get(start..end).map_or(0, |code| code.len() - code.trim_start().len());
        let large = (end - start > DECLARATION_BYTES).then(|| {
            let place = start + first;
            super::too_large(Span::new(self.source, place, place + 1))
        });
        let readable = brackets.problem.is_none() && large.is_none();
        let quiet = brackets.open.iter().any(|(_, open)| *open != b'{');
        // An unterminated text may have swallowed the bracket.
        let broken = self.scanned.broken.iter().any(|at| (start..end).contains(at));
        // Only for a missing `}` does the indentation show where it belongs.
        let told = if quiet || broken || brackets.open.is_empty() { None } else { self.find_left_open(start, end) };
        let closed_at = told.as_ref().map(|told| told.end);
        if closed_at.is_some() {
            closing.pop();
        }
        let unclosed = brackets.open.last().filter(|_| !broken).and_then(|open| {
            let begins = next.map(|word| (word, "still open where this begins"));
            let (open, next) = told.map_or((*open, begins), |told| (told.bracket, Some((told.place, told.remark))));
            unclosed_problem(self.source, open, next)
        });
        let unopened = brackets.unopened.filter(|_| !broken).and_then(|brace| self.unopened_problem(start, end, brace));
        let problem = large.or(unopened).or(brackets.problem).or(unclosed).map(Box::new);
        self.chunks.push(Chunk { start, end, closing, closed_at, problem, readable, quiet });
    }
}

impl Cutter<'_> {
    /// For a chunk with a missing `}`: the first `{` whose lines have ended according to their indentation, and the word there.
    fn find_left_open(&self, start: usize, end: usize) -> Option<LeftOpen> {
        let code = self.scanned.code.get(start..end)?;
        let first = self.scanned.brackets.partition_point(|(place, _)| *place < start);
        let mut brackets = self.scanned.brackets[first..].iter().peekable();
        let mut open: Vec<Indented> = Vec::new();
        let mut at = start;
        for line in code.split_inclusive('\n') {
            let words = line.trim_start();
            let indent = line.len() - words.len();
            if let Some(last) = open.last_mut() {
                // After lines that are indented further, an `else` continues what should be closed.
                let begins = words.starts_with(char::is_alphabetic) && (last.has_lines || !continues_code(words));
                let closes_outer = words.starts_with('}') && indent < last.indent;
                if begins && indent > last.indent {
                    last.has_lines = true;
                } else if begins && indent <= last.indent || closes_outer {
                    let length = if begins { first_word(words).len() } else { 1 };
                    let remark = if begins { "still open where this begins" } else { "still open here" };
                    let place = Span::new(self.source, at + indent, at + indent + length);
                    // Without indentation, the place is unknown.
                    let end = if last.has_lines { at } else { last.line_end };
                    let told = LeftOpen { bracket: (last.place, last.bracket), place, remark, end: end.saturating_sub(1) };
                    return (last.has_lines || last.goes_on).then_some(told);
                }
            }
            at += line.len();
            while let Some((place, bracket)) = brackets.next_if(|(place, _)| *place < at) {
                match closing_bracket(*bracket) {
                    Some(_) => {
                        let behind = self.scanned.code.get(place + 1..at).unwrap_or_default();
                        let goes_on = !behind.trim().is_empty();
                        let (place, bracket) = (*place, *bracket);
                        open.push(Indented { place, bracket, indent, line_end: at, goes_on, has_lines: false });
                    }
                    None => drop(open.pop()),
                }
            }
        }
        None
    }
}

impl Cutter<'_> {
    /// For a chunk with a `}` that closes nothing: the place of the missing `{`. A `}` closes what begins on its own line, or, if
    /// it is the first sign of its line, the line above with the same indentation. If this fails for more than one `}`, the
    /// indentation shows nothing. `brace` is the first `}` without a partner.
    fn unopened_problem(&self, start: usize, end: usize, brace: usize) -> Option<Problem> {
        let code = self.scanned.code.get(start..end)?;
        let first = self.scanned.brackets.partition_point(|(place, _)| *place < start);
        let mut braces = self.scanned.brackets[first..].iter().filter(|(_, sign)| matches!(sign, b'{' | b'}')).peekable();
        let mut open: Vec<Opening> = Vec::new();
        let mut lines: Vec<Range<usize>> = Vec::new();
        let mut missing: Vec<(Range<usize>, usize)> = Vec::new();
        let mut at = start;
        for line in code.split_inclusive('\n') {
            let words = at + line.len() - line.trim_start().len()..at + line.trim_end().len();
            let (indent, number) = (words.start - at, lines.len());
            at += line.len();
            while let Some((place, sign)) = braces.next_if(|(place, _)| *place < at) {
                let last = open.last();
                match sign {
                    b'{' => open.push(Opening { indent, line: number }),
                    _ if *place != words.start && last.is_none_or(|last| last.line != number) => {
                        missing.push((words.clone(), *place));
                    }
                    _ if *place == words.start && last.is_none_or(|last| last.indent != indent) => {
                        let not_within = |line: &&Range<usize>| !line.is_empty() && self.indent_of(line) <= indent;
                        let begins = lines.iter().rev().find(not_within)?;
                        let words = self.scanned.code.get(begins.clone())?;
                        if self.indent_of(begins) != indent || words == "}" || words.ends_with('{') {
                            // There is one `}` too many.
                            return None;
                        }
                        missing.push((begins.clone(), *place));
                    }
                    _ => drop(open.pop()),
                }
            }
            lines.push(words);
        }
        let [(line, closed)] = missing.as_slice() else { return None };
        let problem = Problem::error(codes::UNCLOSED, "a `{` is missing");
        let one = Span::new(self.source, *closed, closed + 1);
        Some(match line.contains(closed) {
            true => problem.with_label(one, "closes nothing that begins on this line").help("put a `{` before what it closes"),
            false => {
                let behind = Span::new(self.source, line.end - 1, line.end);
                problem
                    .with_label(behind, "after this")
                    .with_label(one, "would be closed here")
                    .help("put a `{` at the end of the line")
            }
        })
        .filter(|_| brace >= *closed)
    }

    /// The indentation of a line with these words.
    fn indent_of(&self, words: &Range<usize>) -> usize {
        let before = self.scanned.code.get(..words.start).unwrap_or_default();
        before.len() - before.rfind('\n').map_or(0, |end| end + 1)
    }
}

/// A `{`: the indentation of its line, and the index of the line in the chunk.
struct Opening {
    indent: usize,
    line: usize,
}

/// Whether words continue the code before them: `do {` is a clause, but `do turn` is a statement.
fn continues_code(words: &str) -> bool {
    let first = first_word(words);
    CONTINUING.contains(&first) && (first != "do" || words[first.len()..].trim_start().starts_with('{'))
}

/// A bracket with its place.
type Bracket = (usize, u8);

/// A bracket that is still open after its lines have ended.
struct LeftOpen {
    bracket: Bracket,
    /// The place at which it should be closed, with a remark.
    place: Span,
    remark: &'static str,
    /// The end of the line on which it should be closed.
    end: usize,
}

/// An open bracket, with the indentation of its line.
struct Indented {
    place: usize,
    bracket: u8,
    indent: usize,
    /// The start of the next line.
    line_end: usize,
    /// Whether it is followed by more on its line.
    goes_on: bool,
    /// Whether lines after it are indented further.
    has_lines: bool,
}

/// The problem of an open bracket. `next` is the place before which it should be closed, with a remark; without it, the end
/// of the chunk.
fn unclosed_problem(source: SourceId, (place, open): (usize, u8), next: Option<(Span, &str)>) -> Option<Problem> {
    let sign = char::from(closing_bracket(open)?);
    let problem = Problem::error(codes::UNCLOSED, format!("this `{}` is never closed", char::from(open)))
        .with_label(Span::new(source, place, place + 1), "opened here");
    Some(match next {
        Some((place, remark)) => problem.with_label(place, remark).help(format!("put a `{sign}` before this line")),
        None => problem.help(format!("put a `{sign}` at the end")),
    })
}

/// The partner of an opening bracket; none for any other byte.
fn closing_bracket(open: u8) -> Option<u8> {
    match open {
        b'(' => Some(b')'),
        b'[' => Some(b']'),
        b'{' => Some(b'}'),
        _ => None,
    }
}

/// The open brackets in a chunk so far, up to the first that does not match.
#[derive(Default)]
struct Brackets {
    open: Vec<(usize, u8)>,
    problem: Option<Problem>,
    /// A `}` that closes nothing.
    unopened: Option<usize>,
}

impl Brackets {
    /// Opens or closes a bracket, and notes a problem if it does not match.
    fn add_bracket(&mut self, source: SourceId, (place, bracket): (usize, u8)) {
        if self.problem.is_some() {
            return;
        }
        let span = Span::new(source, place, place + 1);
        if closing_bracket(bracket).is_some() {
            self.open.push((place, bracket));
            if self.open.len() > DEEPEST {
                self.set_problem(super::too_deep(span));
            }
            return;
        }
        match self.open.pop() {
            Some((_, open)) if closing_bracket(open) == Some(bracket) => {}
            Some((before, open)) => {
                let outer = self.open.iter().any(|(_, open)| closing_bracket(*open) == Some(bracket));
                self.set_problem(mismatch_problem(Span::new(source, before, before + 1), open, span, bracket, outer));
            }
            None => {
                self.unopened = (bracket == b'}').then_some(place);
                let problem = Problem::error(codes::UNCLOSED, format!("this `{}` closes nothing", char::from(bracket)));
                self.set_problem(problem.with_label(span, "no bracket is open here"));
            }
        }
    }

    /// Keeps the first problem; brackets after it are ignored.
    fn set_problem(&mut self, problem: Problem) {
        self.problem = Some(problem);
        self.open.clear();
    }
}

/// A bracket that is closed by the wrong partner, which may belong to an outer bracket or to none.
fn mismatch_problem(opened: Span, open: u8, closed: Span, close: u8, outer: bool) -> Problem {
    let (open, close) = (char::from(open), char::from(close));
    if outer {
        let message = format!("this `{open}` is never closed");
        return Problem::error(codes::UNCLOSED, message).with_label(opened, "opened here").with_label(closed, "still open here");
    }
    let message = format!("`{open}` and `{close}` do not belong together");
    Problem::error(codes::UNCLOSED, message).with_label(closed, "closed here").with_label(opened, "opened here")
}
