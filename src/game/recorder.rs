//! Recordings on disk: every answer is in the file before the next question appears.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const ENDING: &str = "ludexrec";

/// A recording that is being written.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    file: File,
}

impl Recorder {
    /// A new file; one that is there is an error.
    pub fn create(path: &Path) -> io::Result<Recorder> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        Ok(Recorder { path: path.to_path_buf(), file })
    }

    /// Goes on writing to a recording whose first `length` bytes are whole lines. What is torn after them goes.
    pub fn go_on(path: &Path, length: u64) -> io::Result<Recorder> {
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.set_len(length)?;
        io::Seek::seek(&mut file, io::SeekFrom::End(0))?;
        Ok(Recorder { path: path.to_path_buf(), file })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Hands whole lines to the system, so that they are kept even if this process ends at once.
    pub fn write(&mut self, lines: &str) -> io::Result<()> {
        self.file.write_all(lines.as_bytes())?;
        self.file.flush()
    }
}

/// A folder that keeps the last few recordings, numbered.
#[derive(Clone, Debug)]
pub struct Shelf {
    folder: PathBuf,
    keep: usize,
}

impl Shelf {
    /// Where `play` keeps its recordings.
    pub fn of_play() -> Option<Shelf> {
        Some(Shelf { folder: state_folder()?.join("recordings"), keep: 20 })
    }

    /// Where `host` keeps its own, apart from those: a program may play hundreds of games in a minute.
    pub fn of_host() -> Option<Shelf> {
        Some(Shelf { folder: state_folder()?.join("hosted"), keep: 200 })
    }

    /// Where `sim` keeps the games in which something went wrong.
    pub fn of_sim() -> Option<Shelf> {
        Some(Shelf { folder: state_folder()?.join("simulated"), keep: 50 })
    }

    /// A new recording, and room made for it.
    pub fn add(&self, game: &str) -> io::Result<Recorder> {
        fs::create_dir_all(&self.folder)?;
        let mut number = self.recordings().last().map_or(1, |(number, _)| number + 1);
        let recorder = loop {
            match Recorder::create(&self.folder.join(format!("{number:04}-{game}.{ENDING}"))) {
                // Another game took the number meanwhile.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                made => break made?,
            }
        };
        self.tidy();
        Ok(recorder)
    }

    /// Whether a file lies in this folder.
    pub fn holds(&self, path: &Path) -> bool {
        let folder = path.parent().map(|folder| folder.canonicalize());
        matches!((folder, self.folder.canonicalize()), (Some(Ok(folder)), Ok(own)) if folder == own)
    }

    /// The recordings with their numbers, oldest first.
    fn recordings(&self) -> Vec<(u64, PathBuf)> {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return Vec::new();
        };
        let paths = entries.flatten().map(|entry| entry.path());
        let mut found: Vec<(u64, PathBuf)> = paths.filter_map(|path| Some((number(&path)?, path))).collect();
        found.sort();
        found
    }

    /// Removes all but the last recordings.
    fn tidy(&self) {
        let found = self.recordings();
        let old = found.len().saturating_sub(self.keep);
        for (_, path) in found.iter().take(old) {
            // One that cannot be removed is no reason not to play.
            let _ = fs::remove_file(path);
        }
    }
}

/// The number in a recording's name: 12 in `0012-pig.ludexrec`.
fn number(path: &Path) -> Option<u64> {
    let ending = path.extension() == Some(OsStr::new(ENDING));
    let (number, _) = path.file_stem()?.to_str()?.split_once('-')?;
    if ending { number.parse().ok() } else { None }
}

/// The platform's folder for what a program keeps between runs.
fn state_folder() -> Option<PathBuf> {
    let folders = directories::ProjectDirs::from("", "", "ludex")?;
    Some(folders.state_dir().unwrap_or_else(|| folders.data_local_dir()).to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shelf(name: &str) -> Shelf {
        let folder = std::env::temp_dir().join(format!("ludex-shelf-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Shelf { folder, keep: 3 }
    }

    #[test]
    fn the_last_recordings_are_kept() {
        let shelf = shelf("last");
        for _ in 0..5 {
            shelf.add("pig").unwrap();
        }
        let numbers: Vec<u64> = shelf.recordings().into_iter().map(|(number, _)| number).collect();
        assert_eq!(numbers, [3, 4, 5]);
        fs::remove_dir_all(&shelf.folder).unwrap();
    }

    #[test]
    fn other_files_are_left_alone() {
        let shelf = shelf("other");
        fs::create_dir_all(&shelf.folder).unwrap();
        let note = shelf.folder.join("0001-note.txt");
        fs::write(&note, "mine").unwrap();
        for _ in 0..5 {
            shelf.add("pig").unwrap();
        }
        assert!(note.exists());
        fs::remove_dir_all(&shelf.folder).unwrap();
    }

    #[test]
    fn a_torn_end_is_cut_before_play_goes_on() {
        let shelf = shelf("torn");
        let mut recorder = shelf.add("pig").unwrap();
        recorder.write("whole\ntor").unwrap();
        let path = recorder.path().to_path_buf();
        Recorder::go_on(&path, 6).unwrap().write("more\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole\nmore\n");
        assert!(shelf.holds(&path));
        fs::remove_dir_all(&shelf.folder).unwrap();
    }
}
