//! Teams drawn for each game: the share of wins of each entrant's teams.

use super::page::{add_line, longest_width};
use crate::layout::group_digits;
use crate::simulation::plan::{LineUp, Plan};
use crate::simulation::tally::{Tally, Wins};
use serde_json::{Value, json};

/// The entrants with the results of their teams.
pub fn teams_json(plan: &Plan, tally: &Tally) -> Value {
    let drawn = plan.entrant_pool().iter().zip(&tally.drawn).map(|(name, wins)| {
        let share = wins.share();
        json!({
            "entrant": name,
            "games": wins.games,
            "wins": wins.wins,
            "win_rate": share.rate,
            "low": share.low,
            "high": share.high,
        })
    });
    drawn.collect()
}

/// A row for each entrant, the strongest first.
pub fn teams_text(plan: &Plan, tally: &Tally) -> String {
    let LineUp::Teams { each, from } = &plan.line_up else { return String::new() };
    let mut rows: Vec<(&String, Wins)> = from.iter().zip(tally.drawn.iter().copied()).collect();
    rows.sort_by(|a, b| b.1.share().rate.total_cmp(&a.1.share().rate));
    let width = longest_width(from.iter());
    let mut page = format!("\n{:width$}  {:24}  games\n", "", "wins in % (95 % sure)");
    for (name, wins) in rows {
        let share = if wins.games == 0 { "never drawn".to_string() } else { wins.share().percent_text() };
        add_line(&mut page, &format!("{name:width$}  {share:24}  {}", group_digits(wins.games)));
    }
    add_line(&mut page, &format!("both teams of {each} are drawn for each game, from the seed and the number of the game"));
    page
}
