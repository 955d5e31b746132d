//! Events as lines for people: related events share a line, and internal ones are left out. `play`, `replay`, `serve`,
//! `preview` and others tell the story of a game with it.

pub use super::echoes::Line;
use super::echoes::{LineOrigin, without_echoes};
use super::screen::printable_line;
use crate::game::Seat;
use ludex_engine::problem::{count_alike, join_words};
use ludex_engine::runtime::keys::PASS;
use ludex_engine::runtime::{Event, EventKind, PieceView, Viewer, ZoneName};

/// Maximum number of identical dice that are listed one by one; more are counted.
const CROWD: usize = 8;

/// Whether an answer is not worth showing: a routine ruling of a referee, or a secret pass, which mostly means that there was no
/// other choice.
pub fn is_routine_answer(event: &Event, seats: &[Seat]) -> bool {
    let seat = event.by.and_then(|by| seats.get(by));
    let EventKind::Chose { key, .. } = &event.kind else { return false };
    let lets_go_by = key == PASS && event.seen_by(Viewer::Spectator).is_none();
    lets_go_by || seat.is_some_and(Seat::is_usual_referee)
}

/// The story of a run of events. `sides` holds the names of the sides. Events must already be filtered for their reader.
pub fn story_lines(events: &[Event], sides: &[String]) -> Vec<Line> {
    let mut lines = Vec::new();
    // Silent events must not separate events that belong together.
    let told: Vec<Event> = events.iter().filter(|event| !is_silent(event)).cloned().collect();
    let mut rest = told.as_slice();
    while let Some(first) = rest.first() {
        let alike = rest.iter().take_while(|event| shares_line(first, event)).count().max(1);
        let (run, after) = rest.split_at(alike);
        lines.extend(event_line(first, run, sides).map(|line| (line, line_origin(first))));
        rest = after;
    }
    without_echoes(lines)
}

fn line_origin(event: &Event) -> LineOrigin {
    match event.kind {
        EventKind::Chose { .. } => LineOrigin::Choice,
        EventKind::RolledPool { .. } => LineOrigin::Throw,
        _ => LineOrigin::Otherwise,
    }
}

/// Whether an event is shown on the same line as the first one of its run.
fn shares_line(first: &Event, event: &Event) -> bool {
    match (&first.kind, &event.kind) {
        (EventKind::Began { .. }, EventKind::Began { .. }) => true,
        (EventKind::Rolled { piece: one, .. }, EventKind::Rolled { piece: other, .. }) => {
            first.by == event.by && first.name == event.name && one.holder == other.holder
        }
        (EventKind::Moved { to: there, .. }, EventKind::Moved { to: here, .. }) => {
            let is_same = first.name == event.name && first.text == event.text;
            if is_built_in(first) { is_built_in(event) && there == here } else { is_same && !first.text.is_empty() }
        }
        (EventKind::Created { zone: there, .. }, EventKind::Created { zone: here, .. }) => there == here,
        _ => false,
    }
}

/// The line of a run of events that share one, of which `first` is the first; `None` if it is not shown.
fn event_line(first: &Event, run: &[Event], sides: &[String]) -> Option<Line> {
    match &first.kind {
        // Of nested parts that begin together, only the innermost is shown.
        EventKind::Began { .. } => run.last().map(|event| Line::Title(printable_line(&event.text))),
        EventKind::Ended { .. } | EventKind::Finished { .. } => None,
        _ if is_silent(first) => None,
        EventKind::Rolled { piece, .. } => {
            let who = piece.holder.clone().unwrap_or_else(|| side_or_table_name(first.by, sides));
            let rolled: Vec<String> = run.iter().filter_map(roll_text).collect();
            Some(Line::Plain(format!("{who} rolls {}", rolled.join(" "))))
        }
        EventKind::Moved { to, .. } if is_built_in(first) => {
            let moved = move_text(run);
            Some(Line::Plain(format!("{moved} → {}", zone_text(to, sides))))
        }
        EventKind::Created { zone: place, .. } => {
            Some(Line::Plain(format!("{} → {}", creation_text(run, sides), zone_text(place, sides))))
        }
        _ if first.text.is_empty() => None,
        _ => Some(Line::Plain(printable_line(&first.text))),
    }
}

/// Whether an event is a change of a value that the rules have not named; it is internal to them.
fn is_silent(event: &Event) -> bool {
    matches!(event.kind, EventKind::Set { .. }) && is_built_in(event)
}

