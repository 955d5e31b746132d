//! Explanations: the words of a question, and the rule that prevents a move.
//!
//! A refusal is made for the seat that is asked, and must reveal nothing hidden from it: reasons that depend on hidden
//! information are left out. `place` is the index of a question among the open ones, `base` that of the slots with the bound
//! values and roles of the move in question, and `key` what the player wrote.

use crate::runtime::context::Context;
use crate::runtime::decision::Refusal;
use crate::runtime::eval::question::{GroupKind, Question, QuestionForm};
use crate::runtime::eval::restrictions::Restriction;
use crate::runtime::event::Audience;
use crate::runtime::question::Questions;
use crate::runtime::question::keys::{CHOOSE, Key, PASS, split_things};
use crate::runtime::state::FrameRole;
use crate::runtime::text::Speaker;
use ludex_program::{
    ActionId, AskCodeWhat, ConditionInfo, Expr, FamilyId, Instruction, KindSort, NONE, RoleAmount, RoleInfo, SIDE, Shape, Value,
};
use ludex_syntax::problem::{capitalise_first, cites_text, nearest_word};

impl Questions {
    /// The words of the question on top.
    pub fn prompt_text(&mut self, context: &Context) -> String {
        let Some(frame) = self.state.frames.last().copied() else { return String::new() };
        if let FrameRole::Window(window) = frame.role {
            let hook = &context.program.hooks[window.hook as usize];
            let moment = match hook.prompt {
                Some(prompt) => self.render(context, frame.base as usize, prompt),
                None => capitalise_first(&hook.name.replace('_', " ")),
            };
            return format!("{moment}: use an ability?");
        }
        let asked = context.program.code.get(frame.at as usize).and_then(Instruction::ask_code);
        let Some(ask) = asked else { return String::new() };
        match (ask.prompt, &ask.what) {
            (Some(prompt), _) => self.render(context, frame.base as usize, prompt),
            (None, AskCodeWhat::Families(families)) => {
                let names: Vec<String> = families
                    .iter()
                    .map(|(family, _)| context.program.families[*family as usize].name.replace('_', " "))
                    .collect();
                format!("Choose: {}", names.join(" or "))
            }
            (None, AskCodeWhat::Order { .. }) => "Put in order".to_string(),
            (None, AskCodeWhat::Divide(divide)) => {
                let total = self.evaluate(context, frame.base as usize, &divide.total);
                match self.evaluate(context, frame.base as usize, &divide.step) {
                    1 => format!("Divide {total}"),
                    step => format!("Divide {total} in steps of {step}"),
                }
            }
            (None, _) => "Choose".to_string(),
        }
    }

    /// For questions asked at once: makes the one at an index the current one, whose words and options are read.
    pub fn select_member(&mut self, context: &Context, place: usize) {
        let Some(frame) = self.state.frames.last().copied() else { return };
        let Some(Instruction::AskAtOnce(code)) = context.program.code.get(frame.at as usize) else { return };
        let base = frame.base as usize;
        let list = self.evaluate(context, base, &code.set);
        if let Some(member) = self.state.list_values(list).get(place).copied() {
            self.set_slot(base, code.variable, member);
        }
    }

    /// The reason why the question at an index has no option with a key, in words for the seat that is asked. For a hidden piece,
    /// the seat learns no more than for a number that no piece has.
    pub fn why_not(&mut self, context: &Context, place: usize, key: &str) -> Refusal {
        let Some(seat) = self.scratch.questions.get(place).map(|question| question.side) else {
            return refusal_with_help(format!("`{key}` is not offered now"), None);
        };
        self.with_audience(Audience::Seats(vec![seat]), |machine| machine.explain_refusal(context, place, key))
    }

