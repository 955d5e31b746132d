//! Hooks: what abilities do when a moment comes, in an order that is declared and total.
//!
//! Instead and triggers come first, by priority, then the side asked first, then the others, each ability in the order
//! of the sheet; then each side in turn is offered what its abilities may do.

use super::frames::MOST_FRAMES;
use super::limits::{FEW_MOVES, MOST_LOOKED_AT, WORK_OF_MOVE};
use super::machine::{Cast, Instance, Listener, Machine, Rules};
use super::options::chosen_value;
use super::question::{Group, Question, QuestionForm};
use super::reading::MovesOf;
use super::restriction::Restriction;
use super::state::{Frame, FrameRole, NOWHERE, Values, Window};
use crate::codes;
use crate::problem::Problem;
use crate::program::{
    Address, ClauseBody, ClauseKind, Expr, FamilyId, Formula, HookId, Instruction, NONE, OpenCode, Program, SIDE, Shape, Slot,
    Value,
};

/// The most values with modifiers, and looks for a move, that may be worked out inside each other.
const MOST_VALUES: u32 = 40;

/// Whether any ability may do something when a hook is opened.
pub fn is_heard(program: &Program, cast: &Cast, open: &OpenCode) -> bool {
    let acts = |listener: &Listener| !open.without_offers || program.clauses[listener.clause as usize].kind < ClauseKind::Offer;
    cast.listeners[open.hook as usize].first().is_some_and(|listeners| listeners.iter().any(acts))
}

/// Whether a listener may do something of its own when a hook is opened.
pub fn acts(program: &Program, open: &OpenCode, listener: &Listener) -> bool {
    match program.clauses[listener.clause as usize].kind {
        ClauseKind::Modifier => false,
        ClauseKind::Offer => !open.without_offers,
        ClauseKind::Instead | ClauseKind::Trigger => true,
    }
}

impl Machine {
    /// Opens a hook. False if no ability listens, so that nothing happens.
    pub fn open_window(&mut self, rules: Rules, base: usize, open: &OpenCode, arguments: &[Value]) -> bool {
        if !is_heard(rules.program, rules.cast, open) {
            return false;
        }
        let info = &rules.program.hooks[open.hook as usize];
        let asked_first = match (&open.first, info.params.first()) {
            (Some(first), _) => self.evaluate(rules, base, first),
            (None, Some((_, Shape::Entity(SIDE)))) => arguments.first().copied().unwrap_or(0),
            _ => 0,
        };
        let first = if (0..rules.cast.sides as Value).contains(&asked_first) { asked_first as u16 } else { 0 };
        let stand = self.meter.stand();
        if !self.is_seen() && self.state.frames.len() < MOST_FRAMES && !self.is_used_now(rules, open, arguments) {
            // Nobody does anything, but what comes is numbered as if somebody might have.
            self.state.serial += 1;
            if info.veiled && !open.without_offers {
                self.state.asked += (0..rules.cast.sides as Value).filter(|side| !self.is_out(*side)).count() as u64;
            }
            return false;
        }
        // The same is asked again where they act.
        self.meter.go_back(stand);
        let window = Window { hook: open.hook, cursor: 0, first, turn: 0, passes: 0, answer: -1, offering: false, used: false };
        let base = self.push_frame(FrameRole::Window(window), 0, info.slots);
        self.fill_first(base, arguments);
        true
    }

    /// Whether any ability may do something at a hook, as things are.
    fn is_used_now(&mut self, rules: Rules, open: &OpenCode, arguments: &[Value]) -> bool {
        let listeners = rules.cast.listeners[open.hook as usize].first().map_or(&[][..], Vec::as_slice);
        listeners.iter().any(|listener| {
            let clause = &rules.program.clauses[listener.clause as usize];
            acts(rules.program, open, listener) && self.may_happen(rules, *listener) && {
                let context = self.listener_context(rules, *listener, arguments);
                self.guards_hold(rules, &clause.guard, &context, clause.slots, listener.clause)
            }
        })
    }

