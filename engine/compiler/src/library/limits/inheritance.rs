//! Limits on the inheritance of families and sheets. All passes over the rules follow these chains, so they must be short.

use super::{BASES, INHERITED, in_members};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Item, ItemKind, Name};
use std::collections::HashMap;

/// Families and sheets may share names.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Sort {
    Family,
    Sheet,
}

/// All declarations of a name. Modes may declare it differently.
#[derive(Default)]
struct Declared<'i> {
    place: Option<Span>,
    bases: Vec<&'i str>,
    fields: usize,
}

type All<'i> = HashMap<(Sort, &'i str), Declared<'i>>;

/// The error for a chain that is too long, or for too many fields.
pub(super) fn too_much(items: &[&Item]) -> Option<Problem> {
    let mut all = All::new();
    let mut order = Vec::new();
    items.iter().for_each(|item| note(item, &mut all, &mut order));
    let mut fields = 0;
    for (sort, name) in order {
        let Some(place) = all[&(sort, name)].place else { continue };
        let Some(bases) = bases_of(sort, name, &all) else { return Some(too_deep(sort, name, place)) };
        fields += bases.iter().map(|base| all.get(&(sort, *base)).map_or(0, |declared| declared.fields)).sum::<usize>();
        if fields > INHERITED {
            let message =
                format!("families and sheets have more than {INHERITED} fields, including inherited ones");
            let problem = Problem::error(codes::TOO_MANY, message).at(place, "the limit was reached here");
            return Some(problem.help("declare fields only in the families and sheets that need them"));
        }
    }
    None
}

fn too_deep(sort: Sort, name: &str, place: Span) -> Problem {
    let (message, help) = match sort {
        Sort::Family => (format!("`{name}` is part of more than {BASES} families"), "make it part of an earlier family"),
        Sort::Sheet => (format!("`{name}` builds on more than {BASES} sheets"), "let it build on an earlier sheet"),
    };
    Problem::error(codes::TOO_MANY, message).at(place, "declared here").help(help)
}

fn note<'i>(item: &'i Item, all: &mut All<'i>, order: &mut Vec<(Sort, &'i str)>) {
    let mut add = |sort, name: &'i Name, base: Option<&'i Name>, fields| {
        let declared: &mut Declared = all.entry((sort, name.text.as_str())).or_default();
        if declared.place.is_none() {
            declared.place = Some(name.span);
            order.push((sort, name.text.as_str()));
        }
        declared.fields += fields;
        declared.bases.extend(base.map(|base| base.text.as_str()));
    };
    match &item.kind {
        ItemKind::Family { name, base, fields, .. } => add(Sort::Family, name, base.as_ref(), in_members(fields)),
        ItemKind::Sheet { name, base, members, .. } => add(Sort::Sheet, name, base.as_ref(), in_members(members)),
        ItemKind::Has { owner, members } => add(Sort::Sheet, owner, None, in_members(members)),
        ItemKind::Mode { items, .. } => items.iter().for_each(|item| note(item, all, order)),
        ItemKind::Replace(item) => note(item, all, order),
        _ => {}
    }
}

/// A declaration and all that it may inherit fields from; none if these are too many.
fn bases_of<'i>(sort: Sort, name: &'i str, all: &All<'i>) -> Option<Vec<&'i str>> {
    let mut found = vec![name];
    let mut at = 0;
    while let Some(name) = found.get(at) {
        for base in all.get(&(sort, *name)).map_or(&[][..], |declared| &declared.bases) {
            if !found.contains(base) {
                found.push(base);
            }
        }
        at += 1;
        if found.len() > BASES + 1 {
            return None;
        }
    }
    Some(found)
}
