//! A file of YAML as an editor reads it, for those who hold it against a schema.

use ludex_engine::yaml::{Node, Value as Yaml};
use serde_json::Value;

pub fn json(node: &Node) -> Value {
    match &node.value {
        Yaml::Null => Value::Null,
        Yaml::Flag(flag) => (*flag).into(),
        Yaml::Number(number) => (*number).into(),
        // Half a number.
        Yaml::Text(text) if text.ends_with(".5") => text.parse::<f64>().map_or(text.as_str().into(), Value::from),
        Yaml::Text(text) => text.as_str().into(),
        Yaml::List(list) => list.iter().map(json).collect(),
        Yaml::Map(entries) => entries.iter().map(|(key, node)| (key.name.clone(), json(node))).collect(),
    }
}
