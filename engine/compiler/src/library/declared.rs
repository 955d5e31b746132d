//! The sheets of a game, read from its rules without compiling them.
//!
//! This is quick, for lists of games and for new files; mistakes in the rules do not matter here.

use super::Library;
use ludex_syntax::tree::{ItemKind, plural_of};

/// The sheets that the rules of a game declare.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclaredSheets<'l> {
    /// The sheets in declared order. A sheet that is declared again counts at its last declaration.
    pub sheets: Vec<DeclaredSheet<'l>>,
    /// The sheet of the entrants that sides bring, if they bring any.
    pub brought: Option<&'l str>,
    /// The sheets that kinds of pieces are printed on, in declared order.
    pub printed: Vec<&'l str>,
}

/// A declared sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredSheet<'l> {
    /// Its name in rules and files: `character`.
    pub name: &'l str,
    /// Its plural, as declared or the name with an `s`.
    pub plural: String,
    /// The name of the sheet it builds on, which has not been checked yet.
    pub base: Option<&'l str>,
}

impl Library {
    /// The sheets declared by a game and by the packages it extends.
    pub fn declared_sheets(&self, game: &str) -> DeclaredSheets<'_> {
        let mut declared = DeclaredSheets::default();
        for item in self.outline_items(game) {
            declared.read_declaration(&item.kind);
        }
        declared
    }
}

impl<'l> DeclaredSheets<'l> {
    /// Adds the sheet, piece or sides of one declaration.
    fn read_declaration(&mut self, item: &'l ItemKind) {
        match item {
            ItemKind::Replace(item) => self.read_declaration(&item.kind),
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
