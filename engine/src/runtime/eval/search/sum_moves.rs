//! Moves of a set whose numbers sum to that of a target, perhaps with one more that joins the sum: described, so that they can
//! be counted and narrowed without looking at each.

use crate::runtime::eval::narrowing::Narrowing;
use crate::runtime::eval::search::gather::Candidate;
use crate::runtime::eval::search::members::{self, Members, Part};
use ludex_program::{Filling, NONE, Value};

/// The roles of an action whose condition is that a sum equals a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SumRoles {
    pub set: usize,
    pub joker: Option<usize>,
    pub target: usize,
}

/// A thing that sets are taken from, with its number.
pub type Member = members::Member<usize>;

/// All such moves in one situation.
#[derive(Clone, Debug)]
pub struct SumMoves {
    pub roles: SumRoles,
    pub members: Members<usize>,
    /// One that adds nothing, where no role joins the sum.
    pub jokers: Vec<Candidate>,
    pub targets: Vec<Candidate>,
    least: usize,
    most: usize,
}

/// How large a table of such moves is.
#[derive(Clone, Debug)]
pub struct Extent {
    pub patterns: usize,
    /// The lowest sum of so many members, for each number that can reach a target.
    pub lowest: Vec<usize>,
    /// The highest sum that is wanted.
    pub highest: usize,
}

impl Extent {
    /// The most members of a set.
    pub fn most(&self) -> usize {
        self.lowest.len() - 1
    }

    /// How many sums there are, from 0.
    pub fn sums(&self) -> usize {
        self.highest + 1
    }

    /// None if there are too many to count.
    pub fn cells(&self) -> Option<usize> {
        self.patterns.checked_mul(self.lowest.len())?.checked_mul(self.sums())
    }
}

impl SumMoves {
    /// None if a number of a member is negative: then a sum may shrink as a set grows.
    pub fn new(
        roles: SumRoles,
        filling: &Filling,
        set: &[Candidate],
        jokers: Option<&[Candidate]>,
        targets: &[Candidate],
    ) -> Option<SumMoves> {
        let member = |candidate: &Candidate| Some((candidate.id, usize::try_from(candidate.key).ok()?));
        Some(SumMoves {
            roles,
            members: Members::new(set.iter().map(member).collect::<Option<Vec<_>>>()?.into_iter()),
            jokers: jokers.map_or(vec![Candidate { id: NONE, key: 0 }], <[Candidate]>::to_vec),
            targets: targets.to_vec(),
            least: filling.least as usize,
            most: (filling.most as usize).min(set.len()),
        })
    }

    /// How many members a set may have.
    pub fn takes(&self, members: usize) -> bool {
        (self.least..=self.most).contains(&members)
    }

    /// The numbers of members that a set may have, of those that a table holds.
    pub fn sizes(&self, extent: &Extent) -> std::ops::Range<usize> {
        self.least..self.most.min(extent.most()) + 1
    }

    /// What joins each sum and its target, in order, with what the set must sum to.
    pub fn pairs(&self) -> impl Iterator<Item = (Value, Value, usize)> {
        self.jokers.iter().flat_map(|joker| {
            self.targets.iter().filter_map(|target| {
                let wanted = i64::from(target.key) - i64::from(joker.key);
                Some((joker.id, target.id, usize::try_from(wanted).ok()?))
            })
        })
    }

    /// The pairs that a set with a pattern and a sum may go with, in order.
    pub fn pairs_of(&self, pattern: usize, sum: usize) -> impl Iterator<Item = (Value, Value)> {
        let fitting = self.pairs().filter(move |(joker, target, wanted)| *wanted == sum && self.allows(pattern, *joker, *target));
        fitting.map(|(joker, target, _)| (joker, target))
    }

    /// Whether the clauses hold for a set with a pattern.
    pub fn allows(&self, pattern: usize, joker: Value, target: Value) -> bool {
        let single = |role: usize| if role == self.roles.target { target } else { joker };
        self.members.allow(pattern, &single)
    }

    /// How large the table of these moves is; none if it would be too large to describe.
    pub fn extent(&self) -> Option<Extent> {
        let patterns = self.members.patterns()?;
        let mut keys: Vec<usize> =
            self.members.iter().filter(|member| member.part != Part::Out).map(|member| member.key).collect();
        keys.sort_unstable();
        let total: usize = keys.iter().sum();
        let highest = self.pairs().map(|(_, _, wanted)| wanted).filter(|wanted| *wanted <= total).max().unwrap_or(0);
        let sums = keys.iter().scan(0, |sum: &mut usize, key| {
            *sum += key;
            Some(*sum)
        });
        let lowest = std::iter::once(0).chain(sums).take_while(|sum| *sum <= highest).take(self.most.saturating_add(1)).collect();
        Some(Extent { patterns, lowest, highest })
    }

    /// Whether a set may be chosen with this; the members are given by their places.
    pub fn is_legal(&self, set: &[usize], joker: Value, target: Value) -> bool {
        let members = set.iter().map(|place| &self.members[*place]);
        let (sum, pattern) = members.fold((0, 0), |(sum, pattern), member| (sum + member.key, pattern | member.bit));
        self.members.admit(set) && self.takes(set.len()) && self.pairs_of(pattern, sum).any(|pair| pair == (joker, target))
    }

    /// Those of the moves that a narrowing leaves.
    pub fn narrowed(&self, narrowing: &Narrowing) -> SumMoves {
        let mut left = self.clone();
        left.jokers.retain(|joker| self.roles.joker.is_none_or(|role| narrowing.keeps(role, joker.id)));
        left.targets.retain(|target| narrowing.keeps(self.roles.target, target.id));
        if !left.members.narrow(narrowing) {
            left.targets.clear();
        }
        left
    }

    /// Lets every set have a thing, or none.
    pub fn settle(&mut self, thing: Value, wanted: bool) {
        if !self.members.settle(thing, wanted) {
            self.targets.clear();
        }
    }
}
