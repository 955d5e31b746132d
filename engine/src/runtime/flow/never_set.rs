//! What is sure of the moves of those who play: fields that nobody can fill are empty lists, and moves that no action says
//! more of do nothing.

use crate::program::{Address, Expr, FamilyId, FieldSource, Program};
use crate::runtime::context::Roster;

/// Whether a list that is read at an address is sure to be empty among those who play.
pub fn is_never_set(program: &Program, roster: &Roster, at: Address, list: &Expr) -> bool {
    let Expr::LocalMoveField { slot, index } = list else { return false };
    program.asked.family(at, *slot).is_some_and(|family| nobody_sets(program, roster, family, *index))
}

/// Whether no action of a family fills a field.
fn nobody_sets(program: &Program, roster: &Roster, family: FamilyId, field: u16) -> bool {
    let info = &program.families[usize::from(family)];
    let leaves_out = |action: &u16| {
        let source = program.actions[usize::from(*action)].fields.get(usize::from(field));
        matches!(source, Some(FieldSource::EmptyList))
    };
    info.parts == [family] && roster.grants[usize::from(family)].is_empty() && info.actions.iter().all(leaves_out)
}

/// Whether nothing happens when a move is carried out at an address: no action of its family says what.
pub fn does_nothing(program: &Program, roster: &Roster, at: Address, chosen: &Expr) -> bool {
    let Expr::Local(slot) = chosen else { return false };
    let Some(family) = program.asked.family(at, *slot) else { return false };
    let parts = &program.families[usize::from(family)].parts;
    let granted = parts.iter().flat_map(|part| &roster.grants[usize::from(*part)]).map(|grant| grant.action(program, roster));
    let declared = parts.iter().flat_map(|part| &program.families[usize::from(*part)].actions).copied();
    declared.chain(granted).all(|action| program.actions[usize::from(action)].body.is_none())
}
