//! Measures the quality of `check` with mistakes of every class, drawn by a seed, each in its own copy of a library.

use super::classes::{CLASSES, Class};
use super::drawn::draw_mistakes;
use super::trial::{Check, Known, Play, Trial, trial};
use crate::self_test::corpus::Corpus;
use crate::self_test::mistake::Mistake;
use ludex::tooling::{Family, LoadedLibraries, is_stopped, map_parallel};
use ludex_engine::library::{BUNDLED, Library};
use ludex_engine::problem::Problem;
use ludex_engine::source::{SourceId, Sources};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The problems of a library before any mistake, and its texts.
pub type Failed = (Vec<Problem>, Sources);

/// The settings of a measurement.
#[derive(Clone, Debug)]
pub struct Wanted<'w> {
    /// Only this class.
    pub class: Option<&'w str>,
    /// Maximum number of mistakes of each class.
    pub per_class: usize,
    /// Number of games of every mode that an accepted mutant plays.
    pub games: u64,
    pub seed: u64,
}

/// The results by class.
pub struct SelfTest {
    pub classes: Vec<(&'static Class, Vec<Trial>)>,
}

/// A family of games, with the report on its unchanged texts.
struct Prepared {
    family: Family,
    known: Known,
}

/// Makes the mistakes and judges them. Fails if the library already has errors, since these cannot be told apart from the effects
/// of a mistake. `progress` is called after each judged mistake. `check` is the check that is measured.
pub fn measure(
    loaded: &LoadedLibraries,
    wanted: &Wanted,
    check: &Check,
    progress: &(dyn Fn() + Sync),
) -> Result<SelfTest, Failed> {
    let loaded = &library_to_measure(loaded);
    let corpus = Corpus::new(&loaded.library);
    let is_own = is_own(&loaded.library);
    let asked = CLASSES.iter().enumerate().filter(|(_, class)| wanted.class.is_none_or(|name| name == class.name));
    let mut pieces: Vec<(usize, Mistake)> = Vec::new();
    for (number, class) in asked.clone() {
        let changes = draw_mistakes(&corpus, class, number, &is_own, wanted.per_class, wanted.seed);
        pieces.extend(changes.into_iter().map(|change| (number, change)));
    }
    let prepared = prepared(loaded, &pieces, check)?;
    let play = Play { games: wanted.games, seed: wanted.seed };
    let trials = map_parallel(&pieces, |(number, change)| {
        if is_stopped() {
            return None;
        }
        let source = loaded.library.sources.get(change.source);
        let ready = prepared.get(&change.source)?;
        let tried = trial(&ready.family, &ready.known, (&source.name, &source.text), change, check, play);
        progress();
        Some((*number, tried))
    });
    let mut classes: Vec<(&'static Class, Vec<Trial>)> = Vec::new();
    let mut trials: Vec<(usize, Trial)> = trials.into_iter().flatten().collect();
    for (number, class) in asked {
        let (own, others) = trials.into_iter().partition(|(other, _)| *other == number);
        trials = others;
        classes.push((class, own.into_iter().map(|(_, trial)| trial).collect()));
    }
    Ok(SelfTest { classes })
}

/// The user's libraries and those they build on; otherwise the bundled one.
fn library_to_measure(loaded: &LoadedLibraries) -> LoadedLibraries {
    let library = &loaded.library;
    let brought = library.sources.iter().map(|(source, _)| source).filter(|source| is_brought(library, *source));
    let games: BTreeSet<String> = brought.flat_map(|source| library.games_of_source(source)).collect();
    let games = if games.is_empty() { library.game_ids().into_iter().collect() } else { games };
    Family::for_games(library, games).unchanged_library()
}

/// Whether a text is from a library of the user.
fn is_brought(library: &Library, source: SourceId) -> bool {
    !matches!(library.source_library(source), BUNDLED | "")
}

/// Whether mistakes are made in a text.
fn is_own(library: &Library) -> impl Fn(SourceId) -> bool {
    let any = library.sources.iter().any(|(source, _)| is_brought(library, source));
    move |source| !any || is_brought(library, source)
}

/// The families of the changed texts.
fn prepared(
    loaded: &LoadedLibraries,
    pieces: &[(usize, Mistake)],
    check: &Check,
) -> Result<BTreeMap<SourceId, Arc<Prepared>>, Failed> {
    let mut by_games: BTreeMap<Vec<String>, Arc<Prepared>> = BTreeMap::new();
    let mut by_source = BTreeMap::new();
    let sources: BTreeSet<SourceId> = pieces.iter().map(|(_, change)| change.source).collect();
    for source in sources {
        let games = loaded.library.games_of_source(source);
        let ready = match by_games.get(&games) {
            Some(ready) => ready.clone(),
            None => Arc::new(prepare(Family::for_source(&loaded.library, source), check)?),
        };
        by_games.insert(games, ready.clone());
        by_source.insert(source, ready);
    }
    Ok(by_source)
}

/// Checks a family of games before any mistake. An error if it already has errors.
fn prepare(family: Family, check: &Check) -> Result<Prepared, Failed> {
    let unchanged = family.unchanged_library();
    let report = check(&unchanged);
    let sources = &unchanged.library.sources;
    match report.is_ok() {
        true => Ok(Prepared { family, known: Known::of(&report, sources) }),
        false => Err((report.problems().to_vec(), sources.clone())),
    }
}