/// Whether an event has a line in the story; titles do not count.
pub fn is_in_story(event: &Event) -> bool {
    !matches!(event.kind, EventKind::Began { .. }) && event_line(event, std::slice::from_ref(event), &[]).is_some()
}

/// Whether a change or a move has the name of its kind, because the rules have given it none.
fn is_built_in(event: &Event) -> bool {
    matches!(event.name.as_str(), "set" | "moved")
}

fn roll_text(event: &Event) -> Option<String> {
    match &event.kind {
        EventKind::Rolled { piece, value } => Some(format!("{}:{value}", piece.display_name())),
        _ => None,
    }
}

/// `d4 d8`; for several owners, `d4 d8 of Ann, d8 of Bob`.
fn creation_text(run: &[Event], sides: &[String]) -> String {
    let several = run.iter().any(|event| event.by != run.first().and_then(|first| first.by));
    let made = |event: &Event| if let EventKind::Created { piece, .. } = &event.kind { Some(piece.clone()) } else { None };
    let group = |group: &[Event]| {
        let by = group.first().and_then(|event| event.by).filter(|_| several);
        let of = by.map(|side| format!(" of {}", side_or_table_name(Some(side), sides))).unwrap_or_default();
        format!("{}{of}", pieces_text(&group.iter().filter_map(made).collect::<Vec<_>>()))
    };
    run.chunk_by(|one, next| one.by == next.by).map(group).collect::<Vec<_>>().join(", ")
}

/// `d4:1 d8:6`; with owners if they must be shown, `d4:1 of Ann, d8:6 d6 of Bob`.
fn move_text(run: &[Event]) -> String {
    let piece = |event: &Event| if let EventKind::Moved { piece, .. } = &event.kind { Some(piece.clone()) } else { None };
    let moved: Vec<PieceView> = run.iter().filter_map(piece).collect();
    let group = |group: &[PieceView]| {
        let of = group.first().and_then(|piece| piece.of.as_ref()).map(|of| format!(" of {of}")).unwrap_or_default();
        format!("{}{of}", pieces_text(group))
    };
    moved.chunk_by(|one, next| one.of == next.of).map(group).collect::<Vec<_>>().join(", ")
}

/// `d8:6 d4`; for pieces that are not dice, `2 × Fish, Eel and Stone`.
fn pieces_text(pieces: &[PieceView]) -> String {
    let shown = |piece: &PieceView| match piece.value {
        Some(value) => format!("{}:{value}", piece.display_name()),
        None => piece.display_name(),
    };
    let names: Vec<String> = pieces.iter().map(shown).collect();
    let is_crowd = names.len() > CROWD && names.iter().all(|name| Some(name) == names.first());
    match pieces.iter().all(|piece| piece.size.is_some()) {
        true if !is_crowd => names.join(" "),
        _ => join_words(&count_alike(names.iter().map(String::as_str)), "and"),
    }
}

/// A zone with its bearer, the piece or entrant that it belongs to, or else its side: `hand of Ann`.
fn zone_text(zone: &ZoneName, sides: &[String]) -> String {
    let words = &zone.words;
    match (&zone.bearer, zone.side) {
        (Some(bearer), _) => format!("{words} of {bearer}"),
        (None, Some(_)) => format!("{words} of {}", side_or_table_name(zone.side, sides)),
        (None, None) => words.clone(),
    }
}

/// The name of a side, or `the table` without one.
fn side_or_table_name(side: Option<usize>, sides: &[String]) -> String {
    side.and_then(|side| sides.get(side)).cloned().unwrap_or_else(|| "the table".to_string())
}

/// The cause of an event: the ability, the rules and the place.
pub fn cause_text(event: &Event, sides: &[String]) -> String {
    let cause = &event.cause;
    let ability = cause.ability.as_ref().map(|ability| match cause.of {
        Some(_) => format!("ability {ability} of {}", side_or_table_name(cause.of, sides)),
        None => format!("ability {ability}"),
    });
    let rules = match cause.rules.as_slice() {
        [] => None,
        [rule] => Some(format!("rule {rule}")),
        rules => Some(format!("rules {}", join_words(rules, "and"))),
    };
    let place = (!cause.file.is_empty()).then(|| match cause.line {
        0 => cause.file.clone(),
        line => format!("{}:{line}", cause.file),
    });
    let known: Vec<String> = [ability, rules, place].into_iter().flatten().collect();
    if known.is_empty() { "the game itself".to_string() } else { known.join(", ") }
}
