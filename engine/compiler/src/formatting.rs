//! The layout of rules and scripts: how far lines are indented, what is between words, where remarks begin.
//!
//! Where lines end is the writer's choice and stays. Each line is laid out for itself, by the parts of the syntax tree that it
//! goes on with (`Structure`): `tokens` reads the words, signs and remarks of each line, `indents` says how far to the right
//! it begins, `spaces` what is between its words, and `margin` in which column rule ids and remarks behind it begin. `script`
//! does the same to a header, and indents the functions below it.

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

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// A file of rules, `.ludex`.
    Rules,
    /// An ability, `.rhai`: a header and functions.
    Script,
}

impl Written {
    /// What a file is by the end of its name, if it is one of the two.
    pub fn by_name(name: &str) -> Option<Written> {
        match name.rsplit_once('.')?.1 {
            "ludex" => Some(Written::Rules),
            "rhai" => Some(Written::Script),
            _ => None,
        }
    }

    /// What a text without a name is: scripts begin with `//` or with a function.
    pub fn by_text(text: &str) -> Written {
        let start = text.trim_start();
        if start.starts_with("//") || start.starts_with("fn ") { Written::Script } else { Written::Rules }
    }
}

/// A text, laid out. Its words, signs and remarks stay as they are, and in their order.
///
/// # Errors
///
/// What is wrong with how the text is written. It is not laid out then: what does not say clearly where its parts begin would
/// be moved to where nobody looks for it.
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

/// What is wrong with how a text is written, apart from what it means.
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

/// A file of rules.
fn rules(text: &str) -> String {
    let lines = laid_out(&structure::of_rules(text));
    joined(lines.into_iter().map(|line| line.text()))
}

/// The lines of a text, each in its place.
fn laid_out(structure: &Structure) -> Vec<Line> {
    let lines: Vec<Vec<Token>> = tokens::lines(structure);
    let mut indents = indents::Indents::new(structure);
    let mut laid_out: Vec<Line> = lines.iter().map(|line| indents.line(line)).collect();
    indents::place_remarks(&mut laid_out);
    laid_out
}

/// Lines as a text: none at its beginning or end are empty, and no two that follow each other. In a header, `//!` is empty.
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

/// Whether two texts have the same words, signs and remarks, and the second is without errors, too.
fn says_the_same(before: &str, after: &str, written: Written) -> bool {
    let source = SourceId(0);
    let words = |text: &str| match written {
        Written::Rules => tokens::words(&structure::of_rules(text)),
        Written::Script => script::words(text),
    };
    words(before) == words(after) && !problems(after, source, written).iter().any(Problem::is_error)
}

fn unlike(source: SourceId) -> Problem {
    Problem::error(codes::INTERNAL, "Ludex itself has failed: this file would say something else in another layout")
        .at(Span::new(source, 0, 0), "left as it is")
        .help("please report it, with the file")
}
