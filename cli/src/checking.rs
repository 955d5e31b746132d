//! Finds all problems of libraries, or of some of their files, for `check`, its fixes and `pack`.
//!
//! A source is the text of a file, by its number. Files are checked as parts of the games that read them; a game and its
//! ancestors (the packages it extends) are compiled together.

mod baseline;
mod cause;
mod fixes;
mod ignores;
mod mutation_kinds;
mod unnoticed;

pub use baseline::{Baseline, BaselineResult};
pub use fixes::{FixedTexts, fix_texts};
pub use ignores::outdated_ignores;
pub use mutation_kinds::Breaking;
pub use unnoticed::UnnoticedEntry;

use crate::load::LoadedLibraries;
use crate::rulebook;
use crate::scenario::{FileCache, GameScenarios, HeadingPlaces, Vocabulary};
use crate::shared::map_parallel;
use ludex_engine::Compile;
use ludex_engine::codes;
use ludex_engine::library::{CompileRequest, FileRole, Library};
use ludex_engine::position::{Heading, Position};
use ludex_engine::problem::Problem;
use ludex_engine::program::{Program, ScriptFile};
use ludex_engine::source::{SourceId, Span};
use ludex_engine::yaml;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// The extensions of the files that make up games.
const ENDINGS: [&str; 4] = ["ludex", "rhai", "yaml", "yml"];

/// Maximum number of games compiled ahead of their check, which frees them. More would only take memory.
const AHEAD: usize = 24;

/// A check of libraries, with its settings.
pub struct LibraryCheck<'l> {
    loaded: &'l LoadedLibraries,
    /// The requested mode and options.
    wanted: CompileRequest,
}

/// A game, compiled in each of its modes.
struct CompiledGame {
    /// The programs by mode, as far as they compiled without errors.
    programs: BTreeMap<Option<String>, Program>,
    found: Vec<Problem>,
}

