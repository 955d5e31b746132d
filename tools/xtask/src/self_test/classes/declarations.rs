//! Duplicate, unused and missing declarations; clauses and bounds. Each public function is a class.

use crate::self_test::corpus::{Corpus, Text};
use crate::self_test::mistake::Mistake;
use crate::self_test::tokens::{Sort as TokenSort, Token};
use std::ops::Range;

/// Keywords of declarations that may take a single line.
const DECLARING: &[&str] = &["option", "type", "define", "hook", "zone", "counter", "mark"];

/// Declarations on a single line, followed by a line that starts something else. Each is given with its text, its first token
/// and the range of its line.
fn one_line(corpus: &Corpus) -> Vec<(&Text, usize, Range<usize>)> {
    let mut found = Vec::new();
    for text in corpus.rules() {
        for (index, token) in text.tokens.iter() {
            // `mark` also starts a statement.
            let declares = DECLARING.contains(&text.tokens.word(index)) && text.declared.contains(&(index + 1));
            let begins = declares && text.tokens.starts_with_its_line(index);
            let line = text.tokens.line(token.at.start);
            let words = text.text.get(line.clone()).unwrap_or("");
            let closed = words.matches('{').count() == words.matches('}').count();
            let rest = text.text.get(line.end..).unwrap_or("");
            let next = rest.lines().next().unwrap_or("");
            let indented = |line: &str| line.len() - line.trim_start().len();
            if begins && closed && (next.trim().is_empty() || indented(next) <= indented(words)) {
                found.push((text, index, line));
            }
        }
    }
    found
}

/// Repeats the line of a declaration.
pub fn twice(corpus: &Corpus) -> Vec<Mistake> {
    let change = |(text, _, line): (&Text, usize, Range<usize>)| {
        let words = text.text.get(line.clone()).unwrap_or("").to_string();
        Mistake::new(text.source, line.end..line.end, words).or_at(line.start)
    };
    one_line(corpus).into_iter().map(change).collect()
}

/// Removes a declaration whose name is used elsewhere in the same file.
pub fn left_out(corpus: &Corpus) -> Vec<Mistake> {
    let used = |(text, index, line): &(&Text, usize, Range<usize>)| {
        let name = text.tokens.word(index + 1);
        let elsewhere = |(at, token): (usize, &_)| text.tokens.word(at) == name && !line.contains(&start(token));
        text.tokens.iter().any(elsewhere)
    };
    let change = |(text, _, line): (&Text, usize, Range<usize>)| Mistake::new(text.source, line, "").anywhere();
    one_line(corpus).into_iter().filter(used).map(change).collect()
}

/// The first byte of a token.
fn start(token: &Token) -> usize {
    token.at.start
}

/// Adds a `define` or a `let` that nothing reads.
pub fn unused(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules() {
        for (index, token) in text.tokens.iter() {
            let line = text.tokens.line(token.at.start);
            if token.depth == 0 && text.tokens.word(index) == "define" && text.tokens.starts_with_its_line(index) {
                changes.push(Mistake::new(text.source, line.start..line.start, "define nobody_reads_this: number = 1\n"));
            }
            if token.depth > 0 && text.tokens.word(index) == "let" && text.tokens.starts_with_its_line(index) {
                changes.push(Mistake::new(text.source, line.start..line.start, "  let nobody_reads_this = 1\n"));
            }
        }
    }
    changes
}

/// Repeats `when …` or `uses …` in the header of an ability.
pub fn clause_twice(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.scripts() {
        for (index, token) in text.tokens.iter().filter(|(_, token)| token.header) {
            let line = text.tokens.line(token.at.start);
            let begins = matches!(text.tokens.word(index), "when" | "uses" | "says") && text.tokens.starts_with_its_line(index);
            let next = text.tokens.iter().skip(index + 1).find(|(_, other)| other.at.start >= line.end);
            let whole = next.is_none_or(|(next, token)| !token.header || is_clause(text.tokens.word(next)));
            if begins && whole {
                let words = text.text.get(line.clone()).unwrap_or("").to_string();
                changes.push(Mistake::new(text.source, line.end..line.end, words).or_at(line.start));
            }
        }
    }
    changes
}

/// Whether a word begins a clause or a part of an ability.
fn is_clause(word: &str) -> bool {
    matches!(
        word,
        "when" | "uses" | "says" | "do" | "gives" | "offer" | "trigger" | "instead" | "modify" | "forbid" | "demand" | "grant"
    )
}

