//! Counts the moves of a set, finds the move with a rank and the rank of a move, without listing moves.
//!
//! Moves are ordered by the fillings of the roles before the set, then by the size of the set, its members, and the fillings of
//! the roles after it. For each track and each place, a table has the number of moves that the members from this place on lead
//! to: for each number of members still wanted, each pattern and each state. Tables are computed from the end. If all of them
//! take much room, only some are kept, at equal distances, and those between are computed again when they are read.
//!
//! A *track* reads the members of a set from state to state (`track`). A *section* has the tracks of the moves with the same things
//! in the roles before the set (`set_moves`). A *pattern* says which of the tested things a set contains (`members`). A *filling*
//! is a choice for the roles beside the set, by its number.

use crate::runtime::eval::search::fillings::OtherFillings;
use crate::runtime::eval::search::large::MoveIndex;
use crate::runtime::eval::search::members::SetMembership;
use crate::runtime::eval::search::set_moves::{Grid, SetMoves};
use crate::runtime::eval::search::track::{DEAD, Track};
use crate::runtime::limits::{MOST_NUMBERED, MOST_SET_CELLS, MOST_SUMMED};
use ludex_program::{MOST_ROLES, NONE, Value};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

type Table = Vec<u64>;

/// Moves with the tables that find each of them.
#[derive(Clone, Debug)]
pub struct Ranks {
    pub moves: SetMoves,
    /// Number of moves, as far as they are numbered.
    pub count: u64,
    grid: Grid,
    /// The tables of each track of each section.
    tables: Vec<Vec<Arc<Tables>>>,
}

/// The tables of one track.
#[derive(Debug)]
struct Tables {
    /// The distance between kept tables, in members.
    stride: usize,
    /// The kept tables, in order of their places; the last one is after all members.
    kept: Vec<Table>,
}

/// A move: the filling of the role of several, and those of the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilledMove {
    pub set: Vec<Value>,
    pub others: OtherFillings,
}

/// The state of each track of a section.
type States = SmallVec<[u32; 4]>;

/// Moves with the same members before some place.
struct RankBranch {
    pattern: usize,
    /// Number of members still wanted.
    left: usize,
    states: States,
    /// The ranks of the wanted moves among those of the branch.
    ranks: Range<u64>,
    /// The step of its last member.
    last: Option<usize>,
}

/// A member of a branch, and the step of the member before it.
struct Step {
    place: usize,
    before: Option<usize>,
}

/// Reads the tables of one track, place by place.
struct Reader<'r> {
    ranks: &'r Ranks,
    track: &'r Track,
    tables: &'r Tables,
    /// The tables between two kept ones, the last first.
    between: Vec<Table>,
}

impl Ranks {
    /// Returns `None` if there are too many members, or the tables would be too large.
    pub fn new(moves: SetMoves) -> Option<Ranks> {
        if moves.members.len() > MOST_SUMMED {
            return None;
        }
        let mut ranks = Ranks { grid: moves.make_grid()?, moves, count: 0, tables: Vec::new() };
        ranks.tables = ranks.make_tables()?;
        let sections = 0..ranks.grid.sections.len();
        ranks.count = sections.map(|section| ranks.count_section(section)).fold(0, u64::saturating_add).min(MOST_NUMBERED);
        Some(ranks)
    }

    /// Computes the tables of all tracks; `None` if there is no room for them.
    fn make_tables(&self) -> Option<Vec<Vec<Arc<Tables>>>> {
        // Sections share equal tables.
        let mut known: Vec<(&Track, Arc<Tables>)> = Vec::new();
        let mut all_cells = 0usize;
        let mut of_track = |track| {
            let cells = self.grid.table_cells(track).filter(|cells| self.moves.has_room_for(*cells))?;
            let last = self.last_table(track, cells);
            let is_same =
                |(other, tables): &&(&Track, Arc<Tables>)| tables.kept.last() == Some(&last) && track.has_same_transitions(other);
            if let Some((_, same)) = known.iter().find(is_same) {
                return Some(same.clone());
            }
            all_cells = all_cells.saturating_add(cells);
            let tables = self.moves.has_room_for(all_cells).then(|| Arc::new(self.compute_tables(track, last)))?;
            known.push((track, tables.clone()));
            Some(tables)
        };
        self.grid.sections.iter().map(|tracks| tracks.iter().map(&mut of_track).collect()).collect()
    }

    /// The table after the last member, where no more members are wanted.
    fn last_table(&self, track: &Track, cells: usize) -> Table {
        let mut table = vec![0; cells];
        for (state, filling) in track.all_accepted_fillings() {
            for pattern in (0..self.grid.patterns).filter(|pattern| self.moves.allows_pattern(*pattern, filling)) {
                table[self.grid.row_start(track, 0, pattern) + state] += 1;
            }
        }
        table
    }

    /// Computes the tables at each place from the one after the last member.
    fn compute_tables(&self, track: &Track, last: Table) -> Tables {
        let members = self.moves.members.len();
        let all_fit = members * last.len() <= MOST_SET_CELLS;
        let stride = if all_fit { 1 } else { members.isqrt() };
        let mut kept = vec![last.clone()];
        let mut table = last;
        for place in (0..members).rev() {
            self.add_before(track, &mut table, place);
            if place % stride == 0 {
                kept.push(table.clone());
            }
        }
        kept.reverse();
        Tables { stride, kept }
    }

