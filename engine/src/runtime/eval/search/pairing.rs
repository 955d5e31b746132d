//! Pairs of two roles whose conditions only compare a value of the second. The conditions are evaluated for all its candidates at
//! once, instead of for each pair.
//!
//! The results for 64 candidates of the second role form a word, one bit each; a row has the words for one candidate of the first.
//! The bits of a first candidate that decides by itself are set without evaluating its row.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::evaluate::columns::Column;
use crate::runtime::eval::search::gather::{Candidate, CandidateSets};
use crate::runtime::eval::search::{Method, Search};
use crate::runtime::limits::{MOST_PAIRED, PAIRS_PER_WORK};
use ludex_program::{ActionInfo, Comparison, Pairing, Value};
use std::ops::Range;

/// Number of bits in a word.
const BITS: usize = u64::BITS as usize;

/// The matching candidates of two roles: a row for each candidate of the first, and in it a bit for each of the second.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairTable {
    rows: Vec<u64>,
    /// Number of pairs up to the end of each word.
    ends: Vec<u64>,
    /// Number of words in a row.
    width: usize,
}

impl PairTable {
    /// The pair with an index.
    pub fn nth_pair(&self, index: u64) -> Option<(usize, usize)> {
        let place = self.ends.partition_point(|end| *end <= index);
        let (word, rest) = (*self.rows.get(place)?, index - if place == 0 { 0 } else { self.ends[place - 1] });
        let first = word.trailing_zeros();
        // Most rows begin with a run of consecutive numbers.
        let bit = match rest < u64::from((!(word >> first)).trailing_zeros()) {
            true => first + rest as u32,
            false => (0..rest).fold(word, |left, _| left & (left - 1)).trailing_zeros(),
        };
        let (row, word) = if self.width == 1 { (place, 0) } else { (place / self.width, place % self.width) };
        Some((row, word * BITS + bit as usize))
    }

    /// Keeps the pairs whose two candidates are both kept, by their indexes. Returns the number of pairs left.
    pub fn retain(&mut self, first: impl Fn(usize) -> bool, second: impl Fn(usize) -> bool) -> u64 {
        let bit = |place: usize| u64::from(second(place)) << (place % BITS);
        let word = |word: usize| (word * BITS..(word + 1) * BITS).fold(0, |bits, place| bits | bit(place));
        let kept: Vec<u64> = (0..self.width).map(word).collect();
        for (place, word) in self.rows.iter_mut().enumerate() {
            *word &= if first(place / self.width) { kept[place % self.width] } else { 0 };
        }
        self.recount_from(0);
        self.pair_count()
    }

    fn reset_table(&mut self, width: usize) {
        self.rows.clear();
        self.ends.clear();
        self.width = width;
    }

    /// Adds `firsts` rows. The rows with a bit in `full` have all bits set, and the others none.
    fn add_rows(&mut self, firsts: usize, full: u64, second: &[Candidate]) {
        let mut count = self.pair_count();
        let mut add = |first: usize, some: &[Candidate]| {
            let is_full = 0u64.wrapping_sub(full >> first & 1);
            self.rows.push(all_bits(some) & is_full);
            count += some.len() as u64 & is_full;
            self.ends.push(count);
        };
        match self.width {
            1 => (0..firsts).for_each(|first| add(first, second)),
            _ => (0..firsts).for_each(|first| second.chunks(BITS).for_each(|some| add(first, some))),
        }
    }

    /// Counts the pairs of the words from an index on again.
    fn recount_from(&mut self, from: usize) {
        let mut count = from.checked_sub(1).map_or(0, |before| self.ends[before]);
        for (word, end) in self.rows[from..].iter().zip(&mut self.ends[from..]) {
            count += u64::from(word.count_ones());
            *end = count;
        }
    }

    fn pair_count(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }
}

/// The moves of an action that are pairs.
pub struct PairedMoves<'a> {
    pub first: &'a [Candidate],
    pub second: &'a [Candidate],
    table: &'a PairTable,
}

impl<'a> PairedMoves<'a> {
    /// For each candidate of the first role, from the first one with a match: the indexes of the matching candidates of the
    /// second.
    #[inline]
    pub fn matching_rows(&self) -> impl Iterator<Item = (&'a Candidate, Row<'a>)> + use<'a> {
        let width = self.table.width.max(1);
        // The first candidates are often too low to match.
        let empty = self.table.rows.iter().take_while(|word| **word == 0).count() / width;
        let rows = self.table.rows.chunks(width).map(|row| Row { words: row.iter(), left: 0, next: 0 });
        self.first.iter().zip(rows).skip(empty)
    }
}

