//! `ludex check --fix`: shows the fixes that need no decision, asks, and applies them.

use crate::args::Common;
use crate::checking::{Mended, mended};
use crate::edited_file;
use crate::layout::counted;
use crate::lines::{Line, Lines};
use crate::load::{self, Loaded};
use crate::output;
use crate::stop::Stop;
use ludex_engine::source::SourceId;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufReader, IsTerminal};
use std::path::PathBuf;

/// Maximum length of an answer, in bytes.
const LONGEST_ANSWER: usize = 256;

#[derive(clap::Args)]
pub struct Fixing {
    /// Fix problems that leave nothing to decide; the changes are shown first
    #[arg(long, conflicts_with_all = ["play", "write_baseline"])]
    fix: bool,
    /// Do not ask before files are changed
    #[arg(long, requires = "fix")]
    yes: bool,
}

impl Fixing {
    /// Fixes files. Returns the libraries as they are then, and the list of changes.
    pub fn mend(&self, loaded: Loaded, common: &Common, paths: &[PathBuf]) -> Result<(Loaded, Option<Value>), Stop> {
        if !self.fix {
            return Ok((loaded, None));
        }
        let found = mended(&loaded, &common.wanted(), paths);
        if found.texts.is_empty() {
            output::remark("no problem can be fixed without your decision");
            return Ok((loaded, Some(json!([]))));
        }
        output::print(&diff(&loaded, &found.texts));
        if !self.is_wanted(&found) {
            return Ok((loaded, Some(json!([]))));
        }
        for (source, text) in &found.texts {
            if let Some(path) = loaded.file(*source) {
                edited_file::write(path, &loaded.library.sources.get(*source).text, text, "check --fix")?;
            }
        }
        output::remark(&format!("{} fixed", what(&found)));
        let fixed = found
            .counts
            .iter()
            .map(|(source, count)| json!({ "file": loaded.library.sources.get(*source).name, "problems": count }));
        let fixed = fixed.collect();
        Ok((load::load_with(common, paths), Some(fixed)))
    }

    /// Whether to change the files; asks on a terminal.
    fn is_wanted(&self, found: &Mended) -> bool {
        confirmed(self.yes, "--fix", &what(found))
    }
}

/// Whether to change files; asks on a terminal.
pub fn confirmed(yes: bool, flag: &str, what: &str) -> bool {
    if yes {
        return true;
    }
    if !io::stdin().is_terminal() {
        output::remark(&format!("no file is changed: without a terminal, add `--yes` to `{flag}`"));
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
                output::remark("no file is changed");
                return false;
            }
        }
    }
}

/// The problems and files of a fix: `3 problems in 2 files`.
fn what(found: &Mended) -> String {
    let problems = counted(found.counts.values().sum(), "problem", "problems");
    format!("{problems} in {}", counted(found.texts.len(), "file", "files"))
}

/// The changes as a unified diff.
pub fn diff(loaded: &Loaded, texts: &BTreeMap<SourceId, String>) -> String {
    let of_file = |(source, text): (&SourceId, &String)| {
        let old = loaded.library.sources.get(*source);
        edited_file::diff(&old.name, &old.text, text)
    };
    texts.iter().map(of_file).collect()
}
