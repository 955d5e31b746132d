//! Moves of a set of which the conditions only want to know what can be gathered from one member after the other: described,
//! so that they can be counted, narrowed and put together without looking at each.

use crate::runtime::eval::narrowing::Narrowing;
use crate::runtime::eval::search::automaton::{DEAD, Others, SetReading, Track};
use crate::runtime::eval::search::members::{Members, Part};
use ludex_program::{NONE, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// All such moves in one situation.
#[derive(Clone, Debug)]
pub struct SetMoves {
    /// The role of several.
    pub set: usize,
    pub members: Members<()>,
    /// All fillings of the other roles, in order.
    pub combos: Arc<Vec<Others>>,
    /// Which of them are left.
    open: Vec<bool>,
    /// For each way to fill the roles before the set, the tracks of the fillings that begin so, which stand together.
    pub sections: Arc<Vec<Vec<Track>>>,
    least: usize,
    most: usize,
}

impl SetMoves {
    pub fn new(reading: &SetReading, ways_before: usize, tracks: Vec<Track>) -> SetMoves {
        let SetReading { plan, members, combos, least, most, .. } = *reading;
        let size = combos.len() / ways_before.max(1);
        let section = |place: usize| {
            let combos = (place * size) as u32..((place + 1) * size) as u32;
            tracks.iter().filter_map(|track| track.of(&combos)).collect()
        };
        SetMoves {
            set: plan.set,
            members: Members::new(members.iter().map(|id| (*id, ()))),
            open: vec![true; combos.len()],
            sections: Arc::new(if ways_before == 1 { vec![tracks] } else { (0..ways_before).map(section).collect() }),
            combos: combos.clone(),
            least,
            most,
        }
    }

    /// The numbers of members that a set may have.
    pub fn sizes(&self) -> std::ops::RangeInclusive<usize> {
        self.least..=self.most
    }

    /// The most members that a set may have.
    pub fn most(&self) -> usize {
        self.most
    }

    /// The section that a filling is in.
    pub fn section_of(&self, combo: u32) -> usize {
        combo as usize * self.sections.len() / self.combos.len().max(1)
    }

    fn tracks(&self) -> impl Iterator<Item = &Track> {
        self.sections.iter().flatten()
    }

    /// The fillings that a set with a pattern may go with, of those that its state accepts.
    pub fn fitting(&self, pattern: usize, accepted: &[u32]) -> impl Iterator<Item = u32> {
        let fits = move |combo: &u32| {
            let others = &self.combos[*combo as usize];
            self.open[*combo as usize] && self.members.allow(pattern, &|role| others.get(role).copied().unwrap_or(NONE))
        };
        accepted.iter().copied().filter(fits)
    }

    /// Which filling this is.
    pub fn combo_of(&self, others: &Others) -> Option<u32> {
        self.combos.iter().position(|combo| combo == others).map(|at| at as u32)
    }

    /// The fillings with which a set is a legal move; its members are given by their places, in order.
    pub fn fillings_of(&self, set: &[usize]) -> BTreeSet<u32> {
        let mut fitting = BTreeSet::new();
        if !self.sizes().contains(&set.len()) || !self.members.admit(set) {
            return fitting;
        }
        let pattern = set.iter().fold(0, |pattern, place| pattern | self.members[*place].bit);
        for track in self.tracks() {
            let state = set.iter().fold(0, |state, place| track.automaton.after(state, track.classes[*place]));
            if let Some(accepted) = track.automaton.accepts.get(state as usize) {
                fitting.extend(self.fitting(pattern, accepted));
            }
        }
        fitting
    }

    // --- what is left ------------------------------------------------------------------

    /// Those of the moves that a narrowing leaves.
    pub fn narrowed(&self, narrowing: &Narrowing) -> SetMoves {
        let mut left = self.clone();
        for (open, others) in left.open.iter_mut().zip(self.combos.iter()) {
            *open &= others.iter().enumerate().all(|(role, thing)| role == self.set || narrowing.keeps(role, *thing));
        }
        if !left.members.narrow(narrowing) {
            left.open.fill(false);
        }
        left
    }

    /// Lets every set have a thing, or none.
    pub fn settle(&mut self, thing: Value, wanted: bool) {
        if !self.members.settle(thing, wanted) {
            self.open.fill(false);
        }
    }

    // --- putting a set together ----------------------------------------------------------

    /// The most members of a legal set, if there is one.
    pub fn largest(&self) -> Option<usize> {
        self.reached().into_iter().rev().find(|(_, fitting)| !fitting.is_empty()).map(|(size, _)| size)
    }

    /// What may fill another role, in the order of its candidates.
    pub fn singles(&self, role: usize) -> Vec<Value> {
        let fitting: BTreeSet<u32> = self.reached().into_iter().flat_map(|(_, fitting)| fitting).collect();
        let left: BTreeSet<Value> = fitting.into_iter().map(|combo| self.combos[combo as usize][role]).collect();
        let mut things = Vec::new();
        for thing in self.combos.iter().map(|others| others[role]) {
            if left.contains(&thing) && !things.contains(&thing) {
                things.push(thing);
            }
        }
        things
    }

    /// The members that are in some legal set, but for some.
    pub fn useful_members(&self, without: &[Value]) -> Vec<Value> {
        let is_useful = |thing: &Value| {
            let mut with = self.clone();
            with.settle(*thing, true);
            with.largest().is_some()
        };
        let others = self.members.iter().map(|member| member.id).filter(|thing| !without.contains(thing));
        others.filter(is_useful).collect()
    }

    /// Whether these members are a legal set.
    pub fn is_complete(&self, set: &[Value]) -> bool {
        self.members.places_of(set).is_some_and(|places| !self.fillings_of(&places).is_empty())
    }

    /// For each number of members that a set may have, the fillings with which some such set is a legal move.
    fn reached(&self) -> Vec<(usize, BTreeSet<u32>)> {
        let mut reached: Vec<(usize, BTreeSet<u32>)> = self.sizes().map(|size| (size, BTreeSet::new())).collect();
        for track in self.tracks() {
            let levels = self.levels(track);
            for (size, fitting) in &mut reached {
                for (pattern, state) in &levels[*size] {
                    let accepted = &track.automaton.accepts[*state as usize];
                    fitting.extend(self.fitting(*pattern, accepted));
                }
            }
        }
        reached
    }

    /// The patterns and states of the sets of each size in a track.
    fn levels(&self, track: &Track) -> Vec<BTreeSet<(usize, u32)>> {
        let mut levels = vec![BTreeSet::new(); self.most + 1];
        levels[0].insert((0, 0));
        for (place, member) in self.members.iter().enumerate() {
            if member.part == Part::Out {
                continue;
            }
            for size in (0..levels.len()).rev() {
                let with: Vec<(usize, u32)> = match size.checked_sub(1) {
                    Some(fewer) => {
                        let after = |(pattern, state): &(usize, u32)| {
                            (pattern | member.bit, track.automaton.after(*state, track.classes[place]))
                        };
                        levels[fewer].iter().map(after).filter(|(_, state)| *state != DEAD).collect()
                    }
                    None => Vec::new(),
                };
                if member.part == Part::Must {
                    levels[size].clear();
                }
                levels[size].extend(with);
            }
        }
        levels
    }
}
