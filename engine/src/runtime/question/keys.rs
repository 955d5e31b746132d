//! Keys: the names of options in recordings, programs and scenarios, `leap#2(0+3>6)`, and the option with a given key.
//!
//! In `leap#2(0+3>6)`, `leap` is the action, `#2` says that it is the second option with this key, and the brackets have the
//! filling of each role, with `+` between the things of one role. A *group* of a question is the moves of one action, grant or
//! offer. A move is *beyond* if it has no number, because its action has too many moves; only its key can choose it.

use crate::runtime::context::{Context, Roster};
pub use crate::runtime::decision::form::{CHOOSE, KEY_WORDS, is_ordered};
use crate::runtime::eval::question::{Group, GroupKind, Question, QuestionForm};
use crate::runtime::eval::search::{Chosen, MoveIndex};
use crate::runtime::question::Questions;
pub use crate::runtime::text::names::NOTHING;
use ludex_program::{ActionInfo, KindSort, MOST_ROLES, RoleInfo, Shape, Value};

/// The key of passing.
pub const PASS: &str = "pass";

/// A parsed key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key<'k> {
    /// The part before the bracket: `leap#2`.
    pub option: &'k str,
    /// The action or offer: `leap`.
    pub name: &'k str,
    /// The number among options with the same key, from 1.
    pub(crate) number: usize,
    /// The text in brackets, if there are any: `0+3>6`.
    pub arguments: Option<&'k str>,
}

impl<'k> Key<'k> {
    /// Parses a key. `None` if a bracket is not closed, or `#` is not followed by a number. Things alone, `pea#2+nut`, are a name
    /// without a number.
    pub fn parse_key(key: &'k str) -> Option<Key<'k>> {
        let (option, arguments) = match key.split_once('(') {
            Some((option, rest)) => (option, Some(rest.strip_suffix(')')?)),
            None if key.contains(['+', '=']) => return Some(Key { option: key, name: key, number: 1, arguments: None }),
            None => (key, None),
        };
        let (name, number) = match option.split_once('#') {
            Some((name, number)) => (name, number.parse().ok()?),
            None => (option, 1),
        };
        Some(Key { option, name, number, arguments })
    }

    /// The filling of each role; empty for an empty set.
    pub fn role_fillings(self) -> impl Iterator<Item = &'k str> {
        self.arguments.into_iter().flat_map(|arguments| arguments.split('>'))
    }

    /// All things that are chosen with the move, role after role.
    pub fn all_things(self) -> impl Iterator<Item = &'k str> {
        self.role_fillings().flat_map(split_things)
    }
}

/// The things in a role: `0` and `3` of `0+3`.
pub fn split_things(role: &str) -> impl Iterator<Item = &str> {
    role.split('+').filter(|thing| !thing.is_empty())
}

/// A thing and its share of a total: `3` and `30` of `3=30`.
pub fn split_share(thing: &str) -> (&str, Option<&str>) {
    thing.split_once('=').map_or((thing, None), |(thing, amount)| (thing, Some(amount)))
}

/// A thing with its word changed; a share of a total keeps its amount: `a=30`.
pub fn change_word(thing: &str, change: impl FnOnce(&str) -> String) -> String {
    match split_share(thing) {
        (word, Some(amount)) => format!("{}={amount}", change(word)),
        (word, None) => change(word),
    }
}

/// Replaces names that a position gives to pieces with the pieces' own keys. `None` if the key has no such name of a piece for
/// which `is_meant` is true. Names stand for things only: not for a move, and not for the amount of a share.
pub(crate) fn with_own_keys(roster: &Roster, key: &str, is_meant: impl Fn(usize) -> bool) -> Option<String> {
    let key: String = key.chars().filter(|sign| !sign.is_whitespace()).collect();
    let read = Key::parse_key(&key)?;
    let named = |thing: &str| roster.labels.get(split_share(thing).0).copied().filter(|number| is_meant(*number));
    let label = |thing: &str| named(thing).map(|number| roster.key_of_number(number));
    let all = read.arguments.unwrap_or(&key);
    all.split('>').flat_map(split_things).find_map(label)?;
    let own = |thing: &str| label(thing).map_or(thing.to_string(), |own| change_word(thing, |_| own));
    let roles = all.split('>').map(|role| split_things(role).map(own).collect::<Vec<_>>().join("+"));
    let roles = roles.collect::<Vec<_>>().join(">");
    Some(if read.arguments.is_some() { format!("{}({roles})", read.option) } else { roles })
}

/// The text in the brackets of a key with this name; the whole key if it has another form.
pub(crate) fn inner_or_whole<'k>(key: &'k str, name: &str) -> &'k str {
    bracket_text(key, name).unwrap_or(key)
}

