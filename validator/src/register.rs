//! The register of codes: what each means, in words for people who do not program. A code is a page of its own,
//! `codes/LX0101.md`: a title, an explanation, an example that raises the code, and the same example mended.

mod page;
#[cfg(test)]
mod tests;

use include_dir::{Dir, include_dir};
use std::sync::LazyLock;

static PAGES: Dir = include_dir!("$CARGO_MANIFEST_DIR/codes");

/// One kind of problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// The number, such as `LX0101`.
    pub code: &'static str,
    /// The fact in a few words, in lower case, without a final stop.
    pub title: &'static str,
    /// What it means and what to do, in full sentences. Paragraphs are separated by an empty line.
    pub explanation: String,
    /// The example as text, for programs that show it.
    pub example: String,
    /// Files or commands that raise the code.
    pub failing: Vec<Block>,
    /// The same without the mistake.
    pub mended: Vec<Block>,
}

/// A file or a piece of one, or the commands that somebody types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// How it is written: `ludex`, `yaml`, `rhai`, `markdown`, or `console` for commands, each behind `$ `.
    pub language: &'static str,
    /// Which file it is, where that matters: a path, or a name in the folder where such files are.
    pub file: Option<&'static str>,
    /// What is written in it, with its last line end.
    pub text: &'static str,
}

impl Block {
    /// Whether these are commands that only make the files which the example is about; nobody needs to read them.
    pub fn is_before(&self) -> bool {
        self.file == Some("before")
    }
}

/// A subject of the register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// What its codes begin with, such as `LX02`.
    pub prefix: &'static str,
    /// What its codes are about, in lower case.
    pub title: &'static str,
}

/// The subjects in the order of their numbers.
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

/// Every code, in the order of the numbers.
pub static CODES: LazyLock<Vec<Code>> = LazyLock::new(|| {
    let pages = PAGES.files().filter_map(|file| Some((file.path().file_stem()?.to_str()?, file.contents_utf8()?)));
    let mut codes: Vec<Code> = pages.map(|(code, page)| page::read(code, page)).collect();
    codes.sort_by_key(|code| code.code);
    codes
});

/// The entry of a code, whatever the case of its letters.
pub fn find(code: &str) -> Option<&'static Code> {
    CODES.iter().find(|entry| entry.code.eq_ignore_ascii_case(code))
}
