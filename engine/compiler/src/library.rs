//! A library: the texts of games, sheets and scripts, combined into games that can be compiled.
//!
//! A file's folder determines its game: `rules/<game>/`, `characters/<game>/` or `scripts/<game>/`. A file in the top folder
//! itself joins the game that
//! 1. it names: `game: pond` in a sheet, `//! game pond` in a script, `#! game pond` in rules;
//! 2. uses it, if it is a script that loose sheets of its library name;
//! 3. has its header in the same library, if only one has;
//! 4. is the only one there is.
//!
//! A library with the header of a game replaces the whole game; without it, its files are added. An added file with the name
//! of an existing one must say so: `replaces: true` in a sheet, `//! replaces` in a script, `#! replaces` in rules. A script
//! with `//! mode NAME` belongs to that mode only.
//!
//! A library may describe itself in a file `ludex.yaml`: its [`Manifest`].
//!
//! A package is compiled with its `line`: all packages it extends, and itself last.
//!
//! The library is built from [`File`]s by `gather`; nothing here reads from a disk. A text that has been loaded keeps its source
//! id. An outline is the part of some rules that can be read quickly: headers and the declarations of sheets, pieces and sides.

mod cites;
mod compile;
mod declared;
mod file;
mod gather;
mod hashes;
pub mod limits;
mod line;
mod manifest;
mod notes;
mod options;
mod packages;
mod place;
mod removed;
mod sheets;
#[cfg(test)]
mod tests;
mod units;
mod words;

pub use compile::BeforePlayOf;
pub use declared::{DeclaredSheet, DeclaredSheets};
pub use file::{NumberedFile, ReadFile, number_files};
pub use hashes::{hash, hash_bytes};
pub use ludex_syntax::parse::{is_rule_id, statement_words};
pub use manifest::{
    Base, BaseChange, MANIFEST, MANIFEST_KEY, Manifest, NAME_HELP, VERSION_HELP, is_library_name, is_library_version,
    unfit_line_reason,
};
pub(crate) use notes::blank_notes as without_notes;
pub use options::option_problem;
pub use place::{FileRole, classify_path};
pub use units::Unit;
pub use words::{DeclaredWord, WordSort};

use crate::compose::declared_names;
use crate::sheet::SheetEntry;
use ludex_syntax::parse::{ParsedRules, parse_rules};
use ludex_syntax::problem::Problem;
use ludex_syntax::source::{SourceId, Sources, Span};
use ludex_syntax::tree::{Item, ItemKind, Name};
use ludex_syntax::yaml::Node;
use notes::Notes;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// An input file.
#[derive(Clone, Debug)]
pub struct File {
    /// Path relative to its library, with `/`: `rules/pond/play.ludex`.
    pub path: String,
    /// Its text.
    pub text: String,
    /// The library it came from: `bundled`, or a folder.
    pub library: String,
}

/// The name of the library inside the program.
pub const BUNDLED: &str = "bundled";

/// All texts of all libraries, in load order.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// All loaded files, including those of no game.
    pub sources: Sources,
    games: BTreeMap<String, Game>,
    /// By source id.
    texts: Vec<Arc<LoadedText>>,
    /// By library: its manifest.
    manifests: BTreeMap<String, manifest::ManifestFile>,
}

/// The parameters of a compilation.
#[derive(Clone, Debug, Default)]
pub struct CompileRequest {
    /// The mode; none for the standard mode.
    pub mode: Option<String>,
    /// Options by name, as on the command line. Others keep their default values.
    pub options: BTreeMap<String, String>,
    /// Options that are not set may have any value: the game is compiled for inspection, not for play.
    pub open: bool,
}