/// The indexes of the bits that are set in a row, as ranges.
pub struct Row<'a> {
    words: std::slice::Iter<'a, u64>,
    /// The remaining bits of the last word.
    left: u64,
    /// The index of the first bit of the next word.
    next: usize,
}

impl Iterator for Row<'_> {
    type Item = Range<usize>;

    #[inline(always)]
    fn next(&mut self) -> Option<Range<usize>> {
        while self.left == 0 {
            self.left = *self.words.next()?;
            self.next += BITS;
        }
        let first = self.left.trailing_zeros() as usize;
        let length = (!(self.left >> first)).trailing_zeros() as usize;
        self.left &= self.left.wrapping_add(1 << first);
        let place = self.next - BITS + first;
        Some(place..place + length)
    }
}

/// An action, with the candidates of its pairs.
struct PairSearch<'a> {
    context: &'a Context<'a>,
    base: usize,
    action: &'a ActionInfo,
    first: &'a [Candidate],
    second: &'a [Candidate],
}

/// The candidates of the first role for which the result of a condition is known, one bit each.
#[derive(Clone, Copy, Default)]
struct DecidedFirsts {
    /// The condition holds for every filling of the second role.
    holds: u64,
    /// The condition fails for every filling of the second role.
    fails: u64,
}

impl Search {
    /// The moves as pairs, if they are stored that way.
    #[inline]
    pub fn paired_moves<'a>(&'a self, gathered: &'a CandidateSets) -> Option<PairedMoves<'a>> {
        let pairs = || PairedMoves {
            first: &self.candidate_set(gathered, 0).all,
            second: &self.candidate_set(gathered, 1).all,
            table: &self.pairing,
        };
        (self.method == Method::Paired).then(pairs)
    }
}

impl Eval {
    /// Finds the pairs of an action whose conditions can be evaluated for all candidates of its second role at once. False if
    /// they must be tested pair by pair.
    pub(super) fn find_pairs(
        &mut self,
        context: &Context,
        base: usize,
        action: &ActionInfo,
        gathered: &CandidateSets,
        search: &mut Search,
    ) -> bool {
        let Some(condition) = &action.pairing else { return false };
        let [first, second] = [0, 1].map(|role| gathered.sets[search.set_index(role)].all.as_slice());
        if first.len().saturating_mul(second.len()) > MOST_PAIRED {
            return false;
        }
        let sought = PairSearch { context, base, action, first, second };
        let is_told = self.fill_pair_table(&sought, condition, &mut search.pairing).is_some();
        if is_told && self.fault.is_none() {
            (search.method, search.count) = (Method::Paired, search.pairing.pair_count());
        }
        is_told
    }

    /// Finds the matching pairs; `None` if a condition reads a field of `none`, which might not happen for every pair.
    fn fill_pair_table(&mut self, sought: &PairSearch, condition: &Pairing, into: &mut PairTable) -> Option<()> {
        into.reset_table(sought.second.len().div_ceil(BITS));
        let lists = self.state.lists.len();
        let work = 1 + sought.second.len() as u64 / PAIRS_PER_WORK;
        for firsts in sought.first.chunks(BITS) {
            if !self.spend_on_search(sought.action.span, firsts.len() as u64 * work) {
                break;
            }
            let decided = self.decide_firsts(sought, condition, firsts);
            let from = into.rows.len();
            into.add_rows(firsts.len(), decided.holds, sought.second);
            let mut open = all_bits(firsts) & !(decided.holds | decided.fails);
            let first_open = from + open.trailing_zeros() as usize * into.width;
            while open != 0 {
                let first = open.trailing_zeros() as usize;
                self.set_slot(sought.base, sought.action.context, firsts[first].id);
                for (word, some) in sought.second.chunks(BITS).enumerate() {
                    into.rows[from + first * into.width + word] = self.matching_seconds(sought, condition, some)?;
                }
                self.state.lists.truncate(lists);
                open &= open - 1;
            }
            into.recount_from(first_open.min(into.rows.len()));
        }
        Some(())
    }

