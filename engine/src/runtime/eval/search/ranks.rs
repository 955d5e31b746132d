//! Sets that sum to a target, counted and found by rank: in the order of their sizes, then of their members, then of what goes
//! with them. Nothing is made but the moves that are wanted.
//!
//! A table says how many moves come of the members from one place on: for each number of them that is still wanted, each
//! pattern and each sum so far. It is worked out from the end. Where all tables would take much room only every so often one
//! is kept, and those between are worked out again when they are wanted.

use crate::runtime::eval::search::members::Part;
use crate::runtime::eval::search::sum_moves::{Extent, Member, SumMoves};
use crate::runtime::limits::{MOST_CELLS, MOST_NUMBERED, MOST_SUMMED};
use ludex_program::Value;
use std::collections::HashMap;
use std::ops::Range;

type Table = Vec<u64>;

/// The moves with what is needed to find each.
#[derive(Clone, Debug)]
pub struct Ranks {
    pub moves: SumMoves,
    /// How many there are, as far as they are numbered.
    pub count: u64,
    extent: Extent,
    /// How many members lie between tables that are kept.
    stride: usize,
    /// The tables from every so many members on, the last one from behind them all.
    kept: Vec<Table>,
}

/// One of the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedMove {
    pub set: Vec<Value>,
    pub joker: Value,
    pub target: Value,
}

/// Moves that begin with the same members, those before some place.
#[derive(Clone, Debug)]
struct Branch {
    pattern: usize,
    /// How many more members are wanted.
    left: usize,
    sum: usize,
    /// Which of its moves are wanted.
    ranks: Range<u64>,
    /// Where the last of its members stands among the steps.
    last: Option<usize>,
}

/// A member that was taken, and the step before.
struct Taken {
    place: usize,
    before: Option<usize>,
}

impl Ranks {
    /// None if there are too many members, or the table would be too large.
    pub fn new(moves: SumMoves) -> Option<Ranks> {
        let extent = moves.extent()?;
        if moves.members.len() > MOST_SUMMED || extent.cells()? > MOST_CELLS {
            return None;
        }
        let all_kept = moves.members.len() * extent.cells()? <= MOST_CELLS;
        let stride = if all_kept { 1 } else { moves.members.len().isqrt() };
        let mut ranks = Ranks { moves, count: 0, extent, stride, kept: Vec::new() };
        ranks.keep_tables();
        let all = ranks.moves.sizes(&ranks.extent).map(|size| ranks.of_size(size)).sum::<u64>();
        ranks.count = all.min(MOST_NUMBERED);
        Some(ranks)
    }

    fn keep_tables(&mut self) {
        let members = self.moves.members.len();
        let mut table = self.table_of_none();
        let mut kept = vec![table.clone()];
        for start in (0..members).step_by(self.stride).rev() {
            for member in self.moves.members[start..(start + self.stride).min(members)].iter().rev() {
                self.put_before(&mut table, member);
            }
            kept.push(table.clone());
        }
        kept.reverse();
        self.kept = kept;
    }

    /// The table from behind the last member on: nothing more is wanted, and the sum is what a pair wants.
    fn table_of_none(&self) -> Table {
        let (patterns, sums) = (self.extent.patterns, self.extent.sums());
        let mut table = vec![0; patterns * self.extent.lowest.len() * sums];
        for pattern in 0..patterns {
            for (joker, target, wanted) in self.moves.pairs() {
                if wanted < sums && self.moves.allows(pattern, joker, target) {
                    table[pattern * sums + wanted] += 1;
                }
            }
        }
        table
    }

    /// Makes the table from a member on out of that from behind it.
    fn put_before(&self, table: &mut Table, member: &Member) {
        let size = self.extent.patterns * self.extent.sums();
        if member.part == Part::Out {
            return;
        }
        for left in (1..=self.extent.most()).rev() {
            let (before, rows) = table.split_at_mut(left * size);
            self.put_before_row(&mut rows[..size], &before[(left - 1) * size..], left, member);
        }
        if member.part == Part::Must {
            table[..size].fill(0);
        }
    }

    /// The same for so many members that are wanted; `fewer` is the row of one less.
    fn put_before_row(&self, row: &mut [u64], fewer: &[u64], left: usize, member: &Member) {
        let sums = self.extent.sums();
        // With a higher sum no target is reached any more.
        let width = sums - self.extent.lowest[left];
        for pattern in 0..self.extent.patterns {
            let row = &mut row[pattern * sums..][..sums];
            let with = &fewer[(pattern | member.bit) * sums..][..sums];
            if member.part == Part::Must {
                row.fill(0);
            }
            for (ways, more) in row[..width].iter_mut().zip(&with[member.key.min(sums)..]) {
                *ways = (*ways + more).min(MOST_NUMBERED);
            }
        }
    }

    /// How many moves have a set of so many members.
    fn of_size(&self, size: usize) -> u64 {
        self.kept.first().map_or(0, |table| table[size * self.extent.patterns * self.extent.sums()])
    }

    /// How many moves of a branch go on with a member; `table` is that from behind it.
    fn ways_with(&self, table: &Table, member: &Member, branch: &Branch) -> u64 {
        let (sums, sum) = (self.extent.sums(), branch.sum + member.key);
        if branch.left == 0 || sum >= sums || member.part == Part::Out {
            return 0;
        }
        table[((branch.left - 1) * self.extent.patterns + (branch.pattern | member.bit)) * sums + sum]
    }

