//! The steps of the machine: one for each instruction.
//!
//! A *slot* is a cell for a value of the running frame; the first is at `base`. Lists and records of moves are stored in an arena
//! (`State::lists`) that grows at its end; it is cut back to its former length as soon as they are no longer needed. `SEEN` is
//! whether the game is watched, inspected or covered; if not, texts, events and some instructions are skipped. Arguments named like
//! an operand (`naming`, `bottom`, `tidy`) are described at [`Instruction`].

use crate::runtime::decision::no_options_text;
use crate::runtime::event::Audience;
use crate::runtime::flow::window::HookCheck;
use crate::runtime::flow::{Machine, PlayContext};
use crate::runtime::payoff::Payoff;
use crate::runtime::state::{Finish, NO_SLOT};
use ludex_program::{
    Address, Expr, FinishCode, FreedLists, Instruction, NONE, Naming, OpenCode, PayoffCode, Slot, TextId, Value, WantedAmount,
    Winners,
};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;

/// The continuation after a rare instruction.
enum Continuation {
    /// At an address of the same frame.
    To(Address),
    /// The frames, or their addresses, have changed.
    Frames,
    /// Play must wait.
    Wait,
}

impl Machine {
    /// Runs the top frame, and the procedures that it calls or returns to, until frames change otherwise, play must wait (then
    /// true), or play cannot go on.
    ///
    /// Frequent instructions are handled inside this function. Rare ones have their own functions, so that they do not slow it
    /// down. `at` and `base` are those of the top frame; see [`Machine::run`] for `floor`.
    #[inline(always)]
    pub(super) fn run_frame<const SEEN: bool>(
        &mut self,
        context: &PlayContext,
        mut at: Address,
        mut base: usize,
        floor: usize,
    ) -> bool {
        loop {
            let Some(step) = context.code.get(at as usize) else {
                self.raise("play runs past the end of the rules");
                return false;
            };
            self.memory.invalidate_values();
            if !self.spend_work(u64::from(step.work)) {
                self.set_address(at);
                return false;
            }
            let (instruction, mut next) = match (SEEN, context.program.code.get(at as usize)) {
                (true, Some(instruction)) => (instruction, at + 1),
                _ => (&step.instruction, step.next),
            };
            if SEEN {
                self.set_address(at);
                if let Some(coverage) = &mut self.coverage {
                    coverage.record_statement(at);
                }
                if self.taints.is_some() {
                    self.track_instruction(context, base, at, instruction);
                }
            }
            match instruction {
                Instruction::Let { slot, value, list } => self.run_let(context, base, *slot, value, *list),
                Instruction::JumpUnless { condition, to } => {
                    let holds = self.decide_branch(context, base, condition);
                    if SEEN && let Some(coverage) = &mut self.coverage {
                        coverage.record_condition(at, holds);
                    }
                    if !holds {
                        next = *to;
                    }
                }
                Instruction::Jump(to) => next = *to,
                Instruction::EachBegin { list, slot } => self.begin_each(context, base, list, *slot),
                Instruction::EachNext { slot, variable, end, tidy } => {
                    if !self.advance_to_member(base, *slot, *variable, tidy) {
                        next = *end;
                    }
                }
                Instruction::RepeatBegin { slot } => {
                    let length = self.state.lists.len() as Value;
                    self.set_slot(base, *slot, 0);
                    self.set_slot(base, slot + 1, length);
                }
                Instruction::RepeatNext { slot, most, end, tidy } => {
                    if !self.count_round(context, base, *slot, most, tidy) {
                        next = *end;
                    }
                }
                Instruction::Call { procedure, arguments, result } => {
                    (at, base) = self.call_procedure(context, (at, base), *procedure, arguments, result.unwrap_or(NO_SLOT));
                    if self.fault.is_some() {
                        return false;
                    }
                    if SEEN {
                        self.taint_parameters();
                    }
                    continue;
                }
                Instruction::Return { value } => {
                    match value {
                        None => self.return_nothing(context),
                        Some(value) => {
                            let value = self.evaluate(context, base, value);
                            if self.fault.is_some() {
                                self.set_address(at);
                                return false;
                            }
                            self.return_value(context, value);
                        }
                    }
                    match self.state.frames.last() {
                        Some(frame) if self.state.frames.len() > floor && frame.runs_instructions() && self.fault.is_none() => {
                            (at, base) = (frame.at, frame.base as usize);
                            continue;
                        }
                        _ => return false,
                    }
                }
                Instruction::SetList { of, field, value, naming } => self.set_list(context, base, of, *field, value, naming),
                Instruction::Set { of, field, value, naming } => self.run_set::<SEEN>(context, base, of, *field, value, naming),
                Instruction::MoveOne { piece, to, bottom, naming } => {
                    self.move_one::<SEEN>(context, base, piece, to, *bottom, naming);
                }
                Instruction::Ask(ask) => {
                    // After an offer is used, the same question is asked again.
                    self.set_address(at);
                    if !SEEN
                        && let Some(fast) = &step.fast
                        && let Some(waits) = self.ask_fast(context, base, at, next, ask, fast)
                    {
                        return waits;
                    }
                    return self.run_ask(context, base, at, ask);
                }
                Instruction::Move { what, to, bottom, naming } => self.move_all::<SEEN>(context, base, what, to, *bottom, naming),
                Instruction::Open(open) => {
                    let moment = match SEEN {
                        true => HookCheck::Unresolved,
                        false => self.check_listeners(context, base, step.resolved_listeners.as_deref()),
                    };
                    // A hook at which no ability acts has no answer, so play goes on at the last arm.
                    if moment != HookCheck::Idle && self.open_hook(context, base, at, open, moment) {
                        if SEEN {
                            self.taint_parameters();
                        }
                        return false;
                    }
                    next = open.arms.last().copied().unwrap_or(open.next);
                }
                Instruction::Roll { what, reason } => {
                    if self.roll_list(context, base, what, *reason) {
                        self.set_address(at);
                        return true;
                    }
                }
                other => {
                    self.set_address(at);
                    match self.run_rare_instruction(context, at, next, base, other) {
                        Continuation::To(after) => next = after,
                        Continuation::Frames => return false,
                        Continuation::Wait => return true,
                    }
                }
            }
            // After a fault play stays at the place that the fault reports.
            if self.fault.is_some() {
                self.set_address(at);
                return false;
            }
            at = next;
        }
    }

