//! The lines that files of a sheet may have, by the rules. Used to write new files.

use super::SheetReader;
use crate::field::written_in_halves;
use ludex_program::{FieldInfo, KindId, Program, Shape, SheetId, Value};
use ludex_syntax::problem::{joined, with_article};
use ludex_syntax::yaml::Written;

/// Maximum number of words of a type in a description.
const MOST_LISTED: usize = 12;
/// Number of dice in a sample list.
const DICE: usize = 4;

/// The files of a sheet: those of entrants, or those of cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Files {
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
    holds: Holds,
}

#[derive(Clone, Debug)]
enum Holds {
    Dice,
    Cards(KindId),
    Value(Box<FieldInfo>),
}

/// The sheets of which a game has files, those of entrants first, each with its name in the rules.
pub fn sheets(program: &Program) -> Vec<(Files, String)> {
    let all = || (0..).zip(&program.prints.sheets).filter_map(|(id, sheet)| Some((id, sheet, sheet.kind?)));
    let is_card = |kind: KindId| program.is_printed(kind);
    let entrants: Vec<(Files, String)> =
        all().filter(|(.., kind)| !is_card(*kind)).map(|(id, sheet, _)| (Files::Entrant(Some(id)), sheet.name.clone())).collect();
    let cards = all().filter(|(.., kind)| is_card(*kind)).map(|(id, sheet, _)| (Files::Card(id), sheet.name.clone()));
    let plain = program.sides.entrant.filter(|_| entrants.is_empty());
    let plain = plain.map(|kind| (Files::Entrant(None), program.kind(kind).name.clone()));
    plain.into_iter().chain(entrants).chain(cards).collect()
}

/// The lines of a sheet's files, in the order of the rules.
pub fn lines(program: &Program, files: Files) -> Vec<SheetLine> {
    let reader = match files {
        Files::Entrant(sheet) => program.sides.entrant.and_then(|kind| SheetReader::of_entrant(program, kind, sheet)),
        Files::Card(sheet) => Some(SheetReader::of_card(program, sheet)),
    };
    let Some(reader) = reader else { return Vec::new() };
    let zones = reader.printed_zones().map(|(_, zone)| SheetLine {
        name: zone.name.clone(),
        needed: !zone.optional,
        holds: if program.is_printed(zone.holds) { Holds::Cards(zone.holds) } else { Holds::Dice },
    });
    let value = |field: &FieldInfo, needed: bool| {
        let holds = Holds::Value(Box::new(field.clone()));
        SheetLine { name: field.name.clone(), needed, holds }
    };
    let fields = reader.printed_fields().map(|(_, field)| value(field, !field.optional));
    let columns = reader.columns.all();
    let columns = columns.iter().map(|(printed, column)| value(column, printed.default.is_none()));
    zones.chain(fields).chain(columns).collect()
}

impl SheetLine {
    /// Describes the allowed values.
    pub fn words(&self, program: &Program) -> String {
        match &self.holds {
            Holds::Dice => dice_words(program),
            Holds::Cards(kind) => format!("{} by their ids, with the number of each: `{{id: 2}}`", program.kind(*kind).plural),
            Holds::Value(field) => value_words(program, field, &field.shape),
        }
    }

    /// A sample value.
    pub fn sample(&self, program: &Program) -> Written {
        match &self.holds {
            Holds::Dice => Written::List(dice(program)),
            Holds::Cards(kind) => {
                let of_kind = |print: &Value| {
                    program.prints.print(*print).and_then(|print| program.prints.sheets[usize::from(print.sheet)].kind)
                        == Some(*kind)
                };
                let ids = program.prints.ids.iter().filter(|(_, print)| of_kind(print));
                Written::Map(ids.map(|(id, _)| (id.clone(), Written::number(1))).collect())
            }
            Holds::Value(field) => sample(program, field, &field.shape),
        }
    }
}

