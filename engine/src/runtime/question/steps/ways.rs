//! The moves of a group that a draft leaves, and the ways to fill the next role.
//!
//! A *way* is one filling of a role: the things in it. Moves *found by rank* have a set role whose moves are counted by tables
//! ([`SetMoves`]), so they can be narrowed without listing them; all others are visited one by one. Roles are *free* if no
//! condition joins them.

use crate::runtime::decision::{Choice, Form};
use crate::runtime::eval::narrowing::Narrowing;
use crate::runtime::eval::question::{Group, GroupKind, Question};
use crate::runtime::eval::search::{Chosen, MoveIndex, Ranks, SetMoves};
use ludex_program::{MOST_ROLES, NONE, Value};
use std::collections::{BTreeSet, HashSet};

/// The possible answers to a step.
pub enum Ways {
    /// One of these fillings of a role.
    One(Vec<Vec<Value>>),
    /// From `least` to `most` of these things.
    Some { things: Vec<Value>, least: usize, most: usize },
    /// One more of these things, with up to `most` still to choose; or no more, if the chosen ones are enough.
    Members { things: Vec<Value>, chosen: Vec<Value>, enough: bool, most: usize },
}

/// The meaning of an answer to a step.
pub enum StepAnswer {
    /// This filling of a role.
    Fill(Vec<Value>),
    /// A member of the filling.
    Member(Value),
}

impl Ways {
    /// The meaning of the only possible answer, if there is only one.
    pub fn single_answer(&self) -> Option<StepAnswer> {
        match self {
            Ways::One(ways) => match ways.as_slice() {
                [only] => Some(StepAnswer::Fill(only.clone())),
                _ => None,
            },
            Ways::Some { things, least, .. } => (*least == things.len()).then(|| StepAnswer::Fill(things.clone())),
            Ways::Members { things, enough, .. } => match things.as_slice() {
                [] => Some(StepAnswer::Fill(self.sorted_members())),
                [only] if !enough => Some(StepAnswer::Member(*only)),
                _ => None,
            },
        }
    }

    /// The meaning of an answer; `None` if it is not possible.
    pub fn interpret_answer(&self, answer: &Choice) -> Option<StepAnswer> {
        match (self, answer) {
            (Ways::One(ways), Choice::Option(index)) => ways.get(usize::try_from(*index).ok()?).cloned().map(StepAnswer::Fill),
            (Ways::Some { things, least, most }, Choice::Options(indices)) => {
                let fits = (*least..=*most).contains(&indices.len()) && indices.windows(2).all(|pair| pair[0] < pair[1]);
                let members = indices.iter().map(|index| things.get(usize::try_from(*index).ok()?).copied());
                if fits { members.collect::<Option<_>>().map(StepAnswer::Fill) } else { None }
            }
            (Ways::Members { things, enough, .. }, Choice::Option(index)) => {
                let index = usize::try_from(*index).ok()?;
                match things.get(index) {
                    Some(thing) => Some(StepAnswer::Member(*thing)),
                    None => (*enough && index == things.len()).then(|| StepAnswer::Fill(self.sorted_members())),
                }
            }
            _ => None,
        }
    }

    /// The form of the step's answer.
    pub fn answer_form(&self) -> Form {
        match self {
            Ways::One(_) | Ways::Members { .. } => Form::One,
            Ways::Some { least, most, .. } => Form::Some { min: *least as u64, max: *most as u64 },
        }
    }

    /// Maximum number of steps to fill the role; 0 if there is only one way.
    pub fn step_count(&self) -> usize {
        match self {
            _ if self.single_answer().is_some() && !matches!(self, Ways::Members { .. }) => 0,
            Ways::One(_) | Ways::Some { .. } => 1,
            Ways::Members { most, .. } => *most,
        }
    }

    /// The chosen members, in order.
    fn sorted_members(&self) -> Vec<Value> {
        let Ways::Members { chosen, .. } = self else { return Vec::new() };
        let mut members = chosen.clone();
        members.sort_unstable();
        members
    }
}

/// The moves of one group that a draft leaves.
pub struct RemainingMoves<'a> {
    question: &'a Question,
    pub group: &'a Group,
    /// The filling of each role so far.
    filled: Vec<Option<Vec<Value>>>,
    /// The remaining moves, if moves are found by rank.
    sets: Option<SetMoves>,
    /// Maximum number of sets that are listed; beyond it, members are chosen one by one.
    most_listed: u64,
}

