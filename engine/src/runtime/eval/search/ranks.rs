//! Moves of a set counted and found by rank: in the order of what fills the roles before the set, then of the sizes of the sets,
//! of their members, and of what fills the roles behind. Nothing is made but the moves that are wanted.
//!
//! For each track a table says how many moves come of the members from one place on: for each number of them that is still
//! wanted, each pattern and each state. It is worked out from the end. Where all tables would take much room only every so often
//! one is kept, and those between are worked out again when they are wanted.

use crate::runtime::eval::search::fillings::Others;
use crate::runtime::eval::search::large::Place;
use crate::runtime::eval::search::members::Part;
use crate::runtime::eval::search::set_moves::{Grid, SetMoves};
use crate::runtime::eval::search::track::{DEAD, Track};
use crate::runtime::limits::{MOST_NUMBERED, MOST_SET_CELLS, MOST_SUMMED};
use ludex_program::{MOST_ROLES, NONE, Value};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

type Table = Vec<u64>;

/// The moves with what is needed to find each.
#[derive(Clone, Debug)]
pub struct Ranks {
    pub moves: SetMoves,
    /// How many there are, as far as they are numbered.
    pub count: u64,
    grid: Grid,
    /// The tables of each track of each section.
    tables: Vec<Vec<Arc<Tables>>>,
}

/// The tables of one track.
#[derive(Debug)]
struct Tables {
    /// How many members lie between tables that are kept.
    stride: usize,
    /// The tables from every so many members on, the last one from behind them all.
    kept: Vec<Table>,
}

/// One of the moves: what fills the role of several, and what fills the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilledMove {
    pub set: Vec<Value>,
    pub others: Others,
}

/// Where each track of a section stands.
type States = SmallVec<[u32; 4]>;

/// Moves that begin with the same members, those before some place.
struct Branch {
    pattern: usize,
    /// How many more members are wanted.
    left: usize,
    states: States,
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

/// The tables of one track, from behind one member after the other.
struct Reader<'r> {
    ranks: &'r Ranks,
    track: &'r Track,
    tables: &'r Tables,
    /// Those between two that are kept, the last first.
    between: Vec<Table>,
}

impl Ranks {
    /// None if there are too many members, or the tables would be too large.
    pub fn new(moves: SetMoves) -> Option<Ranks> {
        if moves.members.len() > MOST_SUMMED {
            return None;
        }
        let mut ranks = Ranks { grid: moves.grid()?, moves, count: 0, tables: Vec::new() };
        ranks.tables = ranks.make_tables()?;
        let sections = 0..ranks.grid.sections.len();
        ranks.count = sections.map(|section| ranks.count_section(section)).fold(0, u64::saturating_add).min(MOST_NUMBERED);
        Some(ranks)
    }

    fn make_tables(&self) -> Option<Vec<Vec<Arc<Tables>>>> {
        // What is the same in several sections is worked out once.
        let mut known: Vec<(&Track, Arc<Tables>)> = Vec::new();
        let mut all_cells = 0usize;
        let mut of_track = |track| {
            let cells = self.grid.cells(track).filter(|cells| self.moves.has_room_for(*cells))?;
            let last = self.last_table(track, cells);
            let is_same = |(other, tables): &&(&Track, Arc<Tables>)| tables.kept.last() == Some(&last) && track.goes_like(other);
            if let Some((_, same)) = known.iter().find(is_same) {
                return Some(same.clone());
            }
            all_cells = all_cells.saturating_add(cells);
            let tables = self.moves.has_room_for(all_cells).then(|| Arc::new(self.tables_before(track, last)))?;
            known.push((track, tables.clone()));
            Some(tables)
        };
        self.grid.sections.iter().map(|tracks| tracks.iter().map(&mut of_track).collect()).collect()
    }

    /// The table from behind the last member on: nothing more is wanted.
    fn last_table(&self, track: &Track, cells: usize) -> Table {
        let mut table = vec![0; cells];
        for (state, filling) in track.all_accepted() {
            for pattern in (0..self.grid.patterns).filter(|pattern| self.moves.allows(*pattern, filling)) {
                table[self.grid.row(track, 0, pattern) + state] += 1;
            }
        }
        table
    }

