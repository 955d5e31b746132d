//! Files → named texts. The only code that opens the files of libraries.

mod folder;

use include_dir::{Dir, include_dir};
use ludex_engine::codes;
use ludex_engine::library::{BUNDLED, File, Library};
use ludex_engine::problem::{Problem, joined, nearest};
use ludex_engine::source::{SourceId, Sources};
use ludex_engine::yaml::{self, NotText};
use std::io::Read;
use std::path::{Path, PathBuf};

static RULES: Dir = include_dir!("$CARGO_MANIFEST_DIR/rules");
static CHARACTERS: Dir = include_dir!("$CARGO_MANIFEST_DIR/characters");
static SCRIPTS: Dir = include_dir!("$CARGO_MANIFEST_DIR/scripts");

/// The variable that names folders to use always.
const VARIABLE: &str = "LUDEX_LIBRARY";

/// So many files are named where one is missing.
const MOST_NAMED: usize = 6;

/// All libraries, and what is wrong with their files apart from what is in them.
#[derive(Debug, Default)]
pub struct Loaded {
    pub library: Library,
    pub problems: Vec<Problem>,
    /// By source: where the text was read, if it is not a bundled one.
    places: Vec<Option<PathBuf>>,
}

impl Loaded {
    /// The texts that were read from a file, or from a folder and what is in it.
    pub fn under(&self, path: &Path) -> Vec<SourceId> {
        let Ok(path) = path.canonicalize() else { return Vec::new() };
        let places = self.places.iter().enumerate();
        let inside = places.filter(|(_, place)| place.as_ref().is_some_and(|place| place.starts_with(&path)));
        inside.map(|(index, _)| SourceId(index as u32)).collect()
    }
}

/// Reads the bundled library, those of `LUDEX_LIBRARY`, the current folder if it holds a sheet, a script or
/// rules, and the given folders: a later one adds to the earlier ones.
pub fn load(folders: &[PathBuf]) -> Loaded {
    load_with(folders, &[])
}

/// As [`load`], and last the libraries around some files or folders: what `check PATH` is asked about.
pub fn load_with(folders: &[PathBuf], paths: &[PathBuf]) -> Loaded {
    let mut reading = Reading::default();
    let named = std::env::var_os(VARIABLE).map(|value| std::env::split_paths(&value).collect::<Vec<_>>());
    for folder in named.unwrap_or_default().iter().filter(|folder| !folder.as_os_str().is_empty()) {
        reading.add(folder, Manner::Asked);
    }
    reading.add(Path::new("."), Manner::Current);
    for folder in folders {
        reading.add(folder, Manner::Asked);
    }
    for path in paths.iter().filter(|path| !reading.covers(path)).cloned().collect::<Vec<_>>() {
        reading.add_around(&path);
    }
    reading.finish()
}

/// Reads one file that stands outside the libraries: a position, a scenario.
pub fn text(path: &Path, sources: &mut Sources) -> Result<SourceId, Problem> {
    let name = shown(path);
    match read(path) {
        Ok(text) => Ok(sources.add(name, text.replace("\r\n", "\n"))),
        Err(Unread::NotText(found)) => {
            let source = sources.add(name, found.text.as_str());
            Err(found.problem(source))
        }
        Err(Unread::Problem(problem)) => Err(problem),
    }
}

/// Why a folder is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// Somebody named it: whatever is wrong with it is told.
    Asked,
    /// It is where we are: it counts only if it looks like a library.
    Current,
}

/// Why there is no text.
enum Unread {
    Problem(Problem),
    NotText(NotText),
}

/// How much text was read.
fn length(text: &Result<String, Unread>) -> usize {
    match text {
        Ok(text) => text.len(),
        Err(Unread::NotText(found)) => found.text.len(),
        Err(Unread::Problem(_)) => 0,
    }
}

/// One file of a library with the place it was found at.
struct Found {
    file: File,
    place: PathBuf,
}

#[derive(Default)]
struct Reading {
    /// The folders read so far, each once; the last mention counts.
    folders: Vec<(PathBuf, Vec<Found>)>,
    problems: Vec<Problem>,
    /// Files that are no text, with the names to show for them.
    not_text: Vec<(String, NotText)>,
}

impl Reading {
    fn add(&mut self, folder: &Path, manner: Manner) {
        let Ok(place) = folder.canonicalize() else {
            self.problems.push(missing(folder, "folder"));
            return;
        };
        if !place.is_dir() {
            let message = format!("`{}` is no folder", shown(folder));
            let help = "give the folder that the file is in";
            self.problems.push(Problem::error(codes::LIBRARY_EMPTY, message).help(help));
            return;
        }
        self.folders.retain(|(known, _)| *known != place);
        let (problems, not_text) = (self.problems.len(), self.not_text.len());
        let mut found = folder::files(folder, manner, self);
        if manner == Manner::Current && !found.iter().any(|found| is_for_games(&found.file.path)) {
            found.clear();
            // That it is too large to be looked at is told all the same.
            let told = self.problems.split_off(problems);
            self.problems
                .extend(told.into_iter().filter(|problem| problem.code == codes::LIBRARY_TOO_LARGE && !problem.is_error()));
            self.not_text.truncate(not_text);
        }
        if found.is_empty() && manner == Manner::Asked && self.problems.len() == problems {
            let message = format!("nothing in `{}` is for a game", shown(folder));
            let help = "a library has folders `rules`, `characters` or `scripts`, or holds sheets and scripts itself";
            self.problems.push(Problem::error(codes::LIBRARY_EMPTY, message).help(help));
        }
        if !found.is_empty() {
            self.folders.push((place, found));
        }
    }

