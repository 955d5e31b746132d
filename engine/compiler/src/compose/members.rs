//! Members of things: a package may replace single members of an `each … has`, a sheet or a piece.
//!
//! Several declarations may give members to one owner, each in its own list. The version of a member that counts takes the position
//! of the first one, so that the order of members does not depend on who replaces them. A position is a place in the lists of all
//! items.

use super::clash::{ClashRemedy, ContestedThing, clash_problem};
use super::declarations::Declarations;
use super::history::{ChangeKind, History, Version, any_present};
use super::{LayerId, Layers};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::tree::{Item, ItemKind, Member, MemberKind, Name};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A member's owner and its name.
type Key<'i> = (&'i str, &'i str);

/// The position of a member's name: the item, the member and the name.
type Place = (usize, usize, usize);

/// The replacement at a position; none if the name has moved elsewhere.
type Change = Option<Member>;

/// Keeps the counting version of each member, at the position of the first one, and reports clashes. `items` are the counting
/// declarations with their layers.
pub fn place_counting_members(
    items: &mut [(LayerId, Cow<Item>)],
    declarations: &Declarations,
    layers: &Layers,
    problems: &mut Vec<Problem>,
) {
    let histories = member_histories(declarations, layers);
    let mut changes = BTreeMap::new();
    let standing = member_positions(items);
    for (key, history) in &histories {
        let wrong = member_problems(*key, history, layers).into_iter();
        let told = wrong.filter(|(of, _)| declarations.concerns_layers(layers, of.iter().copied()));
        problems.extend(told.map(|(_, problem)| problem));
        let counting: BTreeSet<LayerId> = history.counting_versions(layers).iter().map(|version| version.layer).collect();
        if let (Some(layer), Some(places)) = (counting.first(), standing.get(&(key.0.to_string(), key.1.to_string()))) {
            changes.extend(moving_changes(items, places, *layer));
        }
    }
    for (at, (_, item)) in items.iter_mut().enumerate() {
        let is_changed = changes.range((at, 0, 0)..(at + 1, 0, 0)).next().is_some();
        if is_changed && let Some(members) = members_mut(item.to_mut()) {
            *members = apply_changes(at, members, &changes);
        }
    }
}

/// The histories of all members, by owner and name. A declaration that is replaced removes the members that it no longer has.
fn member_histories<'a>(declarations: &Declarations<'a>, layers: &Layers) -> BTreeMap<Key<'a>, History<&'a Member>> {
    let mut histories: BTreeMap<Key, History<&Member>> = BTreeMap::new();
    for declaration in &declarations.list {
        for version in declaration.history.versions() {
            let Some((owner, members)) = version.what.and_then(owner_and_members) else { continue };
            let before = declaration.history.versions_below(version.layer, layers);
            let before: Vec<(&Member, &Name)> =
                before.iter().flat_map(|old| names_of_members(old.what.and_then(item_members))).collect();
            let now: Vec<(&Member, &Name)> = names_of_members(Some(members)).collect();
            for (member, name) in &now {
                let replaces = member.replaces || before.iter().any(|(_, old)| old.text == name.text);
                let how = if replaces { ChangeKind::Replaces } else { ChangeKind::Declares };
                let new = Version { layer: version.layer, how, place: name.span, what: Some(*member) };
                histories.entry((owner, &name.text)).or_default().push(new);
            }
            for (_, name) in before.iter().filter(|(_, old)| !now.iter().any(|(_, name)| old.text == name.text)) {
                let gone = Version { layer: version.layer, how: ChangeKind::Removes, place: version.place, what: None };
                histories.entry((owner, &name.text)).or_default().push(gone);
            }
        }
    }
    histories
}

/// The owner of the members that a declaration has.
fn owner_and_members(item: &Item) -> Option<(&str, &[Member])> {
    match &item.kind {
        ItemKind::Has { owner: name, members }
        | ItemKind::Sheet { name, members, .. }
        | ItemKind::Piece { name, members, .. } => Some((&name.text, members)),
        _ => None,
    }
}

fn item_members(item: &Item) -> Option<&[Member]> {
    owner_and_members(item).map(|(_, members)| members)
}

fn members_mut(item: &mut Item) -> Option<&mut Vec<Member>> {
    match &mut item.kind {
        ItemKind::Has { members, .. } | ItemKind::Sheet { members, .. } | ItemKind::Piece { members, .. } => Some(members),
        _ => None,
    }
}

/// Each name of some members. Members that are declared together share one declaration.
fn names_of_members(members: Option<&[Member]>) -> impl Iterator<Item = (&Member, &Name)> {
    members.into_iter().flatten().flat_map(|member| names_of_member(&member.kind).iter().map(move |name| (member, name)))
}

fn names_of_member(kind: &MemberKind) -> &[Name] {
    match kind {
        MemberKind::Zone { names, .. } | MemberKind::Counter { names, .. } | MemberKind::Field { names, .. } => names,
        MemberKind::Mark { name, .. } => std::slice::from_ref(name),
    }
}

// --- errors ------------------------------------------------------------------------------

/// The errors in the versions of a member, each with the layers involved.
fn member_problems(key: Key, history: &History<&Member>, layers: &Layers) -> Vec<(Vec<LayerId>, Problem)> {
    let versions = history.versions().iter();
    let alone =
        versions.filter_map(|version| Some((vec![version.layer], unfitting_change_problem(key, version, history, layers)?)));
    alone.chain(member_clash(key, history, layers)).collect()
}

