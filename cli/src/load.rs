//! Files → named texts. The only code that opens the files of libraries. Verbs that need games begin with [`open_libraries`]
//! or [`open_libraries_around`].
//!
//! A library is a folder, or a packed file, with rules, sheets and scripts. It is named if the command line or the environment
//! names it; the current folder is read too, but its files may have nothing to do with games, so their problems are only
//! strays.

mod bundled;
mod compile;
mod file;
mod folder;
mod overlooked;
mod packed;
mod sound;

pub use bundled::bundled_page;
pub use compile::{did_you_mean, refuse_unknown_game};
pub use file::{load_source, path_text, quote_argument, slashed_path};
pub use folder::{PARTS, is_of_interest};
pub use packed::{is_packed, unpack_texts as packed_texts};
pub use sound::Purpose;

use crate::args::CommonArgs;
use crate::layout::count_text;
use crate::output;
use crate::shared::map_parallel;
use crate::stop::Stop;
use file::{Notes, UnreadFile, missing_file_problem, read_text_file};
use folder::{LibraryFile, Reason};
use ludex_engine::codes;
use ludex_engine::library::{BUNDLED, File, Library, NumberedFile, number_files};
use ludex_engine::problem::Problem;
use ludex_engine::source::SourceId;
use overlooked::{OverlookedFile, find_overlooked};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The environment variable with folders that are always read.
pub const VARIABLE: &str = "LUDEX_LIBRARY";

/// All libraries, with the problems of their files other than in their contents.
#[derive(Debug, Default)]
pub struct LoadedLibraries {
    pub library: Library,
    /// Files left out of their games because of errors, by the number of their text (their source).
    left_out: BTreeSet<SourceId>,
    /// Whether the files with errors were already reported.
    is_remarked: bool,
    pub problems: Vec<Problem>,
    /// Problems of unnamed files found in the current folder. They may have nothing to do with games, and never prevent play.
    pub strays: Vec<Problem>,
    /// By source: the file where the text was read, as an absolute path; `None` for bundled texts.
    places: Vec<Option<PathBuf>>,
    /// The places that are in a zip.
    packed: BTreeSet<PathBuf>,
    /// Problems of files that gave no text or are not read.
    unread: Vec<Problem>,
    /// Files that gave no text, and why.
    without_text: Vec<(UnreadFile, Problem)>,
    /// Files that look meant for a game but are not read.
    overlooked: Vec<OverlookedFile>,
}

impl LoadedLibraries {
    /// Libraries from texts in memory, without places on disk.
    pub fn from_texts(files: Vec<File>) -> LoadedLibraries {
        let places = files.iter().map(|_| None).collect();
        let (library, problems) = Library::new(files);
        LoadedLibraries { library, problems, places, ..LoadedLibraries::default() }
    }

    /// All problems of files.
    pub fn all_problems(&self) -> Vec<Problem> {
        self.problems.iter().chain(&self.strays).cloned().collect()
    }

    /// Reports an unknown game together with errors of libraries and strays, since one of them may be the reason.
    pub fn unknown_game_stop(&self, unknown: Problem) -> Stop {
        let errors = self.problems.iter().filter(|problem| problem.is_error()).chain(&self.strays).cloned();
        Stop::new(std::iter::once(unknown).chain(errors).collect(), self.library.sources.clone())
    }

    /// Prints a note about strays, if there are any.
    fn print_strays_note(&self) {
        if !self.strays.is_empty() {
            let count = count_text(self.strays.len(), "problem", "problems");
            let place = "in files of the current folder that belong to no game";
            output::print_remark(&format!("{count} {place}: `ludex check` shows more, `--no-local` leaves the folder out"));
        }
    }

    /// The same libraries with new texts for some files, to try a change in memory.
    pub fn with_texts(&self, texts: &BTreeMap<SourceId, String>) -> LoadedLibraries {
        let (mut library, mut problems) = self.library.with_files(texts, Vec::new());
        for (_, source) in self.library.sources.iter().skip(self.places.len()) {
            library.sources.add(source.name.as_str(), source.text.as_str());
        }
        problems.extend(self.unread.iter().cloned());
        let (places, packed) = (self.places.clone(), self.packed.clone());
        let (unread, without_text) = (self.unread.clone(), self.without_text.clone());
        library.remove_files(&self.left_out);
        let left_out = self.left_out.clone();
        LoadedLibraries { library, left_out, problems, places, packed, unread, without_text, ..LoadedLibraries::default() }
    }

