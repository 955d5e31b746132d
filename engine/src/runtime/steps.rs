//! A move put together step by step: which kind of move, then what fills each of its roles, roles of one thing before
//! roles of several. The decision stays open and whole all the while; only its answer grows.

use super::machine::{Machine, Rules};
use super::question::{Group, GroupKind, Question, QuestionForm};
use super::search::Chosen;
use super::{Argument, Choice, DecisionId, Form, OptionView, Session};
use crate::problem::joined;
use crate::program::{MOST_ROLES, NONE, RoleAmount, RoleInfo, Shape, Value};
use std::collections::HashSet;

/// The answers to the steps of a move, as far as they are given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    answers: Vec<Choice>,
}

impl Draft {
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// Takes the last answer back.
    pub fn back(&mut self) {
        self.answers.pop();
    }
}

/// What is to be chosen next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveStep {
    /// Counted from 1.
    pub number: usize,
    /// How many steps there are, this one and those after it at the most.
    pub of: usize,
    /// What is chosen: `leap: targets`.
    pub about: String,
    pub form: Form,
    pub options: Vec<OptionView>,
}

/// What a further answer makes of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drafted {
    Further(Draft),
    /// The choice among the decision's moves.
    Whole(Choice),
}

impl Session {
    /// The next step of a move that answers a decision; none if the decision is not among moves, or the draft is not of it.
    pub fn step(&self, decision: DecisionId, draft: &Draft) -> Option<MoveStep> {
        match self.followed(decision, draft)? {
            Followed::To(step) => Some(step),
            Followed::Whole(_) => None,
        }
    }

    /// A draft with an answer to its next step; none if the answer is not one of those that may be given.
    pub fn drafted(&self, decision: DecisionId, draft: &Draft, answer: Choice) -> Option<Drafted> {
        let mut further = draft.clone();
        further.answers.push(answer);
        match self.followed(decision, &further)? {
            Followed::To(_) => Some(Drafted::Further(further)),
            Followed::Whole(index) => Some(Drafted::Whole(Choice::Option(index))),
        }
    }

    fn followed(&self, decision: DecisionId, draft: &Draft) -> Option<Followed> {
        let (place, _) = self.decision(decision)?;
        let mut machine = self.ready();
        let question = std::mem::take(machine.scratch.questions.get_mut(place)?);
        if question.form != QuestionForm::Options {
            return None;
        }
        machine.follow(&self.game.rules(), &question, &draft.answers)
    }
}

/// Where a draft leads.
enum Followed {
    To(MoveStep),
    /// To the move with this index.
    Whole(u64),
}

/// In which ways a step can be answered.
enum Ways {
    /// One of these; each is what fills a role.
    One(Vec<Vec<Value>>),
    /// So many of these things.
    Some { things: Vec<Value>, least: usize, most: usize },
}

impl Ways {
    /// The way there is, if there is only one.
    fn only(&self) -> Option<&[Value]> {
        match self {
            Ways::One(ways) => match ways.as_slice() {
                [only] => Some(only),
                _ => None,
            },
            Ways::Some { things, least, .. } => (*least == things.len()).then_some(things),
        }
    }

    /// The way that an answer means.
    fn chosen(&self, answer: &Choice) -> Option<Vec<Value>> {
        match (self, answer) {
            (Ways::One(ways), Choice::Option(index)) => ways.get(usize::try_from(*index).ok()?).cloned(),
            (Ways::Some { things, least, most }, Choice::Options(indices)) => {
                let fits = (*least..=*most).contains(&indices.len()) && indices.windows(2).all(|pair| pair[0] < pair[1]);
                let members = indices.iter().map(|index| things.get(usize::try_from(*index).ok()?).copied());
                if fits { members.collect() } else { None }
            }
            _ => None,
        }
    }

    fn form(&self) -> Form {
        match self {
            Ways::One(_) => Form::One,
            Ways::Some { least, most, .. } => Form::Some { min: *least as u64, max: *most as u64 },
        }
    }
}