    /// The reason why the question at `place` has no option with a key, for the audience that is set.
    fn explain_refusal(&mut self, context: &Context, place: usize, key: &str) -> Refusal {
        let Some(read) = Key::parse_key(key) else {
            let help = "a key is a name with the choices in brackets, such as `name(0+3>6)`";
            let reason = match key.contains('(') && !key.ends_with(')') {
                true => format!("`{key}` is cut off"),
                false => format!("there is no number after `#` in `{key}`"),
            };
            return refusal_with_help(reason, Some(help.to_string()));
        };
        if let Some(refusal) = self.why_not_move(context, place, read) {
            return refusal;
        }
        let name = read.name;
        let names: Vec<&str> = context
            .program
            .actions
            .iter()
            .map(|action| action.name.as_str())
            .chain(context.program.clauses.iter().map(|clause| clause.name.as_str()))
            .chain([PASS, CHOOSE])
            .collect();
        if !names.contains(&name) {
            let help = nearest_word(name, names.iter().copied()).map(|near| format!("did you mean `{near}`?"));
            return refusal_with_help(format!("there is no move called `{name}`"), help);
        }
        refusal_with_help(format!("`{key}` is not offered now"), None)
    }

    /// The reason why the move of a key is not allowed; `None` if there is no such action, or if the reason is hidden.
    fn why_not_move(&mut self, context: &Context, place: usize, key: Key) -> Option<Refusal> {
        if key.name == PASS {
            return Some(refusal_with_help("passing is not allowed while there is a move that must be made".to_string(), None));
        }
        let index = context.program.actions.iter().position(|action| action.name == key.name)?;
        let info = &context.program.actions[index];
        let bound = self.bound_values_for(context, place, index as u16)?;
        let base = self.state.slots.len();
        self.state.slots.extend_from_slice(&bound);
        self.state.slots.resize(base + info.slots as usize, NONE);
        let reason = self.first_reason(context, base, place, index as u16, key);
        self.state.slots.truncate(base);
        reason
    }

    /// The first reason why a move of an action is not allowed: wrong arguments, a candidate that is not offered, a filter, a
    /// condition, or a restriction. `None` if the reason is hidden.
    fn first_reason(&mut self, context: &Context, base: usize, place: usize, action: ActionId, key: Key) -> Option<Refusal> {
        let seat = self.scratch.questions.get(place).map(|question| question.side)?;
        let info = &context.program.actions[usize::from(action)];
        let words: Vec<&str> = key.role_fillings().collect();
        if words.len() != info.roles.len() {
            let needed = match info.roles.len() {
                0 => "no arguments".to_string(),
                1 => "1 argument".to_string(),
                several => format!("{several} arguments, separated by `>`"),
            };
            return Some(refusal_with_help(format!("`{}` needs {needed}", info.name), None));
        }
        let mut filled = Vec::new();
        for (index, (role, word)) in info.roles.iter().zip(&words).enumerate() {
            let list = self.evaluate(context, base, &role.from);
            let candidates = self.state.list_values(list).to_vec();
            let may_be_told = !self.is_hidden(context, base, seat, &[&role.from]);
            let mut members = Vec::new();
            for part in split_things(word) {
                let Some(value) = self.value_of_key(context, seat, part, role, &candidates) else {
                    return Some(refusal_with_help(format!("`{part}` cannot be the {}", role.name.replace('_', " ")), None));
                };
                if !candidates.contains(&value) {
                    if !may_be_told {
                        return None;
                    }
                    let shown = self.describe_value(context, value, &role.item);
                    let role_name = role.name.replace('_', " ");
                    let reason = format!("{shown} cannot be the {role_name} here: the rules do not offer it for this");
                    return Some(refusal_with_help(reason, self.suggest_same_sheet(context, seat, value, &candidates)));
                }
                for (filter, place) in role.filter.iter().zip(&role.filter_places) {
                    if !self.test_member(context, base, role.filter_slot, value, filter)
                        && !self.is_hidden(context, base, seat, &[filter])
                    {
                        let shown = self.describe_value(context, value, &role.item);
                        let reason = format!("{shown} is not allowed: {}", self.condition_words(context, base, seat, place));
                        return Some(refusal_with_help(reason, None));
                    }
                }
                members.push(value);
            }
            let single = matches!(role.amount, RoleAmount::One | RoleAmount::OneOrNone);
            let value = if single { members.first().copied().unwrap_or(NONE) } else { self.push_list(&members) };
            self.set_slot(base, info.context + index as u16, value);
            filled.push(members);
        }
        let reason = match self.first_failing(context, base, seat, &info.conditions) {
            Some(failed) => Some(self.condition_words(context, base, seat, failed)),
            None => {
                let bound = self.state.slots.get(base..base + usize::from(info.context)).unwrap_or(&[]).to_vec();
                self.why_restricted(context, seat as Value, action, &bound, &filled)
            }
        };
        reason.map(|reason| refusal_with_help(reason, None))
    }

