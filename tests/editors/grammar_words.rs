//! The words of the language, as its grammar has them.

use std::collections::{BTreeMap, BTreeSet};

/// The words by what they do, each once and in order.
pub struct Words {
    /// Those that begin a statement.
    pub statements: Vec<String>,
    /// Others that cannot be names.
    pub reserved: Vec<String>,
    /// Those before `of` that work something out.
    pub builtins: Vec<String>,
    /// Those that mean something only where they stand, and can be names elsewhere.
    pub others: Vec<String>,
}

impl Words {
    /// Reads the words out of the text of a grammar. What is only there to be answered with the right form is left out.
    pub fn read(grammar: &str) -> Words {
        let rules = rules(grammar);
        let words_of = |name: &str| rules.get(name).map(|body| literals(body)).unwrap_or_default();
        let statements: BTreeSet<String> = ludex_engine::library::statement_words().iter().map(|word| word.to_string()).collect();
        let builtins: BTreeSet<String> =
            ["of_name", "quantifier", "board_word", "extreme"].iter().flat_map(|name| words_of(name)).collect();
        let reserved: BTreeSet<String> = words_of("reserved").into_iter().collect();
        let keywords = rules.iter().filter(|(name, _)| name.starts_with("k_")).flat_map(|(_, body)| literals(body));
        let all: BTreeSet<String> = keywords.chain(words_of("sort")).collect();
        let reserved: BTreeSet<String> = &(&reserved - &statements) - &builtins;
        let builtins = &builtins - &statements;
        let others = &(&(&all - &statements) - &reserved) - &builtins;
        let list = |words: BTreeSet<String>| words.into_iter().collect();
        Words { statements: list(statements), reserved: list(reserved), builtins: list(builtins), others: list(others) }
    }

    pub fn all(&self) -> impl Iterator<Item = &String> {
        self.statements.iter().chain(&self.reserved).chain(&self.builtins).chain(&self.others)
    }
}

/// The rules of a grammar: their names with what they are.
fn rules(grammar: &str) -> BTreeMap<String, String> {
    let mut rules = BTreeMap::new();
    let mut name = String::new();
    for line in grammar.lines().filter(|line| !line.starts_with("//")) {
        let begun = line.split_once('=').filter(|(left, _)| !left.starts_with(' ') && !left.trim().is_empty());
        let body = match begun {
            Some((left, right)) => {
                name = left.trim().to_string();
                right
            }
            None => line,
        };
        let rule: &mut String = rules.entry(name.clone()).or_default();
        rule.push_str(body);
    }
    rules
}

/// The words between quotes.
fn literals(body: &str) -> Vec<String> {
    let between = body.split('"').skip(1).step_by(2);
    let is_word = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    between.filter(is_word).map(str::to_string).collect()
}
