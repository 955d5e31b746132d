//! Resuming unfinished games.
//!
//! A recording in a store of Ludex, that of `play` or `serve`, is continued in its own file, under a lock. Any other file is a
//! copy from elsewhere, which stays as it is. A chain is the running hash that seals each line, so that a recording can only be
//! continued from its end.

use super::new_recorder;
use crate::args::{CommonArgs, PlayerSpec};
use crate::game::loaded::LoadedGame;
use crate::game::lock::{self, Lock, NotLocked};
use crate::game::seats::{announce_start, send_updates};
use crate::game::{
    Game, Recorder, RecordingStore, ReopenedRecording, Seat, allow_no_recording, reopen_recording, resume_hint, salvage,
};
use crate::output;
use crate::stop::Stop;
use crate::terminal::Log;
use ludex_bots::updates::{EventLog, Update};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::recording::{Chain, Entry, Header, RecordedSession, seed_of_bots};
use ludex_engine::runtime::Session;
use std::path::Path;

/// Resumes a recorded game. Returns it with the events so far.
pub fn resume_game(path: &Path, common: &CommonArgs) -> Result<(Game, Log), Stop> {
    resume_game_in(RecordingStore::play_store(), path, common)
}

/// Resumes like [`resume_game`]; a recording in `store` is continued in its own file.
pub fn resume_game_in(store: Option<RecordingStore>, path: &Path, common: &CommonArgs) -> Result<(Game, Log), Stop> {
    let own = store.is_some_and(|store| store.contains_file(path)) && path.is_file();
    let lock = if own { lock_recording(path)? } else { None };
    let reopened = reopen_recording(path, common)?;
    reopened.loaded.print_warnings();
    if reopened.contents.ending.is_some() {
        lock.into_iter().for_each(Lock::remove_lock_file);
        let help = format!("`ludex replay {}` shows it", path.display());
        return Err(Problem::error(codes::UNKNOWN_DECISION, "this game is over").help(help).into());
    }
    let ReopenedRecording { contents, loaded, .. } = &reopened;
    let header = &contents.header;
    let referee = match header.seats.get(header.sides.len()) {
        Some(_) => Some(recorded_player(header, header.sides.len())),
        None => common.referee.clone(),
    };
    let default = |seat| recorded_player(header, seat);
    let mut seats =
        loaded.assign_seats(&header.sides, &common.seats, referee.as_ref(), "human", default, seed_of_bots(header.seed))?;
    let (recorded, event_log, log) = play_again(&reopened, &mut seats)?;
    let kept = ResumedFile { path, own, lock };
    // A file that lacks forced answers is not continued, because the numbers of its entries would change.
    let chain = contents.chain.clone().filter(|_| recorded.entries().len() == contents.entries);
    // The current libraries replace the ones that were remembered.
    RecordingStore::remember_libraries(path, &loaded.libraries);
    let recorder =
        kept.into_recorder(chain, header.format, &recorded, loaded).map_err(|problem| loaded.stop_with_problem(problem))?;
    Ok((Game::resume(recorded, seats, recorder, event_log), log))
}

/// Locks a recording; `None` on a disk without locks.
fn lock_recording(path: &Path) -> Result<Option<Lock>, Stop> {
    match Lock::lock_recording(path) {
        Ok(lock) => Ok(Some(lock)),
        Err(NotLocked::Held(holder)) => {
            let message = format!("this game is being played by {}", lock::holder_text(holder));
            Err(Problem::error(codes::FILE_UNREADABLE, message).help("continue there, or end that process first").into())
        }
        Err(NotLocked::NoLocks(error) | NotLocked::Failed(error)) => {
            output::print_remark(&format!("the game cannot be locked ({error}); do not play it elsewhere at the same time"));
            Ok(None)
        }
    }
}

