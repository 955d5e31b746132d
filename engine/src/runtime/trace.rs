//! A record of a session that allows returning to the same place by another way: each result of chance, and the state at each
//! entry where a position may start play.
//!
//! Only sessions with [`crate::runtime::SessionOptions::traces`] keep this record.
//!
//! The command turns a played game into a scenario or a position from this record.

use crate::runtime::state::State;
use ludex_program::{ProcedureId, Value};
use std::sync::Arc;

/// The record since play began.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Every result of chance, in the order of a list of results.
    pub(crate) results: Vec<i64>,
    /// The entries of the rules that began, in order.
    pub(crate) entered: Vec<Arc<EntryRecord>>,
}

/// An `entry` of the rules, just before it begins.
#[derive(Clone, Debug)]
pub struct EntryRecord {
    /// The state before it.
    pub(crate) state: State,
    pub(crate) procedure: ProcedureId,
    pub(crate) arguments: Vec<Value>,
    /// Number of results of chance drawn before it.
    pub results: usize,
    /// Number of events before it.
    pub events: u64,
}
