//! Hooks: abilities act at a moment of play, in an order that is declared and total.
//! Instead clauses come first, then triggers; each of these by priority, then by side from the side asked first on, and each
//! ability in the order of the sheet. Then each side in turn is offered its abilities.
//!
//! A *window* is an open hook: a frame that runs the clauses one after another and then asks the sides. A *listener* is a clause of
//! an ability in play at the hook. The *opener* is the frame below the window, which stays at its `open` until the window closes. A
//! hook is *veiled* if its offers may depend on hidden information; each side then counts as asked, so that nobody learns who had
//! an offer. *Meetings* are records of hooks, kept only to compare orders.

use crate::runtime::context::{Listener, Roster};
use crate::runtime::eval::legal::chosen_value;
use crate::runtime::eval::question::QuestionForm;
use crate::runtime::flow::frames::MOST_FRAMES;
use crate::runtime::flow::{Machine, PlayContext};
use crate::runtime::meetings::{ClauseUse, Meetings};
use crate::runtime::state::{Frame, FrameRole, State, Values, Window};
use ludex_program::{Address, ClauseBody, ClauseKind, HookId, Instruction, OpenCode, Program, SIDE, Shape, Value};

/// The result of checking a hook that is about to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookCheck {
    /// No ability acts in the current state.
    Idle,
    /// Some ability may act.
    Used,
    /// It was not checked: the game is seen, the listeners were not determined beforehand, or no frame is left.
    Unresolved,
}

/// Whether any ability may act when a hook is opened. Offers do not count at a hook whose offers are made by the next question
/// instead (`without_offers`).
pub fn is_heard(program: &Program, roster: &Roster, open: &OpenCode) -> bool {
    let acts = |listener: &Listener| !open.without_offers || program.clauses[listener.clause as usize].kind < ClauseKind::Offer;
    roster.listeners_of(open.hook).iter().any(acts)
}

/// Whether a listener may act when a hook is opened.
pub fn can_listener_act(program: &Program, open: &OpenCode, listener: &Listener) -> bool {
    match program.clauses[listener.clause as usize].kind {
        ClauseKind::Modifier => false,
        ClauseKind::Offer => !open.without_offers,
        ClauseKind::Instead | ClauseKind::Trigger => true,
    }
}

/// Whether no clause of a hook takes effect by itself.
fn only_offers(program: &Program, roster: &Roster, hook: HookId) -> bool {
    roster.listeners_of(hook).iter().all(|listener| program.clauses[listener.clause as usize].kind >= ClauseKind::Offer)
}

impl Machine {
    /// Opens a hook as a window on top of the frames. `base` is the base of the opener's slots, `arguments` are the hook's
    /// parameters, and `moment` is the result of the check before, which is never [`HookCheck::Idle`]. False if no ability acts
    /// there, so that play continues after it.
    #[inline(never)]
    pub(super) fn open_window(
        &mut self,
        context: &PlayContext,
        base: usize,
        open: &OpenCode,
        arguments: &[Value],
        moment: HookCheck,
    ) -> bool {
        if moment != HookCheck::Used && !is_heard(context.program, context.roster, open) {
            return false;
        }
        let info = &context.program.hooks[open.hook as usize];
        let asked_first = match (&open.first, info.params.first()) {
            (Some(first), _) => self.evaluate(context, base, first),
            (None, Some((_, Shape::Entity(SIDE)))) => arguments.first().copied().unwrap_or(0),
            _ => 0,
        };
        let first = if (0..context.roster.sides as Value).contains(&asked_first) { asked_first as u16 } else { 0 };
        let stand = self.meter.work_so_far();
        // A seen game always opens the window, and a window beyond the limit of frames must fail in every game.
        let may_be_idle = moment == HookCheck::Unresolved && !self.is_seen() && self.state.frames.len() < MOST_FRAMES;
        if may_be_idle && !self.may_be_used_now(context, open, arguments) {
            // No ability acts, but serials and questions are counted as if one might have: numbers must be the same in a seen
            // game, and must not depend on hidden conditions.
            self.state.serial += 1;
            if info.veiled && !open.without_offers {
                self.state.asked += (0..context.roster.sides as Value).filter(|side| !self.is_out(*side)).count() as u64;
            }
            return false;
        }
        // The conditions are evaluated again in the window.
        self.meter.restore_work(stand);
        let offering = !open.without_offers && self.meetings.is_none() && only_offers(context.program, context.roster, open.hook);
        let window = Window { hook: open.hook, cursor: 0, first, turn: 0, passes: 0, answer: -1, offering, used: false };
        // The window has the hook's parameters in its first slots.
        let base = self.push_frame(FrameRole::Window(window), 0, info.slots);
        self.fill_first(base, arguments);
        if self.meetings.is_some() {
            self.record_meeting(context, open, first, arguments);
        }
        true
    }

