//! Formats rules and scripts: indentation, spaces between words, and the columns of comments.
//!
//! Line breaks are the writer's choice and stay. Each line is laid out on its own, by the syntax tree nodes it continues
//! (`Structure`): `tokens` splits each line into words, signs and comments, `indents` computes its indentation, `spaces` the
//! space between its words, and `margin` the column of trailing rule ids and comments. `script` does the same for a header,
//! and indents the functions below it.

mod indents;
mod margin;
mod script;
mod spaces;
#[cfg(test)]
mod tests;
mod tokens;

use crate::library::without_notes;
use ludex_syntax::codes;
use ludex_syntax::parse::structure::{self, Structure};
use ludex_syntax::parse::{parse_ability, parse_rules};
use ludex_syntax::problem::Problem;
use ludex_syntax::source::{SourceId, Span};
use margin::Line;
use tokens::Token;

/// The type of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// A file of rules, `.ludex`.
    Rules,
    /// An ability, `.rhai`: a header and functions.
    Script,
}

impl Written {
    /// The type of a file by its extension, if it is one of the two.
    pub fn by_name(name: &str) -> Option<Written> {
        match name.rsplit_once('.')?.1 {
            "ludex" => Some(Written::Rules),
            "rhai" => Some(Written::Script),
            _ => None,
        }
    }

    /// The type of a text without a name: scripts begin with `//` or with a function.
    pub fn by_text(text: &str) -> Written {
        let start = text.trim_start();
        if start.starts_with("//") || start.starts_with("fn ") { Written::Script } else { Written::Rules }
    }
}

/// Formats a text. Its words, signs and comments stay the same, in the same order.
///
/// # Errors
///
/// Returns the syntax errors of the text, which is then not formatted: without a clear structure, parts would be moved to
/// unexpected places.
pub fn format(text: &str, source: SourceId, written: Written) -> Result<String, Vec<Problem>> {
    let errors: Vec<Problem> = problems(text, source, written).into_iter().filter(Problem::is_error).collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let formatted = match written {
        Written::Rules => rules(text),
        Written::Script => script::format(text, source),
    };
    match says_the_same(text, &formatted, written) {
        true => Ok(formatted),
        false => Err(vec![unlike(source)]),
    }
}

/// The syntax problems of a text, apart from its meaning.
fn problems(text: &str, source: SourceId, written: Written) -> Vec<Problem> {
    match written {
        Written::Rules => parse_rules(source, text).problems,
        Written::Script => {
            let mut found = parse_ability(source, &without_notes(text)).1;
            found.extend(crate::scripting::unreadable(source, text));
            found
        }
    }
}

/// Formats a file of rules.
fn rules(text: &str) -> String {
    let lines = laid_out(&structure::of_rules(text));
    joined(lines.into_iter().map(|line| line.text()))
}

/// Lays out the lines of a text.
fn laid_out(structure: &Structure) -> Vec<Line> {
    let lines: Vec<Vec<Token>> = tokens::lines(structure);
    let mut indents = indents::Indents::new(structure);
    let mut laid_out: Vec<Line> = lines.iter().map(|line| indents.line(line)).collect();
    indents::place_remarks(&mut laid_out);
    laid_out
}

/// Joins lines to a text, without empty lines at the start and end, and without two in a row. In a header, `//!` is empty.
fn joined(lines: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    let mut empty: Option<String> = None;
    for line in lines {
        if line.is_empty() || line == script::HEADER {
            empty = empty.max(Some(line)).filter(|_| !text.is_empty());
            continue;
        }
        for line in empty.take().iter().chain([&line]) {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

/// Whether two texts have the same words, signs and comments, and the second one also has no errors.
fn says_the_same(before: &str, after: &str, written: Written) -> bool {
    let source = SourceId(0);
    let words = |text: &str| match written {
        Written::Rules => tokens::words(&structure::of_rules(text)),
        Written::Script => script::words(text),
    };
    words(before) == words(after) && !problems(after, source, written).iter().any(Problem::is_error)
}

fn unlike(source: SourceId) -> Problem {
    Problem::error(codes::INTERNAL, "Ludex itself has failed: formatting would change the meaning of this file")
        .at(Span::new(source, 0, 0), "left as it is")
        .help("please report it, with the file")
}
