//! Reports in machine-readable forms: one line per problem, GitHub workflow commands, and SARIF.

use crate::register::find_code;
use crate::render::code_text;
use crate::report::Report;
use ludex_engine::problem::{Edit, Problem, Severity};
use ludex_engine::source::{SourceId, Sources, Span};
use ludex_engine::visible;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The JSON Schema of the SARIF format.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

impl Report {
    /// One line per problem, `file:line:column: severity CODE message`, without anything else. If the problem may be
    /// intended, `(probable)` follows the code.
    pub fn to_lines(&self, sources: &Sources) -> String {
        self.problems().iter().map(|problem| visible::clean_line(&problem_line(problem, sources)).into_owned() + "\n").collect()
    }

    /// One workflow command per problem, which GitHub shows next to the line: `::error
    /// file=…,line=…,col=…,title=CODE::message`.
    pub fn to_github(&self, sources: &Sources) -> String {
        self.problems().iter().map(|problem| visible::clean_line(&github_command(problem, sources)).into_owned() + "\n").collect()
    }

    /// A log of one run in SARIF 2.1.0.
    pub fn to_sarif(&self, sources: &Sources) -> Value {
        let codes: BTreeSet<&str> = self.problems().iter().map(|problem| problem.code).collect();
        let rules: Vec<Value> = codes.iter().map(|code| sarif_rule(code)).collect();
        let index = |code: &str| codes.iter().position(|known| *known == code);
        let results: Vec<Value> =
            self.problems().iter().map(|problem| sarif_result(problem, index(problem.code), sources)).collect();
        let driver = json!({ "name": "ludex", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
        // Columns count characters.
        let run = json!({ "tool": { "driver": driver }, "columnKind": "unicodeCodePoints", "results": results });
        json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] })
    }
}

/// The word for its severity.
fn severity_word(problem: &Problem) -> &'static str {
    match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// One problem on a line, as [`Report::to_lines`] describes.
fn problem_line(problem: &Problem, sources: &Sources) -> String {
    let place = problem.labels.first().map_or(String::new(), |(span, _)| {
        let (line, column) = sources.line_column(*span);
        format!("{}:{line}:{column}: ", sources.get(span.source).name)
    });
    format!("{place}{} {} {}", severity_word(problem), code_text(problem), problem.message)
}

/// One problem as a workflow command of GitHub.
fn github_command(problem: &Problem, sources: &Sources) -> String {
    let place = problem.labels.first().map_or(String::new(), |(span, _)| {
        let source = sources.get(span.source);
        let (line, column) = source.line_column(span.start as usize);
        let (end_line, end_column) = source.line_column(span.end as usize);
        let end = if line == end_line { format!(",endColumn={end_column}") } else { String::new() };
        format!("file={},line={line},endLine={end_line},col={column}{end},", escape_property(&source.name))
    });
    let help = problem.help.as_ref().map_or(String::new(), |help| format!("\n{help}"));
    format!(
        "::{} {place}title={}::{}",
        severity_word(problem),
        code_text(problem),
        escape_data(&format!("{}{help}", problem.message))
    )
}

/// Escapes the data after the two colons.
fn escape_data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property between the colons.
fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}

/// The explanation of a code as a SARIF rule.
fn sarif_rule(code: &str) -> Value {
    let Some(known) = find_code(code) else { return json!({ "id": code }) };
    json!({ "id": code, "shortDescription": { "text": known.title }, "fullDescription": { "text": known.explanation } })
}

/// A problem as a SARIF result; `rule` is the index of its code among the rules of the run.
fn sarif_result(problem: &Problem, rule: Option<usize>, sources: &Sources) -> Value {
    let help = problem.help.as_ref().map_or(String::new(), |help| format!(". {help}"));
    let mut result = json!({
        "ruleId": problem.code,
        "level": severity_word(problem),
        "message": { "text": format!("{}{help}", problem.message) },
        "properties": { "confidence": problem.confidence.as_word() },
        "locations": problem.labels.iter().take(1).map(|(span, remark)| sarif_location(*span, remark, sources)).collect::<Vec<_>>(),
    });
    if let Some(rule) = rule {
        result["ruleIndex"] = json!(rule);
    }
    if problem.labels.len() > 1 {
        let more = problem.labels.iter().skip(1).map(|(span, remark)| sarif_location(*span, remark, sources));
        result["relatedLocations"] = more.collect();
    }
    let edits = problem.fix_edits(sources);
    if !edits.is_empty() {
        result["fixes"] = json!([sarif_fix(&edits, problem.help.as_deref(), sources)]);
    }
    result
}

/// The fix of a problem, file by file.
fn sarif_fix(edits: &[Edit], help: Option<&str>, sources: &Sources) -> Value {
    let mut changes: BTreeMap<SourceId, Vec<Value>> = BTreeMap::new();
    for edit in edits {
        let place = json!({ "deletedRegion": sarif_region(edit.span, sources), "insertedContent": { "text": edit.text } });
        changes.entry(edit.span.source).or_default().push(place);
    }
    let change = |(source, places): (SourceId, Vec<Value>)| {
        let uri = percent_encode(&sources.get(source).name);
        json!({ "artifactLocation": { "uri": uri }, "replacements": places })
    };
    let changes: Vec<Value> = changes.into_iter().map(change).collect();
    json!({ "description": { "text": help.unwrap_or("write this instead") }, "artifactChanges": changes })
}

/// A place as a SARIF location, with its remark.
fn sarif_location(span: Span, remark: &str, sources: &Sources) -> Value {
    let uri = percent_encode(&sources.get(span.source).name);
    let mut location = json!({
        "physicalLocation": { "artifactLocation": { "uri": uri }, "region": sarif_region(span, sources) },
    });
    if !remark.is_empty() {
        location["message"] = json!({ "text": remark });
    }
    location
}

/// A span as a SARIF region: lines and columns from 1.
fn sarif_region(span: Span, sources: &Sources) -> Value {
    let source = sources.get(span.source);
    let (line, column) = source.line_column(span.start as usize);
    let (end_line, end_column) = source.line_column(span.end as usize);
    json!({ "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column })
}

/// Percent-encodes a path for a URI.
fn percent_encode(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests;
