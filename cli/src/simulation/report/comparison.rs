//! The results of variants of a game, side by side.
//!
//! `sim --compare` prints this. The first variant is the one that the others are compared with.

mod cells;
mod conclusions;
mod csv;
mod json;

pub use cells::ComparisonReport;
pub use csv::comparison_table;
pub use json::comparison_json;

use super::page::add_line;
use crate::layout::{display_width, group_digits};
use crate::output;
use crate::simulation::difference::FEWEST_GAMES;
use crate::simulation::sides::{describe_side, side_name};
use cells::Row;

/// Width of a column of differences: `-12.3 (-14.5 to -10.1)`.
const DIFFERENCE: usize = 22;

/// Number of differences from which on some appear by chance.
const MANY: usize = 10;

/// The comparison as text.
pub fn comparison_text(compared: &ComparisonReport<'_>) -> String {
    let Some(first) = compared.variants.first() else { return String::new() };
    let counted = &compared.comparison.counted;
    let games = if counted.games == 1 { "1 game".to_string() } else { format!("{} games", group_digits(counted.games)) };
    let mut page = String::new();
    add_line(
        &mut page,
        &format!("{}: {games} of each, seed {}; each game has the same seed in all", first.program.game, first.plan.seed),
    );
    for side in compared.sides_alike() {
        add_line(&mut page, &format!("{}: {}", side_name(&first.program, side), describe_side(&first.plan, side)));
    }
    let rows: Vec<Row> = compared.interesting_measures().into_iter().map(|measure| compared.measure_row(measure)).collect();
    let headings = column_headings(compared.names, &rows);
    for (heading, name) in headings.iter().zip(compared.names).filter(|(heading, name)| heading != name) {
        add_line(&mut page, &format!("{heading} is {name}"));
    }
    page.push('\n');
    page.push_str(&table_text(&headings, &rows));
    page.push('\n');
    page.push_str(&conclusions::conclusions_text(compared, &headings));
    let differences = rows.len() * headings.len().saturating_sub(1);
    if differences >= MANY && counted.games >= FEWEST_GAMES {
        add_line(&mut page, "Each difference is 95 % sure by itself: one in 20 may appear by chance alone.");
    }
    for (heading, tally) in headings.iter().zip(&counted.tallies).filter(|(_, tally)| tally.faults > 0) {
        add_line(&mut page, &format!("{heading}: {} ended by a fault", group_digits(tally.faults)));
    }
    if counted.left_out > 0 {
        let left_out = group_digits(counted.left_out);
        add_line(&mut page, &format!("left out: {left_out}, because a fault ended them in at least one variant"));
    }
    page
}

/// The column headings: the names, or letters if the names do not fit.
fn column_headings(names: &[String], rows: &[Row]) -> Vec<String> {
    match table_text(names, rows).lines().all(|line| display_width(line) <= output::output_width()) {
        true => names.to_vec(),
        false => (0..names.len()).map(variant_letter).collect(),
    }
}

/// A letter for a variant; its number beyond 26 variants.
fn variant_letter(place: usize) -> String {
    u8::try_from(place)
        .ok()
        .filter(|place| *place < 26)
        .map_or_else(|| place.to_string(), |place| char::from(b'A' + place).to_string())
}

/// Formats the table. With two variants the difference is beside them; with more, it is below each. A wide table is split, and
/// each part repeats the first variant.
fn table_text(headings: &[String], rows: &[Row]) -> String {
    let mut text = String::new();
    let label = rows.iter().map(|row| display_width(&row.label)).max().unwrap_or(0).max("  difference".len());
    let first = cell_width(headings, rows, 0);
    if let [_, other] = headings {
        let second = cell_width(headings, rows, 1).max(display_width(other));
        let heading = ["difference (95 % sure)".to_string()];
        add_table_line(&mut text, &[label, first, second, 0], "", headings.iter().chain(&heading));
        for row in rows {
            add_table_line(&mut text, &[label, first, second, 0], &row.label, row.values.iter().chain(&row.differences));
        }
        return text;
    }
    let width = rows.iter().flat_map(|row| &row.differences).map(|cell| display_width(cell)).max().unwrap_or(0).max(DIFFERENCE);
    let abreast = (output::output_width().saturating_sub(label + 2 + first) / (width + 2)).max(1);
    for start in (1..headings.len()).step_by(abreast) {
        let columns: Vec<usize> = (start..headings.len().min(start + abreast)).collect();
        let widths: Vec<usize> = [label, first].into_iter().chain(columns.iter().map(|_| width)).collect();
        let of = |cells: &[String]| columns.iter().filter_map(|column| cells.get(*column).cloned()).collect::<Vec<_>>();
        if start > 1 {
            text.push('\n');
        }
        add_table_line(&mut text, &widths, "", headings.iter().take(1).chain(&of(headings)));
        for row in rows {
            add_table_line(&mut text, &widths, &row.label, row.values.iter().take(1).chain(&of(&row.values)));
            let below: Vec<String> = columns.iter().filter_map(|column| row.differences.get(column - 1).cloned()).collect();
            add_table_line(&mut text, &widths, "  difference", [String::new()].iter().chain(&below));
        }
    }
    text
}

/// The width of a variant's column.
fn cell_width(headings: &[String], rows: &[Row], column: usize) -> usize {
    let cells = rows.iter().filter_map(|row| row.values.get(column)).chain(headings.get(column));
    cells.map(|cell| display_width(cell)).max().unwrap_or(0)
}

/// Adds a line with a label and right-aligned cells. A column without a width takes what it needs.
fn add_table_line<'a>(text: &mut String, widths: &[usize], label: &str, cells: impl Iterator<Item = &'a String>) {
    let blanks = |width: usize, cell: &str| " ".repeat(width.saturating_sub(display_width(cell)));
    let (first, others) = widths.split_first().unwrap_or((&0, &[]));
    let mut shown = format!("{label}{}", blanks(*first, label));
    for (width, cell) in others.iter().zip(cells) {
        shown.push_str(&format!("  {}{cell}", blanks(*width, cell)));
    }
    add_line(text, &shown);
}
