//! Boards: the contents of their cells, in columns and rows.

use super::cards::Cards;
use super::screen::{Screen, Tone};
use ludex_engine::problem::{count_alike, join_words};
use ludex_engine::program::{BoardInfo, Program};
use ludex_engine::runtime::ZoneView;
use std::collections::BTreeMap;
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// The sign of an empty cell.
const EMPTY: &str = "·";
/// Spaces between two columns.
const GAP: usize = 2;

/// A board with the text of each cell, which is empty for an empty cell.
pub struct Grid<'a> {
    screen: &'a Screen,
    board: &'a BoardInfo,
    cells: Vec<String>,
}

impl<'a> Grid<'a> {
    /// `zones` is the view of the zones by name; a cell without one is empty.
    pub fn from_zones(
        screen: &'a Screen,
        program: &Program,
        board: &'a BoardInfo,
        zones: &BTreeMap<String, ZoneView>,
    ) -> Grid<'a> {
        let cards = Cards { screen, program };
        let cell = |place: usize| zones.get(&board.cell_name(place)).map(|zone| zone_cell_text(&cards, zone)).unwrap_or_default();
        Grid { screen, board, cells: (0..board.cell_count()).map(cell).collect() }
    }

    /// The lines of the board, the highest row first. The label comes before the first line, in plain lines before each.
    pub fn grid_lines(&self, label: &str) -> Vec<String> {
        match self.screen.plain {
            true => self.plain_lines(label),
            false => self.draw_lines(label),
        }
    }

    /// For pipes and screen readers: `board, row 3: X, empty, O`.
    fn plain_lines(&self, label: &str) -> Vec<String> {
        let words = |column: usize, row: usize| match self.cell_at(column, row) {
            "" => "empty".to_string(),
            cell => cell.to_string(),
        };
        let all = |row: usize| self.column_range().map(|column| words(column, row)).collect::<Vec<_>>().join(", ");
        let line = |row: usize| match self.board.is_row() {
            true => format!("{label}: {}", all(row)),
            false => format!("{label}, row {row}: {}", all(row)),
        };
        self.row_numbers().map(line).collect()
    }

    /// Rows with their numbers in front, and the column numbers below. Columns that do not fit continue further down.
    fn draw_lines(&self, label: &str) -> Vec<String> {
        // The width of the row numbers with the gap after them; a single row has none.
        let number = if self.board.is_row() { 0 } else { self.board.rows.to_string().len() + GAP };
        let widths: Vec<usize> = self.column_range().map(|column| self.width_of(column)).collect();
        let indent = label.width() + GAP + number;
        let mut lines = Vec::new();
        for columns in column_parts(&widths, self.screen.line_width().saturating_sub(indent)) {
            let line = |head: String, cell: &dyn Fn(usize) -> String| {
                let cells = columns.clone().map(|column| pad_cell(&cell(column), widths[column - 1])).collect::<Vec<_>>();
                format!("{head}{}", cells.join(&" ".repeat(GAP))).trim_end().to_string()
            };
            for row in self.row_numbers() {
                let head = if number == 0 { String::new() } else { format!("{row:>0$}{1}", number - GAP, " ".repeat(GAP)) };
                lines.push(line(head, &|column| match self.cell_at(column, row) {
                    "" => EMPTY.to_string(),
                    cell => cell.to_string(),
                }));
            }
            lines.push(self.screen.paint_text(Tone::Quiet, &line(" ".repeat(number), &|column| column.to_string())));
        }
        let blank = " ".repeat(label.width());
        let before = |index: usize| if index == 0 { label } else { &blank };
        lines.iter().enumerate().map(|(index, line)| format!("{}{}{line}", before(index), " ".repeat(GAP))).collect()
    }

    fn column_range(&self) -> Range<usize> {
        1..usize::from(self.board.columns) + 1
    }

    fn row_numbers(&self) -> impl Iterator<Item = usize> {
        (1..=usize::from(self.board.rows)).rev()
    }

    /// The text of a cell. Columns and rows count from 1.
    fn cell_at(&self, column: usize, row: usize) -> &str {
        self.cells.get((row - 1) * usize::from(self.board.columns) + column - 1).map_or("", String::as_str)
    }

    fn width_of(&self, column: usize) -> usize {
        let cells = self.row_numbers().map(|row| self.cell_at(column, row).width());
        cells.chain([column.to_string().len()]).max().unwrap_or(0)
    }
}

