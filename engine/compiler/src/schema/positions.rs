//! Schemas of positions. Modes may differ in zones and counters, so each has its own schema.

use super::sheets::{card_ids, cards};
use super::values::{die, faces, marks, of_field, size};
use super::{Definitions, any, list, object, words};
use crate::field::can_be_stated;
use crate::sheet::MOST_CARDS;
use ludex_program::{FieldInfo, GameOption, GameOptionKind, Kind, KindId, Program, SIDE, TABLE, ZoneInfo};
use serde_json::{Map, Value, json};

/// The schema of a position in any mode, from the program of each mode.
pub fn position(programs: &[(Option<String>, &Program)]) -> Value {
    let mut definitions = Definitions::default();
    let schema = position_parts(programs, &mut definitions);
    definitions.written_into(schema)
}

/// Same as [`position_schema`], but adds the definitions to existing ones.
pub fn position_parts(programs: &[(Option<String>, &Program)], definitions: &mut Definitions) -> Value {
    let modes: Vec<&str> = programs.iter().filter_map(|(mode, _)| mode.as_deref()).collect();
    let mut cases = Vec::new();
    for (mode, program) in programs {
        definitions.begin_names_with(mode.as_deref().unwrap_or_default());
        let schema = Writer { program, definitions }.position(&modes);
        let says = match mode {
            Some(mode) => json!({ "required": ["mode"], "properties": { "mode": { "const": mode } } }),
            None => json!({ "not": { "required": ["mode"], "properties": { "mode": words(&modes) } } }),
        };
        cases.push(json!({ "if": says, "then": schema }));
    }
    json!({ "type": "object", "allOf": cases })
}

/// Writes the schemas of one program.
struct Writer<'p, 'd> {
    program: &'p Program,
    definitions: &'d mut Definitions,
}

