//! One process at a time plays on in a recording.

use crate::whole_file::{Readers, private, with_ending};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// What is added to the name of a recording for the file that is locked.
const ENDING: &str = "lock";
/// No process has a longer number.
const MOST_DIGITS: u64 = 20;

/// Held while a game is played. The system lets go of it when the process ends, however it ends; the file stays as long
/// as the game is unfinished. Between machines that share a disk it holds as far as that disk's locks do.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// Locked as long as it is open.
    _file: File,
}

/// Why a recording is not locked.
#[derive(Debug)]
pub enum NotLocked {
    /// Somebody else plays the game: the number of the process, if it can be told.
    Held(Option<u32>),
    /// The disk has no locks, or they do not work.
    NoLocks(io::Error),
    Failed(io::Error),
}

impl Lock {
    pub fn take(recording: &Path) -> Result<Lock, NotLocked> {
        let path = with_ending(recording, ENDING);
        // The recording itself is not locked: on some systems nobody could read it then.
        let options = &mut OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = private(options, Readers::Owner).open(&path).map_err(NotLocked::Failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(NotLocked::Held(holder(&file))),
            Err(TryLockError::Error(error)) => return Err(NotLocked::NoLocks(error)),
        }
        let named = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
        named.map_err(NotLocked::Failed)?;
        Ok(Lock { path, _file: file })
    }

    /// Lets go of a game that is over. Whoever opened the file before reads the recording after, and finds that.
    pub fn remove(self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Who plays a recording now, as a phrase; none if nobody does.
pub fn who_plays(recording: &Path) -> Option<String> {
    let file = File::open(with_ending(recording, ENDING)).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Some(words(holder(&file))),
        _ => None,
    }
}

/// The process that holds a lock, in words.
pub fn words(holder: Option<u32>) -> String {
    holder.map_or_else(|| "another process".to_string(), |number| format!("process {number}"))
}

/// The process that has written its number; where a locked file cannot be read, nobody knows it.
fn holder(file: &File) -> Option<u32> {
    let mut digits = String::new();
    file.take(MOST_DIGITS).read_to_string(&mut digits).ok()?;
    digits.parse().ok()
}
