//! The rules language: texts in, programs out. It knows no game, plays none and opens no file.
//!
//! ```text
//! parse    text            → syntax tree   parse, syntax
//! compose  syntax trees    → one game      compose
//! resolve  one game        → Resolved      resolve: every name means something, in every mode
//! compile  Resolved        → Program       symbols, compile, program
//! ```
//!
//! What else a program is made of stands beside it: whoever plays is a [`sheet`] each, a tree of [`yaml`] with values for the
//! [`field`]s of the rules, and a game may start at a [`position`]. [`problem`]s point into [`source`]s and have [`codes`].
//!
//! Whoever plays games from Rust uses the crate in `engine/`, which hands on what they need.

#![deny(missing_docs)]

pub mod codes;
pub mod field;
pub mod position;
pub mod problem;
pub mod program;
pub mod schema;
pub mod sheet;
pub mod source;
pub mod visible;
pub mod yaml;

// What only the engine uses.
#[doc(hidden)]
pub mod boards;
#[doc(hidden)]
pub mod builtins;
#[doc(hidden)]
pub mod compile;
#[doc(hidden)]
pub mod compose;
#[doc(hidden)]
pub mod limits;
#[doc(hidden)]
pub mod parse;
#[doc(hidden)]
pub mod resolve;
#[doc(hidden)]
pub mod symbols;
#[doc(hidden)]
pub mod syntax;
#[doc(hidden)]
pub mod types;

mod blocks;
mod scope;
mod spelled;
