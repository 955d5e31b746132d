//! Formats rules and scripts: indentation, spaces between words, and the columns of comments.
//!
//! Line breaks are the writer's choice and stay. Each line is laid out on its own, by the syntax tree nodes it continues
//! (`Structure`): `tokens` splits each line into words, signs and comments, `indents` computes its indentation, `spaces` the
//! space between its words, and `margin` the column of trailing rule ids and comments. `script` does the same for a header,
//! and indents the functions below it.
//!
//! The verb `fmt` of the command uses this. A remark is a comment, and a cite a rule id such as `@DC-12`. The margin is
//! at the right, after the code of a line.

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
use margin::LaidOutLine;
use tokens::Token;

/// The type of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatKind {
    /// A file of rules, `.ludex`.
    Rules,
    /// An ability, `.rhai`: a header and functions.
    Script,
}

impl FormatKind {
    /// The type of a file by its extension, if it is one of the two.
    pub fn by_name(name: &str) -> Option<FormatKind> {
        match name.rsplit_once('.')?.1 {
            "ludex" => Some(FormatKind::Rules),
            "rhai" => Some(FormatKind::Script),
            _ => None,
        }
    }

    /// The type of a text without a name: scripts begin with `//` or with a function.
    pub fn by_text(text: &str) -> FormatKind {
        let start = text.trim_start();
        if start.starts_with("//") || start.starts_with("fn ") { FormatKind::Script } else { FormatKind::Rules }
    }
}

/// Formats a text. Its words, signs and comments stay the same, in the same order.
///
/// # Errors
///
/// Returns the syntax errors of the text, which is then not formatted: without a clear structure, parts would be moved to
/// unexpected places.
pub fn format_text(text: &str, source: SourceId, written: FormatKind) -> Result<String, Vec<Problem>> {
    let errors: Vec<Problem> = syntax_problems(text, source, written).into_iter().filter(Problem::is_error).collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let formatted = match written {
        FormatKind::Rules => format_rules(text),
        FormatKind::Script => script::format_script(text, source),
    };
    match has_same_words(text, &formatted, written) {
        true => Ok(formatted),
        false => Err(vec![changed_meaning_problem(source)]),
    }
}

/// The syntax problems of a text, apart from its meaning.
fn syntax_problems(text: &str, source: SourceId, written: FormatKind) -> Vec<Problem> {
    match written {
        FormatKind::Rules => parse_rules(source, text).problems,
        FormatKind::Script => {
            let mut found = parse_ability(source, &without_notes(text)).1;
            found.extend(crate::scripting::script_problems(source, text));
            found
        }
    }
}

/// Formats a file of rules.
fn format_rules(text: &str) -> String {
    let lines = lay_out_lines(&structure::structure_of_rules(text));
    join_lines(lines.into_iter().map(|line| line.line_text()))
}

/// Lays out the lines of a text.
fn lay_out_lines(structure: &Structure) -> Vec<LaidOutLine> {
    let lines: Vec<Vec<Token>> = tokens::token_lines(structure);
    let mut indents = indents::Indents::new(structure);
    let mut laid_out: Vec<LaidOutLine> = lines.iter().map(|line| indents.lay_out_line(line)).collect();
    indents::place_remarks(&mut laid_out);
    laid_out
}

/// Joins lines to a text, without empty lines at the start and end, and without two in a row. In a header, `//!` is empty.
fn join_lines(lines: impl Iterator<Item = String>) -> String {
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
fn has_same_words(before: &str, after: &str, written: FormatKind) -> bool {
    let source = SourceId(0);
    let is_same = match written {
        FormatKind::Rules => {
            let (before, after) = (structure::structure_of_rules(before), structure::structure_of_rules(after));
            tokens::token_words(&before).eq(tokens::token_words(&after))
        }
        FormatKind::Script => script::script_contents(before) == script::script_contents(after),
    };
    is_same && !syntax_problems(after, source, written).iter().any(Problem::is_error)
}

/// The error for a mistake of Ludex: the formatted text would differ.
fn changed_meaning_problem(source: SourceId) -> Problem {
    Problem::error(codes::INTERNAL, "Ludex itself has failed: formatting would change the meaning of this file")
        .with_label(Span::new(source, 0, 0), "left as it is")
        .help("please report it, with the file")
}
