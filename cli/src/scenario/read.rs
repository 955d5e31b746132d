//! YAML → scenarios, with a problem for everything that cannot be parsed.
//!
//! Problems are added to a list, and reading goes on, so that one run shows them all. A function returns `None`, or leaves
//! something out, after it has reported why.

use super::ending::Ending;
use super::heading::HeadingPlaces;
use super::pattern::Pattern;
use super::{Answer, ExpectedOptions, QuestionSeat, Scenario, Start, Step, StepKind};
use ludex_engine::codes;
use ludex_engine::position::{Heading, Spanned};
use ludex_engine::problem::{Problem, closest_match, nearest_word};
use ludex_engine::yaml::{Key, MapReader, Node, Value};

/// Maximum number of rules that one scenario may show.
const MOST_SHOWN: usize = 4;

/// The scenarios of a file that can be run. The others are reported as problems.
pub fn read_scenarios(root: &Node, problems: &mut Vec<Problem>) -> Vec<Scenario> {
    if let Value::Map(entries) = &root.value
        && let Some((key, _)) = entries.first()
    {
        let problem =
            Problem::error(codes::YAML_TYPE, "a file of scenarios must be a list").with_label(key.span, "this is a map");
        let help = format!("begin each scenario with `- `, as in `- {}: …`, and put two spaces before its other lines", key.name);
        problems.push(problem.help(help));
        return Vec::new();
    }
    let Some(list) = root.as_list(problems, "a file of scenarios") else { return Vec::new() };
    list.iter().filter_map(|node| read_scenario(node, problems)).collect()
}

fn read_scenario(node: &Node, problems: &mut Vec<Problem>) -> Option<Scenario> {
    let before = problems.len();
    let scenario = read_unfinished(node, problems)?;
    let expects = scenario.has_expectation() || scenario.steps.iter().any(may_expect);
    if !expects && !problems.iter().skip(before).any(Problem::is_error) {
        problems.push(no_checks_problem(&scenario));
        return None;
    }
    Some(scenario)
}

/// Reads a scenario that need not have expectations yet.
pub fn read_unfinished(node: &Node, problems: &mut Vec<Problem>) -> Option<Scenario> {
    let before = problems.len();
    let mut map = node.as_map(problems, "a scenario")?;
    let name = map.required_value("name").and_then(|node| text_value(node, problems, "the name of a scenario"));
    let game = map.optional_value("game").and_then(|node| text_value(node, problems, "the id of a game"));
    let replaces = map.optional_value("replaces").map(|node| read_items(node, problems, "`replaces`")).unwrap_or_default();
    // In a game whose README lists no rules, there are no ids to show.
    let shows = map.optional_value("shows").map(|node| read_shown_rules(node, problems)).unwrap_or_default();
    let places = map
        .find_entry("position")
        .or(map.find_entry("start"))
        .map(|(_, node)| HeadingPlaces::from_node(node))
        .unwrap_or_default();
    let start = read_start(&mut map, problems);
    let random = map.optional_value("random").map(|node| read_random_results(node, problems)).unwrap_or_default();
    let steps = map.optional_value("play").map(|node| read_steps(node, problems)).unwrap_or_default();
    let ending = map.optional_value("then").and_then(|node| Ending::read(node, "`then`", problems));
    map.finish(problems);
    let (mut heading, start) = start?;
    heading.game = game.or(heading.game);
    let scenario = Scenario { name: name?, replaces, shows, heading, places, start, random, steps, ending };
    // An incomplete scenario would fail for unrelated reasons.
    (!problems.iter().skip(before).any(Problem::is_error)).then_some(scenario)
}

/// Reports a scenario without any expectation.
fn no_checks_problem(scenario: &Scenario) -> Problem {
    Problem::error(codes::SCENARIO_EMPTY, format!("the scenario `{}` checks nothing", scenario.name.value))
        .with_label(scenario.name.span, "it cannot fail")
        .help("say what must happen, with `expect`, `exactly`, `check`, `legal`, `only`, `not` or `then`")
}

