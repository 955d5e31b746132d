//! A compiled game → what its files look like, as JSON Schema (draft 7), so that editors mark what is misspelt as it is typed.
//!
//! A schema is a little milder than `check`: it knows one file at a time, and nothing of how what stands there plays.

mod definitions;
mod positions;
mod sheets;
mod values;

use ludex_program::Program;
use serde_json::{Map, Value, json};

pub use definitions::Definitions;
pub use positions::{position, position_parts};
pub use sheets::{sheet, sheets};

/// The dialect that editors know best.
pub const DIALECT: &str = "http://json-schema.org/draft-07/schema#";

/// A whole schema of something of a game.
pub fn document(program: &Program, what: &str, schema: Value) -> Value {
    let mut document = json!({ "$schema": DIALECT, "title": format!("{what} of {}", program.title) });
    if let (Value::Object(document), Value::Object(schema)) = (&mut document, schema) {
        document.extend(schema);
    }
    document
}

/// A map with these keys alone.
fn object(properties: Map<String, Value>, required: &[String]) -> Value {
    let mut schema = json!({ "type": "object", "additionalProperties": false, "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// One of some schemas.
fn any(mut schemas: Vec<Value>) -> Value {
    match schemas.len() {
        1 => schemas.remove(0),
        _ => json!({ "anyOf": schemas }),
    }
}

fn list(items: &Value) -> Value {
    json!({ "type": "array", "items": items })
}

/// One of some words. Nothing fits if there are none.
fn words<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> Value {
    let words: Vec<String> = words.into_iter().map(|word| word.as_ref().to_string()).collect();
    if words.is_empty() { json!(false) } else { json!({ "enum": words }) }
}
