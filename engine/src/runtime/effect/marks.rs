//! Marks: putting them on, taking them off, and the effects of those with fields or parts.
//!
//! `State::lasting` holds the marks that end by themselves, and `State::bearing` those that are *live*: marks with fields,
//! modifiers or restrictions. An entity has one bit for each mark, whether it is in these lists or not. `given` are values for
//! fields of a mark, by index.

use crate::runtime::context::Context;
use crate::runtime::effect::Effects;
use crate::runtime::event::{Bearer, EventKind};
use crate::runtime::limits::MOST_MARKS_HELD;
use crate::runtime::state::{EntityId, MarkInstance, TimedMark, Values};
use ludex_program::{NONE, UntilCode, Value};

/// A pseudo-scope: the mark ends when its bearer leaves its zone.
pub const LEAVES: u16 = u16::MAX;

/// The duration of a mark.
#[derive(Clone, Copy)]
pub struct MarkDuration<'c> {
    /// The scope with which it ends, if any.
    pub until: Option<&'c UntilCode>,
    /// The side that the scope's first parameter must be, or [`NONE`].
    pub of: Value,
    /// It ends when its bearer moves to another zone.
    pub leaves: bool,
}

/// A change of a mark.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    On,
    Off,
    /// Its time is over.
    Over,
}

impl Effects {
    /// Puts a mark on a thing for a time, and announces it. If the thing has it already, its time and fields are replaced.
    pub fn put_mark(&mut self, context: &Context, entity: Value, mark: u16, lasts: MarkDuration, given: &[(u16, Value)]) {
        if !self.spend_on_changes(1) {
            return;
        }
        let Some(found) = self.board_mut().entities.get_mut(entity as usize) else {
            self.raise("there is nothing to put the mark on");
            return;
        };
        found.marks |= 1 << mark;
        self.drop_mark_entries(entity, mark);
        if let Some(until) = lasts.until {
            // `this` ends with the current run; `next` with one that has not begun.
            let from_serial = if until.next { self.state.serial + 1 } else { 0 };
            let (procedure, of) = (until.procedure, lasts.of);
            self.state.lasting.push(TimedMark { entity: entity as EntityId, mark, procedure, of, from_serial });
        }
        if lasts.leaves {
            self.state.lasting.push(TimedMark { entity: entity as EntityId, mark, procedure: LEAVES, of: NONE, from_serial: 0 });
        }
        if context.program.marks[mark as usize].is_live() {
            self.start_mark_effect(context, entity, mark, given);
        }
        if self.state.lasting.len() + self.state.bearing.len() > MOST_MARKS_HELD {
            self.raise_as(ludex_syntax::codes::PIECE_LIMIT, "more than 20,000 marks last or have an effect at a time");
            return;
        }
        self.announce_mark(context, entity, mark, Change::On);
    }

    /// The bearer of a mark, if it is not a piece: an entrant by its key, a side by its number.
    fn bearer_key(&self, context: &Context, entity: Value) -> Option<String> {
        let side = usize::try_from(entity).ok().filter(|side| *side < context.roster.sides);
        self.entrant_key(context, entity).or_else(|| side.map(|side| format!("side {side}")))
    }

    /// Records a mark that has an effect, with its fields.
    pub fn start_mark_effect(&mut self, context: &Context, entity: Value, mark: u16, given: &[(u16, Value)]) {
        let mut fields = Values::new();
        for (index, field) in context.program.marks[mark as usize].fields.iter().enumerate() {
            let stated = given.iter().find(|(known, _)| usize::from(*known) == index).map(|(_, value)| *value);
            fields.push(match (stated, &field.default) {
                (Some(value), _) => value,
                (None, Some(default)) => self.evaluate_separately(context, &default.expr, default.slots, &[entity]),
                (None, None) => {
                    let message = format!("the mark needs a value for `{}`", field.name);
                    self.raise(&message)
                }
            });
        }
        self.state.bearing.push(MarkInstance { entity: entity as EntityId, mark, fields: fields.to_vec() });
    }

