//! Moves of sets counted and found by rank: in the order of what fills the roles before the set, then of the sizes of the sets,
//! of their members, and of what fills the roles behind. Nothing is made but the moves that are wanted.
//!
//! For each track a table says how many moves come of the members from one place on: for each number of them that is still
//! wanted, each pattern and each state.

use crate::runtime::eval::search::automaton::{DEAD, Track};
use crate::runtime::eval::search::members::Part;
use crate::runtime::eval::search::set_moves::SetMoves;
use crate::runtime::limits::{MOST_FREE, MOST_NUMBERED, MOST_SET_CELLS};
use ludex_program::Value;
use std::ops::Range;
use std::sync::Arc;

type Table = Vec<u64>;

/// The moves with what is needed to find each.
#[derive(Clone, Debug)]
pub struct SetRanks {
    pub moves: SetMoves,
    /// How many there are, as far as they are numbered.
    pub count: u64,
    patterns: usize,
    /// For each section and each track a table for each place, the last one from behind all members.
    tables: Vec<Vec<Arc<Vec<Table>>>>,
}

/// One of the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedSet {
    /// The members, one bit each.
    pub set: u64,
    /// Which filling of the other roles.
    pub combo: u32,
}

/// The way to some moves: how far it has come.
struct Descent {
    /// So many moves are passed over.
    skip: u64,
    /// So many are wanted.
    wanted: u64,
    found: Vec<RankedSet>,
}

/// Sets that begin with the same members, those before some place.
struct Branch {
    section: usize,
    place: usize,
    /// How many more members are wanted.
    left: usize,
    pattern: usize,
    set: u64,
    /// Where each track stands.
    states: Vec<u32>,
}

impl SetRanks {
    /// None if the tables would be too large.
    pub fn new(moves: SetMoves) -> Option<SetRanks> {
        if moves.members.len() > MOST_FREE {
            return None;
        }
        let patterns = moves.members.patterns()?;
        let mut ranks = SetRanks { moves, count: 0, patterns, tables: Vec::new() };
        // What is the same in several sections is worked out once.
        let mut known: Vec<(&Track, Table, Arc<Vec<Table>>)> = Vec::new();
        let (mut tables, mut cells) = (Vec::new(), 0usize);
        for tracks in ranks.moves.sections.iter() {
            let mut of_section = Vec::new();
            for track in tracks {
                let last = last_table(&ranks.moves, patterns, track)?;
                let same = known.iter().find(|(other, other_last, _)| *other_last == last && other.goes_like(track));
                of_section.push(match same {
                    Some((.., same)) => same.clone(),
                    None => {
                        cells = cells.checked_add(last.len().checked_mul(ranks.moves.members.len() + 1)?)?;
                        if cells > MOST_SET_CELLS {
                            return None;
                        }
                        let made = Arc::new(tables_of(&ranks.moves, patterns, track, last.clone()));
                        known.push((track, last, made.clone()));
                        made
                    }
                });
            }
            tables.push(of_section);
        }
        ranks.tables = tables;
        let all = (0..ranks.moves.sections.len()).map(|section| ranks.of_section(section)).fold(0, u64::saturating_add);
        ranks.count = all.min(MOST_NUMBERED);
        Some(ranks)
    }

    /// How many cells all tables have, those that sections share once for each.
    pub fn cells(&self) -> usize {
        self.tables.iter().flatten().flat_map(|tables| tables.iter()).map(Vec::len).sum()
    }

    /// How many moves come of a branch.
    fn ways(&self, branch: &Branch) -> u64 {
        let section = branch.section;
        let tracks = self.moves.sections[section].iter().zip(&self.tables[section]).zip(&branch.states);
        let ways = tracks.map(|((track, tables), state)| {
            let states = track.automaton.states();
            let at = (branch.left * self.patterns + branch.pattern) * states + *state as usize;
            if (*state as usize) < states { tables[branch.place][at] } else { 0 }
        });
        ways.fold(0, u64::saturating_add)
    }

    fn start(&self, section: usize, size: usize) -> Branch {
        Branch { section, place: 0, left: size, pattern: 0, set: 0, states: vec![0; self.moves.sections[section].len()] }
    }

    fn of_section(&self, section: usize) -> u64 {
        self.moves.sizes().map(|size| self.ways(&self.start(section, size))).fold(0, u64::saturating_add)
    }

    /// The branch with the next member.
    fn with(&self, branch: &Branch) -> Branch {
        let place = branch.place;
        let is_out = self.moves.members[place].part == Part::Out;
        let after = |(track, state): (&Track, &u32)| {
            if is_out { DEAD } else { track.automaton.after(*state, track.classes[place]) }
        };
        Branch {
            section: branch.section,
            place: place + 1,
            left: branch.left - 1,
            pattern: branch.pattern | self.moves.members[place].bit,
            set: branch.set | 1 << place,
            states: self.moves.sections[branch.section].iter().zip(&branch.states).map(after).collect(),
        }
    }

    /// The branch without the next member.
    fn without(&self, mut branch: Branch) -> Branch {
        if self.moves.members[branch.place].part == Part::Must {
            branch.states.fill(DEAD);
        }
        Branch { place: branch.place + 1, ..branch }
    }

