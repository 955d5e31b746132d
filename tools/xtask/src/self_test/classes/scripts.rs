//! The functions of abilities: words, names, calls and brackets of scripts. Each public function is a class.

use crate::self_test::corpus::{Corpus, Text};
use crate::self_test::mistake::Mistake;
use crate::self_test::tokens::{Sort as TokenSort, Token};
use ludex_engine::scripting::api;

const KEYWORDS: &[&str] = &["let", "const", "while", "loop", "else", "return", "break", "continue", "true", "false", "switch"];

/// The tokens of functions, without those of headers.
fn tokens(corpus: &Corpus) -> impl Iterator<Item = (&Text, usize, &Token)> {
    corpus.scripts().flat_map(|text| {
        let body = text.tokens.iter().filter(|(_, token)| !token.header);
        body.map(move |(index, token)| (text, index, token))
    })
}

/// The words of functions.
fn words(corpus: &Corpus) -> impl Iterator<Item = (&Text, usize, &Token)> {
    tokens(corpus).filter(|(_, _, token)| token.sort == TokenSort::Word)
}

/// Whether a word is a function that Ludex offers to scripts.
fn is_function(word: &str) -> bool {
    api::ROWS.iter().any(|row| row.name == word)
}

/// A slip in a word.
fn slip(text: &Text, index: usize) -> Mistake {
    Mistake::slip(text.source, text.tokens.range(index, index), text.tokens.word(index))
}

/// Misspells keywords of scripts.
pub fn keywords(corpus: &Corpus) -> Vec<Mistake> {
    let keyword = |(text, index, _): &(&Text, usize, &Token)| KEYWORDS.contains(&text.tokens.word(*index));
    words(corpus).filter(keyword).map(|(text, index, _)| slip(text, index)).collect()
}

/// Misspells calls of functions that Ludex offers.
pub fn functions(corpus: &Corpus) -> Vec<Mistake> {
    let called = |(text, index, _): &(&Text, usize, &Token)| {
        is_function(text.tokens.word(*index)) && text.tokens.word(index + 1) == "(" && text.tokens.before(*index) != "fn"
    };
    words(corpus).filter(called).map(|(text, index, _)| slip(text, index)).collect()
}

/// Misspells a use of a parameter or `let` variable of the same file.
pub fn variables(corpus: &Corpus) -> Vec<Mistake> {
    let used = |(text, index, _): &(&Text, usize, &Token)| {
        let word = text.tokens.word(*index);
        let declares = |at: usize| matches!(text.tokens.before(at), "let" | "const" | "for") || is_parameter(text, at);
        let declared = || text.tokens.iter().any(|(at, _)| text.tokens.word(at) == word && declares(at));
        text.tokens.before(*index) != "." && text.tokens.word(index + 1) != "(" && !declares(*index) && declared()
    };
    words(corpus).filter(used).map(|(text, index, _)| slip(text, index)).collect()
}

/// Whether a word is between the brackets after `fn NAME`.
fn is_parameter(text: &Text, index: usize) -> bool {
    let first = (0..index).rev().find(|at| text.tokens.word(*at) == "(");
    let opens = first.filter(|first| *first >= 2 && text.tokens.word(first - 2) == "fn");
    opens.is_some_and(|first| text.tokens.get(first).and_then(|open| open.mate).is_some_and(|close| close > index))
}

/// Misspells names of the rules after a dot.
pub fn members(corpus: &Corpus) -> Vec<Mistake> {
    let member = |(text, index, _): &(&Text, usize, &Token)| {
        text.tokens.before(*index) == "." && corpus.vocabulary(text).members.contains_key(text.tokens.word(*index))
    };
    words(corpus).filter(member).map(|(text, index, _)| slip(text, index)).collect()
}

/// Misspells the quoted name of a mark, a scope, a word or another declaration.
pub fn quoted(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for (text, _, token) in tokens(corpus).filter(|(_, _, token)| token.sort == TokenSort::Text) {
        let name = text.text.get(token.at.start + 1..token.at.end - 1).unwrap_or("");
        let vocabulary = corpus.vocabulary(text);
        if vocabulary.names().any(|known| known == name) && !is_event(text, token) {
            changes.push(Mistake::slip(text.source, token.at.start + 1..token.at.end - 1, name));
        }
    }
    changes
}

