//! Consecutive games, as long as the players want another.

use super::new_recorder;
use crate::game::{Game, RecordingStore, UndoLimit, rematch};
use crate::stop::Stop;
use crate::terminal::{self, Face, InputEnd, Log, PlayEnd, Question};

/// Plays a game that has begun. Returns the exit status. It may be followed by rematches, asked for at a keyboard after each
/// finished game.
pub fn play_games((game, log): (Game, Log), undo: UndoLimit, face: &dyn Face) -> Result<u8, Stop> {
    let mut played = terminal::play_game(game.limit_undo(undo), log, face);
    while matches!(played.end, PlayEnd::Over(_)) && face.is_keyboard() && rematch::can_rematch(&played.game) {
        if !is_wanted(face).unwrap_or(false) {
            break;
        }
        let libraries = played.game.recording_path().map(RecordingStore::libraries_of).unwrap_or_default();
        let game = rematch::start_rematch(&played.game, || new_recorder(played.game.session().program(), &libraries))?;
        played = terminal::play_game(game.limit_undo(undo), Log::default(), face);
    }
    played.status
}

/// Asks whether to play again.
fn is_wanted(face: &dyn Face) -> Result<bool, InputEnd> {
    loop {
        let line = face.ask_line(Question::outside_game("rematch, or Enter to leave:"))?;
        match line.to_lowercase().as_str() {
            "rematch" | "again" | "r" | "y" | "yes" => return Ok(true),
            "" | "n" | "no" | "q" | "quit" | "exit" | "leave" => return Ok(false),
            _ => face.print_text("type `rematch` to play again with the same sides and new dice, or press Enter"),
        }
    }
}
