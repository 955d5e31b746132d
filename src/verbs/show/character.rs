//! One character: its lists with where they come from, and its abilities.

use super::overview::meaning;
use super::{Shown, Subject};
use crate::layout::{Table, paragraph};
use crate::output;
use ludex_engine::program::{AbilityInfo, Sheet};
use serde_json::{Map, Value, json};

impl Subject {
    pub(super) fn character(&self, sheet: &Sheet) -> Shown {
        let kind = self.program.kinds.get(sheet.kind as usize);
        let noun = kind.map_or("character", |kind| &kind.name);
        let mut text = format!("{} ({}), {noun} of {}\n", output::heading(&sheet.name), sheet.id, self.program.title);
        text.push_str(&paragraph(&self.file(sheet.source), 0));
        text.push('\n');
        let mut table = Table::default();
        for (name, sizes) in self.lists(sheet) {
            let sizes: Vec<String> = sizes.iter().map(|size| format!("d{size}")).collect();
            let origin = match sheet.provenance.get(&name).map(String::as_str) {
                None => String::new(),
                Some("seed") => "from the rules".to_string(),
                Some(word) => format!("{word}: {}", meaning(word)),
            };
            let sizes = if sizes.is_empty() { "none".to_string() } else { sizes.join(" ") };
            table.row([name, sizes, origin]);
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
        let lists: Map<String, Value> = self.lists(sheet).into_iter().map(|(name, sizes)| (name, json!(sizes))).collect();
        let abilities: Vec<&str> = self.abilities_of(sheet).map(|ability| ability.id.as_str()).collect();
        json!({
            "id": sheet.id,
            "name": sheet.name,
            "from": self.loaded.library.origin(sheet.source),
            "file": self.program.sources.get(sheet.source).name,
            "lists": lists,
            "provenance": sheet.provenance,
            "abilities": abilities,
            "note": sheet.note,
        })
    }

    /// The sheet's lists by name.
    fn lists(&self, sheet: &Sheet) -> Vec<(String, Vec<i32>)> {
        let zones = self.program.kinds.get(sheet.kind as usize).map_or(&[][..], |kind| &kind.zones);
        let list = |(zone, pieces): &(u16, Vec<ludex_engine::program::PrintedPiece>)| {
            let name = zones.get(usize::from(*zone))?.name.clone();
            Some((name, pieces.iter().map(|piece| piece.size).collect()))
        };
        sheet.zones.iter().filter_map(list).collect()
    }

    fn abilities_of<'a>(&'a self, sheet: &'a Sheet) -> impl Iterator<Item = &'a AbilityInfo> {
        sheet.abilities.iter().filter_map(|(id, _)| self.program.abilities.get(*id as usize))
    }
}
