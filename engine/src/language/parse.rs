//! Text to syntax tree. Reading never fails: what cannot be read becomes problems, and the rest a tree.
//!
//! `scan` takes out what may stand anywhere (comments, rule ids), `chunks` cuts what is left where a
//! declaration begins, the grammar reads each chunk, and the builders turn what it found into the tree.

mod abilities;
mod chunks;
mod complaints;
mod expressions;
mod items;
mod scan;
mod statements;
#[cfg(test)]
mod tests;
mod tree;
mod words;

use std::num::NonZeroUsize;
use std::sync::Once;

use pest::Parser;

use self::chunks::{Chunk, Starts};
use self::scan::Scanned;
use self::tree::{Builder, Pair, parts};
use super::syntax::{Ability, Expr, Item};
use crate::problem::Problem;
use crate::source::{SourceId, Span};

/// Codes of what can be wrong with a text's form.
pub mod code {
    /// The text is not of the language's form.
    pub const SYNTAX: &str = "LX0101";
    /// Nested too deeply, too long or too complicated to be read.
    pub const DEEP: &str = "LX0102";
    /// Understood, but written in another way in this language.
    pub const WRONG_FORM: &str = "LX0103";
    /// A name that is not written in small letters.
    pub const NAME_STYLE: &str = "LX0104";
    /// A number too large to count with.
    pub const NUMBER: &str = "LX0105";
    /// A script without the lines that declare its ability.
    pub const NO_HEADER: &str = "LX0106";
}

/// The grammar; its rules are listed in `grammar.pest`.
#[derive(pest_derive::Parser)]
#[grammar = "language/grammar.pest"]
struct Grammar;

/// The largest text that is read, in bytes.
const LONGEST: usize = 1 << 20;

/// How many steps reading one chunk may take. Reading is linear in the length of a chunk; this only guards
/// against a mistake in the grammar.
const MOST_STEPS: Option<NonZeroUsize> = NonZeroUsize::new(20_000_000);

/// Reads a `.ludex` file.
pub fn parse_rules(source: SourceId, text: &str) -> (Vec<Item>, Vec<Problem>) {
    if let Some(problem) = too_long(source, text) {
        return (Vec::new(), vec![problem]);
    }
    let mut scanned = scan::scan(source, text);
    let starts = Starts { column: 0, surely: chunks::surely_declares };
    let chunks = chunks::cut(source, &scanned, &starts);
    let mut reader = Reader::new(source, text, &mut scanned);
    let mut items = Vec::new();
    for chunk in chunks {
        reader.read(Rule::chunk, &chunk, |builder, pair| {
            let read: Vec<Item> = parts(pair).all(builder, Rule::item, Builder::item)?;
            items.extend(read);
            Some(())
        });
    }
    (items, reader.finish())
}

/// Reads the header of a `.rhai` file.
pub fn parse_ability(source: SourceId, text: &str) -> (Option<Ability>, Vec<Problem>) {
    if let Some(problem) = too_long(source, text) {
        return (None, vec![problem]);
    }
    let header = header(text);
    let first_word = header.find(|c: char| !c.is_whitespace());
    let Some(first_word) = first_word else {
        let end = text.lines().next().unwrap_or("").len();
        let problem = Problem::error(code::NO_HEADER, "this script does not say which ability it is")
            .at(Span::new(source, 0, end), "its header is missing")
            .help("begin with a line like `//! ability planet-power \"Planet Power\"`");
        return (None, vec![problem]);
    };
    let column = first_word - header[..first_word].rfind('\n').map_or(0, |end| end + 1);
    let mut scanned = scan::scan(source, &header);
    let chunks = chunks::cut(source, &scanned, &Starts { column, surely: chunks::surely_a_part });
    let mut reader = Reader::new(source, &header, &mut scanned);
    let (mut ability, mut more) = (None, Vec::new());
    for (index, chunk) in chunks.iter().enumerate() {
        if index == 0 {
            ability = reader.read(Rule::ability_chunk, chunk, |builder, pair| parts(pair).one(builder, Rule::ability, Builder::ability));
        } else {
            let read = reader.read(Rule::part_chunk, chunk, |builder, pair| parts(pair).all(builder, Rule::part, Builder::part));
            more.extend(read.unwrap_or_default());
        }
    }
    if let Some(ability) = &mut ability {
        ability.parts.append(&mut more);
    }
    (ability, reader.finish())
}

