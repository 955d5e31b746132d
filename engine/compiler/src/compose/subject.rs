//! The subjects of declarations, by which one can replace another.

use ludex_syntax::source::Span;
use ludex_syntax::tree::{Item, ItemKind, Name};
use std::cmp::Ordering;

/// A sort and name, as in messages: `` `define points` ``. Subjects are equal if one declaration can replace the other. `to`
/// and `scope` count as one sort, since a replacement may change between them.
#[derive(Clone, Debug)]
pub struct Subject {
    pub sort: &'static str,
    pub name: Option<String>,
}

/// The sort of the sizes of dice, which occurs once in a game.
pub const DIE_SIZES: &str = "die sizes";
/// The sort of modes.
pub const MODE: &str = "mode";
/// The sort of abilities.
pub const ABILITY: &str = "ability";

/// The condition under which a single ability works.
const ABILITY_WORKS: &str = "ability … works";

impl Subject {
    /// The subject of a declaration; none if it can only be added.
    pub fn from_item(item: &Item) -> Option<Subject> {
        let policy = |name: &Name, family: &Name| format!("{} for {}", name.text, family.text);
        let (sort, name) = sort_and_name(&item.kind)?;
        let name = match &item.kind {
            ItemKind::Policy(known) => Some(policy(&known.name, &known.family)),
            _ => name.map(|name| name.text.clone()),
        };
        Some(Subject { sort, name })
    }

    /// The subject of a `remove`.
    pub fn from_removal(sort: &Name, name: &Name) -> Option<Subject> {
        let sort = REMOVABLE.into_iter().find(|known| *known == sort.text)?;
        Some(Subject { sort, name: Some(name.text.clone()) })
    }

    /// The subject in the words of the rules: `define points`.
    pub fn subject_text(&self) -> String {
        match &self.name {
            Some(name) if self.sort == ABILITY_WORKS => self.sort.replace('…', name),
            Some(name) => format!("{} {name}", self.sort),
            None => self.sort.to_string(),
        }
    }

    /// Whether the subject is of a sort, or of one that counts as the same.
    pub fn is_of_sort(&self, sort: &str) -> bool {
        replaceable_sort(self.sort) == replaceable_sort(sort)
    }

    fn comparison_key(&self) -> (&str, Option<&str>) {
        (replaceable_sort(self.sort), self.name.as_deref())
    }
}

/// The sort under which a declaration is looked up.
fn replaceable_sort(sort: &str) -> &str {
    if sort == "scope" { "to" } else { sort }
}

impl PartialEq for Subject {
    fn eq(&self, other: &Subject) -> bool {
        self.comparison_key() == other.comparison_key()
    }
}

impl Eq for Subject {}

impl PartialOrd for Subject {
    fn partial_cmp(&self, other: &Subject) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Subject {
    fn cmp(&self, other: &Subject) -> Ordering {
        self.comparison_key().cmp(&other.comparison_key())
    }
}

/// The sorts of declarations that `remove` can name.
const REMOVABLE: [&str; 9] = ["define", "die", "hook", "family", "action", "to", "scope", "option", ABILITY];

/// The span of a declaration's name, for error messages. Without a name, the span of the declaration.
pub fn name_span(item: &Item) -> Span {
    sort_and_name(&item.kind).and_then(|(_, name)| name).map_or(item.span, |name| name.span)
}

/// The names in a declaration, with their spans.
pub fn declared_names(item: &Item) -> Vec<(String, Span)> {
    match &item.kind {
        ItemKind::Replace(inner) => declared_names(inner),
        ItemKind::Has { owner, .. } => vec![(owner.text.clone(), item.span)],
        ItemKind::Mode { items, .. } => items.iter().flat_map(declared_names).collect(),
        kind => sort_and_name(kind).and_then(|(_, name)| name).map(|name| (name.text.clone(), item.span)).into_iter().collect(),
    }
}

/// The sort of a declaration in `replace` and `remove`, and its name if the sort has names.
fn sort_and_name(kind: &ItemKind) -> Option<(&'static str, Option<&Name>)> {
    Some(match kind {
        ItemKind::Sides(_) => ("sides", None),
        ItemKind::Referee { .. } => ("referee", None),
        ItemKind::DieSizes { .. } => (DIE_SIZES, None),
        ItemKind::Standing { .. } => ("standing", None),
        ItemKind::Option(option) => ("option", Some(&option.name)),
        ItemKind::Words { name, .. } => ("type", Some(name)),
        ItemKind::DieKind { name, .. } => ("die", Some(name)),
        ItemKind::Piece { name, .. } => ("piece", Some(name)),
        ItemKind::Sheet { name, .. } => ("sheet", Some(name)),
        ItemKind::Define(define) => ("define", Some(&define.name)),
        ItemKind::Hook(hook) => ("hook", Some(&hook.name)),
        ItemKind::Family { name, .. } => ("family", Some(name)),
        ItemKind::Action(action) => ("action", Some(&action.name)),
        ItemKind::Procedure(procedure) if procedure.scope => ("scope", Some(&procedure.name)),
        ItemKind::Procedure(procedure) => ("to", Some(&procedure.name)),
        ItemKind::Policy(policy) => ("policy", Some(&policy.name)),
        ItemKind::Table(table) => ("table", Some(&table.name)),
        ItemKind::Mode { name, .. } => (MODE, Some(name)),
        ItemKind::Ability(ability) => (ABILITY, Some(&ability.id)),
        ItemKind::Works { ability: None, .. } => ("abilities work", None),
        ItemKind::Works { ability: Some(ability), .. } => (ABILITY_WORKS, Some(ability)),
        ItemKind::SharedUses { .. } => ("abilities share uses", None),
        ItemKind::Language
        | ItemKind::Game { .. }
        | ItemKind::Package { .. }
        | ItemKind::Has { .. }
        | ItemKind::Replace(_)
        | ItemKind::Remove { .. } => return None,
    })
}
