//! The entry points for the fuzz targets of the command (`tests/fuzz/`). Not an interface: nothing else may rely on it.

pub use crate::host::table::{Heard, Others, Setting, Table, steady_choice};
pub use crate::terminal::preview_lines as preview;

use crate::scenario::Suite;
use ludex_engine::library::{CompileRequest, Library};
use ludex_engine::problem::Problem;

/// Reads and runs all scenarios of a game, and returns all problems found in them.
pub fn run_scenarios(library: &Library, game: &str) -> Vec<Problem> {
    let mut suite = Suite::new(library, game, CompileRequest::default());
    Suite::all_files(library, game).into_iter().for_each(|file| suite.run_file(file));
    let Suite { verdicts, mut problems, .. } = suite;
    problems.extend(verdicts.into_iter().flat_map(|verdict| verdict.problems));
    problems
}
