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
        let (name, arguments) = match key.split_once('(') {
            Some((name, rest)) => (name, rest.strip_suffix(')')?),
            None => (key, ""),
        };
        let mut start = 0;
        for group in question.groups() {
            let index = if self.kind_name(rules, group) != name {
                None
            } else if matches!(group.kind, GroupKind::Pass | GroupKind::Offer) {
                arguments.is_empty().then_some(0)
            } else if group.search.is_free() {
                self.free_move_called(rules, question, group, &self.by_sheets(rules, group, arguments))
            } else {
                let info = &rules.program.actions[group.action as usize];
                let arguments = self.by_sheets(rules, group, arguments);
                let key = if arguments.is_empty() { key.to_string() } else { format!("{name}({arguments})") };
                (0..group.count).find(|index| {
                    question
                        .chosen(group, *index)
                        .is_some_and(|chosen| self.move_key(rules, info, question, group, &chosen) == key)
                })
            };
            if let Some(index) = index {
                return Some(start + index);
            }
            start += group.count;
        }
        None
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