    /// The same libraries with additional files, which are not on disk yet.
    pub fn with_more(&self, more: Vec<File>) -> LoadedLibraries {
        let places = self.places.iter().cloned().chain(more.iter().map(|_| None)).collect();
        let (mut library, problems) = self.library.with_files(&BTreeMap::new(), more);
        library.remove_files(&self.left_out);
        let (left_out, packed) = (self.left_out.clone(), self.packed.clone());
        LoadedLibraries { library, left_out, problems, places, packed, ..LoadedLibraries::default() }
    }

    /// Finds files that look meant for a game but are not read, in the libraries of `common` and around `paths`. Only `check`
    /// spends the time on this.
    pub fn add_overlooked(&mut self, common: &CommonArgs, paths: &[PathBuf]) {
        let around =
            paths.iter().filter_map(|path| path.canonicalize().ok()).map(|place| relative_to_here(&library_around(&place)));
        let mut seen = BTreeSet::new();
        for root in library_folders(common).into_iter().chain(around) {
            let Some(place) = root.canonicalize().ok().filter(|place| place.is_dir() && seen.insert(place.clone())) else {
                continue;
            };
            let is_library = self.places.iter().flatten().any(|read| read.starts_with(&place));
            self.overlooked.extend(find_overlooked(&root, is_library));
        }
    }

    /// The problems of overlooked files: all of them, or those under some paths.
    pub fn overlooked_problems(&self, paths: &[PathBuf]) -> Vec<Problem> {
        let asked: Vec<PathBuf> = paths.iter().filter_map(|path| path.canonicalize().ok()).collect();
        let is_asked = |place: &Path| paths.is_empty() || asked.iter().any(|path| place.starts_with(path));
        self.overlooked.iter().filter(|found| is_asked(&found.place)).map(|found| found.problem.clone()).collect()
    }

    /// The place a text was read from; `None` if it is bundled.
    pub fn source_place(&self, source: SourceId) -> Option<&Path> {
        self.places.get(source.0 as usize)?.as_deref()
    }

    /// The file in which a text can be changed; `None` if it is bundled or in a zip.
    pub fn editable_file(&self, source: SourceId) -> Option<&Path> {
        self.source_place(source).filter(|place| !self.packed.contains(*place))
    }

    /// Whether a text comes from exactly this file, not from one of several in a folder or a zip.
    pub fn is_single_file(&self, source: SourceId, path: &Path) -> bool {
        self.source_place(source).is_some_and(|place| path.canonicalize().is_ok_and(|path| path == place))
    }

    /// The texts read from a file, or from a folder or zip and its contents.
    pub fn sources_under(&self, path: &Path) -> Vec<SourceId> {
        let Ok(path) = path.canonicalize() else { return Vec::new() };
        let places = self.places.iter().enumerate();
        let inside = places.filter(|(_, place)| place.as_ref().is_some_and(|place| place.starts_with(&path)));
        inside.map(|(index, _)| SourceId(index as u32)).collect()
    }

    /// The folders of the libraries that a game has files from, in reading order and without the bundled one.
    pub fn libraries_of(&self, game: &str) -> Vec<PathBuf> {
        let files: BTreeSet<SourceId> = self.library.package_line(game).into_iter().flat_map(|game| game.game_files()).collect();
        let origins = files.into_iter().map(|source| self.library.source_library(source)).filter(|origin| *origin != BUNDLED);
        let places = origins.filter_map(|origin| Path::new(origin).canonicalize().ok());
        let mut found = Vec::new();
        places.for_each(|place| {
            if !found.contains(&place) {
                found.push(place)
            }
        });
        found
    }

    /// The ancestors of a game, without the game itself.
    pub fn ancestor_games(&self, game: &str) -> Vec<String> {
        let line = self.library.package_line(game);
        line.iter().rev().skip(1).rev().map(|game| game.id.clone()).collect()
    }
}

/// Reads the bundled library, those of `LUDEX_LIBRARY`, the current folder, and the given folders. The current folder, or the
/// library it is part of, counts only if it holds a sheet, a script, rules or scenarios. Later libraries add to earlier ones.
pub fn open_libraries(common: &CommonArgs) -> LoadedLibraries {
    open_libraries_around(common, &[])
}

