//! Fixes for problems that leave nothing to decide, tried on copies of the texts.

use super::{Checking, asked};
use crate::load::Loaded;
use ludex_engine::library::Wanted;
use ludex_engine::problem::{Edit, Problem, edited};
use ludex_engine::source::{SourceId, Span};
use ludex_validator::Report;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Maximum number of rounds. A fix may reveal the next problem to fix.
const MOST_ROUNDS: usize = 8;

/// Files with their fixes applied.
#[derive(Debug, Default)]
pub struct Mended {
    /// The new text of each file, with `\n` line ends.
    pub texts: BTreeMap<SourceId, String>,
    /// The number of fixed problems per file.
    pub counts: BTreeMap<SourceId, usize>,
}

/// The edits of one problem: all are applied, or none.
type Together = Vec<Edit>;

/// Applies all possible fixes in the requested files, or in all files read from disk.
///
/// Everything is checked again after each round, and a fix is dropped if it would leave a file that it changes with more errors.
/// Other files may have more: one problem often hides the next.
pub fn mended(loaded: &Loaded, wanted: &Wanted, paths: &[PathBuf]) -> Mended {
    let asked = asked(loaded, paths);
    let may = |source: SourceId| loaded.file(source).is_some() && (paths.is_empty() || asked.contains(&source));
    let mut mended = Mended::default();
    for _ in 0..MOST_ROUNDS {
        let trial = Trial::new(loaded.with_texts(&mended.texts), wanted, paths);
        let mut kept = Vec::new();
        trial.keep_sound(&mut kept, &trial.possible(may));
        if kept.is_empty() {
            break;
        }
        mended.texts.extend(trial.texts(&kept));
        for together in kept {
            let sources: BTreeSet<SourceId> = together.iter().map(|edit| edit.span.source).collect();
            sources.into_iter().for_each(|source| *mended.counts.entry(source).or_default() += 1);
        }
    }
    mended
}

/// One round: the current texts and their problems.
struct Trial<'w> {
    loaded: Loaded,
    wanted: &'w Wanted,
    paths: &'w [PathBuf],
    found: Vec<Problem>,
    errors: BTreeMap<Option<SourceId>, usize>,
}

impl<'w> Trial<'w> {
    fn new(loaded: Loaded, wanted: &'w Wanted, paths: &'w [PathBuf]) -> Trial<'w> {
        let found = Checking::new(&loaded, wanted.clone()).found(paths);
        let found = Report::new(found).problems().to_vec();
        Trial { errors: errors_by_file(&found), loaded, wanted, paths, found }
    }

    /// The fixes of the found problems, without those that overlap an earlier one.
    fn possible(&self, may: impl Fn(SourceId) -> bool) -> Vec<Together> {
        let mut chosen: Vec<Together> = Vec::new();
        let mut taken = Taken::default();
        for problem in &self.found {
            let edits = problem.edits(&self.loaded.library.sources);
            if !edits.is_empty() && edits.iter().all(|edit| may(edit.span.source)) && taken.take(&edits) {
                chosen.push(edits);
            }
        }
        chosen
    }

    /// Adds to `kept` the fixes that leave no changed file with more errors. If all of them together fail, each half is tried
    /// separately.
    fn keep_sound(&self, kept: &mut Vec<Together>, more: &[Together]) {
        if more.is_empty() {
            return;
        }
        let all: Vec<Together> = kept.iter().chain(more).cloned().collect();
        if self.is_sound(&all) {
            *kept = all;
        } else if more.len() > 1 {
            let (first, second) = more.split_at(more.len() / 2);
            self.keep_sound(kept, first);
            self.keep_sound(kept, second);
        }
    }

    fn is_sound(&self, edits: &[Together]) -> bool {
        let texts = self.texts(edits);
        let after = Trial::new(self.loaded.with_texts(&texts), self.wanted, self.paths);
        let errors = |trial: &Trial, file: SourceId| trial.errors.get(&Some(file)).copied().unwrap_or(0);
        texts.keys().all(|file| errors(&after, *file) <= errors(self, *file))
    }

    /// The new texts of the files that these edits change.
    fn texts(&self, edits: &[Together]) -> BTreeMap<SourceId, String> {
        let mut by_file: BTreeMap<SourceId, Vec<&Edit>> = BTreeMap::new();
        edits.iter().flatten().for_each(|edit| by_file.entry(edit.span.source).or_default().push(edit));
        let text = |source: SourceId| self.loaded.library.sources.get(source).text.as_str();
        by_file.into_iter().map(|(source, edits)| (source, edited(text(source), edits))).collect()
    }
}

/// The ranges that are already changed: their starts and ends.
#[derive(Default)]
struct Taken(BTreeMap<(SourceId, u32), u32>);

impl Taken {
    /// Claims the ranges of some edits. Claims none of them if one overlaps an earlier range or another of the edits.
    fn take(&mut self, edits: &[Edit]) -> bool {
        let taken = edits.iter().take_while(|edit| self.take_one(edit.span)).count();
        if taken < edits.len() {
            for edit in &edits[..taken] {
                self.0.remove(&(edit.span.source, edit.span.start));
            }
        }
        taken == edits.len()
    }

    fn take_one(&mut self, span: Span) -> bool {
        let at = (span.source, span.start);
        let previous = self.0.range(..at).next_back();
        let meets_previous = previous.is_some_and(|((source, _), end)| *source == span.source && *end > span.start);
        let next = self.0.range(at..).next();
        let meets_next =
            next.is_some_and(|((source, start), _)| *source == span.source && (*start == span.start || *start < span.end));
        !meets_previous && !meets_next && self.0.insert(at, span.end).is_none()
    }
}

/// Counts the errors of each file. Errors without a location count under `None`.
fn errors_by_file(problems: &[Problem]) -> BTreeMap<Option<SourceId>, usize> {
    let mut errors = BTreeMap::new();
    for problem in problems.iter().filter(|problem| problem.is_error()) {
        *errors.entry(problem.labels.first().map(|(span, _)| span.source)).or_default() += 1;
    }
    errors
}
