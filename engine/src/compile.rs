//! Compiles packages to programs and collects all problems. Rules that compute a sheet before play are run by the runtime itself.

use crate::runtime::sheet_before_play;
use ludex_compiler::library::{CompileRequest, Library};
use ludex_program::Program;
use ludex_syntax::problem::Problem;

/// Compiles the games of a library.
pub trait Compile {
    /// Compiles a game with all sheets and abilities. Returns a program if no problem is an error.
    fn compile(&self, game: &str, wanted: &CompileRequest) -> (Option<Program>, Vec<Problem>);

    /// Checks a game for each of `wanted`. Returns the programs without errors, each with its mode. Parts that they share are
    /// checked once.
    fn compile_each(&self, game: &str, wanted: &[CompileRequest]) -> (Vec<(Option<String>, Program)>, Vec<Problem>);
}

impl Compile for Library {
    fn compile(&self, game: &str, wanted: &CompileRequest) -> (Option<Program>, Vec<Problem>) {
        self.compile_by(sheet_before_play, game, wanted)
    }

    fn compile_each(&self, game: &str, wanted: &[CompileRequest]) -> (Vec<(Option<String>, Program)>, Vec<Problem>) {
        self.compile_each_by(sheet_before_play, game, wanted)
    }
}
