//! The text of a script by offsets: rhai gives lines and columns of starts, but messages need spans.
//!
//! An offset is a number of bytes from the start of the script. A seam is a sign that separates statements: `;`, `{` or `}`. A sign
//! is one character of code.

use ludex_syntax::source::{SourceId, Span};
use rhai::Position;
use std::ops::{Deref, Range};

/// A script with its comments and the contents of its texts blanked, so that brackets can be counted.
pub struct ScriptText<'t> {
    source: SourceId,
    text: &'t str,
    /// As long as the text; everything but code is blank.
    code: Vec<u8>,
    /// The quoted texts with their quotes, by start. One in backticks may contain others.
    quoted: Vec<Range<usize>>,
    /// The quoted texts and the comments between `/*` and `*/`, without nested ones.
    apart: Vec<Range<usize>>,
    /// The offsets of statement separators.
    seams: Vec<usize>,
    /// The offsets of the starts of lines.
    lines: Vec<usize>,
    /// The offset of each character, if some take several bytes.
    characters: Option<Vec<u32>>,
}

/// A part of a script that rhai parsed separately: positions count from its start.
#[derive(Clone, Copy)]
pub struct Part<'t> {
    script: &'t ScriptText<'t>,
    start: usize,
}

impl<'t> Deref for Part<'t> {
    type Target = ScriptText<'t>;

    fn deref(&self) -> &ScriptText<'t> {
        self.script
    }
}

/// A function in the file.
#[derive(Clone, Debug)]
pub struct FoundFunction {
    pub name: String,
    pub span: Span,
    pub params: Vec<(String, Span)>,
    /// From `fn` to the closing bracket.
    pub range: Range<usize>,
}

/// An open `{`, with the indentation of its line.
struct LeftOpen {
    place: usize,
    indent: usize,
    /// More code follows it on its line.
    goes_on: bool,
    /// The lines after it are indented further.
    has_lines: bool,
}

impl<'t> ScriptText<'t> {
    pub fn new(source: SourceId, text: &'t str) -> ScriptText<'t> {
        let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        let mut blanker =
            Blanker { bytes: text.as_bytes(), code: text.as_bytes().to_vec(), quoted: Vec::new(), comments: Vec::new() };
        let mut at = 0;
        while at < text.len() {
            at = blanker.code_until(at, None);
        }
        let Blanker { code, mut quoted, comments, .. } = blanker;
        quoted.sort_unstable_by_key(|range| range.start);
        let apart = outermost(quoted.iter().cloned().chain(comments).collect());
        let seams = code.iter().enumerate().filter(|(_, byte)| is_seam(**byte)).map(|(at, _)| at).collect();
        let characters = (!text.is_ascii()).then(|| text.char_indices().map(|(at, _)| at as u32).collect());
        ScriptText { source, text, code, quoted, apart, seams, lines, characters }
    }

    /// The part that begins at an offset.
    pub fn part(&self, start: usize) -> Part<'_> {
        Part { script: self, start }
    }

    /// The offset that is `count` characters after the offset `place`.
    fn characters_behind(&self, place: usize, count: usize) -> usize {
        let found = match &self.characters {
            None => Some(place + count),
            Some(starts) => {
                let first = starts.partition_point(|start| (*start as usize) < place);
                starts.get(first + count).map(|start| *start as usize)
            }
        };
        found.unwrap_or(self.text.len()).min(self.text.len())
    }

    /// The span of a range of offsets.
    pub fn span(&self, range: Range<usize>) -> Span {
        let end = range.end.min(self.text.len());
        // An empty span would be invisible, so it includes the sign before it.
        let start = if range.start >= end { self.before(end) } else { range.start };
        Span::new(self.source, start, end.max(start))
    }

    /// The start of the character before an offset.
    fn before(&self, at: usize) -> usize {
        self.text.get(..at).and_then(|front| front.char_indices().next_back()).map_or(0, |(index, _)| index)
    }

    /// Whether an offset is outside of texts and comments, and not blank.
    pub fn is_code(&self, at: usize) -> bool {
        self.code.get(at).is_some_and(|byte| !byte.is_ascii_whitespace())
    }

    /// The byte of code at an offset; blank in texts and comments.
    pub fn sign(&self, at: usize) -> u8 {
        self.code.get(at).copied().unwrap_or(b' ')
    }

