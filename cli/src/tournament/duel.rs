//! A duel: its players and its state.
//!
//! A player challenges another, who accepts or refuses. Both then choose their line-ups in secret, if sides bring entrants, and
//! play; the loser gives a token to the winner. A void duel has no winner.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The number of a player, from 1 in the order of joining.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlayerId(pub i64);

/// The number of a duel, from 1 in the order of challenges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DuelId(pub i64);

/// The entrants that a player brings to a duel.
pub type LineUp = Vec<Entrant>;

/// An entrant of a side: a character, a deck.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Entrant {
    pub id: String,
    pub name: String,
}

/// A pair of values in a duel: the challenger's first, then that of the challenged player.
pub type Both<T> = [T; 2];

/// A challenge, and the game that decides it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duel {
    pub id: DuelId,
    pub players: Both<PlayerId>,
    pub state: DuelState,
    /// The choice of each player, secret until both have chosen.
    pub line_ups: Both<Option<LineUp>>,
    /// True for each player who agrees to play although both have chosen the same.
    pub agreed: Both<bool>,
    /// The seed commitment of the game that began last; the result of an earlier one does not count.
    pub commitment: Option<String>,
    /// The time of the challenge.
    pub made: Timestamp,
    pub ended: Option<Timestamp>,
}

/// The state of a duel. Only a challenged or accepted one is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DuelState {
    /// Not answered yet.
    Challenged,
    Accepted,
    Refused,
    /// The challenger has withdrawn the challenge.
    Withdrawn,
    /// A player has won; `winner` is the number of the side.
    Finished {
        winner: usize,
    },
    /// No token changes hands.
    Void(VoidReason),
}

/// The reason that a duel has no winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoidReason {
    Tie,
    CalledOff,
    /// The rules or an ability failed during the game.
    Fault,
    TimeUp,
    /// The tournament was closed.
    Closed,
    /// One of the two has left.
    Left,
    /// One of the two has no tokens left.
    NoTokens,
    /// The organiser has corrected a mistake.
    Organiser,
}

impl VoidReason {
    /// The reason in words, after `void:`.
    pub fn describe_reason(self) -> &'static str {
        match self {
            VoidReason::Tie => "tied",
            VoidReason::CalledOff => "called off",
            VoidReason::Fault => "the rules failed",
            VoidReason::TimeUp => "time was up",
            VoidReason::Closed => "the tournament was closed",
            VoidReason::Left => "a player left",
            VoidReason::NoTokens => "a player had no tokens left",
            VoidReason::Organiser => "corrected by the organiser",
        }
    }
}

impl Duel {
    /// The side of a player, if they are one of the two.
    pub fn side_of(&self, player: PlayerId) -> Option<usize> {
        self.players.iter().position(|&other| other == player)
    }

    /// Whether the duel is challenged or accepted, and not over.
    pub fn is_open(&self) -> bool {
        matches!(self.state, DuelState::Challenged | DuelState::Accepted)
    }

    /// The winner and the loser.
    pub fn winner_and_loser(&self) -> Option<(PlayerId, PlayerId)> {
        match (self.state, self.players) {
            (DuelState::Finished { winner: 0 }, [first, second]) => Some((first, second)),
            (DuelState::Finished { .. }, [first, second]) => Some((second, first)),
            _ => None,
        }
    }

    /// Both choices, once both players have chosen; before that, neither is shown.
    pub fn both_line_ups(&self) -> Option<Both<&LineUp>> {
        match &self.line_ups {
            [Some(first), Some(second)] => Some([first, second]),
            _ => None,
        }
    }

    /// Whether both have chosen the same, in any order.
    pub fn has_same_line_ups(&self) -> bool {
        self.both_line_ups().is_some_and(|line_ups| {
            let [mut first, mut second] = line_ups.map(|line_up| line_up.iter().map(|entrant| &entrant.id).collect::<Vec<_>>());
            first.sort();
            second.sort();
            first == second
        })
    }
}
