//! What only simulations ask of a session.

use ludex_engine::program::ProcedureId;
use ludex_engine::runtime::Session;

/// How often a scope has begun.
pub fn begun(session: &Session, scope: ProcedureId) -> u64 {
    session.begun(scope)
}
