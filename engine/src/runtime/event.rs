//! What happened, in order, each with its cause.

use serde::Serialize;

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    Seat(usize),
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
    pub kind: EventKind,
    /// The side it concerns: whose zone, counter, die or choice it is.
    pub by: Option<usize>,
    pub cause: Cause,
    /// A sentence for people.
    pub text: String,
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
    pub file: String,
    /// From 1; 0 where there is no place.
    pub line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ability: Option<String>,
    /// The side the ability works for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<usize>,
}

/// A piece as an event shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PieceView {
    pub id: usize,
    pub kind: String,
    /// What players call a card, or a die with faces of its own: `d%`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The id of a card's sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
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

/// A change of the state, or a remark on play, with all it takes to make the change again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A die (by its number) shows a value.
    Rolled {
        piece: PieceView,
        value: i32,
    },
    /// Dice that are no pieces show values, in the order they were rolled.
    RolledPool {
        size: i32,
        values: Vec<i32>,
    },
    /// From and to are zones by name and owner: `("nest", Some(0))`, the table's with `None`.
    /// `start`: to the start of the zone rather than its end.
    Moved {
        piece: PieceView,
        from: ZoneName,
        to: ZoneName,
        start: bool,
    },
    /// A counter or field of an entity; `piece` is set if it is a piece's.
    Set {
        name: String,
        value: String,
        raw: i32,
        entity: usize,
        piece: Option<PieceView>,
        /// The entrant whose it is, as keys call it: `otter#2`.
        entrant: Option<String>,
    },
    Marked {
        entity: usize,
        piece: PieceView,
        entrant: Option<String>,
        mark: String,
    },
    Unmarked {
        entity: usize,
        piece: PieceView,
        entrant: Option<String>,
        mark: String,
    },
    /// `cells`: all fields of the new piece.
    Created {
        piece: PieceView,
        kind: u16,
        zone: ZoneName,
        cells: Vec<i32>,
    },
    Removed {
        piece: PieceView,
    },
    /// Pieces were drawn at random.
    Drawn {
        pieces: Vec<PieceView>,
    },
    /// Seats were shown pieces.
    Shown {
        pieces: Vec<PieceView>,
    },
    /// A side has left the game.
    Left {
        side: usize,
    },
    /// `order`: the entities from first to last.
    Shuffled {
        zone: ZoneName,
        order: Vec<usize>,
    },
    Chose {
        key: String,
        decision: u64,
    },
    Used {
        ability: String,
        /// The card that has the ability.
        piece: Option<PieceView>,
    },
    Said,
    Began {
        scope: String,
    },
    Ended {
        scope: String,
    },
    Finished {
        outcome: Outcome,
    },
}

impl EventKind {
    /// What an event of this kind is called where no rule has a name for it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
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
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ZoneName {
    pub zone: String,
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
    pub result: OutcomeResult,
    /// The sides that won; several share a tie.
    pub winners: Vec<usize>,
    /// The sides' counters at the end.
    pub scores: Vec<Vec<(String, String)>>,
    /// What the rules said about it.
    pub text: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeResult {
    Win,
    Tie,
    /// A seat resigned.
    Abandoned,
    /// A cap of the rules was reached: nobody won.
    Capped,
}
