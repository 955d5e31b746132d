//! Compares the table with `then`.

use super::pieces::{self, Piece};
use super::{Bearer, Content, Ending, Outcome, Place};
use crate::scenario::events;
use crate::scenario::labels::Labels;
use ludex_engine::codes;
use ludex_engine::position::Spanned;
use ludex_engine::problem::{Edit, Problem, joined};
use ludex_engine::runtime::{Holder, Payoff, Pending, Session, SideView, UsesView, View, Viewer, ZoneView};
use ludex_engine::source::Span;
use ludex_engine::yaml::Written;
use std::collections::BTreeMap;

/// Shown for anything that the view hides.
const UNKNOWN: &str = "unknown here";

type Zones = BTreeMap<String, ZoneView>;
type Uses = BTreeMap<String, UsesView>;

/// One unmet expectation.
struct Difference {
    span: Span,
    what: String,
    expected: String,
    found: String,
    /// The found value as a file writes it, if that differs.
    write: Option<String>,
    help: Option<String>,
}

/// The data for a comparison.
struct Comparison<'a> {
    session: &'a Session,
    labels: &'a Labels,
    found: Vec<Difference>,
}

impl Ending {
    /// Words from the expected reason why play must not begin.
    pub fn refusal(&self) -> Option<&Spanned<String>> {
        self.refused.as_ref()
    }

    /// The unmet expectations, each as an edit to the current state.
    pub fn found(&self, session: &Session, labels: &Labels) -> Vec<Edit> {
        let edit = |one: Difference| {
            let is_whole = one.found.starts_with(['[', '{']);
            let text =
                one.write.unwrap_or_else(|| if is_whole { one.found.clone() } else { Written::value(&one.found).inline() });
            Edit { span: one.span, text }
        };
        self.differences(session, labels).into_iter().map(edit).collect()
    }

    /// The unmet expectations, as one problem that points at each place.
    pub fn unmet(&self, session: &Session, labels: &Labels) -> Option<Problem> {
        let found = self.differences(session, labels);
        let first = found.first()?;
        let mut message = format!("{} should be {}, but is {}", first.what, first.expected, first.found);
        if found.len() > 1 {
            message.push_str(&format!(", and {} more differ", found.len() - 1));
        }
        let problem = Problem::error(codes::SCENARIO_STATE, message);
        let problem = found.iter().find_map(|one| one.help.clone()).into_iter().fold(problem, Problem::help);
        Some(found.into_iter().fold(problem, |problem, one| problem.at(one.span, format!("found {}", one.found))))
    }

    fn differences(&self, session: &Session, labels: &Labels) -> Vec<Difference> {
        let view = session.view(Viewer::Trusted);
        let mut comparison = Comparison { session, labels, found: Vec::new() };
        for (side, place) in self.sides.iter().enumerate() {
            comparison.side(side, place, view.sides.get(side));
        }
        comparison.table(&self.table, &view);
        if let Some(outcome) = &self.outcome {
            comparison.outcome(outcome, session.pending());
        }
        if let Some(payoffs) = &self.payoffs {
            comparison.payoffs(payoffs, session.pending());
        }
        comparison.found
    }
}

