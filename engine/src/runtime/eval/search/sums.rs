//! The kernel for sums of few things, which counts moves without testing sets one by one.
//!
//! A *key* is the number that a sum reads from a candidate. The keys of the set's members, and that of a *joker* if there is one,
//! must add up to the key of the *target*. A subset is a mask with a bit for each candidate.

use crate::runtime::eval::search::gather::{Candidate, Candidates};
use crate::runtime::limits::MOST_SEARCHED;
use ludex_program::Value;
use std::sync::OnceLock;

/// The roles of an action whose condition is that the sum of a set, perhaps with one joker, equals a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SumRoles {
    pub set: usize,
    pub joker: Option<usize>,
    pub target: usize,
}

/// The candidates of a sum, and the sizes of sets.
#[derive(Clone, Copy)]
pub struct SumKernel<'a> {
    pub set: &'a Candidates,
    pub jokers: Option<&'a Candidates>,
    pub targets: &'a Candidates,
    pub least: u32,
    pub most: u32,
}

/// A move: the members of its set, one bit each, with its joker and its target.
#[derive(Clone, Copy)]
pub struct SumMove<'a> {
    pub mask: u32,
    pub joker: Option<&'a Candidate>,
    pub target: Value,
}

impl<'a> SumKernel<'a> {
    /// Counts the moves; `None` if the candidates do not suit the kernel.
    #[inline]
    pub fn count_sums(self) -> Option<u64> {
        let are_small = self.set.has_small_keys() && self.targets.has_small_keys();
        let fits = are_small && self.jokers.is_none_or(Candidates::has_small_keys) && self.set.all.len() <= MOST_SEARCHED;
        fits.then(|| match self.least > 2 || (self.most as usize) < self.set.all.len() {
            true => self.count_each(),
            false => self.count_equal(),
        })
    }

    /// Counts the moves one by one.
    #[inline(never)]
    fn count_each(self) -> u64 {
        let mut count = 0;
        self.find_sum(|_| {
            count += 1;
            false
        });
        count
    }

    /// Finds the first move that passes a test.
    #[inline]
    pub fn find_sum(self, mut is_found: impl FnMut(&SumMove<'a>) -> bool) -> Option<SumMove<'a>> {
        let (set, targets) = (self.set.all.as_slice(), self.targets.all.as_slice());
        let mut find_target = |mask: u32, joker: Option<&'a Candidate>, sum: i32| {
            let hits = targets.iter().filter(|target| target.key == sum);
            hits.map(|target| SumMove { mask, joker, target: target.id }).find(|found| is_found(found))
        };
        let takes = |mask: &u32| (self.least..=self.most).contains(&mask.count_ones());
        subset_masks(set.len()).iter().copied().filter(takes).find_map(|mask| match self.jokers {
            None => find_target(mask, None, sum_of(set, mask)),
            Some(jokers) => jokers.all.iter().find_map(|joker| find_target(mask, Some(joker), sum_of(set, mask) + joker.key)),
        })
    }

    /// Finds the move with an index.
    #[inline]
    pub fn nth_sum(self, index: u64) -> Option<SumMove<'a>> {
        let mut rest = index;
        self.find_sum(|_| {
            let is_found = rest == 0;
            rest = rest.wrapping_sub(1);
            is_found
        })
    }

    /// Counts the moves with sets of at least `least` things, which is at most 2, and of any size above.
    #[inline]
    fn count_equal(self) -> u64 {
        let (set, targets, jokers) =
            (self.set.all.as_slice(), self.targets.all.as_slice(), self.jokers.map(|jokers| jokers.all.as_slice()));
        if set.len() < self.least as usize {
            return 0;
        }
        // Two or three things have so few sets that no table is needed.
        match (set, self.least, jokers) {
            ([a, b], 2, None) => return total_ways(targets, |shown| u64::from(shown == a.key + b.key)),
            ([a, b, c], 2, None) => {
                let sums = [a.key + b.key, a.key + c.key, b.key + c.key, a.key + b.key + c.key];
                return total_ways(targets, |shown| sums.iter().map(|sum| u64::from(*sum == shown)).sum());
            }
            _ => {}
        }
        if set.len() <= MOST_IN_LANES && (self.targets.key_bits as usize) < LANES {
            let mut ways = ways_in_lanes(set);
            take_off_small(&mut ways, set, self.least);
            total_ways_with_jokers(targets, jokers, |sum| ways.get(sum as usize).map_or(0, |ways| u64::from(*ways)))
        } else {
            let mut ways = ways_to(set, self.targets.key_bits);
            take_off_small(&mut ways, set, self.least);
            total_ways_with_jokers(targets, jokers, |sum| ways.get(sum as usize).copied().unwrap_or(0))
        }
    }
}

/// The moves that choose a set of candidates and a target whose key is the sum of the set's keys. Both are given by their
/// indexes.
#[derive(Clone, Copy, Debug)]
pub struct SumSets {
    pub set: usize,
    pub target: usize,
    /// Minimum number of members of the set, at most 2.
    pub least: u32,
}

