//! What sheets look like: those of what sides bring, of cards, and of parts of them.

use super::values::{die, marks, of_shape};
use super::{any, list, object, words};
use crate::program::{FieldInfo, Kind, KindId, Print, Program, Shape, SheetId, ZoneInfo};
use crate::sheet::{MOST_CARDS, PROVENANCES};
use serde_json::{Map, Value, json};

/// A file of any sheet of the game: one, or several under `sheets`.
pub fn sheets(program: &Program) -> Value {
    let known: Vec<SheetId> = whole(program).collect();
    match known.as_slice() {
        // Entrants may have no declared sheet.
        [] => file(program, &[None], one(program, None)),
        known => of(program, known, true),
    }
}

/// A file of the sheet of this name, or of one that builds on it; nothing if there is none.
pub fn sheet(program: &Program, name: &str) -> Option<Value> {
    let wanted = program.prints.sheet_named(name)?;
    let known: Vec<SheetId> = whole(program).filter(|sheet| program.prints.is_sheet(*sheet, wanted)).collect();
    (!known.is_empty()).then(|| of(program, &known, false))
}

/// The sheets that have files of their own, and are not only parts of others.
fn whole(program: &Program) -> impl Iterator<Item = SheetId> {
    let sheets = program.prints.sheets.iter().enumerate().filter(|(_, info)| info.kind.is_some());
    // The sheets of settings of abilities are nobody's file.
    sheets.map(|(sheet, _)| sheet as SheetId)
}

fn of(program: &Program, known: &[SheetId], all: bool) -> Value {
    match known {
        [only] => file(program, &[Some(*only)], one(program, Some(*only))),
        _ => {
            let usual = program.sides.entrant.and_then(|kind| program.prints.sheet_named(&program.kind(kind).name));
            let usual = usual.filter(|usual| known.contains(usual));
            let each: Vec<Option<SheetId>> = known.iter().copied().map(Some).collect();
            file(program, &each, by_name(program, known, usual, all))
        }
    }
}

/// One of several sheets: each says which. `if` and `then` keep what an editor marks to the sheet that is meant.
fn by_name(program: &Program, known: &[SheetId], usual: Option<SheetId>, all: bool) -> Value {
    let name = |sheet: &SheetId| program.prints.sheets[usize::from(*sheet)].name.clone();
    let cases = known.iter().map(|sheet| {
        let says = json!({ "required": ["sheet"], "properties": { "sheet": { "const": name(sheet) } } });
        json!({ "if": says, "then": one(program, Some(*sheet)) })
    });
    let mut cases: Vec<Value> = cases.collect();
    let says_nothing = json!({ "not": { "required": ["sheet"] } });
    match usual.or((!all).then(|| known[0])) {
        Some(usual) => cases.push(json!({ "if": says_nothing, "then": one(program, Some(usual)) })),
        None => cases.push(json!({ "required": ["sheet"] })),
    }
    json!({ "type": "object", "properties": { "sheet": words(known.iter().map(name)) }, "allOf": cases })
}

/// A file with one sheet, or with several by their ids. Of several the file may say once which they are.
fn file(program: &Program, each: &[Option<SheetId>], sheet: Value) -> Value {
    let names = words(program.prints.sheets.iter().map(|info| info.name.clone()));
    let mut several = Map::new();
    several.insert(
        "sheets".into(),
        json!({ "type": "object", "additionalProperties": any(each.iter().map(|sheet| one(program, *sheet)).collect()) }),
    );
    several.insert("sheet".into(), names);
    several.insert("game".into(), json!({ "type": "string" }));
    several.insert("replaces".into(), json!({ "type": ["boolean", "string"] }));
    json!({ "if": { "required": ["sheets"] }, "then": object(several, &[]), "else": sheet })
}

/// One sheet, with the keys that its declaration gives to it.
fn one(program: &Program, sheet: Option<SheetId>) -> Value {
    let info = sheet.and_then(|sheet| program.prints.sheets.get(usize::from(sheet)));
    let kind = info.map_or(program.sides.entrant, |info| info.kind);
    let is_entrant = kind.is_some() && kind == program.sides.entrant;
    let mut lines = Lines { program, properties: Map::new(), required: vec!["name".to_string()] };
    if let Some(kind) = kind.filter(|_| is_entrant).map(|kind| program.kind(kind)) {
        lines.add_kind(kind, sheet);
    }
    lines.add_columns(sheet);
    let listed: Vec<String> = lines.properties.keys().cloned().collect();
    let Lines { mut properties, required, .. } = lines;
    properties.insert("name".into(), json!({ "type": "string", "pattern": "\\S" }));
    properties.insert("abilities".into(), list(&any(abilities(program))));
    let provenance = json!({ "type": "object", "propertyNames": words(&listed), "additionalProperties": words(PROVENANCES) });
    properties.insert("provenance".into(), provenance);
    properties.insert("note".into(), json!({ "type": "string" }));
    properties.insert("game".into(), json!({ "type": "string" }));
    properties.insert("replaces".into(), json!({ "anyOf": [{ "type": "string" }, { "enum": [true, false] }] }));
    if let Some(info) = info {
        properties.insert("sheet".into(), words([&info.name]));
    }
    object(properties, &required)
}