/// The text in the brackets of a key, if it has this name.
pub(crate) fn bracket_text<'k>(key: &'k str, name: &str) -> Option<&'k str> {
    key.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')')
}

impl Questions {
    /// The key of a move without a number after `#`.
    pub(super) fn move_key(
        &self,
        context: &Context,
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
                    .role_things(group, role, *chosen)
                    .map(|thing| self.key_of(context, thing, &found.item))
                    .collect::<Vec<_>>()
                    .join("+")
            })
            .collect();
        format!("{}({})", info.name, roles.join(">"))
    }

    /// The option with a key in the question at an index. The members of a set may come in any order.
    pub(crate) fn option_by_key(&mut self, context: &Context, place: usize, key: &str) -> Option<FoundOption> {
        let mut question = std::mem::take(self.scratch.questions.get_mut(place)?);
        let called = match question.form {
            QuestionForm::Options => self.move_by_key(context, &mut question, key),
            QuestionForm::YesNo => {
                let mut indices = 0..question.count;
                let is_called = |index: &u64| self.make_option(context, &question, *index).is_some_and(|view| view.key == key);
                indices.find(is_called).map(FoundOption::Option)
            }
            QuestionForm::OneItem | QuestionForm::Of(_) => self.thing_by_key(context, &question, key).map(FoundOption::Option),
        };
        self.scratch.questions[place] = question;
        called
    }

    /// The move with a key. A move beyond gets an index after all options.
    fn move_by_key(&self, context: &Context, question: &mut Question, key: &str) -> Option<FoundOption> {
        let key = Key::parse_key(key)?;
        let (mut start, mut found) = (0, 0);
        for place in 0..question.groups().len() {
            let group = &question.groups()[place];
            if let Some(named) = self.move_in_group(context, question, group, key) {
                found += 1;
                if found == key.number {
                    return Some(match named {
                        GroupMove::At(index) => FoundOption::Option(start + index),
                        GroupMove::Beyond(filled) => FoundOption::Beyond(question.add_unnumbered_move(context, place, &filled)),
                    });
                }
            }
            start += group.count;
        }
        None
    }

    /// The option of a group with the name and the arguments of a key, regardless of its number.
    fn move_in_group(&self, context: &Context, question: &Question, group: &Group, key: Key) -> Option<GroupMove> {
        if self.kind_name(context, group) != key.name {
            return None;
        }
        if matches!(group.kind, GroupKind::Pass | GroupKind::Offer) {
            return key.arguments.is_none_or(str::is_empty).then_some(GroupMove::At(0));
        }
        let arguments = self.arguments_by_sheets(context, group, key);
        let key = Key { arguments: arguments.as_deref(), ..key };
        match group.search.is_direct() {
            true => self.direct_move_by_key(context, question, group, key),
            false => self.search_move(context, question, group, key),
        }
    }

    /// The move of a group with the arguments of a key, found by comparing all moves.
    fn search_move(&self, context: &Context, question: &Question, group: &Group, key: Key) -> Option<GroupMove> {
        let roles = &context.program.actions[group.action as usize].roles;
        let sorted = |mut words: Vec<String>| {
            words.sort_unstable();
            words
        };
        let written: Vec<Vec<String>> =
            key.role_fillings().map(|words| sorted(split_things(words).map(str::to_string).collect())).collect();
        if written.len() != roles.len() || key.role_fillings().count() != roles.len() {
            return None;
        }
        let mut found = None;
        question.each_move(group, |index, chosen| {
            let mut filled = written.iter().zip(roles).zip(chosen).enumerate();
            let is_it = filled.all(|(place, ((words, role), chosen))| {
                let members = question.role_things(group, place, *chosen);
                sorted(members.map(|thing| self.key_of(context, thing, &role.item)).collect()) == *words
            });
            found = is_it.then_some(index);
            is_it
        });
        found.map(GroupMove::At)
    }

    /// The key of an option of a group. If several have the same key, such as the offers of two cards, the second has `#2` after
    /// its name.
    pub(super) fn number_key(&self, context: &Context, question: &Question, group: &Group, key: String) -> String {
        let Some(read) = Key::parse_key(&key) else { return key };
        let before = question.groups().iter().take_while(|other| !std::ptr::eq(*other, group));
        let others = before.filter(|other| !other.has_same_action(group));
        let alike = others.filter(|other| self.move_in_group(context, question, other, read).is_some());
        match alike.count() {
            0 => key,
            others => format!("{}#{}{}", read.name, others + 1, &key[read.name.len()..]),
        }
    }

    /// The arguments of a key, with the public numbers of cards replaced by keys with their sheets. `None` if the key has no
    /// arguments.
    fn arguments_by_sheets(&self, context: &Context, group: &Group, key: Key) -> Option<String> {
        let info = &context.program.actions[group.action as usize];
        let arguments = key.arguments?;
        if context.roster.piece_keys.is_empty() {
            return Some(arguments.to_string());
        }
        let roles = key.role_fillings().enumerate().map(|(place, words)| {
            let item = info.roles.get(place).map(|role| &role.item);
            let is_piece = matches!(item, Some(Shape::Entity(kind)) if context.program.kind(*kind).sort == KindSort::Piece);
            let called = |word: &str| match context.roster.number_by_key(word).filter(|_| is_piece) {
                Some(number) => context.roster.key_of_number(number),
                None => word.to_string(),
            };
            split_things(words).map(called).collect::<Vec<_>>().join("+")
        });
        Some(roles.collect::<Vec<_>>().join(">"))
    }

    /// The name of a group's action or offer in the keys of its options.
    fn kind_name<'a>(&self, context: &'a Context<'a>, group: &Group) -> &'a str {
        match group.kind {
            GroupKind::Pass => PASS,
            GroupKind::Offer => &context.program.clauses[group.clause as usize].name,
            GroupKind::Action | GroupKind::Grant | GroupKind::OfferWithTargets => {
                &context.program.actions[group.action as usize].name
            }
        }
    }

    /// The move of a group with the arguments of a key, found by its role fillings without comparing others.
    fn direct_move_by_key(&self, context: &Context, question: &Question, group: &Group, key: Key) -> Option<GroupMove> {
        let roles = &context.program.actions[group.action as usize].roles;
        let written: Vec<&str> = key.role_fillings().filter(|words| !(roles.is_empty() && words.is_empty())).collect();
        if written.len() != roles.len() {
            return None;
        }
        let filled = written.iter().zip(roles).enumerate();
        let filled = filled.map(|(place, (words, role))| self.candidates_by_keys(context, question, group, place, role, words));
        let filled = filled.collect::<Option<Vec<_>>>()?;
        Some(match group.search.place_of(&question.gathered, &filled)? {
            MoveIndex::Numbered(index) => GroupMove::At(index),
            MoveIndex::Beyond => GroupMove::Beyond(filled),
        })
    }

    /// The candidates with these keys for the role at index `place`, in order. `None` if one of the keys is not a candidate's.
    fn candidates_by_keys(
        &self,
        context: &Context,
        question: &Question,
        group: &Group,
        place: usize,
        role: &RoleInfo,
        words: &str,
    ) -> Option<Vec<Value>> {
        if words.is_empty() || words == NOTHING {
            return Some(Vec::new());
        }
        let candidates = group.search.candidate_ids(&question.gathered, place);
        let keys: Vec<(String, Value)> = candidates.map(|thing| (self.key_of(context, thing, &role.item), thing)).collect();
        let called = |word: &str| keys.iter().find(|(key, _)| key == word).map(|(_, thing)| *thing);
        let mut called = split_things(words).map(called).collect::<Option<Vec<Value>>>()?;
        called.sort_unstable();
        Some(called)
    }
}

