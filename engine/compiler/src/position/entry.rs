//! `strike(target: x) in turn(active: 1)`: the entry at which play starts, and the arguments of the procedures around it.
//!
//! Each level is one procedure, from the inside out. A parameter of an outer one with the name and type of an inner one is implied.

use super::{Around, Entry};
use crate::field::{StatedValue, format_value};
use ludex_program::{CallSite, ProcedureInfo, Program, SIDE, Shape};

/// Separates an entry from the procedure around it.
pub(super) const IN: &str = " in ";

/// The name and shape of a parameter.
pub(super) type Param = (String, Shape);

/// A minimal example of an entry for a position: `turn(active: 0)`.
pub fn example_entry(program: &Program, entry: &ProcedureInfo) -> String {
    let mut known: Vec<&Param> = entry.params.iter().collect();
    let mut levels = vec![sample_call(program, &entry.name, &known)];
    for (caller, site) in entry_callers(program, entry) {
        let needs = site.needs.iter().filter_map(|slot| caller.params.get(usize::from(*slot)));
        let missing: Vec<&Param> = needs.filter(|param| !known.contains(param)).collect();
        if !missing.is_empty() {
            levels.push(sample_call(program, &caller.name, &missing));
            known.extend(missing);
        }
    }
    levels.join(IN)
}

/// A call with sample arguments.
fn sample_call(program: &Program, name: &str, params: &[&Param]) -> String {
    call_text(name, params.iter().map(|(name, shape)| (name, sample_argument(program, shape))))
}

/// A sample argument for a parameter.
fn sample_argument(program: &Program, shape: &Shape) -> String {
    match shape {
        Shape::OrNone(inner) => sample_argument(program, inner),
        Shape::Entity(SIDE) => "0".to_string(),
        Shape::Entity(_) if program.is_piece(shape) => "a".to_string(),
        Shape::Entity(kind) => {
            let sheet = program.sheets.values().find(|sheet| sheet.kind == *kind);
            sheet.map_or_else(|| "none".to_string(), |sheet| sheet.id.clone())
        }
        _ => format_value(program, shape, 0),
    }
}

/// The procedures around an entry from the inside out, each with the call in it that leads to the entry.
pub(super) fn entry_callers<'p>(
    program: &'p Program,
    entry: &'p ProcedureInfo,
) -> impl Iterator<Item = (&'p ProcedureInfo, &'p CallSite)> {
    let sites = entry.chain.iter().rev();
    sites.filter_map(|site| Some((program.procedures.get(usize::from(site.procedure))?, site)))
}

/// Formats a call: `turn(active: 0)`.
fn call_text<'p>(name: &str, arguments: impl Iterator<Item = (&'p String, String)>) -> String {
    let arguments: Vec<String> = arguments.map(|(param, words)| format!("{param}: {words}")).collect();
    match arguments.is_empty() {
        true => name.to_string(),
        false => format!("{name}({})", arguments.join(", ")),
    }
}

impl Entry {
    /// Formats the entry with all arguments, including implied ones: `actions(active: 1) in turn(active: 1)`.
    pub fn entry_text(&self, program: &Program) -> String {
        let info = &program.procedures[usize::from(self.procedure)];
        let mut levels = vec![given_call_text(program, info, self.arguments.iter().map(Some))];
        if let Around::Given(around) = &self.around {
            let said = entry_callers(program, info).zip(around).filter(|(_, given)| given.iter().any(Option::is_some));
            levels.extend(said.map(|((caller, _), given)| given_call_text(program, caller, given.iter().map(Option::as_ref))));
        }
        levels.join(IN)
    }
}

/// Formats a call with the arguments that are given.
fn given_call_text<'a>(program: &Program, info: &ProcedureInfo, given: impl Iterator<Item = Option<&'a StatedValue>>) -> String {
    let given = info.params.iter().zip(given);
    call_text(&info.name, given.filter_map(|((name, shape), stated)| Some((name, stated?.value_text(program, shape)))))
}
