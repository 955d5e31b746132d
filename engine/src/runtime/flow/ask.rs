//! Asking: a question is asked, waits for its answer, and the answer is carried out.
//!
//! A question is built in `scratch.questions`, the only one at index 0, or one for each member that is asked at once. `given` is an
//! answer that has just come, with the index of its question; without one, the machine waits and runs the same instruction again
//! when it comes. A question is *veiled* if its possible answers may depend on hidden information: whether there was only one must
//! not show. In a copy that is *imagined*, to look ahead, an open question stays open. `at` and `base` are the address of the
//! instruction and the base of its slots.

use crate::runtime::decision::{Answers, Choice, Decision, Form};
use crate::runtime::eval::question::{GroupKind, Question, QuestionForm};
use crate::runtime::event::{Audience, EventKind};
use crate::runtime::flow::{Machine, PlayContext};
use crate::runtime::random::Generator;
use crate::runtime::text::Speaker;
use ludex_program::{Address, AskAtOnceCode, AskCode, AskCodeWhat, NONE, RoleAmount, Value, Visibility};

impl Machine {
    /// Numbers `count` decisions that are now open.
    #[inline]
    pub(super) fn number_question(&mut self, count: u64) {
        self.state.asked += count;
        self.state.waiting = true;
    }

    /// The answer to the question on top; `None` to wait for it. A question with a single answer answers itself. If that fact
    /// must stay hidden, the question is numbered as if it had been asked, and shown to the recorder of play.
    #[inline]
    pub fn take_answer(&mut self) -> Option<Choice> {
        let question = &self.scratch.questions[0];
        let waits = question.even_when_forced || self.asks_all;
        let (forced, veiled) = (question.forced_answer().filter(|_| !waits), question.veiled);
        match forced {
            _ if self.must_stay_open() => self.given.take().map(|(_, answer)| answer),
            Some(answer) if !veiled => Some(answer),
            Some(answer) if !self.pauses => {
                if !self.state.waiting {
                    self.number_question(1);
                }
                Some(answer)
            }
            _ => self.given.take().map(|(_, answer)| answer),
        }
    }

    /// Whether this world is imagined and the open question was already asked in the original one.
    #[inline]
    fn must_stay_open(&self) -> bool {
        self.imagined && self.state.waiting
    }

    /// Closes the open questions after their answers, which count as one. Their options can still be read.
    #[inline]
    pub fn finish_answer(&mut self) {
        self.meter.count_answer();
        self.state.waiting = false;
        self.scratch.ready = false;
        self.decisions.clear();
    }

    /// Waits for the answer to the first question of the scratch. Always returns true.
    pub fn wait_for_answer(&mut self) -> bool {
        if !self.state.waiting {
            self.number_question(1);
        }
        let question = &self.scratch.questions[0];
        let decision = Decision { id: self.state.asked, ..question.make_decision() };
        self.decisions.clear();
        self.decisions.push(decision);
        true
    }

    /// Runs an `Ask`: builds the question, and carries out its answer if there is one. True if it must wait.
    pub fn run_ask(&mut self, context: &PlayContext, base: usize, at: Address, code: &AskCode) -> bool {
        if !self.scratch.ready {
            self.make_question(0, |machine, question| machine.build_question(context, base, code, question));
        }
        if self.fault.is_some() {
            return true;
        }
        let question = &self.scratch.questions[0];
        if question.is_void() && !self.must_stay_open() {
            self.finish_answer();
            self.pass_question(context, base, at, code);
            return false;
        }
        // The usual choice is a move.
        if question.form == QuestionForm::Options {
            let Some(answer) = self.take_answer() else { return self.wait_for_answer() };
            let index = self.option_index(context, 0, &answer);
            return self.apply_option(context, base, at, code, index);
        }
        let Some(answer) = self.take_answer() else { return self.wait_for_answer() };
        self.announce_answer(context, 0, &answer);
        if self.scratch.questions[0].chooses_nothing(&answer) {
            self.finish_answer();
            self.pass_question(context, base, at, code);
            return false;
        }
        let value = self.answer_value(0, &answer);
        if let AskCodeWhat::Divide(divide) = &code.what {
            let receivers = self.list_items(0);
            self.set_slot(base, divide.receivers, receivers);
        }
        self.finish_answer();
        self.set_slot(base, code.slot, value);
        self.go_to(self.address_after(context, at));
        false
    }

