//! Mean payoffs of the sides, and mean counters at the end.

use super::page::add_line;
use crate::layout::group_digits;
use crate::simulation::mean::Sums;
use crate::simulation::tally::Tally;
use ludex_engine::runtime::Counter;
use serde_json::{Value, json};

/// The means by side, or the single one of the table.
pub fn means_json(sums: &[Sums]) -> Value {
    sums.iter().map(mean_json).collect()
}

fn mean_json(sums: &Sums) -> Value {
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
            true => json!({ "name": name, "table": sums.first().map(mean_json) }),
            false => json!({ "name": name, "sides": means_json(sums) }),
        }
    };
    counters.iter().enumerate().map(counted).collect()
}

/// A block of lines for the payoffs, and one for each counter.
pub fn means_text(counters: &[(&str, Counter)], tally: &Tally) -> String {
    let mut page = String::new();
    if let Some(first) = tally.payoffs.first() {
        let of = if first.games == tally.all.games { String::new() } else { format!(", of {} games", group_digits(first.games)) };
        add_line(&mut page, &format!("\npayoffs: the mean (95 % sure){of}"));
        add_side_means(&mut page, &tally.payoffs);
    }
    for ((name, counter), sums) in counters.iter().zip(&tally.counted) {
        let name = name.replace('_', " ");
        let whose = if counter.of_table { " of the table" } else { "" };
        add_line(&mut page, &format!("\n{name}{whose} at the end: the mean (95 % sure)"));
        match sums.first().and_then(|sums| sums.mean()).filter(|_| counter.of_table) {
            Some(mean) => add_line(&mut page, &format!("  {}", mean.mean_text())),
            None => add_side_means(&mut page, sums),
        }
    }
    page
}

/// Adds a line for each side that has a mean.
fn add_side_means(page: &mut String, sums: &[Sums]) {
    for (side, mean) in sums.iter().enumerate().filter_map(|(side, sums)| Some((side, sums.mean()?))) {
        add_line(page, &format!("  side {side}   {}", mean.mean_text()));
    }
}