impl Comparison<'_> {
    fn differ(&mut self, span: Span, what: String, expected: String, found: String) {
        if expected != found {
            self.found.push(Difference { span, what, expected, found, write: None, help: None });
        }
    }

    /// Like [`Comparison::check_equal`], for a value that a file writes differently.
    fn differ_as(&mut self, span: Span, what: String, expected: String, found: String, write: String) {
        if expected != found {
            self.found.push(Difference { span, what, expected, found, write: Some(write), help: None });
        }
    }

    /// Reports an expectation of a side that belongs to each of its entrants.
    fn of_each(&mut self, span: Span, what: String, expected: &str, found: String, write: String) {
        let help = Some(format!("write it with the entrant: `- {write}`"));
        self.found.push(Difference { span, what, expected: expected.to_string(), found, write: None, help });
    }

    fn side(&mut self, number: usize, place: &Place, view: Option<&SideView>) {
        let owner = format!(" of side {number}");
        for (Spanned { value: name, .. }, wanted) in &place.counters {
            let found = view.and_then(|view| view.counters.get(name).or_else(|| view.fields.get(name)));
            self.value(Holder::Side(number), name, &owner, wanted, found);
        }
        self.marks(place.marks.as_ref(), &owner, view.map(|view| &view.marks));
        self.entrants(number, &place.entrants, view);
        let nothing = Zones::new();
        for (Spanned { value: name, .. }, wanted) in &place.zones {
            match view.and_then(|view| with_entrants(view, name)) {
                Some(id) => {
                    let (what, write) = (format!("`{name}`{owner}"), format!("{id}: {{zones: {{{name}: […]}}}}"));
                    self.of_each(wanted.span, what, "one zone", "a zone of each entrant".to_string(), write);
                }
                None => self.zone(name, &owner, wanted, view.map_or(&nothing, |view| &view.zones)),
            }
        }
        for (Spanned { value: ability, .. }, wanted) in &place.used {
            self.used_by_side(ability, &owner, wanted, view);
        }
    }

    fn used_by_side(&mut self, ability: &str, owner: &str, wanted: &Spanned<i64>, view: Option<&SideView>) {
        let having = || view.into_iter().flat_map(|view| &view.each).filter(|each| each.uses.contains_key(ability));
        match (having().next(), having().count()) {
            (Some(first), count) if count > 1 => {
                let what = format!("the uses of `{ability}`{owner}");
                let write = format!("{}: {{used: {{{ability}: {}}}}}", first.id, wanted.value);
                self.of_each(wanted.span, what, &wanted.value.to_string(), format!("counted for {count} entrants"), write);
            }
            (only, _) => self.used(ability, owner, wanted, only.map(|each| &each.uses)),
        }
    }

    /// Entrants with one id are compared in the order in which the side brings them.
    fn entrants(&mut self, side: usize, wanted: &[Bearer], view: Option<&SideView>) {
        let each = view.map_or(&[][..], |view| &view.each);
        for (index, bearer) in wanted.iter().enumerate() {
            let before = wanted.iter().take(index).filter(|other| other.id.value == bearer.id.value).count();
            let place =
                each.iter().enumerate().filter(|(_, each)| each.id == bearer.id.value).nth(before).map(|(place, _)| place);
            self.entrant(Holder::Entrant(side, place.unwrap_or(each.len())), bearer, view);
        }
    }

    fn entrant(&mut self, holder: Holder, bearer: &Bearer, side: Option<&SideView>) {
        let Holder::Entrant(_, place) = holder else { return };
        let view = side.and_then(|side| side.each.get(place));
        let owner = format!(" of `{}`", bearer.id.value);
        for (Spanned { value: name, .. }, wanted) in &bearer.values {
            let found = view.and_then(|view| view.counters.get(name).or_else(|| view.fields.get(name)));
            self.value(holder, name, &owner, wanted, found);
        }
        self.marks(bearer.marks.as_ref(), &owner, view.map(|view| &view.marks));
        // The zones of a side's only entrant are listed with those of the side.
        let zones = view.zip(side).map(|(view, side)| if side.each.len() == 1 { &side.zones } else { &view.zones });
        let nothing = Zones::new();
        for (Spanned { value: name, .. }, wanted) in &bearer.zones {
            self.zone(name, &owner, wanted, zones.unwrap_or(&nothing));
        }
        for (Spanned { value: ability, .. }, wanted) in &bearer.used {
            self.used(ability, &owner, wanted, view.map(|view| &view.uses));
        }
    }

    fn marks(&mut self, wanted: Option<&Spanned<Vec<String>>>, owner: &str, borne: Option<&Vec<String>>) {
        let list = |marks: &[String]| format!("[{}]", marks.join(", "));
        if let Some(marks) = wanted {
            let borne = borne.map_or(UNKNOWN.to_string(), |borne| list(borne));
            self.differ(marks.span, format!("the marks{owner}"), list(&marks.value), borne);
        }
    }

    fn table(&mut self, place: &Place, view: &View) {
        for (Spanned { value: name, .. }, wanted) in &place.counters {
            self.value(Holder::Table, name, "", wanted, view.table.counters.get(name));
        }
        let is_list = |name: &str| self.session.held_in(Holder::Table, name).is_some_and(|held| held.list.is_some());
        let (lists, zones): (Vec<_>, Vec<_>) = place.zones.iter().partition(|(name, _)| is_list(&name.value));
        for (Spanned { value: name, .. }, wanted) in
            place.lists.iter().filter(|(name, _)| lists.iter().any(|(list, _)| list.span == name.span))
        {
            self.value(Holder::Table, name, "", wanted, view.table.counters.get(name));
        }
        for (Spanned { value: name, .. }, wanted) in zones {
            self.zone(name, "", wanted, &view.table.zones);
        }
    }

    /// Compares a counter or field. Views show it in readable form; for an entrant its key also works.
    fn value(&mut self, holder: Holder, name: &str, owner: &str, wanted: &Spanned<String>, found: Option<&String>) {
        let read = match wanted.value.as_str() {
            "true" => "yes".to_string(),
            "false" => "no".to_string(),
            words => words.replace('_', " "),
        };
        // Hidden values can be expected too.
        let held = self.session.held_in(holder, name).unwrap_or_default();
        let number = wanted.value.parse().ok();
        let is_side = number.is_some() && held.side == number;
        let is_piece = held.piece.is_some() && held.piece == self.labels.piece(&wanted.value);
        let words = found.unwrap_or(&held.words);
        let is_found =
            |wanted: &String| words == wanted || held.entrant.as_ref() == Some(wanted) || held.list.as_ref() == Some(wanted);
        if !is_found(&wanted.value) && !is_found(&read) && !is_side && !is_piece {
            let piece = held.piece.map(|piece| self.labels.name(piece));
            let known = (!words.is_empty()).then(|| words.clone());
            let found = held.entrant.or(piece).or(known).unwrap_or_else(|| UNKNOWN.to_string());
            self.differ(wanted.span, format!("`{name}`{owner}"), wanted.value.clone(), found);
        }
    }

    fn zone(&mut self, name: &str, owner: &str, wanted: &Spanned<Content>, zones: &Zones) {
        let what = format!("`{name}`{owner}");
        match (zones.get(name), &wanted.value) {
            (None, _) => self.differ(wanted.span, what, "a zone".to_string(), UNKNOWN.to_string()),
            (Some(zone), Content::Count(count)) => {
                let found = length(zone);
                self.differ_as(wanted.span, what, count.to_string(), found.to_string(), format!("{{count: {found}}}"));
            }
            (Some(ZoneView::Hidden { count, .. }), Content::Pieces(_)) => {
                self.differ(wanted.span, what, "seen".to_string(), format!("hidden, with {count} pieces"));
            }
            (Some(ZoneView::Seen(found)), Content::Pieces(expected)) => {
                if !pieces::same(self.labels, expected, &found.iter().collect::<Vec<_>>()) {
                    let found = list(found.iter().map(|piece| Piece::of(self.labels, piece, expected).shown()));
                    let expected = list(expected.iter().map(Piece::shown));
                    self.found.push(Difference { span: wanted.span, what, expected, found, write: None, help: None });
                }
            }
        }
    }

    fn used(&mut self, ability: &str, owner: &str, wanted: &Spanned<i64>, uses: Option<&Uses>) {
        let found = uses.and_then(|uses| self.times(uses, ability)).map_or(UNKNOWN.to_string(), |times| times.to_string());
        self.differ(wanted.span, format!("the uses of `{ability}`{owner}"), wanted.value.to_string(), found);
    }

    /// Number of uses of an ability, computed from the uses left.
    fn times(&self, uses: &Uses, ability: &str) -> Option<i64> {
        let left = uses.get(ability)?;
        let program = self.session.program();
        let limits = &program.abilities.get(program.ability(ability)? as usize)?.uses;
        let scope = |limit: u16| program.procedures.get(limit as usize).map(|procedure| procedure.name.as_str());
        let limit = limits.iter().find(|limit| scope(limit.per) == Some(left.per.as_str()))?;
        Some(i64::from(limit.times) - i64::from(left.left))
    }

    fn payoffs(&mut self, wanted: &Spanned<Vec<Payoff>>, pending: Pending<'_>) {
        let found = match pending {
            Pending::Finished(outcome) => outcome.payoffs.as_deref(),
            _ => None,
        };
        let shown = |payoffs: &[Payoff]| joined(&payoffs.iter().map(Payoff::to_string).collect::<Vec<_>>(), "and");
        let found = found.map_or("none".to_string(), shown);
        self.differ(wanted.span, "the payoff of each side".to_string(), shown(&wanted.value), found);
    }

    fn outcome(&mut self, wanted: &Spanned<Outcome>, pending: Pending<'_>) {
        let (found, winners) = match pending {
            Pending::Finished(outcome) => (events::result(outcome), outcome.winners.iter().map(|side| *side as i64).collect()),
            _ => ("none", Vec::new()),
        };
        let numbers = |sides: &[i64]| sides.iter().map(i64::to_string).collect::<Vec<_>>().join(" and ");
        let what = "the outcome".to_string();
        let found_text = if winners.is_empty() { found.to_string() } else { format!("{found} of side {}", numbers(&winners)) };
        let write = match winners.as_slice() {
            [] => found.to_string(),
            [winner] => format!("{{winner: {winner}}}"),
            winners => format!("{{winners: [{}]}}", winners.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")),
        };
        let expected = match &wanted.value {
            Outcome::Open => "none".to_string(),
            Outcome::Result(result) if *result == found => return,
            Outcome::Result(result) => result.clone(),
            Outcome::Winners(sides) if *sides == winners => return,
            Outcome::Winners(sides) => format!("the win of side {}", numbers(sides)),
        };
        self.differ_as(wanted.span, what, expected, found_text, write);
    }
}

/// The id of the first entrant with a zone that the side itself lacks.
fn with_entrants<'v>(view: &'v SideView, zone: &str) -> Option<&'v str> {
    let found = view.each.iter().find(|each| each.zones.contains_key(zone));
    found.filter(|_| !view.zones.contains_key(zone)).map(|each| each.id.as_str())
}

fn length(zone: &ZoneView) -> usize {
    match zone {
        ZoneView::Seen(pieces) => pieces.len(),
        ZoneView::Hidden { count, .. } => *count,
    }
}

pub(super) fn list(pieces: impl Iterator<Item = String>) -> String {
    format!("[{}]", pieces.collect::<Vec<_>>().join(", "))
}
