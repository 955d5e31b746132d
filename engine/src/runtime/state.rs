//! Everything that is true at one moment of play: plain data, whole numbers, cheap to copy.

use super::random::Generator;
use crate::program::{KindId, KindSort, NONE, PIECE_OWNER, Program, Value};
use serde::{Deserialize, Serialize};

/// An index into [`Board::entities`]: sides first, then the table, entrants, pieces.
pub type EntityId = u16;
/// An index into [`Board::zones`].
pub type ZoneId = u16;

/// No entity, or no zone.
pub const NOWHERE: u16 = u16::MAX;

/// Things, what is counted on them, and where they lie.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Board {
    pub entities: Vec<Entity>,
    pub zones: Vec<Zone>,
    /// The fields and counters of all entities, each entity's in a row.
    pub cells: Vec<Value>,
}

/// A side, the table, an entrant or a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Entity {
    pub kind: KindId,
    /// Where its cells begin.
    pub cells: u32,
    /// Where its zones begin.
    pub zones: ZoneId,
    /// The zone it lies in, and its neighbours there.
    pub place: ZoneId,
    pub next: EntityId,
    pub previous: EntityId,
    /// One bit for each mark of the program.
    pub marks: u32,
    /// The side it belongs to, if it is no piece; a piece's owner is a field.
    pub side: u16,
}

/// An ordered place for pieces: a chain through the entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Zone {
    pub first: EntityId,
    pub last: EntityId,
    pub length: u16,
    /// Whose zone it is.
    pub owner: EntityId,
    /// Which of the owner's zones.
    pub index: u16,
}

/// The whole state of a session.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    pub board: Board,
    pub frames: Vec<Frame>,
    pub slots: Vec<Value>,
    /// Lists and chosen moves; a list is its length and its members.
    pub lists: Vec<Value>,
    /// Marks that end by themselves.
    pub lasting: Vec<Lasting>,
    /// For each use limit of each ability in play: how often, and in which run of the scope.
    pub uses: Vec<UseCount>,
    /// Every use with the serial at its time, so that uses of a scope can be restored.
    pub spent: Vec<(u16, u32)>,
    pub generator: Generator,
    /// Counts runs of procedures; each frame has one of its own.
    pub serial: u32,
    /// Decisions put so far.
    pub asked: u64,
    /// The question on top has been put and not answered.
    pub waiting: bool,
    /// Answers given to a group of questions put at once, sealed until the last is in.
    pub sealed: Vec<Option<Sealed>>,
    /// Events so far.
    pub events: u64,
    /// Results of chance used so far that were listed or came from outside.
    pub results: u32,
    pub finished: Option<Finish>,
}

/// How play ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Finish {
    pub winners: Vec<u16>,
    pub nobody: bool,
    pub abandoned: bool,
    pub text: Option<String>,
}

/// An answer in a form that does not depend on how options are enumerated.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Sealed {
    Option(u64),
    Options(Vec<u64>),
    Number(i64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UseCount {
    pub times: i32,
    /// The serial of the scope's run that `times` counts.
    pub serial: u32,
}

/// A mark that ends with a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Lasting {
    pub entity: EntityId,
    pub mark: u16,
    pub procedure: u16,
    /// The first parameter the scope must have, or [`NONE`].
    pub of: Value,
    /// Ends with a run of the scope that has at least this serial.
    pub from_serial: u32,
}

/// One running procedure, body of an effect, or window of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Frame {
    pub role: FrameRole,
    /// The instruction to run next.
    pub at: u32,
    /// Where its slots begin.
    pub base: u32,
    /// How long the lists were when it began.
    pub lists: u32,
    pub serial: u32,
}

/// No slot to put a result in.
pub const NO_SLOT: u16 = u16::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FrameRole {
    Procedure {
        procedure: u16,
        result: u16,
    },
    /// The `do` of a move; `instance` is the ability that granted it, or [`NOWHERE`].
    Move {
        instance: u16,
    },
    /// The `do` of an ability's clause.
    Clause {
        instance: u16,
    },
    /// The block after each use of an offer, in the slots of the opener.
    AfterUse,
    Window(Window),
}

/// A hook that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Window {
    pub hook: u16,
    /// The next listener to hear of it.
    pub cursor: u16,
    /// The side that is asked first.
    pub first: u16,
    /// How many places after `first` the side stands that is asked now.
    pub turn: u16,
    /// How many in a row have passed.
    pub passes: u16,
    /// The answer an ability gave, or -1.
    pub answer: i16,
    pub offering: bool,
    /// A use has just been made: the rules' `after each use` is due.
    pub used: bool,
}

impl Board {
    #[inline]
    pub fn entity(&self, id: EntityId) -> Option<&Entity> {
        self.entities.get(id as usize)
    }

    #[inline]
    pub fn field(&self, entity: Value, field: u16) -> Option<Value> {
        let entity = self.entities.get(entity as usize)?;
        self.cells.get(entity.cells as usize + field as usize).copied()
    }

    #[inline]
    pub fn field_mut(&mut self, entity: Value, field: u16) -> Option<&mut Value> {
        let entity = self.entities.get(entity as usize)?;
        self.cells.get_mut(entity.cells as usize + field as usize)
    }

