//! Events, options, views and outcomes as the objects of the host protocol.

use crate::runtime::{Event, OptionView, Outcome, View};
use ludex_program::{GameOptionKind, Program};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The content of an event: its kind, its data and whom it concerns, without number, cause and text.
pub fn event_facts(event: &Event) -> Map<String, Value> {
    let mut facts = Map::new();
    facts.insert("kind".into(), json!(event.name));
    facts.extend(to_json_object(&event.kind));
    if let Some(by) = event.by {
        facts.insert("by".into(), json!(by));
    }
    facts
}

/// A whole event, numbered `number`.
pub fn event_json(event: &Event, number: u64) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("type".into(), json!("event"));
    object.insert("n".into(), json!(number));
    object.extend(event_facts(event));
    object.insert("cause".into(), to_json_value(&event.cause));
    object.insert("text".into(), json!(event.text));
    object
}

/// One option of a decision, with its arguments by name.
pub fn option_json(option: &OptionView) -> Value {
    to_json_value(option)
}

/// The arguments of an option by name.
pub fn arguments_json(option: &OptionView) -> Map<String, Value> {
    option.args.iter().map(|(name, argument)| (name.clone(), to_json_value(argument))).collect()
}

/// `result`, `winners`, `scores` by side, and `payoffs` if the rules define them.
pub fn outcome_json(outcome: &Outcome) -> Map<String, Value> {
    to_json_object(outcome)
}

/// A view; whole counters are numbers.
pub fn view_json(view: &View) -> Value {
    to_json_value(view)
}

/// Every option of the game with its value in this program.
pub fn game_options_json(program: &Program) -> Map<String, Value> {
    let shown = |option: &ludex_program::GameOption| match option.kind {
        GameOptionKind::Number { .. } => json!(option.value),
        GameOptionKind::Words(_) => json!(option.value_text(option.value)),
    };
    program.options.iter().map(|option| (option.name.clone(), shown(option))).collect()
}

/// A structure as a map; empty if it is not an object.
fn to_json_object(value: &impl Serialize) -> Map<String, Value> {
    match to_json_value(value) {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

fn to_json_value(value: &impl Serialize) -> Value {
    // Plain structures of strings and whole numbers: serialising them cannot fail.
    serde_json::to_value(value).unwrap_or(Value::Null)
}
