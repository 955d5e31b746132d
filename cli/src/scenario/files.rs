//! The scenario files of a game and all its ancestors, and the problems between them.
//!
//! A package is a game or an extension of one; its ancestors are the packages that it extends, whose scenarios it inherits
//! unless it replaces them. A README may have tables of rules, by id, which scenarios, rules and texts for players cite.

use super::Scenario;
use super::read::read_scenarios;
use super::rules::{Rule, RuleTables, cited_in};
use super::unplayed;
use super::vocabulary::Vocabulary;
use crate::shared::map_parallel;
use ludex_engine::codes;
use ludex_engine::library::Library;
use ludex_engine::position::Spanned;
use ludex_engine::problem::{Problem, closest_match};
use ludex_engine::source::{SourceId, Span};
use ludex_engine::yaml;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// Maximum number of rules among which the nearest to an unknown one is looked for.
const MOST_COMPARED: usize = 5_000;

/// The scenarios of one file.
#[derive(Clone, Debug, Default)]
pub struct ScenarioFile {
    /// The game or package that owns them.
    pub package: String,
    pub scenarios: Vec<Scenario>,
    pub problems: Vec<Problem>,
}

/// Scenario files and READMEs, each read on first use. Those of a game are read once for all packages that extend it.
#[derive(Clone)]
pub struct FileCache {
    scenarios: BTreeMap<SourceId, Arc<CachedFile>>,
    readmes: Arc<BTreeMap<SourceId, OnceLock<Arc<RuleTables>>>>,
}

/// A file that is read on first use.
struct CachedFile {
    package: String,
    read: OnceLock<Arc<ScenarioFile>>,
}

/// The scenarios of a game.
pub struct GameScenarios<'a> {
    library: &'a Library,
    game: &'a str,
    /// The tables of the READMEs of the game and all its ancestors.
    tables: Vec<(SourceId, Arc<RuleTables>)>,
    files: BTreeMap<SourceId, Arc<ScenarioFile>>,
}

impl FileCache {
    /// The files of all games.
    pub fn new(library: &Library) -> FileCache {
        let unread = |package: &String| Arc::new(CachedFile { package: package.clone(), read: OnceLock::new() });
        let files = |game: String| library.scenario_files(&game).into_iter().map(move |source| (source, unread(&game)));
        let games = library.game_ids();
        let readmes = games.iter().flat_map(|game| library.readme_files(game)).map(|source| (source, OnceLock::new()));
        FileCache { readmes: Arc::new(readmes.collect()), scenarios: games.into_iter().flat_map(files).collect() }
    }

    /// A subset that shares its contents: a file read in one is read in both. All READMEs are part of it.
    pub fn select_files(&self, sources: impl IntoIterator<Item = SourceId>) -> FileCache {
        let scenarios = sources.into_iter().filter_map(|source| Some((source, self.scenarios.get(&source)?.clone())));
        FileCache { scenarios: scenarios.collect(), readmes: Arc::clone(&self.readmes) }
    }

    /// Reads all scenario files that were not read yet. `check` does this as work of its own, so that several threads share it.
    pub fn read_all(&self, library: &Library) {
        for source in self.scenarios.keys() {
            self.cached_file(library, *source);
        }
    }

    /// Reads one of them, if it exists.
    pub fn cached_file(&self, library: &Library, source: SourceId) -> Option<Arc<ScenarioFile>> {
        let CachedFile { package, read } = self.scenarios.get(&source)?.as_ref();
        Some(read.get_or_init(|| Arc::new(read_file(library, package, source))).clone())
    }

    /// The tables of the READMEs of a game and all its ancestors.
    fn rule_tables(&self, library: &Library, game: &str) -> Vec<(SourceId, Arc<RuleTables>)> {
        let readmes = library.package_line(game).into_iter().flat_map(|game| library.readme_files(&game.id));
        let tables = |source: SourceId| {
            let read = || Arc::new(RuleTables::read(&library.sources.get(source).text));
            Some((source, self.readmes.get(&source)?.get_or_init(read).clone()))
        };
        readmes.filter_map(tables).collect()
    }
}

