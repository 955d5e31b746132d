//! Candidates of roles, looked up once for all actions that take the same things.
//!
//! A candidate has a *key*, a number that kernels read: itself or one of its fields. A role may exclude candidates with certain
//! *marks*, given as a bitmask.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::search::MOST_KEY;
use crate::runtime::eval::search::sums::subset_members;
use crate::runtime::state::{Board, Entity, EntityId};
use ludex_program::{Expr, FamilyInfo, Key, NONE, RoleInfo, SplitTest, Value};
use std::ops::RangeInclusive;

/// The candidates of a role, in the order of their ids; pieces in the order of their public numbers.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    pub all: Vec<Candidate>,
    /// The union of the bits of all keys. No key is greater, unless one is negative.
    pub key_bits: u32,
    /// The range, if they are all numbers of one, so that it need not be listed again.
    counted: Option<(Value, Value)>,
}

#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub id: Value,
    /// The number that a search reads from it.
    pub key: i32,
}

/// The candidates of all roles of a question. Actions of a family that take the same things share them.
#[derive(Clone, Debug, Default)]
pub struct CandidateSets {
    pub sets: Vec<Candidates>,
    /// Number of sets in use.
    used: usize,
    /// Index of the first set that the current family shares, and a bitmask of those that have been looked up.
    pub shared: usize,
    known: u64,
}

impl Candidates {
    /// Whether sums of the keys fit in the table of sums.
    #[inline]
    pub fn has_small_keys(&self) -> bool {
        self.key_bits <= MOST_KEY
    }

    fn clear(&mut self) {
        self.all.clear();
        (self.key_bits, self.counted) = (0, None);
    }

    /// The candidates for which `keeps` is true.
    pub fn filter_candidates(&self, keeps: impl Fn(Value) -> bool) -> Candidates {
        let all = self.all.iter().filter(|candidate| keeps(candidate.id)).copied().collect();
        Candidates { all, key_bits: self.key_bits, counted: None }
    }

    #[inline]
    fn add_candidate(&mut self, id: Value, key: i32) {
        self.key_bits |= key as u32;
        self.all.push(Candidate { id, key });
    }
}

impl CandidateSets {
    /// Clears all candidates.
    pub fn clear(&mut self) {
        (self.used, self.shared, self.known) = (0, 0, 0);
    }

    /// Makes room for the sets that the actions of a family share.
    pub fn begin_family(&mut self, sets: usize) {
        self.shared = self.used;
        self.known = 0;
        self.add_sets(sets);
    }

    /// Makes room for a number of sets after those in use.
    fn add_sets(&mut self, sets: usize) {
        self.used += sets;
        if self.sets.len() < self.used {
            self.sets.resize_with(self.used, Candidates::default);
        }
    }

    /// The index of a role's candidates, and true if they have been looked up. `shared` is their index among the sets of the
    /// family; without it, the role gets a set of its own.
    #[inline]
    pub fn claim_set(&mut self, shared: Option<u16>) -> (usize, bool) {
        let Some(shared) = shared else {
            self.add_sets(1);
            return (self.used - 1, false);
        };
        let bit = 1 << shared;
        let known = self.known & bit != 0;
        self.known |= bit;
        (self.shared + usize::from(shared), known)
    }
}

impl Eval {
    /// Looks up everything that the actions of a family share.
    #[inline]
    pub fn look_up_shared(&mut self, context: &Context, base: usize, family: &FamilyInfo, gathered: &mut CandidateSets) {
        let lists = self.state.lists.len();
        let sets = gathered.sets.iter_mut().skip(gathered.shared);
        for ((action, role), set) in family.shared.iter().zip(sets) {
            self.look_up_candidates(context, base, &context.program.actions[*action as usize].roles[*role as usize], set);
        }
        self.state.lists.truncate(lists);
    }

