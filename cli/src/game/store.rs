//! Numbered recordings in folders of Ludex's own, one folder for each verb that keeps games. Unfinished games are kept for
//! ever, finished ones as [`KeepLimits`] say. Beside a recording are files with a further extension: its lock, its libraries,
//! and for a table of `serve` its links.

use super::kept_libraries;
use super::lock::{Lock, NotLocked};
use super::recorder::Recorder;
use super::retention::KeepLimits;
use crate::output;
use crate::whole_file::with_ending;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The extension of recordings.
const ENDING: &str = "ludexrec";
/// Maximum length of the last line of a finished recording. Its longest parts have one winner and one payoff per side.
const LONGEST_OUTCOME: u64 = 4096;

/// A folder of recordings that only its owner can open.
#[derive(Clone, Debug)]
pub struct RecordingStore {
    folder: PathBuf,
    /// `None`: as the environment says, and unfinished games are always kept. Limits given here apply to unfinished games too.
    keep: Option<KeepLimits>,
}

impl RecordingStore {
    /// The folder of `play`. `None`, as for the others, if the platform names no folder for a program's state.
    pub fn play_store() -> Option<RecordingStore> {
        Some(RecordingStore { folder: state_folder()?.join("recordings"), keep: None })
    }

    /// The folder of `host`. It is separate because a program may play hundreds of games in a minute.
    pub fn of_host() -> Option<RecordingStore> {
        Some(RecordingStore { folder: state_folder()?.join("hosted"), keep: None })
    }

    /// The folder of `serve`, for tables that people reach through links.
    pub fn of_serve() -> Option<RecordingStore> {
        Some(RecordingStore { folder: state_folder()?.join("served"), keep: None })
    }

    /// The folder of `sim`, for games in which something went wrong. They serve as reports and are never resumed.
    pub fn of_sim() -> Option<RecordingStore> {
        Some(RecordingStore { folder: state_folder()?.join("simulated"), keep: Some(KeepLimits::keep_last(50)) })
    }

    /// The path of the folder, which need not exist.
    pub fn folder_path(&self) -> &Path {
        &self.folder
    }

    /// Creates a recording of a game, remembers the libraries that it is played with, and tidies the folder.
    pub fn add_recording(&self, game: &str, libraries: &[PathBuf]) -> io::Result<Recorder> {
        make_private(&self.folder)?;
        // A file made by hand may have the highest possible number.
        let mut number = self.list_recordings().last().map_or(1, |(number, _)| number.checked_add(1).unwrap_or(1));
        let recorder = loop {
            let path = self.folder.join(format!("{number:04}-{game}.{ENDING}"));
            match lock_new_recording(&path).and_then(|lock| Recorder::create(&path, lock)) {
                // Another game has taken the number meanwhile.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                made => break made?,
            }
        };
        // If this fails, the libraries must be named to resume the game. That is no reason not to play.
        let _ = kept_libraries::write_libraries(recorder.recording_path(), libraries);
        self.remove_old_recordings();
        Ok(recorder)
    }

    /// Adds the complete, sealed text of a recording that will not be resumed, and returns its path.
    pub fn add_whole(&self, game: &str, text: &str, libraries: &[PathBuf]) -> io::Result<PathBuf> {
        let mut recorder = self.add_recording(game, libraries)?;
        match recorder.write_sealed(text) {
            Ok(()) => {
                recorder.release_lock();
                Ok(recorder.recording_path().to_path_buf())
            }
            Err(error) => {
                recorder.discard_recording();
                Err(error)
            }
        }
    }

    /// Whether a file is directly in this folder.
    pub fn contains_file(&self, path: &Path) -> bool {
        let folder = path.parent().map(|folder| folder.canonicalize());
        matches!((folder, self.folder.canonicalize()), (Some(Ok(folder)), Ok(own)) if folder == own)
    }

    /// The libraries that a recording was played with, if known. Files beside a recording outside Ludex's own folders are
    /// ignored: they belong to others.
    pub fn libraries_of(recording: &Path) -> Vec<PathBuf> {
        match is_in_own_folder(recording) {
            true => kept_libraries::read_libraries(recording),
            false => copies_list_path().map(|list| kept_libraries::find_in_list(&list, recording)).unwrap_or_default(),
        }
    }

    /// Stores the libraries of a recording in any folder. If this fails, they must be named to resume the game.
    pub fn remember_libraries(recording: &Path, libraries: &[PathBuf]) {
        let _ = match (is_in_own_folder(recording), copies_list_path()) {
            (true, _) => kept_libraries::write_libraries(recording, libraries),
            (false, Some(list)) => kept_libraries::add_to_list(&list, recording, libraries),
            (false, None) => Ok(()),
        };
    }

