//! The results of a simulation as a table for spreadsheets.

use crate::simulation::interval::Share;
use crate::simulation::plan::{LineUp, Plan};
use crate::simulation::sides::{side_entrants, side_name, side_player};
use crate::simulation::tally::Tally;
use ludex_bots::score::Score;
use ludex_engine::program::Program;

/// The names of the columns, and the rows.
pub type Table = (&'static [&'static str], Vec<Vec<String>>);

/// Returns a row for each pair, for each entrant that teams are drawn from, or for each side.
pub fn result_table(program: &Program, plan: &Plan, tally: &Tally) -> Table {
    match &plan.line_up {
        LineUp::Pairs(_) => pairs_table(plan, tally),
        LineUp::Teams { .. } => teams_table(plan, tally),
        LineUp::Same(_) | LineUp::Drawn { .. } => sides_table(program, plan, tally),
    }
}

/// A row for each ordered pair of entrants.
fn pairs_table(plan: &Plan, tally: &Tally) -> Table {
    let header = &["first", "second", "games", "wins", "losses", "ties", "unwon", "capped", "win_rate", "low", "high"];
    let row = |(number, score): (usize, &Score)| {
        let (first, second) = plan.pair_entrants(number)?;
        let wins = |side: usize| score.wins.get(side).copied().unwrap_or(0);
        let mut row = vec![first.to_string(), second.to_string()];
        row.extend(
            [score.games, wins(0), wins(1), score.ties, score.unwon_games(), score.capped].map(|number| number.to_string()),
        );
        row.extend(share_cells(wins(0), score.games));
        Some(row)
    };
    (header, tally.pairs.iter().enumerate().filter_map(row).collect())
}

fn teams_table(plan: &Plan, tally: &Tally) -> Table {
    let rows = plan.entrant_pool().iter().zip(&tally.drawn).map(|(name, wins)| {
        let mut row = vec![name.clone(), wins.games.to_string(), wins.wins.to_string()];
        row.extend(share_cells(wins.wins, wins.games));
        row
    });
    (&["entrant", "games", "wins", "win_rate", "low", "high"], rows.collect())
}

fn sides_table(program: &Program, plan: &Plan, tally: &Tally) -> Table {
    let header = &[
        "side", "name", "entrants", "player", "games", "wins", "shared", "lost", "ties", "unwon", "capped", "faults", "win_rate",
        "low", "high",
    ];
    let score = &tally.all;
    let rows = (0..plan.players.len()).map(|side| {
        let of = |counts: &Vec<u64>| counts.get(side).copied().unwrap_or(0);
        let mut row =
            vec![side.to_string(), side_name(program, side), side_entrants(plan, side).join(" "), side_player(plan, side)];
        let [won, shared, lost] = [&score.wins, &score.shared, &score.lost].map(of);
        let counts =
            [score.games, won, shared, lost, score.shared_wins_of(side), score.unwon_games(), score.capped, tally.faults];
        row.extend(counts.map(|number| number.to_string()));
        row.extend(share_cells(of(&score.wins), score.games));
        row
    });
    (header, rows.collect())
}

/// A share with its bounds; empty without games.
fn share_cells(part: u64, whole: u64) -> [String; 3] {
    match whole {
        0 => [const { String::new() }; 3],
        _ => {
            let share = Share::from_counts(part, whole);
            [share.rate, share.low, share.high].map(|number| number.to_string())
        }
    }
}
