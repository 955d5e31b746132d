//! The rules language: text to syntax tree to checked program.

mod blocks;
pub mod boards;
// What the reference says of each word, and its examples, are read by tests alone.
#[cfg_attr(not(test), allow(dead_code))]
pub mod builtins;
pub mod compile;
pub mod compose;
pub mod limits;
pub mod parse;
pub mod resolve;
mod scope;
mod spelled;
pub mod symbols;
pub mod syntax;
pub mod types;
