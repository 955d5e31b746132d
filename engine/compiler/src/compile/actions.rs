//! Compiles actions: the roles of a move, its conditions, and the search for its moves.
//!
//! An action is one kind of move. Its roles are the things that a move is made of, such as a die and its target; each role has a
//! list of candidates. The first slots of its function are the context: the parameters of the family or hook, and for abilities
//! `me` and `holder`. The roles' slots follow. Called for actions of the rules, and for grants and offers of abilities.

use super::shapes::{self, RoleSlot};
use super::{Compiler, Local, Meaning};
use crate::builtins::SORTS;
use crate::types::Type;
use ludex_program::condition_facts::SureFact;
use ludex_program::presence::Changes;
use ludex_program::{
    ActionInfo, ConditionInfo, Expr, FamilyId, FieldSource, MOST_ROLES, NONE, RoleAmount, RoleInfo, SearchPlan, Slot,
};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Action, Amount, Clause, ClauseKind, ExprKind, Role, Text};

/// An action of which only the name and family are known so far.
pub fn unfinished_action(name: &str, family: Option<FamilyId>, rules: Vec<String>, span: Span) -> ActionInfo {
    ActionInfo {
        name: name.to_string(),
        family,
        context: 0,
        roles: Vec::new(),
        guard: Vec::new(),
        search: SearchPlan::Product,
        enough: None,
        aggregation: None,
        pairing: None,
        says: None,
        fields: Vec::new(),
        body: None,
        slots: 0,
        rules,
        span,
        conditions: Vec::new(),
        fillings: None,
        tells: false,
        obliges: None,
    }
}