    // --- from ranks to moves ---------------------------------------------------------

    /// The moves with these ranks.
    pub fn moves_at(&self, wanted: Range<u64>) -> Vec<RankedMove> {
        let mut branches = self.branches(&(wanted.start..wanted.end.min(self.count)));
        let (mut taken, mut room) = (Vec::new(), Vec::new());
        for block in 0..self.kept.len() - 1 {
            if branches.iter().all(|branch| branch.left == 0) {
                break;
            }
            for (place, table) in (block * self.stride..).zip(self.tables_in(block, &mut room)) {
                branches = self.go_on(&branches, place, table, &mut taken);
            }
        }
        self.moves_of(&branches, &taken)
    }

    /// For each number of members, what is wanted of the moves with such a set.
    fn branches(&self, wanted: &Range<u64>) -> Vec<Branch> {
        let mut first = 0u64;
        let mut branches = Vec::new();
        for left in self.moves.sizes(&self.extent) {
            let count = self.of_size(left);
            let ranks = wanted.start.saturating_sub(first)..wanted.end.saturating_sub(first).min(count);
            if !ranks.is_empty() {
                branches.push(Branch { pattern: 0, left, sum: 0, ranks, last: None });
            }
            first = first.saturating_add(count);
        }
        branches
    }

    /// The tables from behind each member of a block; those that are not kept are worked out in `room`.
    fn tables_in<'t>(&'t self, block: usize, room: &'t mut Vec<Table>) -> &'t [Table] {
        if self.stride == 1 {
            return &self.kept[block + 1..=block + 1];
        }
        let start = block * self.stride;
        let members = &self.moves.members[start..(start + self.stride).min(self.moves.members.len())];
        room.resize(members.len(), Table::new());
        if let Some(last) = room.last_mut() {
            last.clone_from(&self.kept[block + 1]);
        }
        for place in (1..members.len()).rev() {
            let (before, behind) = room.split_at_mut(place);
            before[place - 1].clone_from(&behind[0]);
            self.put_before(&mut before[place - 1], &members[place]);
        }
        room
    }

    /// Parts each branch into the moves with a member and those without it.
    fn go_on(&self, branches: &[Branch], place: usize, table: &Table, taken: &mut Vec<Taken>) -> Vec<Branch> {
        let member = &self.moves.members[place];
        let mut parted = Vec::with_capacity(branches.len());
        for branch in branches {
            let with = self.ways_with(table, member, branch);
            let Range { start, end } = branch.ranks;
            if start < with {
                taken.push(Taken { place, before: branch.last });
                parted.push(Branch {
                    pattern: branch.pattern | member.bit,
                    left: branch.left - 1,
                    sum: branch.sum + member.key,
                    ranks: start..end.min(with),
                    last: Some(taken.len() - 1),
                });
            }
            if end > with {
                parted.push(Branch { ranks: start.saturating_sub(with)..end - with, ..branch.clone() });
            }
        }
        parted
    }

    fn moves_of(&self, branches: &[Branch], taken: &[Taken]) -> Vec<RankedMove> {
        let mut pairs: HashMap<(usize, usize), Vec<(Value, Value)>> = HashMap::new();
        let mut moves = Vec::new();
        for branch in branches {
            let pairs = pairs
                .entry((branch.pattern, branch.sum))
                .or_insert_with(|| self.moves.pairs_of(branch.pattern, branch.sum).collect());
            let set = self.set_of(branch, taken);
            let wanted = pairs.get(branch.ranks.start as usize..branch.ranks.end as usize).unwrap_or(&[]);
            moves.extend(wanted.iter().map(|(joker, target)| RankedMove { set: set.clone(), joker: *joker, target: *target }));
        }
        moves
    }

    fn set_of(&self, branch: &Branch, taken: &[Taken]) -> Vec<Value> {
        let steps = std::iter::successors(branch.last.map(|last| &taken[last]), |step| step.before.map(|before| &taken[before]));
        let mut set: Vec<Value> = steps.map(|step| self.moves.members[step.place].id).collect();
        set.reverse();
        set
    }

    // --- from a move to its rank -----------------------------------------------------

    /// The rank of a legal move, if it has a number; the members of its set are given by their places, in order.
    pub fn rank(&self, set: &[usize], joker: Value, target: Value) -> Option<u64> {
        let smaller = self.moves.sizes(&self.extent).take_while(|size| *size < set.len()).map(|size| self.of_size(size));
        let mut rank = smaller.fold(0, u64::saturating_add);
        let mut branch = Branch { pattern: 0, left: set.len(), sum: 0, ranks: 0..0, last: None };
        let mut room = Vec::new();
        for block in 0..self.kept.len() - 1 {
            for (place, table) in (block * self.stride..).zip(self.tables_in(block, &mut room)) {
                let member = &self.moves.members[place];
                if set.contains(&place) {
                    branch.left -= 1;
                    branch.sum += member.key;
                    branch.pattern |= member.bit;
                } else {
                    // All with this member come before.
                    rank = rank.saturating_add(self.ways_with(table, member, &branch));
                }
            }
            if branch.left == 0 {
                break;
            }
        }
        let pair = self.moves.pairs_of(branch.pattern, branch.sum).position(|pair| pair == (joker, target))?;
        rank = rank.saturating_add(pair as u64);
        (rank < MOST_NUMBERED).then_some(rank)
    }
}
