//! One folder → the files in it that are for games.

use super::{Found, Manner, Reading, read, shown, slashed};
use ludex_engine::codes;
use ludex_engine::library::File;
use ludex_engine::problem::Problem;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folders in which games are laid out.
const PARTS: [&str; 3] = ["characters", "rules", "scripts"];
/// How deep folders may lie in each other.
const DEEPEST: usize = 8;
/// Files and folders that are looked at before a library is given up as no library.
const MOST: usize = 20_000;

/// The files of a library, in order of their paths.
pub(super) fn files(root: &Path, manner: Manner, reading: &mut Reading) -> Vec<Found> {
    let visited = root.canonicalize().into_iter().collect();
    let mut walk = Walk { root, manner, reading, found: Vec::new(), visited, seen: 0, stopped: false };
    walk.loose();
    for part in PARTS {
        let folder = root.join(part);
        if folder.is_dir() {
            walk.folder(&folder, 1);
        }
    }
    let mut found = walk.found;
    found.sort_by(|a, b| a.file.path.cmp(&b.file.path));
    found
}

/// Whether a file's name is that of rules, a sheet, a script or a README.
pub(super) fn is_of_interest(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    !name.starts_with('.') && (matches!(ending, "ludex" | "rhai" | "yaml" | "yml") || name == "readme.md")
}

struct Walk<'a> {
    root: &'a Path,
    manner: Manner,
    reading: &'a mut Reading,
    found: Vec<Found>,
    /// Folders seen so far, without links: none is read twice.
    visited: BTreeSet<PathBuf>,
    seen: usize,
    stopped: bool,
}

impl Walk<'_> {
    /// Files in the library's folder itself.
    fn loose(&mut self) {
        for path in self.entries(self.root) {
            let readme = path.extension().is_some_and(|ending| ending == "md");
            if !path.is_dir() && is_of_interest(&path) && !readme {
                self.file(&path, true);
            }
        }
    }

    fn folder(&mut self, folder: &Path, depth: usize) {
        let Ok(place) = folder.canonicalize() else { return };
        if !self.visited.insert(place) {
            let message = format!("the folder `{}` is a link to one that is read already", shown(folder));
            self.refuse(Problem::error(codes::FILE_UNREADABLE, message).help("remove the link"));
            return;
        }
        if depth > DEEPEST {
            let message = format!("the folder `{}` lies too deep", shown(folder));
            let help = format!("folders may lie in each other {DEEPEST} deep");
            self.refuse(Problem::error(codes::FILE_UNREADABLE, message).help(help));
            return;
        }
        for path in self.entries(folder) {
            if path.is_dir() {
                self.folder(&path, depth + 1);
            } else if is_of_interest(&path) {
                self.file(&path, false);
            }
        }
    }

    /// What a folder holds, sorted by name, without hidden things.
    fn entries(&mut self, folder: &Path) -> Vec<PathBuf> {
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                let message = format!("the folder `{}` cannot be read: {error}", shown(folder));
                self.refuse(Problem::error(codes::FILE_UNREADABLE, message));
                return Vec::new();
            }
        };
        let mut paths = Vec::new();
        for entry in entries.flatten() {
            self.seen += 1;
            if self.seen > MOST {
                self.stop();
                return Vec::new();
            }
            if !entry.file_name().to_string_lossy().starts_with('.') {
                paths.push(entry.path());
            }
        }
        paths.sort();
        paths
    }

    fn stop(&mut self) {
        if !self.stopped && self.manner == Manner::Asked {
            let message = format!("`{}` holds more than {MOST} files", shown(self.root));
            let help = "give a folder that holds games, sheets or scripts only";
            self.refuse(Problem::error(codes::FILE_TOO_LARGE, message).help(help));
        }
        self.stopped = true;
    }

    fn file(&mut self, path: &Path, loose: bool) {
        let text = read(path);
        let by_chance = loose && self.manner == Manner::Current && is_yaml(path);
        // Folders hold YAML files of all sorts: in the current one only those count that look like a sheet.
        if by_chance && !text.as_ref().is_ok_and(|text| looks_like_a_sheet(text)) {
            return;
        }
        let Some(text) = self.reading.keep(text, path) else { return };
        let within = path.strip_prefix(self.root).unwrap_or(path);
        let file = File { path: slashed(within), text, library: slashed(self.root) };
        let place = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        self.found.push(Found { file, place });
    }

    fn refuse(&mut self, problem: Problem) {
        self.reading.problems.push(problem);
    }
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml")
}

/// A name, and a word or a list of numbers as only sheets have it.
fn looks_like_a_sheet(text: &str) -> bool {
    let starts = |key: &str| text.lines().any(|line| line.starts_with(key));
    starts("name:") && (starts("abilities:") || starts("game:") || text.lines().any(lists_numbers))
}

/// `nest: [4, 6]`
fn lists_numbers(line: &str) -> bool {
    let list = line.split_once(':').and_then(|(_, value)| value.trim_start().strip_prefix('['));
    list.is_some_and(|list| list.trim_start().trim_start_matches('d').starts_with(|sign: char| sign.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_looks_like_a_sheet_is_taken_by_chance() {
        assert!(looks_like_a_sheet("name: Otter\nabilities: [hop]\n"));
        assert!(looks_like_a_sheet("game: pond\nname: Otter\n"));
        assert!(looks_like_a_sheet("name: Otter\n\tnest: [4]\n"));
        assert!(!looks_like_a_sheet("name: CI\non: push\n"));
    }

    #[test]
    fn endings_tell_what_is_of_interest() {
        assert!(is_of_interest(Path::new("a/play.ludex")));
        assert!(is_of_interest(Path::new("README.md")));
        assert!(!is_of_interest(Path::new(".hidden.yaml")));
        assert!(!is_of_interest(Path::new("notes.md")));
        assert!(!is_of_interest(Path::new("otter.yaml~")));
    }
}
