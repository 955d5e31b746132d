//! `then`: the expected state of the table after the last step. `check` expects the same after another step.
//!
//! `refused` instead expects that play cannot begin. `compare` compares an [`Ending`] with a session, and `unplayed` finds
//! names in it that the game does not have.

mod compare;
mod pieces;
mod unplayed;

use ludex_engine::codes;
use ludex_engine::position::Spanned;
use ludex_engine::problem::{Problem, nearest_word};
use ludex_engine::runtime::Payoff;
use ludex_engine::yaml::{Key, Node, Value};
use pieces::ExpectedPiece;

/// The expected end. Anything left out is ignored.
#[derive(Clone, Debug, Default)]
pub struct Ending {
    sides: Vec<ExpectedPlace>,
    table: Box<ExpectedPlace>,
    outcome: Option<Spanned<ExpectedOutcome>>,
    payoffs: Option<Spanned<Vec<Payoff>>>,
    /// Words of the reason why play must not begin.
    refused: Option<Spanned<String>>,
}

/// The expected contents of a side or the table.
#[derive(Clone, Debug, Default)]
struct ExpectedPlace {
    /// Counters and fields by name, as written.
    counters: Vec<(Spanned<String>, Spanned<String>)>,
    /// For the table: entries written like a zone, which may also be a field with a list.
    lists: Vec<(Spanned<String>, Spanned<String>)>,
    zones: Vec<(Spanned<String>, Spanned<ExpectedContent>)>,
    /// Number of uses of abilities, by id.
    used: Vec<(Spanned<String>, Spanned<i64>)>,
    /// For a side: its own marks.
    marks: Option<Spanned<Vec<String>>>,
    entrants: Vec<ExpectedEntrant>,
}

/// The expected state of an entrant.
#[derive(Clone, Debug)]
struct ExpectedEntrant {
    id: Spanned<String>,
    /// Fields and counters.
    values: Vec<(Spanned<String>, Spanned<String>)>,
    marks: Option<Spanned<Vec<String>>>,
    zones: Vec<(Spanned<String>, Spanned<ExpectedContent>)>,
    used: Vec<(Spanned<String>, Spanned<i64>)>,
}

impl ExpectedEntrant {
    /// An entrant without expectations.
    fn without_expectations(id: Spanned<String>) -> ExpectedEntrant {
        ExpectedEntrant { id, values: Vec::new(), marks: None, zones: Vec::new(), used: Vec::new() }
    }
}

/// The expected contents of a zone.
#[derive(Clone, Debug)]
enum ExpectedContent {
    Count(i64),
    Pieces(Vec<ExpectedPiece>),
}

/// The expected outcome of play.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ExpectedOutcome {
    /// Play goes on.
    Open,
    /// One of [`RESULTS`], the ways in which play ends.
    Result(String),
    /// The sides that win.
    Winners(Vec<i64>),
}

/// The keys of an entrant beside its fields.
const KEYS: [&str; 3] = ["marks", "zones", "used"];

/// The words for outcomes. `none` means that play goes on.
const RESULTS: [&str; 6] = ["none", "win", "tie", "nobody", "abandoned", "capped"];

// --- reading -----------------------------------------------------------------

impl Ending {
    /// Reads `then`, or the step `check`.
    pub fn read(node: &Node, what: &str, problems: &mut Vec<Problem>) -> Option<Ending> {
        let mut map = node.as_map(problems, what)?;
        let sides = map.optional_value("sides").and_then(|node| node.as_list(problems, "`sides`"));
        let sides = sides.unwrap_or_default().iter().map(|node| read_side(node, problems)).collect();
        let table = Box::new(map.optional_value("table").map(|node| read_table(node, problems)).unwrap_or_default());
        let (outcome, payoffs) = map.optional_value("outcome").map(|node| read_outcome(node, problems)).unwrap_or_default();
        let refused = map.optional_value("refused").and_then(|node| read_words(node, problems));
        // The winner belongs to the outcome.
        for wrong in ["winner", "winners", "wins", "won", "result", "payoffs"] {
            if let Some((key, value)) = map.find_entry(wrong) {
                let known = if matches!(wrong, "wins" | "won") { "winner" } else { wrong };
                let value = match &value.value {
                    Value::Number(number) => number.to_string(),
                    Value::Text(words) => words.clone(),
                    _ => "…".to_string(),
                };
                map.optional_value(wrong);
                let problem = Problem::error(codes::YAML_UNKNOWN_KEY, format!("{what} has no key `{wrong}`"));
                let problem = problem.with_label(key.span, "belongs to the outcome");
                problems.push(problem.help(format!("write `outcome: {{{known}: {value}}}`")));
            }
        }
        map.finish(problems);
        Some(Ending { sides, table, outcome, payoffs, refused })
    }
}