    /// The unfinished recordings with their numbers, oldest first.
    pub fn unfinished_recordings(&self) -> Vec<(u64, PathBuf)> {
        self.list_recordings().into_iter().filter(|(_, path)| !is_finished(path)).collect()
    }

    /// The files `*.ludexrec.ENDING` in this folder whose recording is finished or gone, so that they are of no more use.
    /// `serve` removes such files of links when it starts.
    pub fn leftover_files(&self, ending: &str) -> Vec<PathBuf> {
        let unfinished: Vec<PathBuf> =
            self.unfinished_recordings().into_iter().map(|(_, path)| with_ending(&path, ending)).collect();
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let is_beside = |path: &PathBuf| path.extension() == Some(OsStr::new(ending)) && !unfinished.contains(path);
        entries.filter(is_beside).collect()
    }

    /// The recordings with their numbers, oldest first.
    fn list_recordings(&self) -> Vec<(u64, PathBuf)> {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return Vec::new();
        };
        let paths = entries.flatten().map(|entry| entry.path());
        let mut found: Vec<(u64, PathBuf)> = paths.filter_map(|path| Some((recording_number(&path)?, path))).collect();
        found.sort();
        found
    }

    /// Removes the recordings that need not be kept, and the libraries remembered beside them.
    fn remove_old_recordings(&self) {
        let keep = match self.keep.map_or_else(KeepLimits::from_environment, Ok) {
            Ok(keep) => keep,
            Err(wrong) => return output::print_failure(&wrong, Some("until it is fixed, all games are kept")),
        };
        if keep == KeepLimits::keep_all() {
            return;
        }
        let removable = |path: &PathBuf| self.keep.is_some() || is_finished(path);
        let over = self.list_recordings().into_iter().map(|(_, path)| path).rev().filter(removable);
        for (_, path) in over.enumerate().filter(|(newer, path)| !keep.should_keep(*newer, file_age(path))) {
            // A failed removal is no reason not to play.
            let _ = fs::remove_file(&path);
            kept_libraries::remove_libraries(&path);
        }
    }
}

/// Handles the creation of a recording. If recordings cannot be kept at all, play goes on without one, with a note and `help`.
/// But if the disk fails or is full, the game does not start, so that it is not lost.
pub fn allow_no_recording(made: io::Result<Recorder>, help: Option<&str>) -> Result<Option<Recorder>, Problem> {
    use io::ErrorKind::{NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem, Unsupported};
    made.map(Some).or_else(|error| match error.kind() {
        NotADirectory | NotFound | PermissionDenied | ReadOnlyFilesystem | Unsupported => {
            output::print_failure(&unrecorded_problem(&error).message, help);
            Ok(None)
        }
        _ => Err(unrecorded_problem(&error)),
    })
}

/// The problem that prevents the start of a game.
pub(super) fn unrecorded_problem(error: &io::Error) -> Problem {
    let message = format!("the game cannot be recorded: {error}");
    Problem::error(codes::FILE_NOT_WRITTEN, message).help("make room on the disk, then start again")
}

/// Locks a new recording; `None` on a disk without locks. A lock held by another process means that the name is taken.
fn lock_new_recording(path: &Path) -> io::Result<Option<Lock>> {
    match Lock::lock_recording(path) {
        Ok(lock) => Ok(Some(lock)),
        Err(NotLocked::Held(_)) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(NotLocked::NoLocks(_)) => Ok(None),
        Err(NotLocked::Failed(error)) => Err(error),
    }
}

/// Creates a folder that only its owner can open, or restricts an existing one.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    // In a folder of another owner, files are still made unreadable for others.
    #[cfg(unix)]
    let _ = fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700));
    Ok(())
}

/// Whether a recording ends with its outcome. An unreadable one counts as unfinished.
fn is_finished(path: &Path) -> bool {
    last_line(path).is_ok_and(|line| line.starts_with(b"{\"outcome\":"))
}

/// The last line, without its line end. It is complete only if it has at most [`LONGEST_OUTCOME`] bytes.
fn last_line(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(LONGEST_OUTCOME)))?;
    let mut end = Vec::new();
    file.take(LONGEST_OUTCOME).read_to_end(&mut end)?;
    let whole = end.trim_ascii_end();
    let start = whole.iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
    Ok(whole[start..].to_vec())
}

/// The time since a file was last written; zero if unknown.
fn file_age(path: &Path) -> Duration {
    let written = fs::metadata(path).and_then(|found| found.modified()).ok();
    written.and_then(|time| time.elapsed().ok()).unwrap_or_default()
}

