//! The syntax of rules: brackets, quotes, signs and citations; and removed guards and statements. Each public function is a
//! class: it returns a mistake for each place in the library.

use crate::self_test::corpus::{Corpus, Text};
use crate::self_test::mistake::Mistake;
use crate::self_test::tokens::{Sort as TokenSort, Token};
use std::ops::Range;

/// A rule number beyond every table of rules.
const NO_RULE: &str = "9987";

/// Replaces the number of a cited rule by one that no rule has.
pub fn unknown_citation(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules().chain(corpus.scripts()) {
        for (index, token) in text.tokens.iter().filter(|(_, token)| token.sort == TokenSort::Cite) {
            let letters = text.tokens.word(index).split('-').next().unwrap_or("");
            changes.push(Mistake::new(text.source, token.at.clone(), format!("{letters}-{NO_RULE}")));
        }
    }
    changes
}

// --- brackets, quotes, signs --------------------------------------------------------

/// Removes a `}`. The report may be at its `{`.
pub fn closing_brace(corpus: &Corpus) -> Vec<Mistake> {
    let taken_out = |text: &Text, _: usize, token: &Token| {
        let opened = text.tokens.get(token.mate?)?;
        Some(Mistake::new(text.source, token.at.clone(), "").or_at(opened.at.start))
    };
    signs(corpus, &["}"], taken_out)
}

/// Removes a `{`.
pub fn opening_brace(corpus: &Corpus) -> Vec<Mistake> {
    signs(corpus, &["{"], |text, _, token| Some(Mistake::new(text.source, token.at.clone(), "")))
}

/// Removes one of a pair of parentheses or square brackets.
pub fn bracket(corpus: &Corpus) -> Vec<Mistake> {
    signs(corpus, &["(", ")", "[", "]"], |text, _, token| Some(Mistake::new(text.source, token.at.clone(), "")))
}

/// Writes `and`, `or`, `not` and `=` with signs of other languages.
pub fn foreign_sign(corpus: &Corpus) -> Vec<Mistake> {
    let written = |text: &Text, index: usize, token: &Token| {
        let with = match text.tokens.word(index) {
            "and" => "&&",
            "or" => "||",
            "not" => "!",
            "=" if is_comparison(text, index) => "==",
            _ => return None,
        };
        Some(Mistake::new(text.source, token.at.clone(), with))
    };
    signs(corpus, &["and", "or", "not", "="], written)
}

/// Whether a `=` compares two values, rather than following a declared name.
fn is_comparison(text: &Text, index: usize) -> bool {
    let line = text.tokens.line(text.tokens.range(index, index).start);
    let mut before = (0..index).rev().take_while(|at| text.tokens.range(*at, *at).start >= line.start);
    before.any(|at| matches!(text.tokens.word(at), "if" | "when" | "where" | "and" | "or" | "until"))
}

/// The changes of these signs and words of rules. Excludes `or none`, `or more`, `is not` and `not in`, which have no sign.
fn signs(corpus: &Corpus, wanted: &[&str], change: impl Fn(&Text, usize, &Token) -> Option<Mistake>) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules() {
        for (index, token) in text.tokens.iter().filter(|(index, _)| wanted.contains(&text.tokens.word(*index))) {
            let part_of_more = matches!(text.tokens.word(index + 1), "none" | "more" | "in") || text.tokens.before(index) == "is";
            if token.sort == TokenSort::Sign || !part_of_more && !text.declared.contains(&index) {
                changes.extend(change(text, index, token));
            }
        }
    }
    changes
}

/// Removes the quote at the end of a text.
pub fn quote(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules().chain(corpus.scripts()) {
        let texts = text.tokens.iter().filter(|(_, token)| token.sort == TokenSort::Text);
        for (index, token) in texts.filter(|(index, _)| text.tokens.word(*index).ends_with('"')) {
            let last_of_line = text.text.get(token.at.end..).is_some_and(|rest| rest.starts_with('\n'));
            if text.tokens.word(index).len() > 2 && !last_of_line {
                changes.push(Mistake::new(text.source, token.at.end - 1..token.at.end, ""));
            }
        }
    }
    changes
}

