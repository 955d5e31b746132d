//! What scripts read off sheets: cards, their parts, and what entrants cannot change.

use crate::program::{KindSort, NONE, PIECE_SHEET, Program, Shape, Value};
use crate::runtime::flow::{Machine, PlayContext};
use crate::scripting::api::Trouble;
use crate::scripting::host;
use crate::scripting::values::{Print, to_script};
use rhai::{Array, Dynamic, EvalAltResult};

/// What a line of something printed says.
pub fn read_print(print: Print, name: &str) -> Result<Dynamic, Box<EvalAltResult>> {
    host::finish_call(host::with_machine(|machine| {
        let Some(game) = machine.game.clone() else { return Err(Trouble::Leave(host::Leave::Over)) };
        printed(machine, &game.context(), print.0, name)
            .ok_or_else(|| Trouble::Fault(format!("nothing called `{name}` is printed here")))
    }))
}

/// A line of something printed: its name, or a column.
pub fn printed(machine: &Machine, context: &PlayContext, print: Value, name: &str) -> Option<Dynamic> {
    let prints = &context.program.prints;
    let found = prints.print(print)?;
    if name == "name" {
        return Some(Dynamic::from(prints.text(found.name).to_string()));
    }
    let root = prints.sheets.get(usize::from(found.sheet))?.root;
    let columns = &prints.sheets.get(usize::from(root))?.columns;
    let column = columns.iter().position(|column| column.name == name)?;
    Some(column_of(machine, context, print, column as u16, &columns[column].shape))
}

/// What a column of something printed says.
pub fn column_of(machine: &Machine, context: &PlayContext, print: Value, column: u16, shape: &Shape) -> Dynamic {
    let prints = &context.program.prints;
    match (prints.value(print, column), shape) {
        (Some(value), Shape::List(inner)) => {
            let members = prints.list(value).iter().map(|member| to_script(machine, context, *member, inner));
            Dynamic::from(members.collect::<Array>())
        }
        (Some(value), shape) if value != NONE => to_script(machine, context, value, shape),
        _ => Dynamic::UNIT,
    }
}

/// What a thing's own sheet prints.
pub fn print_of(machine: &Machine, context: &PlayContext, thing: Value) -> Option<Value> {
    let kind = machine.state.board.entities.get(usize::try_from(thing).ok()?)?.kind;
    match context.program.kind(kind).sort {
        KindSort::Piece if context.program.is_printed(kind) => machine.state.board.field(thing, PIECE_SHEET),
        KindSort::Entrant => context.roster.print_of(context.program, thing),
        _ => None,
    }
}

/// Names of all that is printed.
pub fn names(program: &Program) -> impl Iterator<Item = String> + '_ {
    let columns = program.prints.sheets.iter().flat_map(|sheet| &sheet.columns);
    columns.map(|column| column.name.clone()).chain(["name".to_string()])
}
