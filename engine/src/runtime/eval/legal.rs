//! Legal moves: the candidates of each action, and the records of moves.
//! A *family* is a set of actions that questions ask for; its *parts* are itself and the families that belong to it. Abilities
//! may *grant* further actions. Moves are counted in *groups* of a [`Question`], one for each action, and not listed. *Bound
//! values* are the family's arguments, then `me` and `holder` for a granted action. A move *obliges* if it rules out passing at a
//! `must`. The *record* of a move is its form in the list arena: action, ability, fields, and the first slots of its `do`.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::narrowing::Narrowing;
use crate::runtime::eval::question::{Group, GroupKind, Question, QuestionForm};
use crate::runtime::eval::reading::GroupMoves;
use crate::runtime::eval::restrictions::{Restriction, TESTED_ONE_BY_ONE};
use crate::runtime::eval::search::{CandidateSets, Chosen};
use crate::runtime::limits::{FEW_MOVES, MOST_LOOKED_AT, WORK_OF_MOVE};
use crate::runtime::state::{NOWHERE, Values};
use ludex_program::{ActionId, ActionInfo, Expr, FamilyId, FieldSource, MOST_MOVE_FIELDS, MOST_ROLES, NONE, Slot, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;

/// A side number for choices from a family without a side; too large to be a real one.
const OF_NO_SIDE: usize = usize::MAX;

impl Eval {
    /// Whether a family has a legal move, declared or granted. If `obliging`, only moves that rule out passing count.
    #[inline(never)]
    pub fn has_legal_move(&mut self, context: &Context, (family, obliging): (FamilyId, bool), arguments: &[Value]) -> bool {
        self.look_at_moves(context, (family, obliging), arguments, |_, question| question.count > 0)
    }

    /// Like [`Eval::has_legal_move`], for a move that satisfies a condition, which reads it from a slot.
    pub fn has_matching_move(
        &mut self,
        context: &Context,
        base: usize,
        wanted: (FamilyId, bool),
        arguments: &[Value],
        fitting: (Slot, &Expr),
    ) -> bool {
        self.look_at_moves(context, wanted, arguments, |machine, question| {
            let mut left = MOST_LOOKED_AT;
            (0..question.groups().len()).any(|place| {
                let many = question.groups()[place].count > FEW_MOVES;
                let told = if many { machine.any_fits_by_narrowing(context, base, question, place, fitting) } else { None };
                told.unwrap_or_else(|| machine.any_fits_by_test(context, base, question, place, fitting, &mut left))
            })
        })
    }

    /// Whether a move of a group satisfies a condition; `None` if this takes a test of each move. `place` is the index of the
    /// group, and `it` the slot from which the condition reads the move.
    pub fn any_fits_by_narrowing(
        &mut self,
        context: &Context,
        base: usize,
        question: &mut Question,
        place: usize,
        (it, condition): (Slot, &Expr),
    ) -> Option<bool> {
        let group = &question.groups()[place];
        let mut evaluate = |machine: &mut Eval, part: &Expr, made: Value| {
            machine.set_slot(base, it, made);
            machine.evaluate(context, base, part)
        };
        let reading = self.read_condition(&GroupMoves { context, question, group, it }, condition, &mut evaluate)?;
        let mut narrowing = Narrowing::default();
        narrowing.add_condition(reading, true);
        Some(question.narrow_search(place, &narrowing)?.count > 0)
    }

    /// Whether a move of a group satisfies a condition, found by testing them one by one. `left` is the remaining number of
    /// tests.
    pub fn any_fits_by_test(
        &mut self,
        context: &Context,
        base: usize,
        question: &mut Question,
        place: usize,
        (it, condition): (Slot, &Expr),
        left: &mut u64,
    ) -> bool {
        question.list_moves(place, *left);
        let group = &question.groups()[place];
        for index in 0..group.count {
            if *left == 0 {
                self.too_many_to_fit(context, group);
            }
            if self.fault.is_some() {
                return false;
            }
            *left -= 1;
            if !self.spend_work(WORK_OF_MOVE) {
                return false;
            }
            let lists = self.state.lists.len();
            let fits = question.move_arguments(group, index).is_some_and(|chosen| {
                let made = self.record_move(context, question, group, &chosen);
                self.test_member(context, base, it, made, condition)
            });
            self.state.lists.truncate(lists);
            if fits {
                return true;
            }
        }
        false
    }

    #[cold]
    fn too_many_to_fit(&mut self, context: &Context, group: &Group) {
        let action = &context.program.actions[group.action as usize].name;
        let message = format!("`{action}` has {} moves, too many to test each against the `where`", group.count);
        self.raise_with(Problem::error(codes::TOO_MANY_MOVES, message).help(TESTED_ONE_BY_ONE));
    }

    /// Passes the moves of a family to `look`, as a question: all moves, or only those that rule out passing.
    #[inline]
    fn look_at_moves(
        &mut self,
        context: &Context,
        (family, obliging): (FamilyId, bool),
        arguments: &[Value],
        look: impl FnOnce(&mut Eval, &mut Question) -> bool,
    ) -> bool {
        if !self.enter_nested_value() {
            return false;
        }
        let mut question = self.scratch.spare.pop().unwrap_or_default();
        question.begin_question(0, QuestionForm::Options);
        question.begin_context(arguments);
        let asked = u16::try_from(self.moving_side(context, family, arguments, OF_NO_SIDE)).ok();
        for part in &context.program.families[family as usize].parts {
            self.add_actions(context, *part, obliging, &mut question);
        }
        for part in &context.program.families[family as usize].parts {
            self.add_grants(context, *part, arguments, (asked, obliging), &mut question);
        }
        let found = look(self, &mut question);
        self.depth -= 1;
        self.scratch.spare.push(question);
        found
    }

    /// Adds the declared actions of a family, with the question's bound values: all, or only those that oblige.
    pub fn add_actions(&mut self, context: &Context, id: FamilyId, obliging: bool, question: &mut Question) {
        let family = &context.program.families[id as usize];
        question.gathered.begin_family(family.shared.len());
        let base = self.open_slots(question.bound_values(), family.slots);
        let restrictions = match self.may_be_restricted(context, id) {
            true => self.restrictions_on(context, id, self.moving_side(context, id, question.bound_values(), question.side)),
            false => Vec::new(),
        };
        // The actions of a plain family share all candidates, which are looked up once.
        if family.plain && restrictions.is_empty() {
            self.look_up_shared(context, base, family, &mut question.gathered);
            if question.count_plain(context, id, &mut self.meter) {
                if self.is_seen() {
                    question.materialize();
                }
                self.state.slots.truncate(base);
                return;
            }
        }
        for action in &family.actions {
            let info = &context.program.actions[*action as usize];
            let obliges = info.obliges.as_ref().is_none_or(|condition| self.evaluate(context, base, condition) != 0);
            if obliging && !obliges {
                continue;
            }
            let (group, gathered) = question.next_group(GroupKind::Action);
            group.action = *action;
            group.roles = info.roles.len();
            self.count_moves(context, base, info, gathered, &mut group.search);
            let count = self.settle_last_group(context, &restrictions, question);
            question.obliged += if obliges { count } else { 0 };
        }
        self.state.slots.truncate(base);
    }

    /// Counts the last group, without forbidden moves. Drops it if it has none.
    fn settle_last_group(&mut self, context: &Context, restrictions: &[Restriction], question: &mut Question) -> u64 {
        if !restrictions.is_empty() {
            self.filter_moves(context, restrictions, question);
        }
        let count = question.groups().last().map_or(0, |group| group.search.count);
        question.settle_group(count);
        count
    }

    /// The values of some arguments.
    #[inline]
    pub fn evaluate_arguments(&mut self, context: &Context, base: usize, arguments: &[Expr]) -> Values {
        let mut values = Values::new();
        for argument in arguments {
            values.push(self.evaluate(context, base, argument));
        }
        values
    }

    /// Opens slots that begin with some values, and returns their base. The caller removes them.
    pub fn open_slots(&mut self, values: &[Value], slots: u16) -> usize {
        let all = &mut self.state.slots;
        let base = all.len();
        all.extend(values.iter().copied());
        all.extend(std::iter::repeat_n(NONE, usize::from(slots).saturating_sub(values.len())));
        base
    }

    /// Adds the actions that abilities grant to a family, those of one side or of all: all actions, or only those that oblige.
    pub fn add_grants(
        &mut self,
        context: &Context,
        family: FamilyId,
        bound: &[Value],
        (side, obliging): (Option<u16>, bool),
        question: &mut Question,
    ) {
        let restrictions = match self.may_be_restricted(context, family) {
            true => self.restrictions_on(context, family, self.moving_side(context, family, bound, question.side)),
            false => Vec::new(),
        };
        for grant in &context.roster.grants[family as usize] {
            let found = &context.roster.instances[grant.instance as usize];
            let works_for = |side: u16| self.side_of_ability(context, grant.instance) == Value::from(side);
            if !side.is_none_or(works_for)
                || !self.ability_works(context, grant.instance)
                || !self.can_use(context, grant.instance)
            {
                continue;
            }
            let granted = &context.program.abilities[found.ability as usize].grants[grant.index as usize];
            let info = &context.program.actions[granted.action as usize];
            let values = self.with_owner(context, grant.instance, bound);
            let condition = info.obliges.as_ref();
            let obliges =
                condition.is_some_and(|condition| self.evaluate_separately(context, condition, info.slots, &values) != 0);
            if obliging && !obliges {
                continue;
            }
            question.begin_context(&values);
            let base = self.open_slots(question.bound_values(), info.slots);
            let (group, gathered) = question.next_group(GroupKind::Grant);
            group.action = granted.action;
            group.instance = grant.instance;
            self.count_group(context, base, info, group, gathered);
            let count = self.settle_last_group(context, &restrictions, question);
            if obliges {
                question.obliged += count;
            }
        }
    }

    /// Counts the moves of a group whose bound values are in the slots at `base`, and removes these slots.
    pub fn count_group(
        &mut self,
        context: &Context,
        base: usize,
        info: &ActionInfo,
        group: &mut Group,
        gathered: &mut CandidateSets,
    ) -> u64 {
        group.roles = info.roles.len();
        self.count_moves(context, base, info, gathered, &mut group.search);
        self.state.slots.truncate(base);
        group.search.count
    }

    /// The record of a move of a group, whose roles `chosen` fills. Returns its place in the arena.
    pub fn record_move(&mut self, context: &Context, question: &Question, group: &Group, chosen: &[Chosen; MOST_ROLES]) -> Value {
        let values = chosen_values(&mut self.state.lists, question, group, chosen);
        self.record_filled(context, (group.action, group.instance), question.context_of(group), &values)
    }

    /// The record of a move with its bound values and role fillings. `instance` is the ability that grants it, or [`NOWHERE`].
    pub fn record_filled(
        &mut self,
        context: &Context,
        (action, instance): (ActionId, u16),
        bound: &[Value],
        values: &[Value; MOST_ROLES],
    ) -> Value {
        let info = &context.program.actions[usize::from(action)];
        let mut fields = [NONE; MOST_MOVE_FIELDS];
        for (field, source) in fields.iter_mut().zip(&info.fields) {
            *field = self.field_from(context, info, bound, source, values);
        }
        let record = write_record(&mut self.state.lists, (action, instance), &fields, info.fields.len());
        // Only the move's `do` reads these.
        if info.body.is_some() {
            self.state.lists.extend_from_slice(bound);
            self.state.lists.extend_from_slice(&values[..info.roles.len()]);
        }
        record
    }

    /// The record of a move of which only some fields and one role matter. Conditions are evaluated with it before any move is
    /// chosen.
    pub(super) fn record_fields(
        &mut self,
        context: &Context,
        question: &Question,
        group: &Group,
        wanted: &[u16],
        filled: Option<(usize, Value)>,
    ) -> Value {
        let info = &context.program.actions[group.action as usize];
        let mut values = [NONE; MOST_ROLES];
        if let Some((role, thing)) = filled {
            values[role] = thing;
        }
        let mut fields = [NONE; MOST_MOVE_FIELDS];
        for index in wanted.iter().map(|index| usize::from(*index)) {
            fields[index] = self.field_from(context, info, question.context_of(group), &info.fields[index], &values);
        }
        write_record(&mut self.state.lists, (group.action, group.instance), &fields, info.fields.len())
    }

    /// The value of a move's field, given the values of its roles.
    fn field_from(
        &mut self,
        context: &Context,
        info: &ActionInfo,
        bound: &[Value],
        source: &FieldSource,
        values: &[Value; MOST_ROLES],
    ) -> Value {
        let FieldSource::Computed(expr) = source else { return field_value(&mut self.state.lists, source, values) };
        let base = self.open_slots(bound, info.slots);
        for (role, value) in values.iter().enumerate().take(info.roles.len()) {
            self.set_slot(base, info.context + role as u16, *value);
        }
        let value = self.evaluate(context, base, expr);
        self.state.slots.truncate(base);
        value
    }
}

/// The values of all roles of a chosen move.
#[inline]
fn chosen_values(
    lists: &mut Vec<Value>,
    question: &Question,
    group: &Group,
    chosen: &[Chosen; MOST_ROLES],
) -> [Value; MOST_ROLES] {
    let mut values = [NONE; MOST_ROLES];
    for (role, (value, chosen)) in values.iter_mut().zip(chosen).enumerate().take(group.roles) {
        *value = chosen_value(lists, question, group, role, *chosen);
    }
    values
}

/// The value of a role: one thing, or a new list.
#[inline]
pub fn chosen_value(lists: &mut Vec<Value>, question: &Question, group: &Group, role: usize, chosen: Chosen) -> Value {
    match chosen {
        Chosen::One(value) => value,
        Chosen::Set { .. } | Chosen::Listed(_) | Chosen::Ranked(_) => {
            let at = lists.len();
            lists.push(0);
            lists.extend(question.role_things(group, role, chosen));
            lists[at] = (lists.len() - at - 1) as Value;
            at as Value
        }
    }
}

/// A field of a chosen move that needs no evaluation.
#[inline]
fn field_value(lists: &mut Vec<Value>, source: &FieldSource, values: &[Value; MOST_ROLES]) -> Value {
    let at = lists.len() as Value;
    match source {
        FieldSource::Role(role) => return values[*role],
        FieldSource::RoleAsList(role) if values[*role] != NONE => lists.extend_from_slice(&[1, values[*role]]),
        _ => lists.push(0),
    }
    at
}

/// Writes the record of a chosen move: its action, the ability that grants it, and its fields. `count` is the number of fields.
#[inline]
fn write_record(
    lists: &mut Vec<Value>,
    (action, instance): (ActionId, u16),
    fields: &[Value; MOST_MOVE_FIELDS],
    count: usize,
) -> Value {
    let at = lists.len();
    let instance = if instance == NOWHERE { NONE } else { Value::from(instance) };
    lists.extend_from_slice(&[Value::from(action), instance]);
    // Copied as one block of fixed size, and then truncated, which is faster.
    lists.extend_from_slice(fields);
    lists.truncate(at + 2 + count);
    at as Value
}
