//! The journal: the events of a tournament, with their times and actors.

use super::duel::{Both, DuelId, LineUp, PlayerId, VoidReason};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// An event with its time and actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub at: Timestamp,
    /// The name of the actor; `None` for an automatic event.
    pub by: Option<String>,
    pub duel: Option<DuelId>,
    pub event: Event,
}

/// An event of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    Began,
    Joined {
        player: PlayerId,
    },
    /// A player who had left has joined again.
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
    /// The commitment identifies the game: a hash of its seed.
    GameBegan {
        commitment: String,
    },
    /// A game that was played here has ended with a winner.
    Played {
        winner: PlayerId,
    },
    /// A winner was reported from a table.
    Reported {
        winner: PlayerId,
    },
    /// The duel is void; a previous winner gives the token back.
    Voided {
        reason: VoidReason,
        winner: Option<PlayerId>,
    },
    /// A game ended after its duel was over, or after the duel had been started again.
    NotCounted,
    DeadlineMoved {
        deadline: Timestamp,
    },
    TimeUp,
    Closed {
        champions: Vec<PlayerId>,
    },
    /// The organiser has chosen a page for the wall, or dropped it.
    PageChosen,
    PageDropped,
}
