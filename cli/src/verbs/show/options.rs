//! The options of a game.

use super::{Description, Subject};
use crate::layout::{Table, paragraph_text};
use crate::output;
use ludex_engine::program::{GameOption, GameOptionKind};
use serde_json::{Value, json};

impl Subject {
    /// The subject `options`.
    pub(super) fn describe_options(&self) -> Description {
        let body = match self.options_text() {
            none if none.is_empty() => "  The game has no options.\n".to_string(),
            body => body,
        };
        let hint = "Set one with `--option NAME=VALUE`; values that differ from the default are marked.";
        let text = format!("{}\n{body}\n{}", output::heading_text("Options"), paragraph_text(hint, 0));
        Description { what: "options", text, json: self.options_json(), source: None }
    }

    /// A line for each option with its value and the allowed ones, and its text below it.
    pub(super) fn options_text(&self) -> String {
        let mut table = Table::default();
        for option in &self.program.options {
            let changed = if option.value == option.default { "" } else { " (changed)" };
            table.add_row([option.name.clone(), format!("{}{changed}", option.value_text(option.value)), allowed_values(option)]);
            if !option.text.is_empty() {
                table.add_row(["", "", &option.text]);
            }
        }
        table.to_text()
    }

    pub(super) fn options_json(&self) -> Value {
        let options = self.program.options.iter().map(|option| {
            let values = match &option.kind {
                GameOptionKind::Number { least, most } => json!({ "least": least, "most": most }),
                GameOptionKind::Words(words) => json!(words),
            };
            json!({
                "name": option.name,
                "value": option.value_text(option.value),
                "default": option.value_text(option.default),
                "values": values,
                "text": option.text,
                "rules": option.rules,
            })
        });
        Value::Array(options.collect())
    }
}

/// The values an option may have: `1 to 9`, `first, last`.
fn allowed_values(option: &GameOption) -> String {
    match &option.kind {
        GameOptionKind::Number { least, most } => format!("{least} to {most}"),
        GameOptionKind::Words(words) => words.join(", "),
    }
}
