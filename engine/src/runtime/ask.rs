//! Questions: what may be answered, counted when asked and made out only when wanted.

use super::decision::{Decision, Form};
use super::event::Happening;
use super::machine::{Listener, Machine, Rules, Stop};
use super::random::{Generator, below};
use super::search::{Chosen, Search};
use super::state::{NOWHERE, Sealed};
use crate::program::MOST_ROLES;
use crate::program::{
    ActionId, ActionInfo, Address, AskAtOnceCode, AskCode, AskCodeWhat, FamilyId, FieldSource, NONE, RoleAmount, Shape, Value,
};

/// The most fields a family has.
const MOST_FIELDS: usize = 12;

/// A question and its options, in groups.
#[derive(Debug, Default)]
pub struct Question {
    pub side: usize,
    pub form: QuestionForm,
    groups: Vec<Group>,
    /// How many of the groups are in use.
    used: usize,
    pub count: u64,
    /// Moves that `must choose` obliges to.
    pub obliged: u64,
    /// For choices among things: the things.
    pub items: Vec<Value>,
    pub item_shape: Option<Shape>,
    pub least: i64,
    pub most: i64,
    /// Of several things none may be chosen, too.
    pub may_pass: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QuestionForm {
    /// Moves, offers and passing; or yes and no.
    #[default]
    Options,
    /// One of [`Question::items`].
    OneItem,
    /// Several of them.
    SomeItems,
    Number,
    YesNo,
}

/// Options that come from one action, offer or from passing.
#[derive(Debug, Default)]
pub struct Group {
    pub kind: GroupKind,
    pub action: ActionId,
    pub clause: u16,
    pub instance: u16,
    pub context: Vec<Value>,
    pub roles: usize,
    pub search: Search,
    pub count: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupKind {
    #[default]
    Pass,
    /// An action of the rules.
    Action,
    /// An action that an ability grants.
    Grant,
    /// An offer with an action that declares its targets.
    OfferWithTargets,
    Offer,
}

impl Group {
    pub fn listener(&self) -> Option<Listener> {
        matches!(self.kind, GroupKind::Offer | GroupKind::OfferWithTargets)
            .then_some(Listener { clause: self.clause, instance: self.instance })
    }
}

impl Question {
    pub fn begin(&mut self, side: usize, form: QuestionForm) {
        self.side = side;
        self.form = form;
        self.used = 0;
        self.count = 0;
        self.obliged = 0;
        self.items.clear();
        (self.least, self.most) = (1, 1);
        self.may_pass = false;
    }

    fn next_group(&mut self) -> &mut Group {
        if self.groups.len() == self.used {
            self.groups.push(Group::default());
        }
        self.used += 1;
        let group = &mut self.groups[self.used - 1];
        group.context.clear();
        group.roles = 0;
        group.search.clear();
        group
    }

    /// Drops the last group if it has no option, and counts it if it has.
    fn settle_group(&mut self, count: u64) {
        match count {
            0 => self.used -= 1,
            _ => {
                self.groups[self.used - 1].count = count;
                self.count = self.count.saturating_add(count);
            }
        }
    }

    pub fn add_pass(&mut self) {
        let group = self.next_group();
        group.kind = GroupKind::Pass;
        group.instance = NOWHERE;
        self.settle_group(1);
    }

    pub fn groups(&self) -> &[Group] {
        &self.groups[..self.used]
    }

    /// The group an option stands in, and its index there.
    pub fn locate(&self, index: u64) -> Option<(&Group, u64)> {
        let mut rest = index;
        for group in self.groups() {
            if rest < group.count {
                return Some((group, rest));
            }
            rest -= group.count;
        }
        None
    }
}

impl Machine {
    // --- putting a question ------------------------------------------------------

    /// Makes a question anew in its place.
    pub fn make_question(&mut self, index: usize, make: impl FnOnce(&mut Machine, &mut Question)) {
        let mut questions = std::mem::take(&mut self.scratch.questions);
        if questions.len() <= index {
            questions.resize_with(index + 1, Question::default);
        }
        make(self, &mut questions[index]);
        self.scratch.questions = questions;
        self.scratch.ready = true;
    }

