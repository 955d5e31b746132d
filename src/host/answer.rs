//! From the words of an answer to a choice.

use super::request::{Answer, InReplyTo, Rejection};
use crate::game::steps::{BACK, as_decision};
use ludex_engine::codes;
use ludex_engine::program::Program;
use ludex_engine::runtime::arrange::wrong_amounts;
use ludex_engine::runtime::{Choice, Decision, Draft, Drafted, Form, MoveStep, Refusal, Session};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The open decision that is answered by its number, and perhaps with the seat that it is put to.
pub fn asked(open: &[Decision], id: u64, seat: Option<usize>) -> Result<&Decision, Rejection> {
    let Some(decision) = open.iter().find(|decision| decision.id == id) else {
        return Err(Rejection::new(InReplyTo::Number(id), codes::UNKNOWN_DECISION, format!("decision {id} is not open")));
    };
    if seat.is_some_and(|seat| seat != decision.seat) {
        let reason = format!("decision {id} is put to seat {}", decision.seat);
        return Err(Rejection::new(InReplyTo::Number(id), codes::WRONG_SEAT, reason));
    }
    Ok(decision)
}

/// The choice that an answer names.
pub fn choice(session: &Session, decision: &Decision, answer: &Answer) -> Result<Choice, Rejection> {
    match (answer, decision.form) {
        (Answer::Option(index), Form::One) => in_range(decision, *index).map(Choice::Option),
        (Answer::Number(number), Form::Number { .. }) => find(session, decision, &number.to_string()),
        (Answer::Key(key), _) => find(session, decision, key),
        (Answer::Args { action, args }, Form::One) => by_arguments(session, decision, action.as_deref(), args),
        (Answer::Options(options), Form::Some { .. } | Form::Number { .. } | Form::Order | Form::Split { .. }) => {
            several(decision, options, |key| by_key(session, decision, key))
        }
        (Answer::Amounts(amounts), Form::Split { total, step }) => match wrong_amounts(amounts, decision.count, total, step) {
            Some(reason) => Err(illegal(decision, reason)),
            None => Ok(Choice::Amounts(amounts.clone())),
        },
        (_, form) => Err(wrong_form(decision, form)),
    }
}

/// What an answer makes of a move that is put together in steps: the whole move may be named at any of them.
pub fn drafted(
    session: &Session,
    decision: &Decision,
    draft: &Draft,
    step: &MoveStep,
    answer: &Answer,
) -> Result<Drafted, Rejection> {
    let asked = as_decision(decision, step);
    let of_step = |key: &str| step.options.iter().find(|option| option.key == key).map(|option| option.id);
    let goes_back = |answer: &Answer| match answer {
        Answer::Key(key) => key == BACK,
        Answer::Option(index) => step.form == Form::One && *index == asked.count,
        _ => false,
    };
    if !draft.is_empty() && goes_back(answer) {
        let mut draft = draft.clone();
        draft.back();
        return Ok(Drafted::Further(draft));
    }
    let taken = match (answer, step.form) {
        (Answer::Key(key), form) => match of_step(key).filter(|_| form == Form::One) {
            Some(option) => Choice::Option(option),
            None => return choice(session, decision, answer).map(Drafted::Whole),
        },
        (Answer::Args { .. }, _) => return choice(session, decision, answer).map(Drafted::Whole),
        (Answer::Option(index), Form::One) => Choice::Option(in_range(&asked, *index)?),
        (Answer::Options(options), Form::Some { .. }) => several(&asked, options, |key| {
            of_step(key).ok_or_else(|| illegal(decision, format!("`{key}` is not among what may be chosen")))
        })?,
        (_, form) => return Err(wrong_form(decision, form)),
    };
    let drafted = session.drafted(decision.id, draft, taken);
    drafted.ok_or_else(|| illegal(decision, "this step cannot be answered so"))
}

fn find(session: &Session, decision: &Decision, key: &str) -> Result<Choice, Rejection> {
    session.find(decision.id, key).map_err(|refusal| refused(decision, refusal))
}

pub fn refused(decision: &Decision, refusal: Refusal) -> Rejection {
    let help = refusal.help;
    Rejection { help, ..Rejection::new(InReplyTo::Number(decision.id), refusal.code, refusal.reason) }
}

fn in_range(decision: &Decision, index: u64) -> Result<u64, Rejection> {
    if index < decision.count {
        return Ok(index);
    }
    Err(illegal(decision, format!("there is no option {index}: there are {}, numbered from 0", decision.count)))
}

fn illegal(decision: &Decision, reason: impl Into<String>) -> Rejection {
    Rejection::new(InReplyTo::Number(decision.id), codes::ILLEGAL_CHOICE, reason)
}

fn wrong_form(decision: &Decision, form: Form) -> Rejection {
    let wanted = match form {
        Form::One => "one option, by `option`, `key` or `args`".to_string(),
        Form::Some { min, max } => format!("{min} to {max} options, by `options` or `key`"),
        Form::Number { min, max } => format!("a `number` from {min} to {max}"),
        Form::Order => format!("all {} options in the order wanted, by `options` or `key`", decision.count),
        Form::Split { total, step } => {
            let each = if step == 1 { String::new() } else { format!("multiples of {step}, ") };
            format!("`amounts`, one for each of {} options: {each}{total} together", decision.count)
        }
    };
    let reason = format!("decision {} wants {wanted}", decision.id);
    Rejection::new(InReplyTo::Number(decision.id), codes::ANSWER_FORM, reason)
}

