//! Keys of states: states that are equal for all that follows have the same key.
//!
//! A *key* is the bytes of everything that is read later. `whole_states` and `best::graph` use keys to number the states of whole
//! machines. A part that may matter is written even if it does not: then fewer states are equal, and the odds are still right.

use crate::odds::slots::{LiveSlots, Memories, SlotContent};
use crate::runtime::dice::RandomKind;
use crate::runtime::flow::{Game, Machine};
use crate::runtime::numbers::Numbers;
use crate::runtime::state::{Board, Entity, Frame, FrameRole, NO_SLOT, State, TimedMark, UseCount, Window};
use ludex_program::{Address, DIE_VALUE, Instruction, NONE, ProcedureId, Program, Slot, Value};
use serde::Serialize;

/// The relevant part of a state. States with the same key continue alike.
pub type Key = Box<[u8]>;

/// Makes keys for the states of one program.
pub struct KeyMaker {
    memories: Memories,
    /// The board before play, which mostly stays the same.
    start: Board,
    /// Number of outer frames that only wait for the value.
    outer: usize,
    /// The index of the first piece among all entities.
    first_piece: usize,
}

/// Writes numbers in a row, with short ones in few bytes.
#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    /// Writes a number; one near 0 takes a single byte.
    fn push(&mut self, value: Value) {
        let mut rest = ((value << 1) ^ (value >> 31)).cast_unsigned();
        while rest >= 0x80 {
            self.0.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.0.push(rest as u8);
    }

    /// Writes several numbers.
    fn extend(&mut self, values: impl IntoIterator<Item = Value>) {
        values.into_iter().for_each(|value| self.push(value));
    }

    /// Writes a list after its length, so that what follows cannot be mistaken for a part of it.
    fn push_list<T: Copy + Into<Value>>(&mut self, values: &[T]) {
        self.push(values.len() as Value);
        self.extend(values.iter().map(|value| (*value).into()));
    }

    /// Writes a rarely used part as text.
    fn push_rare(&mut self, is_empty: bool, value: &impl Serialize) {
        let text = if is_empty { Vec::new() } else { serde_json::to_vec(value).unwrap_or_default() };
        self.push(text.len() as Value);
        self.0.extend(text);
    }
}

impl KeyMaker {
    /// Makes keys for a game whose board was `start` before play. The `outer` first frames only wait for the value, and are left
    /// out.
    pub fn new(game: &Game, start: Board, outer: usize) -> KeyMaker {
        KeyMaker { memories: Memories::default(), start, outer, first_piece: usize::from(game.roster.first_piece) }
    }

    /// The slots of a procedure that are read after an address.
    pub fn memory_at(&mut self, program: &Program, procedure: ProcedureId, at: Address) -> &LiveSlots {
        self.memories.memory_at(program, procedure, at)
    }

    /// The key of a state that waits for results of chance or for an answer.
    pub fn state_key(&mut self, program: &Program, machine: &Machine) -> Key {
        let state = &machine.state;
        let mut key = Writer(Vec::with_capacity(64));
        // Every part of a state is named here, so that a new one requires a decision.
        let State {
            board: now,
            frames,
            slots,
            lists,
            lasting,
            bearing,
            known,
            uses,
            use_log,
            serial,
            waiting,
            sealed,
            // Results come from outside, and their number is never read.
            generator: _,
            numbering: _,
            asked: _,
            events: _,
            results: _,
            // The match is not over.
            finished: _,
        } = state;
        // Set if the content of a slot is not known to be comparable: then all slots and lists are written.
        let mut whole = false;
        key.push(frames.len() as Value);
        let top = frames.last().map_or(0, |frame| frame.serial);
        for frame in frames.iter().skip(self.outer) {
            key.push(frame.at as Value);
            // The number and size of the dice are known, so the values they were computed from do not matter.
            let dice = machine.request.as_ref().filter(|_| frame.serial == top && is_pool(program, frame.at));
            if let Some(dice) = dice {
                key.extend([dice.draws.len() as Value, dice.draws.first().map_or(0, |draw| draw.size as Value)]);
            }
            whole |= !self.push_frame_key(program, state, frame, dice.is_some(), &mut key);
        }
        key.push(Value::from(whole));
        if whole {
            key.push_list(slots);
            key.push_list(lists);
            key.extend(frames.iter().flat_map(|frame| [frame.base as Value, frame.lists as Value]));
        }
        key.push(Value::from(*waiting));
        key.push_rare(sealed.is_empty(), sealed);
        key.push_rare(known.is_empty(), known);
        key.push_rare(bearing.is_empty(), bearing);
        push_counts_key(state, (lasting, uses, use_log, *serial), &mut key);
        let is_changed = *now != self.start;
        key.push(Value::from(is_changed));
        if is_changed {
            push_board_key(now, &self.thrown_pieces(machine), &mut key);
        }
        key.0.into()
    }

    /// The indexes of the dice that are being rolled. Their previous results are not read again.
    fn thrown_pieces(&self, machine: &Machine) -> Vec<usize> {
        let request = machine.request.as_ref().filter(|request| request.kind == RandomKind::Roll);
        let has_own_numbers = machine.state.board.numbers == Numbers::default();
        let pieces = request.into_iter().flat_map(|request| &request.draws).filter_map(|draw| draw.piece);
        pieces.filter(|_| has_own_numbers).map(|piece| self.first_piece + piece).collect()
    }

