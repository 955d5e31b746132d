//! A game as written, in a form that can be compared with another.
//!
//! Texts are compared as they are in files, not compiled, so that games with errors can be compared too. A unit is a sheet, an
//! ability or a declaration of the rules.

use crate::verbs::list::kinds::Kinds;
use ludex_engine::library::Library;
use ludex_engine::problem::on_one_line;
use ludex_engine::yaml::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Keys of sheets that only say where a file belongs.
const NOTES: [&str; 3] = ["game", "replaces", "sheet"];

/// A part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Sheets,
    Abilities,
    Rules,
}

impl Part {
    pub const ALL: [Part; 3] = [Part::Sheets, Part::Abilities, Part::Rules];

    pub fn part_name(self) -> &'static str {
        match self {
            Part::Sheets => "sheets",
            Part::Abilities => "abilities",
            Part::Rules => "rules",
        }
    }
}

/// The key of a unit of a game: its part, the only mode that has it, and its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub part: Part,
    pub mode: Option<String>,
    /// `character night-owl`, `action hop`.
    pub name: String,
}

/// A game as written: for each place, the lines of a sheet by key, or a text.
#[derive(Clone, Debug, Default)]
pub struct Snapshot(BTreeMap<Place, Content>);

/// The content of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The entries of a sheet, by key.
    Lines(Vec<(String, String)>),
    /// A script, or a declaration.
    Text(String),
}

/// A difference.
#[derive(Clone, Debug)]
pub struct Change {
    pub place: Place,
    pub old: Option<Content>,
    pub new: Option<Content>,
}

impl Snapshot {
    /// Adds a game; its units replace existing ones of the same name.
    pub fn add_game(&mut self, library: &Library, game: &str) {
        self.add_sheets(library, game);
        self.add_abilities(library, game);
        self.add_rules(library, game);
    }

    /// Adds the sheets, without entries that only say where a file belongs.
    fn add_sheets(&mut self, library: &Library, game: &str) {
        let kinds = Kinds(library.declared_sheets(game));
        for entry in library.game_sheets(game) {
            let Value::Map(lines) = &entry.node.value else { continue };
            let lines = lines.iter().filter(|(key, _)| !NOTES.contains(&key.name.as_str()));
            let lines = lines.map(|(key, value)| (key.name.clone(), on_one_line(library.sources.span_text(value.span))));
            let name = format!("{} {}", kinds.kind_of(&entry).unwrap_or("sheet"), entry.id);
            self.0.insert(Place { part: Part::Sheets, mode: None, name }, Content::Lines(lines.collect()));
        }
    }

    /// Adds the scripts; those of a mode are separate units.
    fn add_abilities(&mut self, library: &Library, game: &str) {
        let usual = library.script_files(game).into_iter().map(|(id, source)| (None, id, source));
        let of_modes = library.mode_script_files(game).into_iter().map(|((mode, id), source)| (Some(mode), id, source));
        for (mode, name, source) in usual.chain(of_modes) {
            let text = library.sources.get(source).text.clone();
            self.0.insert(Place { part: Part::Abilities, mode, name }, Content::Text(text));
        }
    }

    /// Adds the declarations; those of a mode only if they differ from the ones without a mode.
    fn add_rules(&mut self, library: &Library, game: &str) {
        let mut add = |mode: Option<String>| {
            for unit in library.game_units(game, mode.as_deref()) {
                let usual = Place { part: Part::Rules, mode: None, name: unit.unit_text() };
                let content = Content::Text(unit.text.to_string());
                if mode.is_none() || self.0.get(&usual).is_none_or(|known| !is_same(known, &content)) {
                    self.0.insert(Place { mode: mode.clone(), ..usual }, content);
                }
            }
        };
        add(None);
        library.mode_names(game).into_iter().for_each(|mode| add(Some(mode)));
    }
}

/// The differences, in order of their places.
pub fn find_changes(old: &Snapshot, new: &Snapshot) -> Vec<Change> {
    let places: BTreeSet<&Place> = old.0.keys().chain(new.0.keys()).collect();
    let change = |place: &Place| {
        let (old, new) = (old.0.get(place), new.0.get(place));
        let same = old.zip(new).is_some_and(|(old, new)| is_same(old, new));
        (!same).then(|| Change { place: place.clone(), old: old.cloned(), new: new.cloned() })
    };
    places.into_iter().filter_map(change).collect()
}

/// Whether two contents are equal, ignoring blanks and line ends in texts.
fn is_same(one: &Content, other: &Content) -> bool {
    match (one, other) {
        (Content::Text(one), Content::Text(other)) => one.split_whitespace().eq(other.split_whitespace()),
        _ => one == other,
    }
}
