//! The legal moves of an action whose conditions read its set member by member. They are described, not listed: they can be
//! narrowed and counted, and a set can be put together step by step.
//!
//! A *filling* is a choice of one thing for each role beside the set, by its number. A *track* reads a set member by member and
//! accepts some fillings (`track`). A *pattern* says which of the things that narrowings test for a set contains (`members`).
//! `ranks` and `reach` make tables over this description.

use crate::runtime::eval::narrowing::Narrowing;
use crate::runtime::eval::search::automaton::SetReading;
use crate::runtime::eval::search::fillings::Fillings;
use crate::runtime::eval::search::gather::Candidate;
use crate::runtime::eval::search::members::{Members, SetMembership};
use crate::runtime::eval::search::reach::Reach;
use crate::runtime::eval::search::sums::SumRoles;
use crate::runtime::eval::search::track::Track;
use crate::runtime::limits::{MOST_CELLS, MOST_SET_CELLS};
use ludex_program::{Filling, Value};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// For each way to fill the roles before the set, the tracks of the fillings that begin with it.
type Sections = Arc<Vec<Vec<Track>>>;

/// All such moves in one situation.
#[derive(Clone, Debug)]
pub struct SetMoves {
    /// The role of several.
    pub set: usize,
    pub members: Members,
    /// The possible fillings of the other roles.
    pub fillings: Fillings,
    reading: ReadingMethod,
    least: usize,
    most: usize,
}

/// The way to read the sets.
#[derive(Clone, Debug)]
enum ReadingMethod {
    /// A sum, with the number of each member. Its track depends on the narrowing, so it is built when needed.
    Sum(Arc<Vec<usize>>),
    Tracks(Sections),
}

/// The layout of tables over such moves: a cell for each number of members, pattern and state of a track.
#[derive(Clone, Debug)]
pub struct Grid {
    pub sections: Sections,
    pub patterns: usize,
    least: usize,
    /// Maximum number of members of a set.
    pub most: usize,
}

impl Grid {
    /// The sizes that a set may have.
    pub fn set_sizes(&self) -> RangeInclusive<usize> {
        self.least..=self.most
    }

    /// Counts the cells of a table of a track; `None` on an overflow.
    pub fn table_cells(&self, track: &Track) -> Option<usize> {
        self.patterns.checked_mul(self.most + 1)?.checked_mul(track.state_count())
    }

    /// The index of the first state of a track in a table.
    pub fn row_start(&self, track: &Track, size: usize, pattern: usize) -> usize {
        (size * self.patterns + pattern) * track.state_count()
    }

    /// The section of a filling; `fillings` is the total number of fillings.
    pub fn section_of(&self, filling: usize, fillings: usize) -> usize {
        filling * self.sections.len() / fillings.max(1)
    }
}

impl SetMoves {
    /// Describes moves whose set has the sum that the fillings of the other roles want. `None` if a member has a negative number,
    /// because sums must not shrink as a set grows.
    pub fn from_sum(
        roles: SumRoles,
        filling: &Filling,
        set: &[Candidate],
        jokers: Option<&[Candidate]>,
        targets: &[Candidate],
    ) -> Option<SetMoves> {
        let keys = set.iter().map(|candidate| usize::try_from(candidate.key).ok()).collect::<Option<Vec<_>>>()?;
        let mut fillings = Fillings::default();
        let mut add = |role: usize, things: &[Candidate], sign: i64| {
            let keys = things.iter().map(|thing| sign * i64::from(thing.key)).collect();
            fillings.add_role(role, things.iter().map(|thing| thing.id).collect(), keys);
        };
        if let (Some(role), Some(jokers)) = (roles.joker, jokers) {
            add(role, jokers, -1);
        }
        add(roles.target, targets, 1);
        Some(SetMoves {
            set: roles.set,
            members: Members::new(set.iter().map(|candidate| candidate.id)),
            fillings,
            reading: ReadingMethod::Sum(Arc::new(keys)),
            least: filling.least as usize,
            most: (filling.most as usize).min(set.len()),
        })
    }

    /// Describes moves that tracks read. There are `ways_before` ways to fill the roles before the set.
    pub fn from_tracks(reading: &SetReading, ways_before: usize, tracks: Vec<Track>) -> SetMoves {
        let size = reading.fillings.filling_count() / ways_before.max(1);
        let section = |place: usize| {
            let fillings = (place * size) as u32..((place + 1) * size) as u32;
            tracks.iter().filter_map(|track| track.restrict_to(&fillings)).collect()
        };
        let sections = if ways_before == 1 { vec![tracks] } else { (0..ways_before).map(section).collect() };
        SetMoves {
            set: reading.plan.set,
            members: Members::new(reading.members.iter().copied()),
            fillings: reading.fillings.clone(),
            reading: ReadingMethod::Tracks(Arc::new(sections)),
            least: reading.least,
            most: reading.most,
        }
    }

    /// Lays out tables for these moves; `None` if the number of patterns overflows.
    pub fn make_grid(&self) -> Option<Grid> {
        let (sections, most) = match &self.reading {
            ReadingMethod::Tracks(sections) => (sections.clone(), self.most),
            ReadingMethod::Sum(keys) => self.sum_track(keys),
        };
        Some(Grid { sections, patterns: self.members.pattern_count()?, least: self.least, most })
    }

