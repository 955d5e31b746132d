//! The names that rules and scripts of a game may use, with the notes of its rules.
//!
//! A member is a field or zone of a kind of things, which is its owner.

use super::{Description, Subject};
use crate::args::CommonArgs;
use crate::layout::Table;
use crate::output;
use ludex_engine::library::{DeclaredWord, WordSort};
use serde_json::{Value, json};

/// The sorts of words in each group, in the order shown. Members are listed with their owners.
const GROUPS: [(&str, &[WordSort]); 4] = [
    ("Types, pieces and sheets", &[WordSort::Type, WordSort::Piece, WordSort::Sheet]),
    ("Values", &[WordSort::Option, WordSort::Definition, WordSort::Table, WordSort::Value]),
    ("Moves", &[WordSort::Family, WordSort::Action]),
    ("What happens", &[WordSort::Hook, WordSort::Scope, WordSort::Procedure]),
];

/// The members built into every game.
const BUILT_IN: &str = "
  sides have `foe`, pieces `owner`, dice `size` and `value`, and more:
  `ludex explain things and what they have`
";

impl Subject {
    /// The subject `words`. The names are read from the rules, so that their notes are known.
    pub(super) fn describe_words(&self, common: &CommonArgs) -> Description {
        let words = self.loaded.library.declared_words(&self.program.game, &common.requested_settings());
        Description { what: "words", text: words_text(&words), json: words.iter().map(word_json).collect(), source: None }
    }
}

/// The names by group, then the members of each owner.
fn words_text(words: &[DeclaredWord]) -> String {
    let mut parts: Vec<String> = GROUPS
        .iter()
        .map(|(title, sorts)| group_text(title, words.iter().filter(|word| word.of.is_none() && sorts.contains(&word.sort))))
        .collect();
    let mut owners: Vec<&str> = Vec::new();
    for owner in words.iter().filter_map(|word| word.of.as_deref()) {
        if !owners.contains(&owner) {
            owners.push(owner);
        }
    }
    let members = |owner: &&str| words.iter().filter(move |word| word.of.as_deref() == Some(*owner)).collect::<Vec<_>>();
    parts.extend(owners.iter().map(|owner| group_text(&format!("Members of {owner}"), members(owner).into_iter())));
    parts.push(format!("{}{}", output::heading_text("Members that need no declaration"), BUILT_IN));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// A group with its title; empty without names.
fn group_text<'w>(title: &str, words: impl Iterator<Item = &'w DeclaredWord>) -> String {
    let mut table = Table::default();
    for word in words {
        table.add_row([word_signature(word), word.sort.reference_word().to_string(), note_text(word)]);
    }
    if table.is_empty() { String::new() } else { format!("{}\n{}", output::heading_text(title), table.to_text()) }
}

/// `points(side)`
fn word_signature(word: &DeclaredWord) -> String {
    match word.parameters.as_slice() {
        [] => word.name.clone(),
        parameters => format!("{}({})", word.name, parameters.join(", ")),
    }
}

/// The note, and the rules that it implements.
fn note_text(word: &DeclaredWord) -> String {
    let note = word.note.as_deref().map(|note| note.replace('\n', " "));
    let rules = (!word.rules.is_empty()).then(|| format!("({})", word.rules.join(", ")));
    note.into_iter().chain(rules).collect::<Vec<_>>().join(" ")
}

fn word_json(word: &DeclaredWord) -> Value {
    json!({
        "name": word.name,
        "sort": word.sort.reference_word(),
        "of": word.of,
        "parameters": word.parameters,
        "note": word.note,
        "rules": word.rules,
    })
}
