//! `ludex check --fix`: shows what can be mended without anything left to decide, asks, and writes it.

use crate::args::Common;
use crate::checking::{Mended, mended};
use crate::layout::counted;
use crate::lines::{Line, Lines};
use crate::load::{self, Loaded};
use crate::output;
use crate::stop::Stop;
use crate::whole_file::{Readers, replace, with_ending};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::source::SourceId;
use serde_json::{Value, json};
use similar::{ChangeTag, TextDiff};
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufReader, IsTerminal};
use std::path::{Path, PathBuf};

/// Longer lines are no answers.
const LONGEST_ANSWER: usize = 256;
/// The mark with which some editors begin a text.
const MARK: &str = "\u{feff}";

#[derive(clap::Args)]
pub struct Fixing {
    /// Mend what can be mended without anything left to decide; what would be changed is shown first
    #[arg(long, conflicts_with_all = ["self_test", "play", "write_baseline"])]
    fix: bool,
    /// Do not ask before files are changed
    #[arg(long, requires = "fix")]
    yes: bool,
}

impl Fixing {
    /// Mends files, and gives the libraries as they are then, with what was changed where.
    pub fn mend(&self, loaded: Loaded, common: &Common, paths: &[PathBuf]) -> Result<(Loaded, Option<Value>), Stop> {
        if !self.fix {
            return Ok((loaded, None));
        }
        let found = mended(&loaded, &common.wanted(), paths);
        if found.texts.is_empty() {
            output::remark("nothing can be mended without a decision of yours");
            return Ok((loaded, Some(json!([]))));
        }
        output::print(&diff(&loaded, &found.texts));
        if !self.is_wanted(&found) {
            return Ok((loaded, Some(json!([]))));
        }
        for (source, text) in &found.texts {
            if let Some(path) = loaded.place(*source) {
                write(path, &loaded.library.sources.get(*source).text, text)?;
            }
        }
        output::remark(&format!("{} mended", what(&found)));
        let fixed = found
            .counts
            .iter()
            .map(|(source, count)| json!({ "file": loaded.library.sources.get(*source).name, "problems": count }));
        let fixed = fixed.collect();
        Ok((load::load_with(common, paths), Some(fixed)))
    }

    /// Whether the files are to be changed: somebody at a terminal is asked.
    fn is_wanted(&self, found: &Mended) -> bool {
        confirmed(self.yes, "--fix", &what(found))
    }
}

/// Whether files are to be changed: somebody at a terminal is asked.
pub fn confirmed(yes: bool, flag: &str, what: &str) -> bool {
    if yes {
        return true;
    }
    if !io::stdin().is_terminal() {
        output::remark(&format!("nothing is changed: write `--yes` with `{flag}` where nobody can be asked"));
        return false;
    }
    let mut lines = Lines::new(BufReader::new(io::stdin()), LONGEST_ANSWER);
    loop {
        output::prompt(&format!("{what}: change the files? [y/n]"), " ");
        match lines.read() {
            Line::Text(text) if ["y", "yes"].contains(&text.trim().to_lowercase().as_str()) => return true,
            Line::Text(text) if !["n", "no"].contains(&text.trim().to_lowercase().as_str()) => {}
            Line::NotText | Line::TooLong => {}
            Line::Text(_) | Line::End => {
                output::remark("nothing is changed");
                return false;
            }
        }
    }
}

/// `3 problems in 2 files`
fn what(found: &Mended) -> String {
    let problems = counted(found.counts.values().sum(), "problem", "problems");
    format!("{problems} in {}", counted(found.texts.len(), "file", "files"))
}

/// What would be changed, as a unified diff.
pub fn diff(loaded: &Loaded, texts: &BTreeMap<SourceId, String>) -> String {
    let of_file = |(source, text): (&SourceId, &String)| {
        let old = loaded.library.sources.get(*source);
        let lines = TextDiff::from_lines(old.text.as_str(), text);
        lines.unified_diff().header(&old.name, &old.name).to_string()
    };
    texts.iter().map(of_file).collect()
}

/// Puts a text in the place of a file, by way of a draft beside it. Lines that are not changed end as they did.
pub fn write(path: &Path, old: &str, new: &str) -> Result<(), Problem> {
    let unwritten = |message: String| Problem::error(codes::FILE_NOT_WRITTEN, message);
    let failed = |error: io::Error| unwritten(format!("`{}` cannot be written: {error}", path.display()));
    let raw = std::fs::read(path).map_err(failed)?;
    let raw = String::from_utf8(raw).ok().filter(|raw| as_read(raw) == old);
    let Some(raw) = raw else {
        let message = format!("`{}` has been changed meanwhile, and is left alone", path.display());
        return Err(unwritten(message).help("run the command again"));
    };
    let rights = std::fs::metadata(path).map_err(failed)?.permissions();
    replace(path, &with_ending(path, "draft"), &with_line_ends_of(&raw, old, new), Readers::All).map_err(failed)?;
    std::fs::set_permissions(path, rights).map_err(failed)
}

/// A file's text as it was read.
fn as_read(raw: &str) -> String {
    raw.strip_prefix(MARK).unwrap_or(raw).replace("\r\n", "\n")
}

/// The new text with the mark of the file. A line ends as the one does whose place it takes; one that is added, as most do.
fn with_line_ends_of(raw: &str, old: &str, new: &str) -> String {
    let (mark, body) = raw.strip_prefix(MARK).map_or(("", raw), |body| (MARK, body));
    let lines = lines_of(body);
    let is_windows = |line: &&&str| line.ends_with("\r\n");
    let most = 2 * lines.iter().filter(is_windows).count() > lines.len();
    let mut text = mark.to_string();
    // How the lines end that are taken out, as long as none takes their place.
    let mut gone = VecDeque::new();
    let (old, new) = (lines_of(old), lines_of(new));
    let compared = TextDiff::from_slices(&old, &new);
    for change in compared.iter_all_changes() {
        match (change.tag(), change.old_index().and_then(|index| lines.get(index))) {
            (ChangeTag::Equal, Some(line)) => {
                gone.clear();
                text.push_str(line);
            }
            (ChangeTag::Delete, line) => gone.push_back(line.is_some_and(|line| is_windows(&line))),
            _ => match gone.pop_front().unwrap_or(most) {
                true => text.push_str(&change.value().replace('\n', "\r\n")),
                false => text.push_str(change.value()),
            },
        }
    }
    text
}

fn lines_of(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_they_did() {
        let raw = "\u{feff}ä: 1\r\nb: 2\r\nc: 3\nd: 4";
        let new = "ä: 1\nbe: 2\nc: 3\ndé: 4";
        let written = with_line_ends_of(raw, &as_read(raw), new);
        assert_eq!(written, "\u{feff}ä: 1\r\nbe: 2\r\nc: 3\ndé: 4");
    }
}