/// The files of one game, from all libraries.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its id in files and commands.
    pub id: String,
    /// The name shown to players.
    pub title: String,
    /// The packages that this one extends, in written order; empty for a game.
    pub(crate) extends: Vec<Name>,
    /// The library with the game's header.
    pub library: String,
    header: Span,
    /// The file with the header first, then by name. Files added by later libraries follow.
    rules: Vec<SourceId>,
    /// The same files by stem, the file name without its extension.
    rules_by_name: BTreeMap<String, SourceId>,
    /// By stem.
    sheets: BTreeMap<String, SourceId>,
    /// Scripts of all modes, by stem.
    scripts: BTreeMap<String, SourceId>,
    /// Scripts of one mode only, by mode and stem.
    mode_scripts: BTreeMap<(String, String), SourceId>,
    scenarios: Vec<SourceId>,
    /// Files that list the changes which scenarios need not notice.
    unnoticed: Vec<SourceId>,
    readmes: Vec<SourceId>,
    rulebooks: Vec<SourceId>,
    /// The ids of all packages it extends, each after its own parents, and its own id last.
    line: Vec<String>,
    /// Errors in the names of its parents.
    wrong_parents: Vec<Problem>,
    /// Problems found while files were assigned to the game, such as names that are taken.
    problems: Vec<Problem>,
}

/// A text with the results of reading it so far.
#[derive(Clone, Debug)]
struct LoadedText {
    /// Path relative to its library.
    path: String,
    library: String,
    role: FileRole,
    content: Content,
    notes: Notes,
}

/// The parsed contents of a text.
#[derive(Clone, Debug)]
enum Content {
    Rules(LoadedRules),
    /// A sheet, with its syntax problems.
    Sheet(Option<Node>, Vec<Problem>),
    /// Read on demand, for example when a game is compiled.
    Unread,
}

/// A file of rules. The outline answers most questions about a game; the whole file is parsed only to compile it.
#[derive(Clone, Debug)]
struct LoadedRules {
    outline: Vec<Item>,
    /// All declarations, with their syntax problems.
    whole: OnceLock<ParsedRules>,
}

impl LoadedText {
    /// The file that it was read from, with this text.
    fn as_file(&self, text: &str) -> File {
        File { path: self.path.clone(), text: text.to_string(), library: self.library.clone() }
    }
}

impl Library {
    /// The ids of all games, sorted.
    pub fn game_ids(&self) -> Vec<String> {
        self.games.keys().cloned().collect()
    }

    /// Finds a game by id.
    pub fn find_game(&self, id: &str) -> Option<&Game> {
        self.games.get(id)
    }

    /// The games that a text belongs to or was refused by, and the games that extend them.
    pub fn games_of_source(&self, source: SourceId) -> Vec<String> {
        let concerned = self.games.values().filter(|game| game.has_file(source) || game.has_refused(source));
        let concerned: BTreeSet<&String> = concerned.map(|game| &game.id).collect();
        let heirs = self.games.values().filter(|game| game.line.iter().any(|id| concerned.contains(id)));
        heirs.map(|game| game.id.clone()).collect()
    }

    /// The library a text came from.
    pub fn source_library(&self, source: SourceId) -> &str {
        self.texts.get(source.0 as usize).map_or("", |text| &text.library)
    }

    /// A text's path within its library.
    pub fn source_path(&self, source: SourceId) -> &str {
        self.texts.get(source.0 as usize).map_or("", |text| &text.path)
    }

    /// The role of a text.
    pub fn source_role(&self, source: SourceId) -> FileRole {
        self.loaded_text(source).map_or(FileRole::Other, |text| text.role)
    }

    /// The scenario files of a game itself, in order.
    pub fn scenario_files(&self, game: &str) -> Vec<SourceId> {
        self.games.get(game).map_or(Vec::new(), |game| game.scenarios.clone())
    }

    /// The files of a game itself that list what scenarios need not detect.
    pub fn unnoticed_files(&self, game: &str) -> Vec<SourceId> {
        self.games.get(game).map_or(Vec::new(), |game| game.unnoticed.clone())
    }

