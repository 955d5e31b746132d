//! Making a question out of what the rules, and the abilities in play, allow now; and the record of a chosen move.

use super::bars::Bar;
use super::machine::{Listener, Machine, Rules};
use super::question::{Group, GroupKind, Question, QuestionForm};
use super::search::{Chosen, Gathered};
use super::state::{NOWHERE, Values};
use crate::program::{ActionInfo, AskCode, AskCodeWhat, Expr, FamilyId, FieldSource, MOST_ROLES, NONE, RoleAmount, Shape, Value};

/// The most fields a family has.
const MOST_FIELDS: usize = 12;

impl Machine {
    // --- making a question ---------------------------------------------------------

    /// Makes the question of an `ask` for whoever it is put to.
    pub fn build(&mut self, rules: Rules, base: usize, code: &AskCode, question: &mut Question) {
        self.build_as_written(rules, base, code, question);
        if (code.veiled || code.even_when_forced) && self.fault.is_none() && !self.is_out(question.side as Value) {
            (question.veiled, question.even_when_forced) = (code.veiled, code.even_when_forced);
            if question.is_void() {
                question.let_pass();
                question.passes_unseen = code.must;
            }
        }
    }

    fn build_as_written(&mut self, rules: Rules, base: usize, code: &AskCode, question: &mut Question) {
        let side = self.who_is_asked(rules, base, code);
        if side == NONE {
            self.fault("no one is there to be asked");
            return;
        }
        if self.is_out(side) {
            // Whoever has left the game is asked nothing more.
            question.begin(side as usize, QuestionForm::OneItem);
            question.may_pass = true;
            return;
        }
        match &code.what {
            AskCodeWhat::Families(families) => {
                question.begin(side as usize, QuestionForm::Options);
                for (family, arguments) in families {
                    let context = self.arguments(rules, base, arguments);
                    question.begin_context(&context);
                    self.add_actions(rules, *family, false, question);
                }
                self.add_others(rules, base, code, families, question);
            }
            AskCodeWhat::Among { amount, set, item } => {
                let items = self.members_now(rules, base, set);
                self.meter.add(items.len() as u64);
                let length = items.len() as i64;
                let (form, least, most) = match amount {
                    RoleAmount::One => (QuestionForm::OneItem, 1, 1),
                    RoleAmount::OneOrNone => (QuestionForm::OneItem, 0, 1),
                    RoleAmount::Some(least, most) => {
                        let least = i64::from(self.evaluate(rules, base, least));
                        let most = most.as_ref().map_or(length, |most| i64::from(self.evaluate(rules, base, most)));
                        (QuestionForm::SomeItems, least, most.min(length))
                    }
                };
                question.begin(side as usize, form);
                (question.least, question.most) = (least, most);
                question.may_pass = !code.must && form == QuestionForm::SomeItems && least > 0;
                question.count = if length < least || most < least { 0 } else { length as u64 };
                question.items = items;
                question.item_shape = Some(item.clone());
                if form == QuestionForm::OneItem && question.count > 0 && (!code.must || least == 0) {
                    question.items.push(NONE);
                    question.count += 1;
                }
            }
            AskCodeWhat::Number { least, most } => {
                question.begin(side as usize, QuestionForm::Number);
                question.least = i64::from(self.evaluate(rules, base, least));
                question.most = i64::from(self.evaluate(rules, base, most));
                question.count = (question.most - question.least + 1).max(0) as u64;
                question.may_pass = !code.must;
                question.item_shape = Some(Shape::Number);
            }
            AskCodeWhat::Word(words) => {
                question.begin(side as usize, QuestionForm::OneItem);
                let count = rules.program.words[*words as usize].words.len();
                question.items = (0..count as Value).collect();
                question.count = count as u64;
                question.item_shape = Some(Shape::Word(*words));
                if !code.must {
                    question.items.push(NONE);
                    question.count += 1;
                }
            }
            AskCodeWhat::YesNo => {
                question.begin(side as usize, QuestionForm::YesNo);
                question.count = 2;
            }
            AskCodeWhat::Order { set, item } => {
                question.begin(side as usize, QuestionForm::Order);
                question.about(self.members_now(rules, base, set), item);
                question.may_pass = !code.must;
            }
            AskCodeWhat::Divide(divide) => self.ask_split(rules, base, side as usize, code, divide, question),
        }
    }

