//! One folder → the game files in it.
//!
//! Rules, sheets and scripts are in the folders `rules`, `characters` and `scripts`, the [`PARTS`] of a library. Files directly
//! in its folder are loose: sheets and scripts may be there too. A folder that was not named may hold anything, so that there
//! only YAML files count that look like a sheet or scenarios.

use super::file::{LibrarySize, Notes, ReadFailure, is_yaml, path_text, read_text_file, readable_part, slashed_path};
use ludex_engine::codes;
use ludex_engine::library::{File, MANIFEST, limits};
use ludex_engine::problem::{Problem, Severity};
use std::fs::FileType;
use std::path::{Path, PathBuf};

/// The folders that a library consists of.
pub const PARTS: [&str; 3] = ["characters", "rules", "scripts"];
/// Maximum number of links reported one by one.
const MOST_TOLD: usize = 5;

/// Why a folder is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It was named by the user: all its problems are reported.
    Named,
    /// It was not named itself: it is the current folder, or holds a file that was named. It counts only if it looks like a
    /// library.
    Current,
}

/// One file of a library, and its place on disk.
pub struct LibraryFile {
    pub file: File,
    /// Its absolute path, by which duplicates are found.
    pub place: PathBuf,
}

/// The files of a library, in order of their paths; none if it is too large. Problems are added to `notes`.
pub fn folder_files(root: &Path, reason: Reason, notes: &mut Notes) -> Vec<LibraryFile> {
    let mut walk = Walk {
        root,
        reason,
        notes,
        found: Vec::new(),
        entries: 0,
        files: 0,
        amount: LibrarySize::default(),
        links: 0,
        over: false,
    };
    walk.read_loose_files();
    for part in PARTS {
        let folder = root.join(part);
        match std::fs::symlink_metadata(&folder).map(|found| found.file_type()) {
            Ok(kind) if kind.is_symlink() => walk.report_link(&folder),
            Ok(kind) if kind.is_dir() => walk.walk_folder(&folder, 1),
            _ => {}
        }
    }
    walk.report_more_links();
    let mut found = if walk.over { Vec::new() } else { walk.found };
    found.sort_by(|a, b| a.file.path.cmp(&b.file.path));
    found
}

/// Whether a file is rules, a sheet, a script, a README or a rulebook, judging by its name.
pub fn is_of_interest(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    !name.starts_with('.') && (matches!(ending, "ludex" | "rhai" | "yaml" | "yml") || name == "readme.md" || name == "rules.md")
}

/// A walk through the folders of one library.
struct Walk<'a> {
    root: &'a Path,
    reason: Reason,
    notes: &'a mut Notes,
    found: Vec<LibraryFile>,
    /// Number of files and folders examined.
    entries: usize,
    /// Number of files read.
    files: usize,
    amount: LibrarySize,
    /// Number of links found, all of which are left out.
    links: usize,
    /// Whether it exceeds a limit of libraries.
    over: bool,
}

