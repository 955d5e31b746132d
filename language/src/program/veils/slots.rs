//! What the slots of all rooms may hold.

use super::{Found, Room};
use crate::program::Slot;

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
