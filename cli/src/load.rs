//! Files → named texts. The only code that opens the files of libraries.

mod bundled;
mod compile;
mod file;
mod folder;
mod overlooked;
mod packed;
mod sound;

pub use bundled::page;
pub use compile::{did_you_mean, known_game};
pub use file::{argument, shown, slashed, text};
pub use folder::{PARTS, is_of_interest};
pub use packed::{is_packed, texts as packed_texts};
pub use sound::Purpose;

use crate::args::Common;
use crate::layout::counted;
use crate::output;
use crate::shared::shared;
use crate::stop::Stop;
use file::{Notes, UnreadFile, missing, read};
use folder::{Found, Reason};
use ludex_engine::codes;
use ludex_engine::library::{BUNDLED, File, Library, NumberedFile, numbered};
use ludex_engine::problem::Problem;
use ludex_engine::source::{Source, SourceId};
use overlooked::{Overlooked, overlooked};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The variable that names folders to use always.
pub const VARIABLE: &str = "LUDEX_LIBRARY";

/// All libraries, and what is wrong with their files apart from what is in them.
#[derive(Debug, Default)]
pub struct Loaded {
    pub library: Library,
    /// The files that were left out of their games, because of errors in them.
    left_out: BTreeSet<SourceId>,
    /// Whether somebody was told which files have errors.
    is_remarked: bool,
    pub problems: Vec<Problem>,
    /// What is wrong with files that nobody named, but that were found in the current folder: they may have nothing to do with
    /// games, and keep no game from being played.
    pub strays: Vec<Problem>,
    /// By source: where the text was read, if it is not a bundled one.
    places: Vec<Option<PathBuf>>,
    /// Those of them that are in a zip.
    packed: BTreeSet<PathBuf>,
    /// What is wrong with files that gave no text, or are not looked at.
    unread: Vec<Problem>,
    /// Files that gave no text, with why.
    without_text: Vec<(UnreadFile, Problem)>,
    /// Files that look as if they were meant for a game, and are not read.
    overlooked: Vec<Overlooked>,
}

impl Loaded {
    /// Libraries that are given as texts, and lie nowhere.
    pub fn of_texts(files: Vec<File>) -> Loaded {
        let places = files.iter().map(|_| None).collect();
        let (library, problems) = Library::new(files);
        Loaded { library, problems, places, ..Loaded::default() }
    }

    /// What is wrong with any files.
    pub fn all_problems(&self) -> Vec<Problem> {
        self.problems.iter().chain(&self.strays).cloned().collect()
    }

    /// Why there is no game: the one that is meant may be in a library with errors, or among the strays.
    pub fn without_game(&self, unknown: Problem) -> Stop {
        let errors = self.problems.iter().filter(|problem| problem.is_error()).chain(&self.strays).cloned();
        Stop::new(std::iter::once(unknown).chain(errors).collect(), self.library.sources.clone())
    }

    /// Says that there are strays, if there are.
    fn remark_on_strays(&self) {
        if !self.strays.is_empty() {
            let count = counted(self.strays.len(), "problem", "problems");
            let place = "in files of the current folder that belong to no game";
            output::remark(&format!("{count} {place}: `ludex check` shows more, `--no-local` leaves the folder out"));
        }
    }

    /// The same libraries with other texts in some files.
    pub fn with_texts(&self, texts: &BTreeMap<SourceId, String>) -> Loaded {
        let file = |(id, source): (SourceId, &Source)| self.as_file(id, texts.get(&id).unwrap_or(&source.text));
        let (mut library, mut problems) = Library::new(self.read().map(file).collect());
        for (_, source) in self.library.sources.iter().skip(self.places.len()) {
            library.sources.add(source.name.as_str(), source.text.as_str());
        }
        problems.extend(self.unread.iter().cloned());
        let (places, packed) = (self.places.clone(), self.packed.clone());
        let (unread, without_text) = (self.unread.clone(), self.without_text.clone());
        library.leave_out(&self.left_out);
        let left_out = self.left_out.clone();
        Loaded { library, left_out, problems, places, packed, unread, without_text, ..Loaded::default() }
    }

    /// The same libraries with further files, which lie nowhere yet.
    pub fn with_more(&self, more: Vec<File>) -> Loaded {
        let there = self.read().map(|(id, source)| self.as_file(id, &source.text));
        let places = self.places.iter().cloned().chain(more.iter().map(|_| None)).collect();
        let (mut library, problems) = Library::new(there.chain(more).collect());
        library.leave_out(&self.left_out);
        let (left_out, packed) = (self.left_out.clone(), self.packed.clone());
        Loaded { library, left_out, problems, places, packed, ..Loaded::default() }
    }

