//! Tests which breaks the scenarios of a package notice: its rules and scripts are broken in one place at a time, and its
//! scenarios run.
//!
//! `test --mutants` tries the breaks of a package in a random order, so that a part of them is a fair sample. A package is a
//! game or an extension; its scenarios are those of its ancestors too. `unnoticed.yaml` lists breaks that no scenario can
//! notice.

use super::breaks::{Break, Places, find_breaks};
use super::code::Code;
use super::family::Family;
use crate::checking::{Breaking, UnnoticedEntry, outdated_ignores};
use crate::guard::catch_panic;
use crate::load::LoadedLibraries;
use crate::scenario::{PassingScenario, Suite};
use crate::shared::map_parallel;
use crate::work;
use ludex_bots::rng::BotRng;
use ludex_engine::Compile;
use ludex_engine::library::{CompileRequest, Library};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::Lots;
use ludex_engine::source::{SourceId, Sources, Span};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;

/// A break, and whether a scenario noticed it.
#[derive(Clone, Debug)]
pub struct BreakResult {
    pub file: String,
    pub line: usize,
    pub how: Breaking,
    /// The broken text without and with the break, each on one line.
    pub before: String,
    pub after: String,
    pub noticed: bool,
    /// Why it cannot be noticed, according to `unnoticed.yaml`.
    pub because: Option<String>,
}

/// The results for one package.
#[derive(Clone, Debug)]
pub struct PackageResults {
    pub game: String,
    /// Number of all possible breaks, including those that `check` refuses.
    pub places: usize,
    pub tried: Vec<BreakResult>,
    /// Problems with the entries of `unnoticed.yaml`. Useless entries are known only if every break was tried.
    pub useless: Vec<Problem>,
    /// The sources that those problems refer to.
    pub sources: Sources,
}

impl PackageResults {
    pub fn noticed_count(&self) -> usize {
        self.tried.iter().filter(|tried| tried.noticed).count()
    }

    /// The breaks that no scenario notices, without a stated reason.
    pub fn unnoticed_breaks(&self) -> impl Iterator<Item = &BreakResult> {
        self.tried.iter().filter(|tried| !tried.noticed && tried.because.is_none())
    }

    /// The breaks that no scenario notices for a stated reason, with the reason.
    pub fn explained_breaks(&self) -> impl Iterator<Item = (&BreakResult, &str)> {
        let unnoticed = self.tried.iter().filter(|tried| !tried.noticed);
        unnoticed.filter_map(|tried| Some((tried, tried.because.as_deref()?)))
    }

    pub fn is_clean(&self) -> bool {
        self.unnoticed_breaks().next().is_none() && self.useless.is_empty()
    }
}

/// A break that `check` accepts, by its index among all, and whether a scenario noticed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    place: usize,
    noticed: bool,
}

/// All breaks of one package, in the order in which they are tried.
pub struct Breakable<'t> {
    game: &'t str,
    wanted: &'t CompileRequest,
    /// The files of the package and its ancestors, from which broken libraries are made.
    family: Family,
    library: Library,
    all: Vec<Break>,
    /// The entries of `unnoticed.yaml`.
    unnoticed: Vec<UnnoticedEntry>,
    /// Problems with these entries.
    problems: Vec<Problem>,
    /// The indices of the breaks, in the order drawn.
    order: Vec<u64>,
}

/// A hash of all texts that affect the results for a package, including scenarios.
pub fn package_texts_hash(loaded: &LoadedLibraries, game: &str) -> String {
    Family::for_game(&loaded.library, game).hash()
}