    #[inline]
    pub fn zone_of(&self, entity: Value, zone: u16) -> Option<ZoneId> {
        self.entities.get(entity as usize).map(|entity| entity.zones + zone)
    }

    #[inline]
    pub fn zone(&self, zone: Value) -> Option<&Zone> {
        self.zones.get(zone as usize)
    }

    /// The pieces of a zone, in order.
    pub fn pieces(&self, zone: Value) -> Pieces<'_> {
        Pieces { board: self, next: self.zone(zone).map_or(NOWHERE, |zone| zone.first) }
    }

    /// Adds an entity of a kind with its cells at their initial values and its zones empty.
    pub fn add(&mut self, program: &Program, kind: KindId, side: u16) -> EntityId {
        let id = self.entities.len() as EntityId;
        let info = program.kind(kind);
        let entity = Entity {
            kind,
            cells: self.cells.len() as u32,
            zones: self.zones.len() as ZoneId,
            place: NOWHERE,
            next: NOWHERE,
            previous: NOWHERE,
            marks: 0,
            side,
        };
        self.entities.push(entity);
        self.cells.extend(info.fields.iter().map(|field| field.initial));
        for index in 0..info.zones.len() {
            self.zones.push(Zone { first: NOWHERE, last: NOWHERE, length: 0, owner: id, index: index as u16 });
        }
        id
    }

    /// Puts a piece at the end (or the start) of a zone, out of the one it lies in.
    #[inline]
    pub fn place(&mut self, piece: EntityId, zone: ZoneId, at_start: bool) {
        self.take_out(piece);
        let Some(target) = self.zones.get_mut(zone as usize) else { return };
        let neighbour = if at_start { target.first } else { target.last };
        if at_start {
            target.first = piece;
        } else {
            target.last = piece;
        }
        if neighbour == NOWHERE {
            target.first = piece;
            target.last = piece;
        }
        target.length += 1;
        if let Some(other) = self.entities.get_mut(neighbour as usize) {
            if at_start {
                other.previous = piece;
            } else {
                other.next = piece;
            }
        }
        if let Some(entity) = self.entities.get_mut(piece as usize) {
            entity.place = zone;
            (entity.previous, entity.next) = if at_start { (NOWHERE, neighbour) } else { (neighbour, NOWHERE) };
        }
    }

    /// Takes a piece out of the zone it lies in, to lie nowhere.
    #[inline]
    pub fn take_out(&mut self, piece: EntityId) {
        let Some(&Entity { place, next, previous, .. }) = self.entities.get(piece as usize) else { return };
        let Some(zone) = self.zones.get_mut(place as usize) else { return };
        zone.length -= 1;
        if zone.first == piece {
            zone.first = next;
        }
        if zone.last == piece {
            zone.last = previous;
        }
        if let Some(other) = self.entities.get_mut(next as usize) {
            other.previous = previous;
        }
        if let Some(other) = self.entities.get_mut(previous as usize) {
            other.next = next;
        }
        if let Some(entity) = self.entities.get_mut(piece as usize) {
            entity.place = NOWHERE;
            entity.next = NOWHERE;
            entity.previous = NOWHERE;
        }
    }

    /// The side an entity belongs to, or [`NONE`].
    pub fn side_of(&self, program: &Program, entity: Value) -> Value {
        let Some(found) = self.entities.get(entity as usize) else { return NONE };
        match program.kind(found.kind).sort {
            KindSort::Piece => self.field(entity, PIECE_OWNER).unwrap_or(NONE),
            KindSort::Side => entity,
            KindSort::Entrant => found.side as Value,
            KindSort::Table => NONE,
        }
    }
}

/// Walks a zone.
pub struct Pieces<'a> {
    board: &'a Board,
    next: EntityId,
}

impl Iterator for Pieces<'_> {
    type Item = EntityId;

    #[inline]
    fn next(&mut self) -> Option<EntityId> {
        let id = self.next;
        self.next = self.board.entities.get(id as usize)?.next;
        Some(id)
    }
}

impl State {
    /// Nothing at all.
    pub fn empty() -> State {
        State {
            board: Board::default(),
            frames: Vec::new(),
            slots: Vec::new(),
            lists: Vec::new(),
            lasting: Vec::new(),
            uses: Vec::new(),
            spent: Vec::new(),
            generator: super::random::generator(0),
            serial: 0,
            asked: 0,
            waiting: false,
            sealed: Vec::new(),
            events: 0,
            results: 0,
            finished: None,
        }
    }

    /// A list by its place in the arena.
    #[inline]
    pub fn list(&self, at: Value) -> &[Value] {
        let at = at as usize;
        match self.lists.get(at) {
            Some(&length) => self.lists.get(at + 1..at + 1 + length as usize).unwrap_or(&[]),
            None => &[],
        }
    }

    /// The innermost run of a procedure, if it is running.
    pub fn running(&self, procedure: u16) -> Option<&Frame> {
        self.frames.iter().rev().find(|frame| matches!(frame.role, FrameRole::Procedure { procedure: p, .. } if p == procedure))
    }

    /// The serial of the innermost run of a scope; 0 if it is not running.
    #[inline]
    pub fn scope_serial(&self, procedure: u16) -> u32 {
        self.running(procedure).map_or(0, |frame| frame.serial)
    }
}
