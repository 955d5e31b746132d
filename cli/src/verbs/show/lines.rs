//! The lines of a sheet: the values printed in its file, and those that the rules supply.
//!
//! A column is a value that sheets of a kind print. A shape is the type of a value. Entrants also have zones, whose content is
//! listed on their sheets, and fields, which play can change.

use super::Subject;
use crate::layout::{count_text, readable_name};
use ludex_engine::field;
use ludex_engine::program::{FieldInfo, NONE, Print, PrintedPiece, Shape, Sheet, unprinted_value};
use ludex_engine::runtime::facts::printed_words;
use ludex_engine::runtime::first_values;
use serde_json::{Map, Value, json};

/// A list, number or word of a sheet, or the sheets within it.
pub(super) struct Line<'s> {
    pub name: &'s str,
    /// The short form for tables of many sheets.
    pub brief: String,
    /// The full form; sheets within a sheet get one line each.
    pub words: Vec<String>,
    pub json: Value,
    pub told: ValueOrigin,
}

/// The origin of a value on a sheet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueOrigin {
    /// Given in the file.
    Said,
    /// Left out in the file and computed by the rules.
    Derived,
    /// The default of the rules for sheets that leave it out.
    Usual,
    /// A default of 0, no, none or an empty list.
    Nothing,
}

impl Subject {
    /// All lines of a sheet except those with default values.
    pub(super) fn sheet_lines<'s>(&'s self, print: &'s Print) -> Vec<Line<'s>> {
        let entrant = self.program.sheets.get(&print.id);
        let mut lines: Vec<Line> = entrant.map_or(Vec::new(), |sheet| self.zone_lines(sheet));
        lines.extend(entrant.map_or(Vec::new(), |sheet| self.value_lines(sheet)));
        lines.extend(self.column_lines(print).into_iter().filter(|line| line.told == ValueOrigin::Said));
        lines
    }

