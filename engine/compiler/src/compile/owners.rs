//! Finds the kinds of pieces that may have no owner, and whether sides may leave the game. Printed pieces belong to the side that
//! brings them, and other pieces to the side they are created for.
//!
//! Called before code is compiled: the owner of other kinds is then certain to be a side, and a side always has an opponent if at
//! least two begin and none leaves.

use super::Compiler;
use crate::symbols::Sort;
use ludex_program::KindSort;
use ludex_syntax::blocks::{blocks_of, each_statement};
use ludex_syntax::tree::{Expr as Written, ExprKind, Item, StatementKind};
use std::borrow::Cow;

impl Compiler<'_> {
    /// Finds the kinds of which a piece is created without an owner. If the rules remove an owner, it may be of any kind that
    /// is not printed on sheets.
    pub(super) fn find_ownerless(&mut self, items: &[Cow<Item>]) {
        let kinds = &self.program.kinds;
        let mut ownerless = Vec::new();
        let mut removes = false;
        for block in items.iter().flat_map(|item| blocks_of(item)) {
            each_statement(block, &mut |statement| match &statement.kind {
                StatementKind::Create { kind, owner: None, .. } => {
                    ownerless.extend(self.symbols.id(Sort::Kind, &kind.text));
                }
                StatementKind::Set { place, value: Written { kind: ExprKind::None, .. }, .. } if is_owner(place) => {
                    let pieces = kinds.iter().enumerate().filter(|(_, kind)| kind.sort == KindSort::Piece);
                    ownerless.extend(pieces.map(|(kind, _)| kind as u16));
                }
                StatementKind::Remove { .. } => removes = true,
                _ => {}
            });
        }
        self.sides_stay = !removes;
        // A die with its own faces counts as a die.
        let faces = |kind: &u16| self.program.faces_of(*kind).and(self.program.die);
        let dice: Vec<u16> = ownerless.iter().filter_map(faces).collect();
        ownerless.extend(dice);
        ownerless.sort_unstable();
        ownerless.dedup();
        self.program.ownerless = ownerless;
    }
}

/// Whether a place to set is the owner of a thing.
fn is_owner(place: &Written) -> bool {
    matches!(&place.kind, ExprKind::Member(_, name) if name.text == "owner")
}
