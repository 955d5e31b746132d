//! Compares the table with `then`.
//!
//! Everything is compared as text: an expectation as the file has it, and the state as a view shows it. The view is that of a
//! trusted viewer, and the session is asked for hidden values. A difference also says how to write the found value, for `test
//! --update`.

use super::pieces::{self, ExpectedPiece};
use super::{Ending, ExpectedContent, ExpectedEntrant, ExpectedOutcome, ExpectedPlace};
use crate::scenario::events;
use crate::scenario::labels::Labels;
use ludex_engine::codes;
use ludex_engine::position::Spanned;
use ludex_engine::problem::{Edit, Problem, join_words};
use ludex_engine::runtime::{Holder, Payoff, Pending, Session, SideView, UsesView, View, Viewer, ZoneView};
use ludex_engine::source::Span;
use ludex_engine::yaml::OutputValue;
use std::collections::BTreeMap;

/// Shown for anything that the view hides.
const UNKNOWN: &str = "unknown here";

type Zones = BTreeMap<String, ZoneView>;
type Uses = BTreeMap<String, UsesView>;

/// One unmet expectation.
struct Difference {
    span: Span,
    /// The thing that differs, for messages: `the marks of side 0`.
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
    pub fn expected_refusal(&self) -> Option<&Spanned<String>> {
        self.refused.as_ref()
    }

    /// The unmet expectations, each as an edit to the current state.
    pub fn update_edits(&self, session: &Session, labels: &Labels) -> Vec<Edit> {
        let edit = |one: Difference| {
            let is_whole = one.found.starts_with(['[', '{']);
            let text = one
                .write
                .unwrap_or_else(|| if is_whole { one.found.clone() } else { OutputValue::from_value(&one.found).inline_text() });
            Edit { span: one.span, text }
        };
        self.find_differences(session, labels).into_iter().map(edit).collect()
    }

    /// The unmet expectations, as one problem that points at each place.
    pub fn unmet_problem(&self, session: &Session, labels: &Labels) -> Option<Problem> {
        let found = self.find_differences(session, labels);
        let first = found.first()?;
        let mut message = format!("{} should be {}, but is {}", first.what, first.expected, first.found);
        if found.len() > 1 {
            message.push_str(&format!(", and {} more differ", found.len() - 1));
        }
        let problem = Problem::error(codes::SCENARIO_STATE, message);
        let problem = found.iter().find_map(|one| one.help.clone()).into_iter().fold(problem, Problem::help);
        Some(found.into_iter().fold(problem, |problem, one| problem.with_label(one.span, format!("found {}", one.found))))
    }

    fn find_differences(&self, session: &Session, labels: &Labels) -> Vec<Difference> {
        let view = session.view(Viewer::Trusted);
        let mut comparison = Comparison { session, labels, found: Vec::new() };
        for (side, place) in self.sides.iter().enumerate() {
            comparison.compare_side(side, place, view.sides.get(side));
        }
        comparison.compare_table(&self.table, &view);
        if let Some(outcome) = &self.outcome {
            comparison.compare_outcome(outcome, session.pending());
        }
        if let Some(payoffs) = &self.payoffs {
            comparison.compare_payoffs(payoffs, session.pending());
        }
        comparison.found
    }
}

