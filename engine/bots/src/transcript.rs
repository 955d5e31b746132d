//! A game with programs among the players: they hear what happens. All events and answers are kept, because a program need not
//! answer the same way twice.

use crate::player::Player;
use crate::updates::EventLog;
use ludex_engine::recording::{Entry, Header};
use ludex_engine::runtime::{Event, Outcome, Session};

/// The events and answers of such a game so far.
pub struct Transcript {
    header: Header,
    event_log: EventLog,
    pub events: Vec<Event>,
    pub entries: Vec<Entry>,
}

impl Transcript {
    /// Begins a game.
    pub fn announce_start(header: Header, bots: &mut [Box<dyn Player>]) -> Transcript {
        bots.iter_mut().for_each(|bot| bot.hear_start(&header));
        let event_log = EventLog::new(header.seats.len());
        Transcript { header, event_log, events: Vec::new(), entries: Vec::new() }
    }

    /// Passes new events on to the bots.
    pub fn pass_on(&mut self, session: &mut Session, bots: &mut [Box<dyn Player>]) {
        let events = session.take_events();
        let updates = self.event_log.number_updates(None, events.clone(), self.entries.len());
        bots.iter_mut().for_each(|bot| updates.iter().for_each(|update| bot.hear_update(session, update)));
        self.events.extend(events);
    }

    /// Ends the game.
    pub fn announce_end(&self, outcome: &Outcome, bots: &mut [Box<dyn Player>]) {
        // Bots never take anything back.
        let undone = vec![0; self.header.seats.len()];
        bots.iter_mut().for_each(|bot| bot.hear_end(outcome, &self.header, &undone));
    }
}
