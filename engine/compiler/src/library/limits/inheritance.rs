//! Limits on the inheritance of families and sheets. All passes over the rules follow these chains, so they must be short.
//!
//! They are tested before packages are combined, over all declarations of a line and of its modes together.

use super::{BASES, INHERITED, count_member_names};
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
struct InheritanceInfo<'i> {
    /// The place of the first declaration.
    place: Option<Span>,
    /// The names that it is part of or builds on, in any declaration.
    bases: Vec<&'i str>,
    /// The number of its own fields, in all declarations together.
    fields: usize,
}

type AllDeclarations<'i> = HashMap<(Sort, &'i str), InheritanceInfo<'i>>;

/// The error for a chain that is too long, or for too many fields.
pub(super) fn inheritance_problem(items: &[&Item]) -> Option<Problem> {
    let mut all = AllDeclarations::new();
    let mut order = Vec::new();
    items.iter().for_each(|item| collect_declaration(item, &mut all, &mut order));
    let mut fields = 0;
    for (sort, name) in order {
        let Some(place) = all[&(sort, name)].place else { continue };
        let Some(bases) = all_bases(sort, name, &all) else { return Some(depth_problem(sort, name, place)) };
        fields += bases.iter().map(|base| all.get(&(sort, *base)).map_or(0, |declared| declared.fields)).sum::<usize>();
        if fields > INHERITED {
            let message = format!("families and sheets have more than {INHERITED} fields, including inherited ones");
            let problem = Problem::error(codes::TOO_MANY, message).with_label(place, "the limit was reached here");
            return Some(problem.help("declare fields only in the families and sheets that need them"));
        }
    }
    None
}

/// The error for a family or sheet with too many bases.
fn depth_problem(sort: Sort, name: &str, place: Span) -> Problem {
    let (message, help) = match sort {
        Sort::Family => (format!("`{name}` is part of more than {BASES} families"), "make it part of an earlier family"),
        Sort::Sheet => (format!("`{name}` builds on more than {BASES} sheets"), "let it build on an earlier sheet"),
    };
    Problem::error(codes::TOO_MANY, message).with_label(place, "declared here").help(help)
}

/// Adds the bases and fields of a declaration. `order` has the names by first declaration.
fn collect_declaration<'i>(item: &'i Item, all: &mut AllDeclarations<'i>, order: &mut Vec<(Sort, &'i str)>) {
    let mut add = |sort, name: &'i Name, base: Option<&'i Name>, fields| {
        let declared: &mut InheritanceInfo = all.entry((sort, name.text.as_str())).or_default();
        if declared.place.is_none() {
            declared.place = Some(name.span);
            order.push((sort, name.text.as_str()));
        }
        declared.fields += fields;
        declared.bases.extend(base.map(|base| base.text.as_str()));
    };
    match &item.kind {
        ItemKind::Family { name, base, fields, .. } => add(Sort::Family, name, base.as_ref(), count_member_names(fields)),
        ItemKind::Sheet { name, base, members, .. } => add(Sort::Sheet, name, base.as_ref(), count_member_names(members)),
        ItemKind::Has { owner, members } => add(Sort::Sheet, owner, None, count_member_names(members)),
        ItemKind::Mode { items, .. } => items.iter().for_each(|item| collect_declaration(item, all, order)),
        ItemKind::Replace(item) => collect_declaration(item, all, order),
        _ => {}
    }
}

/// A declaration and all that it may inherit fields from; none if these are too many.
fn all_bases<'i>(sort: Sort, name: &'i str, all: &AllDeclarations<'i>) -> Option<Vec<&'i str>> {
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
