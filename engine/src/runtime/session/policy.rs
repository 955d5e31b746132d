//! Automatic play: policies declared by rules, and default answers.
//!
//! A *policy* is a way to choose moves of a family, written in the rules. Bots play by it, and the odds of best play compare with
//! it. The default answer serves where a policy does not apply, and where a scenario leaves an answer out.

use crate::runtime::decision::{Choice, Decision, DecisionId, Form, Lots};
use crate::runtime::session::Session;
use ludex_program::Program;
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, nearest_word};

/// The names of a program's policies, each once.
pub fn sorted_policy_names(program: &Program) -> Vec<&str> {
    let mut names: Vec<&str> = program.policies.iter().map(|policy| policy.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Refuses a name that no policy of a program has. `before` is the text before the name where it is typed.
pub fn check_policy(program: &Program, name: &str, before: &str) -> Result<(), Problem> {
    let names = sorted_policy_names(program);
    if names.contains(&name) {
        return Ok(());
    }
    if names.is_empty() {
        let problem = Problem::error(codes::UNKNOWN_NAME, format!("the rules of `{}` declare no policy", program.game));
        return Err(problem.help("declare one: `policy NAME for FAMILY { prefer highest … }`"));
    }
    let help = match nearest_word(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{before}{near}`?"),
        None => format!("its policies are {}", names.join(", ")),
    };
    Err(Problem::error(codes::UNKNOWN_NAME, format!("`{}` has no policy `{name}`", program.game)).with_subject(name).help(help))
}

/// The default answer: to pass, `no`, nothing, the least number, the current order or the most even division; else the first
/// option.
pub fn default_answer(session: &Session, decision: &Decision) -> Choice {
    declining_answer(session, decision).unwrap_or_else(|| decision.answers().first_answer())
}

/// The answer that declines: `pass`, `no` or nothing. `None` if something must be chosen.
pub fn declining_answer(session: &Session, decision: &Decision) -> Option<Choice> {
    if decision.form != Form::One {
        return decision.may_pass.then(|| Choice::Options(Vec::new()));
    }
    // Passing and `no` come last.
    let last = decision.count.checked_sub(1)?;
    let option = session.option(decision.id, last)?;
    matches!(option.key.as_str(), "pass" | "no").then_some(Choice::Option(last))
}

impl Session {
    /// The move that a policy prefers; `None` if it does not apply to this decision. Lines with a chance draw lots.
    pub fn preferred_move(&self, decision: DecisionId, policy: &str, lots: &mut dyn Lots) -> Option<Choice> {
        let (place, found) = self.find_decision(decision)?;
        if found.form != Form::One {
            return None;
        }
        let mut machine = self.ready_machine();
        let mut question = std::mem::take(machine.scratch.questions.get_mut(place)?);
        machine.preferred_move(&self.game.play_context(), &mut question, policy, lots).map(Choice::Option)
    }
}
