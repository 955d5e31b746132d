//! Loops whose code is being written: jumps whose ends are open, and lists that outlive a round.

use super::{Address, Slot, Tidy};

/// A loop around what is being compiled.
#[derive(Default)]
pub struct OpenLoop {
    /// Jumps to its end, and to its next round.
    pub to_end: Vec<Address>,
    pub to_next: Vec<Address>,
    /// Slots of lists that are set in it and live outside it.
    kept: Vec<Slot>,
    /// A move, or a list of lists, is.
    keeps_all: bool,
    /// Slots from here on belong to the loop.
    first_slot: Slot,
}

impl OpenLoop {
    /// A loop whose own slots begin with this one.
    pub fn new(first_slot: Slot) -> OpenLoop {
        OpenLoop { first_slot, ..OpenLoop::default() }
    }

    /// Notes that a list is put into a slot: what lives on after the loop must not be tidied away with a round. The members
    /// of a flat list are no lists.
    pub fn keep(&mut self, slot: Slot, is_flat: bool) {
        if slot < self.first_slot {
            self.keeps_all |= !is_flat;
            if !self.kept.contains(&slot) {
                self.kept.push(slot);
            }
        }
    }

    /// Which lists go when a round ends.
    pub fn tidy(&self) -> Tidy {
        match () {
            () if self.keeps_all => Tidy::Nothing,
            () if self.kept.is_empty() => Tidy::All,
            () => Tidy::But(self.kept.clone()),
        }
    }

    /// A list that an inner loop keeps, an outer one must keep too if it lives outside both.
    pub fn pass_on(&self, outer: &mut OpenLoop) {
        outer.keeps_all |= self.keeps_all;
        self.kept.iter().for_each(|slot| outer.keep(*slot, true));
    }
}