    /// The moves with these ranks.
    pub fn moves_at(&self, wanted: Range<u64>) -> Vec<RankedSet> {
        let wanted = wanted.start..wanted.end.min(self.count);
        let mut descent = Descent { skip: wanted.start, wanted: wanted.end.saturating_sub(wanted.start), found: Vec::new() };
        for section in 0..self.moves.sections.len() {
            for size in self.moves.sizes() {
                self.descend(self.start(section, size), &mut descent);
            }
        }
        descent.found
    }

    fn descend(&self, branch: Branch, descent: &mut Descent) {
        if descent.wanted == 0 {
            return;
        }
        let ways = self.ways(&branch);
        if descent.skip >= ways {
            descent.skip -= ways;
            return;
        }
        if branch.left == 0 {
            return self.take(&branch, descent);
        }
        self.descend(self.with(&branch), descent);
        self.descend(self.without(branch), descent);
    }

    /// The fillings with which a whole set is a legal move, in order. Behind it there is no member that must be
    /// in it, or it would not have come to this.
    fn fillings_of(&self, branch: &Branch) -> Vec<u32> {
        let mut fitting = Vec::new();
        let tracks = self.moves.sections[branch.section].iter().zip(&self.tables[branch.section]);
        for ((track, tables), state) in tracks.zip(&branch.states) {
            let states = track.automaton.states();
            let at = branch.pattern * states + *state as usize;
            if (*state as usize) < states && tables[branch.place][at] > 0 {
                let accepted = &track.automaton.accepts[*state as usize];
                fitting.extend(self.moves.fitting(branch.pattern, accepted));
            }
        }
        fitting.sort_unstable();
        fitting
    }

    fn take(&self, branch: &Branch, descent: &mut Descent) {
        let fitting = self.fillings_of(branch);
        let taken = fitting.iter().skip(descent.skip as usize).take(descent.wanted as usize);
        let before = descent.found.len();
        descent.found.extend(taken.map(|combo| RankedSet { set: branch.set, combo: *combo }));
        descent.wanted -= (descent.found.len() - before) as u64;
        descent.skip = 0;
    }

    /// The rank of a move, if it is legal; and none within if it has no number.
    pub fn rank(&self, set: &[Value], combo: u32) -> Option<Option<u64>> {
        let places = self.moves.members.places_of(set).filter(|places| self.moves.sizes().contains(&places.len()))?;
        let wanted = places.iter().fold(0u64, |set, place| set | 1 << place);
        let section = self.moves.section_of(combo);
        let mut rank = (0..section).map(|section| self.of_section(section)).fold(0, u64::saturating_add);
        let smaller = self.moves.sizes().take_while(|size| *size < set.len());
        rank = smaller.map(|size| self.ways(&self.start(section, size))).fold(rank, u64::saturating_add);
        let mut branch = self.start(section, set.len());
        while branch.left > 0 {
            let with = self.with(&branch);
            if wanted >> branch.place & 1 == 1 {
                branch = with;
            } else {
                // All with this member come before.
                rank = rank.saturating_add(self.ways(&with));
                branch = self.without(branch);
            }
        }
        let at = self.fillings_of(&branch).iter().position(|other| *other == combo)?;
        rank = rank.saturating_add(at as u64);
        Some((rank < MOST_NUMBERED).then_some(rank))
    }
}

/// The table from behind the last member on: nothing more is wanted. None if it would be too large.
fn last_table(moves: &SetMoves, patterns: usize, track: &Track) -> Option<Table> {
    let states = track.automaton.states();
    let cells = patterns.checked_mul(moves.most() + 1)?.checked_mul(states)?;
    if cells > MOST_SET_CELLS {
        return None;
    }
    let mut table = vec![0; cells];
    for pattern in 0..patterns {
        for (state, accepted) in track.automaton.accepts.iter().enumerate() {
            table[pattern * states + state] = moves.fitting(pattern, accepted).count() as u64;
        }
    }
    Some(table)
}

/// The tables from each member on, worked out from that behind the last.
fn tables_of(moves: &SetMoves, patterns: usize, track: &Track, last: Table) -> Vec<Table> {
    let states = track.automaton.states();
    let row = patterns * states;
    let mut tables = vec![last];
    for place in (0..moves.members.len()).rev() {
        let part = moves.members[place].part;
        let behind = &tables[tables.len() - 1];
        let mut table = if part == Part::Must { vec![0; behind.len()] } else { behind.clone() };
        if part != Part::Out {
            let class = track.classes[place];
            let after = (0..states as u32).map(|state| track.automaton.after(state, class) as usize);
            let after: Vec<(usize, usize)> = after.enumerate().filter(|(_, after)| *after < states).collect();
            // No more than there are from here on.
            for left in 1..=moves.most().min(moves.members.len() - place) {
                for pattern in 0..patterns {
                    let with = (left - 1) * row + (pattern | moves.members[place].bit) * states;
                    let at = left * row + pattern * states;
                    for (state, after) in &after {
                        let ways = &mut table[at + state];
                        *ways = (*ways + behind[with + after]).min(MOST_NUMBERED);
                    }
                }
            }
        }
        tables.push(table);
    }
    tables.reverse();
    tables
}
