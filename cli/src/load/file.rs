//! One file → its text, or why there is none.

use ludex_engine::codes;
use ludex_engine::library::{File, limits};
use ludex_engine::problem::{Problem, closest, joined};
use ludex_engine::source::{SourceId, Sources};
use ludex_engine::yaml::{self, NotText};
use std::io::Read;
use std::path::Path;

/// Maximum number of similar files named for a missing one.
const MOST_NAMED: usize = 6;

/// Why there is no text.
pub enum Unread {
    Problem(Problem),
    NotText(NotText),
}

/// The part of a file that could be read.
pub fn content(text: &Result<String, Unread>) -> &str {
    match text {
        Ok(text) => text,
        Err(Unread::NotText(found)) => &found.text,
        Err(Unread::Problem(_)) => "",
    }
}

/// The amount read of one library.
#[derive(Default)]
pub struct Amount {
    bytes: usize,
    rules: usize,
    values: usize,
}

/// The limit that a library exceeds.
pub enum Excess {
    Text,
    Rules,
    Values,
}

impl Amount {
    /// Adds a file.
    ///
    /// # Errors
    ///
    /// The limit that is now exceeded.
    pub fn add(&mut self, path: &Path, text: &[u8]) -> Result<(), Excess> {
        self.bytes += text.len();
        self.rules += if path.extension().is_some_and(|ending| ending == "ludex") { text.len() } else { 0 };
        self.values += if is_yaml(path) { limits::most_values(text) } else { 0 };
        match self {
            _ if self.bytes > limits::LIBRARY_BYTES => Err(Excess::Text),
            _ if self.rules > limits::RULES_BYTES => Err(Excess::Rules),
            _ if self.values > limits::VALUES => Err(Excess::Values),
            _ => Ok(()),
        }
    }
}

impl Excess {
    /// The limit in words, such as `more than 4 MiB of text`.
    pub fn words(&self) -> String {
        match self {
            Excess::Text => format!("more than {} MiB of text", limits::LIBRARY_BYTES >> 20),
            Excess::Rules => format!("more than {} MiB of rules", limits::RULES_BYTES >> 20),
            Excess::Values => format!("more than {} values in its sheets and scenarios", limits::VALUES),
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
    /// Returns a file with its text at a path within its library, or notes the problem.
    pub fn keep(&mut self, text: Result<String, Unread>, place: &Path, path: String, library: String) -> Option<File> {
        let unread = UnreadFile { name: shown(place), path, library };
        match text {
            Ok(text) => return Some(File { path: unread.path, text, library: unread.library }),
            Err(Unread::Problem(problem)) => {
                self.problems.push(problem.clone());
                self.unread.push((unread, problem));
            }
            Err(Unread::NotText(found)) => self.not_text.push((unread, found)),
        }
        None
    }
}

/// Reads one file outside the libraries: a position or a scenario.
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

/// Reads an arbitrary file.
pub fn read(path: &Path) -> Result<String, Unread> {
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => Unread::Problem(missing(path, "file")),
        _ => Unread::Problem(Problem::error(codes::FILE_UNREADABLE, format!("`{}` cannot be read: {error}", shown(path)))),
    };
    let found = std::fs::metadata(path).map_err(unreadable)?;
    if found.is_dir() {
        let message = format!("`{}` is a folder, not a file", shown(path));
        return Err(Unread::Problem(Problem::error(codes::FILE_UNREADABLE, message).help("name a file in it")));
    }
    // Anything but a regular file, such as a pipe, might never end.
    if !found.is_file() {
        let message = format!("`{}` is not a file that can be read", shown(path));
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

pub fn missing(path: &Path, what: &str) -> Problem {
    let problem = Problem::error(codes::FILE_MISSING, format!("there is no {what} `{}`", shown(path)));
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
    match closest(&name, names.iter().map(String::as_str)) {
        Some(near) => problem.meant(near),
        None => problem.help(alike(path, &names)),
    }
}

/// Names files with the same extension as a missing one.
fn alike(path: &Path, names: &[String]) -> String {
    let names: Vec<String> = names
        .iter()
        .filter(|name| !name.starts_with('.') && Path::new(name).extension() == path.extension())
        .take(MOST_NAMED)
        .map(|name| format!("`{name}`"))
        .collect();
    match names.as_slice() {
        [] => "paths start in the folder where you started Ludex".to_string(),
        [one] => format!("there is {one}"),
        names => format!("there are {}", joined(names, "and")),
    }
}

/// Formats a path for messages.
pub fn shown(path: &Path) -> String {
    let below = path.strip_prefix("./").ok().filter(|below| !below.as_os_str().is_empty());
    slashed(below.unwrap_or(path))
}

/// Quotes a path as one word of a command.
pub fn argument(path: &str) -> String {
    let is_plain = |sign: char| sign.is_alphanumeric() || "/\\._-:+@%".contains(sign);
    if path.chars().all(is_plain) { path.to_string() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

pub fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}
