//! The state at one moment of play: plain data, whole numbers, cheap to copy.
//!
//! An *entity* is a side, the table, an entrant or a piece. Its fields are *cells*. A *slot* is a variable of a running
//! procedure, in its *frame*. A *serial* is a number that each frame gets when it begins, and so identifies one run of a scope.
//! The *arena* holds all lists; a list is named by its place there. During play, only `effect` changes the board.

mod known;
mod unsettled_order;
mod zones;

use crate::runtime::decision::Choice;
use crate::runtime::limits::{MOST_FIELDS_HELD, MOST_PIECES, MOST_ZONES};
use crate::runtime::numbers::Numbers;
use crate::runtime::payoff::Payoff;
use crate::runtime::random::Generator;
pub use known::Knowledge;
use ludex_program::{Address, CodePlace, KindId, KindSort, NONE, PIECE_OWNER, Program, Value};
use serde::Serialize;
use smallvec::SmallVec;
pub use unsettled_order::Look;
pub use zones::Zones;

/// An index into [`Board::entities`]: sides first, then the table, entrants, pieces.
pub type EntityId = u16;
/// An index into [`Board::zones`].
pub type ZoneId = u16;

/// A few values, stored without an allocation.
pub type Values = SmallVec<[Value; 12]>;

/// No entity, or no zone.
pub const NOWHERE: u16 = u16::MAX;

/// Entities, their values, and their places.
#[derive(Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Board {
    pub entities: Vec<Entity>,
    pub zones: Zones,
    /// The fields and counters of all entities, entity by entity.
    pub cells: Vec<Value>,
    /// Sides that have left the game.
    pub eliminated: Vec<u16>,
    /// The public numbers of pieces.
    pub numbers: Numbers,
}

/// A side, the table, an entrant or a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Entity {
    pub kind: KindId,
    /// Index of its first cell.
    pub cells: u32,
    /// Index of its first zone.
    pub zones: ZoneId,
    /// The zone it is in.
    pub place: ZoneId,
    /// One bit for each mark of the program.
    pub marks: u32,
    /// The side it belongs to, unless it is a piece; a piece's owner is a field.
    pub side: u16,
}

impl Entity {
    /// The zone it is in, or [`NONE`].
    #[inline]
    pub fn zone_id(&self) -> Value {
        if self.place == NOWHERE { NONE } else { Value::from(self.place) }
    }
}

/// The whole state of a session.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct State {
    pub board: Board,
    /// The running frames, the outermost first.
    pub frames: Vec<Frame>,
    /// The slots of all frames, frame by frame.
    pub slots: Vec<Value>,
    /// The arena of lists and chosen moves. A list is stored as its length and its members.
    pub lists: Vec<Value>,
    /// Marks that end by themselves.
    pub lasting: Vec<TimedMark>,
    /// Marks that have an effect while they last.
    pub bearing: Vec<MarkInstance>,
    /// Pieces in hidden places whose identity some seat knows.
    pub known: Knowledge,
    /// The count of each use limit of each ability in play, with the scope run it belongs to.
    pub uses: Vec<UseCount>,
    /// Every use, by the ability in play, with the serial at its time, so that uses of a scope can be restored.
    pub use_log: Vec<(u16, u32)>,
    /// The source of results of chance.
    pub generator: Generator,
    /// The generator of the pieces' public numbers at a shuffle; `None` if pieces keep their numbers.
    pub numbering: Option<Generator>,
    /// Number of runs of procedures so far; each frame has its own.
    pub serial: u32,
    /// Number of decisions so far.
    pub asked: u64,
    /// The question on top has been asked, but not answered.
    pub waiting: bool,
    /// Answers to a group of questions asked at once, sealed until all are given.
    pub sealed: Vec<Option<Choice>>,
    /// Number of events so far.
    pub events: u64,
    /// Number of results of chance used so far that were listed or came from outside.
    pub results: u32,
    pub finished: Option<Finish>,
}

/// The end of play.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Finish {
    pub winners: Vec<u16>,
    /// There is no winner, because a cap of the rules was reached.
    pub capped: bool,
    pub abandoned: bool,
    /// The payoff of each side, including those that are out; `None` if the rules do not define it.
    pub payoffs: Option<Vec<Payoff>>,
}

/// The uses of an ability in play in one run of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct UseCount {
    pub times: i32,
    /// The serial of the scope's run that `times` counts.
    pub serial: u32,
}

/// A mark that ends with a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct TimedMark {
    pub entity: EntityId,
    pub mark: u16,
    pub procedure: u16,
    /// The first parameter the scope must have, or [`NONE`].
    pub of: Value,
    /// The mark ends with a run of the scope whose serial is at least this.
    pub from_serial: u32,
}

/// A mark with fields or parts, on the thing that bears it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct MarkInstance {
    pub entity: EntityId,
    pub mark: u16,
    pub fields: Vec<Value>,
}

/// One running procedure, body of an effect, or window of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Frame {
    pub role: FrameRole,
    /// The instruction to run next.
    pub at: u32,
    /// Index of its first slot.
    pub base: u32,
    /// The length of the list arena when it began.
    pub lists: u32,
    pub serial: u32,
}

