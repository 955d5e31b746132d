//! Things as rows of a CSV table, with the cells of their JSON.

use serde_json::{Map, Value};

/// The columns that some row fills, in order of appearance, and a row for each thing.
pub fn csv_table<'a>(parts: impl Iterator<Item = &'a Value>) -> (Vec<String>, Vec<Vec<String>>) {
    let things = parts.flat_map(|part| match part {
        Value::Array(several) => several.iter().collect(),
        one => vec![one],
    });
    let rows: Vec<Vec<(String, String)>> = things.map(|thing| collect_cells(&[], thing)).collect();
    let mut columns: Vec<String> = Vec::new();
    for (column, cell) in rows.iter().flatten() {
        if !cell.is_empty() && !columns.contains(column) {
            columns.push(column.clone());
        }
    }
    let cell = |row: &[(String, String)], column: &String| {
        row.iter().find(|(known, _)| known == column).map_or(String::new(), |(_, cell)| cell.clone())
    };
    let rows = rows.iter().map(|row| columns.iter().map(|column| cell(row, column)).collect()).collect();
    (columns, rows)
}

/// The cells of a thing by column; nested parts have columns such as `values.health`.
fn collect_cells(path: &[&str], value: &Value) -> Vec<(String, String)> {
    match value {
        Value::Object(parts) => {
            parts.iter().flat_map(|(name, part)| collect_cells(&[path, &[name.as_str()]].concat(), part)).collect()
        }
        value => vec![(path.join("."), value_text(value))],
    }
}

/// `4, 6, 8` for a list, `id: otter, count: 2` for an object.
fn value_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(members) => members.iter().map(value_text).collect::<Vec<_>>().join(", "),
        Value::Object(parts) => parts_text(parts),
        value => value.to_string(),
    }
}

/// `id: otter, count: 2`
fn parts_text(parts: &Map<String, Value>) -> String {
    parts.iter().map(|(name, part)| format!("{name}: {}", value_text(part))).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn things_are_rows_and_what_only_some_say_has_a_column() {
        let frogs = json!([
            { "id": "newt", "values": { "health": 4 }, "dice": [4, 6], "note": null },
            { "id": "toad", "values": { "health": 9, "leap": true }, "dice": [], "note": null },
        ]);
        let (header, rows) = csv_table(std::iter::once(&frogs));
        assert_eq!(header, ["id", "values.health", "dice", "values.leap"]);
        assert_eq!(rows, [["newt", "4", "4, 6", ""], ["toad", "9", "", "true"]]);
    }
}
