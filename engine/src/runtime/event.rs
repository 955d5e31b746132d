//! Events, in order, each with its cause.
//!
//! `effect` announces each change of the state as one event; `announce` there finds its audience. The story that players read and
//! the digest of a recording are made from events. A piece or zone is described as it was at that time, so that an event needs no
//! state.

use crate::runtime::payoff::Payoff;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// The person an event or view is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// The holder of a seat: the number of their side; the referee has the first number after the sides.
    Seat(usize),
    /// A person without a seat, who sees public information only.
    Spectator,
    /// Sees everything: for referees' tools and tests only.
    Trusted,
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// From 1, without gaps.
    pub number: u64,
    /// The name given by a rule, or that of its kind: `caught`, `rolled`.
    pub name: String,
    /// The change, with everything needed to make it again.
    pub kind: EventKind,
    /// The side concerned: the owner of the zone, counter or die, or the side that chose.
    pub by: Option<usize>,
    /// The rule or script that caused it.
    pub cause: Cause,
    /// A sentence for people.
    pub text: String,
    /// The viewers who may know of it; see [`Event::seen_by`].
    pub audience: Audience,
}

/// Events that have not been taken yet. A copy starts without any, because it only looks ahead and reports to nobody.
#[derive(Debug, Default)]
pub(crate) struct PendingEvents(pub Vec<Event>);

impl Clone for PendingEvents {
    fn clone(&self) -> PendingEvents {
        PendingEvents::default()
    }
}

/// The viewers who may know of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Audience {
    /// Everybody, including spectators.
    #[default]
    All,
    /// Only these seats; the others learn only that something happened.
    Seats(Vec<usize>),
}

impl Audience {
    /// Whether a viewer is in the audience.
    pub(crate) fn includes(&self, viewer: Viewer) -> bool {
        match (self, viewer) {
            (Audience::All, _) | (_, Viewer::Trusted) => true,
            (Audience::Seats(seats), Viewer::Seat(seat)) => seats.contains(&seat),
            (Audience::Seats(_), Viewer::Spectator) => false,
        }
    }
}

impl Event {
    /// Whether viewers outside the audience learn that something has happened. They do when pieces come, go or change places,
    /// since these can be counted, and when answers are given. Marks and fields of a hidden piece change without a trace, and so
    /// does the rules' internal state.
    pub(crate) fn leaves_trace(&self) -> bool {
        !matches!(self.kind, EventKind::Set { .. } | EventKind::Marked { .. } | EventKind::Unmarked { .. })
    }

    /// Whether a viewer learns of it, or at least that something has happened.
    pub fn reaches_viewer(&self, viewer: Viewer) -> bool {
        self.audience.includes(viewer) || self.leaves_trace()
    }

    /// Whether any viewer does.
    pub fn reaches_anyone(&self) -> bool {
        self.audience != Audience::Seats(Vec::new()) || self.leaves_trace()
    }

    /// The event as a viewer may know it: itself, or `None` if it is hidden.
    pub fn seen_by(&self, viewer: Viewer) -> Option<&Event> {
        self.audience.includes(viewer).then_some(self)
    }
}

/// The rule or script that led to an event.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Cause {
    /// The rules cited at that place: `["DC-024"]`.
    pub rules: Vec<String>,
    /// The path of the file within its library: `rules/pond/play.ludex`. Empty without a place.
    pub file: String,
    /// From 1; 0 without a place.
    pub line: usize,
    /// The id of the ability that acts, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ability: Option<String>,
    /// The side the ability works for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<usize>,
}

/// A piece as an event shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PieceView {
    /// Its public number: pieces count from 0 in the order in which they were made. A shuffle of hidden pieces may swap the
    /// numbers of copies.
    pub id: usize,
    /// Its number on the board.
    #[serde(skip)]
    pub entity: u16,
    /// The name of its kind in the rules: `die`, `frog`.
    pub kind: String,
    /// The title of a card, or of a die with its own faces: `d%`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The id of a card's sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// Number of sides of a die. Other pieces have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
    /// The value that a die shows; `None` before the first roll.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
    /// The name of its owner, if that must be shown.
    #[serde(skip)]
    pub of: Option<String>,
    /// The name of the holder whose zone it is in, if that is one of several entrants of a side.
    #[serde(skip)]
    pub holder: Option<String>,
    /// A number that distinguishes it from others of its sheet that are face up in play.
    #[serde(skip)]
    pub number: Option<String>,
}

impl PieceView {
    /// The players' name for it, regardless of its value.
    pub fn display_name(&self) -> String {
        numbered_name(piece_name(&self.kind, self.title.as_deref(), self.size), self.number.as_deref())
    }
}

