//! Checks that a decision has the options a scenario requires, and none that it rules out.
//!
//! Decisions and keys are explained in [`answer`](super::answer). A key is ruled out with words of the expected reason, and
//! only a key that has a meaning in the game may be, since others test nothing.

use super::answer::{choice_by_key, listed_options, remaining_copy};
use super::labels::Labels;
use super::meaning::{InPlay, MeaninglessKey, find_meaningless};
use super::{Answer, ExpectedOptions};
use ludex_engine::codes;
use ludex_engine::position::Spanned;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::{Choice, Decision, Form, OptionView, Refusal, Session};

/// Maximum number of options in a message.
const MOST_TOLD: usize = 24;

/// The first unmet expectation. First the keys that must be possible, then those that must not, and last whether there are more
/// than `only` lists.
pub fn options_problem(session: &Session, decision: &Decision, expected: &ExpectedOptions, labels: &Labels) -> Option<Problem> {
    let find = |key: &Spanned<String>| choice_by_key(session, decision, &key.value, labels);
    let all = || format!("the options are {}", offered_options_text(session, decision, labels));
    for key in expected.legal.iter().chain(expected.only.iter().flatten()) {
        if let Err(refusal) = find(key) {
            let copy = remaining_copy(session, decision, &Answer::Words(key.value.clone()), labels);
            let copy = copy.map_or(String::new(), |copy| format!("another copy is left, `{copy}`; "));
            return Some(not_offered_problem(key, &refusal).help(format!("{copy}{}", all())));
        }
    }
    for (key, reason) in &expected.not {
        if let Some(found) = find_meaningless(&InPlay { session, labels }, &key.value) {
            return Some(untested_key_problem(key, found));
        }
        match find(key) {
            Ok(_) => {
                return Some(
                    expectation_problem(format!("`{}` should not be possible, but is", key.value), key, "offered").help(all()),
                );
            }
            Err(refusal) if has_reason(&refusal, reason) => {}
            Err(refusal) => return Some(other_reason_problem(key, reason, &refusal)),
        }
    }
    let only = expected.only.as_ref()?;
    let chosen: Vec<Choice> = only.iter().filter_map(|key| find(key).ok()).collect();
    unexpected_option(session, decision, &chosen, labels).map(|more| {
        let first = only.first();
        let place = first.zip(only.last()).map(|(first, last)| first.span.extend_to(last.span));
        let problem = Problem::error(codes::SCENARIO_OPTIONS, format!("{more} should not be possible, but is"));
        place
            .into_iter()
            .fold(problem, |problem, span| problem.with_label(span, "more options than these are offered"))
            .help(all())
    })
}

fn not_offered_problem(key: &Spanned<String>, refusal: &Refusal) -> Problem {
    expectation_problem(format!("`{}` should be possible, but is not", key.value), key, &refusal.reason)
}

/// The problem that a key is never possible, so that ruling it out tests nothing.
fn untested_key_problem(key: &Spanned<String>, found: MeaninglessKey) -> Problem {
    let problem = expectation_problem(format!("`{}` is never possible, so this tests nothing", key.value), key, &found.reason);
    found.add_advice(problem)
}

fn other_reason_problem(key: &Spanned<String>, reason: &str, refusal: &Refusal) -> Problem {
    let message = format!("`{}` is not possible, but for another reason than `{reason}`", key.value);
    expectation_problem(message, key, &refusal.reason)
}

fn expectation_problem(message: String, key: &Spanned<String>, remark: &str) -> Problem {
    Problem::error(codes::SCENARIO_OPTIONS, message).with_label(key.span, remark)
}

/// Whether a refusal or its help contains the wanted words; empty words always fit.
fn has_reason(refusal: &Refusal, wanted: &str) -> bool {
    let told = format!("{} {}", refusal.reason, refusal.help.as_deref().unwrap_or_default());
    told.to_lowercase().contains(&wanted.to_lowercase())
}

/// An option beyond the expected ones, if there is one. `chosen` has the answers that `only` lists. For answers of several
/// options, only their number is compared.
fn unexpected_option(session: &Session, decision: &Decision, chosen: &[Choice], labels: &Labels) -> Option<String> {
    let shown = |key: &str| format!("`{}`", labels.scenario_key(session.program(), key));
    let are_more = || decision.answers().count_answers() > chosen.len() as u128;
    match decision.form {
        Form::One => listed_options(session, decision)
            .find(|option| !chosen.contains(&Choice::Option(option.id)))
            .map(|option| shown(&option.key)),
        Form::Some { .. } => are_more().then(|| "another selection".to_string()),
        Form::Order => are_more().then(|| "another order".to_string()),
        Form::Split { .. } => are_more().then(|| "another division".to_string()),
        Form::Number { .. } if decision.may_pass && !chosen.contains(&Choice::Options(Vec::new())) => Some("`pass`".to_string()),
        Form::Number { min, max } => (min..=max)
            .take(chosen.len() + 1)
            .find(|number| !chosen.contains(&Choice::Number(*number)))
            .map(|number| shown(&number.to_string())),
    }
}

/// The options of a decision, as a scenario would write them.
pub fn offered_options_text(session: &Session, decision: &Decision, labels: &Labels) -> String {
    match decision.form {
        Form::Number { min, max } => format!("the numbers from {min} to {max}"),
        form => {
            let key = |option: OptionView| {
                let key = labels.scenario_key(session.program(), &option.key);
                let mut pieces = option.args.iter().flat_map(|(_, argument)| argument.piece_numbers());
                // A piece's number alone says little.
                if pieces.any(|piece| !labels.has_name(piece)) { format!("{key} ({})", option.text) } else { key }
            };
            let keys: Vec<String> = listed_options(session, decision).take(MOST_TOLD).map(key).collect();
            let more = decision.count.saturating_sub(keys.len() as u64);
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            let amount = match form {
                Form::Some { min, max } => format!("{min} to {max} of "),
                Form::Order => "the orders of ".to_string(),
                Form::Split { total, step: 1 } => format!("{total} divided among "),
                Form::Split { total, step } => format!("{total} divided in steps of {step} among "),
                Form::One | Form::Number { .. } => String::new(),
            };
            format!("{amount}{}{rest}", keys.join(", "))
        }
    }
}
