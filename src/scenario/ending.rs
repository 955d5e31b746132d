//! `then`: how the table must stand after the last step.

mod pieces;

use super::events;
use super::labels::Labels;
use ludex_engine::codes;
use ludex_engine::position::Spanned;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::{EntrantView, Pending, Session, SideView, View, Viewer, ZoneView};
use ludex_engine::source::Span;
use ludex_engine::yaml::{Node, Value};
use pieces::Piece;
use std::collections::BTreeMap;

/// What is said about the end; what is left out may be as it will.
#[derive(Clone, Debug, Default)]
pub struct Ending {
    sides: Vec<Place>,
    table: Place,
    outcome: Option<Spanned<Outcome>>,
    refused: Option<Spanned<String>>,
}

/// What a side, or the table, holds.
#[derive(Clone, Debug, Default)]
struct Place {
    counters: Vec<(String, Spanned<String>)>,
    zones: Vec<(String, Spanned<Content>)>,
    used: Vec<(String, Spanned<i64>)>,
    entrants: Vec<Bearer>,
}

/// How an entrant stands, as far as it is told.
#[derive(Clone, Debug)]
struct Bearer {
    id: String,
    /// Fields and counters.
    values: Vec<(String, Spanned<String>)>,
    marks: Option<Spanned<Vec<String>>>,
}

/// What lies in a zone.
#[derive(Clone, Debug)]
enum Content {
    Count(i64),
    Pieces(Vec<Piece>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    /// Play goes on.
    Open,
    Result(String),
    Winners(Vec<i64>),
}

const RESULTS: [&str; 5] = ["none", "win", "tie", "abandoned", "capped"];

// --- reading -----------------------------------------------------------------

impl Ending {
    pub fn read(node: &Node, problems: &mut Vec<Problem>) -> Option<Ending> {
        let mut map = node.as_map(problems, "`then`")?;
        let sides = map.optional("sides").and_then(|node| node.as_list(problems, "`sides`"));
        let sides = sides.unwrap_or_default().iter().map(|node| side(node, problems)).collect();
        let table = map.optional("table").map(|node| table(node, problems)).unwrap_or_default();
        let outcome = map.optional("outcome").and_then(|node| outcome(node, problems));
        let refused = map.optional("refused").and_then(|node| words(node, problems));
        map.finish(problems);
        Some(Ending { sides, table, outcome, refused })
    }
}

fn words(node: &Node, problems: &mut Vec<Problem>) -> Option<Spanned<String>> {
    let value = node.as_text(problems, "words of the reason")?;
    Some(Spanned { value: value.to_string(), span: node.span })
}

fn side(node: &Node, problems: &mut Vec<Problem>) -> Place {
    let mut place = Place::default();
    // `- ` alone: nothing is said about this side.
    if node.value == Value::Null {
        return place;
    }
    let Some(mut map) = node.as_map(problems, "a side") else { return place };
    for (key, node) in entries(map.optional("counters"), problems, "`counters`") {
        place.counters.extend(counter(key, node, problems));
    }
    for (key, node) in entries(map.optional("zones"), problems, "`zones`") {
        place.zones.extend(zone(key, node, problems));
    }
    for (key, node) in entries(map.optional("used"), problems, "`used`") {
        let value = node.as_number(problems, "the number of uses", 0..=i64::from(i32::MAX));
        place.used.extend(value.map(|value| (key.clone(), Spanned { value, span: node.span })));
    }
    let entrants = map.optional("entrants").and_then(|node| node.as_list(problems, "`entrants`"));
    place.entrants = entrants.into_iter().flatten().filter_map(|node| bearer(node, problems)).collect();
    map.finish(problems);
    place
}

/// `{otter: {health: 5, marks: [tired]}}`; of `otter` alone nothing is said.
fn bearer(node: &Node, problems: &mut Vec<Problem>) -> Option<Bearer> {
    let Value::Map(entries) = &node.value else {
        let id = node.as_text(problems, "an entrant")?.to_string();
        return Some(Bearer { id, values: Vec::new(), marks: None });
    };
    let [(key, stated)] = entries.as_slice() else {
        let problem = Problem::error(codes::YAML_TYPE, "one entry of `entrants` is one entrant");
        problems.push(problem.at(node.span, format!("has {} keys", entries.len())).help("write `- otter: {health: 5}`"));
        return None;
    };
    let mut bearer = Bearer { id: key.name.clone(), values: Vec::new(), marks: None };
    for (key, node) in self::entries(Some(stated), problems, "what is said of an entrant") {
        if key == "marks" {
            let list = node.as_list(problems, "`marks`").unwrap_or_default();
            let marks = list.iter().filter_map(|node| node.as_text(problems, "a mark")).map(str::to_string).collect();
            bearer.marks = Some(Spanned { value: marks, span: node.span });
        } else {
            bearer.values.extend(counter(key, node, problems));
        }
    }
    Some(bearer)
}

/// Zones are lists, everything else is counted.
fn table(node: &Node, problems: &mut Vec<Problem>) -> Place {
    let mut place = Place::default();
    for (key, node) in entries(Some(node), problems, "`table`") {
        match node.value {
            Value::List(_) | Value::Map(_) => place.zones.extend(zone(key, node, problems)),
            _ => place.counters.extend(counter(key, node, problems)),
        }
    }
    place
}

fn entries<'n>(node: Option<&'n Node>, problems: &mut Vec<Problem>, what: &str) -> Vec<(&'n String, &'n Node)> {
    let entries = node.and_then(|node| node.as_entries(problems, what)).unwrap_or_default();
    entries.iter().map(|(key, node)| (&key.name, node)).collect()
}