/// The option with a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoundOption {
    Option(u64),
    /// A move without a number, which now has this index after all options of its question.
    Beyond(u64),
}

impl FoundOption {
    pub(crate) fn index(self) -> u64 {
        match self {
            FoundOption::Option(index) | FoundOption::Beyond(index) => index,
        }
    }
}

/// A move of a group.
enum GroupMove {
    /// The move at an index of the group.
    At(u64),
    /// A move without a number, given by its role fillings.
    Beyond(Vec<Vec<Value>>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(key: &str, option: &str, name: &str, number: usize, roles: &[&str]) {
        let read = Key::parse_key(key).unwrap_or_else(|| panic!("`{key}` is a key"));
        assert_eq!((read.option, read.name, read.number), (option, name, number));
        assert_eq!(read.role_fillings().collect::<Vec<_>>(), roles);
    }

    #[test]
    fn keys_are_taken_apart() {
        case("pass", "pass", "pass", 1, &[]);
        case("leap(0+3>6)", "leap", "leap", 1, &["0+3", "6"]);
        case("leap#2(otter#3>none)", "leap#2", "leap", 2, &["otter#3", "none"]);
        case("leap(>6)", "leap", "leap", 1, &["", "6"]);
        case("leap()", "leap", "leap", 1, &[""]);
        let things = Key::parse_key("leap(0+3>otter#2)").map(|key| key.all_things().collect::<Vec<_>>());
        assert_eq!(things, Some(vec!["0", "3", "otter#2"]));
    }

    #[test]
    fn what_is_cut_off_is_no_key() {
        assert_eq!(Key::parse_key("leap(0+3"), None);
        assert_eq!(Key::parse_key("leap#two(0)"), None);
        let alone = Key::parse_key("pea#2+nut#3").map(|key| (key.name, key.arguments));
        assert_eq!(alone, Some(("pea#2+nut#3", None)));
    }
}
