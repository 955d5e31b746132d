//! Options, in words for people and as data for programs.
//!
//! `place` is the index of a question among the open ones, `index` that of an option in it, and `local` that of a move in its
//! *group*: the moves of one action, grant or offer. Words are made for a seat, and name the things that it may choose even if
//! others do not see them.

use crate::runtime::context::Context;
use crate::runtime::decision::{Argument, Choice, OptionView};
use crate::runtime::eval::legal::chosen_value;
use crate::runtime::eval::question::{Group, GroupKind, Question, QuestionForm};
use crate::runtime::eval::search::Chosen;
use crate::runtime::limits::WORK_OF_VIEW;
use crate::runtime::question::Questions;
use crate::runtime::question::keys::{FoundOption, PASS};
use crate::runtime::state::Frame;
use crate::runtime::text::Speaker;
use ludex_program::{ActionInfo, KindSort, MOST_ROLES, NONE, SIDE, Shape, Value};

impl Questions {
    /// Puts a group's bound values and role fillings into new slots. The caller removes them.
    pub fn fill_slots(&mut self, info: &ActionInfo, question: &Question, group: &Group, chosen: &[Chosen; MOST_ROLES]) -> usize {
        let base = self.open_slots(question.context_of(group), info.slots);
        for (role, chosen) in chosen.iter().enumerate().take(info.roles.len()) {
            let value = chosen_value(&mut self.state.lists, question, group, role, *chosen);
            self.set_slot(base, info.context + role as u16, value);
        }
        base
    }

    /// The index of an answer's option in the question at `place`; `u64::MAX` if there is none. A move without an index gets one
    /// after all options.
    #[inline]
    pub fn option_index(&mut self, context: &Context, place: usize, answer: &Choice) -> u64 {
        match answer {
            Choice::Option(index) => *index,
            Choice::Key(key) => self.option_by_key(context, place, key).map_or(u64::MAX, FoundOption::index),
            Choice::Options(_) | Choice::Number(_) | Choice::Amounts(_) => u64::MAX,
        }
    }

    /// The name of the entrant or side that the current statement asks.
    pub fn asked_name(&mut self, context: &Context, side: usize) -> String {
        self.asked_entrant(context, side).unwrap_or_else(|| self.side_name(context, side as Value))
    }

    /// The name of the entrant that the current statement asks, if its side has several.
    pub fn asked_entrant(&mut self, context: &Context, side: usize) -> Option<String> {
        if context.roster.entrants.get(side).is_none_or(|entrants| entrants.len() < 2) {
            return None;
        }
        let frame = self.state.frames.last().copied().filter(Frame::runs_instructions)?;
        let who = &context.program.code.get(frame.at as usize)?.ask_code()?.who;
        let lists = self.state.lists.len();
        let who = self.evaluate(context, frame.base as usize, who);
        self.state.lists.truncate(lists);
        context.roster.entrants[side].iter().any(|entrant| Value::from(*entrant) == who).then(|| self.entrant_name(context, who))
    }

    /// One option of the question at `place`, in full.
    pub fn option_view(&mut self, context: &Context, place: usize, index: u64) -> Option<OptionView> {
        let question = std::mem::take(self.scratch.questions.get_mut(place)?);
        self.meter.add_work(WORK_OF_VIEW);
        let view = self.make_option(context, &question, index);
        self.scratch.questions[place] = question;
        view
    }

    /// The words of the current question for choosing nothing, if its rules define them.
    pub(super) fn pass_words(&mut self, context: &Context) -> Option<String> {
        let frame = self.state.frames.last().copied().filter(Frame::runs_instructions)?;
        let words = context.program.code.get(frame.at as usize)?.ask_code()?.pass_text?;
        Some(self.render(context, frame.base as usize, words))
    }

    /// The same for a question that is not in its place at the moment.
    pub fn make_option(&mut self, context: &Context, question: &Question, index: u64) -> Option<OptionView> {
        match question.form {
            QuestionForm::Options => {
                let (group, local) = question.locate_option(index)?;
                self.move_view(context, question, group, local, index)
            }
            QuestionForm::YesNo => {
                let word = if index == 0 { "yes" } else { "no" };
                (index < 2).then(|| plain_option(index, word, word))
            }
            QuestionForm::OneItem if question.items.get(index as usize) == Some(&NONE) => {
                let words = self.pass_words(context).unwrap_or_else(|| "none of them".to_string());
                Some(plain_option(index, PASS, &words))
            }
            // A question for a number has no things.
            QuestionForm::OneItem | QuestionForm::Of(_) => self.thing_view(context, question, index),
        }
    }

    /// The key of an option, without its words.
    pub(super) fn option_key(&self, context: &Context, question: &Question, index: u64) -> Option<String> {
        match question.form {
            QuestionForm::Options => {
                let (group, local) = question.locate_option(index)?;
                self.key_in_group(context, question, group, local)
            }
            QuestionForm::YesNo => Some(if index == 0 { "yes" } else { "no" }.to_string()),
            QuestionForm::OneItem if question.items.get(index as usize) == Some(&NONE) => Some(PASS.to_string()),
            QuestionForm::OneItem | QuestionForm::Of(_) => {
                let key = self.thing_key(context, question, usize::try_from(index).ok()?)?;
                Some(format!("{}({key})", question.possible_answers().form.key_word()))
            }
        }
    }

    /// The key of a move of a group.
    fn key_in_group(&self, context: &Context, question: &Question, group: &Group, local: u64) -> Option<String> {
        let key = match group.kind {
            GroupKind::Pass => return Some(PASS.to_string()),
            GroupKind::Offer => context.program.clauses[group.clause as usize].name.clone(),
            GroupKind::Action | GroupKind::Grant | GroupKind::OfferWithTargets => {
                let info = &context.program.actions[group.action as usize];
                self.move_key(context, info, question, group, &question.move_arguments(group, local)?)
            }
        };
        Some(self.number_key(context, question, group, key))
    }