/// Replays a recording to its end, and reports its events to programs and people on the way.
fn play_again(reopened: &ReopenedRecording, seats: &mut [Seat]) -> Result<(RecordedSession, EventLog, Log), Stop> {
    let diverged = |divergence| reopened.loaded.stop_with_problem(Problem::from(divergence));
    let (mut replay, start) = reopened.start_replay().map_err(diverged)?;
    let (mut event_log, mut log) = (EventLog::new(reopened.contents.header.seats.len()), Log::default());
    let mut tell = |seats: &mut [Seat], session: &Session, updates: Vec<Update>| {
        send_updates(seats, session, &updates);
        updates.into_iter().for_each(|update| log.apply_update(update));
    };
    announce_start(seats, replay.recorded_session().header());
    let updates = event_log.number_updates(None, start.events, 0);
    tell(seats, replay.recorded_session().session(), updates);
    while let Some((entry, step)) = replay.play_next().map_err(diverged)? {
        let undo = match entry {
            Some(Entry::TakenBack { undo }) => Some(undo),
            _ => None,
        };
        let updates = event_log.number_updates(undo, step.events, replay.recorded_session().entries().len());
        tell(seats, replay.recorded_session().session(), updates);
    }
    Ok((reopened.finish_replay(replay).map_err(diverged)?, event_log, log))
}

/// The player of a seat. An unknown one becomes a person. So does a program: a recording may come from anywhere, and only the
/// command line starts programs.
pub fn recorded_player(header: &Header, seat: usize) -> PlayerSpec {
    let word = header.seats.get(seat).map(|seat| seat.player.as_str());
    let player = word.and_then(|word| word.parse().ok());
    player.filter(|player| !matches!(player, PlayerSpec::Exec(_))).unwrap_or(PlayerSpec::Human)
}

/// The file of a resumed game.
struct ResumedFile<'p> {
    path: &'p Path,
    /// True if it is in Ludex's own folder; any other file is a copy that stays unchanged.
    own: bool,
    lock: Option<Lock>,
}

impl ResumedFile<'_> {
    /// The recorder of the resumed game: in its own file, in a replacement if that file must not be written to, or in a new
    /// one. Without a chain, the file is damaged or old, and is replaced.
    fn into_recorder(
        self,
        chain: Option<Chain>,
        format: u32,
        recorded: &RecordedSession,
        loaded: &LoadedGame,
    ) -> Result<Option<Recorder>, Problem> {
        if !self.own {
            return copy_to_new_recorder(self.path, recorded, loaded);
        }
        let (path, lock) = (self.path, self.lock);
        let written = match chain {
            Some(chain) => Recorder::continue_recording(path, chain, lock),
            None => renew_recording(path, format, recorded).and_then(|chain| Recorder::continue_recording(path, chain, lock)),
        };
        match written {
            Ok(recorder) => Ok(Some(recorder)),
            Err(error) => {
                output::print_failure(format!("`{}` cannot be written: {error}", path.display()), None);
                copy_to_new_recorder(path, recorded, loaded)
            }
        }
    }
}

/// Sets a damaged recording, or one of an old format, aside and replaces it with the part that was read. Returns the chain of
/// the new file. `format` is the format of the old one.
fn renew_recording(path: &Path, format: u32, recorded: &RecordedSession) -> std::io::Result<Chain> {
    let why = match format == recorded.header().format {
        true => "damaged".to_string(),
        false => format!("format-{format}"),
    };
    let mut chain = Chain::default();
    let aside = salvage::renew_recording(path, &why, recorded.unsealed_lines().map(|line| chain.seal_line(&line)))?;
    output::print_remark(&format!("the old file is stored in {}", aside.display()));
    Ok(chain)
}

/// A new recording that starts with all entries so far.
fn copy_to_new_recorder(old: &Path, recorded: &RecordedSession, loaded: &LoadedGame) -> Result<Option<Recorder>, Problem> {
    let Some(mut recorder) = new_recorder(&loaded.program, &loaded.libraries)? else { return Ok(None) };
    match recorder.write_synced(recorded.unsealed_lines()) {
        Ok(()) => Ok(Some(recorder)),
        Err(error) => {
            recorder.discard_recording();
            allow_no_recording(Err(error), Some(&resume_hint(old)))
        }
    }
}