/// One unit of the full check, done by any thread. A unit that needs another's result waits for it, or computes it if no
/// thread has started it.
enum CheckPart<'l> {
    /// Compile a game.
    Compiling(&'l str, Arc<OnceLock<CompiledGame>>),
    /// Read a file of scenarios.
    Scenarios(FileCache),
    /// Check a game, its scenarios and its other files.
    Game(&'l str, Arc<OnceLock<CompiledGame>>, FileCache),
}

/// Reports modes that a text for players recommends for a first game but that do not exist.
fn unknown_first_modes(library: &Library, game: &str, modes: &[String]) -> Vec<Problem> {
    let unknown = library.rulebook_files(game).into_iter().filter_map(|source| {
        let text = &library.sources.get(source).text;
        let mode = rulebook::first_mode_in(text).filter(|mode| !modes.iter().any(|known| known == mode))?;
        let start = text.find(mode)?;
        let problem = Problem::error(codes::UNKNOWN_MODE, format!("`{game}` has no mode `{mode}`"));
        let problem = problem.with_label(Span::new(source, start, start + mode.len()), "not known");
        Some(problem.suggest(mode, modes.iter().map(String::as_str)))
    });
    unknown.collect()
}

impl<'l> LibraryCheck<'l> {
    /// A check of loaded libraries. If `wanted` names a mode or options, games are checked only with these.
    pub fn new(loaded: &'l LoadedLibraries, wanted: CompileRequest) -> LibraryCheck<'l> {
        LibraryCheck { loaded, wanted }
    }

    /// Returns the problems of some files, or of all libraries if no path is given. Only causes are returned: consequences and
    /// ignored problems are left out.
    pub fn find_problems(&self, paths: &[PathBuf]) -> Vec<Problem> {
        let (found, asked) = (
            if paths.is_empty() { self.check_libraries() } else { self.check_files(paths) },
            requested_sources(self.loaded, paths),
        );
        let causes = cause::remove_consequences(found, self.loaded);
        let told = |source| paths.is_empty() || asked.contains(&source);
        let whole = self.wanted.mode.is_none() && self.wanted.options.is_empty();
        ignores::apply_ignores(causes, &self.loaded.library.sources, told, whole)
    }

    /// Returns the problems of all libraries.
    fn check_libraries(&self) -> Vec<Problem> {
        let mut problems = self.loaded.all_problems();
        if let Some(problem) = self.unknown_mode_problem() {
            problems.push(problem);
            return problems;
        }
        let sources = self.loaded.library.sources.iter().map(|(source, _)| source);
        problems.extend(sources.filter_map(|source| self.wrong_extension_problem(source)));
        problems.extend(self.loaded.overlooked_problems(&[]));
        let games = self.checked_games();
        // Games share files of rules, so each is read once, before all else.
        map_parallel(self.rules_files(&games), |source| self.loaded.library.source_problems(source).len());
        let (games, problem) = self.loaded.library.games_within_limit(games);
        problems.extend(problem);
        // Start with the largest games, so that no thread works alone at the end.
        let mut order: Vec<&String> = games.iter().collect();
        order.sort_by_key(|game| std::cmp::Reverse(self.game_bytes(game)));
        let found = map_parallel(self.plan_parts(&order), |part| match part {
            CheckPart::Compiling(game, compiled) => {
                compiled.get_or_init(|| self.compile_game(game));
                None
            }
            CheckPart::Scenarios(read) => {
                read.read_all(&self.loaded.library);
                None
            }
            CheckPart::Game(game, compiled, read) => {
                Some(self.check_game(game, compiled.get_or_init(|| self.compile_game(game)), &read))
            }
        });
        let mut found: BTreeMap<&String, Vec<Problem>> = order.into_iter().zip(found.into_iter().flatten()).collect();
        problems.extend(games.iter().flat_map(|game| found.remove(game).unwrap_or_default()));
        problems
    }

    /// The files of rules that some games read, each once.
    fn rules_files(&self, games: &[String]) -> BTreeSet<SourceId> {
        let library = &self.loaded.library;
        let lines = games.iter().flat_map(|game| library.package_line(game)).flat_map(|game| game.game_files());
        lines.filter(|source| library.source_role(*source) == FileRole::Rules).collect()
    }

    /// Lists the work for some games, in an order that rarely makes a thread wait.
    fn plan_parts<'g>(&self, games: &[&'g String]) -> Vec<CheckPart<'g>> {
        let library = &self.loaded.library;
        let (read, compiled) = (FileCache::new(library), games.iter().map(|_| Arc::default()).collect::<Vec<_>>());
        let scenarios = games.iter().flat_map(|game| library.scenario_files(game)).map(|source| read.select_files([source]));
        let of_line = |game: &str| library.package_line(game).into_iter().flat_map(|game| library.scenario_files(&game.id));
        let mut compiling = games.iter().zip(&compiled).map(|(game, compiled)| CheckPart::Compiling(game, Arc::clone(compiled)));
        let reading = scenarios.map(CheckPart::Scenarios);
        let whole = games.iter().zip(&compiled);
        let whole = whole.map(|(game, compiled)| CheckPart::Game(game, Arc::clone(compiled), read.select_files(of_line(game))));
        let mut parts: Vec<CheckPart> = compiling.by_ref().take(AHEAD).chain(reading).collect();
        for game in whole {
            parts.push(game);
            parts.extend(compiling.next());
        }
        parts
    }

    /// Total bytes of all files that a game reads.
    fn game_bytes(&self, game: &str) -> usize {
        let library = &self.loaded.library;
        let files = library.package_line(game).into_iter().flat_map(|game| game.game_files());
        files.map(|source| library.sources.get(source).text.len()).sum()
    }

    /// The problem with a requested mode that no game has.
    fn unknown_mode_problem(&self) -> Option<Problem> {
        let (library, mode) = (&self.loaded.library, self.wanted.mode.as_ref()?);
        let games = library.game_ids();
        if games.iter().any(|game| library.has_mode(game, mode)) {
            return None;
        }
        let modes: BTreeSet<String> = games.iter().flat_map(|game| library.mode_names(game)).collect();
        let problem = Problem::error(codes::UNKNOWN_MODE, format!("no game has a mode `{mode}`"));
        Some(problem.suggest(mode, modes.iter().map(String::as_str)))
    }

    /// The games to check: all, or if a mode or options are requested, those that have them, if any do.
    fn checked_games(&self) -> Vec<String> {
        let (library, wanted) = (&self.loaded.library, &self.wanted);
        let games = library.game_ids();
        let has_mode = |game: &String| wanted.mode.as_ref().is_none_or(|mode| library.has_mode(game, mode));
        let has_options = |game: &String| wanted.options.keys().all(|option| library.option_names(game).contains(option));
        let fitting: Vec<String> = games.iter().filter(|game| has_mode(game) && has_options(game)).cloned().collect();
        if fitting.is_empty() { games } else { fitting }
    }

    /// Returns the problems of the games that some files are part of. This includes errors in their rules and scripts: nothing
    /// else can be checked with them.
    fn check_files(&self, paths: &[PathBuf]) -> Vec<Problem> {
        let library = &self.loaded.library;
        let asked = requested_sources(self.loaded, paths);
        let plain = |source| matches!(library.source_role(source), FileRole::Sheet | FileRole::Scenario);
        let concerns = |problem: &Problem| {
            let sources = || problem.labels.iter().map(|(span, _)| span.source);
            problem.labels.is_empty()
                || sources().any(|source| asked.contains(&source))
                || problem.is_error() && !sources().any(plain)
        };
        let mut problems = self.loaded.all_problems();
        for source in asked.iter().filter(|source| is_loose_yaml(self.loaded, **source)) {
            problems.extend(self.check_position(*source));
        }
        problems.retain(concerns);
        problems.extend(asked.iter().filter_map(|source| self.wrong_extension_problem(*source)));
        // Reports of overlooked files say more.
        let is_told = |path: &PathBuf| !self.loaded.overlooked_problems(std::slice::from_ref(path)).is_empty();
        let files = paths.iter().filter(|path| path.is_file() && !is_told(path)).flat_map(|path| self.loaded.sources_under(path));
        problems.extend(files.filter_map(|source| self.unread_file_problem(source)));
        problems.extend(self.loaded.overlooked_problems(paths));
        let read = FileCache::new(library);
        // Many games may have the same parents, so each parent is checked once.
        let mut known: BTreeMap<String, Vec<Problem>> = BTreeMap::new();
        let wanted = games_of(self.loaded, &asked);
        let ancestors = |game: &String| self.loaded.ancestor_games(game);
        let (checked, problem) = library.games_within_limit(wanted.iter().flat_map(ancestors).chain(wanted.clone()));
        problems.extend(problem);
        for game in checked.intersection(&wanted) {
            let parents: Vec<String> = ancestors(game).into_iter().filter(|parent| checked.contains(parent)).collect();
            for game in parents.iter().chain([game]) {
                if !known.contains_key(game) {
                    known.insert(game.clone(), self.check_game(game, &self.compile_game(game), &read));
                }
            }
            // Problems that exist without a package do not come from it. All others do, wherever they show.
            let is_of_parents = |problem: &Problem| parents.iter().any(|parent| known[parent].contains(problem));
            let is_made = |problem: &&Problem| problem.is_error() && !parents.is_empty() && !is_of_parents(problem);
            problems.extend(known[game].iter().filter(|problem| concerns(problem) || is_made(problem)).cloned());
        }
        problems
    }

    /// Compiles a game in each of its modes, or in the requested one, for any choice of options.
    fn compile_game(&self, game: &str) -> CompiledGame {
        let each = self.loaded.library.requests_by_mode(game, &CompileRequest { open: true, ..self.wanted.clone() });
        let (programs, found) = self.loaded.library.compile_each(game, &each);
        CompiledGame { programs: programs.into_iter().collect(), found }
    }

    /// Returns the problems of a game, its scenarios and its other files.
    fn check_game(&self, game: &str, compiled: &CompiledGame, read: &FileCache) -> Vec<Problem> {
        let library = &self.loaded.library;
        let known_modes = library.mode_names(game);
        let CompiledGame { programs, found } = compiled;
        let mut problems = self.taken_name_problems(found);
        problems.extend(found.iter().cloned());
        let own = |source: SourceId| library.find_game(game).is_some_and(|game| game.has_file(source));
        problems.extend(unused_scripts(programs, own));
        let files = GameScenarios::new(library, game, read);
        problems.extend(files.syntax_problems());
        problems.extend(UnnoticedEntry::read_entries(library, game).1);
        // The parts that a game lacks are unknown if it does not compile.
        if !programs.is_empty() {
            problems.extend(files.unlisted_rule_problems());
            problems.extend(unknown_first_modes(library, game, &known_modes));
            let words = programs.iter().map(|(mode, program)| (mode.clone(), Vocabulary::from_program(program))).collect();
            problems.extend(files.own_problems(&words, &known_modes));
        }
        problems
    }

    /// Returns the syntax problems of rules whose name is taken. A misspelt header there does not start a game of its own.
    fn taken_name_problems(&self, found: &[Problem]) -> Vec<Problem> {
        let taken = found.iter().filter(|problem| problem.code == codes::NAME_TAKEN);
        let sources = taken.filter_map(|problem| problem.labels.first()).map(|(span, _)| span.source);
        let rules = sources.filter(|source| self.loaded.library.source_role(*source) == FileRole::Rules);
        rules.flat_map(|source| self.loaded.library.source_problems(source).iter().cloned()).collect()
    }

    /// Reports a file that would be read if its extension were in lower case.
    fn wrong_extension_problem(&self, source: SourceId) -> Option<Problem> {
        let name = self.loaded.library.source_path(source).rsplit('/').next().unwrap_or_default();
        let (stem, ending) = name.rsplit_once('.')?;
        let small = ending.to_ascii_lowercase();
        if small == ending || !ENDINGS.contains(&small.as_str()) {
            return None;
        }
        let problem = Problem::warning(codes::FILE_UNUSED, format!("`{name}` is not read"));
        let problem = problem.with_label(Span::new(source, 0, 0), format!("its name ends in `.{ending}`"));
        Some(problem.help(format!("call it `{stem}.{small}`")))
    }

    /// Reports a requested file that is neither rules, sheet, script, scenario nor position.
    fn unread_file_problem(&self, source: SourceId) -> Option<Problem> {
        let library = &self.loaded.library;
        let is_other = library.source_role(source) == FileRole::Other && !is_loose_yaml(self.loaded, source);
        let problem = (is_other && self.wrong_extension_problem(source).is_none()).then(|| {
            let problem = Problem::warning(codes::FILE_UNUSED, "no game reads this file");
            problem.with_label(Span::new(source, 0, 0), "neither rules, sheet, script, scenario nor position")
        })?;
        Some(problem.help("rules end in `.ludex`, scripts in `.rhai`, sheets, scenarios and positions in `.yaml`"))
    }

    /// Checks a file outside any game as a position.
    fn check_position(&self, source: SourceId) -> Vec<Problem> {
        let library = &self.loaded.library;
        let (node, mut problems) = yaml::parse_document(&library.sources.get(source).text, source);
        let Some(node) = node else { return problems };
        let heading = Heading::from_node(&node);
        let Some(game) = heading.game.clone() else {
            let problem = Problem::probable_warning(codes::FILE_UNUSED, "this file belongs to no game");
            return vec![problem.with_label(Span::new(source, 0, 0), "neither rules, sheet, script nor position")];
        };
        let (places, known_modes) = (HeadingPlaces::from_node(&node), library.mode_names(&game.value));
        let mode = heading.mode.clone().filter(|mode| library.find_game(&game.value).is_some() && !known_modes.contains(mode));
        if let Some(mode) = mode.filter(|_| self.wanted.mode.is_none()) {
            return vec![places.unknown_mode_problem(&mode, &known_modes)];
        }
        let mode = self.wanted.mode.clone().or(heading.mode.clone());
        let (program, found) =
            library.compile(&game.value, &CompileRequest { mode, options: self.wanted.options.clone(), open: false });
        problems.extend(found.into_iter().map(|problem| match problem.labels.is_empty() {
            true => problem.with_label(game.span, "named here"),
            false => problem,
        }));
        if let Some(program) = program {
            problems.extend(places.option_problems(&program, &heading));
            Position::read(&node, &program, &mut problems);
        }
        problems
    }
}

