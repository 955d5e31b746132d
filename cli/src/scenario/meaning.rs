//! Checks whether a key can mean anything in a game. A misspelt key is never possible, so a test that rules it out would always
//! pass.
//!
//! [`KnownNames`] is the source of names: a session in play, or the vocabulary of a game for `check`. A key has the name of a
//! move and its roles, as in `attack(a+b > c)`; see [`labels`](super::labels).

use super::labels::Labels;
use ludex_engine::problem::{Near, Problem, closest_match, join_words};
use ludex_engine::program::Program;
use ludex_engine::runtime::Session;
use ludex_engine::runtime::keys::{KEY_WORDS, Key, PASS, split_share, split_things};

/// Words allowed in keys of every game.
const PLAIN: [&str; 3] = ["none", "yes", "no"];

/// Why a key is meaningless, and what may be meant.
pub struct MeaninglessKey {
    pub reason: String,
    pub near: Option<Near>,
    /// Advice if no near word is known.
    help: Option<&'static str>,
}

impl MeaninglessKey {
    /// Adds the advice to a problem.
    pub fn add_advice(self, problem: Problem) -> Problem {
        match (self.near, self.help) {
            (Some(near), _) => problem.suggest_near(near),
            (None, Some(help)) => problem.help(help),
            (None, None) => problem,
        }
    }
}

/// The names that keys may use.
pub trait KnownNames {
    fn program(&self) -> &Program;

    /// Whether a word names something to choose: a name of the scenario, an entrant, a card or a part of one, a word of the
    /// rules.
    fn has_thing(&self, word: &str) -> bool;

    /// Candidates for a misspelt word.
    fn known_things(&self) -> Vec<&str>;

    /// The names of all actions and offers.
    fn known_moves(&self) -> Vec<&str>;

    fn has_move(&self, name: &str) -> bool;
}

/// The names known while a scenario is played.
pub struct InPlay<'a> {
    pub session: &'a Session,
    pub labels: &'a Labels,
}

impl KnownNames for InPlay<'_> {
    fn program(&self) -> &Program {
        self.session.program()
    }

    fn has_thing(&self, word: &str) -> bool {
        let program = self.program();
        let id = word.split_once('#').map_or(word, |(id, _)| id);
        self.labels.has_word(word)
            || self.session.sheet_by_key(word).is_some()
            || program.prints.prints.iter().any(|print| print.id == id)
            || program.words.iter().flat_map(|words| &words.words).any(|known| known == word)
            || is_zone(program, word)
    }

    fn known_things(&self) -> Vec<&str> {
        self.labels.known_words().collect()
    }

    fn known_moves(&self) -> Vec<&str> {
        let program = self.program();
        let actions = program.actions.iter().map(|action| action.name.as_str());
        let offers = program.clauses.iter().map(|clause| clause.name.as_str());
        actions.chain(offers).chain(KEY_WORDS).chain([PASS]).collect()
    }

    fn has_move(&self, name: &str) -> bool {
        self.known_moves().contains(&name)
    }
}

/// Returns what is wrong with a key that can be no option of any question.
pub fn find_meaningless(known: &impl KnownNames, key: &str) -> Option<MeaninglessKey> {
    let written: String = key.chars().filter(|sign| !sign.is_whitespace()).collect();
    let Some(read) = Key::parse_key(&written) else {
        return Some(MeaninglessKey {
            reason: format!("`{key}` is not a key"),
            near: None,
            help: Some("write it as in `name(a+b > c)`"),
        });
    };
    let is_thing = |word: &str| is_thing(known, word);
    // Things alone are chosen: `a+b` is `choose(a+b)`.
    if read.arguments.is_none() && split_things(&written).map(|thing| split_share(thing).0).all(is_thing) {
        return None;
    }
    if !known.has_move(read.name) {
        let reason = format!("there is no move called `{}`", read.name);
        let alone = || near_thing(read.option, known.known_things()).filter(|_| read.arguments.is_none());
        // `number(3)` has parentheses, so a bare word was not meant to be one of these.
        let moves = known.known_moves().into_iter().filter(|name| read.arguments.is_some() || !KEY_WORDS.contains(name));
        return Some(MeaninglessKey { reason, near: near_thing(read.option, moves).or_else(alone), help: None });
    }
    check_role_count(known.program(), read).or_else(|| {
        let thing = read.all_things().map(|thing| split_share(thing).0).find(|word| !is_thing(word))?;
        let reason = format!("nothing is called `{thing}`");
        Some(MeaninglessKey { reason, near: near_thing(thing, known.known_things()), help: None })
    })
}

/// Reports a wrong number of roles for every move of this name.
fn check_role_count(program: &Program, key: Key) -> Option<MeaninglessKey> {
    let named = || program.actions.iter().filter(|action| action.name == key.name);
    let written = key.arguments.map_or(0, |_| key.role_fillings().count());
    // An offer, whose key has no roles, may have the name of an action.
    let fits = |roles: usize| roles == written || roles == 0 && key.arguments == Some("");
    let offered = program.clauses.iter().any(|clause| clause.name == key.name);
    if named().next().is_none() || named().any(|action| fits(action.roles.len())) || offered && fits(0) {
        return None;
    }
    let action = named().next()?;
    let roles: Vec<String> = action.roles.iter().map(|role| format!("`{}`", role.name)).collect();
    let reason = match roles.as_slice() {
        [] => format!("`{}` takes nothing in brackets", action.name),
        roles => format!("`{}` takes {}, separated by `>`", action.name, join_words(roles, "and")),
    };
    Some(MeaninglessKey { reason, near: None, help: None })
}

/// Whether a word may denote something to choose; numbers always may.
fn is_thing(known: &impl KnownNames, word: &str) -> bool {
    word.parse::<i64>().is_ok() || PLAIN.contains(&word) || known.has_thing(word)
}

/// The nearest known word, without the copy number.
fn near_thing<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<Near> {
    closest_match(word.split_once('#').map_or(word, |(id, _)| id), known)
}

/// Whether a word is a zone of the table, `meadow.2.3`, or of a side, `1.meadow.2.3`.
pub fn is_zone(program: &Program, word: &str) -> bool {
    let owned = word.split_once('.').map(|(_, zone)| zone);
    let mut zones = program.kinds.iter().flat_map(|kind| &kind.zones);
    zones.any(|zone| zone.name == word || Some(zone.name.as_str()) == owned)
}