    /// The side that a question is put to, or the referee's seat.
    #[inline]
    pub(super) fn who_is_asked(&mut self, rules: Rules, base: usize, code: &AskCode) -> Value {
        match &code.who {
            Expr::Referee => rules.cast.sides as Value,
            who => {
                let who = self.evaluate(rules, base, who);
                if (0..rules.cast.sides as Value).contains(&who) { who } else { self.state.board.side_of(rules.program, who) }
            }
        }
    }

    /// Adds what abilities let a side do when it is asked for moves, and passing.
    pub(super) fn add_others(
        &mut self,
        rules: Rules,
        base: usize,
        code: &AskCode,
        families: &[(FamilyId, Vec<Expr>)],
        question: &mut Question,
    ) {
        let side = question.side as u16;
        for (family, arguments) in families.iter().filter(|(family, _)| !rules.cast.grants[*family as usize].is_empty()) {
            let context = self.arguments(rules, base, arguments);
            self.add_grants(rules, *family, &context, Some(side), question);
        }
        if let Some((hook, arguments)) = &code.during
            && rules.cast.hears(*hook)
        {
            let context = self.arguments(rules, base, arguments);
            self.add_offers(rules, *hook, &context, side, question);
        }
        if !code.must || question.obliged == 0 {
            question.add_pass();
        }
    }

    /// Adds the actions that the rules declare for a family, in the question's context: all, or those that oblige.
    pub fn add_actions(&mut self, rules: Rules, id: FamilyId, obliging: bool, question: &mut Question) {
        let family = &rules.program.families[id as usize];
        question.gathered.begin_family(family.shared.len());
        let base = self.open_slots(question.context(), family.slots);
        let bars = match self.may_be_barred(rules, id) {
            true => self.bars_on(rules, id, self.mover(rules, id, question.context(), question.side)),
            false => Vec::new(),
        };
        if family.plain && bars.is_empty() {
            self.look_up_shared(rules, base, family, &mut question.gathered);
            if question.count_plain(rules, id, &mut self.meter) {
                if self.is_seen() {
                    question.write_down();
                }
                self.state.slots.truncate(base);
                return;
            }
        }
        for action in &family.actions {
            let info = &rules.program.actions[*action as usize];
            let obliges = info.obliges.as_ref().is_none_or(|condition| self.evaluate(rules, base, condition) != 0);
            if obliging && !obliges {
                continue;
            }
            let (group, gathered) = question.next_group(GroupKind::Action);
            group.action = *action;
            group.roles = info.roles.len();
            self.count_moves(rules, base, info, gathered, &mut group.search);
            let count = self.settle(rules, &bars, question);
            question.obliged += if obliges { count } else { 0 };
        }
        self.state.slots.truncate(base);
    }

    /// Counts the last group, without what something forbids.
    fn settle(&mut self, rules: Rules, bars: &[Bar], question: &mut Question) -> u64 {
        if !bars.is_empty() {
            self.sift(rules, bars, question);
        }
        let count = question.groups().last().map_or(0, |group| group.search.count);
        question.settle_group(count);
        count
    }

    /// The values of some arguments.
    #[inline]
    pub fn arguments(&mut self, rules: Rules, base: usize, arguments: &[Expr]) -> Values {
        let mut values = Values::new();
        for argument in arguments {
            values.push(self.evaluate(rules, base, argument));
        }
        values
    }