impl Frame {
    /// Whether instructions run in it.
    #[inline]
    pub fn runs_instructions(&self) -> bool {
        !matches!(self.role, FrameRole::Window(_))
    }
}

/// No slot for a result.
pub const NO_SLOT: u16 = u16::MAX;

/// The piece of code that a frame runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum FrameRole {
    /// A procedure; `result` is the slot of the frame below that gets its result, or [`NO_SLOT`].
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
    /// The block after each use of an offer; it runs in the slots of the opener.
    AfterUse,
    Window(Window),
}

/// An open hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Window {
    pub hook: u16,
    /// Index of the next listener.
    pub cursor: u16,
    /// The side that is asked first.
    pub first: u16,
    /// Offset of the side asked now from `first`.
    pub turn: u16,
    /// Number of passes in a row.
    pub passes: u16,
    /// The answer that an ability gave, or -1.
    pub answer: i16,
    /// Sides are asked for offers: the clauses that act by themselves, if there are any, have been heard.
    pub offering: bool,
    /// A use has just been made, so the rules' `after each use` is due.
    pub used: bool,
}

impl Clone for Board {
    fn clone(&self) -> Board {
        Board {
            entities: self.entities.clone(),
            zones: self.zones.clone(),
            cells: self.cells.clone(),
            eliminated: self.eliminated.clone(),
            numbers: self.numbers.clone(),
        }
    }

    fn clone_from(&mut self, other: &Board) {
        self.entities.clone_from(&other.entities);
        self.zones.clone_from(&other.zones);
        self.cells.clone_from(&other.cells);
        self.eliminated.clone_from(&other.eliminated);
        self.numbers.clone_from(&other.numbers);
    }
}

impl Board {
    /// The entity with a number, if there is one.
    #[inline]
    pub fn entity(&self, id: Value) -> Option<&Entity> {
        self.entities.get(id as usize)
    }

    /// The value of a field of an entity.
    #[inline]
    pub fn field(&self, entity: Value, field: u16) -> Option<Value> {
        self.cell(self.entities.get(entity as usize)?, field)
    }

    /// A field of an entity, whose record the caller has already looked up.
    #[inline]
    pub fn cell(&self, entity: &Entity, field: u16) -> Option<Value> {
        self.cells.get(entity.cells as usize + usize::from(field)).copied()
    }

