//! Tests which breaks the scenarios of a package notice: its rules and scripts are broken in one place at a time, and its
//! scenarios run.

use super::breaks::{Break, Places, breaks};
use super::code::Code;
use super::family::Family;
use crate::checking::{Breaking, Unnoticed, outdated};
use crate::guard::guarded;
use crate::load::Loaded;
use crate::scenario::{Passing, Suite};
use crate::shared::shared;
use crate::work;
use ludex_bots::rng::BotRng;
use ludex_engine::Compile;
use ludex_engine::library::{Library, Wanted};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::Lots;
use ludex_engine::source::{SourceId, Sources, Span};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;

/// A break, and whether a scenario noticed it.
#[derive(Clone, Debug)]
pub struct Tried {
    pub file: String,
    pub line: usize,
    pub how: Breaking,
    pub before: String,
    pub after: String,
    pub noticed: bool,
    /// Why it cannot be noticed, according to `unnoticed.yaml`.
    pub because: Option<String>,
}

/// The results for one package.
#[derive(Clone, Debug)]
pub struct Package {
    pub game: String,
    /// Number of all possible breaks, including those that `check` refuses.
    pub places: usize,
    pub tried: Vec<Tried>,
    /// Problems with the entries of `unnoticed.yaml`. Useless entries are known only if every break was tried.
    pub useless: Vec<Problem>,
    /// The sources that those problems refer to.
    pub sources: Sources,
}

impl Package {
    pub fn noticed(&self) -> usize {
        self.tried.iter().filter(|tried| tried.noticed).count()
    }

    /// The breaks that no scenario notices, without a stated reason.
    pub fn unnoticed(&self) -> impl Iterator<Item = &Tried> {
        self.tried.iter().filter(|tried| !tried.noticed && tried.because.is_none())
    }

    /// The breaks that no scenario notices for a stated reason, with the reason.
    pub fn explained(&self) -> impl Iterator<Item = (&Tried, &str)> {
        let unnoticed = self.tried.iter().filter(|tried| !tried.noticed);
        unnoticed.filter_map(|tried| Some((tried, tried.because.as_deref()?)))
    }

    pub fn is_clean(&self) -> bool {
        self.unnoticed().next().is_none() && self.useless.is_empty()
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
    wanted: &'t Wanted,
    family: Family,
    library: Library,
    all: Vec<Break>,
    /// The entries of `unnoticed.yaml`.
    unnoticed: Vec<Unnoticed>,
    /// Problems with these entries.
    problems: Vec<Problem>,
    order: Vec<u64>,
}

/// A hash of all texts that affect the results for a package, including scenarios.
pub fn hash_of(loaded: &Loaded, game: &str) -> String {
    Family::of_game(&loaded.library, game).hash()
}

impl<'t> Breakable<'t> {
    /// Draws the order of all breaks by a seed. `only` restricts them to some texts, by their ids in the whole library; empty
    /// means the whole package.
    pub fn new(
        loaded: &Loaded,
        game: &'t str,
        wanted: &'t Wanted,
        (seed, only): (u64, &BTreeSet<SourceId>),
    ) -> Result<Breakable<'t>, Vec<Problem>> {
        let family = Family::of_game(&loaded.library, game);
        let library = family.unchanged().library;
        let mut places = Places::default();
        let programs = accepted(&library, game, wanted)?;
        programs.iter().for_each(|program| places.add(program));
        let numbers: BTreeSet<SourceId> = only.iter().filter_map(|source| family.number(*source)).collect();
        let is_asked = |source| only.is_empty() || numbers.contains(&source);
        let own = |source| is_asked(source) && library.game(game).is_some_and(|game| game.holds(source));
        let all = breaks(&Code::new(&library, &programs), &places, own);
        let (unnoticed, mut problems) = Unnoticed::read(&library, game);
        let own_sources = library.sources.iter().filter(|(source, _)| own(*source));
        problems.extend(own_sources.flat_map(|(id, source)| outdated(id, source)));
        let order = BotRng::new(seed, 0).shuffled(all.len() as u64);
        Ok(Breakable { game, wanted, family, library, all, unnoticed, problems, order })
    }

    /// Number of all possible breaks, including those that `check` refuses.
    pub fn places(&self) -> usize {
        self.all.len()
    }