// --- what is taken out --------------------------------------------------------------

/// Removes guards such as `if x is none { stop }` or `x is not none and`.
pub fn guard_removed(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules() {
        let tokens = &text.tokens;
        for (index, token) in text.words() {
            match tokens.word(index) {
                "if" if statement_start(text, index) => {
                    let open =
                        tokens.iter().skip(index).find(|(at, other)| tokens.word(*at) == "{" && other.depth == token.depth);
                    let Some((open, close)) = open.and_then(|(open, bracket)| Some((open, bracket.mate?))) else { continue };
                    let condition = text.text.get(tokens.range(index, open)).unwrap_or("");
                    let ends = text.text.get(tokens.range(open, close)).is_some_and(|body| body.contains("stop"));
                    if (condition.contains("is none") || condition.contains("is empty"))
                        && ends
                        && tokens.word(close + 1) != "else"
                    {
                        changes.push(Mistake::new(text.source, tokens.range(index, close), "").anywhere());
                    }
                }
                "none" if tokens.before(index) == "not" && tokens.word(index + 1) == "and" => {
                    let first = first_of_path(text, index.saturating_sub(3));
                    changes.push(Mistake::new(text.source, tokens.range(first, index + 1), "").anywhere());
                }
                _ => {}
            }
        }
    }
    changes
}

/// The first word of `a.b.c`, given the last.
fn first_of_path(text: &Text, mut last: usize) -> usize {
    while last >= 2 && text.tokens.word(last - 1) == "." && text.tokens.is_word(last - 2) {
        last -= 2;
    }
    last
}

/// Whether a statement may start here: at the start of its line, or after a brace.
fn statement_start(text: &Text, index: usize) -> bool {
    text.tokens.starts_with_its_line(index) && text.tokens.before(index) != "=" && text.tokens.before(index) != "else"
        || matches!(text.tokens.before(index), "{" | "}")
}

/// Removes `otherwise { … }` after a loop or a table.
pub fn otherwise_removed(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules() {
        for (index, _) in text.words().filter(|(index, _)| text.tokens.word(*index) == "otherwise") {
            let at = match text.tokens.get(index + 1) {
                Some(bracket) if text.tokens.word(index + 1) == "{" => bracket.mate.map(|close| text.tokens.range(index, close)),
                _ => rest_of_line(text, index),
            };
            changes.extend(at.map(|at| Mistake::new(text.source, at, "").anywhere()));
        }
    }
    changes
}

/// The range from a token to the last one of its line, if no bracket extends beyond.
fn rest_of_line(text: &Text, index: usize) -> Option<Range<usize>> {
    let start = text.tokens.get(index)?;
    let line = text.tokens.line(start.at.start);
    let last = text.tokens.iter().skip(index).take_while(|(_, token)| token.at.start < line.end && token.depth >= start.depth);
    last.last().map(|(last, _)| text.tokens.range(index, last))
}

/// Keywords of statements without braces.
const PLAIN: &[&str] = &["set", "add", "take", "move", "roll", "shuffle", "do", "mark", "unmark", "stop", "remove", "let"];

/// Removes a statement on a line of its own.
pub fn statement_removed(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules() {
        for (index, token) in text.words() {
            let begins = PLAIN.contains(&text.tokens.word(index)) && text.tokens.starts_with_its_line(index) && token.depth > 0;
            let alone = |at: &Range<usize>| is_one_statement(text, at);
            let at = begins.then(|| rest_of_line(text, index)).flatten().filter(alone);
            changes.extend(at.map(|at| Mistake::new(text.source, at, "").anywhere()));
        }
    }
    changes
}

/// Whether the next line starts another statement, or ends the block.
fn is_one_statement(text: &Text, at: &Range<usize>) -> bool {
    let rest = text.text.get(at.end..).unwrap_or("").trim_start();
    let next = rest.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#') && !line.starts_with('@'));
    let word = next.and_then(|line| line.split_whitespace().next()).unwrap_or("");
    word.starts_with('}') || PLAIN.contains(&word) || matches!(word, "if" | "each" | "repeat" | "say" | "open")
}
