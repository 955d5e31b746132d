//! Repeats an action whenever a file of a library is saved, for `check` and `test`.

use crate::args::CommonArgs;
use crate::exit::INTERRUPTED;
use crate::load::{self, PARTS};
use crate::stop::Stop;
use crate::{output, running};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant, SystemTime};

/// Editors save in several steps. A save is complete after this time without events.
const QUIET: Duration = Duration::from_millis(15);
/// Maximum time to wait for that.
const LONGEST: Duration = Duration::from_millis(60);

type WatchEvent = Result<notify::Event, notify::Error>;

/// Runs an action now, and again whenever a file changes that it may read, until Ctrl-C ends the process. `paths` are given on
/// the command line besides the libraries.
pub fn watch_files(
    verb: &str,
    common: &CommonArgs,
    paths: &[PathBuf],
    mut run: impl FnMut() -> Result<u8, Stop>,
) -> Result<u8, Stop> {
    // Without a handler the system's default applies, which ends the process too.
    let _ = ctrlc::set_handler(|| {
        output::print_remark("");
        running::exit_process(INTERRUPTED);
    });
    let (sender, events) = channel();
    let watcher = notify::recommended_watcher(sender).map_err(|error| unwatchable_stop(Path::new("."), &error))?;
    let mut watched = FolderWatches { watcher, folders: BTreeMap::new() };
    let roots = watch_roots(common, paths);
    loop {
        // Folders may be new or replaced by now.
        watched.watch_new_folders(&roots)?;
        if output::is_terminal() && !common.for_programs() {
            output::wipe_screen();
        }
        if let Err(stop) = run() {
            stop.report(Some(verb), common.is_json());
        }
        output::print_remark("watching; Ctrl-C ends it");
        if !wait_for_change(&events) {
            return Ok(INTERRUPTED);
        }
    }
}

/// The folders to watch: those of the libraries, and of `paths`. The flag says whether everything in a folder counts, not only
/// the parts of a library.
fn watch_roots(common: &CommonArgs, paths: &[PathBuf]) -> BTreeMap<PathBuf, bool> {
    let mut roots: BTreeMap<PathBuf, bool> = load::library_folders(common).into_iter().map(|folder| (folder, false)).collect();
    for path in paths {
        let is_folder = path.is_dir();
        let folder = if is_folder { path.as_path() } else { path.parent().unwrap_or(Path::new("")) };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        *roots.entry(folder.to_path_buf()).or_default() |= is_folder;
    }
    roots
}

/// The current watches.
struct FolderWatches {
    watcher: RecommendedWatcher,
    /// Each folder with its creation time, to detect a replaced folder of the same name.
    folders: BTreeMap<PathBuf, Option<SystemTime>>,
}

impl FolderWatches {
    /// Watches the folders that are not watched yet, or that were replaced.
    fn watch_new_folders(&mut self, roots: &BTreeMap<PathBuf, bool>) -> Result<(), Stop> {
        for (root, whole) in roots {
            self.watch_folder(root, if *whole { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive })?;
            for part in PARTS.map(|part| root.join(part)).iter().filter(|_| !whole) {
                self.watch_folder(part, RecursiveMode::Recursive)?;
            }
        }
        Ok(())
    }

    /// Watches a folder, unless it is watched already or does not exist.
    fn watch_folder(&mut self, folder: &Path, mode: RecursiveMode) -> Result<(), Stop> {
        let Ok(found) = folder.metadata() else {
            self.folders.remove(folder);
            return Ok(());
        };
        let made = found.created().ok();
        if !found.is_dir() || self.folders.get(folder) == Some(&made) {
            return Ok(());
        }
        self.folders.insert(folder.to_path_buf(), made);
        match self.watcher.watch(folder, mode) {
            // The folder was removed meanwhile, which its parent folder reports as a change.
            Err(_) if !folder.is_dir() => Ok(()),
            result => result.map_err(|error| unwatchable_stop(folder, &error)),
        }
    }
}

fn unwatchable_stop(folder: &Path, error: &notify::Error) -> Stop {
    let message = format!("`{}` cannot be watched: {error}", folder.display());
    let help = "run the command again yourself, or raise the system's limit for watched files";
    Problem::error(codes::FILE_UNREADABLE, message).help(help).into()
}

/// Waits until something has changed and no more events follow. Returns false if no event can arrive any more.
fn wait_for_change(events: &Receiver<WatchEvent>) -> bool {
    loop {
        match events.recv() {
            Ok(told) if !is_relevant(&told) => {}
            Ok(_) => break,
            Err(_) => return false,
        }
    }
    let last = Instant::now() + LONGEST;
    while Instant::now() < last && events.recv_timeout(QUIET).is_ok() {}
    true
}

/// Whether an event may concern a file that is read. Lost events may concern any.
fn is_relevant(told: &WatchEvent) -> bool {
    match told {
        Ok(event) if matches!(event.kind, EventKind::Access(_)) => false,
        Ok(event) => event.need_rescan() || event.paths.iter().any(|path| may_be_read(path)),
        Err(_) => true,
    }
}

/// Whether a path is a file of a game, or possibly a folder of such files.
fn may_be_read(path: &Path) -> bool {
    let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    !is_hidden && (load::is_of_interest(path) || path.extension().is_none() || path.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_games_and_folders_count() {
        for path in ["a/night-owl.yaml", "pig.ludex", "dive.rhai", "rules", "rules/pig/README.md"] {
            assert!(may_be_read(Path::new(path)), "{path}");
        }
        for path in ["a/.night-owl.yaml.swp", "night-owl.yaml~", "4913.tmp", ".git", "match.ludexrec", "night-owl.yaml.draft"] {
            assert!(!may_be_read(Path::new(path)), "{path}");
        }
    }
}
