//! Sheets in a table: one line each, with as many of their values as fit.
//!
//! Columns are added one by one, each only if the table still fits the output. A mark after a value says that it is not from
//! the rules.

use super::Subject;
use super::lines::Line;
use super::provenance::origin_mark;
use crate::layout::{Table, readable_name};
use crate::verbs::list::library_name;
use ludex_engine::program::{FieldInfo, Print, Shape, SheetId};

/// A sheet with its lines.
type Row<'s> = (&'s Print, Vec<Line<'s>>);

/// A column between the id and the library of a sheet.
#[derive(Clone, Copy)]
enum Column<'s> {
    Name,
    Kind,
    Line(&'s str),
}

impl Subject {
    /// A table of sheets, with a legend of marks below. Required values come first, then names that differ from the ids, then
    /// other printed values.
    pub(super) fn sheets_table(&self, prints: &[&Print]) -> String {
        let Some(common) = self.common_kind(prints) else { return String::new() };
        let rows: Vec<Row> = prints.iter().map(|print| (*print, self.sheet_lines(print))).collect();
        let mut columns: Vec<Column> = Vec::new();
        columns.extend(prints.iter().any(|print| print.sheet != common).then_some(Column::Kind));
        columns.extend(self.play_columns(prints, common).into_iter().map(Column::Line));
        let printed: Vec<(bool, &str)> = self
            .kind_columns(common)
            .into_iter()
            .filter(|(_, column)| is_brief(&column.shape))
            .map(|(printed, column)| (printed.default.is_none(), column.name.as_str()))
            .collect();
        for (_, name) in printed.iter().filter(|(must, _)| *must) {
            let end = columns.len();
            self.add_if_it_fits(&rows, &mut columns, end, Column::Line(name));
        }
        if prints.iter().any(|print| print.id != id_for(self.sheet_name(print))) {
            self.add_if_it_fits(&rows, &mut columns, 0, Column::Name);
        }
        let is_said = |name: &str| rows.iter().any(|(_, lines)| lines.iter().any(|line| line.name == name));
        for (_, name) in printed.iter().filter(|(must, name)| !must && is_said(name)) {
            let end = columns.len();
            self.add_if_it_fits(&rows, &mut columns, end, Column::Line(name));
        }
        format!("{}{}", self.make_table(&rows, &columns).to_text(), self.marks_legend(prints))
    }

    /// Adds a column at a place, unless the table is too wide with it.
    fn add_if_it_fits<'s>(&self, rows: &[Row], columns: &mut Vec<Column<'s>>, place: usize, column: Column<'s>) {
        columns.insert(place, column);
        if !self.make_table(rows, columns).fits_width() {
            columns.remove(place);
        }
    }

    /// The table with these columns. A sheet of another library than the game's has a note at its end.
    fn make_table(&self, rows: &[Row], columns: &[Column]) -> Table {
        let mut table = Table::default();
        let titles: Vec<String> = columns.iter().map(Column::column_title).collect();
        if titles.iter().any(|title| !title.is_empty()) {
            table.add_row(std::iter::once(String::new()).chain(titles));
        }
        let home = self.loaded.library.find_game(&self.program.game).map_or("", |game| &game.library);
        for (print, lines) in rows {
            let mut cells = vec![print.id.clone()];
            cells.extend(columns.iter().map(|column| match column {
                Column::Name => self.sheet_name(print).to_string(),
                Column::Kind => self.kind_noun(print.sheet),
                Column::Line(name) => {
                    let line = lines.iter().find(|line| line.name == *name);
                    line.map_or_else(String::new, |line| format!("{}{}", line.brief, origin_mark(print, name)))
                }
            }));
            let origin = self.loaded.library.source_library(print.source);
            if origin != home {
                cells.push(format!("from {}", library_name(origin)));
            }
            table.add_row(cells);
        }
        table
    }

    /// For entrants, the lists that any of them has, and the numbers and words that each must have. They come first, and are
    /// always shown.
    fn play_columns(&self, prints: &[&Print], common: SheetId) -> Vec<&str> {
        let sheets = || prints.iter().filter_map(|print| self.program.sheets.get(&print.id));
        let Some(kind) = sheets().next().and_then(|sheet| self.program.kinds.get(usize::from(sheet.kind))) else {
            return Vec::new();
        };
        let is_used = |index: usize| sheets().any(|sheet| sheet.zones.iter().any(|(zone, _)| usize::from(*zone) == index));
        let zones = kind.zones.iter().enumerate().filter(|(index, _)| is_used(*index)).map(|(_, zone)| zone.name.as_str());
        let is_of_all = |field: &FieldInfo| self.program.prints.matches_sheets(common, &field.sheets);
        let fields = kind.fields.iter().filter(|field| field.printed && !field.optional && is_of_all(field));
        zones.chain(fields.map(|field| field.name.as_str())).collect()
    }
}

impl Column<'_> {
    fn column_title(&self) -> String {
        match self {
            Column::Name | Column::Kind => String::new(),
            Column::Line(name) => readable_name(name),
        }
    }
}

/// Whether values of a shape are short enough for a table.
fn is_brief(shape: &Shape) -> bool {
    match shape {
        Shape::Number | Shape::Halves | Shape::Flag | Shape::Word(_) => true,
        Shape::List(inner) | Shape::OrNone(inner) => is_brief(inner),
        _ => false,
    }
}

/// The default id for a name: `newt-and-otter` for `Newt & Otter`.
fn id_for(name: &str) -> String {
    let name = name.replace('&', " and ").replace('\'', "");
    let words = name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}
