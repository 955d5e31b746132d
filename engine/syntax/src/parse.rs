//! Parses text to syntax trees. Parsing never fails: text that cannot be parsed becomes problems, and the rest a tree.
//!
//! `scan` removes what may be anywhere (comments, rule ids). `chunks` cuts the rest at the beginnings of declarations. `reader`
//! runs the grammar on each chunk, and the builders (`items`, `abilities`, `statements`, `expressions`) make the tree from its
//! result. If the grammar stops, `messages` explains why in the user's words, and `repair` removes the line so that the rest of
//! the chunk is parsed too.
//!
//! For the formatter and for mutation tests, `structure` and `pieces` read a text in the same way, without a tree.

mod abilities;
mod chunks;
mod expressions;
mod items;
mod messages;
mod outline;
pub mod pieces;
mod reader;
mod repair;
mod scan;
mod statements;
pub mod structure;
#[cfg(test)]
mod tests;
mod tree;
mod words;

pub use self::messages::{BEFORE_NUMBER_OF, merge_reserved_words};
pub use self::outline::parse_outline;
pub use self::scan::is_rule_id;

use std::collections::BTreeSet;

use ludex_grammar::Rule;

use self::chunks::{Chunk, Starts};
use self::reader::Reader;
use self::tree::{Builder, Pair, inner_parts};
use super::tree::{Ability, Cite, Expr, Item};
use crate::codes;
use crate::limits::{DECLARATION_BYTES, NAMES};
use crate::problem::Problem;
use crate::source::{SourceId, Span, line_around};

/// Maximum size of a text, in bytes. A longer one is not parsed at all, see [`too_long`].
const LONGEST: usize = 1 << 20;

/// The result of parsing a file of rules.
#[derive(Clone, Debug, Default)]
pub struct ParsedRules {
    pub items: Vec<Item>,
    pub problems: Vec<Problem>,
    /// The words of the unparsed parts, which may declare and use anything they name.
    pub unread: BTreeSet<String>,
    /// All cited rules, in the order of the text.
    pub cites: Vec<Cite>,
}

/// Parses a `.ludex` file.
pub fn parse_rules(source: SourceId, text: &str) -> ParsedRules {
    let refused = |problem| ParsedRules { problems: vec![problem], ..ParsedRules::default() };
    if let Some(problem) = too_long(source, text) {
        return refused(problem);
    }
    let mut scanned = scan::scan_text(source, text);
    let chunks = chunks::cut_chunks(source, text, &scanned, &Starts { column: 0, surely: chunks::surely_declares });
    if let Some(first) = chunks.get(NAMES) {
        let message = format!("this file declares {} things, but at most {NAMES} are allowed", chunks.len());
        let problem =
            Problem::error(codes::TOO_MANY, message).with_label(Span::new(source, first.start, first.start), "one too many");
        return refused(problem.help("a game declares fewer in all its files together"));
    }
    let cites = scanned.cites.iter().filter_map(|found| found.cite.clone()).collect();
    let mut reader = Reader::new(source, text, &mut scanned);
    let items = chunks.iter().flat_map(|chunk| read_items(&mut reader, chunk)).collect();
    let (mut problems, unread) = reader.into_problems_and_unread();
    if chunks.is_empty() {
        let problem = Problem::error(codes::RULES_EMPTY, "this file of rules is empty");
        problems.push(problem.with_label(Span::new(source, 0, 0), "nothing is declared"));
    }
    ParsedRules { items, problems, unread, cites }
}

/// Parses the declarations of one chunk.
fn read_items(reader: &mut Reader, chunk: &Chunk) -> Vec<Item> {
    let build = |builder: &mut Builder, pair: Pair| inner_parts(pair).build_all(builder, Rule::item, Builder::build_item);
    reader.read_chunk(Rule::chunk, chunk, build).unwrap_or_default()
}

/// Parses the header of a `.rhai` file. Returns no ability if the beginning of the header cannot be read. Unreadable parts are
/// left out, see [`Ability::has_unread_parts`].
pub fn parse_ability(source: SourceId, text: &str) -> (Option<Ability>, Vec<Problem>) {
    if let Some(problem) = too_long(source, text) {
        return (None, vec![problem]);
    }
    let header = script_header(text);
    let Some(column) = first_column(&header) else {
        return (None, vec![header_missing(source, text)]);
    };
    if header.len() > DECLARATION_BYTES {
        return (None, vec![too_large(Span::new(source, 0, 0))]);
    }
    let mut scanned = scan::scan_text(source, &header);
    let chunks = chunks::cut_chunks(source, &header, &scanned, &Starts { column, surely: chunks::surely_a_part });
    let Some((first, more)) = chunks.split_first() else {
        return (None, vec![header_missing(source, text)]);
    };
    let mut reader = Reader::new(source, &header, &mut scanned);
    let build = |builder: &mut Builder, pair: Pair| inner_parts(pair).build_one(builder, Rule::ability, Builder::build_ability);
    let mut ability = reader.read_chunk(Rule::ability_chunk, first, build);
    let build = |builder: &mut Builder, pair: Pair| inner_parts(pair).build_all(builder, Rule::part, Builder::build_part);
    for chunk in more {
        let parts = reader.read_chunk(Rule::part_chunk, chunk, build);
        if let Some(ability) = &mut ability {
            ability.has_unread_parts |= parts.is_none();
            ability.parts.extend(parts.unwrap_or_default());
        }
    }
    let in_header = |problem: Problem| match problem.code {
        codes::SYNTAX => Problem { code: codes::HEADER_SYNTAX, ..problem },
        _ => problem,
    };
    (ability, reader.into_problems().into_iter().map(in_header).collect())
}