    /// Continues without a choice. Its value is an empty list for several things, and 0 for each share of a total. `at` is the
    /// address of the question.
    pub(super) fn pass_question(&mut self, context: &PlayContext, base: usize, at: Address, code: &AskCode) {
        let nothing = match &code.what {
            AskCodeWhat::Among { amount: RoleAmount::Some(..), .. } | AskCodeWhat::Order { .. } => self.push_list(&[]),
            AskCodeWhat::Divide(divide) => self.divide_nothing(context, base, divide),
            AskCodeWhat::YesNo => 0,
            _ => NONE,
        };
        self.set_slot(base, code.slot, nothing);
        self.go_to(code.otherwise.unwrap_or_else(|| self.address_after(context, at)));
    }

    /// Carries out a choice among moves, offers and passing. True if it must wait. `index` is that of the option.
    pub(super) fn apply_option(&mut self, context: &PlayContext, base: usize, at: Address, code: &AskCode, index: u64) -> bool {
        let question = &self.scratch.questions[0];
        let Some(kind) = question.locate_option(index).map(|(group, _)| group.kind) else {
            self.raise("an answer names an option that does not exist");
            return true;
        };
        match kind {
            GroupKind::Pass => {
                // If `may` offers nothing but passing, it is skipped silently.
                let silent = !code.must && question.count == 1 && !question.is_always_announced();
                if !silent {
                    self.announce_choice(context, 0, index);
                }
                self.finish_answer();
                self.pass_question(context, base, at, code);
                false
            }
            GroupKind::Offer | GroupKind::OfferWithTargets => {
                self.finish_answer();
                self.use_offer(context, 0, index)
            }
            GroupKind::Action | GroupKind::Grant => {
                self.announce_choice(context, 0, index);
                let value = self.record_chosen_move(context, 0, index);
                self.finish_answer();
                self.set_slot(base, code.slot, value);
                self.go_to(self.address_after(context, at));
                false
            }
        }
    }

    /// The value of an answer that is not a move. `question` is the index of its question.
    fn answer_value(&mut self, question: usize, answer: &Choice) -> Value {
        let question = &self.scratch.questions[question];
        match (answer, question.form) {
            (Choice::Number(number), _) => *number as Value,
            (Choice::Option(index), QuestionForm::YesNo) => (*index == 0) as Value,
            (Choice::Option(index), _) => question.items.get(*index as usize).copied().unwrap_or(NONE),
            (Choice::Options(_), QuestionForm::Of(Form::Split { .. })) => {
                let nothing = vec![0; question.items.len()];
                self.push_list(&nothing)
            }
            (Choice::Options(indices), _) => {
                let members: Vec<Value> =
                    indices.iter().filter_map(|index| question.items.get(*index as usize)).copied().collect();
                self.push_list(&members)
            }
            (Choice::Key(_), _) => NONE,
            (Choice::Amounts(amounts), _) => {
                let amounts: Vec<Value> = amounts.iter().map(|amount| *amount as Value).collect();
                self.push_list(&amounts)
            }
        }
    }

    /// A list of the things that a question offers.
    fn list_items(&mut self, question: usize) -> Value {
        let items = std::mem::take(&mut self.scratch.questions[question].items);
        let list = self.push_list(&items);
        self.scratch.questions[question].items = items;
        list
    }

    /// Asks several sides one question each, at once. True if it must wait. Answers are sealed until all have been given.
    pub fn ask_at_once(&mut self, context: &PlayContext, base: usize, at: Address, code: &AskAtOnceCode) -> bool {
        let lists = self.state.lists.len();
        let list = self.evaluate(context, base, &code.set);
        let members = self.state.list_values(list).to_vec();
        self.state.lists.truncate(lists);
        if !self.scratch.ready {
            for (index, member) in members.iter().enumerate() {
                self.set_slot(base, code.variable, *member);
                self.make_question(index, |machine, question| machine.build_question(context, base, &code.ask, question));
            }
            self.scratch.ready = true;
        }
        if self.fault.is_some() {
            return true;
        }
        if self.state.sealed.len() != members.len() {
            // A seat that has nothing to choose, or only one answer, has answered at once.
            self.state.sealed = (0..members.len())
                .map(|index| {
                    let question = &self.scratch.questions[index];
                    match question.is_void() {
                        true => Some(Choice::Options(Vec::new())),
                        false => question.forced_answer().filter(|_| !self.waits_even_when_forced(question)),
                    }
                })
                .collect();
        }
        while self.state.sealed.iter().any(Option::is_none) {
            match self.given.take() {
                Some((index, answer)) => {
                    if let Some(place) = self.state.sealed.get_mut(index) {
                        *place = Some(answer);
                    }
                }
                None => return self.wait_for_answers(members.len(), code.secret),
            }
        }
        // If all answers were forced, the questions are numbered all the same, because that must not show.
        if code.ask.veiled && !self.state.waiting {
            self.number_question(members.len() as u64);
        }
        let sealed = std::mem::take(&mut self.state.sealed);
        let mut values = Vec::with_capacity(members.len());
        for (index, (answer, member)) in sealed.iter().flatten().zip(&members).enumerate() {
            self.set_slot(base, code.variable, *member);
            let value = self.reveal_answer(context, index, members.len(), answer, code.ask.must);
            values.push(value);
        }
        if let AskCodeWhat::Divide(divide) = &code.ask.what {
            let receivers: Vec<Value> = (0..members.len()).map(|index| self.list_items(index)).collect();
            let receivers = self.push_list(&receivers);
            self.set_slot(base, divide.receivers, receivers);
        }
        self.finish_answer();
        let list = self.push_list(&values);
        self.set_slot(base, code.ask.slot, list);
        let list = self.push_list(&members);
        self.set_slot(base, code.members, list);
        self.go_to(at + 1);
        false
    }