fn counter(name: &str, node: &Node, problems: &mut Vec<Problem>) -> Option<(String, Spanned<String>)> {
    let value = match &node.value {
        Value::Number(number) => number.to_string(),
        Value::Flag(flag) => flag.to_string(),
        _ => node.as_text(problems, &format!("`{name}`"))?.to_string(),
    };
    Some((name.to_string(), Spanned { value, span: node.span }))
}

fn zone(name: &str, node: &Node, problems: &mut Vec<Problem>) -> Option<(String, Spanned<Content>)> {
    let content = match &node.value {
        Value::Map(entries) if entries.iter().any(|(key, _)| key.name == "count") => {
            let mut map = node.as_map(problems, &format!("`{name}`"))?;
            let count = map.required("count").and_then(|node| node.as_number(problems, "`count`", 0..=i64::MAX));
            map.finish(problems);
            Content::Count(count?)
        }
        _ => Content::Pieces(pieces::pieces(name, node, problems)?),
    };
    Some((name.to_string(), Spanned { value: content, span: node.span }))
}

fn outcome(node: &Node, problems: &mut Vec<Problem>) -> Option<Spanned<Outcome>> {
    let value = match &node.value {
        // In YAML `~` and nothing are none too.
        Value::Null => Outcome::Open,
        Value::Map(_) => {
            let mut map = node.as_map(problems, "`outcome`")?;
            let one = map.optional("winner").and_then(|node| node.as_number(problems, "`winner`", 0..=i64::MAX));
            let many = map.optional("winners").and_then(|node| node.as_list(problems, "`winners`"));
            let result = map.optional("result").and_then(|node| node.as_one_of(problems, "`result`", &RESULTS));
            map.finish(problems);
            let sides =
                many.map(|list| list.iter().filter_map(|node| node.as_number(problems, "a winner", 0..=i64::MAX)).collect());
            match (one, sides, result.and_then(|result| RESULTS.get(result))) {
                (Some(side), _, _) => Outcome::Winners(vec![side]),
                (None, Some(sides), _) => Outcome::Winners(sides),
                (None, None, Some(result)) => Outcome::Result(result.to_string()),
                (None, None, None) => return None,
            }
        }
        _ => match RESULTS.get(node.as_one_of(problems, "`outcome`", &RESULTS)?)? {
            &"none" => Outcome::Open,
            result => Outcome::Result(result.to_string()),
        },
    };
    Some(Spanned { value, span: node.span })
}

// --- comparing ---------------------------------------------------------------

/// One thing that is not as expected.
struct Difference {
    span: Span,
    what: String,
    expected: String,
    found: String,
}

/// What the differences are told with.
struct Comparison<'a> {
    program: &'a Program,
    labels: &'a Labels,
    found: Vec<Difference>,
}

impl Ending {
    /// What is not as it should be, in one problem that points at each place.
    /// Words of the reason for which play must not begin at all.
    pub fn refusal(&self) -> Option<&Spanned<String>> {
        self.refused.as_ref()
    }

    pub fn unmet(&self, session: &Session, labels: &Labels) -> Option<Problem> {
        let view = session.view(Viewer::Trusted);
        let mut comparison = Comparison { program: session.program(), labels, found: Vec::new() };
        for (side, place) in self.sides.iter().enumerate() {
            comparison.side(side, place, view.sides.get(side));
        }
        comparison.table(&self.table, &view);
        if let Some(outcome) = &self.outcome {
            comparison.outcome(outcome, session.pending());
        }
        let first = comparison.found.first()?;
        let mut message = format!("{} should be {} and is {}", first.what, first.expected, first.found);
        if comparison.found.len() > 1 {
            message.push_str(&format!(", and {} more differ", comparison.found.len() - 1));
        }
        let problem = Problem::error(codes::SCENARIO_STATE, message);
        Some(comparison.found.into_iter().fold(problem, |problem, one| problem.at(one.span, format!("found {}", one.found))))
    }
}