impl SumSets {
    /// The kernel for the candidates of these sets. A set may have any size from `least` on.
    #[inline]
    fn make_kernel(self, sets: &[Candidates]) -> SumKernel<'_> {
        SumKernel { set: &sets[self.set], jokers: None, targets: &sets[self.target], least: self.least, most: u32::MAX }
    }

    /// Number of moves for these candidates; `None` if they do not suit the kernel.
    #[inline]
    pub fn count_sums(self, sets: &[Candidates]) -> Option<u64> {
        if sets[self.set].all.len() < self.least as usize {
            return Some(0);
        }
        self.make_kernel(sets).count_sums()
    }

    /// The members of a move's set, one bit each, and its target.
    pub fn nth_sum(self, sets: &[Candidates], index: u64) -> Option<(u32, Value)> {
        self.make_kernel(sets).nth_sum(index).map(|found| (found.mask, found.target))
    }
}

/// For each number of candidates, all subsets by size and then by members; computed on first use.
static SUBSETS: [OnceLock<Vec<u32>>; MOST_SEARCHED + 1] = [const { OnceLock::new() }; MOST_SEARCHED + 1];

/// The subsets of `n` things by size, then by members: a set with an earlier first difference comes first.
fn ordered_subsets(n: usize) -> Vec<u32> {
    let mut all: Vec<u32> = (0..1u32 << n).collect();
    all.sort_by_key(|mask| (mask.count_ones(), std::cmp::Reverse(mask.reverse_bits())));
    all
}

/// The subsets of `n` things in order.
pub fn subset_masks(n: usize) -> &'static [u32] {
    SUBSETS.get(n).map_or(&[][..], |subsets| subsets.get_or_init(|| ordered_subsets(n)))
}

/// The members of a subset, in order. `mask` has a bit for each member; at most 64 members have one.
pub fn subset_members<T>(all: &[T], mask: u64) -> impl Iterator<Item = &T> {
    all.iter().enumerate().filter(move |(index, _)| mask >> index & 1 == 1).map(|(_, member)| member)
}

/// The total number of ways to reach the key of each target.
#[inline(always)]
fn total_ways(targets: &[Candidate], ways: impl Fn(i32) -> u64) -> u64 {
    targets.iter().map(|target| ways(target.key)).sum()
}

/// Sums below this are counted in parallel in narrow lanes.
const LANES: usize = 32;
/// Maximum number of things for the lanes: these have at most 252 sets of the same sum, which fits in a lane.
const MOST_IN_LANES: usize = 10;

/// Number of subsets with each sum below [`LANES`].
#[inline]
fn ways_in_lanes(set: &[Candidate]) -> [u8; LANES] {
    // The lower half stays 0, so that zeros are shifted in.
    let mut ways = [0u8; 2 * LANES];
    ways[LANES] = 1;
    for from in set.iter().filter_map(|candidate| LANES.checked_sub(candidate.key as usize)) {
        let mut with_key = [0u8; LANES];
        with_key.copy_from_slice(&ways[from..from + LANES]);
        for (way, more) in ways[LANES..].iter_mut().zip(with_key) {
            *way += more;
        }
    }
    let mut sums = [0u8; LANES];
    sums.copy_from_slice(&ways[LANES..]);
    sums
}

/// Number of subsets with each sum up to `highest`.
fn ways_to(set: &[Candidate], highest: u32) -> Vec<u64> {
    let mut ways = vec![0u64; highest as usize + 1];
    ways[0] = 1;
    for key in set.iter().map(|candidate| candidate.key as usize) {
        for sum in (key..ways.len()).rev() {
            ways[sum] = ways[sum].saturating_add(ways[sum - key]);
        }
    }
    ways
}

/// Subtracts the sets with fewer than `least` things, which is at most 2; they were counted with the others.
fn take_off_small<T: Copy + std::ops::Sub<Output = T> + From<u8>>(ways: &mut [T], set: &[Candidate], least: u32) {
    if least > 0 {
        ways[0] = ways[0] - T::from(1);
    }
    if least > 1 {
        for candidate in set {
            if let Some(ways) = ways.get_mut(candidate.key as usize) {
                *ways = *ways - T::from(1);
            }
        }
    }
}

/// Number of ways to reach each target, alone or together with each joker.
#[inline]
fn total_ways_with_jokers(targets: &[Candidate], jokers: Option<&[Candidate]>, ways: impl Fn(i32) -> u64) -> u64 {
    match jokers {
        None => total_ways(targets, ways),
        Some(jokers) => targets.iter().map(|target| jokers.iter().map(|joker| ways(target.key - joker.key)).sum::<u64>()).sum(),
    }
}

/// The total of the keys in a subset.
#[inline]
fn sum_of(set: &[Candidate], mut mask: u32) -> i32 {
    let mut sum = 0;
    while mask != 0 {
        sum += set.get(mask.trailing_zeros() as usize).map_or(0, |candidate| candidate.key);
        mask &= mask - 1;
    }
    sum
}
