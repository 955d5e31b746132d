//! The names that rules and scripts of a game may use, with the notes of its rules.

use super::{Shown, Subject};
use crate::args::Common;
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
    pub(super) fn declared_words(&self, common: &Common) -> Shown {
        let words = self.loaded.library.declared_words(&self.program.game, &common.wanted());
        Shown { what: "words", text: text(&words), json: words.iter().map(object).collect(), source: None }
    }
}

fn text(words: &[DeclaredWord]) -> String {
    let mut parts: Vec<String> = GROUPS
        .iter()
        .map(|(title, sorts)| part(title, words.iter().filter(|word| word.of.is_none() && sorts.contains(&word.sort))))
        .collect();
    let mut owners: Vec<&str> = Vec::new();
    for owner in words.iter().filter_map(|word| word.of.as_deref()) {
        if !owners.contains(&owner) {
            owners.push(owner);
        }
    }
    let members = |owner: &&str| words.iter().filter(move |word| word.of.as_deref() == Some(*owner)).collect::<Vec<_>>();
    parts.extend(owners.iter().map(|owner| part(&format!("Members of {owner}"), members(owner).into_iter())));
    parts.push(format!("{}{}", output::heading("Members that need no declaration"), BUILT_IN));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

fn part<'w>(title: &str, words: impl Iterator<Item = &'w DeclaredWord>) -> String {
    let mut table = Table::default();
    for word in words {
        table.row([signature(word), word.sort.word().to_string(), remark(word)]);
    }
    if table.is_empty() { String::new() } else { format!("{}\n{}", output::heading(title), table.text()) }
}

/// `points(side)`
fn signature(word: &DeclaredWord) -> String {
    match word.parameters.as_slice() {
        [] => word.name.clone(),
        parameters => format!("{}({})", word.name, parameters.join(", ")),
    }
}

/// The note, and the rules that it implements.
fn remark(word: &DeclaredWord) -> String {
    let note = word.note.as_deref().map(|note| note.replace('\n', " "));
    let rules = (!word.rules.is_empty()).then(|| format!("({})", word.rules.join(", ")));
    note.into_iter().chain(rules).collect::<Vec<_>>().join(" ")
}

fn object(word: &DeclaredWord) -> Value {
    json!({
        "name": word.name,
        "sort": word.sort.word(),
        "of": word.of,
        "parameters": word.parameters,
        "note": word.note,
        "rules": word.rules,
    })
}
