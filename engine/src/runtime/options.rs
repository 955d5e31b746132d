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
        let side = match &code.who {
            Expr::Referee => rules.cast.sides as Value,
            who => {
                let who = self.evaluate(rules, base, who);
                self.state.board.side_of(rules.program, who)
            }
        };
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
                    self.keep_arguments(rules, base, arguments, question);
                    match &code.zones {
                        Some(zones)
                            if !self.may_be_barred(rules, *family)
                                && self.count_in_zones(rules, base, *family, zones, question) => {}
                        _ => self.add_actions(rules, *family, question),
                    }
                }
                for (family, arguments) in families.iter().filter(|(family, _)| !rules.cast.grants[*family as usize].is_empty()) {
                    let context = self.arguments(rules, base, arguments);
                    self.add_grants(rules, *family, &context, side as u16, question);
                }
                if let Some((hook, arguments)) = &code.during
                    && rules.cast.listeners[*hook as usize].first().is_some_and(|listeners| !listeners.is_empty())
                {
                    let context = self.arguments(rules, base, arguments);
                    self.add_offers(rules, *hook, &context, side as u16, question);
                }
                if !code.must || question.obliged == 0 {
                    question.add_pass();
                }
            }
            AskCodeWhat::Among { amount, set, item } => {
                let lists = self.state.lists.len();
                let list = self.evaluate(rules, base, set);
                let items = self.state.list(list).to_vec();
                self.state.lists.truncate(lists);
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
        }
    }

    /// Makes the values of some arguments the context of the groups that follow.
    #[inline]
    fn keep_arguments(&mut self, rules: Rules, base: usize, arguments: &[Expr], question: &mut Question) {
        question.begin_context(arguments.iter().map(|argument| self.evaluate(rules, base, argument)));
    }

    /// Counts the moves of a plain family, if its candidates allow it, without looking at its actions one by one.
    #[inline]
    fn count_in_zones(&mut self, rules: Rules, base: usize, family: FamilyId, zones: &[Expr], question: &mut Question) -> bool {
        let shared = &rules.program.families[family as usize].shared;
        question.gathered.begin_family(shared.len());
        for (place, ((action, role), zone)) in shared.iter().zip(zones).enumerate() {
            let zone = self.evaluate(rules, base, zone);
            let role = &rules.program.actions[*action as usize].roles[*role as usize];
            self.gather_shared(zone, role, place, &mut question.gathered);
        }
        question.count_plain(rules, family)
    }

    /// Adds the actions that the rules declare for a family, in the question's context.
    pub fn add_actions(&mut self, rules: Rules, id: FamilyId, question: &mut Question) {
        let family = &rules.program.families[id as usize];
        question.gathered.begin_family(family.shared.len());
        let base = self.open_slots(question.context(), family.slots);
        let bars = match self.may_be_barred(rules, id) {
            true => self.bars_on(rules, id, self.mover(rules, id, question.context(), question.side)),
            false => Vec::new(),
        };
        if family.plain && bars.is_empty() {
            self.look_up_shared(rules, base, family, &mut question.gathered);
            if question.count_plain(rules, id) {
                self.state.slots.truncate(base);
                return;
            }
        }
        for action in &family.actions {
            let info = &rules.program.actions[*action as usize];
            let (group, gathered) = question.next_group(GroupKind::Action);
            group.action = *action;
            group.roles = info.roles.len();
            self.count_moves(rules, base, info, gathered, &mut group.search);
            let count = self.settle(rules, &bars, question);
            question.obliged += count;
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

    /// Adds the actions that abilities of a side grant to a family; of all sides for `u16::MAX`.
    pub fn add_grants(&mut self, rules: Rules, family: FamilyId, context: &[Value], side: u16, question: &mut Question) {
        let bars = match self.may_be_barred(rules, family) {
            true => self.bars_on(rules, family, self.mover(rules, family, context, question.side)),
            false => Vec::new(),
        };
        for grant in &rules.cast.grants[family as usize] {
            let found = &rules.cast.instances[grant.instance as usize];
            let works_for = |machine: &Machine| machine.side_of_ability(rules, grant.instance) == Value::from(side);
            if (side != u16::MAX && !works_for(self))
                || !self.is_held(rules, grant.instance)
                || !self.can_use(rules, grant.instance)
            {
                continue;
            }
            let granted = &rules.program.abilities[found.ability as usize].grants[grant.index as usize];
            let info = &rules.program.actions[granted.action as usize];
            let mut values = Values::from_slice(context);
            values.extend(self.owner_values(rules, grant.instance));
            let obliges = match &granted.obliges {
                Some(condition) => self.evaluate_apart(rules, condition, info.slots, &values) != 0,
                None => false,
            };
            question.begin_context(values);
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
        question.begin_context(context);
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
        let question = &questions[place];
        let found = question.locate(index).and_then(|(group, local)| Some((group, question.chosen(group, local)?)));
        let value = match found {
            Some((group, chosen)) => {
                if group.kind == GroupKind::Grant {
                    self.charge_grant(rules, group.instance);
                }
                self.record_move(rules, question, group, &chosen)
            }
            None => self.fault("an answer names an option that there is not"),
        };
        self.scratch.questions = questions;
        value
    }

    /// Counts the use of an ability that grants an action, if its uses are limited.
    fn charge_grant(&mut self, rules: Rules, instance: u16) {
        let ability = rules.cast.instances[instance as usize].ability;
        if !rules.program.abilities[ability as usize].uses.is_empty() {
            self.charge(rules, instance);
        }
    }

    pub fn record_move(&mut self, rules: Rules, question: &Question, group: &Group, chosen: &[Chosen; MOST_ROLES]) -> Value {
        let info = &rules.program.actions[group.action as usize];
        let roles = info.roles.len();
        let mut values = [NONE; MOST_ROLES];
        for (role, (value, chosen)) in values.iter_mut().zip(chosen).enumerate().take(roles) {
            *value = self.chosen_value(question, group, role, *chosen);
        }
        let mut fields = [NONE; MOST_FIELDS];
        for (field, source) in fields.iter_mut().zip(&info.fields) {
            *field = match source {
                FieldSource::Role(role) => values[*role],
                FieldSource::RoleAsList(role) if values[*role] == NONE => self.push_list(&[]),
                FieldSource::RoleAsList(role) => self.push_list(&[values[*role]]),
                FieldSource::EmptyList => self.push_list(&[]),
                FieldSource::Computed(expr) => {
                    let base = self.open_slots(question.context_of(group), info.slots);
                    for (role, value) in values.iter().enumerate().take(roles) {
                        self.set_slot(base, info.context + role as u16, *value);
                    }
                    let value = self.evaluate(rules, base, expr);
                    self.state.slots.truncate(base);
                    value
                }
            };
        }
        let lists = &mut self.state.lists;
        let at = lists.len();
        let instance = if group.instance == NOWHERE { NONE } else { Value::from(group.instance) };
        lists.extend([Value::from(group.action), instance]);
        lists.extend(fields.iter().take(info.fields.len()).copied());
        // What only the move's `do` reads.
        if info.body.is_some() {
            lists.extend_from_slice(question.context_of(group));
            lists.extend_from_slice(&values[..roles]);
        }
        at as Value
    }

    /// The value of a role: one thing, or a new list.
    pub fn chosen_value(&mut self, question: &Question, group: &Group, role: usize, chosen: Chosen) -> Value {
        match chosen {
            Chosen::One(value) => value,
            Chosen::Set { .. } => {
                let at = self.begin_list();
                self.state.lists.extend(question.members(group, role, chosen));
                self.end_list(at)
            }
        }
    }

    /// Puts a group's context and chosen roles into fresh slots, which the caller takes away.
    pub fn fill_slots(&mut self, info: &ActionInfo, question: &Question, group: &Group, chosen: &[Chosen; MOST_ROLES]) -> usize {
        let base = self.open_slots(question.context_of(group), info.slots);
        for (role, chosen) in chosen.iter().enumerate().take(info.roles.len()) {
            let value = self.chosen_value(question, group, role, *chosen);
            self.set_slot(base, info.context + role as u16, value);
        }
        base
    }
}
