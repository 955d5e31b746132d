//! Writes new files, all of them or none.

use super::NewFile;
use crate::load::path_text;
use crate::whole_file::{Readers, replace_file, with_ending};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Writes files into a folder. If one exists or cannot be written, no file is.
pub fn write_files(folder: &Path, files: &[NewFile]) -> Result<(), Problem> {
    let paths: Vec<PathBuf> = files.iter().map(|file| folder.join(&file.path)).collect();
    if let Some(there) = paths.iter().find(|path| path.symlink_metadata().is_ok()) {
        let problem = Problem::error(codes::NEW_NAME, format!("`{}` already exists, so no file was written", path_text(there)));
        return Err(problem.help("choose another name, or move the file away"));
    }
    let mut done = WrittenFiles::default();
    for (file, path) in files.iter().zip(&paths) {
        if let Err(error) = done.add_file(path, &file.text) {
            done.remove_files();
            let message = format!("`{}` cannot be written: {error}", path_text(path));
            return Err(
                Problem::error(codes::FILE_NOT_WRITTEN, message).help("no file was written; `--into DIR` names another folder")
            );
        }
    }
    Ok(())
}

/// The files and folders made so far.
#[derive(Default)]
struct WrittenFiles {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl WrittenFiles {
    /// Writes a file, and makes its folder if it is missing.
    fn add_file(&mut self, path: &Path, text: &str) -> io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let missing: Vec<PathBuf> = folder
            .ancestors()
            .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
            .map(Path::to_path_buf)
            .collect();
        fs::create_dir_all(folder)?;
        self.folders.extend(missing);
        replace_file(path, &with_ending(path, "draft"), text, Readers::All)?;
        self.files.push(path.to_path_buf());
        Ok(())
    }

    /// Removes them again. Anything that cannot be removed stays: it contains no one else's data.
    fn remove_files(self) {
        self.files.iter().for_each(|file| drop(fs::remove_file(file)));
        self.folders.iter().for_each(|folder| drop(fs::remove_dir(folder)));
    }
}