/// The moves of one group that a draft leaves.
struct Left<'a> {
    question: &'a Question,
    group: &'a Group,
    /// For each role, what fills it.
    filled: Vec<Option<Vec<Value>>>,
}

impl<'a> Left<'a> {
    fn new(question: &'a Question, group: &'a Group) -> Left<'a> {
        Left { question, group, filled: vec![None; group.roles] }
    }

    fn members(&self, role: usize, chosen: Chosen) -> impl Iterator<Item = Value> {
        self.question.members(self.group, role, chosen)
    }

    /// Whether roles depend on each other, so that moves must be looked through.
    fn is_bound(&self) -> bool {
        self.group.kind != GroupKind::Pass && !self.group.search.is_free()
    }

    /// Calls `visit` on each move that is left, with its index, until it says that this is enough.
    fn each(&self, mut visit: impl FnMut(u64, &[Chosen; MOST_ROLES]) -> bool) {
        let fits = |(role, filled): (usize, &Option<Vec<Value>>), chosen: &[Chosen; MOST_ROLES]| match filled {
            Some(way) => self.members(role, chosen[role]).eq(way.iter().copied()),
            None => true,
        };
        self.question.each_move(self.group, |index, chosen| {
            self.filled.iter().enumerate().all(|filled| fits(filled, chosen)) && visit(index, chosen)
        });
    }

    fn ways(&self, role: usize) -> Ways {
        if self.is_bound() {
            let (mut ways, mut known) = (Vec::new(), HashSet::new());
            self.each(|_, chosen| {
                let way: Vec<Value> = self.members(role, chosen[role]).collect();
                if known.insert(way.clone()) {
                    ways.push(way);
                }
                false
            });
            return Ways::One(ways);
        }
        let search = &self.group.search;
        let filling = search.filling(role);
        let things: Vec<Value> = search.candidates(&self.question.gathered, role).collect();
        if filling.single {
            let nothing = filling.optional.then_some(NONE);
            return Ways::One(nothing.into_iter().chain(things).map(|thing| vec![thing]).collect());
        }
        let most = things.len().min(filling.most as usize);
        Ways::Some { things, least: filling.least as usize, most }
    }

    fn fill(&mut self, role: usize, way: Vec<Value>) {
        self.filled[role] = Some(way);
    }

    /// The index among the group's moves, when all roles are filled.
    fn index(&self) -> Option<u64> {
        if self.is_bound() {
            let mut first = None;
            self.each(|index, _| {
                first = Some(index);
                true
            });
            return first;
        }
        let places = |(role, filled): (usize, &Option<Vec<Value>>)| {
            let things: Vec<Value> = self.group.search.candidates(&self.question.gathered, role).collect();
            let members = filled.iter().flatten().filter(|value| **value != NONE);
            members.map(|value| things.iter().position(|thing| thing == value)).collect::<Option<Vec<usize>>>()
        };
        let places = self.filled.iter().enumerate().map(places).collect::<Option<Vec<_>>>()?;
        self.group.search.index_of(&self.question.gathered, &places)
    }
}

impl Machine {
    /// Goes through the steps that are answered to the first that is not.
    fn follow(&mut self, rules: Rules, question: &Question, answers: &[Choice]) -> Option<Followed> {
        // A kind of move that cannot be made now is no answer.
        let groups: Vec<(u64, &Group)> = starts(question).filter(|(_, group)| group.count > 0).collect();
        let mut answers = answers.iter().peekable();
        let (mut number, mut index) = (1, 0);
        if groups.len() > 1 {
            index = match answers.next() {
                None => return Some(Followed::To(self.first_step(rules, question, &groups))),
                Some(Choice::Option(index)) => usize::try_from(*index).ok()?,
                Some(_) => return None,
            };
            number += 1;
        }
        let (start, group) = *groups.get(index)?;
        if group.count == 1 {
            return answers.next().is_none().then_some(Followed::Whole(start));
        }
        let mut left = Left::new(question, group);
        let order = in_order(&rules.program.actions[group.action as usize].roles);
        for (place, &role) in order.iter().enumerate() {
            let ways = left.ways(role);
            let way = match (ways.only(), answers.peek()) {
                (Some(only), _) => only.to_vec(),
                (None, None) => {
                    let open = order[place..].iter().filter(|role| left.ways(**role).only().is_none()).count();
                    let step = self.role_step(rules, group, role, &ways);
                    return Some(Followed::To(MoveStep { number, of: number + open - 1, ..step }));
                }
                (None, Some(answer)) => ways.chosen(answer)?,
            };
            if ways.only().is_none() {
                answers.next();
                number += 1;
            }
            left.fill(role, way);
        }
        answers.next().is_none().then_some(Followed::Whole(start + left.index()?))
    }

