//! What the scenarios of a package notice: its rules and scripts are broken in one place at a time, and its scenarios run.

use super::breaks::{Break, Places, breaks};
use super::corpus::Corpus;
use super::family::Family;
use crate::checking::{Breaking, IgnoredMutants, ignored_mutants};
use crate::guard::guarded;
use crate::load::Loaded;
use crate::rng::BotRng;
use crate::scenario::{Passing, Suite};
use crate::shared::shared;
use crate::work;
use ludex_engine::codes;
use ludex_engine::library::{Library, Wanted};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::Lots;
use ludex_engine::source::{SourceId, Sources, Span};
use std::collections::{BTreeMap, BTreeSet};

/// What was broken, and whether a scenario has noticed it.
#[derive(Clone, Debug)]
pub struct Tried {
    pub file: String,
    pub line: usize,
    pub how: Breaking,
    pub before: String,
    pub after: String,
    pub noticed: bool,
    /// Why nobody can notice it, as a comment at its line says.
    pub because: Option<String>,
}

/// What came of one package.
#[derive(Clone, Debug)]
pub struct Package {
    pub game: String,
    /// What can be broken in all, whether or not `check` refuses it.
    pub places: usize,
    pub tried: Vec<Tried>,
    /// Comments that say why something is not noticed, although it is or is not there. Told if everything was tried.
    pub useless: Vec<Problem>,
    /// What the places of those problems are places of.
    pub sources: Sources,
}

impl Package {
    pub fn noticed(&self) -> usize {
        self.tried.iter().filter(|tried| tried.noticed).count()
    }

    /// What no scenario notices, and nobody has said why.
    pub fn unnoticed(&self) -> impl Iterator<Item = &Tried> {
        self.tried.iter().filter(|tried| !tried.noticed && tried.because.is_none())
    }

    /// What no scenario notices for a reason, with the reason.
    pub fn explained(&self) -> impl Iterator<Item = (&Tried, &str)> {
        let unnoticed = self.tried.iter().filter(|tried| !tried.noticed);
        unnoticed.filter_map(|tried| Some((tried, tried.because.as_deref()?)))
    }

    pub fn is_clean(&self) -> bool {
        self.unnoticed().next().is_none() && self.useless.is_empty()
    }
}

/// How much is tried.
#[derive(Clone, Debug)]
pub struct Amount {
    /// So many changes that `check` accepts, or as many as there are.
    pub mutants: usize,
    pub seed: u64,
    /// In these texts only, by their numbers in the whole library; in all of the package if there are none.
    pub only: BTreeSet<SourceId>,
}

/// The scenarios of one package, and its texts.
struct Trying<'t> {
    family: &'t Family,
    game: &'t str,
    wanted: &'t Wanted,
    passing: &'t [Passing],
    ignored: &'t [IgnoredMutants],
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
    let (unchanged, ignored) = without_ignores(family.unchanged());
    let library = &unchanged.library;
    let mut places = Places::default();
    accepted(library, game, wanted)?.iter().for_each(|program| places.add(program));
    let passing = Suite::new(library, game, wanted.clone()).passing();
    let only: BTreeSet<SourceId> = amount.only.iter().filter_map(|source| family.number(*source)).collect();
    let is_asked = |source| amount.only.is_empty() || only.contains(&source);
    let own = |source| is_asked(source) && library.game(game).is_some_and(|game| game.holds(source));
    let all = breaks(&Corpus::new(library), &places, own);
    let ignored: Vec<IgnoredMutants> = ignored.into_iter().filter(|ignored| own(ignored.span.source)).collect();
    let order = BotRng::new(amount.seed, 0).shuffled(all.len() as u64);
    let mut left = order.into_iter().filter_map(|place| all.get(place as usize));
    let trying = Trying { family: &family, game, wanted, passing: &passing, ignored: &ignored };
    let mut tried: Vec<(Tried, Option<Span>)> = Vec::new();
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
    let used: BTreeSet<Span> = tried.iter().filter_map(|(_, ignored)| *ignored).collect();
    let everything = left.next().is_none() && !work::is_stopped();
    let useless = ignored.iter().filter(|ignored| everything && !used.contains(&ignored.span)).map(useless).collect();
    let mut tried: Vec<Tried> = tried.into_iter().map(|(tried, _)| tried).collect();
    tried.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
    Ok(Package { game: game.to_string(), places: all.len(), tried, useless, sources: family.unchanged().library.sources })
}

/// The comments that say what need not be noticed, and the library with blanks in their places: what is changed is shown
/// without them.
fn without_ignores(loaded: Loaded) -> (Loaded, Vec<IgnoredMutants>) {
    let sources = &loaded.library.sources;
    let ignored: Vec<IgnoredMutants> = sources.iter().flat_map(|(source, file)| ignored_mutants(source, file)).collect();
    let mut texts: BTreeMap<SourceId, String> = BTreeMap::new();
    for comment in ignored.iter().map(|ignored| ignored.span) {
        let text = texts.entry(comment.source).or_insert_with(|| sources.get(comment.source).text.clone());
        let place = comment.start as usize..comment.end as usize;
        text.replace_range(place.clone(), &" ".repeat(place.len()));
    }
    (loaded.with_texts(&texts), ignored)
}

fn useless(ignored: &IgnoredMutants) -> Problem {
    let message = "nothing that is not noticed is ignored by this";
    Problem::warning(codes::IGNORES_NOTHING, message).at(ignored.span, "ignores nothing").help("remove it")
}

/// The programs of a game in all modes, whatever options are chosen, or what `check` refuses.
fn accepted(library: &Library, game: &str, wanted: &Wanted) -> Result<Vec<Program>, Vec<Problem>> {
    let each = library.in_each_mode(game, &Wanted { open: true, ..wanted.clone() });
    let (programs, problems) = library.compile_each(game, &each);
    let is_whole = programs.len() == each.len();
    if is_whole { Ok(programs.into_iter().map(|(_, program)| program).collect()) } else { Err(problems) }
}

impl Trying<'_> {
    /// What came of it, and the comment by which it need not be noticed; nothing if `check` refuses what has become of the
    /// rules.
    fn tried(&self, library: &Library, broken: &Break) -> Option<(Tried, Option<Span>)> {
        let source = library.sources.get(broken.change.source);
        let (before, after) = broken.change.shown(&source.text);
        let loaded = self.family.with_own(broken.change.source, broken.change.applied(&source.text));
        let changed = &loaded.library;
        accepted(changed, self.game, self.wanted).ok()?;
        let reaches = |scenario: &&Passing| broken.place.is_none_or(|place| scenario.reached.contains(&place));
        let names: BTreeSet<Span> = self.passing.iter().filter(reaches).map(|scenario| scenario.name).collect();
        // What makes Ludex fail has not gone unnoticed.
        let notices = guarded(|| Suite::new(changed, self.game, self.wanted.clone()).notices(&names)).unwrap_or(true);
        let line = broken.change.line(&source.text);
        let fits = |ignored: &&IgnoredMutants| ignored.span.source == broken.change.source && ignored.fits(line, broken.how);
        let ignored = self.ignored.iter().find(fits).filter(|_| !notices);
        let because = ignored.map(|ignored| ignored.because.clone());
        let tried = Tried { file: source.name.clone(), line, how: broken.how, before, after, noticed: notices, because };
        Some((tried, ignored.map(|ignored| ignored.span)))
    }
}
