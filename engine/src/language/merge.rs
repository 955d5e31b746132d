//! A game's items with those of a package or mode that changes it: replaced, removed, added.

use crate::codes;
use crate::language::syntax::{Ability, Item, ItemKind, Name};
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
        ItemKind::Works { ability: None, .. } => ("abilities work", None),
        ItemKind::Works { ability: Some(ability), .. } => (ABILITY_WORKS, Some(ability)),
        ItemKind::SharedUses { .. } => ("abilities share uses", None),
        ItemKind::Language { .. }
        | ItemKind::Game { .. }
        | ItemKind::Package { .. }
        | ItemKind::Referee { .. }
        | ItemKind::Has { .. }
        | ItemKind::Replace(_)
        | ItemKind::Remove { .. } => return None,
    })
}

/// When one ability works.
const ABILITY_WORKS: &str = "ability … works";

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
            Some(name) if self.sort == ABILITY_WORKS => self.sort.replace('…', name),
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

/// Changes a game's items: by those of a package that extends it, or of a mode. What is replaced keeps its
/// place, so that declared orders stay; what is new follows. A header, `sides`, `die sizes` and `standing` stand
/// in a game once, so a new one takes the place of the old one without `replace`.
pub fn merge(items: &mut Vec<Item>, changes: Vec<Item>, problems: &mut Vec<Problem>) {
    let game = title_of(items);
    // A change may replace what the game has, never what another change adds.
    let mut added = Vec::new();
    for change in changes {
        match &change.kind {
            ItemKind::Replace(new) => replace(items, &change, new, &game, problems),
            ItemKind::Remove { sort, name } => remove(items, sort, name, &game, problems),
            ItemKind::Package { id, title, .. } => {
                items.retain(|item| !matches!(item.kind, ItemKind::Game { .. }));
                let kind = ItemKind::Game { id: id.clone(), title: title.clone() };
                added.push(Item { kind, ..change.clone() });
            }
            ItemKind::Sides(_) | ItemKind::DieSizes { .. } | ItemKind::Standing { .. } => put(items, change),
            _ if taken(items, &change, &game, problems) => {}
            _ => added.push(change),
        }
    }
    items.append(&mut added);
}

/// An ability of a file of its own among the items, where a mode may replace or remove it.
pub fn ability_item(ability: &Ability) -> Item {
    Item { kind: ItemKind::Ability(ability.clone()), span: ability.id.span, cites: ability.cites.clone(), doc: None }
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

/// What a game is called in messages.
fn title_of(items: &[Item]) -> String {
    let id = items.iter().find_map(|item| match &item.kind {
        ItemKind::Game { id, .. } => Some(id.text.clone()),
        _ => None,
    });
    id.unwrap_or_else(|| "the game".to_string())
}

/// In place of the one of its sort, or after all others.
fn put(items: &mut Vec<Item>, new: Item) {
    let subject = Subject::of(&new);
    match items.iter_mut().find(|old| Subject::of(old) == subject) {
        Some(old) => *old = new,
        None => items.push(new),
    }
}

/// The new declaration stands where the old one stood, so that orders stay as they were.
fn replace(items: &mut [Item], item: &Item, new: &Item, game: &str, problems: &mut Vec<Problem>) {
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
        None => problems.push(unknown(items, &subject, place_of(new).unwrap_or(item.span), game)),
    }
}

fn remove(items: &mut Vec<Item>, sort: &Name, name: &Name, game: &str, problems: &mut Vec<Problem>) {
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
            let problem = Problem::error(codes::UNKNOWN_NAME, format!("`{game}` has no `{} {}`", sort.text, name.text))
                .at(name.span, "not there to remove");
            problems.push(problem.suggest(&name.text, names.iter().map(String::as_str)));
        }
    }
}

fn unknown(items: &[Item], subject: &Subject, span: Span, parent: &str) -> Problem {
    let problem =
        Problem::error(codes::UNKNOWN_NAME, format!("`{parent}` has no `{}`", subject.shown())).at(span, "not there to replace");
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
        Problem::error(codes::DECLARED_TWICE, format!("`{parent}` has `{}` already", subject.shown()))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::parse::parse_rules;
    use crate::source::SourceId;

    const POND: &str = "game pond \"Pond\"\nsides 2 of 1 beast\ndefine first: number = 1\ndefine second: number = 2\n";

    fn items(text: &str) -> Vec<Item> {
        let (items, problems) = parse_rules(SourceId(0), text);
        assert_eq!(problems, vec![], "{text}");
        items
    }

    /// The subjects in order, and what was wrong.
    fn merged(changes: &str) -> (Vec<String>, Vec<Problem>) {
        let (mut all, mut problems) = (items(POND), Vec::new());
        merge(&mut all, items(changes), &mut problems);
        (all.iter().filter_map(Subject::of).map(|subject| subject.shown()).collect(), problems)
    }

    #[test]
    fn what_is_replaced_keeps_its_place_and_what_is_new_follows() {
        let (subjects, problems) = merged("replace define first: number = 7\ndefine third: number = 3\nremove define second\n");
        assert_eq!(problems, vec![]);
        assert_eq!(subjects, ["sides", "define first", "define third"]);
    }

    #[test]
    fn sides_are_there_once() {
        assert_eq!(merged("sides 3 of 1 beast\n").0, ["sides", "define first", "define second"]);
    }

    #[test]
    fn what_is_not_there_gets_a_suggestion() {
        let (_, problems) = merged("remove define frist\nreplace define secnod: number = 1\n");
        let helps: Vec<_> = problems.iter().filter_map(|problem| problem.help.as_deref()).collect();
        assert_eq!(helps, ["did you mean `first`?", "did you mean `second`?"]);
    }

    #[test]
    fn declaring_again_is_no_way_to_replace() {
        let (subjects, problems) = merged("define first: number = 7\n");
        assert_eq!(problems.first().map(|problem| problem.code), Some(codes::DECLARED_TWICE));
        assert_eq!(subjects.len(), 3);
    }
}