/// `Otter #2`
pub(crate) fn numbered_name(name: String, number: Option<&str>) -> String {
    match number {
        Some(number) => format!("{name} #{number}"),
        None => name,
    }
}

/// `d8` for a die, or its title; for other pieces the name in the rules.
pub(crate) fn piece_name(kind: &str, title: Option<&str>, size: Option<i32>) -> String {
    match (title, size) {
        (Some(title), _) => title.to_string(),
        (None, Some(size)) => format!("d{size}"),
        (None, None) => kind.to_string(),
    }
}

/// A change of the state, or a remark on play, with everything needed to make the change again. Serialises to the form in the
/// protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum EventKind {
    /// A die that is a piece was rolled.
    Rolled {
        /// The die as it is now.
        piece: PieceView,
        /// The new value.
        value: i32,
    },
    /// Dice that are not pieces show values, in the order they were rolled.
    RolledPool {
        /// Number of sides of each die.
        size: i32,
        /// The value of each die.
        values: Vec<i32>,
    },
    /// A piece went to a zone.
    Moved {
        /// The piece after the move.
        piece: PieceView,
        /// The zone it came from.
        from: ZoneName,
        /// The zone it is in now, possibly the same one.
        #[serde(rename = "zone")]
        to: ZoneName,
        /// It went to the start of the zone, its bottom, rather than to the end.
        #[serde(skip)]
        start: bool,
    },
    /// A counter or field has a new value.
    Set {
        /// The entrant that has it, by its key: `otter#2`.
        #[serde(skip_serializing_if = "Option::is_none")]
        entrant: Option<String>,
        /// The piece that has it, if a piece does.
        #[serde(skip_serializing_if = "Option::is_none")]
        piece: Option<PieceView>,
        /// The name of the counter or field in the rules.
        name: String,
        /// The new value as people read it; an entrant by its key.
        #[serde(serialize_with = "number_or_words")]
        value: String,
        /// The new value as stored on the board, see [`ludex_program::Value`].
        #[serde(skip)]
        raw: i32,
        /// The members of a list, as stored on the board.
        #[serde(skip)]
        members: Vec<i32>,
        /// The size of a number's change, as people read it without a sign, and true if it decreased. `None` for other values.
        #[serde(skip)]
        change: Option<(String, bool)>,
        /// The entity that has it, by its number on the board: the sides come first, then the table, the entrants and the pieces.
        #[serde(skip)]
        entity: usize,
    },
    /// A mark was put on something.
    Marked {
        /// The bearer, by its number on the board.
        #[serde(skip)]
        entity: usize,
        /// The bearer, as it is shown.
        #[serde(flatten)]
        bearer: Bearer,
        /// The name of the mark in the rules.
        mark: String,
    },
    /// A mark was removed, or its time is over.
    Unmarked {
        /// The former bearer, by its number on the board.
        #[serde(skip)]
        entity: usize,
        /// The former bearer, as it is shown.
        #[serde(flatten)]
        bearer: Bearer,
        /// The name of the mark in the rules.
        mark: String,
    },
    /// A piece was made.
    Created {
        /// The new piece.
        piece: PieceView,
        /// Index of its kind in [`ludex_program::Program::kinds`].
        #[serde(skip)]
        kind: u16,
        /// The zone it is in.
        zone: ZoneName,
        /// All its fields, in the order of its kind.
        #[serde(skip)]
        cells: Vec<i32>,
    },
    /// A piece left the game.
    Removed {
        /// The piece as it last was.
        piece: PieceView,
    },
    /// Pieces were drawn at random. They have not moved.
    Drawn {
        /// The pieces drawn.
        pieces: Vec<PieceView>,
    },
    /// The seats of the event's audience were shown pieces.
    Shown {
        /// The pieces, as those seats see them.
        pieces: Vec<PieceView>,
    },
    /// A side has left the game.
    Left {
        /// Its number.
        side: usize,
    },
    /// The pieces of a zone were put into a random order.
    Shuffled {
        /// The zone.
        zone: ZoneName,
        /// Its pieces by their numbers on the board, from first to last. Never sent to a viewer.
        #[serde(skip)]
        order: Vec<usize>,
    },
    /// A seat answered a question.
    Chose {
        /// The key of the answer: `leap(0+3>6)`.
        key: String,
        /// The number of the decision.
        decision: u64,
    },
    /// An ability was used, or took effect by itself.
    Used {
        /// Its id.
        ability: String,
        /// The card that has the ability.
        #[serde(skip_serializing_if = "Option::is_none")]
        piece: Option<PieceView>,
    },
    /// The rules say something; the words are the text of the event.
    Said,
    /// A scope has begun, such as a turn.
    Began {
        /// The name of its procedure.
        scope: String,
    },
    /// A scope has ended.
    Ended {
        /// The name of its procedure.
        scope: String,
    },
    /// The match is over.
    Finished {
        /// The outcome.
        outcome: Outcome,
    },
}

