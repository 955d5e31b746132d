//! Fixes for problems that leave nothing to decide, tried on copies of the texts.
//!
//! `check --fix` applies them. A fix is one or more edits that a problem suggests. The verb writes the texts to disk.

use super::{LibraryCheck, requested_sources};
use crate::load::LoadedLibraries;
use ludex_engine::library::CompileRequest;
use ludex_engine::problem::{Edit, Problem, apply_edits};
use ludex_engine::source::{SourceId, Span};
use ludex_validator::Report;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Maximum number of rounds. A fix may reveal the next problem to fix.
const MOST_ROUNDS: usize = 8;

/// Files with their fixes applied.
#[derive(Debug, Default)]
pub struct FixedTexts {
    /// The new text of each file, with `\n` line ends.
    pub texts: BTreeMap<SourceId, String>,
    /// The number of fixed problems per file.
    pub counts: BTreeMap<SourceId, usize>,
}

/// The edits of one problem: all are applied, or none.
type FixEdits = Vec<Edit>;

/// Applies all possible fixes in the requested files, or in all files read from disk.
///
/// Everything is checked again after each round, and a fix is dropped if it would leave a file that it changes with more errors.
/// Other files may have more: one problem often hides the next.
pub fn fix_texts(loaded: &LoadedLibraries, wanted: &CompileRequest, paths: &[PathBuf]) -> FixedTexts {
    let asked = requested_sources(loaded, paths);
    let may = |source: SourceId| loaded.editable_file(source).is_some() && (paths.is_empty() || asked.contains(&source));
    let mut mended = FixedTexts::default();
    for _ in 0..MOST_ROUNDS {
        let trial = Trial::new(loaded.with_texts(&mended.texts), wanted, paths);
        let mut kept = Vec::new();
        trial.add_sound_fixes(&mut kept, &trial.compatible_fixes(may));
        if kept.is_empty() {
            break;
        }
        mended.texts.extend(trial.edited_texts(&kept));
        for together in kept {
            let sources: BTreeSet<SourceId> = together.iter().map(|edit| edit.span.source).collect();
            sources.into_iter().for_each(|source| *mended.counts.entry(source).or_default() += 1);
        }
    }
    mended
}

/// One round: the current texts and their problems.
struct Trial<'w> {
    loaded: LoadedLibraries,
    wanted: &'w CompileRequest,
    paths: &'w [PathBuf],
    found: Vec<Problem>,
    /// Number of errors by file.
    errors: BTreeMap<Option<SourceId>, usize>,
}

impl<'w> Trial<'w> {
    fn new(loaded: LoadedLibraries, wanted: &'w CompileRequest, paths: &'w [PathBuf]) -> Trial<'w> {
        let found = LibraryCheck::new(&loaded, wanted.clone()).find_problems(paths);
        let found = Report::new(found).problems().to_vec();
        Trial { errors: errors_by_file(&found), loaded, wanted, paths, found }
    }

    /// The fixes of the found problems, without those that overlap an earlier one. `may` says whether a file may be changed.
    fn compatible_fixes(&self, may: impl Fn(SourceId) -> bool) -> Vec<FixEdits> {
        let mut chosen: Vec<FixEdits> = Vec::new();
        let mut taken = EditedRanges::default();
        for problem in &self.found {
            let edits = problem.fix_edits(&self.loaded.library.sources);
            if !edits.is_empty() && edits.iter().all(|edit| may(edit.span.source)) && taken.claim_ranges(&edits) {
                chosen.push(edits);
            }
        }
        chosen
    }

    /// Adds to `kept` the fixes that leave no changed file with more errors. If all of them together fail, each half is tried
    /// separately.
    fn add_sound_fixes(&self, kept: &mut Vec<FixEdits>, more: &[FixEdits]) {
        if more.is_empty() {
            return;
        }
        let all: Vec<FixEdits> = kept.iter().chain(more).cloned().collect();
        if self.is_sound(&all) {
            *kept = all;
        } else if more.len() > 1 {
            let (first, second) = more.split_at(more.len() / 2);
            self.add_sound_fixes(kept, first);
            self.add_sound_fixes(kept, second);
        }
    }

    /// Whether these edits leave no changed file with more errors.
    fn is_sound(&self, edits: &[FixEdits]) -> bool {
        let texts = self.edited_texts(edits);
        let after = Trial::new(self.loaded.with_texts(&texts), self.wanted, self.paths);
        let errors = |trial: &Trial, file: SourceId| trial.errors.get(&Some(file)).copied().unwrap_or(0);
        texts.keys().all(|file| errors(&after, *file) <= errors(self, *file))
    }

    /// The new texts of the files that these edits change.
    fn edited_texts(&self, edits: &[FixEdits]) -> BTreeMap<SourceId, String> {
        let mut by_file: BTreeMap<SourceId, Vec<&Edit>> = BTreeMap::new();
        edits.iter().flatten().for_each(|edit| by_file.entry(edit.span.source).or_default().push(edit));
        let text = |source: SourceId| self.loaded.library.sources.get(source).text.as_str();
        by_file.into_iter().map(|(source, edits)| (source, apply_edits(text(source), edits))).collect()
    }
}

/// The ranges that are already changed: their starts and ends.
#[derive(Default)]
struct EditedRanges(BTreeMap<(SourceId, u32), u32>);

impl EditedRanges {
    /// Claims the ranges of some edits. Claims none of them if one overlaps an earlier range or another of the edits.
    fn claim_ranges(&mut self, edits: &[Edit]) -> bool {
        let taken = edits.iter().take_while(|edit| self.claim_range(edit.span)).count();
        if taken < edits.len() {
            for edit in &edits[..taken] {
                self.0.remove(&(edit.span.source, edit.span.start));
            }
        }
        taken == edits.len()
    }

    /// Claims one range, unless it overlaps a claimed one or starts at the same place.
    fn claim_range(&mut self, span: Span) -> bool {
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