    /// The tables from each member on, worked out from that behind the last.
    fn tables_before(&self, track: &Track, last: Table) -> Tables {
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

    /// Makes the table from a member on out of that from behind it.
    fn add_before(&self, track: &Track, table: &mut Table, place: usize) {
        let member = &self.moves.members[place];
        if member.part == Part::Out {
            return;
        }
        let runs = track.runs(place);
        // No more than there are from here on.
        for left in (0..=self.grid.most.min(self.moves.members.len() - place)).rev() {
            let (before, rows) = table.split_at_mut(self.grid.row(track, left, 0));
            if member.part == Part::Must {
                rows[..self.grid.row(track, 1, 0)].fill(0);
            }
            let Some(one_less) = left.checked_sub(1) else { continue };
            for pattern in 0..self.grid.patterns {
                let row = &mut rows[self.grid.row(track, 0, pattern)..];
                let with = &before[self.grid.row(track, one_less, pattern | member.bit)..];
                for run in &runs {
                    for (ways, more) in row[run.from..].iter_mut().zip(&with[run.to..][..run.length]) {
                        *ways = (*ways + more).min(MOST_NUMBERED);
                    }
                }
            }
        }
    }

    /// How many cells all tables have, those that sections share once for each.
    pub fn cells(&self) -> usize {
        self.tables.iter().flatten().flat_map(|tables| &tables.kept).map(Vec::len).sum()
    }

    /// How many moves of a section have a set of so many members.
    fn count_size(&self, section: usize, size: usize) -> u64 {
        let tracks = self.grid.sections[section].iter().zip(&self.tables[section]);
        tracks.map(|(track, tables)| tables.kept[0][self.grid.row(track, size, 0)]).fold(0, u64::saturating_add)
    }

    fn count_section(&self, section: usize) -> u64 {
        self.grid.sizes().map(|size| self.count_size(section, size)).fold(0, u64::saturating_add)
    }

    fn start(&self, section: usize, left: usize, ranks: Range<u64>) -> Branch {
        let states = SmallVec::from_elem(0, self.grid.sections[section].len());
        Branch { pattern: 0, left, states, ranks, last: None }
    }

    fn readers(&self, section: usize) -> Vec<Reader<'_>> {
        let tracks = self.grid.sections[section].iter().zip(&self.tables[section]);
        tracks.map(|(track, tables)| Reader { ranks: self, track, tables, between: Vec::new() }).collect()
    }

    /// How many moves of a branch go on with the member at a place, and where the tracks stand then.
    fn ways_with(&self, readers: &[Reader], place: usize, branch: &Branch) -> (u64, States) {
        let member = &self.moves.members[place];
        if branch.left == 0 || member.part == Part::Out {
            return (0, States::new());
        }
        let mut all_ways = 0u64;
        let states = readers.iter().zip(&branch.states).map(|(reader, state)| {
            let after = reader.track.after(*state, place);
            if after != DEAD {
                let row = self.grid.row(reader.track, branch.left - 1, branch.pattern | member.bit);
                all_ways = all_ways.saturating_add(reader.behind(place)[row + after as usize]);
            }
            after
        });
        let states = states.collect();
        (all_ways, states)
    }

    // --- from ranks to moves ---------------------------------------------------------

    /// The moves with these ranks.
    pub fn moves_at(&self, wanted: Range<u64>) -> Vec<FilledMove> {
        let wanted = wanted.start..wanted.end.min(self.count);
        let mut first = 0u64;
        let mut found = Vec::new();
        for section in 0..self.grid.sections.len() {
            let mut branches = Vec::new();
            for size in self.grid.sizes() {
                let count = self.count_size(section, size);
                let ranks = wanted.start.saturating_sub(first)..wanted.end.saturating_sub(first).min(count);
                if !ranks.is_empty() {
                    branches.push(self.start(section, size, ranks));
                }
                first = first.saturating_add(count);
            }
            self.follow(section, branches, &mut found);
        }
        found
    }

    /// Adds the moves that are wanted of the branches of a section.
    fn follow(&self, section: usize, mut branches: Vec<Branch>, found: &mut Vec<FilledMove>) {
        let mut readers = self.readers(section);
        let mut taken = Vec::new();
        for place in 0..self.moves.members.len() {
            if branches.iter().all(|branch| branch.left == 0) {
                break;
            }
            readers.iter_mut().for_each(|reader| reader.go_to(place));
            branches = self.split(&readers, branches, place, &mut taken);
        }
        let mut fillings: HashMap<(usize, States), Vec<usize>> = HashMap::new();
        for Branch { pattern, states, ranks, last, .. } in branches {
            let steps = std::iter::successors(last.map(|last| &taken[last]), |step| step.before.map(|before| &taken[before]));
            let mut set: Vec<Value> = steps.map(|step: &Taken| self.moves.members[step.place].id).collect();
            set.reverse();
            let fillings =
                fillings.entry((pattern, states)).or_insert_with_key(|(_, states)| self.fillings_of(section, pattern, states));
            let wanted = fillings.get(ranks.start as usize..ranks.end as usize).unwrap_or(&[]);
            found.extend(wanted.iter().map(|filling| FilledMove { set: set.clone(), others: self.moves.fillings.nth(*filling) }));
        }
    }