    /// Whether an offset is inside a text or comment that began before it.
    pub fn is_inside(&self, at: usize) -> bool {
        let behind = self.apart.partition_point(|range| range.start < at);
        behind.checked_sub(1).and_then(|last| self.apart.get(last)).is_some_and(|range| at < range.end)
    }

    /// The start of the statement at an offset.
    pub fn statement(&self, at: usize) -> usize {
        let behind = self.seams.partition_point(|seam| *seam < at);
        let last = behind.checked_sub(1).and_then(|last| self.seams.get(last));
        self.skip_blanks(last.map_or(0, |seam| seam + 1))
    }

    /// The first separator from an offset on.
    fn seam(&self, at: usize) -> Option<usize> {
        self.seams.get(self.seams.partition_point(|seam| *seam < at)).copied()
    }

    /// The span from an offset to the end of the statement, or to the block that it opens.
    pub fn head(&self, at: usize) -> Span {
        let end = self.seam(at).unwrap_or(self.code.len());
        let start = self.skip_blanks(at).min(end);
        self.span(start..start + self.slice(start..end).trim_end().len())
    }

    /// In the function at an offset, the first `{` that is left open judging by indentation, and the place where it should be
    /// closed.
    pub fn left_open(&self, at: usize) -> Option<(Span, Span)> {
        let begins = |line: &usize| self.slice(*line..self.text.len()).starts_with("fn ");
        let first = self.lines.iter().rposition(|line| *line <= at && begins(line))?;
        let mut open: Vec<LeftOpen> = Vec::new();
        for (number, start) in self.lines.iter().enumerate().skip(first) {
            let end = self.lines.get(number + 1).copied().unwrap_or(self.text.len());
            let place = self.skip_blanks(*start);
            if place >= end {
                continue;
            }
            let (indent, closes) = (place - start, self.sign(place) == b'}');
            match open.last_mut() {
                Some(last) if !closes && indent > last.indent => last.has_lines = true,
                Some(last) if !closes || indent < last.indent => {
                    // Without indentation, nothing can be inferred.
                    let one = |at: usize| self.span(at..at + 1);
                    return (last.has_lines || last.goes_on).then(|| (one(last.place), one(place)));
                }
                _ => {}
            }
            for at in place..end {
                match self.sign(at) {
                    b'{' => {
                        let goes_on = self.skip_blanks(at + 1) < end;
                        open.push(LeftOpen { place: at, indent, goes_on, has_lines: false });
                    }
                    b'}' => drop(open.pop()),
                    _ => {}
                }
            }
        }
        None
    }

    /// The rules cited in a comment after a statement: `roll(die); // @DC-12`.
    pub fn cited(&self, at: usize) -> Vec<String> {
        let end = self.seam(at).unwrap_or(at);
        let line = self.text.get(end + 1..).and_then(|rest| rest.lines().next()).unwrap_or("");
        let Some(comment) = line.trim_start().strip_prefix("//") else { return Vec::new() };
        comment.split_whitespace().filter_map(|word| word.strip_prefix('@')).map(str::to_string).collect()
    }

    /// Whether an offset is the start of a line.
    pub fn is_first(&self, at: usize) -> bool {
        self.lines.binary_search(&at).is_ok()
    }

