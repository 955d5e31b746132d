//! Resolves names in declarations.
//!
//! Each declaration is resolved with the names that it makes available in it, such as its parameters, `it` or `me`, and tells the
//! call graph which code or value it is.

use super::Walker;
use super::calls::{Node, ValueNode};
use super::names::Family;
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::tree::{
    Action, Chance, ClauseKind, Expr, ExprKind, Hook, Item, ItemKind, Member, MemberKind, Name, OptionKind, Param, Policy,
    PolicyRow, Procedure, Table, Text, TextPart,
};
use std::borrow::Cow;

/// Maximum denominator of a chance; the message states it, too.
const MOST_OUT_OF: i64 = 1_000_000;

impl<'a> Walker<'_, 'a> {
    /// Resolves all declarations of a mode.
    pub fn resolve_items(&mut self, items: &'a [Cow<Item>]) {
        items.iter().for_each(|item| self.resolve_item(item));
    }

    /// Resolves the names of one declaration.
    fn resolve_item(&mut self, item: &'a Item) {
        match &item.kind {
            ItemKind::Sides(sides) => {
                sides.entrants.iter().for_each(|(_, _, sheet)| self.check_sheet(sheet));
                if let Some((condition, why_not)) = &sides.admission {
                    self.with_own_names(|walker| {
                        walker.with_it(condition.span, |walker| {
                            walker.resolve_expression(condition);
                            walker.resolve_texts([why_not]);
                        });
                    });
                }
            }
            ItemKind::Option(option) => {
                if let OptionKind::Number { default, range } = &option.kind {
                    self.resolve_expression(default);
                    self.resolve_expressions(range.iter().flat_map(|(least, most)| [least, most]));
                }
            }
            ItemKind::Piece { name, from, shown_as, members, .. } => {
                from.iter().for_each(|from| self.check_sheet(from));
                shown_as.iter().for_each(|text| self.resolve_title(&name.text, text));
                self.resolve_members(&name.text, members);
            }
            ItemKind::Sheet { name, base, members, .. } => {
                base.iter().for_each(|base| self.check_sheet(base));
                self.resolve_members(&name.text, members);
            }
            ItemKind::Has { owner, members } => {
                self.check_kind(owner);
                self.resolve_members(&owner.text, members);
            }
            ItemKind::Define(define) => self.resolve_value(&define.name, |walker| {
                walker.resolve_parameters(&define.params);
                define.of.iter().for_each(|of| walker.resolve_type(of));
                walker.resolve_expression(&define.value);
            }),
            ItemKind::Table(table) => self.resolve_table(table),
            ItemKind::Hook(hook) => self.resolve_hook(hook),
            ItemKind::Family { params, base, fields, .. } => self.resolve_family(params, base.as_ref(), fields),
            ItemKind::Action(action) => self.resolve_action(action, false),
            ItemKind::Procedure(procedure) => self.resolve_procedure(procedure),
            ItemKind::Standing { param, value } => self.with_own_names(|walker| {
                walker.declare_local(param);
                walker.resolve_expression(value);
            }),
            ItemKind::Policy(policy) => self.resolve_policy(policy),
            ItemKind::Ability(ability) => self.resolve_ability(ability),
            ItemKind::Works { ability, when } => self.resolve_works_when(ability.as_ref(), when),
            ItemKind::SharedUses { scopes } => scopes.iter().for_each(|scope| self.check_scope(scope)),
            _ => {}
        }
    }

    /// Resolves the title of a kind's things: fields in it count as used.
    pub(super) fn resolve_title(&mut self, owner: &str, text: &'a Text) {
        for part in &text.parts {
            if let TextPart::Hole(Expr { kind: ExprKind::Name(name), .. }) = part
                && let Some(owned) = self.names.member_of(owner, name)
            {
                self.mark_used(owned.name.span);
            }
        }
    }

    /// Resolves a value that expressions can use by name, with names of its own.
    fn resolve_value(&mut self, name: &'a Name, walk: impl FnOnce(&mut Self)) {
        let outer = self.calls.enter_value(ValueNode::Value(&name.text));
        self.with_own_names(walk);
        self.calls.leave_value(outer);
    }

    /// Resolves a table. Only its parameters are known in its rows.
    fn resolve_table(&mut self, table: &'a Table) {
        self.resolve_value(&table.name, |walker| {
            walker.resolve_parameters(&table.params);
            table.of.iter().for_each(|of| walker.resolve_type(of));
            for row in &table.rows {
                for (first, last) in &row.keys {
                    walker.resolve_expression(first);
                    walker.resolve_expressions(last);
                }
                walker.resolve_expression(&row.value);
            }
            walker.resolve_expressions(&table.otherwise);
        });
    }

    /// Resolves a hook: its value before modifiers, and its prompt.
    fn resolve_hook(&mut self, hook: &'a Hook) {
        self.resolve_value(&hook.name, |walker| {
            walker.resolve_parameters(&hook.params);
            if let Some((of, value)) = &hook.value {
                walker.resolve_type(of);
                walker.resolve_expression(value);
            }
            walker.resolve_texts(&hook.prompt);
        });
    }

    /// Resolves the parameters and fields of a family of moves.
    fn resolve_family(&mut self, params: &'a [Param], base: Option<&'a Name>, fields: &'a [Member]) {
        if let Some(base) = base {
            self.check_family(base);
        }
        self.with_own_names(|walker| {
            walker.resolve_parameters(params);
            fields.iter().for_each(|field| walker.resolve_off_table_member(field));
        });
    }

    /// Resolves an action of the rules, or one granted by an ability, which can also read the ability's names.
    pub fn resolve_action(&mut self, action: &'a Action, granted: bool) {
        let family = action.family.as_ref().filter(|family| self.check_family(family));
        let outer = self.calls.enter_node(Node::Moves);
        let outer_value = self.calls.enter_value(ValueNode::Family(family.map_or("", |family| &family.text)));
        let walk = |walker: &mut Self| {
            walker.with_family(action.family.as_ref(), |walker| {
                walker.resolve_roles(&action.roles);
                walker.resolve_clauses(&action.roles, &action.clauses);
            });
        };
        if granted {
            self.with_inner_names(walk)
        } else {
            self.with_own_names(walk)
        }
        self.calls.leave_value(outer_value);
        self.calls.leave_node(outer);
        if let Some(family) = family {
            self.check_fields(action, family);
        }
    }

    /// Checks that every field of the family is a role, is given or has a default, and that no other fields are given.
    fn check_fields(&mut self, action: &'a Action, family: &Name) {
        let Some(known) = self.names.families.get(family.text.as_str()).copied() else { return };
        let given: Vec<&Name> = action
            .clauses
            .iter()
            .filter_map(|clause| match &clause.kind {
                ClauseKind::Gives(name, _) => Some(name),
                _ => None,
            })
            .collect();
        super::declare::report_repeated_names(given.iter().copied(), &mut self.found.problems);
        let fields: Vec<(&Name, bool)> = self
            .family_and_bases(known)
            .into_iter()
            .flat_map(|family| family.fields)
            .flat_map(|member| match &member.kind {
                MemberKind::Field { names, of, default, .. } => {
                    let begins = default.is_some() || self.has_first_value(of);
                    names.iter().map(|name| (name, begins)).collect()
                }
                _ => Vec::new(),
            })
            .collect();
        for name in &given {
            if !fields.iter().any(|(field, _)| field.text == name.text) {
                let problem = Problem::error(codes::UNKNOWN_FIELD, format!("`{}` has no field `{}`", family.text, name.text));
                let problem = problem.with_label(name.span, "not declared").with_label(known.name.span, "declared here");
                self.report_problem(problem.suggest(&name.text, fields.iter().map(|(field, _)| field.text.as_str())));
            }
        }
        for (field, begins) in fields {
            let filled = begins
                || given.iter().any(|name| name.text == field.text)
                || action.roles.iter().any(|role| role.name.text == field.text);
            if !filled {
                let message =
                    format!("`{}` does not say what `{}` is, which every `{}` has", action.name.text, field.text, family.text);
                let problem = Problem::error(codes::WRONG_TYPE, message)
                    .with_label(action.name.span, "here")
                    .with_label(field.span, "declared here");
                self.report_problem(problem.help(format!("call a role `{0}`, or add `gives {0} = …`", field.text)));
            }
        }
    }

    /// A family and those that it is part of, nearest first. A cycle, which is reported elsewhere, ends the list.
    pub fn family_and_bases(&self, family: Family<'a>) -> Vec<Family<'a>> {
        let mut line = vec![family];
        while let Some(base) = line.last().and_then(|last| self.names.families.get(last.base?.text.as_str())).copied() {
            if line.iter().any(|known| known.name.span == base.name.span) {
                break;
            }
            line.push(base);
        }
        line
    }

    /// Resolves a procedure's parameters and statements.
    fn resolve_procedure(&mut self, procedure: &'a Procedure) {
        let outer = self.calls.enter_node(Node::Procedure(&procedure.name.text));
        self.with_own_names(|walker| {
            walker.resolve_parameters(&procedure.params);
            procedure.gives.iter().for_each(|of| walker.resolve_type(of));
            walker.resolve_block(&procedure.body);
        });
        self.calls.leave_node(outer);
    }

    /// Resolves a policy of bots. In its lines, `it` is the move.
    fn resolve_policy(&mut self, policy: &'a Policy) {
        self.check_family(&policy.family);
        self.with_own_names(|walker| {
            walker.with_family(Some(&policy.family), |walker| {
                for PolicyRow { chance, when, prefer } in &policy.lines {
                    chance.iter().for_each(|chance| walker.check_chance(*chance));
                    walker.with_it(prefer.span, |walker| walker.resolve_expressions(when.iter().chain([prefer])));
                }
            });
        });
    }

    /// Reports a chance that is not a fraction from 0 to 1.
    fn check_chance(&mut self, Chance { times, out_of, span }: Chance) {
        let (message, label, help) = if out_of == 0 {
            let help = "write how often out of how many times: `1/3` is once in three".to_string();
            ("a chance cannot be out of 0".to_string(), "no chance", help)
        } else if out_of > MOST_OUT_OF {
            let message = format!("a chance can be out of at most 1,000,000, but this is out of {out_of}");
            (message, "too fine", "write a chance near it with smaller numbers".to_string())
        } else if times > out_of {
            let help = format!("write at most `{out_of}/{out_of}`, which is always");
            (format!("{times} times in {out_of} is more than always"), "the first number is larger", help)
        } else {
            return;
        };
        self.report_problem(Problem::error(codes::CHANCE, message).with_label(span, label).help(help));
    }
}
