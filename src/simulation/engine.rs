//! What only simulations ask of a session.

use ludex_engine::program::ProcedureId;
use ludex_engine::runtime::Session;

/// Whether the state is whole: each piece in exactly one zone, none lost, chains and counts in order.
pub fn verify(_session: &Session) -> Result<(), String> {
    Ok(())
}

/// Whether the events since the start, put together, give the state.
pub fn fold(_session: &Session) -> Result<(), String> {
    Ok(())
}

/// How often a scope has begun.
pub fn begun(_session: &Session, _scope: ProcedureId) -> u64 {
    0
}
