//! Unfinished games of `play`, and the summary of each, so that `play` and `resume` can offer a choice.

use super::lock::playing_process;
use super::reopen::read_entries;
use super::seats::describe_occupant;
use super::store::RecordingStore;
use crate::args::public_player;
use ludex_engine::recording::{Header, SeatRecord};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// An unfinished game.
pub struct UnfinishedGame {
    /// The number at the start of its file name.
    pub number: u64,
    pub path: PathBuf,
    /// When it was last played.
    pub played: Option<SystemTime>,
    /// `None` if the file cannot be read.
    pub contents: Option<RecordingSummary>,
    /// The process that plays it now, as a phrase such as `process 4711`; `None` if it is free.
    pub player: Option<String>,
}

/// Summary of a recording.
pub struct RecordingSummary {
    pub header: Header,
    /// Number of lines of answers and throws.
    pub entries: usize,
    /// Why part of it could not be read, if so.
    pub damage: Option<String>,
}

impl UnfinishedGame {
    /// The unfinished games that `play` keeps, newest first.
    pub fn list_unfinished() -> Vec<UnfinishedGame> {
        let unfinished = RecordingStore::play_store().map(|store| store.unfinished_recordings()).unwrap_or_default();
        unfinished.into_iter().rev().map(|(number, path)| UnfinishedGame::from_file(number, path)).collect()
    }

    /// Reads the summary of a recording, and whether it is being played.
    fn from_file(number: u64, path: PathBuf) -> UnfinishedGame {
        let played = std::fs::metadata(&path).and_then(|found| found.modified()).ok();
        UnfinishedGame { number, played, contents: read_summary(&path), player: playing_process(&path), path }
    }

    /// Whether it can be resumed now.
    pub fn is_free(&self) -> bool {
        self.contents.is_some() && self.player.is_none()
    }

    /// The id of the game; empty if the file cannot be read.
    pub fn game_id(&self) -> &str {
        self.contents.as_ref().map_or("", |contents| &contents.header.game)
    }

    /// The players, such as `sailor-mercury (human) against kunzite (greedy)`.
    pub fn players_text(&self) -> String {
        let headers = self.contents.iter().map(|contents| &contents.header);
        let names = headers.flat_map(|header| header.seats.iter().map(|seat| player_text(seat, &header.names)));
        names.collect::<Vec<_>>().join(" against ")
    }
}

/// The summary; `None` if the file cannot be read.
fn read_summary(path: &Path) -> Option<RecordingSummary> {
    let found = read_entries(path).ok()?.ok()?.read_rest();
    let damage = found.notes.first().map(|note| note.message.to_string());
    Some(RecordingSummary { entries: found.entries, header: found.header, damage })
}

/// A seat in words: the name of its player, or else its entrants or side, then the kind of player. `names` is in the order of
/// the sides.
fn player_text(seat: &SeatRecord, names: &[String]) -> String {
    let own = seat.side.and_then(|side| names.get(side)).filter(|name| !name.is_empty()).cloned();
    format!("{} ({})", own.unwrap_or_else(|| describe_occupant(&seat.entrants, seat.side)), public_player(&seat.player))
}
