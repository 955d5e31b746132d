//! Resolves names in the headers of abilities, and in marks with effects.
//!
//! A part without `do { … }` is run by a function of the ability's file. Such functions are not walked through here: every word of
//! the script counts as a use of the declarations with that name.

use super::Walker;
use super::calls::{Node, ValueNode};
use crate::sheet::PROVENANCES;
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, join_words};
use ludex_syntax::source::{SourceId, Span};
use ludex_syntax::tree::{
    Ability, Clause, ClauseKind, Expr, ExprKind, Hook, HookUse, Member, MemberKind, Name, Part, PartKind, Role, Text,
};

impl<'a> Walker<'_, 'a> {
    /// Resolves an ability's header. Its parts may read `me`, `holder` and its parameters.
    pub fn resolve_ability(&mut self, ability: &'a Ability) {
        let source = ability.id.span.source;
        self.use_script_words(source);
        self.with_own_names(|walker| {
            walker.add_owner_names(ability.id.span);
            for part in &ability.parts {
                if let PartKind::Parameter { name, .. } = &part.kind {
                    walker.push_local(&name.text, name.span);
                }
            }
            ability.parts.iter().for_each(|part| walker.resolve_part(part, Some(source)));
        });
    }

    /// Resolves the condition under which abilities work.
    pub fn resolve_works_when(&mut self, ability: Option<&'a Name>, when: &'a Expr) {
        if let Some(ability) = ability.filter(|ability| !self.names.abilities.contains(ability.text.as_str())) {
            let problem = Problem::error(codes::UNKNOWN_ABILITY, format!("there is no ability `{}`", ability.text));
            let known: Vec<&str> = self.names.abilities.iter().copied().collect();
            self.report_problem(problem.with_label(ability.span, "not known").suggest(&ability.text, known));
        }
        self.with_own_names(|walker| {
            walker.add_owner_names(when.span);
            walker.resolve_expression(when);
        });
    }

    /// Declares `me` and `holder`.
    fn add_owner_names(&mut self, span: Span) {
        self.push_local("me", span);
        self.push_local("holder", span);
    }

    /// Marks all names that a script mentions as used.
    fn use_script_words(&mut self, source: SourceId) {
        let Some(words) = self.scripts.get(&source) else { return };
        for word in words {
            self.use_words(word);
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
    pub fn resolve_mark_body(&mut self, name: &'a Name, fields: &'a [Member], parts: &'a [Part]) {
        fields.iter().for_each(|field| self.resolve_off_table_member(field));
        let own = self.own.take();
        self.with_inner_names(|walker| {
            walker.add_owner_names(name.span);
            for field in fields {
                if let MemberKind::Field { names, .. } = &field.kind {
                    names.iter().for_each(|name| walker.push_local(&name.text, name.span));
                }
            }
            parts.iter().for_each(|part| walker.resolve_part(part, None));
        });
        self.own = own;
    }

    /// Resolves a part of an ability or a mark. `script` is the file of an ability; marks have none.
    fn resolve_part(&mut self, part: &'a Part, script: Option<SourceId>) {
        match &part.kind {
            PartKind::Uses(uses) => {
                for (times, scope) in uses {
                    self.resolve_expression(times);
                    self.check_scope(scope);
                }
            }
            PartKind::Provenance(word) => {
                if !PROVENANCES.contains(&word.text.as_str()) {
                    let message = format!("the provenance of `uses` cannot be `{}`", word.text);
                    let known: Vec<String> = PROVENANCES.iter().map(|word| format!("`{word}`")).collect();
                    let problem = Problem::error(codes::UNKNOWN_PROVENANCE, message);
                    let problem = problem.with_label(word.span, format!("must be {}", join_words(&known, "or")));
                    self.report_problem(problem.suggest(&word.text, PROVENANCES));
                }
            }
            PartKind::Parameter { of, range, default, .. } => {
                self.resolve_type(of);
                self.resolve_expressions(range.iter().flat_map(|(least, most)| [least, most]));
                self.resolve_expressions(default);
            }
            PartKind::Trigger { name, at, clauses } | PartKind::Instead { name, at, clauses } => {
                let hook = self.names.hooks.get(at.hook.text.as_str());
                self.found.happenings.extend(hook.map(|hook| (name.span, hook.name.span)));
                self.resolve_hook_clause(at, &[], clauses, script);
            }
            PartKind::Offer { at, roles, clauses, .. } => self.resolve_hook_clause(at, roles, clauses, script),
            PartKind::Modify { at, layer, when, value } => {
                let Some(hook) = self.find_hook(&at.hook) else { return };
                self.check_hook_parameters(hook, at.hook.span, &at.names);
                self.check_hook_value(hook, at);
                layer.iter().for_each(|layer| self.check_layer(hook, layer));
                let outer = self.calls.enter_value(ValueNode::Value(&hook.name.text));
                self.with_inner_names(|walker| {
                    walker.add_hook_names(at);
                    walker.with_it(value.span, |walker| walker.resolve_expressions(when.iter().chain([value])));
                });
                self.calls.leave_value(outer);
            }
            PartKind::Grant { action } => self.resolve_action(action, true),
            PartKind::Forbid { family, when } | PartKind::Demand { family, when } => {
                self.check_family(family);
                self.with_inner_names(|walker| {
                    walker.with_family(Some(family), |walker| {
                        if let Some(when) = when {
                            walker.with_it(when.span, |walker| walker.resolve_expression(when));
                        }
                    });
                });
            }
        }
    }

    /// Reports a modifier of a hook that has no value.
    fn check_hook_value(&mut self, hook: &'a Hook, at: &HookUse) {
        if hook.value.is_none() {
            let problem = Problem::error(codes::WRONG_TYPE, format!("`{}` has no value to modify", at.hook.text));
            self.report_problem(problem.with_label(at.hook.span, "a moment").with_label(hook.name.span, "declared here"));
        }
    }

    /// Reports a layer that a hook does not have.
    fn check_layer(&mut self, hook: &'a Hook, layer: &Name) {
        if !hook.layers.iter().any(|known| known.text == layer.text) {
            let problem = Problem::error(codes::UNKNOWN_NAME, format!("there is no layer `{}`", layer.text));
            let problem = problem.with_label(layer.span, "not declared").with_label(hook.name.span, "declared here");
            self.report_problem(problem.suggest(&layer.text, hook.layers.iter().map(|layer| layer.text.as_str())));
        }
    }

    /// Declares the names that a part gives to the parameters of its hook.
    fn add_hook_names(&mut self, at: &'a HookUse) {
        super::declare::report_repeated_names(&at.names, &mut self.found.problems);
        at.names.iter().for_each(|name| self.declare_local(name));
    }

    /// Resolves a trigger, an offer or an `instead`: a part that runs code at a hook.
    fn resolve_hook_clause(&mut self, at: &'a HookUse, roles: &'a [Role], clauses: &'a [Clause], script: Option<SourceId>) {
        let Some(hook) = self.find_hook(&at.hook) else { return };
        self.check_hook_parameters(hook, at.hook.span, &at.names);
        if hook.value.is_some() {
            let problem = Problem::error(codes::WRONG_TYPE, format!("abilities cannot act at `{}`: it is a value", at.hook.text));
            let problem = problem.with_label(at.hook.span, "a value").with_label(hook.name.span, "declared here");
            self.report_problem(problem.help("to change it, write `modify … : …`"));
        }
        let outer = self.calls.enter_node(Node::Hook(&hook.name.text));
        let outer_hook = self.hook.replace(hook);
        self.with_inner_names(|walker| {
            walker.add_hook_names(at);
            walker.resolve_roles(roles);
            walker.resolve_clauses(roles, clauses);
            if !clauses.iter().any(|clause| matches!(clause.kind, ClauseKind::Do(_))) {
                walker.resolve_script_function(hook, script);
            }
        });
        self.hook = outer_hook;
        self.calls.leave_node(outer);
    }

    /// Resolves a part without `do`. It runs a function of the script, which may do anything that the script mentions.
    fn resolve_script_function(&mut self, hook: &'a Hook, script: Option<SourceId>) {
        let Some(words) = script.and_then(|script| self.scripts.get(&script)) else { return };
        for answer in hook.answers.iter().filter(|answer| words.contains(&answer.text)) {
            self.found.used.insert(answer.span);
        }
        for word in words {
            if let Some((procedure, _)) = self.names.procedures.get_key_value(word.as_str()) {
                self.calls.add_edge(Node::Procedure(procedure));
            }
        }
    }

    /// Resolves the roles of a move. Each can read the earlier ones.
    pub fn resolve_roles(&mut self, roles: &'a [Role]) {
        for role in roles {
            self.resolve_amount(&role.amount);
            self.resolve_expression(&role.from);
            self.declare_local(&role.name);
        }
    }

    /// Resolves the clauses of an action or of a part, which can read its roles.
    pub fn resolve_clauses(&mut self, roles: &'a [Role], clauses: &'a [Clause]) {
        for clause in clauses {
            match &clause.kind {
                ClauseKind::When(condition, why_not) => {
                    self.resolve_expression(condition);
                    self.resolve_texts(why_not);
                }
                ClauseKind::ObligesWhen(condition) | ClauseKind::To(condition) => self.resolve_expression(condition),
                ClauseKind::Says(text) => self.check_move_text(roles, text),
                ClauseKind::Gives(_, value) => self.resolve_expression(value),
                ClauseKind::Do(block) => self.resolve_block(block),
                ClauseKind::Tells | ClauseKind::Free | ClauseKind::Early | ClauseKind::Late | ClauseKind::Priority(_) => {}
            }
        }
    }

    /// Checks the sentence of a move: it must mention all roles, or moves that only differ in one would read the same.
    fn check_move_text(&mut self, roles: &'a [Role], text: &'a Text) {
        self.read.clear();
        self.resolve_text(text);
        let only_one = |role: &Role| matches!(&role.from.kind, ExprKind::List(members) if members.len() == 1);
        for role in roles.iter().filter(|role| !self.read.contains(&role.name.span) && !only_one(role)) {
            let name = &role.name.text;
            self.found.problems.push(
                Problem::probable_warning(codes::MOVES_ALIKE, format!("moves that differ only in `{name}` have the same text"))
                    .with_label(text.span, format!("does not mention `{name}`"))
                    .with_label(role.name.span, "chosen here")
                    .help(format!("name it in the sentence, as in `{{{name}}}`, so that players can tell the moves apart")),
            );
        }
    }
}