fn dice_words(program: &Program) -> String {
    let sizes: Vec<String> = program.die_sizes.iter().map(i32::to_string).collect();
    let others: Vec<String> = program.faces.iter().map(|faces| format!("`{}`", program.kind(faces.kind).name)).collect();
    match (sizes.as_slice(), others.as_slice()) {
        (sizes, []) => format!("dice by their sizes: {}", joined(sizes, "and")),
        ([], others) => format!("dice by their names: {}", joined(others, "and")),
        (sizes, others) => {
            format!("dice by their sizes, {}, or by their names, {}", joined(sizes, "and"), joined(others, "and"))
        }
    }
}

/// Sample dice of medium sizes.
fn dice(program: &Program) -> Vec<Written> {
    let sizes = &program.die_sizes;
    if sizes.is_empty() {
        return program.faces.iter().take(DICE).map(|faces| Written::text(&program.kind(faces.kind).name)).collect();
    }
    let middle = (0..DICE).filter_map(|place| sizes.get(((2 * place + 1) * sizes.len() / (2 * DICE)).min(sizes.len() - 1)));
    middle.map(|size| Written::number(*size)).collect()
}

fn value_words(program: &Program, field: &FieldInfo, shape: &Shape) -> String {
    match shape {
        Shape::Number => match field.range {
            Some((least, most)) => format!("a number from {least} to {most}"),
            None => "a number".to_string(),
        },
        Shape::Halves => match field.range {
            Some((least, most)) => {
                format!("a number or a half, from {} to {}", written_in_halves(least), written_in_halves(most))
            }
            None => "a number or a half, such as `2.5`".to_string(),
        },
        Shape::Flag => "`true` or `false`".to_string(),
        Shape::Word(of) => one_of(program.words.get(usize::from(*of)).map_or(&[][..], |words| &words.words)),
        Shape::Text => "words".to_string(),
        Shape::OrNone(inner) => format!("{}, or `none`", value_words(program, field, inner)),
        Shape::List(inner) => format!("a list in brackets; each: {}", value_words(program, field, inner)),
        Shape::Sheet(sheet) => {
            let lines = lines(program, Files::Card(*sheet));
            let names: Vec<String> = lines.iter().map(|line| format!("`{}`", line.name)).collect();
            let name = program.prints.sheets.get(usize::from(*sheet)).map_or("sheet", |sheet| &sheet.name);
            let name = with_article(name);
            if names.is_empty() { name } else { format!("{name}, with its `name`, {}", joined(&names, "and")) }
        }
        _ => "a value".to_string(),
    }
}

fn one_of(words: &[String]) -> String {
    let mut listed: Vec<String> = words.iter().take(MOST_LISTED).map(|word| format!("`{word}`")).collect();
    if words.len() > MOST_LISTED {
        listed.push("others".to_string());
    }
    format!("one of {}", joined(&listed, "and"))
}

fn sample(program: &Program, field: &FieldInfo, shape: &Shape) -> Written {
    match shape {
        Shape::Flag => Written::Scalar("false".to_string()),
        Shape::Word(of) => {
            let word = program.words.get(usize::from(*of)).and_then(|words| words.words.first());
            Written::text(word.map_or("none", String::as_str))
        }
        Shape::Text => Written::text("to be written"),
        Shape::OrNone(inner) => sample(program, field, inner),
        Shape::List(_) => Written::List(Vec::new()),
        Shape::Sheet(sheet) => {
            let needed = lines(program, Files::Card(*sheet)).into_iter().filter(|line| line.needed);
            Written::Map(needed.map(|line| (line.name.clone(), line.sample(program))).collect())
        }
        Shape::Halves => Written::value(&written_in_halves(number(field, 2))),
        _ => Written::number(number(field, 1)),
    }
}

/// The given number, clamped to the field's range.
fn number(field: &FieldInfo, usual: Value) -> Value {
    field.range.map_or(usual, |(least, most)| usual.clamp(least, most))
}
