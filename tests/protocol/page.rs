//! The page of the protocol as data: which fields it gives to each line and each shape.

use std::collections::BTreeMap;

pub const PAGE: &str = include_str!("../../docs/protocol.md");

/// A field of a line or of a shape, as a row of the page has it.
pub struct Field {
    pub shape: String,
    pub always: bool,
}

/// The fields of each heading by name, in tables that begin with `| field`.
pub struct Page {
    pub fields: BTreeMap<String, BTreeMap<String, Field>>,
    /// For each kind of event, the names in its row.
    pub kinds: BTreeMap<String, Vec<String>>,
}

impl Page {
    pub fn read() -> Page {
        let mut page = Page { fields: BTreeMap::new(), kinds: BTreeMap::new() };
        let (mut heading, mut columns) = (String::new(), Vec::new());
        for line in PAGE.lines() {
            if let Some(name) = line.strip_prefix("### ") {
                heading = name.to_string();
            }
            let cells: Vec<&str> = line.split(" | ").map(|cell| cell.trim_matches(|sign| "| ".contains(sign))).collect();
            match (line.starts_with('|'), columns.first()) {
                (false, _) => columns.clear(),
                (true, None) => columns = cells,
                (true, Some(_)) if line.starts_with("|---") => {}
                (true, Some(first)) if first.starts_with("field") => page.add_field(&heading, &columns, &cells),
                (true, Some(&"kind")) => page.add_kinds(&cells),
                (true, _) => {}
            }
        }
        page
    }

    fn add_field(&mut self, heading: &str, columns: &[&str], cells: &[&str]) {
        let always = columns[2] == "sent" && cells[2] == "always";
        for name in quoted(cells[0]) {
            let field = Field { shape: without_links(cells[1]), always };
            self.fields.entry(heading.to_string()).or_default().insert(name, field);
        }
    }

    fn add_kinds(&mut self, cells: &[&str]) {
        for kind in quoted(cells[0]) {
            self.kinds.insert(kind, cells.get(2).map_or(Vec::new(), |fields| quoted(fields)));
        }
    }
}

/// What stands in backticks.
pub fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_string).collect()
}

/// `[piece](#piece)` is `piece`.
fn without_links(text: &str) -> String {
    let parts = text.split("](").enumerate();
    let parts = parts.map(|(number, part)| if number == 0 { part } else { part.split_once(')').unwrap().1 });
    parts.collect::<String>().replace('[', "")
}
