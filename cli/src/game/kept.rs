//! Unfinished games, and the summary of each for the choice of one.

use super::lock::who_plays;
use super::reopen::entries;
use super::seats::who;
use super::store::RecordingStore;
use crate::args::public_player;
use ludex_engine::recording::{Header, SeatRecord};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// An unfinished game.
pub struct KeptGame {
    /// The number at the start of its file name.
    pub number: u64,
    pub path: PathBuf,
    /// When it was last played.
    pub played: Option<SystemTime>,
    /// `None` if the file cannot be read.
    pub contents: Option<Contents>,
    /// The current player, as a phrase.
    pub player: Option<String>,
}

/// Summary of a recording.
pub struct Contents {
    pub header: Header,
    /// Number of lines of answers and throws.
    pub entries: usize,
    /// Why part of it could not be read, if so.
    pub damage: Option<String>,
}

impl KeptGame {
    /// The unfinished games that `play` keeps, newest first.
    pub fn all() -> Vec<KeptGame> {
        let unfinished = RecordingStore::of_play().map(|store| store.unfinished()).unwrap_or_default();
        unfinished.into_iter().rev().map(|(number, path)| KeptGame::at(number, path)).collect()
    }

    fn at(number: u64, path: PathBuf) -> KeptGame {
        let played = std::fs::metadata(&path).and_then(|found| found.modified()).ok();
        KeptGame { number, played, contents: contents(&path), player: who_plays(&path), path }
    }

    /// Whether it can be resumed now.
    pub fn is_free(&self) -> bool {
        self.contents.is_some() && self.player.is_none()
    }

    /// The id of the game; empty if the file cannot be read.
    pub fn title(&self) -> &str {
        self.contents.as_ref().map_or("", |contents| &contents.header.game)
    }

    /// The players, such as `sailor-mercury (human) against kunzite (greedy)`.
    pub fn who(&self) -> String {
        let headers = self.contents.iter().map(|contents| &contents.header);
        let names = headers.flat_map(|header| header.seats.iter().map(|seat| name(seat, &header.names)));
        names.collect::<Vec<_>>().join(" against ")
    }
}

fn contents(path: &Path) -> Option<Contents> {
    let found = entries(path).ok()?.ok()?.finish();
    let damage = found.notes.first().map(|note| note.message.to_string());
    Some(Contents { entries: found.entries, header: found.header, damage })
}

fn name(seat: &SeatRecord, names: &[String]) -> String {
    let own = seat.side.and_then(|side| names.get(side)).filter(|name| !name.is_empty()).cloned();
    format!("{} ({})", own.unwrap_or_else(|| who(&seat.entrants, seat.side)), public_player(&seat.player))
}