    /// Looks up a role's candidates, in order. `base` is that of the action's or family's slots.
    #[inline]
    pub fn look_up_candidates(&mut self, context: &Context, base: usize, role: &RoleInfo, into: &mut Candidates) {
        match &role.from {
            Expr::ZoneList(zone) => {
                let zone = self.evaluate(context, base, zone);
                // They are sorted later.
                let pieces = self.state.board.unordered_pieces(zone);
                self.meter.add_work(pieces.len() as u64);
                into.gather_pieces(&self.state.board, pieces, role.excluded_marks, role.key.unwrap_or(Key::Itself));
            }
            Expr::Range(from, to) => {
                let (from, to) = (self.evaluate(context, base, from), self.evaluate(context, base, to));
                match self.number_range(from, to) {
                    Some(numbers) => {
                        self.meter.add_work(numbers.clone().count() as u64);
                        into.take_range(numbers);
                    }
                    None => into.clear(),
                }
            }
            list => self.look_up_list(context, base, role, list, into),
        }
        if !role.tests.is_empty() || role.sorts {
            into.counted = None;
            self.apply_role_tests(context, base, role, into);
        }
    }

    /// The same for the members of a list, without the tests of the role.
    fn look_up_list(&mut self, context: &Context, base: usize, role: &RoleInfo, list: &Expr, into: &mut Candidates) {
        into.clear();
        let list = self.evaluate(context, base, list);
        if !self.spend_on(self.state.list_values(list).len()) {
            return;
        }
        let board = &self.state.board;
        let members = self.state.list_values(list);
        match (role.excluded_marks, role.key) {
            // No exclusions, and no keys.
            (0, None) => members.iter().for_each(|id| into.add_candidate(*id, *id)),
            (marks, key) => {
                let is_excluded = |entity: &Entity| entity.marks & marks != 0;
                let taken = members.iter().filter(|id| !board.entity(**id).is_some_and(is_excluded));
                taken.for_each(|id| into.add_candidate(*id, board.candidate_key(*id, key)));
            }
        }
        match context.program.is_piece(&role.item) {
            true => board.sort_pieces_by_number(&mut into.all),
            false => sort_by_id(&mut into.all),
        }
    }

    /// Removes candidates that fail the tests of a role and, if it takes sorts, all but one of each sort.
    fn apply_role_tests(&mut self, context: &Context, base: usize, role: &RoleInfo, candidates: &mut Candidates) {
        for (place, test) in role.tests.iter().enumerate() {
            if candidates.all.is_empty() || !self.spend_on(candidates.all.len()) {
                return;
            }
            let test = match role.settled.get(place) {
                Some(Some(SplitTest { by, rest })) => {
                    let lists = self.state.lists.len();
                    let is_settled = self.evaluate(context, base, by) != 0;
                    self.state.lists.truncate(lists);
                    if is_settled {
                        continue;
                    }
                    rest
                }
                _ => test,
            };
            match self.make_filter(context, base, test, role.filter_slot) {
                Some(filter) if filter.retain(context.program, &self.state.board, &mut candidates.all, |found| found.id) => {}
                Some(_) => {
                    self.raise_none_read();
                }
                None => candidates.all.retain(|candidate| {
                    let lists = self.state.lists.len();
                    let passes =
                        self.may_go_on_working() && self.test_member(context, base, role.filter_slot, candidate.id, test);
                    self.state.lists.truncate(lists);
                    passes
                }),
            }
        }
        if role.sorts && self.spend_on_pairs(candidates.all.len(), candidates.all.len()) {
            self.drop_identical(context, role, &mut candidates.all);
        }
    }

    /// Keeps only the first of identical candidates.
    fn drop_identical(&self, context: &Context, role: &RoleInfo, candidates: &mut Vec<Candidate>) {
        // Values are never repeated among candidates.
        if !context.program.is_piece(&role.item) {
            return;
        }
        let mut kept = 0;
        for index in 0..candidates.len() {
            let candidate = candidates[index];
            let alike = |earlier: &Candidate| self.state.are_alike(context.program, earlier.id, candidate.id);
            if !candidates[..kept].iter().any(alike) {
                candidates[kept] = candidate;
                kept += 1;
            }
        }
        candidates.truncate(kept);
    }
}