    /// The members of a list in a field: the field's cell holds their number, and they are in the cells after it.
    pub fn list_in_field(&self, entity: Value, field: u16) -> &[Value] {
        let Some(entity) = self.entities.get(entity as usize) else { return &[] };
        match self.cells.get(entity.cells as usize + usize::from(field)..) {
            Some([count, members @ ..]) => members.get(..*count as usize).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// Stores a list in a field that has room for `room` members. Unused cells are cleared, so that equal lists have equal cells.
    pub fn put_list(&mut self, entity: Value, field: u16, room: u16, members: &[Value]) {
        let Some(entity) = self.entities.get(entity as usize) else { return };
        let first = entity.cells as usize + usize::from(field);
        if let Some([count, cells @ ..]) = self.cells.get_mut(first..=first + usize::from(room)) {
            *count = members.len() as Value;
            for (place, cell) in cells.iter_mut().enumerate() {
                *cell = members.get(place).copied().unwrap_or(NONE);
            }
        }
    }

    /// A field of an entity, to change it.
    #[inline]
    pub fn field_mut(&mut self, entity: Value, field: u16) -> Option<&mut Value> {
        let entity = self.entities.get(entity as usize)?;
        self.cells.get_mut(entity.cells as usize + field as usize)
    }

    /// The zone with an index among the zones of an entity.
    #[inline]
    pub fn zone_of(&self, entity: Value, zone: u16) -> Option<ZoneId> {
        self.entities.get(entity as usize).map(|entity| entity.zones + zone)
    }

    /// Whether a thing bears a mark.
    #[inline]
    pub fn has_mark(&self, id: Value, mark: u16) -> bool {
        self.entity(id).is_some_and(|entity| entity.marks >> mark & 1 == 1)
    }

    /// The zone that a piece is in, or [`NONE`].
    #[inline]
    pub fn place_of(&self, piece: Value) -> Value {
        self.entities.get(piece as usize).map_or(NONE, Entity::zone_id)
    }

    /// The pieces of a zone, in order.
    #[inline]
    pub fn ordered_pieces(&self, zone: Value) -> &[EntityId] {
        self.zones.ordered_pieces(zone as usize)
    }

    /// The pieces of a zone. Use it only if their order does not matter.
    #[inline]
    pub fn unordered_pieces(&self, zone: Value) -> &[EntityId] {
        self.zones.unordered_pieces(zone as usize)
    }

    /// Number of pieces in a zone.
    #[inline]
    pub fn count_pieces(&self, zone: Value) -> usize {
        self.zones.count_pieces(zone as usize)
    }

    /// Adds an entity of a kind with its cells at their initial values and its zones empty. `side` is the side it belongs to,
    /// unless it is a piece.
    pub fn create_entity(&mut self, program: &Program, kind: KindId, side: u16) -> EntityId {
        let id = self.entities.len() as EntityId;
        let info = program.kind(kind);
        let entity =
            Entity { kind, cells: self.cells.len() as u32, zones: self.zones.len() as ZoneId, place: NOWHERE, marks: 0, side };
        self.entities.push(entity);
        self.cells.extend(info.fields.iter().map(|field| field.initial));
        for index in 0..info.zones.len() {
            self.zones.add_zone(id, index as u16);
        }
        id
    }

    /// Checks whether there is room for one more thing of a kind; the error names the exceeded limit.
    pub fn check_entity_limits(&self, program: &Program, kind: KindId) -> Result<(), &'static str> {
        let info = program.kind(kind);
        match () {
            () if self.entities.len() >= MOST_PIECES => Err("more than 10,000 pieces are in play"),
            () if self.zones.len() + info.zones.len() > MOST_ZONES => Err("the pieces in play have more than 50,000 zones"),
            () if self.cells.len() + info.fields.len() > MOST_FIELDS_HELD => {
                Err("the pieces in play have more than 1,000,000 fields")
            }
            () => Ok(()),
        }
    }

    /// Moves a piece to the end of a zone, its top, or to the start.
    pub fn place_piece(&mut self, piece: EntityId, zone: ZoneId, at_start: bool) {
        let Some(entity) = self.entities.get_mut(piece as usize) else { return };
        let left = std::mem::replace(&mut entity.place, zone);
        self.zones.remove(left, piece);
        match at_start {
            true => self.zones.push_front(zone, piece),
            false => self.zones.push(zone, piece),
        }
    }

    /// Takes a piece out of its zone, so that it is nowhere.
    pub fn take_out(&mut self, piece: EntityId) {
        let Some(entity) = self.entities.get_mut(piece as usize) else { return };
        let left = std::mem::replace(&mut entity.place, NOWHERE);
        self.zones.remove(left, piece);
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

/// The members of the list at a place of the arena.
#[inline]
pub fn members_of(lists: &[Value], at: Value) -> &[Value] {
    match lists.get(at as usize..) {
        Some([length, rest @ ..]) => rest.get(..*length as usize).unwrap_or(&[]),
        _ => &[],
    }
}

impl State {
    /// The empty state.
    pub fn empty() -> State {
        State {
            board: Board::default(),
            frames: Vec::new(),
            slots: Vec::new(),
            lists: Vec::new(),
            lasting: Vec::new(),
            bearing: Vec::new(),
            known: Knowledge::default(),
            uses: Vec::new(),
            use_log: Vec::new(),
            generator: crate::runtime::random::seeded_generator(0),
            numbering: None,
            serial: 0,
            asked: 0,
            waiting: false,
            sealed: Vec::new(),
            events: 0,
            results: 0,
            finished: None,
        }
    }

    /// A list, by its place in the arena.
    #[inline]
    pub fn list_values(&self, at: Value) -> &[Value] {
        members_of(&self.lists, at)
    }

    /// The member of a list at an index from 0; none if the list is shorter.
    #[inline]
    pub fn list_member(&self, at: Value, index: usize) -> Value {
        self.list_values(at).get(index).copied().unwrap_or(NONE)
    }

    /// The places of the running scripts, innermost first.
    pub fn places_in_scripts<'p>(&self, program: &'p Program) -> impl Iterator<Item = &'p CodePlace> {
        let running = (0..self.frames.len()).rev().filter_map(|index| self.current_instruction(index));
        running.filter(|at| program.is_script(*at)).filter_map(|at| program.code_place(at))
    }

    /// The instruction that a frame is at. A frame that opened the one above it has already advanced past the call.
    fn current_instruction(&self, index: usize) -> Option<Address> {
        let frame = self.frames.get(index).filter(|frame| frame.runs_instructions())?;
        let has_called = self
            .frames
            .get(index + 1)
            .is_some_and(|above| matches!(above.role, FrameRole::Procedure { .. } | FrameRole::Move { .. }));
        Some(if has_called { frame.at.saturating_sub(1) } else { frame.at })
    }

    /// Index of the frame of the ability or move that is acting now.
    pub fn acting_frame(&self) -> Option<usize> {
        self.frames.iter().rposition(|frame| matches!(frame.role, FrameRole::Clause { .. } | FrameRole::Move { .. }))
    }

    /// The innermost run of a procedure, if there is one.
    pub fn innermost_run(&self, procedure: u16) -> Option<&Frame> {
        self.frames.iter().rev().find(|frame| matches!(frame.role, FrameRole::Procedure { procedure: p, .. } if p == procedure))
    }

    /// The serial of the innermost run of a scope; 0 if it is not running.
    #[inline]
    pub fn scope_serial(&self, procedure: u16) -> u32 {
        self.innermost_run(procedure).map_or(0, |frame| frame.serial)
    }
}