/// The files under the given paths.
pub fn requested_sources(loaded: &LoadedLibraries, paths: &[PathBuf]) -> BTreeSet<SourceId> {
    paths.iter().flat_map(|path| loaded.sources_under(path)).collect()
}

/// The games that files are part of.
pub fn games_of(loaded: &LoadedLibraries, asked: &BTreeSet<SourceId>) -> BTreeSet<String> {
    asked.iter().flat_map(|source| loaded.library.games_of_source(*source)).collect()
}

/// Whether a file is YAML outside any game, which may be a position.
fn is_loose_yaml(loaded: &LoadedLibraries, source: SourceId) -> bool {
    let path = loaded.library.source_path(source);
    loaded.library.source_role(source) == FileRole::Other && (path.ends_with(".yaml") || path.ends_with(".yml"))
}

/// Reports the game's own scripts whose ability no sheet lists, in any mode.
fn unused_scripts(programs: &BTreeMap<Option<String>, Program>, own: impl Fn(SourceId) -> bool) -> Vec<Problem> {
    let used: BTreeSet<&str> = programs.values().flat_map(listed_abilities).collect();
    let scripts: BTreeMap<SourceId, &str> = programs.values().flat_map(ability_scripts).collect();
    let unused = scripts.into_iter().filter(|(source, id)| own(*source) && !used.contains(id));
    unused
        .map(|(source, id)| {
            Problem::probable_warning(codes::FILE_UNUSED, format!("no sheet has the ability `{id}`"))
                .with_label(Span::new(source, 0, 0), "never used")
                .help(format!("name it in a sheet: `abilities: [{id}]`"))
        })
        .collect()
}

