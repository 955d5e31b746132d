//! Mean payoffs of the sides, and mean counters at the end.

use super::page::line;
use crate::layout::grouped;
use crate::simulation::mean::Sums;
use crate::simulation::tally::Tally;
use ludex_engine::runtime::Counter;
use serde_json::{Value, json};

/// The means by side, or the single one of the table.
pub fn json(sums: &[Sums]) -> Value {
    sums.iter().map(one).collect()
}

fn one(sums: &Sums) -> Value {
    let mean = sums.mean();
    let spread = mean.and_then(|mean| mean.spread);
    json!({
        "games": sums.games,
        "mean": mean.map(|mean| mean.mean),
        "deviation": spread.map(|spread| spread.deviation),
        "low": spread.map(|spread| spread.low),
        "high": spread.map(|spread| spread.high),
    })
}

/// Each selected counter, in the order given.
pub fn counters_json(counters: &[(&str, Counter)], tally: &Tally) -> Value {
    let counted = |(place, (name, counter)): (usize, &(&str, Counter))| {
        let sums = tally.counted.get(place).map_or(&[][..], Vec::as_slice);
        match counter.of_table {
            true => json!({ "name": name, "table": sums.first().map(one) }),
            false => json!({ "name": name, "sides": json(sums) }),
        }
    };
    counters.iter().enumerate().map(counted).collect()
}

/// A block of lines for the payoffs, and one for each counter.
pub fn text(counters: &[(&str, Counter)], tally: &Tally) -> String {
    let mut page = String::new();
    if let Some(first) = tally.payoffs.first() {
        let of = if first.games == tally.all.games { String::new() } else { format!(", of {} games", grouped(first.games)) };
        line(&mut page, &format!("\npayoffs: the mean (95 % sure){of}"));
        sides(&mut page, &tally.payoffs);
    }
    for ((name, counter), sums) in counters.iter().zip(&tally.counted) {
        let name = name.replace('_', " ");
        let whose = if counter.of_table { " of the table" } else { "" };
        line(&mut page, &format!("\n{name}{whose} at the end: the mean (95 % sure)"));
        match sums.first().and_then(|sums| sums.mean()).filter(|_| counter.of_table) {
            Some(mean) => line(&mut page, &format!("  {}", mean.shown())),
            None => sides(&mut page, sums),
        }
    }
    page
}

fn sides(page: &mut String, sums: &[Sums]) {
    for (side, mean) in sums.iter().enumerate().filter_map(|(side, sums)| Some((side, sums.mean()?))) {
        line(page, &format!("  side {side}   {}", mean.shown()));
    }
}
