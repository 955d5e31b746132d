//! The events of a game, without those that were taken back. A [`Log`] is for all people at one screen; each of them is shown
//! only the events that they may know.

use ludex_bots::updates::{TakeBackNotice, Update};
use ludex_engine::runtime::Event;

/// Events in order, each with its number in the count of the whole table, to which take-backs refer.
#[derive(Debug, Default)]
pub struct Log {
    told: Vec<(u64, Event)>,
}

impl Log {
    /// Adds an event, or removes those that were taken back.
    pub fn apply_update(&mut self, update: Update) {
        match update {
            Update::Event { numbers, event } => self.add_event(numbers.table, *event),
            Update::TakenBack(undone) => self.take_back(&undone),
            Update::Fault(_) | Update::Unwritten(_) => {}
        }
    }

    pub fn add_event(&mut self, number: u64, event: Event) {
        self.told.push((number, event));
    }

    /// Removes the events after the place to which play goes back.
    pub fn take_back(&mut self, undone: &TakeBackNotice) {
        let place = self.told.partition_point(|(number, _)| *number <= undone.back_to.table);
        self.told.truncate(place);
    }

    /// Keeps only the events that `wanted` accepts.
    pub fn retain(&mut self, wanted: impl Fn(&Event) -> bool) {
        self.told.retain(|(_, event)| wanted(event));
    }

    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.told.iter().map(|(_, event)| event)
    }

    pub fn len(&self) -> usize {
        self.told.len()
    }
}
