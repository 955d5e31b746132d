//! Events in the form that scenarios use: a kind, arguments in order, and the side concerned.
//!
//! An event can have several forms, its readings, because authors may leave parts out: `set(health, 5)` or `set(otter, health,
//! 5)`. A pattern matches if it matches one of them.

use super::labels::Labels;
use ludex_engine::program::Program;
use ludex_engine::runtime::{Bearer, Event, EventKind, Outcome};

/// An event reduced to the parts that a pattern can match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchableEvent {
    pub kind: String,
    /// The side concerned: the owner of the thing that changes, or the side that chose.
    pub by: Option<usize>,
    /// The arguments in their possible forms. The first form is the one shown.
    pub readings: Vec<Vec<Argument>>,
}

/// One argument of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// By its number, for which a scenario may have a name.
    Piece(usize),
    /// The key of an option.
    Key(String),
    /// A name, a number, or a text.
    Word(String),
}

impl MatchableEvent {
    pub fn from_event(event: &Event) -> MatchableEvent {
        MatchableEvent { kind: event.name.clone(), by: event.by, readings: event_readings(event) }
    }

    /// The numbers of the pieces in its shown form.
    pub fn piece_numbers(&self) -> impl Iterator<Item = usize> {
        let arguments = self.readings.first().map_or(&[][..], Vec::as_slice);
        arguments.iter().filter_map(|argument| match argument {
            Argument::Piece(piece) => Some(*piece),
            Argument::Key(_) | Argument::Word(_) => None,
        })
    }

    /// The pattern that matches it. It uses the first form, and the scenario's names of pieces.
    pub fn pattern_text(&self, program: &Program, labels: &Labels) -> String {
        let arguments = self.readings.first().map_or(&[][..], Vec::as_slice);
        let words = arguments.iter().map(|argument| match argument {
            Argument::Piece(piece) => labels.piece_name(*piece),
            Argument::Key(key) => labels.scenario_key(program, key),
            Argument::Word(word) if word.contains([' ', ',']) => format!("\"{word}\""),
            Argument::Word(word) => word.clone(),
        });
        let mut inner = words.collect::<Vec<_>>().join(", ");
        if let Some(side) = self.by {
            inner.push_str(if inner.is_empty() { "by " } else { " by " });
            inner.push_str(&side.to_string());
        }
        if inner.is_empty() { self.kind.clone() } else { format!("{}({inner})", self.kind) }
    }
}

/// Whether an event only marks the start or end of a scope, which few scenarios check.
pub fn is_scope_event(kind: &str) -> bool {
    kind == "began" || kind == "ended"
}

/// Whether an event is an answer, including one that was given without asking.
pub fn is_answer(kind: &str) -> bool {
    kind == "chose"
}

/// The forms of an event's arguments, the one to show first.
fn event_readings(event: &Event) -> Vec<Vec<Argument>> {
    let word = |word: &str| Argument::Word(word.to_string());
    let arguments = match &event.kind {
        EventKind::Rolled { piece, value } => vec![Argument::Piece(piece.id), Argument::Word(value.to_string())],
        EventKind::RolledPool { size, values } => {
            std::iter::once(size).chain(values).map(|number| Argument::Word(number.to_string())).collect()
        }
        EventKind::Moved { piece, to, .. } => vec![Argument::Piece(piece.id), word(&to.zone)],
        EventKind::Set { name, value, change, piece, entrant, .. } => {
            let piece = piece.as_ref().map(|piece| Argument::Piece(piece.id));
            let entrant = entrant.as_ref().map(|entrant| Argument::Word(entrant.clone()));
            let mut readings = set_readings(event, name, value, entrant.clone().or(piece.clone()));
            if let Some(members) = value.strip_prefix('[').and_then(|value| value.strip_suffix(']')) {
                return expand_lists(readings, &Argument::Word(value.clone()), members);
            }
            if let Some((amount, less)) = change {
                let words = format!("{amount} {}", if *less { "less" } else { "more" });
                readings.extend(set_readings(event, name, &words, entrant.clone().or(piece.clone())));
            }
            return readings;
        }
        // The bearer of the mark may be left out.
        EventKind::Marked { bearer, mark, .. } | EventKind::Unmarked { bearer, mark, .. } => match bearer {
            Bearer::Entrant { entrant } => return vec![vec![word(entrant), word(mark)], vec![word(mark)]],
            Bearer::Piece { piece } => vec![Argument::Piece(piece.id), word(mark)],
        },
        EventKind::Created { piece, zone, .. } => vec![Argument::Piece(piece.id), word(&zone.zone)],
        EventKind::Removed { piece } => vec![Argument::Piece(piece.id)],
        EventKind::Drawn { pieces } | EventKind::Shown { pieces } => {
            pieces.iter().map(|piece| Argument::Piece(piece.id)).collect()
        }
        EventKind::Left { side } => vec![Argument::Word(side.to_string())],
        EventKind::Shuffled { zone, .. } => vec![word(&zone.zone)],
        EventKind::Chose { key, .. } => vec![Argument::Key(key.clone())],
        EventKind::Used { ability, .. } => vec![word(ability)],
        EventKind::Said => vec![word(&event.text)],
        EventKind::Began { scope } | EventKind::Ended { scope } => vec![word(scope)],
        EventKind::Finished { outcome } => vec![word(result_word(outcome)), Argument::Word(winners_text(outcome))],
    };
    vec![arguments]
}

