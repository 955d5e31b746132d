//! One file → its text, or why there is none.
//!
//! Everything that is read goes through [`read_text_file`], with its limit of size. Problems are collected in [`Notes`],
//! because one unreadable file must not stop the others.

use ludex_engine::codes;
use ludex_engine::library::{File, limits};
use ludex_engine::problem::{Problem, closest_match, join_words};
use ludex_engine::source::{SourceId, Sources};
use ludex_engine::yaml::{self, NotText};
use std::io::Read;
use std::path::Path;

/// Maximum number of similar files named for a missing one.
const MOST_NAMED: usize = 6;

/// Why there is no text.
pub enum ReadFailure {
    /// It is missing, unreadable or too large.
    Problem(Problem),
    /// Its bytes are not UTF-8; with the part that can be shown.
    NotText(NotText),
}

/// The part of a file that could be read. It counts towards the limits of a library, and shows whether the file is meant for
/// games.
pub fn readable_part(text: &Result<String, ReadFailure>) -> &str {
    match text {
        Ok(text) => text,
        Err(ReadFailure::NotText(found)) => &found.text,
        Err(ReadFailure::Problem(_)) => "",
    }
}

/// The amount read of one library. Folders and zips have the same limits.
#[derive(Default)]
pub struct LibrarySize {
    /// Bytes of all files.
    bytes: usize,
    /// Bytes of rules.
    rules: usize,
    /// An upper bound on the number of values in YAML files.
    values: usize,
}

/// The limit that a library exceeds.
pub enum ExceededLimit {
    Text,
    Rules,
    Values,
}

impl LibrarySize {
    /// Adds a file.
    ///
    /// # Errors
    ///
    /// The limit that is now exceeded.
    pub fn count_file(&mut self, path: &Path, text: &[u8]) -> Result<(), ExceededLimit> {
        self.bytes += text.len();
        self.rules += if path.extension().is_some_and(|ending| ending == "ludex") { text.len() } else { 0 };
        self.values += if is_yaml(path) { limits::most_values(text) } else { 0 };
        match self {
            _ if self.bytes > limits::LIBRARY_BYTES => Err(ExceededLimit::Text),
            _ if self.rules > limits::RULES_BYTES => Err(ExceededLimit::Rules),
            _ if self.values > limits::VALUES => Err(ExceededLimit::Values),
            _ => Ok(()),
        }
    }
}

impl ExceededLimit {
    /// The limit in words, such as `more than 4 MiB of text`.
    pub fn excess_text(&self) -> String {
        match self {
            ExceededLimit::Text => format!("more than {} MiB of text", limits::LIBRARY_BYTES >> 20),
            ExceededLimit::Rules => format!("more than {} MiB of rules", limits::RULES_BYTES >> 20),
            ExceededLimit::Values => format!("more than {} values in its sheets and scenarios", limits::VALUES),
        }
    }
}

pub fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml")
}

/// Collected problems of files.
#[derive(Default)]
pub struct Notes {
    pub problems: Vec<Problem>,
    /// Files that are not text.
    pub not_text: Vec<(UnreadFile, NotText)>,
    /// Other files that gave no text, each with its problem.
    pub unread: Vec<(UnreadFile, Problem)>,
}

/// A file that gave no text.
#[derive(Clone, Debug)]
pub struct UnreadFile {
    /// Its path as shown to readers.
    pub name: String,
    /// Its path within its library.
    pub path: String,
    pub library: String,
}

impl Notes {
    /// Returns a file with its text at a path within its library, or notes the problem. `place` is the path that readers see,
    /// `path` the path within the library, and `library` the name of its folder or zip.
    pub fn accept_file(
        &mut self,
        text: Result<String, ReadFailure>,
        place: &Path,
        path: String,
        library: String,
    ) -> Option<File> {
        let unread = UnreadFile { name: path_text(place), path, library };
        match text {
            Ok(text) => return Some(File { path: unread.path, text, library: unread.library }),
            Err(ReadFailure::Problem(problem)) => {
                self.problems.push(problem.clone());
                self.unread.push((unread, problem));
            }
            Err(ReadFailure::NotText(found)) => self.not_text.push((unread, found)),
        }
        None
    }
}

