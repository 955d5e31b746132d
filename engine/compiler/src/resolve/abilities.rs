//! Resolves names in the headers of abilities, and in marks with effects.

use super::Walker;
use super::calls::{Node, ValueNode};
use crate::sheet::PROVENANCES;
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, joined};
use ludex_syntax::source::{SourceId, Span};
use ludex_syntax::tree::{
    Ability, Clause, ClauseKind, Expr, ExprKind, Hook, HookUse, Member, MemberKind, Name, Part, PartKind, Role, Text,
};

impl<'a> Walker<'_, 'a> {
    pub fn ability(&mut self, ability: &'a Ability) {
        let source = ability.id.span.source;
        self.script_words(source);
        self.apart(|walker| {
            walker.owner(ability.id.span);
            for part in &ability.parts {
                if let PartKind::Parameter { name, .. } = &part.kind {
                    walker.push_local(&name.text, name.span);
                }
            }
            ability.parts.iter().for_each(|part| walker.part(part, Some(source)));
        });
    }

    /// Resolves the condition under which abilities work.
    pub fn works(&mut self, ability: Option<&'a Name>, when: &'a Expr) {
        if let Some(ability) = ability.filter(|ability| !self.names.abilities.contains(ability.text.as_str())) {
            let problem = Problem::error(codes::UNKNOWN_ABILITY, format!("there is no ability `{}`", ability.text));
            let known: Vec<&str> = self.names.abilities.iter().copied().collect();
            self.complain(problem.at(ability.span, "not known").suggest(&ability.text, known));
        }
        self.apart(|walker| {
            walker.owner(when.span);
            walker.expr(when);
        });
    }

    /// Declares `me` and `holder`.
    fn owner(&mut self, span: Span) {
        self.push_local("me", span);
        self.push_local("holder", span);
    }

    /// Marks all names that a script mentions as used.
    fn script_words(&mut self, source: SourceId) {
        let Some(words) = self.scripts.get(&source) else { return };
        for word in words {
            self.speaks_of(word);
            let names = self.names;
            let members = names.members.get(word.as_str()).into_iter().flatten().map(|owned| owned.name.span);
            let mark = names.marks.get(word.as_str()).copied();
            let procedure = names.procedures.get(word.as_str()).map(|procedure| procedure.name.span);
            let value = names.values.get(word.as_str()).map(|value| value.span);
            let family = names.families.get(word.as_str()).map(|family| family.name.span);
            self.found.used.extend(members.chain(mark).chain(procedure).chain(value).chain(family));
        }
    }

    /// Resolves the body of a mark, whose parts can read its fields.
    pub fn mark_body(&mut self, name: &'a Name, fields: &'a [Member], parts: &'a [Part]) {
        fields.iter().for_each(|field| self.kept_declared(field));
        let own = self.own.take();
        self.within(|walker| {
            walker.owner(name.span);
            for field in fields {
                if let MemberKind::Field { names, .. } = &field.kind {
                    names.iter().for_each(|name| walker.push_local(&name.text, name.span));
                }
            }
            parts.iter().for_each(|part| walker.part(part, None));
        });
        self.own = own;
    }

    fn part(&mut self, part: &'a Part, script: Option<SourceId>) {
        match &part.kind {
            PartKind::Uses(uses) => {
                for (times, scope) in uses {
                    self.expr(times);
                    self.scope(scope);
                }
            }
            PartKind::Provenance(word) => {
                if !PROVENANCES.contains(&word.text.as_str()) {
                    let message = format!("the provenance of `uses` cannot be `{}`", word.text);
                    let known: Vec<String> = PROVENANCES.iter().map(|word| format!("`{word}`")).collect();
                    let problem = Problem::error(codes::UNKNOWN_PROVENANCE, message);
                    let problem = problem.at(word.span, format!("must be {}", joined(&known, "or")));
                    self.complain(problem.suggest(&word.text, PROVENANCES));
                }
            }
            PartKind::Parameter { of, range, default, .. } => {
                self.type_name(of);
                self.exprs(range.iter().flat_map(|(least, most)| [least, most]));
                self.exprs(default);
            }
            PartKind::Trigger { name, at, clauses } | PartKind::Instead { name, at, clauses } => {
                let hook = self.names.hooks.get(at.hook.text.as_str());
                self.found.happenings.extend(hook.map(|hook| (name.span, hook.name.span)));
                self.happening(at, &[], clauses, script);
            }
            PartKind::Offer { at, roles, clauses, .. } => self.happening(at, roles, clauses, script),
            PartKind::Modify { at, layer, when, value } => {
                let Some(hook) = self.hook(&at.hook) else { return };
                self.hook_parameters(hook, at.hook.span, &at.names);
                self.check_value(hook, at);
                layer.iter().for_each(|layer| self.layer(hook, layer));
                let outer = self.calls.enter_value(ValueNode::Value(&hook.name.text));
                self.within(|walker| {
                    walker.hook_names(at);
                    walker.with_it(value.span, |walker| walker.exprs(when.iter().chain([value])));
                });
                self.calls.leave_value(outer);
            }
            PartKind::Grant { action } => self.action(action, true),
            PartKind::Forbid { family, when } | PartKind::Demand { family, when } => {
                self.family(family);
                self.within(|walker| {
                    walker.with_family(Some(family), |walker| {
                        if let Some(when) = when {
                            walker.with_it(when.span, |walker| walker.expr(when));
                        }
                    });
                });
            }
        }
    }

    fn check_value(&mut self, hook: &'a Hook, at: &HookUse) {
        if hook.value.is_none() {
            let problem = Problem::error(codes::WRONG_TYPE, format!("`{}` has no value to modify", at.hook.text));
            self.complain(problem.at(at.hook.span, "a moment").at(hook.name.span, "declared here"));
        }
    }

    fn layer(&mut self, hook: &'a Hook, layer: &Name) {
        if !hook.layers.iter().any(|known| known.text == layer.text) {
            let problem = Problem::error(codes::UNKNOWN_NAME, format!("there is no layer `{}`", layer.text));
            let problem = problem.at(layer.span, "not declared").at(hook.name.span, "declared here");
            self.complain(problem.suggest(&layer.text, hook.layers.iter().map(|layer| layer.text.as_str())));
        }
    }

    fn hook_names(&mut self, at: &'a HookUse) {
        super::declare::twice_among(&at.names, &mut self.found.problems);
        at.names.iter().for_each(|name| self.name_it(name));
    }

    /// Resolves a trigger, an offer or an `instead`.
    fn happening(&mut self, at: &'a HookUse, roles: &'a [Role], clauses: &'a [Clause], script: Option<SourceId>) {
        let Some(hook) = self.hook(&at.hook) else { return };
        self.hook_parameters(hook, at.hook.span, &at.names);
        if hook.value.is_some() {
            let problem = Problem::error(codes::WRONG_TYPE, format!("abilities cannot act at `{}`: it is a value", at.hook.text));
            let problem = problem.at(at.hook.span, "a value").at(hook.name.span, "declared here");
            self.complain(problem.help("to change it, write `modify … : …`"));
        }
        let outer = self.calls.enter(Node::Hook(&hook.name.text));
        let outer_hook = self.hook.replace(hook);
        self.within(|walker| {
            walker.hook_names(at);
            walker.roles(roles);
            walker.clauses(roles, clauses);
            if !clauses.iter().any(|clause| matches!(clause.kind, ClauseKind::Do(_))) {
                walker.function(hook, script);
            }
        });
        self.hook = outer_hook;
        self.calls.leave(outer);
    }

    /// Resolves a part without `do`. It runs a function of the script, which may do anything that the script mentions.
    fn function(&mut self, hook: &'a Hook, script: Option<SourceId>) {
        let Some(words) = script.and_then(|script| self.scripts.get(&script)) else { return };
        for answer in hook.answers.iter().filter(|answer| words.contains(&answer.text)) {
            self.found.used.insert(answer.span);
        }
        for word in words {
            if let Some((procedure, _)) = self.names.procedures.get_key_value(word.as_str()) {
                self.calls.leads(Node::Procedure(procedure));
            }
        }
    }

    pub fn roles(&mut self, roles: &'a [Role]) {
        for role in roles {
            self.amount(&role.amount);
            self.expr(&role.from);
            self.name_it(&role.name);
        }
    }

    pub fn clauses(&mut self, roles: &'a [Role], clauses: &'a [Clause]) {
        for clause in clauses {
            match &clause.kind {
                ClauseKind::When(condition, why_not) => {
                    self.expr(condition);
                    self.texts(why_not);
                }
                ClauseKind::ObligesWhen(condition) | ClauseKind::To(condition) => self.expr(condition),
                ClauseKind::Says(text) => self.says(roles, text),
                ClauseKind::Gives(_, value) => self.expr(value),
                ClauseKind::Do(block) => self.block(block),
                ClauseKind::Tells | ClauseKind::Free | ClauseKind::Early | ClauseKind::Late | ClauseKind::Priority(_) => {}
            }
        }
    }

    /// Checks the sentence of a move: it must mention all roles, or moves that only differ in one would read the same.
    fn says(&mut self, roles: &'a [Role], text: &'a Text) {
        self.read.clear();
        self.text(text);
        let only_one = |role: &Role| matches!(&role.from.kind, ExprKind::List(members) if members.len() == 1);
        for role in roles.iter().filter(|role| !self.read.contains(&role.name.span) && !only_one(role)) {
            let name = &role.name.text;
            self.found.problems.push(
                Problem::suspicion(codes::MOVES_ALIKE, format!("moves that differ only in `{name}` have the same text"))
                    .at(text.span, format!("does not mention `{name}`"))
                    .at(role.name.span, "chosen here")
                    .help(format!("name it in the sentence, as in `{{{name}}}`, so that players can tell the moves apart")),
            );
        }
    }
}
