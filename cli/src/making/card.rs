//! A new card and a bearer for it: a deck in which it replaces a similar card.
//!
//! A model is an existing card whose values the new one gets. Sheets of entrants list cards in their lines, such as a deck.

use super::sheet_text::{SheetText, comment_text};
use super::{Name, NewFile, NewFiles, Workshop, trial};
use crate::game::loaded::entrant_word;
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::sheet::{SheetEntry, SheetFiles, sheet_files};
use ludex_engine::yaml::{Node, OutputValue, Value};
use std::collections::BTreeMap;

/// A card and its bearer.
pub struct Card {
    pub files: Vec<NewFile>,
    /// The id of the bearer, if sides can bring one.
    pub bearer: Option<String>,
}

/// Where a card is listed: the sheet and the line.
struct CardListing<'n> {
    model: &'n SheetEntry<'n>,
    bearer: &'n SheetEntry<'n>,
    line: String,
    /// The line with one copy of the model replaced by the new card.
    changed: OutputValue,
}

impl Workshop<'_> {
    /// The sheets that the game has cards of, with their words in the rules.
    pub fn card_sheets(&self) -> Vec<(SheetFiles, String)> {
        let prints = &self.program.prints;
        let cards = || prints.ids.values().filter_map(|print| prints.find_print(*print));
        let has_any = |files: &SheetFiles| cards().any(|print| *files == SheetFiles::Card(print.sheet));
        let all: Vec<(SheetFiles, String)> =
            sheet_files(&self.program).into_iter().filter(|(files, _)| matches!(files, SheetFiles::Card(_))).collect();
        let used: Vec<(SheetFiles, String)> = all.iter().filter(|(files, _)| has_any(files)).cloned().collect();
        if used.is_empty() { all } else { used }
    }

    /// Creates a new card that resembles an existing one, with a scenario. `like` is the id of the model, if the user names
    /// one.
    pub fn create_card(&self, name: &Name, files: SheetFiles, like: Option<&str>) -> Result<NewFiles, Stop> {
        self.refuse_taken_name(name)?;
        let card = self.create_card_with(name, files, like, &[], &[])?;
        let mut made = card.files;
        let mut next = Vec::new();
        if let Some(bearer) = &card.bearer {
            let program = self.compile_with_files(&made)?;
            let story = trial::play_trial(&program, Some(bearer), 1)?;
            let text = trial::scenario_text(&story, &format!("{} is in the game", name.title), 0, story.answer_count().min(1))?;
            let head = comment_text(
                "A scenario is a test: where play starts, what is drawn, what the players answer, and what must result. Change it so that the card is played. `ludex explain scenarios` explains every line.",
            );
            made.push(NewFile::new(format!("rules/{}/scenarios/{}.yaml", self.game, name.id), format!("{head}\n{text}")));
            next.push((format!("ludex play {} --seat 0={bearer}", self.game), "play with it against a bot"));
        }
        next.push((format!("ludex show {} {}", self.game, name.id), "read the card"));
        Ok(self.with_next_steps(made, next))
    }

    /// Creates a new card with some abilities, and a bearer. `files` is the sheet that declares such cards; `beside` are other
    /// new files to compile with it, such as the script of an ability.
    pub fn create_card_with(
        &self,
        name: &Name,
        files: SheetFiles,
        like: Option<&str>,
        abilities: &[String],
        beside: &[NewFile],
    ) -> Result<Card, Stop> {
        let entries = self.sheet_entries();
        let word = self.sheet_word(files).unwrap_or("card").to_string();
        let of_sheet = |entry: &&SheetEntry| self.is_card_of(entry, files) && like.is_none_or(|like| entry.id == like);
        let models: Vec<&SheetEntry> = entries.iter().filter(of_sheet).collect();
        if let Some(like) = like.filter(|_| models.is_empty()) {
            let ids: Vec<&str> =
                entries.iter().filter(|entry| self.is_card_of(entry, files)).map(|entry| entry.id.as_str()).collect();
            let problem =
                Problem::error(codes::UNKNOWN_ENTRANT, format!("there is no {word} `{like}` in {}", self.program.title));
            return Err(problem.suggest(like, ids).into());
        }
        let listed = self.find_listing(&entries, &models, name);
        let model = listed.as_ref().map(|listed| listed.model).or(models.first().copied());
        let head = self.heading_comment(name, &word, model);
        let sheet = SheetText { workshop: self, files, name, head, abilities: abilities.to_vec(), other: BTreeMap::new() };
        let card = NewFile::new(format!("characters/{}/{}.yaml", self.game, name.id), sheet.sheet_text(model));
        let mut all = beside.to_vec();
        all.push(card.clone());
        let Some(listed) = listed else {
            self.compile_with_files(&all)?;
            return Ok(Card { files: vec![card], bearer: None });
        };
        let bearer = name.with_suffix(entrant_word(&self.program));
        self.refuse_taken_name(&bearer)?;
        let other = BTreeMap::from([(listed.line.clone(), listed.changed.clone())]);
        let entrant = self.create_entrant(&bearer, Some(&listed.bearer.id), &[], &other, &all)?;
        Ok(Card { files: vec![card, entrant.file], bearer: Some(bearer.id) })
    }

    /// Whether a sheet's entry is a card of this declared sheet.
    fn is_card_of(&self, entry: &SheetEntry, files: SheetFiles) -> bool {
        let print = self.program.prints.ids.get(&entry.id).and_then(|print| self.program.prints.find_print(*print));
        matches!((print, files), (Some(print), SheetFiles::Card(sheet)) if print.sheet == sheet)
    }

    /// Finds an entrant's sheet that lists one of the models. `name` is that of the new card, which replaces a copy of the
    /// model there.
    fn find_listing<'n>(
        &self,
        entries: &'n [SheetEntry<'n>],
        models: &[&'n SheetEntry<'n>],
        name: &Name,
    ) -> Option<CardListing<'n>> {
        let bearers = entries.iter().filter(|entry| self.program.sheets.contains_key(&entry.id));
        for bearer in bearers {
            for line in self.sheet_lines(SheetFiles::Entrant(None)).iter().map(|line| line.name.as_str()).chain(self.zone_lines())
            {
                let Some(node) = bearer.find_line(line) else { continue };
                for model in models {
                    if let Some(changed) = exchange_card(node, &model.id, &name.id) {
                        return Some(CardListing { model, bearer, line: line.to_string(), changed });
                    }
                }
            }
        }
        None
    }

    /// The lines for zones in all entrants' sheets.
    fn zone_lines(&self) -> impl Iterator<Item = &str> {
        let kind = self.program.sides.entrant.and_then(|kind| self.program.kinds.get(usize::from(kind)));
        kind.into_iter().flat_map(|kind| &kind.zones).map(|zone| zone.name.as_str())
    }
}

/// A list of cards with one copy of a card replaced by another; `None` if the card is not in it.
fn exchange_card(node: &Node, old: &str, new: &str) -> Option<OutputValue> {
    match &node.value {
        Value::Map(entries) => {
            let count = entries.iter().find(|(key, _)| key.name == old).and_then(|(_, count)| match count.value {
                Value::Number(count) if count > 0 => Some(count),
                _ => None,
            })?;
            let kept = entries.iter().filter(|(key, _)| key.name != old || count > 1);
            let lines = kept.map(|(key, node)| {
                let value = if key.name == old { OutputValue::from_number(count - 1) } else { OutputValue::from(node) };
                (key.name.clone(), value)
            });
            Some(OutputValue::Map(std::iter::once((new.to_string(), OutputValue::from_number(1))).chain(lines).collect()))
        }
        Value::List(members) => {
            let place = members.iter().position(|member| member.value == Value::Text(old.to_string()))?;
            let lines = members
                .iter()
                .enumerate()
                .map(|(index, member)| if index == place { OutputValue::from_text(new) } else { OutputValue::from(member) });
            Some(OutputValue::List(lines.collect()))
        }
        _ => None,
    }
}
