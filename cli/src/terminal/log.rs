//! What has happened in a game, as far as it was not taken back.

use ludex_bots::updates::{TakeBackNotice, Update};
use ludex_engine::runtime::Event;

/// Events in the order in which they happened, with the numbers under which they were told.
#[derive(Debug, Default)]
pub struct Log {
    told: Vec<(u64, Event)>,
}

impl Log {
    /// What people were told before.
    pub fn tell(&mut self, update: Update) {
        match update {
            Update::Event { numbers, event } => self.add(numbers.table, *event),
            Update::TakenBack(undone) => self.take_back(&undone),
            Update::Fault(_) | Update::Unwritten(_) => {}
        }
    }

    pub fn add(&mut self, number: u64, event: Event) {
        self.told.push((number, event));
    }

    /// Forgets what was told behind the place that play goes back to.
    pub fn take_back(&mut self, undone: &TakeBackNotice) {
        let place = self.told.partition_point(|(number, _)| *number <= undone.back_to.table);
        self.told.truncate(place);
    }

    /// Keeps only such events.
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