    /// Turns the table after a member into the table before it.
    fn add_before(&self, track: &Track, table: &mut Table, place: usize) {
        let member = &self.moves.members[place];
        if member.part == SetMembership::Out {
            return;
        }
        let runs = track.state_runs(place);
        // A set takes at most the members from here on.
        for left in (0..=self.grid.most.min(self.moves.members.len() - place)).rev() {
            let (before, rows) = table.split_at_mut(self.grid.row_start(track, left, 0));
            if member.part == SetMembership::Must {
                rows[..self.grid.row_start(track, 1, 0)].fill(0);
            }
            let Some(one_less) = left.checked_sub(1) else { continue };
            for pattern in 0..self.grid.patterns {
                let row = &mut rows[self.grid.row_start(track, 0, pattern)..];
                let with = &before[self.grid.row_start(track, one_less, pattern | member.bit)..];
                for run in &runs {
                    for (ways, more) in row[run.from..].iter_mut().zip(&with[run.to..][..run.length]) {
                        *ways = (*ways + more).min(MOST_NUMBERED);
                    }
                }
            }
        }
    }

    /// Counts the cells of all tables; shared ones count once for each section.
    pub fn count_cells(&self) -> usize {
        self.tables.iter().flatten().flat_map(|tables| &tables.kept).map(Vec::len).sum()
    }

    /// Counts the moves of a section whose sets have this size.
    fn count_size(&self, section: usize, size: usize) -> u64 {
        let tracks = self.grid.sections[section].iter().zip(&self.tables[section]);
        tracks.map(|(track, tables)| tables.kept[0][self.grid.row_start(track, size, 0)]).fold(0, u64::saturating_add)
    }

    /// Counts the moves of a section.
    fn count_section(&self, section: usize) -> u64 {
        self.grid.set_sizes().map(|size| self.count_size(section, size)).fold(0, u64::saturating_add)
    }

    /// The branch of all moves whose sets have `left` members, before any member is read.
    fn start_branch(&self, section: usize, left: usize, ranks: Range<u64>) -> RankBranch {
        let states = SmallVec::from_elem(0, self.grid.sections[section].len());
        RankBranch { pattern: 0, left, states, ranks, last: None }
    }

