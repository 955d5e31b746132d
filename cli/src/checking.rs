//! Finds all problems of libraries, or of some of their files.

mod baseline;
mod breaking;
mod cause;
mod fixes;
mod ignores;
mod unnoticed;

pub use baseline::{Baseline, Left};
pub use breaking::Breaking;
pub use fixes::{Mended, mended};
pub use ignores::outdated;
pub use unnoticed::Unnoticed;

use crate::load::Loaded;
use crate::rulebook;
use crate::scenario::{Files, Places, Read, Vocabulary};
use crate::shared::shared;
use ludex_engine::Compile;
use ludex_engine::codes;
use ludex_engine::library::{Library, Role, Wanted};
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
pub struct Checking<'l> {
    loaded: &'l Loaded,
    /// The requested mode and options.
    wanted: Wanted,
}

/// The result of compiling a game.
struct Compiled {
    /// The programs by mode, as far as they compiled without errors.
    programs: BTreeMap<Option<String>, Program>,
    found: Vec<Problem>,
}

/// One unit of the full check. A unit that needs another's result waits for it, or computes it if no thread has started it.
enum Part<'l> {
    /// Read a file of rules, for all games that share it.
    Rules(SourceId),
    Compiling(&'l str, Arc<OnceLock<Compiled>>),
    /// Read a file of scenarios.
    Scenarios(Read),
    Game(&'l str, Arc<OnceLock<Compiled>>, Read),
}

/// Reports modes that a text for players recommends for a first game but that do not exist.
fn unknown_first_modes(library: &Library, game: &str, modes: &[String]) -> Vec<Problem> {
    let unknown = library.rulebooks(game).into_iter().filter_map(|source| {
        let text = &library.sources.get(source).text;
        let mode = rulebook::newcomers(text).filter(|mode| !modes.iter().any(|known| known == mode))?;
        let start = text.find(mode)?;
        let problem = Problem::error(codes::UNKNOWN_MODE, format!("`{game}` has no mode `{mode}`"));
        let problem = problem.at(Span::new(source, start, start + mode.len()), "not known");
        Some(problem.suggest(mode, modes.iter().map(String::as_str)))
    });
    unknown.collect()
}

impl<'l> Checking<'l> {
    pub fn new(loaded: &'l Loaded, wanted: Wanted) -> Checking<'l> {
        Checking { loaded, wanted }
    }

    /// Returns the problems of some files, or of all libraries if no path is given. Only causes are returned: consequences and
    /// ignored problems are left out.
    pub fn found(&self, paths: &[PathBuf]) -> Vec<Problem> {
        let (found, asked) = (if paths.is_empty() { self.everything() } else { self.some(paths) }, asked(self.loaded, paths));
        let causes = cause::alone(found, self.loaded);
        let told = |source| paths.is_empty() || asked.contains(&source);
        let whole = self.wanted.mode.is_none() && self.wanted.options.is_empty();
        ignores::applied(causes, &self.loaded.library.sources, told, whole)
    }

    /// Returns the problems of all libraries.
    fn everything(&self) -> Vec<Problem> {
        let mut problems = self.loaded.all_problems();
        if let Some(problem) = self.no_such_mode() {
            problems.push(problem);
            return problems;
        }
        let sources = self.loaded.library.sources.iter().map(|(source, _)| source);
        problems.extend(sources.filter_map(|source| self.misnamed(source)));
        problems.extend(self.loaded.overlooked_at(&[]));
        let games = self.games();
        // Start with the largest games, so that no thread works alone at the end.
        let mut order: Vec<&String> = games.iter().collect();
        order.sort_by_key(|game| std::cmp::Reverse(self.size(game)));
        let found = shared(self.parts(&order), |part| match part {
            Part::Rules(source) => {
                self.loaded.library.miswritten(source);
                None
            }
            Part::Compiling(game, compiled) => {
                compiled.get_or_init(|| self.compiled(game));
                None
            }
            Part::Scenarios(read) => {
                read.read_all(&self.loaded.library);
                None
            }
            Part::Game(game, compiled, read) => Some(self.game(game, compiled.get_or_init(|| self.compiled(game)), &read)),
        });
        let mut found: BTreeMap<&String, Vec<Problem>> = order.into_iter().zip(found.into_iter().flatten()).collect();
        problems.extend(games.iter().flat_map(|game| found.remove(game).unwrap_or_default()));
        problems
    }

    /// Lists the work for some games, in an order that rarely makes a thread wait.
    fn parts<'g>(&self, games: &[&'g String]) -> Vec<Part<'g>> {
        let library = &self.loaded.library;
        let lines = games.iter().flat_map(|game| library.line(game)).flat_map(|game| game.files());
        let rules: BTreeSet<SourceId> = lines.filter(|source| library.role(*source) == Role::Rules).collect();
        let (read, compiled) = (Read::new(library), games.iter().map(|_| Arc::default()).collect::<Vec<_>>());
        let scenarios = games.iter().flat_map(|game| library.scenarios(game)).map(|source| read.only([source]));
        let of_line = |game: &str| library.line(game).into_iter().flat_map(|game| library.scenarios(&game.id));
        let rules = rules.into_iter().map(Part::Rules);
        let mut compiling = games.iter().zip(&compiled).map(|(game, compiled)| Part::Compiling(game, Arc::clone(compiled)));
        let reading = scenarios.map(Part::Scenarios);
        let whole = games.iter().zip(&compiled);
        let whole = whole.map(|(game, compiled)| Part::Game(game, Arc::clone(compiled), read.only(of_line(game))));
        let mut parts: Vec<Part> = rules.chain(compiling.by_ref().take(AHEAD)).chain(reading).collect();
        for game in whole {
            parts.push(game);
            parts.extend(compiling.next());
        }
        parts
    }

    /// Total bytes of all files that a game reads.
    fn size(&self, game: &str) -> usize {
        let library = &self.loaded.library;
        let files = library.line(game).into_iter().flat_map(|game| game.files());
        files.map(|source| library.sources.get(source).text.len()).sum()
    }

    fn no_such_mode(&self) -> Option<Problem> {
        let (library, mode) = (&self.loaded.library, self.wanted.mode.as_ref()?);
        let games = library.games();
        if games.iter().any(|game| library.has_mode(game, mode)) {
            return None;
        }
        let modes: BTreeSet<String> = games.iter().flat_map(|game| library.modes(game)).collect();
        let problem = Problem::error(codes::UNKNOWN_MODE, format!("no game has a mode `{mode}`"));
        Some(problem.suggest(mode, modes.iter().map(String::as_str)))
    }

    /// All games. If a mode or an option is requested, the games that have it, if any do.
    fn games(&self) -> Vec<String> {
        let (library, wanted) = (&self.loaded.library, &self.wanted);
        let games = library.games();
        let has_mode = |game: &String| wanted.mode.as_ref().is_none_or(|mode| library.has_mode(game, mode));
        let has_options = |game: &String| wanted.options.keys().all(|option| library.options(game).contains(option));
        let fitting: Vec<String> = games.iter().filter(|game| has_mode(game) && has_options(game)).cloned().collect();
        if fitting.is_empty() { games } else { fitting }
    }

    /// Returns the problems of the games that some files are part of. This includes errors in their rules and scripts: nothing
    /// else can be checked with them.
    fn some(&self, paths: &[PathBuf]) -> Vec<Problem> {
        let library = &self.loaded.library;
        let asked = asked(self.loaded, paths);
        let plain = |source| matches!(library.role(source), Role::Sheet | Role::Scenario);
        let concerns = |problem: &Problem| {
            let sources = || problem.labels.iter().map(|(span, _)| span.source);
            problem.labels.is_empty()
                || sources().any(|source| asked.contains(&source))
                || problem.is_error() && !sources().any(plain)
        };
        let mut problems = self.loaded.all_problems();
        for source in asked.iter().filter(|source| is_loose_yaml(self.loaded, **source)) {
            problems.extend(self.position(*source));
        }
        problems.retain(concerns);
        problems.extend(asked.iter().filter_map(|source| self.misnamed(*source)));
        // Reports of overlooked files say more.
        let is_told = |path: &PathBuf| !self.loaded.overlooked_at(std::slice::from_ref(path)).is_empty();
        let files = paths.iter().filter(|path| path.is_file() && !is_told(path)).flat_map(|path| self.loaded.under(path));
        problems.extend(files.filter_map(|source| self.of_no_kind(source)));
        problems.extend(self.loaded.overlooked_at(paths));
        let read = Read::new(library);
        // Many games may have the same parents, so each parent is checked once.
        let mut known: BTreeMap<String, Vec<Problem>> = BTreeMap::new();
        for game in games_of(self.loaded, &asked) {
            let parents = self.loaded.parents(&game);
            for game in parents.iter().chain([&game]) {
                if !known.contains_key(game) {
                    known.insert(game.clone(), self.game(game, &self.compiled(game), &read));
                }
            }
            // Problems that exist without a package do not come from it. All others do, wherever they show.
            let is_of_parents = |problem: &Problem| parents.iter().any(|parent| known[parent].contains(problem));
            let is_made = |problem: &&Problem| problem.is_error() && !parents.is_empty() && !is_of_parents(problem);
            problems.extend(known[&game].iter().filter(|problem| concerns(problem) || is_made(problem)).cloned());
        }
        problems
    }

    /// Compiles a game in each of its modes, or in the requested one, for any choice of options.
    fn compiled(&self, game: &str) -> Compiled {
        let each = self.loaded.library.in_each_mode(game, &Wanted { open: true, ..self.wanted.clone() });
        let (programs, found) = self.loaded.library.compile_each(game, &each);
        Compiled { programs: programs.into_iter().collect(), found }
    }

    /// Returns the problems of a game, its scenarios and its other files.
    fn game(&self, game: &str, compiled: &Compiled, read: &Read) -> Vec<Problem> {
        let library = &self.loaded.library;
        let known_modes = library.modes(game);
        let Compiled { programs, found } = compiled;
        let mut problems = self.refused(found);
        problems.extend(found.iter().cloned());
        let own = |source: SourceId| library.game(game).is_some_and(|game| game.holds(source));
        problems.extend(unused_scripts(programs, own));
        let files = Files::new(library, game, read);
        problems.extend(files.miswritten());
        problems.extend(Unnoticed::read(library, game).1);
        // What a game lacks is unknown if it does not compile.
        if !programs.is_empty() {
            problems.extend(files.unlisted());
            problems.extend(unknown_first_modes(library, game, &known_modes));
            let words = programs.iter().map(|(mode, program)| (mode.clone(), Vocabulary::of(program))).collect();
            problems.extend(files.problems(&words, &known_modes));
        }
        problems
    }

    /// Returns the syntax problems of rules whose name is taken. A misspelt header there does not start a game of its own.
    fn refused(&self, found: &[Problem]) -> Vec<Problem> {
        let taken = found.iter().filter(|problem| problem.code == codes::NAME_TAKEN);
        let sources = taken.filter_map(|problem| problem.labels.first()).map(|(span, _)| span.source);
        let rules = sources.filter(|source| self.loaded.library.role(*source) == Role::Rules);
        rules.flat_map(|source| self.loaded.library.miswritten(source).iter().cloned()).collect()
    }

    /// Reports a file that would be read if its extension were in lower case.
    fn misnamed(&self, source: SourceId) -> Option<Problem> {
        let name = self.loaded.library.path(source).rsplit('/').next().unwrap_or_default();
        let (stem, ending) = name.rsplit_once('.')?;
        let small = ending.to_ascii_lowercase();
        if small == ending || !ENDINGS.contains(&small.as_str()) {
            return None;
        }
        let problem = Problem::warning(codes::FILE_UNUSED, format!("`{name}` is not read"));
        let problem = problem.at(Span::new(source, 0, 0), format!("its name ends in `.{ending}`"));
        Some(problem.help(format!("call it `{stem}.{small}`")))
    }

    /// Reports a requested file that is neither rules, sheet, script, scenario nor position.
    fn of_no_kind(&self, source: SourceId) -> Option<Problem> {
        let library = &self.loaded.library;
        let is_other = library.role(source) == Role::Other && !is_loose_yaml(self.loaded, source);
        let problem = (is_other && self.misnamed(source).is_none()).then(|| {
            let problem = Problem::warning(codes::FILE_UNUSED, "no game reads this file");
            problem.at(Span::new(source, 0, 0), "neither rules, sheet, script, scenario nor position")
        })?;
        Some(problem.help("rules end in `.ludex`, scripts in `.rhai`, sheets, scenarios and positions in `.yaml`"))
    }

    /// Checks a file outside any game as a position.
    fn position(&self, source: SourceId) -> Vec<Problem> {
        let library = &self.loaded.library;
        let (node, mut problems) = yaml::read(&library.sources.get(source).text, source);
        let Some(node) = node else { return problems };
        let heading = Heading::read(&node);
        let Some(game) = heading.game.clone() else {
            let problem = Problem::suspicion(codes::FILE_UNUSED, "this file belongs to no game");
            return vec![problem.at(Span::new(source, 0, 0), "neither rules, sheet, script nor position")];
        };
        let (places, known_modes) = (Places::of(&node), library.modes(&game.value));
        let mode = heading.mode.clone().filter(|mode| library.game(&game.value).is_some() && !known_modes.contains(mode));
        if let Some(mode) = mode.filter(|_| self.wanted.mode.is_none()) {
            return vec![places.unknown_mode(&mode, &known_modes)];
        }
        let mode = self.wanted.mode.clone().or(heading.mode.clone());
        let (program, found) = library.compile(&game.value, &Wanted { mode, options: self.wanted.options.clone(), open: false });
        problems.extend(found.into_iter().map(|problem| match problem.labels.is_empty() {
            true => problem.at(game.span, "named here"),
            false => problem,
        }));
        if let Some(program) = program {
            problems.extend(places.wrong_options(&program, &heading));
            Position::read(&node, &program, &mut problems);
        }
        problems
    }
}

