//! A workshop: a compiled game in which something new is made.
//!
//! Each kind of thing has a file beside this one, with methods that return its files. [`Workshop::compile_with_files`] tries
//! them in memory.

use super::{Name, NewFile, NewFiles};
use crate::args::CommonArgs;
use crate::game::loaded::entrant_word;
use crate::load::{LoadedLibraries, Purpose, open_libraries_around, slashed_path};
use crate::stop::Stop;
use ludex_engine::Compile;
use ludex_engine::library::{CompileRequest, File};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::sheet::{SheetEntry, SheetFiles, SheetLine, sheet_lines};
use ludex_engine::source::Sources;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A game, its libraries, and the folder for new files.
pub struct Workshop<'l> {
    pub loaded: &'l LoadedLibraries,
    pub game: String,
    pub program: Arc<Program>,
    /// The requested mode and options.
    wanted: CompileRequest,
    /// The name of the folder among the libraries.
    library: String,
}

impl<'l> Workshop<'l> {
    /// Reads the libraries, including the one in the folder.
    pub fn load_library(common: &CommonArgs, folder: &Path) -> LoadedLibraries {
        let named: &[PathBuf] = &[folder.to_path_buf()];
        let is_other =
            folder != Path::new(".") && folder.is_dir() && folder.read_dir().is_ok_and(|mut files| files.next().is_some());
        open_libraries_around(common, if is_other { named } else { &[] })
    }

    /// Compiles the game without optional files that have errors. `folder` is the one that new files will be written to.
    pub fn new(loaded: &'l mut LoadedLibraries, game: &str, common: &CommonArgs, folder: &Path) -> Result<Workshop<'l>, Stop> {
        let program = common.compile_from(loaded, game, &common.requested_settings(), Purpose::Looking)?;
        Ok(Workshop {
            loaded,
            game: game.to_string(),
            program,
            wanted: common.requested_settings(),
            library: slashed_path(folder),
        })
    }
}

impl Workshop<'_> {
    /// Compiles the game with some additional files in each of its modes. The error holds only new problems.
    pub fn compile_with_files(&self, files: &[NewFile]) -> Result<Arc<Program>, Stop> {
        self.compile_game_with_files(&self.game, files)
    }

    /// Like [`Workshop::compile_with_files`], for a game that the files may add.
    pub fn compile_game_with_files(&self, game: &str, files: &[NewFile]) -> Result<Arc<Program>, Stop> {
        let file = |file: &NewFile| File { path: file.path.clone(), text: file.text.clone(), library: self.library.clone() };
        compile_in_modes(self.loaded, files.iter().map(file).collect(), game, &self.wanted)
    }

    /// Refuses a name that is taken in the game.
    pub fn refuse_taken_name(&self, name: &Name) -> Result<(), Problem> {
        let (id, program, title) = (&name.id, &self.program, &self.program.title);
        if program.sheets.contains_key(id) {
            return Err(name.taken_problem(&format!("a {} of {title}", entrant_word(program))));
        }
        if program.prints.ids.contains_key(id) || self.loaded.library.game_sheets(&self.game).iter().any(|entry| entry.id == *id)
        {
            return Err(name.taken_problem(&format!("a sheet of {title}")));
        }
        if program.abilities.iter().any(|ability| ability.id == *id)
            || self.loaded.library.script_files(&self.game).contains_key(id)
        {
            return Err(name.taken_problem(&format!("an ability of {title}")));
        }
        Ok(())
    }

    /// All sheets of the game, as written in files.
    pub fn sheet_entries(&self) -> Vec<SheetEntry<'_>> {
        self.loaded.library.game_sheets(&self.game)
    }

    /// The lines that a sheet's file may have.
    pub fn sheet_lines(&self, files: SheetFiles) -> Vec<SheetLine> {
        sheet_lines(&self.program, files)
    }

    /// The rules' notes on the lines of sheets.
    pub fn line_notes(&self) -> BTreeMap<String, String> {
        let words = self.loaded.library.declared_words(&self.game, &self.wanted);
        words.into_iter().filter_map(|word| Some((word.name, word.of.and(word.note)?))).collect()
    }

    /// The game's word for the sheet of some files, if it has several.
    pub fn sheet_word(&self, files: SheetFiles) -> Option<&str> {
        let sheets = &self.program.prints.sheets;
        let several = sheets.iter().filter(|sheet| sheet.kind.is_some()).count() > 1;
        let sheet = match files {
            SheetFiles::Entrant(sheet) => sheet?,
            SheetFiles::Card(sheet) => sheet,
        };
        sheets.get(usize::from(sheet)).filter(|_| several).map(|sheet| sheet.name.as_str())
    }

    /// Files with the suggested next steps.
    pub fn with_next_steps(&self, files: Vec<NewFile>, first: Vec<(String, &'static str)>) -> NewFiles {
        let mut next = first;
        next.push((format!("ludex test {}", self.game), "run the scenarios, the new one too"));
        NewFiles { files, next }
    }
}

/// Compiles a game with additional files in each of its modes, and returns the program without a mode or with the requested
/// one. Problems that the libraries have without these files are not errors here.
pub fn compile_in_modes(
    loaded: &LoadedLibraries,
    files: Vec<File>,
    game: &str,
    wanted: &CompileRequest,
) -> Result<Arc<Program>, Stop> {
    let with = loaded.with_more(files);
    let each = with.library.requests_by_mode(game, wanted);
    let (programs, found) = with.library.compile_each(game, &each);
    let is_new = |problem: &Problem| problem.is_error() && !loaded.problems.iter().any(|known| known.message == problem.message);
    let wrong: Vec<Problem> = with.problems.iter().chain(&found).filter(|problem| is_new(problem)).cloned().collect();
    let first = programs.into_iter().next().map(|(_, program)| program);
    match first {
        Some(program) if wrong.is_empty() => Ok(Arc::new(program)),
        _ => Err(Stop::new(wrong, Sources::clone(&with.library.sources))),
    }
}
