//! Parses YAML to a tree with the place of every value.
//!
//! Sheets, positions and scenarios are read with this module. It accepts the plain part of YAML (maps, lists, scalars). It
//! refuses anything hard to follow or of unbounded size: anchors, aliases, tags, several documents. Problems are collected, not
//! thrown.

mod build;
mod calls;
mod output;
mod read;
mod scan;
#[cfg(test)]
mod tests;

pub use output::OutputValue;
pub use read::{MapReader, more_unknown};

use crate::codes;
use crate::problem::Problem;
use crate::source::{SourceId, Span};

/// Maximum size of a text, in bytes.
pub const LARGEST: usize = 1 << 20;
/// Maximum nesting depth of lists and maps.
pub const DEEPEST: usize = 64;
/// Maximum number of scan errors in one text before parsing is given up.
const MOST_REPAIRS: usize = 20;
/// Maximum number of problems of one sort that are reported one by one in one text or map.
pub const MOST_OF_A_SORT: usize = 20;

/// One value with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The place of a scalar with its quotes, or from the first to the last character of a list or map. A missing value has the
    /// place of its key or its `-`.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// A value of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing, or `null`.
    Null,
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// Any other scalar, and anything in quotes.
    Text(String),
    /// The members in the order of the text.
    List(Vec<Node>),
    /// The entries in the order of the text, each key once.
    Map(Vec<(Key, Node)>),
}

/// The name of an entry of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The name as written, without quotes; `0` is the name `0`.
    pub name: String,
    /// The place of the name.
    pub span: Span,
}

/// Parses one document.
///
/// Returns a tree whenever it can be trusted: duplicate keys, anchors and tabs still leave a tree, but broken text does not.
pub fn parse_document(text: &str, source: SourceId) -> (Option<Node>, Vec<Problem>) {
    if let Some(problem) = unreadable_problem(text, source) {
        return (None, vec![problem]);
    }
    // Hiding and repairing replace bytes by as many others, so places in the copy are places in the text.
    let mut copy = calls::hide_signs(text);
    let mut found = Vec::new();
    // False once a mistake may have changed the meaning of the rest.
    let mut trusted = true;
    loop {
        let outcome = build::build(&copy, text, source);
        let Some(error) = outcome.stopped else {
            found.extend(outcome.problems);
            return (outcome.root.filter(|_| trusted), found);
        };
        // A tab hides the structure of its line, so errors after tabs were read as spaces mean nothing.
        let tabs = found.iter().any(|problem: &Problem| problem.code == codes::YAML_TAB);
        let finding = scan::explain_error(&error, outcome.bracket, &copy, text, source);
        let repeated = tabs && finding.problem.code != codes::YAML_ANCHOR;
        if !repeated {
            trusted &= finding.problem.code == codes::YAML_TAB;
            found.push(finding.problem);
        }
        let repaired = finding.repair.filter(|_| found.len() < MOST_REPAIRS && !repeated);
        match repaired {
            Some(repair) if repair != copy => copy = repair,
            _ => {
                // The error that stopped the parser may already be among the problems.
                let new = outcome.problems.into_iter().filter(|problem| !found.contains(problem)).collect::<Vec<_>>();
                found.extend(new);
                return (None, found);
            }
        }
    }
}

/// Refuses a text that is not worth scanning: it is too large, or has characters that no text editor writes.
fn unreadable_problem(text: &str, source: SourceId) -> Option<Problem> {
    if text.len() > LARGEST {
        let problem = Problem::error(codes::FILE_TOO_LARGE, "this file is larger than 1 MiB")
            .with_label(Span::new(source, 0, 0), format!("it has {} bytes", text.len()));
        return Some(problem.help("split it into several files; one sheet or scenario rarely needs a page"));
    }
    if !text.bytes().any(may_begin_a_stray) {
        return None;
    }
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let skipped = text.len() - body.len();
    let (at, sign) = body.char_indices().find(|(_, sign)| is_stray(*sign))?;
    let span = Span::new(source, at + skipped, at + skipped + sign.len_utf8());
    Some(
        Problem::error(codes::YAML_CHARACTER, format!("the character U+{:04X} cannot be in a text", sign as u32))
            .with_label(span, "not a character that can be read")
            .help("save the file as plain text (UTF-8) from a text editor; if it looks right there, type this line again"),
    )
}

/// Whether a byte may be the first of a character for which [`is_stray`] is true.
fn may_begin_a_stray(byte: u8) -> bool {
    matches!(byte, 0..=0x8 | 0xb | 0xc | 0xe..=0x1f | 0x7f | 0xc2 | 0xef)
}

/// Whether a character is one that no text editor writes.
fn is_stray(sign: char) -> bool {
    matches!(sign, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}')
        || matches!(sign, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// The reason why some bytes are not text, with the part that can be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotText {
    /// The readable beginning and a little of the rest, for [`Sources`](crate::source::Sources).
    pub text: String,
    /// The first byte that is not UTF-8.
    pub at: usize,
    /// The bytes begin like a UTF-16 file.
    pub wide: bool,
}

impl NotText {
    /// The problem, after [`NotText::text`] was added to the sources.
    pub fn encoding_problem(&self, source: SourceId) -> Problem {
        let message = format!("this file is not text: byte {} is not UTF-8", self.at + 1);
        let end = self.text.get(self.at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let advice = match self.wide {
            true => "the file is saved as UTF-16; save it as UTF-8",
            false => "save the file as UTF-8 (most editors offer it under `save with encoding`)",
        };
        Problem::error(codes::FILE_ENCODING, message)
            .with_label(Span::new(source, self.at, self.at + end), "not readable from here on")
            .help(advice)
    }
}

/// Decodes bytes as UTF-8, without a byte order mark and otherwise unchanged.
pub fn decode_text(bytes: &[u8]) -> Result<String, NotText> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_string()),
        Err(error) => {
            let at = error.valid_up_to();
            let shown = bytes.get(..bytes.len().min(at + 64)).unwrap_or(bytes);
            let wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
            Err(NotText { text: String::from_utf8_lossy(shown).into_owned(), at, wide })
        }
    }
}
