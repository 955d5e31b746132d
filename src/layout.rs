//! Text in columns and lines of at most [`WIDTH`](crate::output::WIDTH) columns.

use crate::output::WIDTH;

/// Rows with their columns aligned, two blanks between two columns, indented by two.
#[derive(Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The last column is wrapped and stays in its column.
    pub fn text(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| self.rows.iter().filter_map(|row| row.get(column)).map(|cell| columns_of(cell)).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::from(" ");
            let mut start = 2;
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let last = column + 1 == row.len();
                let cell = if last { wrapped(cell, WIDTH.saturating_sub(start).max(20), start) } else { cell.clone() };
                line.push_str(if column == 0 { " " } else { "  " });
                line.push_str(&cell);
                if !last {
                    line.push_str(&" ".repeat(width.saturating_sub(columns_of(&cell))));
                    start += width + 2;
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// Words in lines of at most `width` columns, the lines after the first indented.
pub fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if columns_of(line) + 1 + columns_of(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines.join(&format!("\n{}", " ".repeat(indent)))
}

/// A paragraph, indented as a whole.
pub fn paragraph(text: &str, indent: usize) -> String {
    let body = wrapped(text, WIDTH.saturating_sub(indent), indent);
    format!("{}{body}\n", " ".repeat(indent))
}

/// `1 character`, `24 characters`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    }
}

fn columns_of(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_each_other() {
        let mut table = Table::default();
        table.row(["frog", "4 6", "hops"]);
        table.row(["otter", "4", "swims"]);
        assert_eq!(table.text(), "  frog   4 6  hops\n  otter  4    swims\n");
    }

    #[test]
    fn the_last_column_stays_in_its_column() {
        let mut table = Table::default();
        table.row(["frog", &"quak ".repeat(20)]);
        let text = table.text();
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
        assert!(text.lines().nth(1).is_some_and(|line| line.starts_with("        quak")));
    }
}
