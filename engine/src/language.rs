//! The rules language: text to syntax tree to checked program.

pub mod compile;
pub mod parse;
pub mod syntax;
