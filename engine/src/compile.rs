//! Packages become programs here, with all that can be wrong with them: what rules work out for a sheet before play begins
//! is worked out by the machine that plays.

use crate::runtime::sheet_before_play;
use ludex_compiler::library::{Library, Wanted};
use ludex_program::Program;
use ludex_syntax::problem::Problem;

/// Compiles the games of a library.
pub trait Compile {
    /// Compiles a game with all sheets and abilities; the program is there if no problem is an error.
    fn compile(&self, game: &str, wanted: &Wanted) -> (Option<Program>, Vec<Problem>);

    /// Looks at a game as each of these wants it, and gives the programs in which nothing is wrong, each with its mode. What they
    /// share is looked at once.
    fn compile_each(&self, game: &str, wanted: &[Wanted]) -> (Vec<(Option<String>, Program)>, Vec<Problem>);
}

impl Compile for Library {
    fn compile(&self, game: &str, wanted: &Wanted) -> (Option<Program>, Vec<Problem>) {
        self.compile_by(sheet_before_play, game, wanted)
    }

    fn compile_each(&self, game: &str, wanted: &[Wanted]) -> (Vec<(Option<String>, Program)>, Vec<Problem>) {
        self.compile_each_by(sheet_before_play, game, wanted)
    }
}
