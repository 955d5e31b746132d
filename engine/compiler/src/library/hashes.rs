//! What tells whether a game is the same as another time: the hashes of its files.

use super::{Game, Library};
use ludex_program::{Parent, Program};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Paths of files, each with the hash of what the file holds.
pub(super) type PathsAndHashes = Vec<(String, String)>;

/// The hashes of a game, of its files and of what it extends. They are the same in every mode.
#[derive(Clone, Debug)]
pub(super) struct Hashes {
    hash: String,
    parents: Vec<Parent>,
    files: PathsAndHashes,
}

impl Hashes {
    pub fn add_to(&self, program: &mut Program) {
        program.hash.clone_from(&self.hash);
        program.parents.clone_from(&self.parents);
        program.files.clone_from(&self.files);
    }
}

impl Library {
    /// The hash over the files of a game and of what it extends, as a program of it has it.
    pub fn game_hash(&self, game: &str) -> String {
        self.hashes(&self.line(game)).hash
    }

    /// The hash of a game is over its files by path; that of a package over the hashes of all games of its line, in order.
    pub(super) fn hashes(&self, line: &[&Game]) -> Hashes {
        let files: Vec<(&str, PathsAndHashes)> = line.iter().map(|game| (game.id.as_str(), own_files(self, game))).collect();
        let mut own: Vec<Parent> = files.iter().map(|(game, files)| hash_of(game, files)).collect();
        let joined = joined_hash(own.iter().map(Parent::pair));
        let last = own.pop().map(|last| last.hash).unwrap_or_default();
        let hash = if own.is_empty() { last } else { joined };
        Hashes { hash, parents: own, files: told_apart(files) }
    }
}

/// The path of each of a game's own files within its library, with the hash of its text.
pub(super) fn own_files(library: &Library, game: &Game) -> PathsAndHashes {
    let file = |source| (library.path(source).to_string(), hash(&library.sources.get(source).text));
    let mut files: PathsAndHashes = game.compiled_files().map(file).collect();
    files.sort();
    files
}

pub(super) fn hash_of(game: &str, files: &[(String, String)]) -> Parent {
    let hash = joined_hash(files.iter().map(|(path, hash)| (path.as_str(), hash.as_str())));
    Parent { id: game.to_string(), hash }
}

/// The files of a line, game by game. Where two packages have one of the same path, the later one says whose it is.
fn told_apart(line: Vec<(&str, PathsAndHashes)>) -> PathsAndHashes {
    let mut files = PathsAndHashes::new();
    let mut taken = BTreeSet::new();
    for (game, own) in line {
        for (path, hash) in own {
            let path = if taken.contains(&path) { format!("{path} of {game}") } else { path };
            taken.insert(path.clone());
            files.push((path, hash));
        }
    }
    files
}

/// A text's SHA-256 in hexadecimal digits.
pub fn hash(text: &str) -> String {
    hash_bytes(text.as_bytes())
}

/// The same of any bytes.
pub fn hash_bytes(bytes: &[u8]) -> String {
    let mut digits = String::new();
    for byte in Sha256::digest(bytes) {
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