    /// Readers for all tracks of a section.
    fn open_readers(&self, section: usize) -> Vec<Reader<'_>> {
        let tracks = self.grid.sections[section].iter().zip(&self.tables[section]);
        tracks.map(|(track, tables)| Reader { ranks: self, track, tables, between: Vec::new() }).collect()
    }

    /// Counts the moves of a branch that have the member at a place, and returns the states after it.
    fn ways_with(&self, readers: &[Reader], place: usize, branch: &RankBranch) -> (u64, States) {
        let member = &self.moves.members[place];
        if branch.left == 0 || member.part == SetMembership::Out {
            return (0, States::new());
        }
        let mut all_ways = 0u64;
        let states = readers.iter().zip(&branch.states).map(|(reader, state)| {
            let after = reader.track.next_state(*state, place);
            if after != DEAD {
                let row = self.grid.row_start(reader.track, branch.left - 1, branch.pattern | member.bit);
                all_ways = all_ways.saturating_add(reader.table_after(place)[row + after as usize]);
            }
            after
        });
        let states = states.collect();
        (all_ways, states)
    }

    // --- from ranks to moves ---------------------------------------------------------

    /// Returns the moves with these ranks.
    pub fn moves_at(&self, wanted: Range<u64>) -> Vec<FilledMove> {
        let wanted = wanted.start..wanted.end.min(self.count);
        let mut first = 0u64;
        let mut found = Vec::new();
        for section in 0..self.grid.sections.len() {
            let mut branches = Vec::new();
            for size in self.grid.set_sizes() {
                let count = self.count_size(section, size);
                let ranks = wanted.start.saturating_sub(first)..wanted.end.saturating_sub(first).min(count);
                if !ranks.is_empty() {
                    branches.push(self.start_branch(section, size, ranks));
                }
                first = first.saturating_add(count);
            }
            self.follow_branches(section, branches, &mut found);
        }
        found
    }

    /// Follows branches of a section to their ends, and adds the wanted moves.
    fn follow_branches(&self, section: usize, mut branches: Vec<RankBranch>, found: &mut Vec<FilledMove>) {
        let mut readers = self.open_readers(section);
        let mut steps = Vec::new();
        for place in 0..self.moves.members.len() {
            if branches.iter().all(|branch| branch.left == 0) {
                break;
            }
            readers.iter_mut().for_each(|reader| reader.move_to(place));
            branches = self.split_branches(&readers, branches, place, &mut steps);
        }
        let mut fillings: HashMap<(usize, States), Vec<usize>> = HashMap::new();
        for RankBranch { pattern, states, ranks, last, .. } in branches {
            let steps = std::iter::successors(last.map(|last| &steps[last]), |step| step.before.map(|before| &steps[before]));
            let mut set: Vec<Value> = steps.map(|step: &Step| self.moves.members[step.place].id).collect();
            set.reverse();
            let fillings =
                fillings.entry((pattern, states)).or_insert_with_key(|(_, states)| self.fillings_of(section, pattern, states));
            let wanted = fillings.get(ranks.start as usize..ranks.end as usize).unwrap_or(&[]);
            found.extend(
                wanted.iter().map(|filling| FilledMove { set: set.clone(), others: self.moves.fillings.nth_filling(*filling) }),
            );
        }
    }

    /// Splits each branch into its moves with a member and those without it.
    fn split_branches(
        &self,
        readers: &[Reader],
        branches: Vec<RankBranch>,
        place: usize,
        steps: &mut Vec<Step>,
    ) -> Vec<RankBranch> {
        let mut parts = Vec::with_capacity(branches.len());
        for branch in branches {
            let (with, states) = self.ways_with(readers, place, &branch);
            let Range { start, end } = branch.ranks;
            if start < with {
                steps.push(Step { place, before: branch.last });
                parts.push(RankBranch {
                    pattern: branch.pattern | self.moves.members[place].bit,
                    left: branch.left - 1,
                    states,
                    ranks: start..end.min(with),
                    last: Some(steps.len() - 1),
                });
            }
            if end > with {
                parts.push(RankBranch { ranks: start.saturating_sub(with)..end - with, ..branch });
            }
        }
        parts
    }

    /// The fillings that go with a legal set, in order.
    fn fillings_of(&self, section: usize, pattern: usize, states: &[u32]) -> Vec<usize> {
        let tracks = self.grid.sections[section].iter().zip(states);
        let accepted = tracks.flat_map(|(track, state)| track.accepted_fillings(*state));
        let mut fillings: Vec<usize> = accepted.filter(|filling| self.moves.allows_pattern(pattern, *filling)).collect();
        fillings.sort_unstable();
        fillings
    }

    // --- from a move to its rank -----------------------------------------------------

    /// Returns the place of the move with these fillings; `None` if it is not legal.
    pub fn place_of(&self, filled: &[Vec<Value>]) -> Option<MoveIndex> {
        let mut others = [NONE; MOST_ROLES];
        for (role, things) in filled.iter().enumerate().filter(|(role, _)| *role != self.moves.set) {
            others[role] = match things.as_slice() {
                [] => NONE,
                [thing] => *thing,
                _ => return None,
            };
        }
        let filling = self.moves.fillings.number_of(&others)?;
        let set = self.moves.members.places_of(filled.get(self.moves.set)?)?;
        let is_legal = self.moves.fillings_of(&self.grid, &set).contains(&filling);
        is_legal.then(|| MoveIndex::from_index(self.find_rank(&set, filling)))
    }

    /// Returns the rank of a legal move, if it is numbered. `set` holds the places of its members, in order.
    fn find_rank(&self, set: &[usize], filling: usize) -> Option<u64> {
        let section = self.grid.section_of(filling, self.moves.fillings.filling_count());
        let before = (0..section).map(|section| self.count_section(section));
        let smaller = self.grid.set_sizes().take_while(|size| *size < set.len()).map(|size| self.count_size(section, size));
        let mut rank = before.chain(smaller).fold(0, u64::saturating_add);
        let mut readers = self.open_readers(section);
        let mut branch = self.start_branch(section, set.len(), 0..0);
        for place in 0..self.moves.members.len() {
            if branch.left == 0 {
                break;
            }
            readers.iter_mut().for_each(|reader| reader.move_to(place));
            let (with, states) = self.ways_with(&readers, place, &branch);
            if set.contains(&place) {
                let pattern = branch.pattern | self.moves.members[place].bit;
                branch = RankBranch { pattern, left: branch.left - 1, states, ..branch };
            } else {
                // Moves with this member come first.
                rank = rank.saturating_add(with);
            }
        }
        let fillings = self.fillings_of(section, branch.pattern, &branch.states);
        rank = rank.saturating_add(fillings.iter().position(|other| *other == filling)? as u64);
        (rank < MOST_NUMBERED).then_some(rank)
    }
}

impl Reader<'_> {
    /// Loads the table after a member. Places are visited in order.
    fn move_to(&mut self, place: usize) {
        let Tables { stride, kept } = self.tables;
        if !place.is_multiple_of(*stride) || *stride == 1 {
            return;
        }
        let end = (place + stride).min(self.ranks.moves.members.len());
        let mut table = kept[place / stride + 1].clone();
        self.between.clear();
        for later in (place + 1..end).rev() {
            self.ranks.add_before(self.track, &mut table, later);
            self.between.push(table.clone());
        }
    }

    /// The table after a member.
    fn table_after(&self, place: usize) -> &Table {
        let Tables { stride, kept } = self.tables;
        let block = place / stride;
        let last = ((block + 1) * stride).min(self.ranks.moves.members.len()) - 1;
        if place == last { &kept[block + 1] } else { &self.between[last - 1 - place] }
    }
}
