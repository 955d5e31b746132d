//! Abilities that are more than a plain effect: functions in rhai, which do their work in play.
//!
//! rhai reads them; what it reads is compiled to the instructions that rules are compiled to. So a script can wait at any
//! question, be saved, copied and taken back, and costs what a rule costs.

pub mod api;
mod compile;
mod read;
#[cfg(test)]
mod tests;
pub(crate) mod text;

pub use compile::METHODS;
pub(crate) use compile::compile;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::SourceId;
pub(crate) use read::ReadScripts;

/// What is wrong with how the functions of a script are written.
pub(crate) fn unreadable(source: SourceId, script: &str) -> Vec<Problem> {
    read::ReadScript::new(source, script).problems
}
