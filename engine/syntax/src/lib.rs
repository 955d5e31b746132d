//! Parses texts to trees, without any knowledge of a game.
//!
//! ```text
//! parse    text            → syntax tree   parse, tree
//! yaml     text            → YAML          yaml
//! ```
//!
//! Each node of a tree knows its place in its [`source`]. Parsing continues after a mistake and returns the [`problem`]s it
//! found, which have [`codes`] and point into sources. All text for people passes through [`visible`].

#![deny(missing_docs)]

pub mod codes;
pub mod problem;
pub mod source;
pub mod visible;
pub mod yaml;

// Used only by the crates above, up to the engine.
#[doc(hidden)]
pub mod blocks;
#[doc(hidden)]
pub mod limits;
#[doc(hidden)]
pub mod parse;
#[doc(hidden)]
pub mod spelling;
#[doc(hidden)]
pub mod tree;
