//! The heading of a scenario or a position: its mode and options, with their places.
//!
//! Only [`Heading`] has their values, for the engine; these places let problems point to them. `check` also uses them for
//! positions outside scenarios.

use ludex_engine::codes;
use ludex_engine::library::option_problem;
use ludex_engine::position::Heading;
use ludex_engine::problem::{Problem, closest_match, join_words};
use ludex_engine::program::Program;
use ludex_engine::source::Span;
use ludex_engine::yaml::{Node, Value};
use std::collections::BTreeMap;

/// The places of the entries in a heading.
#[derive(Clone, Debug, Default)]
pub struct HeadingPlaces {
    pub mode: Option<Span>,
    /// By name of option.
    pub options: BTreeMap<String, Span>,
    pub sides: Option<Span>,
    /// A key that resembles one of these.
    pub misspelt: Option<Problem>,
}

/// The keys of a position.
const KEYS: [&str; 7] = ["ludex-position", "game", "mode", "options", "sides", "table", "at"];

impl HeadingPlaces {
    /// Finds the places in the map that starts a scenario, or is a position.
    pub fn from_node(node: &Node) -> HeadingPlaces {
        let Value::Map(entries) = &node.value else { return HeadingPlaces::default() };
        let mut places = HeadingPlaces::default();
        for (key, node) in entries {
            match (key.name.as_str(), &node.value) {
                ("mode", _) => places.mode = Some(node.span),
                ("sides", _) => places.sides = Some(key.span),
                ("options", Value::Map(options)) => {
                    places.options =
                        options.iter().map(|(key, node)| (key.name.clone(), key.span.extend_to(node.span))).collect();
                }
                (name, _) if !KEYS.contains(&name) => {
                    let near = closest_match(name, KEYS).filter(|near| ["mode", "options"].contains(&near.word.as_str()));
                    let problem = Problem::error(codes::YAML_UNKNOWN_KEY, format!("the position has no key `{name}`"));
                    let problem = problem.with_label(key.span, "not known here");
                    places.misspelt = near.map(|near| problem.suggest_near(near)).or(places.misspelt);
                }
                _ => {}
            }
        }
        places
    }

    /// Reports a mode that the game does not have.
    pub fn unknown_mode_problem(&self, mode: &str, known: &[String]) -> Problem {
        let problem = Problem::error(codes::UNKNOWN_MODE, format!("there is no mode `{mode}`"));
        let problem = self.mode.into_iter().fold(problem, |problem, span| problem.with_label(span, "asked for here"));
        match closest_match(mode, known.iter().map(String::as_str)) {
            Some(near) => problem.suggest_near(near),
            None if known.is_empty() => problem.help("the game has no modes: leave it out"),
            None => {
                let known: Vec<String> = known.iter().map(|mode| format!("`{mode}`")).collect();
                problem.help(format!("the modes are {}", join_words(&known, "and")))
            }
        }
    }

    /// Reports options that the game does not have, and impossible values.
    pub fn option_problems(&self, program: &Program, heading: &Heading) -> Vec<Problem> {
        let wrong = heading.options.iter().filter_map(|(name, words)| {
            let problem = option_problem(program, name, words)?;
            let span = self.options.get(name).copied();
            Some(span.into_iter().fold(problem, |problem, span| problem.with_label(span, "set here")))
        });
        wrong.collect()
    }
}
