//! Runs the grammar on the chunks of a text one after another, and continues after mistakes. A *chunk* is a range that is
//! parsed alone, usually one declaration. If the grammar stops in it, the mistake is reported, its line is blanked, and the
//! rest is parsed again.

use std::collections::BTreeSet;
use std::ops::Range;

use ludex_grammar::Rule;

use super::chunks::Chunk;
use super::messages::ParseStop;
use super::repair;
use super::scan::Scanned;
use super::tree::{Builder, Pair, whole_letters};
use crate::codes;
use crate::problem::Problem;
use crate::source::{SourceId, Span, line_around};

/// After this many problems, the rest of a text is not parsed.
const MOST_PROBLEMS: usize = 1000;

/// Maximum number of mistakes reported in one chunk.
const MOST_TOLD: usize = 20;

/// Maximum number of lines removed from one chunk, and maximum length of a chunk for this repair.
const MOST_LINES: usize = 24;
const LONGEST_MENDED: usize = 1 << 14;

/// Parses the chunks of one text and collects the problems.
pub(super) struct Reader<'a> {
    source: SourceId,
    text: &'a str,
    scanned: &'a mut Scanned,
    problems: Vec<Problem>,
    /// The words of the unparsed parts.
    unread: BTreeSet<String>,
}

impl<'a> Reader<'a> {
    /// Takes over the problems that the scanner has found.
    pub fn new(source: SourceId, text: &'a str, scanned: &'a mut Scanned) -> Reader<'a> {
        let problems = std::mem::take(&mut scanned.problems);
        Reader { source, text, scanned, problems, unread: BTreeSet::new() }
    }

    /// Parses one chunk by a rule and builds its tree. If a line cannot be parsed, it continues without the line.
    pub fn read_chunk<T>(&mut self, rule: Rule, chunk: &Chunk, build: impl FnOnce(&mut Builder, Pair) -> Option<T>) -> Option<T> {
        let read = self.read_with_repair(rule, chunk, build);
        if read.is_none() {
            self.add_unread_words(chunk.start..chunk.end);
        }
        read
    }

    /// Returns nothing if the chunk or its tree cannot be read; the reason is reported.
    fn read_with_repair<T>(
        &mut self,
        rule: Rule,
        chunk: &Chunk,
        build: impl FnOnce(&mut Builder, Pair) -> Option<T>,
    ) -> Option<T> {
        self.problems.extend(chunk.problem.as_deref().cloned());
        if !chunk.readable || self.problems.len() >= MOST_PROBLEMS {
            return None;
        }
        let mut code = self.scanned.code.get(chunk.start..chunk.end)?.to_string();
        // The missing `}` is put in place of a line end, so that all places stay the same.
        if let Some(at) =
            chunk.closed_at.and_then(|at| at.checked_sub(chunk.start)).filter(|at| code.get(*at..*at + 1) == Some("\n"))
        {
            code.replace_range(at..at + 1, "}");
        }
        let mut told = ChunkReports::default();
        loop {
            let written = code.trim_end();
            let whole = format!("{written}{}", chunk.closing);
            let error = match ludex_grammar::parse_rule(rule, &whole) {
                Ok(mut pairs) => return self.build_tree(chunk, pairs.next()?, build),
                Err(error) => error,
            };
            let stop = ParseStop::new(&error, rule, self.source, chunk.start, written);
            code = self.report_stop(&stop, chunk, &code, &mut told)?;
        }
    }

    /// Builds the tree from what the grammar has found, and reports the mistakes of that.
    fn build_tree<T>(&mut self, chunk: &Chunk, pair: Pair, build: impl FnOnce(&mut Builder, Pair) -> Option<T>) -> Option<T> {
        let mut builder = Builder::new(self.source, &mut *self.scanned, chunk.start, self.text);
        let built = build(&mut builder, pair);
        let mut problems = std::mem::take(&mut builder.problems);
        if built.is_none() && !problems.iter().any(Problem::is_error) {
            let whole = Span::new(self.source, chunk.start, chunk.end);
            problems.push(Problem::error(codes::SYNTAX, "this cannot be read").with_label(whole, "from here"));
        }
        self.problems.append(&mut problems);
        built
    }

    /// Reports a mistake, and returns the code without its line, if the line can be removed.
    fn report_stop(&mut self, stop: &ParseStop, chunk: &Chunk, code: &str, told: &mut ChunkReports) -> Option<String> {
        if chunk.quiet {
            return None;
        }
        let text = self.text.get(chunk.start..)?;
        if stop.at_end() {
            // At the end of unclosed brackets, this is already reported.
            if chunk.closing.is_empty() {
                self.problems.push(stop.syntax_problem());
            }
            return None;
        }
        let line = line_around(text, stop.stop_offset());
        if !told.is_consequence(text, &line) {
            told.indent = line_indent(text, &line);
            if !self.is_broken(chunk, &line) {
                let problem = stop.syntax_problem();
                if self.problems.last() != Some(&problem) {
                    self.problems.push(problem);
                }
                told.times += 1;
            }
        }
        // Something missing is missing at the end of the line before.
        let line =
            if stop.is_unfinished() && stop.is_first_on_line() { repair::line_before(text, code, line.start)? } else { line };
        let first = code.len() - code.trim_start().len();
        let enough = told.times >= MOST_TOLD || told.lines >= MOST_LINES || code.len() > LONGEST_MENDED;
        if line.contains(&first) || enough {
            return None;
        }
        told.lines += 1;
        told.line = Some(line.clone());
        self.add_unread_words(chunk.start + line.start..chunk.start + line.end);
        let brackets = self.brackets_of(chunk);
        repair::without_line(code, line, &brackets)
    }

    /// Notes the words of an unparsed range, because its declarations and uses are unknown.
    fn add_unread_words(&mut self, stretch: Range<usize>) {
        let end = stretch.end.min(self.scanned.code.len());
        let code = self.scanned.code.get(stretch.start..end).unwrap_or("");
        let words = code.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_' && sign != '-');
        self.unread.extend(words.filter(|word| word.starts_with(|sign: char| sign.is_ascii_alphabetic())).map(str::to_string));
    }

    /// Whether an unterminated text is on a line of the chunk.
    fn is_broken(&self, chunk: &Chunk, line: &Range<usize>) -> bool {
        self.scanned.broken.iter().any(|at| at.checked_sub(chunk.start).is_some_and(|at| line.contains(&at)))
    }

    /// The brackets of a chunk, relative to its start.
    fn brackets_of(&self, chunk: &Chunk) -> Vec<(usize, u8)> {
        let all = &self.scanned.brackets;
        let first = all.partition_point(|(at, _)| *at < chunk.start);
        let inside = all.iter().skip(first).take_while(|(at, _)| *at < chunk.end);
        inside.map(|(at, bracket)| (at - chunk.start, *bracket)).collect()
    }

    /// All problems in order of place, and the words of the unparsed parts.
    pub fn into_problems_and_unread(mut self) -> (Vec<Problem>, BTreeSet<String>) {
        let unread = std::mem::take(&mut self.unread);
        (self.into_problems(), unread)
    }

    /// All problems in order of place.
    pub fn into_problems(mut self) -> Vec<Problem> {
        for (span, _) in self.problems.iter_mut().flat_map(|problem| &mut problem.labels) {
            *span = whole_letters(self.text, *span);
        }
        self.problems.sort_by_key(|problem| problem.labels.first().map(|(span, _)| span.start));
        self.problems
    }
}

/// The reports about a chunk so far.
#[derive(Default)]
struct ChunkReports {
    /// The number of reported mistakes, and of removed lines.
    times: usize,
    lines: usize,
    /// The last line that was removed.
    line: Option<Range<usize>>,
    /// The indentation of the last line with a mistake of its own.
    indent: usize,
}

/// The number of blank bytes at the start of a line.
fn line_indent(text: &str, line: &Range<usize>) -> usize {
    text.get(line.clone()).map_or(0, |line| line.len() - line.trim_start().len())
}

impl ChunkReports {
    /// Whether a line only continues one with a mistake, right after the lines removed with it, or comes before it.
    fn is_consequence(&self, text: &str, line: &Range<usize>) -> bool {
        let Some(last) = &self.line else {
            return false;
        };
        let opens = text.get(last.clone()).is_some_and(|line| line.trim_end().ends_with('{'));
        let follows = text.get(last.end..line.start).is_some_and(|between| between.trim().is_empty());
        line.start <= last.start || (follows && !opens && line_indent(text, line) > self.indent)
    }
}
