//! Actions with very many moves: narrowing, listing and finding them without testing each.
//!
//! A *rank* is the index of a move in the order of `search`. Tables ([`Ranks`]) find the move with a rank, and the rank of a move.
//! A *narrowing* leaves only the moves that meet some conditions. `filled` are the things in each role of a move.

use crate::runtime::eval::narrowing::Narrowing;
use crate::runtime::eval::search::gather::{Candidate, CandidateSets};
use crate::runtime::eval::search::pairing::PairedMoves;
use crate::runtime::eval::search::ranks::{FilledMove, Ranks};
use crate::runtime::eval::search::set_moves::SetMoves;
use crate::runtime::eval::search::sets::place_of_set;
use crate::runtime::eval::search::sums::SumRoles;
use crate::runtime::eval::search::{Chosen, Method, Search};
use crate::runtime::limits::MOST_NUMBERED;
use ludex_program::{MOST_ROLES, NONE, Value};

/// The index of a legal move among those of its action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveIndex {
    Numbered(u64),
    /// After the moves that have an index.
    Beyond,
}

impl MoveIndex {
    pub(super) fn from_index(index: Option<u64>) -> MoveIndex {
        index.map_or(MoveIndex::Beyond, MoveIndex::Numbered)
    }
}

impl Search {
    // --- sums by rank ------------------------------------------------------------------

    /// Finds sums by rank, if that is possible.
    pub fn rank_if_sum(&mut self, gathered: &CandidateSets) {
        if let Method::SumEqual(roles) = self.method {
            self.rank_sums(gathered, roles);
        }
    }

    /// Counts sums with a table; false if that is impossible.
    pub(super) fn rank_sums(&mut self, gathered: &CandidateSets, roles: SumRoles) -> bool {
        let ranks = self.sum_moves(gathered, roles).and_then(Ranks::new);
        ranks.map(|ranks| self.take_ranks(ranks)).is_some()
    }

    /// Takes over the moves of these tables.
    pub(super) fn take_ranks(&mut self, ranks: Ranks) {
        self.count = ranks.count;
        self.method = Method::Ranked;
        self.found.clear();
        self.lists.clear();
        self.ranks = Some(Box::new(ranks));
    }

    /// The moves of a sum, described for tables; see [`SetMoves::from_sum`].
    fn sum_moves(&self, gathered: &CandidateSets, roles: SumRoles) -> Option<SetMoves> {
        let all = |role: usize| self.candidate_set(gathered, role).all.as_slice();
        SetMoves::from_sum(roles, &self.roles[roles.set], all(roles.set), roles.joker.map(all), all(roles.target))
    }

    /// The tables of moves that are found by rank, if there are any.
    pub fn rank_tables(&self) -> Option<&Ranks> {
        self.ranks.as_deref()
    }

    /// The move with an index, if moves are found by rank.
    pub(super) fn nth_ranked(&self, index: u64) -> Option<[Chosen; MOST_ROLES]> {
        if let Some(chosen) = self.found.get(index as usize) {
            return Some(*chosen);
        }
        let ranks = self.rank_tables()?;
        let found = ranks.moves_at(index..index + 1).pop()?;
        Some(fill_roles(ranks.moves.set, &found, Chosen::Ranked(index)))
    }

    /// The members of the set of the move with an index.
    pub(super) fn ranked_set(&self, index: u64) -> Vec<Value> {
        let found = self.rank_tables().and_then(|ranks| ranks.moves_at(index..index.saturating_add(1)).pop());
        found.map_or(Vec::new(), |found| found.set)
    }

    /// Prepares the first moves for visiting in order.
    pub fn list_moves(&mut self, gathered: &CandidateSets, roles: usize, most: u64) {
        if most == 0 {
            return;
        }
        match self.method {
            Method::SumEqual(_) | Method::Paired if self.count <= most => self.keep_moves(self.all_moves(gathered, roles)),
            Method::SumEqual(sums) => {
                self.rank_sums(gathered, sums);
            }
            _ => {}
        }
        let Some(ranks) = self.ranks.take() else { return };
        for found in ranks.moves_at(self.found.len() as u64..most) {
            let set = Chosen::Listed(self.lists.len() as u32);
            self.found.push(fill_roles(ranks.moves.set, &found, set));
            self.lists.push(found.set);
        }
        self.ranks = Some(ranks);
    }

    // --- fewer moves -------------------------------------------------------------------

    /// The search for the moves that satisfy a narrowing; `None` if they would have to be tested one by one.
    pub fn narrow_search(&self, gathered: &mut CandidateSets, roles: usize, narrowing: &Narrowing) -> Option<Search> {
        if narrowing.is_empty() {
            return Some(self.clone());
        }
        match self.method {
            Method::Found => None,
            Method::Product | Method::Compare(_) | Method::Paired => self.with_fewer_candidates(gathered, roles, narrowing),
            Method::SumEqual(sums) => self.with_ranks(self.sum_moves(gathered, sums)?.narrow_moves(narrowing)),
            Method::Ranked => self.with_ranks(self.rank_tables()?.moves.narrow_moves(narrowing)),
        }
    }

