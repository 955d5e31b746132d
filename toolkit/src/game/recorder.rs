//! A recording on disk that is being written: every answer is in it before anything else is asked.

use super::lock::Lock;
use crate::whole_file::{Readers, open_new, sync_folder_of};
use ludex_engine::recording::Chain;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    file: File,
    chain: Chain,
    /// None on a disk that has no locks.
    lock: Option<Lock>,
    /// Lines were written that may not be on the disk yet.
    is_ahead: bool,
}

impl Recorder {
    /// A new file, which only its owner can read; one that is there is an error.
    pub fn create(path: &Path, lock: Option<Lock>) -> io::Result<Recorder> {
        let file = open_new(path, Readers::Owner)?;
        sync_folder_of(path);
        Ok(Recorder { path: path.to_path_buf(), file, chain: Chain::default(), lock, is_ahead: true })
    }

    /// Goes on writing to a recording that is whole, up to where its chain has come.
    pub fn go_on(path: &Path, chain: Chain, lock: Option<Lock>) -> io::Result<Recorder> {
        let file = OpenOptions::new().append(true).open(path)?;
        Ok(Recorder { path: path.to_path_buf(), file, chain, lock, is_ahead: false })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Seals a line and hands it to the system: it is kept even if this process ends at once.
    pub fn write(&mut self, line: &str) -> io::Result<()> {
        self.is_ahead = true;
        self.file.write_all(self.chain.seal(line).as_bytes())
    }

    /// Writes lines that are sealed already, from the first one on.
    pub fn write_sealed(&mut self, text: &str, chain: Chain) -> io::Result<()> {
        self.is_ahead = true;
        self.chain = chain;
        self.file.write_all(text.as_bytes())
    }

    /// Waits until all that was written is on the disk: it is kept even if the machine stops at once.
    pub fn sync(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_ahead) { self.file.sync_data() } else { Ok(()) }
    }

    /// The last line is written, and nothing can follow.
    pub fn finish(&mut self) -> io::Result<()> {
        self.sync()?;
        self.lock.take().into_iter().for_each(Lock::remove);
        Ok(())
    }
}

/// Play may stop where nobody is asked any more, at a fault.
impl Drop for Recorder {
    fn drop(&mut self) {
        // There is nobody left to tell.
        let _ = self.sync();
    }
}
