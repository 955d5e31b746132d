//! A game's items with those of a package that changes it: replaced, removed, added.

use crate::codes;
use crate::language::syntax::{Item, ItemKind, Name};
use crate::problem::Problem;
use crate::source::Span;

/// What a declaration is called in `replace` and `remove`, with its name if its sort has one.
fn subject(kind: &ItemKind) -> Option<(&'static str, Option<&Name>)> {
    Some(match kind {
        ItemKind::Sides(_) => ("sides", None),
        ItemKind::DieSizes { .. } => ("die sizes", None),
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
        ItemKind::Mode { name, .. } => ("mode", Some(name)),
        ItemKind::Ability(ability) => ("ability", Some(&ability.id)),
        ItemKind::Language { .. }
        | ItemKind::Game { .. }
        | ItemKind::Package { .. }
        | ItemKind::Referee { .. }
        | ItemKind::Has { .. }
        | ItemKind::Replace(_)
        | ItemKind::Remove { .. } => return None,
    })
}

/// A sort and name as both sides of a comparison, and as messages tell it: `` `define points` ``.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Subject {
    sort: &'static str,
    name: Option<String>,
}

impl Subject {
    fn of(item: &Item) -> Option<Subject> {
        subject(&item.kind).map(|(sort, name)| Subject { sort, name: name.map(|name| name.text.clone()) })
    }

    fn shown(&self) -> String {
        match &self.name {
            Some(name) => format!("{} {name}", self.sort),
            None => self.sort.to_string(),
        }
    }

    /// A procedure is found as `to` and as `scope`; whether it is one may change.
    fn fits(&self, other: &Subject) -> bool {
        let procedure = |sort| matches!(sort, "to" | "scope");
        self.name == other.name && (self.sort == other.sort || procedure(self.sort) && procedure(other.sort))
    }
}

/// What a package takes away from the game it changes: scripts are files, not items.
#[derive(Clone, Debug, Default)]
pub struct Removed {
    pub abilities: Vec<(String, Span)>,
}

/// The parent's items as the package leaves them, then the package's own.
pub fn extended(parent: Vec<Item>, own: &[Item], parent_id: &str, problems: &mut Vec<Problem>) -> (Vec<Item>, Removed) {
    let mut items: Vec<Item> = parent.into_iter().filter(|item| !is_header(item)).collect();
    let mut added = Vec::new();
    let mut removed = Removed::default();
    for item in own {
        match &item.kind {
            ItemKind::Replace(new) => replace(&mut items, item, new, parent_id, problems),
            ItemKind::Remove { sort, name } if sort.text == "ability" && !declares_ability(&items, name) => {
                removed.abilities.push((name.text.clone(), name.span));
            }
            ItemKind::Remove { sort, name } => remove(&mut items, sort, name, parent_id, problems),
            ItemKind::Package { id, title, .. } => {
                let kind = ItemKind::Game { id: id.clone(), title: title.clone() };
                added.push(Item { kind, ..item.clone() });
            }
            _ if taken(&items, item, parent_id, problems) => {}
            _ => added.push(item.clone()),
        }
    }
    items.append(&mut added);
    (items, removed)
}

/// `replace` and `remove` mean nothing in a game that extends no other.
pub fn plain(own: &[Item], problems: &mut Vec<Problem>) -> Vec<Item> {
    let mut items = Vec::new();
    for item in own {
        match &item.kind {
            ItemKind::Replace(_) | ItemKind::Remove { .. } => problems.push(
                Problem::error(codes::UNKNOWN_NAME, "only a package can replace or remove")
                    .at(item.span, "this game extends no other")
                    .help("change the declaration itself, or start the game with `package … extends …`"),
            ),
            _ => items.push(item.clone()),
        }
    }
    items
}

fn is_header(item: &Item) -> bool {
    matches!(item.kind, ItemKind::Game { .. } | ItemKind::Package { .. } | ItemKind::Language { .. })
}

fn declares_ability(items: &[Item], name: &Name) -> bool {
    items.iter().any(|item| matches!(&item.kind, ItemKind::Ability(ability) if ability.id.text == name.text))
}

/// The new declaration stands where the old one stood, so that orders stay as they were.
fn replace(items: &mut [Item], item: &Item, new: &Item, parent: &str, problems: &mut Vec<Problem>) {
    let Some(subject) = Subject::of(new) else {
        problems.push(
            Problem::error(codes::UNKNOWN_NAME, "this cannot be replaced")
                .at(item.span, "has no name to find it by")
                .help("write it without `replace`: it is added to what the game has"),
        );
        return;
    };
    match items.iter_mut().find(|old| Subject::of(old).is_some_and(|known| known.fits(&subject))) {
        Some(old) => *old = new.clone(),
        None => problems.push(unknown(items, &subject, place_of(new).unwrap_or(item.span), parent)),
    }
}

fn remove(items: &mut Vec<Item>, sort: &Name, name: &Name, parent: &str, problems: &mut Vec<Problem>) {
    let is_it = |item: &Item| {
        Subject::of(item).is_some_and(|known| {
            let procedure = |sort: &str| matches!(sort, "to" | "scope");
            known.name.as_deref() == Some(&name.text)
                && (known.sort == sort.text || procedure(known.sort) && procedure(&sort.text))
        })
    };
    match items.iter().position(is_it) {
        Some(index) => drop(items.remove(index)),
        None => {
            let names = names_of(items, &sort.text);
            let problem = Problem::error(codes::UNKNOWN_NAME, format!("`{parent}` has no `{} {}`", sort.text, name.text))
                .at(name.span, "not there to remove");
            problems.push(problem.suggest(&name.text, names.iter().map(String::as_str)));
        }
    }
}

fn unknown(items: &[Item], subject: &Subject, span: Span, parent: &str) -> Problem {
    let problem = Problem::error(codes::UNKNOWN_NAME, format!("`{parent}` has no `{}`", subject.shown()))
        .at(span, "not there to replace");
    let names = names_of(items, subject.sort);
    let wrong = subject.name.as_deref().unwrap_or(subject.sort);
    let problem = problem.suggest(wrong, names.iter().map(String::as_str));
    match problem.help {
        Some(_) => problem,
        None => problem.help("write it without `replace` to add it"),
    }
}

fn names_of(items: &[Item], sort: &str) -> Vec<String> {
    items.iter().filter_map(Subject::of).filter(|known| known.sort == sort).filter_map(|known| known.name).collect()
}

/// Says so if the parent declares the same.
fn taken(items: &[Item], item: &Item, parent: &str, problems: &mut Vec<Problem>) -> bool {
    let Some(subject) = Subject::of(item) else { return false };
    let Some(old) = items.iter().find(|old| Subject::of(old).as_ref() == Some(&subject)) else { return false };
    problems.push(
        Problem::error(codes::DECLARED_TWICE, format!("`{parent}` has a `{}` already", subject.shown()))
            .at(place_of(item).unwrap_or(item.span), "declared again")
            .at(place_of(old).unwrap_or(old.span), "declared here")
            .help(format!("to put yours in its place, write `replace {}`", subject.shown())),
    );
    true
}

/// The name of a declaration, which is a better place to point at than all of it.
fn place_of(item: &Item) -> Option<Span> {
    subject(&item.kind).and_then(|(_, name)| name).map(|name| name.span)
}
