//! The heading of a scenario or a position: its mode and options, with their places.

use ludex_engine::codes;
use ludex_engine::library::wrong_option;
use ludex_engine::position::Heading;
use ludex_engine::problem::{Problem, closest, joined};
use ludex_engine::program::Program;
use ludex_engine::source::Span;
use ludex_engine::yaml::{Node, Value};
use std::collections::BTreeMap;

/// The places of the entries in a heading.
#[derive(Clone, Debug, Default)]
pub struct Places {
    pub mode: Option<Span>,
    /// By name of option.
    pub options: BTreeMap<String, Span>,
    pub sides: Option<Span>,
    /// A key that resembles one of these.
    pub misspelt: Option<Problem>,
}

/// The keys of a position.
const KEYS: [&str; 7] = ["ludex-position", "game", "mode", "options", "sides", "table", "at"];

impl Places {
    /// Finds the places in the map that starts a scenario, or is a position.
    pub fn of(node: &Node) -> Places {
        let Value::Map(entries) = &node.value else { return Places::default() };
        let mut places = Places::default();
        for (key, node) in entries {
            match (key.name.as_str(), &node.value) {
                ("mode", _) => places.mode = Some(node.span),
                ("sides", _) => places.sides = Some(key.span),
                ("options", Value::Map(options)) => {
                    places.options = options.iter().map(|(key, node)| (key.name.clone(), key.span.to(node.span))).collect();
                }
                (name, _) if !KEYS.contains(&name) => {
                    let near = closest(name, KEYS).filter(|near| ["mode", "options"].contains(&near.word.as_str()));
                    let problem = Problem::error(codes::YAML_UNKNOWN_KEY, format!("the position has no key `{name}`"));
                    let problem = problem.at(key.span, "not known here");
                    places.misspelt = near.map(|near| problem.meant(near)).or(places.misspelt);
                }
                _ => {}
            }
        }
        places
    }

    /// Reports a mode that the game does not have.
    pub fn unknown_mode(&self, mode: &str, known: &[String]) -> Problem {
        let problem = Problem::error(codes::UNKNOWN_MODE, format!("there is no mode `{mode}`"));
        let problem = self.mode.into_iter().fold(problem, |problem, span| problem.at(span, "asked for here"));
        match closest(mode, known.iter().map(String::as_str)) {
            Some(near) => problem.meant(near),
            None if known.is_empty() => problem.help("the game has no modes: leave it out"),
            None => {
                let known: Vec<String> = known.iter().map(|mode| format!("`{mode}`")).collect();
                problem.help(format!("the modes are {}", joined(&known, "and")))
            }
        }
    }

    /// Reports options that the game does not have, and impossible values.
    pub fn wrong_options(&self, program: &Program, heading: &Heading) -> Vec<Problem> {
        let wrong = heading.options.iter().filter_map(|(name, words)| {
            let problem = wrong_option(program, name, words)?;
            let span = self.options.get(name).copied();
            Some(span.into_iter().fold(problem, |problem, span| problem.at(span, "set here")))
        });
        wrong.collect()
    }
}
