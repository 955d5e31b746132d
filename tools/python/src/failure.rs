//! What goes wrong, as `ludex.Error`.

use crate::values::to_python;
use ludex_engine::problem::{Problem, Severity};
use ludex_engine::source::{Sources, Span};
use pyo3::prelude::*;
use serde_json::{Value, json};

/// Problems told without the texts that they are in, so that it can leave the engine.
#[derive(Debug)]
pub struct Failure(Vec<Value>);

impl Failure {
    /// One problem.
    pub fn of(problem: Problem, sources: &Sources) -> Failure {
        Failure::of_all(&[problem], sources)
    }

    /// Those of some problems that stop play.
    pub fn of_all(problems: &[Problem], sources: &Sources) -> Failure {
        Failure(problems.iter().filter(|problem| problem.is_error()).map(|problem| told(problem, sources)).collect())
    }
}

/// A problem as a dictionary.
pub fn told(problem: &Problem, sources: &Sources) -> Value {
    let labels: Vec<Value> =
        problem.labels.iter().map(|(span, remark)| json!({ "place": place(*span, sources), "remark": remark })).collect();
    json!({
        "code": problem.code,
        "severity": if problem.severity == Severity::Error { "error" } else { "warning" },
        "message": problem.message.to_string(),
        "place": problem.labels.first().map(|(span, _)| place(*span, sources)),
        "help": problem.help,
        "labels": labels,
    })
}

fn place(span: Span, sources: &Sources) -> Value {
    // A problem may come from where the texts are not at hand.
    if sources.iter().count() <= span.source.0 as usize {
        return Value::Null;
    }
    let (line, column) = sources.line_column(span);
    json!({ "file": sources.get(span.source).name, "line": line, "column": column })
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        Python::attach(|py| {
            let raised = || {
                let problems = to_python(py, &Value::Array(failure.0))?;
                let error = py.import("ludex.errors")?.getattr("Error")?.getattr("_of")?.call1((problems,))?;
                Ok(PyErr::from_value(error))
            };
            raised().unwrap_or_else(|error: PyErr| error)
        })
    }
}