    /// Announces one of several answers given at once, and returns its value. `index` is that of the question, of which there are
    /// `count`; `must` is whether the rules oblige to choose.
    fn reveal_answer(&mut self, context: &PlayContext, index: usize, count: usize, answer: &Choice, must: bool) -> Value {
        let named = matches!(answer, Choice::Key(_)).then(|| Choice::Option(self.option_index(context, index, answer)));
        let answer = named.as_ref().unwrap_or(answer);
        let question = &self.scratch.questions[index];
        let passes = match answer {
            Choice::Option(option) => question.locate_option(*option).is_some_and(|(group, _)| group.kind == GroupKind::Pass),
            _ => false,
        };
        // A seat that has nothing to choose from passes silently.
        let silent = question.is_void() || passes && !must && question.count == 1 && !question.is_always_announced();
        let is_move = question.form == QuestionForm::Options;
        let has_value = question.form.gives_list() || !question.is_void() && !question.chooses_nothing(answer);
        if !silent && self.watched {
            // The questions have the last `count` numbers, if there are that many.
            let decision = self.state.asked + 1 + index as u64 - (count as u64).min(self.state.asked + 1);
            self.announce_answer_to(context, index, answer, decision);
        }
        match answer {
            Choice::Option(option) if is_move && !passes => self.record_chosen_move(context, index, *option),
            answer if !is_move && has_value => self.answer_value(index, answer),
            _ => NONE,
        }
    }

    /// Waits for the answers to the first `count` questions that have none yet. Always returns true.
    fn wait_for_answers(&mut self, count: usize, secret: bool) -> bool {
        if !self.state.waiting {
            self.number_question(count as u64);
        }
        let first = self.state.asked + 1 - count as u64;
        let questions = self.scratch.questions.iter().take(count).enumerate();
        let open = questions.filter(|(index, _)| self.state.sealed.get(*index).is_some_and(Option::is_none));
        let decision = |(index, question): (usize, &Question)| Decision {
            id: first + index as u64,
            group: Some(first),
            secret,
            ..question.make_decision()
        };
        self.decisions = open.map(decision).collect();
        true
    }

    // --- announcing --------------------------------------------------------------------

    /// Announces an option that a seat has chosen, if the game is watched.
    #[inline]
    pub fn announce_choice(&mut self, context: &PlayContext, question: usize, index: u64) {
        if self.watched {
            self.announce_answer_to(context, question, &Choice::Option(index), self.state.asked);
        }
    }

    /// The same for any answer.
    pub fn announce_answer(&mut self, context: &PlayContext, question: usize, answer: &Choice) {
        if self.watched {
            self.announce_answer_to(context, question, answer, self.state.asked);
        }
    }

    /// Announces an answer to a question as that to the decision with a number. Others do not see it if it is private, names
    /// hidden pieces, or passes because there was nothing to choose.
    fn announce_answer_to(&mut self, context: &PlayContext, question: usize, answer: &Choice, decision: u64) {
        let side = self.scratch.questions[question].side;
        if self.counts_only {
            let kind = EventKind::Chose { key: self.answer_key(context, question, answer), decision };
            return self.announce_to(context, kind, Some(side), None, Audience::All);
        }
        let found = &self.scratch.questions[question];
        let passes_unseen = found.passes_unseen && found.is_pass(answer);
        let audience = match passes_unseen || found.private || self.answers_with_hidden(context, question, answer) {
            true => Audience::Seats(vec![side]),
            false => Audience::All,
        };
        let (key, text) = self.with_audience(audience.clone(), |machine| machine.describe_answer(context, question, answer));
        // A bare number, or yes and no, means nothing without the question.
        let text = match self.scratch.questions[question].form {
            QuestionForm::Of(Form::Number { .. }) | QuestionForm::YesNo => {
                format!("{} {text}", self.with_audience(audience.clone(), |machine| machine.prompt_text(context)))
            }
            _ => text,
        };
        let text = format!("{}: {}", self.asked_name(context, side), text.trim_start());
        let kind = EventKind::Chose { key, decision };
        self.announce_to(context, kind, Some(side), Some(text), audience);
    }

