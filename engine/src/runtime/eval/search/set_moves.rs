//! Moves of a set of which the conditions only want to know what can be gathered from one member after the other: described,
//! so that they can be counted, narrowed and put together without looking at each.

use crate::program::{Filling, NONE, Value};
use crate::runtime::eval::narrowing::{Clause, Narrowing};
use crate::runtime::eval::search::automaton::{DEAD, Others, Track};
use crate::runtime::eval::search::sum_moves::Part;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A thing that sets are taken from.
#[derive(Clone, Copy, Debug)]
pub struct SetMember {
    pub id: Value,
    pub part: Part,
    /// The bit that it sets in the pattern of a set: 0 unless a clause asks for it.
    pub bit: usize,
}

/// All such moves in one situation.
#[derive(Clone, Debug)]
pub struct SetMoves {
    /// The role of several.
    pub set: usize,
    /// In the order of the candidates.
    pub members: Vec<SetMember>,
    /// All fillings of the other roles, in order.
    pub combos: Arc<Vec<Others>>,
    /// Which of them are left.
    open: Vec<bool>,
    /// For each way to fill the roles before the set, the tracks of the fillings that begin so, which stand together.
    pub sections: Arc<Vec<Vec<Track>>>,
    least: usize,
    most: usize,
    /// What must hold of the set and what fills the other roles together.
    clauses: Vec<Clause>,
    /// The things that clauses ask for; each is a bit of the pattern.
    asked_for: Vec<Value>,
}

impl SetMoves {
    pub fn new(
        set: usize,
        filling: &Filling,
        members: &[Value],
        combos: Vec<Others>,
        ways_before: usize,
        tracks: Vec<Track>,
    ) -> SetMoves {
        let size = combos.len() / ways_before.max(1);
        let section = |place: usize| {
            let combos = (place * size) as u32..((place + 1) * size) as u32;
            tracks.iter().filter_map(|track| track.of(&combos)).collect()
        };
        SetMoves {
            sections: Arc::new(if ways_before == 1 { vec![tracks] } else { (0..ways_before).map(section).collect() }),
            set,
            members: members.iter().map(|id| SetMember { id: *id, part: Part::Free, bit: 0 }).collect(),
            open: vec![true; combos.len()],
            combos: Arc::new(combos),
            least: filling.least as usize,
            most: (filling.most as usize).min(members.len()),
            clauses: Vec::new(),
            asked_for: Vec::new(),
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

    /// How many patterns there are.
    pub fn patterns(&self) -> usize {
        1usize.checked_shl(self.asked_for.len() as u32).unwrap_or(usize::MAX)
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
        let fits = move |combo: &u32| self.open[*combo as usize] && self.allows(pattern, &self.combos[*combo as usize]);
        accepted.iter().copied().filter(fits)
    }

    fn allows(&self, pattern: usize, others: &Others) -> bool {
        let single = |role: usize| others.get(role).copied().unwrap_or(NONE);
        let has = |thing: Value| {
            let bit = self.asked_for.iter().position(|asked| *asked == thing);
            bit.is_some_and(|bit| pattern >> bit & 1 == 1)
        };
        self.clauses.iter().all(|clause| clause.holds(&single, &has))
    }

    /// The place of a thing among the members.
    pub fn place_of(&self, thing: Value) -> Option<usize> {
        self.members.iter().position(|member| member.id == thing)
    }

    /// Which filling this is.
    pub fn combo_of(&self, others: &Others) -> Option<u32> {
        self.combos.iter().position(|combo| combo == others).map(|at| at as u32)
    }

    /// The fillings with which a set is a legal move; its members are given by their places, in order.
    pub fn fillings_of(&self, set: &[usize]) -> BTreeSet<u32> {
        let mut fitting = BTreeSet::new();
        if !self.sizes().contains(&set.len()) {
            return fitting;
        }
        let pattern = set.iter().fold(0, |pattern, place| pattern | self.members[*place].bit);
        let fits = |(place, member): (usize, &SetMember)| match member.part {
            Part::Free => true,
            Part::Out => !set.contains(&place),
            Part::Must => set.contains(&place),
        };
        if !self.members.iter().enumerate().all(fits) {
            return fitting;
        }
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
        for (_, thing, wanted) in &narrowing.members {
            left.settle(*thing, *wanted);
        }
        for clause in &narrowing.clauses {
            clause.things().for_each(|thing| left.ask_for(thing));
            left.clauses.push(clause.clone());
        }
        if narrowing.nothing {
            left.open.fill(false);
        }
        left
    }

    /// Lets every set have a thing, or none.
    pub fn settle(&mut self, thing: Value, wanted: bool) {
        let part = if wanted { Part::Must } else { Part::Out };
        match self.place_of(thing).map(|place| &mut self.members[place]) {
            Some(member) if member.part == Part::Free => member.part = part,
            Some(member) if member.part == part => {}
            None if !wanted => {}
            // It would have to be there and not.
            _ => self.open.fill(false),
        }
    }

    fn ask_for(&mut self, thing: Value) {
        let Some(place) = self.place_of(thing).filter(|_| !self.asked_for.contains(&thing)) else { return };
        // With more than this they are not counted; see `SetRanks::new`.
        self.members[place].bit = 1usize.checked_shl(self.asked_for.len() as u32).unwrap_or(0);
        self.asked_for.push(thing);
    }

    // --- putting a set together ----------------------------------------------------------

    /// The most members of a legal set, if there is one.
    pub fn largest(&self) -> Option<usize> {
        self.reached().into_iter().rev().find(|(_, fitting)| !fitting.is_empty()).map(|(size, _)| size)
    }

    /// What may fill another role, in the order of its candidates.
    pub fn singles(&self, role: usize) -> Vec<Value> {
        let fitting: BTreeSet<u32> = self.reached().into_iter().flat_map(|(_, fitting)| fitting).collect();
        let mut things = Vec::new();
        for (index, others) in self.combos.iter().enumerate() {
            if fitting.contains(&(index as u32)) && !things.contains(&others[role]) {
                things.push(others[role]);
            }
        }
        let order = |thing: &Value| self.combos.iter().position(|others| others[role] == *thing);
        things.sort_by_key(order);
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
        let mut places: Vec<usize> = set.iter().filter_map(|thing| self.place_of(*thing)).collect();
        places.sort_unstable();
        places.len() == set.len() && !self.fillings_of(&places).is_empty()
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