fn read_shown_rules(node: &Node, problems: &mut Vec<Problem>) -> Vec<Spanned<String>> {
    let Some(list) = node.as_list(problems, "`shows`") else { return Vec::new() };
    let ids: Vec<_> = list.iter().filter_map(|node| text_value(node, problems, "the id of a rule")).collect();
    if ids.is_empty() || ids.len() > MOST_SHOWN {
        let message = format!("a scenario shows one to {MOST_SHOWN} rules");
        let problem = Problem::error(codes::SCENARIO_RULES, message).with_label(node.span, format!("{} are listed", list.len()));
        problems.push(problem.help("split it, or list only the rules without which it would fail"));
    }
    ids
}

/// The keys for the start of play.
const STARTS: [&str; 2] = ["position", "start"];

/// The keys for expected options of a seat.
const EXPECTED: [&str; 3] = ["legal", "only", "not"];

/// Whether an answer by roles may be meant as an expectation. Its key is reported later, when the roles of the game are known.
fn may_expect(step: &Step) -> bool {
    let StepKind::Answer { answer: Answer::Arguments { roles, .. }, .. } = &step.kind else { return false };
    roles.iter().any(|(role, _)| nearest_word(role, EXPECTED).is_some())
}

/// Reads `position` or `start`, exactly one of which is needed.
fn read_start(map: &mut MapReader<'_>, problems: &mut Vec<Problem>) -> Option<(Heading, Start)> {
    match (map.optional_value("position"), map.optional_value("start")) {
        (Some(node), None) => Some((Heading::from_node(node), Start::Position(node.clone()))),
        (None, Some(node)) => Some((Heading::from_node(node), read_beginning(node, problems)?)),
        // The unknown key is reported instead.
        (None, None) if map.has_near(&STARTS) => None,
        (None, None) => {
            let problem = Problem::error(codes::YAML_MISSING_KEY, "a scenario has neither `position` nor `start`");
            let problem = problem.with_label(map.span, "play has to start somewhere");
            problems.push(problem.help("`position:` starts in the middle, `start: {sides: [[…], […]]}` at the beginning"));
            None
        }
        (Some(_), Some(node)) => {
            let problem = Problem::error(codes::YAML_UNKNOWN_KEY, "a scenario has both `position` and `start`");
            problems.push(problem.with_label(node.span, "a second place to start from").help("leave one of them out"));
            None
        }
    }
}

fn read_beginning(node: &Node, problems: &mut Vec<Problem>) -> Option<Start> {
    let mut map = node.as_map(problems, "`start`")?;
    for heading in ["game", "mode", "options"] {
        map.optional_value(heading);
    }
    // If sides bring nothing, they need no entry.
    let sides = map.optional_value("sides");
    map.finish(problems);
    let sides = sides.map_or(Some(&[][..]), |sides| sides.as_list(problems, "`sides`"))?;
    Some(Start::Beginning(sides.iter().map(|side| read_entrants(side, problems)).collect()))
}

/// Reads `[cat]`, or `{entrants: [cat]}` as in positions; `{}` is a side that brings nothing.
fn read_entrants(node: &Node, problems: &mut Vec<Problem>) -> Vec<Spanned<String>> {
    let list = match &node.value {
        Value::Map(entries) if entries.is_empty() => None,
        Value::Map(_) => {
            let Some(mut map) = node.as_map(problems, "a side") else { return Vec::new() };
            let list = map.required_value("entrants");
            map.finish(problems);
            list
        }
        _ => Some(node),
    };
    let list = list.and_then(|list| list.as_list(problems, "a side"));
    list.into_iter().flatten().filter_map(|node| text_value(node, problems, "an entrant")).collect()
}

fn read_random_results(node: &Node, problems: &mut Vec<Problem>) -> Vec<Spanned<i64>> {
    let list = node.as_list(problems, "`random`").unwrap_or_default();
    let results = list.iter().filter_map(|node| {
        let value = node.as_number(problems, "a result", i64::MIN..=i64::MAX)?;
        Some(Spanned { value, span: node.span })
    });
    results.collect()
}

// --- steps -------------------------------------------------------------------

fn read_steps(node: &Node, problems: &mut Vec<Problem>) -> Vec<Step> {
    let list = node.as_list(problems, "`play`").unwrap_or_default();
    list.iter().filter_map(|node| read_step(node, problems)).collect()
}