/// The text of a cell: `X`, `2 × White`, `3 hidden`.
fn zone_cell_text(cards: &Cards, zone: &ZoneView) -> String {
    match zone {
        ZoneView::Hidden { count: 0, .. } => String::new(),
        ZoneView::Hidden { count, known } if known.len() == *count => {
            join_names(known.iter().map(|known| cards.cell_text(&known.piece)).collect())
        }
        ZoneView::Hidden { count, .. } => format!("{count} hidden"),
        ZoneView::Seen(pieces) => join_names(pieces.iter().map(|piece| cards.cell_text(piece)).collect()),
    }
}

fn join_names(names: Vec<String>) -> String {
    join_words(&count_alike(names.iter().map(String::as_str)), "and")
}

/// Ranges of columns, counted from 1, that fit into `room`, with at least one column each.
fn column_parts(widths: &[usize], room: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut first, mut used) = (1, 0);
    for (column, width) in (1..).zip(widths) {
        if column > first && used + GAP + width > room {
            parts.push(first..column);
            (first, used) = (column, 0);
        }
        used += if column == first { *width } else { GAP + width };
    }
    parts.push(first..widths.len() + 1);
    parts
}

fn pad_cell(cell: &str, width: usize) -> String {
    format!("{cell}{}", " ".repeat(width.saturating_sub(cell.width())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::runtime::PieceInZone;

    fn piece(title: &str) -> PieceInZone {
        PieceInZone { kind: "man".into(), title: Some(title.into()), ..PieceInZone::default() }
    }

    fn grid(width: Option<usize>, columns: u16, rows: u16, cells: &[(&str, ZoneView)]) -> String {
        let (screen, program) = (Screen::of_width(width), Program::default());
        let board = BoardInfo { name: "meadow".into(), kind: 0, first: 0, columns, rows };
        let zones = cells.iter().map(|(name, zone)| ((*name).to_string(), zone.clone())).collect();
        Grid::from_zones(&screen, &program, &board, &zones).grid_lines("  meadow").join("\n")
    }

    fn seen(titles: &[&str]) -> ZoneView {
        ZoneView::Seen(titles.iter().map(|title| piece(title)).collect())
    }

    fn meadow() -> Vec<(&'static str, ZoneView)> {
        vec![
            ("meadow.1.1", seen(&["X"])),
            ("meadow.2.3", seen(&["Otter", "X", "X"])),
            ("meadow.3.2", ZoneView::Hidden { count: 2, known: Vec::new() }),
            ("meadow.3.3", ZoneView::Hidden { count: 0, known: Vec::new() }),
            ("meadow.10.1", seen(&["O"])),
        ]
    }

    #[test]
    fn a_board_is_drawn_with_its_lowest_row_below() {
        insta::assert_snapshot!(grid(Some(80), 10, 3, &meadow()));
    }

    #[test]
    fn what_is_too_wide_goes_on_below() {
        insta::assert_snapshot!(grid(Some(40), 10, 3, &meadow()));
    }

    #[test]
    fn plain_lines_say_what_is_in_each_cell() {
        insta::assert_snapshot!(grid(None, 3, 3, &meadow()));
    }

    #[test]
    fn a_row_of_cells_has_one_number_for_each() {
        let track = [("meadow.2", seen(&["Hare"])), ("meadow.5", seen(&["Hare", "Tortoise"]))];
        insta::assert_snapshot!(grid(Some(80), 6, 1, &track));
        insta::assert_snapshot!(grid(None, 6, 1, &track));
    }
}
