//! What every bot can do.

use ludex_engine::problem::Problem;
use ludex_engine::runtime::{Choice, Decision, Session};

/// Answers the decisions of one seat, and looks at the session only through what the seat may know.
pub trait Player {
    /// A legal answer to an open decision of its seat.
    fn answer(&mut self, session: &Session, decision: &Decision) -> Result<Choice, Box<Problem>>;
}
