//! Compiles abilities: the declarations of their headers, their hooks and their holders.
//!
//! An ability is a header with parts: clauses that act at hooks, grants of actions, and `forbid` and `demand` lines. Its holder is
//! the thing whose sheet lists it, and `me` is the side of that. A part with `do { … }` is compiled here. The others are run by a
//! function of the ability's file, which `scripting` compiles later, with the values known at its clause.

use super::marks::PartOwner;
use super::{CompileInput, Compiler, actions, shapes};
use crate::symbols::Sort;
use crate::symbols::plain_text;
use crate::types::Type;
use ludex_program::{
    AbilityInfo, ActionInfo, ClauseBody, ClauseInfo, ClauseKind, EARLY, Expr, GrantInfo, KnownValue, LATE, ScriptFile, Shape,
    UseLimit,
};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::{SourceId, Span};
use ludex_syntax::tree::{Ability, Action, Block, Clause, ClauseKind as Written, HookUse, ItemKind, Name, Part, PartKind, Role};
use std::collections::BTreeMap;

impl Compiler<'_> {
    /// Compiles all abilities: those in the rules, and those with files of their own.
    pub(super) fn compile_abilities(&mut self, input: &CompileInput) {
        // The declarations of the mode and the headers of files are joined by the place of the ability's name.
        let files: BTreeMap<Span, &(String, SourceId, Ability)> =
            input.abilities.iter().map(|file| (file.2.id.span, file)).collect();
        for item in &input.rules.items {
            let ItemKind::Ability(ability) = &item.kind else { continue };
            let file = files.get(&ability.id.span).copied();
            let stem = file.map_or(&ability.id.text, |(stem, ..)| stem);
            if let Some((.., written)) = file.filter(|(.., written)| written.id.text != *stem) {
                let problem = Problem::error(
                    codes::ABILITY_NAME,
                    format!("the ability is called `{}`, but its file `{stem}`", written.id.text),
                );
                self.problems.push(
                    problem
                        .with_label(ability.id.span, "must be the file's name")
                        .help(format!("call it `{stem}`, or rename the file")),
                );
            }
            let id = self.program.abilities.len() as u16;
            let title = plain_text(&ability.title, &mut self.problems);
            let text = ability.text.as_ref().map(|text| plain_text(text, &mut self.problems)).unwrap_or_default();
            let rules = ability.cites.iter().map(|cite| cite.rule.clone()).collect();
            let span = ability.id.span;
            self.program.abilities.push(AbilityInfo {
                id: stem.clone(),
                title,
                text,
                uses: Vec::new(),
                provenance: None,
                works: Vec::new(),
                settings: None,
                clauses: Vec::new(),
                grants: Vec::new(),
                restrictions: Vec::new(),
                rules,
                span,
            });
            match file {
                Some((_, source, _)) => self.program.scripts.push(ScriptFile {
                    ability: id,
                    source: *source,
                    header_is_whole: !ability.has_unread_parts,
                }),
                None => self.check_part_bodies(ability),
            }
            // All parts are compiled with this holder and these parameters.
            self.holder = self.holder_type(ability, stem, input);
            self.holders.push(self.holder.clone());
            self.program.abilities[id as usize].settings = self.compile_parameters(ability, stem);
            for part in &ability.parts {
                self.compile_part(id, part);
            }
        }
    }

    /// The type of an ability's `holder`: the kind of the things whose sheets list it, or the usual one if no sheet does. An error
    /// if they are of several kinds. `stem` is the name of its file.
    fn holder_type(&mut self, ability: &Ability, stem: &str, input: &CompileInput) -> Type {
        let kind_of = |name: &Option<String>| match name {
            Some(name) => self.symbols.sheets[usize::from(self.symbols.id(Sort::Sheet, name)?)].kind,
            None => self.usual_holder(),
        };
        let mut kinds: Vec<u16> = input.holders.get(stem).into_iter().flatten().filter_map(kind_of).collect();
        kinds.dedup();
        match kinds.as_slice() {
            [] => self.usual_holder().map_or(Type::Unknown, Type::Entity),
            [kind] => Type::Entity(*kind),
            [one, other, ..] => {
                let words = |kind: u16| self.type_text(&Type::Entity(kind));
                let message = format!("`{stem}` is listed by {} and by {}", words(*one), words(*other));
                let problem =
                    Problem::error(codes::WRONG_TYPE, message).with_label(ability.id.span, "`holder` is not one kind of thing");
                self.problems.push(problem.help("write one ability for each"));
                Type::Unknown
            }
        }
    }

    /// The kind of the holder of abilities that no sheet lists, and of those on sheets without a declared name: the first kind of
    /// printed pieces, or else the entrants.
    pub(super) fn usual_holder(&self) -> Option<u16> {
        let printed = self.symbols.sheets.iter().filter_map(|sheet| sheet.kind).find(|kind| self.program.is_printed(*kind));
        printed.or(self.program.sides.entrant)
    }

    /// Checks an ability in the rules. It has no functions, so every part must have a body.
    fn check_part_bodies(&mut self, ability: &Ability) {
        for part in &ability.parts {
            if let PartKind::Trigger { name, clauses, .. }
            | PartKind::Offer { name, clauses, .. }
            | PartKind::Instead { name, clauses, .. } = &part.kind
                && find_do_block(clauses).is_none()
            {
                let problem = Problem::error(codes::HEADER_SYNTAX, format!("`{}` does not say what happens", name.text))
                    .with_label(name.span, "here");
                self.problems.push(problem.help("add `do { … }`: only an ability in a file of its own has functions"));
            }
        }
    }

    /// Compiles one line of an ability's header. `ability` is its index.
    fn compile_part(&mut self, ability: u16, part: &Part) {
        match &part.kind {
            PartKind::Uses(uses) => {
                for (times, scope) in uses {
                    let times_value = crate::symbols::constant_value(times).filter(|times| (1..=1000).contains(times));
                    if times_value.is_none() {
                        self.report_error(
                            codes::USES,
                            "an ability may be used 1 to 1000 times",
                            times.span,
                            "not from 1 to 1000",
                        );
                    }
                    if let (Some(times), Some(per)) = (times_value, self.find_scope(scope)) {
                        self.program.abilities[ability as usize].uses.push(UseLimit { times, per, shared: false });
                    }
                }
            }
            PartKind::Provenance(word) => self.program.abilities[ability as usize].provenance = Some(word.text.clone()),
            // Parameters were compiled before everything else.
            PartKind::Parameter { .. } => {}
            PartKind::Trigger { name, at, clauses } => {
                self.compile_clause(ability, ClauseKind::Trigger, name, at, None, clauses, part)
            }
            PartKind::Instead { name, at, clauses } => {
                self.compile_clause(ability, ClauseKind::Instead, name, at, None, clauses, part)
            }
            PartKind::Offer { name, roles, at, clauses } => {
                self.compile_clause(ability, ClauseKind::Offer, name, at, Some(roles), clauses, part)
            }
            PartKind::Modify { at, layer, when, value } => {
                if let Some(clause) = self.compile_modifier(at, layer.as_ref(), when.as_ref(), value, part) {
                    self.add_clause(ability, ClauseInfo { ability, ..clause });
                }
            }
            PartKind::Grant { action } => self.compile_grant(ability, action, part),
            PartKind::Forbid { family, when } => {
                self.compile_restriction(PartOwner::Ability(ability), family, when.as_ref(), false, part)
            }
            PartKind::Demand { family, when } => {
                self.compile_restriction(PartOwner::Ability(ability), family, when.as_ref(), true, part)
            }
        }
    }

    /// The index of a layer among those of a hook; 0 if the modifier names none. `resolve` has reported unknown ones.
    pub(super) fn layer_index(&mut self, hook: u16, layer: Option<&Name>) -> u16 {
        let Some(name) = layer else { return 0 };
        let layers = &self.symbols.hooks[hook as usize].0.layers;
        layers.iter().position(|layer| layer.text == name.text).unwrap_or_default() as u16
    }

    /// Begins the function of a clause. Its slots are the hook's parameters by the names given here, `me` and `holder`, then the
    /// ability's settings or the mark's fields. Returns the hook.
    pub(super) fn begin_clause(&mut self, at: &HookUse) -> Option<u16> {
        let hook = self.find_hook(&at.hook)?;
        self.begin_function();
        let params = self.symbols.hooks[hook as usize].1.clone();
        for (name, of) in at.names.iter().zip(&params) {
            self.add_slot(&name.text, of.clone());
        }
        for of in params.iter().skip(at.names.len()) {
            self.add_slot("", of.clone());
        }
        self.add_owner_slots();
        Some(hook)
    }

    /// Adds the slots that every clause, grant and restriction has after the parameters of its hook or family.
    pub(super) fn add_owner_slots(&mut self) {
        self.add_slot("me", Type::side_type());
        self.add_slot("holder", self.holder.clone());
        self.add_parameter_locals();
        self.add_mark_field_slots();
    }

    /// Compiles a `trigger`, `offer` or `instead`. An offer with roles is an action of its own: its moves are the ways to use it.
    #[expect(clippy::too_many_arguments, reason = "the parts of one declaration")]
    fn compile_clause(
        &mut self,
        ability: u16,
        kind: ClauseKind,
        name: &Name,
        at: &HookUse,
        roles: Option<&Vec<Role>>,
        clauses: &[Clause],
        part: &Part,
    ) {
        let Some(hook) = self.begin_clause(at) else { return };
        let mut made = empty_clause(kind, &name.text, ability, hook, part);
        made.rules.extend(clauses.iter().flat_map(|clause| clause.cites.iter().map(|cite| cite.rule.clone())));
        self.function.rules.clone_from(&made.rules);
        made.priority = clause_priority(clauses);
        made.free = clauses.iter().any(|clause| matches!(clause.kind, Written::Free));
        made.tells = clauses.iter().any(|clause| matches!(clause.kind, Written::Tells));
        for clause in clauses {
            match &clause.kind {
                Written::Gives(..) | Written::ObligesWhen(_) => {
                    self.report_error(codes::HEADER_SYNTAX, "this belongs to an action", clause.span, "not here")
                }
                Written::To(side) => made.to = Some(self.compile_as_type(side, &Type::side_type().or_none())),
                _ => {}
            }
        }
        if let Some(roles) = roles.filter(|roles| !roles.is_empty()) {
            // The clause itself keeps the body; only conditions and texts belong to the moves.
            let tests = clauses
                .iter()
                .filter(|clause| matches!(clause.kind, Written::When(..) | Written::Says(_) | Written::Tells))
                .cloned()
                .collect();
            let action = Action { name: name.clone(), roles: roles.clone(), family: None, clauses: tests };
            let info = actions::unfinished_action(&name.text, None, made.rules.clone(), part.span);
            let mut info = self.compile_action(&action, info);
            made.guard = std::mem::take(&mut info.guard);
            self.add_role_locals(roles, &info);
            made.says = info.says;
            self.program.actions.push(info);
            made.action = Some(self.program.actions.len() as u16 - 1);
        } else {
            for clause in clauses {
                if let Written::When(condition, why_not) = &clause.kind {
                    if let Some(text) = why_not {
                        let words = "this reason is never shown: only moves with roles are refused with a reason";
                        self.report_error(codes::HEADER_SYNTAX, words, text.span, "is never shown");
                    }
                    let lowered = self.compile_condition(condition);
                    let told = self.condition_facts(&lowered);
                    self.learn_for_good(told.holds);
                    shapes::split_conjuncts(lowered, &mut made.guard);
                }
            }
            made.says = actions::find_says_text(clauses).map(|text| self.compile_text(text));
        }
        made.body = match find_do_block(clauses) {
            Some((block, span)) => ClauseBody::Code(self.compile_separate_block(block, span)),
            None => ClauseBody::Script { function: name.text.clone(), known: self.known_values() },
        };
        made.slots = self.function.most_slots;
        if let Some(action) = made.action {
            self.program.actions[action as usize].slots = made.slots;
        }
        self.add_clause(ability, made);
    }

    /// Makes the roles of a compiled action available by name.
    fn add_role_locals(&mut self, roles: &[Role], info: &ActionInfo) {
        for (index, (role, made)) in roles.iter().zip(&info.roles).enumerate() {
            let (slot, of) = (info.context + index as u16, type_of_shape(&made.shape));
            self.set_presence(&super::Meaning::Slot(slot), &of);
            self.record_slot_contents(slot, &role.name.text, of.to_shape());
            self.function.locals.push(super::Local { name: role.name.text.clone(), meaning: super::Meaning::Slot(slot), of });
        }
    }

    /// The values available to a script's function by name: the hook's parameters, `me`, `holder` and the targets.
    fn known_values(&self) -> Vec<KnownValue> {
        let mut known: Vec<KnownValue> = Vec::new();
        for local in self.function.locals.iter().filter(|local| !local.name.is_empty()) {
            let (slot, column) = match &local.meaning {
                super::Meaning::Slot(slot) => (*slot, None),
                super::Meaning::Alias(Expr::Printed { of, column } | Expr::PrintedList { of, column }) => match of.as_ref() {
                    Expr::Local(slot) => (*slot, Some(*column)),
                    _ => continue,
                },
                super::Meaning::Alias(_) => continue,
            };
            // An inner name hides an outer one.
            known.retain(|value| value.name != local.name);
            known.push(KnownValue { name: local.name.clone(), slot, column, shape: local.of.to_shape() });
        }
        known
    }

    /// Adds a clause to the program and to its ability. A window of its hook needs as many slots as the clause.
    fn add_clause(&mut self, ability: u16, clause: ClauseInfo) {
        let hook = &mut self.program.hooks[clause.hook as usize];
        hook.slots = hook.slots.max(clause.slots);
        self.program.clauses.push(clause);
        let index = self.program.clauses.len() as u16 - 1;
        self.program.abilities[ability as usize].clauses.push(index);
    }

    /// Compiles an action that the ability adds to a family of moves. A function of its name in the ability's file carries out its
    /// moves.
    fn compile_grant(&mut self, ability: u16, action: &Action, part: &Part) {
        let Some(family_name) = &action.family else {
            let problem = Problem::error(
                codes::HEADER_SYNTAX,
                format!("`{}` does not say which family of moves it belongs to", action.name.text),
            );
            self.problems
                .push(problem.with_label(action.name.span, "here").help("add `is` and the family's name, as in `is move`"));
            return;
        };
        let Some(family) = self.find_family(family_name) else { return };
        self.begin_function();
        for (name, of) in self.symbols.families[family as usize].params.clone() {
            self.add_slot(&name, of);
        }
        self.add_owner_slots();
        let rules = part.cites.iter().map(|cite| cite.rule.clone()).collect();
        let info = actions::unfinished_action(&action.name.text, Some(family), rules, part.span);
        let mut info = self.compile_action(action, info);
        self.add_role_locals(&action.roles, &info);
        // A move that the rules do not oblige to is an extra choice.
        info.obliges = Some(info.obliges.unwrap_or(Expr::Constant(0)));
        self.program.actions.push(info);
        let id = self.program.actions.len() as u16 - 1;
        let known = self.known_values();
        self.program.abilities[ability as usize].grants.push(GrantInfo { action: id, family, known });
    }
}

