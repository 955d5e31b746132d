//! One row per game, for further analysis: a Parquet file, or lines of JSON.
//!
//! The rows are in the order of the games, however these were divided among threads. They are written to a draft, which is
//! renamed once it is complete.

mod lines;
#[cfg(feature = "parquet")]
mod parquet;
mod row;

pub use row::Row;

use crate::whole_file::{Readers, open_new, sync_folder_of, with_ending};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use row::RowWriter;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// An output file for rows, in the format of its extension.
pub struct Rows {
    path: PathBuf,
    draft: PathBuf,
    writing: Mutex<RowQueue>,
}

struct RowQueue {
    /// The writer of the format; `None` once the file is finished.
    form: Option<Box<dyn RowWriter>>,
    /// The game whose row comes next.
    next: u64,
    /// Rows of later games, by the number of their first game.
    waiting: BTreeMap<u64, Vec<Row>>,
    /// The first write error.
    failed: Option<io::Error>,
}

/// The formats of rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowFormat {
    Lines,
    Parquet,
}

impl Rows {
    /// Creates a file for the rows of some games with `sides` sides.
    pub fn create(path: &Path, sides: usize, games: &Range<u64>) -> Result<Rows, Box<Problem>> {
        let ending = row_format(path)?;
        let draft = with_ending(path, &format!("{}.draft", std::process::id()));
        let form = open_new(&draft, Readers::All).and_then(|file| row_writer(ending, file, sides));
        let form = form.map_err(|error| {
            let _ = fs::remove_file(&draft);
            rows_write_problem(path, &error)
        })?;
        let writing = RowQueue { form: Some(form), next: games.start, waiting: BTreeMap::new(), failed: None };
        Ok(Rows { path: path.to_path_buf(), draft, writing: Mutex::new(writing) })
    }

    /// Adds the rows of consecutive games. Write errors are reported at the end.
    pub fn add_rows(&self, rows: Vec<Row>) {
        let Some(first) = rows.first().map(|row| row.game) else { return };
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        writing.waiting.insert(first, rows);
        writing.write_ready_rows();
    }

    /// Renames the draft to the file. A write error of any row is returned here, and the file is not replaced then.
    pub fn finish_file(&self) -> Result<(), Box<Problem>> {
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = writing.failed.take().map_or(Ok(()), Err);
        let form = writing.form.take();
        let done = failed.and_then(|()| match form {
            Some(form) => form.finish()?.sync_all(),
            None => Ok(()),
        });
        done.and_then(|()| fs::rename(&self.draft, &self.path)).map_err(|error| rows_write_problem(&self.path, &error))?;
        sync_folder_of(&self.path);
        Ok(())
    }
}

impl Drop for Rows {
    /// An incomplete file is removed.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.draft);
    }
}

impl RowQueue {
    /// Writes the next rows, as far as they are available.
    fn write_ready_rows(&mut self) {
        while let Some(rows) = self.waiting.remove(&self.next) {
            for row in rows {
                self.next = row.game + 1;
                let written = match &mut self.form {
                    Some(form) if self.failed.is_none() => form.add(row),
                    _ => Ok(()),
                };
                if let Err(error) = written {
                    self.failed = Some(error);
                }
            }
        }
    }
}

/// The format that the extension of a file names, or why there is none.
fn row_format(path: &Path) -> Result<RowFormat, Box<Problem>> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("jsonl") => Ok(RowFormat::Lines),
        Some("parquet") if cfg!(feature = "parquet") => Ok(RowFormat::Parquet),
        Some("parquet") => {
            let message = "this `ludex` was built without Parquet";
            let help = "build it with `cargo build --release --features parquet`, or name a file that ends in `.jsonl`";
            Err(Box::new(Problem::error(codes::COMMAND_LINE, message).help(help)))
        }
        _ => {
            let message = format!("the name `{}` does not show the format of the rows", path.display());
            let help = "name a file that ends in `.parquet` or `.jsonl`";
            Err(Box::new(Problem::error(codes::COMMAND_LINE, message).help(help)))
        }
    }
}

/// A writer of rows in this format. `sides` decides the columns.
fn row_writer(ending: RowFormat, file: File, sides: usize) -> io::Result<Box<dyn RowWriter>> {
    match ending {
        #[cfg(feature = "parquet")]
        RowFormat::Parquet => Ok(Box::new(parquet::Parquet::new(file, sides)?)),
        _ => {
            let _ = sides;
            Ok(Box::new(lines::Lines::new(file)))
        }
    }
}

fn rows_write_problem(path: &Path, error: &io::Error) -> Box<Problem> {
    Box::new(Problem::error(codes::FILE_NOT_WRITTEN, format!("`{}` cannot be written: {error}", path.display())))
}