/// The error if an existing member is declared again, or a missing one replaced.
fn unfitting_change_problem(
    key: Key,
    version: &Version<&Member>,
    history: &History<&Member>,
    layers: &Layers,
) -> Option<Problem> {
    let member = version.what?;
    let found = history.versions_below(version.layer, layers);
    match (any_present(&found), version.how) {
        (true, ChangeKind::Declares) => Some(member_taken_problem(key, member, version, &found)),
        (false, ChangeKind::Replaces) => Some(missing_member_problem(key, version, &found, layers)),
        _ => None,
    }
}

/// The error if unrelated layers have changed the member.
fn member_clash(key: Key, history: &History<&Member>, layers: &Layers) -> Option<(Vec<LayerId>, Problem)> {
    let counting = history.counting_versions(layers);
    let all: Vec<LayerId> = counting.iter().map(|version| version.layer).collect();
    // A second declaration in the same layer is reported by name resolution.
    let apart = all.iter().any(|layer| *layer != all[0]) && any_present(&counting);
    let member = counting.iter().find_map(|version| version.what).filter(|_| apart)?;
    let settle = ClashRemedy::Declaration(format!("{} has {{ replace {} … }}", owner_text(key.0), member_text(member, key.1)));
    let what = format!("`{}` of {}", key.1, owner_text(key.0));
    Some((all, clash_problem(&counting, &ContestedThing { what, settle }, layers)))
}

/// The error for a member that its owner has already.
fn member_taken_problem(key: Key, member: &Member, version: &Version<&Member>, found: &[&Version<&Member>]) -> Problem {
    let (owner, name) = key;
    let problem = Problem::error(codes::DECLARED_TWICE, format!("{} has `{name}` already", owner_text(owner)))
        .with_label(version.place, "declared again");
    let old = found.iter().filter(|version| version.what.is_some());
    old.fold(problem, |problem, old| problem.with_label(old.place, "declared here"))
        .help(format!("to replace it, write `replace {} …`", member_text(member, name)))
}

/// The error for a replacement of a member that its owner does not have.
fn missing_member_problem(key: Key, version: &Version<&Member>, found: &[&Version<&Member>], layers: &Layers) -> Problem {
    let (owner, name) = key;
    let message = format!("{} has no `{name}` to replace", owner_text(owner));
    let problem = Problem::error(codes::UNKNOWN_NAME, message).with_label(version.place, "not there").with_subject(name);
    let gone = found.iter().map(|gone| (gone.place, format!("{} no longer has it", layers.layer_text(gone.layer))));
    let problem = gone.fold(problem, |problem, (place, words)| problem.with_label(place, words));
    problem.help("write it without `replace` to add it")
}

fn owner_text(owner: &str) -> String {
    if owner == "table" { "the table".to_string() } else { format!("each {owner}") }
}

/// A member with its sort: `counter flies`.
fn member_text(member: &Member, name: &str) -> String {
    let sort = match &member.kind {
        MemberKind::Zone { .. } => "zone ",
        MemberKind::Counter { .. } => "counter ",
        MemberKind::Mark { .. } => "mark ",
        MemberKind::Field { .. } => "",
    };
    format!("{sort}{name}")
}

// --- moving the counting versions ----------------------------------------------------------

/// The positions of each member's name, with their layers.
fn member_positions(items: &[(LayerId, Cow<Item>)]) -> BTreeMap<(String, String), Vec<(LayerId, Place)>> {
    let mut standing: BTreeMap<(String, String), Vec<(LayerId, Place)>> = BTreeMap::new();
    for (at, (layer, item)) in items.iter().enumerate() {
        let Some((owner, members)) = owner_and_members(item) else { continue };
        for (index, member) in members.iter().enumerate() {
            for (nth, name) in names_of_member(&member.kind).iter().enumerate() {
                let places = standing.entry((owner.to_string(), name.text.clone())).or_default();
                places.push((*layer, (at, index, nth)));
            }
        }
    }
    standing
}

/// The changes that move a layer's version to the position of the first one.
fn moving_changes(items: &[(LayerId, Cow<Item>)], places: &[(LayerId, Place)], layer: LayerId) -> Vec<(Place, Change)> {
    let (Some((first_layer, first)), Some((_, own))) = (places.first(), places.iter().find(|(of, _)| *of == layer)) else {
        return Vec::new();
    };
    if *first_layer == layer {
        let others = places.iter().filter(|(of, _)| *of != layer);
        return others.map(|(_, place)| (*place, None)).collect();
    }
    let (item, index, nth) = *own;
    let put = owner_and_members(&items[item].1).map(|(_, members)| with_single_name(&members[index], nth));
    let gone = places.iter().filter(|(of, place)| *of != layer || place == own).map(|(_, place)| (*place, None));
    gone.chain(put.map(|member| (*first, Some(member)))).collect()
}

/// The members of the item at `at`, with the changes to their names.
fn apply_changes(at: usize, members: &[Member], changes: &BTreeMap<Place, Change>) -> Vec<Member> {
    let mut changed = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let count = names_of_member(&member.kind).len();
        if !(0..count).any(|nth| changes.contains_key(&(at, index, nth))) {
            changed.push(member.clone());
            continue;
        }
        changed.extend((0..count).filter_map(|nth| match changes.get(&(at, index, nth)) {
            None => Some(with_single_name(member, nth)),
            Some(change) => change.clone(),
        }));
    }
    changed
}

/// A copy of a member with only one of its names.
fn with_single_name(member: &Member, nth: usize) -> Member {
    let mut member = member.clone();
    match &mut member.kind {
        MemberKind::Zone { names, .. } | MemberKind::Counter { names, .. } | MemberKind::Field { names, .. } => {
            *names = names.get(nth).cloned().into_iter().collect();
        }
        MemberKind::Mark { .. } => {}
    }
    member
}
