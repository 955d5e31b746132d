//! What the scenarios of a package notice: its rules and scripts are broken in one place at a time, and its scenarios run.

use super::breaks::{Break, Places, breaks};
use super::corpus::Corpus;
use super::family::Family;
use crate::guard::guarded;
use crate::load::Loaded;
use crate::rng::BotRng;
use crate::scenario::{Passing, Suite};
use crate::shared::shared;
use crate::work;
use ludex_engine::library::{Library, Wanted};
use ludex_engine::problem::Problem;
use ludex_engine::runtime::Lots;
use ludex_engine::source::Span;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;

/// What was broken, and whether a scenario has noticed it.
#[derive(Clone, Debug)]
pub struct Tried {
    pub file: String,
    pub line: usize,
    pub how: &'static str,
    pub before: String,
    pub after: String,
    pub noticed: bool,
}

/// What came of one package.
#[derive(Clone, Debug)]
pub struct Package {
    pub game: String,
    /// What can be broken in all, whether or not `check` refuses it.
    pub places: usize,
    pub tried: Vec<Tried>,
}

impl Package {
    pub fn noticed(&self) -> usize {
        self.tried.iter().filter(|tried| tried.noticed).count()
    }

    pub fn unnoticed(&self) -> impl Iterator<Item = &Tried> {
        self.tried.iter().filter(|tried| !tried.noticed)
    }
}

/// One change that `check` accepts, by its place among all, and whether a scenario has noticed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    place: usize,
    noticed: bool,
}

/// All that can be broken in one package, in the order in which it is tried.
pub struct Breakable<'t> {
    game: &'t str,
    wanted: &'t Wanted,
    family: Family,
    library: Library,
    all: Vec<Break>,
    order: Vec<u64>,
}

/// A hash over all texts that decide what is noticed in a package, scenarios included.
pub fn hash_of(loaded: &Loaded, game: &str) -> String {
    Family::of_game(&loaded.library, game).hash()
}

impl<'t> Breakable<'t> {
    pub fn new(loaded: &Loaded, game: &'t str, wanted: &'t Wanted, seed: u64) -> Result<Breakable<'t>, Vec<Problem>> {
        let family = Family::of_game(&loaded.library, game);
        let library = family.unchanged().library;
        let mut places = Places::default();
        for mode in modes(&library, game, wanted) {
            let (program, problems) = library.compile(game, &mode);
            places.add(&program.ok_or(problems)?);
        }
        let own = |source| library.game(game).is_some_and(|game| game.holds(source));
        let all = breaks(&Corpus::new(&library), &places, own);
        let order = BotRng::new(seed, 0).shuffled(all.len() as u64);
        Ok(Breakable { game, wanted, family, library, all, order })
    }

    /// How much can be broken in all, whether or not `check` refuses it.
    pub fn places(&self) -> usize {
        self.all.len()
    }

    /// Tries some of the changes that `check` accepts, counted from 0 in the order in which they are drawn.
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

    /// Goes on until so many changes have come to something, or none is left.
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
            let come = shared(next.len(), |piece| {
                let place = next.get(piece).filter(|_| !work::is_stopped())?;
                Some((*place, of(self.all.get(*place)?)?))
            });
            found.extend(come.into_iter().flatten());
        }
        found
    }

    /// What has become of the rules, unless `check` refuses it.
    fn accepted(&self, broken: &Break) -> Option<Loaded> {
        let text = &self.library.sources.get(broken.change.source).text;
        let loaded = self.family.with_own(broken.change.source, broken.change.applied(text));
        let changed = &loaded.library;
        let is_accepted = modes(changed, self.game, self.wanted).all(|mode| changed.compile(self.game, &mode).0.is_some());
        is_accepted.then_some(loaded)
    }

    /// Nothing if `check` refuses what has become of the rules.
    fn notices(&self, passing: &[Passing], broken: &Break) -> Option<bool> {
        let loaded = self.accepted(broken)?;
        let reaches = |scenario: &&Passing| broken.place.is_none_or(|place| scenario.reached.contains(&place));
        let names: BTreeSet<Span> = passing.iter().filter(reaches).map(|scenario| scenario.name).collect();
        let suite = || Suite::new(&loaded.library, self.game, self.wanted.clone()).notices(&names);
        // What makes Ludex fail has not gone unnoticed.
        Some(guarded(suite).unwrap_or(true))
    }

    /// What came of the changes that were tried, in the order in which they were drawn.
    pub fn package(&self, trials: &[Trial]) -> Package {
        let told = |trial: &Trial| {
            let broken = self.all.get(trial.place)?;
            let source = self.library.sources.get(broken.change.source);
            let (before, after) = broken.change.shown(&source.text);
            let line = broken.change.line(&source.text);
            Some(Tried { file: source.name.clone(), line, how: broken.how, before, after, noticed: trial.noticed })
        };
        let mut tried: Vec<Tried> = trials.iter().filter_map(told).collect();
        tried.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
        Package { game: self.game.to_string(), places: self.all.len(), tried }
    }
}

fn modes<'w>(library: &Library, game: &str, wanted: &'w Wanted) -> impl Iterator<Item = Wanted> + use<'w> {
    let modes = library.modes(game).into_iter().map(Some);
    [None].into_iter().chain(modes).map(|mode| Wanted { mode, ..wanted.clone() })
}
