//! A library with errors in it → the same games without optional files that have errors.
//!
//! An error in one of many sheets must not stop every game. Errors show only when a game is compiled, so it is compiled again
//! without the files at fault until it succeeds. Verbs that show or play a game use this; `check` does not, because it must
//! report every error.

use super::LoadedLibraries;
use super::file::{UnreadFile, quote_argument};
use crate::layout::count_text;
use crate::output;
use ludex_engine::Compile;
use ludex_engine::library::{BUNDLED, CompileRequest, FileRole, Library, classify_path};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::source::SourceId;
use std::collections::BTreeSet;

/// Maximum number of compilations. Errors of later stages show only after those of earlier ones are gone, but this rarely takes
/// more rounds.
const MOST_ROUNDS: usize = 8;

/// The purpose of compiling a game, which decides which files are optional.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// For a description: sheets, scripts and additions with errors are left out.
    Looking,
    /// For play: additions of other libraries with errors are left out. The game's own files must be free of errors.
    Playing,
}

impl LoadedLibraries {
    /// Compiles a game without optional files that have errors. The needed sheets and abilities are not optional. One line on
    /// stderr names the files with errors. Returns the program with its warnings, or all errors.
    pub fn compile_game(
        &mut self,
        game: &str,
        wanted: &CompileRequest,
        (purpose, needed): (Purpose, &[&str]),
    ) -> Result<(Program, Vec<Problem>), Vec<Problem>> {
        self.derive_without_errors(game, (purpose, needed), |library| match library.compile(game, wanted) {
            (Some(program), problems) if !problems.iter().any(Problem::is_error) => Ok((program, problems)),
            (_, problems) => Err(problems),
        })
    }

    /// Derives a value from a game, with the rules of [`LoadedLibraries::compile_game`] for errors. `make` is called again
    /// after files were left out. Returns the errors of its first call if none succeeds.
    pub fn derive_without_errors<T>(
        &mut self,
        game: &str,
        (purpose, needed): (Purpose, &[&str]),
        mut make: impl FnMut(&mut Library) -> Result<T, Vec<Problem>>,
    ) -> Result<T, Vec<Problem>> {
        let named: BTreeSet<SourceId> = self.files_named(game, needed);
        let stops = self.blocking_problems(game, purpose, needed);
        let mut first = None;
        for _ in 0..MOST_ROUNDS {
            let problems = match make(&mut self.library) {
                Ok(made) if stops.is_empty() && self.left_out.is_disjoint(&named) => {
                    if !self.is_remarked || first.is_some() {
                        self.remark_on_errors();
                    }
                    return Ok(made);
                }
                Ok(_) => break,
                Err(problems) => problems,
            };
            let broken = sources_of_errors(&problems).filter(|source| self.is_optional_file(game, *source, purpose));
            let broken: BTreeSet<SourceId> = broken.collect();
            first.get_or_insert(problems);
            if broken.is_empty() {
                break;
            }
            self.library.remove_files(&broken);
            self.left_out.extend(broken);
        }
        Err([stops, first.unwrap_or_default()].concat())
    }

    /// The files of a game's sheets and abilities with these names.
    fn files_named(&self, game: &str, names: &[&str]) -> BTreeSet<SourceId> {
        let sheets = self.library.game_sheets(game).into_iter().map(|entry| (entry.id, entry.source));
        let scripts = self.library.script_files(game).into_iter();
        let named = sheets.chain(scripts).filter(|(id, _)| names.contains(&id.as_str()));
        named.map(|(_, source)| source).collect()
    }

    /// Whether a file with errors may be left out of a game: any file that another library adds to it, and for a description
    /// also the game's own sheets, scripts and scenarios.
    fn is_optional_file(&self, game: &str, source: SourceId, purpose: Purpose) -> bool {
        let is_added = self.library.is_added(game, source);
        is_added || purpose == Purpose::Looking && is_part(self.library.source_role(source))
    }