impl<'p> Writer<'p, '_> {
    fn position(&mut self, modes: &[&str]) -> Value {
        let sides = &self.program.sides;
        let mut properties = Map::new();
        properties.insert("ludex-position".into(), json!({ "const": 1 }));
        properties.insert("game".into(), json!({ "type": "string" }));
        properties.insert("mode".into(), words(modes.iter().copied().chain(["standard"])));
        properties.insert("options".into(), options(&self.program.options));
        let items = self.side();
        properties
            .insert("sides".into(), json!({ "type": "array", "items": items, "minItems": sides.least, "maxItems": sides.most }));
        properties.insert("table".into(), self.table());
        properties.insert("at".into(), json!({ "type": "string" }));
        let needed = sides.entrant.is_some() || sides.least != sides.most;
        object(properties, &needed.then(|| "sides".to_string()).into_iter().collect::<Vec<_>>())
    }

    fn side(&mut self) -> Value {
        let mut properties = Map::new();
        let entrant = self.program.sides.entrant.map(|kind| self.program.kind(kind));
        if let Some(kind) = entrant {
            properties.insert("entrants".into(), self.entrants(kind));
        } else {
            properties.insert("entrants".into(), json!({ "type": "array", "maxItems": 0 }));
        }
        let zones = self.program.kind(SIDE).zones.iter().chain(entrant.map_or(&[][..], |kind| &kind.zones));
        properties.insert("zones".into(), self.zones(zones));
        properties.insert("counters".into(), self.fields(&self.program.kind(SIDE).fields));
        properties.insert("marks".into(), self.marks());
        properties.insert("used".into(), self.used());
        object(properties, &entrant.map(|_| "entrants".to_string()).into_iter().collect::<Vec<_>>())
    }

    fn entrants(&mut self, kind: &Kind) -> Value {
        let program = self.program;
        let ids = self.definitions.refer("entrants", |_| words(program.sheets.keys()));
        let mut stands = self.field_schemas(&kind.fields);
        for (key, schema) in [("marks", self.marks()), ("zones", self.zones(kind.zones.iter())), ("used", self.used())] {
            // The rules may have a field with the same name.
            stands.entry(key).or_insert(schema);
        }
        let described = json!({
            "type": "object", "minProperties": 1, "maxProperties": 1,
            "propertyNames": ids, "additionalProperties": object(stands, &[]),
        });
        let sides = &self.program.sides;
        let items = any(vec![ids, described]);
        json!({ "type": "array", "items": items, "minItems": sides.entrants_least, "maxItems": sides.entrants_most })
    }

    fn table(&mut self) -> Value {
        let table = self.program.kind(TABLE);
        let mut properties = self.field_schemas(&table.fields);
        properties.insert("counters".into(), self.fields(&table.fields));
        for zone in &table.zones {
            properties.insert(zone.name.clone(), self.content(zone));
        }
        properties.insert("zones".into(), self.zones(table.zones.iter()));
        object(properties, &[])
    }

    fn zones<'z>(&mut self, zones: impl Iterator<Item = &'z ZoneInfo>) -> Value {
        object(zones.map(|zone| (zone.name.clone(), self.content(zone))).collect(), &[])
    }

    /// The schema of a zone's contents. Pieces may have zones for pieces of the same kind.
    fn content(&mut self, zone: &ZoneInfo) -> Value {
        let (program, kind) = (self.program, zone.holds);
        self.definitions
            .refer(&format!("piece.{}", program.kind(kind).name), |definitions| Writer { program, definitions }.pieces(kind))
    }

    fn fields(&mut self, fields: &[FieldInfo]) -> Value {
        object(self.field_schemas(fields), &[])
    }

    fn field_schemas(&mut self, fields: &[FieldInfo]) -> Map<String, Value> {
        let can = |field: &&FieldInfo| !field.name.is_empty() && (field.counter || can_be_stated(self.program, &field.shape));
        let stated: Vec<&FieldInfo> = fields.iter().filter(can).collect();
        stated.into_iter().map(|field| (field.name.clone(), of_field(self.program, field, self.definitions))).collect()
    }

    fn marks(&mut self) -> Value {
        marks(self.program, false, self.definitions)
    }

    fn used(&mut self) -> Value {
        let program = self.program;
        self.definitions.refer("used", |_| {
            let names = words(program.abilities.iter().map(|ability| &ability.id));
            json!({ "type": "object", "propertyNames": names, "additionalProperties": { "type": "integer", "minimum": 0 } })
        })
    }

    /// The schema of an owner: a side by its number, or `none` for pieces that may have no owner.
    fn owner(&self, of: KindId) -> Value {
        let side = json!({ "type": "integer", "minimum": 0 });
        if self.program.is_owned(of) { side } else { any(vec![side, json!({ "enum": ["none", null] })]) }
    }

    /// The schema of the pieces of a kind in a zone: plain or with properties, and except for dice, also with counts.
    fn pieces(&mut self, of: KindId) -> Value {
        let (program, kind) = (self.program, self.program.kind(of));
        let (is_card, is_die) = (program.is_printed(of), program.is_die(of));
        let mut described = self.field_schemas(&kind.fields);
        for zone in &kind.zones {
            described.insert(zone.name.clone(), self.content(zone));
        }
        described.insert("id".into(), json!({ "type": ["string", "integer"] }));
        described.insert("owner".into(), self.owner(of));
        described.insert("marks".into(), self.marks());
        if is_die {
            described.insert("size".into(), size(program, self.definitions));
            described.insert("die".into(), faces(program, self.definitions));
            described.insert("value".into(), json!({ "type": ["integer", "null"] }));
            let mut schema = object(described, &[]);
            schema["anyOf"] = json!([{ "required": ["size"] }, { "required": ["die"] }]);
            return list(&any(vec![die(program, self.definitions), schema]));
        }
        if is_card {
            let ids = card_ids(program, of, self.definitions);
            described.insert("card".into(), ids.clone());
            let schema = object(described, &["card".to_string()]);
            return any(vec![cards(program, of, self.definitions), list(&any(vec![ids, schema]))]);
        }
        let name = words([&kind.name]);
        let count = json!({ "type": "integer", "minimum": 0, "maximum": MOST_CARDS });
        let counted = json!({ "type": "object", "propertyNames": name, "additionalProperties": count });
        any(vec![counted, list(&any(vec![name, object(described, &[])]))])
    }
}

fn options(options: &[GameOption]) -> Value {
    let schema = |option: &GameOption| match &option.kind {
        GameOptionKind::Number { least, most } => json!({ "type": "integer", "minimum": least, "maximum": most }),
        GameOptionKind::Words(known) => words(known),
    };
    object(options.iter().map(|option| (option.name.clone(), schema(option))).collect(), &[])
}
