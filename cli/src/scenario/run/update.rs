//! Updates the expectations of a scenario so that it passes. The answers stay the same, and their current results are taken as
//! correct.
//!
//! `test --update` writes these edits into the file, and `record` does so for a scenario that it has continued.

use super::{Program, Scenario, ScenarioRun, Step, StepKind, is_answer, is_scope_event};
use crate::scenario::events::MatchableEvent;
use crate::scenario::pattern::Pattern;
use ludex_engine::position::Spanned;
use ludex_engine::problem::{Edit, Problem};
use ludex_engine::source::Span;
use ludex_engine::yaml::OutputValue;
use std::sync::Arc;

/// Maximum number of events to expect if none of the expected ones happens any more.
const MOST_EXPECTED: usize = 4;

/// The edits after which a scenario should pass; `None` if more than its expectations must change. The caller verifies the
/// result.
pub fn expectation_edits(program: &Arc<Program>, scenario: &Scenario) -> Option<Vec<Edit>> {
    let mut run = ScenarioRun::start_run(program, scenario).ok()?;
    let mut edits = Vec::new();
    for (place, step) in scenario.steps.iter().enumerate() {
        let next = run.next;
        if run.run_step(step, scenario.steps.get(place + 1..).unwrap_or(&[])).is_err() {
            edits.extend(run.amend_step(step, next)?);
        }
    }
    let ending = scenario.ending.iter().flat_map(|ending| ending.update_edits(&run.session, &run.labels));
    edits.extend(ending);
    edits.extend(run.unused_results_edit());
    Some(edits)
}

/// The same for a scenario whose steps pass: the edits of its final expectations.
pub fn ending_edits(program: &Arc<Program>, scenario: &Scenario) -> Result<Vec<Edit>, Vec<Problem>> {
    let mut run = ScenarioRun::start_run(program, scenario)?;
    run.run_steps().map_err(|problem| vec![problem])?;
    let ending = scenario.ending.iter().flat_map(|ending| ending.update_edits(&run.session, &run.labels));
    Ok(ending.chain(run.unused_results_edit()).collect())
}

impl ScenarioRun<'_> {
    /// The edits of a step that failed; `None` if it is no expectation of events or the table. `next` is [`ScenarioRun::next`]
    /// from before the step.
    fn amend_step(&mut self, step: &Step, next: usize) -> Option<Vec<Edit>> {
        match &step.kind {
            StepKind::Events { patterns, exactly: false } => {
                self.next = next;
                let patterns = self.updated_patterns(patterns);
                Some(vec![expectation_edit(step.span, "expect", patterns)])
            }
            StepKind::Events { patterns, exactly: true } => {
                let expected = |test: fn(&str) -> bool| patterns.iter().any(|pattern| test(&pattern.value.kind));
                let (frames, answers) = (expected(is_scope_event), expected(is_answer));
                let counts =
                    |event: &&MatchableEvent| (frames || !is_scope_event(&event.kind)) && (answers || !is_answer(&event.kind));
                let events = self.events.iter().skip(next).filter(counts);
                let shown = events.filter_map(|event| self.pattern_for(event)).collect();
                self.next = self.events.len();
                Some(vec![expectation_edit(step.span, "exactly", shown)])
            }
            StepKind::Check(ending) => Some(ending.update_edits(&self.session, &self.labels)),
            StepKind::Answer { .. } | StepKind::Options { .. } | StepKind::Tell(_) => None,
        }
    }

    /// The patterns that still match. Others are replaced by current events of the same kind.
    fn updated_patterns(&mut self, patterns: &[Spanned<Pattern>]) -> Vec<String> {
        let mut kept = Vec::new();
        for pattern in patterns {
            let ahead = || self.events.iter().enumerate().skip(self.next);
            let same = ahead().find(|(_, event)| pattern.value.matches_event(event, &self.labels));
            let alike = || ahead().find(|(_, event)| event.kind == pattern.value.kind);
            let found = same.map(|(place, _)| (place, Some(pattern.value.to_string())));
            let found = found.or_else(|| alike().map(|(place, event)| (place, self.pattern_for(event))));
            if let Some((place, text)) = found {
                kept.extend(text);
                self.next = place + 1;
            }
        }
        if kept.is_empty() {
            let counts = |event: &&MatchableEvent| !is_scope_event(&event.kind) && !is_answer(&event.kind);
            let events = self.events.iter().skip(self.next).filter(counts);
            kept = events.filter_map(|event| self.pattern_for(event)).take(MOST_EXPECTED).collect();
        }
        kept
    }

    /// The pattern that matches an event, if it can be written.
    fn pattern_for(&self, event: &MatchableEvent) -> Option<String> {
        Pattern::text_for_event(event, self.session.program(), &self.labels)
    }

    /// Removes results of chance that are no longer needed.
    fn unused_results_edit(&self) -> Option<Edit> {
        let used = self.scenario.random.len() - self.session.unused_results().len().min(self.scenario.random.len());
        let (first, last) = (self.scenario.random.get(used)?, self.scenario.random.last()?);
        let start = match used.checked_sub(1).and_then(|before| self.scenario.random.get(before)) {
            Some(before) => before.span.end,
            None => first.span.start,
        };
        Some(Edit { span: Span { start, ..last.span }, text: String::new() })
    }
}

/// A step with other patterns. An empty list expects that nothing happens.
fn expectation_edit(span: Span, word: &str, patterns: Vec<String>) -> Edit {
    let word = if patterns.is_empty() { "exactly" } else { word };
    let list = OutputValue::List(patterns.iter().map(|pattern| OutputValue::from_text(pattern)).collect());
    Edit { span, text: format!("{word}: {}", list.inline_text()) }
}
