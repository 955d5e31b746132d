//! Locks a recording, so that only one process plays it at a time.

use crate::whole_file::{Readers, restrict_readers, with_ending};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The extension of the locked file, added to the name of the recording.
const ENDING: &str = "lock";
/// Maximum number of digits of a process id.
const MOST_DIGITS: u64 = 20;

/// A lock on a recording, held while its game is played. The system releases it when the process ends, in any way; the file
/// stays as long as the game is unfinished. Between machines that share a disk, it works as far as that disk's locks do.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// Locked as long as it is open.
    _file: File,
}

/// Why a recording is not locked.
#[derive(Debug)]
pub enum NotLocked {
    /// Another process plays the game: its id, if known.
    Held(Option<u32>),
    /// The disk has no locks, or they do not work.
    NoLocks(io::Error),
    Failed(io::Error),
}

impl Lock {
    /// Locks a recording, which need not exist yet. Does not wait if another process holds the lock.
    pub fn lock_recording(recording: &Path) -> Result<Lock, NotLocked> {
        let path = with_ending(recording, ENDING);
        // The recording itself is not locked: on some systems it would become unreadable.
        let options = &mut OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = restrict_readers(options, Readers::Owner).open(&path).map_err(NotLocked::Failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(NotLocked::Held(read_holder(&file))),
            Err(TryLockError::Error(error)) => return Err(NotLocked::NoLocks(error)),
        }
        let named = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
        named.map_err(NotLocked::Failed)?;
        Ok(Lock { path, _file: file })
    }

    /// Releases the lock of a game that is over, and removes its file. A process that opened the file earlier reads the
    /// recording afterwards, and sees the end.
    pub fn remove_lock_file(self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// The process that plays a recording now, as a phrase; `None` if it is free.
pub fn playing_process(recording: &Path) -> Option<String> {
    let file = File::open(with_ending(recording, ENDING)).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Some(holder_text(read_holder(&file))),
        _ => None,
    }
}

/// The process that holds a lock, in words.
pub fn holder_text(holder: Option<u32>) -> String {
    holder.map_or_else(|| "another process".to_string(), |number| format!("process {number}"))
}

/// The id that the holding process wrote; `None` if it cannot be read, as on systems where a locked file is unreadable.
fn read_holder(file: &File) -> Option<u32> {
    let mut digits = String::new();
    file.take(MOST_DIGITS).read_to_string(&mut digits).ok()?;
    digits.parse().ok()
}
