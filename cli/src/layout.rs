//! Text in columns and lines, fitted to the [output width](crate::output::output_width).

use crate::output::{output_width, strip_tones};
use textwrap::core::Fragment;
use textwrap::wrap_algorithms::wrap_first_fit;
use unicode_width::UnicodeWidthStr;

/// Minimum width of the last column, however wide the others are.
const LEAST_LAST: usize = 20;

/// Rows with aligned columns, two spaces apart, indented by two.
#[derive(Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn add_row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether every row fits on one line.
    pub fn fits_width(&self) -> bool {
        total_width(&self.natural_widths()) <= output_width()
    }

    /// The table as text. Cells that do not fit are wrapped within their columns: first the last column, then the widest.
    pub fn to_text(&self) -> String {
        self.text_in_columns(output_width())
    }

    fn text_in_columns(&self, columns: usize) -> String {
        let widths = self.fit_widths(columns);
        self.rows.iter().map(|row| format_row(row, &widths, columns)).collect()
    }

    /// The width that each column needs for its widest cell.
    fn natural_widths(&self) -> Vec<usize> {
        self.column_maxima(display_width)
    }

    /// The maximum of a measure in each column.
    fn column_maxima(&self, measure: impl Fn(&str) -> usize) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let most = |column: usize| self.rows.iter().filter_map(|row| row.get(column)).map(|cell| measure(cell)).max();
        (0..columns).map(|column| most(column).unwrap_or(0)).collect()
    }

    /// The widths with which a row fits into `columns`: the last column gives way first, then the widest, but none below its
    /// longest word.
    fn fit_widths(&self, columns: usize) -> Vec<usize> {
        let mut widths = self.natural_widths();
        let words = self.column_maxima(|cell| cell.split_whitespace().map(display_width).max().unwrap_or(0));
        let excess = total_width(&widths).saturating_sub(columns);
        if let (Some(last), Some(word)) = (widths.last_mut(), words.last()) {
            *last = (*last).min(last.saturating_sub(excess).max(*word).max(LEAST_LAST));
        }
        for _ in columns..total_width(&widths) {
            let able = widths.iter_mut().zip(&words).filter(|(width, word)| **width > **word);
            let Some((widest, _)) = able.max_by_key(|(width, _)| **width) else { break };
            *widest -= 1;
        }
        widths
    }
}

/// The total width of a row, with the spaces before and between its cells.
fn total_width(widths: &[usize]) -> usize {
    widths.iter().map(|width| width + 2).sum()
}

/// Formats a row as one or more lines. Its last cell may extend to the right edge.
fn format_row(row: &[String], widths: &[usize], columns: usize) -> String {
    let mut start = 0;
    let mut cells: Vec<(usize, String)> = Vec::new();
    for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
        start += 2;
        let room = if column + 1 == row.len() { columns.saturating_sub(start).max(*width) } else { *width };
        let one_line = display_width(cell) <= room && !cell.contains('\n');
        cells.push((start, if one_line { cell.clone() } else { wrap_text(cell, room, 0) }));
        start += width;
    }
    let height = cells.iter().map(|(_, cell)| cell.lines().count()).max().unwrap_or(0).max(1);
    let mut text = String::new();
    for number in 0..height {
        let mut line = String::new();
        for (start, cell) in &cells {
            let part = cell.lines().nth(number).unwrap_or_default();
            line.push_str(&" ".repeat(start.saturating_sub(display_width(&line))));
            line.push_str(part);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Wraps words to at most `width` columns. Lines after the first are indented by `indent` spaces, which `width` does not
/// include.
pub fn wrap_text(text: &str, width: usize, indent: usize) -> String {
    break_lines(text.split_whitespace(), width, width).join(&format!("\n{}", " ".repeat(indent)))
}

/// Breaks words into lines, with separate widths for the first line and the later ones. A longer word gets a line of its own.
pub fn break_lines<'w>(words: impl Iterator<Item = &'w str>, first: usize, later: usize) -> Vec<String> {
    let words: Vec<Word> = words.map(Word).collect();
    let lines = wrap_first_fit(&words, &[first as f64, later as f64]);
    lines.iter().map(|line| line.iter().map(|word| word.0).collect::<Vec<_>>().join(" ")).collect()
}

/// A word with its display width, followed by one space unless it is the last.
#[derive(Debug)]
struct Word<'w>(&'w str);

