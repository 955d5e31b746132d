//! Loops under construction: jumps without a target yet, and lists that outlive a round. The compilers of rules and of
//! scripts keep one [`OpenLoop`] for each loop around the code that they emit. The lists of the state are in one arena: those
//! that a round has made are freed at its end, unless a variable outside the loop keeps them.

use super::{Address, FreedLists, Slot};

/// A loop around the code that is being compiled.
#[derive(Default)]
pub struct OpenLoop {
    /// Jumps to its end, and to its next round.
    pub to_end: Vec<Address>,
    pub to_next: Vec<Address>,
    /// Slots outside the loop whose lists are set in it.
    kept: Vec<Slot>,
    /// A move or a list of lists is set in it and outlives it.
    keeps_all: bool,
    /// Slots from here on belong to the loop.
    first_slot: Slot,
}

impl OpenLoop {
    /// A loop whose own slots start at `first_slot`.
    pub fn new(first_slot: Slot) -> OpenLoop {
        OpenLoop { first_slot, ..OpenLoop::default() }
    }

    /// Notes that a list is put into a slot. A list that outlives the loop must not be freed with a round. `is_flat`: its
    /// members are not lists.
    pub fn keep_slot_list(&mut self, slot: Slot, is_flat: bool) {
        if slot < self.first_slot {
            self.keeps_all |= !is_flat;
            if !self.kept.contains(&slot) {
                self.kept.push(slot);
            }
        }
    }

    /// The lists to free when a round ends.
    pub fn freed_lists(&self) -> FreedLists {
        match () {
            () if self.keeps_all => FreedLists::Nothing,
            () if self.kept.is_empty() => FreedLists::All,
            () => FreedLists::But(self.kept.clone()),
        }
    }

    /// Passes on the lists it keeps: an outer loop must keep those that live outside both. Called when the inner loop ends;
    /// `outer` is the loop around it.
    pub fn pass_kept_lists(&self, outer: &mut OpenLoop) {
        outer.keeps_all |= self.keeps_all;
        self.kept.iter().for_each(|slot| outer.keep_slot_list(*slot, true));
    }
}
