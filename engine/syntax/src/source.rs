//! Source texts, and places in them.

use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// The number of a text: an index into a [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SourceId(pub u32);

/// A range of bytes in one text, without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// The text.
    pub source: SourceId,
    /// The first byte, from 0.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to, but not including, `end`, in bytes of a text of less than 4 GiB.
    pub fn new(source: SourceId, start: usize, end: usize) -> Span {
        Span { source, start: start as u32, end: end as u32 }
    }

    /// The range from the start of `self` to the end of `other`, which is in the same text.
    pub fn extend_to(self, other: Span) -> Span {
        Span { source: self.source, start: self.start, end: other.end.max(self.start) }
    }

    /// Whether `other` is within this range.
    pub fn contains_span(self, other: Span) -> bool {
        self.source == other.source && self.start <= other.start && other.end <= self.end
    }
}

/// One text with its name in messages.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path as shown in messages, with `/` between its parts.
    pub name: String,
    /// The byte of the name at which the path within its library begins.
    library: usize,
    /// The whole text, with `\n` line ends.
    pub text: String,
    /// The first byte of each line, computed on first use, because most texts never need it.
    lines: OnceLock<Vec<u32>>,
}

/// All texts of one run, in the order in which they were added. Copies share the texts.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    list: Vec<Arc<Source>>,
}

impl Sources {
    /// Adds a text and returns its number.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.push(Source::new(name, text))
    }

    /// Same as [`Sources::add`], for a file with this path within its library.
    pub fn add_library_file(&mut self, name: impl Into<String>, path: &str, text: impl Into<String>) -> SourceId {
        let source = Source::new(name, text);
        let library = source.name.len().checked_sub(path.len()).filter(|start| source.name.get(*start..) == Some(path));
        self.push(Source { library: library.unwrap_or(0), ..source })
    }

    fn push(&mut self, source: Source) -> SourceId {
        self.list.push(Arc::new(source));
        SourceId(self.list.len() as u32 - 1)
    }

    /// Returns a text that was added here. Panics if the number is from other sources.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.list[id.0 as usize]
    }

    /// All texts, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        self.list.iter().enumerate().map(|(i, s)| (SourceId(i as u32), s.as_ref()))
    }

    /// Line and column of a span's start, both from 1; columns count characters.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        self.get(span.source).line_column(span.start as usize)
    }

    /// The text of a span; empty if the span is not valid for its source.
    pub fn span_text(&self, span: Span) -> &str {
        self.get(span.source).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
}

/// The start of the line that contains a byte.
pub fn line_start(text: &str, byte: usize) -> usize {
    text.get(..byte).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
}

/// The line that contains a byte, with its line end.
pub fn line_around(text: &str, byte: usize) -> std::ops::Range<usize> {
    let end = text.get(byte..).and_then(|behind| behind.find('\n')).map_or(text.len(), |end| byte + end + 1);
    line_start(text, byte)..end
}

impl Source {
    /// A text with a name for messages.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), library: 0, text: text.into(), lines: OnceLock::new() }
    }

    /// The path within its library, without the library's own location: for players.
    pub fn library_path(&self) -> &str {
        self.name.get(self.library..).unwrap_or(&self.name)
    }

    /// The first byte of each line.
    fn line_starts(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let starts = self.text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1);
            std::iter::once(0).chain(starts).collect()
        })
    }

    /// Line and column of a byte, both from 1; columns count characters.
    pub fn line_column(&self, byte: usize) -> (usize, usize) {
        let line = self.line_starts().partition_point(|&start| start as usize <= byte).max(1) - 1;
        let start = self.line_starts()[line] as usize;
        let end = byte.min(self.text.len());
        (line + 1, self.text.get(start..end).map_or(0, |s| s.chars().count()) + 1)
    }

    /// Number of lines. A line end at the end of the text begins one more.
    pub fn line_count(&self) -> usize {
        self.line_starts().len()
    }

    /// The bytes of a line, from 0, without its line end.
    pub fn line_range(&self, line: usize) -> std::ops::Range<usize> {
        let start = self.line_starts().get(line).map_or(self.text.len(), |&s| s as usize);
        let end = self.line_starts().get(line + 1).map_or(self.text.len(), |&s| s as usize - 1);
        start..end.max(start)
    }
}
