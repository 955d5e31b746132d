//! A game in which something went wrong, with all that is needed to replay it.

use ludex_engine::problem::Problem;
use ludex_engine::recording::{self, Entry, Header};

/// Maximum number that is kept; all are counted.
pub const MOST_TROUBLES: usize = 10;

/// A fault, or a failed check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The number of the game in its plan.
    pub index: u64,
    pub kind: TroubleKind,
    /// The first line of a recording: seed, sides and all else needed to replay the game.
    pub header: Header,
    /// The answers up to that point, including the one that failed.
    pub entries: Vec<Entry>,
}

/// The kind of failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TroubleKind {
    /// The rules or an ability failed, or play did not end.
    Fault(Box<Problem>),
    /// An invariant of sessions was violated.
    Check(String),
}

impl Trouble {
    pub fn is_fault(&self) -> bool {
        matches!(self.kind, TroubleKind::Fault(_))
    }

    /// The failure, with its place in the rules or the script.
    pub fn fault_problem(&self) -> Option<&Problem> {
        match &self.kind {
            TroubleKind::Fault(problem) => Some(problem),
            TroubleKind::Check(_) => None,
        }
    }

    /// The game as a recording.
    pub fn recording_text(&self) -> String {
        recording::recording_text(&self.header, &self.entries, None).0
    }

    pub fn message(&self) -> String {
        match &self.kind {
            TroubleKind::Fault(problem) => problem.message.to_string(),
            TroubleKind::Check(message) => message.clone(),
        }
    }
}

impl From<Box<Problem>> for TroubleKind {
    fn from(problem: Box<Problem>) -> TroubleKind {
        TroubleKind::Fault(problem)
    }
}
