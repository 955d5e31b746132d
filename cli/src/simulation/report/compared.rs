//! The results of variants of a game, side by side.

mod cells;
mod csv;
mod json;
mod told;

pub use cells::Compared;
pub use csv::csv;
pub use json::json;

use super::page::line;
use crate::layout::{columns_of, grouped};
use crate::output;
use crate::simulation::difference::FEWEST_GAMES;
use crate::simulation::sides::{called, named};
use cells::Row;

/// Width of a column of differences: `-12.3 (-14.5 to -10.1)`.
const DIFFERENCE: usize = 22;

/// Number of differences from which on some appear by chance.
const MANY: usize = 10;

/// The comparison as text.
pub fn text(compared: &Compared<'_>) -> String {
    let Some(first) = compared.variants.first() else { return String::new() };
    let counted = &compared.comparison.counted;
    let games = if counted.games == 1 { "1 game".to_string() } else { format!("{} games", grouped(counted.games)) };
    let mut page = String::new();
    line(
        &mut page,
        &format!("{}: {games} of each, seed {}; each game has the same seed in all", first.program.game, first.plan.seed),
    );
    for side in compared.sides_alike() {
        line(&mut page, &format!("{}: {}", called(&first.program, side), named(&first.plan, side)));
    }
    let rows: Vec<Row> = compared.shown().into_iter().map(|measure| compared.row(measure)).collect();
    let headings = headings(compared.names, &rows);
    for (heading, name) in headings.iter().zip(compared.names).filter(|(heading, name)| heading != name) {
        line(&mut page, &format!("{heading} is {name}"));
    }
    page.push('\n');
    page.push_str(&table(&headings, &rows));
    page.push('\n');
    page.push_str(&told::text(compared, &headings));
    let differences = rows.len() * headings.len().saturating_sub(1);
    if differences >= MANY && counted.games >= FEWEST_GAMES {
        line(&mut page, "Each difference is 95 % sure by itself: one in 20 may appear by chance alone.");
    }
    for (heading, tally) in headings.iter().zip(&counted.tallies).filter(|(_, tally)| tally.faults > 0) {
        line(&mut page, &format!("{heading}: {} ended by a fault", grouped(tally.faults)));
    }
    if counted.left_out > 0 {
        let left_out = grouped(counted.left_out);
        line(&mut page, &format!("left out: {left_out}, because a fault ended them in at least one variant"));
    }
    page
}

/// The column headings: the names, or letters if the names do not fit.
fn headings(names: &[String], rows: &[Row]) -> Vec<String> {
    match table(names, rows).lines().all(|line| columns_of(line) <= output::width()) {
        true => names.to_vec(),
        false => (0..names.len()).map(letter).collect(),
    }
}

fn letter(place: usize) -> String {
    u8::try_from(place)
        .ok()
        .filter(|place| *place < 26)
        .map_or_else(|| place.to_string(), |place| char::from(b'A' + place).to_string())
}

/// Formats the table. With two variants the difference is beside them; with more, it is below each. A wide table is split, and
/// each part repeats the first variant.
fn table(headings: &[String], rows: &[Row]) -> String {
    let mut text = String::new();
    let label = rows.iter().map(|row| columns_of(&row.label)).max().unwrap_or(0).max("  difference".len());
    let first = cell(headings, rows, 0);
    if let [_, other] = headings {
        let second = cell(headings, rows, 1).max(columns_of(other));
        let heading = ["difference (95 % sure)".to_string()];
        print(&mut text, &[label, first, second, 0], "", headings.iter().chain(&heading));
        for row in rows {
            print(&mut text, &[label, first, second, 0], &row.label, row.values.iter().chain(&row.differences));
        }
        return text;
    }
    let width = rows.iter().flat_map(|row| &row.differences).map(|cell| columns_of(cell)).max().unwrap_or(0).max(DIFFERENCE);
    let abreast = (output::width().saturating_sub(label + 2 + first) / (width + 2)).max(1);
    for start in (1..headings.len()).step_by(abreast) {
        let columns: Vec<usize> = (start..headings.len().min(start + abreast)).collect();
        let widths: Vec<usize> = [label, first].into_iter().chain(columns.iter().map(|_| width)).collect();
        let of = |cells: &[String]| columns.iter().filter_map(|column| cells.get(*column).cloned()).collect::<Vec<_>>();
        if start > 1 {
            text.push('\n');
        }
        print(&mut text, &widths, "", headings.iter().take(1).chain(&of(headings)));
        for row in rows {
            print(&mut text, &widths, &row.label, row.values.iter().take(1).chain(&of(&row.values)));
            let below: Vec<String> = columns.iter().filter_map(|column| row.differences.get(column - 1).cloned()).collect();
            print(&mut text, &widths, "  difference", [String::new()].iter().chain(&below));
        }
    }
    text
}

/// The width of a variant's column.
fn cell(headings: &[String], rows: &[Row], column: usize) -> usize {
    let cells = rows.iter().filter_map(|row| row.values.get(column)).chain(headings.get(column));
    cells.map(|cell| columns_of(cell)).max().unwrap_or(0)
}

/// Adds a line with a label and right-aligned cells. A column without a width takes what it needs.
fn print<'a>(text: &mut String, widths: &[usize], label: &str, cells: impl Iterator<Item = &'a String>) {
    let blanks = |width: usize, cell: &str| " ".repeat(width.saturating_sub(columns_of(cell)));
    let (first, others) = widths.split_first().unwrap_or((&0, &[]));
    let mut shown = format!("{label}{}", blanks(*first, label));
    for (width, cell) in others.iter().zip(cells) {
        shown.push_str(&format!("  {}{cell}", blanks(*width, cell)));
    }
    line(text, &shown);
}
