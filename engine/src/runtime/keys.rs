//! Keys: what recordings, programs and scenarios call an option, `leap#2(0+3>6)`, and which option a key names.

use super::machine::{Machine, Rules};
use super::question::{Group, GroupKind, Question, QuestionForm};
use super::search::Chosen;
use crate::program::{ActionInfo, KindSort, MOST_ROLES, NONE, RoleInfo, Shape, Value};

/// The key of choosing nothing.
pub const PASS: &str = "pass";
/// What stands in a key for a role that nothing fills.
const NOTHING: &str = "none";

/// A key, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key<'k> {
    /// What stands before the bracket: `leap#2`.
    pub option: &'k str,
    /// The action or offer: `leap`.
    pub name: &'k str,
    /// Which of several options that would be called alike, from 1.
    pub number: usize,
    /// What stands in brackets, if there are any: `0+3>6`.
    pub arguments: Option<&'k str>,
}

impl<'k> Key<'k> {
    /// None if a bracket is not closed, or no number stands behind `#`.
    pub fn read(key: &'k str) -> Option<Key<'k>> {
        let (option, arguments) = match key.split_once('(') {
            Some((option, rest)) => (option, Some(rest.strip_suffix(')')?)),
            None => (key, None),
        };
        let (name, number) = match option.split_once('#') {
            Some((name, number)) => (name, number.parse().ok()?),
            None => (option, 1),
        };
        Some(Key { option, name, number, arguments })
    }

    /// What fills each role: an empty text where a set is empty.
    pub fn roles(self) -> impl Iterator<Item = &'k str> {
        self.arguments.into_iter().flat_map(|arguments| arguments.split('>'))
    }

    /// Everything that is chosen with the move, role after role.
    pub fn things(self) -> impl Iterator<Item = &'k str> {
        self.roles().flat_map(things)
    }
}

/// The things that fill a role: `0` and `3` of `0+3`.
pub fn things(role: &str) -> impl Iterator<Item = &str> {
    role.split('+').filter(|thing| !thing.is_empty())
}

/// A thing and its part of a total: `3` and `30` of `3=30`.
pub fn share(thing: &str) -> (&str, Option<&str>) {
    thing.split_once('=').map_or((thing, None), |(thing, amount)| (thing, Some(amount)))
}

/// What stands in the brackets of a key with this name; all of it if it has none.
pub(super) fn within<'k>(key: &'k str, name: &str) -> &'k str {
    let inner = key.strip_prefix(name).and_then(|rest| rest.strip_prefix('('));
    inner.and_then(|rest| rest.strip_suffix(')')).unwrap_or(key)
}

impl Machine {
    pub(super) fn move_key(
        &self,
        rules: Rules,
        info: &ActionInfo,
        question: &Question,
        group: &Group,
        chosen: &[Chosen; MOST_ROLES],
    ) -> String {
        if info.roles.is_empty() {
            return info.name.clone();
        }
        let roles: Vec<String> = info
            .roles
            .iter()
            .zip(chosen)
            .enumerate()
            .map(|(role, (found, chosen))| {
                question
                    .members(group, role, *chosen)
                    .map(|thing| self.key_of(rules, thing, &found.item))
                    .collect::<Vec<_>>()
                    .join("+")
            })
            .collect();
        format!("{}({})", info.name, roles.join(">"))
    }

    pub(super) fn key_of(&self, rules: Rules, value: Value, shape: &Shape) -> String {
        match shape {
            _ if value == NONE => NOTHING.to_string(),
            Shape::OrNone(inner) => self.key_of(rules, value, inner),
            Shape::Entity(kind) if rules.program.kind(*kind).sort == KindSort::Piece => rules.cast.piece_key(value),
            Shape::Sheet(_) => rules.program.prints.print(value).map(|print| print.id.clone()).unwrap_or_default(),
            Shape::Word(_) => self.shown(rules, value, shape).replace(' ', "_"),
            Shape::Entity(_) => self.entrant_key(rules, value).unwrap_or_else(|| value.to_string()),
            _ => value.to_string(),
        }
    }

    /// The index of the option with a key. Where a set may be any, its members may come in any order.
    pub fn option_called(&mut self, rules: Rules, place: usize, key: &str) -> Option<u64> {
        let question = std::mem::take(self.scratch.questions.get_mut(place)?);
        let index = match question.form {
            QuestionForm::Options => self.move_called(rules, &question, key),
            _ => (0..question.count).find(|index| self.make_option(rules, &question, *index).is_some_and(|view| view.key == key)),
        };
        self.scratch.questions[place] = question;
        index
    }

    fn move_called(&self, rules: Rules, question: &Question, key: &str) -> Option<u64> {
        let key = Key::read(key)?;
        let (mut start, mut found) = (0, 0);
        for group in question.groups() {
            if let Some(index) = self.called_in(rules, question, group, key) {
                found += 1;
                if found == key.number {
                    return Some(start + index);
                }
            }
            start += group.count;
        }
        None
    }

