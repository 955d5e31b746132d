//! The names a scenario gives to pieces, in keys that know them by number only.

use ludex_engine::program::{ActionInfo, KindSort, Program, Shape};
use std::collections::BTreeMap;

/// Names of pieces and their numbers.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    numbers: BTreeMap<String, usize>,
    names: BTreeMap<usize, String>,
}

impl Labels {
    pub fn new(numbers: BTreeMap<String, usize>) -> Labels {
        let names = numbers.iter().map(|(name, number)| (*number, name.clone())).collect();
        Labels { numbers, names }
    }

    /// The number of a piece, by its name or its number.
    pub fn piece(&self, word: &str) -> Option<usize> {
        self.numbers.get(word).copied().or_else(|| word.parse().ok())
    }

    /// What a piece is called here.
    pub fn name(&self, piece: usize) -> String {
        self.names.get(&piece).cloned().unwrap_or_else(|| piece.to_string())
    }

    /// A key as the engine writes it: without spaces, pieces by number, sets in rising order.
    pub fn key(&self, written: &str) -> String {
        let written: String = written.chars().filter(|sign| !sign.is_whitespace()).collect();
        in_roles(&written, |_, word| self.numbers.get(word).map_or(word.to_string(), usize::to_string))
    }

    /// A key as the scenario would write it: ` > ` between roles, and pieces by name where the role is one.
    pub fn shown(&self, program: &Program, key: &str) -> String {
        let name = key.split('(').next().unwrap_or(key);
        let action = program.actions.iter().find(|action| action.name == name);
        let shown = in_roles(key, |role, word| match word.parse() {
            Ok(number) if action.is_some_and(|action| is_piece(program, action, role)) => self.name(number),
            _ => word.to_string(),
        });
        shown.replace('>', " > ")
    }
}

/// Whether a role of an action is filled by pieces.
fn is_piece(program: &Program, action: &ActionInfo, role: usize) -> bool {
    match action.roles.get(role).map(|role| &role.item) {
        Some(Shape::Entity(kind)) => program.kinds.get(*kind as usize).is_some_and(|kind| kind.sort == KindSort::Piece),
        _ => false,
    }
}

/// A key with each word in its parentheses changed, given the number of its role; words of a set come
/// in rising order if they are numbers.
fn in_roles(key: &str, change: impl Fn(usize, &str) -> String) -> String {
    let Some((name, rest)) = key.split_once('(') else { return key.to_string() };
    let Some(roles) = rest.strip_suffix(')') else { return key.to_string() };
    let roles = roles.split('>').enumerate().map(|(number, role)| {
        let mut words: Vec<String> = role.split('+').map(|word| change(number, word)).collect();
        if words.iter().all(|word| word.parse::<u64>().is_ok()) {
            words.sort_by_key(|word| word.parse::<u64>().unwrap_or(0));
        }
        words.join("+")
    });
    format!("{name}({})", roles.collect::<Vec<_>>().join(">"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels() -> Labels {
        Labels::new(BTreeMap::from([("a".to_string(), 3), ("b".to_string(), 0), ("x".to_string(), 12)]))
    }

    #[test]
    fn names_become_numbers() {
        assert_eq!(labels().key("attack(a + b > x)"), "attack(0+3>12)");
        assert_eq!(labels().key("attack(5+b>y)"), "attack(0+5>y)");
        assert_eq!(labels().key("choose(12+4+3)"), "choose(3+4+12)");
        assert_eq!(labels().key("a pass"), "apass");
    }

    #[test]
    fn what_is_no_key_stays_as_it_is() {
        assert_eq!(labels().key("attack(a"), "attack(a");
        assert_eq!(labels().key(""), "");
    }

    #[test]
    fn pieces_go_by_name_or_number() {
        assert_eq!((labels().piece("x"), labels().piece("7"), labels().piece("y")), (Some(12), Some(7), None));
        assert_eq!((labels().name(3), labels().name(7)), ("a".to_string(), "7".to_string()));
    }
}
