//! Parses an answer into a choice. An answer is what a line says (an option by number, key or arguments); a choice is what the
//! session takes. `host`, `serve` and programs as bots use it.

use super::arguments;
use super::request::{Answer, InReplyTo, Rejection, illegal_choice};
use super::steps::{BACK, as_decision};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::{Choice, Decision, Draft, DraftProgress, Form, Misfit, MoveStep, Refusal, Session};
use serde_json::Value;

/// Finds the open decision with the number of an answer, and optionally its seat. `open` has the numbers as they were sent. A
/// seat does not learn whether others have a question.
pub fn find_open_decision(open: &[(u64, Decision)], id: u64, seat: Option<usize>) -> Result<&Decision, Rejection> {
    let found = open.iter().find(|(number, decision)| *number == id && seat.is_none_or(|seat| seat == decision.seat));
    found.map(|(_, decision)| decision).ok_or_else(|| {
        let asked = seat.map_or(String::new(), |seat| format!(" for seat {seat}"));
        Rejection::new(InReplyTo::Number(id), codes::UNKNOWN_DECISION, format!("decision {id} is not open{asked}"))
    })
}

/// The choice that an answer names.
pub fn parse_choice(session: &Session, decision: &Decision, answer: &Answer) -> Result<Choice, Rejection> {
    match (answer, decision.form) {
        (Answer::Option(index), Form::One) => in_range(decision, *index).map(Choice::Option),
        (Answer::Number(number), Form::Number { .. }) => choice_by_key(session, decision, &number.to_string()),
        (Answer::Key(key), _) => choice_by_key(session, decision, key),
        (Answer::Args { action, args }, Form::One) => arguments::choice_by_arguments(session, decision, action.as_deref(), args),
        (Answer::Options(options), form) if form != Form::One => {
            parse_options(decision, options, |key| option_by_key(session, decision, key))
        }
        (Answer::Amounts(amounts), Form::Split { .. }) => {
            let choice = decision.answers().check_answer(Choice::Amounts(amounts.clone()));
            choice.map_err(|misfit| illegal_choice(decision, misfit.reason_text()))
        }
        (_, form) => Err(wrong_form(decision, form)),
    }
}

/// The draft with an answer to its current `step`, or the whole choice. The whole move may be named at any step.
pub fn answer_step(
    session: &Session,
    decision: &Decision,
    draft: &Draft,
    step: &MoveStep,
    answer: &Answer,
) -> Result<DraftProgress, Rejection> {
    let asked = as_decision(decision, step);
    let of_step = |key: &str| step.options.iter().find(|option| option.key == key).map(|option| option.id);
    let goes_back = |answer: &Answer| match answer {
        Answer::Key(key) => key == BACK,
        Answer::Option(index) => step.form == Form::One && *index == asked.count,
        Answer::Args { action, args } => action.as_deref() == Some(BACK) && args.is_empty(),
        _ => false,
    };
    if !draft.is_empty() && goes_back(answer) {
        let mut draft = draft.clone();
        draft.undo_answer();
        return Ok(DraftProgress::Further(draft));
    }
    let taken = match (answer, step.form) {
        (Answer::Key(key), form) => match of_step(key).filter(|_| form == Form::One) {
            Some(option) => Choice::Option(option),
            None => return parse_choice(session, decision, answer).map(DraftProgress::Whole),
        },
        (Answer::Args { action, args }, form) => {
            let listed = if form == Form::One { step.options.as_slice() } else { &[] };
            match arguments::find_listed_option(decision, listed, action.as_deref(), args)? {
                Some(option) => Choice::Option(option),
                None => return parse_choice(session, decision, answer).map(DraftProgress::Whole),
            }
        }
        (Answer::Option(index), Form::One) => Choice::Option(in_range(&asked, *index)?),
        (Answer::Options(options), Form::Some { .. }) => parse_options(&asked, options, |key| {
            of_step(key).ok_or_else(|| illegal_choice(decision, format!("`{key}` is not one of the options")))
        })?,
        (_, form) => return Err(wrong_form(decision, form)),
    };
    let drafted = session.add_to_draft(decision.id, draft, taken);
    drafted.ok_or_else(|| illegal_choice(decision, "this is not an answer to this step"))
}

/// The choice with a key; if it is refused, the rejection says why.
fn choice_by_key(session: &Session, decision: &Decision, key: &str) -> Result<Choice, Rejection> {
    session.find_choice(decision.id, key).map_err(|refusal| refusal_rejection(decision, refusal))
}

/// The rejection of an answer that the session refuses.
pub fn refusal_rejection(decision: &Decision, refusal: Refusal) -> Rejection {
    let problem = Problem { help: refusal.help, ..Problem::error(refusal.code, refusal.reason) };
    Rejection { in_reply_to: InReplyTo::Number(decision.id), problem: Box::new(problem) }
}

/// The index, if the decision has an option with it.
fn in_range(decision: &Decision, index: u64) -> Result<u64, Rejection> {
    if index < decision.count {
        return Ok(index);
    }
    Err(illegal_choice(decision, format!("there is no option {index}: there are {}, numbered from 0", decision.count)))
}

/// The rejection that says which form of answer is wanted.
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
    Rejection::new(InReplyTo::Number(decision.id), codes::ANSWER_FORM, format!("this decision wants {wanted}"))
}

/// Reads several options, each by number or key, in the given order. An empty list passes, if allowed. `by_key` finds the
/// index of an option.
fn parse_options(
    decision: &Decision,
    options: &[Value],
    by_key: impl Fn(&str) -> Result<u64, Rejection>,
) -> Result<Choice, Rejection> {
    if options.is_empty() && decision.may_pass {
        return Ok(Choice::Options(Vec::new()));
    }
    let index = |option: &Value| match (option, option.as_u64()) {
        (Value::String(key), _) => by_key(key),
        (_, Some(index)) => in_range(decision, index),
        _ => Err(wrong_form(decision, decision.form)),
    };
    if !decision.form.takes_several() {
        return Err(wrong_form(decision, decision.form));
    }
    let indexes = options.iter().map(index).collect::<Result<Vec<u64>, _>>()?;
    decision.answers().choice_of_options(indexes).map_err(|misfit| match misfit {
        Misfit::Twice => illegal_choice(decision, "an option is chosen twice"),
        Misfit::Because(_) | Misfit::Other => wrong_form(decision, decision.form),
    })
}

/// Finds one of the things to choose several from.
fn option_by_key(session: &Session, decision: &Decision, key: &str) -> Result<u64, Rejection> {
    let options = session.options(decision.id, 0, decision.count);
    let found = options.iter().find(|option| option.key == key).map(|option| option.id);
    found.ok_or_else(|| illegal_choice(decision, format!("`{key}` is not one of the options")))
}
