//! The problems of one run, sorted, deduplicated and counted, as text and as JSON.

use ludex_engine::problem::{Confidence, Edit, Message, Problem, Severity};
use ludex_engine::source::{Sources, Span};
use serde_json::{Value, json};

use crate::render::{Look, render_problem};
use crate::stage::Stage;

/// Maximum number of problems drawn by [`Report::to_text`]; the others are only counted. JSON has them all.
const MOST_DRAWN: usize = 100;

/// All problems found by one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    problems: Vec<Problem>,
}

impl Report {
    /// Sorts the problems and drops repetitions. Errors come before warnings, possible causes before possible consequences,
    /// and otherwise places in order, with problems without a place first.
    pub fn new(mut problems: Vec<Problem>) -> Report {
        problems.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
        problems.dedup_by(|later, earlier| sort_key(later) == sort_key(earlier));
        Report { problems }
    }

    /// The problems in report order.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Number of errors, with which a game cannot be played.
    pub fn error_count(&self) -> usize {
        self.problems.iter().filter(|problem| problem.is_error()).count()
    }

    /// Number of warnings.
    pub fn warning_count(&self) -> usize {
        self.problems.len() - self.error_count()
    }

    /// Number of warnings that are certain.
    pub fn certain_warning_count(&self) -> usize {
        let is_one = |problem: &&Problem| !problem.is_error() && problem.confidence == Confidence::Certain;
        self.problems.iter().filter(is_one).count()
    }

    /// Whether there are no errors. There may be warnings.
    pub fn is_ok(&self) -> bool {
        self.error_count() == 0
    }

    /// `2 errors and 1 warning`, or `no problems`.
    pub fn summary(&self) -> String {
        match (self.error_count(), self.warning_count()) {
            (0, 0) => "no problems".to_string(),
            (errors, 0) => count_text(errors, "error"),
            (0, warnings) => count_text(warnings, "warning"),
            (errors, warnings) => format!("{} and {}", count_text(errors, "error"), count_text(warnings, "warning")),
        }
    }

    /// All problems drawn, separated by blank lines, and the summary as the last line.
    pub fn to_text(&self, sources: &Sources, look: &Look) -> String {
        let mut text = String::new();
        for problem in self.problems.iter().take(MOST_DRAWN) {
            text.push_str(&render_problem(problem, sources, look));
            text.push('\n');
        }
        if let Some(more) = self.problems.len().checked_sub(MOST_DRAWN).filter(|more| *more > 0) {
            text.push_str(&format!("{} not shown\n", count_text(more, "more problem")));
        }
        text.push_str(&self.summary());
        text.push('\n');
        text
    }

    /// The report of a command as one JSON object.
    pub fn to_json(&self, sources: &Sources, command: &str) -> Value {
        let problems: Vec<Value> = self.problems.iter().map(|problem| problem_json(problem, sources)).collect();
        json!({
            "ludex": 1,
            "command": command,
            "errors": self.error_count(),
            "warnings": self.warning_count(),
            "problems": problems,
        })
    }
}

/// The sort key of a problem. Problems with equal keys are duplicates.
fn sort_key(problem: &Problem) -> (Severity, Stage, Option<Span>, &str, &Message) {
    let place = problem.labels.first().map(|(span, _)| *span);
    (problem.severity, Stage::for_problem(problem), place, problem.code, &problem.message)
}

/// A count with its noun, in the plural if needed.
fn count_text(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

/// A problem as JSON: its main place first, and all places under `labels`. Lines and columns count from 1, and columns in
/// characters. The end column is exclusive.
pub fn problem_json(problem: &Problem, sources: &Sources) -> Value {
    let mut object = json!({
        "code": problem.code,
        "severity": match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "confidence": problem.confidence.as_word(),
        "message": problem.message.to_string(),
    });
    let labels = problem.labels.iter().map(|(span, remark)| {
        let mut label = place_json(Some(*span), sources);
        label["text"] = json!(remark);
        label
    });
    let labels: Vec<Value> = labels.collect();
    let place = place_json(problem.labels.first().map(|(span, _)| *span), sources);
    if let (Some(object), Value::Object(place)) = (object.as_object_mut(), place) {
        object.extend(place);
    }
    object["labels"] = Value::Array(labels);
    object["help"] = json!(problem.help);
    object["edits"] = problem.fix_edits(sources).iter().map(|edit| edit_json(edit, sources)).collect();
    object
}

/// An edit as JSON. Byte offsets count from 0 in a text with `\n` line breaks only and without a byte order mark.
fn edit_json(edit: &Edit, sources: &Sources) -> Value {
    let mut object = place_json(Some(edit.span), sources);
    object["start"] = json!(edit.span.start);
    object["end"] = json!(edit.span.end);
    object["text"] = json!(edit.text);
    object
}

/// The place of a span as JSON; all of its values are null without one.
fn place_json(span: Option<Span>, sources: &Sources) -> Value {
    let Some(span) = span else {
        return json!({ "file": null, "line": null, "column": null, "end_line": null, "end_column": null });
    };
    let source = sources.get(span.source);
    let (line, column) = source.line_column(span.start as usize);
    let (end_line, end_column) = source.line_column(span.end as usize);
    json!({ "file": source.name, "line": line, "column": column, "end_line": end_line, "end_column": end_column })
}

#[cfg(test)]
mod tests;
