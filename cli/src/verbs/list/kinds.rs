//! The kinds of a game's sheets, read from its rules without compiling it.
//!
//! A kind of sheets is one that the rules declare, such as a character or a card. Kinds may build on others; the root kind is
//! the one that builds on none. Sides bring sheets of one root kind.

use ludex_engine::library::{DeclaredSheet, DeclaredSheets};
use ludex_engine::sheet::SheetEntry;
use std::collections::BTreeMap;

/// The sheets that a game declares.
pub struct Kinds<'r>(pub DeclaredSheets<'r>);

impl<'r> Kinds<'r> {
    /// The kind of a sheet; one that does not name its kind is what sides bring.
    pub fn kind_of(&self, entry: &SheetEntry) -> Option<&'r str> {
        let said = entry.declared_sheet_name().and_then(|name| self.find_declared(name));
        said.map(|sheet| sheet.name).or(self.0.brought).or_else(|| self.0.printed.first().copied())
    }

    /// Whether sides bring sheets of this kind.
    pub fn is_brought(&self, kind: Option<&str>) -> bool {
        kind.is_some_and(|kind| self.root_kind(kind).is_some_and(|root| Some(root) == self.0.brought))
    }

    /// `6 decks`, `124 cards`: the number of sheets of each root kind, those that sides bring first.
    pub fn count_texts(&self, sheets: &[Option<&str>]) -> Vec<String> {
        let mut counts: BTreeMap<(bool, usize), usize> = BTreeMap::new();
        for kind in sheets {
            let root = kind.and_then(|kind| self.root_kind(kind));
            let place = self.0.sheets.iter().position(|sheet| Some(sheet.name) == root).unwrap_or(usize::MAX);
            *counts.entry((root != self.0.brought, place)).or_default() += 1;
        }
        counts.into_iter().map(|((_, place), count)| self.count_text(place, count)).collect()
    }

    /// The number of sheets of a kind, by its index among the declared ones.
    fn count_text(&self, place: usize, count: usize) -> String {
        let (one, many) = self.0.sheets.get(place).map_or(("sheet", "sheets"), |sheet| (sheet.name, sheet.plural.as_str()));
        crate::layout::count_text(count, &crate::layout::readable_name(one), &crate::layout::readable_name(many))
    }

    fn find_declared(&self, name: &str) -> Option<&DeclaredSheet<'r>> {
        self.0.sheets.iter().find(|sheet| sheet.name == name)
    }

    /// The root of the kinds that a kind builds on. Stops at a cycle.
    fn root_kind(&self, kind: &str) -> Option<&'r str> {
        let first = self.find_declared(kind)?;
        let (mut root, mut next) = (first.name, first.base);
        for _ in &self.0.sheets {
            let Some(sheet) = next.and_then(|name| self.find_declared(name)) else { break };
            (root, next) = (sheet.name, sheet.base);
        }
        Some(root)
    }
}
