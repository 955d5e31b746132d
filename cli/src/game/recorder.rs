//! A recording on disk, as it is written. Every answer is written before the next question. Lines that belong together are
//! written as a whole or not at all.
//!
//! Two levels of safety: written lines are with the system and survive the end of this process; synced lines are on disk and
//! survive a power failure. Each line is sealed: it ends with a checksum of itself and the lines before, which a [`Chain`]
//! computes.

use super::kept_libraries;
use super::lock::Lock;
use crate::whole_file::{Readers, open_new, sync_folder_of};
use ludex_engine::recording::Chain;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Maximum number of bytes left to the system. Until they are on disk, they are also kept in memory.
const MOST_AHEAD: usize = 1 << 20;

/// An open recording. Dropping it syncs what was written.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    file: File,
    chain: Chain,
    /// `None` on a disk without locks.
    lock: Option<Lock>,
    /// Number of bytes that are certainly on disk.
    synced: u64,
    /// The lines after those, sealed. They are kept until they are synced, so that they can be written again after a failure.
    ahead: String,
    /// Writing failed: the content of the file after the synced bytes is unknown.
    is_torn: bool,
}

impl Recorder {
    /// Creates a new file that only its owner can read. An existing file is an error.
    pub fn create(path: &Path, lock: Option<Lock>) -> io::Result<Recorder> {
        let file = open_new(path, Readers::Owner)?;
        sync_folder_of(path);
        Ok(Recorder::from_file(path, file, Chain::default(), lock, 0))
    }

    /// Continues a complete recording from where its chain ends.
    pub fn continue_recording(path: &Path, chain: Chain, lock: Option<Lock>) -> io::Result<Recorder> {
        let mut file = OpenOptions::new().write(true).open(path)?;
        let length = file.seek(SeekFrom::End(0))?;
        Ok(Recorder::from_file(path, file, chain, lock, length))
    }

    fn from_file(path: &Path, file: File, chain: Chain, lock: Option<Lock>, synced: u64) -> Recorder {
        Recorder { path: path.to_path_buf(), file, chain, lock, synced, ahead: String::new(), is_torn: false }
    }

    pub fn recording_path(&self) -> &Path {
        &self.path
    }

    /// Seals lines and hands them to the system: they survive if this process ends at once. On failure the recording holds none
    /// of them.
    pub fn write_lines(&mut self, lines: impl IntoIterator<Item = String>) -> io::Result<()> {
        self.write_then(lines, |recorder| if recorder.ahead.len() > MOST_AHEAD { recorder.sync_to_disk() } else { Ok(()) })
    }

    /// Like [`Recorder::write_lines`], but waits until the lines are on disk: they survive if the machine stops at once.
    pub fn write_synced(&mut self, lines: impl IntoIterator<Item = String>) -> io::Result<()> {
        self.write_then(lines, Recorder::sync_to_disk)
    }

    /// Seals lines, writes them and then runs `then`. If either fails, the lines are dropped again.
    fn write_then(
        &mut self,
        lines: impl IntoIterator<Item = String>,
        then: impl FnOnce(&mut Recorder) -> io::Result<()>,
    ) -> io::Result<()> {
        let (chain, before) = (self.chain.clone(), self.ahead.len());
        for line in lines {
            let sealed = self.chain.seal_line(&line);
            self.ahead.push_str(&sealed);
        }
        let written = self.write_pending(before).and_then(|()| then(self));
        if written.is_err() {
            self.chain = chain;
            self.ahead.truncate(before);
            // If this fails too, the next attempt cuts it off, and so does any reader.
            let _ = self.cut_to_whole_lines();
        }
        written
    }

    /// Like [`Recorder::write_synced`], for a whole recording whose lines are already sealed. After an error, discard it.
    pub fn write_sealed(&mut self, text: &str) -> io::Result<()> {
        self.ahead.push_str(text);
        self.write_pending(0)?;
        self.sync_to_disk()
    }

    /// Waits until everything written is on disk.
    pub fn sync_to_disk(&mut self) -> io::Result<()> {
        if self.ahead.is_empty() && !self.is_torn {
            return Ok(());
        }
        self.write_pending(self.ahead.len())?;
        // After a failed sync some systems later claim that the data is on disk although it is not. So it is written again.
        self.file.sync_data().inspect_err(|_| self.is_torn = true)?;
        self.synced += self.ahead.len() as u64;
        self.ahead.clear();
        Ok(())
    }

    /// Hands the pending lines to the system, from the byte `from` of `ahead` on, or all of them after a failure. Lines that
    /// were already written are overwritten, so that they survive another failure.
    fn write_pending(&mut self, from: usize) -> io::Result<()> {
        let from = if self.is_torn { 0 } else { from };
        self.is_torn = true;
        self.file.seek(SeekFrom::Start(self.synced + from as u64))?;
        self.file.write_all(&self.ahead.as_bytes()[from..])?;
        self.cut_to_whole_lines()?;
        self.is_torn = false;
        Ok(())
    }

    /// Cuts off anything in the file after the pending lines, which a failed write may have left.
    fn cut_to_whole_lines(&self) -> io::Result<()> {
        let whole = self.synced + self.ahead.len() as u64;
        if self.file.metadata()?.len() > whole { self.file.set_len(whole) } else { Ok(()) }
    }

    /// Releases the lock. Called once the last line is written; later calls do nothing.
    pub fn release_lock(&mut self) {
        self.lock.take().into_iter().for_each(Lock::remove_lock_file);
    }

    /// Removes the recording of a game that has not begun, with the files beside it.
    pub fn discard_recording(mut self) {
        self.ahead.clear();
        self.is_torn = false;
        let _ = std::fs::remove_file(&self.path);
        kept_libraries::remove_libraries(&self.path);
        self.release_lock();
    }
}

/// Play may stop at a fault, without another question.
impl Drop for Recorder {
    fn drop(&mut self) {
        // An error can no longer be reported here.
        let _ = self.sync_to_disk();
    }
}
