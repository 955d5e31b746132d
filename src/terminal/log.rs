//! What has happened in a game, as far as it was not taken back.

use crate::game::{News, Undone};
use ludex_engine::runtime::Event;

/// Events in the order in which they happened, with the numbers under which they were told.
#[derive(Debug, Default)]
pub struct Log {
    told: Vec<(u64, Event)>,
}

impl Log {
    /// What is left of all that was told.
    pub fn of(past: Vec<News>) -> Log {
        let mut log = Log::default();
        for news in past {
            match news {
                News::Event { numbers, event } => log.add(numbers.table, *event),
                News::TakenBack(undone) => log.take_back(&undone),
                News::Fault(_) | News::NotKept(_) => {}
            }
        }
        log
    }

    pub fn add(&mut self, number: u64, event: Event) {
        self.told.push((number, event));
    }

    /// Forgets what was told behind the place that play goes back to.
    pub fn take_back(&mut self, undone: &Undone) {
        self.told.retain(|(number, _)| *number <= undone.back_to.table);
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
