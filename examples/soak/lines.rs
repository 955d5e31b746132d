//! Lines for a table: valid answers, and hostile ones.

use super::changes::{flip, number, one_of, renumber, shift, some};
use ludex_engine::runtime::arrange::even_amounts;
use ludex_engine::runtime::random::Generator;
use serde_json::{Value, json};

/// Maximum length of a line that is read, in bytes.
const LONGEST_LINE: usize = 256 << 10;
/// One line in this many is very long or deeply nested.
const RARE: usize = 400;
/// One line in this many resigns.
const VERY_RARE: usize = 3_000;

const REQUESTS: &[&str] =
    &["choose", "random", "view", "undo", "consent", "resync", "state", "reveal", "share", "\\ud800 \\u0000"];
const FIELDS: &[&str] = &["seat", "option", "key", "args", "options", "number", "amounts", "result"];
const KEYS: &[&str] = &["pass", "done", "back", "(", ")", "choose(", "choose()", "power_attack(0+1+2>3)"];

/// A valid answer to a decision or a throw.
pub fn answer(asked: &Value, luck: &mut Generator) -> Value {
    let id = &asked["id"];
    if asked["type"] == "random" {
        let draws = asked["draws"].as_array().map_or(&[][..], Vec::as_slice);
        let result: Vec<usize> = draws.iter().map(|draw| 1 + some(luck, draw["size"].as_u64().unwrap_or(1) as usize)).collect();
        return json!({ "random": id, "result": result });
    }
    let (options, count) = (&asked["options"], asked["count"].as_u64().unwrap_or(0));
    let of = |name: &str| asked[name].as_i64().unwrap_or(0);
    let mut line = json!({ "choose": id, "seat": asked["seat"] });
    match asked["form"].as_str().unwrap_or_default() {
        "one" => {
            let option = &options[some(luck, options.as_array().map_or(0, Vec::len))];
            match some(luck, 3) {
                0 => line["key"] = option["key"].clone(),
                1 => (line["action"], line["args"]) = (option["action"].clone(), option["args"].clone()),
                _ => line["option"] = option["id"].clone(),
            }
        }
        "number" => line["number"] = json!(of("min") + some(luck, (of("max") - of("min") + 1) as usize) as i64),
        "split" => line["amounts"] = json!(even_amounts(count, of("total"), of("step"))),
        _ => {
            let amount = |bound: &str| asked[bound].as_u64().unwrap_or(count) as usize;
            line["options"] = json!(several(count as usize, amount("min"), amount("max"), luck));
        }
    }
    line
}

/// Distinct random numbers below `count`, in any order.
fn several(count: usize, min: usize, max: usize, luck: &mut Generator) -> Vec<usize> {
    let mut left: Vec<usize> = (0..count).collect();
    let wanted = min + some(luck, max.min(count).saturating_sub(min) + 1);
    (0..wanted.min(count)).map(|_| left.swap_remove(some(luck, left.len()))).collect()
}

/// A hostile or nonsensical line, without its line end.
pub fn hostile(asked: Option<&Value>, luck: &mut Generator) -> Vec<u8> {
    if some(luck, VERY_RARE) == 0 {
        return json!({ "resign": some(luck, 4) }).to_string().into_bytes();
    }
    if some(luck, RARE) == 0 {
        return large(luck);
    }
    let sound = asked.map_or(json!({ "view": 0 }), |asked| answer(asked, luck)).to_string();
    match some(luck, 9) {
        0 => renumber(&sound, luck).into_bytes(),
        1 => changed(sound.into_bytes(), luck, |bytes, luck| flip(bytes, luck)),
        2 => changed(sound.into_bytes(), luck, shift),
        3 => of_key(asked, luck).to_string().into_bytes(),
        4 => format!("{{\"choose\":{},\"{}\":{}}}", id(asked, luck), one_of(luck, FIELDS), value(luck, 3)).into_bytes(),
        5 => format!("{{\"{}\":{},\"{}\":{}}}", one_of(luck, REQUESTS), value(luck, 3), one_of(luck, FIELDS), value(luck, 2))
            .into_bytes(),
        6 => harmless(luck).to_string().into_bytes(),
        7 => value(luck, 6).into_bytes(),
        _ => (0..some(luck, 80)).map(|_| some(luck, 256) as u8).collect(),
    }
}

