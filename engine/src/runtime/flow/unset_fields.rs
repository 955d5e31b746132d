//! Facts about the moves of these players: fields that no action fills are empty lists, and moves without effects do nothing.
//!
//! `specialise` skips instructions that these facts make useless. They hold for a whole match, because the abilities in play are
//! known. `at` is the address of the instruction.

use crate::runtime::context::Roster;
use ludex_program::{ActionId, Address, Expr, FamilyId, FieldSource, Program};

/// Whether a list that is read at an address is always empty for these players.
pub fn is_list_always_empty(program: &Program, roster: &Roster, at: Address, list: &Expr) -> bool {
    let Expr::LocalMoveField { slot, index } = list else { return false };
    program.asked.family_in_slot(at, *slot).is_some_and(|family| is_field_never_set(program, roster, family, *index))
}

/// Whether no action of a family fills a field, including those that abilities grant.
fn is_field_never_set(program: &Program, roster: &Roster, family: FamilyId, field: u16) -> bool {
    let leaves_out = |action: ActionId| {
        let source = program.actions[usize::from(action)].fields.get(usize::from(field));
        matches!(source, Some(FieldSource::EmptyList))
    };
    program.families[usize::from(family)].parts == [family] && actions_of(program, roster, family).all(leaves_out)
}

/// All actions of a family, including those that abilities grant.
fn actions_of<'p>(program: &'p Program, roster: &'p Roster, family: FamilyId) -> impl Iterator<Item = ActionId> + 'p {
    let parts = || program.families[usize::from(family)].parts.iter().map(|part| usize::from(*part));
    let declared = parts().flat_map(|part| &program.families[part].actions).copied();
    let granted = parts().flat_map(|part| &roster.grants[part]).map(|grant| grant.granted_action(program, roster));
    declared.chain(granted)
}

/// Whether a move carried out at an address has no effect, because no action of its family has a body.
pub fn is_move_without_effect(program: &Program, roster: &Roster, at: Address, chosen: &Expr) -> bool {
    let Expr::Local(slot) = chosen else { return false };
    let Some(family) = program.asked.family_in_slot(at, *slot) else { return false };
    actions_of(program, roster, family).all(|action| program.actions[usize::from(action)].body.is_none())
}