    /// One of a question's things, as an option.
    fn thing_view(&mut self, context: &Context, question: &Question, index: u64) -> Option<OptionView> {
        let place = usize::try_from(index).ok()?;
        let thing = *question.items.get(place)?;
        let action = question.possible_answers().form.key_word();
        Some(OptionView {
            id: index,
            key: self.option_key(context, question, index)?,
            action: action.to_string(),
            args: vec![("item".to_string(), self.to_argument(context, thing, question.item_shape.as_ref()?))],
            text: self.with_subjects(vec![thing], |machine| machine.thing_text(context, question, place))?,
            ability: None,
        })
    }

    /// A move of a group as an option with the number `index`.
    pub(super) fn move_view(
        &mut self,
        context: &Context,
        question: &Question,
        group: &Group,
        local: u64,
        index: u64,
    ) -> Option<OptionView> {
        let ability =
            context.roster.instances.get(group.instance as usize).map(|found| &context.program.abilities[found.ability as usize]);
        let ability_id = ability.map(|ability| ability.id.clone());
        if group.kind == GroupKind::Pass {
            let words = self.pass_words(context).unwrap_or_else(|| PASS.to_string());
            return Some(plain_option(index, PASS, &words));
        }
        if group.kind == GroupKind::Offer {
            let clause = &context.program.clauses[group.clause as usize];
            let base = self.state.slots.len();
            self.state.slots.extend_from_slice(question.context_of(group));
            let text = match clause.says {
                Some(says) => self.render(context, base, says),
                None => self.use_words(context, group.instance),
            };
            self.state.slots.truncate(base);
            let text = self.add_user_name(context, question, group, text);
            let key = self.key_in_group(context, question, group, local)?;
            return Some(OptionView { key, ability: ability_id, ..plain_option(index, &clause.name, &text) });
        }
        let info = &context.program.actions[group.action as usize];
        let chosen = question.move_arguments(group, local)?;
        let lists = self.state.lists.len();
        let base = self.fill_slots(info, question, group, &chosen);
        let things = question.move_things(group, &chosen);
        let text = self.with_subjects(things, |machine| match info.says {
            Some(says) => machine.render(context, base, says),
            None => info.name.replace('_', " "),
        });
        let args = info
            .roles
            .iter()
            .enumerate()
            .map(|(role, found)| {
                let value = self.read_slot(base, info.context + role as u16);
                (found.name.clone(), self.to_argument(context, value, &found.shape))
            })
            .collect();
        self.state.slots.truncate(base);
        self.state.lists.truncate(lists);
        let text = self.add_user_name(context, question, group, text);
        let key = self.key_in_group(context, question, group, local)?;
        Some(OptionView { id: index, key, action: info.name.clone(), args, text, ability: ability_id })
    }

    /// The sentence of an option. If several entrants may use the same ability, the name of the user is added.
    fn add_user_name(&self, context: &Context, question: &Question, group: &Group, text: String) -> String {
        let holder_of = |group: &Group| context.roster.instances.get(usize::from(group.instance)).map(|found| found.holder);
        let Some(holder) = holder_of(group).filter(|holder| *holder < context.roster.first_piece) else { return text };
        let is_twin = |other: &Group| {
            (other.kind, other.action, other.clause) == (group.kind, group.action, group.clause)
                && other.count > 0
                && holder_of(other).is_some_and(|other| other != holder)
        };
        if !question.groups().iter().any(is_twin) {
            return text;
        }
        let name = self.entrant_name(context, Value::from(holder));
        if text.contains(&name) { text } else { format!("{text} ({name})") }
    }

    /// `use Dive`, with the entrant's name if its side has several. `instance` is the ability in play.
    fn use_words(&self, context: &Context, instance: u16) -> String {
        let Some(found) = context.roster.instances.get(instance as usize) else { return String::new() };
        let title = &context.program.abilities[found.ability as usize].title;
        match context.roster.entrants[found.side as usize].len() {
            0 | 1 => format!("use {title}"),
            _ => format!("{}: use {title}", self.entrant_name(context, Value::from(found.holder))),
        }
    }

    /// A value in a role, as data for programs.
    pub(super) fn to_argument(&self, context: &Context, value: Value, shape: &Shape) -> Argument {
        match shape {
            Shape::List(inner) => {
                Argument::List(self.state.list_values(value).iter().map(|item| self.to_argument(context, *item, inner)).collect())
            }
            Shape::OrNone(inner) if value != NONE => self.to_argument(context, value, inner),
            _ if value == NONE => Argument::Nothing,
            Shape::Entity(SIDE) => Argument::Side { side: value as usize },
            Shape::Entity(kind) if context.program.kind(*kind).sort == KindSort::Piece => {
                Argument::Piece(self.piece_view(context, value))
            }
            Shape::Number | Shape::Halves => Argument::Number(i64::from(value)),
            Shape::Entity(_) => {
                Argument::Word(self.entrant_key(context, value).unwrap_or_else(|| self.describe_value(context, value, shape)))
            }
            Shape::Zone(_) => Argument::Word(self.key_of(context, value, shape)),
            _ => Argument::Word(self.describe_value(context, value, shape)),
        }
    }
}

/// An option without arguments, whose key is also its action.
fn plain_option(id: u64, key: &str, text: &str) -> OptionView {
    OptionView { id, key: key.to_string(), action: key.to_string(), args: Vec::new(), text: text.to_string(), ability: None }
}
