//! Fields of moves that nobody who plays can fill: what is read from them is sure to be the empty list.

use super::machine::Cast;
use crate::program::{Address, Expr, FamilyId, FieldSource, Program};

/// Whether a list that is read at an address is sure to be empty among those who play.
pub fn is_unfilled(program: &Program, cast: &Cast, at: Address, list: &Expr) -> bool {
    let Expr::LocalMoveField { slot, index } = list else { return false };
    program.asked.family(at, *slot).is_some_and(|family| nobody_fills(program, cast, family, *index))
}

/// Whether no action of a family fills a field.
fn nobody_fills(program: &Program, cast: &Cast, family: FamilyId, field: u16) -> bool {
    let info = &program.families[usize::from(family)];
    let leaves_out = |action: &u16| {
        let source = program.actions[usize::from(*action)].fields.get(usize::from(field));
        matches!(source, Some(FieldSource::EmptyList))
    };
    info.parts == [family] && cast.grants[usize::from(family)].is_empty() && info.actions.iter().all(leaves_out)
}
