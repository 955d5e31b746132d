//! Decisions among very many moves: they are put step by step.

use ludex_engine::runtime::{Decision, Draft, MoveStep, Session};

/// What is answered for going back to the step before.
pub const BACK: &str = "back";

/// The step at which a decision stands, if it is one among more than `most` moves.
pub fn step(session: &Session, decision: &Decision, draft: &Draft, most: u64) -> Option<MoveStep> {
    if decision.count <= most {
        return None;
    }
    session.step(decision.id, draft)
}

/// A step as a decision among its options.
pub fn as_decision(decision: &Decision, step: &MoveStep) -> Decision {
    Decision { form: step.form, count: step.options.len() as u64, may_pass: false, ..decision.clone() }
}
