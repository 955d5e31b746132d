//! What happened, in order, each with its cause.

use crate::runtime::payoff::Payoff;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// Whoever has this seat: the number of their side, or for the referee the first number after those of the sides.
    Seat(usize),
    /// Somebody without a seat: they see what is open to all.
    Spectator,
    /// Everything: for referees' tools and tests only.
    Trusted,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// From 1, without gaps.
    pub number: u64,
    /// The name a rule gave to it, or that of its kind: `caught`, `rolled`.
    pub name: String,
    /// What has changed, with all it takes to make the change again.
    pub kind: EventKind,
    /// The side it concerns: whose zone, counter, die or choice it is.
    pub by: Option<usize>,
    /// What in the rules led to it.
    pub cause: Cause,
    /// A sentence for people.
    pub text: String,
    /// Who may know of it; [`Event::seen_by`] asks.
    pub audience: Audience,
}

/// Events that nobody has taken yet. A copy has none: it is made to look at something, and tells nobody.
#[derive(Debug, Default)]
pub(crate) struct Untaken(pub Vec<Event>);

impl Clone for Untaken {
    fn clone(&self) -> Untaken {
        Untaken::default()
    }
}

/// Who may know of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Audience {
    /// Everybody, spectators among them.
    #[default]
    All,
    /// Only these; others know that something happened, and no more.
    Seats(Vec<usize>),
}

impl Audience {
    /// Whether somebody is among them.
    pub(crate) fn includes(&self, viewer: Viewer) -> bool {
        match (self, viewer) {
            (Audience::All, _) | (_, Viewer::Trusted) => true,
            (Audience::Seats(seats), Viewer::Seat(seat)) => seats.contains(&seat),
            (Audience::Seats(_), Viewer::Spectator) => false,
        }
    }
}

impl Event {
    /// Whether those who may not know of it learn that something has happened: pieces come, go and change places where all
    /// can count them, and answers are given. What a hidden piece bears and holds changes without a trace, and so does what
    /// is the rules' own business.
    pub(crate) fn leaves_trace(&self) -> bool {
        !matches!(self.kind, EventKind::Set { .. } | EventKind::Marked { .. } | EventKind::Unmarked { .. })
    }

    /// Whether a viewer learns of it, or at least that something has happened.
    pub fn reaches(&self, viewer: Viewer) -> bool {
        self.audience.includes(viewer) || self.leaves_trace()
    }

    /// Whether anybody does.
    pub fn is_told(&self) -> bool {
        self.audience != Audience::Seats(Vec::new()) || self.leaves_trace()
    }

    /// The event as a viewer may know it: itself, or nothing if it is hidden.
    pub fn seen_by(&self, viewer: Viewer) -> Option<&Event> {
        self.audience.includes(viewer).then_some(self)
    }
}

/// The rule or script that led to an event.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Cause {
    /// The rules cited where it stands: `["DC-024"]`.
    pub rules: Vec<String>,
    /// The path of the file within its library: `rules/pond/play.ludex`. It is empty where there is no place.
    pub file: String,
    /// From 1; 0 where there is no place.
    pub line: usize,
    /// The id of the ability that acts, if one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ability: Option<String>,
    /// The side the ability works for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<usize>,
}

/// A piece as an event shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PieceView {
    /// The number under which it goes: pieces count from 0 in the order in which they were made. A shuffle of pieces that not all
    /// can see may let copies exchange their numbers.
    pub id: usize,
    /// Its number on the board.
    #[serde(skip)]
    pub entity: u16,
    /// What the rules call its kind: `die`, `frog`.
    pub kind: String,
    /// What players call a card, or a die with faces of its own: `d%`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The id of a card's sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// Of a die: its number of sides. Other pieces have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
    /// Of a die: what it shows. There is none before the first roll.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
    /// Its owner by name, where that must be said.
    #[serde(skip)]
    pub of: Option<String>,
    /// In whose zone it lies, by name, where that is one of several entrants of a side.
    #[serde(skip)]
    pub holder: Option<String>,
    /// What tells it from others of its sheet that lie open in play.
    #[serde(skip)]
    pub number: Option<String>,
}

impl PieceView {
    /// What players call it, whatever it shows.
    pub fn name(&self) -> String {
        numbered(piece_name(&self.kind, self.title.as_deref(), self.size), self.number.as_deref())
    }
}

/// `Otter #2`
pub(crate) fn numbered(name: String, number: Option<&str>) -> String {
    match number {
        Some(number) => format!("{name} #{number}"),
        None => name,
    }
}

/// `d8` for a die, or its title; of other pieces what the rules call them.
pub(crate) fn piece_name(kind: &str, title: Option<&str>, size: Option<i32>) -> String {
    match (title, size) {
        (Some(title), _) => title.to_string(),
        (None, Some(size)) => format!("d{size}"),
        (None, None) => kind.to_string(),
    }
}