/// Reads one expression.
pub fn parse_expression(source: SourceId, text: &str) -> Result<Expr, Problem> {
    if let Some(problem) = too_long(source, text) {
        return Err(problem);
    }
    let mut scanned = scan::scan(source, text);
    let chunks = chunks::cut(source, &scanned, &Starts { column: 0, surely: |_| false });
    let mut reader = Reader::new(source, text, &mut scanned);
    let whole = Chunk::whole(text, chunks);
    let read = reader.read(Rule::expression_chunk, &whole, |builder, pair| parts(pair).one(builder, Rule::expr, Builder::expr));
    let problem = reader.finish().into_iter().find(Problem::is_error);
    match (read, problem) {
        (Some(expr), None) => Ok(expr),
        (_, Some(problem)) => Err(problem),
        (None, None) => Err(Problem::error(code::SYNTAX, "this is not a value").at(Span::new(source, 0, text.len()), "not read")),
    }
}

/// Whether a word belongs to the language and cannot be a name.
fn is_reserved(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic()) && Grammar::parse(Rule::name, word).is_err()
}

/// The header of a script in its place, and blanks before and between its lines.
fn header(text: &str) -> String {
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

fn too_long(source: SourceId, text: &str) -> Option<Problem> {
    (text.len() > LONGEST).then(|| {
        Problem::error(code::DEEP, format!("a text of {} bytes is too long to be read", text.len()))
            .at(Span::new(source, 0, 0), "at most 1 MiB")
    })
}

fn too_deep(span: Span) -> Problem {
    Problem::error(code::DEEP, "this is nested too deeply")
        .at(span, "too deep here")
        .help("give a part of it a name of its own with `define` or `to`")
}

/// Reads chunk after chunk of one text and gathers the problems.
struct Reader<'a> {
    source: SourceId,
    scanned: &'a mut Scanned,
    /// Where the text ends.
    limit: usize,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    fn new(source: SourceId, text: &str, scanned: &'a mut Scanned) -> Reader<'a> {
        static LIMIT: Once = Once::new();
        LIMIT.call_once(|| pest::set_call_limit(MOST_STEPS));
        let problems = std::mem::take(&mut scanned.problems);
        Reader { source, scanned, limit: text.len(), problems }
    }

    /// Reads one chunk by a rule and builds its tree.
    fn read<T>(&mut self, rule: Rule, chunk: &Chunk, build: impl FnOnce(&mut Builder, Pair) -> Option<T>) -> Option<T> {
        self.problems.extend(chunk.problem.clone());
        if !chunk.readable {
            return None;
        }
        let mut code = self.scanned.code.get(chunk.start..chunk.end)?.trim_end().to_string();
        let end = code.len();
        code.push_str(&chunk.closing);
        let pair = match Grammar::parse(rule, &code) {
            Ok(mut pairs) => pairs.next()?,
            Err(error) => {
                let place = complaints::Place { source: self.source, offset: chunk.start, code: &code[..end] };
                self.problems.extend(complaints::complain(&error, &place, chunk.problem.is_some()));
                return None;
            }
        };
        let mut builder = Builder::new(self.source, self.scanned, chunk.start, self.limit);
        let built = build(&mut builder, pair);
        self.problems.append(&mut builder.problems);
        built
    }

    /// All problems in the order of their places.
    fn finish(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|problem| problem.labels.first().map(|(span, _)| span.start));
        self.problems
    }
}