impl<'a> GameScenarios<'a> {
    pub fn new(library: &'a Library, game: &'a str, read: &FileCache) -> GameScenarios<'a> {
        let tables = read.rule_tables(library, game);
        let sources = library.package_line(game).into_iter().flat_map(|game| library.scenario_files(&game.id));
        let files = sources.filter_map(|source| Some((source, read.cached_file(library, source)?))).collect();
        GameScenarios { library, game, tables, files }
    }

    /// The rules of the game and all its ancestors, without duplicates.
    pub fn rules(&self) -> Vec<Rule> {
        let mut known = BTreeSet::new();
        let rules = self.tables.iter().flat_map(|(_, tables)| &tables.rules);
        rules.filter(|rule| known.insert(&rule.id)).cloned().collect()
    }

    /// Reads a file of the game, or another one named explicitly.
    pub fn find_or_read_file(&self, source: SourceId) -> Arc<ScenarioFile> {
        let read = || Arc::new(read_file(self.library, self.game, source));
        self.files.get(&source).cloned().unwrap_or_else(read)
    }

    /// The files of the game and all its ancestors.
    pub fn scenario_files(&self) -> impl Iterator<Item = &ScenarioFile> {
        self.files.values().map(Arc::as_ref)
    }

    // --- all scenarios together -----------------------------------------------------------

    /// The game's own files, without those of its ancestors.
    fn own_files(&self) -> impl Iterator<Item = &Arc<ScenarioFile>> {
        self.files.values().filter(|file| file.package == self.game)
    }

    /// The syntax problems of the game's own scenarios.
    pub fn syntax_problems(&self) -> Vec<Problem> {
        self.own_files().flat_map(|file| file.problems.iter().cloned()).collect()
    }

    /// The problems of the game's own scenarios that can be found without playing them. `modes` has the vocabulary of each mode
    /// that compiles. `known_modes` are all modes of the game.
    pub fn own_problems(&self, modes: &BTreeMap<Option<String>, Vocabulary>, known_modes: &[String]) -> Vec<Problem> {
        let wrong = |scenario: &Scenario| {
            let wrong = self.scenario_problems(scenario, self.game).into_iter();
            wrong.chain(problems_in_mode(scenario, modes, known_modes)).collect::<Vec<Problem>>()
        };
        let twice = self.own_files().flat_map(|file| duplicate_name_problems(&file.scenarios));
        let others = map_parallel(self.own_files(), |file| file.scenarios.iter().flat_map(wrong).collect::<Vec<Problem>>());
        twice.chain(others.into_iter().flatten()).collect()
    }

    // --- scenarios that stand in for others ----------------------------------------------

    /// The spans of the names of replaced scenarios.
    pub fn replaced_names(&self) -> BTreeSet<Span> {
        self.files.values().flat_map(|file| self.replaced_by(file)).collect()
    }

    /// The scenarios of a package's ancestors.
    fn inherited_names(&self, package: &str) -> impl Iterator<Item = &Spanned<String>> {
        let line = self.library.package_line(package);
        let parents: BTreeSet<String> = line.iter().map(|game| game.id.clone()).filter(|id| id != package).collect();
        let files = self.files.values().filter(move |file| parents.contains(&file.package));
        files.flat_map(|file| &file.scenarios).map(|scenario| &scenario.name)
    }

    /// The names of inherited scenarios that a file replaces.
    fn replaced_by(&self, file: &ScenarioFile) -> Vec<Span> {
        let replaces = file.scenarios.iter().flat_map(|scenario| &scenario.replaces);
        let names: BTreeSet<&String> = replaces.map(|name| &name.value).collect();
        self.inherited_names(&file.package).filter(|name| names.contains(&name.value)).map(|name| name.span).collect()
    }

    /// Reports replacements of scenarios that do not exist.
    fn replacement_problems(&self, scenario: &Scenario, package: &str) -> Vec<Problem> {
        if scenario.replaces.is_empty() {
            return Vec::new();
        }
        let known: Vec<&str> = self.inherited_names(package).map(|name| name.value.as_str()).collect();
        let unknown = scenario.replaces.iter().filter(|name| !known.contains(&name.value.as_str()));
        let problem = |name: &Spanned<String>| {
            let message = format!("there is no scenario `{}` to replace", name.value);
            let problem = Problem::error(codes::REPLACES_NOTHING, message).with_label(name.span, "not known");
            match closest_match(&name.value, known.iter().copied()) {
                Some(near) => problem.suggest_near(near),
                None if known.is_empty() => {
                    problem.help(format!("no package that `{package}` extends has scenarios: leave this out"))
                }
                None => problem.help("copy the name, letter for letter, from a package that this one extends"),
            }
        };
        unknown.map(problem).collect()
    }

    // --- one scenario ---------------------------------------------------------------------

    /// The problems of a scenario independent of the rules. Those of a package without a table of rules may show any rule.
    pub fn scenario_problems(&self, scenario: &Scenario, package: &str) -> Vec<Problem> {
        let named = !scenario.shows.is_empty() && self.has_rules(package);
        let ids = || self.tables.iter().map(|(_, tables)| &tables.ids);
        let unknown = scenario.shows.iter().filter(|id| named && !ids().any(|ids| ids.contains(&id.value)));
        let unknown = unknown.map(|id| unknown_rule_problem(&id.value, id.span, ids(), Problem::error));
        let mut problems = self.replacement_problems(scenario, package);
        problems.extend(scenario.heading.game.as_ref().and_then(|game| self.game_problem(game)));
        problems.extend(unknown);
        problems
    }

    /// Whether the game, or the given one of its ancestors, has tables of rules.
    fn has_rules(&self, package: &str) -> bool {
        let readmes = self.library.package_line(package).into_iter().flat_map(|game| self.library.readme_files(&game.id));
        let readmes: BTreeSet<SourceId> = readmes.collect();
        self.tables.iter().any(|(source, tables)| readmes.contains(source) && !tables.rules.is_empty())
    }

    /// All scenarios of a file must be for one game or its ancestors.
    fn game_problem(&self, game: &Spanned<String>) -> Option<Problem> {
        if self.library.package_line(self.game).iter().any(|known| known.id == game.value) {
            return None;
        }
        let message = format!("this scenario is for `{}`, but its file belongs to `{}`", game.value, self.game);
        let problem = Problem::error(codes::UNKNOWN_GAME, message).with_label(game.span, "another game");
        Some(problem.help("put it into a file of its own"))
    }

    /// Reports rules that the game's own files cite and that no table lists. In a game without such a table, any may be cited.
    pub fn unlisted_rule_problems(&self) -> Vec<Problem> {
        if !self.has_rules(self.game) {
            return Vec::new();
        }
        let ids = || self.tables.iter().map(|(_, tables)| &tables.first_cells);
        let cites = self.library.cited_rules(self.game).into_iter().chain(self.rulebook_citations());
        cites
            .filter(|(rule, _)| !ids().any(|ids| ids.contains(rule)))
            .map(|(rule, span)| unknown_rule_problem(&rule, span, ids(), Problem::warning))
            .collect()
    }

    /// The rules cited in the game's own text for players.
    fn rulebook_citations(&self) -> Vec<(String, Span)> {
        let cited = |source: SourceId| {
            let text = &self.library.sources.get(source).text;
            let place = |id: &str| id.as_ptr() as usize - text.as_ptr() as usize;
            cited_in(text).map(|id| (id.to_string(), Span::new(source, place(id), place(id) + id.len()))).collect::<Vec<_>>()
        };
        self.library.rulebook_files(self.game).into_iter().flat_map(cited).collect()
    }
}

