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
use std::collections::BTreeSet;

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

/// How much is tried.
#[derive(Clone, Debug)]
pub struct Amount {
    /// So many changes that `check` accepts, or as many as there are.
    pub mutants: usize,
    pub seed: u64,
}

/// The scenarios of one package, and its texts.
struct Trying<'t> {
    family: &'t Family,
    game: &'t str,
    wanted: &'t Wanted,
    passing: &'t [Passing],
}

/// Breaks a package, `mutants` times.
pub fn noticed(
    loaded: &Loaded,
    game: &str,
    wanted: &Wanted,
    amount: &Amount,
    progress: &(dyn Fn() + Sync),
) -> Result<Package, Vec<Problem>> {
    let family = Family::of_game(&loaded.library, game);
    let unchanged = family.unchanged();
    let library = &unchanged.library;
    let mut places = Places::default();
    for mode in modes(library, game, wanted) {
        let (program, problems) = library.compile(game, &mode);
        places.add(&program.ok_or(problems)?);
    }
    let passing = Suite::new(library, game, wanted.clone()).passing();
    let own = |source| library.game(game).is_some_and(|game| game.holds(source));
    let all = breaks(&Corpus::new(library), &places, own);
    let order = BotRng::new(amount.seed, 0).shuffled(all.len() as u64);
    let mut left = order.into_iter().filter_map(|place| all.get(place as usize));
    let trying = Trying { family: &family, game, wanted, passing: &passing };
    let mut tried: Vec<Tried> = Vec::new();
    while tried.len() < amount.mutants && !work::is_stopped() {
        let next: Vec<&Break> = left.by_ref().take(amount.mutants - tried.len()).collect();
        if next.is_empty() {
            break;
        }
        let found = shared(next.len(), |piece| {
            let next = next.get(piece).filter(|_| !work::is_stopped());
            let found = next.and_then(|broken| trying.tried(library, broken));
            found.iter().for_each(|_| progress());
            found
        });
        tried.extend(found.into_iter().flatten());
    }
    tried.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
    Ok(Package { game: game.to_string(), places: all.len(), tried })
}

fn modes<'w>(library: &Library, game: &str, wanted: &'w Wanted) -> impl Iterator<Item = Wanted> + use<'w> {
    let modes = library.modes(game).into_iter().map(Some);
    [None].into_iter().chain(modes).map(|mode| Wanted { mode, ..wanted.clone() })
}

impl Trying<'_> {
    /// Nothing if `check` refuses what has become of the rules.
    fn tried(&self, library: &Library, broken: &Break) -> Option<Tried> {
        let source = library.sources.get(broken.change.source);
        let (before, after) = broken.change.shown(&source.text);
        let loaded = self.family.with_own(broken.change.source, broken.change.applied(&source.text));
        let changed = &loaded.library;
        let accepted = modes(changed, self.game, self.wanted).all(|mode| changed.compile(self.game, &mode).0.is_some());
        if !accepted {
            return None;
        }
        let reaches = |scenario: &&Passing| broken.place.is_none_or(|place| scenario.reached.contains(&place));
        let names: BTreeSet<Span> = self.passing.iter().filter(reaches).map(|scenario| scenario.name).collect();
        // What makes Ludex fail has not gone unnoticed.
        let notices = guarded(|| Suite::new(changed, self.game, self.wanted.clone()).notices(&names)).unwrap_or(true);
        let line = broken.change.line(&source.text);
        Some(Tried { file: source.name.clone(), line, how: broken.how, before, after, noticed: notices })
    }
}
