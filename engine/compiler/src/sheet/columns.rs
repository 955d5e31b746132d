//! Reads and stores the lines of a file that are fixed in play: texts, lists and nested sheets.
//!
//! The values are kept in rows, one value for each column of the whole family of sheets. A part is a sheet nested in another.
//! Texts, lists and parts are stored once the whole file is read; until then they are a [`SheetValue`].

use super::{SheetReader, SheetReading};
use crate::field;
use ludex_program::{FieldInfo, NONE, Print, PrintedLine, Prints, Program, Shape, SheetId, Value, unprinted_value};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::SourceId;
use ludex_syntax::yaml::Node;
use std::collections::BTreeMap;

/// A value from a file, before its texts and lists are stored.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SheetValue {
    Value(Value),
    Text(String),
    List(Vec<SheetValue>),
    Part(Box<SheetPart>),
}

/// A nested sheet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SheetPart {
    sheet: SheetId,
    name: String,
    /// Its values by column.
    values: Vec<(u16, SheetValue)>,
}

/// The lines of a sheet that are fixed in play.
#[derive(Clone, Copy)]
pub(super) struct Columns<'p> {
    pub program: &'p Program,
    /// The sheet; none for an entrant without a declared sheet or an ability without parameters, which have no such lines.
    pub sheet: Option<SheetId>,
}

impl<'p> Columns<'p> {
    /// All lines, each with its default if it is optional.
    pub fn all_columns(self) -> Vec<(PrintedLine, &'p FieldInfo)> {
        self.sheet.map_or(Vec::new(), |sheet| self.program.prints.sheet_columns(sheet))
    }

    /// The line with this key.
    pub fn find_column(self, name: &str) -> Option<(PrintedLine, &'p FieldInfo)> {
        self.all_columns().into_iter().find(|(_, column)| column.name == name)
    }

    /// Reads the value of a line.
    pub fn read_column(self, column: &FieldInfo, node: &Node, problems: &mut Vec<Problem>) -> Option<SheetValue> {
        self.read_shape(column, &column.shape, node, problems)
    }

    /// Reads a value of a shape, such as a member of a list.
    fn read_shape(self, column: &FieldInfo, shape: &Shape, node: &Node, problems: &mut Vec<Problem>) -> Option<SheetValue> {
        let what = format!("`{}`", column.name);
        match shape {
            Shape::List(inner) => {
                let list = node.as_list(problems, &what)?;
                let members: Vec<SheetValue> =
                    list.iter().filter_map(|node| self.read_shape(column, inner, node, problems)).collect();
                (members.len() == list.len()).then_some(SheetValue::List(members))
            }
            Shape::OrNone(_) if field::is_none(node) => Some(SheetValue::Value(NONE)),
            Shape::OrNone(inner) => self.read_shape(column, inner, node, problems),
            Shape::Text => node.as_text(problems, &what).map(|text| SheetValue::Text(text.trim().to_string())),
            Shape::Sheet(sheet) => self.read_nested_sheet(*sheet, &what, node, problems),
            _ => {
                let plain = FieldInfo { shape: shape.clone(), ..column.clone() };
                field::read_printed_value(&plain, node, self.program, problems).map(SheetValue::Value)
            }
        }
    }

    /// Reads a nested sheet. Its `sheet` can name one that builds on the wanted sheet.
    fn read_nested_sheet(self, wanted: SheetId, what: &str, node: &Node, problems: &mut Vec<Problem>) -> Option<SheetValue> {
        let mut map = node.as_map(problems, what)?;
        let sheet = match map.optional_value("sheet") {
            Some(node) => self.read_nested_kind(wanted, node, problems)?,
            None => wanted,
        };
        let info = self.program.prints.sheets.get(usize::from(sheet))?;
        let reader = SheetReader::of_part(self.program, sheet, format!("the {}", info.name));
        let SheetReading { name, columns, .. } = reader.read_sheet(node, problems)?;
        Some(SheetValue::Part(Box::new(SheetPart { sheet, name: name.unwrap_or_default(), values: columns })))
    }

