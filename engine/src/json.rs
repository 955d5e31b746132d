//! Events, options, views and outcomes as the objects of the host protocol.

use crate::program::{GameOptionKind, Program};
use crate::runtime::{EntrantView, Event, EventKind, OptionView, Outcome, SideView, View};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What an event says: its kind, what it carries and whom it concerns, without number, cause and sentence.
pub fn facts(event: &Event) -> Map<String, Value> {
    let mut facts = Map::new();
    facts.insert("kind".into(), json!(event.name));
    let mut put = |name: &str, value: Value| facts.insert(name.into(), value);
    match &event.kind {
        EventKind::Rolled { piece, value } => {
            put("piece", plain(piece));
            put("value", json!(value));
        }
        EventKind::RolledPool { size, values } => {
            put("size", json!(size));
            put("values", json!(values));
        }
        EventKind::Moved { piece, from, to, .. } => {
            put("piece", plain(piece));
            put("from", plain(from));
            put("zone", plain(to));
        }
        EventKind::Set { name, value, piece, entrant, .. } => {
            if let Some(entrant) = entrant {
                put("entrant", json!(entrant));
            }
            if let Some(piece) = piece {
                put("piece", plain(piece));
            }
            put("name", json!(name));
            put("value", number_or_word(value));
        }
        EventKind::Marked { piece, entrant, mark, .. } | EventKind::Unmarked { piece, entrant, mark, .. } => {
            match entrant {
                Some(entrant) => put("entrant", json!(entrant)),
                None => put("piece", plain(piece)),
            };
            put("mark", json!(mark));
        }
        EventKind::Created { piece, zone, .. } => {
            put("piece", plain(piece));
            put("zone", plain(zone));
        }
        EventKind::Removed { piece } => {
            put("piece", plain(piece));
        }
        EventKind::Drawn { pieces } | EventKind::Shown { pieces } => {
            put("pieces", plain(pieces));
        }
        EventKind::Left { side } => {
            put("side", json!(side));
        }
        EventKind::Shuffled { zone, .. } => {
            put("zone", plain(zone));
        }
        EventKind::Chose { key, decision } => {
            put("key", json!(key));
            put("decision", json!(decision));
        }
        EventKind::Used { ability, piece } => {
            put("ability", json!(ability));
            if let Some(piece) = piece {
                put("piece", plain(piece));
            }
        }
        EventKind::Said => {}
        EventKind::Began { scope } | EventKind::Ended { scope } => {
            put("scope", json!(scope));
        }
        EventKind::Finished { outcome } => {
            put("outcome", Value::Object(self::outcome(outcome)));
        }
    }
    if let Some(by) = event.by {
        put("by", json!(by));
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
    let mut object = Map::new();
    object.insert("id".into(), json!(option.id));
    object.insert("key".into(), json!(option.key));
    object.insert("action".into(), json!(option.action));
    object.insert("args".into(), Value::Object(arguments(option)));
    object.insert("text".into(), json!(option.text));
    if let Some(ability) = &option.ability {
        object.insert("ability".into(), json!(ability));
    }
    Value::Object(object)
}

/// The arguments of an option by name.
pub fn arguments(option: &OptionView) -> Map<String, Value> {
    option.args.iter().map(|(name, argument)| (name.clone(), plain(argument))).collect()
}

/// `result`, `winners`, and `scores` by side.
pub fn outcome(outcome: &Outcome) -> Map<String, Value> {
    let score = |counters: &Vec<(String, String)>| {
        Value::Object(counters.iter().map(|(name, value)| (name.clone(), number_or_word(value))).collect())
    };
    let scores: Map<String, Value> =
        outcome.scores.iter().enumerate().map(|(side, counters)| (side.to_string(), score(counters))).collect();
    let mut object = Map::new();
    object.insert("result".into(), plain(&outcome.result));
    object.insert("winners".into(), json!(outcome.winners));
    object.insert("scores".into(), Value::Object(scores));
    if let Some(text) = &outcome.text {
        object.insert("text".into(), json!(text));
    }
    object
}

/// A view with its counters as numbers where they are whole.
pub fn view(view: &View) -> Value {
    let sides: Vec<Value> = view.sides.iter().map(side).collect();
    json!({
        "seat": view.seat,
        "active": view.active,
        "table": { "counters": counters(&view.table.counters), "zones": plain(&view.table.zones) },
        "sides": sides,
    })
}

/// Every option of the game with the value played with.
pub fn options(program: &Program) -> Map<String, Value> {
    let shown = |option: &crate::program::GameOption| match option.kind {
        GameOptionKind::Number { .. } => json!(option.value),
        GameOptionKind::Words(_) => json!(option.shown(option.value)),
    };
    program.options.iter().map(|option| (option.name.clone(), shown(option))).collect()
}

fn side(side: &SideView) -> Value {
    let mut object = Map::new();
    object.insert("side".into(), json!(side.side));
    if side.out {
        object.insert("out".into(), json!(true));
    }
    object.insert("entrants".into(), json!(side.entrants));
    object.insert("names".into(), json!(side.names));
    object.insert("counters".into(), counters(&side.counters));
    if !side.fields.is_empty() {
        object.insert("fields".into(), counters(&side.fields));
    }
    object.insert("uses".into(), plain(&side.uses));
    if !side.marks.is_empty() {
        object.insert("marks".into(), json!(side.marks));
    }
    object.insert("zones".into(), plain(&side.zones));
    // Of an entrant that has nothing but zones all is told above.
    let tells = |entrant: &EntrantView| !(entrant.counters.is_empty() && entrant.fields.is_empty() && entrant.marks.is_empty());
    if side.each.len() > 1 || side.each.iter().any(tells) {
        object.insert("each".into(), side.each.iter().map(entrant).collect());
    }
    Value::Object(object)
}

fn entrant(entrant: &EntrantView) -> Value {
    json!({
        "id": entrant.id,
        "key": entrant.key,
        "name": entrant.name,
        "counters": counters(&entrant.counters),
        "fields": counters(&entrant.fields),
        "uses": plain(&entrant.uses),
        "marks": entrant.marks,
        "zones": plain(&entrant.zones),
    })
}

fn counters(counters: &BTreeMap<String, String>) -> Value {
    Value::Object(counters.iter().map(|(name, value)| (name.clone(), number_or_word(value))).collect())
}

/// `3` is a number to programs; `36.5` and words stay as people read them.
fn number_or_word(text: &str) -> Value {
    text.parse::<i64>().map_or_else(|_| json!(text), |number| json!(number))
}

fn plain(value: &impl Serialize) -> Value {
    // Plain structures of words and whole numbers: nothing in them can fail to be written.
    serde_json::to_value(value).unwrap_or(Value::Null)
}