    /// Fresh slots that begin with some values, for the caller to take away; their base.
    fn open_slots(&mut self, values: &[Value], slots: u16) -> usize {
        let all = &mut self.state.slots;
        let base = all.len();
        all.extend(values.iter().copied());
        all.extend(std::iter::repeat_n(NONE, usize::from(slots).saturating_sub(values.len())));
        base
    }

    /// Adds the actions that abilities of a side grant to a family; without one, those that oblige, of all sides.
    pub fn add_grants(&mut self, rules: Rules, family: FamilyId, context: &[Value], side: Option<u16>, question: &mut Question) {
        let bars = match self.may_be_barred(rules, family) {
            true => self.bars_on(rules, family, self.mover(rules, family, context, question.side)),
            false => Vec::new(),
        };
        for grant in &rules.cast.grants[family as usize] {
            let found = &rules.cast.instances[grant.instance as usize];
            let works_for = |side: u16| self.side_of_ability(rules, grant.instance) == Value::from(side);
            if !side.is_none_or(works_for) || !self.works(rules, grant.instance) || !self.can_use(rules, grant.instance) {
                continue;
            }
            let granted = &rules.program.abilities[found.ability as usize].grants[grant.index as usize];
            let info = &rules.program.actions[granted.action as usize];
            let mut values = Values::from_slice(context);
            values.extend(self.owner_values(rules, grant.instance));
            let condition = info.obliges.as_ref();
            let obliges = condition.is_some_and(|condition| self.evaluate_apart(rules, condition, info.slots, &values) != 0);
            if side.is_none() && !obliges {
                continue;
            }
            question.begin_context(&values);
            let base = self.open_slots(question.context(), info.slots);
            let (group, gathered) = question.next_group(GroupKind::Grant);
            group.action = granted.action;
            group.instance = grant.instance;
            self.count_group(rules, base, info, group, gathered);
            let count = self.settle(rules, &bars, question);
            if obliges {
                question.obliged += count;
            }
        }
    }

    /// Adds an offer whose conditions hold, with its targets if it declares some.
    pub fn add_offer(&mut self, rules: Rules, listener: Listener, context: Values, question: &mut Question) {
        let clause = &rules.program.clauses[listener.clause as usize];
        question.begin_context(&context);
        let Some(action) = clause.action else {
            let (group, _) = question.next_group(GroupKind::Offer);
            (group.clause, group.instance) = (listener.clause, listener.instance);
            question.settle_group(1);
            return;
        };
        let info = &rules.program.actions[action as usize];
        let base = self.open_slots(question.context(), info.slots);
        let (group, gathered) = question.next_group(GroupKind::OfferWithTargets);
        (group.clause, group.instance, group.action) = (listener.clause, listener.instance, action);
        let count = self.count_group(rules, base, info, group, gathered);
        question.settle_group(count);
    }

    /// Counts the moves of a group whose context lies in the slots at `base`, and takes these away.
    fn count_group(&mut self, rules: Rules, base: usize, info: &ActionInfo, group: &mut Group, gathered: &mut Gathered) -> u64 {
        group.roles = info.roles.len();
        self.count_moves(rules, base, info, gathered, &mut group.search);
        self.state.slots.truncate(base);
        group.search.count
    }

    // --- chosen moves ----------------------------------------------------------------

    /// Makes the record of a chosen move: action, ability, the family's fields, context, roles.
    pub fn choose_move(&mut self, rules: Rules, place: usize, index: u64) -> Value {
        let questions = std::mem::take(&mut self.scratch.questions);
        let value = self.choose_among(rules, &questions[place], index);
        self.scratch.questions = questions;
        value
    }

    #[inline(never)]
    fn choose_among(&mut self, rules: Rules, question: &Question, index: u64) -> Value {
        let found = question.locate(index).and_then(|(group, local)| Some((group, question.chosen(group, local)?)));
        let Some((group, chosen)) = found else { return self.fault("an answer names an option that there is not") };
        if group.kind == GroupKind::Grant {
            self.charge_grant(rules, group.instance);
        }
        self.record_move(rules, question, group, &chosen)
    }