/// Like [`open_libraries`], followed by the libraries around some files or folders, as `check PATH` needs.
pub fn open_libraries_around(common: &CommonArgs, paths: &[PathBuf]) -> LoadedLibraries {
    let mut reading = LibraryReader::default();
    for folder in configured_folders() {
        reading.add_folder(&folder, Reason::Named);
    }
    if !common.no_local {
        reading.add_folder(&current_library(), Reason::Current);
    }
    for folder in &common.libraries {
        reading.add_folder(folder, Reason::Named);
    }
    for path in paths.iter().filter(|path| !reading.has_read(path)).cloned().collect::<Vec<_>>() {
        reading.add_around(&path);
    }
    reading.build_libraries()
}

/// The folders that [`open_libraries`] reads.
pub fn library_folders(common: &CommonArgs) -> Vec<PathBuf> {
    let here = (!common.no_local).then(current_library);
    configured_folders().into_iter().chain(here).chain(common.libraries.iter().cloned()).collect()
}

/// The current folder, or the library above it if it is part of one: `../..` in `rules/pond`.
pub fn current_library() -> PathBuf {
    let here = PathBuf::from(".");
    let Ok(place) = here.canonicalize() else { return here };
    // A folder with parts of its own is a library, even inside another.
    if PARTS.iter().any(|part| place.join(part).is_dir()) {
        return here;
    }
    let root = library_around(&place);
    let below = place.strip_prefix(&root).map_or(0, |below| below.components().count());
    if below == 0 { here } else { std::iter::repeat_n("..", below).collect() }
}

/// The folders that are always read.
fn configured_folders() -> Vec<PathBuf> {
    let named = std::env::var_os(VARIABLE).map(|value| std::env::split_paths(&value).collect::<Vec<_>>());
    named.unwrap_or_default().into_iter().filter(|folder| !folder.as_os_str().is_empty()).collect()
}

/// Reads library after library, then builds them as a whole.
#[derive(Default)]
struct LibraryReader {
    /// The folders read so far, without duplicates; the last mention counts, because later libraries add to earlier ones.
    folders: Vec<(PathBuf, Vec<LibraryFile>)>,
    /// The folders that were named explicitly.
    named: BTreeSet<PathBuf>,
    /// The places of files in a zip, which cannot be changed.
    packed: BTreeSet<PathBuf>,
    notes: Notes,
    /// Problems with the layout of the current folder, if it was not named.
    notes_of_current: Vec<Problem>,
}

