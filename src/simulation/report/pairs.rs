//! Everybody against everybody: how strong each is, and whom each fears.

use super::page::{line, longest};
use crate::layout::grouped;
use crate::simulation::plan::{LineUp, Plan};
use crate::simulation::tally::{Tally, Wins};
use serde_json::{Value, json};

/// Every ordered pair with its results.
pub fn json(plan: &Plan, tally: &Tally) -> Value {
    let pairs = tally.pairs.iter().enumerate().filter_map(|(number, score)| {
        let (first, second) = plan.pair(number)?;
        let share = score.win_rate(0);
        Some(json!({
            "entrants": [first, second],
            "games": score.games,
            "wins": score.wins,
            "ties": score.ties,
            "capped": score.capped,
            "win_rate": share.rate,
            "low": share.low,
            "high": share.high,
        }))
    });
    pairs.collect()
}

/// One row for each entrant, the strongest first.
pub fn text(plan: &Plan, tally: &Tally) -> String {
    let LineUp::Pairs(names) = &plan.line_up else { return String::new() };
    let table = Table { tally, count: names.len() };
    let mut rows: Vec<(usize, &String)> = names.iter().enumerate().collect();
    rows.sort_by(|a, b| table.overall(b.0).share().rate.total_cmp(&table.overall(a.0).share().rate));
    let width = longest(names.iter());
    let header = format!("{:width$}  {:24}  first   second", "", "wins in % (95 % sure)");
    let mut page = format!("\n{header}  {:best$}  worst against\n", "best against", best = width + 5);
    for (row, name) in rows {
        let share = |wins: Wins| match wins.games {
            0 => "    -".to_string(),
            _ => format!("{:5.1}", wins.share().rate * 100.0),
        };
        let against = |rival: Option<usize>| {
            let rival = rival.and_then(|rival| Some((rival, names.get(rival)?)));
            rival.map_or(String::new(), |(rival, name)| format!("{name:width$}{}", share(table.against(row, rival))))
        };
        let (worst, best) = table.extremes(row);
        let (first, second) = (share(table.as_first(row)), share(table.as_second(row)));
        let all = table.overall(row).share().shown();
        line(&mut page, &format!("{name:width$}  {all:24}  {first}   {second}   {}  {}", against(best), against(worst)));
    }
    let met = tally.pairs.iter().map(|pair| pair.games);
    let (least, most) = (met.clone().min().unwrap_or(0), met.max().unwrap_or(0));
    let often = match least == most {
        true => format!("each pair met {} times in this order and as often in the other", grouped(least)),
        false => format!("pairs met {} to {} times in this order; `-`: never", grouped(least), grouped(most)),
    };
    line(&mut page, &often);
    page
}

/// The results by the numbers of the two that met.
struct Table<'a> {
    tally: &'a Tally,
    count: usize,
}

impl Table<'_> {
    /// The wins of `side` where `first` met `second`.
    fn cell(&self, first: usize, second: usize, side: usize) -> Wins {
        let score = self.tally.pairs.get(first * self.count + second);
        score.map_or(Wins::default(), |score| Wins { wins: score.wins.get(side).copied().unwrap_or(0), games: score.games })
    }

    fn as_first(&self, row: usize) -> Wins {
        (0..self.count).fold(Wins::default(), |sum, rival| sum.and(self.cell(row, rival, 0)))
    }

    fn as_second(&self, row: usize) -> Wins {
        (0..self.count).fold(Wins::default(), |sum, rival| sum.and(self.cell(rival, row, 1)))
    }

    fn overall(&self, row: usize) -> Wins {
        self.as_first(row).and(self.as_second(row))
    }

    /// In either order.
    fn against(&self, row: usize, rival: usize) -> Wins {
        self.cell(row, rival, 0).and(self.cell(rival, row, 1))
    }

    /// The rivals against whom one does worst and best.
    fn extremes(&self, row: usize) -> (Option<usize>, Option<usize>) {
        let rate = |rival: &usize| self.against(row, *rival).share().rate;
        // Those whom one has never met are neither.
        let rivals = || (0..self.count).filter(|rival| *rival != row && self.against(row, *rival).games > 0);
        let worst = rivals().min_by(|a, b| rate(a).total_cmp(&rate(b)));
        (worst, rivals().max_by(|a, b| rate(a).total_cmp(&rate(b))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::PlayerSpec;
    use crate::simulation::tally::Score;

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
        assert_eq!(table.as_first(0), Wins { wins: 17, games: 30 });
        assert_eq!(table.as_second(0), Wins { wins: 15, games: 30 });
        assert_eq!(table.against(0, 1), Wins { wins: 16, games: 20 });
        assert_eq!(table.extremes(0), (Some(2), Some(1)));
    }

    #[test]
    fn the_strongest_stands_first() {
        let (plan, tally) = tally();
        let page = text(&plan, &tally);
        let names: Vec<&str> = page.lines().skip(2).take(3).filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(names, ["cat", "dog", "fox"], "{page}");
    }
}
