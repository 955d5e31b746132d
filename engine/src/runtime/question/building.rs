//! Builds the question of an `ask`.
//!
//! `flow` calls this when it runs an `ask`, or opens a window. `base` is that of the slots of the frame that asks, and `code` the
//! compiled `ask`. A *family* is a set of actions from which a player chooses. *Bound values* are its arguments, which the
//! conditions of its actions read. `must` forbids passing. A *veiled* question may depend on hidden information, so that a side
//! which can only pass is asked too.

use crate::runtime::context::{Context, Listener};
use crate::runtime::decision::Form;
use crate::runtime::eval::question::{Group, GroupKind, Question, QuestionForm};
use crate::runtime::eval::search::Chosen;
use crate::runtime::limits::{FEW_MOVES, WORK_OF_MOVE};
use crate::runtime::question::Questions;
use crate::runtime::state::Values;
use ludex_program::{
    AskCode, AskCodeWhat, ClauseKind, DivideCode, Expr, FamilyId, HookId, MOST_ROLES, NONE, Program, RoleAmount, Shape, TextId,
    Value,
};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;

impl Questions {
    /// Adds the offers of a side at a hook to a question. `arguments` are those of the hook.
    pub fn add_offers(&mut self, context: &Context, hook: HookId, arguments: &[Value], side: u16, question: &mut Question) {
        for listener in context.roster.listeners_of(hook) {
            if !self.spend_work(1) {
                return;
            }
            let clause = &context.program.clauses[listener.clause as usize];
            let is_own = || self.side_of_ability(context, listener.instance) == Value::from(side);
            if clause.kind != ClauseKind::Offer || clause.to.is_none() && !is_own() || !self.can_clause_act(context, *listener) {
                continue;
            }
            // The clause reads the arguments of the hook, and then the owner of the ability.
            let bound = self.with_owner(context, listener.instance, arguments);
            if let Some(to) = &clause.to
                && self.evaluate_separately(context, to, clause.slots, &bound) != Value::from(side)
            {
                continue;
            }
            if self.guards_hold(context, &clause.guard, &bound, clause.slots, listener.clause) {
                self.add_offer(context, *listener, bound, question);
            }
        }
    }

    /// Builds the question of an `ask`, and checks its texts. A void question has no options.
    pub fn build_question(&mut self, context: &Context, base: usize, code: &AskCode, question: &mut Question) {
        self.build_as_written(context, base, code, question);
        if !context.program.checks.is_empty() && self.fault.is_none() && !question.is_void() {
            let passes = code.pass_text.filter(|_| question.offers_passing());
            for text in code.prompt.into_iter().chain(passes) {
                self.check_text(context, base, text);
            }
            self.check_options(context, question);
        }
        question.private = code.private;
        // Such a question is asked even without options, because its absence could reveal something.
        if (code.veiled || code.even_when_forced) && self.fault.is_none() && !self.is_out(question.side as Value) {
            (question.veiled, question.even_when_forced) = (code.veiled, code.even_when_forced);
            if question.is_void() {
                question.allow_only_pass();
                question.passes_unseen = code.must;
            }
        }
    }

    /// Checks the sentences of options for errors, so that they fail when the question is asked. If there are very many moves,
    /// later ones are checked only when chosen.
    pub fn check_options(&mut self, context: &Context, question: &Question) {
        for group in question.groups() {
            let Some(says) = group_text(context.program, group).filter(|says| context.program.is_checked(*says)) else {
                continue;
            };
            if group.kind == GroupKind::Offer {
                self.check_move(context, says, question, group, &Default::default());
                continue;
            }
            question.each_move(group, |index, chosen| {
                let goes_on = index < FEW_MOVES && self.spend_work(WORK_OF_MOVE);
                if goes_on {
                    self.check_move(context, says, question, group, chosen);
                }
                !goes_on || self.fault.is_some()
            });
        }
    }

    /// Like [`Questions::check_options`], for the chosen option, by its index in the question at `place`.
    pub fn check_chosen(&mut self, context: &Context, place: usize, index: u64) {
        if context.program.checks.is_empty() {
            return;
        }
        let questions = std::mem::take(&mut self.scratch.questions);
        let found = questions.get(place).and_then(|question| {
            let (group, local) = question.locate_option(index)?;
            let says = group_text(context.program, group).filter(|says| context.program.is_checked(*says))?;
            Some((question, group, says, question.move_arguments(group, local).unwrap_or_default()))
        });
        if let Some((question, group, says, chosen)) = found {
            self.check_move(context, says, question, group, &chosen);
        }
        self.scratch.questions = questions;
    }