impl Fragment for Word<'_> {
    fn width(&self) -> f64 {
        display_width(self.0) as f64
    }

    fn whitespace_width(&self) -> f64 {
        1.0
    }

    fn penalty_width(&self) -> f64 {
        0.0
    }
}

/// A paragraph, indented as a whole.
pub fn paragraph_text(text: &str, indent: usize) -> String {
    let body = wrap_text(text, output_width().saturating_sub(indent), indent);
    format!("{}{body}\n", " ".repeat(indent))
}

/// Formats a count with its noun: `1 character`, `24 characters`.
pub fn count_text(count: usize, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    }
}

/// The readable form of a name in the rules: `draw pile` for `draw_pile`.
pub fn readable_name(name: &str) -> String {
    name.replace('_', " ")
}

/// The display width of a text on a terminal, in columns and without its tones.
pub fn display_width(text: &str) -> usize {
    strip_tones(text).width()
}

/// Formats a number with a comma every three digits.
pub fn group_digits(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_each_other() {
        let mut table = Table::default();
        table.add_row(["frog", "4 6", "hops"]);
        table.add_row(["otter", "4", "swims"]);
        assert_eq!(table.to_text(), "  frog   4 6  hops\n  otter  4    swims\n");
    }

    #[test]
    fn the_last_column_stays_in_its_column() {
        let mut table = Table::default();
        table.add_row(["frog", &"quak ".repeat(20)]);
        let text = table.to_text();
        assert!(text.lines().all(|line| line.chars().count() <= output_width()));
        assert!(text.lines().nth(1).is_some_and(|line| line.starts_with("        quak")));
    }

    #[test]
    fn a_column_that_is_too_wide_is_wrapped_beside_the_others() {
        let mut table = Table::default();
        table.add_row(["frog", &"quak ".repeat(30), "from the rules"]);
        table.add_row(["otter", "", "from elsewhere"]);
        assert!(!table.fits_width());
        let text = table.to_text();
        assert!(text.lines().all(|line| line.chars().count() <= output_width()), "{text}");
        assert!(text.lines().next().is_some_and(|line| line.ends_with("  from the rules")), "{text}");
        assert!(text.lines().nth(1).is_some_and(|line| line.starts_with("         quak") && line.ends_with("quak")), "{text}");
    }

    #[test]
    fn a_table_is_as_wide_as_where_it_is_read() {
        let mut table = Table::default();
        table.add_row(["frog", &"quak ".repeat(30), &"croak ".repeat(30)]);
        for columns in [60, 80, 120] {
            let text = table.text_in_columns(columns);
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= columns && columns - widest < 8, "{columns}: {text}");
        }
    }

    #[test]
    fn letters_that_are_two_columns_wide_count_as_two() {
        let mut table = Table::default();
        table.add_row(["美少女", "4"]);
        table.add_row(["otter!", "4"]);
        assert_eq!(table.to_text(), "  美少女  4\n  otter!  4\n");
    }

    #[test]
    fn an_empty_row_is_an_empty_line() {
        let mut table = Table::default();
        table.add_row([""]);
        assert_eq!(table.to_text(), "\n");
    }

    #[test]
    fn long_numbers_are_grouped() {
        assert_eq!(
            ["7", "999", "1,000", "5,000,000"],
            [7, 999, 1_000, 5_000_000].map(group_digits).each_ref().map(String::as_str)
        );
    }
}
