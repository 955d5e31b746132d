//! Schemas of the values of fields, columns and options.

use super::{Definitions, any, list, words};
use crate::field::is_entrant;
use ludex_program::{FieldInfo, Program, SIDE, Shape};
use serde_json::{Value, json};

/// The schema of a field's value in a file.
pub fn of_field(program: &Program, field: &FieldInfo, definitions: &mut Definitions) -> Value {
    of_shape(program, field, &field.shape, definitions)
}

pub fn of_shape(program: &Program, field: &FieldInfo, shape: &Shape, definitions: &mut Definitions) -> Value {
    match shape {
        Shape::OrNone(inner) => any(vec![of_shape(program, field, inner, definitions), json!({ "enum": [null, "none"] })]),
        Shape::Flag => json!({ "enum": [true, false, "yes", "no"] }),
        Shape::Word(of) => definitions
            .refer(&format!("words.{of}"), |_| words(program.words.get(usize::from(*of)).map_or(&[][..], |known| &known.words))),
        Shape::Halves => bounded("number", field.range.map(|(least, most)| (f64::from(least) / 2.0, f64::from(most) / 2.0))),
        Shape::Number => bounded("integer", field.range),
        Shape::Entity(SIDE) => json!({ "type": "integer", "minimum": 0, "maximum": program.sides.most.saturating_sub(1) }),
        Shape::Entity(_) if is_entrant(program, shape) => json!({ "type": ["string", "integer"] }),
        Shape::List(inner) => {
            let mut schema = list(&of_shape(program, field, inner, definitions));
            if field.room > 0 {
                schema["maxItems"] = json!(field.room);
            }
            schema
        }
        Shape::Text => json!({ "type": "string" }),
        // `check` reports values that files cannot have.
        Shape::Entity(_) | Shape::Zone(_) | Shape::Move(_) | Shape::Sheet(_) | Shape::Nothing => json!(true),
    }
}

fn bounded<N: serde::Serialize>(sort: &str, range: Option<(N, N)>) -> Value {
    let mut schema = json!({ "type": sort });
    if let Some((least, most)) = range {
        schema["minimum"] = json!(least);
        schema["maximum"] = json!(most);
    }
    if sort == "number" {
        schema["multipleOf"] = json!(0.5);
    }
    schema
}

/// The schema of a die: its size, or the name of one with its own faces.
pub fn die(program: &Program, definitions: &mut Definitions) -> Value {
    definitions.refer("die", |definitions| {
        let mut known = vec![size(program, definitions)];
        known.extend((!program.faces.is_empty()).then(|| faces(program, definitions)));
        any(known)
    })
}

/// The schema of the sizes of dice.
pub fn size(program: &Program, definitions: &mut Definitions) -> Value {
    definitions.refer("size", |_| json!({ "enum": program.die_sizes }))
}

/// The schema of the names of dice with their own faces.
pub fn faces(program: &Program, definitions: &mut Definitions) -> Value {
    definitions.refer("faces", |_| words(program.faces.iter().map(|faces| program.kind(faces.kind).name.as_str())))
}

/// The schema of a list of marks.
pub fn marks(program: &Program, printed: bool, definitions: &mut Definitions) -> Value {
    let marks = program.marks.iter().filter(|mark| mark.printed || !printed).map(|mark| mark.name.as_str());
    definitions.refer(if printed { "printed-marks" } else { "marks" }, |_| list(&words(marks)))
}
