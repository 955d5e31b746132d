//! Scripted abilities: functions in rhai that run during play.
//!
//! rhai parses the functions, and they are compiled to the same instructions as rules. So a script can wait at any question,
//! be saved, copied and taken back, and costs as much as rules do.

pub mod api;
mod compile;
mod pieces;
mod read;
#[cfg(test)]
mod tests;
pub(crate) mod text;

pub use compile::METHODS;
pub(crate) use compile::compile;
pub use ludex_syntax::parse::pieces::{Piece, PieceKind, Pieces, rules_pieces as pieces_of_rules};
use ludex_syntax::problem::Problem;
use ludex_syntax::source::SourceId;
pub use pieces::of_script as pieces_of_script;
pub(crate) use read::ReadScripts;

/// The syntax problems of a script's functions.
pub(crate) fn script_problems(source: SourceId, script: &str) -> Vec<Problem> {
    read::ReadScript::new(source, script).problems
}
