//! The register of codes: the meaning of each, for people who do not program. Each code has a page, `codes/LX0101.md`: a
//! title, an explanation, an example that raises the code, and the same example fixed.

mod page;
#[cfg(test)]
mod tests;

use include_dir::{Dir, include_dir};
use std::sync::LazyLock;

static PAGES: Dir = include_dir!("$CARGO_MANIFEST_DIR/codes");

/// The code of one kind of problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// The number, such as `LX0101`.
    pub code: &'static str,
    /// The problem in a few words, in lower case, without a full stop.
    pub title: &'static str,
    /// The meaning and the remedy, in full sentences. An empty line separates paragraphs.
    pub explanation: String,
    /// The example as text, for programs that display it.
    pub example: String,
    /// Files or commands that raise the code.
    pub failing: Vec<Block>,
    /// The same files or commands, fixed.
    pub mended: Vec<Block>,
}

/// A file or part of one, or commands to type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its language: `ludex`, `yaml`, `rhai`, `markdown`, or `console` for commands, each after `$ `.
    pub language: &'static str,
    /// Its file, if that matters: a path, or a name in the usual folder of such files.
    pub file: Option<&'static str>,
    /// Its contents, with the last line break.
    pub text: &'static str,
}

impl Block {
    /// Whether these commands only create the files of the example, and need not be shown.
    pub fn is_before(&self) -> bool {
        self.file == Some("before")
    }
}

/// A subject of the register, which groups codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The prefix of its codes, such as `LX02`.
    pub prefix: &'static str,
    /// Its title, in lower case.
    pub title: &'static str,
}

/// The subjects, in numerical order.
pub static SUBJECTS: &[Subject] = &[
    Subject { prefix: "LX00", title: "files and libraries" },
    Subject { prefix: "LX01", title: "how rules are written" },
    Subject { prefix: "LX02", title: "how YAML files are written" },
    Subject { prefix: "LX03", title: "names in rules" },
    Subject { prefix: "LX04", title: "kinds of values in rules" },
    Subject { prefix: "LX05", title: "rules that cannot work" },
    Subject { prefix: "LX06", title: "sheets" },
    Subject { prefix: "LX07", title: "abilities and scripts" },
    Subject { prefix: "LX08", title: "positions, scenarios, recordings and packed libraries" },
    Subject { prefix: "LX09", title: "play" },
    Subject { prefix: "LX10", title: "tournaments" },
];

/// All codes, in numerical order.
pub static CODES: LazyLock<Vec<Code>> = LazyLock::new(|| {
    let pages = PAGES.files().filter_map(|file| Some((file.path().file_stem()?.to_str()?, file.contents_utf8()?)));
    let mut codes: Vec<Code> = pages.map(|(code, page)| page::read_page(code, page)).collect();
    codes.sort_by_key(|code| code.code);
    codes
});

/// Finds a code, ignoring case.
pub fn find_code(code: &str) -> Option<&'static Code> {
    CODES.iter().find(|entry| entry.code.eq_ignore_ascii_case(code))
}
