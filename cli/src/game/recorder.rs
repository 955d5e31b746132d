//! A recording on disk that is being written: every answer is in it before anything else is asked. Lines that belong together
//! are written whole or not at all.

use super::kept_libraries;
use super::lock::Lock;
use crate::whole_file::{Readers, open_new, sync_folder_of};
use ludex_engine::recording::Chain;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// More bytes than these are not left to the system: they are kept in memory until they are on the disk.
const MOST_AHEAD: usize = 1 << 20;

#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    file: File,
    chain: Chain,
    /// None on a disk that has no locks.
    lock: Option<Lock>,
    /// How many bytes are on the disk for certain.
    synced: u64,
    /// The lines after those.
    ahead: String,
    /// Writing has failed: nothing is known of what the file holds after the bytes that are on the disk.
    is_torn: bool,
}

impl Recorder {
    /// A new file, which only its owner can read; one that is there is an error.
    pub fn create(path: &Path, lock: Option<Lock>) -> io::Result<Recorder> {
        let file = open_new(path, Readers::Owner)?;
        sync_folder_of(path);
        Ok(Recorder::of(path, file, Chain::default(), lock, 0))
    }

    /// Goes on writing to a recording that is whole, up to where its chain has come.
    pub fn go_on(path: &Path, chain: Chain, lock: Option<Lock>) -> io::Result<Recorder> {
        let mut file = OpenOptions::new().write(true).open(path)?;
        let length = file.seek(SeekFrom::End(0))?;
        Ok(Recorder::of(path, file, chain, lock, length))
    }

    fn of(path: &Path, file: File, chain: Chain, lock: Option<Lock>, synced: u64) -> Recorder {
        Recorder { path: path.to_path_buf(), file, chain, lock, synced, ahead: String::new(), is_torn: false }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Seals lines and hands them to the system: they are kept even if this process ends at once. If that fails, the recording
    /// holds none of them.
    pub fn write(&mut self, lines: impl IntoIterator<Item = String>) -> io::Result<()> {
        self.write_and(lines, |recorder| if recorder.ahead.len() > MOST_AHEAD { recorder.sync() } else { Ok(()) })
    }

    /// As [`Recorder::write`], and waits until they are on the disk: they are kept even if the machine stops at once.
    pub fn write_synced(&mut self, lines: impl IntoIterator<Item = String>) -> io::Result<()> {
        self.write_and(lines, Recorder::sync)
    }

    fn write_and(
        &mut self,
        lines: impl IntoIterator<Item = String>,
        then: impl FnOnce(&mut Recorder) -> io::Result<()>,
    ) -> io::Result<()> {
        let (chain, before) = (self.chain.clone(), self.ahead.len());
        for line in lines {
            let sealed = self.chain.seal(&line);
            self.ahead.push_str(&sealed);
        }
        let written = self.put(before).and_then(|()| then(self));
        if written.is_err() {
            self.chain = chain;
            self.ahead.truncate(before);
            // If that fails, too, the next attempt cuts it off, and so does whoever reads the file.
            let _ = self.cut();
        }
        written
    }

    /// As [`Recorder::write_synced`], with a whole text whose lines are sealed already.
    pub fn write_sealed(&mut self, text: &str) -> io::Result<()> {
        self.ahead.push_str(text);
        self.put(0)?;
        self.sync()
    }

    /// Waits until all that was written is on the disk.
    pub fn sync(&mut self) -> io::Result<()> {
        if self.ahead.is_empty() && !self.is_torn {
            return Ok(());
        }
        self.put(self.ahead.len())?;
        // Of what a failed sync was about, some systems say later that it is on the disk, though it is not: it is written again.
        self.file.sync_data().inspect_err(|_| self.is_torn = true)?;
        self.synced += self.ahead.len() as u64;
        self.ahead.clear();
        Ok(())
    }

    /// Hands what is ahead to the system: from that place on, or all of it after a failure. Lines that were written before are
    /// written over, so that they are there all the same if it fails again.
    fn put(&mut self, from: usize) -> io::Result<()> {
        let from = if self.is_torn { 0 } else { from };
        self.is_torn = true;
        self.file.seek(SeekFrom::Start(self.synced + from as u64))?;
        self.file.write_all(&self.ahead.as_bytes()[from..])?;
        self.cut()?;
        self.is_torn = false;
        Ok(())
    }

    /// Leaves nothing in the file but whole lines.
    fn cut(&self) -> io::Result<()> {
        let whole = self.synced + self.ahead.len() as u64;
        if self.file.metadata()?.len() > whole { self.file.set_len(whole) } else { Ok(()) }
    }

    /// The last line is written, and nothing can follow.
    pub fn finish(&mut self) {
        self.lock.take().into_iter().for_each(Lock::remove);
    }

    /// Takes a recording away of a game that has not begun.
    pub fn discard(mut self) {
        self.ahead.clear();
        self.is_torn = false;
        let _ = std::fs::remove_file(&self.path);
        kept_libraries::remove(&self.path);
        self.finish();
    }
}

/// Play may stop where nobody is asked any more, at a fault.
impl Drop for Recorder {
    fn drop(&mut self) {
        // There is nobody left to tell.
        let _ = self.sync();
    }
}