/// The number in a recording's name: 12 in `0012-pig.ludexrec`.
fn recording_number(path: &Path) -> Option<u64> {
    let ending = path.extension() == Some(OsStr::new(ENDING));
    let (number, _) = path.file_stem()?.to_str()?.split_once('-')?;
    if ending { number.parse().ok() } else { None }
}

/// Whether a recording is in one of Ludex's own folders.
fn is_in_own_folder(recording: &Path) -> bool {
    let stores = [RecordingStore::play_store(), RecordingStore::of_host(), RecordingStore::of_serve(), RecordingStore::of_sim()];
    stores.iter().flatten().any(|store| store.contains_file(recording))
}

/// The list of libraries for recordings in folders that are not Ludex's own.
fn copies_list_path() -> Option<PathBuf> {
    Some(state_folder()?.join("copies.json"))
}

/// The platform's folder for state that a program keeps between runs.
fn state_folder() -> Option<PathBuf> {
    let folders = directories::ProjectDirs::from("", "", "ludex")?;
    Some(folders.state_dir().unwrap_or_else(|| folders.data_local_dir()).to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVER: &str = "{\"outcome\":{}}\n";

    fn store(name: &str) -> RecordingStore {
        let folder = std::env::temp_dir().join(format!("ludex-store-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        RecordingStore { folder, keep: None }
    }

    fn numbers(store: &RecordingStore) -> Vec<u64> {
        store.list_recordings().into_iter().map(|(number, _)| number).collect()
    }

    #[test]
    fn unfinished_games_are_never_removed() {
        let store = store("unfinished");
        for game in 0..260 {
            let mut recorder = store.add_recording("pig", &[]).unwrap();
            let over = (game >= 30).then(|| OVER.to_string());
            recorder.write_lines(std::iter::once("{\"decision\":1}".to_string()).chain(over)).unwrap();
        }
        let kept = numbers(&store);
        // The first 30 are unfinished; of the others the last 200 stay beside the one that is just begun.
        let expected: Vec<u64> = (1..=30).chain(60..=260).collect();
        assert_eq!(kept, expected);
        assert_eq!(store.unfinished_recordings().len(), 30);
        fs::remove_dir_all(&store.folder).unwrap();
    }

    #[test]
    fn reports_stay_as_long_as_there_is_room() {
        let store = RecordingStore { keep: Some(KeepLimits::keep_last(3)), ..store("reports") };
        (0..5).for_each(|_| drop(store.add_whole("pig", "{}\n", &[]).unwrap()));
        assert_eq!(numbers(&store), [3, 4, 5]);
        fs::remove_dir_all(&store.folder).unwrap();
    }

    #[test]
    fn other_files_are_left_alone() {
        let store = RecordingStore { keep: Some(KeepLimits::keep_last(1)), ..store("other") };
        fs::create_dir_all(&store.folder).unwrap();
        let note = store.folder.join("0001-note.txt");
        fs::write(&note, "mine").unwrap();
        (0..5).for_each(|_| drop(store.add_recording("pig", &[]).unwrap()));
        assert!(note.exists());
        fs::remove_dir_all(&store.folder).unwrap();
    }

    #[test]
    fn a_recording_with_the_largest_number_keeps_no_game_from_being_recorded() {
        let store = store("largest");
        fs::create_dir_all(&store.folder).unwrap();
        fs::write(store.folder.join(format!("{}-pig.{ENDING}", u64::MAX)), "{}\n").unwrap();
        store.add_recording("pig", &[]).unwrap();
        assert_eq!(numbers(&store), [1, u64::MAX]);
        fs::remove_dir_all(&store.folder).unwrap();
    }

    #[test]
    fn two_never_play_one_recording() {
        let store = store("lock");
        let mut recorder = store.add_recording("pig", &[]).unwrap();
        let path = recorder.recording_path().to_path_buf();
        assert!(matches!(Lock::lock_recording(&path), Err(NotLocked::Held(Some(holder))) if holder == std::process::id()));
        recorder.release_lock();
        assert!(Lock::lock_recording(&path).is_ok());
        assert!(store.contains_file(&path));
        fs::remove_dir_all(&store.folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_looks_in() {
        use std::os::unix::fs::PermissionsExt;
        let store = store("private");
        fs::create_dir_all(&store.folder).unwrap();
        fs::set_permissions(&store.folder, PermissionsExt::from_mode(0o755)).unwrap();
        let recorder = store.add_recording("pig", &[]).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&store.folder), mode(recorder.recording_path())), (0o700, 0o600));
        fs::remove_dir_all(&store.folder).unwrap();
    }
}
