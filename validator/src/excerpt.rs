//! The excerpt of a text drawn around a problem. It is found by line table, cuts long lines, and contains no terminal control
//! characters. miette asks for it with [`SourceCode::read_span`]. Offsets are bytes: of the *original* text, or of the
//! *shown* text, in which control characters are replaced by visible ones.

use std::borrow::Cow;

use ludex_engine::source::{Source, Span};
use ludex_engine::visible;
use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// Lines longer than this are cut around the label.
const LONG_LINE: usize = 200;
/// Number of characters kept of a long line before and after the label.
const AROUND: usize = 30;
/// Maximum length of a label drawn within one line, and below, over several lines.
const LONGEST_LABEL: usize = 100;
const LONGEST_BLOCK: usize = 600;
const MOST_LINES: usize = 8;
/// Maximum size of one excerpt. Labels that are far apart get one each.
const LARGEST: usize = 2400;

/// A source in the form that miette reads.
pub(crate) struct Excerpt<'s> {
    original: &'s Source,
    /// The displayed source, which has the same lines.
    source: Cow<'s, Source>,
    /// The offsets after each replaced character: in the original, and in the displayed text.
    replaced: Vec<(usize, usize)>,
}

impl<'s> Excerpt<'s> {
    /// Replaces what is not safe to show.
    pub fn new(original: &'s Source) -> Excerpt<'s> {
        let name = visible::clean_line(&original.name);
        let (text, replaced) = visible::clean_with_places(&original.text);
        let source = match (&name, &text) {
            (Cow::Borrowed(_), Cow::Borrowed(_)) => Cow::Borrowed(original),
            _ => Cow::Owned(Source::new(name, text)),
        };
        Excerpt { original, source, replaced }
    }

    /// The text as it is displayed.
    fn shown_text(&self) -> &str {
        &self.source.text
    }

    /// Converts an offset in the original to one in the displayed text.
    fn shown_offset(&self, byte: usize) -> usize {
        let count = self.replaced.partition_point(|(original, _)| *original <= byte);
        let (original, shown) = count.checked_sub(1).map_or((0, 0), |last| self.replaced[last]);
        shown + (byte - original)
    }

    /// Converts an offset in the displayed text to one in the original. Within a replacement, it is that of the replaced
    /// character.
    fn original_offset(&self, byte: usize) -> usize {
        let count = self.replaced.partition_point(|(_, shown)| *shown <= byte);
        let (original, shown) = count.checked_sub(1).map_or((0, 0), |last| self.replaced[last]);
        let next = self.replaced.get(count).map_or(usize::MAX, |(original, _)| original - 1);
        (original + (byte - shown)).min(next)
    }

    /// The part of a span that is drawn: it is visible and not too long.
    pub fn visible_span(&self, span: Span) -> SourceSpan {
        let (mut start, mut end) = (
            self.char_boundary_at(self.shown_offset(span.start as usize)),
            self.char_boundary_at(self.shown_offset(span.end as usize)),
        );
        // The end of a text after its last line cannot be drawn.
        if start >= self.shown_text().trim_end().len() && end >= self.shown_text().len() {
            end = self.shown_text().trim_end().len();
            start = self.shown_text().get(..end).and_then(|text| text.char_indices().next_back()).map_or(0, |(at, _)| at);
        }
        let (first, last) = (self.line_index(start), self.line_index(end.saturating_sub(1).max(start)));
        if last > first && (last - first >= MOST_LINES || end - start > LONGEST_BLOCK) {
            end = self.source.line_range(first).end.max(start);
        }
        if end - start > LONGEST_LABEL && self.line_index(end) == first {
            end = self.char_boundary_at(start + LONGEST_LABEL);
        }
        (start, end.max(start) - start).into()
    }

    /// The line of an offset, from 0.
    fn line_index(&self, byte: usize) -> usize {
        self.source.line_column(byte).0 - 1
    }

    /// The start of the character that contains an offset in the displayed text.
    fn char_boundary_at(&self, byte: usize) -> usize {
        let mut byte = byte.min(self.shown_text().len());
        while !self.shown_text().is_char_boundary(byte) {
            byte -= 1;
        }
        byte
    }

    /// Whether a line is too long to be shown whole.
    fn is_long(&self, line: usize) -> bool {
        self.source.line_range(line).len() > LONG_LINE
    }

    /// The start of the excerpt: includes preceding lines while they are short. `from` is the start of the label, `before`
    /// the number of lines of context.
    fn excerpt_start(&self, from: usize, before: usize) -> usize {
        let mut line = self.line_index(from);
        if self.is_long(line) {
            return self.char_boundary_at(from.saturating_sub(AROUND)).max(self.source.line_range(line).start);
        }
        for _ in 0..before {
            if line == 0 || self.is_long(line - 1) {
                break;
            }
            line -= 1;
        }
        self.source.line_range(line).start
    }

    /// The end of the excerpt, including the end of its last line. `to` is the last byte of the label, `after` the number of
    /// lines of context.
    fn excerpt_end(&self, to: usize, after: usize) -> usize {
        let mut line = self.line_index(to);
        if self.is_long(line) {
            return self.char_boundary_at(to + AROUND).min(self.source.line_range(line).end);
        }
        for _ in 0..after {
            if line + 1 >= self.source.line_count() || self.is_long(line + 1) {
                break;
            }
            line += 1;
        }
        let end = self.source.line_range(line).end;
        // Includes the line break, so that a label can be there.
        if self.shown_text().get(end..).is_some_and(|rest| rest.starts_with('\n')) { end + 1 } else { end }
    }
}

impl SourceCode for Excerpt<'_> {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (from, to) = (span.offset(), span.offset() + span.len());
        // Without context, miette asks for the place itself, to show it in the header.
        let (start, end) = match (before, after) {
            (0, 0) => (from, to),
            _ => (self.excerpt_start(from, before), self.excerpt_end(to.saturating_sub(1).max(from), after)),
        };
        let data = self.shown_text().get(start..end.max(start)).ok_or(MietteError::OutOfBounds)?;
        if data.len() > LARGEST {
            return Err(MietteError::OutOfBounds);
        }
        let (line, column) = self.original.line_column(self.original_offset(start));
        let lines = self.line_index(end) + 1 - self.line_index(start);
        Ok(Box::new(MietteSpanContents::new_named(
            self.source.name.clone(),
            data.as_bytes(),
            (start, data.len()).into(),
            line - 1,
            column - 1,
            lines,
        )))
    }
}
