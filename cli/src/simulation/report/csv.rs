//! The results of a simulation as a table for spreadsheets.

use crate::simulation::interval::Share;
use crate::simulation::plan::{LineUp, Plan};
use crate::simulation::sides::{called, entrants, player};
use crate::simulation::tally::Tally;
use ludex_bots::score::Score;
use ludex_engine::program::Program;

/// The names of the columns, and the rows.
pub type Table = (&'static [&'static str], Vec<Vec<String>>);

/// Returns a row for each pair, for each entrant that teams are drawn from, or for each side.
pub fn csv(program: &Program, plan: &Plan, tally: &Tally) -> Table {
    match &plan.line_up {
        LineUp::Pairs(_) => pairs(plan, tally),
        LineUp::Teams { .. } => teams(plan, tally),
        LineUp::Same(_) | LineUp::Drawn { .. } => sides(program, plan, tally),
    }
}

fn pairs(plan: &Plan, tally: &Tally) -> Table {
    let header = &["first", "second", "games", "wins", "losses", "ties", "unwon", "capped", "win_rate", "low", "high"];
    let row = |(number, score): (usize, &Score)| {
        let (first, second) = plan.pair(number)?;
        let wins = |side: usize| score.wins.get(side).copied().unwrap_or(0);
        let mut row = vec![first.to_string(), second.to_string()];
        row.extend([score.games, wins(0), wins(1), score.ties, score.unwon(), score.capped].map(|number| number.to_string()));
        row.extend(share(wins(0), score.games));
        Some(row)
    };
    (header, tally.pairs.iter().enumerate().filter_map(row).collect())
}

fn teams(plan: &Plan, tally: &Tally) -> Table {
    let rows = plan.drawn_from().iter().zip(&tally.drawn).map(|(name, wins)| {
        let mut row = vec![name.clone(), wins.games.to_string(), wins.wins.to_string()];
        row.extend(share(wins.wins, wins.games));
        row
    });
    (&["entrant", "games", "wins", "win_rate", "low", "high"], rows.collect())
}

fn sides(program: &Program, plan: &Plan, tally: &Tally) -> Table {
    let header = &[
        "side", "name", "entrants", "player", "games", "wins", "shared", "lost", "ties", "unwon", "capped", "faults", "win_rate",
        "low", "high",
    ];
    let score = &tally.all;
    let rows = (0..plan.players.len()).map(|side| {
        let of = |counts: &Vec<u64>| counts.get(side).copied().unwrap_or(0);
        let mut row = vec![side.to_string(), called(program, side), entrants(plan, side).join(" "), player(plan, side)];
        let [won, shared, lost] = [&score.wins, &score.shared, &score.lost].map(of);
        let counts = [score.games, won, shared, lost, score.ties_of(side), score.unwon(), score.capped, tally.faults];
        row.extend(counts.map(|number| number.to_string()));
        row.extend(share(of(&score.wins), score.games));
        row
    });
    (header, rows.collect())
}

/// A share with its bounds; empty without games.
fn share(part: u64, whole: u64) -> [String; 3] {
    match whole {
        0 => [const { String::new() }; 3],
        _ => {
            let share = Share::of(part, whole);
            [share.rate, share.low, share.high].map(|number| number.to_string())
        }
    }
}
