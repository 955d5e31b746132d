//! The lines that files of a sheet may have, by the rules. Used to write new files.
//!
//! A line is a key of a sheet's file: a list of dice or cards, a field, or a column. A sample is a valid value that a person is to
//! replace.

use super::SheetReader;
use crate::field::halves_text;
use ludex_program::{FieldInfo, KindId, Program, Shape, SheetId, Value};
use ludex_syntax::problem::{join_words, with_article};
use ludex_syntax::yaml::OutputValue;

/// Maximum number of words of a type in a description.
const MOST_LISTED: usize = 12;
/// Number of dice in a sample list.
const DICE: usize = 4;

/// The files of a sheet: those of entrants, or those of cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetFiles {
    /// Files of entrants, with their declared sheet, if there is one.
    Entrant(Option<SheetId>),
    /// Files of a declared sheet of cards.
    Card(SheetId),
}

/// A line that a file may have.
#[derive(Clone, Debug)]
pub struct SheetLine {
    /// Its key.
    pub name: String,
    /// It is required.
    pub needed: bool,
    holds: LineContent,
}

/// The values that a line can have.
#[derive(Clone, Debug)]
enum LineContent {
    Dice,
    Cards(KindId),
    Value(Box<FieldInfo>),
}

/// The sheets of which a game has files, those of entrants first, each with its name in the rules.
pub fn sheet_files(program: &Program) -> Vec<(SheetFiles, String)> {
    let all = || (0..).zip(&program.prints.sheets).filter_map(|(id, sheet)| Some((id, sheet, sheet.kind?)));
    let is_card = |kind: KindId| program.is_printed(kind);
    let entrants: Vec<(SheetFiles, String)> = all()
        .filter(|(.., kind)| !is_card(*kind))
        .map(|(id, sheet, _)| (SheetFiles::Entrant(Some(id)), sheet.name.clone()))
        .collect();
    let cards = all().filter(|(.., kind)| is_card(*kind)).map(|(id, sheet, _)| (SheetFiles::Card(id), sheet.name.clone()));
    let plain = program.sides.entrant.filter(|_| entrants.is_empty());
    let plain = plain.map(|kind| (SheetFiles::Entrant(None), program.kind(kind).name.clone()));
    plain.into_iter().chain(entrants).chain(cards).collect()
}

/// The lines of a sheet's files, in the order of the rules.
pub fn sheet_lines(program: &Program, files: SheetFiles) -> Vec<SheetLine> {
    let reader = match files {
        SheetFiles::Entrant(sheet) => program.sides.entrant.and_then(|kind| SheetReader::of_entrant(program, kind, sheet)),
        SheetFiles::Card(sheet) => Some(SheetReader::of_card(program, sheet)),
    };
    let Some(reader) = reader else { return Vec::new() };
    let zones = reader.printed_zones().map(|(_, zone)| SheetLine {
        name: zone.name.clone(),
        needed: !zone.optional,
        holds: if program.is_printed(zone.holds) { LineContent::Cards(zone.holds) } else { LineContent::Dice },
    });
    let value = |field: &FieldInfo, needed: bool| {
        let holds = LineContent::Value(Box::new(field.clone()));
        SheetLine { name: field.name.clone(), needed, holds }
    };
    let fields = reader.printed_fields().map(|(_, field)| value(field, !field.optional));
    let columns = reader.columns.all_columns();
    let columns = columns.iter().map(|(printed, column)| value(column, printed.default.is_none()));
    zones.chain(fields).chain(columns).collect()
}

impl SheetLine {
    /// Describes the allowed values.
    pub fn allowed_text(&self, program: &Program) -> String {
        match &self.holds {
            LineContent::Dice => dice_text(program),
            LineContent::Cards(kind) => {
                format!("{} by their ids, with the number of each: `{{id: 2}}`", program.kind(*kind).plural)
            }
            LineContent::Value(field) => shape_text(program, field, &field.shape),
        }
    }

    /// A sample value.
    pub fn sample_value(&self, program: &Program) -> OutputValue {
        match &self.holds {
            LineContent::Dice => OutputValue::List(sample_dice(program)),
            LineContent::Cards(kind) => {
                let of_kind = |print: &Value| {
                    program.prints.find_print(*print).and_then(|print| program.prints.sheets[usize::from(print.sheet)].kind)
                        == Some(*kind)
                };
                let ids = program.prints.ids.iter().filter(|(_, print)| of_kind(print));
                OutputValue::Map(ids.map(|(id, _)| (id.clone(), OutputValue::from_number(1))).collect())
            }
            LineContent::Value(field) => sample_of_shape(program, field, &field.shape),
        }
    }
}

