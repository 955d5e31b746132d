//! Schemas of sheets: of entrants, of cards, and of their parts.
//!
//! The rules declare the lines of each sheet. A part is a sheet nested in another, and columns are lines that are fixed in play.

use super::values::{die_schema, marks_schema, shape_schema, size_schema};
use super::{Definitions, any_schema, list_schema, object_schema, words_schema};
use crate::sheet::{MOST_CARDS, PROVENANCES};
use ludex_program::{FieldInfo, Kind, KindId, Print, Program, Shape, SheetId, SheetInfo, ZoneInfo};
use serde_json::{Map, Value, json};

/// The schema of a file with any sheet of the game, or with several under `sheets`.
pub fn sheets_schema(program: &Program) -> Value {
    let known: Vec<SheetId> = sheets_with_files(program).collect();
    schema_of_sheets(program, &known, true)
}

/// The schema of a file with the sheet of this name or one that builds on it; none if there is no such sheet.
pub fn sheet_schema(program: &Program, name: &str) -> Option<Value> {
    let wanted = program.prints.sheet_by_name(name)?;
    let known: Vec<SheetId> = sheets_with_files(program).filter(|sheet| program.prints.is_sheet(*sheet, wanted)).collect();
    (!known.is_empty()).then(|| schema_of_sheets(program, &known, false))
}

/// The sheets that have files of their own, rather than being only parts of others.
fn sheets_with_files(program: &Program) -> impl Iterator<Item = SheetId> {
    let sheets = program.prints.sheets.iter().enumerate().filter(|(_, info)| info.kind.is_some());
    // Sheets for the settings of abilities have no files.
    sheets.map(|(sheet, _)| sheet as SheetId)
}

/// The schema of a file with one of these sheets. `all`: they are all of the game, so a file must name its sheet unless there is a
/// usual one.
fn schema_of_sheets(program: &Program, known: &[SheetId], all: bool) -> Value {
    let mut writer = SheetWriter { program, definitions: Definitions::default(), parts: Vec::new() };
    let schema = match known {
        // Entrants may have no declared sheet.
        [] => {
            let sheet = writer.sheet_reference(None);
            writer.file_schema(&[None], sheet)
        }
        [only] => {
            let sheet = writer.sheet_reference(Some(*only));
            writer.file_schema(&[Some(*only)], sheet)
        }
        _ => {
            let usual = program.sides.entrant.and_then(|kind| program.prints.sheet_by_name(&program.kind(kind).name));
            let usual = usual.filter(|usual| known.contains(usual));
            let each: Vec<Option<SheetId>> = known.iter().copied().map(Some).collect();
            let sheet = writer.schema_by_name(known, usual, all);
            writer.file_schema(&each, sheet)
        }
    };
    writer.write_parts();
    writer.definitions.write_into(schema)
}

/// Writes the schemas of the sheets of one program.
struct SheetWriter<'p> {
    program: &'p Program,
    definitions: Definitions,
    /// Sheets that are parts of others and still need writing. Writing them one after another avoids recursion, since chains may be
    /// long.
    parts: Vec<SheetId>,
}