    /// The texts that libraries were made from, without what has been looked at besides.
    fn read(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        self.library.sources.iter().take(self.places.len())
    }

    /// A file of the libraries, with this text.
    fn as_file(&self, source: SourceId, text: &str) -> File {
        let (path, library) = (self.library.path(source).to_string(), self.library.origin(source).to_string());
        File { path, text: text.to_string(), library }
    }

    /// Looks for files that look as if they were meant for a game, and are not read. Only `check` takes the time.
    pub fn look_for_overlooked(&mut self, common: &Common, paths: &[PathBuf]) {
        let around = paths.iter().filter_map(|path| path.canonicalize().ok()).map(|place| from_here(&library_around(&place)));
        let mut seen = BTreeSet::new();
        for root in folders(common).into_iter().chain(around) {
            let Some(place) = root.canonicalize().ok().filter(|place| place.is_dir() && seen.insert(place.clone())) else {
                continue;
            };
            let is_library = self.places.iter().flatten().any(|read| read.starts_with(&place));
            self.overlooked.extend(overlooked(&root, is_library));
        }
    }

    /// What is wrong with files that are not read: all of them, or those at some paths.
    pub fn overlooked_at(&self, paths: &[PathBuf]) -> Vec<Problem> {
        let asked: Vec<PathBuf> = paths.iter().filter_map(|path| path.canonicalize().ok()).collect();
        let is_asked = |place: &Path| paths.is_empty() || asked.iter().any(|path| place.starts_with(path));
        self.overlooked.iter().filter(|found| is_asked(&found.place)).map(|found| found.problem.clone()).collect()
    }

    /// Where a text was read; nowhere if it came with the program.
    pub fn place(&self, source: SourceId) -> Option<&Path> {
        self.places.get(source.0 as usize)?.as_deref()
    }

    /// The file in which a text can be changed: none if it came with the program or in a zip.
    pub fn file(&self, source: SourceId) -> Option<&Path> {
        self.place(source).filter(|place| !self.packed.contains(*place))
    }

    /// Whether a text is that of this very file, and not one of several in a folder or a zip.
    pub fn is_itself(&self, source: SourceId, path: &Path) -> bool {
        self.place(source).is_some_and(|place| path.canonicalize().is_ok_and(|path| path == place))
    }

    /// The texts that were read from a file, or from a folder or zip and what is in it.
    pub fn under(&self, path: &Path) -> Vec<SourceId> {
        let Ok(path) = path.canonicalize() else { return Vec::new() };
        let places = self.places.iter().enumerate();
        let inside = places.filter(|(_, place)| place.as_ref().is_some_and(|place| place.starts_with(&path)));
        inside.map(|(index, _)| SourceId(index as u32)).collect()
    }

    /// Where the libraries are from which a game has files, without those that come with the program, in the order in which
    /// they are read.
    pub fn libraries_of(&self, game: &str) -> Vec<PathBuf> {
        let files: BTreeSet<SourceId> = self.library.line(game).into_iter().flat_map(|game| game.files()).collect();
        let origins = files.into_iter().map(|source| self.library.origin(source)).filter(|origin| *origin != BUNDLED);
        let places = origins.filter_map(|origin| Path::new(origin).canonicalize().ok());
        let mut found = Vec::new();
        places.for_each(|place| {
            if !found.contains(&place) {
                found.push(place)
            }
        });
        found
    }

    /// What a game extends, without the game itself.
    pub fn parents(&self, game: &str) -> Vec<String> {
        let line = self.library.line(game);
        line.iter().rev().skip(1).rev().map(|game| game.id.clone()).collect()
    }
}

/// Reads the bundled library, those of `LUDEX_LIBRARY`, the current folder, or the library that it is part of, if it holds a
/// sheet, a script, rules or scenarios, and the given folders: a later one adds to the earlier ones.
pub fn load(common: &Common) -> Loaded {
    load_with(common, &[])
}

/// As [`load`], and last the libraries around some files or folders: what `check PATH` is asked about.
pub fn load_with(common: &Common, paths: &[PathBuf]) -> Loaded {
    let mut reading = Reading::default();
    for folder in always() {
        reading.add(&folder, Reason::Named);
    }
    if !common.no_local {
        reading.add(&here(), Reason::Current);
    }
    for folder in &common.libraries {
        reading.add(folder, Reason::Named);
    }
    for path in paths.iter().filter(|path| !reading.covers(path)).cloned().collect::<Vec<_>>() {
        reading.add_around(&path);
    }
    reading.finish()
}