impl Comparison<'_> {
    /// Notes a difference unless both texts are equal.
    fn check_equal(&mut self, span: Span, what: String, expected: String, found: String) {
        if expected != found {
            self.found.push(Difference { span, what, expected, found, write: None, help: None });
        }
    }

    /// Like [`Comparison::check_equal`], for a value that a file writes differently.
    fn check_equal_as(&mut self, span: Span, what: String, expected: String, found: String, write: String) {
        if expected != found {
            self.found.push(Difference { span, what, expected, found, write: Some(write), help: None });
        }
    }

    /// Reports an expectation of a side that belongs to each of its entrants. `write` shows where the expectation belongs.
    fn report_entrant_expectation(&mut self, span: Span, what: String, expected: &str, found: String, write: String) {
        let help = Some(format!("write it with the entrant: `- {write}`"));
        self.found.push(Difference { span, what, expected: expected.to_string(), found, write: None, help });
    }

    fn compare_side(&mut self, number: usize, place: &ExpectedPlace, view: Option<&SideView>) {
        let owner = format!(" of side {number}");
        for (Spanned { value: name, .. }, wanted) in &place.counters {
            let found = view.and_then(|view| view.counters.get(name).or_else(|| view.fields.get(name)));
            self.compare_value(Holder::Side(number), name, &owner, wanted, found);
        }
        self.compare_marks(place.marks.as_ref(), &owner, view.map(|view| &view.marks));
        self.compare_entrants(number, &place.entrants, view);
        let nothing = Zones::new();
        for (Spanned { value: name, .. }, wanted) in &place.zones {
            match view.and_then(|view| entrant_with_zone(view, name)) {
                Some(id) => {
                    let (what, write) = (format!("`{name}`{owner}"), format!("{id}: {{zones: {{{name}: […]}}}}"));
                    self.report_entrant_expectation(wanted.span, what, "one zone", "a zone of each entrant".to_string(), write);
                }
                None => self.compare_zone(name, &owner, wanted, view.map_or(&nothing, |view| &view.zones)),
            }
        }
        for (Spanned { value: ability, .. }, wanted) in &place.used {
            self.compare_side_uses(ability, &owner, wanted, view);
        }
    }

    /// The uses of an ability are counted by entrant, so they may be written at the side only if one of its entrants has it.
    fn compare_side_uses(&mut self, ability: &str, owner: &str, wanted: &Spanned<i64>, view: Option<&SideView>) {
        let having = || view.into_iter().flat_map(|view| &view.each).filter(|each| each.uses.contains_key(ability));
        match (having().next(), having().count()) {
            (Some(first), count) if count > 1 => {
                let what = format!("the uses of `{ability}`{owner}");
                let write = format!("{}: {{used: {{{ability}: {}}}}}", first.id, wanted.value);
                self.report_entrant_expectation(
                    wanted.span,
                    what,
                    &wanted.value.to_string(),
                    format!("counted for {count} entrants"),
                    write,
                );
            }
            (only, _) => self.compare_uses(ability, owner, wanted, only.map(|each| &each.uses)),
        }
    }

    /// Entrants with one id are compared in the order in which the side brings them.
    fn compare_entrants(&mut self, side: usize, wanted: &[ExpectedEntrant], view: Option<&SideView>) {
        let each = view.map_or(&[][..], |view| &view.each);
        for (index, bearer) in wanted.iter().enumerate() {
            let before = wanted.iter().take(index).filter(|other| other.id.value == bearer.id.value).count();
            let place =
                each.iter().enumerate().filter(|(_, each)| each.id == bearer.id.value).nth(before).map(|(place, _)| place);
            self.compare_entrant(Holder::Entrant(side, place.unwrap_or(each.len())), bearer, view);
        }
    }

    /// `holder` is the entrant, by its place among those of its side; it may be past the end, if the side does not bring it.
    fn compare_entrant(&mut self, holder: Holder, bearer: &ExpectedEntrant, side: Option<&SideView>) {
        let Holder::Entrant(_, place) = holder else { return };
        let view = side.and_then(|side| side.each.get(place));
        let owner = format!(" of `{}`", bearer.id.value);
        for (Spanned { value: name, .. }, wanted) in &bearer.values {
            let found = view.and_then(|view| view.counters.get(name).or_else(|| view.fields.get(name)));
            self.compare_value(holder, name, &owner, wanted, found);
        }
        self.compare_marks(bearer.marks.as_ref(), &owner, view.map(|view| &view.marks));
        // The zones of a side's only entrant are listed with those of the side.
        let zones = view.zip(side).map(|(view, side)| if side.each.len() == 1 { &side.zones } else { &view.zones });
        let nothing = Zones::new();
        for (Spanned { value: name, .. }, wanted) in &bearer.zones {
            self.compare_zone(name, &owner, wanted, zones.unwrap_or(&nothing));
        }
        for (Spanned { value: ability, .. }, wanted) in &bearer.used {
            self.compare_uses(ability, &owner, wanted, view.map(|view| &view.uses));
        }
    }

    /// `owner` ends the name of the thing in messages; `borne` are the marks found, if the bearer is known.
    fn compare_marks(&mut self, wanted: Option<&Spanned<Vec<String>>>, owner: &str, borne: Option<&Vec<String>>) {
        let list = |marks: &[String]| format!("[{}]", marks.join(", "));
        if let Some(marks) = wanted {
            let borne = borne.map_or(UNKNOWN.to_string(), |borne| list(borne));
            self.check_equal(marks.span, format!("the marks{owner}"), list(&marks.value), borne);
        }
    }

    /// An entry with a list is compared as a field if the table has a list field of that name, and as a zone otherwise.
    fn compare_table(&mut self, place: &ExpectedPlace, view: &View) {
        for (Spanned { value: name, .. }, wanted) in &place.counters {
            self.compare_value(Holder::Table, name, "", wanted, view.table.counters.get(name));
        }
        let is_list = |name: &str| self.session.field_of_holder(Holder::Table, name).is_some_and(|held| held.list.is_some());
        let (lists, zones): (Vec<_>, Vec<_>) = place.zones.iter().partition(|(name, _)| is_list(&name.value));
        for (Spanned { value: name, .. }, wanted) in
            place.lists.iter().filter(|(name, _)| lists.iter().any(|(list, _)| list.span == name.span))
        {
            self.compare_value(Holder::Table, name, "", wanted, view.table.counters.get(name));
        }
        for (Spanned { value: name, .. }, wanted) in zones {
            self.compare_zone(name, "", wanted, &view.table.zones);
        }
    }

    /// Compares a counter or field. Views show it in readable form; for an entrant its key also works.
    fn compare_value(&mut self, holder: Holder, name: &str, owner: &str, wanted: &Spanned<String>, found: Option<&String>) {
        let read = match wanted.value.as_str() {
            "true" => "yes".to_string(),
            "false" => "no".to_string(),
            words => words.replace('_', " "),
        };
        // Hidden values can be expected too.
        let held = self.session.field_of_holder(holder, name).unwrap_or_default();
        let number = wanted.value.parse().ok();
        let is_side = number.is_some() && held.side == number;
        let is_piece = held.piece.is_some() && held.piece == self.labels.piece_by_word(&wanted.value);
        let words = found.unwrap_or(&held.words);
        let is_found =
            |wanted: &String| words == wanted || held.entrant.as_ref() == Some(wanted) || held.list.as_ref() == Some(wanted);
        if !is_found(&wanted.value) && !is_found(&read) && !is_side && !is_piece {
            let piece = held.piece.map(|piece| self.labels.piece_name(piece));
            let known = (!words.is_empty()).then(|| words.clone());
            let found = held.entrant.or(piece).or(known).unwrap_or_else(|| UNKNOWN.to_string());
            self.check_equal(wanted.span, format!("`{name}`{owner}"), wanted.value.clone(), found);
        }
    }

    fn compare_zone(&mut self, name: &str, owner: &str, wanted: &Spanned<ExpectedContent>, zones: &Zones) {
        let what = format!("`{name}`{owner}");
        match (zones.get(name), &wanted.value) {
            (None, _) => self.check_equal(wanted.span, what, "a zone".to_string(), UNKNOWN.to_string()),
            (Some(zone), ExpectedContent::Count(count)) => {
                let found = zone_length(zone);
                self.check_equal_as(wanted.span, what, count.to_string(), found.to_string(), format!("{{count: {found}}}"));
            }
            (Some(ZoneView::Hidden { count, .. }), ExpectedContent::Pieces(_)) => {
                self.check_equal(wanted.span, what, "seen".to_string(), format!("hidden, with {count} pieces"));
            }
            (Some(ZoneView::Seen(found)), ExpectedContent::Pieces(expected)) => {
                if !pieces::are_same_pieces(self.labels, expected, &found.iter().collect::<Vec<_>>()) {
                    let found = bracketed_list(
                        found.iter().map(|piece| ExpectedPiece::from_found(self.labels, piece, expected).piece_text()),
                    );
                    let expected = bracketed_list(expected.iter().map(ExpectedPiece::piece_text));
                    self.found.push(Difference { span: wanted.span, what, expected, found, write: None, help: None });
                }
            }
        }
    }

    fn compare_uses(&mut self, ability: &str, owner: &str, wanted: &Spanned<i64>, uses: Option<&Uses>) {
        let found = uses.and_then(|uses| self.use_count(uses, ability)).map_or(UNKNOWN.to_string(), |times| times.to_string());
        self.check_equal(wanted.span, format!("the uses of `{ability}`{owner}"), wanted.value.to_string(), found);
    }

    /// Number of uses of an ability, computed from the uses left. A view shows the uses left in a scope, such as a turn; the
    /// limit of that scope gives those made.
    fn use_count(&self, uses: &Uses, ability: &str) -> Option<i64> {
        let left = uses.get(ability)?;
        let program = self.session.program();
        let limits = &program.abilities.get(program.ability_by_id(ability)? as usize)?.uses;
        let scope = |limit: u16| program.procedures.get(limit as usize).map(|procedure| procedure.name.as_str());
        let limit = limits.iter().find(|limit| scope(limit.per) == Some(left.per.as_str()))?;
        Some(i64::from(limit.times) - i64::from(left.left))
    }

    fn compare_payoffs(&mut self, wanted: &Spanned<Vec<Payoff>>, pending: Pending<'_>) {
        let found = match pending {
            Pending::Finished(outcome) => outcome.payoffs.as_deref(),
            _ => None,
        };
        let shown = |payoffs: &[Payoff]| join_words(&payoffs.iter().map(Payoff::to_string).collect::<Vec<_>>(), "and");
        let found = found.map_or("none".to_string(), shown);
        self.check_equal(wanted.span, "the payoff of each side".to_string(), shown(&wanted.value), found);
    }

    /// A game that is not over has the outcome `none`.
    fn compare_outcome(&mut self, wanted: &Spanned<ExpectedOutcome>, pending: Pending<'_>) {
        let (found, winners) = match pending {
            Pending::Finished(outcome) => {
                (events::result_word(outcome), outcome.winners.iter().map(|side| *side as i64).collect())
            }
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
            ExpectedOutcome::Open => "none".to_string(),
            ExpectedOutcome::Result(result) if *result == found => return,
            ExpectedOutcome::Result(result) => result.clone(),
            ExpectedOutcome::Winners(sides) if *sides == winners => return,
            ExpectedOutcome::Winners(sides) => format!("the win of side {}", numbers(sides)),
        };
        self.check_equal_as(wanted.span, what, expected, found_text, write);
    }
}

/// The id of the first entrant with a zone that the side itself lacks.
fn entrant_with_zone<'v>(view: &'v SideView, zone: &str) -> Option<&'v str> {
    let found = view.each.iter().find(|each| each.zones.contains_key(zone));
    found.filter(|_| !view.zones.contains_key(zone)).map(|each| each.id.as_str())
}

fn zone_length(zone: &ZoneView) -> usize {
    match zone {
        ZoneView::Seen(pieces) => pieces.len(),
        ZoneView::Hidden { count, .. } => *count,
    }
}

pub(super) fn bracketed_list(pieces: impl Iterator<Item = String>) -> String {
    format!("[{}]", pieces.collect::<Vec<_>>().join(", "))
}
