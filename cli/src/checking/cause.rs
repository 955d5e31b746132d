//! Filters out problems that only follow from another problem.
//!
//! Readers should fix causes first: one missing bracket can make hundreds of names unknown.

use crate::load::LoadedLibraries;
use ludex_engine::codes;
use ludex_engine::library::FileRole;
use ludex_engine::problem::{Message, Problem};
use ludex_engine::source::SourceId;
use ludex_validator::Stage;
use std::collections::{BTreeMap, BTreeSet};

/// The codes of problems with files that belong to no game.
const LOST: [&str; 4] = [codes::UNKNOWN_GAME, codes::NAME_TAKEN, codes::FILE_UNUSED, codes::REPLACES_NOTHING];

/// Removes the problems that exist only because something could not be parsed. A file that cannot be parsed does not name its
/// game, a game whose rules cannot be parsed loses its files, and a script that cannot be parsed has no ability.
pub fn remove_consequences(problems: Vec<Problem>, loaded: &LoadedLibraries) -> Vec<Problem> {
    let main = |problem: &Problem| problem.labels.first().map(|(span, _)| span.source);
    let is_misread = |problem: &&Problem| problem.is_error() && Stage::for_problem(problem) <= Stage::Writing;
    let misread: BTreeSet<SourceId> = problems.iter().filter(is_misread).filter_map(main).collect();
    let rules = misread.iter().filter(|source| loaded.library.source_role(**source) == FileRole::Rules);
    let homes: BTreeSet<(&str, &str)> = rules.filter_map(|source| library_and_game(loaded, *source)).collect();
    let scripts = misread.iter().filter(|source| loaded.library.source_role(**source) == FileRole::Script);
    let abilities: BTreeSet<&str> = scripts.filter_map(|source| source_stem(loaded, *source)).collect();
    let follows = |problem: &Problem| {
        if problem.code == codes::UNKNOWN_ABILITY {
            return problem.subject.as_deref().is_some_and(|ability| abilities.contains(ability));
        }
        let Some(source) = main(problem).filter(|_| LOST.contains(&problem.code)) else { return false };
        misread.contains(&source) || library_and_game(loaded, source).is_some_and(|home| homes.contains(&home))
    };
    let left = problems.into_iter().filter(|problem| !follows(problem)).collect();
    without_echoes(limit_later_problems(left, &misread, loaded))
}

/// The stem of a file name. For a script this is the id of its ability.
fn source_stem(loaded: &LoadedLibraries, source: SourceId) -> Option<&str> {
    let file = loaded.library.source_path(source).rsplit('/').next()?;
    file.rsplit_once('.').map(|(stem, _)| stem)
}

/// Maximum number of problems of later stages that are reported for a game whose rules cannot be fully parsed.
const MOST_BESIDE: usize = 3;

/// Limits the problems of a game whose rules cannot be fully parsed. Many of them come from declarations in the missing part.
fn limit_later_problems(problems: Vec<Problem>, misread: &BTreeSet<SourceId>, loaded: &LoadedLibraries) -> Vec<Problem> {
    let library = &loaded.library;
    let rules = misread.iter().filter(|source| library.source_role(**source) == FileRole::Rules);
    let broken: BTreeSet<String> = rules.flat_map(|source| library.games_of_source(*source)).collect();
    if broken.is_empty() {
        return problems;
    }
    let mut of_broken: BTreeMap<SourceId, bool> = BTreeMap::new();
    let mut is_later = |problem: &Problem| {
        let Some((span, _)) = problem.labels.first().filter(|_| Stage::for_problem(problem) > Stage::Writing) else {
            return false;
        };
        let belongs = || library.games_of_source(span.source).iter().any(|game| broken.contains(game));
        *of_broken.entry(span.source).or_insert_with(belongs)
    };
    let (later, first): (Vec<Problem>, Vec<Problem>) = problems.into_iter().partition(|problem| is_later(problem));
    let few = later.len() <= MOST_BESIDE;
    first.into_iter().chain(later.into_iter().filter(|_| few)).collect()
}

/// Reports each message of a YAML file once. A mistake in one line often repeats in the lines after it, in the same words.
fn without_echoes(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by_key(|problem| problem.labels.first().map(|(span, _)| *span));
    let mut told: BTreeSet<(SourceId, Message)> = BTreeSet::new();
    problems.retain(|problem| match problem.labels.first() {
        Some((span, _)) if problem.code == codes::YAML_SYNTAX => told.insert((span.source, problem.message.clone())),
        _ => true,
    });
    problems
}

/// The library that a file is in, and the game whose folder holds it.
fn library_and_game(loaded: &LoadedLibraries, source: SourceId) -> Option<(&str, &str)> {
    let library = &loaded.library;
    Some((library.source_library(source), library.source_path(source).split('/').nth(1)?))
}
