//! How many each player brings to the duels of a tournament: one number for all of them, fixed when it begins.

use super::game::title;
use crate::game::opening::{BadStart, Opening, entrants};
use crate::layout::spaced;
use crate::tournament::state::Team;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::program::Kind;

/// As many as are wanted, if sides may bring as many, and else as few as the rules allow; none where sides bring nothing.
pub fn team(opening: &Opening, wanted: Option<usize>) -> Result<Option<Team>, BadStart> {
    let program = &opening.program;
    let Some(kind) = program.sides.entrant.map(|kind| program.kind(kind)) else {
        return wanted.map_or(Ok(None), |size| Err(misused(opening, size, "bring nothing", "leave it out")));
    };
    if let Some(size) = wanted {
        ensure_allowed(opening, kind, size)?;
    }
    let size = wanted.unwrap_or(*program.sides.team_sizes().start());
    ensure_enough(opening, kind, size)?;
    Ok(Some(Team { size, entrants: noun(kind, size) }))
}

/// Refuses a size that sides cannot have, and any where there is nothing to choose.
fn ensure_allowed(opening: &Opening, kind: &Kind, size: usize) -> Result<(), BadStart> {
    let (least, most) = opening.program.sides.team_sizes().into_inner();
    let is_open = least < most;
    if (least..=most).contains(&size) && (is_open || most > 1) {
        return Ok(());
    }
    Err(match is_open {
        true => {
            let brings = format!("bring {least} to {}", counted(kind, most));
            misused(opening, size, &brings, &format!("choose a number from {least} to {most}"))
        }
        false => {
            let brings = format!("bring {}", counted(kind, most));
            misused(opening, size, &brings, "leave it out; another mode, chosen with `--mode`, may allow it")
        }
    })
}

fn counted(kind: &Kind, count: usize) -> String {
    format!("{count} {}", noun(kind, count))
}

fn noun(kind: &Kind, count: usize) -> String {
    spaced(if count == 1 { &kind.name } else { &kind.plural })
}

fn misused(opening: &Opening, size: usize, brings: &str, help: &str) -> BadStart {
    let message = format!("`--team-size {size}` does not fit: the sides of {} {brings}", title(&opening.program));
    BadStart { usage: true, ..opening.bad(Problem::error(codes::SEATS, message).help(help)) }
}

/// Refuses a tournament in which nobody could ever choose.
fn ensure_enough(opening: &Opening, kind: &Kind, size: usize) -> Result<(), BadStart> {
    let there = entrants(&opening.program).len();
    let needed = if opening.program.sides.all_different { size } else { 1 };
    if there >= needed {
        return Ok(());
    }
    let there = match there {
        0 => "there is none".to_string(),
        1 => "there is only 1".to_string(),
        _ => format!("there are only {there}"),
    };
    let message = format!("a side brings {}, and {there} in {}", counted(kind, size), title(&opening.program));
    Err(opening.bad(Problem::error(codes::TOURNAMENT_GAME, message).help("add more, or choose a smaller `--team-size`")))
}
