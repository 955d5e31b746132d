//! The text of a sheet's file: every line that the rules know, with its possible values.

use super::{Name, Workshop};
use crate::layout::broken;
use ludex_engine::problem::{capitalised, with_article};
use ludex_engine::sheet::{Entry, Files, SheetLine};
use ludex_engine::yaml::Written;
use std::collections::BTreeMap;

/// Maximum width of comments.
const WIDTH: usize = 110;

/// The parts of a new sheet.
pub struct SheetText<'w> {
    pub workshop: &'w Workshop<'w>,
    pub files: Files,
    pub name: &'w Name,
    /// The comment at the top.
    pub head: Vec<String>,
    /// Ids of the abilities that it lists.
    pub abilities: Vec<String>,
    /// Lines that differ from those of the model.
    pub other: BTreeMap<String, Written>,
}

impl Workshop<'_> {
    /// The comment at the top of a new sheet: what it is, and its model.
    pub fn head(&self, name: &Name, word: &str, model: Option<&Entry>) -> Vec<String> {
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
    pub fn text(&self, model: Option<&Entry>) -> String {
        let notes = self.workshop.notes();
        let mut text: String = self.head.iter().map(|line| comment(line)).collect();
        text.push('\n');
        if let Some(sheet) = self.workshop.sheet_word(self.files) {
            text.push_str(&Written::entry("sheet", Written::text(sheet)).block(0));
        }
        text.push_str(&Written::entry("name", Written::text(&self.name.title)).block(0));
        let mut given = Vec::new();
        for line in self.workshop.lines(self.files) {
            text.push('\n');
            text.push_str(&comment(&about(&line, notes.get(&line.name), self.workshop)));
            match self.value(&line, model) {
                Some(value) => {
                    text.push_str(&Written::entry(&line.name, value).block(0));
                    given.push((line.name.clone(), Written::text("ours")));
                }
                None => {
                    let sample = Written::entry(&line.name, line.sample(&self.workshop.program)).block(0);
                    text.extend(sample.lines().map(|line| format!("# {line}\n")));
                }
            }
        }
        text.push('\n');
        text.push_str(&self.abilities());
        if !given.is_empty() {
            text.push('\n');
            text.push_str(&comment("Where each of these lines comes from: `ours` marks what you made up yourself."));
            text.push_str(&Written::entry("provenance", Written::Map(given)).block(0));
        }
        text
    }

    /// The value of a line; `None` if the file need not contain it.
    fn value(&self, line: &SheetLine, model: Option<&Entry>) -> Option<Written> {
        let other = self.other.get(&line.name).cloned();
        let said = model.and_then(|model| model.line(&line.name)).map(Written::from);
        other.or(said).or_else(|| line.needed.then(|| line.sample(&self.workshop.program)))
    }

    fn abilities(&self) -> String {
        let (game, program) = (&self.workshop.game, &self.workshop.program);
        let about = match program.abilities.is_empty() {
            true => format!("Abilities by their ids. The game has none yet: `ludex new ability NAME --game {game}` makes one."),
            false => format!(
                "Abilities by their ids, in the order in which they act: `ludex show {game} abilities` lists them, `ludex new ability NAME --game {game}` makes one."
            ),
        };
        let listed = self.abilities.iter().map(|id| Written::text(id)).collect();
        format!("{}{}", comment(&about), Written::entry("abilities", Written::List(listed)).block(0))
    }
}

/// Describes a line and its possible values.
fn about(line: &SheetLine, note: Option<&String>, workshop: &Workshop) -> String {
    let what = line.words(&workshop.program);
    let what = match note {
        Some(note) => format!("{}: {what}", note.trim_end_matches('.')),
        None => what,
    };
    let need = if line.needed { "" } else { " May be left out." };
    format!("{}.{need}", capitalised(&what))
}

/// Formats words as `#` comment lines.
pub fn comment(words: &str) -> String {
    let lines = broken(words.split_whitespace(), WIDTH, WIDTH);
    if lines.is_empty() { "#\n".to_string() } else { lines.iter().map(|line| format!("# {line}\n")).collect() }
}
