//! States that are equal for all that follows are one.

use crate::odds::slots::{Holds, Memories, Memory};
use crate::program::{Instruction, NONE, Program, Slot, Value};
use crate::runtime::flow::Machine;
use crate::runtime::state::{Board, Frame, FrameRole, NO_SLOT, State};

/// What of a state matters: two with the same key go on alike.
pub type Key = Box<[Value]>;

/// Makes keys for the states of one program.
pub struct Keys {
    memories: Memories,
    /// The board before play, which mostly stays as it is.
    start: Board,
}

impl Keys {
    pub fn new(start: Board) -> Keys {
        Keys { memories: Memories::default(), start }
    }

    /// The key of a state that waits for dice.
    pub fn of(&mut self, program: &Program, machine: &Machine) -> Key {
        let state = &machine.state;
        let mut key = Vec::with_capacity(32);
        let mut whole = false;
        key.push(state.frames.len() as Value);
        let top = state.frames.last().map_or(0, |frame| frame.serial);
        // The outermost only waits for the value.
        for frame in state.frames.iter().skip(1) {
            key.push(frame.at as Value);
            // The dice that are thrown say all that their number and size were worked out from.
            let dice = machine.request.as_ref().filter(|_| frame.serial == top && is_pool(program, frame.at));
            if let Some(dice) = dice {
                key.extend([dice.draws.len() as Value, dice.draws.first().map_or(0, |draw| draw.size as Value)]);
            }
            whole |= !self.frame(program, state, frame, dice.is_some(), &mut key);
        }
        key.push(Value::from(whole));
        if whole {
            key.push(state.slots.len() as Value);
            key.extend(&state.slots);
            key.push(state.lists.len() as Value);
            key.extend(&state.lists);
            key.extend(state.frames.iter().flat_map(|frame| [frame.base as Value, frame.lists as Value]));
        }
        counts(state, &mut key);
        if state.board != self.start {
            board(&state.board, &mut key);
        }
        key.into()
    }

    /// Adds what matters of a frame. False if all slots and lists matter.
    fn frame(&mut self, program: &Program, state: &State, frame: &Frame, throws: bool, key: &mut Vec<Value>) -> bool {
        match frame.role {
            FrameRole::Procedure { procedure, result } => {
                key.extend([0, Value::from(procedure), Value::from(result)]);
                let memory = match throws {
                    true => self.memories.thrown(program, procedure, frame.at),
                    false => self.memories.at(program, procedure, frame.at),
                };
                let Memory::Slots(slots) = memory else { return false };
                let mut sure = true;
                // What it waits for takes the place of what is there.
                let result = waiting(state, frame);
                for (slot, holds) in slots.iter().filter(|(slot, _)| Some(*slot) != result) {
                    sure &= slot_key(state, frame, *slot, *holds, key);
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
                let places = [window.hook, window.cursor, window.first, window.turn, window.passes].map(Value::from);
                key.push(4);
                key.extend(places);
                key.extend([Value::from(window.answer), Value::from(window.offering), Value::from(window.used)]);
                false
            }
        }
    }
}

fn is_pool(program: &Program, at: u32) -> bool {
    matches!(program.code.get(at as usize), Some(Instruction::RollPool { .. }))
}

/// The slot that gets what a frame waits for.
fn waiting(state: &State, frame: &Frame) -> Option<Slot> {
    let next = state.frames.iter().skip_while(|other| other.serial != frame.serial).nth(1)?;
    match next.role {
        FrameRole::Procedure { result, .. } => Some(result).filter(|result| *result != NO_SLOT),
        _ => None,
    }
}

/// Adds what stands in a slot. False if that cannot be told without the whole arena.
fn slot_key(state: &State, frame: &Frame, slot: Slot, holds: Holds, key: &mut Vec<Value>) -> bool {
    let value = state.slots.get(frame.base as usize + usize::from(slot)).copied().unwrap_or(NONE);
    match holds {
        Holds::Plain => key.push(value),
        Holds::List if value == NONE => key.push(-1),
        Holds::List => {
            let members = state.list(value);
            key.push(members.len() as Value);
            key.extend(members);
        }
        Holds::Length => {}
        Holds::Anything if value == NONE => key.push(value),
        Holds::Anything => {
            key.push(value);
            return false;
        }
    }
    true
}

/// Marks that end by themselves, uses of abilities, and the numbers of runs, which only these look at.
fn counts(state: &State, key: &mut Vec<Value>) {
    key.extend([state.lasting.len() as Value, state.use_log.len() as Value]);
    let used = state.uses.iter().any(|count| count.times != 0);
    key.push(Value::from(used));
    if !used && state.lasting.is_empty() && state.use_log.is_empty() {
        return;
    }
    for lasting in &state.lasting {
        key.extend([lasting.entity, lasting.mark, lasting.procedure].map(Value::from));
        key.extend([lasting.of, lasting.from_serial as Value]);
    }
    key.extend(state.use_log.iter().flat_map(|(instance, serial)| [Value::from(*instance), *serial as Value]));
    key.extend(state.uses.iter().flat_map(|count| [count.times, count.serial as Value]));
    key.extend(state.frames.iter().map(|frame| frame.serial as Value));
    key.push(state.serial as Value);
}

fn board(board: &Board, key: &mut Vec<Value>) {
    key.push(board.entities.len() as Value);
    for entity in &board.entities {
        let places = [entity.kind, entity.place, entity.side].map(Value::from);
        key.extend(places);
        key.extend([entity.marks as Value, entity.cells as Value]);
    }
    key.extend(&board.cells);
    for (.., pieces) in board.zones.iter() {
        key.push(pieces.len() as Value);
        key.extend(pieces.iter().map(|piece| Value::from(*piece)));
    }
}
