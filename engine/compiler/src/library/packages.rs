//! Reads a game's files as a package: its own declarations.
//!
//! `compose` combines the packages of a line. An ability is declared by the header of its script, or in the rules.

use super::notes::blank_notes;
use super::{Game, Library};
use crate::compose::{Package, ability_item};
use ludex_syntax::codes;
use ludex_syntax::parse;
use ludex_syntax::problem::{Problem, closest_match, join_words};
use ludex_syntax::source::SourceId;
use ludex_syntax::tree::{Ability, Item, ItemKind};
use std::borrow::Cow;

/// An ability's id, file and header.
pub(super) type AbilityFile = (String, SourceId, Ability);

impl Library {
    /// The own declarations of a game. Adds its ability files to `abilities`, and reports its syntax errors.
    pub(super) fn read_package(&self, game: &Game, abilities: &mut Vec<AbilityFile>, problems: &mut Vec<Problem>) -> Package<'_> {
        problems.extend(game.problems.iter().cloned());
        let mut package = Package::default();
        let miswritten = game.rules.iter().flat_map(|source| self.source_problems(*source)).cloned().collect();
        problems.extend(parse::merge_reserved_words(miswritten, &self.sources));
        package.items.extend(self.own_rules(game).map(Cow::Borrowed));
        for (id, source) in &game.scripts {
            package.items.extend(self.read_ability(game, None, id, *source, abilities, problems).map(Cow::Owned));
            package.scripts.insert(*source);
        }
        for ((mode, id), source) in &game.mode_scripts {
            let known = self.check_script_mode(game, *source, problems);
            let ability = self.read_ability(game, Some(mode), id, *source, abilities, problems).filter(|_| known);
            package.of_modes.entry(mode.clone()).or_default().extend(ability);
            package.scripts.insert(*source);
        }
        package
    }

    /// Parses the header of an ability file, and returns it as a declaration of the package. Its id is the name of the file. With
    /// the note `replaces`, it replaces the ability of its id in a package below.
    fn read_ability(
        &self,
        game: &Game,
        mode: Option<&str>,
        id: &str,
        source: SourceId,
        abilities: &mut Vec<AbilityFile>,
        problems: &mut Vec<Problem>,
    ) -> Option<Item> {
        let (ability, found) = parse::parse_ability(source, &blank_notes(&self.sources.get(source).text));
        problems.extend(found);
        let mut ability = ability?;
        abilities.push((id.to_string(), source, ability.clone()));
        ability.id.text = id.to_string();
        let item = ability_item(ability);
        let replaces = self.has_replaces_note(source) && self.inherits_script(game, mode, id);
        Some(if replaces { Item { kind: ItemKind::Replace(Box::new(item.clone())), ..item } } else { item })
    }

    /// Whether a script of a game can replace an existing ability: one of a package that the game extends, or for a script of
    /// a mode, one of the game itself.
    pub(super) fn inherits_script(&self, game: &Game, mode: Option<&str>, id: &str) -> bool {
        let has = |game: &Game| game.scripts.contains_key(id) || self.own_rules(game).any(|item| declares_ability(item, id));
        let in_mode = |game: &Game, mode: &str| {
            let is_mode = |item: &&Item| mode_items(item).is_some_and(|(name, _)| name == mode);
            let mut items = self.own_rules(game).filter(is_mode).filter_map(mode_items).flat_map(|(_, items)| items);
            game.mode_scripts.contains_key(&(mode.to_string(), id.to_string())) || items.any(|item| declares_ability(item, id))
        };
        let own = mode.is_some() && has(game);
        own || self.extended_packages(game).any(|parent| has(parent) || mode.is_some_and(|mode| in_mode(parent, mode)))
    }

    /// Whether the game has the mode of a script. Reports an error if not.
    fn check_script_mode(&self, game: &Game, source: SourceId, problems: &mut Vec<Problem>) -> bool {
        let note = self.loaded_text(source).and_then(|text| text.notes.mode.as_ref());
        let modes = self.mode_names(&game.id);
        let Some((mode, span)) = note.filter(|(mode, _)| !modes.contains(mode)) else { return true };
        let problem = Problem::error(codes::UNKNOWN_MODE, format!("there is no mode `{mode}`")).with_label(*span, "not known");
        problems.push(match closest_match(mode, modes.iter().map(String::as_str)) {
            Some(near) => problem.suggest_near(near),
            None if modes.is_empty() => problem.help(format!("`{}` has no modes: leave this line out", game.id)),
            None => problem.help(format!("the modes are {}", join_words(&quote_names(&modes), "and"))),
        });
        false
    }
}

/// Whether a declaration of the rules is an ability with this id.
fn declares_ability(item: &Item, id: &str) -> bool {
    match &item.kind {
        ItemKind::Ability(ability) => ability.id.text == id,
        ItemKind::Replace(item) => declares_ability(item, id),
        _ => false,
    }
}

/// The name of a mode, and the declarations in a block of it.
fn mode_items(item: &Item) -> Option<(&str, &[Item])> {
    match &item.kind {
        ItemKind::Mode { name, items, .. } => Some((&name.text, items)),
        ItemKind::Replace(item) => mode_items(item),
        _ => None,
    }
}

fn quote_names(words: &[String]) -> Vec<String> {
    words.iter().map(|word| format!("`{word}`")).collect()
}
