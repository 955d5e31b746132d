//! The declarations of a game as separate texts, for comparing two versions of a game.
//!
//! The verb `diff` of the command compares them by sort, name and owner, and shows their texts.

use super::{FileRole, Library};
use crate::compose::STANDARD;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Item, ItemKind, Member, MemberKind, Name};

/// A declaration, or a member of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit<'l> {
    /// Its keyword in the language: `action`, `counter`.
    pub sort: &'static str,
    /// Its name; empty for declarations that occur only once.
    pub name: String,
    /// For a member: its owner, which is `side`, `table`, a kind, a sheet or a family.
    pub of: Option<String>,
    /// Its source text. Members that are declared together share it.
    pub text: &'l str,
    /// Its span.
    pub span: Span,
}

impl Unit<'_> {
    /// A description: `counter flies of side`.
    pub fn unit_text(&self) -> String {
        let name = if self.name.is_empty() { String::new() } else { format!(" {}", self.name) };
        let of = self.of.as_ref().map_or(String::new(), |of| format!(" of {of}"));
        format!("{}{name}{of}", self.sort)
    }
}

impl Library {
    /// The declarations of a game in a mode, in declared order, without abilities from their own files.
    pub fn game_units(&self, game: &str, mode: Option<&str>) -> Vec<Unit<'_>> {
        let Some(declared) = self.read_packages(game, &mut Vec::new()) else { return Vec::new() };
        let parts = self.combine_packages(&declared, &mut Vec::new());
        let found = mode.filter(|mode| *mode != STANDARD);
        let items = match found {
            None => &parts.composed.standard,
            Some(mode) => match parts.composed.modes.iter().find(|known| known.name.text == mode) {
                Some(mode) => &mode.items,
                None => return Vec::new(),
            },
        };
        let mut units = Vec::new();
        items.iter().for_each(|item| self.add_units(item, &mut units));
        units
    }

    /// Adds a declaration and its members.
    fn add_units<'l>(&'l self, item: &Item, units: &mut Vec<Unit<'l>>) {
        if self.source_role(item.span.source) == FileRole::Script {
            return;
        }
        if let ItemKind::Replace(inner) = &item.kind {
            return self.add_units(inner, units);
        }
        let Some((sort, name)) = sort_and_name(&item.kind) else {
            if let ItemKind::Has { owner, members } = &item.kind {
                self.add_member_units(&owner.text, members, units);
            }
            return;
        };
        let members = match &item.kind {
            ItemKind::Piece { members, .. } | ItemKind::Sheet { members, .. } => members.as_slice(),
            ItemKind::Family { fields, .. } => fields,
            _ => &[],
        };
        units.push(Unit { sort, name: name.to_string(), of: None, text: self.head_text(item.span, members), span: item.span });
        self.add_member_units(name, members, units);
    }

    /// Adds members, one unit for each name.
    fn add_member_units<'l>(&'l self, owner: &str, members: &[Member], units: &mut Vec<Unit<'l>>) {
        for member in members {
            let (sort, names): (_, &[Name]) = match &member.kind {
                MemberKind::Zone { names, .. } => ("zone", names),
                MemberKind::Counter { names, .. } => ("counter", names),
                MemberKind::Mark { name, .. } => ("mark", std::slice::from_ref(name)),
                MemberKind::Field { names, .. } => ("field", names),
            };
            units.extend(names.iter().map(|name| Unit {
                sort,
                name: name.text.clone(),
                of: Some(owner.to_string()),
                text: self.source_text(member.span),
                span: member.span,
            }));
        }
    }

    /// A declaration without its members, which are separate units.
    fn head_text(&self, span: Span, members: &[Member]) -> &str {
        match members.first() {
            Some(first) if span.contains_span(first.span) => self.source_text(Span { end: first.span.start, ..span }),
            _ => self.source_text(span),
        }
    }

    /// The source of a declaration, without `replace`.
    fn source_text(&self, span: Span) -> &str {
        let text = self.sources.span_text(span).trim_end();
        text.strip_prefix("replace ").unwrap_or(text)
    }
}

/// The sort and name of a declaration; none for those that are no unit of their own.
fn sort_and_name(kind: &ItemKind) -> Option<(&'static str, &str)> {
    Some(match kind {
        ItemKind::Sides(_) => ("sides", ""),
        ItemKind::Referee { .. } => ("referee", ""),
        ItemKind::Option(option) => ("option", &option.name.text),
        ItemKind::Words { name, .. } => ("type", &name.text),
        ItemKind::DieSizes { .. } => ("die sizes", ""),
        ItemKind::DieKind { name, .. } => ("die", &name.text),
        ItemKind::Piece { name, .. } => ("piece", &name.text),
        ItemKind::Sheet { name, .. } => ("sheet", &name.text),
        ItemKind::Define(define) => ("define", &define.name.text),
        ItemKind::Hook(hook) => ("hook", &hook.name.text),
        ItemKind::Family { name, .. } => ("family", &name.text),
        ItemKind::Action(action) => ("action", &action.name.text),
        ItemKind::Procedure(procedure) if procedure.scope => ("scope", &procedure.name.text),
        ItemKind::Procedure(procedure) => ("procedure", &procedure.name.text),
        ItemKind::Standing { .. } => ("standing", ""),
        ItemKind::Policy(policy) => ("policy", &policy.name.text),
        ItemKind::Table(table) => ("table", &table.name.text),
        ItemKind::Ability(ability) => ("ability", &ability.id.text),
        ItemKind::Works { ability: Some(ability), .. } => ("when it works, ability", &ability.text),
        ItemKind::Works { ability: None, .. } => ("when abilities work", ""),
        ItemKind::SharedUses { .. } => ("shared uses of abilities", ""),
        ItemKind::Language
        | ItemKind::Game { .. }
        | ItemKind::Package { .. }
        | ItemKind::Has { .. }
        | ItemKind::Mode { .. }
        | ItemKind::Replace(_)
        | ItemKind::Remove { .. } => return None,
    })
}
