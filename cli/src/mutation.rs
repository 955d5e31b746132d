//! Libraries with one change, to find out what scenarios notice. They are made in memory, from the games that read the changed
//! text (`family`). A mutant is such a library whose change is a mistake; scenarios that still all pass do not notice it.
//!
//! The rules and scripts of a library are parsed once into pieces, and its programs resolve their names (`code`). The verb
//! `test`, with `--mutants`, breaks statements and conditions (`breaks`). It exchanges two statements only if their order may
//! matter (`independence`). Each break is a `change` of one text, after which the scenarios run (`noticed`).

mod breaks;
mod change;
mod code;
mod family;
mod independence;
mod noticed;

pub use change::Change;
pub use family::Family;
pub use noticed::{BreakResult, Breakable, PackageResults, Trial, package_texts_hash};
