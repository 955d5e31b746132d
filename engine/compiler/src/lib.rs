//! The compiler: the texts of a library in, programs out. It knows no game, plays none and opens no file.
//!
//! ```text
//! gather   texts           → library       library: which file belongs to which game
//! compose  syntax trees    → one game      compose
//! resolve  one game        → Resolved      resolve: every name means something, in every mode
//! compile  Resolved        → Program       symbols, compile, scripting; `ludex-program` says what it is
//! ```
//!
//! A [`library`] tells which file belongs to which game: its rules, its sheets and its abilities, whose headers are part of
//! the rules and whose functions are read by [`scripting`]. What else a program is made of stands beside it: whoever plays is
//! a [`sheet`] each, a tree of YAML with values for the [`field`]s of the rules, and a game may start at a [`position`].
//! [`formatting`] lays rules and scripts out again. Texts become trees in `ludex-syntax`, which has the problems, too, that
//! each step hands out.
//!
//! Whoever plays games from Rust uses the crate in `engine/`, which hands on what they need.

#![deny(missing_docs)]

pub mod field;
pub mod formatting;
pub mod library;
pub mod position;
pub mod schema;
pub mod scripting;
pub mod sheet;

mod boards;
mod compose;
mod scope;
mod symbols;

// What only the engine uses.
#[doc(hidden)]
pub mod builtins;
#[doc(hidden)]
pub mod compile;
#[doc(hidden)]
pub mod resolve;
#[doc(hidden)]
pub mod types;
