//! All scenarios of a game: reads them, runs them, and adds up their coverage.
//!
//! `test` reports the [`Verdict`]s. A scenario that another package replaces is not run.

mod noticing;

use super::coverage::CoverageTotals;
use super::files::{FileCache, GameScenarios};
use super::{Scenario, run};
use ludex_engine::Compile;
use ludex_engine::library::{CompileRequest, Library};
use ludex_engine::position::Spanned;
use ludex_engine::problem::{Edit, Problem, apply_edits};
use ludex_engine::program::Program;
use ludex_engine::source::{SourceId, Span};
use ludex_engine::yaml;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use noticing::PassingScenario;

/// The result of one scenario.
#[derive(Clone, Debug)]
pub struct Verdict {
    pub name: String,
    /// The game or package that the scenario belongs to.
    pub package: String,
    /// The span of its name.
    pub span: Span,
    /// Empty if it passed.
    pub problems: Vec<Problem>,
    /// Output of `debug` in scripts, each with the span of its statement.
    pub printed: Vec<(Span, String)>,
    /// The edits after which it passes, if requested and only its expectations fail.
    pub amended: Vec<Edit>,
}

impl Verdict {
    pub fn has_passed(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Runs the scenarios of one game.
pub struct Suite<'a> {
    library: &'a Library,
    game: &'a str,
    /// Default mode and options of scenarios.
    wanted: CompileRequest,
    /// Programs by mode and options, each compiled once.
    programs: BTreeMap<String, Result<Arc<Program>, Vec<Problem>>>,
    files: GameScenarios<'a>,
    /// The names of replaced scenarios, by their spans.
    replaced: BTreeSet<Span>,
    /// Coverage, if requested.
    pub covered: Option<CoverageTotals>,
    pub verdicts: Vec<Verdict>,
    /// Problems of the files themselves.
    pub problems: Vec<Problem>,
    /// Whether to compute the edits that make scenarios pass.
    pub amends: bool,
    /// The work budget left for scenarios.
    pub work_left: u64,
}

impl<'a> Suite<'a> {
    /// `wanted` has the mode and options for scenarios that name none.
    pub fn new(library: &'a Library, game: &'a str, wanted: CompileRequest) -> Suite<'a> {
        let files = GameScenarios::new(library, game, &FileCache::new(library));
        Suite {
            library,
            game,
            wanted,
            programs: BTreeMap::new(),
            replaced: files.replaced_names(),
            covered: None,
            files,
            verdicts: Vec::new(),
            problems: Vec::new(),
            amends: false,
            work_left: run::WORK_OF_ALL,
        }
    }

    /// The scenario files of the game and its ancestors.
    pub fn all_files(library: &Library, game: &str) -> Vec<SourceId> {
        library.package_line(game).iter().flat_map(|game| library.scenario_files(&game.id)).collect()
    }

    /// Runs the scenarios of one file, without those that are replaced.
    pub fn run_file(&mut self, source: SourceId) {
        let file = self.files.find_or_read_file(source);
        self.problems.extend(file.problems.iter().cloned());
        let replaced = std::mem::take(&mut self.replaced);
        for scenario in file.scenarios.iter().filter(|scenario| !replaced.contains(&scenario.name.span)) {
            let mut printed = Vec::new();
            let problems = match self.files.scenario_problems(scenario, &file.package) {
                none if none.is_empty() => self.run_scenario(scenario, &mut printed),
                problems => problems,
            };
            let amended = if self.amends && !problems.is_empty() { self.passing_edits(scenario) } else { Vec::new() };
            let Spanned { value: name, span } = scenario.name.clone();
            self.verdicts.push(Verdict { name, package: file.package.clone(), span, problems, printed, amended });
        }
        self.replaced = replaced;
    }

    /// Enables coverage of everything in any mode of the game, for any choice of options.
    pub fn count_everything(&mut self) {
        let covered = self.covered.insert(CoverageTotals::new(self.files.rules()));
        let every = CompileRequest { open: true, ..self.wanted.clone() };
        let (programs, _) = self.library.compile_each(self.game, &self.library.requests_by_mode(self.game, &every));
        programs.iter().for_each(|(_, program)| covered.add_program_places(program));
    }

    // --- one scenario ---------------------------------------------------------------------

    fn run_scenario(&mut self, scenario: &Scenario, printed: &mut Vec<(Span, String)>) -> Vec<Problem> {
        let program = match self.scenario_program(scenario) {
            Ok(program) => program,
            Err(problems) => return problems,
        };
        let outcome = run::run_within_budget(&mut self.work_left, &program, scenario, self.covered.as_mut(), printed);
        if let Some(covered) = self.covered.as_mut().filter(|_| outcome.is_ok()) {
            covered.mark_shown_rules(scenario.shows.iter().map(|id| &id.value));
        }
        outcome.err().unwrap_or_default()
    }

    /// The edits that make a scenario pass; empty if it still fails with them.
    fn passing_edits(&mut self, scenario: &Scenario) -> Vec<Edit> {
        let Ok(program) = self.scenario_program(scenario) else { return Vec::new() };
        let edits = run::expectation_edits(&program, scenario).unwrap_or_default();
        let source = scenario.name.span.source;
        let text = apply_edits(&self.library.sources.get(source).text, edits.iter().collect());
        let (node, mut problems) = yaml::parse_document(&text, source);
        let scenarios = node.map(|node| super::read_scenarios(&node, &mut problems)).unwrap_or_default();
        let found = scenarios.iter().find(|found| found.name.value == scenario.name.value);
        let passes = |found| run::run_scenario(&program, found, None, &mut Vec::new()).is_ok();
        if found.is_some_and(passes) { edits } else { Vec::new() }
    }

    /// The program for a scenario's mode and options.
    fn scenario_program(&mut self, scenario: &Scenario) -> Result<Arc<Program>, Vec<Problem>> {
        let mut wanted = self.wanted.clone();
        wanted.mode = scenario.heading.mode.clone().or(wanted.mode);
        wanted.options.extend(scenario.heading.options.clone());
        self.compile_once(wanted).map_err(|problems| {
            problems.into_iter().map(|problem| problem.with_label(scenario.name.span, "asked for here")).collect()
        })
    }

    /// The errors if it does not compile, the same for every scenario.
    fn compile_once(&mut self, wanted: CompileRequest) -> Result<Arc<Program>, Vec<Problem>> {
        let key = format!("{:?} {:?}", wanted.mode, wanted.options);
        let (library, game) = (self.library, self.game);
        self.programs.entry(key).or_insert_with(|| compile_program(library, game, &wanted)).clone()
    }
}

fn compile_program(library: &Library, game: &str, wanted: &CompileRequest) -> Result<Arc<Program>, Vec<Problem>> {
    let (program, problems) = library.compile(game, wanted);
    let errors: Vec<Problem> = problems.into_iter().filter(Problem::is_error).collect();
    match program {
        Some(program) if errors.is_empty() => Ok(Arc::new(program)),
        _ => Err(errors),
    }
}
