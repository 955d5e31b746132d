//! Play from a position: what is counted and spent is set, and the frames around the entry are opened.

use crate::codes;
use crate::position::{Around, Entry, Position, Spanned, entry_called, given};
use crate::problem::Problem;
use crate::program::{CallSite, ProcedureId, ProcedureInfo, Shape, Value};
use crate::runtime::context::Instance;
use crate::runtime::flow::{Machine, PlayContext};
use crate::runtime::session::setup::{begin, setting_of, value_stated};
use crate::runtime::state::{FrameRole, NO_SLOT, UseCount};

/// Sets counters and uses, and builds the frames that would be open at the entry.
pub fn enter_position(context: &PlayContext, machine: &mut Machine, position: &Position) -> Result<(), Problem> {
    set_counters(context, machine, position)?;
    let Some(entry) = &position.at else {
        begin(context, machine);
        return spend(context, machine, position);
    };
    let procedure = procedure_of(context, entry)?;
    let info = &context.program.procedures[usize::from(procedure)];
    let result = open_callers(context, machine, info, entry)?;
    let arguments = info.params.iter().map(|param| argument(context, entry, param, entry.call.argument(&param.0)));
    let arguments = arguments.collect::<Result<Vec<Value>, Problem>>()?;
    spend(context, machine, position)?;
    machine.enter(context, procedure, &arguments, result);
    Ok(())
}

fn procedure_of(context: &PlayContext, entry: &Entry) -> Result<ProcedureId, Problem> {
    let name = &entry.call.procedure;
    let is_entry = || entry_called(context.program, name).is_some();
    context.program.procedure(name).filter(|_| is_entry()).ok_or_else(|| {
        let entries = context.program.procedures.iter().filter(|procedure| procedure.entry);
        let problem = Problem::error(codes::POSITION_ENTRY, format!("play cannot start at `{name}`"));
        problem.at(entry.span, "no such entry").suggest(name, entries.map(|procedure| procedure.name.as_str()))
    })
}

/// Opens the frames of the procedures around an entry. Where the innermost puts what the entry gives.
fn open_callers(context: &PlayContext, machine: &mut Machine, info: &ProcedureInfo, entry: &Entry) -> Result<u16, Problem> {
    if entry.around == Around::Zeros {
        info.chain.iter().for_each(|site| {
            let base = open_caller(context, machine, site, NO_SLOT);
            machine.state.slots[base..].fill(0);
        });
        return Ok(NO_SLOT);
    }
    let mut result = NO_SLOT;
    let given = given(context.program, entry).map_err(|problem| *problem)?;
    for (site, given) in info.chain.iter().zip(given.iter().rev()) {
        let base = open_caller(context, machine, site, result);
        let params = &context.program.procedures[usize::from(site.procedure)].params;
        for (slot, (param, words)) in params.iter().zip(given).enumerate().filter(|(_, (_, words))| words.is_some()) {
            let value = argument(context, entry, param, words.as_deref())?;
            machine.set_slot(base, slot as u16, value);
        }
        // The rounds that a loop has had are not known: those to come count.
        for count in &site.counts {
            let length = machine.state.lists.len() as Value;
            machine.set_slot(base, *count, 0);
            machine.set_slot(base, count + 1, length);
        }
        result = site.result.unwrap_or(NO_SLOT);
    }
    Ok(result)
}

fn open_caller(context: &PlayContext, machine: &mut Machine, site: &CallSite, result: u16) -> usize {
    let slots = context.program.procedures[usize::from(site.procedure)].slots;
    machine.push_frame(FrameRole::Procedure { procedure: site.procedure, result }, site.next, slots)
}

/// What a parameter is given. The words have been read with the position, for those whom it names; others may play.
fn argument(
    context: &PlayContext,
    entry: &Entry,
    (name, shape): &(String, Shape),
    words: Option<&str>,
) -> Result<Value, Problem> {
    let wrong = |message: String| Problem::error(codes::POSITION_ENTRY, message).at(entry.span, "here");
    let words = words.ok_or_else(|| wrong(format!("`{}` needs `{name}`", entry.call.procedure)))?;
    let value = value_stated(context.program, context.roster, shape, words);
    value.ok_or_else(|| wrong(format!("`{name}` cannot be `{words}` in this match")))
}

// --- what is counted ---------------------------------------------------------------

fn set_counters(context: &PlayContext, machine: &mut Machine, position: &Position) -> Result<(), Problem> {
    for (side, found) in position.sides.iter().enumerate() {
        for (name, words) in &found.counters {
            set_named(context, machine, side as u16, name, words)?;
        }
    }
    position.table.iter().try_for_each(|(name, words)| set_named(context, machine, context.roster.table, name, words))
}

/// Sets a field of a side or the table from a person's words.
fn set_named(
    context: &PlayContext,
    machine: &mut Machine,
    owner: u16,
    name: &str,
    words: &Spanned<String>,
) -> Result<(), Problem> {
    let wrong = |code, message: String| Problem::error(code, message).at(words.span, "set here");
    let kind = machine.state.board.entities[usize::from(owner)].kind;
    let fields = &context.program.kind(kind).fields;
    let Some(index) = fields.iter().position(|field| field.name == name) else {
        return Err(wrong(codes::UNKNOWN_COUNTER, format!("there is no counter `{name}`")));
    };
    let Some(value) = value_stated(context.program, context.roster, &fields[index].shape, &words.value) else {
        return Err(wrong(codes::POSITION_VALUE, format!("`{name}` cannot be `{}` in this match", words.value)));
    };
    if let Some(cell) = machine.state.board.field_mut(Value::from(owner), index as u16) {
        *cell = value;
    }
    Ok(())
}

/// Counts uses that a position says are spent.
fn spend(context: &PlayContext, machine: &mut Machine, position: &Position) -> Result<(), Problem> {
    for (side, found) in position.sides.iter().enumerate() {
        let of_side = |instance: &Instance| usize::from(instance.side) == side;
        for (ability, times) in &found.used {
            if !spend_one(context, machine, ability, times, of_side) {
                let problem = Problem::error(codes::UNKNOWN_ABILITY, format!("side {side} has no ability `{ability}`"));
                return Err(problem.at(times.span, "used here"));
            }
        }
    }
    for entrant in context.roster.entrants.iter().flatten().copied() {
        let used = setting_of(context.roster, entrant, Some(position)).map(|setting| &setting.used);
        for (ability, times) in used.into_iter().flatten() {
            spend_one(context, machine, ability, times, |instance| instance.holder == entrant);
        }
    }
    Ok(())
}

/// Counts uses of the first ability of a name that is somebody's; false if nobody has it.
fn spend_one(
    context: &PlayContext,
    machine: &mut Machine,
    ability: &str,
    times: &Spanned<i64>,
    is_owned: impl Fn(&Instance) -> bool,
) -> bool {
    let is_named = |instance: &&Instance| context.program.abilities[usize::from(instance.ability)].id == *ability;
    let Some(instance) = context.roster.instances.iter().filter(|instance| is_owned(instance)).find(is_named) else {
        return false;
    };
    // Of several limits the first is the one that is counted over the longest time.
    if let Some(limit) = context.program.abilities[usize::from(instance.ability)].uses.first() {
        let serial = machine.state.scope_serial(limit.per);
        machine.state.uses[usize::from(instance.uses)] = UseCount { times: times.value as i32, serial };
    }
    true
}
