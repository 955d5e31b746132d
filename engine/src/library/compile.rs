//! A game's files → a program with its sheets.

use super::notes::blanked;
use super::{Content, Game, Library, Text, Wanted};
use crate::codes;
use crate::language::compile::{self, Input, Lowered};
use crate::language::resolve::{self, ScriptWords};
use crate::language::syntax::{Ability, Item, ItemKind, Name};
use crate::language::{merge, parse};
use crate::problem::Problem;
use crate::program::Program;
use crate::runtime::setup::first_values;
use crate::sheet;
use crate::source::{SourceId, Span};
use crate::yaml::{Node, Value};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What a game consists of, its own files and those of the games it extends.
struct Parts {
    items: Vec<Item>,
    scripts: BTreeMap<String, SourceId>,
    sheets: BTreeMap<String, SourceId>,
    rules: Vec<SourceId>,
}

impl Library {
    /// Compiles a game with all sheets and abilities; the program is there if no problem is an error.
    pub fn compile(&self, game: &str, wanted: &Wanted) -> (Option<Program>, Vec<Problem>) {
        let mut problems = Vec::new();
        let program = self.compiled(game, wanted, &mut problems);
        let sound = !problems.iter().any(Problem::is_error);
        (program.filter(|_| sound), problems)
    }

    /// Compiles a game in the mode that is wanted with one declaration more, which is made from what the game declares:
    /// its own items, and those of the mode.
    pub fn compile_with(
        &self,
        game: &str,
        wanted: &Wanted,
        make: impl FnOnce(&[Item]) -> Result<Item, Vec<Problem>>,
    ) -> Result<Program, Vec<Problem>> {
        let mut problems = Vec::new();
        let line = self.checked_line(game, &mut problems).ok_or_else(|| problems.clone())?;
        let mut parts = self.parts(&line, &mut problems);
        // In another mode other names are known.
        let is_wanted =
            |item: &Item| matches!(&item.kind, ItemKind::Mode { name, .. } if Some(&name.text) == wanted.mode.as_ref());
        parts.items.retain(|item| !matches!(item.kind, ItemKind::Mode { .. }) || is_wanted(item));
        let made = make(&parts.items)?;
        match parts.items.iter_mut().find(|item| is_wanted(item)).map(|item| &mut item.kind) {
            Some(ItemKind::Mode { items, .. }) => items.push(made),
            _ => parts.items.push(made),
        }
        let program = self.compiled_parts(&line, parts, wanted, &mut problems);
        let sound = !problems.iter().any(Problem::is_error);
        program.filter(|_| sound).ok_or(problems)
    }

    fn compiled(&self, game: &str, wanted: &Wanted, problems: &mut Vec<Problem>) -> Option<Program> {
        let line = self.checked_line(game, problems)?;
        let parts = self.parts(&line, problems);
        self.compiled_parts(&line, parts, wanted, problems)
    }

    fn compiled_parts(&self, line: &[&Game], parts: Parts, wanted: &Wanted, problems: &mut Vec<Problem>) -> Option<Program> {
        let abilities = self.abilities(&parts.scripts, problems);
        let words = self.script_words(&parts.scripts);
        let found = resolve::resolve(&parts.items, &abilities, &words);
        let unclear = found.iter().any(Problem::is_error);
        problems.extend(found.into_iter().filter(|problem| problem.is_error() || concerns_itself(problem, line)));
        if unclear {
            self.unreadable_sheets(&parts.sheets, problems);
            return None;
        }
        let holders = sheet::holders(&self.sheet_nodes(&parts.sheets));
        let (mode, options) = (wanted.mode.as_deref(), &wanted.options);
        let lowered = self.lowered(&parts.scripts);
        let input = Input { items: parts.items, abilities, holders, lowered, words: &words, mode, options };
        let (program, found) = compile::compile(&input);
        problems.extend(found);
        self.unreadable_sheets(&parts.sheets, problems);
        let mut program = program?;
        program.sources = self.sources.clone();
        problems.extend(crate::scripting::check(&program));
        self.add_sheets(&mut program, &parts.sheets, problems);
        let files = parts.rules.iter().chain(parts.sheets.values()).chain(parts.scripts.values());
        program.files = self.hashes(files.copied());
        program.hash = joined_hash(&program.files);
        Some(program)
    }