    /// Tries some of the breaks that `check` accepts, counted from 0 in the order drawn.
    pub fn tried(&self, range: Range<usize>, progress: &(dyn Fn() + Sync)) -> Vec<Trial> {
        let passing = match range.is_empty() {
            true => Vec::new(),
            false => Suite::new(&self.library, self.game, self.wanted.clone()).passing(),
        };
        let mut left = self.order.iter().map(|place| *place as usize);
        self.first(range.start, &mut left, |broken| self.accepted(broken).map(drop));
        let found = self.first(range.len(), &mut left, |broken| {
            let noticed = self.notices(&passing, broken);
            noticed.iter().for_each(|_| progress());
            noticed
        });
        found.into_iter().map(|(place, noticed)| Trial { place, noticed }).collect()
    }

    /// Continues until `count` breaks gave a result, or all were tried.
    fn first<T: Send>(
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
            let come = shared(next, |place| {
                let broken = self.all.get(place).filter(|_| !work::is_stopped())?;
                Some((place, of(broken)?))
            });
            found.extend(come.into_iter().flatten());
        }
        found
    }

    /// The library with the break, unless `check` refuses it.
    fn accepted(&self, broken: &Break) -> Option<Loaded> {
        let text = &self.library.sources.get(broken.change.source).text;
        let loaded = self.family.with_own(broken.change.source, broken.change.applied(text));
        accepted(&loaded.library, self.game, self.wanted).ok()?;
        Some(loaded)
    }

    /// Whether the scenarios notice a break; `None` if `check` refuses it.
    fn notices(&self, passing: &[Passing], broken: &Break) -> Option<bool> {
        let loaded = self.accepted(broken)?;
        let reaches = |scenario: &&Passing| broken.place.is_none_or(|place| scenario.reached.contains(&place));
        let names: BTreeSet<Span> = passing.iter().filter(reaches).map(|scenario| scenario.name).collect();
        let suite = || Suite::new(&loaded.library, self.game, self.wanted.clone()).notices(&names);
        // A break that makes Ludex fail counts as noticed.
        Some(guarded(suite).unwrap_or(true))
    }

    /// The results of the breaks that were tried, of `asked` requested ones, in the order drawn.
    pub fn package(&self, trials: &[Trial], asked: u64) -> Package {
        let mut used: BTreeSet<Span> = BTreeSet::new();
        let mut tried: Vec<Tried> = trials.iter().filter_map(|trial| self.told(trial, &mut used)).collect();
        tried.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
        let everything = !work::is_stopped() && (trials.len() == self.all.len() || (trials.len() as u64) < asked);
        let unused = self.unnoticed.iter().filter(|entry| everything && !used.contains(&entry.span));
        let useless = self.problems.iter().cloned().chain(unused.map(Unnoticed::useless)).collect();
        let sources = self.library.sources.clone();
        Package { game: self.game.to_string(), places: self.all.len(), tried, useless, sources }
    }

    /// The result of one break. Marks the entry that explains it as used.
    fn told(&self, trial: &Trial, used: &mut BTreeSet<Span>) -> Option<Tried> {
        let Break { change, how, .. } = self.all.get(trial.place)?;
        let source = self.library.sources.get(change.source);
        let (before, after) = change.shown(&source.text);
        let line = change.line(&source.text);
        let entry = self.unnoticed.iter().find(|entry| entry.fits(change.source, line, *how)).filter(|_| !trial.noticed);
        used.extend(entry.map(|entry| entry.span));
        let because = entry.map(|entry| entry.because.clone());
        Some(Tried { file: source.name.clone(), line, how: *how, before, after, noticed: trial.noticed, because })
    }
}

/// The programs of a game in all modes, for any choice of options, or the problems found by `check`.
fn accepted(library: &Library, game: &str, wanted: &Wanted) -> Result<Vec<Program>, Vec<Problem>> {
    let each = library.in_each_mode(game, &Wanted { open: true, ..wanted.clone() });
    let (programs, problems) = library.compile_each(game, &each);
    let is_whole = programs.len() == each.len();
    if is_whole { Ok(programs.into_iter().map(|(_, program)| program).collect()) } else { Err(problems) }
}