impl LibraryReader {
    /// Reads a library. Problems with a folder that was not named are kept apart.
    fn add_folder(&mut self, folder: &Path, reason: Reason) {
        let Ok(place) = folder.canonicalize() else {
            self.notes.problems.push(missing_file_problem(folder, "folder"));
            return;
        };
        if packed::is_packed(&place) {
            return self.add_packed(folder, place);
        }
        if !place.is_dir() {
            let message = format!("`{}` is neither a folder nor a packed library", path_text(folder));
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
        let mut found = folder::folder_files(folder, reason, &mut self.notes);
        let unread = self.notes.not_text.iter().skip(not_text).map(|(file, _)| &file.path);
        let paths = found.iter().map(|found| &found.file.path).chain(unread);
        if reason == Reason::Current && !paths.into_iter().any(|path| is_for_games(path)) {
            found.clear();
            // An excessive size is still reported.
            let told = self.notes.problems.split_off(problems);
            self.notes
                .problems
                .extend(told.into_iter().filter(|problem| problem.code == codes::LIBRARY_TOO_LARGE && !problem.is_error()));
            self.notes.not_text.truncate(not_text);
        }
        if found.is_empty() && reason == Reason::Named && self.notes.problems.len() == problems {
            let message = format!("`{}` has no rules, sheets or scripts in it", path_text(folder));
            let help = "a library has folders `rules`, `characters` or `scripts`, or holds sheets and scripts itself";
            self.notes.problems.push(Problem::error(codes::LIBRARY_EMPTY, message).help(help));
        }
        if reason == Reason::Current {
            self.notes_of_current.extend(self.notes.problems.split_off(problems));
        }
        // Files that were named one by one still belong to it.
        let alone = before.into_iter().filter(|alone| !found.iter().any(|found| found.place == alone.place)).collect::<Vec<_>>();
        found.extend(alone);
        if !found.is_empty() {
            self.folders.push((place, found));
        }
    }

    /// Reads a library packed by `ludex pack`. It counts as named wherever it is.
    fn add_packed(&mut self, path: &Path, place: PathBuf) {
        self.folders.retain(|(known, _)| *known != place);
        let found = packed::packed_files(path, &mut self.notes);
        self.named.insert(place.clone());
        self.packed.extend(found.iter().map(|found| found.place.clone()));
        if !found.is_empty() {
            self.folders.push((place, found));
        }
    }

    /// Reads the library that a file or folder is part of.
    fn add_around(&mut self, path: &Path) {
        let Ok(place) = path.canonicalize() else {
            self.notes.problems.push(missing_file_problem(path, "file or folder"));
            return;
        };
        if packed::is_packed(&place) {
            return self.add_packed(path, place);
        }
        let root = library_around(&place);
        let shown_root = if root == place { path.to_path_buf() } else { relative_to_here(&root) };
        let reason = if root == place { Reason::Named } else { Reason::Current };
        self.add_folder(&shown_root, reason);
        if place.is_file() && !self.has_read(&place) {
            self.add_alone(&root, path, &place);
        }
    }

    /// Reads a file that would not be read as part of its folder.
    fn add_alone(&mut self, root: &Path, path: &Path, place: &Path) {
        let within = slashed_path(place.strip_prefix(root).unwrap_or(place));
        if let Some(file) = self.notes.accept_file(read_text_file(place), path, within, slashed_path(&relative_to_here(root))) {
            let found = LibraryFile { file, place: place.to_path_buf() };
            match self.folders.iter_mut().find(|(known, _)| known == root) {
                Some((_, files)) => files.push(found),
                None => self.folders.push((root.to_path_buf(), vec![found])),
            }
        }
    }

    /// Whether something under a path was read.
    fn has_read(&self, path: &Path) -> bool {
        let Ok(place) = path.canonicalize() else { return false };
        self.folders.iter().flat_map(|(_, files)| files).any(|found| found.place.starts_with(&place))
    }

    /// Parses all files, and joins the libraries into one.
    fn build_libraries(mut self) -> LoadedLibraries {
        // A folder without rules can only add to other games, so it comes after them in any case.
        self.folders.sort_by_key(|(_, files)| !files.iter().any(|found| found.file.path.ends_with(".ludex")));
        let mut files = bundled::bundled_files();
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
        let (mut library, mut problems) = Library::from_read_files(map_parallel(number_files(files), NumberedFile::read));
        let mut unread = self.notes.problems;
        let mut without_text = self.notes.unread;
        for (file, found) in self.notes.not_text {
            let source = library.sources.add(file.name.as_str(), found.text.as_str());
            unread.push(found.encoding_problem(source));
            without_text.push((file, found.encoding_problem(source)));
        }
        problems.splice(0..0, unread.iter().cloned());
        let is_stray = |problem: &mut Problem| {
            !problem.labels.is_empty() && problem.labels.iter().all(|(span, _)| unnamed.contains(&span.source))
        };
        let strays = self.notes_of_current.iter().cloned().chain(problems.extract_if(.., is_stray)).collect();
        unread.extend(self.notes_of_current);
        LoadedLibraries {
            library,
            problems,
            strays,
            places,
            packed: self.packed,
            unread,
            without_text,
            ..LoadedLibraries::default()
        }
    }
}

/// The root of the library that a path is in: the folder that holds `rules`, `characters` or `scripts` above it, or else the
/// path's own folder.
fn library_around(place: &Path) -> PathBuf {
    let is_part = |path: &Path| path.file_name().is_some_and(|name| PARTS.iter().any(|part| name == *part));
    match place.ancestors().find(|path| is_part(path)).and_then(Path::parent) {
        Some(root) => root.to_path_buf(),
        None if place.is_dir() => place.to_path_buf(),
        None => place.parent().unwrap_or(place).to_path_buf(),
    }
}

/// A path relative to the current folder, if it is below it.
fn relative_to_here(path: &Path) -> PathBuf {
    let here = Path::new(".").canonicalize().unwrap_or_default();
    match path.strip_prefix(&here) {
        Ok(below) if below.as_os_str().is_empty() => PathBuf::from("."),
        Ok(below) => below.to_path_buf(),
        Err(_) => path.to_path_buf(),
    }
}

/// Whether a file makes its folder a library. Other tools also use folders of these names.
fn is_for_games(path: &str) -> bool {
    match path.split_once('/') {
        Some(("characters", _)) | None => true,
        // A library may add only scenarios to a game.
        Some(("rules", rest)) if rest.split('/').nth(1) == Some("scenarios") => true,
        Some(_) => path.ends_with(".ludex") || path.ends_with(".rhai"),
    }
}