/// The files under the given paths.
pub fn asked(loaded: &Loaded, paths: &[PathBuf]) -> BTreeSet<SourceId> {
    paths.iter().flat_map(|path| loaded.under(path)).collect()
}

/// The games that files are part of.
pub fn games_of(loaded: &Loaded, asked: &BTreeSet<SourceId>) -> BTreeSet<String> {
    asked.iter().flat_map(|source| loaded.library.games_with(*source)).collect()
}

fn is_loose_yaml(loaded: &Loaded, source: SourceId) -> bool {
    let path = loaded.library.path(source);
    loaded.library.role(source) == Role::Other && (path.ends_with(".yaml") || path.ends_with(".yml"))
}

/// Reports the game's own scripts whose ability no sheet lists, in any mode.
fn unused_scripts(programs: &BTreeMap<Option<String>, Program>, own: impl Fn(SourceId) -> bool) -> Vec<Problem> {
    let used: BTreeSet<&str> = programs.values().flat_map(listed).collect();
    let scripts: BTreeMap<SourceId, &str> = programs.values().flat_map(scripts).collect();
    let unused = scripts.into_iter().filter(|(source, id)| own(*source) && !used.contains(id));
    unused
        .map(|(source, id)| {
            Problem::suspicion(codes::FILE_UNUSED, format!("no sheet has the ability `{id}`"))
                .at(Span::new(source, 0, 0), "never used")
                .help(format!("name it in a sheet: `abilities: [{id}]`"))
        })
        .collect()
}

