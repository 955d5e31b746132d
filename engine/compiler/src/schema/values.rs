//! Schemas of the values of fields, columns and options.

use super::{Definitions, any_schema, list_schema, words_schema};
use crate::field::is_entrant_shape;
use ludex_program::{FieldInfo, Program, SIDE, Shape};
use serde_json::{Value, json};

/// The schema of a field's value in a file.
pub fn field_schema(program: &Program, field: &FieldInfo, definitions: &mut Definitions) -> Value {
    shape_schema(program, field, &field.shape, definitions)
}

/// The schema of a value of a shape. `field` has the range of numbers and the capacity of a list.
pub fn shape_schema(program: &Program, field: &FieldInfo, shape: &Shape, definitions: &mut Definitions) -> Value {
    match shape {
        Shape::OrNone(inner) => {
            any_schema(vec![shape_schema(program, field, inner, definitions), json!({ "enum": [null, "none"] })])
        }
        Shape::Flag => json!({ "enum": [true, false, "yes", "no"] }),
        Shape::Word(of) => definitions.reference_schema(&format!("words.{of}"), |_| {
            words_schema(program.words.get(usize::from(*of)).map_or(&[][..], |known| &known.words))
        }),
        Shape::Halves => {
            bounded_schema("number", field.range.map(|(least, most)| (f64::from(least) / 2.0, f64::from(most) / 2.0)))
        }
        Shape::Number => bounded_schema("integer", field.range),
        Shape::Entity(SIDE) => json!({ "type": "integer", "minimum": 0, "maximum": program.sides.most.saturating_sub(1) }),
        Shape::Entity(_) if is_entrant_shape(program, shape) => json!({ "type": ["string", "integer"] }),
        Shape::List(inner) => {
            let mut schema = list_schema(&shape_schema(program, field, inner, definitions));
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

/// The schema of a number, whole or with halves, with its range.
fn bounded_schema<N: serde::Serialize>(sort: &str, range: Option<(N, N)>) -> Value {
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
pub fn die_schema(program: &Program, definitions: &mut Definitions) -> Value {
    definitions.reference_schema("die", |definitions| {
        let mut known = vec![size_schema(program, definitions)];
        known.extend((!program.faces.is_empty()).then(|| faces_schema(program, definitions)));
        any_schema(known)
    })
}

/// The schema of the sizes of dice.
pub fn size_schema(program: &Program, definitions: &mut Definitions) -> Value {
    definitions.reference_schema("size", |_| json!({ "enum": program.die_sizes }))
}

/// The schema of the names of dice with their own faces.
pub fn faces_schema(program: &Program, definitions: &mut Definitions) -> Value {
    definitions
        .reference_schema("faces", |_| words_schema(program.faces.iter().map(|faces| program.kind(faces.kind).name.as_str())))
}

/// The schema of a list of marks. `printed`: only those that sheets may give to dice.
pub fn marks_schema(program: &Program, printed: bool, definitions: &mut Definitions) -> Value {
    let marks = program.marks.iter().filter(|mark| mark.printed || !printed).map(|mark| mark.name.as_str());
    definitions.reference_schema(if printed { "printed-marks" } else { "marks" }, |_| list_schema(&words_schema(marks)))
}
