//! The search for the tournament's file.

use ludex_engine::codes;
use ludex_engine::problem::{Problem, join_words};
use std::path::{Path, PathBuf};

/// The file extension of tournaments.
const ENDING: &str = "ludextournament";

/// The environment variable that names the tournament.
const VARIABLE: &str = "LUDEX_TOURNAMENT";

/// The file that was named, the one in the variable, or the only one in the current folder. Whether it exists is checked when
/// it is opened.
pub fn find_tournament(named: Option<&Path>) -> Result<PathBuf, Problem> {
    let variable = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    match named.map(Path::to_path_buf).or(variable) {
        Some(path) if !path.exists() => Ok(with_ending(&path)),
        Some(path) => Ok(path),
        None => only_tournament(),
    }
}

/// Adds the extension of tournaments to a name without one.
pub fn with_ending(path: &Path) -> PathBuf {
    match path.extension() {
        Some(_) => path.to_path_buf(),
        None => path.with_extension(ENDING),
    }
}

/// The only tournament in the current folder; an error if it has none or several.
fn only_tournament() -> Result<PathBuf, Problem> {
    let entries = std::fs::read_dir(".").into_iter().flatten().flatten();
    let names = entries.map(|entry| PathBuf::from(entry.file_name()));
    let mut found: Vec<PathBuf> = names.filter(|name| name.extension().is_some_and(|ending| ending == ENDING)).collect();
    found.sort();
    match found.as_slice() {
        [only] => Ok(only.clone()),
        [] => {
            let problem = Problem::error(codes::TOURNAMENT_UNCLEAR, "this folder has no tournament");
            Err(problem.help("`ludex tournament new NAME --game GAME` begins one, and `--tournament FILE` names one"))
        }
        several => {
            let names: Vec<String> = several.iter().map(|name| format!("`{}`", name.display())).collect();
            let message = format!("this folder has several tournaments: {}", join_words(&names, "and"));
            Err(Problem::error(codes::TOURNAMENT_UNCLEAR, message).help("choose one with `--tournament FILE`"))
        }
    }
}
