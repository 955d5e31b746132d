//! Events, options, views and outcomes as the objects of the host protocol.

use crate::runtime::{Event, OptionView, Outcome, View};
use ludex_program::{GameOptionKind, Program};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The content of an event: its kind, its data and whom it concerns, without number, cause and text.
pub fn facts(event: &Event) -> Map<String, Value> {
    let mut facts = Map::new();
    facts.insert("kind".into(), json!(event.name));
    facts.extend(object(&event.kind));
    if let Some(by) = event.by {
        facts.insert("by".into(), json!(by));
    }
    facts
}

/// A whole event, numbered `number`.
pub fn event(event: &Event, number: u64) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("type".into(), json!("event"));
    object.insert("n".into(), json!(number));
    object.extend(facts(event));
    object.insert("cause".into(), plain(&event.cause));
    object.insert("text".into(), json!(event.text));
    object
}

/// One option of a decision, with its arguments by name.
pub fn option(option: &OptionView) -> Value {
    plain(option)
}

/// The arguments of an option by name.
pub fn arguments(option: &OptionView) -> Map<String, Value> {
    option.args.iter().map(|(name, argument)| (name.clone(), plain(argument))).collect()
}

/// `result`, `winners`, `scores` by side, and `payoffs` if the rules define them.
pub fn outcome(outcome: &Outcome) -> Map<String, Value> {
    object(outcome)
}

/// A view; whole counters are numbers.
pub fn view(view: &View) -> Value {
    plain(view)
}

/// Every option of the game with its value in this program.
pub fn options(program: &Program) -> Map<String, Value> {
    let shown = |option: &ludex_program::GameOption| match option.kind {
        GameOptionKind::Number { .. } => json!(option.value),
        GameOptionKind::Words(_) => json!(option.shown(option.value)),
    };
    program.options.iter().map(|option| (option.name.clone(), shown(option))).collect()
}

/// A structure as a map; empty if it is not an object.
fn object(value: &impl Serialize) -> Map<String, Value> {
    match plain(value) {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

fn plain(value: &impl Serialize) -> Value {
    // Plain structures of strings and whole numbers: serialising them cannot fail.
    serde_json::to_value(value).unwrap_or(Value::Null)
}
