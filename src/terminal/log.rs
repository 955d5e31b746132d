//! What has happened in a game, as far as it was not taken back.

use ludex_engine::recording::TakeBack;
use ludex_engine::runtime::Event;

/// Events in the order in which they happened.
#[derive(Debug, Default)]
pub struct Log {
    events: Vec<Event>,
    /// For each event how many entries the recording had then; never fewer than for the one before.
    entries: Vec<usize>,
}

impl Log {
    pub fn add(&mut self, events: Vec<Event>, entries: usize) {
        self.entries.resize(self.events.len() + events.len(), entries);
        self.events.extend(events);
    }

    /// Forgets what came of the entry that a seat goes back to, and of all later ones.
    pub fn take_back(&mut self, undo: TakeBack) {
        let kept = self.entries.partition_point(|&entries| entries < undo.to);
        self.events.truncate(kept);
        self.entries.truncate(kept);
    }

    /// Only those events of it.
    pub fn filtered(self, wanted: impl Fn(&Event) -> bool) -> Log {
        let all = self.events.into_iter().zip(self.entries);
        let (events, entries) = all.filter(|(event, _)| wanted(event)).unzip();
        Log { events, entries }
    }

    pub fn events(&self) -> &[Event] {
        &self.events
    }

    pub fn len(&self) -> usize {
        self.events.len()
    }
}