    /// Records the clauses that can take effect by themselves at a hook that has just been opened.
    #[cold]
    fn record_meeting(&mut self, context: &PlayContext, open: &OpenCode, first: u16, arguments: &[Value]) {
        let mut able = Vec::new();
        for listener in &context.roster.listeners[open.hook as usize][first as usize] {
            let by_itself = context.program.clauses[listener.clause as usize].kind < ClauseKind::Offer;
            if by_itself && self.can_act_now(context, *listener, arguments) {
                able.push(ClauseUse { clause: listener.clause, instance: listener.instance });
            }
        }
        self.update_meetings(|meetings, state| meetings.record_opening(state, open.hook, able));
    }

    /// Records that a clause begins at the hook of the top window.
    #[cold]
    fn record_clause_start(&mut self, listener: Listener) {
        self.update_meetings(|meetings, state| {
            meetings.record_clause(state, ClauseUse { clause: listener.clause, instance: listener.instance })
        });
    }

    /// Records effects of abilities at hooks, if they are recorded.
    pub fn update_meetings(&mut self, note: impl FnOnce(&mut Meetings, &mut State)) {
        if let Some(mut meetings) = self.meetings.take() {
            note(&mut meetings, &mut self.state);
            self.meetings = Some(meetings);
        }
    }

    /// Whether any ability may act at a hook in the current state. True also if a condition fails; the fault is then reported in
    /// its turn.
    fn may_be_used_now(&mut self, context: &PlayContext, open: &OpenCode, arguments: &[Value]) -> bool {
        let listeners = context.roster.listeners_of(open.hook);
        let mut acting = listeners.iter().filter(|listener| can_listener_act(context.program, open, listener));
        let is_used = acting.any(|listener| self.can_act_now(context, *listener, arguments));
        self.fault.take().is_some() || is_used
    }

    /// Whether a listener may act in the current state.
    fn can_act_now(&mut self, context: &PlayContext, listener: Listener, arguments: &[Value]) -> bool {
        let clause = &context.program.clauses[listener.clause as usize];
        self.can_clause_act(context, listener) && {
            let bound = self.with_owner(context, listener.instance, arguments);
            self.guards_hold(context, &clause.guard, &bound, clause.slots, listener.clause)
        }
    }

    /// Takes the next step of the top window. True if it must wait.
    pub fn window_step(&mut self, context: &PlayContext, window: Window) -> bool {
        if window.answer >= 0 {
            self.close_window(context, window);
            return false;
        }
        if window.used {
            self.run_after_use(context);
            return false;
        }
        if !window.offering {
            return self.run_next_clause(context, window);
        }
        self.offer_next(context, window)
    }

    /// The innermost window, which need not be in the top frame: a clause above it may answer.
    fn window_mut(&mut self) -> Option<&mut Window> {
        self.state.frames.iter_mut().rev().find_map(|frame| match &mut frame.role {
            FrameRole::Window(window) => Some(window),
            _ => None,
        })
    }

    /// Changes the innermost window.
    fn change_window(&mut self, change: impl FnOnce(&mut Window)) {
        if let Some(window) = self.window_mut() {
            change(window);
        }
    }

    /// Stores an ability's answer to the innermost open hook. The window closes when its frame is on top again.
    pub fn answer_word(&mut self, context: &PlayContext, word: &str) {
        let hook = self.window_mut().map(|window| window.hook);
        let answers = hook.map_or(&[][..], |hook| context.program.hooks[hook as usize].answers.as_slice());
        match answers.iter().position(|answer| answer == word) {
            Some(index) => self.change_window(|window| window.answer = index as i16),
            None => {
                self.raise(&format!("an ability answers `{word}`, but no open hook takes this answer"));
            }
        }
    }

