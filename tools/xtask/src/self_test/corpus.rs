//! The texts of a library that mutants are made from, each read as far as a change requires.

use super::tokens::{Sort as TokenSort, Token, Tokens, Written};
use super::vocabulary::Vocabulary;
use ludex_engine::library::{FileRole, Library};
use ludex_engine::scripting::api;
use ludex_engine::source::SourceId;
use ludex_engine::yaml::{self, Node, Value};
use std::collections::{BTreeMap, BTreeSet};

/// One text.
pub struct Text {
    pub source: SourceId,
    pub role: FileRole,
    pub text: String,
    /// For rules and scripts; otherwise empty.
    pub tokens: Tokens,
    /// The tokens that declare a name.
    pub declared: BTreeSet<usize>,
    /// For sheets and scenarios.
    pub node: Option<Node>,
    /// Its game, if it has one.
    game: Option<String>,
}

/// The texts of a library, without those outside any game.
pub struct Corpus {
    pub texts: Vec<Text>,
    /// The names of each game.
    vocabularies: BTreeMap<String, Vocabulary>,
    /// Every word in the library. A misspelt word must not be one of these.
    pub known: BTreeSet<String>,
    /// The ids of sheets, by game.
    pub sheets: BTreeMap<String, BTreeSet<String>>,
    nothing: Vocabulary,
}

impl Corpus {
    /// Reads all texts of a library.
    pub fn new(library: &Library) -> Corpus {
        let mut corpus = Corpus {
            texts: Vec::new(),
            vocabularies: BTreeMap::new(),
            known: BTreeSet::new(),
            sheets: BTreeMap::new(),
            nothing: Vocabulary::default(),
        };
        for (source, file) in library.sources.iter() {
            let role = library.source_role(source);
            if role != FileRole::Other {
                corpus.texts.push(read(library, source, role, &file.text));
            }
        }
        corpus.read_names(library);
        corpus.read_words();
        corpus
    }

    /// The names known in a text.
    pub fn vocabulary(&self, text: &Text) -> &Vocabulary {
        text.game.as_ref().and_then(|game| self.vocabularies.get(game)).unwrap_or(&self.nothing)
    }

    /// Whether a sheet is known in a text.
    pub fn has_sheet(&self, text: &Text, id: &str) -> bool {
        text.game.as_ref().and_then(|game| self.sheets.get(game)).is_some_and(|sheets| sheets.contains(id))
    }

    pub fn rules(&self) -> impl Iterator<Item = &Text> {
        self.texts.iter().filter(|text| text.role == FileRole::Rules)
    }

    pub fn scripts(&self) -> impl Iterator<Item = &Text> {
        self.texts.iter().filter(|text| text.role == FileRole::Script)
    }

    pub fn sheet_files(&self) -> impl Iterator<Item = &Text> {
        self.texts.iter().filter(|text| text.role == FileRole::Sheet)
    }

    pub fn scenarios(&self) -> impl Iterator<Item = &Text> {
        self.texts.iter().filter(|text| text.role == FileRole::Scenario)
    }

    /// Reads the names of each game, with those of the games it builds on.
    fn read_names(&mut self, library: &Library) {
        for game in library.game_ids() {
            let line: BTreeSet<SourceId> = library.package_line(&game).iter().flat_map(|game| game.game_files()).collect();
            let mut vocabulary = Vocabulary::default();
            // Read twice, since types may be declared in a later file.
            for _ in 0..2 {
                for text in self.texts.iter_mut().filter(|text| line.contains(&text.source)) {
                    text.declared.extend(vocabulary.read(&text.tokens));
                }
            }
            self.sheets.insert(game.clone(), library.game_sheets(&game).into_iter().map(|entry| entry.id).collect());
            self.vocabularies.insert(game, vocabulary);
        }
    }

    /// Collects every word in the library.
    fn read_words(&mut self) {
        let texts = std::mem::take(&mut self.texts);
        for text in &texts {
            let words = text.tokens.iter().filter(|(_, token)| token.sort == TokenSort::Word);
            self.known.extend(words.map(|(index, _)| text.tokens.word(index).to_string()));
            text.node.iter().for_each(|node| words_of(node, &mut self.known));
        }
        self.known.extend(api::ROWS.iter().map(|row| row.name.to_string()));
        self.known.extend(self.sheets.values().flatten().cloned());
        self.texts = texts;
    }
}

impl Text {
    /// The word tokens that do not declare a name.
    pub fn words(&self) -> impl Iterator<Item = (usize, &Token)> {
        self.tokens.iter().filter(|(index, token)| token.sort == TokenSort::Word && !self.declared.contains(index))
    }
}

/// Reads a text as far as its role requires.
fn read(library: &Library, source: SourceId, role: FileRole, text: &str) -> Text {
    let tokens = match role {
        FileRole::Rules => Tokens::read(text, Written::Rules),
        FileRole::Script => Tokens::read(text, Written::Script),
        _ => Tokens::default(),
    };
    let node = match role {
        FileRole::Sheet | FileRole::Scenario => yaml::parse_document(text, source).0,
        _ => None,
    };
    let game = library.game_ids().into_iter().find(|game| library.find_game(game).is_some_and(|game| game.has_file(source)));
    Text { source, role, text: text.to_string(), tokens, declared: BTreeSet::new(), node, game }
}

/// Adds the keys and texts of a YAML value.
fn words_of(node: &Node, words: &mut BTreeSet<String>) {
    match &node.value {
        Value::Text(text) => words.extend([text.clone()]),
        Value::List(list) => list.iter().for_each(|node| words_of(node, words)),
        Value::Map(entries) => entries.iter().for_each(|(key, node)| {
            words.insert(key.name.clone());
            words_of(node, words);
        }),
        _ => {}
    }
}