    /// Splits each branch into the moves with a member and those without it.
    fn split(&self, readers: &[Reader], branches: Vec<Branch>, place: usize, taken: &mut Vec<Taken>) -> Vec<Branch> {
        let mut parts = Vec::with_capacity(branches.len());
        for branch in branches {
            let (with, states) = self.ways_with(readers, place, &branch);
            let Range { start, end } = branch.ranks;
            if start < with {
                taken.push(Taken { place, before: branch.last });
                parts.push(Branch {
                    pattern: branch.pattern | self.moves.members[place].bit,
                    left: branch.left - 1,
                    states,
                    ranks: start..end.min(with),
                    last: Some(taken.len() - 1),
                });
            }
            if end > with {
                parts.push(Branch { ranks: start.saturating_sub(with)..end - with, ..branch });
            }
        }
        parts
    }

    /// The fillings with which a legal set is a move, in order.
    fn fillings_of(&self, section: usize, pattern: usize, states: &[u32]) -> Vec<usize> {
        let tracks = self.grid.sections[section].iter().zip(states);
        let accepted = tracks.flat_map(|(track, state)| track.accepted(*state));
        let mut fillings: Vec<usize> = accepted.filter(|filling| self.moves.allows(pattern, *filling)).collect();
        fillings.sort_unstable();
        fillings
    }

    // --- from a move to its rank -----------------------------------------------------

    /// Where a move stands whose roles are filled so; none if it is not legal.
    pub fn place_of(&self, filled: &[Vec<Value>]) -> Option<Place> {
        let mut others = [NONE; MOST_ROLES];
        for (role, things) in filled.iter().enumerate().filter(|(role, _)| *role != self.moves.set) {
            others[role] = match things.as_slice() {
                [] => NONE,
                [thing] => *thing,
                _ => return None,
            };
        }
        let filling = self.moves.fillings.find(&others)?;
        let set = self.moves.members.places_of(filled.get(self.moves.set)?)?;
        let is_legal = self.moves.fillings_of(&self.grid, &set).contains(&filling);
        is_legal.then(|| Place::of(self.rank(&set, filling)))
    }

    /// The rank of a legal move, if it has a number; the members of its set are given by their places, in order.
    fn rank(&self, set: &[usize], filling: usize) -> Option<u64> {
        let section = self.grid.section_of(filling, self.moves.fillings.count());
        let before = (0..section).map(|section| self.count_section(section));
        let smaller = self.grid.sizes().take_while(|size| *size < set.len()).map(|size| self.count_size(section, size));
        let mut rank = before.chain(smaller).fold(0, u64::saturating_add);
        let mut readers = self.readers(section);
        let mut branch = self.start(section, set.len(), 0..0);
        for place in 0..self.moves.members.len() {
            if branch.left == 0 {
                break;
            }
            readers.iter_mut().for_each(|reader| reader.go_to(place));
            let (with, states) = self.ways_with(&readers, place, &branch);
            if set.contains(&place) {
                let pattern = branch.pattern | self.moves.members[place].bit;
                branch = Branch { pattern, left: branch.left - 1, states, ..branch };
            } else {
                // All with this member come before.
                rank = rank.saturating_add(with);
            }
        }
        let fillings = self.fillings_of(section, branch.pattern, &branch.states);
        rank = rank.saturating_add(fillings.iter().position(|other| *other == filling)? as u64);
        (rank < MOST_NUMBERED).then_some(rank)
    }
}

impl Reader<'_> {
    /// Has the table from behind a member at hand, which comes after the one before.
    fn go_to(&mut self, place: usize) {
        let Tables { stride, kept } = self.tables;
        if place % stride > 0 || *stride == 1 {
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

    /// The table from behind a member.
    fn behind(&self, place: usize) -> &Table {
        let Tables { stride, kept } = self.tables;
        let block = place / stride;
        let last = ((block + 1) * stride).min(self.ranks.moves.members.len()) - 1;
        if place == last { &kept[block + 1] } else { &self.between[last - 1 - place] }
    }
}
