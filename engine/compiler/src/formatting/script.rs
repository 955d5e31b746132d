//! Formats scripts: the header like rules; the functions below it are only indented.
//!
//! The header is the lines at the top that begin with `//!`. rhai's functions have no syntax tree here, so each line is indented
//! by the brackets that are open and by the sign that the line before ends with.

use super::{join_lines, lay_out_lines, tokens};
use crate::library::without_notes;
use crate::scripting::text::ScriptText;
use ludex_syntax::parse::structure;
use ludex_syntax::problem::on_one_line;
use ludex_syntax::source::SourceId;

/// The prefix of header lines.
pub const HEADER: &str = "//!";
/// Columns per level of brackets.
const STEP: usize = 4;

/// Formats a whole script.
pub fn format_script(text: &str, source: SourceId) -> String {
    let end = header_end(text);
    let header = join_lines(header_lines(text, &text[..end]).into_iter());
    let body = body_lines(&ScriptText::new(source, text), text, end).join("\n");
    let gap = if body.starts_with('\n') { "\n" } else { "" };
    match body.trim_matches('\n') {
        "" => header,
        body => format!("{header}{gap}{body}\n"),
    }
}

/// The contents of a script, in order: the words of its header, and the trimmed lines below.
pub fn script_contents(text: &str) -> Vec<String> {
    let (header, body) = text.split_at(header_end(text));
    let readable = without_notes(text);
    let structure = structure::structure_of_header(&readable);
    let mut words: Vec<String> = tokens::token_words(&structure).map(str::to_string).collect();
    // Notes and comments are not part of the readable text.
    let others = header.lines().zip(readable.lines()).filter(|(_, line)| !line.starts_with(HEADER) || line.trim() == HEADER);
    words.extend(others.map(|(line, _)| on_one_line(line)));
    words.extend(body.trim().lines().map(|line| line.trim().to_string()));
    words.retain(|words| !words.is_empty() && words != HEADER);
    words
}

/// The offset after the last line that begins with `//!`.
fn header_end(text: &str) -> usize {
    let (mut at, mut end) = (0, 0);
    for line in text.split_inclusive('\n') {
        at += line.len();
        let words = line.trim();
        match words.starts_with(HEADER) {
            true => end = at,
            false if words.is_empty() || words.starts_with("//") => {}
            false => break,
        }
    }
    end
}

/// Lays out the lines of the header. `text` is the whole script.
fn header_lines(text: &str, header: &str) -> Vec<String> {
    let structure = structure::structure_of_header(&without_notes(text));
    let mut laid_out = lay_out_lines(&structure);
    laid_out.iter_mut().for_each(|line| line.before = HEADER.len() + 1);
    super::margin::align_remarks(&mut laid_out);
    let mut laid_out = laid_out.into_iter();
    let line = |line: &str| {
        let code = laid_out.next().map(|line| line.line_text()).unwrap_or_default();
        let words = line.trim();
        match words.strip_prefix(HEADER) {
            None => words.to_string(),
            Some(_) if !code.is_empty() => format!("{HEADER} {code}"),
            Some(note) => format!("{HEADER} {}", on_one_line(note)).trim_end().to_string(),
        }
    };
    header.lines().map(line).collect()
}

/// Indents the lines below the header, from an offset on.
fn body_lines(script: &ScriptText, text: &str, from: usize) -> Vec<String> {
    let mut indents = ScriptIndents::default();
    let mut at = from;
    let mut lines: Vec<ScriptLine> = Vec::new();
    for line in text[from..].split_inclusive('\n') {
        let end = at + line.len();
        lines.push(indents.indent_line(script, line.trim_end_matches('\n'), at));
        at = end;
    }
    place_comments(&mut lines);
    lines.into_iter().map(|line| line.text).collect()
}

/// A line of a function.
struct ScriptLine {
    text: String,
    /// For code: its indentation, and whether it starts with a closing bracket.
    indent: Option<(usize, bool)>,
    /// A comment on its own line.
    is_comment: bool,
}

/// Indents functions line by line.
#[derive(Default)]
struct ScriptIndents {
    /// The indentation of the line with each open bracket.
    open: Vec<usize>,
    /// The last sign of code so far.
    last: Option<u8>,
}

impl ScriptIndents {
    /// Indents a line that begins at an offset. Lines inside a text or comment stay as they are.
    fn indent_line(&mut self, script: &ScriptText, line: &str, at: usize) -> ScriptLine {
        let trimmed = if script.is_inside(at + line.len()) { line } else { line.trim_end() };
        let code = |place: &usize| script.is_code(*place);
        let first = (at..at + line.len()).find(code);
        let is_inside = script.is_inside(at);
        let words = line.trim_start();
        let is_comment = first.is_none() && words.starts_with('/');
        // The opening quote of a text is code, and the space before it blank.
        let stands_first = first.is_some_and(|first| first == at + line.len() - words.len());
        let indent = first.filter(|_| stands_first && !is_inside).map(|first| self.line_indent(script.sign(first)));
        let own = line.len() - words.len();
        let used = indent.map_or(own, |(indent, _)| indent);
        for place in (at..at + line.len()).filter(code) {
            self.pass_sign(script.sign(place), used);
        }
        let text = match indent {
            Some((indent, _)) => format!("{}{}", " ".repeat(indent), trimmed.trim_start()),
            None => trimmed.to_string(),
        };
        ScriptLine { text, indent, is_comment: is_comment && !is_inside }
    }

    /// The indentation of a line of code that begins with a sign, and whether that is a closing bracket. A line that continues a
    /// statement is indented one step more.
    fn line_indent(&self, first: u8) -> (usize, bool) {
        let inner = self.open.last().map_or(0, |outer| outer + STEP);
        match (first, self.last) {
            (b')' | b']' | b'}', _) => (self.open.last().copied().unwrap_or(0), true),
            (b'{', _) | (_, None | Some(b';' | b'{' | b'}' | b',' | b'(' | b'[')) => (inner, false),
            _ => (inner + STEP, false),
        }
    }

    /// Updates the state for a sign of code. `indent` is the indentation of its line.
    fn pass_sign(&mut self, sign: u8, indent: usize) {
        match sign {
            // The block after a condition of several lines is aligned with the condition.
            b'{' => self.open.push(indent.min(self.open.last().map_or(0, |outer| outer + STEP))),
            b'(' | b'[' => self.open.push(indent),
            b')' | b']' | b'}' => drop(self.open.pop()),
            _ => {}
        }
        self.last = Some(sign);
    }
}

/// Places comments on their own lines at the indentation of the next line, or of the lines inside if a closing bracket
/// follows.
fn place_comments(lines: &mut [ScriptLine]) {
    let mut next = 0;
    for line in lines.iter_mut().rev() {
        match line.indent {
            Some((indent, closes)) => next = if closes { indent + STEP } else { indent },
            None if line.is_comment => line.text = format!("{}{}", " ".repeat(next), line.text.trim_start()),
            None => {}
        }
    }
}
