//! The libraries: the bundled one, those of `LUDEX_LIBRARY`, and folders or packed libraries that are named.

// Read as the command reads them, with the same limits and the same messages.
#[path = "../../../cli/src/load/file.rs"]
#[allow(dead_code, reason = "the command uses more of it")]
mod file;
#[path = "../../../cli/src/load/folder.rs"]
#[allow(dead_code, reason = "the command uses more of it")]
mod folder;
#[path = "../../../cli/src/load/packed.rs"]
#[allow(dead_code, reason = "the command uses more of it")]
mod packed;

use crate::failure::Failure;
use file::{Notes, missing_file_problem, path_text, slashed_path};
use folder::{Reason, is_of_interest};
use include_dir::{Dir, include_dir};
use ludex_engine::Compile;
use ludex_engine::codes;
use ludex_engine::library::{BUNDLED, CompileRequest, File, Library};
use ludex_engine::problem::{Problem, nearest_word};
use ludex_engine::program::Program;
use std::path::{Path, PathBuf};

static RULES: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../rules");
static CHARACTERS: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../characters");
static SCRIPTS: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../scripts");

/// The variable that names folders to use always.
const VARIABLE: &str = "LUDEX_LIBRARY";

/// All libraries together, with what is wrong with their files apart from games.
pub struct Libraries {
    pub library: Library,
    pub problems: Vec<Problem>,
}

impl Libraries {
    /// Reads them; a later folder adds to the earlier ones.
    pub fn read(folders: &[PathBuf]) -> Libraries {
        let mut notes = Notes::default();
        let always = std::env::var_os(VARIABLE).map(|value| std::env::split_paths(&value).collect::<Vec<_>>());
        let named = always.unwrap_or_default().into_iter().filter(|folder| !folder.as_os_str().is_empty());
        let mut found: Vec<Vec<File>> = Vec::new();
        for folder in named.chain(folders.iter().cloned()) {
            found.push(files_of(&folder, &mut notes));
        }
        // A folder without rules can only add to games of others, in whatever order they are named.
        found.sort_by_key(|files| !files.iter().any(|file| file.path.ends_with(".ludex")));
        let (mut library, mut problems) = Library::new(bundled().into_iter().chain(found.into_iter().flatten()).collect());
        for (file, text) in notes.not_text {
            let source = library.sources.add(file.name, text.text.as_str());
            problems.push(text.encoding_problem(source));
        }
        problems.extend(notes.problems);
        Libraries { library, problems }
    }

    /// Fails if a file cannot be used, or there is no such game.
    pub fn with_game(self, game: &str) -> Result<Libraries, Failure> {
        if self.problems.iter().any(Problem::is_error) {
            return Err(Failure::of_all(&self.problems, &self.library.sources));
        }
        let games = self.library.game_ids();
        if games.iter().any(|known| known == game) {
            return Ok(self);
        }
        let problem = Problem::error(codes::UNKNOWN_GAME, format!("there is no game `{game}`"));
        let problem = match nearest_word(game, games.iter().map(String::as_str)) {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None => problem.help("`ludex.games()` lists the games"),
        };
        Err(Failure::of(problem, &self.library.sources))
    }

    /// A game's program, and what `check` would warn of.
    pub fn compile(&self, game: &str, wanted: &CompileRequest) -> Result<(Program, Vec<Problem>), Failure> {
        let (program, problems) = self.library.compile(game, wanted);
        match program {
            Some(program) => Ok((program, problems)),
            None => Err(Failure::of_all(&problems, &self.library.sources)),
        }
    }
}

fn files_of(path: &Path, notes: &mut Notes) -> Vec<File> {
    if !path.exists() {
        notes.problems.push(missing_file_problem(path, "folder"));
        return Vec::new();
    }
    let is_packed = packed::is_packed(path);
    if !is_packed && !path.is_dir() {
        let message = format!("`{}` is neither a folder nor a packed library", path_text(path));
        let help = "give the folder that the file is in, or a zip that `ludex pack` has written";
        notes.problems.push(Problem::error(codes::LIBRARY_EMPTY, message).help(help));
        return Vec::new();
    }
    let problems = notes.problems.len();
    let found = if is_packed { packed::packed_files(path, notes) } else { folder::folder_files(path, Reason::Named, notes) };
    if found.is_empty() && notes.problems.len() == problems {
        let message = format!("`{}` has no rules, sheets or scripts in it", slashed_path(path));
        let help = "a library has folders `rules`, `characters` or `scripts`, or holds sheets and scripts itself";
        notes.problems.push(Problem::error(codes::LIBRARY_EMPTY, message).help(help));
    }
    found.into_iter().map(|found| found.file).collect()
}

fn bundled() -> Vec<File> {
    let mut files = Vec::new();
    for (folder, dir) in [("rules", &RULES), ("characters", &CHARACTERS), ("scripts", &SCRIPTS)] {
        collect(folder, dir, &mut files);
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

fn collect(folder: &str, dir: &Dir, files: &mut Vec<File>) {
    dir.dirs().for_each(|inner| collect(folder, inner, files));
    for file in dir.files().filter(|file| is_of_interest(file.path())) {
        if let Some(text) = file.contents_utf8() {
            let path = format!("{folder}/{}", slashed_path(file.path()));
            files.push(File { path, text: text.to_string(), library: BUNDLED.to_string() });
        }
    }
}