    /// Which kind of move it is to be. A kind with one move stands for that.
    fn first_step(&mut self, rules: Rules, question: &Question, groups: &[(u64, &Group)]) -> MoveStep {
        let mut options = Vec::new();
        for (id, (start, group)) in groups.iter().enumerate() {
            let whole = self.move_view(rules, question, group, 0, *start);
            options.extend(whole.map(|whole| match group.count {
                1 => OptionView { id: id as u64, ..whole },
                _ => kind_of(whole, id as u64),
            }));
        }
        let roles = groups.iter().map(|(_, group)| group.roles).max().unwrap_or(0);
        MoveStep { number: 1, of: 1 + roles, about: "kind of move".to_string(), form: Form::One, options }
    }

    /// What fills a role; the caller tells which step it is.
    fn role_step(&mut self, rules: Rules, group: &Group, role: usize, ways: &Ways) -> MoveStep {
        let info = &rules.program.actions[group.action as usize];
        let about = format!("{}: {}", info.name, info.roles[role].name).replace('_', " ");
        let things: Vec<Vec<Value>> = match ways {
            Ways::One(ways) => ways.clone(),
            Ways::Some { things, .. } => things.iter().map(|thing| vec![*thing]).collect(),
        };
        let options =
            things.iter().enumerate().map(|(id, way)| self.way_view(rules, &info.roles[role], id as u64, way)).collect();
        MoveStep { number: 0, of: 0, about, form: ways.form(), options }
    }

    /// One way to fill a role as an option.
    fn way_view(&mut self, rules: Rules, role: &RoleInfo, id: u64, way: &[Value]) -> OptionView {
        let item = &role.item;
        let words: Vec<String> = way.iter().map(|value| self.key_of(rules, *value, item)).collect();
        let texts: Vec<String> = way.iter().map(|value| self.shown(rules, *value, item)).collect();
        let argument = match way {
            [one] => self.argument(rules, *one, &Shape::OrNone(Box::new(item.clone()))),
            several => Argument::List(several.iter().map(|value| self.argument(rules, *value, item)).collect()),
        };
        OptionView {
            id,
            key: format!("choose({})", words.join("+")),
            action: "choose".to_string(),
            args: vec![(role.name.clone(), argument)],
            text: if texts.is_empty() { "none of them".to_string() } else { joined(&texts, "and") },
            ability: None,
        }
    }
}

/// The groups of a question, each with the index of its first move.
fn starts(question: &Question) -> impl Iterator<Item = (u64, &Group)> {
    question.groups().iter().scan(0, |next, group| {
        let start = *next;
        *next += group.count;
        Some((start, group))
    })
}

/// A kind of move as an option, made from one of its moves.
fn kind_of(example: OptionView, id: u64) -> OptionView {
    let text = format!("{} …", example.action.replace('_', " "));
    OptionView { id, key: example.action.clone(), args: Vec::new(), text, ..example }
}

/// The order in which roles are filled: first those that are one thing, so that there is less to choose the rest from.
fn in_order(roles: &[RoleInfo]) -> Vec<usize> {
    let is_set = |role: &usize| matches!(roles[*role].amount, RoleAmount::Some(..));
    let (sets, single): (Vec<usize>, Vec<usize>) = (0..roles.len()).partition(is_set);
    single.into_iter().chain(sets).collect()
}
