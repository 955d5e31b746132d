//! Resolves names in declarations.

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
    pub fn items(&mut self, items: &'a [Cow<Item>]) {
        items.iter().for_each(|item| self.item(item));
    }

    fn item(&mut self, item: &'a Item) {
        match &item.kind {
            ItemKind::Sides(sides) => {
                sides.entrants.iter().for_each(|(_, _, sheet)| self.sheet(sheet));
                if let Some((condition, why_not)) = &sides.admission {
                    self.apart(|walker| {
                        walker.with_it(condition.span, |walker| {
                            walker.expr(condition);
                            walker.texts([why_not]);
                        });
                    });
                }
            }
            ItemKind::Option(option) => {
                if let OptionKind::Number { default, range } = &option.kind {
                    self.expr(default);
                    self.exprs(range.iter().flat_map(|(least, most)| [least, most]));
                }
            }
            ItemKind::Piece { name, from, shown_as, members, .. } => {
                from.iter().for_each(|from| self.sheet(from));
                shown_as.iter().for_each(|text| self.title(&name.text, text));
                self.members(&name.text, members);
            }
            ItemKind::Sheet { name, base, members, .. } => {
                base.iter().for_each(|base| self.sheet(base));
                self.members(&name.text, members);
            }
            ItemKind::Has { owner, members } => {
                self.kind(owner);
                self.members(&owner.text, members);
            }
            ItemKind::Define(define) => self.value(&define.name, |walker| {
                walker.params(&define.params);
                define.of.iter().for_each(|of| walker.type_name(of));
                walker.expr(&define.value);
            }),
            ItemKind::Table(table) => self.table(table),
            ItemKind::Hook(hook) => self.hook_declared(hook),
            ItemKind::Family { params, base, fields, .. } => self.family_declared(params, base.as_ref(), fields),
            ItemKind::Action(action) => self.action(action, false),
            ItemKind::Procedure(procedure) => self.procedure(procedure),
            ItemKind::Standing { param, value } => self.apart(|walker| {
                walker.name_it(param);
                walker.expr(value);
            }),
            ItemKind::Policy(policy) => self.policy(policy),
            ItemKind::Ability(ability) => self.ability(ability),
            ItemKind::Works { ability, when } => self.works(ability.as_ref(), when),
            ItemKind::SharedUses { scopes } => scopes.iter().for_each(|scope| self.scope(scope)),
            _ => {}
        }
    }

    /// Marks the fields in a title as used.
    pub(super) fn title(&mut self, owner: &str, text: &'a Text) {
        for part in &text.parts {
            if let TextPart::Hole(Expr { kind: ExprKind::Name(name), .. }) = part
                && let Some(owned) = self.names.member_of(owner, name)
            {
                self.uses(owned.name.span);
            }
        }
    }

    /// Resolves a computed value.
    fn value(&mut self, name: &'a Name, walk: impl FnOnce(&mut Self)) {
        let outer = self.calls.enter_value(ValueNode::Value(&name.text));
        self.apart(walk);
        self.calls.leave_value(outer);
    }

    fn table(&mut self, table: &'a Table) {
        self.value(&table.name, |walker| {
            walker.params(&table.params);
            table.of.iter().for_each(|of| walker.type_name(of));
            for row in &table.rows {
                for (first, last) in &row.keys {
                    walker.expr(first);
                    walker.exprs(last);
                }
                walker.expr(&row.value);
            }
            walker.exprs(&table.otherwise);
        });
    }

    fn hook_declared(&mut self, hook: &'a Hook) {
        self.value(&hook.name, |walker| {
            walker.params(&hook.params);
            if let Some((of, value)) = &hook.value {
                walker.type_name(of);
                walker.expr(value);
            }
            walker.texts(&hook.prompt);
        });
    }

    fn family_declared(&mut self, params: &'a [Param], base: Option<&'a Name>, fields: &'a [Member]) {
        if let Some(base) = base {
            self.family(base);
        }
        self.apart(|walker| {
            walker.params(params);
            fields.iter().for_each(|field| walker.kept_declared(field));
        });
    }

    /// Resolves an action of the rules, or one granted by an ability, which also has the ability's names.
    pub fn action(&mut self, action: &'a Action, granted: bool) {
        let family = action.family.as_ref().filter(|family| self.family(family));
        let outer = self.calls.enter(Node::Moves);
        let outer_value = self.calls.enter_value(ValueNode::Family(family.map_or("", |family| &family.text)));
        let walk = |walker: &mut Self| {
            walker.with_family(action.family.as_ref(), |walker| {
                walker.roles(&action.roles);
                walker.clauses(&action.roles, &action.clauses);
            });
        };
        if granted {
            self.within(walk)
        } else {
            self.apart(walk)
        }
        self.calls.leave_value(outer_value);
        self.calls.leave(outer);
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
        super::declare::twice_among(given.iter().copied(), &mut self.found.problems);
        let fields: Vec<(&Name, bool)> = self
            .line_of_family(known)
            .into_iter()
            .flat_map(|family| family.fields)
            .flat_map(|member| match &member.kind {
                MemberKind::Field { names, of, default, .. } => {
                    let begins = default.is_some() || self.begins_by_itself(of);
                    names.iter().map(|name| (name, begins)).collect()
                }
                _ => Vec::new(),
            })
            .collect();
        for name in &given {
            if !fields.iter().any(|(field, _)| field.text == name.text) {
                let problem = Problem::error(codes::UNKNOWN_FIELD, format!("`{}` has no field `{}`", family.text, name.text));
                let problem = problem.at(name.span, "not declared").at(known.name.span, "declared here");
                self.complain(problem.suggest(&name.text, fields.iter().map(|(field, _)| field.text.as_str())));
            }
        }
        for (field, begins) in fields {
            let filled = begins
                || given.iter().any(|name| name.text == field.text)
                || action.roles.iter().any(|role| role.name.text == field.text);
            if !filled {
                let message =
                    format!("`{}` does not say what `{}` is, which every `{}` has", action.name.text, field.text, family.text);
                let problem =
                    Problem::error(codes::WRONG_TYPE, message).at(action.name.span, "here").at(field.span, "declared here");
                self.complain(problem.help(format!("call a role `{0}`, or add `gives {0} = …`", field.text)));
            }
        }
    }

    /// A family and those that it is part of.
    pub fn line_of_family(&self, family: Family<'a>) -> Vec<Family<'a>> {
        let mut line = vec![family];
        while let Some(base) = line.last().and_then(|last| self.names.families.get(last.base?.text.as_str())).copied() {
            if line.iter().any(|known| known.name.span == base.name.span) {
                break;
            }
            line.push(base);
        }
        line
    }

    fn procedure(&mut self, procedure: &'a Procedure) {
        let outer = self.calls.enter(Node::Procedure(&procedure.name.text));
        self.apart(|walker| {
            walker.params(&procedure.params);
            procedure.gives.iter().for_each(|of| walker.type_name(of));
            walker.block(&procedure.body);
        });
        self.calls.leave(outer);
    }

    fn policy(&mut self, policy: &'a Policy) {
        self.family(&policy.family);
        self.apart(|walker| {
            walker.with_family(Some(&policy.family), |walker| {
                for PolicyRow { chance, when, prefer } in &policy.lines {
                    chance.iter().for_each(|chance| walker.chance(*chance));
                    walker.with_it(prefer.span, |walker| walker.exprs(when.iter().chain([prefer])));
                }
            });
        });
    }

    fn chance(&mut self, Chance { times, out_of, span }: Chance) {
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
        self.complain(Problem::error(codes::CHANCE, message).at(span, label).help(help));
    }
}
