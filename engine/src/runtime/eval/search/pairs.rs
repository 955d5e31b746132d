//! The kernel for pairs whose keys compare.
//!
//! A kernel counts moves by arithmetic on *keys*, the numbers that a comparison reads from candidates. A *lane* is a counter of one
//! byte for one key, so that the processor can add to many lanes at once.

use crate::runtime::eval::search::gather::{Candidate, Candidates};
use ludex_program::{Comparison, Value};

/// Keys below this are counted in parallel in narrow lanes.
const LANES: usize = 32;
/// Maximum number of candidates that fit into one lane.
const MOST_IN_LANES: usize = u8::MAX as usize;

/// A window of it begins with ones and goes on with zeros; its position sets the number of ones.
const STEP: [u8; 2 * LANES] = {
    let mut step = [0; 2 * LANES];
    let mut lane = 0;
    while lane < LANES {
        step[lane] = 1;
        lane += 1;
    }
    step
};

/// The pairs of candidates of two sets, given by their indexes, whose keys compare. The order is that of the outer set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairs {
    pub outer: usize,
    pub inner: usize,
    pub operator: Comparison,
}

impl Pairs {
    /// The pairs of two roles. The role declared first is the outer one.
    pub fn of_roles(left: usize, right: usize, operator: Comparison) -> Pairs {
        match left < right {
            true => Pairs { outer: left, inner: right, operator },
            false => Pairs { outer: right, inner: left, operator: operator.swap_operands() },
        }
    }

    /// Number of pairs for these candidates.
    #[inline]
    pub fn count_pairs(self, outer: &Candidates, inner: &Candidates) -> u64 {
        if ((outer.key_bits | inner.key_bits) as usize) < LANES && outer.all.len() <= MOST_IN_LANES {
            return count_in_lanes(&outer.all, &inner.all, self.operator);
        }
        let holds = |o: &Candidate| inner.all.iter().filter(|i| self.operator.holds_for(o.key, i.key)).count() as u64;
        outer.all.iter().map(holds).sum()
    }

    /// Finds the pair with an index.
    pub fn nth_pair(self, outer: &Candidates, inner: &Candidates, index: u64) -> Option<(Value, Value)> {
        let (outer, inner) = (outer.all.as_slice(), inner.all.as_slice());
        match self.operator {
            Comparison::Equal => find_nth_pair(outer, inner, index, |o, i| o == i),
            Comparison::NotEqual => find_nth_pair(outer, inner, index, |o, i| o != i),
            Comparison::Less => find_nth_pair(outer, inner, index, |o, i| o < i),
            Comparison::LessEqual => find_nth_pair(outer, inner, index, |o, i| o <= i),
            Comparison::Greater => find_nth_pair(outer, inner, index, |o, i| o > i),
            Comparison::GreaterEqual => find_nth_pair(outer, inner, index, |o, i| o >= i),
        }
    }
}

/// Counts for each key the matching candidates on the left, so that each on the right is only looked up.
#[inline]
fn count_in_lanes(left: &[Candidate], right: &[Candidate], operator: Comparison) -> u64 {
    let all = || left.len() as u64 * right.len() as u64;
    match operator {
        Comparison::Equal => count_hits(&count_by_key(left), right),
        Comparison::NotEqual => all() - count_hits(&count_by_key(left), right),
        Comparison::GreaterEqual => count_hits(&count_above_key(left, 1), right),
        Comparison::Greater => count_hits(&count_above_key(left, 0), right),
        Comparison::Less => all() - count_hits(&count_above_key(left, 1), right),
        Comparison::LessEqual => all() - count_hits(&count_above_key(left, 0), right),
    }
}

/// Number of candidates with each key.
fn count_by_key(candidates: &[Candidate]) -> [u8; LANES] {
    let mut lanes = [0; LANES];
    for candidate in candidates {
        lanes[candidate.key as usize % LANES] += 1;
    }
    lanes
}

/// Number of candidates with a higher key than each; includes equal ones if `itself` is 1.
#[inline]
fn count_above_key(candidates: &[Candidate], itself: usize) -> [u8; LANES] {
    let mut lanes = [0; LANES];
    for candidate in candidates {
        let from = LANES - itself - candidate.key as usize % LANES;
        let mut window = [0; LANES];
        window.copy_from_slice(&STEP[from..from + LANES]);
        for (lane, one) in lanes.iter_mut().zip(window) {
            *lane += one;
        }
    }
    lanes
}

/// The sum of the lanes for the keys of candidates.
#[inline]
fn count_hits(lanes: &[u8; LANES], candidates: &[Candidate]) -> u64 {
    candidates.iter().map(|candidate| u64::from(lanes[candidate.key as usize % LANES])).sum()
}

/// The pair with an index among those for which `holds` is true of both keys.
#[inline(always)]
fn find_nth_pair(
    outer: &[Candidate],
    inner: &[Candidate],
    index: u64,
    holds: impl Fn(i32, i32) -> bool,
) -> Option<(Value, Value)> {
    let mut rest = index;
    for o in outer {
        // Counting takes no branches, but testing whether each pair is the wanted one takes a branch that must be predicted.
        let count = inner.iter().filter(|i| holds(o.key, i.key)).count() as u64;
        if rest < count {
            for i in inner {
                let fits = holds(o.key, i.key);
                if fits && rest == 0 {
                    return Some((o.id, i.id));
                }
                rest -= u64::from(fits);
            }
        }
        rest -= count;
    }
    None
}