/// The bearer of a mark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Bearer {
    /// An entrant or a side.
    Entrant {
        /// The entrant by its key, such as `otter#2`; a side as `side 0`.
        entrant: String,
    },
    /// A piece.
    Piece {
        /// The piece, with the mark on it or without.
        piece: PieceView,
    },
}

/// The name of each kind of event, in one list that can be searched either way.
macro_rules! names {
    ($($kind:pat => $name:literal,)*) => {
        impl EventKind {
            /// The names of all kinds.
            pub const NAMES: &[&str] = &[$($name),*];

            /// The name of an event of this kind, unless a rule gives it one.
            pub(crate) fn name(&self) -> &'static str {
                match self {
                    $($kind => $name,)*
                }
            }
        }
    };
}

names! {
    EventKind::Rolled { .. } => "rolled",
    EventKind::RolledPool { .. } => "rolled_pool",
    EventKind::Moved { .. } => "moved",
    EventKind::Set { .. } => "set",
    EventKind::Marked { .. } => "marked",
    EventKind::Unmarked { .. } => "unmarked",
    EventKind::Created { .. } => "created",
    EventKind::Removed { .. } => "removed",
    EventKind::Drawn { .. } => "drawn",
    EventKind::Shown { .. } => "shown",
    EventKind::Left { .. } => "left",
    EventKind::Shuffled { .. } => "shuffled",
    EventKind::Chose { .. } => "chose",
    EventKind::Used { .. } => "used",
    EventKind::Said => "said",
    EventKind::Began { .. } => "began",
    EventKind::Ended { .. } => "ended",
    EventKind::Finished { .. } => "finished",
}

/// A zone: its name and owner. Without `side`, `piece` and `entrant` it belongs to the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ZoneName {
    /// The name in the rules: `nest`; for a cell of a board, its place there: `meadow.2.3`.
    pub zone: String,
    /// The players' name for it: `nest`, `column 2, row 3`.
    #[serde(skip)]
    pub words: String,
    /// The side that owns the zone, or the side of the piece or entrant that has it.
    pub side: Option<usize>,
    /// The piece that has the zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<usize>,
    /// The key of the entrant that has the zone, if that is one of several of a side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entrant: Option<String>,
    /// The players' name for that piece or entrant.
    #[serde(skip)]
    pub bearer: Option<String>,
    /// Its number on the board.
    #[serde(skip)]
    pub index: u16,
}

/// The outcome of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The kind of result: a win, a tie, or the reason why there is no winner.
    pub result: OutcomeResult,
    /// The sides that won; several share a tie.
    pub winners: Vec<usize>,
    /// The sides' counters at the end, as people read them. Empty if the game is not watched, see
    /// [`crate::runtime::Setup::watched`].
    #[serde(serialize_with = "by_side")]
    pub scores: Vec<Vec<(String, String)>>,
    /// The payoff of each side; `None` if the rules do not define it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payoffs: Option<Vec<Payoff>>,
    /// The rules' words about it. `None` if the game is not watched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The kinds of result of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeResult {
    /// One side won.
    Win,
    /// Several sides share the win.
    Tie,
    /// The rules ended the match without a winner, or ran to their end.
    Nobody,
    /// A seat resigned.
    Abandoned,
    /// A cap of the rules was reached, so there is no winner.
    Capped,
}

/// The value of a field or counter, as programs read it: `3` becomes a number; `36.5` and words stay as people read them.
struct NumberOrWords<'a>(&'a str);

impl Serialize for NumberOrWords<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.parse::<i64>() {
            Ok(number) => serializer.serialize_i64(number),
            Err(_) => serializer.serialize_str(self.0),
        }
    }
}

/// Serialises a value as a number if it is one.
fn number_or_words<S: Serializer>(words: &str, serializer: S) -> Result<S::Ok, S::Error> {
    NumberOrWords(words).serialize(serializer)
}

/// Serialises counters and fields by name.
pub fn numbers_or_words<S: Serializer>(named: &BTreeMap<String, String>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(named.iter().map(|(name, words)| (name, NumberOrWords(words))))
}

/// Serialises the counters of each side, by its number.
fn by_side<S: Serializer>(scores: &[Vec<(String, String)>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(scores.iter().map(|counters| Counters(counters)).enumerate())
}

/// The counters of a side, by name.
struct Counters<'a>(&'a [(String, String)]);

impl Serialize for Counters<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, words)| (name, NumberOrWords(words))))
    }
}
