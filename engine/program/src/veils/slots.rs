//! The possible contents of the slots of all rooms.

use crate::veils::ids::Ids;
use crate::{AbilityId, ActionId, FamilyId, HookId, KindId, Slot};

/// A unit of code with its own slots. A hook, family or ability has no code, but formulas and conditions whose first slots
/// hold its parameters or owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Room {
    Procedure(usize),
    Family(FamilyId),
    Hook(HookId),
    Action(ActionId),
    Clause(u16),
    Restriction(usize),
    Ability(AbilityId),
    /// A separate formula, by the kind of the thing in its first slot.
    Formula(KindId),
}

/// The possible values of an expression or a slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PossibleValues {
    /// The kinds of the things it is or holds. For a zone, the kinds of its pieces.
    pub kinds: Ids,
    /// The families of the moves it may be.
    pub families: Ids,
    /// A zone that is not open to all, or a list with such a zone.
    pub closed: bool,
    /// The nesting depth of a list of zones; 0 for a zone or anything else.
    pub deep: u8,
    /// It was computed from a secret.
    pub secret: bool,
}

impl PossibleValues {
    /// Any thing of a kind.
    pub fn from_kind(kind: KindId) -> PossibleValues {
        PossibleValues { kinds: Ids::from_id(kind), ..PossibleValues::default() }
    }

    /// Joins another set of possible values. Returns true if this one grew.
    pub fn add_values(&mut self, other: &PossibleValues) -> bool {
        let before = (self.kinds.len(), self.families.len(), self.closed, self.deep, self.secret);
        // A value that may be a list of zones or a zone counts as a zone. So the depth only falls once it is set.
        self.deep = match (self.kinds.is_empty(), other.kinds.is_empty()) {
            (_, true) => self.deep,
            (true, false) => other.deep,
            (false, false) => self.deep.min(other.deep),
        };
        self.kinds.add_ids(&other.kinds);
        self.families.add_ids(&other.families);
        self.closed |= other.closed;
        self.secret |= other.secret;
        before != (self.kinds.len(), self.families.len(), self.closed, self.deep, self.secret)
    }

    /// Returns both sets of possible values joined.
    pub fn union_with(mut self, other: &PossibleValues) -> PossibleValues {
        self.add_values(other);
        self
    }

    /// The pieces of a zone, or the members of a list.
    pub fn content_values(self) -> PossibleValues {
        match self.deep {
            0 => PossibleValues { secret: self.secret || self.closed, closed: false, ..self },
            // The existence of a zone is no secret.
            deep => PossibleValues { deep: deep - 1, ..self },
        }
    }

    /// A number or flag derived from it.
    pub fn derived_value(self) -> PossibleValues {
        PossibleValues { secret: self.secret, ..PossibleValues::default() }
    }
}

/// By the sort of the room, its number and the slot, for the fastest lookup.
#[derive(Default)]
pub struct RoomSlots([Vec<Vec<PossibleValues>>; 8]);

impl RoomSlots {
    /// The possible contents of a slot; empty for an unknown one.
    pub fn get(&self, room: Room, slot: Slot) -> PossibleValues {
        let (kind, number) = room_index(room);
        self.0[kind].get(number).and_then(|slots| slots.get(usize::from(slot))).cloned().unwrap_or_default()
    }

    /// Joins possible contents into a slot. Returns true if it grew.
    pub fn add_to_slot(&mut self, room: Room, slot: Slot, found: &PossibleValues) -> bool {
        let (kind, number) = room_index(room);
        grow_to(grow_to(&mut self.0[kind], number), usize::from(slot)).add_values(found)
    }
}

/// The member at an index; the list grows up to it.
fn grow_to<T: Clone + Default>(list: &mut Vec<T>, number: usize) -> &mut T {
    if list.len() <= number {
        list.resize(number + 1, T::default());
    }
    &mut list[number]
}

/// The sort of a room, as an index into [`RoomSlots`], and its number within the sort.
fn room_index(room: Room) -> (usize, usize) {
    match room {
        Room::Procedure(number) => (0, number),
        Room::Family(number) => (1, usize::from(number)),
        Room::Hook(number) => (2, usize::from(number)),
        Room::Action(number) => (3, usize::from(number)),
        Room::Clause(number) => (4, usize::from(number)),
        Room::Restriction(number) => (5, number),
        Room::Ability(number) => (6, number as usize),
        Room::Formula(number) => (7, usize::from(number)),
    }
}