impl Compiler<'_> {
    /// Compiles an action in the current function. The slots so far are its context.
    /// `info` has the name, family and rules.
    pub(super) fn compile_action(&mut self, action: &Action, mut info: ActionInfo) -> ActionInfo {
        info.context = self.function.next_slot;
        info.rules.extend(action.clauses.iter().flat_map(|clause| clause.cites.iter().map(|cite| cite.rule.clone())));
        if action.roles.len() > MOST_ROLES {
            let message =
                format!("`{}` has {} roles, but at most {MOST_ROLES} are allowed", action.name.text, action.roles.len());
            let problem = Problem::error(codes::TOO_MANY, message).with_label(action.name.span, "too many roles");
            self.problems
                .push(problem.help("choose several things in one role, `dice: 2 in …`, or ask for the rest in its `do { … }`"));
            return info;
        }
        self.function.rules.clone_from(&info.rules);
        let first = self.function.locals.len();
        for _ in &action.roles {
            // The name is added later, so that a role cannot refer to itself or to later ones.
            self.new_slot();
        }
        let mut dependent = false;
        // The conditions that join several roles, which are left to the search.
        let mut joining = Vec::new();
        let roles = info.context..self.function.next_slot;
        // Roles' conditions are evaluated for each candidate, so definitions in them may be memoised.
        self.function.members.extend(roles);
        for (index, role) in action.roles.iter().enumerate() {
            let slot = info.context + index as Slot;
            let (made, of) = self.compile_role(role, slot, info.context);
            dependent |= made.after > 0;
            self.set_presence(&Meaning::Slot(slot), &of);
            if let RoleAmount::Some(Expr::Constant(1..), _) = made.amount {
                self.learn_for_good(vec![SureFact::Filled(Expr::Local(slot))]);
            }
            info.roles.push(made);
            self.record_slot_contents(slot, &role.name.text, of.to_shape());
            self.function.locals.push(Local { name: role.name.text.clone(), meaning: Meaning::Slot(slot), of });
        }
        for clause in &action.clauses {
            if let ClauseKind::When(condition, why_not) = &clause.kind {
                let expr = self.compile_condition(condition);
                let rules = clause.cites.iter().map(|cite| cite.rule.clone()).collect();
                let told = self.condition_facts(&expr);
                // The reason is only read if the condition fails.
                let why_not = why_not.as_ref().map(|text| self.with_facts(told.fails, |compiler| compiler.compile_text(text)));
                let condition = ConditionInfo { expr, span: condition.span, rules, why_not };
                self.learn_condition(&condition.expr, info.context..info.context + action.roles.len() as Slot);
                self.sort_condition(&condition, &mut info, &mut joining);
                info.conditions.push(condition);
            }
        }
        self.function.members.clear();
        let slots: Vec<RoleSlot> = info
            .roles
            .iter()
            .enumerate()
            .map(|(index, role)| RoleSlot {
                slot: info.context + index as Slot,
                list: role.shape.is_list(),
                optional: matches!(role.amount, RoleAmount::OneOrNone),
            })
            .collect();
        info.search = shapes::choose_search(&joining, &slots, dependent);
        info.says = find_says_text(&action.clauses).map(|text| self.compile_text(text));
        info.tells = action.clauses.iter().any(|clause| matches!(clause.kind, ClauseKind::Tells));
        if let Some(family) = info.family {
            self.fill_fields(action, family, &mut info);
        }
        if let Some((block, span)) = action.clauses.iter().find_map(|clause| match &clause.kind {
            ClauseKind::Do(block) => Some((block, clause.span)),
            _ => None,
        }) {
            // The body runs some time after the move was chosen.
            let (body, _) = self.with_separate_facts(|compiler| {
                compiler.function.presence.drop_changed_facts(&Changes::any_change());
                compiler.compile_separate_block(block, span)
            });
            info.body = Some(body);
        }
        self.function.locals.drop_inner(first);
        info.obliges = action.clauses.iter().find_map(|clause| match &clause.kind {
            ClauseKind::ObligesWhen(condition) => Some(self.compile_condition(condition)),
            _ => None,
        });
        info.slots = self.function.most_slots;
        info
    }

    /// Compiles a role, its list of candidates and its filter. `slot` is the role's own slot, and `context` that of the first role.
    /// Also returns the type of the role.
    fn compile_role(&mut self, role: &Role, slot: Slot, context: Slot) -> (RoleInfo, Type) {
        let (amount, several) = self.compile_amount(&role.amount);
        let (from, sorts) = match &role.from.kind {
            ExprKind::Of(word, all) if word == SORTS => (all.as_ref(), true),
            _ => (&role.from, false),
        };
        let (set, filter) = match &from.kind {
            ExprKind::Where(set, condition) => (set.as_ref(), Some(condition.as_ref())),
            _ => (from, None),
        };
        let (set, called) = set.set_and_name();
        let (from, item) = self.compile_list(set);
        let told = if several { vec![SureFact::Filled(from.clone())] } else { self.member_facts(&from, slot) };
        // The tested candidate is in the role's own slot, or for a list in an extra slot.
        let filter_slot = if several { self.new_slot() } else { slot };
        let mut tests = Vec::new();
        let mut places = Vec::new();
        let from = self.take_filter(from, filter_slot, role.from.span, &mut tests, &mut places);
        if let Some(condition) = filter {
            let locals = self.function.locals.len();
            self.set_presence(&Meaning::Slot(filter_slot), &item);
            self.function.locals.push(Local {
                name: called.map_or("it", |name| &name.text).to_string(),
                meaning: Meaning::Slot(filter_slot),
                of: item.clone(),
            });
            let lowered = self.with_facts(told.clone(), |compiler| compiler.compile_condition(condition));
            self.function.locals.drop_inner(locals);
            let mut parts = Vec::new();
            shapes::split_conjuncts(lowered, &mut parts);
            for part in parts {
                places.push(ConditionInfo { expr: part.clone(), span: condition.span, rules: Vec::new(), why_not: None });
                tests.push(part);
            }
        }
        let after = {
            let bounds: Vec<&Expr> = match &amount {
                RoleAmount::Some(least, most) => std::iter::once(least).chain(most).collect(),
                RoleAmount::One | RoleAmount::OneOrNone => Vec::new(),
            };
            let read = std::iter::once(&from).chain(&tests).chain(bounds);
            read.map(|expr| shapes::count_roles_before(expr, context..slot)).max().unwrap_or(0)
        };
        let of = match (&role.amount, several) {
            (_, true) => item.clone().into_list(),
            (Amount::OneOrNone, _) => item.clone().or_none(),
            _ => item.clone(),
        };
        if matches!(amount, RoleAmount::One) {
            self.learn_for_good(told);
        }
        let info = RoleInfo {
            name: role.name.text.clone(),
            shape: of.to_shape(),
            amount,
            from,
            after,
            filter: tests,
            filter_places: places,
            filter_slot,
            excluded_marks: 0,
            tests: Vec::new(),
            settled: Vec::new(),
            key: None,
            item: item.to_shape(),
            sorts,
            shared: None,
        };
        (info, of)
    }

    /// Removes a `where` from a list, so that the search tests candidates itself: its conditions are added to `tests`, reading the
    /// candidate from `slot`, and their places to `places`.
    fn take_filter(
        &mut self,
        from: Expr,
        slot: Slot,
        span: Span,
        tests: &mut Vec<Expr>,
        places: &mut Vec<ConditionInfo>,
    ) -> Expr {
        match from {
            Expr::Where { list, slot: it, condition } => {
                let mut condition = *condition;
                shapes::rename_slot(&mut condition, it, slot);
                let mut parts = Vec::new();
                shapes::split_conjuncts(condition, &mut parts);
                for part in parts {
                    places.push(ConditionInfo { expr: part.clone(), span, rules: Vec::new(), why_not: None });
                    tests.push(part);
                }
                self.take_filter(*list, slot, span, tests, places)
            }
            other => other,
        }
    }

    /// Learns the facts of a condition for later ones. The search may test those first if they read fewer roles.
    fn learn_condition(&mut self, condition: &Expr, roles: std::ops::Range<Slot>) {
        let mut parts = Vec::new();
        shapes::split_conjuncts(condition.clone(), &mut parts);
        for part in parts {
            let read = part.unbound_slots();
            let speaks_of = |is: &SureFact, slot: &Slot| !roles.contains(slot) || is.expr().unbound_slots().contains(slot);
            let mut told = self.condition_facts(&part).holds;
            // A fact that leaves out a role which the condition reads could be used by a condition that is tested before this one.
            told.retain(|is| read.iter().all(|slot| speaks_of(is, slot)));
            self.learn_for_good(told);
        }
    }

    /// Sorts a condition: without roles it is a guard, with one role a filter, with several it is left to the search.
    fn sort_condition(&mut self, condition: &ConditionInfo, info: &mut ActionInfo, joining: &mut Vec<Expr>) {
        let mut parts = Vec::new();
        shapes::split_conjuncts(condition.expr.clone(), &mut parts);
        let roles = info.context..info.context + info.roles.len() as Slot;
        for part in parts {
            let mut read = part.unbound_slots();
            read.retain(|slot| roles.contains(slot));
            read.sort_unstable();
            read.dedup();
            match read.as_slice() {
                [] => info.guard.push(part),
                [only] if !info.roles[(only - info.context) as usize].shape.is_list() => {
                    let role = &mut info.roles[(only - info.context) as usize];
                    // A condition also applies to the move that leaves the role empty, so it cannot be a test of its candidates.
                    if matches!(role.amount, RoleAmount::OneOrNone) {
                        joining.push(part);
                        continue;
                    }
                    role.filter_places.push(ConditionInfo { expr: part.clone(), ..condition.clone() });
                    role.filter.push(part);
                }
                _ => joining.push(part),
            }
        }
    }

    /// Fills each field of the family from a role of its name, a `gives`, or its first value.
    fn fill_fields(&mut self, action: &Action, family: FamilyId, info: &mut ActionInfo) {
        let fields: Vec<(String, Type)> =
            self.symbols.families[family as usize].fields.iter().map(|(name, of, _)| (name.clone(), of.clone())).collect();
        for (index, (name, of)) in fields.iter().enumerate() {
            let given = action.clauses.iter().find_map(|clause| match &clause.kind {
                ClauseKind::Gives(field, value) if field.text == *name => Some(value),
                _ => None,
            });
            let role = info.roles.iter().position(|role| role.name == *name);
            let default = self.symbols.families[family as usize].fields[index].2;
            info.fields.push(match (given, role, default) {
                (Some(value), ..) => self.compile_gives(value, of, info),
                (None, Some(role), _) if role_fits_field(&info.roles[role].shape, &of.to_shape()) => FieldSource::Role(role),
                (None, Some(role), _) => self.role_as_field(role, of, info, action),
                (None, None, Some(default)) => FieldSource::Computed(self.compile_as_type(default, of)),
                (None, None, None) => FieldSource::Computed(initial_value(of)),
            });
        }
    }

    /// Compiles `gives field = value`. A bare role is not computed but copied.
    fn compile_gives(&mut self, value: &ludex_syntax::tree::Expr, of: &Type, info: &ActionInfo) -> FieldSource {
        if let ExprKind::Name(name) = &value.kind
            && let Some(role) = info.roles.iter().position(|role| role.name == *name)
        {
            let shape = &info.roles[role].shape;
            if role_fits_field(shape, &of.to_shape()) {
                return FieldSource::Role(role);
            }
            if of.to_shape() == ludex_program::Shape::List(Box::new(shape.clone())) {
                return FieldSource::RoleAsList(role);
            }
        }
        FieldSource::Computed(self.compile_as_type(value, of))
    }

    /// The source of a field from a role of the same name but another shape: a single thing becomes a list of one. An error for
    /// other shapes.
    fn role_as_field(&mut self, role: usize, of: &Type, info: &ActionInfo, action: &Action) -> FieldSource {
        if of.to_shape() == ludex_program::Shape::List(Box::new(info.roles[role].item.clone())) {
            return FieldSource::RoleAsList(role);
        }
        if *of == Type::Unknown {
            return FieldSource::Role(role);
        }
        let words = self.type_text(of);
        self.report_error(
            codes::WRONG_TYPE,
            format!("`{}` must be {words} in this family", info.roles[role].name),
            action.roles[role].name.span,
            "another type",
        );
        FieldSource::Role(role)
    }
}

/// The first value of an unfilled field, as for the fields of things: 0, no, the first word, `none` or the empty list.
fn initial_value(of: &Type) -> Expr {
    match of {
        Type::List(_) => Expr::ListOf(Vec::new()),
        Type::OrNone(_) => Expr::Constant(NONE),
        _ => Expr::Constant(0),
    }
}

/// Whether a role fits a field: the same shape, or a certain value for a field that may be none.
fn role_fits_field(role: &ludex_program::Shape, field: &ludex_program::Shape) -> bool {
    role == field || matches!(field, ludex_program::Shape::OrNone(inner) if **inner == *role)
}

/// The text of a `says` clause, which describes the move to players.
pub(super) fn find_says_text(clauses: &[Clause]) -> Option<&Text> {
    clauses.iter().find_map(|clause| match &clause.kind {
        ClauseKind::Says(text) => Some(text),
        _ => None,
    })
}
