//! What the slots of all rooms may hold.

use crate::veils::ids::Ids;
use crate::{AbilityId, ActionId, FamilyId, HookId, KindId, Slot};

/// Where slots belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Room {
    Procedure(usize),
    Family(FamilyId),
    Hook(HookId),
    Action(ActionId),
    Clause(u16),
    Restriction(usize),
    Ability(AbilityId),
    /// A formula of its own, by the kind of what is in its first slot.
    Formula(KindId),
}

/// What a value may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// It is, or holds, things of these kinds; of a zone, what lies there.
    pub kinds: Ids,
    /// It is a move of one of these.
    pub families: Ids,
    /// It is a zone that is not open to all, or a list of some of which one is not.
    pub closed: bool,
    /// It is a list of zones, or a list of such lists: how many lists stand around the zones.
    pub deep: u8,
    /// It has been worked out from a secret.
    pub secret: bool,
}

impl Found {
    pub fn of_kind(kind: KindId) -> Found {
        Found { kinds: Ids::one(kind), ..Found::default() }
    }

    /// Takes in what else the value may be; tells whether that is new.
    pub fn join(&mut self, other: &Found) -> bool {
        let before = (self.kinds.len(), self.families.len(), self.closed, self.deep, self.secret);
        // What may be a list of zones or one zone counts as the zone, so that this only falls once there is anything.
        self.deep = match (self.kinds.is_empty(), other.kinds.is_empty()) {
            (_, true) => self.deep,
            (true, false) => other.deep,
            (false, false) => self.deep.min(other.deep),
        };
        self.kinds.join(&other.kinds);
        self.families.join(&other.families);
        self.closed |= other.closed;
        self.secret |= other.secret;
        before != (self.kinds.len(), self.families.len(), self.closed, self.deep, self.secret)
    }

    pub fn and(mut self, other: &Found) -> Found {
        self.join(other);
        self
    }

    /// What lies in a zone, or the members of a list.
    pub fn contents(self) -> Found {
        match self.deep {
            0 => Found { secret: self.secret || self.closed, closed: false, ..self },
            // That there is a zone is no secret.
            deep => Found { deep: deep - 1, ..self },
        }
    }

    /// A number or a truth about it.
    pub fn about(self) -> Found {
        Found { secret: self.secret, ..Found::default() }
    }
}

/// By the kind of the room, its number and the slot: looked up more often than anything else.
#[derive(Default)]
pub struct Slots([Vec<Vec<Found>>; 8]);

impl Slots {
    /// Nothing, for what has not been met.
    pub fn get(&self, room: Room, slot: Slot) -> Found {
        let (kind, number) = place(room);
        self.0[kind].get(number).and_then(|slots| slots.get(usize::from(slot))).cloned().unwrap_or_default()
    }

    /// Takes in what a slot may hold; tells whether that is new.
    pub fn join(&mut self, room: Room, slot: Slot, found: &Found) -> bool {
        let (kind, number) = place(room);
        grown(grown(&mut self.0[kind], number), usize::from(slot)).join(found)
    }
}

fn grown<T: Clone + Default>(list: &mut Vec<T>, number: usize) -> &mut T {
    if list.len() <= number {
        list.resize(number + 1, T::default());
    }
    &mut list[number]
}

fn place(room: Room) -> (usize, usize) {
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
