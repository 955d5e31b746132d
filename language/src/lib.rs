//! The rules language: syntax trees in, programs out. It knows no game, plays none and opens no file.
//!
//! ```text
//! compose  syntax trees    → one game      compose
//! resolve  one game        → Resolved      resolve: every name means something, in every mode
//! compile  Resolved        → Program       symbols, compile, program
//! ```
//!
//! What else a program is made of stands beside it: whoever plays is a [`sheet`] each, a tree of YAML with values for the
//! [`field`]s of the rules, and a game may start at a [`position`]. Texts become trees in `ludex-syntax`, which has the
//! problems, too, that each step hands out.
//!
//! Whoever plays games from Rust uses the crate in `engine/`, which hands on what they need.

#![deny(missing_docs)]

pub mod field;
pub mod position;
pub mod program;
pub mod schema;
pub mod sheet;

// What only the packages and the engine use.
#[doc(hidden)]
pub mod boards;
#[doc(hidden)]
pub mod builtins;
#[doc(hidden)]
pub mod compile;
#[doc(hidden)]
pub mod compose;
#[doc(hidden)]
pub mod resolve;
#[doc(hidden)]
pub mod symbols;
#[doc(hidden)]
pub mod types;

mod scope;