    /// The candidates of the first role that decide a condition on their own.
    fn decide_firsts(&mut self, sought: &PairSearch, condition: &Pairing, firsts: &[Candidate]) -> DecidedFirsts {
        match condition {
            Pairing::First(comparison, with) => {
                let with = self.evaluate_inline(sought.context, sought.base, with);
                let holds = compare_ids(firsts, *comparison, with);
                DecidedFirsts { holds, fails: !holds }
            }
            Pairing::Not(inner) => {
                let inner = self.decide_firsts(sought, inner, firsts);
                DecidedFirsts { holds: inner.fails, fails: inner.holds }
            }
            Pairing::And(left, right) => {
                let (left, right) = (self.decide_firsts(sought, left, firsts), self.decide_firsts(sought, right, firsts));
                DecidedFirsts { holds: left.holds & right.holds, fails: left.fails | right.fails & left.holds }
            }
            Pairing::Or(left, right) => {
                let (left, right) = (self.decide_firsts(sought, left, firsts), self.decide_firsts(sought, right, firsts));
                DecidedFirsts { holds: left.holds | right.holds & left.fails, fails: left.fails & right.fails }
            }
            Pairing::Known(_) | Pairing::Compared { .. } => DecidedFirsts::default(),
        }
    }

    /// The candidates of the second role for which a condition holds, one bit each. Irrelevant parts are not evaluated.
    fn matching_seconds(&mut self, sought: &PairSearch, condition: &Pairing, second: &[Candidate]) -> Option<u64> {
        let (context, base) = (sought.context, sought.base);
        let all_or_nothing = |holds: bool| if holds { all_bits(second) } else { 0 };
        match condition {
            Pairing::Known(condition) => Some(all_or_nothing(self.evaluate_condition(context, base, condition))),
            Pairing::First(comparison, with) => {
                let with = self.evaluate_inline(context, base, with);
                Some(all_or_nothing(comparison.holds_for(self.read_slot(base, sought.action.context), with)))
            }
            Pairing::Not(inner) => Some(all_bits(second) ^ self.matching_seconds(sought, inner, second)?),
            Pairing::And(left, right) => match self.matching_seconds(sought, left, second)? {
                0 => Some(0),
                left => Some(left & self.matching_seconds(sought, right, second)?),
            },
            Pairing::Or(left, right) => match self.matching_seconds(sought, left, second)? {
                left if left == all_bits(second) => Some(left),
                left => Some(left | self.matching_seconds(sought, right, second)?),
            },
            Pairing::Compared { column, comparison, with } => {
                let column = self.make_column(context, base, column, sought.action.context + 1)?;
                let with = self.evaluate_inline(context, base, with);
                if column == Column::Itself {
                    return Some(compare_ids(second, *comparison, with));
                }
                let mut sound = true;
                let word = passing_bits(second, |candidate| {
                    let value = column.member_value(context.program, &self.state.board, candidate.id);
                    sound &= value.is_some();
                    value.is_some_and(|value| comparison.holds_for(value, with))
                });
                sound.then_some(word)
            }
        }
    }
}

/// A bit for each candidate; there are at most as many as bits in a word.
#[inline(always)]
fn all_bits(some: &[Candidate]) -> u64 {
    u64::MAX >> (BITS - some.len())
}

/// A bit for each candidate whose id compares with a value in this way.
#[inline]
fn compare_ids(some: &[Candidate], comparison: Comparison, with: Value) -> u64 {
    let (Some(first), Some(last)) = (some.first(), some.last()) else { return 0 };
    // Candidates are sorted without duplicates, so consecutive numbers are recognised by their ends.
    if i64::from(last.id) - i64::from(first.id) + 1 != some.len() as i64 {
        return passing_bits(some, |candidate| comparison.holds_for(candidate.id, with));
    }
    let lower = (i64::from(with) - i64::from(first.id)).clamp(0, some.len() as i64) as usize;
    let below = if lower == BITS { u64::MAX } else { (1 << lower) - 1 };
    let same = u64::from(first.id <= with && with <= last.id) << (lower % BITS);
    let (all, found) = match comparison {
        Comparison::Equal => (0, same),
        Comparison::NotEqual => (u64::MAX, same),
        Comparison::Less => (0, below),
        Comparison::LessEqual => (0, below | same),
        Comparison::Greater => (u64::MAX, below | same),
        Comparison::GreaterEqual => (u64::MAX, below),
    };
    (all ^ found) & all_bits(some)
}

/// A bit for each candidate that passes a test.
#[inline(always)]
fn passing_bits(some: &[Candidate], mut is_so: impl FnMut(&Candidate) -> bool) -> u64 {
    some.iter().enumerate().fold(0, |word, (bit, candidate)| word | u64::from(is_so(candidate)) << bit)
}
