//! An unfinished scenario, to be continued from its last step.
//!
//! The verb `record` continues it: people or bots play on from there, and the new steps are appended to the file. It need not
//! have expectations yet.

use super::ending::Ending;
use super::read::read_unfinished;
use super::run::{self, StepsOutcome};
use super::{Scenario, Start};
use ludex_engine::codes;
use ludex_engine::library::CompileRequest;
use ludex_engine::position::Spanned;
use ludex_engine::problem::{Problem, apply_edits, closest_match, join_words};
use ludex_engine::program::Program;
use ludex_engine::runtime::Setup;
use ludex_engine::source::{SourceId, Span};
use ludex_engine::yaml::{self, Node, OutputValue, Value};
use std::sync::Arc;

/// Maximum number of scenario names in a message.
const MOST_NAMES: usize = 6;

/// One scenario of a file.
pub struct UnfinishedScenario {
    /// Its index in the list of the file.
    place: usize,
    scenario: Scenario,
}

impl UnfinishedScenario {
    /// Finds a scenario of a text by name. Without a name, it is the only scenario, or the only one without expectations.
    /// Problems of the other scenarios in the file do not matter.
    pub fn find_by_name(text: &str, source: SourceId, name: Option<&str>) -> Result<UnfinishedScenario, Vec<Problem>> {
        let (root, mut problems) = yaml::parse_document(text, source);
        let Some(root) = root else { return Err(problems) };
        let Some(list) = root.as_list(&mut problems, "a file of scenarios") else { return Err(problems) };
        let mut found: Vec<Result<UnfinishedScenario, Vec<Problem>>> = Vec::new();
        for (place, node) in list.iter().enumerate() {
            let mut wrong = Vec::new();
            let read = read_unfinished(node, &mut wrong);
            found.push(read.map(|scenario| UnfinishedScenario { place, scenario }).ok_or(wrong));
        }
        let names: Vec<String> = list.iter().filter_map(scenario_name).collect();
        let place = match name {
            Some(name) => list
                .iter()
                .position(|node| scenario_name(node).as_deref() == Some(name))
                .ok_or_else(|| unknown_scenario_problem(name, &names)),
            None => default_scenario(&found).ok_or_else(|| unnamed_problem(root.span, &names)),
        };
        let place = place.map_err(|problem| vec![problem])?;
        let scenario = found.into_iter().nth(place).unwrap_or_else(|| Err(Vec::new()))?;
        scenario.check_begins()?;
        Ok(scenario)
    }

    /// Checks that play starts. In some scenarios it must be refused.
    fn check_begins(&self) -> Result<(), Vec<Problem>> {
        let Some(refused) = self.scenario.ending.as_ref().and_then(Ending::expected_refusal) else { return Ok(()) };
        let problem = Problem::error(codes::SCENARIO_STATE, "play does not begin in this scenario, so it cannot be continued");
        Err(vec![problem.with_label(refused.span, "it must be refused").help("leave out `refused`, or name another scenario")])
    }

    pub fn name(&self) -> &Spanned<String> {
        &self.scenario.name
    }

    /// The game that it names.
    pub fn named_game(&self) -> Option<&Spanned<String>> {
        self.scenario.heading.game.as_ref()
    }

    /// Its mode and options, with `wanted` as defaults.
    pub fn mode_and_options(&self, wanted: CompileRequest) -> CompileRequest {
        let heading = &self.scenario.heading;
        let mut options = wanted.options;
        options.extend(heading.options.clone());
        CompileRequest { mode: heading.mode.clone().or(wanted.mode), options, ..wanted }
    }

    /// Whether it has any expectation.
    pub fn has_expectations(&self) -> bool {
        self.scenario.has_expectation()
    }

    /// Whether it describes the table at the end.
    pub fn has_ending(&self) -> bool {
        self.scenario.ending.is_some()
    }

    /// Whether one of its steps is the referee's.
    pub fn names_referee(&self) -> bool {
        self.scenario.steps.iter().any(run::names_referee)
    }

    /// All results of chance that it lists.
    pub fn random_results(&self) -> Vec<i64> {
        self.scenario.random.iter().map(|result| result.value).collect()
    }

