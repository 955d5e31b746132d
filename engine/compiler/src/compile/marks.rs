//! Compiles marks with effects: their fields and parts. Also compiles `forbid` and `demand` of abilities and marks.
//!
//! A mark is something that a thing bears for a time. While it lasts, its parts apply: modifiers change values of hooks, `forbid`
//! and `demand` restrict moves. In them, `holder` is the bearer and `me` its side.

use super::Compiler;
use crate::types::Type;
use ludex_program::{ClauseInfo, ClauseKind, Expr, Formula, MarkField, RestrictionInfo};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Expr as Written, Name, Part, PartKind};

/// The owner of a part: an ability, or a mark with its fields.
#[derive(Clone, Copy)]
pub(super) enum PartOwner {
    Ability(u16),
    Mark(u16),
}

impl Compiler<'_> {
    /// Compiles the default values of marks' fields, then the parts of each mark.
    pub(super) fn compile_marks(&mut self) {
        for index in 0..self.symbols.mark_parts.len() {
            let (fields, parts) = &self.symbols.mark_parts[index];
            let bearer = self.program.marks[index].kind;
            for (name, of, default) in fields {
                let default = default.map(|default| {
                    self.begin_function();
                    self.add_slot("it", Type::Entity(bearer));
                    self.function.itself = Some((0, bearer));
                    let expr = self.compile_as_type(default, of);
                    Formula { expr, slots: self.function.most_slots }
                });
                self.program.marks[index].fields.push(MarkField { name: name.clone(), default });
            }
            // A mark has no parameters that a sheet could set.
            self.parameters.clear();
            self.holder = Type::Entity(bearer);
            self.mark = Some(index as u16);
            for part in *parts {
                self.compile_mark_part(index as u16, part);
            }
            self.mark = None;
        }
    }

    fn compile_mark_part(&mut self, mark: u16, part: &Part) {
        match &part.kind {
            PartKind::Modify { at, layer, when, value } => {
                if let Some(clause) = self.compile_modifier(at, layer.as_ref(), when.as_ref(), value, part) {
                    self.program.clauses.push(ClauseInfo { mark: Some(mark), ..clause });
                    let index = self.program.clauses.len() as u16 - 1;
                    self.program.marks[mark as usize].modifiers.push(index);
                }
            }
            PartKind::Forbid { family, when } => {
                self.compile_restriction(PartOwner::Mark(mark), family, when.as_ref(), false, part)
            }
            PartKind::Demand { family, when } => {
                self.compile_restriction(PartOwner::Mark(mark), family, when.as_ref(), true, part)
            }
            _ => {
                let message = "a mark can only change values, forbid and demand";
                let problem = Problem::error(codes::HEADER_SYNTAX, message).with_label(part.span, "belongs to an ability");
                self.problems.push(problem.help("let an ability do it `when` something bears the mark"));
            }
        }
    }

    /// Makes the current mark's fields available, in slots after `me` and `holder`.
    pub(super) fn add_mark_field_slots(&mut self) {
        let Some(mark) = self.mark else { return };
        for (name, of, _) in &self.symbols.mark_parts[mark as usize].0 {
            self.add_slot(name, of.clone());
        }
    }

    /// Compiles `forbid leap when …` and `demand leap when …`: a test of each move of a family, which is `it`. Without a condition,
    /// all moves are meant.
    pub(super) fn compile_restriction(
        &mut self,
        source: PartOwner,
        family: &Name,
        when: Option<&Written>,
        demand: bool,
        part: &Part,
    ) {
        let Some(found) = self.find_family(family) else { return };
        self.begin_function();
        for (name, of) in self.symbols.families[found as usize].params.clone() {
            self.add_slot(&name, of);
        }
        self.add_owner_slots();
        let it = self.add_slot("it", Type::Move(found));
        let when = when.map_or(Expr::Constant(1), |when| self.compile_condition(when));
        let index = self.program.restrictions.len() as u16;
        let (ability, mark) = match source {
            PartOwner::Ability(ability) => (Some(ability), None),
            PartOwner::Mark(mark) => (None, Some(mark)),
        };
        self.program.restrictions.push(RestrictionInfo {
            family: found,
            demand,
            when,
            it,
            slots: self.function.most_slots,
            ability,
            mark,
            span: part.span,
            rules: part.cites.iter().map(|cite| cite.rule.clone()).collect(),
        });
        match source {
            PartOwner::Ability(ability) => self.program.abilities[ability as usize].restrictions.push(index),
            PartOwner::Mark(mark) => self.program.marks[mark as usize].restrictions.push(index),
        }
    }

    /// The given values of a mark's fields, by index. Fields without a default must have one here; the others are filled in play.
    /// `span` is the statement.
    pub(super) fn compile_mark_fields(&mut self, mark: u16, given: &[(Name, Written)], span: Span) -> Vec<(u16, Expr)> {
        let fields = &self.symbols.mark_parts[mark as usize].0;
        let name = &self.symbols.marks[mark as usize].name;
        let mut values = Vec::new();
        for (field, value) in given {
            match fields.iter().position(|(known, ..)| *known == field.text) {
                Some(index) => values.push((index as u16, self.compile_as_type(value, &fields[index].1))),
                None => self.report_unresolved(field),
            }
        }
        for (field, _, default) in fields {
            if default.is_none() && !given.iter().any(|(name, _)| name.text == *field) {
                let problem = Problem::error(codes::WRONG_TYPE, format!("the mark `{name}` needs a value for `{field}`"));
                self.problems.push(problem.with_label(span, "here").help(format!("write `as {name}({field}: …)`")));
            }
        }
        values
    }

    /// Compiles a modifier of an ability or a mark: a new value for a hook's value, which is `it`. `layer` is the group of
    /// modifiers in which it acts, and `part` has its place and rules. The caller sets its owner. None if the hook is unknown or
    /// has no value. The value is computed only if `when` holds, so it may rely on it.
    pub(super) fn compile_modifier(
        &mut self,
        at: &ludex_syntax::tree::HookUse,
        layer: Option<&Name>,
        when: Option<&Written>,
        value: &Written,
        part: &Part,
    ) -> Option<ClauseInfo> {
        let hook = self.begin_clause(at)?;
        let (of, _) = self.symbols.hooks[hook as usize].0.value.as_ref()?;
        let of = self.symbols.type_of(of, &mut self.problems);
        self.add_slot("it", of.clone());
        let guard: Vec<Expr> = when.map(|when| self.compile_condition(when)).into_iter().collect();
        for condition in &guard {
            let told = self.condition_facts(condition);
            self.learn_for_good(told.holds);
        }
        let value = self.compile_as_type(value, &of);
        let layer = self.layer_index(hook, layer);
        Some(ClauseInfo {
            layer,
            guard,
            value: Some(value),
            slots: self.function.most_slots,
            ..super::abilities::empty_clause(ClauseKind::Modifier, &at.hook.text, u16::MAX, hook, part)
        })
    }
}