    /// Builds the track of a sum, up to the highest wanted sum, and returns the maximum number of members of a set that reaches
    /// it.
    fn sum_track(&self, keys: &Arc<Vec<usize>>) -> (Sections, usize) {
        let free = self.members.iter().zip(keys.iter()).filter(|(member, _)| member.part != SetMembership::Out);
        let mut free: Vec<usize> = free.map(|(_, key)| *key).collect();
        free.sort_unstable();
        let total: usize = free.iter().sum();
        let open = (0..self.fillings.filling_count()).filter(|filling| self.fillings.is_open(*filling));
        let wanted = open.filter_map(|filling| self.fillings.wanted_sum(filling));
        let highest = wanted.filter(|wanted| *wanted <= total).max().unwrap_or(0);
        let lowest_sums = free.iter().scan(0, |sum: &mut usize, key| {
            *sum += key;
            Some(*sum)
        });
        let most = lowest_sums.take_while(|sum| *sum <= highest).take(self.most).count();
        let track = Track::Sum { keys: keys.clone(), highest, fillings: self.fillings.clone() };
        (Arc::new(vec![vec![track]]), most)
    }

    /// Whether tables may have this many cells in total, with one table for each different track.
    pub fn has_room_for(&self, cells: usize) -> bool {
        match self.reading {
            ReadingMethod::Sum(_) => cells <= MOST_CELLS,
            ReadingMethod::Tracks(_) => cells.saturating_mul(self.members.len() + 1) <= MOST_SET_CELLS,
        }
    }

    /// Whether narrowings allow a set with this pattern together with a filling.
    pub fn allows_pattern(&self, pattern: usize, filling: usize) -> bool {
        self.fillings.is_open(filling) && self.members.clauses_hold(pattern, || self.fillings.nth_filling(filling))
    }

    /// The fillings that make a legal move with a set; `set` holds the places of its members, in order.
    pub fn fillings_of(&self, grid: &Grid, set: &[usize]) -> BTreeSet<usize> {
        if !grid.set_sizes().contains(&set.len()) || !self.members.admits_set(set) {
            return BTreeSet::new();
        }
        let pattern = set.iter().fold(0, |pattern, place| pattern | self.members[*place].bit);
        let accepted =
            |track: &Track| track.accepted_fillings(set.iter().fold(0, |state, place| track.next_state(state, *place)));
        grid.sections.iter().flatten().flat_map(accepted).filter(|filling| self.allows_pattern(pattern, *filling)).collect()
    }

    // --- what is left ------------------------------------------------------------------

    /// Returns the moves that satisfy a narrowing.
    pub fn narrow_moves(&self, narrowing: &Narrowing) -> SetMoves {
        let mut left = self.clone();
        let any = left.members.apply_narrowing(narrowing);
        left.fillings.retain(|role, thing| any && narrowing.allows_filling(role, thing));
        left
    }

    /// Returns the moves with these things in the set.
    pub fn require_things(&self, things: &[Value]) -> SetMoves {
        let mut with = self.clone();
        for thing in things {
            if !with.members.constrain_thing(*thing, true) {
                with.fillings.retain(|_, _| false);
            }
        }
        with
    }

    // --- putting a set together ----------------------------------------------------------

    /// The size of the largest legal set, if there is one.
    pub fn largest_set(&self) -> Option<usize> {
        let reach = Reach::new(self)?;
        reach.set_sizes().rev().find(|size| reach.legal_fillings(*size).next().is_some())
    }

    /// The things that fill another role in some legal move, in order.
    pub fn usable_things(&self, role: usize) -> Vec<Value> {
        let Some(reach) = Reach::new(self) else { return Vec::new() };
        let fillings = reach.set_sizes().flat_map(|size| reach.legal_fillings(size));
        let left: BTreeSet<Value> = fillings.map(|filling| self.fillings.nth_filling(filling)[role]).collect();
        self.fillings.role_candidates(role).iter().copied().filter(|thing| left.contains(thing)).collect()
    }

    /// The members of legal sets, without some.
    pub fn useful_members(&self, without: &[Value]) -> Vec<Value> {
        let mut known = Vec::new();
        let mut is_useful = |place: usize| {
            let member = &self.members[place];
            // Members that add the same number to a sum are equally useful.
            let kind = match &self.reading {
                ReadingMethod::Sum(keys) => keys[place],
                ReadingMethod::Tracks(_) => place,
            };
            let alike = (kind, member.bit, member.part);
            if let Some((_, useful)) = known.iter().find(|(known, _)| *known == alike) {
                return *useful;
            }
            let useful = self.require_things(&[member.id]).largest_set().is_some();
            known.push((alike, useful));
            useful
        };
        let others = (0..self.members.len()).filter(|place| !without.contains(&self.members[*place].id));
        others.filter(|place| is_useful(*place)).map(|place| self.members[place].id).collect()
    }

    /// Whether these members are a legal set.
    pub fn is_complete(&self, set: &[Value]) -> bool {
        let is_legal = |places: Vec<usize>| self.make_grid().is_some_and(|grid| !self.fillings_of(&grid, &places).is_empty());
        self.members.places_of(set).is_some_and(is_legal)
    }
}