    /// Puts a value into a slot. `list`: the value is a list or a move.
    #[inline(never)]
    fn run_let(&mut self, context: &PlayContext, base: usize, slot: Slot, value: &Expr, list: bool) {
        let lists = self.state.lists.len();
        let value = self.evaluate(context, base, value);
        self.set_slot(base, slot, value);
        // A list result must stay in the arena.
        if !list {
            self.state.lists.truncate(lists);
        }
    }

    /// Whether a condition holds. Lists that it makes are freed.
    #[inline(always)]
    fn decide_branch(&mut self, context: &PlayContext, base: usize, condition: &Expr) -> bool {
        let lists = self.state.lists.len();
        let holds = self.evaluate_condition(context, base, condition);
        self.state.lists.truncate(lists);
        holds
    }

    /// Sets a field of a thing. In an unwatched game there is no event, but its text may still fail.
    #[inline(always)]
    fn run_set<const SEEN: bool>(
        &mut self,
        context: &PlayContext,
        base: usize,
        of: &Expr,
        field: u16,
        value: &Expr,
        naming: &Naming,
    ) {
        let lists = self.state.lists.len();
        let of = self.evaluate(context, base, of);
        let value = self.evaluate_inline(context, base, value);
        if SEEN {
            self.set_field(context, base, of, field, value, naming);
        } else if self.spend_on_changes(1) && self.change_field(context, of, field, value) {
            self.forget_if_value_set(context, of, field);
            self.check_naming(context, base, naming);
        }
        self.state.lists.truncate(lists);
    }

    /// Sets a field that is a list. Its members are copied, because the arena may change.
    #[inline(never)]
    fn set_list(&mut self, context: &PlayContext, base: usize, of: &Expr, field: u16, value: &Expr, naming: &Naming) {
        let lists = self.state.lists.len();
        let of = self.evaluate(context, base, of);
        let value = self.evaluate(context, base, value);
        let members = self.state.list_values(value).to_vec();
        if self.fault.is_none() {
            self.set_list_field(context, base, of, field, &members, naming);
        }
        self.state.lists.truncate(lists);
    }

