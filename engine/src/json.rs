//! Events, options, views and outcomes as the objects of the host protocol.

use crate::runtime::{Event, OptionView, Outcome, View};
use ludex_program::{GameOptionKind, Program};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// What an event says: its kind, what it carries and whom it concerns, without number, cause and sentence.
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

/// One option of a decision, its arguments by name.
pub fn option(option: &OptionView) -> Value {
    plain(option)
}

/// The arguments of an option by name.
pub fn arguments(option: &OptionView) -> Map<String, Value> {
    option.args.iter().map(|(name, argument)| (name.clone(), plain(argument))).collect()
}

/// `result`, `winners`, `scores` by side, and `payoffs` where the rules give them.
pub fn outcome(outcome: &Outcome) -> Map<String, Value> {
    object(outcome)
}

/// A view with its counters as numbers where they are whole.
pub fn view(view: &View) -> Value {
    plain(view)
}

/// Every option of the game with the value played with.
pub fn options(program: &Program) -> Map<String, Value> {
    let shown = |option: &ludex_program::GameOption| match option.kind {
        GameOptionKind::Number { .. } => json!(option.value),
        GameOptionKind::Words(_) => json!(option.shown(option.value)),
    };
    program.options.iter().map(|option| (option.name.clone(), shown(option))).collect()
}

/// A structure with names; nothing of one without.
fn object(value: &impl Serialize) -> Map<String, Value> {
    match plain(value) {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

fn plain(value: &impl Serialize) -> Value {
    // Plain structures of words and whole numbers: nothing in them can fail to be written.
    serde_json::to_value(value).unwrap_or(Value::Null)
}
