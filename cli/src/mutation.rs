//! Libraries with one change, made in memory of those games that read the changed text (`family`): what scenarios notice.
//!
//! The rules and scripts of a library are read once, by their pieces, and its programs know what its names stand for (`code`).
//! `test --mutants` breaks statements and conditions (`breaks`), but not where either order means the same (`apart`), each by a
//! `change` of one text, and runs the scenarios (`noticed`).

mod apart;
mod breaks;
mod change;
mod code;
mod family;
mod noticed;

pub use change::Change;
pub use family::Family;
pub use noticed::{Breakable, Package, Trial, Tried, hash_of};
