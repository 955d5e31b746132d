//! Decisions with very many moves, asked step by step. A draft holds the answers to the steps so far; a step is one part of
//! the move, with options of its own.

use ludex_engine::runtime::{Decision, Draft, MoveStep, Session};

/// The answer that goes back to the previous step.
pub const BACK: &str = "back";

/// The current step of a decision, if it has more than `most` moves.
pub fn current_step(session: &Session, decision: &Decision, draft: &Draft, most: u64) -> Option<MoveStep> {
    if decision.count <= most {
        return None;
    }
    session.next_draft_step(decision.id, draft)
}

/// A step in the form of a decision among its options, for code that handles whole decisions. Only its form, options and
/// number of options are those of the step.
pub fn as_decision(decision: &Decision, step: &MoveStep) -> Decision {
    Decision { form: step.form, count: step.options.len() as u64, may_pass: false, ..decision.clone() }
}