    /// The answer to the question on top, or to one of so many put at once: from the tape of a script, or just given.
    pub fn take_answer(&mut self, count: usize) -> Option<(usize, Sealed)> {
        if self.script.is_some() {
            let answer = self.taped_answer()?;
            if !self.state.waiting {
                self.number_question(count as u64);
            }
            return Some(answer);
        }
        self.given.take()
    }

    fn number_question(&mut self, count: u64) {
        self.state.asked += count;
        self.state.waiting = true;
    }

    pub fn answered(&mut self) {
        self.state.waiting = false;
        self.scratch.ready = false;
        self.decisions.clear();
    }

    /// Waits for the answer to the first question of the scratch. Always true.
    pub fn wait_for_one(&mut self) -> bool {
        if !self.state.waiting {
            self.number_question(1);
        }
        let question = &self.scratch.questions[0];
        let decision = Decision { id: self.state.asked, ..question.decision() };
        self.decisions.clear();
        self.decisions.push(decision);
        true
    }

    /// Runs an `Ask`. True if it must wait.
    pub fn ask(&mut self, rules: Rules, base: usize, at: Address, code: &AskCode) -> bool {
        if !self.scratch.ready {
            self.make_question(0, |machine, question| machine.build(rules, base, code, question));
        }
        if self.scratch.questions[0].is_void() {
            self.answered();
            self.pass(base, at, code);
            return false;
        }
        let answer = match self.scratch.questions[0].forced() {
            Some(answer) => answer,
            None => match self.take_answer(1) {
                Some((_, answer)) => answer,
                None => return self.wait_for_one(),
            },
        };
        self.apply(rules, base, at, code, answer)
    }

    /// Goes on where nothing is chosen; of several things that is the empty list.
    fn pass(&mut self, base: usize, at: Address, code: &AskCode) {
        let several = matches!(code.what, AskCodeWhat::Among { amount: RoleAmount::Some(..), .. });
        let nothing = if several { self.push_list(&[]) } else { NONE };
        self.set_slot(base, code.slot, nothing);
        self.go_to(code.otherwise.unwrap_or(at + 1));
    }

    /// Carries out an answer. True if it must wait.
    fn apply(&mut self, rules: Rules, base: usize, at: Address, code: &AskCode, answer: Sealed) -> bool {
        let question = &self.scratch.questions[0];
        let value = match (&answer, question.form) {
            (Sealed::Option(index), QuestionForm::Options) => {
                let Some((group, _)) = question.locate(*index) else {
                    self.fault("an answer names an option that there is not");
                    return true;
                };
                match group.kind {
                    GroupKind::Pass => {
                        // `may` with nothing to choose but passing goes by in silence.
                        let silent = !code.must && question.count == 1;
                        if !silent {
                            self.announce_choice(rules, 0, *index);
                        }
                        self.answered();
                        self.pass(base, at, code);
                        return false;
                    }
                    GroupKind::Offer | GroupKind::OfferWithTargets => {
                        self.answered();
                        return self.use_offer(rules, 0, *index);
                    }
                    GroupKind::Action | GroupKind::Grant => {
                        self.announce_choice(rules, 0, *index);
                        self.choose_move(rules, 0, *index)
                    }
                }
            }
            (answer, _) => {
                self.announce_answer(rules, 0, answer);
                if self.scratch.questions[0].declines(answer) {
                    self.answered();
                    self.pass(base, at, code);
                    return false;
                }
                self.item_value(0, answer)
            }
        };
        self.answered();
        self.set_slot(base, code.slot, value);
        self.go_on(rules, at + 1);
        false
    }