    /// Checks the sentence `says` of a move.
    fn check_move(&mut self, context: &Context, says: TextId, question: &Question, group: &Group, chosen: &[Chosen; MOST_ROLES]) {
        let lists = self.state.lists.len();
        let base = match group.kind {
            GroupKind::Offer => {
                let slots = context.program.clauses[usize::from(group.clause)].slots;
                self.open_slots(question.context_of(group), slots)
            }
            _ => self.fill_slots(&context.program.actions[usize::from(group.action)], question, group, chosen),
        };
        self.check_text(context, base, says);
        self.state.slots.truncate(base);
        self.state.lists.truncate(lists);
    }

    /// Builds the question as the rules write it, without the care for hidden information.
    fn build_as_written(&mut self, context: &Context, base: usize, code: &AskCode, question: &mut Question) {
        let side = self.who_is_asked(context, base, code);
        if side == NONE {
            self.raise("there is no side to answer the question");
            return;
        }
        if self.is_out(side) {
            // A side that has left the game is never asked.
            question.begin_question(side as usize, QuestionForm::OneItem);
            question.may_pass = true;
            return;
        }
        match &code.what {
            AskCodeWhat::Families(families) => {
                question.begin_question(side as usize, QuestionForm::Options);
                for (family, arguments) in families {
                    let bound = self.evaluate_arguments(context, base, arguments);
                    question.begin_context(&bound);
                    self.add_actions(context, *family, false, question);
                }
                self.add_others(context, base, code, families, question);
            }
            AskCodeWhat::Among { amount, set, item } => {
                let items = self.members_now(context, base, set);
                self.meter.add_work(items.len() as u64);
                let length = items.len() as i64;
                let (form, least, most) = match amount {
                    RoleAmount::One => (QuestionForm::OneItem, 1, 1),
                    RoleAmount::OneOrNone => (QuestionForm::OneItem, 0, 1),
                    RoleAmount::Some(least, most) => {
                        let least = i64::from(self.evaluate(context, base, least));
                        let most = most.as_ref().map_or(length, |most| i64::from(self.evaluate(context, base, most)));
                        let most = most.min(length);
                        let (min, max) = (least.max(0) as u64, most.max(0) as u64);
                        (QuestionForm::Of(Form::Some { min, max }), least, most)
                    }
                };
                question.begin_question(side as usize, form);
                question.may_pass = !code.must && form != QuestionForm::OneItem && least > 0;
                question.count = if length < least || most < least { 0 } else { length as u64 };
                question.items = items;
                question.item_shape = Some(item.clone());
                if form == QuestionForm::OneItem && question.count > 0 && (!code.must || least == 0) {
                    question.items.push(NONE);
                    question.count += 1;
                }
            }
            AskCodeWhat::Number { least, most } => {
                let min = i64::from(self.evaluate(context, base, least));
                let max = i64::from(self.evaluate(context, base, most));
                question.begin_question(side as usize, QuestionForm::Of(Form::Number { min, max }));
                question.count = (max - min + 1).max(0) as u64;
                question.may_pass = !code.must;
                question.item_shape = Some(Shape::Number);
            }
            AskCodeWhat::Word(words) => {
                question.begin_question(side as usize, QuestionForm::OneItem);
                let count = context.program.words[*words as usize].words.len();
                question.items = (0..count as Value).collect();
                question.count = count as u64;
                question.item_shape = Some(Shape::Word(*words));
                if !code.must {
                    question.items.push(NONE);
                    question.count += 1;
                }
            }
            AskCodeWhat::YesNo => {
                question.begin_question(side as usize, QuestionForm::YesNo);
                question.count = 2;
            }
            AskCodeWhat::Order { set, item } => {
                question.begin_question(side as usize, QuestionForm::Of(Form::Order));
                question.set_items(self.members_now(context, base, set), item);
                question.may_pass = !code.must;
            }
            AskCodeWhat::Divide(divide) => self.ask_split(context, base, side as usize, code, divide, question),
        }
    }