    /// The contents of an entrant's zones. A zone of cards is shown as their number.
    pub(super) fn zone_lines<'s>(&'s self, sheet: &'s Sheet) -> Vec<Line<'s>> {
        let zones = self.program.kinds.get(usize::from(sheet.kind)).map_or(&[][..], |kind| &kind.zones);
        let line = |(zone, pieces): &'s (u16, Vec<PrintedPiece>)| {
            let zone = zones.get(usize::from(*zone))?;
            let holds = self.program.kind(zone.holds);
            let (brief, words) = match pieces.iter().any(|piece| piece.print.is_some()) {
                true => {
                    let count = count_text(pieces.len(), &readable_name(&holds.name), &readable_name(&holds.plural));
                    (count.clone(), count)
                }
                false => (self.die_sizes_text(pieces), self.dice_text(pieces)),
            };
            let json = pieces.iter().map(|piece| self.piece_json(piece)).collect();
            Some(Line { name: &zone.name, brief, words: vec![words], json, told: ValueOrigin::Said })
        };
        sheet.zones.iter().filter_map(line).collect()
    }

    /// The numbers and words of an entrant, including those that the rules compute.
    pub(super) fn value_lines(&self, sheet: &Sheet) -> Vec<Line<'_>> {
        let Some(kind) = self.program.kinds.get(usize::from(sheet.kind)) else { return Vec::new() };
        let Ok(values) = first_values(&self.program, &sheet.id) else { return Vec::new() };
        let mut lines = Vec::new();
        let of = self.program.prints.find_print(sheet.print).map(|print| print.sheet);
        let has = |field: &FieldInfo| of.is_none_or(|of| self.program.prints.matches_sheets(of, &field.sheets));
        let fields = kind.fields.iter().zip(values).enumerate();
        for (index, (field, value)) in fields.filter(|(_, (field, _))| field.printed && has(field)) {
            let words = self.printed_text(&field.shape, value);
            let is_said = sheet.fields.iter().any(|(given, _)| usize::from(*given) == index);
            let told = if is_said { ValueOrigin::Said } else { ValueOrigin::Derived };
            let json = self.printed_json(&field.shape, value);
            lines.push(Line { name: &field.name, brief: words.clone(), words: vec![words], json, told });
        }
        lines
    }

    /// Values that cannot change in play: everything a card prints, and the texts, lists and sheets within an entrant's.
    pub(super) fn column_lines(&self, print: &Print) -> Vec<Line<'_>> {
        let mut lines = Vec::new();
        for (printed, column) in self.kind_columns(print.sheet) {
            let Some(value) = print.values.get(usize::from(printed.column)).copied() else { continue };
            let told = match printed.default == Some(value) {
                true if value == unprinted_value(&column.shape) => ValueOrigin::Nothing,
                true => ValueOrigin::Usual,
                false => ValueOrigin::Said,
            };
            let words = match &column.shape {
                Shape::List(inner) if matches!(**inner, Shape::Sheet(_)) && value != 0 => {
                    self.program.prints.printed_list(value).iter().map(|part| self.printed_text(inner, *part)).collect()
                }
                shape => vec![self.printed_text(shape, value)],
            };
            let (brief, json) = (words.join(", "), self.printed_json(&column.shape, value));
            lines.push(Line { name: &column.name, brief, words, json, told });
        }
        lines
    }

    // --- values ----------------------------------------------------------------------

    /// A printed value in words.
    fn printed_text(&self, shape: &Shape, value: i32) -> String {
        let prints = &self.program.prints;
        match shape {
            Shape::OrNone(_) if value == NONE => "none".to_string(),
            Shape::OrNone(inner) => self.printed_text(inner, value),
            Shape::List(inner) => match prints.printed_list(value) {
                [] => "none".to_string(),
                members => members.iter().map(|member| self.printed_text(inner, *member)).collect::<Vec<_>>().join(", "),
            },
            Shape::Sheet(_) => prints.find_print(value).map_or(String::new(), |part| self.sheet_part_text(part)),
            _ => printed_words(&self.program, shape, value),
        }
    }

    /// `Big Bite: cost fur, fur; damage 30`.
    fn sheet_part_text(&self, part: &Print) -> String {
        let name = match self.sheet_name(part) {
            "" => self.kind_noun(part.sheet),
            name => name.to_string(),
        };
        match self.part_values_text(part) {
            nothing if nothing.is_empty() => name,
            said => format!("{name}: {said}"),
        }
    }

    /// The values of a sheet within another: `cost fur, fur; damage 30`.
    fn part_values_text(&self, part: &Print) -> String {
        join_lines(self.column_lines(part).iter().filter(|line| line.told == ValueOrigin::Said))
    }

    /// The settings a sheet gives an ability, with the ability's defaults.
    pub(super) fn settings_text(&self, settings: &Print) -> String {
        join_lines(self.column_lines(settings).iter().filter(|line| line.told != ValueOrigin::Nothing))
    }

    /// A printed value as JSON; `none` is null.
    fn printed_json(&self, shape: &Shape, value: i32) -> Value {
        let prints = &self.program.prints;
        match shape {
            Shape::OrNone(_) if value == NONE => Value::Null,
            Shape::OrNone(inner) => self.printed_json(inner, value),
            Shape::List(inner) => prints.printed_list(value).iter().map(|member| self.printed_json(inner, *member)).collect(),
            Shape::Text => json!(prints.printed_text(value)),
            Shape::Sheet(_) => prints.find_print(value).map_or(Value::Null, |part| self.part_json(part)),
            Shape::Flag => json!(value != 0),
            Shape::Number => json!(value),
            Shape::Halves if value % 2 == 0 => json!(value / 2),
            Shape::Halves => json!(f64::from(value) / 2.0),
            _ => json!(field::format_value(&self.program, shape, value)),
        }
    }

    /// A sheet within another, with its name and all columns.
    fn part_json(&self, part: &Print) -> Value {
        let mut json = Map::from_iter([("name".to_string(), json!(self.sheet_name(part)))]);
        json.extend(self.columns_json(part));
        Value::Object(json)
    }

    /// Every column of a sheet by its name.
    pub(super) fn columns_json(&self, print: &Print) -> Map<String, Value> {
        self.column_lines(print).into_iter().map(|line| (line.name.to_string(), line.json)).collect()
    }

    // --- dice ------------------------------------------------------------------------

    /// `4 8 8 d%`.
    fn die_sizes_text(&self, dice: &[PrintedPiece]) -> String {
        let size = |die: &PrintedPiece| self.program.die_title(die.kind, die.size, die.marks).unwrap_or(die.size.to_string());
        dice.iter().map(size).collect::<Vec<_>>().join(" ")
    }

    /// `d4 d8 d8 d%`.
    fn dice_text(&self, dice: &[PrintedPiece]) -> String {
        let die = |die: &PrintedPiece| {
            self.program.die_title(die.kind, die.size, die.marks).unwrap_or_else(|| format!("d{}", die.size))
        };
        match dice {
            [] => "none".to_string(),
            dice => dice.iter().map(die).collect::<Vec<_>>().join(" "),
        }
    }

    /// A piece as the file has it: the id of a card, the size of a die, or the name of one with its own faces.
    fn piece_json(&self, piece: &PrintedPiece) -> Value {
        if let Some(print) = piece.print.and_then(|print| self.program.prints.find_print(print)) {
            return json!(print.id);
        }
        let (key, die) = match self.program.faces_of(piece.kind) {
            Some(faces) => ("die", json!(self.program.kind(faces.kind).name)),
            None => ("size", json!(piece.size)),
        };
        let marks = self.program.marks.iter().enumerate().filter(|(index, _)| piece.marks >> index & 1 == 1);
        let marks: Vec<&str> = marks.map(|(_, mark)| mark.name.as_str()).collect();
        if marks.is_empty() { die } else { json!({ key: die, "marks": marks }) }
    }
}

/// `cost fur, fur; damage 30`.
fn join_lines<'l>(lines: impl Iterator<Item = &'l Line<'l>>) -> String {
    lines.map(|line| format!("{} {}", readable_name(line.name), line.brief)).collect::<Vec<_>>().join("; ")
}
