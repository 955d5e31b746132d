//! Reads lists of cards: the ids of their sheets, with counts.
//!
//! A card is a piece that is printed on a sheet of its own. The lists are in the files of decks and other entrants, and in
//! positions.

use super::MOST_CARDS;
use ludex_program::{PrintedPiece, Program, Value, ZoneInfo};
use ludex_syntax::codes;
use ludex_syntax::problem::{Near, Problem, closest_match};
use ludex_syntax::source::Span;
use ludex_syntax::yaml::{Node, Value as Yaml};

/// Reads the cards of a zone: `{otter: 2, newt: 1}`, or `[otter, otter, newt]`. An empty list is an error if the zone's line is
/// required.
pub fn read_cards(program: &Program, zone: &ZoneInfo, node: &Node, problems: &mut Vec<Problem>) -> Vec<PrintedPiece> {
    let what = format!("`{}`", zone.name);
    let mut pieces = Vec::new();
    let before = problems.len();
    match &node.value {
        Yaml::Map(entries) => {
            for (key, count) in entries {
                let piece = find_card(program, zone, &key.name, key.span, problems);
                let count = count.as_number(problems, &format!("the number of `{}`", key.name), 0..=MOST_CARDS as i64);
                pieces.extend(piece.into_iter().flat_map(|piece| vec![piece; count.unwrap_or(0) as usize]));
            }
        }
        _ => {
            let Some(list) = node.as_list(problems, &what) else { return pieces };
            pieces.extend(list.iter().filter_map(|node| read_card_id(program, zone, node, problems)));
        }
    }
    if pieces.is_empty() && !zone.optional && problems.len() == before && !may_name_unread(program, node) {
        let problem = Problem::error(codes::LIST_LENGTH, format!("{what} is empty")).with_label(node.span, "lists nothing");
        problems.push(problem.help(format!("list at least one, as in `{}: {{{}: 1}}`", zone.name, example_card(program))));
    }
    pieces
}

/// Whether a list names a card that may be in an unreadable file, so that it is not really empty.
fn may_name_unread(program: &Program, node: &Node) -> bool {
    let unread = &program.prints.unread;
    match &node.value {
        Yaml::Map(entries) => entries.iter().any(|(key, _)| unread.may_contain(&key.name)),
        Yaml::List(list) => list.iter().any(|node| matches!(&node.value, Yaml::Text(id) if unread.may_contain(id))),
        _ => false,
    }
}

/// The id of a card, for examples in messages.
fn example_card(program: &Program) -> &str {
    program.prints.ids.keys().next().map_or("otter", String::as_str)
}

/// Reads one card by the id of its sheet.
pub fn read_card_id(program: &Program, zone: &ZoneInfo, node: &Node, problems: &mut Vec<Problem>) -> Option<PrintedPiece> {
    let id = match &node.value {
        Yaml::Number(number) => number.to_string(),
        _ => node.as_text(problems, &format!("what is in `{}`", zone.name))?.to_string(),
    };
    find_card(program, zone, &id, node.span, problems)
}

/// The card with an id, if the zone can hold it. An id that may be in an unreadable file is not reported.
fn find_card(program: &Program, zone: &ZoneInfo, id: &str, span: Span, problems: &mut Vec<Problem>) -> Option<PrintedPiece> {
    let Some(print) = program.prints.ids.get(id).copied() else {
        problems.extend((!program.prints.unread.may_contain(id)).then(|| unknown_card_problem(program, id, span)));
        return None;
    };
    let kind = print_kind(program, print);
    if kind != Some(zone.holds) {
        let holds = &program.kind(zone.holds).plural;
        let problem = Problem::error(codes::PIECE_KIND, format!("`{}` holds {holds}, but `{id}` is not one of them", zone.name));
        problems.push(problem.with_label(span, "another kind of thing"));
        return None;
    }
    Some(PrintedPiece { kind: zone.holds, size: 0, print: Some(print), marks: 0 })
}

/// The kind of the pieces with this print.
fn print_kind(program: &Program, print: Value) -> Option<u16> {
    let sheet = program.prints.find_print(print)?.sheet;
    program.prints.sheets.get(usize::from(sheet))?.kind
}

/// The error for an id that no card has.
fn unknown_card_problem(program: &Program, id: &str, span: Span) -> Problem {
    let prints = &program.prints;
    let problem =
        Problem::error(codes::UNKNOWN_ENTRANT, format!("there is no `{id}` in this game")).with_label(span, "not known");
    let named = prints
        .ids
        .iter()
        .find(|(_, print)| prints.print_name(**print).eq_ignore_ascii_case(id))
        .map(|(named, _)| Near::sole_match(id, named));
    match named.or_else(|| closest_match(id, prints.ids.keys().map(String::as_str))) {
        Some(near) => problem.suggest_near(near),
        None => problem.help("cards are named after their files, or by their keys under `sheets:`"),
    }
}