    /// The value of an answer that is no move.
    fn item_value(&mut self, question: usize, answer: &Sealed) -> Value {
        let question = &self.scratch.questions[question];
        match (answer, question.form) {
            (Sealed::Number(number), _) => *number as Value,
            (Sealed::Option(index), QuestionForm::YesNo) => (*index == 0) as Value,
            (Sealed::Option(index), _) => question.items.get(*index as usize).copied().unwrap_or(NONE),
            (Sealed::Options(indices), _) => {
                let members: Vec<Value> =
                    indices.iter().filter_map(|index| question.items.get(*index as usize)).copied().collect();
                self.push_list(&members)
            }
        }
    }

    /// Puts one question to each of several, at once. True if it must wait.
    pub fn ask_at_once(&mut self, rules: Rules, base: usize, at: Address, code: &AskAtOnceCode) -> bool {
        let lists = self.state.lists.len();
        let list = self.evaluate(rules, base, &code.set);
        let members = self.state.list(list).to_vec();
        self.state.lists.truncate(lists);
        if !self.scratch.ready {
            for (index, member) in members.iter().enumerate() {
                self.set_slot(base, code.variable, *member);
                self.make_question(index, |machine, question| machine.build(rules, base, &code.ask, question));
            }
            self.scratch.ready = true;
        }
        if self.state.sealed.len() != members.len() {
            self.state.sealed = (0..members.len())
                .map(|index| {
                    let question = &self.scratch.questions[index];
                    if question.is_void() { Some(Sealed::Options(Vec::new())) } else { question.forced() }
                })
                .collect();
        }
        while self.state.sealed.iter().any(Option::is_none) {
            match self.take_answer(members.len()) {
                Some((index, answer)) => {
                    if let Some(place) = self.state.sealed.get_mut(index) {
                        *place = Some(answer);
                    }
                }
                None => return self.wait_for_all(members.len(), code.secret),
            }
        }
        let sealed = std::mem::take(&mut self.state.sealed);
        let mut values = Vec::with_capacity(members.len());
        for (index, (answer, member)) in sealed.iter().flatten().zip(&members).enumerate() {
            self.set_slot(base, code.variable, *member);
            let value = self.reveal(rules, index, members.len(), answer, code.ask.must);
            values.push(value);
        }
        self.answered();
        let list = self.push_list(&values);
        self.set_slot(base, code.ask.slot, list);
        let list = self.push_list(&members);
        self.set_slot(base, code.members, list);
        self.go_to(at + 1);
        false
    }

    /// Announces one of several answers given at once; its value.
    fn reveal(&mut self, rules: Rules, index: usize, count: usize, answer: &Sealed, must: bool) -> Value {
        let question = &self.scratch.questions[index];
        let passes = match answer {
            Sealed::Option(option) => question.locate(*option).is_some_and(|(group, _)| group.kind == GroupKind::Pass),
            _ => false,
        };
        // Who has nothing to choose from passes in silence.
        let silent = question.is_void() || passes && !must && question.count == 1;
        let (is_void, is_move) =
            (question.is_void() && question.form != QuestionForm::SomeItems, question.form == QuestionForm::Options);
        if !silent {
            let decision = self.state.asked + 1 + index as u64 - (count as u64).min(self.state.asked + 1);
            self.announce_answer_to(rules, index, answer, decision);
        }
        match answer {
            Sealed::Option(option) if is_move && !passes => self.choose_move(rules, index, *option),
            answer if !is_move && !is_void => self.item_value(index, answer),
            _ => NONE,
        }
    }

    fn wait_for_all(&mut self, count: usize, secret: bool) -> bool {
        if !self.state.waiting {
            self.number_question(count as u64);
        }
        let first = self.state.asked + 1 - count as u64;
        self.decisions.clear();
        for (index, question) in self.scratch.questions.iter().take(count).enumerate() {
            if self.state.sealed.get(index).is_some_and(Option::is_none) {
                self.decisions.push(Decision { id: first + index as u64, group: Some(first), secret, ..question.decision() });
            }
        }
        true
    }

    // --- making a question ---------------------------------------------------------

