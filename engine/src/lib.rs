//! Ludex, the engine: programs played, with all that leads to a program handed on. It knows no game, and opens no file.
//!
//! ```text
//! parse    text            → syntax tree   ludex-syntax: parse, tree
//! compose  syntax trees    → one game      ludex-compiler: compose
//! resolve  one game        → Resolved      resolve: every name means something, in every mode
//! compile  Resolved        → Program       symbols, compile; ludex-program says what a program is
//! play     Program + seed  → Session       here, in runtime: `pending` asks, `choose` answers, events tell
//! ```
//!
//! [`Compile`] runs the first four for a game of a [`library`], which is gathered from many files: its rules, its sheets
//! ([`sheet`]) and its abilities, whose headers are part of the rules and whose functions are read by [`scripting`]. Each
//! step gives its value and the [`problem`]s it found, so that one run shows all of them; [`codes`] has their numbers. A game
//! may start in the middle, at a [`position`], and whatever was played is a [`recording`].

#![deny(missing_docs)]

mod compile;
pub mod json;
pub mod odds;
pub mod recording;
pub mod runtime;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use compile::Compile;
pub use ludex_compiler::{field, formatting, library, position, schema, scripting, sheet};
pub use ludex_program as program;
pub use ludex_syntax::{codes, problem, source, visible, yaml};
