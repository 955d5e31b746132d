//! Schemas of positions. Modes may differ in zones and counters, so each has its own schema.

use super::sheets::{card_ids_schema, cards_schema};
use super::values::{die_schema, faces_schema, field_schema, marks_schema, size_schema};
use super::{Definitions, any_schema, list_schema, object_schema, words_schema};
use crate::field::can_be_set;
use crate::sheet::MOST_CARDS;
use ludex_program::{FieldInfo, GameOption, GameOptionKind, Kind, KindId, Program, SIDE, TABLE, ZoneInfo};
use serde_json::{Map, Value, json};

/// The schema of a position in any mode, from the program of each mode.
pub fn position_schema(programs: &[(Option<String>, &Program)]) -> Value {
    let mut definitions = Definitions::default();
    let schema = position_schema_parts(programs, &mut definitions);
    definitions.write_into(schema)
}

/// Same as [`position_schema`], but adds the definitions to existing ones.
pub fn position_schema_parts(programs: &[(Option<String>, &Program)], definitions: &mut Definitions) -> Value {
    let modes: Vec<&str> = programs.iter().filter_map(|(mode, _)| mode.as_deref()).collect();
    let mut cases = Vec::new();
    for (mode, program) in programs {
        definitions.set_prefix(mode.as_deref().unwrap_or_default());
        let schema = PositionWriter { program, definitions }.mode_schema(&modes);
        let says = match mode {
            Some(mode) => json!({ "required": ["mode"], "properties": { "mode": { "const": mode } } }),
            None => json!({ "not": { "required": ["mode"], "properties": { "mode": words_schema(&modes) } } }),
        };
        cases.push(json!({ "if": says, "then": schema }));
    }
    json!({ "type": "object", "allOf": cases })
}

/// Writes the schemas of one program.
struct PositionWriter<'p, 'd> {
    program: &'p Program,
    definitions: &'d mut Definitions,
}

