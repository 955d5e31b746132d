//! Abilities that are more than a plain effect: functions in rhai, which do their work in play.
//!
//! rhai reads them; what it reads is compiled to the instructions that rules are compiled to. So a script can wait at any
//! question, be saved, copied and taken back, and costs what a rule costs.

pub mod api;
mod compile;
mod pieces;
mod read;
#[cfg(test)]
mod tests;
pub(crate) mod text;

pub use compile::METHODS;
pub(crate) use compile::compile;
pub use ludex_syntax::parse::pieces::{Piece, PieceKind, Pieces, of_rules as pieces_of_rules};
use ludex_syntax::problem::Problem;
use ludex_syntax::source::SourceId;
pub use pieces::of_script as pieces_of_script;
pub(crate) use read::ReadScripts;

/// What is wrong with how the functions of a script are written.
pub(crate) fn unreadable(source: SourceId, script: &str) -> Vec<Problem> {
    read::ReadScript::new(source, script).problems
}
