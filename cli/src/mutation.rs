//! Libraries with one change, made in memory of those games that read the changed text (`family`): what scenarios notice.
//!
//! A library is read once (`corpus`): its texts as words and signs (`tokens`), and what its names stand for (`vocabulary`).
//! `test --mutants` breaks statements and conditions (`breaks`), but not where either order means the same (`apart`), each by a
//! `change` of one text, and runs the scenarios (`noticed`).

mod apart;
mod breaks;
mod change;
mod corpus;
mod family;
mod noticed;
mod tokens;
mod vocabulary;

pub use change::Change;
pub use corpus::{Corpus, Text};
pub use family::Family;
pub use noticed::{Breakable, Package, Trial, Tried, hash_of};
pub use tokens::{Sort as TokenSort, Token, Tokens, Written};
pub use vocabulary::{Member, Sort, Vocabulary};
