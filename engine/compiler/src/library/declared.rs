//! What sheets a game has, told from its rules as they stand, without compiling it.

use super::Library;
use ludex_syntax::tree::{ItemKind, plural_of};

/// The sheets that the rules of a game declare.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclaredSheets<'l> {
    /// In declared order. A sheet that is declared again counts where it is declared last.
    pub sheets: Vec<DeclaredSheet<'l>>,
    /// The sheet of what sides bring, if they bring anything.
    pub brought: Option<&'l str>,
    /// The sheets that kinds of pieces are printed on, in declared order.
    pub printed: Vec<&'l str>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredSheet<'l> {
    /// What rules and files call it: `character`.
    pub name: &'l str,
    /// As declared, or the name with an `s`.
    pub plural: String,
    /// The sheet that it builds on. Nothing has checked yet that there is one of this name.
    pub base: Option<&'l str>,
}

impl Library {
    /// The sheets that a game declares, and what it extends.
    pub fn declared_sheets(&self, game: &str) -> DeclaredSheets<'_> {
        let mut declared = DeclaredSheets::default();
        for item in self.outline(game) {
            declared.note(&item.kind);
        }
        declared
    }
}

impl<'l> DeclaredSheets<'l> {
    fn note(&mut self, item: &'l ItemKind) {
        match item {
            ItemKind::Replace(item) => self.note(&item.kind),
            ItemKind::Sides(sides) => self.brought = sides.entrants.as_ref().map(|(_, _, name)| name.text.as_str()),
            ItemKind::Piece { from: Some(from), .. } => self.printed.push(&from.text),
            ItemKind::Sheet { name, plural, base, .. } => {
                let plural = plural_of(name, plural.as_ref());
                let base = base.as_ref().map(|base| base.text.as_str());
                self.sheets.retain(|known| known.name != name.text);
                self.sheets.push(DeclaredSheet { name: &name.text, plural, base });
            }
            _ => {}
        }
    }
}
