//! `turn(active: 0)`: the entry at which play starts, and what it starts with.

use super::{Entry, Spanned};
use crate::codes;
use crate::problem::{Problem, joined};
use crate::program::{ProcedureInfo, Program, SIDE, Shape};
use crate::source::Span;
use crate::yaml::Node;

/// Reads the text of `at`.
pub(super) fn read(node: &Node, program: &Program, sides: usize, problems: &mut Vec<Problem>) -> Option<Entry> {
    let text = node.as_text(problems, "`at`")?;
    let (name, arguments) = match text.trim().split_once('(') {
        None => (text.trim(), ""),
        Some((name, rest)) => match rest.trim_end().strip_suffix(')') {
            Some(arguments) => (name.trim(), arguments),
            None => {
                let problem = Problem::error(codes::POSITION_ENTRY, format!("`{text}` has no closing bracket"));
                problems.push(problem.at(node.span, "ends without `)`"));
                return None;
            }
        },
    };
    let Some(procedure) = program.procedures.iter().find(|procedure| procedure.entry && procedure.name == name) else {
        problems.push(unknown_entry(name, node.span, program));
        return None;
    };
    let arguments = read_arguments(arguments, procedure, node.span, sides, problems)?;
    Some(Entry { procedure: Spanned { value: name.to_string(), span: node.span }, arguments })
}

/// An entry as a position names it: `turn(active: 0)`.
pub fn example(procedure: &ProcedureInfo) -> String {
    let arguments: Vec<String> = procedure.params.iter().map(|(name, _)| format!("{name}: 0")).collect();
    match arguments.is_empty() {
        true => procedure.name.clone(),
        false => format!("{}({})", procedure.name, arguments.join(", ")),
    }
}

fn unknown_entry(name: &str, span: Span, program: &Program) -> Problem {
    let entries: Vec<&ProcedureInfo> = program.procedures.iter().filter(|procedure| procedure.entry).collect();
    let problem = match program.procedure(name) {
        Some(_) => {
            Problem::error(codes::POSITION_ENTRY, format!("play cannot start at `{name}`")).at(span, "is no `entry` of the rules")
        }
        None => Problem::error(codes::POSITION_ENTRY, format!("there is no entry `{name}`")).at(span, "not known"),
    };
    let problem = problem.suggest(name, entries.iter().map(|entry| entry.name.as_str()));
    if problem.help.is_some() {
        return problem;
    }
    let examples: Vec<String> = entries.iter().map(|entry| format!("`{}`", example(entry))).collect();
    match examples.is_empty() {
        true => problem.help("the rules have no `entry`: leave `at` out, and play starts from the beginning"),
        false => problem.help(format!("play can start at {}", joined(&examples, "or"))),
    }
}

fn read_arguments(
    text: &str,
    procedure: &ProcedureInfo,
    span: Span,
    sides: usize,
    problems: &mut Vec<Problem>,
) -> Option<Vec<(String, i64)>> {
    let wrong = |message: String, remark: &str| {
        Problem::error(codes::POSITION_ENTRY, message).at(span, remark).help(format!("write it as `{}`", example(procedure)))
    };
    let mut found: Vec<(String, i64)> = Vec::new();
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    for (index, part) in parts.enumerate() {
        // A value alone stands for the parameter in its place.
        let (name, value) = match part.split_once(':') {
            Some((name, value)) => (name.trim(), value.trim()),
            None => (procedure.params.get(index).map_or("", |(name, _)| name.as_str()), part),
        };
        let Some((_, shape)) = procedure.params.iter().find(|(known, _)| known == name) else {
            problems.push(wrong(format!("`{}` takes no `{part}`", procedure.name), "one value too many, or a wrong name"));
            return None;
        };
        if found.iter().any(|(known, _)| known == name) {
            problems.push(wrong(format!("`{name}` is given twice"), "given twice"));
            return None;
        }
        let Ok(number) = value.parse::<i64>() else {
            problems.push(wrong(format!("`{value}` is no number"), "sides are given by their numbers, from 0"));
            return None;
        };
        if *shape == Shape::Entity(SIDE) && !usize::try_from(number).is_ok_and(|side| side < sides) {
            problems.push(wrong(format!("there is no side {number}"), "sides count from 0"));
            return None;
        }
        if i32::try_from(number).is_err() {
            problems.push(wrong(format!("`{number}` is too large"), "too large"));
            return None;
        }
        found.push((name.to_string(), number));
    }
    let missing: Vec<String> = procedure
        .params
        .iter()
        .filter(|(name, _)| !found.iter().any(|(known, _)| known == name))
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    if !missing.is_empty() {
        problems.push(wrong(format!("`{}` needs {}", procedure.name, joined(&missing, "and")), "not given here"));
        return None;
    }
    // In the order of the parameters, whatever the order of writing.
    found.sort_by_key(|(name, _)| procedure.params.iter().position(|(known, _)| known == name));
    Some(found)
}