    /// The source text between offsets.
    pub fn slice(&self, range: Range<usize>) -> &'t str {
        self.text.get(range).unwrap_or("")
    }

    /// The length of the character at an offset, in bytes.
    fn sign_length(&self, at: usize) -> usize {
        self.text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
    }

    /// The end of the word that begins at an offset.
    pub fn word_end(&self, start: usize) -> usize {
        let rest = self.text.get(start..).unwrap_or("");
        start + rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').map(char::len_utf8).sum::<usize>()
    }

    /// The end of the value that begins at an offset: a text, a name, or brackets, with all members and brackets that follow.
    fn value_end(&self, start: usize) -> usize {
        let quoted = self.quoted.binary_search_by_key(&start, |quoted| quoted.start).ok();
        let mut end = match quoted.and_then(|quoted| self.quoted.get(quoted)) {
            Some(quoted) => quoted.end,
            None => match self.code.get(start) {
                Some(b'(' | b'[' | b'{') => self.closing(start),
                Some(b'-' | b'!' | b'+') => return self.value_end(self.skip_blanks(start + 1)),
                Some(byte) if !is_word(*byte) => return start + self.sign_length(start),
                _ => self.word_end(start),
            },
        };
        loop {
            match self.code.get(end) {
                Some(b'(' | b'[') => end = self.closing(end),
                Some(b'.') if self.code.get(end + 1).is_some_and(|next| is_word(*next)) => end = self.word_end(end + 1),
                _ => return end.max(start + self.sign_length(start)),
            }
        }
    }

    /// The first offset that is not blank, from an offset on.
    pub fn skip_blanks(&self, at: usize) -> usize {
        let rest = self.code.get(at..).unwrap_or(&[]);
        at + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    }

    /// The offset after the bracket that closes the one at `open`, or the end.
    fn closing(&self, open: usize) -> usize {
        self.closing_before(open, self.code.len())
    }

    /// Same as [`Self::closing`], but searches only up to `end`.
    fn closing_before(&self, open: usize, end: usize) -> usize {
        let mut depth = 0usize;
        for (index, byte) in self.code.iter().enumerate().take(end).skip(open) {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return index + 1;
                    }
                }
                _ => {}
            }
        }
        end
    }

    /// The functions of the file, in order.
    pub fn functions(&self) -> Vec<FoundFunction> {
        let mut found = Vec::new();
        let (mut at, mut depth) = (0, 0usize);
        while let Some(&byte) = self.code.get(at) {
            match byte {
                b'{' | b'(' | b'[' => depth += 1,
                b'}' | b')' | b']' => depth = depth.saturating_sub(1),
                // A `fn` at the left edge starts a function even if the one before was never closed.
                b'f' if (depth == 0 || self.lines.binary_search(&at).is_ok()) && self.is_word_at(at, "fn") => {
                    if let Some(function) = self.function_at(at) {
                        (at, depth) = (function.range.end, 0);
                        found.push(function);
                        continue;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        found
    }

    /// The offsets of some words in the code.
    pub fn words(&self, wanted: &[&str]) -> impl Iterator<Item = usize> {
        let starts = (0..self.code.len()).filter(|at| is_word(self.sign(*at)) && (*at == 0 || !is_word(self.sign(at - 1))));
        starts.filter(|at| wanted.iter().any(|word| self.is_word_at(*at, word)))
    }

    /// Whether a whole word begins at an offset.
    pub fn is_word_at(&self, at: usize, word: &str) -> bool {
        let before = at == 0 || !self.code.get(at - 1).copied().is_some_and(is_word);
        before
            && self.code.get(at..).is_some_and(|rest| rest.starts_with(word.as_bytes()))
            && self.word_end(at) == at + word.len()
    }

    /// The function whose `fn` is at an offset; none without a name.
    fn function_at(&self, at: usize) -> Option<FoundFunction> {
        let start = self.skip_blanks(at + 2);
        let end = self.word_end(start);
        let name = self.text.get(start..end).filter(|name| !name.is_empty())?;
        let open = self.skip_blanks(end);
        // A `fn` at the left edge begins another function, even if brackets are open.
        let behind = self.lines.get(self.lines.partition_point(|line| *line <= at)..).unwrap_or_default();
        let next = behind.iter().copied().find(|line| self.is_word_at(*line, "fn")).unwrap_or(self.code.len());
        let mut params = Vec::new();
        let mut close = end;
        if self.code.get(open) == Some(&b'(') {
            close = self.closing_before(open, next);
            let mut place = open + 1;
            while place < close {
                let word = self.word_end(place);
                if word > place {
                    params.push((self.slice(place..word).to_string(), self.span(place..word)));
                }
                place = word.max(place + self.sign_length(place).max(1));
            }
        }
        let body = self.skip_blanks(close);
        let last = if self.code.get(body) == Some(&b'{') { self.closing_before(body, next) } else { close };
        Some(FoundFunction { name: name.to_string(), span: self.span(start..end), params, range: at..last.min(next) })
    }
}

impl<'t> Part<'t> {
    /// Its start in the script.
    pub fn start(self) -> usize {
        self.start
    }

    /// The whole script.
    pub fn script(self) -> &'t ScriptText<'t> {
        self.script
    }

    /// The offset of a position, which is a line and a column in characters.
    pub fn byte(&self, position: Position) -> usize {
        let Some(line) = position.line() else { return self.start };
        let start = match line.saturating_sub(1) {
            0 => Some(self.start),
            further => self.lines.get(self.lines.partition_point(|start| *start <= self.start) + further - 1).copied(),
        };
        let column = position.position().unwrap_or(1).max(1);
        self.characters_behind(start.unwrap_or(self.text.len()), column - 1)
    }

    /// The span of the word or sign at a position.
    pub fn word(&self, position: Position) -> Span {
        let start = self.byte(position);
        let end = self.word_end(start).max(start + self.sign_length(start));
        self.span(start..end)
    }

    /// The span of the value at a position: a name with its chain of members and brackets.
    pub fn value(&self, position: Position) -> Span {
        let start = self.byte(position);
        self.span(start..self.value_end(start))
    }

    /// The span of the last sign before a position.
    pub fn last_before(&self, position: Position) -> Span {
        let at = self.byte(position).min(self.code.len());
        let end = self
            .code
            .get(..at)
            .and_then(|front| front.iter().rposition(|byte| !byte.is_ascii_whitespace()))
            .map_or(at, |last| last + 1);
        // A text ends with its quote, which is not blank.
        let start = self.before(end);
        self.span(start..end)
    }
}

/// The ranges that are not inside others, in order. They may nest, but not overlap in part.
fn outermost(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut end = 0;
    ranges.retain(|range| {
        let is_apart = range.start >= end;
        end = end.max(range.end);
        is_apart
    });
    ranges
}

/// Whether a byte separates statements.
fn is_seam(byte: u8) -> bool {
    matches!(byte, b';' | b'{' | b'}')
}

/// Whether a byte can be part of a name.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Blanks everything but code, byte by byte.
struct Blanker<'t> {
    bytes: &'t [u8],
    code: Vec<u8>,
    quoted: Vec<Range<usize>>,
    comments: Vec<Range<usize>>,
}

impl Blanker<'_> {
    /// Blanks a range of the code, but keeps ends of lines.
    fn blank(&mut self, range: Range<usize>) {
        if let Some(bytes) = self.code.get_mut(range) {
            bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        }
    }

    fn at(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    /// Reads code until after the closing sign, or to the end. Returns the offset there.
    fn code_until(&mut self, from: usize, close: Option<u8>) -> usize {
        let (mut at, mut depth) = (from, 0usize);
        while at < self.bytes.len() {
            match (self.at(at), self.at(at + 1)) {
                (b'/', b'/') => {
                    let end =
                        self.bytes.iter().skip(at).position(|byte| *byte == b'\n').map_or(self.bytes.len(), |length| at + length);
                    self.blank(at..end);
                    at = end;
                }
                (b'/', b'*') => at = self.comment(at),
                (b'"', _) => at = self.text(at, b'"'),
                (b'`', _) => at = self.text(at, b'`'),
                (b'\'', _) => at = self.text(at, b'\''),
                (b'{', _) if close.is_some() => {
                    depth += 1;
                    at += 1;
                }
                (sign, _) if Some(sign) == close && depth == 0 => return at + 1,
                (b'}', _) if close.is_some() => {
                    depth -= 1;
                    at += 1;
                }
                _ => at += 1,
            }
        }
        at
    }

    /// Reads a comment between `/*` and `*/`, which may be nested. Returns the offset after it.
    fn comment(&mut self, from: usize) -> usize {
        let (mut at, mut depth) = (from, 0usize);
        while at < self.bytes.len() {
            match (self.at(at), self.at(at + 1)) {
                (b'/', b'*') => (depth, at) = (depth + 1, at + 2),
                (b'*', b'/') => {
                    (depth, at) = (depth - 1, at + 2);
                    if depth == 0 {
                        break;
                    }
                }
                _ => at += 1,
            }
        }
        self.blank(from..at.min(self.bytes.len()));
        self.comments.push(from..at.min(self.bytes.len()));
        at
    }

    /// Reads a quoted text. In backticks, `${…}` is code. Returns the offset after it.
    fn text(&mut self, from: usize, quote: u8) -> usize {
        let mut at = from + 1;
        let mut start = at;
        while at < self.bytes.len() {
            match (self.at(at), self.at(at + 1)) {
                (b'\\', _) if quote != b'`' => at += 2,
                (b'\n', _) if quote != b'`' => break,
                (b'$', b'{') if quote == b'`' => {
                    self.blank(start..at + 2);
                    at = self.code_until(at + 2, Some(b'}'));
                    start = at;
                    self.blank(at - 1..at);
                }
                (sign, _) if sign == quote => {
                    self.blank(start..at);
                    self.quoted.push(from..at + 1);
                    return at + 1;
                }
                _ => at += 1,
            }
        }
        let end = at.min(self.bytes.len());
        self.blank(start..end);
        self.quoted.push(from..end);
        end
    }
}
