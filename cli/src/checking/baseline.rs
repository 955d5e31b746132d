//! Known problems: a file lists them, and only new ones are reported.
//!
//! A problem is identified by its file, code and message, together with its number of occurrences. Line numbers may change.
//! `check --write-baseline` writes the file, and `check --baseline` reads it: a large library can adopt new checks step by
//! step.

use crate::load;
use crate::whole_file::{Readers, replace_file, with_ending};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::source::{SourceId, Sources, Span};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Version of the file format.
const VERSION: u64 = 1;

/// File, code and message.
type Key = (String, String, String);

/// Known problems and their numbers of occurrences.
#[derive(Debug, Default)]
pub struct Baseline(BTreeMap<Key, u64>);

/// Result of applying a baseline.
pub struct BaselineResult {
    pub problems: Vec<Problem>,
    /// Number of known problems.
    pub known: usize,
    /// Number of known problems that no longer occur.
    pub gone: u64,
}

impl Baseline {
    pub fn from_problems(problems: &[Problem], sources: &Sources) -> Baseline {
        let mut counts = BTreeMap::new();
        problems.iter().for_each(|problem| *counts.entry(problem_key(problem, sources)).or_default() += 1);
        Baseline(counts)
    }

    /// Its text is added to `sources`, so that problems can point into it.
    pub fn read_baseline(path: &Path, sources: &mut Sources) -> Result<Baseline, Problem> {
        let source = load::load_source(path, sources)?;
        let text = &sources.get(source).text;
        let entries = serde_json::from_str::<Value>(text).ok().filter(|value| value["ludex-baseline"] == VERSION);
        let entries = entries.and_then(|value| value["problems"].as_array().map(|list| list.iter().map(parse_entry).collect()));
        entries.flatten().map(Baseline).ok_or_else(|| not_a_baseline(path, source))
    }

    /// Writes the baseline to a file, one problem per line, and replaces the file.
    pub fn write_baseline(&self, path: &Path) -> Result<(), Problem> {
        let line = |((file, code, message), count): (&Key, &u64)| {
            json!({ "file": file, "code": code, "message": message, "count": count }).to_string()
        };
        let lines: Vec<String> = self.0.iter().map(line).collect();
        let text = format!("{{\"ludex-baseline\":{VERSION},\"problems\":[\n{}\n]}}\n", lines.join(",\n"));
        replace_file(path, &with_ending(path, "draft"), &text, Readers::All).map_err(|error| {
            let message = format!("`{}` cannot be written: {error}", path.display());
            Problem::error(codes::FILE_NOT_WRITTEN, message).help("make room on the disk, or choose another file")
        })
    }

    /// Removes the known problems and returns the rest.
    pub fn remove_known(mut self, problems: Vec<Problem>, sources: &Sources) -> BaselineResult {
        let all = problems.len();
        let is_new = |problem: &Problem| match self.0.get_mut(&problem_key(problem, sources)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        };
        let problems: Vec<Problem> = problems.into_iter().filter(is_new).collect();
        BaselineResult { known: all - problems.len(), problems, gone: self.0.values().sum() }
    }
}

fn problem_key(problem: &Problem, sources: &Sources) -> Key {
    let file = problem.labels.first().map_or(String::new(), |(span, _)| sources.get(span.source).name.clone());
    (file, problem.code.to_string(), problem.message.to_string())
}

fn parse_entry(value: &Value) -> Option<(Key, u64)> {
    let word = |name: &str| value[name].as_str().map(str::to_string);
    Some(((word("file")?, word("code")?, word("message")?), value["count"].as_u64()?))
}

/// The problem that a file has another form.
fn not_a_baseline(path: &Path, source: SourceId) -> Problem {
    let problem = Problem::error(codes::BASELINE_FORM, format!("`{}` is not a list of known problems", path.display()));
    problem.with_label(Span::new(source, 0, 0), "not written by `check`").help("write it with `--write-baseline`")
}
