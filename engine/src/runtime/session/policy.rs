//! Playing by the book: policies that rules declare, and what is usual where nobody decides.

use crate::program::Program;
use crate::runtime::decision::{Choice, Decision, DecisionId, Form, Lots};
use crate::runtime::session::Session;

/// The names of the policies that a program declares, each once.
pub fn names(program: &Program) -> Vec<&str> {
    let mut names: Vec<&str> = program.policies.iter().map(|policy| policy.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// What is usual where nobody decides: to pass, `no`, nothing, the least, things as they stand, parts as even as can be; else
/// the first option.
pub fn usual(session: &Session, decision: &Decision) -> Choice {
    match decision.form {
        Form::One => {
            // Passing and `no` stand last.
            let last = decision.count.saturating_sub(1);
            let passes = session.option(decision.id, last).is_some_and(|option| matches!(option.key.as_str(), "pass" | "no"));
            Choice::Option(if passes { last } else { 0 })
        }
        _ if decision.may_pass => Choice::Options(Vec::new()),
        _ => decision.answers().first(),
    }
}

impl Session {
    /// The move that a policy prefers; none if it says nothing of this decision. Lines with a chance draw lots.
    pub fn preferred(&self, decision: DecisionId, policy: &str, lots: &mut dyn Lots) -> Option<Choice> {
        let (place, found) = self.decision(decision)?;
        if found.form != Form::One {
            return None;
        }
        let mut machine = self.ready();
        let mut question = std::mem::take(machine.scratch.questions.get_mut(place)?);
        machine.preferred(&self.game.context(), &mut question, policy, lots).map(Choice::Option)
    }
}
