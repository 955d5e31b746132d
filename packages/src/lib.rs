//! Packages of games: texts of many files in, programs out. It knows no game, plays none and opens no file.
//!
//! A [`library`] tells which file belongs to which game: its rules, its sheets and its abilities, whose headers are part of
//! the rules and whose functions are read by [`scripting`]. [`formatting`] lays rules and scripts out again.
//!
//! Whoever plays games from Rust uses the crate in `engine/`, which hands on what they need.

#![deny(missing_docs)]

pub mod formatting;
pub mod library;
pub mod scripting;

use ludex_language::{program, sheet};
use ludex_syntax::{codes, problem, source, yaml};
