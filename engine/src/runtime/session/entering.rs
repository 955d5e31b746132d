//! Play from a position: sets counters and uses, and opens the frames around the entry.
//!
//! A *position* states values and where pieces are. An *entry* is the procedure at which it lets play begin; the procedures that
//! would have called it, from `play` on, are the frames *around* it, and `ProcedureInfo::chain` has their calls. `setup` calls
//! this last, when all pieces are in place.

use crate::runtime::context::Instance;
use crate::runtime::flow::{Machine, PlayContext};
use crate::runtime::session::setup::{begin_play, cells_stated, setting_of, value_stated};
use crate::runtime::state::{FrameRole, NO_SLOT, UseCount};
use ludex_compiler::field::StatedValue;
use ludex_compiler::position::{Around, Entry, Position};
use ludex_program::{AbilityId, CallSite, ProcedureInfo, Shape, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;

/// Sets counters and uses, and builds the frames that would be open at the entry.
pub fn enter_position(context: &PlayContext, machine: &mut Machine, position: &Position) -> Result<(), Problem> {
    set_counters(context, machine, position)?;
    let Some(entry) = &position.at else {
        begin_play(context, machine);
        return set_used_counts(context, machine, position);
    };
    let info = &context.program.procedures[usize::from(entry.procedure)];
    let result = open_callers(context, machine, info, entry)?;
    let arguments = info.params.iter().zip(&entry.arguments).map(|(param, stated)| entry_argument(context, entry, param, stated));
    let arguments = arguments.collect::<Result<Vec<Value>, Problem>>()?;
    set_used_counts(context, machine, position)?;
    machine.start_procedure(context, entry.procedure, &arguments, result);
    Ok(())
}

/// Opens the frames of the procedures around an entry, the outermost first. Returns the slot of the innermost one that gets the
/// entry's value.
fn open_callers(context: &PlayContext, machine: &mut Machine, info: &ProcedureInfo, entry: &Entry) -> Result<u16, Problem> {
    let Around::Given(around) = &entry.around else {
        // An old recording: all values around the entry were 0 then.
        info.chain.iter().for_each(|site| {
            let base = open_caller(context, machine, site, NO_SLOT);
            machine.state.slots[base..].fill(0);
        });
        return Ok(NO_SLOT);
    };
    let mut result = NO_SLOT;
    for (site, given) in info.chain.iter().zip(around.iter().rev()) {
        let base = open_caller(context, machine, site, result);
        let params = &context.program.procedures[usize::from(site.procedure)].params;
        for (slot, (param, stated)) in params.iter().zip(given).enumerate() {
            let Some(stated) = stated else { continue };
            let value = entry_argument(context, entry, param, stated)?;
            machine.set_slot(base, slot as u16, value);
        }
        // The past rounds of a loop are not known, so only those to come count.
        for count in &site.counts {
            // The slot after a count has the length of the arena of lists when the round began.
            let length = machine.state.lists.len() as Value;
            machine.set_slot(base, *count, 0);
            machine.set_slot(base, count + 1, length);
        }
        result = site.result.unwrap_or(NO_SLOT);
    }
    Ok(result)
}

/// Opens the frame of a procedure that waits for a call to return. `result` is the slot of the frame below for its own result.
/// Returns its base.
fn open_caller(context: &PlayContext, machine: &mut Machine, site: &CallSite, result: u16) -> usize {
    let slots = context.program.procedures[usize::from(site.procedure)].slots;
    machine.push_frame(FrameRole::Procedure { procedure: site.procedure, result }, site.next, slots)
}

/// The value that a position states for a parameter of the entry or of a procedure around it.
fn entry_argument(
    context: &PlayContext,
    entry: &Entry,
    (name, shape): &(String, Shape),
    stated: &StatedValue,
) -> Result<Value, Problem> {
    let value = value_here(context, name, shape, stated);
    value.map_err(|message| Problem::error(codes::POSITION_ENTRY, message).with_label(entry.span, "here"))
}

/// The value that a position states. The position was read for the players whom it names, but others may be playing.
fn value_here(context: &PlayContext, name: &str, shape: &Shape, stated: &StatedValue) -> Result<Value, String> {
    let words = || stated.value_text(context.program, shape);
    value_stated(context.roster, stated).ok_or_else(|| format!("`{name}` cannot be `{}` in this match", words()))
}

// --- what is counted ---------------------------------------------------------------

/// Sets the counters and fields of the sides and the table that a position states.
fn set_counters(context: &PlayContext, machine: &mut Machine, position: &Position) -> Result<(), Problem> {
    let sides = (0..context.roster.sides as u16).zip(position.sides.iter().map(|side| &side.counters));
    for (owner, fields) in sides.chain([(context.roster.table, &position.table)]) {
        let kind = context.program.kind(machine.state.board.entities[usize::from(owner)].kind);
        for (field, stated) in fields {
            let info = &kind.fields[usize::from(*field)];
            let cells = cells_stated(context.roster, *field, &stated.value).ok_or_else(|| {
                let words = stated.value.value_text(context.program, &info.shape);
                let message = format!("`{}` cannot be `{words}` in this match", info.name);
                Problem::error(codes::POSITION_VALUE, message).with_label(stated.span, "set here")
            })?;
            for (field, value) in cells {
                if let Some(cell) = machine.board_mut().field_mut(Value::from(owner), field) {
                    *cell = value;
                }
            }
        }
    }
    Ok(())
}

/// Counts the uses that a position states.
fn set_used_counts(context: &PlayContext, machine: &mut Machine, position: &Position) -> Result<(), Problem> {
    for (side, found) in position.sides.iter().enumerate() {
        // The uses of a side's abilities, and then those of single entrants.
        let of_side = |instance: &Instance| usize::from(instance.side) == side;
        for (ability, times) in &found.used {
            if !set_used_count(context, machine, *ability, times.value, of_side) {
                let name = &context.program.abilities[usize::from(*ability)].id;
                let problem = Problem::error(codes::UNKNOWN_ABILITY, format!("side {side} has no ability `{name}`"));
                return Err(problem.with_label(times.span, "used here").with_subject(name));
            }
        }
    }
    for entrant in context.roster.entrants.iter().flatten().copied() {
        let used = setting_of(context.roster, entrant, Some(position)).map(|setting| &setting.used);
        for (ability, times) in used.into_iter().flatten() {
            set_used_count(context, machine, *ability, times.value, |instance| instance.holder == entrant);
        }
    }
    Ok(())
}

/// Sets the uses of an ability to `times`, for the first of its holders for which `is_owned` is true; false if there is none.
fn set_used_count(
    context: &PlayContext,
    machine: &mut Machine,
    ability: AbilityId,
    times: i64,
    is_owned: impl Fn(&Instance) -> bool,
) -> bool {
    let mut instances = context.roster.instances.iter();
    let Some(instance) = instances.find(|instance| instance.ability == ability && is_owned(instance)) else { return false };
    // Of several limits, the first has the longest scope.
    if let Some(limit) = context.program.abilities[usize::from(ability)].uses.first() {
        let serial = machine.state.scope_serial(limit.per);
        machine.state.uses[usize::from(instance.uses)] = UseCount { times: times as i32, serial };
    }
    true
}