    /// Suggests a candidate with the same sheet as a card.
    fn suggest_same_sheet(&self, context: &Context, seat: usize, card: Value, candidates: &[Value]) -> Option<String> {
        let print = self.print_of_piece(context, card)?;
        let seen = |candidate: &&Value| self.can_see(context, seat, **candidate);
        let meant = candidates.iter().filter(seen).find(|other| self.print_of_piece(context, **other) == Some(print))?;
        Some(format!("did you mean `{}`?", self.piece_key(context, *meant)))
    }

    /// The first condition that fails, among those that a seat may know of.
    pub(super) fn first_failing<'p>(
        &mut self,
        context: &Context,
        base: usize,
        seat: usize,
        conditions: &'p [ConditionInfo],
    ) -> Option<&'p ConditionInfo> {
        conditions.iter().find(|condition| {
            self.evaluate(context, base, &condition.expr) == 0 && !self.is_hidden(context, base, seat, &[&condition.expr])
        })
    }

    /// Whether some of these values depend on information hidden from a seat, so that a reason must not reveal them. `base` is
    /// that of the slots that they read.
    pub(super) fn is_hidden(&mut self, context: &Context, base: usize, seat: usize, exprs: &[&Expr]) -> bool {
        self.taints_of(context, base, exprs).into_iter().any(|from| from.contains(seat))
    }

    /// The rules' text for a condition that fails, or else its source, with the rules it cites. The text is left out if it would
    /// reveal hidden information to the seat.
    pub(super) fn condition_words(&mut self, context: &Context, base: usize, seat: usize, condition: &ConditionInfo) -> String {
        let cited = cites_text(&condition.rules);
        let holes = |text| context.program.text_expressions(text);
        if let Some(why_not) = condition.why_not.filter(|text| !self.is_hidden(context, base, seat, &holes(*text))) {
            return format!("{}{cited}", self.render(context, base, why_not));
        }
        let words: Vec<&str> = context.program.sources.span_text(condition.span).split_whitespace().collect();
        format!("the rule `{}` does not hold{cited}", words.join(" "))
    }

    /// The value of a thing in a key that fills a role, if the seat may know it.
    fn value_of_key(&self, context: &Context, seat: usize, word: &str, role: &RoleInfo, candidates: &[Value]) -> Option<Value> {
        if let Some(entrant) = context.roster.entrant_by_key(word) {
            return Some(Value::from(entrant));
        }
        match &role.item {
            Shape::Entity(kind) if context.program.kind(*kind).sort == KindSort::Piece => {
                self.piece_by_key(context, word).filter(|piece| self.can_see(context, seat, *piece))
            }
            // The parts of a sheet have these keys only within their list.
            shape @ Shape::Sheet(_) => {
                candidates.iter().copied().find(|candidate| self.key_of(context, *candidate, shape) == word)
            }
            // The keys of sides are numbers, those of entrants only names.
            Shape::Entity(SIDE) => word.parse().ok().filter(|side| (0..context.roster.sides as Value).contains(side)),
            Shape::Entity(_) => None,
            Shape::Word(of) => {
                let count = context.program.words.get(usize::from(*of)).map_or(0, |of| of.words.len());
                (0..count as Value).find(|value| self.key_of(context, *value, &role.item) == word)
            }
            shape @ Shape::Zone(_) => {
                let mut zones = 0..self.state.board.zones.len() as Value;
                zones.find(|zone| {
                    let bearer = self.bearer_of(context, *zone as u16);
                    self.key_of(context, *zone, shape) == word
                        && bearer.is_none_or(|bearer| self.is_known_holder(context, seat, bearer))
                })
            }
            _ => word.parse().ok(),
        }
    }

    /// The bound values that an action would have in the question at `place`: the arguments of its family, and the owner of its
    /// ability.
    fn bound_values_for(&mut self, context: &Context, place: usize, action: u16) -> Option<Vec<Value>> {
        let question = self.scratch.questions.get(place).filter(|question| question.form == QuestionForm::Options)?;
        if let Some(group) = question.groups().iter().find(|group| group.kind != GroupKind::Pass && group.action == action) {
            return Some(question.context_of(group).to_vec());
        }
        let frame = self.state.frames.last().copied()?;
        let ask = context.program.code.get(frame.at as usize).and_then(Instruction::ask_code)?;
        let AskCodeWhat::Families(families) = &ask.what else { return None };
        let family = context.program.actions[action as usize].family?;
        let (_, arguments) = families.iter().find(|(listed, _)| *listed == family)?;
        let mut bound: Vec<Value> =
            arguments.iter().map(|argument| self.evaluate(context, frame.base as usize, argument)).collect();
        if context.program.actions[action as usize].context as usize > bound.len() {
            let grants = &context.roster.grants[family as usize];
            // The reason reveals the ability's owner, so hidden pieces are skipped.
            let seat = self.scratch.questions.get(place)?.side;
            let owner = grants.iter().find(|grant| {
                let found = &context.roster.instances[grant.instance as usize];
                context.program.abilities[found.ability as usize].grants[grant.index as usize].action == action
                    && self.is_known_holder(context, seat, found.holder)
            })?;
            bound.extend(self.owner_values(context, owner.instance));
        }
        Some(bound)
    }
}

