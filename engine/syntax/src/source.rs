//! Texts held in memory, and places in them.

use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// Which text a place is in: an index into a [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SourceId(pub u32);

/// A stretch of one text, in bytes, end not included.
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
    /// From `start` to before `end`, in bytes of a text of less than 4 GiB.
    pub fn new(source: SourceId, start: usize, end: usize) -> Span {
        Span { source, start: start as u32, end: end as u32 }
    }

    /// From the start of `self` to the end of `other`, which is in the same text.
    pub fn to(self, other: Span) -> Span {
        Span { source: self.source, start: self.start, end: other.end.max(self.start) }
    }

    /// Whether `other` stands within.
    pub fn holds(self, other: Span) -> bool {
        self.source == other.source && self.start <= other.start && other.end <= self.end
    }
}

/// One text with the name under which a reader knows it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path as shown in messages, with `/` between its parts.
    pub name: String,
    /// The byte of the name at which the path within a library begins.
    library: usize,
    /// The whole text, with `\n` at the end of lines.
    pub text: String,
    /// The byte at which each line starts: looked for when a place is told first, as most texts are only read.
    lines: OnceLock<Vec<u32>>,
}

/// All texts of one run, in the order they were added. Copies share the texts.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    list: Vec<Arc<Source>>,
}

impl Sources {
    /// Adds a text and gives the number under which it is found again.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.push(Source::new(name, text))
    }

    /// As [`Sources::add`], of a file with this path within its library.
    pub fn add_of_library(&mut self, name: impl Into<String>, path: &str, text: impl Into<String>) -> SourceId {
        let source = Source::new(name, text);
        let library = source.name.len().checked_sub(path.len()).filter(|start| source.name.get(*start..) == Some(path));
        self.push(Source { library: library.unwrap_or(0), ..source })
    }

    fn push(&mut self, source: Source) -> SourceId {
        self.list.push(Arc::new(source));
        SourceId(self.list.len() as u32 - 1)
    }

    /// A text that was added here. Panics with a number of other sources.
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

    /// The words of a span; empty if it is no stretch of its text.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.source).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
}

/// Where the line begins that a byte of a text stands in.
pub fn line_start(text: &str, byte: usize) -> usize {
    text.get(..byte).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
}

/// The line that a byte of a text stands in, with its line end.
pub fn line_around(text: &str, byte: usize) -> std::ops::Range<usize> {
    let end = text.get(byte..).and_then(|behind| behind.find('\n')).map_or(text.len(), |end| byte + end + 1);
    line_start(text, byte)..end
}

impl Source {
    /// A text with the name that messages call it by.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), library: 0, text: text.into(), lines: OnceLock::new() }
    }

    /// The path within its library, which says nothing of where that is: for those who only play.
    pub fn path(&self) -> &str {
        self.name.get(self.library..).unwrap_or(&self.name)
    }

    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let starts = self.text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1);
            std::iter::once(0).chain(starts).collect()
        })
    }

    /// Line and column of a byte, both from 1; columns count characters.
    pub fn line_column(&self, byte: usize) -> (usize, usize) {
        let line = self.lines().partition_point(|&start| start as usize <= byte).max(1) - 1;
        let start = self.lines()[line] as usize;
        let end = byte.min(self.text.len());
        (line + 1, self.text.get(start..end).map_or(0, |s| s.chars().count()) + 1)
    }

    /// How many lines there are, from 1; the one after a last line end counts.
    pub fn line_count(&self) -> usize {
        self.lines().len()
    }

    /// The bytes of one line, from 0, without its line end.
    pub fn line_range(&self, line: usize) -> std::ops::Range<usize> {
        let start = self.lines().get(line).map_or(self.text.len(), |&s| s as usize);
        let end = self.lines().get(line + 1).map_or(self.text.len(), |&s| s as usize - 1);
        start..end.max(start)
    }
}
