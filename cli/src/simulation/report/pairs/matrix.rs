//! All pairs in one table, split into as many parts as needed to fit.

use super::table::Table;
use crate::layout::{display_width, wrap_text};
use crate::output;
use crate::simulation::report::page::add_line;
use crate::simulation::tally::Wins;

/// The width of a cell such as `  54*`.
const CELL: usize = 5;

/// Maximum width of a name in front of its row. The table above has the full name.
const LONGEST_NAME: usize = 24;

/// Formats a row and a column for each entrant, in the given order. The heading of a column is the number of its row.
pub fn matrix_text(table: &Table<'_>, names: &[String], order: &[usize]) -> String {
    let label = |(place, row): (usize, &usize)| {
        let name = names.get(*row).map_or("", String::as_str);
        let cut = if display_width(name) > LONGEST_NAME { format!("{}…", truncate_name(name)) } else { name.to_string() };
        format!("{:>2} {cut}", place + 1)
    };
    let labels: Vec<String> = order.iter().enumerate().map(label).collect();
    let width = labels.iter().map(|label| display_width(label)).max().unwrap_or(0);
    // Parts of equal width, so that no single column is left over.
    let fitting = (output::output_width().saturating_sub(width) / CELL).max(1);
    let abreast = order.len().div_ceil(order.len().div_ceil(fitting).max(1)).max(1);
    let columns: Vec<(usize, usize)> = order.iter().copied().enumerate().collect();
    let mut page = String::new();
    let mut never = false;
    for part in columns.chunks(abreast) {
        let heading =
            if page.is_empty() { "\nwins in % of the entrant at the left, against the one numbered above\n" } else { "\n" };
        page.push_str(heading);
        let numbers: String = part.iter().map(|(place, _)| format!("{:>4} ", place + 1)).collect();
        add_line(&mut page, &format!("{}{numbers}", " ".repeat(width)));
        for (row, label) in order.iter().zip(&labels) {
            let cells: String = part.iter().map(|(_, rival)| matrix_cell(table, *row, *rival)).collect();
            never |= part.iter().any(|(_, rival)| rival != row && table.wins_against(*row, *rival).games == 0);
            add_line(&mut page, &format!("{label}{}{cells}", " ".repeat(width.saturating_sub(display_width(label)))));
        }
    }
    let never = if never { "; `-`: never met" } else { "" };
    let legend = format!("`*`: 95 % sure that it is not 50 %; `.`: against themselves{never}");
    add_line(&mut page, &wrap_text(&legend, output::output_width(), 2));
    page
}

/// The part of a name that fits, without the sign for the omitted rest.
fn truncate_name(name: &str) -> String {
    let mut cut = String::new();
    for letter in name.chars() {
        if display_width(&cut) + display_width(&letter.to_string()) >= LONGEST_NAME {
            break;
        }
        cut.push(letter);
    }
    cut
}

fn matrix_cell(table: &Table<'_>, row: usize, rival: usize) -> String {
    if row == rival {
        return format!("{:>4} ", ".");
    }
    match table.wins_against(row, rival) {
        Wins { games: 0, .. } => format!("{:>4} ", "-"),
        wins => {
            let share = wins.share();
            let sign = if share.low > 0.5 || share.high < 0.5 { '*' } else { ' ' };
            format!("{:>4.0}{sign}", share.rate * 100.0)
        }
    }
}
