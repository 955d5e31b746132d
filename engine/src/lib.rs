//! Ludex, the engine: the rules language, programs, sessions and scripting. It knows no game, and opens no file.
//!
//! ```text
//! parse    text            → syntax tree   ludex-language: parse, syntax
//! compose  syntax trees    → one game      compose
//! resolve  one game        → Resolved      resolve: every name means something, in every mode
//! compile  Resolved        → Program       symbols, compile, program
//! play     Program + seed  → Session       here, in runtime: `pending` asks, `choose` answers, events tell
//! ```
//!
//! [`library`] runs the first four for a game, which is gathered from many files: its rules, its sheets ([`sheet`])
//! and its abilities, whose headers are part of the rules and whose functions are run by [`scripting`]. Each step gives
//! its value and the [`problem`]s it found, so that one run shows all of them; [`codes`] has their numbers. A game
//! may start in the middle, at a [`position`], and whatever was played is a [`recording`].

#![deny(missing_docs)]

pub mod formatting;
pub mod json;
pub mod library;
pub mod odds;
pub mod recording;
pub mod runtime;
pub mod scripting;
#[cfg(test)]
mod testing;

pub use ludex_language::{codes, field, position, problem, program, schema, sheet, source, visible, yaml};
