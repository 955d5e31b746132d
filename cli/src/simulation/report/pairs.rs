//! All entrants against each other: the strength of each, and its worst opponents.
//!
//! `sim --all-pairs` plays every ordered pair of entrants: each meets each on the first side and on the second, and also
//! itself.

mod html;
mod matrix;
mod table;

pub use html::{BEGINNING, pairs_page};

use super::page::{add_line, longest_width};
use crate::layout::group_digits;
use crate::simulation::interval::Share;
use crate::simulation::plan::{LineUp, Plan};
use crate::simulation::tally::{Tally, Wins};
use serde_json::{Value, json};
use table::Table;

/// Every ordered pair with its results.
pub fn pairs_json(plan: &Plan, tally: &Tally) -> Value {
    let pairs = tally.pairs.iter().enumerate().filter_map(|(number, score)| {
        let (first, second) = plan.pair_entrants(number)?;
        // Without games there is no share.
        let share = (score.games > 0).then(|| Share::of_wins(score, 0));
        Some(json!({
            "entrants": [first, second],
            "games": score.games,
            "wins": score.wins,
            "ties": score.ties,
            "unwon": score.unwon_games(),
            "capped": score.capped,
            "win_rate": share.map(|share| share.rate),
            "low": share.map(|share| share.low),
            "high": share.map(|share| share.high),
        }))
    });
    pairs.collect()
}

/// A row for each entrant, the strongest first. An entrant's games as the first and as the second side are also shown
/// separately.
pub fn pairs_text(plan: &Plan, tally: &Tally) -> String {
    let LineUp::Pairs(names) = &plan.line_up else { return String::new() };
    let table = Table { tally, count: names.len() };
    let order = table.rank_by_strength();
    let width = longest_width(names.iter());
    let header = format!("{:width$}  {:24}  first   second", "", "wins in % (95 % sure)");
    let mut page = format!("\n{header}  {:best$}  worst against\n", "best against", best = width + 5);
    for (row, name) in order.iter().filter_map(|row| Some((*row, names.get(*row)?))) {
        let share = |wins: Wins| match wins.games {
            0 => "    -".to_string(),
            _ => format!("{:5.1}", wins.share().rate * 100.0),
        };
        let against = |rival: Option<usize>| {
            let rival = rival.and_then(|rival| Some((rival, names.get(rival)?)));
            rival.map_or(String::new(), |(rival, name)| format!("{name:width$}{}", share(table.wins_against(row, rival))))
        };
        let (worst, best) = table.extreme_rivals(row);
        let (first, second) = (share(table.wins_as_first(row)), share(table.wins_as_second(row)));
        let all = match table.overall_wins(row) {
            Wins { games: 0, .. } => "never played".to_string(),
            wins => wins.share().percent_text(),
        };
        add_line(&mut page, &format!("{name:width$}  {all:24}  {first}   {second}   {}  {}", against(best), against(worst)));
    }
    let met = tally.pairs.iter().map(|pair| pair.games);
    let (least, most) = (met.clone().min().unwrap_or(0), met.max().unwrap_or(0));
    let often = match least == most {
        true if least == 1 => "each pair met once in this order and once in the other".to_string(),
        true => format!("each pair met {} times in this order and as often in the other", group_digits(least)),
        false => format!("pairs met {} to {} times in this order; `-`: never", group_digits(least), group_digits(most)),
    };
    add_line(&mut page, &often);
    page.push_str(&matrix::matrix_text(&table, names, &order));
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::PlayerSpec;
    use ludex_bots::score::Score;

    /// The cat beats the dog, the dog the fox, the fox the cat, the first a little more often.
    fn tally() -> (Plan, Tally) {
        let line_up = LineUp::Pairs(["cat", "dog", "fox"].map(str::to_string).to_vec());
        let plan = Plan { games: 90, seed: 1, line_up, players: vec![PlayerSpec::Random; 2], referee: None };
        let mut tally = Tally::new(&plan);
        for (pair, wins) in tally.pairs.iter_mut().zip([5, 9, 3, 3, 5, 8, 7, 2, 5]) {
            *pair = Score { games: 10, wins: vec![wins, 10 - wins], ..Score::default() };
        }
        (plan, tally)
    }

    #[test]
    fn rows_and_columns_are_told_apart() {
        let (_, tally) = tally();
        let table = Table { tally: &tally, count: 3 };
        assert_eq!(table.wins_as_first(0), Wins { wins: 17, games: 30 });
        assert_eq!(table.wins_as_second(0), Wins { wins: 15, games: 30 });
        assert_eq!(table.wins_against(0, 1), Wins { wins: 16, games: 20 });
        assert_eq!(table.extreme_rivals(0), (Some(2), Some(1)));
    }

    #[test]
    fn the_matrix_tells_who_beats_whom_and_how_sure_that_is() {
        let (_, mut tally) = tally();
        // The dog and the fox have never met, and the cat has beaten the fox again and again.
        for pair in [5, 7] {
            tally.pairs[pair] = Score { games: 0, wins: vec![0, 0], ..Score::default() };
        }
        tally.pairs[2] = Score { games: 100, wins: vec![90, 10], ..Score::default() };
        let names = ["cat", "dog", "fox"].map(str::to_string);
        let page = matrix::matrix_text(&Table { tally: &tally, count: 3 }, &names, &[0, 1, 2]);
        let rows: Vec<Vec<&str>> = page.lines().skip(2).take(4).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[0], ["1", "2", "3"], "{page}");
        assert_eq!(rows[1], ["1", "cat", ".", "80*", "85*"], "{page}");
        assert_eq!(rows[2], ["2", "dog", "20*", ".", "-"], "{page}");
        assert_eq!(rows[3], ["3", "fox", "15*", "-", "."], "{page}");
        assert!(page.contains("`-`: never met"), "{page}");
    }

    #[test]
    fn a_matrix_of_many_is_in_parts_that_fit() {
        let names: Vec<String> = (0..30).map(|number| format!("somebody-with-a-long-name-{number}")).collect();
        let line_up = LineUp::Pairs(names.clone());
        let plan = Plan { games: 0, seed: 1, line_up, players: vec![PlayerSpec::Random; 2], referee: None };
        let tally = Tally::new(&plan);
        let page = matrix::matrix_text(&Table { tally: &tally, count: 30 }, &names, &(0..30).collect::<Vec<_>>());
        assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
        assert!(!page.contains("0.0") && page.contains('-'));
        assert!(pairs_text(&plan, &tally).contains("never played"));
    }

    #[test]
    fn the_strongest_stands_first() {
        let (plan, tally) = tally();
        let page = pairs_text(&plan, &tally);
        let names: Vec<&str> = page.lines().skip(2).take(3).filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(names, ["cat", "dog", "fox"], "{page}");
    }
}
