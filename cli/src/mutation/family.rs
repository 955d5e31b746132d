//! The games that a change of a text can affect, as a library of their own. The others need not be compiled again.
//!
//! A family is used to try many changes of one package quickly. Its texts have other ids than in the whole library, because ids
//! count the texts.

use crate::load::LoadedLibraries;
use ludex_engine::library::{File, Library, hash};
use ludex_engine::source::SourceId;
use std::collections::{BTreeMap, BTreeSet};

/// Some files of a library.
#[derive(Clone, Debug)]
pub struct Family {
    files: Vec<File>,
    /// The indices of the files, by their ids in the whole library.
    numbers: BTreeMap<SourceId, usize>,
    pub games: BTreeSet<String>,
}

impl Family {
    /// The games that contain a text and those that extend them, with all their ancestors and the files outside any game.
    pub fn for_source(library: &Library, source: SourceId) -> Family {
        Family::for_games(library, library.games_of_source(source).into_iter().collect())
    }

    /// One game with its ancestors, and the files outside any game.
    pub fn for_game(library: &Library, game: &str) -> Family {
        Family::for_games(library, [game.to_string()].into())
    }

    /// Some games with all their ancestors, and the files outside any game.
    pub fn for_games(library: &Library, games: BTreeSet<String>) -> Family {
        let all: BTreeSet<&str> = games.iter().flat_map(|game| library.package_line(game)).map(|game| game.id.as_str()).collect();
        let held = |source: SourceId| {
            let mut holders =
                library.game_ids().into_iter().filter(|game| library.find_game(game).is_some_and(|game| game.has_file(source)));
            match holders.next() {
                None => true,
                Some(first) => all.contains(first.as_str()) || holders.any(|game| all.contains(game.as_str())),
            }
        };
        let mut family = Family { files: Vec::new(), numbers: BTreeMap::new(), games };
        for (number, file) in library_files(library).into_iter().enumerate() {
            let source = SourceId(number as u32);
            if held(source) {
                family.numbers.insert(source, family.files.len());
                family.files.push(file);
            }
        }
        family
    }

    /// The library with one text replaced. `source` is its id in the whole library.
    pub fn with_text(&self, source: SourceId, text: String) -> LoadedLibraries {
        match self.id_in_family(source) {
            Some(here) => self.with_own(here, text),
            None => self.unchanged_library(),
        }
    }

    /// Like [`Family::with_text`], with the id of the text in this family.
    pub fn with_own(&self, source: SourceId, text: String) -> LoadedLibraries {
        let mut files = self.files.clone();
        if let Some(file) = files.get_mut(source.0 as usize) {
            file.text = text;
        }
        LoadedLibraries::from_texts(files)
    }

    /// The library without changes.
    pub fn unchanged_library(&self) -> LoadedLibraries {
        LoadedLibraries::from_texts(self.files.clone())
    }

    /// A hash of the files, by their paths within their libraries.
    pub fn hash(&self) -> String {
        let mut lines: Vec<String> = self.files.iter().map(|file| format!("{}  {}\n", hash(&file.text), file.path)).collect();
        lines.sort();
        hash(&lines.concat())
    }

    /// The id in this family of a text of the whole library.
    pub fn id_in_family(&self, source: SourceId) -> Option<SourceId> {
        self.numbers.get(&source).map(|number| SourceId(*number as u32))
    }
}

/// The files that a library was made of, in the order of its sources.
fn library_files(library: &Library) -> Vec<File> {
    let named = library.sources.iter().filter(|(source, _)| !library.source_path(*source).is_empty());
    named
        .map(|(source, file)| File {
            path: library.source_path(source).to_string(),
            text: file.text.clone(),
            library: library.source_library(source).to_string(),
        })
        .collect()
}
