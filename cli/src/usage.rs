//! Problems with a command line, in the words of clap.

use clap::error::{ContextKind, ContextValue};
use ludex_engine::codes;
use ludex_engine::problem::{Problem, on_one_line};

/// Converts an error of clap into a problem: the message is its first paragraph, and the help its advice.
pub fn command_line_problem(error: &clap::Error) -> Problem {
    let text = error.to_string().replace("invalid digit found in string", "write it in digits only");
    let mut paragraphs = text.split("\n\n").map(one_line).filter(|paragraph| !paragraph.is_empty());
    let first = paragraphs.next().unwrap_or_default();
    let message = first.strip_prefix("error: ").unwrap_or(&first);
    let advice: Vec<String> = paragraphs.filter(|paragraph| !paragraph.starts_with("For more information")).collect();
    let problem = Problem::error(command_line_code(error), message);
    if advice.is_empty() { problem } else { problem.help(advice.join("\n")) }
}

/// The code of the problem. Seats and options have codes of their own.
fn command_line_code(error: &clap::Error) -> &'static str {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(name)) if name.starts_with("--seat") || name.starts_with("--referee") => codes::SEATS,
        Some(ContextValue::String(name)) if name.starts_with("--option") => codes::OPTION_VALUE,
        _ => codes::COMMAND_LINE,
    }
}

/// A paragraph of clap on one line, without the prefix of a tip.
fn one_line(paragraph: &str) -> String {
    let words = on_one_line(paragraph);
    words.strip_prefix("tip: ").map_or(words.clone(), str::to_string)
}
