//! The compiler: turns the texts of a library into programs. It contains no rules of any game, plays none and opens no file.
//!
//! ```text
//! gather   texts           → library       library: which file belongs to which game
//! compose  syntax trees    → one game      compose
//! resolve  one game        → Resolved      resolve: every name means something, in every mode
//! compile  Resolved        → Program       symbols, compile, scripting; `ludex-program` says what it is
//! ```
//!
//! A [`library`] assigns files to games: rules, sheets and abilities. The headers of abilities are part of the rules;
//! [`scripting`] reads their functions. A [`sheet`] describes a character or a card: a tree of YAML with values for the
//! [`field`]s of the rules. A [`position`] is a state at which a game may start. [`formatting`] lays out rules and scripts.
//! `ludex-syntax` turns texts into trees and defines the problems that each step returns.
//!
//! To play games from Rust, use the crate in `engine/`.

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

// Used by the engine only.
#[doc(hidden)]
pub mod builtins;
#[doc(hidden)]
pub mod compile;
#[doc(hidden)]
pub mod resolve;
#[doc(hidden)]
pub mod types;
