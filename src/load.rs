//! Files → named texts. The only code that opens the files of libraries.

use ludex_engine::library::Library;
use ludex_engine::problem::Problem;
use ludex_engine::source::{SourceId, Sources};
use std::path::{Path, PathBuf};

/// All libraries, and what is wrong with their files apart from what is in them.
#[derive(Debug, Default)]
pub struct Loaded {
    pub library: Library,
    pub problems: Vec<Problem>,
}

/// Reads the bundled library, those of `LUDEX_LIBRARY`, the current folder if it holds a sheet, a script or
/// rules, and the given folders: a later one adds to the earlier ones.
pub fn load(_folders: &[PathBuf]) -> Loaded {
    Loaded::default()
}

/// Reads one file that stands outside the libraries: a position, a scenario, a recording's text.
pub fn text(_path: &Path, _sources: &mut Sources) -> Result<SourceId, Problem> {
    unimplemented!()
}
