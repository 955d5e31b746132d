//! `ludex check --fix`: shows the fixes that need no decision, asks, and applies them.
//!
//! Verbs that change files of users show the change first, and change nothing without consent: [`confirm_change`].

use crate::args::CommonArgs;
use crate::checking::{FixedTexts, fix_texts};
use crate::edited_file;
use crate::layout::count_text;
use crate::lines::{Line, Lines};
use crate::load::{self, LoadedLibraries};
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
    /// Fixes files. Returns the libraries as they are then, and the list of changes. The list is `None` without `--fix`, and
    /// empty if nothing was fixed.
    pub fn apply_fixes(
        &self,
        loaded: LoadedLibraries,
        common: &CommonArgs,
        paths: &[PathBuf],
    ) -> Result<(LoadedLibraries, Option<Value>), Stop> {
        if !self.fix {
            return Ok((loaded, None));
        }
        let found = fix_texts(&loaded, &common.requested_settings(), paths);
        if found.texts.is_empty() {
            output::print_remark("no problem can be fixed without your decision");
            return Ok((loaded, Some(json!([]))));
        }
        output::print_text(&unified_diff(&loaded, &found.texts));
        if !self.is_wanted(&found) {
            return Ok((loaded, Some(json!([]))));
        }
        for (source, text) in &found.texts {
            if let Some(path) = loaded.editable_file(*source) {
                edited_file::write_edited(path, &loaded.library.sources.get(*source).text, text, "check --fix")?;
            }
        }
        output::print_remark(&format!("{} fixed", fixes_text(&found)));
        let fixed = found
            .counts
            .iter()
            .map(|(source, count)| json!({ "file": loaded.library.sources.get(*source).name, "problems": count }));
        let fixed = fixed.collect();
        Ok((load::open_libraries_around(common, paths), Some(fixed)))
    }

    /// Whether to change the files; asks on a terminal.
    fn is_wanted(&self, found: &FixedTexts) -> bool {
        confirm_change(self.yes, "--fix", &fixes_text(found))
    }
}

/// Whether to change files; asks on a terminal. `yes` is consent on the command line, `flag` names what asks, and `what` says
/// what would change.
pub fn confirm_change(yes: bool, flag: &str, what: &str) -> bool {
    if yes {
        return true;
    }
    if !io::stdin().is_terminal() {
        output::print_remark(&format!("no file is changed: without a terminal, add `--yes` to `{flag}`"));
        return false;
    }
    let mut lines = Lines::new(BufReader::new(io::stdin()), LONGEST_ANSWER);
    loop {
        output::print_prompt(&format!("{what}: change the files? [y/n]"), " ");
        match lines.read_line() {
            Line::Text(text) if ["y", "yes"].contains(&text.trim().to_lowercase().as_str()) => return true,
            Line::Text(text) if !["n", "no"].contains(&text.trim().to_lowercase().as_str()) => {}
            Line::NotText | Line::TooLong => {}
            Line::Text(_) | Line::End => {
                output::print_remark("no file is changed");
                return false;
            }
        }
    }
}

/// The problems and files of a fix: `3 problems in 2 files`.
fn fixes_text(found: &FixedTexts) -> String {
    let problems = count_text(found.counts.values().sum(), "problem", "problems");
    format!("{problems} in {}", count_text(found.texts.len(), "file", "files"))
}

/// The changes as a unified diff.
pub fn unified_diff(loaded: &LoadedLibraries, texts: &BTreeMap<SourceId, String>) -> String {
    let of_file = |(source, text): (&SourceId, &String)| {
        let old = loaded.library.sources.get(*source);
        edited_file::diff_text(&old.name, &old.text, text)
    };
    texts.iter().map(of_file).collect()
}