/// Several options, each by number or key; none of them passes, where that may be.
fn several(decision: &Decision, options: &[Value], by_key: impl Fn(&str) -> Result<u64, Rejection>) -> Result<Choice, Rejection> {
    if options.is_empty() && decision.may_pass {
        return Ok(Choice::Options(Vec::new()));
    }
    let (min, max) = match decision.form {
        Form::Some { min, max } => (min, max),
        Form::Order => (decision.count, decision.count),
        form => return Err(wrong_form(decision, form)),
    };
    let mut indexes = Vec::new();
    for option in options {
        let index = match option {
            Value::String(key) => by_key(key)?,
            other => match other.as_u64() {
                Some(index) => in_range(decision, index)?,
                None => return Err(wrong_form(decision, decision.form)),
            },
        };
        indexes.push(index);
    }
    let different: BTreeSet<u64> = indexes.iter().copied().collect();
    if different.len() < indexes.len() {
        return Err(illegal(decision, "an option is chosen twice"));
    }
    if !(min..=max).contains(&(indexes.len() as u64)) {
        return Err(wrong_form(decision, decision.form));
    }
    // Only an order is told by how they stand.
    Ok(Choice::Options(if decision.form == Form::Order { indexes } else { different.into_iter().collect() }))
}

/// One of the things of which several are chosen.
fn by_key(session: &Session, decision: &Decision, key: &str) -> Result<u64, Rejection> {
    let options = session.options(decision.id, 0, decision.count);
    let found = options.iter().find(|option| option.key == key).map(|option| option.id);
    found.ok_or_else(|| illegal(decision, format!("`{key}` is not among what may be chosen")))
}

/// The only option whose arguments are these.
fn by_arguments(
    session: &Session,
    decision: &Decision,
    action: Option<&str>,
    args: &Map<String, Value>,
) -> Result<Choice, Rejection> {
    let keys = keys(session.program(), action, args);
    let fitting: Vec<(&String, Choice)> =
        keys.iter().filter_map(|key| Some((key, session.find(decision.id, key).ok()?))).collect();
    match fitting.as_slice() {
        [(_, only)] => Ok(only.clone()),
        [(one, _), (other, _), ..] => {
            let reason = format!("these arguments fit several options, such as `{one}` and `{other}`");
            Err(illegal(decision, reason).help("add `action`, or choose by `key`"))
        }
        [] => Err(illegal(decision, "no option has these arguments").help("choose by `option` or `key`")),
    }
}

/// The keys that arguments may mean: of every action with such roles, and of things to choose from.
fn keys(program: &Program, action: Option<&str>, args: &Map<String, Value>) -> BTreeSet<String> {
    let roles =
        program.actions.iter().map(|info| (info.name.as_str(), info.roles.iter().map(|role| role.name.as_str()).collect()));
    let kinds = roles.chain([("choose", vec!["item"])]).filter(|(name, _)| action.is_none_or(|action| action == *name));
    kinds.filter_map(|(name, roles)| key(name, &roles, args)).collect()
}

/// The key of a move with these roles; none if an argument is of no role, or is no argument.
fn key(name: &str, roles: &[&str], args: &Map<String, Value>) -> Option<String> {
    if args.keys().any(|name| !roles.contains(&name.as_str())) {
        return None;
    }
    let words = roles.iter().map(|role| words(args.get(*role).unwrap_or(&Value::Null))).collect::<Option<Vec<String>>>()?;
    Some(if words.is_empty() { name.to_string() } else { format!("{name}({})", words.join(">")) })
}

/// An argument as it stands in a key. Pieces and sides are given by number or as they are listed, lists in any order.
fn words(argument: &Value) -> Option<String> {
    match argument {
        Value::Null => Some("none".to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(word) => Some(word.replace(' ', "_")),
        Value::Object(thing) => thing.get("id").or(thing.get("side")).and_then(Value::as_u64).map(|number| number.to_string()),
        Value::Array(list) => {
            let mut words = list.iter().map(words).collect::<Option<Vec<String>>>()?;
            words.sort_by_key(|word| word.parse::<u64>().unwrap_or(u64::MAX));
            Some(words.join("+"))
        }
        Value::Bool(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn attack(args: Value) -> Option<String> {
        key("attack", &["dice", "target"], args.as_object()?)
    }

    #[test]
    fn arguments_are_numbers_or_what_was_listed() {
        assert_eq!(attack(json!({"dice": [3, 0], "target": 6})).as_deref(), Some("attack(0+3>6)"));
        let listed = json!({"dice": [{"id": 0, "size": 6}, {"id": 3}], "target": {"id": 6}});
        assert_eq!(attack(listed).as_deref(), Some("attack(0+3>6)"));
        assert_eq!(attack(json!({"dice": [10, 9], "target": {"side": 1}})).as_deref(), Some("attack(9+10>1)"));
        assert_eq!(
            attack(json!({"dice": ["heron", "otter#2"], "target": "far away"})).as_deref(),
            Some("attack(heron+otter#2>far_away)")
        );
    }

    #[test]
    fn what_is_left_out_is_nothing() {
        assert_eq!(attack(json!({"dice": [3]})).as_deref(), Some("attack(3>none)"));
        assert_eq!(key("wave", &[], &Map::new()).as_deref(), Some("wave"));
    }

    #[test]
    fn other_arguments_do_not_fit() {
        assert_eq!(attack(json!({"dice": [3, 0], "target": 6, "joker": 1})), None);
        assert_eq!(attack(json!({"dice": true, "target": 6})), None);
    }
}
