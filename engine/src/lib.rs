//! Ludex, the engine: the rules language, programs, sessions and scripting. It knows no game, and opens no file.
//!
//! ```text
//! parse    text            → syntax tree   language/parse, language/syntax
//! compose  syntax trees    → one game      language/compose
//! resolve  one game        → Resolved      language/resolve: every name means something, in every mode
//! compile  Resolved        → Program       language/symbols, language/compile, program
//! play     Program + seed  → Session       runtime: `pending` asks, `choose` answers, events tell
//! ```
//!
//! [`library`] runs the first four for a game, which is gathered from many files: its rules, its sheets ([`sheet`])
//! and its abilities, whose headers are part of the rules and whose functions are run by [`scripting`]. Each step gives
//! its value and the [`problem`]s it found, so that one run shows all of them; [`codes`] has their numbers. A game
//! may start in the middle, at a [`position`], and whatever was played is a [`recording`].

#![deny(missing_docs)]

pub mod codes;
pub mod field;
pub mod formatting;
pub mod json;
mod language;
pub mod library;
pub mod odds;
pub mod position;
pub mod problem;
pub mod program;
pub mod recording;
pub mod runtime;
pub mod schema;
pub mod scripting;
pub mod sheet;
pub mod source;
#[cfg(test)]
mod testing;
pub mod visible;
pub mod yaml;