    /// A game after those it extends.
    fn checked_line(&self, game: &str, problems: &mut Vec<Problem>) -> Option<Vec<&Game>> {
        let line = self.line(game);
        let Some(root) = line.first() else {
            let problem = Problem::error(codes::UNKNOWN_GAME, format!("there is no game `{game}`"));
            let games = self.games();
            problems.push(problem.suggest(game, games.iter().map(String::as_str)));
            return None;
        };
        let Some(parent) = &root.extends else { return Some(line) };
        if line.iter().any(|game| game.id == *parent) {
            let problem = Problem::error(codes::GOES_IN_CIRCLES, format!("the game `{game}` extends itself"))
                .at(root.header, format!("extends `{parent}`, which extends `{}`", root.id));
            problems.push(problem.help("one game of the circle must start with `game` instead of `package`"));
            return None;
        }
        let problem = Problem::error(codes::UNKNOWN_GAME, format!("there is no game `{parent}` to extend"))
            .at(root.header, format!("extends `{parent}`"));
        let games = self.games();
        let others = games.iter().map(String::as_str).filter(|id| *id != root.id);
        problems.push(problem.suggest(parent, others));
        None
    }

    fn parts(&self, line: &[&Game], problems: &mut Vec<Problem>) -> Parts {
        let mut parts = Parts { items: Vec::new(), scripts: BTreeMap::new(), sheets: BTreeMap::new(), rules: Vec::new() };
        for game in line {
            problems.extend(game.problems.iter().cloned());
            let own = self.own_items(game, problems);
            match &game.extends {
                None => parts.items = merge::plain(&own, problems),
                Some(_) => {
                    let (gone, changes) = own.into_iter().partition(|item| removed_script(item, &parts.scripts).is_some());
                    remove_scripts(&mut parts.scripts, gone);
                    merge::merge(&mut parts.items, changes, problems);
                }
            }
            parts.scripts.extend(game.scripts.clone());
            parts.sheets.extend(game.sheets.clone());
            parts.rules.extend(&game.rules);
        }
        parts
    }

    fn own_items(&self, game: &Game, problems: &mut Vec<Problem>) -> Vec<Item> {
        let mut items = Vec::new();
        for text in game.rules.iter().filter_map(|source| self.text(*source)) {
            problems.extend(text.problems.iter().cloned());
            if let Content::Rules(own) = &text.content {
                items.extend(own.iter().cloned());
            }
        }
        items
    }

    fn abilities(&self, scripts: &BTreeMap<String, SourceId>, problems: &mut Vec<Problem>) -> Vec<(String, SourceId, Ability)> {
        let mut abilities = Vec::new();
        for (stem, source) in scripts {
            let (ability, found) = parse::parse_ability(*source, &blanked(&self.sources.get(*source).text));
            problems.extend(found);
            abilities.extend(ability.map(|ability| (stem.clone(), *source, ability)));
        }
        abilities
    }

    /// What the functions of each script name.
    fn script_words(&self, scripts: &BTreeMap<String, SourceId>) -> ScriptWords {
        scripts.values().map(|source| (*source, resolve::words_of(&self.sources.get(*source).text))).collect()
    }

    /// What of each script the rules can say.
    fn lowered(&self, scripts: &BTreeMap<String, SourceId>) -> Lowered {
        let lower = |source: &SourceId| (*source, crate::scripting::lower(*source, &self.sources.get(*source).text));
        scripts.values().map(lower).collect()
    }

