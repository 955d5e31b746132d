//! Counts over the sources, as text.

use crate::product::File;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The lines and files of each package, and in total.
pub fn lines(files: &[File]) -> String {
    let mut packages: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for file in files {
        let (lines, count) = packages.entry(package(file)).or_default();
        *lines += file.lines;
        *count += 1;
    }
    let mut text = String::new();
    for (name, (lines, count)) in &packages {
        let _ = writeln!(text, "{lines:>7} lines in {count:>4} files  {name}");
    }
    let all: usize = files.iter().map(|file| file.lines).sum();
    let _ = writeln!(text, "{all:>7} lines in {:>4} files", files.len());
    text
}

/// The share of functions whose name is a single word.
pub fn names(files: &[File]) -> String {
    let all: Vec<&String> = files.iter().flat_map(|file| &file.functions).collect();
    let single = all.iter().filter(|name| !name.trim_matches('_').contains('_')).count();
    let share = 100.0 * single as f64 / all.len().max(1) as f64;
    format!("{single} of {} functions have a name of a single word: {share:.1} %\n", all.len())
}

/// The folder that holds the sources of a file's package.
fn package(file: &File) -> String {
    let path = file.path.to_string_lossy().replace('\\', "/");
    match path.rsplit_once("/src/").or_else(|| path.strip_prefix("src/").map(|rest| ("src", rest))) {
        Some((package, _)) => package.to_string(),
        None => path,
    }
}
