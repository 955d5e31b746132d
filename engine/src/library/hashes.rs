//! What tells whether a game is the same as another time: the hashes of its files.

use super::{Game, Library};
use crate::program::{Parent, Program};
use sha2::{Digest, Sha256};
use std::fmt::Write;

impl Library {
    /// The hash of a game is over its files by path; that of a package over the hashes of all games of its line, in order.
    pub(super) fn add_hashes(&self, program: &mut Program, line: &[&Game]) {
        let own: Vec<Parent> = line.iter().map(|game| self.hash_of(game)).collect();
        program.files = self.files_of(line);
        if let Some((last, parents)) = own.split_last() {
            program.hash = if parents.is_empty() { last.hash.clone() } else { joined_hash(own.iter().map(Parent::pair)) };
            program.parents = parents.to_vec();
        }
    }

    fn hash_of(&self, game: &Game) -> Parent {
        let files = self.own_files(game);
        let hash = joined_hash(files.iter().map(|(path, hash)| (path.as_str(), hash.as_str())));
        Parent { id: game.id.clone(), hash }
    }

    /// The files of a line with their hashes. Where two packages have one of the same path, the later one says whose it is.
    fn files_of(&self, line: &[&Game]) -> Vec<(String, String)> {
        let mut files: Vec<(String, String)> = Vec::new();
        for game in line {
            for (path, hash) in self.own_files(game) {
                let is_taken = files.iter().any(|(known, _)| *known == path);
                files.push((if is_taken { format!("{path} of {}", game.id) } else { path }, hash));
            }
        }
        files
    }

    /// The path of each file within its library, with the hash of its text.
    fn own_files(&self, game: &Game) -> Vec<(String, String)> {
        let file = |source| (self.path(source).to_string(), hash(&self.sources.get(source).text));
        let mut files: Vec<(String, String)> = game.compiled_files().map(file).collect();
        files.sort();
        files
    }
}

/// A text's SHA-256 in hexadecimal digits.
pub fn hash(text: &str) -> String {
    let mut digits = String::new();
    for byte in Sha256::digest(text.as_bytes()) {
        // Writing to a text cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// One hash over names and their hashes.
fn joined_hash<'a>(named: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let lines: Vec<String> = named.map(|(name, hash)| format!("{hash}  {name}\n")).collect();
    hash(&lines.concat())
}