/// A clause at a hook without conditions, body and value. Modifiers are free: they count as no use of the ability.
pub(super) fn empty_clause(kind: ClauseKind, name: &str, ability: u16, hook: u16, part: &Part) -> ClauseInfo {
    ClauseInfo {
        kind,
        name: name.to_string(),
        ability,
        mark: None,
        hook,
        layer: 0,
        priority: 0,
        guard: Vec::new(),
        says: None,
        action: None,
        to: None,
        value: None,
        body: ClauseBody::Nothing,
        tells: false,
        free: kind == ClauseKind::Modifier,
        slots: 0,
        span: part.span,
        rules: part.cites.iter().map(|cite| cite.rule.clone()).collect(),
    }
}

/// The order of a clause among those at its hook; the last word that states it counts.
fn clause_priority(clauses: &[Clause]) -> i32 {
    clauses.iter().fold(0, |found, clause| match clause.kind {
        Written::Early => EARLY,
        Written::Late => LATE,
        Written::Priority(number) => number as i32,
        _ => found,
    })
}

fn find_do_block(clauses: &[Clause]) -> Option<(&Block, Span)> {
    clauses.iter().find_map(|clause| match &clause.kind {
        Written::Do(block) => Some((block, clause.span)),
        _ => None,
    })
}

/// The type for the shape of a role.
fn type_of_shape(shape: &Shape) -> Type {
    match shape {
        Shape::Number => Type::Number,
        Shape::Halves => Type::Halves,
        Shape::Flag => Type::Flag,
        Shape::Word(words) => Type::Word(*words),
        Shape::Entity(kind) => Type::Entity(*kind),
        Shape::List(inner) => type_of_shape(inner).into_list(),
        Shape::OrNone(inner) => type_of_shape(inner).or_none(),
        Shape::Move(family) => Type::Move(*family),
        Shape::Zone(kind) => Type::Zone(*kind),
        Shape::Sheet(sheet) => Type::Sheet(*sheet),
        Shape::Text => Type::Text,
        Shape::Nothing => Type::Unknown,
    }
}
