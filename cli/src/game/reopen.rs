//! Recordings from disk, for `resume` and `replay`: reads them line by line and prepares a replay. After the header, which
//! says what was played, each line is an entry; its checksum shows whether it is damaged. A divergence is a place where a
//! replay goes another way than the recording.

use super::RecordingStore;
use super::loaded::{GameRequest, LoadedGame, PositionText, open_requested_game};
use crate::args::CommonArgs;
use crate::load;
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::library::CompileRequest;
use ludex_engine::problem::Problem;
use ludex_engine::recording::{
    Contents, Divergence, LONGEST_LINE, MOST_BYTES, Reader, RecordedSession, Replay, Step, check_length, package_warning,
};
use ludex_engine::source::{SourceId, Sources};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Maximum size in bytes of a file whose lines are shown in messages.
const MOST_DRAWN: u64 = 4 << 20;

/// A recording and its game.
pub struct ReopenedRecording {
    /// Its summary, without its entries.
    pub contents: Contents,
    pub loaded: LoadedGame,
    /// Describes the parts that were left out.
    pub damage: Option<String>,
    /// The file, which is read again for each replay: its entries may be too many to keep.
    path: PathBuf,
}

/// Reads a recording and compiles its game with the same mode, options and position. The libraries that it was played with are
/// read besides those of `common`. A damaged end is left out, and a note about it is printed.
pub fn reopen_recording(path: &Path, common: &CommonArgs) -> Result<ReopenedRecording, Stop> {
    let reader = match read_entries(path) {
        Ok(Ok(reader)) => reader,
        Ok(Err(problem)) => return Err(recording_stop(path, problem)),
        Err(error) => return Err(unreadable_recording_problem(path, &error).into()),
    };
    let contents = reader.read_rest();
    if let Some(note) = contents.notes.first() {
        let (note, sources) = with_source_text(path, note.clone());
        crate::output::print_problems(&[note], &sources);
    }
    let damage = contents.notes.first().map(|note| note.message.to_string());
    let header = &contents.header;
    let wanted = CompileRequest { mode: Some(header.mode.clone()), options: header.option_texts(), open: false };
    let position = header.position.as_deref().map(|text| PositionText::Kept(text, header));
    let (kept, gone): (Vec<PathBuf>, Vec<PathBuf>) =
        recorded_libraries(path, common).into_iter().partition(|library| library.exists());
    let common = CommonArgs { libraries: kept.into_iter().chain(common.libraries.iter().cloned()).collect(), ..common.clone() };
    let opened = open_requested_game(&common, GameRequest { game: Some(&header.game), wanted, position });
    let mut loaded = opened.map_err(|stop| without_library(stop, &gone))?;
    loaded.notes.extend(package_warning(header, &loaded.program));
    Ok(ReopenedRecording { contents, loaded, damage, path: path.to_path_buf() })
}

/// The libraries that a recording was played with, except those that are read anyway.
fn recorded_libraries(recording: &Path, common: &CommonArgs) -> Vec<PathBuf> {
    let read: Vec<PathBuf> = load::library_folders(common).iter().filter_map(|folder| folder.canonicalize().ok()).collect();
    RecordingStore::libraries_of(recording).into_iter().filter(|library| !read.contains(library)).collect()
}

/// If the game is unknown, adds help to name its library. `gone` are the recorded libraries that no longer exist.
fn without_library(mut stop: Stop, gone: &[PathBuf]) -> Stop {
    let unknown = stop.problems.iter_mut().find(|problem| problem.code == codes::UNKNOWN_GAME && problem.labels.is_empty());
    if let Some(problem) = unknown {
        problem.help = Some(match gone.first() {
            Some(library) => {
                let library = library.display();
                format!(
                    "it was played with the library `{library}`, which no longer exists: name the folder with `--library DIR`"
                )
            }
            None => "name the library that has it with `--library DIR`".to_string(),
        });
    }
    stop
}

impl ReopenedRecording {
    /// Starts a replay that reads entry by entry. The step has the events up to the first question. A divergence if the file
    /// has changed since it was opened, or if play does not start as recorded.
    pub fn start_replay(&self) -> Result<(Replay<Reader<FileLines>>, Step), Divergence> {
        let entries = match read_entries(&self.path) {
            Ok(Ok(entries)) => entries,
            Ok(Err(problem)) => return Err(changed_file_divergence(&problem.message.to_string())),
            Err(error) => return Err(changed_file_divergence(&error.to_string())),
        };
        Replay::start(&self.contents.header, entries, self.loaded.program.clone(), self.loaded.position.clone())
    }

    /// Finishes a replay that has played all entries, and returns the session. A divergence if the end of play differs from
    /// the recorded one, or if the file has changed.
    pub fn finish_replay(&self, replay: Replay<Reader<FileLines>>) -> Result<RecordedSession, Divergence> {
        match replay.played_count() == self.contents.entries {
            true => replay.check_ending(self.contents.ending.as_ref()),
            false => Err(changed_file_divergence("its number of answers has changed")),
        }
    }
}

/// The file was changed since it was opened; `how` says in what way.
fn changed_file_divergence(how: &str) -> Divergence {
    Divergence { entry: None, expected: "the file does not change while it is read".to_string(), found: how.to_string() }
}

/// Opens a recording: the reader has read its header and yields its entries. Pipes and devices are refused, since they might
/// never end. The outer error is about the file, the inner one about its content.
pub fn read_entries(path: &Path) -> io::Result<Result<Reader<FileLines>, Problem>> {
    let found = std::fs::metadata(path)?;
    if !found.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let file = File::open(path)?.take(MOST_BYTES as u64);
    let lines = FileLines { file: BufReader::new(file) };
    Ok(check_length(SourceId(0), found.len()).and_then(|()| Reader::new(SourceId(0), lines)))
}

/// The lines of a file with their line ends. A line that is too long is cut.
pub struct FileLines {
    file: BufReader<io::Take<File>>,
}

impl Iterator for FileLines {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut line = Vec::new();
        match self.file.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line) {
            Ok(0) => None,
            // The cut line is still too long, so that the reader reports it as such.
            Ok(_) if line.len() > LONGEST_LINE => self.file.skip_until(b'\n').ok().map(|_| [line, b"\n".to_vec()].concat()),
            Ok(_) => Some(line),
            // Anything unreadable is damage, and reading stops there.
            Err(error) => {
                self.file.get_mut().set_limit(0);
                Some(error.to_string().into_bytes())
            }
        }
    }
}

/// Adds the source text, so that the message can show it, unless it is long.
fn with_source_text(path: &Path, problem: Problem) -> (Problem, Sources) {
    let mut sources = Sources::default();
    let is_short = std::fs::metadata(path).is_ok_and(|found| found.len() <= MOST_DRAWN);
    match std::fs::read(path) {
        Ok(bytes) if is_short => {
            sources.add(path.display().to_string(), String::from_utf8_lossy(&bytes));
            (problem, sources)
        }
        _ => (Problem { labels: Vec::new(), ..problem }, sources),
    }
}

/// The stop for a problem in a recording's text.
fn recording_stop(path: &Path, problem: Problem) -> Stop {
    let (problem, sources) = with_source_text(path, problem);
    Stop::new(vec![problem], sources)
}

fn unreadable_recording_problem(path: &Path, error: &io::Error) -> Problem {
    let message = format!("the recording `{}` cannot be read: {error}", path.display());
    Problem::error(codes::FILE_UNREADABLE, message).help("`ludex play` prints where it keeps its recordings")
}