fn read_words(node: &Node, problems: &mut Vec<Problem>) -> Option<Spanned<String>> {
    let value = node.as_text(problems, "words of the reason")?;
    Some(Spanned { value: value.to_string(), span: node.span })
}

fn read_side(node: &Node, problems: &mut Vec<Problem>) -> ExpectedPlace {
    let mut place = ExpectedPlace::default();
    // `- ` alone: no expectation for this side.
    if node.value == Value::Null {
        return place;
    }
    let Some(mut map) = node.as_map(problems, "a side") else { return place };
    for (key, node) in read_entries(map.optional_value("counters"), problems, "`counters`") {
        place.counters.extend(read_counter(key, node, problems));
    }
    place.zones = read_zones(map.optional_value("zones"), problems);
    place.used = read_uses(map.optional_value("used"), problems);
    place.marks = map.optional_value("marks").map(|node| read_marks(node, problems));
    let entrants = map.optional_value("entrants").and_then(|node| node.as_list(problems, "`entrants`"));
    place.entrants = entrants.into_iter().flatten().filter_map(|node| read_entrant(node, problems)).collect();
    map.finish(problems);
    place
}

/// Reads `{otter: {health: 5, marks: [tired], zones: {nest: [6]}, used: {dive: 1}}}`. A bare `otter` has no expectations.
fn read_entrant(node: &Node, problems: &mut Vec<Problem>) -> Option<ExpectedEntrant> {
    let Value::Map(entries) = &node.value else {
        let value = node.as_text(problems, "an entrant")?.to_string();
        return Some(ExpectedEntrant::without_expectations(Spanned { value, span: node.span }));
    };
    let [(key, stated)] = entries.as_slice() else {
        let problem = Problem::error(codes::YAML_TYPE, "each entry of `entrants` is one entrant");
        problems.push(problem.with_label(node.span, format!("has {} keys", entries.len())).help("write `- otter: {health: 5}`"));
        return None;
    };
    let mut bearer = ExpectedEntrant::without_expectations(spanned_name(key));
    for (key, node) in self::read_entries(Some(stated), problems, "the description of an entrant") {
        match (key.name.as_str(), &node.value) {
            ("marks", _) => bearer.marks = Some(read_marks(node, problems)),
            // Fields may also have these names.
            ("zones", Value::Map(_)) => bearer.zones = read_zones(Some(node), problems),
            ("used", Value::Map(_)) => bearer.used = read_uses(Some(node), problems),
            (name, Value::Map(_)) if nearest_word(name, KEYS).is_some() => {
                let problem =
                    Problem::error(codes::YAML_UNKNOWN_KEY, format!("the description of an entrant has no key `{name}`"));
                problems.push(problem.with_label(key.span, "not known here").suggest(name, KEYS));
            }
            _ => bearer.values.extend(read_counter(key, node, problems)),
        }
    }
    Some(bearer)
}

fn spanned_name(key: &Key) -> Spanned<String> {
    Spanned { value: key.name.clone(), span: key.span }
}

fn read_marks(node: &Node, problems: &mut Vec<Problem>) -> Spanned<Vec<String>> {
    let list = node.as_list(problems, "`marks`").unwrap_or_default();
    let value = list.iter().filter_map(|node| node.as_text(problems, "a mark")).map(str::to_string).collect();
    Spanned { value, span: node.span }
}

fn read_zones(node: Option<&Node>, problems: &mut Vec<Problem>) -> Vec<(Spanned<String>, Spanned<ExpectedContent>)> {
    read_entries(node, problems, "`zones`").into_iter().filter_map(|(key, node)| read_zone(key, node, problems)).collect()
}

/// Reads the number of uses by ability.
fn read_uses(node: Option<&Node>, problems: &mut Vec<Problem>) -> Vec<(Spanned<String>, Spanned<i64>)> {
    let entries = read_entries(node, problems, "`used`").into_iter();
    let times = |(key, node): (&Key, &Node)| {
        let value = node.as_number(problems, "the number of uses", 0..=i64::from(i32::MAX))?;
        Some((spanned_name(key), Spanned { value, span: node.span }))
    };
    entries.filter_map(times).collect()
}

/// Formats a list of plain words: `[0, 1]`.
fn plain_list_text(members: &[Node]) -> Option<String> {
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
fn read_table(node: &Node, problems: &mut Vec<Problem>) -> ExpectedPlace {
    let mut place = ExpectedPlace::default();
    for (key, node) in read_entries(Some(node), problems, "`table`") {
        match node.value {
            Value::List(_) | Value::Map(_) => {
                place.lists.extend(read_counter(key, node, &mut Vec::new()));
                place.zones.extend(read_zone(key, node, problems));
            }
            _ => place.counters.extend(read_counter(key, node, problems)),
        }
    }
    place
}

/// The entries of a map; none if it is left out or is no map, which is reported.
fn read_entries<'n>(node: Option<&'n Node>, problems: &mut Vec<Problem>, what: &str) -> Vec<(&'n Key, &'n Node)> {
    let entries = node.and_then(|node| node.as_entries(problems, what)).unwrap_or_default();
    entries.iter().map(|(key, node)| (key, node)).collect()
}