    /// Takes the next step of the window on top. True if it must wait.
    pub fn window_step(&mut self, rules: Rules, window: Window) -> bool {
        if window.answer >= 0 {
            self.close_window(rules, window);
            return false;
        }
        if window.used {
            self.after_use(rules);
            return false;
        }
        if !window.offering {
            return self.hear_next(rules, window);
        }
        self.offer_next(rules, window)
    }

    fn window_mut(&mut self) -> Option<&mut Window> {
        self.state.frames.iter_mut().rev().find_map(|frame| match &mut frame.role {
            FrameRole::Window(window) => Some(window),
            _ => None,
        })
    }

    fn change_window(&mut self, change: impl FnOnce(&mut Window)) {
        if let Some(window) = self.window_mut() {
            change(window);
        }
    }

    /// An ability's answer to the innermost open hook.
    pub fn answer_word(&mut self, rules: Rules, word: &str) {
        let hook = self.window_mut().map(|window| window.hook);
        let answers = hook.map_or(&[][..], |hook| rules.program.hooks[hook as usize].answers.as_slice());
        match answers.iter().position(|answer| answer == word) {
            Some(index) => self.change_window(|window| window.answer = index as i16),
            None => {
                self.fault(&format!("`{word}` is answered, but no hook is open that takes this answer"));
            }
        }
    }