/// The refusal of an answer that is not allowed now, with help.
fn refusal_with_help(reason: String, help: Option<String>) -> Refusal {
    Refusal { help, ..Refusal::illegal_choice(reason) }
}

impl Questions {
    /// The restriction that forbids an otherwise legal move, in the words of the rules. The move is given by its action, its
    /// bound values and its role fillings.
    pub(super) fn why_restricted(
        &mut self,
        context: &Context,
        side: Value,
        action: ActionId,
        bound: &[Value],
        filled: &[Vec<Value>],
    ) -> Option<String> {
        let restrictions = self.known_restrictions(context, context.program.actions[usize::from(action)].family?, side);
        let mut question = Question::default();
        question.begin_context(bound);
        question.add_single_move(context, action, filled);
        let group = &question.groups()[0];
        let chosen = question.move_arguments(group, 0)?;
        let forbidding =
            self.forbidding_restriction(context, &restrictions.iter().collect::<Vec<_>>(), &question, group, &chosen)?;
        Some(forbidding.restriction_text(context))
    }

    /// A restriction that may forbid otherwise legal moves of a family, in the words of the rules.
    pub(super) fn barring_words(&mut self, context: &Context, family: FamilyId, side: Value) -> Option<String> {
        self.known_restrictions(context, family, side).first().map(|restriction| restriction.restriction_text(context))
    }

    /// The restrictions that the side may know of. Those of hidden pieces are left out, because the words would name the piece's
    /// ability or mark.
    fn known_restrictions(&mut self, context: &Context, family: FamilyId, side: Value) -> Vec<Restriction> {
        let mut restrictions = self.restrictions_on(context, family, side);
        restrictions.retain(|restriction| self.is_known_holder(context, side as usize, restriction.holder));
        restrictions
    }
}
