//! A game in which programs play: they are told what happens, and all that happened and was answered is kept, for a
//! program need not answer the same way twice.

use crate::players::Player;
use crate::updates::Chronicle;
use ludex_engine::recording::{Entry, Header};
use ludex_engine::runtime::{Event, Outcome, Session};

pub struct Heard {
    header: Header,
    chronicle: Chronicle,
    pub events: Vec<Event>,
    pub entries: Vec<Entry>,
}

impl Heard {
    /// A game begins.
    pub fn begin(header: Header, bots: &mut [Box<dyn Player>]) -> Heard {
        bots.iter_mut().for_each(|bot| bot.begin(&header));
        let chronicle = Chronicle::new(header.seats.len());
        Heard { header, chronicle, events: Vec::new(), entries: Vec::new() }
    }

    /// Tells what has happened since.
    pub fn pass_on(&mut self, session: &mut Session, bots: &mut [Box<dyn Player>]) {
        let events = session.take_events();
        let news = self.chronicle.tell(None, events.clone(), self.entries.len());
        bots.iter_mut().for_each(|bot| news.iter().for_each(|news| bot.hear(session, news)));
        self.events.extend(events);
    }

    /// The game is over.
    pub fn end(&self, outcome: &Outcome, bots: &mut [Box<dyn Player>]) {
        // No bot takes anything back.
        let undone = vec![0; self.header.seats.len()];
        bots.iter_mut().for_each(|bot| bot.end(outcome, &self.header, &undone));
    }
}
