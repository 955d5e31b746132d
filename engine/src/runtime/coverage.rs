//! Coverage: which statements ran, which outcomes each condition had, and the notes that scripts wrote.
//!
//! A session records it with [`SessionOptions::covers`](crate::runtime::SessionOptions). Each pair of flags says whether a
//! condition was ever true, and whether it was ever false.

use ludex_program::Address;
use ludex_syntax::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The coverage of one or more sessions of the same program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// The outcomes of each condition of the rules, by the address of its jump.
    reached: BTreeMap<Address, (bool, bool)>,
    /// The outcomes of the condition of each ability's clause.
    guards: BTreeMap<u16, (bool, bool)>,
    /// The statements that ran.
    ran: BTreeSet<Address>,
    /// The notes that scripts wrote.
    written: Vec<(Span, String)>,
}

impl Coverage {
    /// Records that the statement at an address ran.
    pub(crate) fn record_statement(&mut self, at: Address) {
        self.ran.insert(at);
    }

    /// Records a note that a script wrote with `debug`.
    pub(crate) fn record_note(&mut self, at: Span, text: String) {
        self.written.push((at, text));
    }

    /// The notes that scripts wrote with `debug`, each with the place of its statement.
    pub fn debug_notes(&self) -> &[(Span, String)] {
        &self.written
    }

    /// Keeps the notes of play that has been taken back. All other coverage of it is dropped.
    pub(crate) fn keep_notes(&mut self, taken_back: Coverage) {
        self.written = taken_back.written;
    }

    /// Records an outcome of a condition of the rules.
    pub(crate) fn record_condition(&mut self, at: Address, holds: bool) {
        record_outcome(self.reached.entry(at).or_default(), holds);
    }

    /// Records an outcome of the condition of an ability's clause.
    pub(crate) fn record_guard(&mut self, clause: u16, holds: bool) {
        record_outcome(self.guards.entry(clause).or_default(), holds);
    }

    /// Whether a statement of the rules ran.
    pub(crate) fn has_reached(&self, at: Address) -> bool {
        self.ran.contains(&at)
    }

    /// Whether a condition of the rules has ever been true, and whether it has ever been false.
    pub(crate) fn condition_outcomes(&self, at: Address) -> (bool, bool) {
        self.reached.get(&at).copied().unwrap_or_default()
    }

    /// The same for the condition of an ability's clause.
    pub(crate) fn guard_outcomes(&self, clause: u16) -> (bool, bool) {
        self.guards.get(&clause).copied().unwrap_or_default()
    }
}

/// Adds an outcome to a pair of flags.
fn record_outcome(entry: &mut (bool, bool), holds: bool) {
    if holds {
        entry.0 = true;
    } else {
        entry.1 = true;
    }
}