    /// Whether an answer names a piece that is hidden from someone.
    fn answers_with_hidden(&mut self, context: &PlayContext, question: usize, answer: &Choice) -> bool {
        // No piece is hidden if every zone is open.
        if context.program.kinds.iter().flat_map(|kind| &kind.zones).all(|zone| zone.seen == Visibility::All) {
            return false;
        }
        let pieces: Vec<Value> = match answer {
            Choice::Number(_) | Choice::Key(_) => Vec::new(),
            Choice::Option(index) => {
                let view = self.option_view(context, question, *index);
                let numbers = view.iter().flat_map(|view| &view.args).flat_map(|(_, argument)| argument.piece_numbers());
                numbers.map(|number| self.piece_of_number(context, number)).collect()
            }
            Choice::Options(indices) => self.pieces_among(context, question, indices.iter().map(|index| *index as usize)),
            Choice::Amounts(amounts) => {
                let named = amounts.iter().enumerate().filter(|(_, amount)| **amount != 0);
                self.pieces_among(context, question, named.map(|(place, _)| place))
            }
        };
        pieces.iter().any(|piece| {
            let entity = self.state.board.entity(*piece);
            entity.is_some_and(|entity| self.audience_of(context, &[entity.place]) != Audience::All)
        })
    }

    /// The pieces at these indexes of a question's things.
    fn pieces_among(&self, context: &PlayContext, question: usize, places: impl Iterator<Item = usize>) -> Vec<Value> {
        let items = &self.scratch.questions[question].items;
        places.filter_map(|place| items.get(place).copied()).filter(|item| self.is_piece(context, *item)).collect()
    }

    /// Draws the others' answers to simultaneous questions again, because a seat does not know them.
    ///
    /// If answers are secret, the seat does not know either who has answered. While the seat itself is asked, all others are
    /// assumed to have answered; after that, none of them. `luck` is the source of the new answers.
    pub fn redraw_answers(&mut self, context: &PlayContext, seat: usize, luck: &mut Generator) {
        let secret = self.decisions.iter().any(|decision| decision.secret);
        if self.state.sealed.is_empty() || !secret && self.state.sealed.iter().all(Option::is_none) {
            return;
        }
        // The questions are built again, because the options are needed.
        self.ask_again(context);
        let is_asked = self.decisions.iter().any(|decision| decision.seat == seat);
        for index in 0..self.state.sealed.len() {
            let Some(question) = self.scratch.questions.get(index).filter(|question| question.side != seat) else { continue };
            let answers_itself = question.forced_answer().is_some() && !self.waits_even_when_forced(question);
            match secret && !is_asked {
                _ if question.is_void() => {}
                true if answers_itself => {}
                true => self.clear_answer(index),
                false => self.draw_sealed_answer(index, secret, luck),
            }
        }
        self.ask_again(context);
    }

    /// Whether a question waits for an answer, even if there is only one.
    fn waits_even_when_forced(&self, question: &Question) -> bool {
        question.even_when_forced || self.asks_all || question.veiled && self.pauses
    }

    /// Builds the open questions and their decisions again. They stay open, because the world is imagined.
    fn ask_again(&mut self, context: &PlayContext) {
        self.run(context, 0);
    }

    /// Takes back the answer to the question with an index.
    fn clear_answer(&mut self, index: usize) {
        self.state.sealed[index] = None;
    }

    /// Replaces an answer that was given with a random one; if answers are secret, also one that was not given.
    fn draw_sealed_answer(&mut self, index: usize, secret: bool, luck: &mut Generator) {
        let is_given = self.state.sealed[index].is_some();
        if !is_given && !secret {
            return;
        }
        let question = &self.scratch.questions[index];
        // A seat that may pass is assumed to choose something.
        let choosing = Answers { may_pass: false, ..question.possible_answers() };
        let pick = question.forced_answer().unwrap_or_else(|| choosing.draw_answer(luck));
        self.state.sealed[index] = Some(pick);
    }
}
