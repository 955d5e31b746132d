//! Compiles questions: the seat, the allowed answers and the destination of the answer.
//!
//! A question asks one seat, or several at once, for a move of a family, members of a list, a number, a word, yes or no, an order,
//! or a division of a total. Its answer goes into a slot, under the name after `as`, or into a field. `must` allows no passing; if
//! there is nothing to choose, or a seat passes, the code after `else` runs.

use super::calls::members_name;
use super::changes::{may_end_round, may_hold_none};
use super::statements::FieldPlace;
use super::{Compiler, Meaning};
use crate::symbols::Sort;
use crate::types::Type;
use ludex_program::presence::Changes;
use ludex_program::{
    AskAtOnceCode, AskCode, AskCodeWhat, Expr, Instruction, KindId, Naming, OpenCode, RoleAmount, Slot, TextId, Visibility,
};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Amount, Ask, AskWhat, Block, Cite, Expr as Written, ExprKind, Name};
use std::collections::BTreeSet;

/// A compiled question and the type of its answer.
struct CompiledQuestion {
    /// The sort of answer, and the available ones.
    what: AskCodeWhat,
    answer: Type,
    /// The type of a receiver of a divided total.
    receiver: Option<Type>,
}

/// The field that gets an answer, and whether it is hidden from some seats.
struct Destination {
    field: FieldPlace,
    /// The place of the field in the source.
    at: Span,
    private: bool,
}

/// Builds a question from its parts, without those that only a single seat's question has.
fn build_question(
    ask: &Ask,
    who: Expr,
    what: AskCodeWhat,
    slot: Slot,
    (prompt, pass_text): (Option<TextId>, Option<TextId>),
) -> AskCode {
    AskCode {
        who,
        must: ask.must,
        what,
        during: None,
        slot,
        prompt,
        pass_text,
        otherwise: None,
        // Questions that depend on secrets are found once all code is compiled.
        veiled: false,
        tells: ask.tells,
        even_when_forced: ask.even_when_forced,
        private: false,
    }
}