    /// Moves one piece to a zone, or nothing if it is none.
    #[inline(always)]
    fn move_one<const SEEN: bool>(
        &mut self,
        context: &PlayContext,
        base: usize,
        piece: &Expr,
        to: &Expr,
        bottom: bool,
        naming: &Naming,
    ) {
        let lists = self.state.lists.len();
        let piece = self.evaluate_inline(context, base, piece);
        if piece != NONE {
            let to = self.evaluate_inline(context, base, to);
            self.move_piece::<SEEN>(context, base, piece, to, bottom, naming);
        }
        self.state.lists.truncate(lists);
    }

    /// Moves the pieces of a list to one zone, in bulk if that is possible.
    #[inline(never)]
    fn move_all<const SEEN: bool>(
        &mut self,
        context: &PlayContext,
        base: usize,
        what: &Expr,
        to: &Expr,
        bottom: bool,
        naming: &Naming,
    ) {
        let lists = self.state.lists.len();
        let is_moved = match what {
            Expr::ZoneList(zone) if !SEEN && !bottom => self.pour_zone(context, base, zone, to, naming),
            _ => false,
        };
        if !is_moved {
            let list = self.evaluate_inline(context, base, what);
            if !self.state.list_values(list).is_empty() {
                self.move_list::<SEEN>(context, base, list, to, bottom, naming);
            }
        }
        self.state.lists.truncate(lists);
    }

    /// Rolls the dice of a list. True if results must be waited for; the instruction then starts again when they have come.
    #[inline(always)]
    fn roll_list(&mut self, context: &PlayContext, base: usize, what: &Expr, reason: Option<TextId>) -> bool {
        let lists = self.state.lists.len();
        let list = self.evaluate_inline(context, base, what);
        let waits = self.roll_dice(context, base, list, reason);
        self.state.lists.truncate(lists);
        waits
    }

    /// Begins a loop over a list. Three slots from `slot` on hold the list, the index of the next member, and the length of the
    /// arena.
    #[inline(never)]
    fn begin_each(&mut self, context: &PlayContext, base: usize, list: &Expr, slot: Slot) {
        let list = self.evaluate(context, base, list);
        self.set_slot(base, slot, list);
        let length = self.state.lists.len() as Value;
        self.set_slot(base, slot + 1, 0);
        self.set_slot(base, slot + 2, length);
    }

    /// Puts the next member of a list into the loop's slot, if there is one. `slot` is the first of the three slots of
    /// `begin_each`, and `variable` the loop's. False after the last member.
    #[inline(always)]
    fn advance_to_member(&mut self, base: usize, slot: Slot, variable: Slot, tidy: &FreedLists) -> bool {
        let start = base + usize::from(slot);
        let Some(&[list, index, length]) = self.state.slots.get(start..start + 3) else { return false };
        self.free_round_lists(base, length, tidy);
        let Some(member) = self.state.list_values(list).get(index as usize).copied() else { return false };
        self.set_slot(base, variable, member);
        self.set_slot(base, slot + 1, index + 1);
        true
    }

    /// Counts a round of a loop, and returns whether it is within the limit. `slot` holds the number of rounds, and the next slot
    /// the length of the arena.
    #[inline(always)]
    fn count_round(&mut self, context: &PlayContext, base: usize, slot: Slot, most: &Expr, tidy: &FreedLists) -> bool {
        let (round, length) = (self.read_slot(base, slot), self.read_slot(base, slot + 1));
        self.free_round_lists(base, length, tidy);
        let most = self.evaluate(context, base, most);
        self.set_slot(base, slot, round + 1);
        round < most
    }

