//! Pairs of two roles whose conditions only compare what stands with the second: they are told for all that may fill that role
//! at once, instead of being worked out for each pair.

use crate::program::{ActionInfo, Pairing};
use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::search::gather::{Candidate, Gathered};
use crate::runtime::eval::search::{Method, Search};
use crate::runtime::limits::PAIRS_PER_WORK;

/// Those of a word.
const BITS: usize = u64::BITS as usize;

/// Which candidates of a second role go with each of a first: a row for each of the first, a bit for each of the second.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairTable {
    rows: Vec<u64>,
    /// The words of a row.
    width: usize,
}

impl PairTable {
    pub fn count(&self) -> u64 {
        self.rows.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Calls `visit` on the places of both, in order, until it says that this is enough.
    #[inline(always)]
    pub fn each(&self, mut visit: impl FnMut(usize, usize) -> bool) {
        for (first, row) in self.rows.chunks(self.width.max(1)).enumerate() {
            for (place, word) in row.iter().enumerate() {
                let mut left = *word;
                while left != 0 {
                    if visit(first, place * BITS + left.trailing_zeros() as usize) {
                        return;
                    }
                    left &= left - 1;
                }
            }
        }
    }

    /// The pair of an index.
    pub fn nth(&self, index: u64) -> Option<(usize, usize)> {
        let mut rest = index;
        for (place, word) in self.rows.iter().enumerate() {
            let count = u64::from(word.count_ones());
            if rest < count {
                let left = (0..rest).fold(*word, |left, _| left & (left - 1));
                return Some((place / self.width, place % self.width * BITS + left.trailing_zeros() as usize));
            }
            rest -= count;
        }
        None
    }

    /// Keeps pairs of which both are kept, told by their places.
    pub fn retain(&mut self, first: impl Fn(usize) -> bool, second: impl Fn(usize) -> bool) {
        let bit = |place: usize| u64::from(second(place)) << (place % BITS);
        let word = |word: usize| (word * BITS..(word + 1) * BITS).fold(0, |bits, place| bits | bit(place));
        let kept: Vec<u64> = (0..self.width).map(word).collect();
        for (place, row) in self.rows.chunks_mut(self.width.max(1)).enumerate() {
            let is_kept = first(place);
            row.iter_mut().zip(&kept).for_each(|(word, kept)| *word &= if is_kept { *kept } else { 0 });
        }
    }

    fn begin(&mut self, width: usize) {
        self.rows.clear();
        self.width = width;
    }
}

/// An action whose pairs are sought.
struct Pairs<'a> {
    context: &'a Context<'a>,
    base: usize,
    action: &'a ActionInfo,
    first: &'a [Candidate],
    second: &'a [Candidate],
}

/// For which candidates of the first role it is known what a condition comes to, one bit each.
#[derive(Clone, Copy, Default)]
struct Decided {
    /// It holds, whatever fills the second role.
    holds: u64,
    /// It does not.
    fails: u64,
}

impl Eval {
    /// Finds the pairs of an action whose conditions can be told for all that may fill its second role at once; false if they
    /// must be asked of one pair after the other.
    pub(super) fn pair(
        &mut self,
        context: &Context,
        base: usize,
        action: &ActionInfo,
        gathered: &Gathered,
        search: &mut Search,
    ) -> bool {
        let Some(condition) = &action.pairing else { return false };
        let mut table = std::mem::take(&mut search.pairing);
        let (first, second) = (&search.of(gathered, 0).all, &search.of(gathered, 1).all);
        let is_told = self.tell_pairs(&Pairs { context, base, action, first, second }, condition, &mut table).is_some();
        if is_told && self.fault.is_none() {
            (search.method, search.count) = (Method::Paired, table.count());
        }
        search.pairing = table;
        is_told
    }

