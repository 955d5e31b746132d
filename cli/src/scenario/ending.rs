//! `then`: the expected state of the table after the last step. `check` expects the same after another step.

mod compare;
mod pieces;
mod unplayed;

use ludex_engine::codes;
use ludex_engine::position::Spanned;
use ludex_engine::problem::{Problem, nearest};
use ludex_engine::runtime::Payoff;
use ludex_engine::yaml::{Key, Node, Value};
use pieces::Piece;

/// The expected end. Anything left out is ignored.
#[derive(Clone, Debug, Default)]
pub struct Ending {
    sides: Vec<Place>,
    table: Box<Place>,
    outcome: Option<Spanned<Outcome>>,
    payoffs: Option<Spanned<Vec<Payoff>>>,
    refused: Option<Spanned<String>>,
}

/// The expected contents of a side or the table.
#[derive(Clone, Debug, Default)]
struct Place {
    counters: Vec<(Spanned<String>, Spanned<String>)>,
    /// For the table: entries written like a zone, which may also be a field with a list.
    lists: Vec<(Spanned<String>, Spanned<String>)>,
    zones: Vec<(Spanned<String>, Spanned<Content>)>,
    used: Vec<(Spanned<String>, Spanned<i64>)>,
    /// For a side: its own marks.
    marks: Option<Spanned<Vec<String>>>,
    entrants: Vec<Bearer>,
}

/// The expected state of an entrant.
#[derive(Clone, Debug)]
struct Bearer {
    id: Spanned<String>,
    /// Fields and counters.
    values: Vec<(Spanned<String>, Spanned<String>)>,
    marks: Option<Spanned<Vec<String>>>,
    zones: Vec<(Spanned<String>, Spanned<Content>)>,
    used: Vec<(Spanned<String>, Spanned<i64>)>,
}

impl Bearer {
    /// An entrant without expectations.
    fn of(id: Spanned<String>) -> Bearer {
        Bearer { id, values: Vec::new(), marks: None, zones: Vec::new(), used: Vec::new() }
    }
}

/// The expected contents of a zone.
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

/// The keys of an entrant beside its fields.
const KEYS: [&str; 3] = ["marks", "zones", "used"];

const RESULTS: [&str; 6] = ["none", "win", "tie", "nobody", "abandoned", "capped"];

// --- reading -----------------------------------------------------------------

impl Ending {
    /// Reads `then`, or the step `check`.
    pub fn read(node: &Node, what: &str, problems: &mut Vec<Problem>) -> Option<Ending> {
        let mut map = node.as_map(problems, what)?;
        let sides = map.optional("sides").and_then(|node| node.as_list(problems, "`sides`"));
        let sides = sides.unwrap_or_default().iter().map(|node| side(node, problems)).collect();
        let table = Box::new(map.optional("table").map(|node| table(node, problems)).unwrap_or_default());
        let (outcome, payoffs) = map.optional("outcome").map(|node| outcome(node, problems)).unwrap_or_default();
        let refused = map.optional("refused").and_then(|node| words(node, problems));
        // The winner belongs to the outcome.
        for wrong in ["winner", "winners", "wins", "won", "result", "payoffs"] {
            if let Some((key, value)) = map.entry(wrong) {
                let known = if matches!(wrong, "wins" | "won") { "winner" } else { wrong };
                let value = match &value.value {
                    Value::Number(number) => number.to_string(),
                    Value::Text(words) => words.clone(),
                    _ => "…".to_string(),
                };
                map.optional(wrong);
                let problem = Problem::error(codes::YAML_UNKNOWN_KEY, format!("{what} has no key `{wrong}`"));
                let problem = problem.at(key.span, "belongs to the outcome");
                problems.push(problem.help(format!("write `outcome: {{{known}: {value}}}`")));
            }
        }
        map.finish(problems);
        Some(Ending { sides, table, outcome, payoffs, refused })
    }
}

fn words(node: &Node, problems: &mut Vec<Problem>) -> Option<Spanned<String>> {
    let value = node.as_text(problems, "words of the reason")?;
    Some(Spanned { value: value.to_string(), span: node.span })
}

