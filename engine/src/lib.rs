//! Ludex, the engine: it plays programs, and re-exports the crates that compile them. It knows no game and opens no file.
//!
//! ```text
//! parse    text            → syntax tree   ludex-syntax: parse, tree
//! compose  syntax trees    → one game      ludex-compiler: compose
//! resolve  one game        → Resolved      resolve: every name has a meaning, in every mode
//! compile  Resolved        → Program       symbols, compile; ludex-program defines a program
//! play     Program + seed  → Session       here, in runtime: `pending` asks, `choose` answers, events report
//! ```
//!
//! [`Compile`] runs the first four steps for a game of a [`library`]. A game is gathered from many files: its rules, its sheets
//! ([`sheet`]) and its abilities, whose headers are part of the rules and whose functions [`scripting`] reads. Each step returns
//! its value and the [`problem`]s it found, so one run shows all of them; [`codes`] has their numbers. A game may start in the
//! middle, at a [`position`]. A played game is saved as a [`recording`].

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
