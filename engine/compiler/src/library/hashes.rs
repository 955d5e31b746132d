//! Digests of a game's files, to detect whether it has changed.
//!
//! A recording keeps the digest of its game, to detect changed files when it is played again.

use super::{Game, Library};
use ludex_program::{Parent, Program};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Paths of files, each with the digest of its contents.
pub(super) type PathsAndHashes = Vec<(String, String)>;

/// The digests of a game, of its files and of the packages it extends. They are the same in every mode.
#[derive(Clone, Debug)]
pub(super) struct Hashes {
    hash: String,
    parents: Vec<Parent>,
    files: PathsAndHashes,
}

impl Hashes {
    /// Stores the digests in a program.
    pub fn add_to(&self, program: &mut Program) {
        program.hash.clone_from(&self.hash);
        program.parents.clone_from(&self.parents);
        program.files.clone_from(&self.files);
    }
}

impl Library {
    /// The digest over the files of a game and of the packages it extends, as in its program.
    pub fn game_hash(&self, game: &str) -> String {
        self.line_hashes(&self.package_line(game)).hash
    }

    /// A game's digest covers its files by path. A package's digest covers the digests of all games of its line, in order.
    pub(super) fn line_hashes(&self, line: &[&Game]) -> Hashes {
        let files: Vec<(&str, PathsAndHashes)> = line.iter().map(|game| (game.id.as_str(), hash_own_files(self, game))).collect();
        let mut own: Vec<Parent> = files.iter().map(|(game, files)| hash_game_files(game, files)).collect();
        let joined = combined_hash(own.iter().map(Parent::id_and_hash));
        let last = own.pop().map(|last| last.hash).unwrap_or_default();
        let hash = if own.is_empty() { last } else { joined };
        Hashes { hash, parents: own, files: with_unique_paths(files) }
    }
}

/// The paths of a game's own files within their libraries, with the digests of their texts.
pub(super) fn hash_own_files(library: &Library, game: &Game) -> PathsAndHashes {
    let file = |source| (library.source_path(source).to_string(), hash(&library.sources.get(source).text));
    let mut files: PathsAndHashes = game.compiled_files().map(file).collect();
    files.sort();
    files
}

/// The digest of a game's own files.
pub(super) fn hash_game_files(game: &str, files: &[(String, String)]) -> Parent {
    let hash = combined_hash(files.iter().map(|(path, hash)| (path.as_str(), hash.as_str())));
    Parent { id: game.to_string(), hash }
}

/// The files of a line, game by game. If two packages have the same path, the later one adds its game to the path.
fn with_unique_paths(line: Vec<(&str, PathsAndHashes)>) -> PathsAndHashes {
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

/// The SHA-256 digest of a text, in hexadecimal.
pub fn hash(text: &str) -> String {
    hash_bytes(text.as_bytes())
}

/// The SHA-256 digest of bytes, in hexadecimal.
pub fn hash_bytes(bytes: &[u8]) -> String {
    let mut digits = String::new();
    for byte in Sha256::digest(bytes) {
        // Writing to a `String` cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// A digest over names and their digests.
fn combined_hash<'a>(named: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let lines: Vec<String> = named.map(|(name, hash)| format!("{hash}  {name}\n")).collect();
    hash(&lines.concat())
}
