//! What only scenarios ask of a session.

use super::coverage::Covered;
use ludex_engine::runtime::Session;
use std::collections::BTreeMap;

/// The names that the position gave to pieces.
pub fn labels(_session: &Session) -> BTreeMap<String, usize> {
    BTreeMap::new()
}

/// Adds what a session reached to what is covered.
pub fn note_reached(_session: &Session, _covered: &mut Covered) {}