    /// The `open` instruction of the top window, and the frame that runs it.
    fn find_opener<'a>(&self, context: &'a PlayContext<'a>) -> Option<(&'a OpenCode, Frame)> {
        let opener = self.state.frames.len().checked_sub(2).and_then(|index| self.state.frames.get(index))?;
        match context.program.code.get(opener.at as usize) {
            Some(Instruction::Open(open)) => Some((open, *opener)),
            _ => None,
        }
    }

    /// Ends the top window. Its opener continues at the arm of the answer, or at the last arm if there is none.
    fn close_window(&mut self, context: &PlayContext, window: Window) {
        let arm = self.find_opener(context).map(|(open, _)| match usize::try_from(window.answer) {
            Ok(answer) => open.arms.get(answer).copied().unwrap_or(open.next),
            Err(_) => open.arms.last().copied().unwrap_or(open.next),
        });
        self.update_meetings(|meetings, state| meetings.record_closing(state, window.answer));
        self.pop_frame(context);
        if let Some(arm) = arm {
            self.go_to(arm);
        }
    }

    /// Runs the rules' `after each use`, if they have one.
    fn run_after_use(&mut self, context: &PlayContext) {
        self.change_window(|window| window.used = false);
        if let Some((open, opener)) = self.find_opener(context)
            && let Some(block) = open.after_use
        {
            self.state.serial += 1;
            let (lists, serial) = (self.state.lists.len() as u32, self.state.serial);
            self.state.frames.push(Frame { role: FrameRole::AfterUse, at: block, base: opener.base, lists, serial });
        }
    }

    /// Runs the next trigger or instead clause whose condition holds.
    fn run_next_clause(&mut self, context: &PlayContext, window: Window) -> bool {
        // A session that compares orders may have its own list of clauses for this hook.
        let given = self.meetings.as_ref().and_then(|meetings| meetings.allowed_clauses());
        let given = given.map(|uses| uses.iter().map(Listener::from).collect::<Vec<Listener>>());
        let listeners = match &given {
            Some(given) => given,
            None => &context.roster.listeners[window.hook as usize][window.first as usize],
        };
        if !self.spend_on(listeners.len()) {
            return false;
        }
        for (index, listener) in listeners.iter().enumerate().skip(window.cursor as usize) {
            let clause = &context.program.clauses[listener.clause as usize];
            if matches!(clause.kind, ClauseKind::Offer | ClauseKind::Modifier) {
                continue;
            }
            let bound = self.hook_context(context, *listener);
            // Taint follows the conditions of a clause, whether it runs or not.
            self.track_clause(context, *listener, &bound);
            if !self.can_clause_act(context, *listener)
                || !self.guards_hold(context, &clause.guard, &bound, clause.slots, listener.clause)
            {
                continue;
            }
            self.change_window(|window| window.cursor = index as u16 + 1);
            if self.meetings.is_some() {
                self.record_clause_start(*listener);
            }
            self.charge_clause_use(context, *listener);
            return self.run_clause(context, *listener, &bound);
        }
        let without_offers = self.find_opener(context).is_some_and(|(open, _)| open.without_offers);
        if without_offers {
            self.close_window(context, window);
        } else {
            let first = self.meetings.as_ref().and_then(|meetings| meetings.first_offer_side());
            self.change_window(|window| (window.offering, window.first) = (true, first.unwrap_or(window.first)));
        }
        false
    }

    /// Counts a use of the listener's ability, unless the clause is free: then only its effect is counted.
    fn charge_clause_use(&mut self, context: &PlayContext, listener: Listener) {
        match context.program.clauses[listener.clause as usize].free {
            true => self.count_effect(context, listener.instance),
            false => self.charge_use(context, listener.instance),
        }
    }

    /// Starts the body of a clause; `values` are its first slots. True if it must wait.
    pub fn run_clause(&mut self, context: &PlayContext, listener: Listener, values: &[Value]) -> bool {
        let clause = &context.program.clauses[listener.clause as usize];
        match &clause.body {
            ClauseBody::Nothing | ClauseBody::Script { .. } => false,
            ClauseBody::Code(address) => self.start_code(*address, clause.slots, listener, values),
        }
    }

    /// Opens the frame of a clause at an address. Always returns false: the machine runs it next.
    fn start_code(&mut self, address: Address, slots: u16, listener: Listener, values: &[Value]) -> bool {
        let base = self.push_frame(FrameRole::Clause { instance: listener.instance }, address, slots);
        self.fill_first(base, values);
        self.taint_hook_parameters();
        false
    }

    /// The side to ask next, skipping those without an ability that has an offer; `None` if all have been asked. At a veiled hook
    /// no side is skipped. `window` is the top one, and is stored again as it is then.
    fn find_next_asked(&mut self, context: &PlayContext, mut window: Window) -> Option<u16> {
        let sides = context.roster.sides as u16;
        let hook = &context.program.hooks[window.hook as usize];
        loop {
            let over = if hook.goes_round { window.passes >= sides } else { window.turn >= sides };
            if over {
                return None;
            }
            let side = (window.first + window.turn) % sides;
            if self.scratch.ready || hook.veiled || self.has_offering_ability(context, window.hook, side) {
                self.change_window(|open| *open = window);
                return Some(side);
            }
            window.passes += 1;
            window.turn += 1;
        }
    }

    /// Offers the next side its abilities, and carries out its answer. True if it must wait.
    fn offer_next(&mut self, context: &PlayContext, window: Window) -> bool {
        let Some(side) = self.find_next_asked(context, window) else {
            self.close_window(context, window);
            return false;
        };
        let hook = &context.program.hooks[window.hook as usize];
        let goes_round = hook.goes_round;
        if !self.scratch.ready {
            let base = self.state.frames.last().map_or(0, |frame| frame.base as usize);
            let params = hook.params.len();
            let arguments = Values::from_slice(self.state.slots.get(base..base + params).unwrap_or(&[]));
            self.make_question(0, |machine, question| {
                question.begin_question(side as usize, QuestionForm::Options);
                machine.add_offers(context, window.hook, &arguments, side, question);
                question.veiled = hook.veiled && !machine.is_out(Value::from(side));
                question.passes_unseen = question.veiled;
                if question.count > 0 {
                    if let Some(prompt) = hook.prompt {
                        machine.check_text(context, base, prompt);
                    }
                    machine.check_options(context, question);
                }
                if question.count > 0 || question.veiled {
                    question.add_pass();
                }
            });
            if self.fault.is_some() {
                return true;
            }
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
        let Some(answer) = self.take_answer() else { return self.wait_for_answer() };
        let index = self.option_index(context, 0, &answer);
        self.finish_answer();
        // The last option is to pass.
        if index + 1 == count {
            self.announce_choice(context, 0, index);
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
        self.use_offer(context, 0, index)
    }

    /// Uses the offer of an option, at a hook or in a question that contains offers. `place` is the index of the question, and
    /// `index` that of the option. True if it must wait.
    pub fn use_offer(&mut self, context: &PlayContext, place: usize, index: u64) -> bool {
        self.check_chosen(context, place, index);
        self.announce_choice(context, place, index);
        let questions = std::mem::take(&mut self.scratch.questions);
        let found = questions[place].locate_option(index).and_then(|(group, local)| {
            let listener = group.offer_listener()?;
            let mut values = Values::from_slice(questions[place].context_of(group));
            let chosen = questions[place].move_arguments(group, local).unwrap_or_default();
            for (role, chosen) in chosen.iter().enumerate().take(group.roles) {
                values.push(chosen_value(&mut self.state.lists, &questions[place], group, role, *chosen));
            }
            Some((listener, values))
        });
        self.scratch.questions = questions;
        let Some((listener, values)) = found else { return false };
        let in_window = matches!(self.state.frames.last().map(|frame| frame.role), Some(FrameRole::Window(_)));
        if in_window && self.meetings.is_some() {
            self.record_clause_start(listener);
        }
        self.charge_clause_use(context, listener);
        self.run_clause(context, listener, &values)
    }
}