/// Reads a line of `play`: a map with one entry, whose key is a seat or the kind of an expectation.
fn read_step(node: &Node, problems: &mut Vec<Problem>) -> Option<Step> {
    if let Value::Text(words) = &node.value
        && let Some((seat, answer)) = words.split_once(' ').filter(|(seat, _)| seat.parse::<usize>().is_ok())
    {
        let problem = Problem::error(codes::YAML_TYPE, "an answer has a `:` after its seat");
        problems.push(problem.with_label(node.span, "without a `:`").help(format!("write `- {seat}: {}`", answer.trim_start())));
        return None;
    }
    let entries = node.as_entries(problems, "a step")?;
    let [(key, value)] = entries else {
        let problem = Problem::error(codes::YAML_TYPE, "a step is one answer or one expectation");
        problems
            .push(problem.with_label(node.span, format!("this has {}", entries.len())).help("start each with a `- ` of its own"));
        return None;
    };
    let kind = match key.name.as_str() {
        "expect" => StepKind::Events { patterns: read_patterns(value, problems)?, exactly: false },
        "exactly" => StepKind::Events { patterns: read_patterns(value, problems)?, exactly: true },
        "check" => StepKind::Check(read_check(value, problems)?),
        "tell" => StepKind::Tell(value.as_text(problems, "the text of `tell`")?.to_string()),
        "referee" => read_seat_step(QuestionSeat::Referee, value, problems)?,
        word => read_seat_step(QuestionSeat::Seat(read_seat(word, key, problems)?), value, problems)?,
    };
    Some(Step { span: key.span.extend_to(value.span), kind })
}

/// Reads expectations like `then`, in the middle of play.
fn read_check(node: &Node, problems: &mut Vec<Problem>) -> Option<Ending> {
    let ending = Ending::read(node, "`check`", problems)?;
    let Some(refused) = ending.expected_refusal() else { return Some(ending) };
    let problem = Problem::error(codes::YAML_UNKNOWN_KEY, "play has begun, so it can no longer be refused");
    problems.push(problem.with_label(refused.span, "only in `then`").help("leave out `refused`"));
    None
}

fn read_seat(word: &str, key: &Key, problems: &mut Vec<Problem>) -> Option<usize> {
    let seat = word.parse().ok();
    if seat.is_none() {
        let problem =
            Problem::error(codes::YAML_UNKNOWN_KEY, format!("a step cannot be `{word}`")).with_label(key.span, "not known here");
        problems.push(match closest_match(word, ["expect", "exactly", "check", "referee", "tell"]) {
            Some(near) => problem.suggest_near(near),
            None => problem.help("a step is `SEAT: answer`, `SEAT: {legal: […], only: […], not: […]}`, `expect: […]`, `exactly: […]`, `check: {…}` or `tell: \"…\"`"),
        });
    }
    seat
}

/// Reads a line that begins with a seat: an answer, or the options that it must have.
fn read_seat_step(who: QuestionSeat, node: &Node, problems: &mut Vec<Problem>) -> Option<StepKind> {
    if let Some(words) = scalar_text(node) {
        return Some(StepKind::Answer { who, answer: Answer::Words(words) });
    }
    let entries = node.as_entries(problems, "an answer")?;
    let is_check = entries.iter().any(|(key, _)| EXPECTED.contains(&key.name.as_str()));
    match is_check {
        true => Some(StepKind::Options { who, expected: read_expected_options(node, problems)? }),
        false => Some(StepKind::Answer { who, answer: read_arguments(entries, problems)? }),
    }
}

fn read_expected_options(node: &Node, problems: &mut Vec<Problem>) -> Option<ExpectedOptions> {
    let mut map = node.as_map(problems, "an expectation of options")?;
    let legal = map.optional_value("legal").map(|node| read_items(node, problems, "`legal`")).unwrap_or_default();
    let only = map.optional_value("only").map(|node| read_items(node, problems, "`only`"));
    let not = map.optional_value("not").map(|node| read_refused_keys(node, problems)).unwrap_or_default();
    map.finish(problems);
    Some(ExpectedOptions { legal, only, not })
}