/// Whether a quoted name is that of an event, which authors of scripts may choose freely.
fn is_event(text: &Text, token: &Token) -> bool {
    let call = text.tokens.iter().take_while(|(_, other)| other.at.start < token.at.start).filter(|(index, other)| {
        text.tokens.word(*index) == "(" && other.mate.is_some_and(|close| text.tokens.range(close, close).start > token.at.start)
    });
    let Some((open, _)) = call.last() else { return false };
    let name = text.tokens.before(open);
    let place = text.tokens.parts(open).iter().position(|part| part.contains(&token.at.start));
    let kind = |row: &api::Row| place.and_then(|place| row.params.get(place)).map(|(_, kind)| *kind);
    api::ROWS
        .iter()
        .filter(|row| row.name == name)
        .filter_map(kind)
        .any(|kind| matches!(kind, api::Kind::Event | api::Kind::Text))
}

/// Writes a text in place of a number in a sum or comparison.
pub fn text_for_number(corpus: &Corpus) -> Vec<Mistake> {
    let number = |(text, index, token): &(&Text, usize, &Token)| {
        let (before, after) = (text.tokens.before(*index), text.tokens.word(index + 1));
        let reckoned = |word: &str| matches!(word, "+" | "-" | "*" | "<" | ">" | "<=" | ">=");
        token.sort == TokenSort::Number && (reckoned(before) || reckoned(after))
    };
    tokens(corpus).filter(number).map(|(text, _, token)| Mistake::new(text.source, token.at.clone(), "\"two\"")).collect()
}

/// Leaves out the last argument of a function that has no form with fewer.
pub fn argument_left_out(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for (text, index, _) in words(corpus).filter(|(text, index, _)| text.tokens.word(index + 1) == "(") {
        let name = text.tokens.word(index);
        let forms: Vec<usize> = api::ROWS.iter().filter(|row| row.name == name).map(|row| row.params.len()).collect();
        let parts = text.tokens.parts(index + 1);
        let (Some(last), true) = (parts.last(), forms.contains(&parts.len()) && !forms.contains(&(parts.len().max(1) - 1)))
        else {
            continue;
        };
        let start = parts.len().checked_sub(2).and_then(|before| parts.get(before)).map_or(last.start, |before| before.end);
        changes.push(Mistake::new(text.source, start..last.end, ""));
    }
    changes
}

/// Removes a brace. The report may be at the one that opens the block.
pub fn brace(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for (text, index, token) in tokens(corpus).filter(|(text, index, _)| matches!(text.tokens.word(*index), "{" | "}")) {
        let change = Mistake::new(text.source, token.at.clone(), "");
        let opened = token.mate.filter(|mate| *mate < index).and_then(|mate| text.tokens.get(mate));
        changes.push(opened.map_or(change.clone(), |opened| change.or_at(opened.at.start)));
    }
    changes
}

/// Removes a semicolon, except at the end of a block.
pub fn semicolon(corpus: &Corpus) -> Vec<Mistake> {
    let between =
        |(text, index, _): &(&Text, usize, &Token)| text.tokens.word(*index) == ";" && text.tokens.word(index + 1) != "}";
    tokens(corpus).filter(between).map(|(text, _, token)| Mistake::new(text.source, token.at.clone(), "")).collect()
}

/// Removes guards such as `if … { return; }`.
pub fn guard_removed(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for (text, index, token) in words(corpus).filter(|(text, index, _)| text.tokens.word(*index) == "if") {
        let tokens = &text.tokens;
        let open = tokens.iter().skip(index).find(|(at, other)| tokens.word(*at) == "{" && other.depth == token.depth);
        let Some((open, close)) = open.and_then(|(open, bracket)| Some((open, bracket.mate?))) else { continue };
        let returns = matches!(tokens.word(open + 1), "return" | "continue" | "break");
        if returns && tokens.word(close + 1) != "else" && matches!(tokens.before(index), ";" | "{" | "}") {
            changes.push(Mistake::new(text.source, tokens.range(index, close), "").anywhere());
        }
    }
    changes
}
