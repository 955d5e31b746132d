//! A library: the texts of games, sheets and scripts, put together to games that can be compiled.
//!
//! A file's game is told by where it lies, `rules/<game>/`, `characters/<game>/` or `scripts/<game>/`.
//! A file that lies loose, in the folder itself, joins the game that
//! 1. it names: `game: pond` in a sheet, `//! game pond` in a script, `#! game pond` in rules;
//! 2. uses it, if it is a script that loose sheets of its library name;
//! 3. has its header in the same library, if only one has;
//! 4. is the only one there is.
//!
//! A library with the header of a game replaces the game as a whole; without it, its files are added. An added
//! file that is named as one already there must say so: `replaces: true` in a sheet, `//! replaces` in a
//! script, `#! replaces` in rules.

mod compile;
mod gather;
mod notes;
mod place;
#[cfg(test)]
mod tests;

pub use compile::hash;
pub use place::Role;

use crate::language::syntax::{Item, ItemKind};
use crate::problem::Problem;
use crate::source::{SourceId, Sources, Span};
use crate::yaml::Node;
use std::collections::BTreeMap;

/// One file as it was found.
#[derive(Clone, Debug)]
pub struct File {
    /// Relative to its library, with `/`: `rules/pond/play.ludex`.
    pub path: String,
    pub text: String,
    /// Which library it came from: `bundled`, or a folder.
    pub library: String,
}

/// The library inside the program.
pub const BUNDLED: &str = "bundled";

/// All texts of all libraries, later ones last.
#[derive(Clone, Debug, Default)]
pub struct Library {
    pub sources: Sources,
    games: BTreeMap<String, Game>,
    /// By source.
    texts: Vec<Text>,
}

/// What was asked for when compiling a game.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub mode: Option<String>,
    pub options: BTreeMap<String, String>,
}

/// The files of one game, from all libraries.
#[derive(Clone, Debug)]
pub struct Game {
    pub id: String,
    pub title: String,
    /// The game that this one changes.
    pub extends: Option<String>,
    /// The library with the game's header.
    pub library: String,
    header: Span,
    /// The file with the header first, then by name; what later libraries add follows.
    rules: Vec<SourceId>,
    /// By stem.
    sheets: BTreeMap<String, SourceId>,
    scripts: BTreeMap<String, SourceId>,
    scenarios: Vec<SourceId>,
    readmes: Vec<SourceId>,
    problems: Vec<Problem>,
}

/// One text with what was read from it so far.
#[derive(Clone, Debug)]
struct Text {
    /// Relative to its library.
    path: String,
    library: String,
    role: Role,
    content: Content,
    /// What is wrong with how it is written.
    problems: Vec<Problem>,
}

#[derive(Clone, Debug)]
enum Content {
    Rules(Vec<Item>),
    Sheet(Option<Node>),
    /// Read when a game is compiled, or by whoever asks for it.
    Unread,
}

impl Library {
    /// The ids of all games, sorted.
    pub fn games(&self) -> Vec<String> {
        self.games.keys().cloned().collect()
    }

    pub fn game(&self, id: &str) -> Option<&Game> {
        self.games.get(id)
    }

    /// The games that a text belongs to or was refused by, games that extend its own included.
    pub fn games_with(&self, source: SourceId) -> Vec<String> {
        let concerns = |game: &&Game| game.holds(source) || game.refuses(source);
        self.games.keys().filter(|id| self.line(id).iter().any(concerns)).cloned().collect()
    }

    /// The library a text came from.
    pub fn origin(&self, source: SourceId) -> &str {
        self.texts.get(source.0 as usize).map_or("", |text| &text.library)
    }

    /// A text's path within its library.
    pub fn path(&self, source: SourceId) -> &str {
        self.texts.get(source.0 as usize).map_or("", |text| &text.path)
    }

    /// What a text was taken for.
    pub fn role(&self, source: SourceId) -> Role {
        self.text(source).map_or(Role::Other, |text| text.role)
    }

    /// The scenario files of a game, in order, without those of a game it extends.
    pub fn scenarios(&self, game: &str) -> Vec<SourceId> {
        self.games.get(game).map_or(Vec::new(), |game| game.scenarios.clone())
    }

    /// The README files of a game's rules, which list its rule ids.
    pub fn readmes(&self, game: &str) -> Vec<SourceId> {
        self.games.get(game).map_or(Vec::new(), |game| game.readmes.clone())
    }

    /// The sheets of a game by id, those of a game it extends included.
    pub fn sheets(&self, game: &str) -> BTreeMap<String, SourceId> {
        self.line(game).into_iter().flat_map(|game| game.sheets.clone()).collect()
    }

    /// The scripts of a game by id, those of a game it extends included.
    pub fn scripts(&self, game: &str) -> BTreeMap<String, SourceId> {
        self.line(game).into_iter().flat_map(|game| game.scripts.clone()).collect()
    }

    /// A sheet as it was read, before it is checked against its game.
    pub fn sheet(&self, source: SourceId) -> Option<&Node> {
        match &self.text(source)?.content {
            Content::Sheet(node) => node.as_ref(),
            Content::Rules(_) | Content::Unread => None,
        }
    }

    /// The declarations of a game as they stand in its files, those of a game it extends first.
    pub fn rules(&self, game: &str) -> impl Iterator<Item = &Item> {
        let rules = self.line(game).into_iter().flat_map(|game| &game.rules).filter_map(|source| self.text(*source));
        rules.filter_map(|text| if let Content::Rules(items) = &text.content { Some(items) } else { None }).flatten()
    }

    /// The modes of a game, by id and title, those of a game it extends first.
    pub fn modes(&self, game: &str) -> Vec<(String, String)> {
        let mode = |item: &Item| match &item.kind {
            ItemKind::Mode { name, title, .. } => Some((name.text.clone(), title.plain().unwrap_or_default())),
            _ => None,
        };
        self.rules(game).filter_map(mode).collect()
    }

    /// A game with those it extends, the first of them first. Ends where one is not there or comes again.
    fn line(&self, game: &str) -> Vec<&Game> {
        let mut line: Vec<&Game> = Vec::new();
        let mut next = self.games.get(game);
        while let Some(game) = next.filter(|game| !line.iter().any(|known| known.id == game.id)) {
            line.push(game);
            next = game.extends.as_ref().and_then(|parent| self.games.get(parent));
        }
        line.reverse();
        line
    }

    fn text(&self, source: SourceId) -> Option<&Text> {
        self.texts.get(source.0 as usize)
    }
}

impl Game {
    /// Every file of the game itself.
    pub fn files(&self) -> impl Iterator<Item = SourceId> + '_ {
        let sheets = self.sheets.values().chain(self.scripts.values());
        self.rules.iter().chain(sheets).chain(&self.scenarios).chain(&self.readmes).copied()
    }

    fn holds(&self, source: SourceId) -> bool {
        self.files().any(|file| file == source)
    }

    /// Whether a text is meant for this game and could not join it: its name is taken.
    fn refuses(&self, source: SourceId) -> bool {
        self.problems.iter().filter_map(|problem| problem.labels.first()).any(|(span, _)| span.source == source)
    }
}