impl SheetWriter<'_> {
    /// The schema of one of several sheets, selected by `sheet`; `usual` is that of files without this line. With `if` and `then`,
    /// editors mark errors in the selected sheet only.
    fn schema_by_name(&mut self, known: &[SheetId], usual: Option<SheetId>, all: bool) -> Value {
        let prints = &self.program.prints;
        let name = |sheet: &SheetId| prints.sheets[usize::from(*sheet)].name.clone();
        let cases = known.iter().map(|sheet| {
            let says = json!({ "required": ["sheet"], "properties": { "sheet": { "const": name(sheet) } } });
            json!({ "if": says, "then": self.sheet_reference(Some(*sheet)) })
        });
        let mut cases: Vec<Value> = cases.collect();
        let says_nothing = json!({ "not": { "required": ["sheet"] } });
        match usual.or((!all).then(|| known[0])) {
            Some(usual) => cases.push(json!({ "if": says_nothing, "then": self.sheet_reference(Some(usual)) })),
            None => cases.push(json!({ "required": ["sheet"] })),
        }
        json!({ "type": "object", "properties": { "sheet": words_schema(known.iter().map(name)) }, "allOf": cases })
    }

    /// The schema of a file with one sheet, or with several by id. The file can give the default for `sheet`. `each` are the sheets
    /// that there may be several of, and `sheet` is the schema of a single one.
    fn file_schema(&mut self, each: &[Option<SheetId>], sheet: Value) -> Value {
        let names = words_schema(self.program.prints.sheets.iter().map(|info| info.name.clone()));
        let each = each.iter().map(|sheet| self.sheet_reference(*sheet)).collect();
        let mut several = Map::new();
        several.insert("sheets".into(), json!({ "type": "object", "additionalProperties": any_schema(each) }));
        several.insert("sheet".into(), names);
        several.insert("game".into(), json!({ "type": "string" }));
        several.insert("replaces".into(), json!({ "type": ["boolean", "string"] }));
        json!({ "if": { "required": ["sheets"] }, "then": object_schema(several, &[]), "else": sheet })
    }

    /// References a sheet with its declared keys.
    fn sheet_reference(&mut self, sheet: Option<SheetId>) -> Value {
        let (program, parts) = (self.program, &mut self.parts);
        let info = sheet.and_then(|sheet| program.prints.sheets.get(usize::from(sheet)));
        let name = info.map_or("sheet".to_string(), |info| format!("sheet.{}", info.name));
        self.definitions.reference_schema(&name, |definitions| single_sheet_schema(program, sheet, definitions, parts))
    }

    /// Writes the definitions of all parts that are referenced, each with the sheets that build on it.
    fn write_parts(&mut self) {
        while let Some(wanted) = self.parts.pop() {
            let (program, definitions, parts) = (self.program, &mut self.definitions, &mut self.parts);
            let info = &program.prints.sheets[usize::from(wanted)];
            let mut lines = LineWriter { program, definitions, parts, properties: Map::new(), required: Vec::new() };
            lines.add_columns(Some(wanted));
            let mut ways = Vec::new();
            for (sheet, other) in program.prints.sheets.iter().enumerate() {
                if other.base == Some(wanted) {
                    // Without `sheet`, the default is the requested one.
                    ways.push(json!({ "required": ["sheet"], "allOf": [lines.part_reference(sheet as SheetId)] }));
                }
            }
            let LineWriter { mut properties, required, .. } = lines;
            properties.insert("name".into(), json!({ "type": "string", "pattern": "\\S" }));
            properties.insert("sheet".into(), words_schema([&info.name]));
            ways.insert(0, object_schema(properties, &required));
            self.definitions.insert(&part_name(info), any_schema(ways));
        }
    }
}

/// The name of a part in the definitions.
fn part_name(info: &SheetInfo) -> String {
    format!("part.{}", info.name)
}

/// The schema of a sheet with its declared keys.
fn single_sheet_schema(
    program: &Program,
    sheet: Option<SheetId>,
    definitions: &mut Definitions,
    parts: &mut Vec<SheetId>,
) -> Value {
    let info = sheet.and_then(|sheet| program.prints.sheets.get(usize::from(sheet)));
    let kind = info.map_or(program.sides.entrant, |info| info.kind);
    let is_entrant = kind.is_some() && kind == program.sides.entrant;
    let mut lines = LineWriter { program, definitions, parts, properties: Map::new(), required: vec!["name".to_string()] };
    if let Some(kind) = kind.filter(|_| is_entrant).map(|kind| program.kind(kind)) {
        lines.add_kind(kind, sheet);
    }
    lines.add_columns(sheet);
    let listed: Vec<String> = lines.properties.keys().cloned().collect();
    let LineWriter { mut properties, required, definitions, parts, .. } = lines;
    properties.insert("name".into(), json!({ "type": "string", "pattern": "\\S" }));
    properties.insert(
        "abilities".into(),
        definitions
            .reference_schema("abilities", |definitions| list_schema(&any_schema(ability_schemas(program, definitions, parts)))),
    );
    let provenance =
        json!({ "type": "object", "propertyNames": words_schema(&listed), "additionalProperties": words_schema(PROVENANCES) });
    properties.insert("provenance".into(), provenance);
    properties.insert("note".into(), json!({ "type": "string" }));
    properties.insert("game".into(), json!({ "type": "string" }));
    properties.insert("replaces".into(), json!({ "anyOf": [{ "type": "string" }, { "enum": [true, false] }] }));
    if let Some(info) = info {
        properties.insert("sheet".into(), words_schema([&info.name]));
    }
    object_schema(properties, &required)
}

/// Collects the lines of a file, and which of them are required.
struct LineWriter<'p, 'd> {
    program: &'p Program,
    definitions: &'d mut Definitions,
    parts: &'d mut Vec<SheetId>,
    properties: Map<String, Value>,
    required: Vec<String>,
}

impl LineWriter<'_, '_> {
    /// Adds the lines of an entrant that become zones and fields.
    fn add_kind(&mut self, kind: &Kind, sheet: Option<SheetId>) {
        let has = |sheets: &[SheetId]| sheet.is_none_or(|sheet| self.program.prints.matches_sheets(sheet, sheets));
        let zones: Vec<&ZoneInfo> = kind.zones.iter().filter(|zone| zone.printed && has(&zone.sheets)).collect();
        let fields: Vec<&FieldInfo> = kind.fields.iter().filter(|field| field.printed && has(&field.sheets)).collect();
        for zone in zones {
            let schema = piece_list_schema(self.program, zone, self.definitions);
            self.add_line(&zone.name, schema, !zone.optional);
        }
        for field in fields {
            let shape = match &field.shape {
                Shape::OrNone(inner) if !field.optional => inner,
                shape => shape,
            };
            let schema = shape_schema(self.program, field, shape, self.definitions);
            self.add_line(&field.name, schema, !field.optional);
        }
    }

