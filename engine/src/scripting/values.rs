//! What scripts hold: things, zones and moves by number, numbers, flags, words and lists.

use crate::program::{NONE, Program, Shape, Value};
use crate::runtime::flow::{Machine, PlayContext};
use rhai::{Array, Dynamic};

/// A side, the table, an entrant or a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thing(pub Value);

/// A zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoneOf(pub Value);

/// Something printed on a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Print(pub Value);

/// A chosen move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub at: Value,
    pub family: u16,
}

/// How long a mark lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duration {
    pub procedure: u16,
    pub next: bool,
    pub of: Value,
}

/// A value of the machine as a script sees it.
pub fn to_script(machine: &Machine, context: &PlayContext, value: Value, shape: &Shape) -> Dynamic {
    match shape {
        Shape::OrNone(_) | Shape::Entity(_) | Shape::Zone(_) | Shape::Move(_) | Shape::Sheet(_) | Shape::Text
            if value == NONE =>
        {
            Dynamic::UNIT
        }
        Shape::OrNone(inner) => to_script(machine, context, value, inner),
        Shape::Number | Shape::Halves => Dynamic::from(i64::from(value)),
        Shape::Flag => Dynamic::from(value != 0),
        Shape::Word(words) => word(context.program, *words, value),
        Shape::Entity(_) => Dynamic::from(Thing(value)),
        Shape::Zone(_) => Dynamic::from(ZoneOf(value)),
        Shape::Move(family) => Dynamic::from(Move { at: value, family: *family }),
        Shape::List(inner) => {
            let members = machine.state.list(value).iter().map(|member| to_script(machine, context, *member, inner));
            Dynamic::from(members.collect::<Array>())
        }
        Shape::Sheet(_) => Dynamic::from(Print(value)),
        Shape::Text => Dynamic::from(context.program.prints.text(value).to_string()),
        Shape::Nothing => Dynamic::UNIT,
    }
}

fn word(program: &Program, words: u16, value: Value) -> Dynamic {
    let list = program.words.get(words as usize).map_or(&[][..], |words| words.words.as_slice());
    list.get(value as usize).map_or(Dynamic::UNIT, |word| Dynamic::from(word.clone()))
}

/// A script's value for a place of a shape, or why it does not fit.
pub fn from_script(machine: &mut Machine, context: &PlayContext, value: &Dynamic, shape: &Shape) -> Result<Value, String> {
    match shape {
        Shape::OrNone(_) if value.is_unit() => Ok(NONE),
        Shape::OrNone(inner) => from_script(machine, context, value, inner),
        Shape::Number | Shape::Halves => {
            let number = value.as_int().map_err(|found| format!("a number is needed, but this is {}", plain_type(found)))?;
            Value::try_from(number)
                .ok()
                .filter(|value| *value != NONE)
                .ok_or_else(|| format!("{number} goes beyond 2,147,483,647"))
        }
        Shape::Flag => value
            .as_bool()
            .map(Value::from)
            .map_err(|found| format!("true or false is needed, but this is {}", plain_type(found))),
        Shape::Word(words) => {
            let text =
                value.clone().into_string().map_err(|found| format!("a word is needed, but this is {}", plain_type(found)))?;
            let list = context.program.words.get(*words as usize).map_or(&[][..], |words| words.words.as_slice());
            list.iter()
                .position(|word| *word == text)
                .map(|index| index as Value)
                .ok_or_else(|| format!("`{text}` is not one of {}", list.join(", ")))
        }
        Shape::Entity(kind) => {
            let thing = value.clone().try_cast::<Thing>().ok_or_else(|| {
                format!("a {} is needed, but this is {}", context.program.kind(*kind).name, plain_type(value.type_name()))
            })?;
            let found = machine.state.board.entities.get(thing.0 as usize).map(|entity| entity.kind);
            match found {
                Some(found) if context.program.is_kind(found, *kind) => Ok(thing.0),
                Some(found) => Err(format!(
                    "a {} is needed, but this is a {}",
                    context.program.kind(*kind).name,
                    context.program.kind(found).name
                )),
                None => Err("this thing does not exist".to_string()),
            }
        }
        Shape::Zone(_) => value
            .clone()
            .try_cast::<ZoneOf>()
            .map(|zone| zone.0)
            .ok_or_else(|| format!("a zone is needed, but this is {}", plain_type(value.type_name()))),
        Shape::List(inner) => {
            let members = list_of(machine, value)
                .ok_or_else(|| format!("a list is needed, but this is {}", plain_type(value.type_name())))?;
            let mut values = Vec::with_capacity(members.len());
            for member in &members {
                values.push(from_script(machine, context, member, inner)?);
            }
            Ok(machine.push_list(&values))
        }
        Shape::Move(_) => value
            .clone()
            .try_cast::<Move>()
            .map(|chosen| chosen.at)
            .ok_or_else(|| format!("a move is needed, but this is {}", plain_type(value.type_name()))),
        Shape::Sheet(_) => value
            .clone()
            .try_cast::<Print>()
            .map(|print| print.0)
            .ok_or_else(|| format!("something printed is needed, but this is {}", plain_type(value.type_name()))),
        Shape::Text => {
            let text =
                value.clone().into_string().map_err(|found| format!("a text is needed, but this is {}", plain_type(found)))?;
            let known = context.program.prints.texts.iter().position(|known| *known == text);
            known.map(|text| text as Value).ok_or_else(|| format!("nothing printed reads `{text}`"))
        }
        Shape::Nothing => Ok(NONE),
    }
}