/// Reports the id of a rule that is in no table, with the nearest one unless there are very many. `problem` makes an error or a
/// warning.
fn unknown_rule_problem<'t>(
    id: &str,
    span: Span,
    known: impl Iterator<Item = &'t BTreeSet<String>> + Clone,
    problem: fn(&'static str, String) -> Problem,
) -> Problem {
    let problem = problem(codes::UNKNOWN_RULE, format!("there is no rule `{id}`")).with_label(span, "not known");
    let is_few = known.clone().map(BTreeSet::len).sum::<usize>() <= MOST_COMPARED;
    match closest_match(id, known.flatten().map(String::as_str).filter(|_| is_few)) {
        Some(near) => problem.suggest_near(near),
        None => problem.help("the rules are in the tables of the game's README.md, and of those of the packages it extends"),
    }
}

/// Reports scenarios with the name of an earlier one in their file. Another file may show the same in another mode.
fn duplicate_name_problems(scenarios: &[Scenario]) -> Vec<Problem> {
    let mut known: BTreeMap<&str, Span> = BTreeMap::new();
    let mut problems = Vec::new();
    for Spanned { value: name, span } in scenarios.iter().map(|scenario| &scenario.name) {
        let Some(first) = known.get(name.as_str()).copied() else {
            known.insert(name, *span);
            continue;
        };
        let problem = Problem::probable_warning(codes::SCENARIO_TWICE, format!("two scenarios are called `{name}`"));
        let problem = problem.with_label(*span, "the same name again").with_label(first, "first used here");
        problems.push(problem.help("give each a name that says what only it shows"));
    }
    problems
}

/// The problems of a scenario in its mode. A mode that does not compile is reported elsewhere, so its scenarios have no
/// problems here.
fn problems_in_mode(scenario: &Scenario, modes: &BTreeMap<Option<String>, Vocabulary>, known_modes: &[String]) -> Vec<Problem> {
    let mode = scenario.heading.mode.as_ref();
    if let Some(mode) = mode.filter(|mode| !known_modes.contains(mode)) {
        return vec![scenario.places.unknown_mode_problem(mode, known_modes)];
    }
    modes.get(&mode.cloned()).map(|game| unplayed::unplayed_problems(game, scenario)).unwrap_or_default()
}

/// Reads a scenario file of a game or package.
fn read_file(library: &Library, package: &str, source: SourceId) -> ScenarioFile {
    let (root, mut problems) = yaml::parse_document(&library.sources.get(source).text, source);
    let scenarios = root.map(|root| read_scenarios(&root, &mut problems)).unwrap_or_default();
    ScenarioFile { package: package.to_string(), scenarios, problems }
}