/// The files of abilities, each with the ability's id.
fn ability_scripts(program: &Program) -> impl Iterator<Item = (SourceId, &str)> {
    let id = |script: &ScriptFile| Some(program.abilities.get(usize::from(script.ability))?.id.as_str());
    program.scripts.iter().filter_map(move |script| Some((script.source, id(script)?)))
}

/// The ids of the abilities that sheets list.
fn listed_abilities(program: &Program) -> impl Iterator<Item = &str> {
    let of_entrants = program.sheets.values().flat_map(|sheet| &sheet.abilities);
    let of_cards = program.prints.prints.iter().flat_map(|print| &print.abilities);
    of_entrants.chain(of_cards).filter_map(|listed| Some(program.abilities.get(usize::from(listed.ability))?.id.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::library::File;

    fn loaded(games: usize) -> LoadedLibraries {
        let file = |i: usize| {
            let text = format!("ludex 1\ngame g{i} \"G\"\nsides 2\nto play {{ finish with nobody }}\n");
            File { path: format!("rules/g{i}/game.ludex"), text, library: "many".to_string() }
        };
        LoadedLibraries::from_texts((0..games).map(file).collect())
    }

    #[test]
    fn few_compiled_games_are_held_at_a_time() {
        let loaded = loaded(2 * AHEAD);
        let (checking, games) = (LibraryCheck::new(&loaded, CompileRequest::default()), loaded.library.game_ids());
        let (mut held, mut most, mut seen) = (BTreeSet::new(), 0, 0);
        for part in checking.plan_parts(&games.iter().collect::<Vec<_>>()) {
            match part {
                CheckPart::Compiling(game, _) => drop(held.insert(game.to_string())),
                CheckPart::Game(game, ..) => {
                    assert!(held.remove(game), "`{game}` is looked at before it is compiled");
                    seen += 1;
                }
                CheckPart::Scenarios(_) => {}
            }
            most = most.max(held.len());
        }
        assert_eq!((most, seen, held.len()), (AHEAD, 2 * AHEAD, 0));
    }
}
