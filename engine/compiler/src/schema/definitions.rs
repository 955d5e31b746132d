//! Named schemas, written once and referenced. So a schema is about as long as the rules and sheets it describes, and a sheet
//! may contain itself.

use serde_json::{Map, Value, json};

/// The schemas under `#/definitions/`.
#[derive(Default)]
pub struct Definitions {
    /// The prefix of each name, which keeps the definitions of modes apart.
    prefix: String,
    schemas: Map<String, Value>,
}

impl Definitions {
    /// Prefixes the names of all further definitions with the name of a mode.
    pub(super) fn set_prefix(&mut self, mode: &str) {
        self.prefix = if mode.is_empty() { String::new() } else { format!("{mode}.") };
    }

    /// References a schema, and writes it on first use. It may reference itself.
    pub(super) fn reference_schema(&mut self, name: &str, schema: impl FnOnce(&mut Definitions) -> Value) -> Value {
        let name = format!("{}{name}", self.prefix);
        let reference = json!({ "$ref": format!("#/definitions/{name}") });
        if !self.schemas.contains_key(&name) {
            self.schemas.insert(name.clone(), Value::Bool(true));
            let schema = match schema(self) {
                // Editors misread a reference to `false`.
                Value::Bool(false) => json!({ "not": {} }),
                schema => schema,
            };
            self.schemas.insert(name, schema);
        }
        reference
    }

    /// Writes a schema that others may reference.
    pub fn insert(&mut self, name: &str, schema: Value) {
        self.schemas.insert(name.to_string(), schema);
    }

    /// A schema with all definitions.
    pub fn write_into(self, mut schema: Value) -> Value {
        if !self.schemas.is_empty() {
            schema["definitions"] = Value::Object(self.schemas);
        }
        schema
    }
}
