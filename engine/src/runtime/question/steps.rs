//! A move built step by step: first the kind of move, then the filling of each role, with roles of one thing before roles of
//! several. If there are too many sets that depend on other roles, their members are chosen one by one, among those that can
//! still lead to a move. The decision stays open and whole; only its answer grows.
//!
//! A *draft* is the answers to the steps so far; nothing else is stored, so each step follows them again from the start. A
//! *group* is the moves of one action, grant or offer. `most_listed` is the number of sets up to which a role's sets are listed
//! as options of one step. `session::drafts` calls this for people who choose step by step.

mod ways;

use crate::runtime::context::Context;
use crate::runtime::eval::question::{Group, Question};
use crate::runtime::eval::search::MoveIndex;
use crate::runtime::question::Questions;
use crate::runtime::question::keys::CHOOSE;
use crate::runtime::text::Speaker;
use crate::runtime::{Argument, Choice, Form, OptionView};
use ludex_program::{Program, RoleAmount, RoleInfo, Shape, TextPart, Value};
use ludex_syntax::problem::join_words;
use ways::{RemainingMoves, StepAnswer, Ways};

/// The key of a choice to add no more members.
const DONE: &str = "done";

/// The answers to the steps of a move so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    pub(crate) answers: Vec<Choice>,
}

impl Draft {
    /// A draft with these answers.
    #[cfg(test)]
    pub(crate) fn from_answers(answers: Vec<Choice>) -> Draft {
        Draft { answers }
    }

    /// Whether no step is answered yet.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// Takes the last answer back.
    pub fn undo_answer(&mut self) {
        self.answers.pop();
    }
}

/// The next choice of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveStep {
    /// Its number, from 1.
    pub number: usize,
    /// Maximum number of steps in total, if all later ones are needed.
    pub of: usize,
    /// The subject of the choice: `leap: targets`.
    pub about: String,
    /// The form of the step's answer.
    pub form: Form,
    /// The possible answers, numbered for this step alone.
    pub options: Vec<OptionView>,
}

/// The result of adding an answer to a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DraftProgress {
    /// More must be chosen: the draft with this answer.
    Further(Draft),
    /// The choice among the decision's moves.
    Whole(Choice),
}

/// The result of a draft: the next step, or the whole choice.
pub enum DraftOutcome {
    To(MoveStep),
    Whole(Choice),
}

/// The result of following a draft.
pub(crate) enum FollowResult {
    To(MoveStep),
    /// The move with this index.
    Whole(u64),
    /// A move without an index, given by its group's index and its role fillings.
    Beyond(usize, Vec<Vec<Value>>),
}

/// The reason why a role is not filled.
enum Halt {
    /// This step must be answered first.
    At(MoveStep),
    /// The answer is not possible.
    Wrong,
}

/// The answers that remain to be followed, and the number of the next step.
struct Trail<'a> {
    answers: std::slice::Iter<'a, Choice>,
    number: usize,
}

impl<'a> Trail<'a> {
    /// The next answer, if there is one; then the next step has the next number.
    fn next(&mut self) -> Option<&'a Choice> {
        let answer = self.answers.next();
        self.number += usize::from(answer.is_some());
        answer
    }
}