    /// Reads the library that a file or folder is part of.
    fn add_around(&mut self, path: &Path) {
        let Ok(place) = path.canonicalize() else {
            self.problems.push(missing(path, "file or folder"));
            return;
        };
        let root = library_around(&place);
        let shown_root = if root == place { path.to_path_buf() } else { from_here(&root) };
        let manner = if root == place { Manner::Asked } else { Manner::Current };
        self.add(&shown_root, manner);
        if place.is_file() && !self.covers(&place) {
            self.add_alone(&root, path, &place);
        }
    }

    /// A file that its folder would not be read for.
    fn add_alone(&mut self, root: &Path, path: &Path, place: &Path) {
        if let Some(text) = self.keep(read(place), path) {
            let within = place.strip_prefix(root).unwrap_or(place);
            let file = File { path: slashed(within), text, library: slashed(&from_here(root)) };
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

    /// The text, or nothing and a problem more.
    fn keep(&mut self, text: Result<String, Unread>, path: &Path) -> Option<String> {
        match text {
            Ok(text) => return Some(text),
            Err(Unread::Problem(problem)) => self.problems.push(problem),
            Err(Unread::NotText(found)) => self.not_text.push((shown(path), found)),
        }
        None
    }

    fn finish(self) -> Loaded {
        let mut files = bundled();
        let mut places: Vec<Option<PathBuf>> = files.iter().map(|_| None).collect();
        for found in self.folders.into_iter().flat_map(|(_, files)| files) {
            files.push(found.file);
            places.push(Some(found.place));
        }
        let (mut library, mut problems) = Library::new(files);
        problems.splice(0..0, self.problems);
        for (name, found) in self.not_text {
            let source = library.sources.add(name, found.text.as_str());
            problems.push(found.problem(source));
        }
        Loaded { library, problems, places }
    }
}

/// The folder that holds `rules`, `characters` or `scripts` above a path, else the folder it is in.
fn library_around(place: &Path) -> PathBuf {
    let is_part =
        |path: &Path| path.file_name().is_some_and(|name| ["rules", "characters", "scripts"].iter().any(|part| name == *part));
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
        Some(_) => path.ends_with(".ludex") || path.ends_with(".rhai"),
    }
}

/// The library inside the program, in order of paths.
fn bundled() -> Vec<File> {
    let mut files = Vec::new();
    for (folder, dir) in [("rules", &RULES), ("characters", &CHARACTERS), ("scripts", &SCRIPTS)] {
        collect(folder, dir, &mut files);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn collect(folder: &str, dir: &Dir, files: &mut Vec<File>) {
    for inner in dir.dirs() {
        collect(folder, inner, files);
    }
    for file in dir.files().filter(|file| folder::is_of_interest(file.path())) {
        if let Some(text) = file.contents_utf8() {
            let path = format!("{folder}/{}", slashed(file.path()));
            files.push(File { path, text: text.to_string(), library: BUNDLED.to_string() });
        }
    }
}

/// Reads a file that may be anything.
fn read(path: &Path) -> Result<String, Unread> {
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => Unread::Problem(missing(path, "file")),
        _ => Unread::Problem(Problem::error(codes::FILE_UNREADABLE, format!("`{}` cannot be read: {error}", shown(path)))),
    };
    let found = std::fs::metadata(path).map_err(unreadable)?;
    if found.is_dir() {
        let message = format!("`{}` is a folder, and a file is wanted", shown(path));
        return Err(Unread::Problem(Problem::error(codes::FILE_UNREADABLE, message).help("name a file that is in it")));
    }
    // What is no plain file, such as a pipe, might never end.
    if !found.is_file() {
        let message = format!("`{}` is no file that can be read", shown(path));
        return Err(Unread::Problem(Problem::error(codes::FILE_UNREADABLE, message)));
    }
    let mut bytes = Vec::new();
    // A file may grow while it is read.
    if found.len() <= yaml::LARGEST as u64 {
        let file = std::fs::File::open(path).map_err(unreadable)?;
        file.take(yaml::LARGEST as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    if found.len().max(bytes.len() as u64) > yaml::LARGEST as u64 {
        let message = format!("`{}` is larger than 1 MiB", shown(path));
        let help = "split it into several files; one sheet or script rarely needs a page";
        return Err(Unread::Problem(Problem::error(codes::FILE_TOO_LARGE, message).help(help)));
    }
    yaml::decode(&bytes).map_err(Unread::NotText)
}

fn missing(path: &Path, what: &str) -> Problem {
    let problem = Problem::error(codes::FILE_MISSING, format!("there is no {what} `{}`", shown(path)));
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut names: Vec<String> = std::fs::read_dir(parent)
        .into_iter()
        .flatten()
        .flatten()
        .take(1000)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        // A link that leads nowhere is there by its own name.
        .filter(|known| *known != name)
        .collect();
    names.sort();
    match nearest(&name, names.iter().map(String::as_str)) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem.help(alike(path, &names)),
    }
}

/// Which files there are whose names end as that of a missing one.
fn alike(path: &Path, names: &[String]) -> String {
    let names: Vec<String> = names
        .iter()
        .filter(|name| !name.starts_with('.') && Path::new(name).extension() == path.extension())
        .take(MOST_NAMED)
        .map(|name| format!("`{name}`"))
        .collect();
    match names.as_slice() {
        [] => "a path counts from the folder that Ludex is started in".to_string(),
        [one] => format!("there is {one}"),
        names => format!("there are {}", joined(names, "and")),
    }
}

/// A path as messages show it.
fn shown(path: &Path) -> String {
    let below = path.strip_prefix("./").ok().filter(|below| !below.as_os_str().is_empty());
    slashed(below.unwrap_or(path))
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}