    /// Opens a hook, and returns whether any ability may act there. `moment` is the result of the check before.
    #[inline(never)]
    fn open_hook(&mut self, context: &PlayContext, base: usize, at: Address, open: &OpenCode, moment: HookCheck) -> bool {
        self.set_address(at);
        let lists = self.state.lists.len();
        let arguments = self.evaluate_arguments(context, base, &open.arguments);
        if self.fault.is_some() {
            return false;
        }
        let opens = self.open_window(context, base, open, &arguments, moment);
        if !opens {
            self.state.lists.truncate(lists);
        }
        opens
    }

    /// Runs a rare instruction. `next` is the address to go on at, where instructions that do nothing have been skipped.
    #[inline(never)]
    fn run_rare_instruction(
        &mut self,
        context: &PlayContext,
        at: Address,
        next: Address,
        base: usize,
        instruction: &Instruction,
    ) -> Continuation {
        let lists = self.state.lists.len();
        match instruction {
            Instruction::Stop { procedure } => self.stop_procedure(context, *procedure),
            Instruction::AskAtOnce(code) => {
                return if self.ask_at_once(context, base, at, code) { Continuation::Wait } else { Continuation::Frames };
            }
            Instruction::DoMove { value } => {
                // Not at `next`: the instruction before the caller's address counts as the place of the call.
                self.go_to(at + 1);
                let chosen = self.evaluate(context, base, value);
                let frames = self.state.frames.len();
                self.start_move_body(context, chosen);
                if self.state.frames.len() > frames {
                    self.taint_move_parameters();
                }
            }
            Instruction::Answer { word } => {
                self.go_to(next);
                self.answer_word(context, &context.program.answers[*word as usize]);
            }
            Instruction::Finish(code) => self.end_match(context, base, code),
            Instruction::RollPool { count, size, reason, slot } => {
                let (count, size) = (self.evaluate(context, base, count), self.evaluate(context, base, size));
                self.state.lists.truncate(lists);
                let Some(list) = self.roll_pool(context, base, count, size, *reason) else { return Continuation::Wait };
                self.set_slot(base, *slot, list);
                return Continuation::To(next);
            }
            Instruction::Draw { count, from, reason, one, slot } => {
                let count = self.evaluate(context, base, count);
                let list = self.evaluate(context, base, from);
                let members = self.state.list_values(list).to_vec();
                self.state.lists.truncate(lists);
                if !self.spend_on(members.len()) {
                    return Continuation::Frames;
                }
                let Some(drawn) = self.draw_members(context, base, count, members, *reason) else { return Continuation::Wait };
                let value = if *one { drawn.first().copied().unwrap_or(NONE) } else { self.push_list(&drawn) };
                self.set_slot(base, *slot, value);
                return Continuation::To(next);
            }
            Instruction::CapReached => {
                let message = "a loop reached its cap, and the rules do not say what happens then";
                self.raise_with(
                    Problem::error(codes::CAP_REACHED, message).help("add `otherwise { … }` after the loop, or raise the cap"),
                );
            }
            Instruction::NothingToChoose { prompt, wanted } => {
                if let Some(prompt) = prompt {
                    self.check_text(context, base, *prompt);
                }
                let prompt = prompt.map(|prompt| self.render(context, base, prompt));
                let message = match wanted {
                    Some(wanted) => self.too_little_text(context, base, wanted, &prompt.unwrap_or_default()),
                    None => no_options_text(prompt.as_deref()),
                };
                self.raise_as(codes::EMPTY_CHOICE, message);
            }
            Instruction::Write { slot, text } => {
                self.check_text(context, base, *text);
                let words = self.render_to(context, base, *text, Audience::All);
                let letters: Vec<Value> = words.chars().map(|letter| letter as Value).collect();
                let list = if self.spend_on(letters.len()) { self.push_list(&letters) } else { NONE };
                self.set_slot(base, *slot, list);
                return Continuation::To(next);
            }
            effect => {
                let waiting = self.apply_effect(context, base, effect);
                self.state.lists.truncate(lists);
                return if waiting { Continuation::Wait } else { Continuation::To(next) };
            }
        }
        Continuation::Frames
    }

