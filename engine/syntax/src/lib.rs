//! Texts in, trees out: what can be said of a text before anything is known of a game.
//!
//! ```text
//! parse    text            → syntax tree   parse, tree
//! yaml     text            → YAML          yaml
//! ```
//!
//! Each piece of a tree knows its place in its [`source`]. Reading goes on after a mistake, and hands out the [`problem`]s
//! it found, which have [`codes`] and point into sources. Whatever people see of them is [`visible`].

#![deny(missing_docs)]

pub mod codes;
pub mod problem;
pub mod source;
pub mod visible;
pub mod yaml;

// What only the crates above it use, up to the engine.
#[doc(hidden)]
pub mod blocks;
#[doc(hidden)]
pub mod limits;
#[doc(hidden)]
pub mod parse;
#[doc(hidden)]
pub mod spelled;
#[doc(hidden)]
pub mod tree;