    /// The search for described moves; `None` if their tables would be too large.
    fn with_ranks(&self, moves: SetMoves) -> Option<Search> {
        let mut narrowed = Search { first: self.first, roles: self.roles, ..Search::default() };
        narrowed.take_ranks(Ranks::new(moves)?);
        Some(narrowed)
    }

    /// The moves that satisfy a narrowing, if each role has its own candidates.
    fn with_fewer_candidates(&self, gathered: &mut CandidateSets, roles: usize, narrowing: &Narrowing) -> Option<Search> {
        if !narrowing.only_removes_candidates() {
            return None;
        }
        let mut narrowed = self.clone();
        if narrowing.nothing {
            narrowed.keep_moves(Vec::new());
            return Some(narrowed);
        }
        let keeps = |role: usize, thing: Value| narrowing.allows_filling(role, thing) && narrowing.allows_member(role, thing);
        if let Some(PairedMoves { first, second, .. }) = self.paired_moves(gathered) {
            let keeps = |role: usize, of: Option<&Candidate>| of.is_some_and(|of| keeps(role, of.id));
            narrowed.count = narrowed.pairing.retain(|place| keeps(0, first.get(place)), |place| keeps(1, second.get(place)));
            return Some(narrowed);
        }
        for role in (0..roles).filter(|role| narrowing.constrains_role(*role)) {
            let (place, _) = gathered.claim_set(None);
            let left = self.candidate_set(gathered, role).filter_candidates(|thing| keeps(role, thing));
            gathered.sets[place] = left;
            narrowed.roles[role].set = u16::try_from(place - self.first).ok()?;
            narrowed.roles[role].optional &= keeps(role, NONE);
        }
        narrowed.recount_moves(gathered, roles).then_some(narrowed)
    }

    // --- moves by what fills their roles -------------------------------------------------

    /// The place of the move with these fillings, if moves need not be tested; `None` if it is not legal.
    pub fn place_of(&self, gathered: &CandidateSets, filled: &[Vec<Value>]) -> Option<MoveIndex> {
        match self.rank_tables() {
            Some(ranks) => ranks.place_of(filled),
            None => self.place_among_free(gathered, filled),
        }
    }

    /// The same for independent roles, whose ways are multiplied.
    fn place_among_free(&self, gathered: &CandidateSets, filled: &[Vec<Value>]) -> Option<MoveIndex> {
        let mut index = Some(0u64);
        for (role, things) in filled.iter().enumerate() {
            let way = self.way_of(gathered, role, things)?;
            let ways = self.count_ways(gathered, role);
            index = index.and_then(|index| index.checked_mul(ways)?.checked_add(way)).filter(|index| *index < MOST_NUMBERED);
        }
        Some(MoveIndex::from_index(index))
    }

    /// The index of a role's filling with these things; `None` if there is no such filling.
    fn way_of(&self, gathered: &CandidateSets, role: usize, things: &[Value]) -> Option<u64> {
        let (filling, candidates) = (&self.roles[role], &self.candidate_set(gathered, role).all);
        let place = |thing: &Value| candidates.iter().position(|candidate| candidate.id == *thing);
        match (filling.single, things) {
            (true, [] | [NONE]) => filling.optional.then_some(0),
            (true, [thing]) => Some(place(thing)? as u64 + u64::from(filling.optional)),
            (true, _) => None,
            (false, _) if !(filling.least as usize..=filling.most as usize).contains(&things.len()) => None,
            (false, _) => {
                let set = things.iter().try_fold(0u64, |set, thing| Some(set | 1u64 << place(thing)?))?;
                let all_different = set.count_ones() as usize == things.len();
                all_different.then(|| place_of_set(candidates.len() as u64, u64::from(filling.least), set))
            }
        }
    }

    /// Whether each move is found by its fillings, without testing others.
    pub fn is_direct(&self) -> bool {
        self.is_free() || self.method == Method::Ranked
    }

    /// A search with a single move, which has these fillings.
    pub fn with_single_move(filled: &[Vec<Value>], is_set: impl Fn(usize) -> bool) -> Search {
        let mut search = Search { lists: filled.to_vec(), ..Search::default() };
        let mut chosen = [Chosen::One(NONE); MOST_ROLES];
        for (role, (chosen, things)) in chosen.iter_mut().zip(filled).enumerate() {
            *chosen = match is_set(role) {
                true => Chosen::Listed(role as u32),
                false => Chosen::One(things.first().copied().unwrap_or(NONE)),
            };
        }
        search.keep_moves(vec![chosen]);
        search
    }
}

/// The fillings of a move, with its set in the given form; `of` is the role of the set.
fn fill_roles(of: usize, found: &FilledMove, set: Chosen) -> [Chosen; MOST_ROLES] {
    let mut chosen = found.others.map(Chosen::One);
    chosen[of] = set;
    chosen
}
