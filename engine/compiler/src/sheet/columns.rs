//! Reads and stores the lines of a file that are fixed in play: texts, lists and nested sheets.

use super::{Reading, SheetReader};
use crate::field;
use ludex_program::{FieldInfo, NONE, Print, Printed, Prints, Program, Shape, SheetId, Value, lacking};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::SourceId;
use ludex_syntax::yaml::Node;
use std::collections::BTreeMap;

/// A value from a file, before its texts and lists are stored.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Said {
    Value(Value),
    Text(String),
    List(Vec<Said>),
    Part(Box<Part>),
}

/// A nested sheet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    sheet: SheetId,
    name: String,
    values: Vec<(u16, Said)>,
}

/// The lines of a sheet that are fixed in play.
#[derive(Clone, Copy)]
pub(super) struct Columns<'p> {
    pub program: &'p Program,
    pub sheet: Option<SheetId>,
}

impl<'p> Columns<'p> {
    /// All lines, each with its default if it is optional.
    pub fn all(self) -> Vec<(Printed, &'p FieldInfo)> {
        self.sheet.map_or(Vec::new(), |sheet| self.program.prints.columns(sheet))
    }

    pub fn find(self, name: &str) -> Option<(Printed, &'p FieldInfo)> {
        self.all().into_iter().find(|(_, column)| column.name == name)
    }

    pub fn read(self, column: &FieldInfo, node: &Node, problems: &mut Vec<Problem>) -> Option<Said> {
        self.read_shape(column, &column.shape, node, problems)
    }

    fn read_shape(self, column: &FieldInfo, shape: &Shape, node: &Node, problems: &mut Vec<Problem>) -> Option<Said> {
        let what = format!("`{}`", column.name);
        match shape {
            Shape::List(inner) => {
                let list = node.as_list(problems, &what)?;
                let members: Vec<Said> = list.iter().filter_map(|node| self.read_shape(column, inner, node, problems)).collect();
                (members.len() == list.len()).then_some(Said::List(members))
            }
            Shape::OrNone(_) if field::is_none(node) => Some(Said::Value(NONE)),
            Shape::OrNone(inner) => self.read_shape(column, inner, node, problems),
            Shape::Text => node.as_text(problems, &what).map(|text| Said::Text(text.trim().to_string())),
            Shape::Sheet(sheet) => self.read_part(*sheet, &what, node, problems),
            _ => {
                let plain = FieldInfo { shape: shape.clone(), ..column.clone() };
                field::printed(&plain, node, self.program, problems).map(Said::Value)
            }
        }
    }

    /// Reads a nested sheet. Its `sheet` can name one that builds on the wanted sheet.
    fn read_part(self, wanted: SheetId, what: &str, node: &Node, problems: &mut Vec<Problem>) -> Option<Said> {
        let mut map = node.as_map(problems, what)?;
        let sheet = match map.optional("sheet") {
            Some(node) => self.part_sheet(wanted, node, problems)?,
            None => wanted,
        };
        let info = self.program.prints.sheets.get(usize::from(sheet))?;
        let reader = SheetReader::of_part(self.program, sheet, format!("the {}", info.name));
        let Reading { name, columns, .. } = reader.read(node, problems)?;
        Some(Said::Part(Box::new(Part { sheet, name: name.unwrap_or_default(), values: columns })))
    }

    fn part_sheet(self, wanted: SheetId, node: &Node, problems: &mut Vec<Problem>) -> Option<SheetId> {
        let name = node.as_text(problems, "`sheet`")?;
        let prints = &self.program.prints;
        let fits = |sheet: &SheetId| prints.is_sheet(*sheet, wanted);
        if let Some(sheet) = prints.sheet_named(name).filter(fits) {
            return Some(sheet);
        }
        let known: Vec<&str> = (0..prints.sheets.len())
            .filter(|sheet| fits(&(*sheet as SheetId)))
            .map(|sheet| prints.sheets[sheet].name.as_str())
            .collect();
        problems.push(unknown_sheet(name, &known).at(node.span, "not one of them"));
        None
    }
}

/// The error for an unknown sheet.
pub(super) fn unknown_sheet(name: &str, known: &[&str]) -> Problem {
    let problem = Problem::error(codes::UNKNOWN_SHEET, format!("there is no sheet `{name}` here"));
    match ludex_syntax::problem::closest(name, known.iter().copied()) {
        Some(near) => problem.meant(near),
        None => {
            let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            problem.help(format!("write {}", ludex_syntax::problem::joined(&known, "or")))
        }
    }
}

/// The row of values for a sheet's columns.
pub(super) fn row(prints: &mut Prints, sheet: SheetId, said: Vec<(u16, Said)>, source: SourceId) -> Vec<Value> {
    let root = prints.sheets[usize::from(sheet)].root;
    let shapes: Vec<Shape> = prints.sheets[usize::from(root)].columns.iter().map(|column| column.shape.clone()).collect();
    let mut values: Vec<Value> = shapes.iter().map(lacking).collect();
    for Printed { column, default } in prints.printed(sheet) {
        if let (Some(default), Some(value)) = (default, values.get_mut(usize::from(column))) {
            *value = default;
        }
    }
    for (column, said) in said {
        let value = keep(prints, said, source, None);
        if let Some(place) = values.get_mut(usize::from(column)) {
            *place = value;
        }
    }
    values
}

/// Stores a value. Each part in a list gets a unique key, numbered by the parts before it.
fn keep(prints: &mut Prints, said: Said, source: SourceId, key: Option<String>) -> Value {
    match said {
        Said::Value(value) => value,
        Said::Text(text) => prints.intern(&text),
        Said::List(members) => {
            let mut seen: BTreeMap<String, usize> = BTreeMap::new();
            let mut values = Vec::new();
            for (index, member) in members.into_iter().enumerate() {
                let key = match &member {
                    Said::Part(part) => Some(key_of(&part.name, index, &mut seen)),
                    _ => None,
                };
                values.push(keep(prints, member, source, key));
            }
            prints.keep_list(values)
        }
        Said::Part(part) => {
            let Part { sheet, name, values } = *part;
            let id = key.unwrap_or_else(|| key_of(&name, 0, &mut BTreeMap::new()));
            let values = row(prints, sheet, values, source);
            let name = prints.intern(&name);
            prints.keep(Print { id, name, sheet, values, abilities: Vec::new(), provenance: BTreeMap::new(), note: None, source })
        }
    }
}

/// The key of a part: `big-bite`, and `big-bite#2` for the second of that name. A part without a name has its position as
/// key.
fn key_of(name: &str, index: usize, seen: &mut BTreeMap<String, usize>) -> String {
    let words: Vec<String> =
        name.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    if words.is_empty() {
        return (index + 1).to_string();
    }
    let key = words.join("-");
    let place = seen.entry(key.clone()).and_modify(|place| *place += 1).or_insert(1);
    if *place == 1 { key } else { format!("{key}#{place}") }
}
