//! Compiles control flow: choices between blocks, loops, stops and the opening of hooks.
//!
//! A jump is emitted with target 0 and patched when the address it leads to is known. Facts (see `presence`) follow the paths of
//! the code: each branch starts from those before it, and after the branches only those hold that hold on all of them. A cap is the
//! most rounds of a `repeat`.

use super::Compiler;
use super::operators::constant_condition;
use crate::types::Type;
use ludex_program::condition_facts::{ConditionFacts, SureFact};
use ludex_program::loops::OpenLoop;
use ludex_program::presence::{Changes, Presence};
use ludex_program::{Address, Comparison, Expr, FreedLists, Instruction, OpenCode, Slot, Value, Winners};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Block, Cite, Expr as Written, Name, OpenArm};

/// Branches that join again.
#[derive(Default)]
struct Branches {
    /// Jumps to the join.
    to_end: Vec<Address>,
    /// The facts at the end of each branch.
    known: Vec<Presence>,
}

impl Compiler<'_> {
    /// Compiles `if … { } else if … { } else { }`.
    pub(super) fn compile_if(&mut self, arms: &[(Written, Block)], otherwise: Option<&Block>, span: Span, cites: &[Cite]) {
        let mut ways = Branches::default();
        for (condition, block) in arms {
            let lowered = self.compile_condition(condition);
            // Options are fixed for a program, so branches that can never run are left out.
            match constant_condition(&lowered) {
                Some(false) => continue,
                Some(true) => return self.compile_last_arm(Some(block), ways),
                None => {}
            }
            let told = self.condition_facts(&lowered);
            let skip = self.emit_instruction(Instruction::JumpUnless { condition: lowered, to: 0 }, condition.span, cites);
            self.compile_arm(block, told, skip, span, &mut ways);
        }
        self.compile_last_arm(otherwise, ways);
    }

    /// Compiles the block of one arm and a jump to the end of all. `told` are the facts of its condition, and `skip` is the jump
    /// over the block, which leads to the next arm.
    fn compile_arm(&mut self, block: &Block, told: ConditionFacts, skip: Address, span: Span, ways: &mut Branches) {
        let ((), known) = self.with_separate_facts(|compiler| {
            compiler.learn_for_good(told.holds);
            compiler.compile_block(block);
        });
        ways.known.push(known);
        ways.to_end.push(self.emit_instruction(Instruction::Jump(0), span, &[]));
        self.patch_to_next(skip);
        self.learn_for_good(told.fails);
    }

    /// Compiles the block without a condition, if there is one, and joins all branches after it.
    fn compile_last_arm(&mut self, otherwise: Option<&Block>, ways: Branches) {
        if let Some(block) = otherwise {
            self.compile_block(block);
        }
        self.join_facts(&ways.known);
        self.patch_all_to_next(ways.to_end);
    }

    /// Compiles `each x in list { … }`.
    pub(super) fn compile_each(&mut self, name: &Name, set: &Written, body: &Block, span: Span, cites: &[Cite]) {
        let (list, item) = self.compile_list(set);
        self.compile_list_loop(name, list, item, body, span, cites);
    }

    /// Compiles a block that runs for each member of a list. The member is in the local `name`, and `item` is its type.
    fn compile_list_loop(&mut self, name: &Name, list: Expr, item: Type, body: &Block, span: Span, cites: &[Cite]) {
        self.in_block(|compiler| {
            // The list, the current index, and the old length of the arena.
            let slot = compiler.allocate_slot("", item.clone().into_list().to_shape());
            compiler.new_slot();
            compiler.new_slot();
            let (told_of, begins) = (list.clone(), Instruction::EachBegin { list, slot });
            compiler.emit_instruction(begins, span, cites);
            let start = compiler.next_address();
            let effects = compiler.block_effects(body);
            compiler.enter_rounds(&effects);
            // After the loop, only these facts hold: the list may be empty, so that no round runs.
            let before = compiler.function.presence.clone();
            compiler.begin_loop();
            let variable = compiler.add_slot(&name.text, item);
            let next =
                compiler.emit_instruction(Instruction::EachNext { slot, variable, end: 0, tidy: FreedLists::Nothing }, span, &[]);
            let told = compiler.member_facts(&told_of, variable);
            compiler.learn_for_good(told);
            compiler.forget_changed(&effects);
            compiler.compile_block(body);
            compiler.function.presence = before;
            compiler.end_loop(start, next, span);
        });
    }

    /// Compiles `count n from 1 to 6 { … }`, as a loop over the numbers. With `down`, `from` is the higher one.
    #[expect(clippy::too_many_arguments, reason = "the parts of one statement")]
    pub(super) fn compile_count(
        &mut self,
        name: &Name,
        from: &Written,
        to: &Written,
        down: bool,
        body: &Block,
        span: Span,
        cites: &[Cite],
    ) {
        let (from, to) = (self.compile_number(from), self.compile_number(to));
        let list = if down {
            Expr::Sorted { down: true, list: Box::new(Expr::Range(Box::new(to), Box::new(from))) }
        } else {
            Expr::Range(Box::new(from), Box::new(to))
        };
        self.compile_list_loop(name, list, Type::Number, body, span, cites);
    }

    /// Compiles `repeat at most 9 times until … { } otherwise { }`. `exactly` loops simply end after their rounds. In others,
    /// `otherwise` handles a cap that is reached, and without it that is a fault.
    #[expect(clippy::too_many_arguments, reason = "the parts of one statement")]
    pub(super) fn compile_repeat(
        &mut self,
        most: Option<&Written>,
        exactly: bool,
        until: Option<&Written>,
        body: &Block,
        otherwise: Option<&Block>,
        span: Span,
        cites: &[Cite],
    ) {
        // Without a cap it might never end; `resolve` has reported that.
        let Some(most) = most else { return };
        let most = self.compile_number(most);
        self.in_block(|compiler| {
            let slot = compiler.new_slot();
            compiler.new_slot();
            compiler.emit_instruction(Instruction::RepeatBegin { slot }, span, cites);
            let start = compiler.next_address();
            let effects = compiler.block_effects(body);
            compiler.enter_rounds(&effects);
            compiler.begin_loop();
            // The end condition is tested before the cap, so reaching both counts as the end.
            if let Some(until) = until {
                let condition = compiler.compile_condition(until);
                let told = compiler.condition_facts(&condition);
                compiler.record_exit(told.holds);
                compiler.learn_for_good(told.fails);
                let done = compiler.emit_instruction(
                    Instruction::JumpUnless { condition: Expr::Not(Box::new(condition)), to: 0 },
                    until.span,
                    cites,
                );
                if let Some(open) = compiler.function.loops.last_mut() {
                    open.to_end.push(done);
                }
            }
            let next =
                compiler.emit_instruction(Instruction::RepeatNext { slot, most, end: 0, tidy: FreedLists::Nothing }, span, &[]);
            let ((), _) = compiler.with_separate_facts(|compiler| compiler.compile_block(body));
            let open = compiler.close_loop(start, next, span);
            let exits = compiler.function.exits.pop().unwrap_or_default();
            match otherwise {
                Some(block) => {
                    let outer = std::mem::replace(&mut compiler.function.at_cap, true);
                    compiler.compile_block(block);
                    compiler.function.at_cap = outer;
                }
                None if exactly => {}
                None => {
                    compiler.emit_instruction(Instruction::CapReached, span, cites);
                    compiler.function.presence.mark_unreachable();
                }
            }
            compiler.join_facts(&exits);
            compiler.patch_all_to_next(open.to_end);
        });
    }

    /// Whether an end of the match counts as capped: it is in the code that handles a reached cap, and no side wins.
    pub(super) fn is_capped(&self, winners: &Winners) -> bool {
        self.function.at_cap && matches!(winners, Winners::Nobody)
    }

    /// Opens a loop. Slots from the next one on belong to its rounds.
    fn begin_loop(&mut self) {
        self.function.loops.push(OpenLoop::new(self.function.next_slot));
        self.function.exits.push(Vec::new());
    }

    /// Closes a loop: jumps back to `start` from the end of a round, and joins all exits. `next` is the instruction that begins a
    /// round or leaves the loop. The code after the loop begins here.
    fn end_loop(&mut self, start: Address, next: Address, span: Span) {
        let open = self.close_loop(start, next, span);
        let exits = self.function.exits.pop().unwrap_or_default();
        self.join_facts(&exits);
        self.patch_all_to_next(open.to_end);
    }

    /// Records an exit of the innermost loop at which these facts hold.
    fn record_exit(&mut self, told: Vec<SureFact>) {
        let ((), known) = self.with_separate_facts(|compiler| compiler.learn_for_good(told));
        if let Some(exits) = self.function.exits.last_mut() {
            exits.push(known);
        }
    }

    /// Joins other paths: keeps the facts that are known on all.
    fn join_facts(&mut self, ways: &[Presence]) {
        ways.iter().for_each(|known| self.function.presence.join_paths(known));
    }

    /// Same as [`Compiler::end_loop`], but returns the loop with the jumps to its end unpatched and leaves its exits on the stack.
    fn close_loop(&mut self, start: Address, next: Address, span: Span) -> OpenLoop {
        self.emit_instruction(Instruction::Jump(start), span, &[]);
        let mut open = self.function.loops.pop().unwrap_or_default();
        for jump in std::mem::take(&mut open.to_next) {
            self.patch_jump(jump, start);
        }
        if let Some(instruction) = self.program.code.get_mut(next as usize) {
            instruction.set_freed_lists(open.freed_lists());
        }
        if let Some(outer) = self.function.loops.last_mut() {
            open.pass_kept_lists(outer);
        }
        self.patch_to_next(next);
        open
    }

    /// Notes that a list is put into an existing slot: loops that the slot is outside of must not free it at the end of a round.
    pub(super) fn keep_lists(&mut self, slot: Slot, of: &Type) {
        let flat = matches!(of.without_none(), Type::List(item) if !item.is_list());
        if let Some(open) = self.function.loops.last_mut() {
            open.keep_slot_list(slot, flat);
        }
    }

    /// Compiles `leave` (`end`), which ends the innermost loop, or `skip`, which goes on with its next round.
    pub(super) fn compile_leave_or_skip(&mut self, end: bool, span: Span, cites: &[Cite]) {
        let jump = self.emit_instruction(Instruction::Jump(0), span, cites);
        if let Some(open) = self.function.loops.last_mut() {
            if end { open.to_end.push(jump) } else { open.to_next.push(jump) }
        }
        if end {
            self.record_exit(Vec::new());
        }
    }

    /// Compiles `depending on x { word { … } } otherwise { … }`. Without `otherwise`, every case must be handled.
    pub(super) fn compile_depending(
        &mut self,
        on: &Written,
        arms: &[(Name, Block)],
        otherwise: Option<&Block>,
        span: Span,
        cites: &[Cite],
    ) {
        let (value, of) = self.compile_expression(on);
        let Some(cases) = self.value_cases(value, &of, on.span) else { return };
        let missing: Vec<String> = cases
            .iter()
            .filter(|(word, _)| !arms.iter().any(|(name, _)| name.text == *word))
            .map(|(word, _)| format!("`{word}`"))
            .collect();
        if !missing.is_empty() && otherwise.is_none() {
            let problem = Problem::error(
                codes::ELSE_MISSING,
                format!("no case handles {}", ludex_syntax::problem::join_words(&missing, "and")),
            );
            let what = if matches!(of, Type::Word(_)) { "words" } else { "actions" };
            self.problems.push(problem.with_label(span, "here").help(format!("add the missing {what}, or `otherwise {{ … }}`")));
        }
        let mut ways = Branches::default();
        for (name, block) in arms {
            let Some((_, condition)) = cases.iter().find(|(word, _)| *word == name.text) else {
                let what = if matches!(of, Type::Word(_)) { "not one of the words" } else { "not an action of this family" };
                let problem =
                    Problem::error(codes::UNKNOWN_NAME, format!("`{}` is {what}", name.text)).with_label(name.span, "not known");
                self.problems.push(problem.suggest(&name.text, cases.iter().map(|(word, _)| word.as_str())));
                continue;
            };
            let skip = self.emit_instruction(Instruction::JumpUnless { condition: condition.clone(), to: 0 }, name.span, cites);
            self.compile_arm(block, ConditionFacts::default(), skip, span, &mut ways);
        }
        // If all cases are listed, the code after them is only reached through one of them.
        if otherwise.is_none() && missing.is_empty() {
            self.function.presence.mark_unreachable();
        }
        self.compile_last_arm(otherwise, ways);
    }

    /// The cases of a value by name, each with its condition: the words of a type, or the actions of a move's families. None after
    /// an error.
    fn value_cases(&mut self, value: Expr, of: &Type, span: Span) -> Option<Vec<(String, Expr)>> {
        let families = match of {
            Type::Word(words) => {
                let words = self.program.words[*words as usize].words.iter().enumerate();
                let is = |index| Expr::Compare(Comparison::Equal, Box::new(value.clone()), Box::new(Expr::Constant(index)));
                return Some(words.map(|(index, word)| (word.clone(), is(index as Value))).collect());
            }
            Type::Move(family) => vec![*family],
            Type::Moves(families) => families.clone(),
            Type::Unknown => return None,
            _ => {
                let found = self.type_text(of);
                let message = format!("`depending on` needs one of several words, or a move, but this is {found}");
                self.report_error(codes::WRONG_TYPE, message, span, "neither a word nor a move");
                return None;
            }
        };
        let is_of = |own: u16| families.iter().any(|family| self.program.is_family(own, *family));
        let actions = self.program.actions.iter().enumerate();
        let is = |action| Expr::MoveIs { of: Box::new(value.clone()), action };
        Some(
            actions
                .filter(|(_, action)| action.family.is_some_and(is_of))
                .map(|(index, action)| (action.name.clone(), is(index as u16)))
                .collect(),
        )
    }

    /// Compiles `stop`, which ends the current procedure or a named one that called it. In a move or a clause, it ends that.
    pub(super) fn compile_stop(&mut self, name: Option<&Name>, span: Span, cites: &[Cite]) {
        let procedure = match name {
            None => self.function.procedure,
            Some(name) => {
                let found = self.symbols.find_procedure(&name.text);
                if found.is_none() {
                    self.report_unresolved(name);
                }
                found
            }
        };
        match procedure {
            Some(procedure) => {
                let (ended, _, gives, _) = &self.symbols.procedures[procedure as usize];
                let message = format!("this ends `{}`, which has to give {}", ended.name.text, self.type_text(gives));
                self.require_result(procedure, span, message, "gives nothing");
                self.emit_instruction(Instruction::Stop { procedure }, span, cites);
            }
            None if name.is_none() => {
                self.emit_instruction(Instruction::Return { value: None }, span, cites);
            }
            None => {}
        }
    }

    /// Compiles `open hook(…) { … }`, at which abilities act. `first` is the side asked first, `after_use` runs after each use of
    /// an ability, and one of the arms runs for the answer that an ability has given.
    #[expect(clippy::too_many_arguments, reason = "the parts of one statement")]
    pub(super) fn compile_open(
        &mut self,
        hook: &Name,
        args: &[Written],
        first: Option<&Written>,
        after_use: Option<&Block>,
        arms: &[OpenArm],
        span: Span,
        cites: &[Cite],
    ) {
        let Some(found) = self.find_hook(hook) else { return };
        let (declared, params, _) = &self.symbols.hooks[found as usize];
        let (answers, params) = (declared.answers.clone(), params.clone());
        let arguments = self.compile_arguments(&hook.text, args, &params, hook.span);
        let first = first.map(|first| self.compile_as_type(first, &Type::side_type().or_none()));
        let code = OpenCode { hook: found, arguments, first, without_offers: false, after_use: None, arms: Vec::new(), next: 0 };
        let at = self.emit_instruction(Instruction::Open(Box::new(code)), span, cites);
        let effects = after_use.map(|block| self.block_effects(block)).unwrap_or_default();
        self.enter_rounds(&effects);
        self.function.presence.drop_changed_facts(&Changes::any_change());
        let after_use = after_use.map(|block| self.compile_separate_block(block, span));
        let mut addresses = Vec::new();
        let mut to_end = Vec::new();
        let mut known = Vec::new();
        // The machine finds an arm by the number of the answer. The last one is for no answer.
        for answer in answers.iter().map(Some).chain([None]) {
            let arm = arms.iter().find(|arm| arm.answer.as_ref().map(|name| &name.text) == answer.map(|answer| &answer.text));
            addresses.push(arm.map(|_| self.next_address()));
            if let Some(arm) = arm {
                known.push(self.with_separate_facts(|compiler| compiler.compile_block(&arm.body)).1);
                to_end.push(self.emit_instruction(Instruction::Jump(0), arm.span, &[]));
            }
        }
        if addresses.iter().all(Option::is_some) {
            self.function.presence.mark_unreachable();
        }
        self.join_facts(&known);
        let next = self.next_address();
        self.patch_all_to_next(to_end);
        if let Some(Instruction::Open(code)) = self.program.code.get_mut(at as usize) {
            code.after_use = after_use;
            code.arms = addresses.into_iter().map(|address| address.unwrap_or(next)).collect();
            code.next = next;
        }
    }

    /// The hook of a name. Reports an unknown one.
    pub(super) fn find_hook(&mut self, name: &Name) -> Option<u16> {
        let found = self.symbols.find_hook(&name.text);
        if found.is_none() {
            self.report_unresolved(name);
        }
        found
    }

    /// Compiles `answer word`, by which an ability answers at the open hook. Its words are numbered over all hooks.
    pub(super) fn compile_answer_statement(&mut self, word: &Name, span: Span, cites: &[Cite]) {
        if !self.symbols.hooks.iter().flat_map(|(hook, ..)| &hook.answers).any(|answer| answer.text == word.text) {
            return self.report_unresolved(word);
        }
        let words = &mut self.program.answers;
        let index = words.iter().position(|known| *known == word.text).unwrap_or_else(|| {
            words.push(word.text.clone());
            words.len() - 1
        });
        self.emit_instruction(Instruction::Answer { word: index as u16 }, span, cites);
    }
}