/// Parses one expression.
pub fn parse_expression(source: SourceId, text: &str) -> Result<Expr, Problem> {
    if let Some(problem) = too_long(source, text) {
        return Err(problem);
    }
    let mut scanned = scan::scan_text(source, text);
    let chunks = chunks::cut_chunks(source, text, &scanned, &Starts { column: 0, surely: |_| false });
    let whole = Chunk::whole_text(&scanned, chunks);
    let mut reader = Reader::new(source, text, &mut scanned);
    let build = |builder: &mut Builder, pair: Pair| inner_parts(pair).build_one(builder, Rule::expr, Builder::build_expr);
    let read = reader.read_chunk(Rule::expression_chunk, &whole, build);
    let problem = reader.into_problems().into_iter().find(Problem::is_error);
    match (read, problem) {
        (Some(expr), None) => Ok(expr),
        (_, Some(problem)) => Err(problem),
        (None, None) => {
            let whole = Span::new(source, 0, text.len());
            Err(Problem::error(codes::SYNTAX, "this is not a value").with_label(whole, "nothing to read"))
        }
    }
}

/// The header of a script, in its place, with spaces instead of everything else. So every place in the header is also the
/// place in the script.
fn script_header(text: &str) -> String {
    let mut header = String::new();
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        let words = line.trim_start_matches('\u{FEFF}').trim_start();
        let indent = line.len() - words.len();
        if let Some(declared) = words.strip_prefix("//!") {
            header.push_str(&" ".repeat(indent + 3));
            header.push_str(declared);
            end = header.len();
        } else if words.is_empty() || words.starts_with("//") {
            header.extend(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        } else {
            break;
        }
    }
    header.truncate(end);
    header
}

/// The column of the first word of a text. Later lines of a header that begin further to the right continue a part.
fn first_column(text: &str) -> Option<usize> {
    let first = text.find(|c: char| !c.is_whitespace())?;
    Some(first - line_around(text, first).start)
}

/// The problem of a script without `//!` lines, or with empty ones.
fn header_missing(source: SourceId, text: &str) -> Problem {
    let first_line = text.lines().next().unwrap_or("").len();
    Problem::error(codes::HEADER_MISSING, "this script does not say which ability it is")
        .with_label(Span::new(source, 0, first_line), "its header is missing")
        .help("begin with a line like `//! ability big-hop \"Big Hop\"`")
}

/// The words that can begin a statement.
pub fn statement_words() -> &'static [&'static str] {
    &words::STATEMENTS
}

/// Whether a word is reserved by the language and cannot be a name.
pub fn is_reserved(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic()) && ludex_grammar::parse_rule(Rule::name, word).is_err()
}

/// Whether a word is like `d6`.
pub fn is_die(word: &str) -> bool {
    word.strip_prefix('d').is_some_and(|size| !size.is_empty() && size.bytes().all(|digit| digit.is_ascii_digit()))
}

/// The problem of a text that is longer than [`LONGEST`], if it is.
fn too_long(source: SourceId, text: &str) -> Option<Problem> {
    (text.len() > LONGEST).then(|| {
        let message = format!("a text of {} bytes is too long to be read", text.len());
        Problem::error(codes::FILE_TOO_LARGE, message).with_label(Span::new(source, 0, 0), "at most 1 MiB")
    })
}

/// The problem for a declaration or header that needs too much memory to be parsed in one piece.
fn too_large(span: Span) -> Problem {
    Problem::error(codes::TOO_MANY, "one declaration is longer than 64 KiB")
        .with_label(span, "begins here")
        .help("move parts of it into declarations of their own")
}

/// The problem of brackets or a tree that are nested too deeply.
fn too_deep(span: Span) -> Problem {
    Problem::error(codes::TOO_DEEP, "this is nested too deeply")
        .with_label(span, "too deep here")
        .help("give a part of it a name of its own with `define` or `to`")
}
