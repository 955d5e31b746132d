//! The text of a sheet's file: every line that the rules know, with its possible values.
//!
//! A line is an entry of the YAML file. It gets its value from a replacement, the model, or a sample, in this order; optional
//! lines without a value become comments.

use super::{Name, Workshop};
use crate::layout::break_lines;
use ludex_engine::problem::{capitalise_first, with_article};
use ludex_engine::sheet::{SheetEntry, SheetFiles, SheetLine};
use ludex_engine::yaml::OutputValue;
use std::collections::BTreeMap;

/// Maximum width of comments.
const WIDTH: usize = 110;

/// The parts of a new sheet.
pub struct SheetText<'w> {
    pub workshop: &'w Workshop<'w>,
    pub files: SheetFiles,
    pub name: &'w Name,
    /// The comment at the top.
    pub head: Vec<String>,
    /// Ids of the abilities that it lists.
    pub abilities: Vec<String>,
    /// Lines that differ from those of the model.
    pub other: BTreeMap<String, OutputValue>,
}

impl Workshop<'_> {
    /// The comment at the top of a new sheet: what it is, and its model.
    pub fn heading_comment(&self, name: &Name, word: &str, model: Option<&SheetEntry>) -> Vec<String> {
        let like = match model {
            Some(model) => format!("Its values are those of `{}` so far", model.id),
            None => "Its values are made up so far".to_string(),
        };
        let what = format!("{}, {} of {}.", name.title, with_article(word), self.program.title);
        vec![what, format!("{like}: change what you like, save, and run `ludex check`.")]
    }
}

impl SheetText<'_> {
    /// The text of the file, with the values of a model if there is one.
    pub fn sheet_text(&self, model: Option<&SheetEntry>) -> String {
        let notes = self.workshop.line_notes();
        let mut text: String = self.head.iter().map(|line| comment_text(line)).collect();
        text.push('\n');
        if let Some(sheet) = self.workshop.sheet_word(self.files) {
            text.push_str(&OutputValue::single_entry("sheet", OutputValue::from_text(sheet)).block_text(0));
        }
        text.push_str(&OutputValue::single_entry("name", OutputValue::from_text(&self.name.title)).block_text(0));
        let mut given = Vec::new();
        for line in self.workshop.sheet_lines(self.files) {
            text.push('\n');
            text.push_str(&comment_text(&describe_line(&line, notes.get(&line.name), self.workshop)));
            match self.line_value(&line, model) {
                Some(value) => {
                    text.push_str(&OutputValue::single_entry(&line.name, value).block_text(0));
                    given.push((line.name.clone(), OutputValue::from_text("ours")));
                }
                None => {
                    let sample = OutputValue::single_entry(&line.name, line.sample_value(&self.workshop.program)).block_text(0);
                    text.extend(sample.lines().map(|line| format!("# {line}\n")));
                }
            }
        }
        text.push('\n');
        text.push_str(&self.abilities_entry());
        if !given.is_empty() {
            text.push('\n');
            text.push_str(&comment_text("Where each of these lines comes from: `ours` marks what you made up yourself."));
            text.push_str(&OutputValue::single_entry("provenance", OutputValue::Map(given)).block_text(0));
        }
        text
    }

    /// The value of a line; `None` if the file need not contain it.
    fn line_value(&self, line: &SheetLine, model: Option<&SheetEntry>) -> Option<OutputValue> {
        let other = self.other.get(&line.name).cloned();
        let said = model.and_then(|model| model.find_line(&line.name)).map(OutputValue::from);
        other.or(said).or_else(|| line.needed.then(|| line.sample_value(&self.workshop.program)))
    }

    /// The entry that lists abilities, with a comment.
    fn abilities_entry(&self) -> String {
        let (game, program) = (&self.workshop.game, &self.workshop.program);
        let about = match program.abilities.is_empty() {
            true => format!("Abilities by their ids. The game has none yet: `ludex new ability NAME --game {game}` makes one."),
            false => format!(
                "Abilities by their ids, in the order in which they act: `ludex show {game} abilities` lists them, `ludex new ability NAME --game {game}` makes one."
            ),
        };
        let listed = self.abilities.iter().map(|id| OutputValue::from_text(id)).collect();
        format!("{}{}", comment_text(&about), OutputValue::single_entry("abilities", OutputValue::List(listed)).block_text(0))
    }
}

/// Describes a line and its possible values.
fn describe_line(line: &SheetLine, note: Option<&String>, workshop: &Workshop) -> String {
    let what = line.allowed_text(&workshop.program);
    let what = match note {
        Some(note) => format!("{}: {what}", note.trim_end_matches('.')),
        None => what,
    };
    let need = if line.needed { "" } else { " May be left out." };
    format!("{}.{need}", capitalise_first(&what))
}

/// Formats words as `#` comment lines.
pub fn comment_text(words: &str) -> String {
    let lines = break_lines(words.split_whitespace(), WIDTH, WIDTH);
    if lines.is_empty() { "#\n".to_string() } else { lines.iter().map(|line| format!("# {line}\n")).collect() }
}