    fn opening<'a>(&self, rules: Rules<'a>) -> Option<(&'a OpenCode, Frame)> {
        let opener = self.state.frames.len().checked_sub(2).and_then(|index| self.state.frames.get(index))?;
        match rules.program.code.get(opener.at as usize) {
            Some(Instruction::Open(open)) => Some((open, *opener)),
            _ => None,
        }
    }

    fn close_window(&mut self, rules: Rules, window: Window) {
        let arm = self.opening(rules).map(|(open, _)| match usize::try_from(window.answer) {
            Ok(answer) => open.arms.get(answer).copied().unwrap_or(open.next),
            Err(_) => open.arms.last().copied().unwrap_or(open.next),
        });
        self.pop_frame(rules);
        if let Some(arm) = arm {
            self.go_to(arm);
        }
    }

    /// Runs the rules' `after each use`, if they have one.
    fn after_use(&mut self, rules: Rules) {
        self.change_window(|window| window.used = false);
        if let Some((open, opener)) = self.opening(rules)
            && let Some(block) = open.after_use
        {
            self.state.serial += 1;
            let (lists, serial) = (self.state.lists.len() as u32, self.state.serial);
            self.state.frames.push(Frame { role: FrameRole::AfterUse, at: block, base: opener.base, lists, serial });
        }
    }

    /// Lets the next trigger or instead happen whose condition holds.
    fn hear_next(&mut self, rules: Rules, window: Window) -> bool {
        let listeners = &rules.cast.listeners[window.hook as usize][window.first as usize];
        if !self.spend_on(listeners.len()) {
            return false;
        }
        for (index, listener) in listeners.iter().enumerate().skip(window.cursor as usize) {
            let clause = &rules.program.clauses[listener.clause as usize];
            if matches!(clause.kind, ClauseKind::Offer | ClauseKind::Modifier) {
                continue;
            }
            let context = self.hook_context(rules, *listener);
            if !self.may_happen(rules, *listener)
                || !self.guards_hold(rules, &clause.guard, &context, clause.slots, listener.clause)
            {
                continue;
            }
            self.change_window(|window| window.cursor = index as u16 + 1);
            self.charge_for(rules, *listener);
            return self.run_clause(rules, *listener, &context);
        }
        let without_offers = self.opening(rules).is_some_and(|(open, _)| open.without_offers);
        if without_offers {
            self.close_window(rules, window);
        } else {
            self.change_window(|window| window.offering = true);
        }
        false
    }

    /// Whether a clause is of an ability that works, and has a use left or needs none.
    #[inline(always)]
    pub(super) fn may_happen(&mut self, rules: Rules, listener: Listener) -> bool {
        self.works(rules, listener.instance)
            && (rules.program.clauses[listener.clause as usize].free || self.can_use(rules, listener.instance))
    }

    fn charge_for(&mut self, rules: Rules, listener: Listener) {
        match rules.program.clauses[listener.clause as usize].free {
            true => self.note_effect(rules, listener.instance),
            false => self.charge(rules, listener.instance),
        }
    }

    /// The parameters of the window on top, then `me` and `holder` of a listener.
    fn hook_context(&self, rules: Rules, listener: Listener) -> Values {
        let clause = &rules.program.clauses[listener.clause as usize];
        let params = rules.program.hooks[clause.hook as usize].params.len();
        let base = self.state.frames.last().map_or(0, |frame| frame.base as usize);
        self.listener_context(rules, listener, self.state.slots.get(base..base + params).unwrap_or(&[]))
    }

    /// The arguments of a hook, then `me` and `holder` of a listener.
    fn listener_context(&self, rules: Rules, listener: Listener, arguments: &[Value]) -> Values {
        let mut context = Values::from_slice(arguments);
        context.extend(self.owner_values(rules, listener.instance));
        context
    }

    /// `me` and `holder` of an ability, and what its sheet sets for it.
    #[inline]
    pub fn owner_values(&self, rules: Rules, instance: u16) -> impl Iterator<Item = Value> + use<> {
        let found = &rules.cast.instances[instance as usize];
        let (me, settings) = (self.side_of_ability(rules, instance), Some(found.settings));
        [me, Value::from(found.holder)].into_iter().chain(settings.filter(|settings| *settings != NONE))
    }

    /// The side that an ability works for now: a card may have changed hands.
    pub fn side_of_ability(&self, rules: Rules, instance: u16) -> Value {
        let found = &rules.cast.instances[instance as usize];
        match found.holder < rules.cast.first_piece {
            true => Value::from(found.side),
            false => self.state.board.side_of(rules.program, Value::from(found.holder)),
        }
    }

    /// Whether an ability works now: what it belongs to is in the game, and what the rules ask of it holds.
    #[inline(always)]
    pub fn works(&mut self, rules: Rules, instance: u16) -> bool {
        let found = &rules.cast.instances[instance as usize];
        self.is_held(rules, found) && (!found.conditional || self.conditions_hold(rules, instance))
    }

    #[inline(never)]
    fn conditions_hold(&mut self, rules: Rules, instance: u16) -> bool {
        let found = &rules.cast.instances[instance as usize];
        let conditions: &[Formula] = &rules.program.abilities[found.ability as usize].works;
        let owner = [self.side_of_ability(rules, instance), Value::from(found.holder)];
        conditions.iter().all(|condition| self.evaluate_apart(rules, &condition.expr, condition.slots, &owner) != 0)
    }

    /// Whether what an ability belongs to is still in the game.
    #[inline(always)]
    fn is_held(&self, rules: Rules, found: &Instance) -> bool {
        if found.holder < rules.cast.first_piece {
            return !self.is_out(Value::from(found.side));
        }
        self.state.board.entities.get(usize::from(found.holder)).is_some_and(|holder| holder.place != NOWHERE)
    }

    pub fn guards_hold(&mut self, rules: Rules, guards: &[Expr], context: &[Value], slots: u16, clause: u16) -> bool {
        if guards.is_empty() {
            return true;
        }
        let (base, lists) = (self.state.slots.len(), self.state.lists.len());
        self.state.slots.extend_from_slice(context);
        self.state.slots.resize(base + (slots as usize).max(context.len()), NONE);
        let holds = guards.iter().all(|guard| self.evaluate(rules, base, guard) != 0);
        self.state.slots.truncate(base);
        self.state.lists.truncate(lists);
        if let Some(coverage) = &mut self.coverage {
            coverage.guard(clause, holds);
        }
        holds
    }

    /// Starts what a clause does; `values` are its first slots. True if it must wait.
    pub fn run_clause(&mut self, rules: Rules, listener: Listener, values: &[Value]) -> bool {
        let clause = &rules.program.clauses[listener.clause as usize];
        match &clause.body {
            ClauseBody::Nothing => false,
            ClauseBody::Code(address) => self.start_code(*address, clause.slots, listener, values),
            ClauseBody::Script { plain: Some(plain), .. } if !self.is_seen() => {
                self.start_code(plain.start, clause.slots, listener, values)
            }
            ClauseBody::Script { .. } => self.start_script(rules, listener, values),
        }
    }

    fn start_code(&mut self, address: Address, slots: u16, listener: Listener, values: &[Value]) -> bool {
        let base = self.push_frame(FrameRole::Clause { instance: listener.instance }, address, slots);
        self.fill_first(base, values);
        false
    }

    /// Offers the next side what its abilities may do now.
    fn offer_next(&mut self, rules: Rules, window: Window) -> bool {
        let sides = rules.cast.sides as u16;
        let goes_round = rules.program.hooks[window.hook as usize].goes_round;
        let over = if goes_round { window.passes >= sides } else { window.turn >= sides };
        if over {
            self.close_window(rules, window);
            return false;
        }
        let side = (window.first + window.turn) % sides;
        if !self.scratch.ready {
            let base = self.state.frames.last().map_or(0, |frame| frame.base as usize);
            let params = rules.program.hooks[window.hook as usize].params.len();
            let arguments = Values::from_slice(self.state.slots.get(base..base + params).unwrap_or(&[]));
            self.make_question(0, |machine, question| {
                question.begin(side as usize, QuestionForm::Options);
                machine.add_offers(rules, window.hook, &arguments, side, question);
                question.veiled = rules.program.hooks[window.hook as usize].veiled && !machine.is_out(Value::from(side));
                question.passes_unseen = question.veiled;
                if question.count > 0 || question.veiled {
                    question.add_pass();
                }
            });
        }
        let count = self.scratch.questions[0].count;
        if count == 0 {
            self.scratch.ready = false;
            self.change_window(|window| {
                window.passes += 1;
                window.turn += 1;
            });
            return false;
        }
        let Some(answer) = self.answer_to_one() else { return self.wait_for_one() };
        let index = self.option_of(rules, 0, &answer);
        self.answered();
        if index + 1 == count {
            self.announce_choice(rules, 0, index);
            self.change_window(|window| {
                window.passes += 1;
                window.turn += 1;
            });
            return false;
        }
        self.change_window(|window| {
            window.passes = 0;
            window.used = true;
            if goes_round {
                window.turn += 1;
            }
        });
        self.use_offer(rules, 0, index)
    }

    /// Adds the offers of a side at a hook to a question.
    pub fn add_offers(&mut self, rules: Rules, hook: HookId, arguments: &[Value], side: u16, question: &mut Question) {
        let Some(listeners) = rules.cast.listeners[hook as usize].first() else { return };
        for listener in listeners {
            if !self.spend(1) {
                return;
            }
            let clause = &rules.program.clauses[listener.clause as usize];
            let is_own = || self.side_of_ability(rules, listener.instance) == Value::from(side);
            if clause.kind != ClauseKind::Offer || clause.to.is_none() && !is_own() || !self.may_happen(rules, *listener) {
                continue;
            }
            let context = self.listener_context(rules, *listener, arguments);
            if let Some(to) = &clause.to
                && self.evaluate_apart(rules, to, clause.slots, &context) != Value::from(side)
            {
                continue;
            }
            if self.guards_hold(rules, &clause.guard, &context, clause.slots, listener.clause) {
                self.add_offer(rules, *listener, context, question);
            }
        }
    }

    /// Whether a side has an ability that may still be used, if it offers something at a hook.
    pub(super) fn has_offer(&mut self, rules: Rules, hook: HookId, side: u16) -> bool {
        let listeners = rules.cast.listeners[hook as usize].first().map_or(&[][..], Vec::as_slice);
        listeners.iter().any(|listener| {
            let clause = &rules.program.clauses[listener.clause as usize];
            clause.kind == ClauseKind::Offer
                // Whom it is put to shows when the question is made.
                && (clause.to.is_some() || self.side_of_ability(rules, listener.instance) == Value::from(side))
                && self.may_happen(rules, *listener)
        })
    }

    /// Uses the offer that an option stands for. True if it must wait.
    pub fn use_offer(&mut self, rules: Rules, place: usize, index: u64) -> bool {
        self.announce_choice(rules, place, index);
        let questions = std::mem::take(&mut self.scratch.questions);
        let found = questions[place].locate(index).and_then(|(group, local)| {
            let listener = group.listener()?;
            let mut values = Values::from_slice(questions[place].context_of(group));
            let chosen = questions[place].chosen(group, local).unwrap_or_default();
            for (role, chosen) in chosen.iter().enumerate().take(group.roles) {
                values.push(chosen_value(&mut self.state.lists, &questions[place], group, role, *chosen));
            }
            Some((listener, values))
        });
        self.scratch.questions = questions;
        let Some((listener, values)) = found else { return false };
        self.charge_for(rules, listener);
        self.run_clause(rules, listener, &values)
    }

    // --- values that modifiers change ------------------------------------------------

    /// A hook's value with all modifiers applied, in order.
    #[inline(never)]
    pub fn fold(&mut self, rules: Rules, base: usize, hook: HookId, arguments: &[Expr]) -> Value {
        let info = &rules.program.hooks[hook as usize];
        let Some((_, formula)) = &info.value else { return NONE };
        if !self.go_deeper() {
            return NONE;
        }
        let mut values: Values = arguments.iter().map(|argument| self.evaluate(rules, base, argument)).collect();
        let mut value = self.evaluate_apart(rules, &formula.expr, formula.slots, &values);
        if !self.state.bearing.is_empty() {
            value = self.fold_with_marks(rules, hook, &values, value);
            self.depth -= 1;
            return value;
        }
        for listener in rules.cast.listeners[hook as usize].first().map_or(&[][..], Vec::as_slice) {
            let clause = &rules.program.clauses[listener.clause as usize];
            let Some(modified) = &clause.value else { continue };
            self.meter.add(1);
            values.truncate(info.params.len());
            values.extend(self.owner_values(rules, listener.instance));
            values.push(value);
            if self.may_happen(rules, *listener) && self.guards_hold(rules, &clause.guard, &values, clause.slots, listener.clause)
            {
                value = self.modified(rules, value, modified, clause.slots, &values, Some(listener.instance));
            }
        }
        self.depth -= 1;
        value
    }

    /// As [`Machine::fold`], with what marks do to the value: in each layer after what abilities do.
    fn fold_with_marks(&mut self, rules: Rules, hook: HookId, arguments: &[Value], mut value: Value) -> Value {
        let program = rules.program;
        if !self.spend_on(self.state.bearing.len() * 2) {
            return NONE;
        }
        let mut modifiers: Vec<(u16, Option<u16>, Values)> = Vec::new();
        for listener in rules.cast.listeners[hook as usize].first().map_or(&[][..], Vec::as_slice) {
            if program.clauses[listener.clause as usize].value.is_some() && self.may_happen(rules, *listener) {
                let owner = self.owner_values(rules, listener.instance).collect();
                modifiers.push((listener.clause, Some(listener.instance), owner));
            }
        }
        for bearing in &self.state.bearing {
            let of_mark = program.marks[bearing.mark as usize].modifiers.iter().copied();
            let here = of_mark.filter(|clause| program.clauses[*clause as usize].hook == hook);
            modifiers.extend(here.map(|clause| (clause, None, self.mark_values(rules, bearing))));
        }
        modifiers.sort_by_key(|(clause, ..)| program.clauses[*clause as usize].layer);
        for (clause, instance, owner) in modifiers {
            if !self.spend(2) {
                break;
            }
            let info = &program.clauses[clause as usize];
            let mut values = Values::from_slice(arguments);
            values.extend(owner);
            values.push(value);
            if let Some(modified) =
                info.value.as_ref().filter(|_| self.guards_hold(rules, &info.guard, &values, info.slots, clause))
            {
                value = self.modified(rules, value, modified, info.slots, &values, instance);
            }
        }
        value
    }

    /// A value as a modifier leaves it, which is an ability's or else a mark's.
    fn modified(
        &mut self,
        rules: Rules,
        value: Value,
        modified: &Expr,
        slots: u16,
        values: &[Value],
        instance: Option<u16>,
    ) -> Value {
        let after = self.evaluate_apart(rules, modified, slots, values);
        if let Some(instance) = instance.filter(|_| after != value) {
            self.note_effect(rules, instance);
        }
        after
    }

    /// Enters a value that may depend on others of its kind. False if that seems to have no end.
    fn go_deeper(&mut self) -> bool {
        if self.depth >= MOST_VALUES {
            self.fault("a value depends on itself without end");
        }
        // After a fault nothing more is worked out, so that many branches end as fast as one.
        let sound = self.fault.is_none();
        self.depth += u32::from(sound);
        sound
    }

    /// Whether a family has a move that the rules oblige to: declared, or granted and obliging.
    #[inline(never)]
    pub fn can(&mut self, rules: Rules, family: FamilyId, arguments: &[Value]) -> bool {
        self.obliging(rules, family, arguments, |_, question| question.count > 0)
    }

    /// As [`Machine::can`], for a move that fits a condition, in which it stands in a slot.
    pub fn can_such(&mut self, rules: Rules, base: usize, family: FamilyId, arguments: &[Value], fitting: (Slot, &Expr)) -> bool {
        self.obliging(rules, family, arguments, |machine, question| {
            let mut left = MOST_LOOKED_AT;
            (0..question.groups().len()).any(|place| {
                let many = question.groups()[place].count > FEW_MOVES;
                let told = if many { machine.told_to_fit(rules, base, question, place, fitting) } else { None };
                told.unwrap_or_else(|| machine.one_fits(rules, base, question, place, fitting, &mut left))
            })
        })
    }

    /// Whether a move of a group fits a condition, where that is seen without looking at each.
    pub(super) fn told_to_fit(
        &mut self,
        rules: Rules,
        base: usize,
        question: &mut Question,
        place: usize,
        (it, condition): (Slot, &Expr),
    ) -> Option<bool> {
        let group = &question.groups()[place];
        let mut evaluate = |machine: &mut Machine, part: &Expr, made: Value| {
            machine.set_slot(base, it, made);
            machine.evaluate(rules, base, part)
        };
        let reading = self.read_condition(&MovesOf { rules, question, group, it }, condition, &mut evaluate)?;
        let mut restriction = Restriction::default();
        restriction.add(reading, true);
        Some(question.narrowed(place, &restriction)?.count > 0)
    }

    /// Whether a move of a group fits a condition, looking at one after the other, of which so many are left to be looked at.
    pub(super) fn one_fits(
        &mut self,
        rules: Rules,
        base: usize,
        question: &mut Question,
        place: usize,
        (it, condition): (Slot, &Expr),
        left: &mut u64,
    ) -> bool {
        question.list(place, *left);
        let group = &question.groups()[place];
        for index in 0..group.count {
            if *left == 0 {
                self.too_many_to_fit(rules, group);
            }
            if self.fault.is_some() {
                return false;
            }
            *left -= 1;
            if !self.spend(WORK_OF_MOVE) {
                return false;
            }
            let lists = self.state.lists.len();
            let fits = question.chosen(group, index).is_some_and(|chosen| {
                let made = self.record_move(rules, question, group, &chosen);
                self.test(rules, base, it, made, condition)
            });
            self.state.lists.truncate(lists);
            if fits {
                return true;
            }
        }
        false
    }

    #[cold]
    fn too_many_to_fit(&mut self, rules: Rules, group: &Group) {
        let action = &rules.program.actions[group.action as usize].name;
        let message = format!("`{action}` has {} moves, too many to look for one that fits behind `where`", group.count);
        self.fault_with(Problem::error(codes::TOO_MANY_MOVES, message).help(
            "up to 100,000 are looked at one by one; `it is ACTION`, `it.FIELD is x` and `x in it.FIELD`, joined by `and`, are \
             told without that",
        ));
    }

    /// What shows in the moves of a family that the rules oblige to, put together as a question.
    #[inline]
    fn obliging(
        &mut self,
        rules: Rules,
        family: FamilyId,
        arguments: &[Value],
        look: impl FnOnce(&mut Machine, &mut Question) -> bool,
    ) -> bool {
        if !self.go_deeper() {
            return false;
        }
        let mut question = self.scratch.spare.pop().unwrap_or_default();
        question.begin(0, QuestionForm::Options);
        question.begin_context(arguments);
        for part in &rules.program.families[family as usize].parts {
            self.add_actions(rules, *part, true, &mut question);
        }
        for part in &rules.program.families[family as usize].parts {
            self.add_grants(rules, *part, arguments, None, &mut question);
        }
        let found = look(self, &mut question);
        self.depth -= 1;
        self.scratch.spare.push(question);
        found
    }
}
