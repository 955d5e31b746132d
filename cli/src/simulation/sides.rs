//! The names of sides in reports, with their entrants and players.

use super::plan::{LineUp, Plan};
use crate::game::seats::who;
use ludex_engine::problem::{counted_alike, joined};
use ludex_engine::program::Program;

/// The rules' name for a side, or its number.
pub fn called(program: &Program, side: usize) -> String {
    program.sides.names.get(side).cloned().unwrap_or_else(|| who(&[], Some(side)))
}

/// The entrants and the player of a side.
pub fn named(plan: &Plan, side: usize) -> String {
    let entrants = entrants(plan, side);
    let who = match plan.line_up {
        LineUp::Pairs(_) => "everybody in turn".to_string(),
        LineUp::Teams { .. } => "drawn for each game".to_string(),
        // Sides that bring nothing differ only by their players.
        LineUp::Same(_) if entrants.is_empty() => return player(plan, side),
        _ if entrants.is_empty() => "drawn for each game".to_string(),
        _ => joined(&counted_alike(entrants.iter().map(String::as_str)), "and"),
    };
    format!("{who} ({})", player(plan, side))
}

pub fn entrants(plan: &Plan, side: usize) -> &[String] {
    match &plan.line_up {
        LineUp::Same(sides) | LineUp::Drawn { sides, .. } => sides.get(side).map_or(&[], Vec::as_slice),
        LineUp::Pairs(_) | LineUp::Teams { .. } => &[],
    }
}

pub fn player(plan: &Plan, side: usize) -> String {
    plan.players.get(side).map(ToString::to_string).unwrap_or_default()
}