    /// The start of play, with the text of its position.
    pub fn setup_with_position(&self, program: &Arc<Program>) -> Result<(Setup, Option<String>), Vec<Problem>> {
        let text = match &self.scenario.start {
            Start::Position(node) => Some(OutputValue::from(node).block_text(0)),
            Start::Beginning(_) => None,
        };
        run::build_setup(program, &self.scenario).map(|setup| (setup, text))
    }

    /// Plays its steps. Final expectations are not checked, since play goes on.
    pub fn play_steps(&self, program: &Arc<Program>) -> Result<StepsOutcome, Vec<Problem>> {
        run::play_steps(program, &self.scenario)
    }

    /// Its node in a changed version of the text.
    pub fn node_in_text(&self, text: &str) -> Option<Node> {
        let (root, _) = yaml::parse_document(text, self.scenario.name.span.source);
        match root?.value {
            Value::List(nodes) => nodes.into_iter().nth(self.place),
            _ => None,
        }
    }

    /// Returns the text of its continuation once it passes there. The description of the table at the end is updated, if there is
    /// one.
    pub fn passing_text(&self, program: &Arc<Program>, text: String) -> Result<String, Problem> {
        if self.check_passes(program, &text).is_ok() {
            return Ok(text);
        }
        let mut problems = Vec::new();
        let scenario = self.node_in_text(&text).and_then(|node| read_unfinished(&node, &mut problems));
        let amended = scenario.map_or(Ok(Vec::new()), |scenario| run::ending_edits(program, &scenario));
        let text = apply_edits(&text, amended.unwrap_or_default().iter().collect());
        self.check_passes(program, &text).map(|()| text)
    }

    /// Checks that it passes in a changed version of the text.
    fn check_passes(&self, program: &Arc<Program>, text: &str) -> Result<(), Problem> {
        let mut problems = Vec::new();
        let scenario = self.node_in_text(text).and_then(|node| read_unfinished(&node, &mut problems));
        if let Some(scenario) = &scenario {
            let outcome = run::run_scenario(program, scenario, None, &mut Vec::new());
            problems.extend(outcome.err().into_iter().flatten());
        }
        match problems.into_iter().find(Problem::is_error) {
            // The user cannot look at this text.
            Some(problem) => Err(Problem { labels: Vec::new(), ..problem }),
            None if scenario.is_none() => Err(Problem::error(codes::SCENARIO_EMPTY, "the text has no scenario")),
            None => Ok(()),
        }
    }
}

fn scenario_name(node: &Node) -> Option<String> {
    let Value::Map(entries) = &node.value else { return None };
    let (_, name) = entries.iter().find(|(key, _)| key.name == "name")?;
    name.as_text(&mut Vec::new(), "").map(str::to_string)
}

/// The only scenario, or the only one without expectations.
fn default_scenario(found: &[Result<UnfinishedScenario, Vec<Problem>>]) -> Option<usize> {
    if found.len() == 1 {
        return Some(0);
    }
    let checks_nothing =
        |found: &&Result<UnfinishedScenario, Vec<Problem>>| found.as_ref().is_ok_and(|scenario| !scenario.has_expectations());
    let mut open = found.iter().filter(checks_nothing);
    match (open.next(), open.next()) {
        (Some(Ok(only)), None) => Some(only.place),
        _ => None,
    }
}

/// Reports that the file has several scenarios, of which none can be the default.
fn unnamed_problem(span: Span, names: &[String]) -> Problem {
    let message = format!("the file has {} scenarios, and the command does not name the one to continue", names.len());
    let problem = Problem::error(codes::COMMAND_LINE, message).with_label(span, "one of these");
    problem.help(format!("name one with `--scenario NAME`: {}", names_text(names)))
}

fn unknown_scenario_problem(name: &str, names: &[String]) -> Problem {
    let problem = Problem::error(codes::COMMAND_LINE, format!("the file has no scenario `{name}`"));
    match closest_match(name, names.iter().map(String::as_str)) {
        Some(near) => problem.suggest_near(near),
        None => problem.help(format!("there are {}", names_text(names))),
    }
}

/// The first few names, for a message.
fn names_text(names: &[String]) -> String {
    let mut told: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
    if names.len() > MOST_NAMES {
        told.push(format!("{} more", names.len() - MOST_NAMES));
    }
    join_words(&told, "and")
}