impl Comparison<'_> {
    fn differ(&mut self, span: Span, what: String, expected: String, found: String) {
        if expected != found {
            self.found.push(Difference { span, what, expected, found });
        }
    }

    fn side(&mut self, number: usize, place: &Place, view: Option<&SideView>) {
        let nothing = BTreeMap::new();
        let owner = format!(" of side {number}");
        for (name, wanted) in &place.counters {
            let found = view.and_then(|view| view.counters.get(name));
            self.counter(name, &owner, wanted, found);
        }
        self.entrants(&place.entrants, view.map_or(&[], |view| &view.each));
        let zones = view.map_or(&nothing, |view| &view.zones);
        self.zones(&owner, &place.zones, zones);
        for (ability, wanted) in &place.used {
            let found = view.and_then(|view| self.used(view, ability));
            let found = found.map_or("unknown here".to_string(), |times| times.to_string());
            self.differ(wanted.span, format!("the uses of `{ability}`{owner}"), wanted.value.to_string(), found);
        }
    }

    /// Entrants of one id stand in the order in which the side brings them.
    fn entrants(&mut self, wanted: &[Bearer], found: &[EntrantView]) {
        for (index, bearer) in wanted.iter().enumerate() {
            let before = wanted.iter().take(index).filter(|other| other.id == bearer.id).count();
            let view = found.iter().filter(|view| view.id == bearer.id).nth(before);
            let owner = format!(" of `{}`", bearer.id);
            for (name, wanted) in &bearer.values {
                let found = view.and_then(|view| view.counters.get(name).or_else(|| view.fields.get(name)));
                // Views say it as people read it.
                let value = match wanted.value.as_str() {
                    "true" => "yes".to_string(),
                    "false" => "no".to_string(),
                    words => words.replace('_', " "),
                };
                self.counter(name, &owner, &Spanned { value, span: wanted.span }, found);
            }
            if let Some(marks) = &bearer.marks {
                let list = |marks: &[String]| format!("[{}]", marks.join(", "));
                let borne = view.map_or("unknown here".to_string(), |view| list(&view.marks));
                self.differ(marks.span, format!("the marks{owner}"), list(&marks.value), borne);
            }
        }
    }

    fn table(&mut self, place: &Place, view: &View) {
        for (name, wanted) in &place.counters {
            self.counter(name, "", wanted, view.table.counters.get(name));
        }
        self.zones("", &place.zones, &view.table.zones);
    }

    fn counter(&mut self, name: &str, owner: &str, wanted: &Spanned<String>, found: Option<&String>) {
        let found = found.cloned().unwrap_or_else(|| "unknown here".to_string());
        self.differ(wanted.span, format!("`{name}`{owner}"), wanted.value.clone(), found);
    }

    fn zones(&mut self, owner: &str, zones: &[(String, Spanned<Content>)], found: &BTreeMap<String, ZoneView>) {
        for (name, wanted) in zones {
            let what = format!("`{name}`{owner}");
            match (found.get(name), &wanted.value) {
                (None, _) => self.differ(wanted.span, what, "a zone".to_string(), "unknown here".to_string()),
                (Some(zone), Content::Count(count)) => {
                    self.differ(wanted.span, what, count.to_string(), length(zone).to_string());
                }
                (Some(ZoneView::Hidden { count, .. }), Content::Pieces(_)) => {
                    self.differ(wanted.span, what, "seen".to_string(), format!("hidden, with {count} pieces"));
                }
                (Some(ZoneView::Seen(found)), Content::Pieces(expected)) => {
                    if !pieces::same(self.labels, expected, &found.iter().collect::<Vec<_>>()) {
                        let expected = list(expected.iter().map(Piece::shown));
                        let found = list(found.iter().map(|piece| Piece::of(self.labels, piece).shown()));
                        self.found.push(Difference { span: wanted.span, what, expected, found });
                    }
                }
            }
        }
    }

    /// How often an ability has been used, from how often it still may be.
    fn used(&self, view: &SideView, ability: &str) -> Option<i64> {
        let left = view.uses.get(ability)?;
        let limits = &self.program.abilities.get(self.program.ability(ability)? as usize)?.uses;
        let scope = |limit: u16| self.program.procedures.get(limit as usize).map(|procedure| procedure.name.as_str());
        let limit = limits.iter().find(|limit| scope(limit.per) == Some(left.per.as_str()))?;
        Some(i64::from(limit.times) - i64::from(left.left))
    }

    fn outcome(&mut self, wanted: &Spanned<Outcome>, pending: Pending<'_>) {
        let (found, winners) = match pending {
            Pending::Finished(outcome) => (events::result(outcome), outcome.winners.iter().map(|side| *side as i64).collect()),
            _ => ("none", Vec::new()),
        };
        let numbers = |sides: &[i64]| sides.iter().map(i64::to_string).collect::<Vec<_>>().join(" and ");
        let what = "the outcome".to_string();
        let found_text = if winners.is_empty() { found.to_string() } else { format!("{found} of side {}", numbers(&winners)) };
        match &wanted.value {
            Outcome::Open => self.differ(wanted.span, what, "none".to_string(), found_text),
            Outcome::Result(result) if *result == found => {}
            Outcome::Result(result) => self.differ(wanted.span, what, result.clone(), found_text),
            Outcome::Winners(sides) if *sides == winners => {}
            Outcome::Winners(sides) => {
                self.differ(wanted.span, what, format!("the win of side {}", numbers(sides)), found_text);
            }
        }
    }
}

fn length(zone: &ZoneView) -> usize {
    match zone {
        ZoneView::Seen(pieces) => pieces.len(),
        ZoneView::Hidden { count, .. } => *count,
    }
}

fn list(pieces: impl Iterator<Item = String>) -> String {
    format!("[{}]", pieces.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests;