/// The folders that [`load`] reads.
pub fn folders(common: &Common) -> Vec<PathBuf> {
    let here = (!common.no_local).then(here);
    always().into_iter().chain(here).chain(common.libraries.iter().cloned()).collect()
}

/// The current folder, or the library above it if it is part of one: `../..` in `rules/pond`.
fn here() -> PathBuf {
    let here = PathBuf::from(".");
    let Ok(place) = here.canonicalize() else { return here };
    // A folder that has parts of its own is a library, whatever it lies in.
    if PARTS.iter().any(|part| place.join(part).is_dir()) {
        return here;
    }
    let root = library_around(&place);
    let below = place.strip_prefix(&root).map_or(0, |below| below.components().count());
    if below == 0 { here } else { std::iter::repeat_n("..", below).collect() }
}

/// The folders that are used always.
fn always() -> Vec<PathBuf> {
    let named = std::env::var_os(VARIABLE).map(|value| std::env::split_paths(&value).collect::<Vec<_>>());
    named.unwrap_or_default().into_iter().filter(|folder| !folder.as_os_str().is_empty()).collect()
}

#[derive(Default)]
struct Reading {
    /// The folders read so far, each once; the last mention counts.
    folders: Vec<(PathBuf, Vec<Found>)>,
    /// Those of them that somebody named.
    named: BTreeSet<PathBuf>,
    /// Where files are that lie in a zip, and cannot be changed.
    packed: BTreeSet<PathBuf>,
    notes: Notes,
    /// What is wrong with how the current folder is laid out, where nobody named it.
    notes_of_current: Vec<Problem>,
}

impl Reading {
    fn add(&mut self, folder: &Path, reason: Reason) {
        let Ok(place) = folder.canonicalize() else {
            self.notes.problems.push(missing(folder, "folder"));
            return;
        };
        if packed::is_packed(&place) {
            return self.add_packed(folder, place);
        }
        if !place.is_dir() {
            let message = format!("`{}` is neither a folder nor a packed library", shown(folder));
            let help = "give the folder that the file is in, or a zip that `ludex pack` has written";
            self.notes.problems.push(Problem::error(codes::LIBRARY_EMPTY, message).help(help));
            return;
        }
        let known = self.folders.iter().position(|(known, _)| *known == place);
        let before = known.map(|known| self.folders.remove(known).1).unwrap_or_default();
        if reason == Reason::Named {
            self.named.insert(place.clone());
        }
        let (problems, not_text) = (self.notes.problems.len(), self.notes.not_text.len());
        let mut found = folder::files(folder, reason, &mut self.notes);
        let unread = self.notes.not_text.iter().skip(not_text).map(|(file, _)| &file.path);
        let paths = found.iter().map(|found| &found.file.path).chain(unread);
        if reason == Reason::Current && !paths.into_iter().any(|path| is_for_games(path)) {
            found.clear();
            // That it is too large to be looked at is told all the same.
            let told = self.notes.problems.split_off(problems);
            self.notes
                .problems
                .extend(told.into_iter().filter(|problem| problem.code == codes::LIBRARY_TOO_LARGE && !problem.is_error()));
            self.notes.not_text.truncate(not_text);
        }
        if found.is_empty() && reason == Reason::Named && self.notes.problems.len() == problems {
            let message = format!("`{}` has no rules, sheets or scripts in it", shown(folder));
            let help = "a library has folders `rules`, `characters` or `scripts`, or holds sheets and scripts itself";
            self.notes.problems.push(Problem::error(codes::LIBRARY_EMPTY, message).help(help));
        }
        if reason == Reason::Current {
            self.notes_of_current.extend(self.notes.problems.split_off(problems));
        }
        // Files that were named one by one are part of it all the same.
        let alone = before.into_iter().filter(|alone| !found.iter().any(|found| found.place == alone.place)).collect::<Vec<_>>();
        found.extend(alone);
        if !found.is_empty() {
            self.folders.push((place, found));
        }
    }

    /// Reads a library that `ludex pack` has packed. Whoever gave it named it, wherever it lies.
    fn add_packed(&mut self, path: &Path, place: PathBuf) {
        self.folders.retain(|(known, _)| *known != place);
        let found = packed::files(path, &mut self.notes);
        self.named.insert(place.clone());
        self.packed.extend(found.iter().map(|found| found.place.clone()));
        if !found.is_empty() {
            self.folders.push((place, found));
        }
    }

