//! The scenario files of a game and all its ancestors, and the problems between them.

use super::Scenario;
use super::read::read;
use super::rules::{Rule, cited_in, ids_in, rules_in};
use super::unplayed;
use super::vocabulary::Vocabulary;
use crate::shared::shared;
use ludex_engine::codes;
use ludex_engine::library::Library;
use ludex_engine::position::Spanned;
use ludex_engine::problem::{Problem, closest};
use ludex_engine::source::{SourceId, Span};
use ludex_engine::yaml;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// The scenarios of one file.
#[derive(Clone, Debug, Default)]
pub struct ScenarioFile {
    /// The game or package that owns them.
    pub package: String,
    pub scenarios: Vec<Scenario>,
    pub problems: Vec<Problem>,
}

/// Scenario files, each read on first use. Those of a game are read once for all packages that extend it.
#[derive(Clone)]
pub struct Read(BTreeMap<SourceId, Arc<Unread>>);

/// A file that is read on first use.
struct Unread {
    package: String,
    read: OnceLock<Arc<ScenarioFile>>,
}

/// The scenarios of a game.
pub struct Files<'a> {
    library: &'a Library,
    game: &'a str,
    /// The rules in the tables of all READMEs.
    rules: Vec<Rule>,
    ids: BTreeSet<String>,
    files: BTreeMap<SourceId, Arc<ScenarioFile>>,
}

impl Read {
    /// The files of all games.
    pub fn new(library: &Library) -> Read {
        let unread = |package: &String| Arc::new(Unread { package: package.clone(), read: OnceLock::new() });
        let files = |game: String| library.scenarios(&game).into_iter().map(move |source| (source, unread(&game)));
        Read(library.games().into_iter().flat_map(files).collect())
    }

    /// A subset that shares its contents: a file read in one is read in both.
    pub fn only(&self, sources: impl IntoIterator<Item = SourceId>) -> Read {
        Read(sources.into_iter().filter_map(|source| Some((source, self.0.get(&source)?.clone()))).collect())
    }

    /// Reads all files that were not read yet.
    pub fn read_all(&self, library: &Library) {
        for source in self.0.keys() {
            self.file(library, *source);
        }
    }

    /// Reads one of them, if it exists.
    pub fn file(&self, library: &Library, source: SourceId) -> Option<Arc<ScenarioFile>> {
        let Unread { package, read } = self.0.get(&source)?.as_ref();
        Some(read.get_or_init(|| Arc::new(read_file(library, package, source))).clone())
    }
}

