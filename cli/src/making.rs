//! New files for designers: sheets, abilities, games and variants that can be checked and played at once. The verb `new` asks
//! what is wanted and writes the result.
//!
//! The lines that a sheet needs come from the compiled game. All files are compiled with the rest and played at random before
//! they are handed out. Existing files are never replaced.

mod ability;
mod card;
mod character;
mod game;
mod name;
mod sheet_text;
mod trial;
mod variant;
mod workshop;
mod write;

pub use ability::{AbilityKind, Hook};
pub use name::Name;
pub use workshop::Workshop;
pub use write::write_files;

/// The files to write, and the next steps.
#[derive(Clone, Debug, Default)]
pub struct NewFiles {
    pub files: Vec<NewFile>,
    /// Suggested commands, each with its effect.
    pub next: Vec<(String, &'static str)>,
}

/// A file that does not exist yet.
#[derive(Clone, Debug)]
pub struct NewFile {
    /// Relative to the target folder, with `/` between its parts.
    pub path: String,
    pub text: String,
}

impl NewFile {
    pub fn new(path: String, text: String) -> NewFile {
        NewFile { path, text }
    }
}

pub use game::create_game;
