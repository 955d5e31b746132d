//! The declared names of a game, with the notes written next to them.
//!
//! The verb `show GAME words` of the command lists them.

use super::{CompileRequest, Library};
use crate::compose::STANDARD;
use ludex_syntax::tree::{Cite, Item, ItemKind, Member, MemberKind, Name, Param, Text};

/// A name that rules and scripts may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredWord {
    /// Its sort, in the words of the reference: `counter`, `hook`.
    pub sort: WordSort,
    /// The name.
    pub name: String,
    /// For a member: its owner, which is `side`, `table`, a kind, a sheet, a family or a mark.
    pub of: Option<String>,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// The lines that begin with `##`, above or after it. Without any, the text of an option or a mark.
    pub note: Option<String>,
    /// The ids of the rules that it implements, without the sign: `DC-021`.
    pub rules: Vec<String>,
}

/// The sort of a declared name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordSort {
    /// A choice made before play.
    Option,
    /// A word list.
    Type,
    /// A kind of piece.
    Piece,
    /// A kind of sheet.
    Sheet,
    /// A zone for pieces.
    Zone,
    /// A number that everyone sees.
    Counter,
    /// A field.
    Field,
    /// A mark.
    Mark,
    /// A definition, which computes a value.
    Definition,
    /// A table of values.
    Table,
    /// A value that abilities may change.
    Value,
    /// A moment at which abilities may act.
    Hook,
    /// A family of moves.
    Family,
    /// An action, a type of move.
    Action,
    /// A procedure.
    Procedure,
    /// A procedure that names a time span for limits and marks.
    Scope,
}

impl WordSort {
    /// The keyword of the language, or the word of the reference.
    pub fn reference_word(self) -> &'static str {
        match self {
            WordSort::Option => "option",
            WordSort::Type => "type",
            WordSort::Piece => "piece",
            WordSort::Sheet => "sheet",
            WordSort::Zone => "zone",
            WordSort::Counter => "counter",
            WordSort::Field => "field",
            WordSort::Mark => "mark",
            WordSort::Definition => "definition",
            WordSort::Table => "table",
            WordSort::Value => "value",
            WordSort::Hook => "hook",
            WordSort::Family => "family",
            WordSort::Action => "action",
            WordSort::Procedure => "procedure",
            WordSort::Scope => "scope",
        }
    }
}

impl Library {
    /// The names that a game declares in a mode, in declared order. If the game cannot be combined, as many as can be read.
    pub fn declared_words(&self, game: &str, wanted: &CompileRequest) -> Vec<DeclaredWord> {
        let Some(declared) = self.read_packages(game, &mut Vec::new()) else { return Vec::new() };
        let parts = self.combine_packages(&declared, &mut Vec::new());
        let mode = wanted.mode.as_deref().unwrap_or(STANDARD);
        let found = parts.composed.modes.iter().find(|known| known.name.text == mode);
        let items = found.map_or(&parts.composed.standard, |mode| &mode.items);
        let mut words = Vec::new();
        items.iter().for_each(|item| add_item_words(item, &mut words));
        words
    }
}

/// Adds the names of a declaration and of its members.
fn add_item_words(item: &Item, words: &mut Vec<DeclaredWord>) {
    let note = item.doc.clone().or_else(|| match &item.kind {
        ItemKind::Option(option) => option.text.as_ref().and_then(Text::plain_text),
        _ => None,
    });
    let mut add = |sort, name: &Name, parameters: Vec<String>| {
        let (name, note, rules) = (name.text.clone(), note.clone(), rule_ids(&item.cites));
        words.push(DeclaredWord { sort, name, of: None, parameters, note, rules });
    };
    match &item.kind {
        ItemKind::Option(option) => add(WordSort::Option, &option.name, Vec::new()),
        ItemKind::Words { name, .. } => add(WordSort::Type, name, Vec::new()),
        ItemKind::DieKind { name, .. } => add(WordSort::Piece, name, Vec::new()),
        ItemKind::Piece { name, members, .. } => {
            add(WordSort::Piece, name, Vec::new());
            add_member_words(&name.text, members, words);
        }
        ItemKind::Sheet { name, members, .. } => {
            add(WordSort::Sheet, name, Vec::new());
            add_member_words(&name.text, members, words);
        }
        ItemKind::Has { owner, members } => add_member_words(&owner.text, members, words),
        ItemKind::Define(define) => add(WordSort::Definition, &define.name, param_names(&define.params)),
        ItemKind::Table(table) => add(WordSort::Table, &table.name, param_names(&table.params)),
        ItemKind::Hook(hook) => {
            let sort = if hook.value.is_some() { WordSort::Value } else { WordSort::Hook };
            add(sort, &hook.name, param_names(&hook.params));
        }
        ItemKind::Family { name, params, fields, .. } => {
            add(WordSort::Family, name, param_names(params));
            add_member_words(&name.text, fields, words);
        }
        ItemKind::Action(action) => {
            add(WordSort::Action, &action.name, action.roles.iter().map(|role| role.name.text.clone()).collect());
        }
        ItemKind::Procedure(procedure) => {
            let sort = if procedure.scope { WordSort::Scope } else { WordSort::Procedure };
            add(sort, &procedure.name, param_names(&procedure.params));
        }
        _ => {}
    }
}

/// Adds the names of members. `owner` is the thing that has them.
fn add_member_words(owner: &str, members: &[Member], words: &mut Vec<DeclaredWord>) {
    for member in members {
        let (sort, named): (WordSort, &[Name]) = match &member.kind {
            MemberKind::Zone { names, .. } => (WordSort::Zone, names),
            MemberKind::Counter { names, .. } => (WordSort::Counter, names),
            MemberKind::Field { names, .. } => (WordSort::Field, names),
            MemberKind::Mark { name, .. } => (WordSort::Mark, std::slice::from_ref(name)),
        };
        let text = match &member.kind {
            MemberKind::Mark { text, .. } => text.as_ref().and_then(Text::plain_text),
            _ => None,
        };
        words.extend(named.iter().map(|name| DeclaredWord {
            sort,
            name: name.text.clone(),
            of: Some(owner.to_string()),
            parameters: Vec::new(),
            note: member.doc.clone().or_else(|| text.clone()),
            rules: rule_ids(&member.cites),
        }));
        if let MemberKind::Mark { name, fields, .. } = &member.kind {
            add_member_words(&name.text, fields, words);
        }
    }
}

fn rule_ids(cites: &[Cite]) -> Vec<String> {
    cites.iter().map(|cite| cite.rule.clone()).collect()
}

fn param_names(params: &[Param]) -> Vec<String> {
    params.iter().map(|param| param.name.text.clone()).collect()
}