    fn unreadable_sheets(&self, sheets: &BTreeMap<String, SourceId>, problems: &mut Vec<Problem>) {
        for text in sheets.values().filter_map(|source| self.text(*source)) {
            problems.extend(text.problems.iter().cloned());
        }
    }

    /// The sheets that can be read.
    fn sheet_nodes<'s>(&'s self, sheets: &'s BTreeMap<String, SourceId>) -> Vec<(&'s str, SourceId, &'s Node)> {
        let node = |(stem, source): (&'s String, &SourceId)| match self.text(*source).map(|text| &text.content) {
            Some(Content::Sheet(Some(node))) => Some((stem.as_str(), *source, node)),
            _ => None,
        };
        sheets.iter().filter_map(node).collect()
    }

    fn add_sheets(&self, program: &mut Program, sheets: &BTreeMap<String, SourceId>, problems: &mut Vec<Problem>) {
        let broken = |text: &Text| text.problems.iter().any(Problem::is_error);
        program.prints.unread.any = sheets.values().filter_map(|source| self.text(*source)).any(broken);
        sheet::read_all(&self.sheet_nodes(sheets), program, problems);
        self.check_first_values(program, problems);
    }

    /// What the rules work out for each sheet must be something that they allow.
    fn check_first_values(&self, program: &Program, problems: &mut Vec<Problem>) {
        // Faults that have to do with who else plays show when a match begins.
        let unfit = |id: &String| first_values(program, id).err().filter(|problem| problem.code == codes::FIRST_VALUE);
        let derives = |kind| program.defaults.iter().any(|(of, _, _)| *of == kind);
        for sheet in program.sheets.values().filter(|sheet| derives(sheet.kind)) {
            problems.extend(unfit(&sheet.id).map(|problem| problem.at(self.start_of(sheet.source), "on this sheet")));
        }
    }

    /// The first key of a sheet.
    fn start_of(&self, sheet: SourceId) -> Span {
        match self.text(sheet).map(|text| &text.content) {
            Some(Content::Sheet(Some(Node { value: Value::Map(entries), .. }))) => {
                entries.first().map_or(Span::new(sheet, 0, 0), |(key, _)| key.span)
            }
            _ => Span::new(sheet, 0, 0),
        }
    }

    /// The path of each file within its library, with the hash of its text.
    fn hashes(&self, sources: impl Iterator<Item = SourceId>) -> Vec<(String, String)> {
        let mut files: Vec<(String, String)> =
            sources.map(|source| (self.path(source).to_string(), hash(&self.sources.get(source).text))).collect();
        files.sort();
        files
    }
}

/// Whether a warning is for the authors of the last game in a line. Those of the games it extends are warned when theirs
/// is looked at by itself: what a package has no use for may be of use without it.
fn concerns_itself(warning: &Problem, line: &[&Game]) -> bool {
    let Some((_, extended)) = line.split_last() else { return true };
    let is_extended = |source: &SourceId| {
        extended.iter().any(|game| game.rules.contains(source) || game.scripts.values().any(|own| own == source))
    };
    warning.labels.is_empty() || warning.labels.iter().any(|(span, _)| !is_extended(&span.source))
}

/// The script that `remove ability NAME` takes away: scripts are files and no items.
fn removed_script<'i>(item: &'i Item, scripts: &BTreeMap<String, SourceId>) -> Option<&'i Name> {
    match &item.kind {
        ItemKind::Remove { sort, name } if sort.text == "ability" => Some(name).filter(|name| scripts.contains_key(&name.text)),
        _ => None,
    }
}

fn remove_scripts(scripts: &mut BTreeMap<String, SourceId>, gone: Vec<Item>) {
    for item in gone {
        if let Some(name) = removed_script(&item, scripts).map(|name| name.text.clone()) {
            scripts.remove(&name);
        }
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

/// One hash over the names and hashes of all files.
fn joined_hash(files: &[(String, String)]) -> String {
    let lines: Vec<String> = files.iter().map(|(path, hash)| format!("{hash}  {path}\n")).collect();
    hash(&lines.concat())
}