fn changed(mut bytes: Vec<u8>, luck: &mut Generator, change: impl Fn(&mut Vec<u8>, &mut Generator)) -> Vec<u8> {
    (0..=some(luck, 3)).for_each(|_| change(&mut bytes, luck));
    bytes
}

fn id(asked: Option<&Value>, luck: &mut Generator) -> String {
    asked.filter(|_| some(luck, 4) > 0).map_or_else(|| number(luck).to_string(), |asked| asked["id"].to_string())
}

/// A move's key with another piece in one of its places, or something similar to a key.
fn of_key(asked: Option<&Value>, luck: &mut Generator) -> Value {
    let options = asked.and_then(|asked| asked["options"].as_array()).filter(|options| !options.is_empty());
    let key = options.and_then(|options| one_of(luck, options)["key"].as_str());
    let key = renumber(key.unwrap_or(*one_of(luck, KEYS)), luck);
    let seat = if some(luck, 2) == 0 { Value::Null } else { json!(some(luck, 4)) };
    json!({ "choose": asked.map_or(&Value::Null, |asked| &asked["id"]), "seat": seat, "key": key })
}

/// A request that is always allowed.
fn harmless(luck: &mut Generator) -> Value {
    let seat = some(luck, 4);
    match some(luck, 6) {
        0 => json!({ "view": seat }),
        1 => json!({ "resync": seat }),
        2 => json!({ "undo": { "seat": seat } }),
        3 => json!({ "consent": true }),
        4 => json!({ "consent": { "seat": seat, "agrees": some(luck, 3) > 0 } }),
        _ => json!({ "state": true }),
    }
}

/// Arbitrary JSON, and some that is nearly JSON.
fn value(luck: &mut Generator, depth: usize) -> String {
    match some(luck, if depth == 0 { 5 } else { 8 }) {
        0 => number(luck).to_string(),
        1 => some(luck, 300).to_string(),
        2 => one_of(luck, &["null", "true", "false", "nul", "\"", "{", "[1,", "-", ""]).to_string(),
        3 => json!(one_of(luck, KEYS)).to_string(),
        4 => format!("\"{}\"", "\\u202e\u{1b}[2J\u{7f}".repeat(some(luck, 4))),
        5 => format!("[{}]", list(luck, depth)),
        6 => format!("{{\"{}\":{}}}", one_of(luck, FIELDS), value(luck, depth - 1)),
        _ => format!("{{\"{}\":{},\"seat\":{}}}", one_of(luck, REQUESTS), value(luck, depth - 1), some(luck, 5)),
    }
}

fn list(luck: &mut Generator, depth: usize) -> String {
    (0..some(luck, 5)).map(|_| value(luck, depth - 1)).collect::<Vec<_>>().join(",")
}

/// Lines near the maximum length, and deeply nested ones.
fn large(luck: &mut Generator) -> Vec<u8> {
    let length = LONGEST_LINE - 3 + some(luck, 6);
    let filled = |start: &str, part: &str, end: &str| {
        let count = length.saturating_sub(start.len() + end.len()) / part.len();
        format!("{start}{}{end}", part.repeat(count)).into_bytes()
    };
    match some(luck, 8) {
        0 => filled("", "[", ""),
        1 => filled("", "{\"a\":", ""),
        2 => filled("{\"choose\":1,\"options\":[0", ",0", "]}"),
        3 => filled("{\"choose\":1,\"key\":\"", "(", "\"}"),
        4 => filled("{\"choose\":1,\"key\":\"choose(0", "+1", ")\"}"),
        5 => filled("{\"choose\":1,\"amounts\":[0", ",1", "]}"),
        6 => filled("{\"random\":1,\"result\":[1", ",1", "]}"),
        _ => filled("{\"choose\":1,\"args\":{\"a\":1", ",\"a\":1", "}}"),
    }
}