/// Describes a list of dice of the game.
fn dice_text(program: &Program) -> String {
    let sizes: Vec<String> = program.die_sizes.iter().map(i32::to_string).collect();
    let others: Vec<String> = program.faces.iter().map(|faces| format!("`{}`", program.kind(faces.kind).name)).collect();
    match (sizes.as_slice(), others.as_slice()) {
        (sizes, []) => format!("dice by their sizes: {}", join_words(sizes, "and")),
        ([], others) => format!("dice by their names: {}", join_words(others, "and")),
        (sizes, others) => {
            format!("dice by their sizes, {}, or by their names, {}", join_words(sizes, "and"), join_words(others, "and"))
        }
    }
}

/// Sample dice of medium sizes.
fn sample_dice(program: &Program) -> Vec<OutputValue> {
    let sizes = &program.die_sizes;
    if sizes.is_empty() {
        return program.faces.iter().take(DICE).map(|faces| OutputValue::from_text(&program.kind(faces.kind).name)).collect();
    }
    let middle = (0..DICE).filter_map(|place| sizes.get(((2 * place + 1) * sizes.len() / (2 * DICE)).min(sizes.len() - 1)));
    middle.map(|size| OutputValue::from_number(*size)).collect()
}

/// Describes the values of a shape. `field` has the range of numbers.
fn shape_text(program: &Program, field: &FieldInfo, shape: &Shape) -> String {
    match shape {
        Shape::Number => match field.range {
            Some((least, most)) => format!("a number from {least} to {most}"),
            None => "a number".to_string(),
        },
        Shape::Halves => match field.range {
            Some((least, most)) => {
                format!("a number or a half, from {} to {}", halves_text(least), halves_text(most))
            }
            None => "a number or a half, such as `2.5`".to_string(),
        },
        Shape::Flag => "`true` or `false`".to_string(),
        Shape::Word(of) => one_of_text(program.words.get(usize::from(*of)).map_or(&[][..], |words| &words.words)),
        Shape::Text => "words".to_string(),
        Shape::OrNone(inner) => format!("{}, or `none`", shape_text(program, field, inner)),
        Shape::List(inner) => format!("a list in brackets; each: {}", shape_text(program, field, inner)),
        Shape::Sheet(sheet) => {
            let lines = sheet_lines(program, SheetFiles::Card(*sheet));
            let names: Vec<String> = lines.iter().map(|line| format!("`{}`", line.name)).collect();
            let name = program.prints.sheets.get(usize::from(*sheet)).map_or("sheet", |sheet| &sheet.name);
            let name = with_article(name);
            if names.is_empty() { name } else { format!("{name}, with its `name`, {}", join_words(&names, "and")) }
        }
        _ => "a value".to_string(),
    }
}

/// Describes a choice of words, with the first few of them.
fn one_of_text(words: &[String]) -> String {
    let mut listed: Vec<String> = words.iter().take(MOST_LISTED).map(|word| format!("`{word}`")).collect();
    if words.len() > MOST_LISTED {
        listed.push("others".to_string());
    }
    format!("one of {}", join_words(&listed, "and"))
}

/// A sample value of a shape.
fn sample_of_shape(program: &Program, field: &FieldInfo, shape: &Shape) -> OutputValue {
    match shape {
        Shape::Flag => OutputValue::Scalar("false".to_string()),
        Shape::Word(of) => {
            let word = program.words.get(usize::from(*of)).and_then(|words| words.words.first());
            OutputValue::from_text(word.map_or("none", String::as_str))
        }
        Shape::Text => OutputValue::from_text("to be written"),
        Shape::OrNone(inner) => sample_of_shape(program, field, inner),
        Shape::List(_) => OutputValue::List(Vec::new()),
        Shape::Sheet(sheet) => {
            let needed = sheet_lines(program, SheetFiles::Card(*sheet)).into_iter().filter(|line| line.needed);
            OutputValue::Map(needed.map(|line| (line.name.clone(), line.sample_value(program))).collect())
        }
        Shape::Halves => OutputValue::from_value(&halves_text(clamp_number(field, 2))),
        _ => OutputValue::from_number(clamp_number(field, 1)),
    }
}

/// The given number, clamped to the field's range.
fn clamp_number(field: &FieldInfo, usual: Value) -> Value {
    field.range.map_or(usual, |(least, most)| usual.clamp(least, most))
}
