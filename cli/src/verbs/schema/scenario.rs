//! The schema of scenario files.
//!
//! It allows the names of all modes, so it is less strict than `check`. Parts that occur in several places are definitions.

use crate::protocol::arguments::role_names;
use ludex_engine::program::{KindId, KindSort, Program, SIDE, TABLE};
use ludex_engine::schema::{Definitions, position_schema_parts};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A list of scenarios.
pub fn scenarios_schema(programs: &[(Option<String>, &Program)]) -> Value {
    let mut definitions = Definitions::default();
    let position = position_schema_parts(programs, &mut definitions);
    let names = Names::from_programs(programs);
    definitions.insert("position", position);
    definitions.insert("start", start_schema(programs));
    definitions.insert("ending", names.ending_schema());
    definitions.insert("lying", names.zone_schema());
    definitions.insert("answer", names.answer_schema());
    definitions.insert("scalar", json!({ "type": ["string", "integer", "number", "boolean"] }));
    definitions.insert("scalars", one_or_list("scalar"));
    definitions.write_into(json!({ "type": "array", "items": scenario_schema() }))
}

/// A reference to a definition.
fn schema_ref(name: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{name}") })
}

/// One item, or a list of them.
fn one_or_list(name: &str) -> Value {
    json!({ "anyOf": [schema_ref(name), { "type": "array", "items": schema_ref(name) }] })
}

/// One scenario.
fn scenario_schema() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["name"],
        "oneOf": [{ "required": ["position"] }, { "required": ["start"] }],
        "properties": {
            "name": { "type": "string" },
            "game": { "type": "string" },
            "replaces": schema_ref("scalars"),
            "shows": { "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": 4 },
            "position": schema_ref("position"),
            "start": schema_ref("start"),
            "random": { "type": "array", "items": { "type": "integer" } },
            "play": { "type": "array", "items": step_schema() },
            "then": schema_ref("ending"),
        },
    })
}

/// An answer or an expectation.
fn step_schema() -> Value {
    json!({
        "type": "object",
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": false,
        "properties": {
            "expect": schema_ref("scalars"),
            "exactly": schema_ref("scalars"),
            "check": schema_ref("ending"),
            "tell": { "type": "string" },
            "referee": schema_ref("answer"),
        },
        "patternProperties": { "^[0-9]+$": schema_ref("answer") },
    })
}

/// The start of play without a position.
fn start_schema(programs: &[(Option<String>, &Program)]) -> Value {
    let sheets: BTreeSet<&String> = programs.iter().flat_map(|(_, program)| program.sheets.keys()).collect();
    let options: BTreeSet<&String> =
        programs.iter().flat_map(|(_, program)| &program.options).map(|option| &option.name).collect();
    let modes = programs.iter().filter_map(|(mode, _)| mode.as_deref()).chain(["standard"]).collect::<Vec<_>>();
    let entrants = json!({ "type": "array", "items": { "enum": sheets } });
    let entrants = if sheets.is_empty() { json!({ "type": "array", "maxItems": 0 }) } else { entrants };
    let described = json!({
        "type": "object", "additionalProperties": false, "required": ["entrants"], "properties": { "entrants": entrants },
    });
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "game": { "type": "string" },
            "mode": { "enum": modes },
            "options": { "type": "object", "propertyNames": names_schema(&options), "additionalProperties": schema_ref("scalar") },
            "sides": { "type": "array", "items": { "anyOf": [entrants, described] } },
        },
    })
}

/// A schema of keys that allows these names.
fn names_schema(known: &BTreeSet<&String>) -> Value {
    if known.is_empty() { json!(false) } else { json!({ "enum": known }) }
}

/// The names that expectations may use, over all modes.
#[derive(Default)]
struct Names<'p> {
    /// The roles of all actions.
    roles: BTreeSet<String>,
    /// The fields of sides, and the zones of sides and entrants.
    fields: BTreeSet<&'p String>,
    zones: BTreeSet<&'p String>,
    /// The fields and zones of the table.
    table: BTreeSet<&'p String>,
    abilities: BTreeSet<&'p String>,
    /// The fields of entrants.
    of_entrants: BTreeSet<&'p String>,
    /// The fields of pieces, and the zones within them.
    of_pieces: BTreeSet<&'p String>,
    within_pieces: BTreeSet<&'p String>,
}