/// Reads `{key: "words of the reason"}`, or a list of keys.
fn read_refused_keys(node: &Node, problems: &mut Vec<Problem>) -> Vec<(Spanned<String>, String)> {
    let Value::Map(entries) = &node.value else {
        return read_items(node, problems, "`not`").into_iter().map(|key| (key, String::new())).collect();
    };
    let refused = entries.iter().map(|(key, reason)| {
        let reason = match &reason.value {
            Value::Null => String::new(),
            _ => reason.as_text(problems, "a reason").unwrap_or_default().to_string(),
        };
        (Spanned { value: key.name.clone(), span: key.span }, reason)
    });
    refused.collect()
}

/// Reads an answer by roles: `{action: attack, attackers: [a, b]}`.
fn read_arguments(entries: &[(Key, Node)], problems: &mut Vec<Problem>) -> Option<Answer> {
    let mut action = None;
    let mut roles = Vec::new();
    for (key, node) in entries {
        let list = match &node.value {
            Value::List(list) => list.as_slice(),
            _ => std::slice::from_ref(node),
        };
        let found: Option<Vec<String>> = list.iter().map(scalar_text).collect();
        match found {
            Some(found) if key.name == "action" => action = Some(found.join(" ")),
            Some(found) => roles.push((key.name.clone(), found)),
            None => {
                let problem = Problem::error(codes::YAML_TYPE, format!("`{}` must be a word or a list of words", key.name));
                problems.push(problem.with_label(node.span, format!("this is {}", node.describe_value())));
                return None;
            }
        }
    }
    Some(Answer::Arguments { action, roles })
}

/// Reads expected events. Without quotes, ` #` begins a comment in YAML and a comma ends an item, so that an event is cut off.
fn read_patterns(node: &Node, problems: &mut Vec<Problem>) -> Option<Vec<Spanned<Pattern>>> {
    let items = read_items(node, problems, "expected events");
    let before = problems.len();
    let opens = |item: &Spanned<String>| item.value.matches('(').count() > item.value.matches(')').count();
    if let Some(cut) = items.iter().position(opens) {
        let end = items[cut + 1..].iter().find(|item| item.value.ends_with(')')).map_or(items[cut].span, |item| item.span);
        let problem = Problem::error(codes::SCENARIO_PATTERN, "YAML ends this value before the event is complete");
        let problem = problem.with_label(items[cut].span.extend_to(end), "a `)` is missing at the end");
        problems.push(problem.help("put the event in quotes: `\"rolled(a #2, 6)\"`"));
        return None;
    }
    let patterns = items.into_iter().filter_map(|item| match Pattern::parse(&item.value) {
        Ok(value) => Some(Spanned { value, span: item.span }),
        Err(fault) => {
            let problem = Problem::error(codes::SCENARIO_PATTERN, "this is not an event").with_label(item.span, fault);
            problems.push(problem.help("an event is written `kind(what, what by SIDE)`, such as `rolled(a, 6)`"));
            None
        }
    });
    let patterns: Vec<_> = patterns.collect();
    (problems.len() == before).then_some(patterns)
}

// --- words -------------------------------------------------------------------

/// The items of a list, or a single item.
fn read_items(node: &Node, problems: &mut Vec<Problem>, what: &str) -> Vec<Spanned<String>> {
    let list = match &node.value {
        Value::List(list) => list.as_slice(),
        _ => std::slice::from_ref(node),
    };
    let mut items = Vec::new();
    for node in list {
        match scalar_text(node) {
            Some(value) => items.push(Spanned { value, span: node.span }),
            None => drop(node.as_text(problems, &format!("an item of {what}"))),
        }
    }
    items
}

/// The text of a scalar of any YAML type.
fn scalar_text(node: &Node) -> Option<String> {
    match &node.value {
        Value::Text(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Flag(flag) => Some(flag.to_string()),
        Value::Null | Value::List(_) | Value::Map(_) => None,
    }
}

fn text_value(node: &Node, problems: &mut Vec<Problem>, what: &str) -> Option<Spanned<String>> {
    let value = node.as_text(problems, what)?.to_string();
    Some(Spanned { value, span: node.span })
}

#[cfg(test)]
mod tests;
