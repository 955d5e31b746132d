//! Finds the states that sets can reach, without counting sets. This shows whether a partial set can still become legal.
//! A player may choose a set member by member, or one role after another; only things that can still lead to a legal move are
//! then offered. For *patterns*, *sections* and *fillings* see `ranks`.

use crate::runtime::eval::search::members::SetMembership;
use crate::runtime::eval::search::set_moves::{Grid, SetMoves};
use crate::runtime::eval::search::track::Track;
use std::ops::RangeInclusive;

/// For each size, pattern and state: whether a set exists.
pub struct Reach<'m> {
    moves: &'m SetMoves,
    grid: Grid,
    /// One table for each track of each section, in order.
    tables: Vec<Vec<bool>>,
}

impl<'m> Reach<'m> {
    /// Returns `None` if the size of the tables overflows.
    pub fn new(moves: &'m SetMoves) -> Option<Reach<'m>> {
        let mut reach = Reach { moves, grid: moves.make_grid()?, tables: Vec::new() };
        let tables = reach.all_tracks().map(|track| reach.table_of(track));
        reach.tables = tables.collect::<Option<_>>()?;
        Some(reach)
    }

    fn all_tracks(&self) -> impl Iterator<Item = &Track> {
        self.grid.sections.iter().flatten()
    }

    /// The table of a track after all members have been added.
    fn table_of(&self, track: &Track) -> Option<Vec<bool>> {
        let mut table = vec![false; self.grid.table_cells(track)?];
        table[0] = true;
        for place in 0..self.moves.members.len() {
            self.add_member(track, &mut table, place);
        }
        Some(table)
    }

    /// Adds the sets with one more member, and drops the others if it must be in the set.
    fn add_member(&self, track: &Track, table: &mut [bool], place: usize) {
        let member = &self.moves.members[place];
        if member.part == SetMembership::Out {
            return;
        }
        let runs = track.state_runs(place);
        for size in (0..=self.grid.most).rev() {
            let (fewer, rows) = table.split_at_mut(self.grid.row_start(track, size, 0));
            if member.part == SetMembership::Must {
                rows[..self.grid.row_start(track, 1, 0)].fill(false);
            }
            let Some(one_less) = size.checked_sub(1) else { continue };
            for pattern in 0..self.grid.patterns {
                let from = &fewer[self.grid.row_start(track, one_less, pattern)..];
                let to = &mut rows[self.grid.row_start(track, 0, pattern | member.bit)..];
                for run in &runs {
                    let reached = to[run.to..].iter_mut().zip(&from[run.from..][..run.length]);
                    reached.for_each(|(to, from)| *to |= from);
                }
            }
        }
    }

    /// The sizes that a set may have.
    pub fn set_sizes(&self) -> RangeInclusive<usize> {
        self.grid.set_sizes()
    }

    /// The fillings of the other roles that make a legal move with some set of this size, possibly with repetitions.
    pub fn legal_fillings(&self, size: usize) -> impl Iterator<Item = usize> {
        self.all_tracks().zip(&self.tables).flat_map(move |(track, table)| {
            let fits = move |pattern: usize, state: usize, filling: usize| {
                table[self.grid.row_start(track, size, pattern) + state] && self.moves.allows_pattern(pattern, filling)
            };
            let accepted = track.all_accepted_fillings();
            let fitting =
                accepted.filter(move |(state, filling)| (0..self.grid.patterns).any(|pattern| fits(pattern, *state, *filling)));
            fitting.map(|(_, filling)| filling)
        })
    }
}