/// A change of the state, or a remark on play, with all it takes to make the change again. Serialises to what the protocol says
/// of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum EventKind {
    /// A die that is a piece was rolled.
    Rolled {
        /// The die as it is now.
        piece: PieceView,
        /// What it shows now.
        value: i32,
    },
    /// Dice that are no pieces show values, in the order they were rolled.
    RolledPool {
        /// The number of sides that each of them has.
        size: i32,
        /// What each of them shows.
        values: Vec<i32>,
    },
    /// A piece went to a zone.
    Moved {
        /// The piece, as it is after the move.
        piece: PieceView,
        /// The zone it came from.
        from: ZoneName,
        /// The zone it is in now. It may be the same one.
        #[serde(rename = "zone")]
        to: ZoneName,
        /// It went to the start of the zone, its bottom, rather than to the end.
        #[serde(skip)]
        start: bool,
    },
    /// A counter or field of something has another value.
    Set {
        /// The entrant whose it is, as keys call it: `otter#2`.
        #[serde(skip_serializing_if = "Option::is_none")]
        entrant: Option<String>,
        /// The piece whose it is, if it is a piece's.
        #[serde(skip_serializing_if = "Option::is_none")]
        piece: Option<PieceView>,
        /// What the rules call the counter or field.
        name: String,
        /// The new value as people read it; an entrant by its key.
        #[serde(serialize_with = "number_or_words")]
        value: String,
        /// The new value as the board has it, see [`ludex_program::Value`].
        #[serde(skip)]
        raw: i32,
        /// Of a list: its members, as the board has them.
        #[serde(skip)]
        members: Vec<i32>,
        /// By how much a number has changed, as people read it without a sign, and whether it is less now; none of what is no
        /// number.
        #[serde(skip)]
        change: Option<(String, bool)>,
        /// Whose it is, by its number on the board: the sides come first, then the table, the entrants and the pieces.
        #[serde(skip)]
        entity: usize,
    },
    /// A mark was put on something.
    Marked {
        /// What bears it now, by its number on the board.
        #[serde(skip)]
        entity: usize,
        /// The same, as it is shown.
        #[serde(flatten)]
        bearer: Bearer,
        /// What the rules call the mark.
        mark: String,
    },
    /// A mark was taken off something, or its time is over.
    Unmarked {
        /// What bore it, by its number on the board.
        #[serde(skip)]
        entity: usize,
        /// The same, as it is shown.
        #[serde(flatten)]
        bearer: Bearer,
        /// What the rules call the mark.
        mark: String,
    },
    /// A piece was made.
    Created {
        /// The new piece.
        piece: PieceView,
        /// Its kind, among [`ludex_program::Program::kinds`].
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
        /// The piece, as it was last.
        piece: PieceView,
    },
    /// Pieces were drawn at random. They are where they were.
    Drawn {
        /// Those that were drawn.
        pieces: Vec<PieceView>,
    },
    /// The seats of the event's audience were shown pieces.
    Shown {
        /// As those seats see them.
        pieces: Vec<PieceView>,
    },
    /// A side has left the game.
    Left {
        /// Its number.
        side: usize,
    },
    /// The pieces of a zone were put into another order by chance.
    Shuffled {
        /// The zone.
        zone: ZoneName,
        /// Its pieces by their numbers on the board, from first to last. Nobody is told.
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
    /// An ability was used, or happened.
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
        /// How it ended.
        outcome: Outcome,
    },
}

/// What bears a mark.
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

/// What each kind of event is called, in one list to be looked up either way.
macro_rules! names {
    ($($kind:pat => $name:literal,)*) => {
        impl EventKind {
            /// The names of all kinds.
            pub const NAMES: &[&str] = &[$($name),*];

            /// What an event of this kind is called where no rule has a name for it.
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

/// A zone: what it is called, and whose it is. Without `side`, `piece` and `entrant` it is the table's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ZoneName {
    /// What the rules call it: `nest`; a cell of a board by its place there: `meadow.2.3`.
    pub zone: String,
    /// What players call it: `nest`, `column 2, row 3`.
    #[serde(skip)]
    pub words: String,
    /// The side whose zone it is, or whose piece or entrant has it.
    pub side: Option<usize>,
    /// The piece whose zone it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<usize>,
    /// The entrant whose zone it is, by its key, where it is one of several of a side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entrant: Option<String>,
    /// What players call that piece or entrant.
    #[serde(skip)]
    pub bearer: Option<String>,
    /// Its number on the board.
    #[serde(skip)]
    pub index: u16,
}

/// How a session ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Whether somebody won, and why it ended if nobody did.
    pub result: OutcomeResult,
    /// The sides that won; several share a tie.
    pub winners: Vec<usize>,
    /// The sides' counters at the end, as people read them. Nothing where nobody watches, see [`crate::runtime::Setup::watched`].
    #[serde(serialize_with = "by_side")]
    pub scores: Vec<Vec<(String, String)>>,
    /// What the end is worth to each side; none where the rules do not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payoffs: Option<Vec<Payoff>>,
    /// What the rules said about it. Nothing where nobody watches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// In what way a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeResult {
    /// One side won.
    Win,
    /// Several sides share the win.
    Tie,
    /// The rules ended the match with no winner, or came to their end.
    Nobody,
    /// A seat resigned.
    Abandoned,
    /// A cap of the rules was reached: nobody won.
    Capped,
}

/// What a field or counter is, as programs read it: `3` is a number to them; `36.5` and words stay as people read them.
struct NumberOrWords<'a>(&'a str);

impl Serialize for NumberOrWords<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.parse::<i64>() {
            Ok(number) => serializer.serialize_i64(number),
            Err(_) => serializer.serialize_str(self.0),
        }
    }
}

fn number_or_words<S: Serializer>(words: &str, serializer: S) -> Result<S::Ok, S::Error> {
    NumberOrWords(words).serialize(serializer)
}

/// Counters and fields by name.
pub fn numbers_or_words<S: Serializer>(named: &BTreeMap<String, String>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(named.iter().map(|(name, words)| (name, NumberOrWords(words))))
}

/// The counters of each side, by its number.
fn by_side<S: Serializer>(scores: &[Vec<(String, String)>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(scores.iter().map(|counters| Counters(counters)).enumerate())
}

struct Counters<'a>(&'a [(String, String)]);

impl Serialize for Counters<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, words)| (name, NumberOrWords(words))))
    }
}
