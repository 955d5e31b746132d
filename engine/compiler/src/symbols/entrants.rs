//! Declares sheets of entrants that build on another: they share one kind, and some members belong to some sheets only.
//!
//! The kind has the name of the sheet that builds on no other. A member of a sheet that builds on another belongs to that sheet and
//! those that build on it, unless several such sheets declare it: then it belongs to all of them, with one place in the kind.

use super::super::types::Type;
use super::{Sort, Symbols, check_keys};
use ludex_program::{FieldInfo, Kind, KindId, SheetId, ZoneInfo};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::tree::{Item, ItemKind, Member, Name};

/// Whether a field of a sheet already exists for other sheets.
pub(super) enum SharedField {
    /// It exists alike, at this index, and now belongs to this sheet, too.
    With(u16),
    /// It exists with a different declaration.
    Otherwise,
    Not,
}

impl<'a> Symbols<'a> {
    /// Declares the printed lines of an entrants' sheet as members of their kind.
    pub(super) fn declare_sheet(&mut self, name: &str, members: &'a [Member], problems: &mut Vec<Problem>) {
        let Some(sheet) = self.sheet_id(name) else { return };
        let Some(kind) = self.sheets[sheet].kind else { return };
        for member in members {
            check_keys(member, problems);
            self.declare_member(kind, member, Some(sheet as SheetId), problems);
        }
    }

    /// The sort key of an item: sheets come first, each after its base.
    pub(super) fn sheet_depth(&self, item: &Item) -> usize {
        match &item.kind {
            ItemKind::Sheet { name, .. } => {
                let sheet = self.sheet_id(&name.text);
                sheet.map_or(0, |sheet| self.sheet_ancestry(sheet as SheetId).count())
            }
            _ => usize::MAX,
        }
    }

    /// A sheet and those that it builds on, the nearest first.
    fn sheet_ancestry(&self, sheet: SheetId) -> impl Iterator<Item = SheetId> {
        std::iter::successors(Some(sheet), |sheet| self.sheets[usize::from(*sheet)].base)
    }

    /// Whether a sheet builds on another.
    pub(super) fn builds_on_another(&self, name: &str) -> bool {
        self.sheet_id(name).is_some_and(|sheet| self.sheets[sheet].base.is_some())
    }

    /// The kind of the things with this sheet, if it has another name because several sheets share a base.
    pub fn kind_of_sheet(&self, name: &str) -> Option<&Kind> {
        let sheet = &self.sheets[self.sheet_id(name)?];
        let kind = &self.kinds[usize::from(sheet.kind?)];
        (kind.name != name).then_some(kind)
    }

    /// The sheets that are the only ones with a member of this sheet. Empty if all have it, because the sheet builds on no other.
    pub(super) fn exclusive_sheets(&self, sheet: Option<SheetId>) -> Vec<SheetId> {
        sheet.into_iter().filter(|sheet| self.sheets[usize::from(*sheet)].base.is_some()).collect()
    }

    /// Whether a member belongs to some sheets, and `sheet` builds on none of them.
    fn belongs_to_others(&self, sheets: &[SheetId], sheet: SheetId) -> bool {
        !sheets.is_empty() && !self.sheet_ancestry(sheet).any(|base| sheets.contains(&base))
    }

    /// Whether a zone of a sheet already exists for others; then it is shared. A different declaration is an error.
    pub(super) fn shares_zone(&mut self, kind: KindId, info: &ZoneInfo, name: &Name, problems: &mut Vec<Problem>) -> bool {
        let [sheet] = info.sheets[..] else { return false };
        let zones = &self.kinds[usize::from(kind)].zones;
        let Some(at) = zones.iter().position(|zone| zone.name == info.name && self.belongs_to_others(&zone.sheets, sheet)) else {
            return false;
        };
        let words = |zone: &ZoneInfo| (zone.holds, zone.seen, zone.ordered, zone.out_of_play, zone.most, zone.optional);
        if words(&zones[at]) == words(info) {
            self.kinds[usize::from(kind)].zones[at].sheets.push(sheet);
        } else {
            problems.push(self.different_declaration_problem(kind, name));
        }
        true
    }

    /// Whether a field of a sheet already exists for others; then it is shared. A different declaration is an error.
    pub(super) fn shared_field(
        &mut self,
        kind: KindId,
        info: &FieldInfo,
        name: &Name,
        problems: &mut Vec<Problem>,
    ) -> SharedField {
        let [sheet] = info.sheets[..] else { return SharedField::Not };
        let fields = &self.kinds[usize::from(kind)].fields;
        let Some(at) = fields.iter().position(|field| field.name == info.name && self.belongs_to_others(&field.sheets, sheet))
        else {
            return SharedField::Not;
        };
        let written = |field: &FieldInfo| (field.shape.clone(), field.range, field.counter, field.optional);
        if written(&fields[at]) != written(info) {
            problems.push(self.different_declaration_problem(kind, name));
            return SharedField::Otherwise;
        }
        self.kinds[usize::from(kind)].fields[at].sheets.push(sheet);
        SharedField::With(at as u16)
    }

    /// Whether a column of a sheet is already printed by others.
    pub(super) fn shares_column(&self, sheet: SheetId, name: &str) -> bool {
        self.find_column(sheet, name).is_some_and(|(column, _)| !self.prints_column(sheet, column))
    }

    /// The error for a member that another sheet declares differently.
    fn different_declaration_problem(&self, kind: KindId, name: &Name) -> Problem {
        let message = format!("`{}` is declared differently on another sheet", name.text);
        let problem = Problem::error(codes::WRONG_TYPE, message).with_label(name.span, "differs");
        let first = self.place(Sort::Member(kind), &name.text);
        let problem = first.into_iter().fold(problem, |problem, first| problem.with_label(first, "declared here"));
        problem
            .help("sheets with the same base must declare it alike: write the same type, range and words, or rename one of them")
    }
}

/// The type of a field that some sheets lack: types other than numbers, flags and lists may be none there.
pub(super) fn partial_field_type(of: &Type) -> Type {
    match of {
        Type::Number | Type::Halves | Type::Flag | Type::List(_) => of.clone(),
        other => other.clone().or_none(),
    }
}
