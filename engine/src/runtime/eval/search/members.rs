//! The candidates of a set, with the constraints of narrowings.
//!
//! A *clause* is a condition of a narrowing on the set together with other roles. The *pattern* of a set has a bit for each thing
//! that clauses test for, 1 if the set contains it: clauses need to know no more of the set.

use crate::runtime::eval::narrowing::{JointCondition, Narrowing};
use crate::runtime::eval::search::fillings::OtherFillings;
use ludex_program::{NONE, Value};
use std::ops::Deref;

/// Whether sets may, must not or must contain a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetMembership {
    Free,
    Out,
    Must,
}

/// A candidate of the set.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    pub id: Value,
    pub part: SetMembership,
    /// Its bit in the pattern of a set; 0 unless a clause tests for it.
    pub bit: usize,
}

/// All candidates of the set, in order.
#[derive(Clone, Debug)]
pub struct Members {
    all: Vec<Member>,
    /// Constraints on the set together with the fillings of the other roles.
    clauses: Vec<JointCondition>,
    /// The things that clauses test for; each is a bit of the pattern.
    asked_for: Vec<Value>,
}

impl Deref for Members {
    type Target = [Member];

    fn deref(&self) -> &[Member] {
        &self.all
    }
}

impl Members {
    pub fn new(all: impl Iterator<Item = Value>) -> Members {
        let all = all.map(|id| Member { id, part: SetMembership::Free, bit: 0 }).collect();
        Members { all, clauses: Vec::new(), asked_for: Vec::new() }
    }

    /// Number of patterns of sets; `None` on an overflow.
    pub fn pattern_count(&self) -> Option<usize> {
        1usize.checked_shl(u32::try_from(self.asked_for.len()).ok()?)
    }

    /// The index of a thing.
    pub fn place_of(&self, thing: Value) -> Option<usize> {
        self.all.iter().position(|member| member.id == thing)
    }

    /// The indexes of things, in order; `None` if one of them is missing or repeated.
    pub fn places_of(&self, things: &[Value]) -> Option<Vec<usize>> {
        let mut places: Vec<usize> = things.iter().map(|thing| self.place_of(*thing)).collect::<Option<_>>()?;
        places.sort_unstable();
        places.windows(2).all(|pair| pair[0] < pair[1]).then_some(places)
    }

    /// Whether a set, given by its indexes, contains everything that it must and nothing that it must not.
    pub fn admits_set(&self, set: &[usize]) -> bool {
        self.all.iter().enumerate().all(|(place, member)| match member.part {
            SetMembership::Free => true,
            SetMembership::Out => !set.contains(&place),
            SetMembership::Must => set.contains(&place),
        })
    }

    /// Whether the clauses hold for a set with a pattern. `others` returns the fillings of the other roles.
    pub fn clauses_hold(&self, pattern: usize, others: impl Fn() -> OtherFillings) -> bool {
        if self.clauses.is_empty() {
            return true;
        }
        let others = others();
        let single = |role: usize| others.get(role).copied().unwrap_or(NONE);
        let has = |thing: Value| {
            let bit = self.asked_for.iter().position(|asked| *asked == thing);
            bit.is_some_and(|bit| pattern >> bit & 1 == 1)
        };
        self.clauses.iter().all(|clause| clause.holds_for_move(&single, &has))
    }

    /// Keeps only the sets that satisfy a narrowing; false if there are none.
    #[must_use]
    pub fn apply_narrowing(&mut self, narrowing: &Narrowing) -> bool {
        let mut any = !narrowing.nothing;
        for (_, thing, wanted) in &narrowing.members {
            any &= self.constrain_thing(*thing, *wanted);
        }
        for clause in &narrowing.clauses {
            clause.tested_things().for_each(|thing| self.add_tested_thing(thing));
            self.clauses.push(clause.clone());
        }
        any
    }

    /// Requires a thing in every set, or excludes it; false if these contradict.
    #[must_use]
    pub fn constrain_thing(&mut self, thing: Value, wanted: bool) -> bool {
        let part = if wanted { SetMembership::Must } else { SetMembership::Out };
        match self.place_of(thing).map(|place| &mut self.all[place]) {
            Some(member) => {
                let fits = member.part == SetMembership::Free || member.part == part;
                if fits {
                    member.part = part;
                }
                fits
            }
            None => !wanted,
        }
    }

    /// Gives a thing that a clause tests for a bit of the pattern.
    fn add_tested_thing(&mut self, thing: Value) {
        let Some(place) = self.place_of(thing).filter(|_| !self.asked_for.contains(&thing)) else { return };
        // With more bits than this there are no patterns; see `Members::pattern_count`.
        self.all[place].bit = 1usize.checked_shl(self.asked_for.len() as u32).unwrap_or(0);
        self.asked_for.push(thing);
    }
}
