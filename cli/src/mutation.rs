//! Libraries with one mistake: what `check` says of each, and what scenarios notice.
//!
//! A library is read once (`corpus`): its texts as words and signs (`tokens`), and what its names stand for
//! (`vocabulary`). A class of mistakes (`classes`) finds all places where it can be made, each as a `change` of one text.
//! `check --self-test` draws some of each class (`drawn`), has each looked at (`trial`) on all cores (`shared`) and counts
//! (`report`). `test --mutants` breaks statements and conditions (`breaks`, but not what means the same, `apart`) and asks the
//! scenarios (`noticed`). Nothing is written: a changed library is made in memory, of those of its games that read the changed
//! text.

mod apart;
mod breaks;
mod change;
mod classes;
mod corpus;
mod drawn;
mod family;
mod noticed;
mod report;
mod self_test;
mod tokens;
mod trial;
mod vocabulary;

pub use classes::CLASSES;
#[cfg(test)]
pub use drawn::mistakes;
pub use noticed::{Breakable, Package, Trial, Tried, hash_of};
pub use report::{is_sound, json, text};
pub use self_test::{Wanted, self_test};