fn side(node: &Node, problems: &mut Vec<Problem>) -> Place {
    let mut place = Place::default();
    // `- ` alone: no expectation for this side.
    if node.value == Value::Null {
        return place;
    }
    let Some(mut map) = node.as_map(problems, "a side") else { return place };
    for (key, node) in entries(map.optional("counters"), problems, "`counters`") {
        place.counters.extend(counter(key, node, problems));
    }
    place.zones = zones(map.optional("zones"), problems);
    place.used = uses(map.optional("used"), problems);
    place.marks = map.optional("marks").map(|node| marks(node, problems));
    let entrants = map.optional("entrants").and_then(|node| node.as_list(problems, "`entrants`"));
    place.entrants = entrants.into_iter().flatten().filter_map(|node| bearer(node, problems)).collect();
    map.finish(problems);
    place
}

/// Reads `{otter: {health: 5, marks: [tired], zones: {nest: [6]}, used: {dive: 1}}}`. A bare `otter` has no expectations.
fn bearer(node: &Node, problems: &mut Vec<Problem>) -> Option<Bearer> {
    let Value::Map(entries) = &node.value else {
        let value = node.as_text(problems, "an entrant")?.to_string();
        return Some(Bearer::of(Spanned { value, span: node.span }));
    };
    let [(key, stated)] = entries.as_slice() else {
        let problem = Problem::error(codes::YAML_TYPE, "each entry of `entrants` is one entrant");
        problems.push(problem.at(node.span, format!("has {} keys", entries.len())).help("write `- otter: {health: 5}`"));
        return None;
    };
    let mut bearer = Bearer::of(named(key));
    for (key, node) in self::entries(Some(stated), problems, "the description of an entrant") {
        match (key.name.as_str(), &node.value) {
            ("marks", _) => bearer.marks = Some(marks(node, problems)),
            // Fields may also have these names.
            ("zones", Value::Map(_)) => bearer.zones = zones(Some(node), problems),
            ("used", Value::Map(_)) => bearer.used = uses(Some(node), problems),
            (name, Value::Map(_)) if nearest(name, KEYS).is_some() => {
                let problem =
                    Problem::error(codes::YAML_UNKNOWN_KEY, format!("the description of an entrant has no key `{name}`"));
                problems.push(problem.at(key.span, "not known here").suggest(name, KEYS));
            }
            _ => bearer.values.extend(counter(key, node, problems)),
        }
    }
    Some(bearer)
}

fn named(key: &Key) -> Spanned<String> {
    Spanned { value: key.name.clone(), span: key.span }
}

fn marks(node: &Node, problems: &mut Vec<Problem>) -> Spanned<Vec<String>> {
    let list = node.as_list(problems, "`marks`").unwrap_or_default();
    let value = list.iter().filter_map(|node| node.as_text(problems, "a mark")).map(str::to_string).collect();
    Spanned { value, span: node.span }
}

fn zones(node: Option<&Node>, problems: &mut Vec<Problem>) -> Vec<(Spanned<String>, Spanned<Content>)> {
    entries(node, problems, "`zones`").into_iter().filter_map(|(key, node)| zone(key, node, problems)).collect()
}

fn uses(node: Option<&Node>, problems: &mut Vec<Problem>) -> Vec<(Spanned<String>, Spanned<i64>)> {
    let entries = entries(node, problems, "`used`").into_iter();
    let times = |(key, node): (&Key, &Node)| {
        let value = node.as_number(problems, "the number of uses", 0..=i64::from(i32::MAX))?;
        Some((named(key), Spanned { value, span: node.span }))
    };
    entries.filter_map(times).collect()
}

/// Formats a list of plain words: `[0, 1]`.
fn listed(members: &[Node]) -> Option<String> {
    let word = |node: &Node| match &node.value {
        Value::Number(number) => Some(number.to_string()),
        Value::Flag(flag) => Some(if *flag { "yes" } else { "no" }.to_string()),
        Value::Text(text) => Some(text.clone()),
        Value::Null | Value::List(_) | Value::Map(_) => None,
    };
    let members: Option<Vec<String>> = members.iter().map(word).collect();
    Some(format!("[{}]", members?.join(", ")))
}

/// Zones are lists, and so are some fields. All other entries are counters.
fn table(node: &Node, problems: &mut Vec<Problem>) -> Place {
    let mut place = Place::default();
    for (key, node) in entries(Some(node), problems, "`table`") {
        match node.value {
            Value::List(_) | Value::Map(_) => {
                place.lists.extend(counter(key, node, &mut Vec::new()));
                place.zones.extend(zone(key, node, problems));
            }
            _ => place.counters.extend(counter(key, node, problems)),
        }
    }
    place
}