impl<'t> Breakable<'t> {
    /// Draws the order of all breaks by a seed. `only` restricts them to some texts, by their ids in the whole library; empty
    /// means the whole package.
    pub fn new(
        loaded: &LoadedLibraries,
        game: &'t str,
        wanted: &'t CompileRequest,
        (seed, only): (u64, &BTreeSet<SourceId>),
    ) -> Result<Breakable<'t>, Vec<Problem>> {
        let family = Family::for_game(&loaded.library, game);
        let library = family.unchanged_library().library;
        let mut places = Places::default();
        let programs = compile_accepted(&library, game, wanted)?;
        programs.iter().for_each(|program| places.add_program(program));
        let numbers: BTreeSet<SourceId> = only.iter().filter_map(|source| family.id_in_family(*source)).collect();
        let is_asked = |source| only.is_empty() || numbers.contains(&source);
        let own = |source| is_asked(source) && library.find_game(game).is_some_and(|game| game.has_file(source));
        let all = find_breaks(&Code::new(&library, &programs), &places, own);
        let (unnoticed, mut problems) = UnnoticedEntry::read_entries(&library, game);
        let own_sources = library.sources.iter().filter(|(source, _)| own(*source));
        problems.extend(own_sources.flat_map(|(id, source)| outdated_ignores(id, source)));
        let order = BotRng::new(seed, 0).draw_order(all.len() as u64);
        Ok(Breakable { game, wanted, family, library, all, unnoticed, problems, order })
    }

    /// Number of all possible breaks, including those that `check` refuses.
    pub fn break_count(&self) -> usize {
        self.all.len()
    }

    /// Tries some of the breaks that `check` accepts, counted from 0 in the order drawn. Those that `check` refuses have no
    /// result and do not count, so that shards agree on the numbers. `progress` is called for each result.
    pub fn try_breaks(&self, range: Range<usize>, progress: &(dyn Fn() + Sync)) -> Vec<Trial> {
        let passing = match range.is_empty() {
            true => Vec::new(),
            false => Suite::new(&self.library, self.game, self.wanted.clone()).passing_scenarios(),
        };
        let mut left = self.order.iter().map(|place| *place as usize);
        self.first_results(range.start, &mut left, |broken| self.compile_break(broken).map(drop));
        let found = self.first_results(range.len(), &mut left, |broken| {
            let noticed = self.is_noticed(&passing, broken);
            noticed.iter().for_each(|_| progress());
            noticed
        });
        found.into_iter().map(|(place, noticed)| Trial { place, noticed }).collect()
    }

    /// Continues until `count` breaks gave a result, or all were tried. `left` yields the indices of breaks, and `of` gives the
    /// result of one, if it has one.
    fn first_results<T: Send>(
        &self,
        count: usize,
        left: &mut impl Iterator<Item = usize>,
        of: impl Fn(&Break) -> Option<T> + Sync,
    ) -> Vec<(usize, T)> {
        let mut found = Vec::new();
        while found.len() < count && !work::is_stopped() {
            let next: Vec<usize> = left.by_ref().take(count - found.len()).collect();
            if next.is_empty() {
                break;
            }
            let come = map_parallel(next, |place| {
                let broken = self.all.get(place).filter(|_| !work::is_stopped())?;
                Some((place, of(broken)?))
            });
            found.extend(come.into_iter().flatten());
        }
        found
    }

    /// The library with the break, unless `check` refuses it.
    fn compile_break(&self, broken: &Break) -> Option<LoadedLibraries> {
        let text = &self.library.sources.get(broken.change.source).text;
        let loaded = self.family.with_own(broken.change.source, broken.change.apply_to(text));
        compile_accepted(&loaded.library, self.game, self.wanted).ok()?;
        Some(loaded)
    }

    /// Whether the scenarios notice a break; `None` if `check` refuses it.
    fn is_noticed(&self, passing: &[PassingScenario], broken: &Break) -> Option<bool> {
        let loaded = self.compile_break(broken)?;
        let reaches = |scenario: &&PassingScenario| broken.place.is_none_or(|place| scenario.reached.contains(&place));
        let names: BTreeSet<Span> = passing.iter().filter(reaches).map(|scenario| scenario.name).collect();
        let suite = || Suite::new(&loaded.library, self.game, self.wanted.clone()).has_failure_among(&names);
        // A break that makes Ludex fail counts as noticed.
        Some(catch_panic(suite).unwrap_or(true))
    }

    /// The results of tried breaks, sorted by file and line, and the entries of `unnoticed.yaml` that explain none of them.
    /// `trials` are those of `asked` requested breaks, in the order drawn.
    pub fn package_results(&self, trials: &[Trial], asked: u64) -> PackageResults {
        let mut used: BTreeSet<Span> = BTreeSet::new();
        let mut tried: Vec<BreakResult> = trials.iter().filter_map(|trial| self.break_result(trial, &mut used)).collect();
        tried.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
        let everything = !work::is_stopped() && (trials.len() == self.all.len() || (trials.len() as u64) < asked);
        let unused = self.unnoticed.iter().filter(|entry| everything && !used.contains(&entry.span));
        let useless = self.problems.iter().cloned().chain(unused.map(UnnoticedEntry::unused_entry_problem)).collect();
        let sources = self.library.sources.clone();
        PackageResults { game: self.game.to_string(), places: self.all.len(), tried, useless, sources }
    }

    /// The result of one break. Marks the entry that explains it as used.
    fn break_result(&self, trial: &Trial, used: &mut BTreeSet<Span>) -> Option<BreakResult> {
        let Break { change, how, .. } = self.all.get(trial.place)?;
        let source = self.library.sources.get(change.source);
        let (before, after) = change.before_and_after(&source.text);
        let line = change.start_line(&source.text);
        let entry = self.unnoticed.iter().find(|entry| entry.applies_to(change.source, line, *how)).filter(|_| !trial.noticed);
        used.extend(entry.map(|entry| entry.span));
        let because = entry.map(|entry| entry.because.clone());
        Some(BreakResult { file: source.name.clone(), line, how: *how, before, after, noticed: trial.noticed, because })
    }
}

/// The programs of a game in all modes, for any choice of options, or the problems found by `check`.
fn compile_accepted(library: &Library, game: &str, wanted: &CompileRequest) -> Result<Vec<Program>, Vec<Problem>> {
    let each = library.requests_by_mode(game, &CompileRequest { open: true, ..wanted.clone() });
    let (programs, problems) = library.compile_each(game, &each);
    let is_whole = programs.len() == each.len();
    if is_whole { Ok(programs.into_iter().map(|(_, program)| program).collect()) } else { Err(problems) }
}