    /// Ends the match: `finish with winner, payoff of side = side.points`. If one of the values fails, the fault ends play
    /// instead.
    fn end_match(&mut self, context: &PlayContext, base: usize, code: &FinishCode) {
        if let Some(text) = code.text {
            self.check_text(context, base, text);
        }
        if let Some(text) = code.text.filter(|_| self.watched) {
            // The text is part of the outcome, so it must not depend on earlier output.
            self.meter.begin_output();
            self.ending = Some(self.render(context, base, text));
        }
        let payoffs = code.payoff.as_ref().map(|payoff| self.side_payoffs(context, base, payoff));
        let winners = match &code.winners {
            Winners::These(winners) => {
                let list = self.evaluate(context, base, winners);
                self.state.list_values(list).iter().map(|side| *side as u16).collect()
            }
            Winners::Highest => self.highest_paid_sides(payoffs.as_deref().unwrap_or_default()),
            Winners::Nobody => Vec::new(),
        };
        if self.fault.is_some() {
            return;
        }
        self.finish_play(context, Finish { winners, capped: code.capped, abandoned: false, payoffs });
    }

    /// The payoff of each side, also of those that are out, whose counters remain. The side is in the slot of the payoff while it
    /// is evaluated.
    fn side_payoffs(&mut self, context: &PlayContext, base: usize, payoff: &PayoffCode) -> Vec<Payoff> {
        let lists = self.state.lists.len();
        let sides = 0..context.roster.sides as Value;
        let worked_out = sides.map(|side| {
            self.set_slot(base, payoff.side, side);
            let value = self.evaluate(context, base, &payoff.value);
            self.state.lists.truncate(lists);
            Payoff::from_value(value, payoff.halves)
        });
        worked_out.collect()
    }

    /// The sides that are still in the game and have the highest payoff.
    fn highest_paid_sides(&self, payoffs: &[Payoff]) -> Vec<u16> {
        let paid = || payoffs.iter().enumerate().filter(|(side, _)| !self.is_out(*side as Value));
        let highest = paid().map(|(_, payoff)| payoff).max();
        paid().filter(|(_, payoff)| Some(*payoff) == highest).map(|(side, _)| side as u16).collect()
    }

    /// The reason why the wanted number cannot be chosen. Games with hidden information leave the numbers out.
    fn too_little_text(&mut self, context: &PlayContext, base: usize, wanted: &WantedAmount, prompt: &str) -> String {
        let [least, most] = [&wanted.least, &wanted.most].map(|expr| self.evaluate(context, base, expr));
        let words = match wanted.there.as_ref().map(|there| self.evaluate(context, base, there)) {
            None => format!("there is no number from {least} to {most} for “{prompt}”"),
            Some(there) if least > there => format!("{least} must be chosen for “{prompt}”, but there are {there}"),
            Some(_) => format!("from {least} to {most} must be chosen for “{prompt}”, and {most} is less than {least}"),
        };
        context.fault_words(words, format!("there are fewer than must be chosen for “{prompt}”"))
    }

    /// Removes the lists of the last round of a loop. `length` is the length of the arena when the loop began, and `tidy` says
    /// which lists outlive the round.
    #[inline]
    fn free_round_lists(&mut self, base: usize, length: Value, tidy: &FreedLists) {
        match tidy {
            FreedLists::All => self.state.lists.truncate(length as usize),
            FreedLists::But(kept) => self.free_lists_except(base, length, kept),
            FreedLists::Nothing => {}
        }
    }

    /// Frees all lists made since the arena had this length. Those in the slots `kept` are copied to the freed place.
    #[inline(never)]
    fn free_lists_except(&mut self, base: usize, length: Value, kept: &[u16]) {
        let copied = kept.iter().map(|slot| self.read_slot(base, *slot)).filter(|list| *list >= length);
        let copied: usize = copied.map(|list| self.state.list_values(list).len()).sum();
        if !self.spend_on(copied) {
            return;
        }
        let fresh: Vec<(u16, Vec<Value>)> = kept
            .iter()
            .map(|slot| (*slot, self.read_slot(base, *slot)))
            .filter(|(_, list)| *list >= length)
            .map(|(slot, list)| (slot, self.state.list_values(list).to_vec()))
            .collect();
        self.state.lists.truncate(length as usize);
        for (slot, members) in fresh {
            let list = self.push_list(&members);
            self.set_slot(base, slot, list);
        }
    }
}
