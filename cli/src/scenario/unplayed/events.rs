//! Expected events that can never happen.
//!
//! The arguments of an event's kind have fixed roles, such as a piece and then a zone; each word is checked for its role.

use crate::scenario::meaning::{KnownNames, find_meaningless};
use crate::scenario::pattern::{Pattern, Word};
use crate::scenario::vocabulary::Names;
use ludex_engine::codes;
use ludex_engine::position::Spanned;
use ludex_engine::problem::{Near, Problem, closest_match};
use std::collections::BTreeSet;

/// The role of an event's argument.
#[derive(Clone, Copy)]
enum Role {
    Piece,
    Zone,
    Mark,
    /// The bearer of a mark, or the mark itself.
    Bearer,
    Number,
    Key,
    Ability,
    Scope,
    Result,
    /// Any name of the game.
    Named,
    /// Arbitrary words.
    Words,
}

/// The possible results of play.
const RESULTS: [&str; 5] = ["win", "tie", "nobody", "abandoned", "capped"];

/// Returns what is wrong with an expected event, independent of play. Only the kind, the side, the number of arguments and
/// their names are checked.
pub fn event_problem(names: &Names, pattern: &Spanned<Pattern>) -> Option<Problem> {
    let Spanned { value: Pattern { kind, arguments, by }, span } = pattern;
    if !names.game.events.contains(kind.as_str()) {
        let problem =
            Problem::error(codes::UNKNOWN_EVENT, format!("there is no event `{kind}`")).with_label(*span, "never happens");
        return Some(match closest_match(kind, names.game.events.iter().copied()) {
            Some(near) => problem.suggest_near(near),
            None => {
                problem.help("events have the names that the rules give with `as`, or those of their kinds, such as `rolled`")
            }
        });
    }
    let never =
        |remark: String| Problem::error(codes::NEVER_MET, format!("`{}` never happens", pattern.value)).with_label(*span, remark);
    let seats = names.sides + usize::from(names.game.program.referee.is_some());
    if let Some(side) = by.filter(|side| *side >= seats) {
        return Some(never(format!("there is no side {side}")));
    }
    let (roles, rest) = argument_roles(kind);
    if let Some(more) = arguments.get(roles.len()).filter(|_| rest.is_none()) {
        let count = if roles.len() == 1 { "one thing".to_string() } else { format!("{} things", roles.len()) };
        return Some(never(format!("`{kind}` lists {count}, and `{}` is one more", more.text)));
    }
    let roles = roles.iter().copied().chain(std::iter::repeat(rest.unwrap_or(Role::Words)));
    let (remark, near) = arguments.iter().zip(roles).find_map(|(word, role)| check_word(names, word, role))?;
    Some(near.into_iter().fold(never(remark), Problem::suggest_near))
}

/// The roles of the arguments for a kind of events, and the role of any further ones, if their number is open.
fn argument_roles(kind: &str) -> (&'static [Role], Option<Role>) {
    match kind {
        "rolled" => (&[Role::Piece, Role::Number], None),
        "rolled_pool" => (&[], Some(Role::Number)),
        "moved" | "created" => (&[Role::Piece, Role::Zone], None),
        "set" => (&[Role::Named, Role::Named, Role::Words], None),
        "marked" | "unmarked" => (&[Role::Bearer, Role::Mark], None),
        "removed" => (&[Role::Piece], None),
        "drawn" | "shown" => (&[], Some(Role::Piece)),
        "left" => (&[Role::Number], None),
        "shuffled" => (&[Role::Zone], None),
        "chose" => (&[Role::Key], None),
        "used" => (&[Role::Ability], None),
        "said" => (&[Role::Words], None),
        "began" | "ended" => (&[Role::Scope], None),
        "finished" => (&[Role::Result, Role::Words], None),
        // Events named by the rules may be of any kind.
        _ => (&[Role::Named, Role::Named, Role::Words], Some(Role::Words)),
    }
}

/// Why a word can have no such role, and what may be meant.
fn check_word(names: &Names, word: &Word, role: Role) -> Option<(String, Option<Near>)> {
    let (text, game) = (word.text.as_str(), names.game);
    let is_number = text.trim_start_matches(['+', '-']).parse::<f64>().is_ok();
    let of = |known: &BTreeSet<&str>, what: &str| {
        let near = closest_match(text, known.iter().copied());
        (!known.contains(text)).then(|| (format!("there is no {what} `{text}`"), near))
    };
    match role {
        Role::Words => None,
        Role::Number => (!is_number).then(|| (format!("`{text}` is not a number"), None)),
        Role::Zone => of(&game.zones, "zone"),
        Role::Mark => of(&game.marks, "mark"),
        Role::Ability => of(&game.abilities, "ability"),
        Role::Scope => of(&game.scopes, "scope"),
        Role::Result => of(&RESULTS.into_iter().collect(), "result"),
        Role::Key => find_meaningless(names, text).map(|found| (found.reason, found.near)),
        Role::Piece if is_number || names.has_piece(text) => None,
        Role::Piece => {
            let near = closest_match(text, names.known_pieces());
            Some((format!("nothing is called `{text}`"), near))
        }
        Role::Bearer if text.starts_with("side ") || game.marks.contains(text) => None,
        Role::Bearer | Role::Named => check_name(names, word),
    }
}

/// Checks a name of any sort. Only words in the form of names can be misspelt ones. Other words may be values or titles, which
/// are not checked.
fn check_name(names: &Names, word: &Word) -> Option<(String, Option<Near>)> {
    let (text, game) = (word.text.as_str(), names.game);
    let is_written_so = !word.quoted && text.starts_with(|sign: char| sign.is_ascii_lowercase());
    let is_name = is_written_so && text.chars().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-' | '#'));
    if !is_name || ["none", "yes", "no"].contains(&text) || names.has_piece(text) {
        return None;
    }
    let sorts = [&game.fields, &game.zones, &game.marks, &game.abilities, &game.scopes];
    if sorts.iter().any(|sort| sort.contains(text)) || names.occurs_in_text(text) {
        return None;
    }
    let known = sorts.iter().flat_map(|sort| sort.iter().copied()).chain(names.known_things());
    let near = closest_match(text, known);
    Some((format!("nothing is called `{text}`"), near))
}