/// The files of abilities, each with the ability's id.
fn scripts(program: &Program) -> impl Iterator<Item = (SourceId, &str)> {
    let id = |script: &ScriptFile| Some(program.abilities.get(usize::from(script.ability))?.id.as_str());
    program.scripts.iter().filter_map(move |script| Some((script.source, id(script)?)))
}

/// The ids of the abilities that sheets list.
fn listed(program: &Program) -> impl Iterator<Item = &str> {
    let of_entrants = program.sheets.values().flat_map(|sheet| &sheet.abilities);
    let of_cards = program.prints.prints.iter().flat_map(|print| &print.abilities);
    of_entrants.chain(of_cards).filter_map(|listed| Some(program.abilities.get(usize::from(listed.ability))?.id.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::library::File;

    fn loaded(games: usize) -> Loaded {
        let file = |i: usize| {
            let text = format!("ludex 1\ngame g{i} \"G\"\nsides 2\nto play {{ finish with nobody }}\n");
            File { path: format!("rules/g{i}/game.ludex"), text, library: "many".to_string() }
        };
        Loaded::of_texts((0..games).map(file).collect())
    }

    #[test]
    fn few_compiled_games_are_held_at_a_time() {
        let loaded = loaded(2 * AHEAD);
        let (checking, games) = (Checking::new(&loaded, Wanted::default()), loaded.library.games());
        let (mut held, mut most, mut seen) = (BTreeSet::new(), 0, 0);
        for part in checking.parts(&games.iter().collect::<Vec<_>>()) {
            match part {
                Part::Compiling(game, _) => drop(held.insert(game.to_string())),
                Part::Game(game, ..) => {
                    assert!(held.remove(game), "`{game}` is looked at before it is compiled");
                    seen += 1;
                }
                Part::Rules(_) | Part::Scenarios(_) => {}
            }
            most = most.max(held.len());
        }
        assert_eq!((most, seen, held.len()), (AHEAD, 2 * AHEAD, 0));
    }
}
