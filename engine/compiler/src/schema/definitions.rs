//! Schemas that are written once and referred to by name. So a schema is about as long as the rules and sheets that it describes, and
//! a sheet may be part of itself.

use serde_json::{Map, Value, json};

/// The schemas under `#/definitions/`.
#[derive(Default)]
pub struct Definitions {
    /// Begins each name, so that the definitions of modes are different.
    prefix: String,
    schemas: Map<String, Value>,
}

impl Definitions {
    /// Begins the names of all further definitions with the name of a mode.
    pub(super) fn begin_names_with(&mut self, mode: &str) {
        self.prefix = if mode.is_empty() { String::new() } else { format!("{mode}.") };
    }

    /// Refers to a schema, and writes it where nothing else has. It may refer to itself.
    pub(super) fn refer(&mut self, name: &str, schema: impl FnOnce(&mut Definitions) -> Value) -> Value {
        let name = format!("{}{name}", self.prefix);
        let reference = json!({ "$ref": format!("#/definitions/{name}") });
        if !self.schemas.contains_key(&name) {
            self.schemas.insert(name.clone(), Value::Bool(true));
            let schema = match schema(self) {
                // Editors take a reference to `false` for one to nothing.
                Value::Bool(false) => json!({ "not": {} }),
                schema => schema,
            };
            self.schemas.insert(name, schema);
        }
        reference
    }

    /// Writes a schema that others may refer to.
    pub fn insert(&mut self, name: &str, schema: Value) {
        self.schemas.insert(name.to_string(), schema);
    }

    /// A schema with all that it refers to.
    pub fn written_into(self, mut schema: Value) -> Value {
        if !self.schemas.is_empty() {
            schema["definitions"] = Value::Object(self.schemas);
        }
        schema
    }
}