impl<'p> Names<'p> {
    fn from_programs(programs: &[(Option<String>, &'p Program)]) -> Names<'p> {
        let mut names = Names::default();
        for (_, program) in programs {
            let fields = |kind: KindId| program.kind(kind).fields.iter().map(|field| &field.name);
            let zones = |kind: KindId| program.kind(kind).zones.iter().map(|zone| &zone.name);
            let entrant = program.sides.entrant;
            names.roles.extend(program.actions.iter().flat_map(role_names).map(|role| role.to_string()));
            names.fields.extend(fields(SIDE));
            names.zones.extend(zones(SIDE).chain(entrant.into_iter().flat_map(zones)));
            names.of_entrants.extend(entrant.into_iter().flat_map(fields));
            let pieces = || (0..program.kinds.len() as KindId).filter(|kind| program.kind(*kind).sort == KindSort::Piece);
            names.of_pieces.extend(pieces().flat_map(fields));
            names.within_pieces.extend(pieces().flat_map(zones));
            names.table.extend(fields(TABLE).chain(zones(TABLE)));
            names.abilities.extend(program.abilities.iter().map(|ability| &ability.id));
        }
        names
    }

    /// An answer: words, roles with their arguments, or the allowed options.
    fn answer_schema(&self) -> Value {
        let expected = ["legal", "only", "not"];
        let refused = json!({ "anyOf": [schema_ref("scalars"), { "type": "object", "additionalProperties": { "type": ["string", "null"] } }] });
        let options = json!({
            "type": "object",
            "additionalProperties": false,
            "minProperties": 1,
            "properties": { "legal": schema_ref("scalars"), "only": schema_ref("scalars"), "not": refused },
        });
        let roles = self.roles.iter().map(String::as_str).chain(["action"]).filter(|role| !expected.contains(role));
        let roles: Map<String, Value> = roles.map(|role| (role.to_string(), schema_ref("scalars"))).collect();
        let by_roles = json!({ "type": "object", "additionalProperties": false, "properties": roles });
        json!({ "anyOf": [schema_ref("scalar"), options, by_roles] })
    }

    /// The content of a zone: a number of pieces, a list of them, or cards with their numbers.
    fn zone_schema(&self) -> Value {
        let known = ["id", "card", "die", "size", "value", "owner", "marks"].map(str::to_string);
        let said: BTreeSet<&String> = self.of_pieces.iter().chain(&self.within_pieces).copied().chain(&known).collect();
        let within: Map<String, Value> = self.within_pieces.iter().map(|zone| (zone.to_string(), schema_ref("lying"))).collect();
        let piece = json!({ "type": "object", "propertyNames": names_schema(&said), "properties": within });
        json!({
            "anyOf": [
                { "type": "array", "items": { "anyOf": [schema_ref("scalar"), piece] } },
                { "type": "object", "additionalProperties": { "type": "integer", "minimum": 0 } },
            ],
        })
    }

    /// The state of the table; parts that are left out are not checked.
    fn ending_schema(&self) -> Value {
        let zones =
            json!({ "type": "object", "propertyNames": names_schema(&self.zones), "additionalProperties": schema_ref("lying") });
        let counters = json!({ "type": "object", "propertyNames": names_schema(&self.fields) });
        let used = json!({ "type": "object", "propertyNames": names_schema(&self.abilities), "additionalProperties": { "type": "integer" } });
        let marks = json!({ "type": "array", "items": { "type": "string" } });
        let parts = ["zones", "used", "marks"].map(str::to_string);
        let said: BTreeSet<&String> = self.of_entrants.iter().copied().chain(&parts).collect();
        let entrant = json!({
            "type": "object", "minProperties": 1, "maxProperties": 1,
            "additionalProperties": { "type": "object", "propertyNames": names_schema(&said), "properties": { "zones": zones } },
        });
        let entrants = json!({ "type": "array", "items": { "anyOf": [{ "type": "string" }, entrant] } });
        let side = json!({
            "type": ["object", "null"],
            "additionalProperties": false,
            "properties": { "counters": counters, "zones": zones, "used": used, "marks": marks, "entrants": entrants },
        });
        let outcome = json!({
            "type": "object", "additionalProperties": false, "minProperties": 1,
            "properties": {
                "winner": { "type": "integer" }, "winners": { "type": "array", "items": { "type": "integer" } },
                "result": { "type": "string" }, "payoffs": { "type": "array" },
            },
        });
        let also = ["counters", "zones"].map(str::to_string);
        let table: BTreeSet<&String> = self.table.iter().copied().chain(&also).collect();
        json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "sides": { "type": "array", "items": side },
                "table": { "type": "object", "propertyNames": names_schema(&table) },
                "outcome": { "anyOf": [{ "type": ["string", "null"] }, outcome] },
                "refused": { "type": "string" },
            },
        })
    }
}