    /// The option of a group with the name and the arguments of a key, whatever its number.
    fn called_in(&self, rules: Rules, question: &Question, group: &Group, key: Key) -> Option<u64> {
        if self.kind_name(rules, group) != key.name {
            return None;
        }
        if matches!(group.kind, GroupKind::Pass | GroupKind::Offer) {
            return key.arguments.is_none_or(str::is_empty).then_some(0);
        }
        let arguments = self.by_sheets(rules, group, key);
        let key = Key { arguments: arguments.as_deref(), ..key };
        if group.search.is_free() {
            return self.free_move_called(rules, question, group, key);
        }
        let info = &rules.program.actions[group.action as usize];
        let key = key.arguments.map_or_else(|| key.name.to_string(), |arguments| format!("{}({arguments})", key.name));
        let mut found = None;
        question.each_move(group, |index, chosen| {
            found = (self.move_key(rules, info, question, group, chosen) == key).then_some(index);
            found.is_some()
        });
        found
    }

    /// The key of an option of a group: of several that would be called the same, as two cards may offer, the second has
    /// `#2` behind its name.
    pub(super) fn numbered(&self, rules: Rules, question: &Question, group: &Group, key: String) -> String {
        let Some(read) = Key::read(&key) else { return key };
        let before = question.groups().iter().take_while(|other| !std::ptr::eq(*other, group));
        let alike = before.filter(|other| self.called_in(rules, question, other, read).is_some());
        match alike.count() {
            0 => key,
            others => format!("{}#{}{}", read.name, others + 1, &key[read.name.len()..]),
        }
    }

    /// Arguments in which cards may stand by their numbers, with all of them by their sheets.
    fn by_sheets(&self, rules: Rules, group: &Group, key: Key) -> Option<String> {
        let info = &rules.program.actions[group.action as usize];
        let arguments = key.arguments?;
        if rules.cast.piece_keys.is_empty() {
            return Some(arguments.to_string());
        }
        let roles = key.roles().enumerate().map(|(place, words)| {
            let item = info.roles.get(place).map(|role| &role.item);
            let is_piece = matches!(item, Some(Shape::Entity(kind)) if rules.program.kind(*kind).sort == KindSort::Piece);
            let called = |word: &str| match rules.cast.piece_called(word).filter(|_| is_piece) {
                Some(piece) => rules.cast.piece_key(piece),
                None => word.to_string(),
            };
            things(words).map(called).collect::<Vec<_>>().join("+")
        });
        Some(roles.collect::<Vec<_>>().join(">"))
    }

    /// What the keys of a group's options begin with.
    fn kind_name<'a>(&self, rules: Rules<'a>, group: &Group) -> &'a str {
        match group.kind {
            GroupKind::Pass => PASS,
            GroupKind::Offer => &rules.program.clauses[group.clause as usize].name,
            GroupKind::Action | GroupKind::Grant | GroupKind::OfferWithTargets => {
                &rules.program.actions[group.action as usize].name
            }
        }
    }

    /// The move of a group whose roles do not depend on each other: found by what fills each, without looking at others.
    fn free_move_called(&self, rules: Rules, question: &Question, group: &Group, key: Key) -> Option<u64> {
        let roles = &rules.program.actions[group.action as usize].roles;
        let written: Vec<&str> = key.roles().filter(|words| !(roles.is_empty() && words.is_empty())).collect();
        if written.len() != roles.len() {
            return None;
        }
        let filled = written.iter().zip(roles).enumerate();
        let filled = filled.map(|(place, (words, role))| self.places_called(rules, question, group, place, role, words));
        group.search.index_of(&question.gathered, &filled.collect::<Option<Vec<_>>>()?)
    }

    /// The places of things among the candidates of a role, by their words.
    fn places_called(
        &self,
        rules: Rules,
        question: &Question,
        group: &Group,
        place: usize,
        role: &RoleInfo,
        words: &str,
    ) -> Option<Vec<usize>> {
        let keys = group.search.candidates(&question.gathered, place).map(|thing| self.key_of(rules, thing, &role.item));
        let keys: Vec<String> = keys.collect();
        if words.is_empty() || words == NOTHING {
            return Some(Vec::new());
        }
        let mut places = Vec::new();
        for word in things(words) {
            let place = keys.iter().position(|key| key == word)?;
            if places.contains(&place) {
                return None;
            }
            places.push(place);
        }
        Some(places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(key: &str, option: &str, name: &str, number: usize, roles: &[&str]) {
        let read = Key::read(key).unwrap_or_else(|| panic!("`{key}` is a key"));
        assert_eq!((read.option, read.name, read.number), (option, name, number));
        assert_eq!(read.roles().collect::<Vec<_>>(), roles);
    }

    #[test]
    fn keys_are_taken_apart() {
        case("pass", "pass", "pass", 1, &[]);
        case("leap(0+3>6)", "leap", "leap", 1, &["0+3", "6"]);
        case("leap#2(otter#3>none)", "leap#2", "leap", 2, &["otter#3", "none"]);
        case("leap(>6)", "leap", "leap", 1, &["", "6"]);
        case("leap()", "leap", "leap", 1, &[""]);
        let things = Key::read("leap(0+3>otter#2)").map(|key| key.things().collect::<Vec<_>>());
        assert_eq!(things, Some(vec!["0", "3", "otter#2"]));
    }

    #[test]
    fn what_is_cut_off_is_no_key() {
        assert_eq!(Key::read("leap(0+3"), None);
        assert_eq!(Key::read("leap#two(0)"), None);
    }
}
