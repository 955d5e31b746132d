//! What only scenarios ask of a session.

use super::coverage::Covered;
use ludex_engine::runtime::Session;

/// Adds what a session reached to what is covered.
pub fn note_reached(session: &Session, covered: &mut Covered) {
    let Some(coverage) = session.coverage() else { return };
    for place in coverage.places(session.program()) {
        match place.condition {
            true => covered.condition(place.span, place.yes, place.no),
            false => covered.statement(place.span, place.yes),
        }
    }
}