    /// Reads the library that a file or folder is part of.
    fn add_around(&mut self, path: &Path) {
        let Ok(place) = path.canonicalize() else {
            self.notes.problems.push(missing(path, "file or folder"));
            return;
        };
        if packed::is_packed(&place) {
            return self.add_packed(path, place);
        }
        let root = library_around(&place);
        let shown_root = if root == place { path.to_path_buf() } else { from_here(&root) };
        let reason = if root == place { Reason::Named } else { Reason::Current };
        self.add(&shown_root, reason);
        if place.is_file() && !self.covers(&place) {
            self.add_alone(&root, path, &place);
        }
    }

    /// A file that its folder would not be read for.
    fn add_alone(&mut self, root: &Path, path: &Path, place: &Path) {
        let within = slashed(place.strip_prefix(root).unwrap_or(place));
        if let Some(file) = self.notes.keep(read(place), path, within, slashed(&from_here(root))) {
            let found = Found { file, place: place.to_path_buf() };
            match self.folders.iter_mut().find(|(known, _)| known == root) {
                Some((_, files)) => files.push(found),
                None => self.folders.push((root.to_path_buf(), vec![found])),
            }
        }
    }

    /// Whether a path is part of what was read.
    fn covers(&self, path: &Path) -> bool {
        let Ok(place) = path.canonicalize() else { return false };
        self.folders.iter().flat_map(|(_, files)| files).any(|found| found.place.starts_with(&place))
    }

    fn finish(mut self) -> Loaded {
        // A folder without rules can only add to games of others, in whatever order they are named.
        self.folders.sort_by_key(|(_, files)| !files.iter().any(|found| found.file.path.ends_with(".ludex")));
        let mut files = bundled::files();
        let mut places: Vec<Option<PathBuf>> = files.iter().map(|_| None).collect();
        let mut unnamed = BTreeSet::new();
        for (folder, found) in self.folders {
            for found in found {
                if !self.named.contains(&folder) {
                    unnamed.insert(SourceId(files.len() as u32));
                }
                files.push(found.file);
                places.push(Some(found.place));
            }
        }
        let (mut library, mut problems) = Library::of(shared(numbered(files), NumberedFile::read));
        let mut unread = self.notes.problems;
        let mut without_text = self.notes.unread;
        for (file, found) in self.notes.not_text {
            let source = library.sources.add(file.name.as_str(), found.text.as_str());
            unread.push(found.problem(source));
            without_text.push((file, found.problem(source)));
        }
        problems.splice(0..0, unread.iter().cloned());
        let is_stray = |problem: &mut Problem| {
            !problem.labels.is_empty() && problem.labels.iter().all(|(span, _)| unnamed.contains(&span.source))
        };
        let strays = self.notes_of_current.iter().cloned().chain(problems.extract_if(.., is_stray)).collect();
        unread.extend(self.notes_of_current);
        Loaded { library, problems, strays, places, packed: self.packed, unread, without_text, ..Loaded::default() }
    }
}

/// The folder that holds `rules`, `characters` or `scripts` above a path, else the folder it is in.
fn library_around(place: &Path) -> PathBuf {
    let is_part = |path: &Path| path.file_name().is_some_and(|name| PARTS.iter().any(|part| name == *part));
    match place.ancestors().find(|path| is_part(path)).and_then(Path::parent) {
        Some(root) => root.to_path_buf(),
        None if place.is_dir() => place.to_path_buf(),
        None => place.parent().unwrap_or(place).to_path_buf(),
    }
}

/// A path from the current folder, where it leads down.
fn from_here(path: &Path) -> PathBuf {
    let here = Path::new(".").canonicalize().unwrap_or_default();
    match path.strip_prefix(&here) {
        Ok(below) if below.as_os_str().is_empty() => PathBuf::from("."),
        Ok(below) => below.to_path_buf(),
        Err(_) => path.to_path_buf(),
    }
}

/// Whether a file makes its folder a library: other tools have folders of these names too.
fn is_for_games(path: &str) -> bool {
    match path.split_once('/') {
        Some(("characters", _)) | None => true,
        // Scenarios may be all that a library adds to a game.
        Some(("rules", rest)) if rest.split('/').nth(1) == Some("scenarios") => true,
        Some(_) => path.ends_with(".ludex") || path.ends_with(".rhai"),
    }
}
