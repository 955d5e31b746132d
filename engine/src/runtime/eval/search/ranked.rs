//! Moves of a set that are found by rank, whichever way they are counted: what both ways have in common.

use crate::runtime::eval::narrowing::Narrowing;
use crate::runtime::eval::search::automaton::Others;
use crate::runtime::eval::search::large::Place;
use crate::runtime::eval::search::ranks::Ranks;
use crate::runtime::eval::search::set_moves::SetMoves;
use crate::runtime::eval::search::set_ranks::SetRanks;
use crate::runtime::eval::search::sum_moves::SumMoves;
use ludex_program::{MOST_ROLES, NONE, Value};
use std::ops::Range;

/// Moves with what is needed to find each.
#[derive(Clone, Debug)]
pub enum Ranked {
    Sums(Ranks),
    Sets(SetRanks),
}

/// The same, described only.
#[derive(Clone, Debug)]
pub enum Described {
    Sums(SumMoves),
    Sets(SetMoves),
}

/// One of the moves: what fills the role of several, and what fills the others.
pub struct FilledMove {
    pub set: Vec<Value>,
    pub others: Others,
}

impl Ranked {
    /// None if that takes too large a table.
    pub fn new(moves: Described) -> Option<Ranked> {
        match moves {
            Described::Sums(moves) => Ranks::new(moves).map(Ranked::Sums),
            Described::Sets(moves) => SetRanks::new(moves).map(Ranked::Sets),
        }
    }

    /// How many moves there are, as far as they are numbered.
    pub fn count(&self) -> u64 {
        match self {
            Ranked::Sums(ranks) => ranks.count,
            Ranked::Sets(ranks) => ranks.count,
        }
    }

    pub fn described(&self) -> Described {
        match self {
            Ranked::Sums(ranks) => Described::Sums(ranks.moves.clone()),
            Ranked::Sets(ranks) => Described::Sets(ranks.moves.clone()),
        }
    }

    /// The role of several.
    pub fn set(&self) -> usize {
        match self {
            Ranked::Sums(ranks) => ranks.moves.roles.set,
            Ranked::Sets(ranks) => ranks.moves.set,
        }
    }

    /// The moves with these ranks.
    pub fn moves_at(&self, wanted: Range<u64>) -> Vec<FilledMove> {
        match self {
            Ranked::Sums(ranks) => {
                let roles = ranks.moves.roles;
                let found = ranks.moves_at(wanted).into_iter().map(|found| {
                    let mut others = [NONE; MOST_ROLES];
                    if let Some(joker) = roles.joker {
                        others[joker] = found.joker;
                    }
                    others[roles.target] = found.target;
                    FilledMove { set: found.set, others }
                });
                found.collect()
            }
            Ranked::Sets(ranks) => {
                let found = ranks.moves_at(wanted).into_iter().map(|found| {
                    let members = ranks.moves.members.iter().enumerate();
                    let set = members.filter(|(place, _)| found.set >> place & 1 == 1).map(|(_, member)| member.id).collect();
                    FilledMove { set, others: ranks.moves.combos[found.combo as usize] }
                });
                found.collect()
            }
        }
    }

    /// Where a move stands whose roles are filled so; none if it is not legal.
    pub fn place_of(&self, filled: &[Vec<Value>]) -> Option<Place> {
        let single = |role: usize| match filled.get(role)?.as_slice() {
            [] => Some(NONE),
            [thing] => Some(*thing),
            _ => None,
        };
        match self {
            Ranked::Sums(ranks) => {
                let roles = ranks.moves.roles;
                let joker = roles.joker.map_or(Some(NONE), single)?;
                let target = single(roles.target)?;
                let set = ranks.moves.members.places_of(filled.get(roles.set)?)?;
                ranks.moves.is_legal(&set, joker, target).then(|| Place::of(ranks.rank(&set, joker, target)))
            }
            Ranked::Sets(ranks) => {
                let mut others = [NONE; MOST_ROLES];
                for role in (0..filled.len()).filter(|role| *role != ranks.moves.set) {
                    others[role] = single(role)?;
                }
                let combo = ranks.moves.combo_of(&others)?;
                ranks.rank(filled.get(ranks.moves.set)?, combo).map(Place::of)
            }
        }
    }
}

impl Described {
    /// The role of several.
    pub fn set(&self) -> usize {
        match self {
            Described::Sums(moves) => moves.roles.set,
            Described::Sets(moves) => moves.set,
        }
    }

    /// Those of the moves that a narrowing leaves.
    pub fn narrowed(&self, narrowing: &Narrowing) -> Described {
        match self {
            Described::Sums(moves) => Described::Sums(moves.narrowed(narrowing)),
            Described::Sets(moves) => Described::Sets(moves.narrowed(narrowing)),
        }
    }

    /// Those with these things in the set.
    pub fn with(&self, things: &[Value]) -> Described {
        let mut with = self.clone();
        for thing in things {
            match &mut with {
                Described::Sums(moves) => moves.settle(*thing, true),
                Described::Sets(moves) => moves.settle(*thing, true),
            }
        }
        with
    }

    /// What may fill another role than that of several, in order.
    pub fn singles(&self, role: usize) -> Vec<Value> {
        match self {
            Described::Sums(moves) => {
                let (jokers, targets) = moves.singles();
                if role == moves.roles.target { targets } else { jokers }
            }
            Described::Sets(moves) => moves.singles(role),
        }
    }

    /// The most members of a legal set, if there is one.
    pub fn largest(&self) -> Option<usize> {
        match self {
            Described::Sums(moves) => moves.largest(),
            Described::Sets(moves) => moves.largest(),
        }
    }

    /// The members that are in some legal set, but for some.
    pub fn useful_members(&self, without: &[Value]) -> Vec<Value> {
        match self {
            Described::Sums(moves) => moves.useful_members(without),
            Described::Sets(moves) => moves.useful_members(without),
        }
    }

    /// Whether these members are a legal set.
    pub fn is_complete(&self, set: &[Value]) -> bool {
        match self {
            Described::Sums(moves) => moves.is_complete(set),
            Described::Sets(moves) => moves.is_complete(set),
        }
    }
}