    /// Asks a side to divide a total.
    fn ask_split(
        &mut self,
        context: &Context,
        base: usize,
        side: usize,
        code: &AskCode,
        divide: &DivideCode,
        question: &mut Question,
    ) {
        let total = i64::from(self.evaluate(context, base, &divide.total));
        let step = i64::from(self.evaluate(context, base, &divide.step));
        let items = self.members_now(context, base, &divide.among);
        question.begin_question(side, QuestionForm::Of(Form::Split { total, step }));
        if let Some(problem) = DivideCode::division_problem(total, step) {
            self.raise_with(problem);
            return;
        }
        question.set_items(items, &divide.item);
        question.may_pass = !code.must;
        if !code.must && total == 0 {
            // A side that could only pass is not asked.
            question.count = 0;
        }
        if code.must && code.otherwise.is_none() && total > 0 && question.count == 0 {
            let problem = Problem::error(codes::EMPTY_CHOICE, format!("there are no receivers for the {total}"));
            self.raise_with(problem.help("say after the question what happens then, with `else { … }`"));
        }
    }

    /// The current members of a list.
    fn members_now(&mut self, context: &Context, base: usize, list: &Expr) -> Vec<Value> {
        let lists = self.state.lists.len();
        let list = self.evaluate(context, base, list);
        let members = self.state.list_values(list).to_vec();
        self.state.lists.truncate(lists);
        members
    }

    /// The result of a division without a question: each receiver gets 0.
    pub fn divide_nothing(&mut self, context: &Context, base: usize, divide: &DivideCode) -> Value {
        let receivers = self.members_now(context, base, &divide.among);
        let amounts = self.push_list(&vec![0; receivers.len()]);
        let receivers = self.push_list(&receivers);
        self.set_slot(base, divide.receivers, receivers);
        amounts
    }

    /// The side that is asked, or the referee's seat.
    #[inline]
    pub fn who_is_asked(&mut self, context: &Context, base: usize, code: &AskCode) -> Value {
        match &code.who {
            Expr::Referee => context.roster.sides as Value,
            who => {
                let who = self.evaluate(context, base, who);
                if (0..context.roster.sides as Value).contains(&who) {
                    who
                } else {
                    self.state.board.side_of(context.program, who)
                }
            }
        }
    }

    /// Adds the moves and offers that abilities give a side, and passing unless a move obliges.
    pub fn add_others(
        &mut self,
        context: &Context,
        base: usize,
        code: &AskCode,
        families: &[(FamilyId, Vec<Expr>)],
        question: &mut Question,
    ) {
        let side = question.side as u16;
        for (family, arguments) in families.iter().filter(|(family, _)| !context.roster.grants[*family as usize].is_empty()) {
            let bound = self.evaluate_arguments(context, base, arguments);
            self.add_grants(context, *family, &bound, (Some(side), false), question);
        }
        if let Some((hook, arguments)) = &code.during
            && context.roster.has_listeners(*hook)
        {
            let bound = self.evaluate_arguments(context, base, arguments);
            self.add_offers(context, *hook, &bound, side, question);
        }
        if !code.must || question.obliged == 0 {
            question.add_pass();
        }
    }

    /// Adds an offer whose conditions hold, with its targets if it declares any. `bound` are the bound values of its clause.
    pub fn add_offer(&mut self, context: &Context, listener: Listener, bound: Values, question: &mut Question) {
        let clause = &context.program.clauses[listener.clause as usize];
        question.begin_context(&bound);
        let Some(action) = clause.action else {
            let (group, _) = question.next_group(GroupKind::Offer);
            (group.clause, group.instance) = (listener.clause, listener.instance);
            question.settle_group(1);
            return;
        };
        let info = &context.program.actions[action as usize];
        let base = self.open_slots(question.bound_values(), info.slots);
        let (group, gathered) = question.next_group(GroupKind::OfferWithTargets);
        (group.clause, group.instance, group.action) = (listener.clause, listener.instance, action);
        let count = self.count_group(context, base, info, group, gathered);
        question.settle_group(count);
    }

    /// Builds the question at an index again in its place. Its memory is reused.
    pub fn make_question(&mut self, index: usize, make: impl FnOnce(&mut Questions, &mut Question)) {
        let mut questions = std::mem::take(&mut self.scratch.questions);
        if questions.len() <= index {
            questions.resize_with(index + 1, Question::default);
        }
        self.memory.invalidate_values();
        make(self, &mut questions[index]);
        self.scratch.questions = questions;
        self.scratch.ready = true;
    }
}

/// The sentence of the options of a group, if the rules give one.
fn group_text(program: &Program, group: &Group) -> Option<TextId> {
    match group.kind {
        GroupKind::Pass => None,
        GroupKind::Offer => program.clauses[usize::from(group.clause)].says,
        GroupKind::Action | GroupKind::Grant | GroupKind::OfferWithTargets => program.actions[usize::from(group.action)].says,
    }
}