/// Reads one file outside the libraries: a position or a scenario. Adds its text, with `\n` as the only line end, to `sources`,
/// so that problems can point into it.
pub fn load_source(path: &Path, sources: &mut Sources) -> Result<SourceId, Problem> {
    let name = path_text(path);
    match read_text_file(path) {
        Ok(text) => Ok(sources.add(name, text.replace("\r\n", "\n"))),
        Err(ReadFailure::NotText(found)) => {
            let source = sources.add(name, found.text.as_str());
            Err(found.encoding_problem(source))
        }
        Err(ReadFailure::Problem(problem)) => Err(problem),
    }
}

/// Reads an arbitrary file. Its line ends stay as they are.
pub fn read_text_file(path: &Path) -> Result<String, ReadFailure> {
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => ReadFailure::Problem(missing_file_problem(path, "file")),
        _ => {
            ReadFailure::Problem(Problem::error(codes::FILE_UNREADABLE, format!("`{}` cannot be read: {error}", path_text(path))))
        }
    };
    let found = std::fs::metadata(path).map_err(unreadable)?;
    if found.is_dir() {
        let message = format!("`{}` is a folder, not a file", path_text(path));
        return Err(ReadFailure::Problem(Problem::error(codes::FILE_UNREADABLE, message).help("name a file in it")));
    }
    // Anything but a regular file, such as a pipe, might never end.
    if !found.is_file() {
        let message = format!("`{}` is not a file that can be read", path_text(path));
        return Err(ReadFailure::Problem(Problem::error(codes::FILE_UNREADABLE, message)));
    }
    let mut bytes = Vec::new();
    // A file may grow while it is read.
    if found.len() <= yaml::LARGEST as u64 {
        let file = std::fs::File::open(path).map_err(unreadable)?;
        file.take(yaml::LARGEST as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    if found.len().max(bytes.len() as u64) > yaml::LARGEST as u64 {
        let message = format!("`{}` is larger than 1 MiB", path_text(path));
        let help = "split it into several files; one sheet or script rarely needs a page";
        return Err(ReadFailure::Problem(Problem::error(codes::FILE_TOO_LARGE, message).help(help)));
    }
    yaml::decode_text(&bytes).map_err(ReadFailure::NotText)
}

/// Reports a missing file or folder (`what`), and suggests similar names in its parent folder.
pub fn missing_file_problem(path: &Path, what: &str) -> Problem {
    let problem = Problem::error(codes::FILE_MISSING, format!("there is no {what} `{}`", path_text(path)));
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut names: Vec<String> = std::fs::read_dir(parent)
        .into_iter()
        .flatten()
        .flatten()
        .take(1000)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        // A broken link exists under its own name.
        .filter(|known| *known != name)
        .collect();
    names.sort();
    match closest_match(&name, names.iter().map(String::as_str)) {
        Some(near) => problem.suggest_near(near),
        None => problem.help(similar_files_help(path, &names)),
    }
}

/// Names files with the same extension as a missing one.
fn similar_files_help(path: &Path, names: &[String]) -> String {
    let names: Vec<String> = names
        .iter()
        .filter(|name| !name.starts_with('.') && Path::new(name).extension() == path.extension())
        .take(MOST_NAMED)
        .map(|name| format!("`{name}`"))
        .collect();
    match names.as_slice() {
        [] => "paths start in the folder where you started Ludex".to_string(),
        [one] => format!("there is {one}"),
        names => format!("there are {}", join_words(names, "and")),
    }
}

/// Formats a path for messages.
pub fn path_text(path: &Path) -> String {
    let below = path.strip_prefix("./").ok().filter(|below| !below.as_os_str().is_empty());
    slashed_path(below.unwrap_or(path))
}

/// Quotes a path as one word of a command.
pub fn quote_argument(path: &str) -> String {
    let is_plain = |sign: char| sign.is_alphanumeric() || "/\\._-:+@%".contains(sign);
    if path.chars().all(is_plain) { path.to_string() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

/// A path with `/` between folders on every system.
pub fn slashed_path(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}