/// The forms of a change of a counter or field of a piece or entrant (`of`), or of a side or the table. An event with a name from
/// the rules may leave out the field's name.
fn set_readings(event: &Event, name: &str, value: &str, of: Option<Argument>) -> Vec<Vec<Argument>> {
    let name = Argument::Word(name.to_string());
    let value = Argument::Word(value.to_string());
    let named = event.name != "set";
    let mut readings = match of {
        Some(of) if named => vec![vec![of.clone(), value.clone()], vec![of, name.clone(), value.clone()]],
        Some(of) => vec![vec![of, name.clone(), value.clone()]],
        None => Vec::new(),
    };
    if named {
        readings.push(vec![value.clone()]);
    }
    readings.push(vec![name, value]);
    readings
}

/// Lists the members of a list one after the other, like dice rolled together. `value` is the whole list as one argument, which
/// is replaced in each form.
fn expand_lists(readings: Vec<Vec<Argument>>, value: &Argument, members: &str) -> Vec<Vec<Argument>> {
    let members: Vec<Argument> =
        members.split(", ").filter(|member| !member.is_empty()).map(|member| Argument::Word(member.to_string())).collect();
    let side_by_side = |reading: Vec<Argument>| {
        reading.into_iter().flat_map(|one| if one == *value { members.clone() } else { vec![one] }).collect()
    };
    readings.into_iter().map(side_by_side).collect()
}

/// The word for how play ended.
pub fn result_word(outcome: &Outcome) -> &'static str {
    use ludex_engine::runtime::OutcomeResult;
    match outcome.result {
        OutcomeResult::Win => "win",
        OutcomeResult::Tie => "tie",
        OutcomeResult::Abandoned => "abandoned",
        OutcomeResult::Nobody => "nobody",
        OutcomeResult::Capped => "capped",
    }
}

fn winners_text(outcome: &Outcome) -> String {
    outcome.winners.iter().map(usize::to_string).collect::<Vec<_>>().join("+")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::runtime::{Audience, Cause, OutcomeResult, PieceView};

    fn told(name: &str, by: Option<usize>, kind: EventKind) -> String {
        let text = "both roll again".to_string();
        let event = Event { number: 1, name: name.to_string(), kind, by, cause: Cause::default(), text, audience: Audience::All };
        let labels = Labels::new([("a".to_string(), 3)].into());
        MatchableEvent::from_event(&event).pattern_text(&Program::default(), &labels)
    }

    #[test]
    fn events_are_shown_as_patterns() {
        let piece = || PieceView { id: 3, kind: "die".to_string(), size: Some(6), value: Some(5), ..PieceView::default() };
        assert_eq!(told("rolled", Some(0), EventKind::Rolled { piece: piece(), value: 5 }), "rolled(a, 5 by 0)");
        assert_eq!(told("removed", None, EventKind::Removed { piece: piece() }), "removed(a)");
        assert_eq!(told("said", None, EventKind::Said), "said(\"both roll again\")");
        let outcome = Outcome { result: OutcomeResult::Win, winners: vec![1], scores: Vec::new(), payoffs: None, text: None };
        assert_eq!(told("finished", Some(1), EventKind::Finished { outcome }), "finished(win, 1 by 1)");
        assert_eq!(
            told("chose", Some(1), EventKind::Chose { key: "hop(3>4)".to_string(), decision: 1 }),
            "chose(hop(3 > 4) by 1)"
        );
    }
}