impl Questions {
    /// Follows the answered steps to the first that has no answer. `None` if an answer is not possible, or if answers are left
    /// over.
    pub(crate) fn follow_answers(
        &mut self,
        context: &Context,
        question: &Question,
        answers: &[Choice],
        most_listed: u64,
    ) -> Option<FollowResult> {
        // A kind of move that is impossible now is not offered.
        let groups: Vec<(u64, usize)> = group_starts(question).filter(|(_, place)| question.groups()[*place].count > 0).collect();
        let mut trail = Trail { answers: answers.iter(), number: 1 };
        let mut index = 0;
        if groups.len() > 1 {
            index = match trail.next() {
                None => return Some(FollowResult::To(self.first_step(context, question, &groups, most_listed))),
                Some(Choice::Option(index)) => usize::try_from(*index).ok()?,
                Some(_) => return None,
            };
        }
        let (start, place) = *groups.get(index)?;
        let group = &question.groups()[place];
        if group.count == 1 {
            return trail.next().is_none().then_some(FollowResult::Whole(start));
        }
        let mut left = RemainingMoves::new(question, group, most_listed);
        let order = filling_order(&context.program.actions[group.action as usize].roles);
        for at in 0..order.len() {
            match self.fill_role(context, &mut left, &order[at..], &mut trail) {
                Ok(()) => {}
                Err(Halt::At(step)) => return Some(FollowResult::To(step)),
                Err(Halt::Wrong) => return None,
            }
        }
        let found = left.find_place().filter(|_| trail.next().is_none())?;
        Some(match found {
            MoveIndex::Numbered(index) => FollowResult::Whole(start + index),
            MoveIndex::Beyond => FollowResult::Beyond(place, left.all_fillings()),
        })
    }

    /// Fills the first of `roles` according to the answers, and takes a forced filling without an answer. The others are needed
    /// to count the steps to come.
    fn fill_role(
        &mut self,
        context: &Context,
        left: &mut RemainingMoves,
        roles: &[usize],
        trail: &mut Trail,
    ) -> Result<(), Halt> {
        let Some((&role, later)) = roles.split_first() else { return Ok(()) };
        let mut chosen = Vec::new();
        loop {
            let ways = left.role_ways(role, &chosen);
            let said = match ways.single_answer() {
                Some(only) => only,
                None => match trail.next() {
                    None => {
                        let of = trail.number + ways.step_count() + left.most_steps(later) - 1;
                        let step = self.role_step(context, left.group, role, &ways);
                        return Err(Halt::At(MoveStep { number: trail.number, of, ..step }));
                    }
                    Some(answer) => ways.interpret_answer(answer).ok_or(Halt::Wrong)?,
                },
            };
            match said {
                StepAnswer::Member(thing) => chosen.push(thing),
                StepAnswer::Fill(way) => {
                    left.set_filling(role, way);
                    return Ok(());
                }
            }
        }
    }

    /// The choice of the kind of move among `groups`, each with the index of its first move. A kind with a single move is offered
    /// as that move.
    fn first_step(&mut self, context: &Context, question: &Question, groups: &[(u64, usize)], most_listed: u64) -> MoveStep {
        let mut options = Vec::new();
        let mut most = 0;
        for (id, (start, place)) in groups.iter().enumerate() {
            let group = &question.groups()[*place];
            let whole = self.move_view(context, question, group, 0, *start);
            let kind = kind_words(context.program, group.action);
            options.extend(whole.map(|whole| match group.count {
                1 => OptionView { id: id as u64, ..whole },
                _ => kind_option(whole, id as u64, kind),
            }));
            if group.count > 1 {
                let roles = filling_order(&context.program.actions[group.action as usize].roles);
                most = most.max(RemainingMoves::new(question, group, most_listed).most_steps(&roles));
            }
        }
        MoveStep { number: 1, of: 1 + most, about: "kind of move".to_string(), form: Form::One, options }
    }

    /// The choice of a role's filling. The caller sets the number of the step.
    fn role_step(&mut self, context: &Context, group: &Group, role: usize, ways: &Ways) -> MoveStep {
        let info = &context.program.actions[group.action as usize];
        let role = &info.roles[role];
        let about = format!("{}: {}", info.name, role.name).replace('_', " ");
        let options = self.role_options(context, role, ways);
        let about = match ways {
            Ways::Members { chosen, .. } if !chosen.is_empty() => format!("{about}, {}", self.chosen_text(context, role, chosen)),
            _ => about,
        };
        MoveStep { number: 0, of: 0, about, form: ways.answer_form(), options }
    }

