//! Whether a key can mean anything in a game: of what is misspelt it is always true that it is not possible.

use super::labels::Labels;
use ludex_engine::problem::{joined, nearest};
use ludex_engine::program::Program;
use ludex_engine::runtime::Session;
use ludex_engine::runtime::keys::{KEY_WORDS, Key, PASS, share, things};

/// What may stand in a key in every game.
const PLAIN: [&str; 3] = ["none", "yes", "no"];

/// Why a key names nothing that the game has, and what may be meant.
pub struct Meaningless {
    pub reason: String,
    pub help: Option<String>,
}

/// What is wrong with a key that can be no option of any question.
pub fn meaningless(session: &Session, key: &str, labels: &Labels) -> Option<Meaningless> {
    let program = session.program();
    let written: String = key.chars().filter(|sign| !sign.is_whitespace()).collect();
    let is_thing = |word: &str| is_thing(session, word, labels);
    let Some(read) = Key::read(&written) else {
        return Some(Meaningless {
            reason: format!("`{key}` is not a key"),
            help: Some("write it as in `name(a+b > c)`".to_string()),
        });
    };
    // Things alone are chosen: `a+b` is `choose(a+b)`.
    if read.arguments.is_none() && things(&written).all(is_thing) {
        return None;
    }
    let moves = || moves(program).chain(KEY_WORDS).chain([PASS]);
    if !moves().any(|name| name == read.name) {
        let reason = format!("there is no move called `{}`", read.name);
        return Some(Meaningless { reason, help: did_you_mean(read.name, moves()) });
    }
    wrong_roles(program, read).or_else(|| {
        let thing = read.things().map(|thing| share(thing).0).find(|word| !is_thing(word))?;
        Some(Meaningless { reason: format!("nothing is called `{thing}`"), help: did_you_mean(thing, labels.known()) })
    })
}

/// The names of all actions and offers.
fn moves(program: &Program) -> impl Iterator<Item = &str> {
    let actions = program.actions.iter().map(|action| action.name.as_str());
    actions.chain(program.clauses.iter().map(|clause| clause.name.as_str()))
}

/// More or fewer things than any move of this name takes.
fn wrong_roles(program: &Program, key: Key) -> Option<Meaningless> {
    let named = || program.actions.iter().filter(|action| action.name == key.name);
    let written = key.arguments.map_or(0, |_| key.roles().count());
    // An offer, whose key has no roles, may bear the name of an action.
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
    Some(Meaningless { reason, help: None })
}

/// Whether a word may stand for something that is chosen: a number, a name of the scenario, an entrant, a card or a part of
/// one, a word of the rules, a zone.
fn is_thing(session: &Session, word: &str, labels: &Labels) -> bool {
    let program = session.program();
    let id = word.split_once('#').map_or(word, |(id, _)| id);
    word.parse::<i64>().is_ok()
        || PLAIN.contains(&word)
        || labels.knows(word)
        || session.sheet_called(word).is_some()
        || program.prints.prints.iter().any(|print| print.id == id)
        || program.words.iter().flat_map(|words| &words.words).any(|known| known == word)
        || is_zone(program, word)
}

/// A zone of the table, `meadow.2.3`, or of somebody else, `1.meadow.2.3`.
fn is_zone(program: &Program, word: &str) -> bool {
    let owned = word.split_once('.').map(|(_, zone)| zone);
    let mut zones = program.kinds.iter().flat_map(|kind| &kind.zones);
    zones.any(|zone| zone.name == word || Some(zone.name.as_str()) == owned)
}

fn did_you_mean<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Option<String> {
    nearest(word, known).map(|near| format!("did you mean `{near}`?"))
}