    /// Adds the relevant part of a frame. `throws` says that it waits for dice that are not pieces. Returns false if all slots
    /// and lists matter.
    fn push_frame_key(&mut self, program: &Program, state: &State, frame: &Frame, throws: bool, key: &mut Writer) -> bool {
        match frame.role {
            FrameRole::Procedure { procedure, result } => {
                key.extend([0, Value::from(procedure), Value::from(result)]);
                let memory = match throws {
                    true => self.memories.memory_at_throw(program, procedure, frame.at),
                    false => self.memories.memory_at(program, procedure, frame.at),
                };
                let LiveSlots::Slots(slots) = memory else { return false };
                let mut sure = true;
                // The slot's content is replaced by the result that the frame waits for.
                let result = awaited_slot(state, frame);
                for (slot, holds) in slots.iter().filter(|(slot, _)| Some(*slot) != result) {
                    sure &= push_slot_key(state, frame, *slot, *holds, key);
                }
                sure
            }
            FrameRole::Move { instance } => {
                key.extend([1, Value::from(instance)]);
                false
            }
            FrameRole::Clause { instance } => {
                key.extend([2, Value::from(instance)]);
                false
            }
            FrameRole::AfterUse => {
                key.push(3);
                false
            }
            FrameRole::Window(window) => {
                let Window { hook, cursor, first, turn, passes, answer, offering, used } = window;
                key.push(4);
                key.extend([hook, cursor, first, turn, passes].map(Value::from));
                key.extend([Value::from(answer), Value::from(offering), Value::from(used)]);
                false
            }
        }
    }
}

/// Whether dice that are not pieces are rolled at an address.
fn is_pool(program: &Program, at: u32) -> bool {
    matches!(program.code.get(at as usize), Some(Instruction::RollPool { .. }))
}

/// The slot for the result that a frame waits for, if a procedure that it has called is running.
fn awaited_slot(state: &State, frame: &Frame) -> Option<Slot> {
    let next = state.frames.iter().skip_while(|other| other.serial != frame.serial).nth(1)?;
    match next.role {
        FrameRole::Procedure { result, .. } => Some(result).filter(|result| *result != NO_SLOT),
        _ => None,
    }
}

/// Adds the content of a slot of a frame. Returns false if it cannot be determined without the whole arena.
fn push_slot_key(state: &State, frame: &Frame, slot: Slot, holds: SlotContent, key: &mut Writer) -> bool {
    let value = state.slots.get(frame.base as usize + usize::from(slot)).copied().unwrap_or(NONE);
    match holds {
        SlotContent::Plain => key.push(value),
        SlotContent::List if value == NONE => key.push(-1),
        SlotContent::List => {
            key.push_list(state.list_values(value));
        }
        SlotContent::Length => {}
        SlotContent::Anything if value == NONE => key.push(value),
        SlotContent::Anything => {
            key.push(value);
            return false;
        }
    }
    true
}

/// The data about uses: marks that expire, use counts, uses taken back, and the serial number of runs.
type Counts<'s> = (&'s [TimedMark], &'s [UseCount], &'s [(u16, u32)], u32);

/// Adds marks that expire, uses of abilities, and the serial numbers of runs, which only these two read. A *serial* identifies
/// one run of a frame.
fn push_counts_key(state: &State, (lasting, uses, use_log, serial): Counts, key: &mut Writer) {
    key.extend([lasting.len() as Value, use_log.len() as Value]);
    let used = uses.iter().any(|count| count.times != 0);
    key.push(Value::from(used));
    if !used && lasting.is_empty() && use_log.is_empty() {
        return;
    }
    for TimedMark { entity, mark, procedure, of, from_serial } in lasting {
        key.extend([*entity, *mark, *procedure].map(Value::from));
        key.extend([*of, *from_serial as Value]);
    }
    key.extend(use_log.iter().flat_map(|(instance, serial)| [Value::from(*instance), *serial as Value]));
    key.extend(uses.iter().flat_map(|count| [count.times, count.serial as Value]));
    key.extend(state.frames.iter().map(|frame| frame.serial as Value));
    key.push(serial as Value);
}

/// Adds the board. `thrown` are the dice that are being rolled: they matter, but not their values.
fn push_board_key(board: &Board, thrown: &[usize], key: &mut Writer) {
    let Board { entities, zones, cells, eliminated, numbers } = board;
    key.push(entities.len() as Value);
    for Entity { kind, place, marks, side, cells, zones } in entities {
        key.extend([*kind, *place, *side, *zones].map(Value::from));
        key.extend([marks.cast_signed(), cells.cast_signed()]);
    }
    key.push(thrown.len() as Value);
    key.extend(thrown.iter().map(|die| *die as Value));
    let mut cells = cells.clone();
    for die in thrown.iter().filter_map(|die| entities.get(*die)) {
        if let Some(cell) = cells.get_mut(die.cells as usize + usize::from(DIE_VALUE)) {
            *cell = 0;
        }
    }
    key.push_list(&cells);
    for zone in 0..zones.len() {
        let pieces = zones.unordered_pieces(zone);
        // Each order of these is equally likely.
        let undealt = zones.undealt_count(zone);
        key.push(undealt as Value);
        let mut pieces = pieces.to_vec();
        pieces[..undealt].sort_unstable();
        key.push_list(&pieces);
    }
    key.push_list(eliminated);
    key.push_rare(*numbers == Numbers::default(), numbers);
}
