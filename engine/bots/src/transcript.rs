//! A game in which programs play: they are told what happens, and all that happened and was answered is kept, for a
//! program need not answer the same way twice.

use crate::player::Player;
use crate::updates::EventLog;
use ludex_engine::recording::{Entry, Header};
use ludex_engine::runtime::{Event, Outcome, Session};

pub struct Transcript {
    header: Header,
    event_log: EventLog,
    pub events: Vec<Event>,
    pub entries: Vec<Entry>,
}

impl Transcript {
    /// A game begins.
    pub fn begin(header: Header, bots: &mut [Box<dyn Player>]) -> Transcript {
        bots.iter_mut().for_each(|bot| bot.begin(&header));
        let event_log = EventLog::new(header.seats.len());
        Transcript { header, event_log, events: Vec::new(), entries: Vec::new() }
    }

    /// Tells what has happened since.
    pub fn pass_on(&mut self, session: &mut Session, bots: &mut [Box<dyn Player>]) {
        let events = session.take_events();
        let updates = self.event_log.tell(None, events.clone(), self.entries.len());
        bots.iter_mut().for_each(|bot| updates.iter().for_each(|update| bot.hear(session, update)));
        self.events.extend(events);
    }

    /// The game is over.
    pub fn end(&self, outcome: &Outcome, bots: &mut [Box<dyn Player>]) {
        // No bot takes anything back.
        let undone = vec![0; self.header.seats.len()];
        bots.iter_mut().for_each(|bot| bot.end(outcome, &self.header, &undone));
    }
}