impl Candidates {
    /// Takes the pieces without an excluded mark, in order and with their keys.
    pub fn gather_pieces(&mut self, board: &Board, pieces: &[EntityId], excluded_marks: u32, key: Key) {
        let marks = match key {
            Key::Itself => self.take_pieces(board, pieces, |_, piece| Value::from(piece)),
            Key::Field(field) => {
                let cell = |entity: &Entity, _| board.cells.get(entity.cells as usize + usize::from(field)).copied();
                self.take_pieces(board, pieces, |entity, piece| cell(entity, piece).unwrap_or(NONE))
            }
        };
        if marks & excluded_marks != 0 {
            self.remove_marked(board, excluded_marks);
        }
    }

    /// Removes candidates with one of some marks.
    #[inline(never)]
    fn remove_marked(&mut self, board: &Board, marks: u32) {
        self.all.retain(|candidate| board.entity(candidate.id).is_none_or(|entity| entity.marks & marks == 0));
    }

    /// Takes all numbers of a range.
    fn take_range(&mut self, numbers: RangeInclusive<Value>) {
        let counted = Some((*numbers.start(), *numbers.end()));
        if self.counted == counted {
            return;
        }
        self.clear();
        self.counted = counted;
        // All bits that any of them may have set; all bits if one is negative.
        let ends = (*numbers.start() | *numbers.end()) as u32;
        self.key_bits = if numbers.is_empty() { 0 } else { u32::MAX.checked_shr(ends.leading_zeros()).unwrap_or(0) };
        self.all.extend(numbers.map(|number| Candidate { id: number, key: number }));
    }

    /// Takes pieces with their keys. Returns the union of their marks.
    #[inline(always)]
    fn take_pieces(&mut self, board: &Board, pieces: &[EntityId], key: impl Fn(&Entity, EntityId) -> i32) -> u32 {
        let (mut marks, mut key_bits) = (0, 0);
        let (mut next, mut ordered) = (0, true);
        let candidate = |piece: &EntityId| {
            let key = match board.entities.get(usize::from(*piece)) {
                Some(entity) => {
                    marks |= entity.marks;
                    key(entity, *piece)
                }
                None => NONE,
            };
            key_bits |= key as u32;
            let id = Value::from(*piece);
            ordered &= id >= next;
            next = id + 1;
            Candidate { id, key }
        };
        self.all.clear();
        self.all.extend(pieces.iter().map(candidate));
        (self.key_bits, self.counted) = (key_bits, None);
        if !ordered {
            sort_candidates(&mut self.all);
        }
        board.reorder_by_number(&mut self.all);
        marks
    }

    /// Appends some candidates, one bit each, to the arena as a list.
    pub fn push_members(&self, mask: u64, lists: &mut Vec<Value>) -> Value {
        let at = lists.len();
        lists.push(mask.count_ones() as Value);
        lists.extend(subset_members(&self.all, mask).map(|candidate| candidate.id));
        at as Value
    }
}

/// Sorts by id and removes duplicates.
#[inline]
fn sort_by_id(candidates: &mut Vec<Candidate>) {
    if candidates.windows(2).any(|pair| pair[0].id >= pair[1].id) {
        sort_candidates(candidates);
    }
}

/// Sorts candidates by id and removes duplicates.
#[inline(never)]
fn sort_candidates(candidates: &mut Vec<Candidate>) {
    candidates.sort_unstable_by_key(|candidate| candidate.id);
    candidates.dedup_by_key(|candidate| candidate.id);
}

impl Board {
    /// Sorts pieces by their public numbers and removes duplicates.
    #[inline]
    fn sort_pieces_by_number(&self, candidates: &mut Vec<Candidate>) {
        sort_by_id(candidates);
        self.reorder_by_number(candidates);
    }

    /// Sorts pieces that are in the order of their ids by their public numbers.
    #[inline]
    fn reorder_by_number(&self, candidates: &mut [Candidate]) {
        if !self.numbers.are_own() {
            self.numbers.sort_by_number(candidates, |candidate| candidate.id);
        }
    }

    /// The number that a search reads from a thing.
    fn candidate_key(&self, id: Value, key: Option<Key>) -> i32 {
        match key {
            Some(Key::Field(field)) => self.field(id, field).unwrap_or(NONE),
            Some(Key::Itself) | None => id,
        }
    }
}