    /// Reads which sheet a nested one is.
    fn read_nested_kind(self, wanted: SheetId, node: &Node, problems: &mut Vec<Problem>) -> Option<SheetId> {
        let name = node.as_text(problems, "`sheet`")?;
        let prints = &self.program.prints;
        let fits = |sheet: &SheetId| prints.is_sheet(*sheet, wanted);
        if let Some(sheet) = prints.sheet_by_name(name).filter(fits) {
            return Some(sheet);
        }
        let known: Vec<&str> = (0..prints.sheets.len())
            .filter(|sheet| fits(&(*sheet as SheetId)))
            .map(|sheet| prints.sheets[sheet].name.as_str())
            .collect();
        problems.push(unknown_sheet_problem(name, &known).with_label(node.span, "not one of them"));
        None
    }
}

/// The error for an unknown sheet. `known` are the possible ones.
pub(super) fn unknown_sheet_problem(name: &str, known: &[&str]) -> Problem {
    let problem = Problem::error(codes::UNKNOWN_SHEET, format!("there is no sheet `{name}` here"));
    match ludex_syntax::problem::closest_match(name, known.iter().copied()) {
        Some(near) => problem.suggest_near(near),
        None => {
            let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            problem.help(format!("write {}", ludex_syntax::problem::join_words(&known, "or")))
        }
    }
}

/// The row of values of a print: those in the file (`said`), else the defaults of the sheet. Columns of other sheets of the family
/// have a value that stands for none.
pub(super) fn row_values(prints: &mut Prints, sheet: SheetId, said: Vec<(u16, SheetValue)>, source: SourceId) -> Vec<Value> {
    let root = prints.sheets[usize::from(sheet)].root;
    let shapes: Vec<Shape> = prints.sheets[usize::from(root)].columns.iter().map(|column| column.shape.clone()).collect();
    let mut values: Vec<Value> = shapes.iter().map(unprinted_value).collect();
    for PrintedLine { column, default } in prints.printed_lines(sheet) {
        if let (Some(default), Some(value)) = (default, values.get_mut(usize::from(column))) {
            *value = default;
        }
    }
    for (column, said) in said {
        let value = store_value(prints, said, source, None);
        if let Some(place) = values.get_mut(usize::from(column)) {
            *place = value;
        }
    }
    values
}

/// Stores a value, and returns the number that stands for it. Each part in a list gets a unique key, numbered by the parts before
/// it.
fn store_value(prints: &mut Prints, said: SheetValue, source: SourceId, key: Option<String>) -> Value {
    match said {
        SheetValue::Value(value) => value,
        SheetValue::Text(text) => prints.intern_text(&text),
        SheetValue::List(members) => {
            let mut seen: BTreeMap<String, usize> = BTreeMap::new();
            let mut values = Vec::new();
            for (index, member) in members.into_iter().enumerate() {
                let key = match &member {
                    SheetValue::Part(part) => Some(part_key(&part.name, index, &mut seen)),
                    _ => None,
                };
                values.push(store_value(prints, member, source, key));
            }
            prints.add_list(values)
        }
        SheetValue::Part(part) => {
            let SheetPart { sheet, name, values } = *part;
            let id = key.unwrap_or_else(|| part_key(&name, 0, &mut BTreeMap::new()));
            let values = row_values(prints, sheet, values, source);
            let name = prints.intern_text(&name);
            prints.add_print(Print {
                id,
                name,
                sheet,
                values,
                abilities: Vec::new(),
                provenance: BTreeMap::new(),
                note: None,
                source,
            })
        }
    }
}

/// The key of a part: `big-bite`, and `big-bite#2` for the second of that name. A part without a name has its position as key.
/// `seen` counts the keys of the same list.
fn part_key(name: &str, index: usize, seen: &mut BTreeMap<String, usize>) -> String {
    let words: Vec<String> =
        name.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    if words.is_empty() {
        return (index + 1).to_string();
    }
    let key = words.join("-");
    let place = seen.entry(key.clone()).and_modify(|place| *place += 1).or_insert(1);
    if *place == 1 { key } else { format!("{key}#{place}") }
}
