//! A single sheet: its lists, numbers and words with their provenance, its abilities, and its holders.
//!
//! Holders of a card are the entrants whose lists it is on, such as decks.

use super::lines::{Line, ValueOrigin};
use super::provenance::Origin;
use super::{Description, Subject};
use crate::layout::{Table, count_text, paragraph_text, readable_name};
use crate::output;
use ludex_engine::program::{AbilityInfo, ListedAbility, Print};
use serde_json::{Map, Value, json};

impl Subject {
    /// One sheet, found by its id or its name.
    pub(super) fn describe_sheet(&self, print: &Print) -> Description {
        let title = output::heading_text(self.sheet_name(print));
        let mut text =
            paragraph_text(&format!("{title} ({}), {} of {}", print.id, self.kind_noun(print.sheet), self.program.title), 0);
        text.push_str(&paragraph_text(&self.file_and_library(print.source), 0));
        let lines = lines_text(print, &self.sheet_lines(print));
        if !lines.is_empty() {
            text.push_str(&format!("\n{lines}"));
        }
        text.push_str(&self.piles_text(print));
        for (ability, listed) in self.abilities_of(print) {
            text.push_str(&format!("\n{}", self.listed_text(ability, listed)));
        }
        let holders = self.find_holders(print);
        if !holders.is_empty() {
            text.push_str(&format!("\n{}", paragraph_text(&self.holders_text(&holders), 0)));
        }
        if let Some(note) = &print.note {
            text.push_str(&format!("\n{}", paragraph_text(note, 0)));
        }
        let what = if self.is_entrant(print) { "character" } else { "sheet" };
        Description { what, text, json: self.sheet_json(print), source: Some(print.source) }
    }

    /// A sheet with all its values, including defaults; keys such as `derived` say which are not in the file.
    pub(super) fn sheet_json(&self, print: &Print) -> Value {
        let entrant = self.program.sheets.get(&print.id);
        let named = |lines: Vec<Line>| lines.into_iter().map(|line| (line.name.to_string(), line.json)).collect::<Map<_, _>>();
        let names = |lines: &[Line], told: &[ValueOrigin]| -> Vec<String> {
            lines.iter().filter(|line| told.contains(&line.told)).map(|line| line.name.to_string()).collect()
        };
        let lists = entrant.map_or(Vec::new(), |sheet| self.zone_lines(sheet));
        let mut values = entrant.map_or(Vec::new(), |sheet| self.value_lines(sheet));
        values.extend(self.column_lines(print));
        let settings = self.abilities_of(print).filter_map(|(ability, listed)| {
            let settings = self.program.prints.find_print(listed.settings?)?;
            Some((ability.id.clone(), Value::Object(self.columns_json(settings))))
        });
        let held_by = self.find_holders(print).into_iter().map(|(id, count)| json!({ "id": id, "count": count }));
        json!({
            "id": print.id,
            "name": self.sheet_name(print),
            "sheet": self.program.prints.sheets.get(usize::from(print.sheet)).map(|info| &info.name),
            "from": self.loaded.library.source_library(print.source),
            "file": self.program.sources.get(print.source).name,
            "lists": named(lists),
            "derived": names(&values, &[ValueOrigin::Derived]),
            "usual": names(&values, &[ValueOrigin::Usual, ValueOrigin::Nothing]),
            "values": named(values),
            "provenance": print.provenance,
            "abilities": self.abilities_of(print).map(|(ability, _)| ability.id.as_str()).collect::<Vec<_>>(),
            "settings": settings.collect::<Map<_, _>>(),
            "held_by": held_by.collect::<Vec<_>>(),
            "note": print.note,
        })
    }

    /// An ability as listed on a sheet, with the settings of the sheet.
    fn listed_text(&self, ability: &AbilityInfo, listed: &ListedAbility) -> String {
        let mut text = paragraph_text(&format!("{} ({})", output::heading_text(&ability.title), ability.id), 0);
        text.push_str(&paragraph_text(&ability.text, 2));
        let settings = listed.settings.and_then(|settings| self.program.prints.find_print(settings));
        let settings = settings.map_or(String::new(), |settings| self.settings_text(settings));
        for line in [settings, self.uses_text(ability)] {
            if !line.is_empty() {
                text.push_str(&paragraph_text(&line, 2));
            }
        }
        text
    }

    /// The abilities of a sheet, each with its entry on the sheet.
    fn abilities_of<'a>(&'a self, print: &'a Print) -> impl Iterator<Item = (&'a AbilityInfo, &'a ListedAbility)> {
        let ability = |listed: &'a ListedAbility| Some((self.program.abilities.get(usize::from(listed.ability))?, listed));
        print.abilities.iter().filter_map(ability)
    }

    /// `In 2 decks: moon (2), past (1)`.
    fn holders_text(&self, holders: &[(&str, usize)]) -> String {
        let kind = self.program.sides.entrant.and_then(|kind| self.program.kinds.get(usize::from(kind)));
        let (one, many) = kind.map_or(("sheet", "sheets"), |kind| (kind.name.as_str(), kind.plural.as_str()));
        let words: Vec<String> = holders.iter().map(|(id, count)| format!("{id} ({count})")).collect();
        format!("In {}: {}", count_text(holders.len(), &readable_name(one), &readable_name(many)), words.join(", "))
    }

    /// The sheets that have it on a list, each with the count.
    fn find_holders(&self, print: &Print) -> Vec<(&str, usize)> {
        let Some(number) = self.program.prints.ids.get(&print.id).copied() else { return Vec::new() };
        let entrants = self.program.sheets.values();
        let counts = entrants.map(|sheet| {
            let pieces = sheet.zones.iter().flat_map(|(_, pieces)| pieces);
            (sheet.id.as_str(), pieces.filter(|piece| piece.print == Some(number)).count())
        });
        counts.filter(|(_, count)| *count > 0).collect()
    }
}

/// The lines with their provenance: beside each if there is room, otherwise below them.
fn lines_text(print: &Print, lines: &[Line]) -> String {
    let mut alone = Table::default();
    let mut beside = Table::default();
    let mut origins: Vec<(Origin, Vec<String>)> = Vec::new();
    for line in lines {
        let origin = Origin::from_line(print, line);
        for (index, words) in line.words.iter().enumerate() {
            let (name, origin) = match index {
                0 => (readable_name(line.name), origin.as_ref().map_or(String::new(), Origin::origin_text)),
                _ => (String::new(), String::new()),
            };
            alone.add_row([name.clone(), words.clone()]);
            beside.add_row([name, words.clone(), origin]);
        }
        let Some(origin) = origin else { continue };
        match origins.iter_mut().find(|(known, _)| *known == origin) {
            Some((_, names)) => names.push(readable_name(line.name)),
            None => origins.push((origin, vec![readable_name(line.name)])),
        }
    }
    if beside.fits_width() {
        return beside.to_text();
    }
    let groups: Vec<String> = origins.iter().map(|(origin, names)| paragraph_text(&origin.origin_text_for(names), 2)).collect();
    let gap = if groups.is_empty() { "" } else { "\n" };
    format!("{}{gap}{}", alone.to_text(), groups.concat())
}