    /// Drops the time and the effect of a mark on a thing.
    fn drop_mark_entries(&mut self, entity: Value, mark: u16) {
        let work = self.state.lasting.len() + self.state.bearing.len();
        self.meter.add_work(work as u64);
        let other = |borne: u16, found: u16| (Value::from(borne), found) != (entity, mark);
        self.state.lasting.retain(|lasting| other(lasting.entity, lasting.mark));
        if !self.state.bearing.is_empty() {
            self.state.bearing.retain(|bearing| other(bearing.entity, bearing.mark));
        }
    }

    /// Takes a mark off because the rules say so, or because its bearer has moved.
    pub fn remove_mark(&mut self, context: &Context, entity: Value, mark: u16) {
        self.take_off_mark(context, entity, mark, Change::Off);
    }

    /// Ends a mark whose time is over.
    pub fn end_mark(&mut self, context: &Context, entity: Value, mark: u16) {
        self.take_off_mark(context, entity, mark, Change::Over);
    }

    /// Takes a mark off, if the thing has it, and announces that as `change` says.
    fn take_off_mark(&mut self, context: &Context, entity: Value, mark: u16, change: Change) {
        if !self.has_mark(entity, mark) || !self.spend_on_changes(1) {
            return;
        }
        if let Some(found) = self.board_mut().entities.get_mut(entity as usize) {
            found.marks &= !(1 << mark);
        }
        self.drop_mark_entries(entity, mark);
        self.announce_mark(context, entity, mark, change);
    }

    /// Announces that a mark has been put on or taken off. Players get no text for a mark without one (which is internal to the
    /// rules), for an untold mark, or for one that was known to end now.
    fn announce_mark(&mut self, context: &Context, bearer: Value, mark: u16, change: Change) {
        if !self.announces_fully() {
            return;
        }
        let info = &context.program.marks[mark as usize];
        let text = match change {
            _ if info.text.is_empty() || info.untold => None,
            Change::On => Some(format!("{} {}", self.describe_piece(context, bearer), info.text)),
            Change::Off => Some(format!("{} is no longer {}", self.describe_piece(context, bearer), info.name.replace('_', " "))),
            Change::Over => None,
        };
        let (entity, mark) = (bearer as usize, info.name.clone());
        let named = match self.bearer_key(context, bearer) {
            Some(entrant) => Bearer::Entrant { entrant },
            None => Bearer::Piece { piece: self.piece_view(context, bearer) },
        };
        let kind = match change {
            Change::On => EventKind::Marked { entity, bearer: named, mark },
            Change::Off | Change::Over => EventKind::Unmarked { entity, bearer: named, mark },
        };
        self.announce(context, kind, self.owner_side(context, bearer), text);
    }

    /// Ends the marks that last until the piece leaves its zone.
    pub fn end_marks_of_place(&mut self, context: &Context, piece: Value) {
        let work = self.state.lasting.len() as u64;
        self.meter.add_work(work);
        let ends = |lasting: &&TimedMark| lasting.procedure == LEAVES && Value::from(lasting.entity) == piece;
        let ended: Vec<TimedMark> = self.state.lasting.iter().filter(ends).copied().collect();
        for lasting in ended {
            self.remove_mark(context, piece, lasting.mark);
        }
    }

    /// Drops the times and effects of the marks on a thing that has left the game. The marks themselves stay, and nothing is
    /// announced.
    pub fn drop_mark_entries_of(&mut self, piece: Value) {
        let work = self.state.lasting.len() + self.state.bearing.len();
        self.meter.add_work(work as u64);
        self.state.bearing.retain(|bearing| Value::from(bearing.entity) != piece);
        self.state.lasting.retain(|lasting| Value::from(lasting.entity) != piece);
    }
}