impl Compiler<'_> {
    /// Compiles a question to one seat or to several.
    pub(super) fn compile_ask(&mut self, ask: &Ask, span: Span, cites: &[Cite]) {
        match &ask.at_once {
            None => {
                let who = self.compile_asked_seat(&ask.who);
                let Some(asked) = self.compile_question(ask) else { return };
                self.compile_ask_one(ask, who, asked, span, cites);
            }
            Some((name, secret)) => self.compile_ask_at_once(ask, name, *secret, span, cites),
        }
    }

    /// Compiles `each side in sides at once must choose …`. `name` is each member asked. `secret`: answers stay hidden until all
    /// have answered.
    fn compile_ask_at_once(&mut self, ask: &Ask, name: &Name, secret: bool, span: Span, cites: &[Cite]) {
        let (set, item) = self.compile_list(&ask.who);
        self.check_asked_kind(&item, ask.who.span);
        let (variable, locals) = (self.function.next_slot, self.function.locals.len());
        self.add_slot(&name.text, item.clone());
        let asked = self.compile_question(ask);
        let prompt = ask.prompt.as_ref().map(|prompt| self.compile_text(prompt));
        let pass_text = ask.pass_text.as_ref().map(|text| self.compile_text(text));
        self.function.locals.drop_inner(locals);
        let Some(CompiledQuestion { mut what, answer, receiver }) = asked else { return };
        // Some questions always have an answer; of things or moves there may be none.
        let always = ask.must && matches!(answer, Type::Number | Type::Word(_)) || matches!(answer, Type::Flag | Type::List(_));
        let answer = if always { answer } else { answer.or_none() };
        self.check_asked_at_once(ask, name, &answer, span);
        let owed = ask.must && matches!(answer, Type::OrNone(_));
        let list = answer.into_list();
        let (slot, members) = match (&ask.name, receiver) {
            (Some(name), Some(receiver)) => {
                self.amounts_slots(name, list, (members_name(&name.text), item.into_list()), receiver, &mut what)
            }
            (Some(name), None) => {
                let members = Name { text: members_name(&name.text), span: name.span };
                (self.answer_slot(name, list), self.answer_slot(&members, item.into_list()))
            }
            (None, _) => (self.new_slot(), self.new_slot()),
        };
        self.function.owed.retain(|known| *known != slot);
        self.function.owed.extend(owed.then_some(slot));
        let ask = build_question(ask, Expr::Local(variable), what, slot, (prompt, pass_text));
        let code = AskAtOnceCode { set, variable, secret, ask, members };
        self.emit_instruction(Instruction::AskAtOnce(Box::new(code)), span, cites);
    }

    /// Checks the forms that are allowed for a single seat only: all must have answered before anything can happen. `answer` is the
    /// type of one answer.
    fn check_asked_at_once(&mut self, ask: &Ask, name: &Name, answer: &Type, span: Span) {
        if ask.otherwise.is_some() {
            let problem = Problem::error(codes::AT_ONCE, "a question put to several at once has no `else`");
            let help = match answer {
                Type::OrNone(_) => suggest_instead_of_else(ask, name, "none"),
                Type::List(_) => suggest_instead_of_else(ask, name, "empty"),
                _ => "leave it out: every seat has an answer".to_string(),
            };
            self.problems.push(problem.with_label(span, "asked at once").help(help));
        }
        if let Some(place) = &ask.into {
            let problem = Problem::error(codes::AT_ONCE, "the answers to a question put to several at once have one name");
            let help = format!("ask one after the other, `each {0} in … {{ {0} must … into … }}`", name.text);
            self.problems.push(problem.with_label(place.span, "one field").help(help));
        }
        if let Some((hook, _)) = &ask.during {
            let problem = Problem::error(codes::AT_ONCE, "abilities cannot be used while several seats are asked at once");
            let help = format!(
                "leave `during` out: a used ability would tell the others something; write `open {}(…)` before or after the question",
                hook.text
            );
            self.problems.push(problem.with_label(hook.span, "an ability would come between").help(help));
        }
    }

    /// Compiles the side, thing of a side, or referee that is asked.
    fn compile_asked_seat(&mut self, who: &Written) -> Expr {
        if self.program.referee.is_some() && matches!(&who.kind, ExprKind::Name(name) if name == "referee") {
            return Expr::Referee;
        }
        let (expr, of) = self.compile_expression(who);
        self.check_asked_kind(&of, who.span);
        if let Type::Entity(_) = of.without_none() {
            self.require_value(who, &expr, &of);
        }
        expr
    }

    /// Reports a value that is no thing, so that no seat belongs to it.
    fn check_asked_kind(&mut self, of: &Type, span: Span) {
        if !matches!(of.without_none(), Type::Entity(_) | Type::Unknown) {
            let words = self.type_text(of);
            self.report_error(
                codes::WRONG_TYPE,
                format!("only a side, or something that belongs to one, can be asked, but this is {words}"),
                span,
                "cannot be asked",
            );
        }
    }

    /// Compiles a question to one seat: the hook opened before it, the question, and the code for a missing answer.
    fn compile_ask_one(&mut self, ask: &Ask, who: Expr, asked: CompiledQuestion, span: Span, cites: &[Cite]) {
        let CompiledQuestion { mut what, answer, receiver } = asked;
        let families = matches!(what, AskCodeWhat::Families(_));
        if ask.must && families && ask.otherwise.is_none() {
            let problem = Problem::error(codes::ELSE_MISSING, "there may be no move to choose").with_label(span, "no `else`");
            self.problems.push(problem.help("add `else { … }`: it runs when there is nothing to choose"));
        }
        let during = ask.during.as_ref().and_then(|(hook, arguments)| {
            let found = self.find_hook(hook)?;
            let params = self.symbols.hooks[found as usize].1.clone();
            Some((found, self.compile_arguments(&hook.text, arguments, &params, hook.span)))
        });
        if let Some((hook, arguments)) = &during {
            // Offers become options of the question. Everything else at the hook runs before it, and every answer of an ability
            // leads to it.
            let next = self.next_address() + 1;
            let arms = vec![next; self.program.hooks[*hook as usize].answers.len() + 1];
            let code = OpenCode {
                hook: *hook,
                arguments: arguments.clone(),
                first: None,
                without_offers: true,
                after_use: None,
                arms,
                next,
            };
            self.emit_instruction(Instruction::Open(Box::new(code)), span, cites);
        }
        if during.is_some() {
            self.function.presence.drop_changed_facts(&Changes::any_change());
        }
        let prompt = ask.prompt.as_ref().map(|prompt| self.compile_text(prompt));
        let pass_text = ask.pass_text.as_ref().map(|text| self.compile_text(text));
        let of = match &what {
            _ if !ask.must || matches!(what, AskCodeWhat::Among { amount: RoleAmount::OneOrNone, .. }) => match answer {
                Type::Flag => Type::Flag,
                // For several things, a missing answer is the empty list.
                Type::List(item) => Type::List(item),
                answer if ask.otherwise.is_some() => answer,
                answer => answer.or_none(),
            },
            _ => answer,
        };
        let answer = of.clone();
        let slot = match (&ask.name, receiver) {
            (Some(name), Some(receiver)) => self.amounts_slot(name, of, receiver, &mut what),
            (Some(name), None) => self.ask_slot(name, of),
            (None, _) => self.new_slot(),
        };
        let into = ask.into.as_ref().and_then(|place| self.compile_destination(ask, place, &what, &answer));
        let wants_one = ask.must && matches!(what, AskCodeWhat::Among { amount: RoleAmount::One, .. });
        let private = into.as_ref().is_some_and(|into| into.private);
        let code = AskCode { during, private, ..build_question(ask, who, what, slot, (prompt, pass_text)) };
        let at = self.emit_instruction(Instruction::Ask(Box::new(code)), span, cites);
        if let Some(Destination { field: FieldPlace { thing, field, of, .. }, at, .. }) = into {
            let value = self.fit_type(Expr::Local(slot), answer, &of, at);
            self.update_field_facts(&thing, field, true);
            self.emit_instruction(Instruction::Set { of: thing, field, value, naming: Naming::default() }, span, cites);
            // Only the field keeps it.
            self.emit_instruction(Instruction::Let { slot, value: Expr::Constant(0), list: false }, span, &[]);
        }
        if ask.otherwise.is_some() || wants_one {
            let skip = self.emit_instruction(Instruction::Jump(0), span, &[]);
            let otherwise = self.next_address();
            match &ask.otherwise {
                Some(block) => self.compile_missing_answer(ask.name.as_ref(), slot, block),
                None => {
                    self.emit_instruction(Instruction::NothingToChoose { prompt, wanted: None }, span, cites);
                }
            }
            self.patch_to_next(skip);
            if let Some(Instruction::Ask(code)) = self.program.code.get_mut(at as usize) {
                code.otherwise = Some(otherwise);
            }
        }
    }

    /// Compiles the field that an answer goes into.
    fn compile_destination(&mut self, ask: &Ask, place: &Written, what: &AskCodeWhat, answer: &Type) -> Option<Destination> {
        if let Some(name) = &ask.name {
            let problem = Problem::error(codes::FOREIGN_FORM, "an answer has a name or goes into a field, not both");
            self.problems.push(problem.with_label(name.span, "named here").help("leave out `as …`, and read the field"));
        }
        let always = ask.must || matches!(what, AskCodeWhat::YesNo);
        let (message, help) = match answer {
            _ if !always => ("there is no answer to put into a field if they pass", "write `must` in place of `may`"),
            Type::Move(_) | Type::Moves(_) => ("a move cannot be put into a field", "name it with `as`"),
            Type::List(_) => ("several things cannot be put into a field", "name them with `as`"),
            _ => {
                let found = self.compile_field_place(place)?;
                let seen = |kind: KindId| self.program.kind(kind).fields.get(usize::from(found.field)).map(|field| field.seen);
                let private = found.kind.and_then(seen).is_some_and(|seen| seen != Visibility::All);
                return Some(Destination { field: found, at: place.span, private });
            }
        };
        self.problems.push(Problem::error(codes::FOREIGN_FORM, message).with_label(place.span, "not into this field").help(help));
        None
    }

    /// Compiles the block for a missing answer. The answer's name has no value there, nor after it if the block reaches that
    /// point.
    fn compile_missing_answer(&mut self, name: Option<&Name>, slot: Slot, block: &Block) {
        let answered = self.function.presence.clone();
        let before = name.and_then(|name| self.find_local(&name.text)).map(|local| local.of.clone());
        if let (Some(name), Some(true)) = (name, before.as_ref().map(|of| may_hold_none(of.without_none()))) {
            self.mark_as_unsure(&name.text);
            self.function.presence.assign_slot(slot, false);
        }
        self.compile_block(block);
        if self.function.presence.is_unreachable()
            && !may_end_round(block)
            && let (Some(name), Some(before)) = (name, before)
            && let Some(local) = self.function.locals.find_mut(&name.text)
        {
            local.of = before;
        }
        self.function.presence.join_paths(&answered);
    }

    /// The slot of an answer. An existing name of the same type is reused.
    fn ask_slot(&mut self, name: &Name, of: Type) -> Slot {
        if let Some(local) = self.find_local(&name.text).cloned()
            && local.of.without_none() == of.without_none()
            && self.find_receivers(&name.text).is_none()
            && let Meaning::Slot(slot) = local.meaning
        {
            if of.is_list() {
                self.keep_lists(slot, &of);
            }
            if let Type::OrNone(_) = of {
                self.mark_as_unsure(&name.text);
            }
            self.function.presence.assign_slot(slot, !matches!(of, Type::OrNone(_)));
            return slot;
        }
        self.add_slot(&name.text, of)
    }

    /// Compiles the requested answer, and finds its type; none after an error.
    fn compile_question(&mut self, ask: &Ask) -> Option<CompiledQuestion> {
        let mut receiver = None;
        let (what, answer) = match &ask.what {
            AskWhat::Families(families) => self.compile_ask_families(ask, families)?,
            AskWhat::Among { amount, set } => {
                let (list, item) = self.compile_list(set);
                let (amount, several) = self.compile_amount(amount);
                let answer = if several { item.clone().into_list() } else { item.clone() };
                (AskCodeWhat::Among { amount, set: list, item: item.to_shape() }, answer)
            }
            AskWhat::Number { least, most } => {
                let place = least.span.extend_to(most.span);
                let (least, most) = (self.compile_number(least), self.compile_number(most));
                self.expect_some_between(&least, &most, place);
                let of = if ask.must { Type::Number } else { Type::Number.or_none() };
                (AskCodeWhat::Number { least, most }, of)
            }
            AskWhat::Word(name) => {
                let found = self.symbols.id(Sort::WordList, &name.text);
                let Some(found) = found else {
                    self.report_unresolved(name);
                    return None;
                };
                let of = Type::Word(found);
                (AskCodeWhat::Word(found), if ask.must { of } else { of.or_none() })
            }
            AskWhat::YesNo => (AskCodeWhat::YesNo, Type::Flag),
            AskWhat::Order(set) => {
                let (set, item) = self.compile_list(set);
                (AskCodeWhat::Order { set, item: item.to_shape() }, item.into_list())
            }
            AskWhat::Divide { total, step, among } => {
                let (what, one) = self.compile_divide(total, step, among);
                receiver = Some(one);
                (what, Type::Number.into_list())
            }
        };
        Some(CompiledQuestion { what, answer, receiver })
    }

    /// Compiles the families to choose from, with the families that are part of them. The answer is a move of one of the families
    /// named.
    fn compile_ask_families(&mut self, ask: &Ask, families: &[(Name, Option<Vec<Written>>)]) -> Option<(AskCodeWhat, Type)> {
        let mut lowered: Vec<(u16, Vec<Expr>)> = Vec::new();
        let (mut chosen, mut known) = (Vec::new(), BTreeSet::new());
        for (name, arguments) in families {
            let family = self.find_family(name)?;
            let params = self.symbols.families[family as usize].params.clone();
            let arguments = match arguments {
                Some(arguments) => {
                    let types: Vec<Type> = params.iter().map(|(_, of)| of.clone()).collect();
                    self.compile_arguments(&name.text, arguments, &types, name.span)
                }
                None => self.default_family_arguments(ask, name, &params),
            };
            chosen.push(family);
            for part in self.symbols.parts_of(family) {
                if known.insert(*part) {
                    lowered.push((*part, arguments.clone()));
                }
            }
        }
        let answer = match chosen.as_slice() {
            [only] => Type::Move(*only),
            _ => Type::Moves(chosen),
        };
        Some((AskCodeWhat::Families(lowered), answer))
    }

    /// Arguments of a family that are left out: the seat that is asked, then values with the parameters' names.
    fn default_family_arguments(&mut self, ask: &Ask, name: &Name, params: &[(String, Type)]) -> Vec<Expr> {
        let mut arguments = Vec::new();
        for (index, (param, of)) in params.iter().enumerate() {
            if index == 0 && *of == Type::side_type() {
                let (who, found) = match &ask.at_once {
                    Some((name, _)) => {
                        let written = Written { kind: ExprKind::Name(name.text.clone()), span: name.span };
                        self.compile_expression(&written)
                    }
                    None => self.compile_expression(&ask.who),
                };
                arguments.push(self.fit_type(who, found, of, ask.who.span));
                continue;
            }
            let written = Written { kind: ExprKind::Name(param.clone()), span: name.span };
            arguments.push(self.compile_as_type(&written, of));
        }
        arguments
    }

    /// Compiles an amount, and returns whether it makes a list.
    pub(super) fn compile_amount(&mut self, amount: &Amount) -> (RoleAmount, bool) {
        match amount {
            Amount::One => (RoleAmount::One, false),
            Amount::Exactly(Written { kind: ExprKind::Number(1), .. }) => (RoleAmount::One, false),
            Amount::OneOrNone => (RoleAmount::OneOrNone, false),
            Amount::Exactly(count) => {
                let count = self.compile_number(count);
                (RoleAmount::Some(count.clone(), Some(count)), true)
            }
            Amount::AtLeast(least) => (RoleAmount::Some(self.compile_number(least), None), true),
            Amount::Between(least, most) => {
                let place = least.span.extend_to(most.span);
                let (least, most) = (self.compile_number(least), self.compile_number(most));
                self.expect_some_between(&least, &most, place);
                (RoleAmount::Some(least, Some(most)), true)
            }
            Amount::Any => (RoleAmount::Some(Expr::Constant(0), None), true),
        }
    }
}

/// Suggests how to handle the seats that chose nothing.
fn suggest_instead_of_else(ask: &Ask, name: &Name, nothing: &str) -> String {
    let set = match &ask.who.kind {
        ExprKind::Name(set) => set,
        _ => "…",
    };
    let (first, answer) = match &ask.name {
        Some(answer) => ("", answer.text.as_str()),
        None => ("name the answers with `as chosen`, and ", "chosen"),
    };
    let each = format!("each {} in {set} where {answer}(it) is {nothing} {{ … }}", name.text);
    format!("{first}write after the question: `{each}`")
}
