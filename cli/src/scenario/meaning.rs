//! Checks whether a key can mean anything in a game. A misspelt key is never possible, so a test that rules it out would always
//! pass.

use super::labels::Labels;
use ludex_engine::problem::{Near, Problem, closest, joined};
use ludex_engine::program::Program;
use ludex_engine::runtime::Session;
use ludex_engine::runtime::keys::{KEY_WORDS, Key, PASS, share, things};

/// Words allowed in keys of every game.
const PLAIN: [&str; 3] = ["none", "yes", "no"];

/// Why a key is meaningless, and what may be meant.
pub struct Meaningless {
    pub reason: String,
    pub near: Option<Near>,
    help: Option<&'static str>,
}

impl Meaningless {
    /// Adds the advice to a problem.
    pub fn advise(self, problem: Problem) -> Problem {
        match (self.near, self.help) {
            (Some(near), _) => problem.meant(near),
            (None, Some(help)) => problem.help(help),
            (None, None) => problem,
        }
    }
}

/// The names that keys may use.
pub trait Known {
    fn program(&self) -> &Program;

    /// Whether a word names something to choose: a name of the scenario, an entrant, a card or a part of one, a word of the
    /// rules.
    fn has_thing(&self, word: &str) -> bool;

    /// Candidates for a misspelt word.
    fn things(&self) -> Vec<&str>;

    /// The names of all actions and offers.
    fn moves(&self) -> Vec<&str>;

    fn has_move(&self, name: &str) -> bool;
}

/// The names known while a scenario is played.
pub struct InPlay<'a> {
    pub session: &'a Session,
    pub labels: &'a Labels,
}

impl Known for InPlay<'_> {
    fn program(&self) -> &Program {
        self.session.program()
    }

    fn has_thing(&self, word: &str) -> bool {
        let program = self.program();
        let id = word.split_once('#').map_or(word, |(id, _)| id);
        self.labels.knows(word)
            || self.session.sheet_called(word).is_some()
            || program.prints.prints.iter().any(|print| print.id == id)
            || program.words.iter().flat_map(|words| &words.words).any(|known| known == word)
            || is_zone(program, word)
    }

    fn things(&self) -> Vec<&str> {
        self.labels.known().collect()
    }

    fn moves(&self) -> Vec<&str> {
        let program = self.program();
        let actions = program.actions.iter().map(|action| action.name.as_str());
        let offers = program.clauses.iter().map(|clause| clause.name.as_str());
        actions.chain(offers).chain(KEY_WORDS).chain([PASS]).collect()
    }

    fn has_move(&self, name: &str) -> bool {
        self.moves().contains(&name)
    }
}

/// Returns what is wrong with a key that can be no option of any question.
pub fn meaningless(known: &impl Known, key: &str) -> Option<Meaningless> {
    let written: String = key.chars().filter(|sign| !sign.is_whitespace()).collect();
    let Some(read) = Key::read(&written) else {
        return Some(Meaningless {
            reason: format!("`{key}` is not a key"),
            near: None,
            help: Some("write it as in `name(a+b > c)`"),
        });
    };
    let is_thing = |word: &str| is_thing(known, word);
    // Things alone are chosen: `a+b` is `choose(a+b)`.
    if read.arguments.is_none() && things(&written).map(|thing| share(thing).0).all(is_thing) {
        return None;
    }
    if !known.has_move(read.name) {
        let reason = format!("there is no move called `{}`", read.name);
        let alone = || near_thing(read.option, known.things()).filter(|_| read.arguments.is_none());
        // `number(3)` has parentheses, so a bare word was not meant to be one of these.
        let moves = known.moves().into_iter().filter(|name| read.arguments.is_some() || !KEY_WORDS.contains(name));
        return Some(Meaningless { reason, near: near_thing(read.option, moves).or_else(alone), help: None });
    }
    wrong_roles(known.program(), read).or_else(|| {
        let thing = read.things().map(|thing| share(thing).0).find(|word| !is_thing(word))?;
        let reason = format!("nothing is called `{thing}`");
        Some(Meaningless { reason, near: near_thing(thing, known.things()), help: None })
    })
}

/// Reports a wrong number of roles for every move of this name.
fn wrong_roles(program: &Program, key: Key) -> Option<Meaningless> {
    let named = || program.actions.iter().filter(|action| action.name == key.name);
    let written = key.arguments.map_or(0, |_| key.roles().count());
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
        roles => format!("`{}` takes {}, separated by `>`", action.name, joined(roles, "and")),
    };
    Some(Meaningless { reason, near: None, help: None })
}

/// Whether a word may denote something to choose; numbers always may.
fn is_thing(known: &impl Known, word: &str) -> bool {
    word.parse::<i64>().is_ok() || PLAIN.contains(&word) || known.has_thing(word)
}

/// The nearest known word, without the copy number.
fn near_thing<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<Near> {
    closest(word.split_once('#').map_or(word, |(id, _)| id), known)
}

/// Whether a word is a zone of the table, `meadow.2.3`, or of a side, `1.meadow.2.3`.
pub fn is_zone(program: &Program, word: &str) -> bool {
    let owned = word.split_once('.').map(|(_, zone)| zone);
    let mut zones = program.kinds.iter().flat_map(|kind| &kind.zones);
    zones.any(|zone| zone.name == word || Some(zone.name.as_str()) == owned)
}
