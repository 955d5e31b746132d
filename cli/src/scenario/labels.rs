//! The names that a scenario gives to pieces, for keys in which pieces have only a number or their sheet.
//!
//! In the engine's keys, a piece is its number, or for a card its sheet and copy, as in `otter#2`. The position of a scenario
//! may give pieces names of its own. In keys such as `attack(2>8)`, `>` separates roles and `+` the things of a set; a divided
//! amount has the share of each thing.

use ludex_engine::program::{ActionInfo, KindSort, Program, Shape};
use ludex_engine::runtime::keys::{Key, change_word, is_ordered, split_share, split_things};
use std::collections::BTreeMap;

/// Names of pieces and their numbers.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// The numbers of pieces by the scenario's names.
    numbers: BTreeMap<String, usize>,
    /// The scenario's names by number.
    names: BTreeMap<usize, String>,
    /// The words in keys for pieces that are printed on sheets.
    keys: BTreeMap<usize, String>,
    /// The numbers of pieces by those words.
    called: BTreeMap<String, usize>,
}

impl Labels {
    /// The names that a scenario's position gives to pieces, which the session knows.
    pub fn new(numbers: BTreeMap<String, usize>) -> Labels {
        let names = numbers.iter().map(|(name, number)| (*number, name.clone())).collect();
        Labels { numbers, names, ..Labels::default() }
    }

    /// Adds the word in keys for each piece, from the first on; empty for those that go by number.
    pub fn with_keys(mut self, keys: &[String]) -> Labels {
        let known = keys.iter().enumerate().filter(|(_, key)| !key.is_empty());
        self.keys = known.map(|(number, key)| (number, key.clone())).collect();
        self.called = self.keys.iter().map(|(number, key)| (key.clone(), *number)).collect();
        self
    }

    /// The number of a piece, by its name or number.
    pub fn piece_by_word(&self, word: &str) -> Option<usize> {
        self.numbers.get(word).or_else(|| self.called.get(word)).copied().or_else(|| word.parse().ok())
    }

    /// Whether a word is the scenario's name for one piece.
    pub fn is_piece_name(&self, word: &str) -> bool {
        self.numbers.contains_key(word)
    }

    /// Whether a word is the name or the key of a piece.
    pub fn has_word(&self, word: &str) -> bool {
        self.numbers.contains_key(word) || self.called.contains_key(word)
    }

    /// The names and keys of pieces.
    pub fn known_words(&self) -> impl Iterator<Item = &str> {
        self.numbers.keys().chain(self.called.keys()).map(String::as_str)
    }

    /// Whether a piece has a name other than its number.
    pub fn has_name(&self, piece: usize) -> bool {
        self.names.contains_key(&piece) || self.keys.contains_key(&piece)
    }

    /// The name of a piece in the scenario.
    pub fn piece_name(&self, piece: usize) -> String {
        self.names.get(&piece).or_else(|| self.keys.get(&piece)).cloned().unwrap_or_else(|| piece.to_string())
    }

    /// A key in the engine's form: without spaces, pieces by number, sets in ascending order.
    pub fn engine_key(&self, written: &str) -> String {
        let written: String = written.chars().filter(|sign| !sign.is_whitespace()).collect();
        let called = |piece: &usize| self.keys.get(piece).cloned().unwrap_or_else(|| piece.to_string());
        self.map_role_words(&written, |_, word| self.numbers.get(word).map_or(word.to_string(), called))
    }

    /// A key in the scenario's form: ` > ` between roles, and pieces by name in roles for pieces.
    pub fn scenario_key(&self, program: &Program, key: &str) -> String {
        let action = Key::parse_key(key).and_then(|key| program.actions.iter().find(|action| action.name == key.name));
        let shown = self.map_role_words(key, |role, word| match (self.called.get(word), word.parse()) {
            (Some(card), _) => self.piece_name(*card),
            (None, Ok(number)) if action.is_some_and(|action| is_piece(program, action, role)) => self.piece_name(number),
            _ => word.to_string(),
        });
        shown.replace('>', " > ")
    }

    /// Maps each word in a key's parentheses, given the index of its role. The words of a set are sorted in the order of the
    /// pieces, or ascending if they are numbers. Ordered lists stay as they are.
    fn map_role_words(&self, key: &str, change: impl Fn(usize, &str) -> String) -> String {
        let Some(read) = Key::parse_key(key).filter(|key| key.arguments.is_some()) else { return key.to_string() };
        let rank = |thing: &String| {
            let (word, _) = split_share(thing);
            word.parse::<usize>().ok().or_else(|| self.called.get(word).copied())
        };
        let roles = read.role_fillings().enumerate().map(|(number, role)| {
            let mut words: Vec<String> =
                split_things(role).map(|thing| change_word(thing, |word| change(number, word))).collect();
            if !is_ordered(read.name) && words.iter().all(|word| rank(word).is_some()) {
                words.sort_by_key(rank);
            }
            words.join("+")
        });
        format!("{}({})", read.option, roles.collect::<Vec<_>>().join(">"))
    }
}

/// Whether an action's role takes pieces.
fn is_piece(program: &Program, action: &ActionInfo, role: usize) -> bool {
    match action.roles.get(role).map(|role| &role.item) {
        Some(Shape::Entity(kind)) => program.kinds.get(*kind as usize).is_some_and(|kind| kind.sort == KindSort::Piece),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels() -> Labels {
        Labels::new(BTreeMap::from([("a".to_string(), 3), ("b".to_string(), 0), ("x".to_string(), 12)]))
    }

    #[test]
    fn names_become_numbers() {
        assert_eq!(labels().engine_key("attack(a + b > x)"), "attack(0+3>12)");
        assert_eq!(labels().engine_key("attack(5+b>y)"), "attack(0+5>y)");
        assert_eq!(labels().engine_key("choose(12+4+3)"), "choose(3+4+12)");
        assert_eq!(labels().engine_key("a pass"), "apass");
        assert_eq!(labels().engine_key("order(x + b + a)"), "order(12+0+3)");
        assert_eq!(labels().engine_key("divide(a = 30 + b = 10)"), "divide(0=10+3=30)");
        assert_eq!(labels().engine_key("attack#2(b+a > x)"), "attack#2(0+3>12)");
    }

    #[test]
    fn cards_go_by_their_sheets() {
        let keys = ["newt", "", "", "otter", "otter#2"].map(str::to_string);
        let labels = labels().with_keys(&keys);
        assert_eq!(labels.engine_key("play(a)"), "play(otter)");
        assert_eq!(labels.engine_key("play(otter#2+a+newt)"), "play(newt+otter+otter#2)");
        assert_eq!(
            (labels.piece_by_word("otter#2"), labels.piece_name(3), labels.piece_name(4)),
            (Some(4), "a".to_string(), "otter#2".to_string())
        );
        assert_eq!(labels.scenario_key(&Program::default(), "play(otter>otter#2)"), "play(a > otter#2)");
    }

    #[test]
    fn what_is_no_key_stays_as_it_is() {
        assert_eq!(labels().engine_key("attack(a"), "attack(a");
        assert_eq!(labels().engine_key(""), "");
    }

    #[test]
    fn pieces_go_by_name_or_number() {
        assert_eq!(
            (labels().piece_by_word("x"), labels().piece_by_word("7"), labels().piece_by_word("y")),
            (Some(12), Some(7), None)
        );
        assert_eq!((labels().piece_name(3), labels().piece_name(7)), ("a".to_string(), "7".to_string()));
    }
}
