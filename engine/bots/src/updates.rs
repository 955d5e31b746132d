//! Updates about what has happened, numbered in the order in which they are sent. A *take-back* undoes the last answers, and
//! what followed from them. Players use the numbers to tell which updates it undoes.

use ludex_engine::problem::Problem;
use ludex_engine::recording::TakeBack;
use ludex_engine::runtime::{Event, Viewer};

/// An update for players: an event that reaches some of them, or one of the following.
#[derive(Clone, Debug)]
pub enum Update {
    Event {
        numbers: Numbers,
        event: Box<Event>,
    },
    /// Answers were taken back.
    TakenBack(TakeBackNotice),
    /// A bot's answer made the rules or an ability fail; the bot gave another.
    Fault(Box<Problem>),
    /// The recording cannot be written, for this reason. Until it can, play does not count.
    Unwritten(String),
}

/// Counts updates for each seat separately, so that a number never reveals how much others have heard. Numbers continue after a
/// take-back, which has a number of its own.
#[derive(Clone, Debug)]
pub struct EventLog {
    /// The counts so far.
    told: Numbers,
    /// For each entry of the recording, the counts before it: of the table, then of each seat. There may be very many.
    told_before: Vec<u32>,
}

/// The numbers of an update, which are the counts including it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The count of all updates that any seat receives.
    pub table: u64,
    pub seats: Vec<u64>,
}

/// The update about a take-back: the state is again as it was after number `back_to`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakeBackNotice {
    pub numbers: Numbers,
    pub undo: TakeBack,
    pub back_to: Numbers,
    /// Number of take-backs that the seat has left, if limited.
    pub left: Option<usize>,
}

impl EventLog {
    /// A log in which nothing has been counted yet.
    pub fn new(seats: usize) -> EventLog {
        EventLog { told: Numbers::zero_counts(seats), told_before: Vec::new() }
    }

    /// The updates of a step: the take-back, if it is one, and its events. The recording then has `entries` entries.
    pub fn number_updates(&mut self, undo: Option<TakeBack>, events: Vec<Event>, entries: usize) -> Vec<Update> {
        let undone = undo.map(|undo| (undo, self.counts_before(undo.to.saturating_sub(1))));
        while self.told_before.len() < entries * self.told.len() {
            self.told_before.extend(self.told.in_order().map(|number| u32::try_from(number).unwrap_or(u32::MAX)));
        }
        let mut updates = Vec::new();
        if let Some((undo, back_to)) = undone {
            updates.push(Update::TakenBack(TakeBackNotice { numbers: self.count_update(|_| true), undo, back_to, left: None }));
        }
        updates.extend(events.into_iter().filter(Event::reaches_anyone).map(|event| {
            let numbers = self.count_update(|seat| event.reaches_viewer(Viewer::Seat(seat)));
            Update::Event { numbers, event: Box::new(event) }
        }));
        updates
    }

    /// The counts before an entry.
    fn counts_before(&self, entry: usize) -> Numbers {
        let mut numbers = self.told_before.chunks(self.told.len()).nth(entry).into_iter().flatten().map(|&number| number.into());
        let mut before = Numbers::zero_counts(self.told.seats.len());
        before.table = numbers.next().unwrap_or(0);
        before.seats.iter_mut().zip(numbers).for_each(|(seat, number)| *seat = number);
        before
    }

    /// Counts one more update for the table and for the seats that it reaches, and returns the new numbers.
    fn count_update(&mut self, reaches: impl Fn(usize) -> bool) -> Numbers {
        self.told.table += 1;
        self.told.seats.iter_mut().enumerate().filter(|(seat, _)| reaches(*seat)).for_each(|(_, told)| *told += 1);
        self.told.clone()
    }
}

impl TakeBackNotice {
    /// The message that a seat of this name takes back a decision.
    pub fn take_back_text(&self, name: &str) -> String {
        let mut text = format!("{name} takes back the last decision");
        if self.undo.seed.is_some() {
            text.push_str("; from here on, chance is drawn again");
        }
        match self.left {
            None => {}
            Some(0) => text.push_str("; no more in this match"),
            Some(left) => text.push_str(&format!("; {left} more in this match")),
        }
        text
    }
}

impl Numbers {
    /// Counts of 0 for the table and this many seats.
    fn zero_counts(seats: usize) -> Numbers {
        Numbers { table: 0, seats: vec![0; seats] }
    }

    /// Number of counts.
    fn len(&self) -> usize {
        1 + self.seats.len()
    }

    /// The counts of the table, then of each seat.
    fn in_order(&self) -> impl Iterator<Item = u64> {
        std::iter::once(self.table).chain(self.seats.iter().copied())
    }
}
