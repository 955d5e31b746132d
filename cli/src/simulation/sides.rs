//! The names of sides in reports, with their entrants and players.

use super::plan::{LineUp, Plan};
use crate::game::seats::describe_occupant;
use ludex_engine::problem::{count_alike, join_words};
use ludex_engine::program::Program;

/// The rules' name for a side, or its number.
pub fn side_name(program: &Program, side: usize) -> String {
    program.sides.names.get(side).cloned().unwrap_or_else(|| describe_occupant(&[], Some(side)))
}

/// The entrants and the player of a side.
pub fn describe_side(plan: &Plan, side: usize) -> String {
    let entrants = side_entrants(plan, side);
    let who = match plan.line_up {
        LineUp::Pairs(_) => "everybody in turn".to_string(),
        LineUp::Teams { .. } => "drawn for each game".to_string(),
        // Sides that bring nothing differ only by their players.
        LineUp::Same(_) if entrants.is_empty() => return side_player(plan, side),
        _ if entrants.is_empty() => "drawn for each game".to_string(),
        _ => join_words(&count_alike(entrants.iter().map(String::as_str)), "and"),
    };
    format!("{who} ({})", side_player(plan, side))
}

/// The entrants that a side brings in every game; none if they are drawn or paired.
pub fn side_entrants(plan: &Plan, side: usize) -> &[String] {
    match &plan.line_up {
        LineUp::Same(sides) | LineUp::Drawn { sides, .. } => sides.get(side).map_or(&[], Vec::as_slice),
        LineUp::Pairs(_) | LineUp::Teams { .. } => &[],
    }
}

pub fn side_player(plan: &Plan, side: usize) -> String {
    plan.players.get(side).map(ToString::to_string).unwrap_or_default()
}