impl<'a> Files<'a> {
    pub fn new(library: &'a Library, game: &'a str, read: &Read) -> Files<'a> {
        let rules = rules_of(library, game);
        let ids = rules.iter().map(|rule| rule.id.clone()).collect();
        let sources = library.line(game).into_iter().flat_map(|game| library.scenarios(&game.id));
        let files = sources.filter_map(|source| Some((source, read.file(library, source)?))).collect();
        Files { library, game, rules, ids, files }
    }

    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Reads a file of the game, or another one named explicitly.
    pub fn file(&self, source: SourceId) -> Arc<ScenarioFile> {
        let read = || Arc::new(read_file(self.library, self.game, source));
        self.files.get(&source).cloned().unwrap_or_else(read)
    }

    /// The files of the game and all its ancestors.
    pub fn all(&self) -> impl Iterator<Item = &ScenarioFile> {
        self.files.values().map(Arc::as_ref)
    }

    // --- all scenarios together -----------------------------------------------------------

    /// The game's own files, without those of its ancestors.
    fn own(&self) -> impl Iterator<Item = &Arc<ScenarioFile>> {
        self.files.values().filter(|file| file.package == self.game)
    }

    /// The syntax problems of the game's own scenarios.
    pub fn miswritten(&self) -> Vec<Problem> {
        self.own().flat_map(|file| file.problems.iter().cloned()).collect()
    }

    /// The problems of the game's own scenarios that can be found without playing them. `modes` has the vocabulary of each mode
    /// that compiles.
    pub fn problems(&self, modes: &BTreeMap<Option<String>, Vocabulary>, known_modes: &[String]) -> Vec<Problem> {
        let wrong = |scenario: &Scenario| {
            let wrong = self.wrong(scenario, self.game).into_iter();
            wrong.chain(wrong_in_mode(scenario, modes, known_modes)).collect::<Vec<Problem>>()
        };
        let twice = self.own().flat_map(|file| named_twice(&file.scenarios));
        let others = shared(self.own(), |file| file.scenarios.iter().flat_map(wrong).collect::<Vec<Problem>>());
        twice.chain(others.into_iter().flatten()).collect()
    }

    // --- scenarios that stand in for others ----------------------------------------------

    /// The spans of the names of replaced scenarios.
    pub fn replaced(&self) -> BTreeSet<Span> {
        self.files.values().flat_map(|file| self.replaced_by(file)).collect()
    }

    /// The scenarios of a package's ancestors.
    fn inherited(&self, package: &str) -> impl Iterator<Item = &Spanned<String>> {
        let line = self.library.line(package);
        let parents: BTreeSet<String> = line.iter().map(|game| game.id.clone()).filter(|id| id != package).collect();
        let files = self.files.values().filter(move |file| parents.contains(&file.package));
        files.flat_map(|file| &file.scenarios).map(|scenario| &scenario.name)
    }

    fn replaced_by(&self, file: &ScenarioFile) -> Vec<Span> {
        let replaces = file.scenarios.iter().flat_map(|scenario| &scenario.replaces);
        let names: BTreeSet<&String> = replaces.map(|name| &name.value).collect();
        self.inherited(&file.package).filter(|name| names.contains(&name.value)).map(|name| name.span).collect()
    }

    /// Reports replacements of scenarios that do not exist.
    fn replaces_nothing(&self, scenario: &Scenario, package: &str) -> Vec<Problem> {
        if scenario.replaces.is_empty() {
            return Vec::new();
        }
        let known: Vec<&str> = self.inherited(package).map(|name| name.value.as_str()).collect();
        let unknown = scenario.replaces.iter().filter(|name| !known.contains(&name.value.as_str()));
        let problem = |name: &Spanned<String>| {
            let message = format!("there is no scenario `{}` to replace", name.value);
            let problem = Problem::error(codes::REPLACES_NOTHING, message).at(name.span, "not known");
            match closest(&name.value, known.iter().copied()) {
                Some(near) => problem.meant(near),
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
    pub fn wrong(&self, scenario: &Scenario, package: &str) -> Vec<Problem> {
        let named = !self.ids.is_empty() && (package == self.game || !rules_of(self.library, package).is_empty());
        let unknown = scenario.shows.iter().filter(|id| named && !self.ids.contains(&id.value));
        let unknown = unknown.map(|id| unknown_rule(&id.value, id.span, &self.ids, Problem::error));
        let mut problems = self.replaces_nothing(scenario, package);
        problems.extend(scenario.heading.game.as_ref().and_then(|game| self.of_another_game(game)));
        problems.extend(unknown);
        problems
    }

    /// All scenarios of a file must be for one game or its ancestors.
    fn of_another_game(&self, game: &Spanned<String>) -> Option<Problem> {
        if self.library.line(self.game).iter().any(|known| known.id == game.value) {
            return None;
        }
        let message = format!("this scenario is for `{}`, but its file belongs to `{}`", game.value, self.game);
        let problem = Problem::error(codes::UNKNOWN_GAME, message).at(game.span, "another game");
        Some(problem.help("put it into a file of its own"))
    }

    /// Reports rules that the game's own files cite and that no table lists. In a game without such a table, any may be cited.
    pub fn unlisted(&self) -> Vec<Problem> {
        if self.ids.is_empty() {
            return Vec::new();
        }
        let line = self.library.line(self.game);
        let readmes: Vec<SourceId> = line.iter().flat_map(|game| self.library.readmes(&game.id)).collect();
        let ids = readmes.iter().flat_map(|readme| ids_in(&self.library.sources.get(*readme).text)).map(str::to_string);
        let known: BTreeSet<String> = ids.collect();
        let cites = self.library.cites(self.game).into_iter().chain(self.told());
        cites
            .filter(|(rule, _)| !known.contains(rule))
            .map(|(rule, span)| unknown_rule(&rule, span, &known, Problem::warning))
            .collect()
    }

    /// The rules cited in the game's own text for players.
    fn told(&self) -> Vec<(String, Span)> {
        let cited = |source: SourceId| {
            let text = &self.library.sources.get(source).text;
            let place = |id: &str| id.as_ptr() as usize - text.as_ptr() as usize;
            cited_in(text).map(|id| (id.to_string(), Span::new(source, place(id), place(id) + id.len()))).collect::<Vec<_>>()
        };
        self.library.rulebooks(self.game).into_iter().flat_map(cited).collect()
    }
}

/// Reports the id of a rule that is in no table, with the nearest one.
fn unknown_rule(id: &str, span: Span, known: &BTreeSet<String>, problem: fn(&'static str, String) -> Problem) -> Problem {
    let problem = problem(codes::UNKNOWN_RULE, format!("there is no rule `{id}`")).at(span, "not known");
    match closest(id, known.iter().map(String::as_str)) {
        Some(near) => problem.meant(near),
        None => problem.help("the rules are in the tables of the game's README.md, and of those of the packages it extends"),
    }
}

/// Reports scenarios with the name of an earlier one in their file. Another file may show the same in another mode.
fn named_twice(scenarios: &[Scenario]) -> Vec<Problem> {
    let mut known: BTreeMap<&str, Span> = BTreeMap::new();
    let mut problems = Vec::new();
    for Spanned { value: name, span } in scenarios.iter().map(|scenario| &scenario.name) {
        let Some(first) = known.get(name.as_str()).copied() else {
            known.insert(name, *span);
            continue;
        };
        let problem = Problem::suspicion(codes::SCENARIO_TWICE, format!("two scenarios are called `{name}`"));
        let problem = problem.at(*span, "the same name again").at(first, "first used here");
        problems.push(problem.help("give each a name that says what only it shows"));
    }
    problems
}

/// The problems of a scenario in its mode.
fn wrong_in_mode(scenario: &Scenario, modes: &BTreeMap<Option<String>, Vocabulary>, known_modes: &[String]) -> Vec<Problem> {
    let mode = scenario.heading.mode.as_ref();
    if let Some(mode) = mode.filter(|mode| !known_modes.contains(mode)) {
        return vec![scenario.places.unknown_mode(mode, known_modes)];
    }
    modes.get(&mode.cloned()).map(|game| unplayed::wrong(game, scenario)).unwrap_or_default()
}

/// The ids of the rules of a game and all its ancestors, without duplicates.
fn rules_of(library: &Library, game: &str) -> Vec<Rule> {
    let line = library.line(game);
    let readmes = line.iter().flat_map(|game| library.readmes(&game.id));
    let mut rules: Vec<Rule> = readmes.flat_map(|readme| rules_in(&library.sources.get(readme).text)).collect();
    let mut known = BTreeSet::new();
    rules.retain(|rule| known.insert(rule.id.clone()));
    rules
}

/// Reads a scenario file of a game or package.
fn read_file(library: &Library, package: &str, source: SourceId) -> ScenarioFile {
    let (root, mut problems) = yaml::read(&library.sources.get(source).text, source);
    let scenarios = root.map(|root| read(&root, &mut problems)).unwrap_or_default();
    ScenarioFile { package: package.to_string(), scenarios, problems }
}
