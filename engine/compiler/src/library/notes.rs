//! Notes of a file about itself: the game it joins, and whether it replaces another file.
//!
//! The notes of sheets are keys; those of scripts and rules are comments at the start of a line. `gather` uses them to find the
//! game of a file.

use super::place::FileRole;
use ludex_syntax::source::{SourceId, Span};
use ludex_syntax::yaml::{Node, Value};

/// The notes of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// The game that the file joins.
    pub game: Option<(String, Span)>,
    /// For a script: the only mode that has it.
    pub mode: Option<(String, Span)>,
    /// The file replaces another one.
    pub replaces: Option<ReplacesNote>,
}

/// `replaces`, alone or with the name of the replaced file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacesNote {
    pub name: Option<String>,
    pub span: Span,
}

/// Reads the keys `game` and `replaces` of a sheet. In a file of scenarios, the first `game` counts.
pub fn sheet_notes(node: &Node) -> Notes {
    let mut notes = Notes::default();
    if let Value::List(scenarios) = &node.value {
        notes.game = scenarios.iter().find_map(game_of_scenario);
        return notes;
    }
    let Value::Map(entries) = &node.value else { return notes };
    for (key, value) in entries {
        match (key.name.as_str(), &value.value) {
            ("game", Value::Text(game)) => notes.game = Some((game.clone(), value.span)),
            ("replaces", Value::Text(name)) => {
                notes.replaces = Some(ReplacesNote { name: Some(name.clone()), span: value.span });
            }
            ("replaces", Value::Flag(true)) => notes.replaces = Some(ReplacesNote { name: None, span: value.span }),
            _ => {}
        }
    }
    notes
}

/// The key `game` of a scenario, possibly in its `position` or `start`.
fn game_of_scenario(scenario: &Node) -> Option<(String, Span)> {
    let Value::Map(entries) = &scenario.value else { return None };
    let own = entries.iter().find_map(|(key, value)| match (key.name.as_str(), &value.value) {
        ("game", Value::Text(game)) => Some((game.clone(), value.span)),
        _ => None,
    });
    let starts = || entries.iter().filter(|(key, _)| ["position", "start"].contains(&key.name.as_str()));
    own.or_else(|| starts().find_map(|(_, start)| game_of_scenario(start)))
}

/// Reads the lines `//! game …`, `//! mode …` and `//! replaces` of a script, or `#! game …` and `#! replaces` of rules.
pub fn text_notes(text: &str, source: SourceId, role: FileRole) -> Notes {
    let mut notes = Notes::default();
    for (span, words) in find_note_lines(text, source, comment_sign(role)) {
        match words.as_slice() {
            ["game", game] => notes.game = Some((game.to_string(), span)),
            ["mode", mode] if role == FileRole::Script => notes.mode = Some((mode.to_string(), span)),
            ["replaces"] => notes.replaces = Some(ReplacesNote { name: None, span }),
            ["replaces", name] => notes.replaces = Some(ReplacesNote { name: Some(name.to_string()), span }),
            _ => {}
        }
    }
    notes
}

/// A script with its notes blanked, since they are not part of the ability's header. All offsets stay the same.
pub fn blank_notes(text: &str) -> String {
    let source = SourceId(0);
    let mut text = text.to_string();
    for (span, words) in find_note_lines(&text.clone(), source, comment_sign(FileRole::Script)) {
        if matches!(words.as_slice(), ["game" | "mode", _] | ["replaces"] | ["replaces", _]) {
            let range = span.start as usize..span.end as usize;
            let blank = " ".repeat(range.len());
            text.replace_range(range, &blank);
        }
    }
    text
}

/// The sign that begins a note.
fn comment_sign(role: FileRole) -> &'static str {
    match role {
        FileRole::Script => "//!",
        _ => "#!",
    }
}

/// The first words of notes, after the comment sign.
const NOTES: [&str; 3] = ["game", "mode", "replaces"];

/// The lines that begin with a comment sign and may be notes: the span after the sign, and the words.
fn find_note_lines<'a>(text: &'a str, source: SourceId, sign: &str) -> Vec<(Span, Vec<&'a str>)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let is_note = |rest: &&str| NOTES.iter().any(|note| rest.trim_start().starts_with(note));
        if let Some(rest) = line.strip_prefix(sign).filter(is_note) {
            let words = rest.trim();
            let before = rest.len() - rest.trim_start().len();
            let from = start + sign.len() + before;
            found.push((Span::new(source, from, from + words.len()), words.split_whitespace().collect()));
        }
        start += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_tells_its_game_and_whom_it_replaces() {
        let text = "//! game pond\n//! replaces hop\n//! mode by-night\n//! ability hop \"Hop\"\n";
        let notes = text_notes(text, SourceId(3), FileRole::Script);
        assert_eq!(notes.game, Some(("pond".to_string(), Span::new(SourceId(3), 4, 13))));
        assert_eq!(notes.mode, Some(("by-night".to_string(), Span::new(SourceId(3), 35, 48))));
        assert_eq!(notes.replaces.and_then(|replaces| replaces.name), Some("hop".to_string()));
    }

    #[test]
    fn blanking_keeps_every_other_sign_where_it_is() {
        let text = "//! game pond\n//! mode dry\n//! ability hop \"Hop é\"\n";
        let blank = blank_notes(text);
        assert_eq!(blank.len(), text.len());
        assert_eq!(blank.find("ability"), text.find("ability"));
        assert!(!blank.contains("pond") && !blank.contains("dry"));
    }
}
