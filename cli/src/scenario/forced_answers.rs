//! Answers given without asking. A question with only one possible answer is not a step. If an author writes a step for it, the
//! message must mention the answer.

use super::events::{MatchableEvent, is_answer};
use super::labels::Labels;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::policy::default_answer;
use ludex_engine::runtime::{Pending, Session};

/// Maximum number of answers in a message; the last ones are kept.
const MOST_TOLD: usize = 8;

/// The answers among some events, none of which comes from a step. Each is a key, followed by its side.
pub fn list_automatic_answers<'e>(
    events: impl Iterator<Item = &'e MatchableEvent>,
    program: &Program,
    labels: &Labels,
) -> Vec<String> {
    let answers = events.filter(|event| is_answer(&event.kind)).map(|event| event.pattern_text(program, labels));
    answers
        .map(|shown| shown.strip_prefix("chose(").and_then(|key| key.strip_suffix(')')).unwrap_or(&shown).to_string())
        .collect()
}

/// The answers that a session gives by itself from its current state up to a fault. The session stops at every question, even
/// those with a single answer. Each of these is answered until there is a choice or the fault happens.
pub fn answers_before_fault(mut session: Session, labels: &Labels) -> Vec<String> {
    let mut answers = Vec::new();
    loop {
        let Pending::Decisions(open) = session.pending() else { return answers };
        let Some(decision) = open.iter().find(|decision| decision.answers().count_answers() == 1) else { return answers };
        let (id, seat, choice) = (decision.id, decision.seat, default_answer(&session, decision));
        let key = session.choice_key(id, &choice);
        answers.extend(key.map(|key| format!("{} by {seat}", labels.scenario_key(session.program(), &key))));
        if session.choose_and_stop(id, choice).is_err() {
            return answers;
        }
    }
}

/// Adds the automatic answers before a problem to its help.
pub fn add_automatic_answers(mut problem: Problem, answers: &[String]) -> Problem {
    let told = answers.get(answers.len().saturating_sub(MOST_TOLD)..).unwrap_or_default();
    if !told.is_empty() {
        let answered = format!("this was answered without asking: {}", told.join(", "));
        problem.help = Some(problem.help.map_or(answered.clone(), |help| format!("{answered}; {help}")));
    }
    problem
}
