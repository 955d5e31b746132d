//! Values of the wrong type in rules. Each public function is a class.

use crate::self_test::corpus::{Corpus, Text};
use crate::self_test::mistake::Mistake;
use crate::self_test::tokens::Sort as TokenSort;
use crate::self_test::vocabulary::Sort;
use std::ops::Range;

/// Signs and words next to which a number can only be a number.
const BESIDE: &[&str] = &["=", "<", ">", "<=", ">=", "+", "-", "*", "then", "but", "least", "most", "by"];

/// Writes a text in place of a number.
pub fn text_for_number(corpus: &Corpus) -> Vec<Mistake> {
    numbers(corpus, "\"two\"", |_, _| true)
}

/// Writes a list in place of a number.
pub fn list_for_number(corpus: &Corpus) -> Vec<Mistake> {
    numbers(corpus, "sides", |_, _| true)
}

/// Mistakes in code that is only compiled in a mode.
pub fn in_a_mode(corpus: &Corpus) -> Vec<Mistake> {
    numbers(corpus, "sides", |text, at| modes(text).iter().any(|mode| mode.contains(&at)))
}

/// Mistakes in code that only runs if an option differs from its default.
pub fn behind_an_option(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules() {
        let vocabulary = corpus.vocabulary(text);
        for (index, _) in text.words() {
            let tests = vocabulary.is(text.tokens.word(index), Sort::Option) && text.tokens.word(index + 1) == "is";
            if !tests || text.tokens.before(index) != "if" {
                continue;
            }
            let rest = text.tokens.iter().skip(index).take(40);
            let number = rest
                .take_while(|(at, _)| *at == index || !begins_declaration(text, *at))
                .find(|(at, token)| token.sort == TokenSort::Number && is_plain_number(text, *at));
            changes.extend(number.map(|(_, token)| Mistake::new(text.source, token.at.clone(), "sides")));
        }
    }
    changes
}

/// Whether a token is a word in the first column, outside of brackets.
fn begins_declaration(text: &Text, index: usize) -> bool {
    text.tokens
        .get(index)
        .is_some_and(|token| token.depth == 0 && text.tokens.starts_with_its_line(index) && token.sort == TokenSort::Word)
        && text.text.get(..text.tokens.range(index, index).start).is_some_and(|before| before.ends_with('\n'))
}

/// Replaces numbers in conditions and sums. `with` is the text in its place. `fits` gets the text and the byte of the number.
fn numbers(corpus: &Corpus, with: &str, fits: impl Fn(&Text, usize) -> bool) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules() {
        for (index, token) in text.tokens.iter().filter(|(_, token)| token.sort == TokenSort::Number) {
            if is_plain_number(text, index) && fits(text, token.at.start) {
                changes.push(Mistake::new(text.source, token.at.clone(), with));
            }
        }
    }
    changes
}

/// Whether a number can only be a number where it is.
fn is_plain_number(text: &Text, index: usize) -> bool {
    let (before, after) = (text.tokens.before(index), text.tokens.word(index + 1));
    BESIDE.contains(&before) && !matches!(after, ".." | "times") && !is_of_a_first_value(text, index)
}

/// Whether a number is the default of an option, as in `option goal = 3`. It decides the type of the option.
fn is_of_a_first_value(text: &Text, index: usize) -> bool {
    index >= 3 && text.tokens.word(index - 1) == "=" && text.tokens.word(index - 3) == "option"
}

/// The byte ranges between the braces of each mode.
fn modes(text: &Text) -> Vec<Range<usize>> {
    let tokens = &text.tokens;
    let opens = tokens.iter().filter(|(index, _)| tokens.word(*index) == "mode" && tokens.starts_with_its_line(*index));
    let braces = opens.filter_map(|(index, token)| {
        tokens.iter().skip(index).take(4).find(|(at, found)| tokens.word(*at) == "{" && found.depth == token.depth)
    });
    braces.filter_map(|(open, bracket)| Some(tokens.range(open, bracket.mate?))).collect()
}

// --- arguments -------------------------------------------------------------------

/// Writes a number in place of a side or piece.
pub fn number_for_thing(corpus: &Corpus) -> Vec<Mistake> {
    things(corpus, |_| "1".to_string())
}

/// Writes a list in place of a side or piece.
pub fn list_for_thing(corpus: &Corpus) -> Vec<Mistake> {
    things(corpus, |argument| format!("[{argument}, {argument}]"))
}

/// Replaces arguments that are a side or a piece. `with` makes the wrong text from the argument.
fn things(corpus: &Corpus, with: impl Fn(&str) -> String) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules() {
        let vocabulary = corpus.vocabulary(text);
        for call in super::arguments::calls(text, vocabulary) {
            for (argument, of) in call.arguments.iter().zip(&call.params) {
                let one = of == "side" || vocabulary.is(of, Sort::Kind) && !vocabulary.is_plural(of);
                if one {
                    let written = text.text.get(argument.clone()).unwrap_or("");
                    changes.push(Mistake::new(text.source, argument.clone(), with(written)));
                }
            }
        }
    }
    changes
}

// --- conditions and words ---------------------------------------------------------

/// Replaces the condition of `if … {`.
pub fn number_for_condition(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules() {
        for (index, token) in text.words().filter(|(index, _)| text.tokens.word(*index) == "if") {
            let rest = text.tokens.iter().skip(index + 1);
            let ends = |at: usize| matches!(text.tokens.word(at), "{" | "then" | "}");
            let end = rest.filter(|(_, other)| other.depth == token.depth).find(|(at, _)| ends(*at)).map(|(at, _)| at);
            if let Some(end) = end.filter(|end| *end > index + 1) {
                changes.push(Mistake::new(text.source, text.tokens.range(index + 1, end - 1), "7"));
            }
        }
    }
    changes
}

/// Writes a number in place of a word.
pub fn number_for_word(corpus: &Corpus) -> Vec<Mistake> {
    words(corpus, |_, _| Some("7".to_string()))
}

/// Replaces a word by the first word of another type.
pub fn word_of_another_type(corpus: &Corpus) -> Vec<Mistake> {
    words(corpus, |corpus, (text, word)| {
        let types = corpus.vocabulary(text).words.values();
        let other = types.filter(|words| !words.iter().any(|known| known == word)).flatten();
        other.min().cloned()
    })
}

/// Replaces words in comparisons. `with` returns the wrong text, or none to leave the word alone.
fn words(corpus: &Corpus, with: impl Fn(&Corpus, (&Text, &str)) -> Option<String>) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules() {
        let vocabulary = corpus.vocabulary(text);
        for (index, token) in text.words() {
            let word = text.tokens.word(index);
            let compared = matches!(text.tokens.before(index), "is" | "not");
            if compared && vocabulary.sort_of_use(&text.tokens, index) == Some(Sort::Word) {
                changes.extend(with(corpus, (text, word)).map(|with| Mistake::new(text.source, token.at.clone(), with)));
            }
        }
    }
    changes
}