    fn build(&mut self, rules: Rules, base: usize, code: &AskCode, question: &mut Question) {
        let who = self.evaluate(rules, base, &code.who);
        let side = self.state.board.side_of(rules.program, who);
        if side == NONE {
            self.fault("no one is there to be asked");
            return;
        }
        match &code.what {
            AskCodeWhat::Families(families) => {
                question.begin(side as usize, QuestionForm::Options);
                for (family, arguments) in families {
                    let context: [Value; 8] = self.evaluate_all(rules, base, arguments);
                    self.add_actions(rules, *family, &context[..arguments.len().min(8)], question);
                }
                for (family, arguments) in families.iter().filter(|(family, _)| !rules.cast.grants[*family as usize].is_empty()) {
                    let context: [Value; 8] = self.evaluate_all(rules, base, arguments);
                    self.add_grants(rules, *family, &context[..arguments.len().min(8)], side as u16, question);
                }
                if let Some((hook, arguments)) = &code.during
                    && rules.cast.listeners[*hook as usize].first().is_some_and(|listeners| !listeners.is_empty())
                {
                    let context: [Value; 8] = self.evaluate_all(rules, base, arguments);
                    self.add_offers(rules, *hook, &context[..arguments.len().min(8)], side as u16, question);
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
                question.item_shape = Some(Shape::Number);
            }
            AskCodeWhat::Word(words) => {
                question.begin(side as usize, QuestionForm::OneItem);
                let count = rules.program.words[*words as usize].words.len();
                question.items = (0..count as Value).collect();
                question.count = count as u64;
                question.item_shape = Some(Shape::Word(*words));
            }
            AskCodeWhat::YesNo => {
                question.begin(side as usize, QuestionForm::YesNo);
                question.count = 2;
            }
        }
    }

    /// Adds the actions that the rules declare for a family.
    pub fn add_actions(&mut self, rules: Rules, family: FamilyId, context: &[Value], question: &mut Question) {
        for action in &rules.program.families[family as usize].actions {
            let info = &rules.program.actions[*action as usize];
            let group = question.next_group();
            group.kind = GroupKind::Action;
            group.action = *action;
            group.instance = NOWHERE;
            group.context.extend_from_slice(context);
            let count = self.count_group(rules, info, group);
            question.settle_group(count);
            question.obliged += count;
        }
    }

    /// Adds the actions that abilities of a side grant to a family; of all sides for `u16::MAX`.
    pub fn add_grants(&mut self, rules: Rules, family: FamilyId, context: &[Value], side: u16, question: &mut Question) {
        for grant in &rules.cast.grants[family as usize] {
            let found = &rules.cast.instances[grant.instance as usize];
            if (side != u16::MAX && found.side != side) || !self.can_use(rules, grant.instance) {
                continue;
            }
            let granted = &rules.program.abilities[found.ability as usize].grants[grant.index as usize];
            let info = &rules.program.actions[granted.action as usize];
            let mut values = context.to_vec();
            self.push_owner(rules, grant.instance, &mut values);
            let obliges = match &granted.obliges {
                Some(condition) => self.evaluate_apart(rules, condition, info.slots, &values) != 0,
                None => false,
            };
            let group = question.next_group();
            group.kind = GroupKind::Grant;
            group.action = granted.action;
            group.instance = grant.instance;
            group.context = values;
            let count = self.count_group(rules, info, group);
            question.settle_group(count);
            if obliges {
                question.obliged += count;
            }
        }
    }

    /// Adds an offer whose conditions hold, with its targets if it declares some.
    pub fn add_offer(&mut self, rules: Rules, listener: Listener, context: Vec<Value>, question: &mut Question) {
        let clause = &rules.program.clauses[listener.clause as usize];
        let group = question.next_group();
        group.clause = listener.clause;
        group.instance = listener.instance;
        group.context = context;
        let count = match clause.action {
            Some(action) => {
                group.kind = GroupKind::OfferWithTargets;
                group.action = action;
                self.count_group(rules, &rules.program.actions[action as usize], group)
            }
            None => {
                group.kind = GroupKind::Offer;
                1
            }
        };
        question.settle_group(count);
    }

    fn count_group(&mut self, rules: Rules, info: &ActionInfo, group: &mut Group) -> u64 {
        group.roles = info.roles.len();
        let base = self.state.slots.len();
        self.state.slots.extend_from_slice(&group.context);
        self.state.slots.resize(base + info.slots as usize, NONE);
        self.count_moves(rules, base, info, &mut group.search);
        self.state.slots.truncate(base);
        group.search.count
    }

    // --- chosen moves ----------------------------------------------------------------

    /// Makes the record of a chosen move: action, ability, the family's fields, context, roles.
    fn choose_move(&mut self, rules: Rules, place: usize, index: u64) -> Value {
        let questions = std::mem::take(&mut self.scratch.questions);
        let chosen =
            questions[place].locate(index).and_then(|(group, local)| Some((group, group.search.nth(local, group.roles)?)));
        let value = match chosen {
            Some((group, chosen)) => {
                if group.kind == GroupKind::Grant
                    && !rules.program.abilities[rules.cast.instances[group.instance as usize].ability as usize].uses.is_empty()
                {
                    self.charge(rules, group.instance);
                }
                self.record_move(rules, group, &chosen)
            }
            None => self.fault("an answer names an option that there is not"),
        };
        self.scratch.questions = questions;
        value
    }

    pub fn record_move(&mut self, rules: Rules, group: &Group, chosen: &[Chosen; MOST_ROLES]) -> Value {
        let info = &rules.program.actions[group.action as usize];
        let roles = info.roles.len();
        let mut values = [NONE; MOST_ROLES];
        for (role, value) in values.iter_mut().enumerate().take(roles) {
            *value = self.chosen_value(group, role, chosen[role]);
        }
        let mut fields = [NONE; MOST_FIELDS];
        for (field, source) in fields.iter_mut().zip(&info.fields) {
            *field = match source {
                FieldSource::Role(role) => values[*role],
                FieldSource::RoleAsList(role) if values[*role] == NONE => self.push_list(&[]),
                FieldSource::RoleAsList(role) => self.push_list(&[values[*role]]),
                FieldSource::EmptyList => self.push_list(&[]),
                FieldSource::Computed(expr) => {
                    let base = self.state.slots.len();
                    self.state.slots.extend_from_slice(&group.context);
                    self.state.slots.extend_from_slice(&values[..roles]);
                    self.state.slots.resize(base + info.slots as usize, NONE);
                    let value = self.evaluate(rules, base, expr);
                    self.state.slots.truncate(base);
                    value
                }
            };
        }
        let at = self.state.lists.len();
        let instance = if group.instance == NOWHERE { NONE } else { Value::from(group.instance) };
        let lists = &mut self.state.lists;
        lists.extend_from_slice(&[Value::from(group.action), instance]);
        lists.extend_from_slice(&fields[..info.fields.len().min(MOST_FIELDS)]);
        lists.extend_from_slice(&group.context);
        lists.extend_from_slice(&values[..roles]);
        at as Value
    }

    /// The value of a role: one thing, or a new list.
    fn chosen_value(&mut self, group: &Group, role: usize, chosen: Chosen) -> Value {
        match chosen {
            Chosen::One(value) => value,
            Chosen::Set { .. } => {
                let at = self.begin_list();
                self.state.lists.extend(group.search.members(role, chosen));
                self.end_list(at)
            }
        }
    }

    /// Puts a group's context and chosen roles into fresh slots, which the caller takes away.
    pub fn fill_slots(&mut self, info: &ActionInfo, group: &Group, chosen: &[Chosen; MOST_ROLES]) -> usize {
        let base = self.state.slots.len();
        self.state.slots.extend_from_slice(&group.context);
        self.state.slots.resize(base + info.slots as usize, NONE);
        for (role, chosen) in chosen.iter().enumerate().take(info.roles.len()) {
            let value = self.chosen_value(group, role, *chosen);
            self.set_slot(base, info.context + role as u16, value);
        }
        base
    }

    // --- announcing --------------------------------------------------------------------

    pub fn announce_choice(&mut self, rules: Rules, question: usize, index: u64) {
        self.announce_answer(rules, question, &Sealed::Option(index));
    }

    pub fn announce_answer(&mut self, rules: Rules, question: usize, answer: &Sealed) {
        self.announce_answer_to(rules, question, answer, self.state.asked);
    }

    fn announce_answer_to(&mut self, rules: Rules, question: usize, answer: &Sealed, decision: u64) {
        if !self.watched {
            return;
        }
        let side = self.scratch.questions[question].side;
        let (key, text) = self.describe_answer(rules, question, answer);
        let text = format!("{}: {text}", self.side_name(rules, side as Value));
        let happening = Happening::Chose { key, decision };
        self.announce(rules, "chose", happening, Some(side), Some(text));
    }
}

impl Machine {
    /// Lets the others' answers to questions put at once be any, as far as one seat knows.
    pub fn forget_picks(&mut self, rules: Rules, seat: usize, luck: &mut Generator) {
        if self.state.sealed.iter().all(Option::is_none) {
            return;
        }
        // The questions are made again, so that there is something to choose from.
        if self.script.is_some() {
            self.rewind(rules)
        } else {
            self.run(rules, 0) == Stop::Waiting
        };
        for index in 0..self.state.sealed.len() {
            let Some(question) = self.scratch.questions.get(index) else { continue };
            let known = question.side == seat || question.is_void() || question.forced().is_some();
            if known || self.state.sealed[index].is_none() {
                continue;
            }
            let pick = question.any_answer(luck);
            self.retape_answer(index, &pick);
            self.state.sealed[index] = Some(pick);
        }
    }
}

impl Question {
    /// Whether there is nothing at all to answer.
    pub fn is_void(&self) -> bool {
        self.count == 0 && !matches!(self.form, QuestionForm::Number | QuestionForm::YesNo)
    }

