//! What has happened, numbered as it is told.

use super::News;
use ludex_engine::recording::TakeBack;
use ludex_engine::runtime::Event;

/// Counts what is told. Numbers go on after a take-back, which is told under one of its own.
#[derive(Clone, Debug, Default)]
pub struct Chronicle {
    told: u64,
    /// For each entry of the recording, how much had been told before it.
    told_before: Vec<u64>,
}

/// A take-back as it is told: the state is again what it was after number `back_to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undone {
    pub number: u64,
    pub undo: TakeBack,
    pub back_to: u64,
}

impl Chronicle {
    /// What a step tells: the take-back it is, if it is one, and its events. The recording has so many entries after it.
    pub fn tell(&mut self, undo: Option<TakeBack>, events: Vec<Event>, entries: usize) -> Vec<News> {
        let before = |undo: TakeBack| self.told_before.get(undo.to.saturating_sub(1)).copied().unwrap_or(0);
        let undone = undo.map(|undo| (undo, before(undo)));
        self.told_before.resize(entries, self.told);
        let mut news = Vec::new();
        if let Some((undo, back_to)) = undone {
            news.push(News::TakenBack(Undone { number: self.next(), undo, back_to }));
        }
        news.extend(events.into_iter().map(|event| News::Event { number: self.next(), event: Box::new(event) }));
        news
    }

    fn next(&mut self) -> u64 {
        self.told += 1;
        self.told
    }
}