    /// The errors outside any game that prevent the use of this one: those of the command line, and unreadable files of the game.
    fn blocking_problems(&self, game: &str, purpose: Purpose, needed: &[&str]) -> Vec<Problem> {
        let stops = |problem: &&Problem| match self.unread_file(problem) {
            Some(file) => {
                let place = classify_path(&file.path);
                let own = self
                    .library
                    .package_line(game)
                    .iter()
                    .any(|game| place.game == Some(&game.id) && file.library == game.library);
                own && (purpose == Purpose::Playing || !is_part(place.role) || needed.contains(&place.stem))
            }
            None => problem.labels.is_empty(),
        };
        self.problems.iter().filter(|problem| problem.is_error()).filter(stops).cloned().collect()
    }

    /// The problems of libraries as a whole, and all warnings: everything except errors in a file.
    pub fn problems_of_libraries(&self) -> Vec<Problem> {
        let is_of_file = |problem: &Problem| !problem.labels.is_empty() || self.unread_file(problem).is_some();
        self.problems.iter().filter(|problem| !problem.is_error() || !is_of_file(problem)).cloned().collect()
    }

    /// The unreadable file that a problem is about.
    fn unread_file(&self, problem: &Problem) -> Option<&UnreadFile> {
        self.without_text.iter().find(|(_, known)| known == problem).map(|(file, _)| file)
    }

    /// Prints one line that names the files with errors, both those left out and those of no game, and how to list the errors.
    pub fn remark_on_errors(&mut self) {
        self.is_remarked = true;
        let errors = || self.problems.iter().chain(&self.strays).filter(|problem| problem.is_error());
        let unread = errors().filter_map(|problem| self.unread_file(problem));
        let unread = unread.map(|file| (file.name.clone(), file.library.clone()));
        let labelled: BTreeSet<SourceId> =
            errors().flat_map(|problem| sources_of_errors(std::slice::from_ref(problem))).collect();
        let texts = self.library.sources.iter().take(self.places.len()).map(|(source, _)| source);
        let wrong = texts.filter(|source| labelled.contains(source) || self.left_out.contains(source));
        let wrong =
            wrong.map(|source| (self.library.sources.get(source).name.clone(), self.library.source_library(source).to_string()));
        let files: BTreeSet<(String, String)> = wrong.chain(unread).collect();
        match files.iter().collect::<Vec<_>>().as_slice() {
            [] => self.print_strays_note(),
            [(name, library)] => {
                let path = if self.library_is_packed(library) { library } else { name };
                output::print_remark(&format!(
                    "`{name}` has an error and is left out: `ludex check {}` shows it",
                    quote_argument(path)
                ));
            }
            [(name, _), ..] => {
                let count = count_text(files.len(), "file", "files");
                let command = check_all(files.iter().map(|(_, library)| library.as_str()));
                output::print_remark(&format!("{count} have errors and are left out, such as `{name}`: `{command}` shows them"));
            }
        }
    }

    /// Whether a library, by the path that it was read from, is a zip.
    fn library_is_packed(&self, library: &str) -> bool {
        self.packed.iter().any(|place| std::path::Path::new(library).canonicalize().is_ok_and(|zip| place.starts_with(zip)))
    }
}

/// Whether a game stays the same without a file of this role.
fn is_part(role: FileRole) -> bool {
    matches!(role, FileRole::Sheet | FileRole::Script | FileRole::Scenario)
}

/// The files that have errors: the main location of each error.
fn sources_of_errors(problems: &[Problem]) -> impl Iterator<Item = SourceId> {
    let errors = problems.iter().filter(|problem| problem.is_error());
    errors.filter_map(|problem| problem.labels.first()).map(|(span, _)| span.source)
}

/// The command that checks some libraries.
fn check_all<'l>(libraries: impl Iterator<Item = &'l str>) -> String {
    let named: BTreeSet<&str> = libraries.filter(|library| !["", ".", BUNDLED].contains(library)).collect();
    named
        .into_iter()
        .fold("ludex check".to_string(), |command, library| format!("{command} --library {}", quote_argument(library)))
}
