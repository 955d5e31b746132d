//! Whether the order matters in which abilities act at a hook: an audit of games played at random.
//!
//! Where the rules leave the order of two clauses to owners, sheets or players, play goes on from the state before the hook
//! twice, with one of the two first and with the other first, and how things stand when the hook is over is compared.

mod audit;
mod pairs;
mod report;
mod stretch;

pub use audit::audit;
pub use pairs::Audit;
pub use report::{json, text};