    /// The possible answers of a step as options.
    fn role_options(&mut self, context: &Context, role: &RoleInfo, ways: &Ways) -> Vec<OptionView> {
        let things: Vec<Vec<Value>> = match ways {
            Ways::One(ways) => ways.clone(),
            Ways::Some { things, .. } | Ways::Members { things, .. } => things.iter().map(|thing| vec![*thing]).collect(),
        };
        let mut options: Vec<OptionView> =
            things.iter().enumerate().map(|(id, way)| self.way_view(context, role, id as u64, way)).collect();
        if let Ways::Members { chosen, enough: true, .. } = ways {
            options.push(self.done_view(context, role, things.len() as u64, chosen));
        }
        options
    }

    /// The chosen members, in words.
    fn chosen_text(&mut self, context: &Context, role: &RoleInfo, chosen: &[Value]) -> String {
        let texts = self.names_of_way(context, role, chosen);
        format!("{} so far", join_words(&texts, "and"))
    }

    /// The names of the things of one way to fill a role.
    fn names_of_way(&mut self, context: &Context, role: &RoleInfo, way: &[Value]) -> Vec<String> {
        let name =
            |machine: &mut Questions| way.iter().map(|value| machine.describe_value(context, *value, &role.item)).collect();
        self.with_subjects(way.to_vec(), name)
    }

    /// The option to add no more members.
    fn done_view(&mut self, context: &Context, role: &RoleInfo, id: u64, chosen: &[Value]) -> OptionView {
        let whole = self.way_view(context, role, id, chosen);
        OptionView { key: DONE.to_string(), action: DONE.to_string(), text: format!("no more than {}", whole.text), ..whole }
    }

    /// One way to fill a role as an option.
    fn way_view(&mut self, context: &Context, role: &RoleInfo, id: u64, way: &[Value]) -> OptionView {
        let item = &role.item;
        let words: Vec<String> = way.iter().map(|value| self.key_of(context, *value, item)).collect();
        let texts = self.names_of_way(context, role, way);
        let argument = match way {
            [one] => self.to_argument(context, *one, &Shape::OrNone(Box::new(item.clone()))),
            several => Argument::List(several.iter().map(|value| self.to_argument(context, *value, item)).collect()),
        };
        OptionView {
            id,
            key: format!("{CHOOSE}({})", words.join("+")),
            action: CHOOSE.to_string(),
            args: vec![(role.name.clone(), argument)],
            text: if texts.is_empty() { "none of them".to_string() } else { join_words(&texts, "and") },
            ability: None,
        }
    }
}

/// The words of an action's moves, with a gap for each part that varies: `attack … with level …`.
fn kind_words(program: &Program, action: u16) -> Option<String> {
    let says = program.actions.get(usize::from(action))?.says?;
    let part = |part: &TextPart| match part {
        TextPart::Words(words) => words.clone(),
        _ => "…".to_string(),
    };
    let words: String = program.text_parts(says).iter().map(part).collect();
    // Adjacent gaps are merged.
    Some(words.replace("… …", "…"))
}

/// The index of each group's first move, and the index of the group.
fn group_starts(question: &Question) -> impl Iterator<Item = (u64, usize)> {
    question.groups().iter().enumerate().scan(0, |next, (place, group)| {
        let start = *next;
        *next += group.count;
        Some((start, place))
    })
}

/// A kind of move as an option, made from one of its moves.
fn kind_option(example: OptionView, id: u64, words: Option<String>) -> OptionView {
    let text = words.unwrap_or_else(|| format!("{} …", example.action.replace('_', " ")));
    OptionView { id, key: example.action.clone(), args: Vec::new(), text, ..example }
}

/// The order in which roles are filled: roles of one thing come first, because they narrow the choice of the others.
fn filling_order(roles: &[RoleInfo]) -> Vec<usize> {
    let is_set = |role: &usize| matches!(roles[*role].amount, RoleAmount::Some(..));
    let (sets, single): (Vec<usize>, Vec<usize>) = (0..roles.len()).partition(is_set);
    single.into_iter().chain(sets).collect()
}
