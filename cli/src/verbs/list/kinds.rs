//! The kinds of a game's sheets, read from its rules without compiling it.

use ludex_engine::library::{DeclaredSheet, DeclaredSheets};
use ludex_engine::sheet::Entry;
use std::collections::BTreeMap;

/// The sheets that a game declares.
pub struct Kinds<'r>(pub DeclaredSheets<'r>);

impl<'r> Kinds<'r> {
    /// The kind of a sheet; one that does not name its kind is what sides bring.
    pub fn of(&self, entry: &Entry) -> Option<&'r str> {
        let said = entry.sheet().and_then(|name| self.declared(name));
        said.map(|sheet| sheet.name).or(self.0.brought).or_else(|| self.0.printed.first().copied())
    }

    pub fn is_brought(&self, kind: Option<&str>) -> bool {
        kind.is_some_and(|kind| self.root(kind).is_some_and(|root| Some(root) == self.0.brought))
    }

    /// `6 decks`, `124 cards`: the number of sheets of each root kind, those that sides bring first.
    pub fn counted(&self, sheets: &[Option<&str>]) -> Vec<String> {
        let mut counts: BTreeMap<(bool, usize), usize> = BTreeMap::new();
        for kind in sheets {
            let root = kind.and_then(|kind| self.root(kind));
            let place = self.0.sheets.iter().position(|sheet| Some(sheet.name) == root).unwrap_or(usize::MAX);
            *counts.entry((root != self.0.brought, place)).or_default() += 1;
        }
        counts.into_iter().map(|((_, place), count)| self.counted_one(place, count)).collect()
    }

    fn counted_one(&self, place: usize, count: usize) -> String {
        let (one, many) = self.0.sheets.get(place).map_or(("sheet", "sheets"), |sheet| (sheet.name, sheet.plural.as_str()));
        crate::layout::counted(count, &crate::layout::spaced(one), &crate::layout::spaced(many))
    }

    fn declared(&self, name: &str) -> Option<&DeclaredSheet<'r>> {
        self.0.sheets.iter().find(|sheet| sheet.name == name)
    }

    /// The root of the kinds that a kind builds on. Stops at a cycle.
    fn root(&self, kind: &str) -> Option<&'r str> {
        let first = self.declared(kind)?;
        let (mut root, mut next) = (first.name, first.base);
        for _ in &self.0.sheets {
            let Some(sheet) = next.and_then(|name| self.declared(name)) else { break };
            (root, next) = (sheet.name, sheet.base);
        }
        Some(root)
    }
}
