//! Merges loops that append one member to a list per round: one step appends them all.
//!
//! After that, `each die in thrown { set values to values + (10 + die) }` is an expression, and its dice may stay open.
//!
//! A loop is the code of `each … in …`: `EachBegin`, then `EachNext`, the steps of a round, and a jump back to `EachNext`.
//! `OddsQuery::new` calls this for the program of an expression, before stops are added.

use ludex_program::{Address, Expr, Instruction, Program, Slot};

/// Replaces each such loop by one step.
pub fn merge_appends(program: &mut Program) {
    for at in 0..program.code.len() {
        let Some((step, end)) = merge_append(&program.code[at..], at as Address) else { continue };
        program.code[at] = step;
        program.code[at + 1] = Instruction::Jump(end);
        program.places[at] = program.places[at + 2].clone();
    }
}

/// Turns the loop at an address into one step. Play continues at the returned address.
fn merge_append(code: &[Instruction], at: Address) -> Option<(Instruction, Address)> {
    let [
        Instruction::EachBegin { list, .. },
        Instruction::EachNext { variable, end, .. },
        Instruction::Let { list: true, slot, value: Expr::Concatenate(before, more) },
        Instruction::Jump(back),
        ..,
    ] = code
    else {
        return None;
    };
    let value = only_member(more, *variable)?;
    if *back != at + 1 || **before != Expr::Local(*slot) || value.unbound_slots().contains(slot) {
        return None;
    }
    let more = Expr::Map { list: Box::new(list.clone()), slot: *variable, value: Box::new(value.clone()) };
    let value = Expr::Concatenate(before.clone(), Box::new(more));
    Some((Instruction::Let { list: true, slot: *slot, value }, *end))
}

/// Returns the only member of a list that is made in a round; `None` if there may be more or fewer. `variable` is the slot of the
/// loop's variable.
fn only_member(list: &Expr, variable: Slot) -> Option<&Expr> {
    match list {
        Expr::ListOf(members) => match &members[..] {
            [member] => Some(member),
            _ => None,
        },
        // A single value may be none, and then the list is empty; a number is never none.
        Expr::Single(member) => match &**member {
            Expr::Add(..) | Expr::Subtract(..) | Expr::Multiply(..) => Some(member),
            Expr::Local(slot) if *slot == variable => Some(member),
            _ => None,
        },
        _ => None,
    }
}