/// The members of a list, of a zone, or one thing alone.
pub fn list_of(machine: &Machine, value: &Dynamic) -> Option<Array> {
    if let Some(zone) = value.read_lock::<ZoneOf>() {
        return Some(machine.state.board.pieces(zone.0).iter().map(|piece| Dynamic::from(Thing(Value::from(*piece)))).collect());
    }
    if value.is::<Thing>() {
        return Some(vec![value.clone()]);
    }
    value.read_lock::<Array>().map(|members| members.clone())
}

/// How many members a list or a zone has; one thing alone counts as one.
pub fn length_of(machine: &Machine, value: &Dynamic) -> Option<usize> {
    if let Some(zone) = value.read_lock::<ZoneOf>() {
        return Some(machine.state.board.pieces(zone.0).len());
    }
    if value.is::<Thing>() {
        return Some(1);
    }
    value.read_lock::<Array>().map(|members| members.len())
}

/// The entities of a list.
pub fn things_of(machine: &Machine, value: &Dynamic) -> Result<Vec<Value>, String> {
    if let Some(zone) = value.read_lock::<ZoneOf>() {
        return Ok(machine.state.board.pieces(zone.0).iter().map(|piece| Value::from(*piece)).collect());
    }
    if let Some(thing) = value.read_lock::<Thing>() {
        return Ok(vec![thing.0]);
    }
    let Some(members) = value.read_lock::<Array>() else {
        return Err(format!("things are needed, but this is {}", plain_type(value.type_name())));
    };
    let thing = |member: &Dynamic| match member.read_lock::<Thing>() {
        Some(thing) => Ok(thing.0),
        None => Err(format!("a thing is needed, but this is {}", plain_type(member.type_name()))),
    };
    members.iter().map(thing).collect()
}

/// A type of rhai in a reader's words.
pub fn plain_type(name: &str) -> &str {
    match name {
        "i64" => "a number",
        "bool" => "true or false",
        "()" => "nothing",
        "array" => "a list",
        name if name.ends_with("Thing") => "a thing",
        name if name.ends_with("ZoneOf") => "a zone",
        name if name.ends_with("Print") => "something printed",
        name if name.ends_with("Move") => "a move",
        name if name.ends_with("Duration") => "a length of time",
        name if name.contains("tring") => "a text",
        other => other,
    }
}
