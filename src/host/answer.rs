//! From the words of an answer to a choice.

use super::request::{Answer, InReplyTo, Rejection};
use ludex_engine::codes;
use ludex_engine::runtime::{Argument, Choice, Decision, Form, OptionView, Refusal, Session};
use serde_json::{Map, Value};

/// So many options are made at once when one is looked for.
const STRIDE: u64 = 1000;

/// The choice that an answer names.
pub fn choice(session: &Session, decision: &Decision, answer: &Answer) -> Result<Choice, Rejection> {
    match (answer, decision.form) {
        (Answer::Option(index), Form::One) => in_range(decision, *index).map(Choice::Option),
        (Answer::Number(number), Form::Number { .. }) => find(session, decision, &number.to_string()),
        (Answer::Key(key), _) => find(session, decision, key),
        (Answer::Args { action, args }, Form::One) => by_arguments(session, decision, action.as_deref(), args),
        (Answer::Options(options), Form::Some { .. } | Form::Number { .. }) => several(session, decision, options),
        (_, form) => Err(wrong_form(decision, form)),
    }
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
    };
    let reason = format!("decision {} wants {wanted}", decision.id);
    Rejection::new(InReplyTo::Number(decision.id), codes::ANSWER_FORM, reason)
}

/// Several options, each by number or key.
fn several(session: &Session, decision: &Decision, options: &[Value]) -> Result<Choice, Rejection> {
    let (min, max) = match decision.form {
        Form::Some { min, max } => (min, max),
        Form::Number { .. } if decision.may_pass && options.is_empty() => (0, 0),
        form => return Err(wrong_form(decision, form)),
    };
    let mut indexes = Vec::new();
    for option in options {
        let index = match option {
            Value::String(key) => by_key(session, decision, key)?,
            other => match other.as_u64() {
                Some(index) => in_range(decision, index)?,
                None => return Err(wrong_form(decision, decision.form)),
            },
        };
        indexes.push(index);
    }
    indexes.sort_unstable();
    indexes.dedup();
    match indexes.len() == options.len() {
        false => Err(illegal(decision, "an option is chosen twice")),
        true if (min..=max).contains(&(indexes.len() as u64)) || indexes.is_empty() && decision.may_pass => {
            Ok(Choice::Options(indexes))
        }
        true => Err(wrong_form(decision, decision.form)),
    }
}

fn by_key(session: &Session, decision: &Decision, key: &str) -> Result<u64, Rejection> {
    let found = all(session, decision).find(|option| option.key == key).map(|option| option.id);
    found.ok_or_else(|| illegal(decision, format!("`{key}` is not among what may be chosen")))
}

/// The only option whose arguments are these.
fn by_arguments(
    session: &Session,
    decision: &Decision,
    action: Option<&str>,
    args: &Map<String, Value>,
) -> Result<Choice, Rejection> {
    let fits = |option: &OptionView| action.is_none_or(|action| option.action == action) && has(option, args);
    let mut found = all(session, decision).filter(fits);
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(Choice::Option(only.id)),
        (Some(one), Some(other)) => {
            let reason = format!("these arguments fit several options, such as `{}` and `{}`", one.key, other.key);
            Err(illegal(decision, reason).help("add `action`, or choose by `key`"))
        }
        (None, _) => Err(illegal(decision, "no option has these arguments").help("choose by `option` or `key`")),
    }
}

fn all<'a>(session: &'a Session, decision: &'a Decision) -> impl Iterator<Item = OptionView> + 'a {
    let starts = (0..decision.count).step_by(STRIDE as usize);
    starts.flat_map(|start| session.options(decision.id, start, STRIDE))
}

/// Whether an option's arguments are these: each that is given, and none of the option's left out.
fn has(option: &OptionView, args: &Map<String, Value>) -> bool {
    let left_out = |name: &str, argument: &Argument| args.get(name).is_none() && *argument != Argument::Nothing;
    let known = |name: &str| option.args.iter().any(|(own, _)| own == name);
    args.keys().all(|name| known(name))
        && option
            .args
            .iter()
            .all(|(name, argument)| !left_out(name, argument) && args.get(name).is_none_or(|given| same(argument, given)))
}

/// Whether a given argument is an option's own. Pieces and sides may be given by number or as they are listed, lists in
/// any order.
fn same(argument: &Argument, given: &Value) -> bool {
    match argument {
        Argument::Piece(piece) => number_in(given, "id") == Some(piece.id as u64),
        Argument::Side { side } => number_in(given, "side") == Some(*side as u64),
        Argument::Number(number) => given.as_i64() == Some(*number),
        Argument::Word(word) => given.as_str() == Some(word),
        Argument::Nothing => given.is_null(),
        Argument::List(list) => given.as_array().is_some_and(|given| same_members(list, given)),
    }
}

fn same_members(list: &[Argument], given: &[Value]) -> bool {
    list.len() == given.len() && list.iter().all(|argument| given.iter().any(|value| same(argument, value)))
}

fn number_in(given: &Value, name: &str) -> Option<u64> {
    given.as_u64().or_else(|| given.get(name).and_then(Value::as_u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::runtime::PieceView;
    use serde_json::json;

    fn die(id: usize) -> Argument {
        Argument::Piece(PieceView { id, kind: "die".into(), title: None, sheet: None, size: Some(6), value: Some(1), of: None })
    }

    fn attack() -> OptionView {
        let args = vec![("dice".to_string(), Argument::List(vec![die(0), die(3)])), ("target".to_string(), die(6))];
        let (key, action, text) = ("attack(0+3>6)".to_string(), "attack".to_string(), String::new());
        OptionView { id: 0, key, action, args, text, ability: None }
    }

    fn fits(args: Value) -> bool {
        has(&attack(), args.as_object().unwrap())
    }

    #[test]
    fn arguments_are_numbers_or_what_was_listed() {
        assert!(fits(json!({"dice": [3, 0], "target": 6})));
        assert!(fits(json!({"dice": [{"id": 0, "size": 6}, {"id": 3}], "target": {"id": 6}})));
    }

    #[test]
    fn other_arguments_do_not_fit() {
        assert!(!fits(json!({"dice": [3], "target": 6})));
        assert!(!fits(json!({"dice": [3, 0]})));
        assert!(!fits(json!({"dice": [3, 0], "target": 6, "joker": 1})));
        assert!(!fits(json!({"dice": "all", "target": 6})));
    }
}
