//! All scenarios of one game: read, run, and counted together.

mod noticing;

use super::coverage::Covered;
use super::{Rule, Scenario, read, rules_in, run};
use ludex_engine::codes;
use ludex_engine::library::{Library, Wanted};
use ludex_engine::position::Spanned;
use ludex_engine::problem::{Problem, nearest};
use ludex_engine::program::Program;
use ludex_engine::source::{SourceId, Span};
use ludex_engine::yaml;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use noticing::Passing;

/// What came of one scenario.
#[derive(Clone, Debug)]
pub struct Verdict {
    pub name: String,
    /// The game or package whose scenario it is.
    pub package: String,
    /// The place of its name.
    pub span: Span,
    /// Nothing: it came out as it should.
    pub problems: Vec<Problem>,
    /// What scripts printed with `debug`, each with the place of its statement.
    pub printed: Vec<(Span, String)>,
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
    /// The ids in the tables of all READMEs.
    rules: Vec<Rule>,
    files: BTreeMap<SourceId, ScenarioFile>,
    /// The names of scenarios for which others stand in, by their places.
    replaced: BTreeSet<Span>,
    pub covered: Covered,
    pub verdicts: Vec<Verdict>,
    /// What is wrong with the files themselves.
    pub problems: Vec<Problem>,
}

/// The scenarios of one file.
#[derive(Clone, Debug, Default)]
struct ScenarioFile {
    /// The game or package whose they are.
    package: String,
    scenarios: Vec<Scenario>,
    problems: Vec<Problem>,
}

