//! Resolves names in the members of sheets, pieces, sides, the table, families and marks. A member is a zone, a counter, a field or
//! a mark that is declared for a kind of things.

use super::Walker;
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::tree::{Member, MemberKind, Name, TypeKind, TypeName, ZoneWord};

impl<'a> Walker<'_, 'a> {
    /// Resolves the members of a kind. First values can use the other members by their bare names.
    pub fn resolve_members(&mut self, owner: &'a str, members: &'a [Member]) {
        self.with_own_names(|walker| {
            walker.own = Some(owner);
            members.iter().for_each(|member| walker.resolve_member_declaration(member));
            walker.own = None;
        });
    }

    /// Resolves the type, first value and range of a member, or the body of a mark.
    pub fn resolve_member_declaration(&mut self, member: &'a Member) {
        match &member.kind {
            MemberKind::Zone { holds, words, .. } => {
                self.check_piece_kind(holds);
                for word in words {
                    if let ZoneWord::FallsTo(place) = word {
                        self.resolve_expression(place);
                    }
                }
            }
            MemberKind::Counter { of, default, range, text, .. } => {
                text.iter().for_each(|text| self.resolve_title(self.own.unwrap_or_default(), text));
                of.iter().for_each(|of| self.resolve_type(of));
                self.resolve_expressions(default);
                self.resolve_expressions(range.iter().flat_map(|(least, most)| [least, most]));
            }
            MemberKind::Field { of, default, range, lending, .. } => {
                self.resolve_type(of);
                self.resolve_expressions(default);
                self.resolve_expressions(range.iter().flat_map(|(least, most)| [least, most]));
                self.check_lending(of, lending);
            }
            MemberKind::Mark { name, fields, parts, .. } => self.resolve_mark_body(name, fields, parts),
        }
    }

    /// Same as [`Walker::resolve_member_declaration`], for a field of a move or mark, which is not on a table.
    pub fn resolve_off_table_member(&mut self, member: &'a Member) {
        self.resolve_member_declaration(member);
        if let MemberKind::Field { shown: true, .. } = &member.kind {
            let problem =
                Problem::error(codes::FOREIGN_FORM, "a field of a move or a mark is not on a table, so it is never shown");
            self.report_problem(problem.with_label(member.span, "`shown` has no effect here").help("leave out `, shown`"));
        }
        if let MemberKind::Field { room: Some(room), .. } = &member.kind {
            let problem = Problem::error(codes::FOREIGN_FORM, "a field of a move or a mark needs no room");
            self.report_problem(problem.with_label(room.span, "`at most` has no effect here").help("leave it out"));
        }
        if let MemberKind::Counter { text: Some(text), .. } = &member.kind {
            let problem =
                Problem::error(codes::FOREIGN_FORM, "a counter of a move or a mark is not on a table, so its text is never read");
            self.report_problem(problem.with_label(text.span, "has no effect here").help("leave it out"));
        }
        if let MemberKind::Field { seen: Some(seen), .. } | MemberKind::Counter { seen: Some(seen), .. } = &member.kind {
            let problem =
                Problem::error(codes::FOREIGN_FORM, "a field of a move or a mark is not on a table, so it is never seen");
            self.report_problem(problem.with_label(seen.span, "has no effect here").help("leave it out"));
        }
    }

    /// Checks that lent names are members of the thing that the field refers to.
    fn check_lending(&mut self, of: &TypeName, lending: &'a [Name]) {
        let kind = if let TypeKind::OrNone(inner) = &of.kind { &inner.kind } else { &of.kind };
        let TypeKind::Named(lender) = kind else { return };
        let Some(kind) = self.names.kind_by_name(&lender.text) else { return };
        for name in lending {
            if self.names.own_member(kind, &name.text).is_none() {
                let known = self.names.members.keys().copied().filter(|name| self.names.own_member(kind, name).is_some());
                let problem =
                    Problem::error(codes::UNKNOWN_FIELD, format!("`{kind}` has nothing called `{}` to lend", name.text));
                let problem = problem.with_label(name.span, "not known").suggest(&name.text, known);
                self.report_problem(problem);
            }
        }
    }
}