    /// Which go with which; none if a condition asks something of nothing, which it may not do for every pair.
    fn tell_pairs(&mut self, pairs: &Pairs, condition: &Pairing, into: &mut PairTable) -> Option<()> {
        into.begin(pairs.second.len().div_ceil(BITS));
        let lists = self.state.lists.len();
        let work = 1 + pairs.second.len() as u64 / PAIRS_PER_WORK;
        for firsts in pairs.first.chunks(BITS) {
            if !self.spend_on_search(pairs.action.span, firsts.len() as u64 * work) {
                break;
            }
            let decided = self.decide(pairs, condition, firsts);
            for (bit, candidate) in firsts.iter().enumerate() {
                for some in pairs.second.chunks(BITS) {
                    let row = match (decided.holds >> bit & 1, decided.fails >> bit & 1) {
                        (1, _) => all_of(some),
                        (_, 1) => 0,
                        _ => {
                            self.set_slot(pairs.base, pairs.action.context, candidate.id);
                            self.tell(pairs, condition, some)?
                        }
                    };
                    into.rows.push(row);
                }
                self.state.lists.truncate(lists);
            }
        }
        Some(())
    }

    /// For which candidates of the first role a condition is decided by these themselves.
    fn decide(&mut self, pairs: &Pairs, condition: &Pairing, firsts: &[Candidate]) -> Decided {
        match condition {
            Pairing::First(comparison, with) => {
                let with = self.read(pairs.context, pairs.base, with);
                let holds = bits(firsts, |candidate| comparison.holds(candidate.id, with));
                Decided { holds, fails: !holds }
            }
            Pairing::Not(inner) => {
                let inner = self.decide(pairs, inner, firsts);
                Decided { holds: inner.fails, fails: inner.holds }
            }
            Pairing::And(left, right) => {
                let (left, right) = (self.decide(pairs, left, firsts), self.decide(pairs, right, firsts));
                Decided { holds: left.holds & right.holds, fails: left.fails | right.fails & left.holds }
            }
            Pairing::Or(left, right) => {
                let (left, right) = (self.decide(pairs, left, firsts), self.decide(pairs, right, firsts));
                Decided { holds: left.holds | right.holds & left.fails, fails: left.fails & right.fails }
            }
            Pairing::Known(_) | Pairing::Compared { .. } => Decided::default(),
        }
    }

    /// Of which candidates of the second role a condition holds, one bit each. What does not matter is not asked.
    fn tell(&mut self, pairs: &Pairs, condition: &Pairing, second: &[Candidate]) -> Option<u64> {
        let (context, base) = (pairs.context, pairs.base);
        let all_or_nothing = |holds: bool| if holds { all_of(second) } else { 0 };
        match condition {
            Pairing::Known(condition) => Some(all_or_nothing(self.holds(context, base, condition))),
            Pairing::First(comparison, with) => {
                let with = self.evaluate(context, base, with);
                Some(all_or_nothing(comparison.holds(self.slot(base, pairs.action.context), with)))
            }
            Pairing::Not(inner) => Some(all_of(second) ^ self.tell(pairs, inner, second)?),
            Pairing::And(left, right) => match self.tell(pairs, left, second)? {
                0 => Some(0),
                left => Some(left & self.tell(pairs, right, second)?),
            },
            Pairing::Or(left, right) => match self.tell(pairs, left, second)? {
                left if left == all_of(second) => Some(left),
                left => Some(left | self.tell(pairs, right, second)?),
            },
            Pairing::Compared { column, comparison, with } => {
                let column = self.column(context, base, column, pairs.action.context + 1)?;
                let with = self.evaluate(context, base, with);
                let mut sound = true;
                let word = bits(second, |candidate| {
                    let value = column.read(context.program, &self.state.board, candidate.id);
                    sound &= value.is_some();
                    value.is_some_and(|value| comparison.holds(value, with))
                });
                sound.then_some(word)
            }
        }
    }
}

/// A bit for each of up to as many candidates as a word has.
#[inline(always)]
fn all_of(some: &[Candidate]) -> u64 {
    u64::MAX >> (BITS - some.len())
}

/// A bit for each of those that are so.
#[inline(always)]
fn bits(some: &[Candidate], mut is_so: impl FnMut(&Candidate) -> bool) -> u64 {
    some.iter().enumerate().fold(0, |word, (bit, candidate)| word | u64::from(is_so(candidate)) << bit)
}
