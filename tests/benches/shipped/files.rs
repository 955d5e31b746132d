//! The files of games, as they stand in the repository.

use ludex_engine::library::{BUNDLED, File};
use std::path::Path;

/// All that a game is made of; texts for people and tests are left out. The library is a folder of the repository.
pub fn of_game(library: &str, game: &str) -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(library);
    let mut files = Vec::new();
    for folder in ["rules", "characters", "scripts"] {
        gather(&root, &format!("{folder}/{game}"), &mut files);
    }
    files
}

fn gather(root: &Path, folder: &str, files: &mut Vec<File>) {
    // A game may do without sheets or scripts.
    let Ok(entries) = std::fs::read_dir(root.join(folder)) else { return };
    let mut names: Vec<String> = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    for name in names.iter().filter(|name| *name != "scenarios" && !name.ends_with(".md")) {
        let path = format!("{folder}/{name}");
        match root.join(&path).is_dir() {
            true => gather(root, &path, files),
            false => {
                let text = std::fs::read_to_string(root.join(&path)).expect("a file of the repository");
                files.push(File { path, text, library: BUNDLED.to_string() });
            }
        }
    }
}