impl<'a> RemainingMoves<'a> {
    /// All moves of a group.
    pub fn new(question: &'a Question, group: &'a Group, most_listed: u64) -> RemainingMoves<'a> {
        let sets = group.search.rank_tables().map(|ranks| ranks.moves.clone());
        RemainingMoves { question, group, filled: vec![None; group.roles], sets, most_listed }
    }

    /// Fills a role, which leaves fewer moves.
    pub fn set_filling(&mut self, role: usize, way: Vec<Value>) {
        if let Some(sets) = &mut self.sets
            && role != sets.set
        {
            let mut narrowing = Narrowing::default();
            narrowing.require_filling(role, way.first().copied().unwrap_or(NONE));
            *sets = sets.narrow_moves(&narrowing);
        }
        self.filled[role] = Some(way);
    }

    /// The ways to fill a role, given the members chosen so far if they are chosen one by one.
    pub fn role_ways(&self, role: usize, chosen: &[Value]) -> Ways {
        match &self.sets {
            Some(sets) if role == sets.set => self.set_ways(sets, chosen),
            Some(sets) => Ways::One(sets.usable_things(role).into_iter().map(|thing| vec![thing]).collect()),
            None if self.is_bound() => self.searched_ways(role, chosen),
            None => self.free_ways(role),
        }
    }

    /// Maximum number of steps to fill some roles, of which none is filled.
    pub fn most_steps(&self, roles: &[usize]) -> usize {
        roles.iter().map(|role| self.steps_of(*role)).sum()
    }

    /// Maximum number of steps to fill a role.
    fn steps_of(&self, role: usize) -> usize {
        match &self.sets {
            Some(sets) if role != sets.set => 1,
            Some(sets) if self.few_sets(sets).is_none() => sets.largest_set().unwrap_or(0),
            Some(_) => 1,
            None => self.role_ways(role, &[]).step_count(),
        }
    }

    // --- sets that are found by rank -----------------------------------------------------

    /// The remaining sets, if there are few enough to list.
    fn few_sets(&self, sets: &SetMoves) -> Option<Vec<Vec<Value>>> {
        let ranks = Ranks::new(sets.clone()).filter(|ranks| ranks.count <= self.most_listed)?;
        let mut listed: Vec<Vec<Value>> = Vec::new();
        for found in ranks.moves_at(0..ranks.count) {
            if !listed.contains(&found.set) {
                listed.push(found.set);
            }
        }
        Some(listed)
    }

    /// The ways to fill the set role of moves that are found by rank.
    fn set_ways(&self, sets: &SetMoves, chosen: &[Value]) -> Ways {
        if let Some(sets) = self.few_sets(sets).filter(|_| chosen.is_empty()) {
            return Ways::One(sets);
        }
        let with = sets.require_things(chosen);
        let things = with.useful_members(chosen);
        let most = with.largest_set().unwrap_or(0).saturating_sub(chosen.len());
        Ways::Members { things, chosen: chosen.to_vec(), enough: with.is_complete(chosen), most }
    }

    // --- moves that are looked through -------------------------------------------------

    /// Whether roles depend on each other.
    fn is_bound(&self) -> bool {
        self.group.kind != GroupKind::Pass && !self.group.search.is_free()
    }

    /// The things that fill a role of a move.
    fn role_members(&self, role: usize, chosen: Chosen) -> impl Iterator<Item = Value> {
        self.question.role_things(self.group, role, chosen)
    }

    /// Calls `visit` on each remaining move, with its index, until it returns true.
    fn each_remaining(&self, mut visit: impl FnMut(u64, &[Chosen; MOST_ROLES]) -> bool) {
        let fits = |(role, filled): (usize, &Option<Vec<Value>>), chosen: &[Chosen; MOST_ROLES]| match filled {
            Some(way) => self.role_members(role, chosen[role]).eq(way.iter().copied()),
            None => true,
        };
        self.question.each_move(self.group, |index, chosen| {
            self.filled.iter().enumerate().all(|filled| fits(filled, chosen)) && visit(index, chosen)
        });
    }

    /// The ways to fill a role of moves that are visited one by one.
    fn searched_ways(&self, role: usize, chosen: &[Value]) -> Ways {
        let (mut ways, mut known) = (Vec::new(), HashSet::new());
        self.each_remaining(|_, moves| {
            let way: Vec<Value> = self.role_members(role, moves[role]).collect();
            if known.insert(way.clone()) {
                ways.push(way);
            }
            false
        });
        let few = ways.len() as u64 <= self.most_listed && chosen.is_empty();
        if few || self.group.search.role_filling(role).single { Ways::One(ways) } else { next_members(&ways, chosen) }
    }

    // --- roles that are free -----------------------------------------------------------

    /// The ways to fill a role that no condition joins to others.
    fn free_ways(&self, role: usize) -> Ways {
        let search = &self.group.search;
        let filling = search.role_filling(role);
        let things: Vec<Value> = search.candidate_ids(&self.question.gathered, role).collect();
        if filling.single {
            let nothing = filling.optional.then_some(NONE);
            return Ways::One(nothing.into_iter().chain(things).map(|thing| vec![thing]).collect());
        }
        let most = things.len().min(filling.most as usize);
        Ways::Some { things, least: filling.least as usize, most }
    }

    // --- the move ----------------------------------------------------------------------

    /// The role fillings, once all roles are filled.
    pub fn all_fillings(&self) -> Vec<Vec<Value>> {
        self.filled.iter().map(|way| way.clone().unwrap_or_default()).collect()
    }

    /// The place of the move in its group, once all roles are filled.
    pub fn find_place(&self) -> Option<MoveIndex> {
        if self.sets.is_some() || !self.is_bound() {
            return self.group.search.place_of(&self.question.gathered, &self.all_fillings());
        }
        let mut first = None;
        self.each_remaining(|index, _| {
            first = Some(MoveIndex::Numbered(index));
            true
        });
        first
    }
}

/// The next members to choose for one of these sets.
fn next_members(sets: &[Vec<Value>], chosen: &[Value]) -> Ways {
    let with = || sets.iter().filter(|set| chosen.iter().all(|thing| set.contains(thing)));
    let things: BTreeSet<Value> = with().flatten().copied().filter(|thing| !chosen.contains(thing)).collect();
    let most = with().map(|set| set.len() - chosen.len()).max().unwrap_or(0);
    let enough = with().any(|set| set.len() == chosen.len());
    Ways::Members { things: things.into_iter().collect(), chosen: chosen.to_vec(), enough, most }
}