fn entries<'n>(node: Option<&'n Node>, problems: &mut Vec<Problem>, what: &str) -> Vec<(&'n Key, &'n Node)> {
    let entries = node.and_then(|node| node.as_entries(problems, what)).unwrap_or_default();
    entries.iter().map(|(key, node)| (key, node)).collect()
}

fn counter(key: &Key, node: &Node, problems: &mut Vec<Problem>) -> Option<(Spanned<String>, Spanned<String>)> {
    let value = match &node.value {
        Value::Number(number) => number.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::List(members) if listed(members).is_some() => listed(members)?,
        _ => node.as_text(problems, &format!("`{}`", key.name))?.to_string(),
    };
    Some((named(key), Spanned { value, span: node.span }))
}

fn zone(key: &Key, node: &Node, problems: &mut Vec<Problem>) -> Option<(Spanned<String>, Spanned<Content>)> {
    let content = match &node.value {
        Value::Map(entries) if entries.iter().any(|(key, _)| key.name == "count") => {
            let mut map = node.as_map(problems, &format!("`{}`", key.name))?;
            let count = map.required("count").and_then(|node| node.as_number(problems, "`count`", 0..=i64::MAX));
            map.finish(problems);
            Content::Count(count?)
        }
        _ => Content::Pieces(pieces::pieces(&key.name, node, problems)?),
    };
    Some((named(key), Spanned { value: content, span: node.span }))
}

/// The winners, and the payoff of each side.
fn outcome(node: &Node, problems: &mut Vec<Problem>) -> (Option<Spanned<Outcome>>, Option<Spanned<Vec<Payoff>>>) {
    let mut payoffs = None;
    let value = match &node.value {
        // In YAML, `~` and an empty value also mean none.
        Value::Null => Some(Outcome::Open),
        Value::Map(_) => node.as_map(problems, "`outcome`").and_then(|mut map| {
            let one = map.optional("winner").and_then(|node| node.as_number(problems, "`winner`", 0..=i64::MAX));
            let many = map.optional("winners").and_then(|node| node.as_list(problems, "`winners`"));
            let result = map.optional("result").and_then(|node| node.as_one_of(problems, "`result`", &RESULTS));
            payoffs = map.optional("payoffs").and_then(|node| payoffs_of(node, problems));
            map.finish(problems);
            let sides =
                many.map(|list| list.iter().filter_map(|node| node.as_number(problems, "a winner", 0..=i64::MAX)).collect());
            match (one, sides, result.and_then(|result| RESULTS.get(result))) {
                (Some(side), _, _) => Some(Outcome::Winners(vec![side])),
                (None, Some(sides), _) => Some(Outcome::Winners(sides)),
                (None, None, Some(result)) => Some(Outcome::Result(result.to_string())),
                (None, None, None) => None,
            }
        }),
        Value::Number(side) => {
            let problem = Problem::error(codes::YAML_TYPE, "`outcome` must be a word, or say who wins");
            problems.push(problem.at(node.span, "a number").help(format!("write `{{winner: {side}}}`")));
            None
        }
        _ => node.as_one_of(problems, "`outcome`", &RESULTS).and_then(|result| match RESULTS.get(result)? {
            &"none" => Some(Outcome::Open),
            result => Some(Outcome::Result(result.to_string())),
        }),
    };
    (value.map(|value| Spanned { value, span: node.span }), payoffs)
}

fn payoffs_of(node: &Node, problems: &mut Vec<Problem>) -> Option<Spanned<Vec<Payoff>>> {
    let list = node.as_list(problems, "`payoffs`")?;
    let value = list.iter().map(|node| payoff(node, problems)).collect::<Option<_>>()?;
    Some(Spanned { value, span: node.span })
}

fn payoff(node: &Node, problems: &mut Vec<Problem>) -> Option<Payoff> {
    let stated = match &node.value {
        Value::Text(words) => Payoff::stated(words),
        Value::Number(number) => Payoff::stated(&number.to_string()),
        _ => None,
    };
    if stated.is_none() {
        problems.push(
            Problem::error(codes::YAML_TYPE, "a payoff must be a number or halves")
                .at(node.span, format!("this is {}", node.described()))
                .help("write a number such as `4`, `-1` or `0.5`"),
        );
    }
    stated
}

#[cfg(test)]
mod tests;