struct Lines<'p> {
    program: &'p Program,
    properties: Map<String, Value>,
    required: Vec<String>,
}

impl Lines<'_> {
    fn add_kind(&mut self, kind: &Kind, sheet: Option<SheetId>) {
        let has = |sheets: &[SheetId]| sheet.is_none_or(|sheet| self.program.prints.has(sheet, sheets));
        let zones: Vec<&ZoneInfo> = kind.zones.iter().filter(|zone| zone.printed && has(&zone.sheets)).collect();
        let fields: Vec<&FieldInfo> = kind.fields.iter().filter(|field| field.printed && has(&field.sheets)).collect();
        for zone in zones {
            self.add(&zone.name, pieces(self.program, zone), !zone.optional);
        }
        for field in fields {
            let shape = match &field.shape {
                Shape::OrNone(inner) if !field.optional => inner,
                shape => shape,
            };
            self.add(&field.name, of_shape(self.program, field, shape), !field.optional);
        }
    }

    fn add_columns(&mut self, sheet: Option<SheetId>) {
        for (printed, column) in sheet.map_or(Vec::new(), |sheet| self.program.prints.columns(sheet)) {
            let schema = column_shape(self.program, column, &column.shape);
            self.add(&column.name, schema, printed.default.is_none());
        }
    }

    fn add(&mut self, name: &str, schema: Value, required: bool) {
        self.properties.insert(name.to_string(), schema);
        self.required.extend(required.then(|| name.to_string()));
    }
}

/// What a line says that cannot change in play: it may hold lists, and sheets inside this one.
fn column_shape(program: &Program, column: &FieldInfo, shape: &Shape) -> Value {
    match shape {
        Shape::List(inner) => list(&column_shape(program, column, inner)),
        Shape::OrNone(inner) => any(vec![column_shape(program, column, inner), json!({ "enum": [null, "none"] })]),
        Shape::Sheet(sheet) => part(program, *sheet),
        _ => of_shape(program, column, shape),
    }
}

/// A sheet inside another, of the wanted sort or of one that builds on it.
fn part(program: &Program, wanted: SheetId) -> Value {
    let fits = (0..program.prints.sheets.len() as SheetId).filter(|sheet| program.prints.is_sheet(*sheet, wanted));
    let parts = fits.map(|sheet| {
        let mut lines = Lines { program, properties: Map::new(), required: Vec::new() };
        lines.add_columns(Some(sheet));
        let Lines { mut properties, mut required, .. } = lines;
        properties.insert("name".into(), json!({ "type": "string", "pattern": "\\S" }));
        properties.insert("sheet".into(), words([&program.prints.sheets[usize::from(sheet)].name]));
        required.extend((sheet != wanted).then(|| "sheet".to_string()));
        object(properties, &required)
    });
    any(parts.collect())
}

/// The pieces that a sheet lists.
fn pieces(program: &Program, zone: &ZoneInfo) -> Value {
    let least = usize::from(!zone.optional);
    if program.is_printed(zone.holds) {
        return cards(program, zone.holds);
    }
    let printed = program.marks.iter().filter(|mark| mark.printed).map(|mark| mark.name.as_str());
    let sized = json!({ "size": { "enum": program.die_sizes }, "die": die(program), "marks": marks(printed) });
    let described = json!({ "type": "object", "properties": sized, "additionalProperties": false });
    json!({ "type": "array", "items": any(vec![die(program), described]), "minItems": least })
}

/// Cards, one by one or with how many of each.
pub(super) fn cards(program: &Program, kind: KindId) -> Value {
    let ids = card_ids(program, kind);
    let count = json!({ "type": "integer", "minimum": 0, "maximum": MOST_CARDS });
    let counted = json!({ "type": "object", "propertyNames": ids, "additionalProperties": count });
    any(vec![counted, list(&ids)])
}

/// The ids of the cards of a kind.
pub(super) fn card_ids(program: &Program, kind: KindId) -> Value {
    let is_of_kind = |print: &Print| program.prints.sheets.get(usize::from(print.sheet)).and_then(|info| info.kind) == Some(kind);
    let ids = program.prints.ids.iter().filter(|(_, print)| program.prints.print(**print).is_some_and(is_of_kind));
    words(ids.map(|(id, _)| id))
}

/// Abilities by name, with or without settings.
fn abilities(program: &Program) -> Vec<Value> {
    let known = program.abilities.iter().map(|ability| ability.id.as_str());
    let absent = program.absent_abilities.iter().map(String::as_str);
    let names: Vec<&str> = known.chain(absent).collect();
    let mut settings = Map::new();
    for ability in &program.abilities {
        let mut lines = Lines { program, properties: Map::new(), required: Vec::new() };
        lines.add_columns(ability.settings);
        let Lines { properties, required, .. } = lines;
        let alone = (properties.len() == 1).then(|| properties.values().next().cloned()).flatten();
        let mut ways = vec![object(properties, &required)];
        ways.extend(alone);
        ways.extend(required.is_empty().then(|| json!({ "type": "null" })));
        settings.insert(ability.id.clone(), any(ways));
    }
    for absent in &program.absent_abilities {
        settings.insert(absent.clone(), json!(true));
    }
    let with_settings = json!({
        "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false, "properties": settings,
    });
    vec![words(names), with_settings]
}
