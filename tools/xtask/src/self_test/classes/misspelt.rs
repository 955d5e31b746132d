//! Misspelt names and words in rules and in the headers of abilities. Each public function is a class: it returns a slip for
//! each use of a name of one sort, or of one sort of keywords.

use crate::self_test::corpus::{Corpus, Text};
use crate::self_test::mistake::Mistake;
use crate::self_test::tokens::Sort as TokenSort;
use crate::self_test::vocabulary::Sort;

/// Keywords that start a declaration or a part of one.
const DECLARING: &[&str] = &[
    "sides", "option", "type", "piece", "sheet", "define", "hook", "family", "action", "scope", "entry", "standing", "policy",
    "table", "mode", "replace", "zone", "counter", "mark", "ability", "uses", "offer", "trigger", "instead", "modify", "grant",
    "forbid", "demand", "says", "when", "obliges", "seen", "open", "falls", "lending", "shown",
];

/// Minimum length of a word in letters. In shorter ones, a slip often makes another word.
const SHORTEST: usize = 3;

/// Keywords that continue a statement.
const GOING_ON: &[&str] =
    &["must", "choose", "else", "otherwise", "until", "because", "times", "during", "order", "divide", "nobody"];

/// Keywords within expressions.
const EXPRESSIONS: &[&str] = &[
    "where",
    "count",
    "highest",
    "lowest",
    "first",
    "last",
    "sorted",
    "divided",
    "rounded",
    "without",
    "then",
    "else",
    "empty",
    "none",
    "least",
    "most",
    "supposing",
    "with",
    "remainder",
    "member",
];

pub fn fields(corpus: &Corpus) -> Vec<Mistake> {
    names(corpus, Sort::Field)
}

pub fn zones(corpus: &Corpus) -> Vec<Mistake> {
    names(corpus, Sort::Zone)
}

pub fn counters(corpus: &Corpus) -> Vec<Mistake> {
    names(corpus, Sort::Counter)
}

pub fn marks(corpus: &Corpus) -> Vec<Mistake> {
    names(corpus, Sort::Mark)
}

pub fn kinds(corpus: &Corpus) -> Vec<Mistake> {
    names(corpus, Sort::Kind)
}

pub fn types(corpus: &Corpus) -> Vec<Mistake> {
    names(corpus, Sort::Type)
}

pub fn words(corpus: &Corpus) -> Vec<Mistake> {
    names(corpus, Sort::Word)
}

pub fn options(corpus: &Corpus) -> Vec<Mistake> {
    names(corpus, Sort::Option)
}

pub fn actions(corpus: &Corpus) -> Vec<Mistake> {
    names(corpus, Sort::Action)
}

pub fn families(corpus: &Corpus) -> Vec<Mistake> {
    names(corpus, Sort::Family)
}

pub fn procedures(corpus: &Corpus) -> Vec<Mistake> {
    names(corpus, Sort::Procedure)
}

pub fn definitions(corpus: &Corpus) -> Vec<Mistake> {
    names(corpus, Sort::Definition)
}

pub fn hooks(corpus: &Corpus) -> Vec<Mistake> {
    names(corpus, Sort::Hook)
}

pub fn locals(corpus: &Corpus) -> Vec<Mistake> {
    names(corpus, Sort::Local)
}

pub fn parameters(corpus: &Corpus) -> Vec<Mistake> {
    names(corpus, Sort::Parameter)
}

/// Misspells a mode if a package or a script adds to it.
pub fn modes(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules() {
        for (index, _) in text.tokens.iter() {
            let adds = text.tokens.word(index) == "mode" && text.tokens.before(index) == "replace";
            if adds && text.tokens.is_word(index + 1) {
                changes.push(slip(text, index + 1));
            }
        }
    }
    for text in corpus.scripts() {
        changes.extend(mode_of_script(text));
    }
    changes
}

/// Misspells the mode in `//! mode tag-team`.
fn mode_of_script(text: &Text) -> Option<Mistake> {
    let start = text.text.find("//! mode ")? + "//! mode ".len();
    let end = start + text.text.get(start..)?.find('\n')?;
    let word = text.text.get(start..end)?.trim();
    Some(Mistake::slip(text.source, start..start + word.len(), word))
}

/// Misspells a name in a placeholder of a text.
pub fn in_texts(corpus: &Corpus) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules() {
        for (_, token) in text.tokens.iter().filter(|(_, token)| token.sort == TokenSort::Text) {
            let words = text.text.get(token.at.clone()).unwrap_or("");
            for (open, _) in words.match_indices('{').filter(|(open, _)| !words[..*open].ends_with('\\')) {
                let hole = words[open + 1..].split('}').next().unwrap_or("");
                let name = hole.rsplit(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_').next().unwrap_or("");
                if corpus.vocabulary(text).names().any(|known| known == name) {
                    let start = token.at.start + open + 1 + hole.len() - name.len();
                    changes.push(Mistake::slip(text.source, start..start + name.len(), name));
                }
            }
        }
    }
    changes
}

/// Misspells keywords that begin a declaration.
pub fn declaring_words(corpus: &Corpus) -> Vec<Mistake> {
    keywords(corpus, DECLARING, true)
}

/// Misspells keywords of statements.
pub fn statement_words(corpus: &Corpus) -> Vec<Mistake> {
    let beginning = ludex_engine::library::statement_words().iter().filter(|word| word.len() > SHORTEST);
    let words: Vec<&str> = beginning.chain(GOING_ON).copied().collect();
    keywords(corpus, &words, false)
}

/// Misspells keywords of expressions.
pub fn expression_words(corpus: &Corpus) -> Vec<Mistake> {
    keywords(corpus, EXPRESSIONS, false)
}

/// Misspells keywords that are not names. A declaration starts a line. `first` restricts it to words that start their line.
fn keywords(corpus: &Corpus, words: &[&str], first: bool) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules().chain(corpus.scripts()) {
        let vocabulary = corpus.vocabulary(text);
        for (index, _) in text.words().filter(|(_, token)| text.role == ludex_engine::library::FileRole::Rules || token.header) {
            let word = text.tokens.word(index);
            let fits = words.contains(&word) && (!first || text.tokens.starts_with_its_line(index));
            if fits && text.tokens.before(index) != "." && vocabulary.names().all(|name| name != word) {
                changes.push(slip(text, index));
            }
        }
    }
    changes
}

/// A slip for each use of a name of a sort.
fn names(corpus: &Corpus, sort: Sort) -> Vec<Mistake> {
    let mut changes = Vec::new();
    for text in corpus.rules().chain(corpus.scripts()) {
        let vocabulary = corpus.vocabulary(text);
        for (index, _) in text.words().filter(|(_, token)| text.role == ludex_engine::library::FileRole::Rules || token.header) {
            if vocabulary.sort_of_use(&text.tokens, index) == Some(sort) && !is_declared_again(text, index) {
                changes.push(slip(text, index));
            }
        }
    }
    changes
}

/// Whether a word in the header of an ability is declared there, as shown by the word before. The header is read outside any
/// game.
fn is_declared_again(text: &Text, index: usize) -> bool {
    matches!(text.tokens.before(index), "offer" | "trigger" | "instead" | "ability" | "grant" | "mode" | "game" | "parameter")
}

/// A slip in a word.
fn slip(text: &Text, index: usize) -> Mistake {
    Mistake::slip(text.source, text.tokens.range(index, index), text.tokens.word(index))
}