/// Reads the value of a counter or field as words. A list becomes `[0, 1]`.
fn read_counter(key: &Key, node: &Node, problems: &mut Vec<Problem>) -> Option<(Spanned<String>, Spanned<String>)> {
    let value = match &node.value {
        Value::Number(number) => number.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::List(members) if plain_list_text(members).is_some() => plain_list_text(members)?,
        _ => node.as_text(problems, &format!("`{}`", key.name))?.to_string(),
    };
    Some((spanned_name(key), Spanned { value, span: node.span }))
}

/// Reads `{count: 3}`, or the pieces of a zone.
fn read_zone(key: &Key, node: &Node, problems: &mut Vec<Problem>) -> Option<(Spanned<String>, Spanned<ExpectedContent>)> {
    let content = match &node.value {
        Value::Map(entries) if entries.iter().any(|(key, _)| key.name == "count") => {
            let mut map = node.as_map(problems, &format!("`{}`", key.name))?;
            let count = map.required_value("count").and_then(|node| node.as_number(problems, "`count`", 0..=i64::MAX));
            map.finish(problems);
            ExpectedContent::Count(count?)
        }
        _ => ExpectedContent::Pieces(pieces::read_pieces(&key.name, node, problems)?),
    };
    Some((spanned_name(key), Spanned { value: content, span: node.span }))
}

/// The winners, and the payoff of each side.
fn read_outcome(node: &Node, problems: &mut Vec<Problem>) -> (Option<Spanned<ExpectedOutcome>>, Option<Spanned<Vec<Payoff>>>) {
    let mut payoffs = None;
    let value = match &node.value {
        // In YAML, `~` and an empty value also mean none.
        Value::Null => Some(ExpectedOutcome::Open),
        Value::Map(_) => node.as_map(problems, "`outcome`").and_then(|mut map| {
            let one = map.optional_value("winner").and_then(|node| node.as_number(problems, "`winner`", 0..=i64::MAX));
            let many = map.optional_value("winners").and_then(|node| node.as_list(problems, "`winners`"));
            let result = map.optional_value("result").and_then(|node| node.as_one_of(problems, "`result`", &RESULTS));
            payoffs = map.optional_value("payoffs").and_then(|node| read_payoffs(node, problems));
            map.finish(problems);
            let sides =
                many.map(|list| list.iter().filter_map(|node| node.as_number(problems, "a winner", 0..=i64::MAX)).collect());
            match (one, sides, result.and_then(|result| RESULTS.get(result))) {
                (Some(side), _, _) => Some(ExpectedOutcome::Winners(vec![side])),
                (None, Some(sides), _) => Some(ExpectedOutcome::Winners(sides)),
                (None, None, Some(result)) => Some(ExpectedOutcome::Result(result.to_string())),
                (None, None, None) => None,
            }
        }),
        Value::Number(side) => {
            let problem = Problem::error(codes::YAML_TYPE, "`outcome` must be a word, or say who wins");
            problems.push(problem.with_label(node.span, "a number").help(format!("write `{{winner: {side}}}`")));
            None
        }
        _ => node.as_one_of(problems, "`outcome`", &RESULTS).and_then(|result| match RESULTS.get(result)? {
            &"none" => Some(ExpectedOutcome::Open),
            result => Some(ExpectedOutcome::Result(result.to_string())),
        }),
    };
    (value.map(|value| Spanned { value, span: node.span }), payoffs)
}

/// Reads the payoff of each side.
fn read_payoffs(node: &Node, problems: &mut Vec<Problem>) -> Option<Spanned<Vec<Payoff>>> {
    let list = node.as_list(problems, "`payoffs`")?;
    let value = list.iter().map(|node| read_payoff(node, problems)).collect::<Option<_>>()?;
    Some(Spanned { value, span: node.span })
}

fn read_payoff(node: &Node, problems: &mut Vec<Problem>) -> Option<Payoff> {
    let stated = match &node.value {
        Value::Text(words) => Payoff::parse_payoff(words),
        Value::Number(number) => Payoff::parse_payoff(&number.to_string()),
        _ => None,
    };
    if stated.is_none() {
        problems.push(
            Problem::error(codes::YAML_TYPE, "a payoff must be a number or halves")
                .with_label(node.span, format!("this is {}", node.describe_value()))
                .help("write a number such as `4`, `-1` or `0.5`"),
        );
    }
    stated
}

#[cfg(test)]
mod tests;
