//! Consecutive games, as long as the players want another.

use super::new_recorder;
use crate::game::{Game, RecordingStore, UndoLimit, rematch};
use crate::stop::Stop;
use crate::terminal::{self, End, Ended, Face, Log, Question};

/// Plays a game that has begun. Returns the exit status.
pub fn play((game, log): (Game, Log), undo: UndoLimit, face: &dyn Face) -> Result<u8, Stop> {
    let mut played = terminal::play(game.limit_undo(undo), log, face);
    while matches!(played.end, End::Over(_)) && face.is_keyboard() && rematch::can_be(&played.game) {
        if !is_wanted(face).unwrap_or(false) {
            break;
        }
        let libraries = played.game.path().map(RecordingStore::libraries_of).unwrap_or_default();
        let game = rematch::of(&played.game, || new_recorder(played.game.session().program(), &libraries))?;
        played = terminal::play(game.limit_undo(undo), Log::default(), face);
    }
    played.status
}

/// Asks whether to play again.
fn is_wanted(face: &dyn Face) -> Result<bool, Ended> {
    loop {
        let line = face.ask(Question::bare("rematch, or Enter to leave:"))?;
        match line.to_lowercase().as_str() {
            "rematch" | "again" | "r" | "y" | "yes" => return Ok(true),
            "" | "n" | "no" | "q" | "quit" | "exit" | "leave" => return Ok(false),
            _ => face.say("type `rematch` to play again with the same sides and new dice, or press Enter"),
        }
    }
}
