//! Which sums sets can have, without counting them: what can still lead to a legal move as a set is put together.

use crate::runtime::eval::search::gather::Candidate;
use crate::runtime::eval::search::members::Part;
use crate::runtime::eval::search::sum_moves::{Extent, Member, SumMoves};
use ludex_program::Value;
use std::collections::HashSet;

/// For each number of members and each pattern, which sums there are, a bit each.
pub struct Reach<'m> {
    moves: &'m SumMoves,
    extent: Extent,
    sums: Vec<u64>,
    /// How many words the sums of one number of members and one pattern take.
    words: usize,
}

impl SumMoves {
    /// The most members of a legal set, if there is one.
    pub fn largest(&self) -> Option<usize> {
        let reach = Reach::new(self)?;
        reach.sizes().rev().find(|size| reach.pairs_at(*size).next().is_some())
    }

    /// What may join the sums, and what may be their targets, each in order.
    pub fn singles(&self) -> (Vec<Value>, Vec<Value>) {
        let Some(reach) = Reach::new(self) else { return (Vec::new(), Vec::new()) };
        let (mut jokers, mut targets) = (HashSet::new(), HashSet::new());
        for (joker, target) in reach.sizes().flat_map(|size| reach.pairs_at(size)) {
            jokers.insert(joker);
            targets.insert(target);
        }
        let in_order = |all: &[Candidate], found: &HashSet<Value>| {
            all.iter().map(|candidate| candidate.id).filter(|id| found.contains(id)).collect()
        };
        (in_order(&self.jokers, &jokers), in_order(&self.targets, &targets))
    }

    /// The members that are in some legal set, but for some.
    pub fn useful_members(&self, without: &[Value]) -> Vec<Value> {
        let mut known = Vec::new();
        let others = self.members.iter().filter(|member| !without.contains(&member.id));
        others.filter(|member| self.is_useful(member, &mut known)).map(|member| member.id).collect()
    }

    /// Whether a member is in a legal set; what is known of one is so of all that are alike.
    fn is_useful(&self, member: &Member, known: &mut Vec<((usize, usize, Part), bool)>) -> bool {
        let alike = (member.key, member.bit, member.part);
        if let Some((_, useful)) = known.iter().find(|(known, _)| *known == alike) {
            return *useful;
        }
        let mut with = self.clone();
        with.settle(member.id, true);
        let useful = with.largest().is_some();
        known.push((alike, useful));
        useful
    }

    /// Whether these members are a legal set.
    pub fn is_complete(&self, set: &[Value]) -> bool {
        let legal = |places: Vec<usize>| self.pairs().any(|(joker, target, _)| self.is_legal(&places, joker, target));
        self.members.places_of(set).is_some_and(legal)
    }
}

impl<'m> Reach<'m> {
    /// None if there is too much to describe.
    fn new(moves: &'m SumMoves) -> Option<Reach<'m>> {
        let extent = moves.extent()?;
        let words = extent.sums().div_ceil(u64::BITS as usize);
        let sums = vec![0; extent.patterns.checked_mul(extent.lowest.len())?.checked_mul(words)?];
        let mut reach = Reach { moves, extent, sums, words };
        reach.sums[0] = 1;
        for member in moves.members.iter().filter(|member| member.part != Part::Out) {
            reach.add(member);
        }
        Some(reach)
    }

    /// Adds the sets with one more member; of those without it, one that must be there leaves none.
    fn add(&mut self, member: &Member) {
        let size = self.extent.patterns * self.words;
        for taken in (0..=self.extent.most()).rev() {
            let (fewer, rows) = self.sums.split_at_mut(taken * size);
            let row = &mut rows[..size];
            if member.part == Part::Must {
                row.fill(0);
            }
            let Some(fewer) = taken.checked_sub(1).map(|one_less| &fewer[one_less * size..]) else { continue };
            for (pattern, from) in fewer.chunks(self.words).take(self.extent.patterns).enumerate() {
                let into = (pattern | member.bit) * self.words;
                or_shifted(&mut row[into..][..self.words], from, member.key);
            }
        }
    }

    fn sizes(&self) -> std::ops::Range<usize> {
        self.moves.sizes(&self.extent)
    }

    /// The pairs that a legal set of so many members may go with.
    fn pairs_at(&self, size: usize) -> impl Iterator<Item = (Value, Value)> {
        let fits = move |pattern: usize, joker: Value, target: Value, wanted: usize| {
            self.has(size, pattern, wanted) && self.moves.allows(pattern, joker, target)
        };
        let pairs = self.moves.pairs().filter(move |(joker, target, wanted)| {
            (0..self.extent.patterns).any(|pattern| fits(pattern, *joker, *target, *wanted))
        });
        pairs.map(|(joker, target, _)| (joker, target))
    }

    fn has(&self, size: usize, pattern: usize, sum: usize) -> bool {
        let row = (size * self.extent.patterns + pattern) * self.words;
        sum < self.extent.sums() && self.sums[row + sum / u64::BITS as usize] >> (sum % u64::BITS as usize) & 1 == 1
    }
}

/// Sets the bits of `from`, each so much higher.
fn or_shifted(into: &mut [u64], from: &[u64], by: usize) {
    let (words, bits) = (by / u64::BITS as usize, by % u64::BITS as usize);
    for place in words..into.len() {
        let low = from[place - words] << bits;
        let high = if bits > 0 && place > words { from[place - words - 1] >> (u64::BITS as usize - bits) } else { 0 };
        into[place] |= low | high;
    }
}
