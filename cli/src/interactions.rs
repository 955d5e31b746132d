//! Audits whether the order in which abilities act at a hook matters, over random games; for `check --interactions`. A hook is
//! a moment that the rules open, a clause the part of an ability that acts at it.
//!
//! If the rules leave the order of two clauses to owners, sheets or players, play continues from the state before the hook
//! twice: once with each of the two first. The states at the end of the hook are then compared.

mod audit;
mod pairs;
mod report;
mod stretch;

pub use audit::audit_games;
pub use pairs::Audit;
pub use report::{audit_json, audit_text};