    /// The declarations of a game itself by name, including those of modes, and its scripts by id.
    pub fn declaration_spans(&self, game: &str) -> Vec<(String, Span)> {
        let Some(game) = self.games.get(game) else { return Vec::new() };
        let rules = self.own_rules(game).flat_map(declared_names);
        let modes = game.mode_scripts.iter().map(|((_, id), source)| (id, source));
        let whole = |source: SourceId| Span::new(source, 0, self.sources.get(source).text.len());
        let scripts = game.scripts.iter().chain(modes).map(|(id, source)| (id.clone(), whole(*source)));
        rules.chain(scripts).collect()
    }

    /// The README files of a game's own rules, which list its rule ids.
    pub fn readme_files(&self, game: &str) -> Vec<SourceId> {
        self.games.get(game).map_or(Vec::new(), |game| game.readmes.clone())
    }

    /// The short rulebooks of a game itself, for players.
    pub fn rulebook_files(&self, game: &str) -> Vec<SourceId> {
        self.games.get(game).map_or(Vec::new(), |game| game.rulebooks.clone())
    }

    /// The sheets of a game, including those of the packages it extends.
    pub fn game_sheets(&self, game: &str) -> Vec<SheetEntry<'_>> {
        let line = self.package_line(game);
        self.sheets_of_line(&line, &line::line_layers(&line), &mut Vec::new()).entries
    }

    /// The scripts of a game by id, including those of the packages it extends, without scripts of one mode only.
    pub fn script_files(&self, game: &str) -> BTreeMap<String, SourceId> {
        self.package_line(game).into_iter().flat_map(|game| game.scripts.clone()).collect()
    }

    /// The scripts of a game for one mode only, by mode and id.
    pub fn mode_script_files(&self, game: &str) -> BTreeMap<(String, String), SourceId> {
        self.package_line(game).into_iter().flat_map(|game| game.mode_scripts.clone()).collect()
    }

    /// The names of a game's modes, including those of the packages it extends.
    pub fn mode_names(&self, game: &str) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let modes = self.all_rules(game).filter_map(|item| match &item.kind {
            ItemKind::Mode { name, .. } => Some(&name.text),
            _ => None,
        });
        modes.filter(|name| seen.insert(*name)).cloned().collect()
    }

    /// The parameters for each mode of a game, starting with the standard mode, or only for the requested mode.
    pub fn requests_by_mode(&self, game: &str, wanted: &CompileRequest) -> Vec<CompileRequest> {
        let others = if wanted.mode.is_none() { self.mode_names(game) } else { Vec::new() };
        let modes = std::iter::once(wanted.mode.clone()).chain(others.into_iter().map(Some));
        modes.map(|mode| CompileRequest { mode, ..wanted.clone() }).collect()
    }

    /// Whether a game has a mode. Every game has the standard mode.
    pub fn has_mode(&self, game: &str, mode: &str) -> bool {
        mode == crate::compose::STANDARD || self.mode_names(game).iter().any(|known| known == mode)
    }

    /// The names of a game's options, including those of its modes and of the packages it extends.
    pub fn option_names(&self, game: &str) -> Vec<String> {
        fn options_of(item: &Item, found: &mut Vec<String>) {
            match &item.kind {
                ItemKind::Option(option) => found.push(option.name.text.clone()),
                ItemKind::Mode { items, .. } => items.iter().for_each(|item| options_of(item, found)),
                ItemKind::Replace(item) => options_of(item, found),
                _ => {}
            }
        }
        let mut found = Vec::new();
        self.all_rules(game).for_each(|item| options_of(item, &mut found));
        found
    }

    /// A sheet's tree, before it is checked against its game.
    pub fn sheet_node(&self, source: SourceId) -> Option<&Node> {
        match &self.loaded_text(source)?.content {
            Content::Sheet(node, _) => node.as_ref(),
            Content::Rules(_) | Content::Unread => None,
        }
    }

    /// The declarations in a game's files, with those of the packages it extends first.
    pub(crate) fn all_rules(&self, game: &str) -> impl Iterator<Item = &Item> {
        self.package_line(game).into_iter().flat_map(|game| self.own_rules(game))
    }

    /// All declarations in a game's own files, parsed on first use.
    fn own_rules(&self, game: &Game) -> impl Iterator<Item = &Item> {
        let files: Vec<&ParsedRules> = game.rules.iter().filter_map(|source| self.parsed_rules(*source)).collect();
        files.into_iter().flat_map(|read| &read.items)
    }

    /// The declarations of sheets, kinds of pieces and sides, with those of the packages a game extends first.
    fn outline_items(&self, game: &str) -> impl Iterator<Item = &Item> {
        let sources: Vec<SourceId> = self.package_line(game).into_iter().flat_map(|game| &game.rules).copied().collect();
        sources.into_iter().flat_map(|source| self.own_outline(source))
    }

    /// The outline of a file of rules; empty for other files.
    fn own_outline(&self, source: SourceId) -> &[Item] {
        match self.loaded_text(source).map(|text| &text.content) {
            Some(Content::Rules(rules)) => &rules.outline,
            _ => &[],
        }
    }

    /// All declarations of a file of rules, parsed on first use.
    fn parsed_rules(&self, source: SourceId) -> Option<&ParsedRules> {
        match &self.loaded_text(source)?.content {
            Content::Rules(rules) => Some(rules.whole.get_or_init(|| parse_rules(source, &self.sources.get(source).text))),
            Content::Sheet(..) | Content::Unread => None,
        }
    }

    /// The syntax problems of a text.
    pub fn source_problems(&self, source: SourceId) -> &[Problem] {
        match self.loaded_text(source).map(|text| &text.content) {
            Some(Content::Rules(_)) => self.parsed_rules(source).map_or(&[], |read| &read.problems),
            Some(Content::Sheet(_, problems)) => problems,
            Some(Content::Unread) | None => &[],
        }
    }

    /// Whether a file adds to a game, or to a package it extends, from another library.
    pub fn is_added(&self, game: &str, source: SourceId) -> bool {
        let line = self.package_line(game);
        let holder = line.iter().find(|game| game.has_file(source) || game.has_refused(source));
        holder.is_some_and(|game| game.library != self.source_library(source))
    }

    /// Removes files from the games they belong to. The texts keep their ids.
    pub fn remove_files(&mut self, files: &BTreeSet<SourceId>) {
        for game in self.games.values_mut() {
            let stays = |source: &SourceId| !files.contains(source);
            game.rules.retain(stays);
            game.rules_by_name.retain(|_, source| stays(source));
            game.sheets.retain(|_, source| stays(source));
            game.scripts.retain(|_, source| stays(source));
            game.mode_scripts.retain(|_, source| stays(source));
            game.scenarios.retain(stays);
            game.unnoticed.retain(stays);
            game.problems.retain(|problem| problem.labels.first().is_none_or(|(span, _)| stays(&span.source)));
        }
    }

    /// A text with its results; none for an unknown id.
    fn loaded_text(&self, source: SourceId) -> Option<&LoadedText> {
        self.texts.get(source.0 as usize).map(Arc::as_ref)
    }
}

impl Game {
    /// All files of the game itself.
    pub fn game_files(&self) -> impl Iterator<Item = SourceId> + '_ {
        let others = [&self.scenarios, &self.unnoticed, &self.readmes, &self.rulebooks];
        self.compiled_files().chain(others.into_iter().flatten().copied())
    }

    /// The files that are compiled into a program.
    fn compiled_files(&self) -> impl Iterator<Item = SourceId> + '_ {
        let scripts = self.scripts.values().chain(self.mode_scripts.values());
        self.rules.iter().chain(self.sheets.values()).chain(scripts).copied()
    }

    /// Whether a file is one of the game's own.
    pub fn has_file(&self, source: SourceId) -> bool {
        self.game_files().any(|file| file == source)
    }

    /// Whether a text is meant for this game but could not join because its name is taken.
    fn has_refused(&self, source: SourceId) -> bool {
        self.problems.iter().filter_map(|problem| problem.labels.first()).any(|(span, _)| span.source == source)
    }
}
