//! All scenarios of one game: read, run, and counted together.

use super::coverage::Covered;
use super::{Scenario, read, rule_ids, run};
use ludex_engine::codes;
use ludex_engine::library::{Library, Wanted};
use ludex_engine::problem::{Problem, nearest};
use ludex_engine::program::Program;
use ludex_engine::source::{SourceId, Span};
use ludex_engine::yaml;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What came of one scenario.
#[derive(Clone, Debug)]
pub struct Verdict {
    pub name: String,
    /// The place of its name.
    pub span: Span,
    /// Nothing: it came out as it should.
    pub problems: Vec<Problem>,
}

impl Verdict {
    pub fn passed(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Runs the scenarios of one game.
pub struct Suite<'a> {
    library: &'a Library,
    game: &'a str,
    /// Mode and options where a scenario says nothing else.
    wanted: Wanted,
    /// Programs by mode and options; each is compiled once.
    programs: BTreeMap<String, Result<Arc<Program>, Vec<Problem>>>,
    /// The ids in the README's tables.
    rules: Vec<String>,
    pub covered: Covered,
    pub verdicts: Vec<Verdict>,
    /// What is wrong with the files themselves.
    pub problems: Vec<Problem>,
}

impl<'a> Suite<'a> {
    pub fn new(library: &'a Library, game: &'a str, wanted: Wanted) -> Suite<'a> {
        let readmes = library.readmes(game);
        let rules: Vec<String> = readmes.into_iter().flat_map(|readme| rule_ids(&library.sources.get(readme).text)).collect();
        let covered = Covered::new(rules.clone());
        Suite { library, game, wanted, programs: BTreeMap::new(), rules, covered, verdicts: Vec::new(), problems: Vec::new() }
    }

    /// Runs the scenarios of one file.
    pub fn file(&mut self, source: SourceId) {
        let (root, mut problems) = yaml::read(&self.library.sources.get(source).text, source);
        let scenarios = root.map(|root| read(&root, &mut problems)).unwrap_or_default();
        self.problems.extend(problems);
        for scenario in scenarios {
            let problems = self.run(&scenario);
            self.verdicts.push(Verdict { name: scenario.name.value, span: scenario.name.span, problems });
        }
    }

    fn run(&mut self, scenario: &Scenario) -> Vec<Problem> {
        let unknown: Vec<Problem> = scenario.shows.iter().filter_map(|id| self.unknown_rule(&id.value, id.span)).collect();
        if !unknown.is_empty() {
            return unknown;
        }
        let program = match self.program(scenario) {
            Ok(program) => program,
            Err(problems) => return problems,
        };
        let outcome = run::run(&program, scenario, &mut self.covered);
        if outcome.is_ok() {
            self.covered.shows(scenario.shows.iter().map(|id| &id.value));
        }
        outcome.err().unwrap_or_default()
    }

    /// A game without a table of rules may show any.
    fn unknown_rule(&self, id: &str, span: Span) -> Option<Problem> {
        if self.rules.is_empty() || self.rules.iter().any(|rule| rule == id) {
            return None;
        }
        let problem = Problem::error(codes::UNKNOWN_RULE, format!("there is no rule `{id}`")).at(span, "not known");
        Some(match nearest(id, self.rules.iter().map(String::as_str)) {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None => problem.help("the rules are those in the tables of the game's README.md"),
        })
    }

    /// The program for a scenario's mode and options.
    fn program(&mut self, scenario: &Scenario) -> Result<Arc<Program>, Vec<Problem>> {
        let mut wanted = self.wanted.clone();
        wanted.mode = scenario.heading.mode.clone().or(wanted.mode);
        wanted.options.extend(scenario.heading.options.clone());
        let key = format!("{:?} {:?}", wanted.mode, wanted.options);
        let (library, game) = (self.library, self.game);
        let compiled = self.programs.entry(key).or_insert_with(|| compile(library, game, &wanted));
        compiled
            .clone()
            .map_err(|problems| problems.into_iter().map(|problem| problem.at(scenario.name.span, "wanted here")).collect())
    }
}

fn compile(library: &Library, game: &str, wanted: &Wanted) -> Result<Arc<Program>, Vec<Problem>> {
    let (program, problems) = library.compile(game, wanted);
    let errors: Vec<Problem> = problems.into_iter().filter(Problem::is_error).collect();
    match program {
        Some(program) if errors.is_empty() => Ok(Arc::new(program)),
        _ => Err(errors),
    }
}
