//! One character: its lists, numbers and words with where they come from, and its abilities.

use super::overview::meaning;
use super::{Shown, Subject};
use crate::layout::{Table, paragraph};
use crate::output;
use ludex_engine::field;
use ludex_engine::program::{AbilityInfo, FieldInfo, PrintedPiece, Shape, Sheet};
use ludex_engine::runtime::setup::first_values;
use serde_json::{Map, Value, json};

impl Subject {
    pub(super) fn character(&self, sheet: &Sheet) -> Shown {
        let kind = self.program.kinds.get(sheet.kind as usize);
        let noun = kind.map_or("character", |kind| &kind.name);
        let mut text = format!("{} ({}), {noun} of {}\n", output::heading(&sheet.name), sheet.id, self.program.title);
        text.push_str(&paragraph(&self.file(sheet.source), 0));
        text.push('\n');
        let mut table = Table::default();
        for (name, dice) in self.lists(sheet) {
            let dice: Vec<String> = dice.iter().map(|die| self.die_words(die)).collect();
            let dice = if dice.is_empty() { "none".to_string() } else { dice.join(" ") };
            let origin = origin(sheet, &name);
            table.row([name, dice, origin]);
        }
        for line in self.values(sheet) {
            let origin = if line.derived { "derived: worked out by the rules".to_string() } else { origin(sheet, &line.name) };
            table.row([line.name, line.words, origin]);
        }
        text.push_str(&table.text());
        for ability in self.abilities_of(sheet) {
            text.push_str(&format!("\n{} ({})\n", output::heading(&ability.title), ability.id));
            text.push_str(&paragraph(&ability.text, 2));
            let uses = self.uses(ability);
            if !uses.is_empty() {
                text.push_str(&format!("  {uses}\n"));
            }
        }
        if let Some(note) = &sheet.note {
            text.push_str(&format!("\n{}", paragraph(note, 0)));
        }
        Shown { what: "character", text, json: self.character_json(sheet) }
    }

    pub(super) fn character_json(&self, sheet: &Sheet) -> Value {
        let dice = |list: &[PrintedPiece]| list.iter().map(|die| self.die_json(die)).collect::<Value>();
        let lists: Map<String, Value> = self.lists(sheet).into_iter().map(|(name, list)| (name, dice(list))).collect();
        let abilities: Vec<&str> = self.abilities_of(sheet).map(|ability| ability.id.as_str()).collect();
        let values: Vec<Line> = self.values(sheet);
        let derived: Vec<String> = values.iter().filter(|line| line.derived).map(|line| line.name.clone()).collect();
        let values: Map<String, Value> = values.into_iter().map(|line| (line.name, line.json)).collect();
        json!({
            "id": sheet.id,
            "name": sheet.name,
            "from": self.loaded.library.origin(sheet.source),
            "file": self.program.sources.get(sheet.source).name,
            "lists": lists,
            "values": values,
            "derived": derived,
            "provenance": sheet.provenance,
            "abilities": abilities,
            "note": sheet.note,
        })
    }

    /// The sheet's lists by name.
    fn lists<'s>(&self, sheet: &'s Sheet) -> Vec<(String, &'s [PrintedPiece])> {
        let zones = self.program.kinds.get(sheet.kind as usize).map_or(&[][..], |kind| &kind.zones);
        let name = |zone: u16| zones.get(usize::from(zone)).map(|zone| zone.name.clone());
        sheet.zones.iter().filter_map(|(zone, pieces)| Some((name(*zone)?, pieces.as_slice()))).collect()
    }

    /// The numbers and words that the game's sheets print, with what the rules work out for those left out here.
    pub(super) fn values(&self, sheet: &Sheet) -> Vec<Line> {
        let Some(kind) = self.program.kinds.get(sheet.kind as usize) else { return Vec::new() };
        let Ok(values) = first_values(&self.program, &sheet.id) else { return Vec::new() };
        let printed = kind.fields.iter().zip(values).enumerate().filter(|(_, (field, _))| field.printed);
        let line = |(index, (field, value)): (usize, (&FieldInfo, i32))| {
            let words = field::shown(&self.program, &field.shape, value);
            let json = match field.shape {
                Shape::Flag => json!(value != 0),
                _ => words.parse::<i64>().map_or_else(|_| json!(words), |number| json!(number)),
            };
            let derived = !sheet.fields.iter().any(|(given, _)| usize::from(*given) == index);
            Line { name: field.name.clone(), words, json, derived }
        };
        printed.map(line).collect()
    }

    /// `d8`, or what a die with faces of its own is called.
    fn die_words(&self, die: &PrintedPiece) -> String {
        if let Some(print) = die.print {
            return self.program.prints.name(print).to_string();
        }
        self.program.faces_of(die.kind).map_or_else(|| format!("d{}", die.size), |faces| faces.title.clone())
    }

    /// As the sheet has it: a size, or the name of a die with faces of its own.
    fn die_json(&self, die: &PrintedPiece) -> Value {
        if let Some(print) = die.print.and_then(|print| self.program.prints.print(print)) {
            return json!(print.id);
        }
        match self.program.faces_of(die.kind) {
            Some(faces) => json!(self.program.kind(faces.kind).name),
            None => json!(die.size),
        }
    }

    fn abilities_of<'a>(&'a self, sheet: &'a Sheet) -> impl Iterator<Item = &'a AbilityInfo> {
        sheet.abilities.iter().filter_map(|listed| self.program.abilities.get(usize::from(listed.ability)))
    }
}

/// One number or word of a sheet.
pub(super) struct Line {
    pub name: String,
    pub words: String,
    pub json: Value,
    /// The file leaves it to the rules.
    pub derived: bool,
}

/// Where a line of a sheet comes from.
fn origin(sheet: &Sheet, name: &str) -> String {
    match sheet.provenance.get(name).map(String::as_str) {
        None => String::new(),
        Some("seed") => "from the rules".to_string(),
        Some(word) => format!("{word}: {}", meaning(word)),
    }
}
