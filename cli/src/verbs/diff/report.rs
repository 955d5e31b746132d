//! The report of differences, for people and for programs.
//!
//! A unit is a sheet, an ability or a declaration of the rules. It is new, gone or changed.

use super::GameDifference;
use super::snapshot::{Change, Content, Part};
use crate::layout::{Table, count_text, paragraph_text};
use crate::output;
use ludex_engine::problem::{capitalise_first, join_words};
use serde_json::{Value, json};
use similar::{ChangeTag, TextDiff};

/// Lines of context around the changed lines of a text.
const AROUND: usize = 1;
/// Maximum number of new units shown in full; of more, only the names are shown.
const MOST_NEW_IN_FULL: usize = 8;

impl GameDifference {
    /// The changes by part. A new game only has counts, since all of it is new.
    pub(super) fn comparison_text(&self) -> String {
        let title = format!("{} ({})", output::heading_text(&self.title), self.game);
        if self.with.is_empty() {
            let sheets = self.changes.iter().filter(|change| change.place.part == Part::Sheets).count();
            let abilities = self.changes.iter().filter(|change| change.place.part == Part::Abilities).count();
            let what = [count_text(sheets, "sheet", "sheets"), count_text(abilities, "ability", "abilities")].join(" and ");
            return paragraph_text(&format!("{title} is a game of its own, with {what}"), 0);
        }
        let mut text = match self.with.as_slice() {
            [game] if *game == self.game => paragraph_text(&title, 0),
            with => paragraph_text(&format!("{title} compared with {}", join_words(with, "and")), 0),
        };
        if self.changes.is_empty() {
            text.push_str("  no differences\n");
        }
        for part in Part::ALL {
            text.push_str(&self.part_text(part));
        }
        text
    }

    /// The changes of a part: new, gone, then changed. Content is shown except for what is gone, and for very many new units.
    fn part_text(&self, part: Part) -> String {
        let changes: Vec<&Change> = self.changes.iter().filter(|change| change.place.part == part).collect();
        if changes.is_empty() {
            return String::new();
        }
        let mut text = format!("\n{}\n", output::heading_text(&capitalise_first(part.part_name())));
        let (new, rest): (Vec<&Change>, Vec<&Change>) = changes.into_iter().partition(|change| change.old.is_none());
        let (gone, changed): (Vec<&Change>, Vec<&Change>) = rest.into_iter().partition(|change| change.new.is_none());
        let is_many = new.len() > MOST_NEW_IN_FULL;
        text.push_str(&if is_many { changes_by_name("new    ", &new) } else { changes_in_full("new    ", &new) });
        text.push_str(&changes_by_name("gone   ", &gone));
        text.push_str(&changes_in_full("changed", &changed));
        text
    }

    pub(super) fn to_json(&self) -> Value {
        let changes: Vec<Value> = self.changes.iter().map(Change::to_json).collect();
        json!({ "game": self.game, "title": self.title, "compared_with": self.with, "changes": changes })
    }
}

impl Change {
    /// The name, with the mode if only one has it.
    fn name_text(&self) -> String {
        let mode = self.place.mode.as_ref().map_or(String::new(), |mode| format!(" (in {mode})"));
        format!("{}{mode}", self.place.name)
    }

    /// The content of a new unit, or the lines that differ.
    fn detail_text(&self) -> String {
        match (&self.old, &self.new) {
            (None, Some(Content::Lines(new))) => {
                let mut table = Table::default();
                new.iter().for_each(|(key, value)| table.add_row([String::new(), String::new(), key.clone(), value.clone()]));
                table.to_text()
            }
            (None, Some(Content::Text(new))) => difference_text("", new),
            (Some(Content::Lines(old)), Some(Content::Lines(new))) => {
                let mut table = Table::default();
                for (key, before, after) in changed_lines(old, new) {
                    let shown = |value: Option<&str>| value.map_or("nothing".to_string(), str::to_string);
                    table.add_row([String::new(), String::new(), key, format!("{} → {}", shown(before), shown(after))]);
                }
                table.to_text()
            }
            (Some(Content::Text(old)), Some(Content::Text(new))) => difference_text(old, new),
            _ => String::new(),
        }
    }

    fn to_json(&self) -> Value {
        let how = match (&self.old, &self.new) {
            (None, _) => "new",
            (_, None) => "gone",
            _ => "changed",
        };
        let value = |content: &Option<Content>| match content {
            None => Value::Null,
            Some(Content::Text(text)) => json!(text),
            Some(Content::Lines(lines)) => lines.iter().map(|(key, value)| (key.clone(), json!(value))).collect(),
        };
        let place = &self.place;
        json!({ "part": place.part.part_name(), "what": place.name, "mode": place.mode, "how": how, "old": value(&self.old), "new": value(&self.new) })
    }
}

/// Changes by name, in one row. `how` is the heading, in equal width.
fn changes_by_name(how: &str, changes: &[&Change]) -> String {
    let mut table = Table::default();
    if !changes.is_empty() {
        let names: Vec<String> = changes.iter().map(|change| change.name_text()).collect();
        table.add_row([how.to_string(), names.join(", ")]);
    }
    table.to_text()
}

/// Changes with their content.
fn changes_in_full(how: &str, changes: &[&Change]) -> String {
    changes.iter().map(|change| format!("  {how}  {}\n{}", change.name_text(), change.detail_text())).collect()
}

/// The lines of a sheet that differ: the key, the old value and the new one.
fn changed_lines<'l>(
    old: &'l [(String, String)],
    new: &'l [(String, String)],
) -> Vec<(String, Option<&'l str>, Option<&'l str>)> {
    let value =
        |lines: &'l [(String, String)], key: &str| lines.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
    let gone = old.iter().filter(|(key, _)| value(new, key).is_none());
    let keys = new.iter().chain(gone).map(|(key, _)| key);
    keys.map(|key| (key.clone(), value(old, key), value(new, key))).filter(|(_, old, new)| old != new).collect()
}

/// The lines of a text that differ, with one line of context.
fn difference_text(old: &str, new: &str) -> String {
    let compared = TextDiff::from_lines(old, new);
    let mut text = String::new();
    for (nth, group) in compared.grouped_ops(AROUND).iter().enumerate() {
        if nth > 0 {
            text.push_str("      …\n");
        }
        for change in group.iter().flat_map(|op| compared.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            text.push_str(&format!("    {sign} {}\n", change.value().trim_end()));
        }
    }
    text
}