impl<'a> Suite<'a> {
    pub fn new(library: &'a Library, game: &'a str, wanted: Wanted) -> Suite<'a> {
        let rules = rules_of(library, game);
        let covered = Covered::new(rules.clone());
        let mut suite = Suite {
            library,
            game,
            wanted,
            programs: BTreeMap::new(),
            rules,
            files: BTreeMap::new(),
            replaced: BTreeSet::new(),
            covered,
            verdicts: Vec::new(),
            problems: Vec::new(),
        };
        for game in library.line(game) {
            let files = library.scenarios(&game.id).into_iter();
            suite.files.extend(files.map(|source| (source, read_file(library, &game.id, source))));
        }
        suite.replaced = suite.files.values().flat_map(|file| suite.replaced_by(file)).collect();
        suite
    }

    /// The scenarios of the game and of all that it extends, file by file.
    pub fn all_files(library: &Library, game: &str) -> Vec<SourceId> {
        library.line(game).iter().flat_map(|game| library.scenarios(&game.id)).collect()
    }

    /// Runs the scenarios of one file, but for those for which others stand in.
    pub fn file(&mut self, source: SourceId) {
        let read = || read_file(self.library, self.game, source);
        let mut file = self.files.get(&source).cloned().unwrap_or_else(read);
        self.problems.append(&mut file.problems);
        file.scenarios.retain(|scenario| !self.replaced.contains(&scenario.name.span));
        for scenario in file.scenarios {
            let mut printed = Vec::new();
            let problems = match self.wrong(&scenario, &file.package) {
                none if none.is_empty() => self.run(&scenario, &mut printed),
                problems => problems,
            };
            let Spanned { value: name, span } = scenario.name;
            self.verdicts.push(Verdict { name, package: file.package.clone(), span, problems, printed });
        }
    }

    /// Counts what no scenario runs in any mode of the game.
    pub fn expect_all_modes(&mut self) {
        let modes = self.library.modes(self.game).into_iter().map(Some).chain([None]);
        for mode in modes {
            if let Ok(program) = self.compiled(Wanted { mode, ..self.wanted.clone() }) {
                self.covered.expect(&program);
            }
        }
    }

    // --- scenarios that stand in for others ----------------------------------------------

    /// The scenarios of what a package extends.
    fn inherited(&self, package: &str) -> impl Iterator<Item = &Spanned<String>> {
        let line = self.library.line(package);
        let parents: BTreeSet<String> = line.iter().map(|game| game.id.clone()).filter(|id| id != package).collect();
        let files = self.files.values().filter(move |file| parents.contains(&file.package));
        files.flat_map(|file| &file.scenarios).map(|scenario| &scenario.name)
    }

    /// The places of the names of those for which the scenarios of a file stand in.
    fn replaced_by(&self, file: &ScenarioFile) -> Vec<Span> {
        let replaces = file.scenarios.iter().flat_map(|scenario| &scenario.replaces);
        let names: BTreeSet<&String> = replaces.map(|name| &name.value).collect();
        self.inherited(&file.package).filter(|name| names.contains(&name.value)).map(|name| name.span).collect()
    }

    /// What a scenario says that it stands in for and that is not there.
    fn replaces_nothing(&self, scenario: &Scenario, package: &str) -> Vec<Problem> {
        let known: Vec<&str> = self.inherited(package).map(|name| name.value.as_str()).collect();
        let unknown = scenario.replaces.iter().filter(|name| !known.contains(&name.value.as_str()));
        let problem = |name: &Spanned<String>| {
            let message = format!("there is no scenario `{}` to replace", name.value);
            let problem = Problem::error(codes::REPLACES_NOTHING, message).at(name.span, "not known");
            match nearest(&name.value, known.iter().copied()) {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None if known.is_empty() => {
                    problem.help(format!("`{package}` extends nothing that has scenarios: leave this out"))
                }
                None => problem.help("copy the name of a scenario of what the package extends, letter for letter"),
            }
        };
        unknown.map(problem).collect()
    }

    // --- one scenario ---------------------------------------------------------------------

    /// What is wrong with a scenario before it is run. Those of a package without a table of rules may show any.
    fn wrong(&self, scenario: &Scenario, package: &str) -> Vec<Problem> {
        let named = !self.rules.is_empty() && (package == self.game || !rules_of(self.library, package).is_empty());
        let unknown = scenario.shows.iter().filter(|_| named).filter_map(|id| self.unknown_rule(&id.value, id.span));
        let mut problems = self.replaces_nothing(scenario, package);
        problems.extend(scenario.heading.game.as_ref().and_then(|game| self.of_another_game(game)));
        problems.extend(unknown);
        problems
    }

    /// All scenarios of a file are of one game, or of what it extends.
    fn of_another_game(&self, game: &Spanned<String>) -> Option<Problem> {
        if self.library.line(self.game).iter().any(|known| known.id == game.value) {
            return None;
        }
        let message = format!("this scenario is of `{}`, but its file belongs to `{}`", game.value, self.game);
        let problem = Problem::error(codes::UNKNOWN_GAME, message).at(game.span, "another game");
        Some(problem.help("put it into a file of its own"))
    }

    fn run(&mut self, scenario: &Scenario, printed: &mut Vec<(Span, String)>) -> Vec<Problem> {
        let program = match self.program(scenario) {
            Ok(program) => program,
            Err(problems) => return problems,
        };
        let outcome = run::run(&program, scenario, &mut self.covered, printed);
        if outcome.is_ok() {
            self.covered.shows(scenario.shows.iter().map(|id| &id.value));
        }
        outcome.err().unwrap_or_default()
    }

    fn unknown_rule(&self, id: &str, span: Span) -> Option<Problem> {
        if self.rules.iter().any(|rule| rule.id == id) {
            return None;
        }
        let problem = Problem::error(codes::UNKNOWN_RULE, format!("there is no rule `{id}`")).at(span, "not known");
        Some(match nearest(id, self.rules.iter().map(|rule| rule.id.as_str())) {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None => problem.help("the rules are those in the tables of the game's README.md, and of what it extends"),
        })
    }

    /// The program for a scenario's mode and options.
    fn program(&mut self, scenario: &Scenario) -> Result<Arc<Program>, Vec<Problem>> {
        let mut wanted = self.wanted.clone();
        wanted.mode = scenario.heading.mode.clone().or(wanted.mode);
        wanted.options.extend(scenario.heading.options.clone());
        self.compiled(wanted)
            .map_err(|problems| problems.into_iter().map(|problem| problem.at(scenario.name.span, "asked for here")).collect())
    }

    fn compiled(&mut self, wanted: Wanted) -> Result<Arc<Program>, Vec<Problem>> {
        let key = format!("{:?} {:?}", wanted.mode, wanted.options);
        let (library, game) = (self.library, self.game);
        self.programs.entry(key).or_insert_with(|| compile(library, game, &wanted)).clone()
    }
}

/// The ids of the rules of a game and of all that it extends, each once.
fn rules_of(library: &Library, game: &str) -> Vec<Rule> {
    let line = library.line(game);
    let readmes = line.iter().flat_map(|game| library.readmes(&game.id));
    let mut rules: Vec<Rule> = readmes.flat_map(|readme| rules_in(&library.sources.get(readme).text)).collect();
    let mut known = BTreeSet::new();
    rules.retain(|rule| known.insert(rule.id.clone()));
    rules
}

fn read_file(library: &Library, package: &str, source: SourceId) -> ScenarioFile {
    let (root, mut problems) = yaml::read(&library.sources.get(source).text, source);
    let scenarios = root.map(|root| read(&root, &mut problems)).unwrap_or_default();
    ScenarioFile { package: package.to_string(), scenarios, problems }
}

fn compile(library: &Library, game: &str, wanted: &Wanted) -> Result<Arc<Program>, Vec<Problem>> {
    let (program, problems) = library.compile(game, wanted);
    let errors: Vec<Problem> = problems.into_iter().filter(Problem::is_error).collect();
    match program {
        Some(program) if errors.is_empty() => Ok(Arc::new(program)),
        _ => Err(errors),
    }
}
