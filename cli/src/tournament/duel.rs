//! One duel: who is in it, and how it is getting on.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Numbers of players count from 1, in the order in which they joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlayerId(pub i64);

/// Numbers of duels count from 1, in the order of the challenges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DuelId(pub i64);

/// Whom a player brings to a duel.
pub type LineUp = Vec<Entrant>;

/// One whom a side brings: a character, a deck.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Entrant {
    pub id: String,
    pub name: String,
}

/// Two of everything in a duel: the challenger's first, then that of the one who was challenged.
pub type Both<T> = [T; 2];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duel {
    pub id: DuelId,
    pub players: Both<PlayerId>,
    pub state: DuelState,
    /// What each has chosen. It is secret until both have.
    pub line_ups: Both<Option<LineUp>>,
    /// Who agrees to play although both have chosen the same.
    pub agreed: Both<bool>,
    /// The seed commitment of the game that was begun last; the result of another one does not count.
    pub commitment: Option<String>,
    /// When the challenge was made.
    pub made: Timestamp,
    pub ended: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DuelState {
    /// Not answered yet.
    Challenged,
    Accepted,
    Refused,
    /// The challenger has withdrawn the challenge.
    Withdrawn,
    /// Somebody has won; the number is the side's.
    Finished {
        winner: usize,
    },
    /// No token changes hands.
    Void(VoidReason),
}

/// Why a duel has no winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoidReason {
    Tie,
    CalledOff,
    /// The rules or an ability failed in the middle of the game.
    Fault,
    TimeUp,
    /// The tournament was closed.
    Closed,
    /// One of the two has left.
    Left,
    /// One of the two has no tokens any more.
    NoTokens,
    /// The organiser has corrected a mistake.
    Organiser,
}

impl VoidReason {
    pub fn describe(self) -> &'static str {
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
    /// Which side a player is on, if it is one of the two.
    pub fn side(&self, player: PlayerId) -> Option<usize> {
        self.players.iter().position(|&other| other == player)
    }

    /// Challenged or accepted, and not at its end.
    pub fn is_open(&self) -> bool {
        matches!(self.state, DuelState::Challenged | DuelState::Accepted)
    }

    /// Who has won and who has lost.
    pub fn result(&self) -> Option<(PlayerId, PlayerId)> {
        match (self.state, self.players) {
            (DuelState::Finished { winner: 0 }, [first, second]) => Some((first, second)),
            (DuelState::Finished { .. }, [first, second]) => Some((second, first)),
            _ => None,
        }
    }

    /// What both have chosen, as soon as both have: until then nobody is shown either.
    pub fn revealed(&self) -> Option<Both<&LineUp>> {
        match &self.line_ups {
            [Some(first), Some(second)] => Some([first, second]),
            _ => None,
        }
    }

    /// Whether both have chosen the same, in whatever order.
    pub fn is_same(&self) -> bool {
        self.revealed().is_some_and(|line_ups| {
            let [mut first, mut second] = line_ups.map(|line_up| line_up.iter().map(|entrant| &entrant.id).collect::<Vec<_>>());
            first.sort();
            second.sort();
            first == second
        })
    }
}
