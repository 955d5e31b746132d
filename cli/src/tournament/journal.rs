//! The journal: what has happened in a tournament, when, and who did it.

use super::duel::{Both, DuelId, LineUp, PlayerId, VoidReason};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// One event, with when it happened and who did it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub at: Timestamp,
    /// The name of whoever did it; none where it followed by itself.
    pub by: Option<String>,
    pub duel: Option<DuelId>,
    pub event: Event,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    Began,
    Joined {
        player: PlayerId,
    },
    CameBack {
        player: PlayerId,
    },
    Left {
        player: PlayerId,
    },
    Challenged {
        challenger: PlayerId,
        challenged: PlayerId,
    },
    Accepted,
    Refused,
    Withdrawn,
    /// The choice itself is in the entry that reveals both.
    Chose {
        player: PlayerId,
    },
    Revealed {
        line_ups: Both<LineUp>,
    },
    Agreed {
        player: PlayerId,
    },
    GameBegan {
        commitment: String,
    },
    Played {
        winner: PlayerId,
    },
    Reported {
        winner: PlayerId,
    },
    /// The duel is void; whoever had won it before gives the token back.
    Voided {
        reason: VoidReason,
        winner: Option<PlayerId>,
    },
    /// A game came to its end when its duel was over already, or was being played anew.
    NotCounted,
    DeadlineMoved {
        deadline: Timestamp,
    },
    TimeUp,
    Closed {
        champions: Vec<PlayerId>,
    },
    PageChosen,
    PageDropped,
}
