//! New files for designers: sheets, abilities, games and variants that can be checked and played at once.
//!
//! What a sheet needs is read from the compiled game. Nothing is handed out before it has been compiled with everything else and
//! played at random, and none of it takes the place of a file that is there.

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
pub use write::write;

/// What is to be written, and what to do next.
#[derive(Clone, Debug, Default)]
pub struct Made {
    pub files: Vec<NewFile>,
    /// Commands to go on with, each with what it does.
    pub next: Vec<(String, &'static str)>,
}

/// A file that is not there yet.
#[derive(Clone, Debug)]
pub struct NewFile {
    /// Within the folder that it is made in, with `/` between its parts.
    pub path: String,
    pub text: String,
}

impl NewFile {
    pub fn new(path: String, text: String) -> NewFile {
        NewFile { path, text }
    }
}

pub use game::game;
