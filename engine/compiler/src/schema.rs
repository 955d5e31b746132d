//! Generates JSON Schemas (draft 7) of a compiled game's files, so that editors can mark typos.
//!
//! A schema is a little more lenient than `check`: it covers one file at a time and does not know the effects in play.
//!
//! The verb `schema` of the command writes them. A definition is a named part of a schema that others refer to.

mod definitions;
mod positions;
mod sheets;
mod values;

use ludex_program::Program;
use serde_json::{Map, Value, json};

pub use definitions::Definitions;
pub use positions::{position_schema, position_schema_parts};
pub use sheets::{sheet_schema, sheets_schema};

/// The dialect with the best editor support.
pub const DIALECT: &str = "http://json-schema.org/draft-07/schema#";

/// A complete schema document for a part of a game.
pub fn schema_document(program: &Program, what: &str, schema: Value) -> Value {
    let mut document = json!({ "$schema": DIALECT, "title": format!("{what} of {}", program.title) });
    if let (Value::Object(document), Value::Object(schema)) = (&mut document, schema) {
        document.extend(schema);
    }
    document
}

/// A map with only these keys.
fn object_schema(properties: Map<String, Value>, required: &[String]) -> Value {
    let mut schema = json!({ "type": "object", "additionalProperties": false, "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// A choice among schemas.
fn any_schema(mut schemas: Vec<Value>) -> Value {
    match schemas.len() {
        1 => schemas.remove(0),
        _ => json!({ "anyOf": schemas }),
    }
}

/// A list of values.
fn list_schema(items: &Value) -> Value {
    json!({ "type": "array", "items": items })
}

/// A choice among words. With no words, nothing matches.
fn words_schema<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> Value {
    let words: Vec<String> = words.into_iter().map(|word| word.as_ref().to_string()).collect();
    if words.is_empty() { json!(false) } else { json!({ "enum": words }) }
}