impl Walk<'_> {
    /// Reads files directly in the library's folder.
    fn read_loose_files(&mut self) {
        for (path, kind) in self.list_entries(self.root) {
            let readme = path.extension().is_some_and(|ending| ending == "md");
            if !kind.is_dir() && is_of_interest(&path) && !readme {
                self.examine_file(&path, kind, true);
            }
        }
    }

    /// Reads the game files of a part and its subfolders; the part itself has depth 1.
    fn walk_folder(&mut self, folder: &Path, depth: usize) {
        if depth > limits::FOLDERS_DEEP {
            let message = format!("the folder `{}` is nested too deeply", path_text(folder));
            let help = format!("folders may be nested at most {} deep", limits::FOLDERS_DEEP);
            self.add_problem(Problem::error(codes::LIBRARY_TOO_LARGE, message).help(help));
            return;
        }
        for (path, kind) in self.list_entries(folder) {
            if kind.is_dir() {
                self.walk_folder(&path, depth + 1);
            } else if kind.is_symlink() && path.is_dir() {
                self.report_link(&path);
            } else if is_of_interest(&path) {
                self.examine_file(&path, kind, false);
            }
        }
    }

    /// The contents of a folder, sorted by name, without hidden entries.
    fn list_entries(&mut self, folder: &Path) -> Vec<(PathBuf, FileType)> {
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                let message = format!("the folder `{}` cannot be read: {error}", path_text(folder));
                self.add_problem(Problem::error(codes::FILE_UNREADABLE, message));
                return Vec::new();
            }
        };
        let mut paths = Vec::new();
        for entry in entries.flatten().filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')) {
            self.entries += 1;
            if self.entries > limits::ENTRIES {
                self.give_up_library(&format!("more than {} files and folders", limits::ENTRIES));
            }
            if self.over {
                return Vec::new();
            }
            // The type of the entry itself, not of its link target.
            paths.extend(entry.file_type().ok().map(|kind| (entry.path(), kind)));
        }
        paths.sort_by(|(one, _), (other, _)| one.cmp(other));
        paths
    }

    /// Gives up the library, because it holds more than allowed. A folder that was not named may be any folder, so this never
    /// prevents play there.
    fn give_up_library(&mut self, what: &str) {
        if std::mem::replace(&mut self.over, true) {
            return;
        }
        let severity = if self.reason == Reason::Named { Severity::Error } else { Severity::Warning };
        let message = format!("`{}` holds {what}, so it is not read", path_text(self.root));
        let help = "keep only games, sheets and scripts in a library; put other games into a library of their own";
        self.add_problem(Problem { severity, ..Problem::error(codes::LIBRARY_TOO_LARGE, message).help(help) });
    }

    /// Reports a link. Links are left out, because they would expose files from elsewhere to readers of the library.
    fn report_link(&mut self, path: &Path) {
        self.links += 1;
        if self.links <= MOST_TOLD {
            let problem = Problem::warning(codes::LINK_LEFT_OUT, format!("`{}` is a link and is left out", path_text(path)));
            self.add_problem(problem.help("put the file or folder itself here"));
        }
    }

    fn report_more_links(&mut self) {
        if let Some(more) = self.links.checked_sub(MOST_TOLD).filter(|more| *more > 0) {
            let message = format!("{more} more links in `{}` are left out", path_text(self.root));
            self.add_problem(Problem::warning(codes::LINK_LEFT_OUT, message).help("put the files or folders themselves there"));
        }
    }

    /// Reads a file, and adds it to the files found if it is meant for games. `loose` files are directly in the library's
    /// folder.
    fn examine_file(&mut self, path: &Path, kind: FileType, loose: bool) {
        if self.over {
            return;
        }
        let by_chance = loose && self.reason == Reason::Current && is_yaml(path);
        if kind.is_symlink() {
            return self.report_link(path);
        }
        let text = read_text_file(path);
        // Folders hold YAML files of all sorts. In one that was not named, only files that look like a sheet or scenarios
        // count.
        let is_meant = |text: &str| looks_like_a_sheet(text) || looks_like_scenarios(text) || is_manifest(path);
        let meant = match &text {
            Ok(text) => is_meant(text),
            Err(ReadFailure::NotText(found)) => is_meant(&found.text),
            Err(ReadFailure::Problem(_)) => is_manifest(path),
        };
        if by_chance && !meant {
            return;
        }
        self.files += 1;
        if let Err(excess) = self.amount.count_file(path, readable_part(&text).as_bytes()) {
            return self.give_up_library(&excess.excess_text());
        }
        if self.files > limits::FILES {
            return self.give_up_library(&format!("more than {} files for games", limits::FILES));
        }
        let within = slashed_path(path.strip_prefix(self.root).unwrap_or(path));
        let Some(file) = self.notes.accept_file(text, path, within, slashed_path(self.root)) else { return };
        let place = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        self.found.push(LibraryFile { file, place });
    }

    fn add_problem(&mut self, problem: Problem) {
        self.notes.problems.push(problem);
    }
}

/// Whether a file is a manifest, which identifies a library in a folder that was not named.
fn is_manifest(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == MANIFEST)
}

/// Whether a text has a name, and a word or a list of numbers that only sheets have. Nothing is parsed for it, because a
/// mistake in a sheet must not hide it.
pub fn looks_like_a_sheet(text: &str) -> bool {
    let starts = |key: &str| text.lines().any(|line| line.starts_with(key));
    starts("name:") && (starts("abilities:") || starts("game:") || text.lines().any(lists_numbers))
}

/// Whether a text is a list with a member that starts with its name or its game, and that has a start of play, and steps or
/// expectations.
pub fn looks_like_scenarios(text: &str) -> bool {
    let starts = |keys: &[&str]| text.lines().any(|line| keys.iter().any(|key| line.starts_with(key)));
    starts(&["- name:", "- game:"]) && starts(&["  position:", "  start:"]) && starts(&["  play:", "  then:"])
}

/// Whether a line lists numbers, such as `nest: [4, 6]`.
pub fn lists_numbers(line: &str) -> bool {
    let list = line.split_once(':').and_then(|(_, value)| value.trim_start().strip_prefix('['));
    list.is_some_and(|list| list.trim_start().trim_start_matches('d').starts_with(|sign: char| sign.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_looks_like_a_sheet_or_scenarios_is_taken_by_chance() {
        assert!(looks_like_a_sheet("name: Otter\nabilities: [hop]\n"));
        assert!(looks_like_a_sheet("game: pond\nname: Otter\n"));
        assert!(looks_like_a_sheet("name: Otter\n\tnest: [4]\n"));
        assert!(!looks_like_a_sheet("name: CI\non: push\n"));
        assert!(looks_like_scenarios("# Of the pond.\n- name: A frog hops\n  start: {}\n  play: [0: hop]\n"));
        assert!(!looks_like_scenarios("- name: install\n  start: daily\n"));
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
