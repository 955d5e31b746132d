//! What a session notes for whoever wants to come to the same place again by another way: each result of chance, and how things
//! stood at each place at which a position may start play.
//!
//! Only sessions that are asked to do so note anything ([`crate::runtime::SessionOptions::traces`]).

use crate::runtime::state::State;
use ludex_program::{ProcedureId, Value};
use std::sync::Arc;

/// What was noted since play began.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Every result of chance, in the order in which a list would give them.
    pub(crate) results: Vec<i64>,
    /// The entries of the rules that began, in order.
    pub(crate) entered: Vec<Arc<Entered>>,
}

/// An `entry` of the rules, just before it begins.
#[derive(Clone, Debug)]
pub struct Entered {
    pub(crate) state: State,
    pub(crate) procedure: ProcedureId,
    pub(crate) arguments: Vec<Value>,
    /// How many results of chance were drawn before it.
    pub results: usize,
    /// How many events there were before it.
    pub events: u64,
}