    /// Whether an answer chooses nothing where something could be chosen.
    fn declines(&self, answer: &Sealed) -> bool {
        match (answer, self.form) {
            (Sealed::Option(index), QuestionForm::OneItem) => self.items.get(*index as usize) == Some(&NONE),
            (Sealed::Options(indices), QuestionForm::SomeItems) => indices.is_empty() && self.may_pass,
            _ => false,
        }
    }

    /// Some legal answer.
    fn any_answer(&self, luck: &mut Generator) -> Sealed {
        let mut up_to = |most: i64| i64::from(below(luck, u32::try_from(most + 1).unwrap_or(u32::MAX)));
        match self.decision_form() {
            Form::One => Sealed::Option(up_to(self.count as i64 - 1) as u64),
            Form::Number { min, max } => Sealed::Number(min + up_to(max - min)),
            Form::Some { min, max } => {
                let wanted = min + up_to(max as i64 - min as i64) as u64;
                let mut all: Vec<u64> = (0..self.count).collect();
                while all.len() as u64 > wanted {
                    all.remove(up_to(all.len() as i64 - 1) as usize);
                }
                Sealed::Options(all)
            }
        }
    }

    /// The answer, if there is only one.
    pub fn forced(&self) -> Option<Sealed> {
        match self.form {
            QuestionForm::Options | QuestionForm::OneItem => (self.count == 1).then_some(Sealed::Option(0)),
            QuestionForm::SomeItems if self.least == self.count as i64 && !self.may_pass => {
                Some(Sealed::Options((0..self.count).collect()))
            }
            QuestionForm::Number if self.least >= self.most => Some(Sealed::Number(self.least)),
            _ => None,
        }
    }

    pub fn decision_form(&self) -> Form {
        match self.form {
            QuestionForm::Options | QuestionForm::OneItem | QuestionForm::YesNo => Form::One,
            QuestionForm::SomeItems => Form::Some { min: self.least.max(0) as u64, max: self.most.max(0) as u64 },
            QuestionForm::Number => Form::Number { min: self.least, max: self.most },
        }
    }

    /// The decision as it is put, still without its number.
    pub fn decision(&self) -> Decision {
        let (form, count) = (self.decision_form(), self.count);
        Decision { id: 0, seat: self.side, form, count, may_pass: self.may_pass, group: None, secret: false }
    }
}