/// Bounds such as `in 1..9`. Each is given with its text and the index of its `..`.
fn bounds(corpus: &Corpus) -> Vec<(&Text, usize)> {
    let mut found = Vec::new();
    for text in corpus.rules() {
        for (index, _) in text.tokens.iter().filter(|(index, _)| text.tokens.word(*index) == "..") {
            let number = |at: usize| text.tokens.get(at).is_some_and(|token| token.sort == TokenSort::Number);
            if index > 1 && number(index - 1) && number(index + 1) && text.tokens.word(index - 2) == "in" {
                found.push((text, index));
            }
        }
    }
    found
}

/// Swaps the bounds.
pub fn bounds_reversed(corpus: &Corpus) -> Vec<Mistake> {
    let differ = |(text, index): &(&Text, usize)| text.tokens.word(index - 1) != text.tokens.word(index + 1);
    let change = |(text, index): (&Text, usize)| {
        let with = format!("{}..{}", text.tokens.word(index + 1), text.tokens.word(index - 1));
        Mistake::new(text.source, text.tokens.range(index - 1, index + 1), with)
    };
    bounds(corpus).into_iter().filter(differ).map(change).collect()
}

/// Writes a list in place of the lower bound.
pub fn bound_type(corpus: &Corpus) -> Vec<Mistake> {
    let change = |(text, index): (&Text, usize)| {
        let low = text.tokens.range(index - 1, index - 1);
        let with = format!("[{}]", text.text.get(low.clone()).unwrap_or(""));
        Mistake::new(text.source, low, with)
    };
    bounds(corpus).into_iter().map(change).collect()
}

/// Replaces the number of limits such as `uses 1 per turn` by a text, a list or 0.
pub fn uses(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.scripts().chain(corpus.rules()) {
        for (index, _) in text.tokens.iter().filter(|(index, _)| text.tokens.word(*index) == "uses") {
            let number = text.tokens.get(index + 1).filter(|token| token.sort == TokenSort::Number);
            if let Some(number) = number.filter(|_| text.tokens.word(index + 2) == "per") {
                changes.push(Mistake::new(text.source, number.at.clone(), "\"one\""));
                changes.push(Mistake::new(text.source, number.at.clone(), "sides"));
                changes.push(Mistake::new(text.source, number.at.clone(), "0"));
            }
        }
    }
    changes
}

/// Changes a statement to `set x to x`.
pub fn set_to_itself(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules() {
        let tokens = &text.tokens;
        for (index, token) in text.words().filter(|(index, _)| tokens.word(*index) == "set") {
            let line = tokens.line(token.at.start);
            let to = tokens.iter().skip(index).take(8).find(|(at, _)| tokens.word(*at) == "to").map(|(at, _)| at);
            let Some(to) = to.filter(|to| *to > index + 1) else { continue };
            let ends = |at: usize| matches!(tokens.word(at), "as" | "}") || tokens.range(at, at).start >= line.end;
            let cites = |at: usize| tokens.get(at).is_some_and(|token| token.sort == TokenSort::Cite);
            let Some((end, _)) = tokens.iter().skip(to + 1).find(|(at, _)| ends(*at) || cites(*at)) else { continue };
            let place = text.text.get(tokens.range(index + 1, to - 1)).unwrap_or("").to_string();
            if end > to + 1 && is_one(text, tokens.range(to + 1, end - 1)) {
                changes.push(Mistake::new(text.source, tokens.range(to + 1, end - 1), place));
            }
        }
    }
    changes
}

/// Whether a text can be the complete value of a `set`: no second statement follows on the line.
fn is_one(text: &Text, at: Range<usize>) -> bool {
    let words = text.text.get(at).unwrap_or("");
    let more = [" set ", " add ", " do ", " move ", " if ", " stop", " say "];
    !more.iter().any(|word| words.contains(word)) && words.matches('(').count() == words.matches(')').count()
}

/// Replaces the divisor by 0.
pub fn by_zero(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules() {
        for (index, token) in text.tokens.iter().filter(|(_, token)| token.sort == TokenSort::Number) {
            if text.tokens.before(index) == "by" && index > 1 && text.tokens.word(index - 2) == "divided" {
                changes.push(Mistake::new(text.source, token.at.clone(), "0"));
            }
        }
    }
    changes
}

/// Inserts a `stop` before a statement, which is then never reached.
pub fn behind_a_stop(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules() {
        for (index, token) in text.words() {
            let plain = matches!(text.tokens.word(index), "set" | "add" | "move" | "do" | "say" | "roll");
            if plain && token.depth > 0 && text.tokens.starts_with_its_line(index) && text.tokens.before(index) != "=" {
                let line = text.tokens.line(token.at.start);
                // The statement after it becomes unreachable.
                changes.push(Mistake::new(text.source, token.at.start..token.at.start, "stop  ").or_at(line.start));
            }
        }
    }
    changes
}
