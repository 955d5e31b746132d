//! Questions as Python reads them, and answers as Python gives them.

use ludex_engine::codes;
use ludex_engine::json as form;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::{Choice, Decision, Form, RandomKind, RandomRequest, Session};
use pyo3::prelude::*;
use serde_json::{Map, Value, json};

/// So many options are listed with a decision, as in the protocol of `ludex host`.
const MOST_OPTIONS: u64 = 10_000;

/// A decision with its options.
pub fn decision(session: &Session, decision: &Decision) -> Value {
    let mut told = Map::new();
    told.insert("id".into(), json!(decision.id));
    told.insert("seat".into(), json!(decision.seat));
    told.insert("prompt".into(), json!(session.prompt(decision.id)));
    if let Value::Object(fields) = json!(decision.form) {
        told.extend(fields);
    }
    told.insert("count".into(), json!(decision.count));
    told.insert("may_pass".into(), json!(decision.may_pass));
    if let Some(group) = decision.group {
        told.insert("group".into(), json!(group));
    }
    let options = match decision.form {
        Form::Number { .. } => Vec::new(),
        _ => session.options(decision.id, 0, MOST_OPTIONS),
    };
    told.insert("options".into(), Value::Array(options.iter().map(form::option_json).collect()));
    Value::Object(told)
}

/// Results of chance that are wanted.
pub fn random(request: &RandomRequest) -> Value {
    let draws = request.draws.iter().map(|draw| {
        let faces = draw.faces.as_ref().map(|faces| faces.values.clone());
        json!({ "piece": draw.piece, "size": draw.size, "faces": faces })
    });
    let kind = match request.kind {
        RandomKind::Roll => "roll",
        RandomKind::Shuffle => "shuffle",
        RandomKind::Pick => "pick",
    };
    json!({ "id": request.id, "kind": kind, "draws": draws.collect::<Vec<_>>(), "reason": request.reason })
}

/// An answer as Python gives it.
#[derive(FromPyObject)]
pub enum Answer {
    /// An option by its index, or a number.
    Number(i64),
    /// A key.
    Key(String),
    /// Several options by their indices, or amounts.
    Several(Vec<i64>),
}

impl Answer {
    /// The choice that is meant, in the form that the decision wants.
    pub fn choice(self, decision: &Decision) -> Result<Choice, Problem> {
        let index = |number: i64| u64::try_from(number).map_err(|_| negative());
        match (self, decision.form) {
            (Answer::Key(key), _) => Ok(Choice::Key(key)),
            (Answer::Number(number), Form::Number { .. }) => Ok(Choice::Number(number)),
            (Answer::Number(number), Form::One) => Ok(Choice::Option(index(number)?)),
            (Answer::Number(number), _) => Ok(Choice::Options(vec![index(number)?])),
            (Answer::Several(amounts), Form::Split { .. }) if !amounts.is_empty() => Ok(Choice::Amounts(amounts)),
            (Answer::Several(named), _) => {
                let named = named.into_iter().map(index).collect::<Result<Vec<u64>, Problem>>()?;
                let wrong = |reason: String| Problem::error(codes::ILLEGAL_CHOICE, reason);
                decision.answers().choice_of_options(named).map_err(|misfit| wrong(misfit.reason_text()))
            }
        }
    }
}

fn negative() -> Problem {
    Problem::error(codes::ILLEGAL_CHOICE, "options are numbered from 0").help("choose one of the `options` by its `id` or `key`")
}
