//! Candidates: what may fill a role now, looked up once for all actions that take the same.

use super::MOST_KEY;
use crate::program::{Expr, FamilyInfo, Key, NONE, RoleInfo, Value};
use crate::runtime::machine::{Machine, Rules};
use crate::runtime::state::{Board, Entity};

/// Things that may fill a role, in order of their ids.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    pub all: Vec<Candidate>,
    /// Bounds of their keys.
    lowest: i32,
    pub highest: i32,
}

#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub id: Value,
    /// The number that a search reads off it.
    pub key: i32,
}

/// The candidates of all roles of a question. Actions of a family that take the same things share them.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    pub sets: Vec<Candidates>,
    used: usize,
    /// Where the sets begin that the family at hand shares, and which of them have been looked up.
    pub shared: usize,
    known: u64,
}

impl Candidates {
    /// Whether sums of the keys fit in the table of sums.
    #[inline]
    pub fn has_small_keys(&self) -> bool {
        self.lowest >= 0 && self.highest <= MOST_KEY
    }

    pub fn add(&mut self, id: Value, key: i32) {
        self.lowest = self.lowest.min(key);
        self.highest = self.highest.max(key);
        self.all.push(Candidate { id, key });
    }
}

impl Gathered {
    /// Forgets all candidates.
    pub fn clear(&mut self) {
        (self.used, self.shared, self.known) = (0, 0, 0);
    }

    /// Makes room for the sets that the actions of a family share.
    pub fn begin_family(&mut self, sets: usize) {
        self.shared = self.used;
        self.known = 0;
        self.grow(sets);
    }

    fn grow(&mut self, sets: usize) {
        self.used += sets;
        if self.sets.len() < self.used {
            self.sets.resize_with(self.used, Candidates::default);
        }
    }

    /// The place of a role's candidates, and whether they are there already.
    #[inline]
    pub fn place(&mut self, shared: Option<u16>) -> (usize, bool) {
        let Some(shared) = shared else {
            self.grow(1);
            return (self.used - 1, false);
        };
        let bit = 1 << shared;
        let known = self.known & bit != 0;
        self.known |= bit;
        (self.shared + usize::from(shared), known)
    }
}

impl Machine {
    /// Gathers the pieces of a zone as one of the sets that a family shares.
    #[inline]
    pub fn gather_shared(&self, zone: Value, role: &RoleInfo, place: usize, gathered: &mut Gathered) {
        let set = &mut gathered.sets[gathered.shared + place];
        set.all.clear();
        self.gather_zone(zone, role, set);
    }

    /// Looks up everything that the actions of a family share.
    #[inline]
    pub fn look_up_shared(&mut self, rules: Rules, base: usize, family: &FamilyInfo, gathered: &mut Gathered) {
        let lists = self.state.lists.len();
        let sets = gathered.sets[gathered.shared..].iter_mut();
        for ((action, role), set) in family.shared.iter().zip(sets) {
            self.look_up(rules, base, &rules.program.actions[*action as usize].roles[*role as usize], set);
        }
        self.state.lists.truncate(lists);
    }

    /// A role's candidates as things are now, in order of their ids.
    #[inline]
    pub fn look_up(&mut self, rules: Rules, base: usize, role: &RoleInfo, into: &mut Candidates) {
        into.all.clear();
        match &role.from {
            Expr::ZoneList(zone) if role.tests.is_empty() => {
                let zone = self.evaluate(rules, base, zone);
                self.gather_zone(zone, role, into);
            }
            _ => self.look_up_list(rules, base, role, into),
        }
    }

    fn look_up_list(&mut self, rules: Rules, base: usize, role: &RoleInfo, into: &mut Candidates) {
        (into.lowest, into.highest) = (i32::MAX, i32::MIN);
        let list = self.evaluate(rules, base, &role.from);
        let barred = |entity: &Entity| entity.marks & role.barred != 0;
        let board = &self.state.board;
        for id in self.state.list(list).iter().filter(|id| !board.entity(**id).is_some_and(barred)) {
            into.add(*id, board.key(*id, role.key));
        }
        for test in &role.tests {
            into.all.retain(|candidate| self.test(rules, base, role.filter_slot, candidate.id, test));
        }
        in_order(&mut into.all);
    }

    /// The pieces of a zone that bear no barred mark, with their keys.
    #[inline]
    fn gather_zone(&self, zone: Value, role: &RoleInfo, into: &mut Candidates) {
        let board = &self.state.board;
        let field = match role.key {
            Some(Key::Field(field)) => Some(usize::from(field)),
            _ => None,
        };
        let (mut sorted, mut last) = (true, 0);
        let (mut lowest, mut highest) = (i32::MAX, i32::MIN);
        let all = &mut into.all;
        for piece in board.pieces(zone) {
            let Some(entity) = board.entities.get(usize::from(*piece)) else { continue };
            if entity.marks & role.barred != 0 {
                continue;
            }
            sorted &= *piece >= last;
            last = *piece;
            let id = Value::from(*piece);
            let key = match field {
                Some(field) => board.cells.get(entity.cells as usize + field).copied().unwrap_or(NONE),
                None => id,
            };
            (lowest, highest) = (lowest.min(key), highest.max(key));
            all.push(Candidate { id, key });
        }
        if !sorted {
            in_order(all);
        }
        (into.lowest, into.highest) = (lowest, highest);
    }
}

/// Sorts by id, each once.
pub fn in_order(candidates: &mut Vec<Candidate>) {
    if !candidates.is_sorted_by(|a, b| a.id < b.id) {
        candidates.sort_unstable_by_key(|candidate| candidate.id);
        candidates.dedup_by_key(|candidate| candidate.id);
    }
}

impl Board {
    /// The number that a search reads off a thing.
    fn key(&self, id: Value, key: Option<Key>) -> i32 {
        match key {
            Some(Key::Field(field)) => self.field(id, field).unwrap_or(NONE),
            Some(Key::Itself) | None => id,
        }
    }
}
