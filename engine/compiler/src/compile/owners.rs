//! Which pieces may belong to nobody: a sheet's belong to whoever brings it, and others to those for whom they are made. And whether
//! sides may leave the game.

use super::Compiler;
use ludex_program::KindSort;
use ludex_syntax::blocks::{blocks_of, each_statement};
use ludex_syntax::tree::{Expr as Written, ExprKind, Item, StatementKind};
use std::borrow::Cow;

impl Compiler<'_> {
    /// Finds the kinds of which a piece is made for nobody somewhere. Where the rules take an owner away, it may be any kind that
    /// no sheet prints.
    pub(super) fn find_ownerless(&mut self, items: &[Cow<Item>]) {
        let kinds = &self.program.kinds;
        let mut ownerless = Vec::new();
        let mut removes = false;
        for block in items.iter().flat_map(|item| blocks_of(item)) {
            each_statement(block, &mut |statement| match &statement.kind {
                StatementKind::Create { kind, owner: None, .. } => {
                    ownerless.extend(kinds.iter().position(|known| known.name == kind.text).map(|kind| kind as u16));
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
        // A die with faces of its own is a die to everything that asks for one.
        let faces = |kind: &u16| self.program.faces_of(*kind).and(self.program.die);
        let dice: Vec<u16> = ownerless.iter().filter_map(faces).collect();
        ownerless.extend(dice);
        ownerless.sort_unstable();
        ownerless.dedup();
        self.program.ownerless = ownerless;
    }
}

fn is_owner(place: &Written) -> bool {
    matches!(&place.kind, ExprKind::Member(_, name) if name.text == "owner")
}