impl<'p> PositionWriter<'p, '_> {
    /// The schema of a position in this program's mode. `modes` are the names of all modes.
    fn mode_schema(&mut self, modes: &[&str]) -> Value {
        let sides = &self.program.sides;
        let mut properties = Map::new();
        properties.insert("ludex-position".into(), json!({ "const": 1 }));
        properties.insert("game".into(), json!({ "type": "string" }));
        properties.insert("mode".into(), words_schema(modes.iter().copied().chain(["standard"])));
        properties.insert("options".into(), options_schema(&self.program.options));
        let items = self.side_schema();
        properties
            .insert("sides".into(), json!({ "type": "array", "items": items, "minItems": sides.least, "maxItems": sides.most }));
        properties.insert("table".into(), self.table_schema());
        properties.insert("at".into(), json!({ "type": "string" }));
        let needed = sides.entrant.is_some() || sides.least != sides.most;
        object_schema(properties, &needed.then(|| "sides".to_string()).into_iter().collect::<Vec<_>>())
    }

    /// The schema of one side.
    fn side_schema(&mut self) -> Value {
        let mut properties = Map::new();
        let entrant = self.program.sides.entrant.map(|kind| self.program.kind(kind));
        if let Some(kind) = entrant {
            properties.insert("entrants".into(), self.entrants_schema(kind));
        } else {
            properties.insert("entrants".into(), json!({ "type": "array", "maxItems": 0 }));
        }
        let zones = self.program.kind(SIDE).zones.iter().chain(entrant.map_or(&[][..], |kind| &kind.zones));
        properties.insert("zones".into(), self.zones_schema(zones));
        properties.insert("counters".into(), self.fields_schema(&self.program.kind(SIDE).fields));
        properties.insert("marks".into(), self.mark_list_schema());
        properties.insert("used".into(), self.uses_schema());
        object_schema(properties, &entrant.map(|_| "entrants".to_string()).into_iter().collect::<Vec<_>>())
    }

    /// The schema of a side's entrants, each by id or with its state.
    fn entrants_schema(&mut self, kind: &Kind) -> Value {
        let program = self.program;
        let ids = self.definitions.reference_schema("entrants", |_| words_schema(program.sheets.keys()));
        let mut stands = self.schemas_of_fields(&kind.fields);
        for (key, schema) in
            [("marks", self.mark_list_schema()), ("zones", self.zones_schema(kind.zones.iter())), ("used", self.uses_schema())]
        {
            // The rules may have a field with the same name.
            stands.entry(key).or_insert(schema);
        }
        let described = json!({
            "type": "object", "minProperties": 1, "maxProperties": 1,
            "propertyNames": ids, "additionalProperties": object_schema(stands, &[]),
        });
        let sides = &self.program.sides;
        let items = any_schema(vec![ids, described]);
        json!({ "type": "array", "items": items, "minItems": sides.entrants_least, "maxItems": sides.entrants_most })
    }

    /// The schema of the table. Its fields and zones may also be under `counters` and `zones`.
    fn table_schema(&mut self) -> Value {
        let table = self.program.kind(TABLE);
        let mut properties = self.schemas_of_fields(&table.fields);
        properties.insert("counters".into(), self.fields_schema(&table.fields));
        for zone in &table.zones {
            properties.insert(zone.name.clone(), self.zone_schema(zone));
        }
        properties.insert("zones".into(), self.zones_schema(table.zones.iter()));
        object_schema(properties, &[])
    }

    /// The schema of pieces by zone.
    fn zones_schema<'z>(&mut self, zones: impl Iterator<Item = &'z ZoneInfo>) -> Value {
        object_schema(zones.map(|zone| (zone.name.clone(), self.zone_schema(zone))).collect(), &[])
    }

    /// The schema of a zone's contents. Pieces may have zones for pieces of the same kind.
    fn zone_schema(&mut self, zone: &ZoneInfo) -> Value {
        let (program, kind) = (self.program, zone.holds);
        self.definitions.reference_schema(&format!("piece.{}", program.kind(kind).name), |definitions| {
            PositionWriter { program, definitions }.pieces_schema(kind)
        })
    }

    /// The schema of fields and counters by name.
    fn fields_schema(&mut self, fields: &[FieldInfo]) -> Value {
        object_schema(self.schemas_of_fields(fields), &[])
    }

    /// The schema of each field that a position can give.
    fn schemas_of_fields(&mut self, fields: &[FieldInfo]) -> Map<String, Value> {
        let can = |field: &&FieldInfo| !field.name.is_empty() && (field.counter || can_be_set(self.program, &field.shape));
        let stated: Vec<&FieldInfo> = fields.iter().filter(can).collect();
        stated.into_iter().map(|field| (field.name.clone(), field_schema(self.program, field, self.definitions))).collect()
    }

    fn mark_list_schema(&mut self) -> Value {
        marks_schema(self.program, false, self.definitions)
    }

    /// The schema of the numbers of uses by ability.
    fn uses_schema(&mut self) -> Value {
        let program = self.program;
        self.definitions.reference_schema("used", |_| {
            let names = words_schema(program.abilities.iter().map(|ability| &ability.id));
            json!({ "type": "object", "propertyNames": names, "additionalProperties": { "type": "integer", "minimum": 0 } })
        })
    }

    /// The schema of an owner: a side by its number, or `none` for pieces that may have no owner.
    fn owner_schema(&self, of: KindId) -> Value {
        let side = json!({ "type": "integer", "minimum": 0 });
        if self.program.is_owned(of) { side } else { any_schema(vec![side, json!({ "enum": ["none", null] })]) }
    }

    /// The schema of the pieces of a kind in a zone: plain or with properties, and except for dice, also with counts.
    fn pieces_schema(&mut self, of: KindId) -> Value {
        let (program, kind) = (self.program, self.program.kind(of));
        let (is_card, is_die) = (program.is_printed(of), program.is_die(of));
        let mut described = self.schemas_of_fields(&kind.fields);
        for zone in &kind.zones {
            described.insert(zone.name.clone(), self.zone_schema(zone));
        }
        described.insert("id".into(), json!({ "type": ["string", "integer"] }));
        described.insert("owner".into(), self.owner_schema(of));
        described.insert("marks".into(), self.mark_list_schema());
        if is_die {
            described.insert("size".into(), size_schema(program, self.definitions));
            described.insert("die".into(), faces_schema(program, self.definitions));
            described.insert("value".into(), json!({ "type": ["integer", "null"] }));
            let mut schema = object_schema(described, &[]);
            schema["anyOf"] = json!([{ "required": ["size"] }, { "required": ["die"] }]);
            return list_schema(&any_schema(vec![die_schema(program, self.definitions), schema]));
        }
        if is_card {
            let ids = card_ids_schema(program, of, self.definitions);
            described.insert("card".into(), ids.clone());
            let schema = object_schema(described, &["card".to_string()]);
            return any_schema(vec![cards_schema(program, of, self.definitions), list_schema(&any_schema(vec![ids, schema]))]);
        }
        let name = words_schema([&kind.name]);
        let count = json!({ "type": "integer", "minimum": 0, "maximum": MOST_CARDS });
        let counted = json!({ "type": "object", "propertyNames": name, "additionalProperties": count });
        any_schema(vec![counted, list_schema(&any_schema(vec![name, object_schema(described, &[])]))])
    }
}

/// The schema of the values of options by name.
fn options_schema(options: &[GameOption]) -> Value {
    let schema = |option: &GameOption| match &option.kind {
        GameOptionKind::Number { least, most } => json!({ "type": "integer", "minimum": least, "maximum": most }),
        GameOptionKind::Words(known) => words_schema(known),
    };
    object_schema(options.iter().map(|option| (option.name.clone(), schema(option))).collect(), &[])
}
