//! Keys: what recordings, programs and scenarios call an option, `leap(0+3>6)`, and which option a key names.

use super::machine::{Machine, Rules};
use super::question::{Group, GroupKind, Question, QuestionForm};
use super::search::Chosen;
use crate::program::{ActionInfo, KindSort, MOST_ROLES, NONE, RoleInfo, Shape, Value};

/// The key of choosing nothing.
pub const PASS: &str = "pass";
/// What stands in a key for a role that nothing fills.
const NOTHING: &str = "none";

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
        let (name, arguments) = key_parts(key)?;
        let (name, number) = match name.split_once('#') {
            Some((name, number)) => (name, number.parse::<usize>().ok()?),
            None => (name, 1),
        };
        let (mut start, mut found) = (0, 0);
        for group in question.groups() {
            if let Some(index) = self.called_in(rules, question, group, name, arguments) {
                found += 1;
                if found == number {
                    return Some(start + index);
                }
            }
            start += group.count;
        }
        None
    }

    /// The option of a group with a name and arguments.
    fn called_in(&self, rules: Rules, question: &Question, group: &Group, name: &str, arguments: &str) -> Option<u64> {
        if self.kind_name(rules, group) != name {
            return None;
        }
        if matches!(group.kind, GroupKind::Pass | GroupKind::Offer) {
            return arguments.is_empty().then_some(0);
        }
        let arguments = self.by_sheets(rules, group, arguments);
        if group.search.is_free() {
            return self.free_move_called(rules, question, group, &arguments);
        }
        let info = &rules.program.actions[group.action as usize];
        let key = if arguments.is_empty() { name.to_string() } else { format!("{name}({arguments})") };
        let is_called = |index: &u64| {
            let chosen = question.chosen(group, *index);
            chosen.is_some_and(|chosen| self.move_key(rules, info, question, group, &chosen) == key)
        };
        (0..group.count).find(is_called)
    }

    /// The key of an option of a group: of several that would be called the same, as two cards may offer, the second has
    /// `#2` behind its name.
    pub(super) fn numbered(&self, rules: Rules, question: &Question, group: &Group, key: String) -> String {
        let Some((name, arguments)) = key_parts(&key) else { return key };
        let before = question.groups().iter().take_while(|other| !std::ptr::eq(*other, group));
        let alike = before.filter(|other| self.called_in(rules, question, other, name, arguments).is_some());
        match alike.count() {
            0 => key,
            others => format!("{name}#{}{}", others + 1, &key[name.len()..]),
        }
    }

    /// Arguments in which cards may stand by their numbers, with all of them by their sheets.
    fn by_sheets(&self, rules: Rules, group: &Group, arguments: &str) -> String {
        let info = &rules.program.actions[group.action as usize];
        if arguments.is_empty() || rules.cast.piece_keys.is_empty() {
            return arguments.to_string();
        }
        let roles = arguments.split('>').enumerate().map(|(place, words)| {
            let item = info.roles.get(place).map(|role| &role.item);
            let is_piece = matches!(item, Some(Shape::Entity(kind)) if rules.program.kind(*kind).sort == KindSort::Piece);
            let called = |word: &str| match rules.cast.piece_called(word).filter(|_| is_piece) {
                Some(piece) => rules.cast.piece_key(piece),
                None => word.to_string(),
            };
            words.split('+').map(called).collect::<Vec<_>>().join("+")
        });
        roles.collect::<Vec<_>>().join(">")
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
    fn free_move_called(&self, rules: Rules, question: &Question, group: &Group, arguments: &str) -> Option<u64> {
        let roles = &rules.program.actions[group.action as usize].roles;
        let written: Vec<&str> = if roles.is_empty() { Vec::new() } else { arguments.split('>').collect() };
        if written.len() != roles.len() || roles.is_empty() && !arguments.is_empty() {
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
        for word in words.split('+') {
            let place = keys.iter().position(|key| key == word)?;
            if places.contains(&place) {
                return None;
            }
            places.push(place);
        }
        Some(places)
    }
}

/// Name and arguments of a key; none if a bracket is not closed.
fn key_parts(key: &str) -> Option<(&str, &str)> {
    match key.split_once('(') {
        Some((name, rest)) => Some((name, rest.strip_suffix(')')?)),
        None => Some((key, "")),
    }
}
