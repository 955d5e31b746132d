//! The team size of a tournament: one number for all players, fixed at the start.

use super::game::game_title;
use crate::exit::USAGE;
use crate::game::loaded::{LoadedGame, playable_sheets};
use crate::layout::readable_name;
use crate::stop::Stop;
use crate::tournament::state::Team;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::program::Kind;

/// The team: of the requested size if it is allowed, by default of the smallest one. `None` if sides bring nothing.
pub fn choose_team(loaded: &LoadedGame, wanted: Option<usize>) -> Result<Option<Team>, Stop> {
    let program = &loaded.program;
    let Some(kind) = program.sides.entrant.map(|kind| program.kind(kind)) else {
        return wanted.map_or(Ok(None), |size| Err(team_size_problem(loaded, size, "bring nothing", "leave it out")));
    };
    if let Some(size) = wanted {
        ensure_allowed(loaded, kind, size)?;
    }
    let size = wanted.unwrap_or(*program.sides.team_sizes().start());
    ensure_enough(loaded, kind, size)?;
    Ok(Some(Team { size, entrants: entrant_noun(kind, size) }))
}

/// Refuses a size that sides cannot have, and any size if there is no choice.
fn ensure_allowed(loaded: &LoadedGame, kind: &Kind, size: usize) -> Result<(), Stop> {
    let (least, most) = loaded.program.sides.team_sizes().into_inner();
    let is_open = least < most;
    if (least..=most).contains(&size) && (is_open || most > 1) {
        return Ok(());
    }
    Err(match is_open {
        true => {
            let brings = format!("bring {least} to {}", count_text(kind, most));
            team_size_problem(loaded, size, &brings, &format!("choose a number from {least} to {most}"))
        }
        false => {
            let brings = format!("bring {}", count_text(kind, most));
            team_size_problem(loaded, size, &brings, "leave it out; another mode, chosen with `--mode`, may allow it")
        }
    })
}

/// `2 characters`
fn count_text(kind: &Kind, count: usize) -> String {
    format!("{count} {}", entrant_noun(kind, count))
}

/// The rules' word for entrants, singular or plural.
fn entrant_noun(kind: &Kind, count: usize) -> String {
    readable_name(if count == 1 { &kind.name } else { &kind.plural })
}

/// Reports a team size that does not fit; `brings` says what the sides bring.
fn team_size_problem(loaded: &LoadedGame, size: usize, brings: &str, help: &str) -> Stop {
    let message = format!("`--team-size {size}` does not fit: the sides of {} {brings}", game_title(&loaded.program));
    Stop { status: USAGE, ..loaded.stop_with_problem(Problem::error(codes::SEATS, message).help(help)) }
}

/// Refuses a tournament whose game has too few entrants to choose from. If the sides of the game may bring the same entrant
/// twice, one is enough.
fn ensure_enough(loaded: &LoadedGame, kind: &Kind, size: usize) -> Result<(), Stop> {
    let there = playable_sheets(&loaded.program).len();
    let needed = if loaded.program.sides.all_different { size } else { 1 };
    if there >= needed {
        return Ok(());
    }
    let there = match there {
        0 => "there is none".to_string(),
        1 => "there is only 1".to_string(),
        _ => format!("there are only {there}"),
    };
    let message = format!("a side brings {}, but {there} in {}", count_text(kind, size), game_title(&loaded.program));
    Err(loaded
        .stop_with_problem(Problem::error(codes::TOURNAMENT_GAME, message).help("add more, or choose a smaller `--team-size`")))
}