    /// Counts the use of an ability that grants an action, if its uses are limited.
    fn charge_grant(&mut self, rules: Rules, instance: u16) {
        let ability = rules.cast.instances[instance as usize].ability;
        match rules.program.abilities[ability as usize].uses.is_empty() {
            true => self.note_effect(rules, instance),
            false => self.charge(rules, instance),
        }
    }

    pub fn record_move(&mut self, rules: Rules, question: &Question, group: &Group, chosen: &[Chosen; MOST_ROLES]) -> Value {
        let info = &rules.program.actions[group.action as usize];
        let values = chosen_values(&mut self.state.lists, question, group, chosen);
        let mut fields = [NONE; MOST_FIELDS];
        for (field, source) in fields.iter_mut().zip(&info.fields) {
            *field = self.field_from(rules, question, group, source, &values);
        }
        let record = write_record(&mut self.state.lists, group, &fields, info.fields.len());
        // What only the move's `do` reads.
        if info.body.is_some() {
            self.state.lists.extend_from_slice(question.context_of(group));
            self.state.lists.extend_from_slice(&values[..info.roles.len()]);
        }
        record
    }

    /// The record of a move of which only these fields matter, and what fills one role.
    pub(super) fn record_fields(
        &mut self,
        rules: Rules,
        question: &Question,
        group: &Group,
        wanted: &[u16],
        filled: Option<(usize, Value)>,
    ) -> Value {
        let info = &rules.program.actions[group.action as usize];
        let mut values = [NONE; MOST_ROLES];
        if let Some((role, thing)) = filled {
            values[role] = thing;
        }
        let mut fields = [NONE; MOST_FIELDS];
        for index in wanted.iter().map(|index| usize::from(*index)) {
            fields[index] = self.field_from(rules, question, group, &info.fields[index], &values);
        }
        write_record(&mut self.state.lists, group, &fields, info.fields.len())
    }

    /// The value of a field of a move whose roles have these values.
    fn field_from(
        &mut self,
        rules: Rules,
        question: &Question,
        group: &Group,
        source: &FieldSource,
        values: &[Value; MOST_ROLES],
    ) -> Value {
        let FieldSource::Computed(expr) = source else { return field_value(&mut self.state.lists, source, values) };
        let info = &rules.program.actions[group.action as usize];
        let base = self.open_slots(question.context_of(group), info.slots);
        for (role, value) in values.iter().enumerate().take(group.roles) {
            self.set_slot(base, info.context + role as u16, *value);
        }
        let value = self.evaluate(rules, base, expr);
        self.state.slots.truncate(base);
        value
    }

    /// Puts a group's context and chosen roles into fresh slots, which the caller takes away.
    pub fn fill_slots(&mut self, info: &ActionInfo, question: &Question, group: &Group, chosen: &[Chosen; MOST_ROLES]) -> usize {
        let base = self.open_slots(question.context_of(group), info.slots);
        for (role, chosen) in chosen.iter().enumerate().take(info.roles.len()) {
            let value = chosen_value(&mut self.state.lists, question, group, role, *chosen);
            self.set_slot(base, info.context + role as u16, value);
        }
        base
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
            lists.extend(question.members(group, role, chosen));
            lists[at] = (lists.len() - at - 1) as Value;
            at as Value
        }
    }
}

/// A field of a chosen move that needs no working out.
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

/// Writes the record of a chosen move: its action, the ability that grants it, and its fields.
#[inline]
fn write_record(lists: &mut Vec<Value>, group: &Group, fields: &[Value; MOST_FIELDS], count: usize) -> Value {
    let at = lists.len();
    let instance = if group.instance == NOWHERE { NONE } else { Value::from(group.instance) };
    lists.extend_from_slice(&[Value::from(group.action), instance]);
    // In one block, whose size is known, and as many taken off again as there are not.
    lists.extend_from_slice(fields);
    lists.truncate(at + 2 + count);
    at as Value
}
