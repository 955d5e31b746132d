//! What the sheets of a game are, told from its rules as they stand, without compiling it.

use ludex_engine::language::syntax::{Item, ItemKind};
use ludex_engine::sheet::Entry;
use std::collections::BTreeMap;

/// The sheets that a game declares.
#[derive(Default)]
pub struct Kinds<'r> {
    /// In declared order: the name, the plural, and the sheet that it builds on.
    declared: Vec<(&'r str, String, Option<&'r str>)>,
    /// The sheet of what sides bring.
    brought: Option<&'r str>,
    /// The sheets that pieces are printed on.
    printed: Vec<&'r str>,
}

impl<'r> Kinds<'r> {
    pub fn new(rules: impl Iterator<Item = &'r Item>) -> Kinds<'r> {
        let mut kinds = Kinds::default();
        for item in rules {
            kinds.note(&item.kind);
        }
        kinds
    }

    fn note(&mut self, item: &'r ItemKind) {
        match item {
            ItemKind::Replace(item) => self.note(&item.kind),
            ItemKind::Sides(sides) => self.brought = sides.entrants.as_ref().map(|(_, _, name)| name.text.as_str()),
            ItemKind::Piece { from: Some(from), .. } => self.printed.push(&from.text),
            ItemKind::Sheet { name, plural, base, .. } => {
                let plural = plural.as_ref().map_or_else(|| format!("{}s", name.text), |plural| plural.text.clone());
                self.declared.retain(|(known, _, _)| *known != name.text);
                self.declared.push((&name.text, plural, base.as_ref().map(|base| base.text.as_str())));
            }
            _ => {}
        }
    }

    /// Which of the declared sheets one of a file is; one that does not say so is what sides bring.
    pub fn of(&self, entry: &Entry) -> Option<&'r str> {
        let said = entry.sheet().and_then(|name| self.declared.iter().find(|(known, _, _)| *known == name));
        said.map(|(name, _, _)| *name).or(self.brought).or_else(|| self.printed.first().copied())
    }

    pub fn is_brought(&self, kind: Option<&str>) -> bool {
        kind.is_some_and(|kind| self.root(kind).is_some_and(|root| Some(root) == self.brought))
    }

    /// `6 decks`, `124 cards`: of each sort that other sheets build on how many there are, what sides bring first.
    pub fn counted(&self, sheets: &[Option<&str>]) -> Vec<String> {
        let mut counts: BTreeMap<(bool, usize), usize> = BTreeMap::new();
        for kind in sheets {
            let root = kind.and_then(|kind| self.root(kind));
            let place = self.declared.iter().position(|(name, _, _)| Some(*name) == root).unwrap_or(usize::MAX);
            *counts.entry((root != self.brought, place)).or_default() += 1;
        }
        counts.into_iter().map(|((_, place), count)| self.counted_one(place, count)).collect()
    }

    fn counted_one(&self, place: usize, count: usize) -> String {
        let (one, many) = self.declared.get(place).map_or(("sheet", "sheets"), |(name, plural, _)| (*name, plural.as_str()));
        crate::layout::counted(count, &crate::layout::spaced(one), &crate::layout::spaced(many))
    }

    /// The last of those that a sheet builds on. Ends where they go in a circle.
    fn root(&self, kind: &str) -> Option<&'r str> {
        let base = |name: &str| self.declared.iter().find(|(known, _, _)| *known == name);
        let &(mut root, _, mut next) = base(kind)?;
        for _ in &self.declared {
            let Some((name, _, base)) = next.and_then(base) else { break };
            (root, next) = (*name, *base);
        }
        Some(root)
    }
}