    /// Adds the lines that are fixed in play.
    fn add_columns(&mut self, sheet: Option<SheetId>) {
        for (printed, column) in sheet.map_or(Vec::new(), |sheet| self.program.prints.sheet_columns(sheet)) {
            let schema = self.column_schema(column, &column.shape);
            self.add_line(&column.name, schema, printed.default.is_none());
        }
    }

    fn add_line(&mut self, name: &str, schema: Value, required: bool) {
        self.properties.insert(name.to_string(), schema);
        self.required.extend(required.then(|| name.to_string()));
    }

    /// The schema of a line that is fixed in play. It may contain lists and nested sheets.
    fn column_schema(&mut self, column: &FieldInfo, shape: &Shape) -> Value {
        match shape {
            Shape::List(inner) => list_schema(&self.column_schema(column, inner)),
            Shape::OrNone(inner) => any_schema(vec![self.column_schema(column, inner), json!({ "enum": [null, "none"] })]),
            Shape::Sheet(sheet) => self.part_reference(*sheet),
            _ => shape_schema(self.program, column, shape, self.definitions),
        }
    }

    /// References a nested sheet of this sort or of one that builds on it.
    fn part_reference(&mut self, wanted: SheetId) -> Value {
        let info = &self.program.prints.sheets[usize::from(wanted)];
        self.definitions.reference_schema(&part_name(info), |_| {
            self.parts.push(wanted);
            Value::Bool(true)
        })
    }
}

/// The schema of a sheet's list of pieces.
fn piece_list_schema(program: &Program, zone: &ZoneInfo, definitions: &mut Definitions) -> Value {
    let least = usize::from(!zone.optional);
    if program.is_printed(zone.holds) {
        return cards_schema(program, zone.holds, definitions);
    }
    let items = definitions.reference_schema("printed-die", |definitions| {
        let die = die_schema(program, definitions);
        let sized =
            json!({ "size": size_schema(program, definitions), "die": die, "marks": marks_schema(program, true, definitions) });
        any_schema(vec![die, json!({ "type": "object", "properties": sized, "additionalProperties": false })])
    });
    json!({ "type": "array", "items": items, "minItems": least })
}

/// The schema of cards, as a list or with counts.
pub(super) fn cards_schema(program: &Program, kind: KindId, definitions: &mut Definitions) -> Value {
    definitions.reference_schema(&format!("cards.{}", program.kind(kind).name), |definitions| {
        let ids = card_ids_schema(program, kind, definitions);
        let count = json!({ "type": "integer", "minimum": 0, "maximum": MOST_CARDS });
        let counted = json!({ "type": "object", "propertyNames": ids, "additionalProperties": count });
        any_schema(vec![counted, list_schema(&ids)])
    })
}

/// The schema of the ids of a kind's cards.
pub(super) fn card_ids_schema(program: &Program, kind: KindId, definitions: &mut Definitions) -> Value {
    definitions.reference_schema(&format!("card.{}", program.kind(kind).name), |_| {
        let is_of_kind =
            |print: &Print| program.prints.sheets.get(usize::from(print.sheet)).and_then(|info| info.kind) == Some(kind);
        let ids = program.prints.ids.iter().filter(|(_, print)| program.prints.find_print(**print).is_some_and(is_of_kind));
        words_schema(ids.map(|(id, _)| id))
    })
}

/// The schemas of abilities by name, with or without settings.
fn ability_schemas(program: &Program, definitions: &mut Definitions, parts: &mut Vec<SheetId>) -> Vec<Value> {
    let known = program.abilities.iter().map(|ability| ability.id.as_str());
    let absent = program.absent_abilities.iter().map(String::as_str);
    let names: Vec<&str> = known.chain(absent).collect();
    let mut settings = Map::new();
    for ability in &program.abilities {
        let mut lines = LineWriter { program, definitions, parts, properties: Map::new(), required: Vec::new() };
        lines.add_columns(ability.settings);
        let LineWriter { properties, required, .. } = lines;
        let alone = (properties.len() == 1).then(|| properties.values().next().cloned()).flatten();
        let mut ways = vec![object_schema(properties, &required)];
        ways.extend(alone);
        ways.extend(required.is_empty().then(|| json!({ "type": "null" })));
        settings.insert(ability.id.clone(), any_schema(ways));
    }
    for absent in &program.absent_abilities {
        settings.insert(absent.clone(), json!(true));
    }
    let with_settings = json!({
        "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false, "properties": settings,
    });
    vec![words_schema(names), with_settings]
}
