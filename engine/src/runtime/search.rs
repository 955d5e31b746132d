//! Counting and finding the legal moves of an action, without making a list of them.
//!
//! The order of moves is that of their arguments: the first role's candidates by id, a set's by size and then by ids,
//! within them the second role's, and so on. Every plan keeps to it, so that an index means the same move under each.

#[cfg(test)]
mod tests;

use super::machine::{Machine, Rules};
use super::state::{Board, Entity};
use crate::program::MOST_ROLES;
use crate::program::{ActionInfo, Comparison, Expr, FamilyInfo, Filling, Key, NONE, RoleAmount, RoleInfo, SearchPlan, Value};
use std::sync::LazyLock;

/// The most candidates of a role that is a set: all its subsets are looked at.
pub const MOST_CANDIDATES: usize = 20;
/// Subsets of up to so many candidates are walked in an order worked out once.
const TABLED: usize = 10;
/// Sums of keys up to this fit in the table of sums, whatever the set; other keys are walked.
const MOST_KEY: i32 = u16::MAX as i32 / MOST_CANDIDATES as i32;

/// One argument of a chosen move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    One(Value),
    /// A subset of the role's candidates, one bit each; `list` tells which candidates, see [`Search::members`].
    Set {
        mask: u32,
        list: u32,
    },
}

impl Default for Chosen {
    fn default() -> Chosen {
        Chosen::One(NONE)
    }
}

/// The list of a role that has the same candidates in every move.
const OF_ROLE: u32 = u32::MAX;

/// The legal moves of one action in one situation.
#[derive(Clone, Debug, Default)]
pub struct Search {
    pub count: u64,
    roles: [Filling; MOST_ROLES],
    /// The first of the sets that the fillings number.
    first: usize,
    method: Method,
    /// For plans without structure: every legal combination.
    found: Vec<[Chosen; MOST_ROLES]>,
    /// The candidates of sets that depend on an earlier role, one list for each of its values.
    lists: Vec<Vec<Value>>,
}

/// Things that may fill a role, in order of their ids.
#[derive(Clone, Debug, Default)]
struct Candidates {
    all: Vec<Candidate>,
    /// Bounds of their keys.
    lowest: i32,
    highest: i32,
}

#[derive(Clone, Copy, Debug)]
struct Candidate {
    id: Value,
    /// The number that a search reads off it.
    key: i32,
}

/// The candidates of all roles of a question. Actions of a family that take the same things share them.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    sets: Vec<Candidates>,
    used: usize,
    /// Where the sets begin that the family at hand shares, and which of them have been looked up.
    shared: usize,
    known: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Method {
    #[default]
    Product,
    Compare {
        left: usize,
        right: usize,
        operator: Comparison,
    },
    SumEqual {
        set: usize,
        joker: Option<usize>,
        target: usize,
    },
    Found,
}

/// For each number of candidates up to [`TABLED`], all subsets by size and then by members.
static SUBSETS: LazyLock<Vec<Vec<u16>>> =
    LazyLock::new(|| (0..=TABLED as u32).map(|n| ordered_subsets(n).map(|m| m as u16).collect()).collect());

/// The subsets of `n` things by size, then by members: a set with an earlier first difference comes first.
fn ordered_subsets(n: u32) -> impl Iterator<Item = u32> {
    let mut all: Vec<u32> = (0..1u32 << n).collect();
    all.sort_by_key(|mask| (mask.count_ones(), std::cmp::Reverse(mask.reverse_bits())));
    all.into_iter()
}

fn for_subsets(n: usize, mut visit: impl FnMut(u32) -> bool) {
    if let Some(table) = SUBSETS.get(n) {
        for &mask in table {
            if visit(u32::from(mask)) {
                return;
            }
        }
        return;
    }
    for mask in ordered_subsets(n as u32) {
        if visit(mask) {
            return;
        }
    }
}

impl Candidates {
    /// Whether sums of the keys fit in the table of sums.
    #[inline]
    fn has_small_keys(&self) -> bool {
        self.lowest >= 0 && self.highest <= MOST_KEY
    }

    fn add(&mut self, id: Value, key: i32) {
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
    fn place(&mut self, shared: Option<u16>) -> (usize, bool) {
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

    /// Counts the moves of an action whose roles are filled as is known, from what its family shares.
    #[inline]
    pub fn count_shared(
        &mut self,
        rules: Rules,
        base: usize,
        action: &ActionInfo,
        fillings: &[Filling; MOST_ROLES],
        gathered: &mut Gathered,
        search: &mut Search,
    ) {
        search.clear();
        search.roles = *fillings;
        search.first = gathered.shared;
        for filling in &fillings[..action.roles.len().min(MOST_ROLES)] {
            let candidates = &gathered.sets[search.first + usize::from(filling.set)];
            if !self.suffices(filling, candidates) {
                return;
            }
        }
        self.count(rules, base, action, gathered, search);
    }

    /// Counts the moves of an action. The slots at `base` hold its context; those of its roles are free to use.
    pub fn count_moves(&mut self, rules: Rules, base: usize, action: &ActionInfo, gathered: &mut Gathered, search: &mut Search) {
        search.clear();
        search.first = 0;
        for guard in &action.guard {
            if self.evaluate(rules, base, guard) == 0 {
                return;
            }
        }
        let lists = self.state.lists.len();
        for (role, filling) in action.roles.iter().zip(&mut search.roles) {
            let (place, known) = gathered.place(role.shared);
            // What depends on an earlier role is looked up for each of its values; see `walk_from`.
            if role.dependent {
                *filling = Filling { set: place as u16, ..Filling::default() };
            } else {
                *filling = self.filling(rules, base, role, place as u16);
                let candidates = &mut gathered.sets[place];
                if !known {
                    self.look_up(rules, base, role, candidates);
                }
                if !self.suffices(filling, candidates) {
                    self.state.lists.truncate(lists);
                    return;
                }
            }
        }
        self.count(rules, base, action, gathered, search);
        self.state.lists.truncate(lists);
    }

    /// Counts the moves of an action whose candidates are gathered.
    #[inline]
    fn count(&mut self, rules: Rules, base: usize, action: &ActionInfo, gathered: &mut Gathered, search: &mut Search) {
        match &action.search {
            SearchPlan::Product => self.count_product(action, gathered, search),
            SearchPlan::Compare { left, right, operator, .. } => {
                search.method = Method::Compare { left: *left, right: *right, operator: *operator };
                search.count = count_pairs(&search.of(gathered, *left).all, &search.of(gathered, *right).all, *operator);
            }
            SearchPlan::SumEqual { set, joker, target, .. } => {
                let joker = joker.map(|(role, _)| role);
                let fits = |role: usize| search.of(gathered, role).has_small_keys();
                if fits(*set) && fits(*target) && joker.is_none_or(fits) {
                    search.method = Method::SumEqual { set: *set, joker, target: *target };
                    search.count = search.count_sums(gathered, *set, joker, *target);
                } else {
                    let conditions: Vec<Expr> = action.conditions.iter().map(|condition| condition.expr.clone()).collect();
                    self.walk(rules, base, action, &conditions, gathered, search);
                }
            }
            SearchPlan::Walk(conditions) => self.walk(rules, base, action, conditions, gathered, search),
        }
    }

    /// How many things a role takes, as things are now.
    #[inline(always)]
    fn filling(&mut self, rules: Rules, base: usize, role: &RoleInfo, set: u16) -> Filling {
        let (single, optional, least, most) = match &role.amount {
            RoleAmount::One => (true, false, 1, 1),
            RoleAmount::OneOrNone => (true, true, 0, 1),
            RoleAmount::Some(least, most) => {
                let least = self.evaluate(rules, base, least).max(0) as u32;
                let most = most.as_ref().map_or(u32::MAX, |most| self.evaluate(rules, base, most).max(0) as u32);
                (false, false, least, most)
            }
        };
        Filling { set, single, optional, least, most }
    }

    /// Whether there are enough candidates for a role, and not too many to look through.
    #[inline]
    fn suffices(&mut self, filling: &Filling, candidates: &Candidates) -> bool {
        let count = candidates.all.len();
        if !filling.single && count > MOST_CANDIDATES {
            self.fault("more than 20 things stand for one choice of several: no one can look through them");
            return false;
        }
        filling.optional || count as u32 >= filling.least
    }

    /// A role's candidates as things are now, in order of their ids.
    #[inline]
    fn look_up(&mut self, rules: Rules, base: usize, role: &RoleInfo, into: &mut Candidates) {
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

    fn count_product(&mut self, action: &ActionInfo, gathered: &Gathered, search: &mut Search) {
        search.method = Method::Product;
        let mut ways = (0..action.roles.len()).map(|role| search.ways(gathered, role));
        match ways.try_fold(1u64, |product, ways| product.checked_mul(ways)) {
            Some(count) => search.count = count,
            None => {
                self.fault("an action has more moves than can be counted");
            }
        }
    }

    /// Tests every combination, role by role, so that later roles may depend on earlier ones.
    fn walk(
        &mut self,
        rules: Rules,
        base: usize,
        action: &ActionInfo,
        conditions: &[Expr],
        gathered: &mut Gathered,
        search: &mut Search,
    ) {
        search.method = Method::Found;
        let mut chosen = [Chosen::One(NONE); MOST_ROLES];
        let mut found = std::mem::take(&mut search.found);
        self.walk_from(rules, base, action, conditions, gathered, search, 0, &mut chosen, &mut found);
        search.count = found.len() as u64;
        search.found = found;
    }

    #[expect(clippy::too_many_arguments, reason = "a recursive walk carries its whole situation")]
    fn walk_from(
        &mut self,
        rules: Rules,
        base: usize,
        action: &ActionInfo,
        conditions: &[Expr],
        gathered: &mut Gathered,
        search: &mut Search,
        index: usize,
        chosen: &mut [Chosen; MOST_ROLES],
        found: &mut Vec<[Chosen; MOST_ROLES]>,
    ) {
        const MOST_FOUND: usize = 100_000;
        if found.len() >= MOST_FOUND {
            self.fault("an action has more than 100,000 moves");
            return;
        }
        let Some(role) = action.roles.get(index) else {
            if conditions.iter().all(|condition| self.evaluate(rules, base, condition) != 0) {
                found.push(*chosen);
            }
            return;
        };
        let lists = self.state.lists.len();
        let slot = action.context + index as u16;
        let place = search.roles[index].set;
        if role.dependent {
            // What it takes may depend on earlier roles, too.
            search.roles[index] = self.filling(rules, base, role, place);
            let candidates = &mut gathered.sets[search.first + usize::from(place)];
            self.look_up(rules, base, role, candidates);
            if !self.suffices(&search.roles[index], candidates) {
                self.state.lists.truncate(lists);
                return;
            }
        }
        let filling = search.roles[index];
        let candidates = gathered.sets[search.first + usize::from(place)].all.clone();
        let mut list_of_set = OF_ROLE;
        if role.dependent && !filling.single {
            list_of_set = search.lists.len() as u32;
            search.lists.push(candidates.iter().map(|candidate| candidate.id).collect());
        }
        if filling.single {
            if filling.optional {
                self.set_slot(base, slot, NONE);
                chosen[index] = Chosen::One(NONE);
                self.walk_from(rules, base, action, conditions, gathered, search, index + 1, chosen, found);
            }
            for id in candidates.iter().map(|candidate| candidate.id) {
                self.set_slot(base, slot, id);
                chosen[index] = Chosen::One(id);
                self.walk_from(rules, base, action, conditions, gathered, search, index + 1, chosen, found);
            }
        } else {
            let mut masks = Vec::new();
            for_subsets(candidates.len(), |mask| {
                if filling.takes(mask) {
                    masks.push(mask);
                }
                false
            });
            for mask in masks {
                let at = self.begin_list();
                self.state.lists.extend(members(&candidates, mask).map(|candidate| candidate.id));
                let list = self.end_list(at);
                self.set_slot(base, slot, list);
                chosen[index] = Chosen::Set { mask, list: list_of_set };
                self.walk_from(rules, base, action, conditions, gathered, search, index + 1, chosen, found);
            }
        }
        self.state.lists.truncate(lists);
    }
}

/// The members of a subset, in order.
fn members<T>(all: &[T], mask: u32) -> impl Iterator<Item = &T> {
    all.iter().enumerate().filter(move |(index, _)| mask >> index & 1 == 1).map(|(_, member)| member)
}

/// Sorts by id, each once.
fn in_order(candidates: &mut Vec<Candidate>) {
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

impl Filling {
    #[inline]
    fn takes(&self, mask: u32) -> bool {
        (self.least..=self.most).contains(&mask.count_ones())
    }
}

fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}

/// How many pairs compare as wanted.
fn count_pairs(left: &[Candidate], right: &[Candidate], operator: Comparison) -> u64 {
    fn count(left: &[Candidate], right: &[Candidate], holds: impl Fn(i32, i32) -> bool) -> u64 {
        let count = |l: i32| right.iter().map(|r| u64::from(holds(l, r.key))).sum::<u64>();
        left.iter().map(|l| count(l.key)).sum()
    }
    match operator {
        Comparison::Equal => count(left, right, |l, r| l == r),
        Comparison::NotEqual => count(left, right, |l, r| l != r),
        Comparison::Less => count(left, right, |l, r| l < r),
        Comparison::LessEqual => count(left, right, |l, r| l <= r),
        Comparison::Greater => count(left, right, |l, r| l > r),
        Comparison::GreaterEqual => count(left, right, |l, r| l >= r),
    }
}

/// Sums below this are counted side by side in narrow lanes.
const LANES: usize = 32;
/// So many things have at most 252 sets of the same sum, which fits in a lane.
const MOST_IN_LANES: usize = 10;

/// For each sum below [`LANES`], how many subsets have it.
#[inline]
fn ways_in_lanes(set: &[Candidate]) -> [u8; LANES] {
    // What is shifted in from below the sum of nothing is nothing.
    let mut ways = [0u8; 2 * LANES];
    ways[LANES] = 1;
    for from in set.iter().filter_map(|candidate| LANES.checked_sub(candidate.key as usize)) {
        let mut with_key = [0u8; LANES];
        with_key.copy_from_slice(&ways[from..from + LANES]);
        for (way, more) in ways[LANES..].iter_mut().zip(with_key) {
            *way += more;
        }
    }
    let mut sums = [0u8; LANES];
    sums.copy_from_slice(&ways[LANES..]);
    sums
}

/// For each sum up to `highest`, how many subsets have it.
fn ways_to(set: &[Candidate], highest: i32) -> Vec<u64> {
    let mut ways = vec![0u64; highest as usize + 1];
    ways[0] = 1;
    for key in set.iter().map(|candidate| candidate.key as usize) {
        for sum in (key..ways.len()).rev() {
            ways[sum] = ways[sum].saturating_add(ways[sum - key]);
        }
    }
    ways
}

/// Sets with fewer than two things are counted with the others and taken off again where they are too small.
fn take_off_small<T: Copy + std::ops::Sub<Output = T> + From<u8>>(ways: &mut [T], set: &[Candidate], least: u32) {
    if least > 0 {
        ways[0] = ways[0] - T::from(1);
    }
    if least > 1 {
        for candidate in set {
            if let Some(ways) = ways.get_mut(candidate.key as usize) {
                *ways = *ways - T::from(1);
            }
        }
    }
}

/// The ways to reach each target, alone or together with each joker.
#[inline]
fn hits(targets: &[Candidate], jokers: Option<&[Candidate]>, ways: impl Fn(i32) -> u64) -> u64 {
    match jokers {
        None => targets.iter().map(|target| ways(target.key)).sum(),
        Some(jokers) => targets.iter().map(|target| jokers.iter().map(|joker| ways(target.key - joker.key)).sum::<u64>()).sum(),
    }
}

/// The total of the keys in a subset.
#[inline]
fn sum_of(set: &[Candidate], mut mask: u32) -> i32 {
    let mut sum = 0;
    while mask != 0 {
        sum += set.get(mask.trailing_zeros() as usize).map_or(0, |candidate| candidate.key);
        mask &= mask - 1;
    }
    sum
}

impl Search {
    #[inline]
    fn of<'a>(&self, gathered: &'a Gathered, role: usize) -> &'a Candidates {
        &gathered.sets[self.first + usize::from(self.roles[role].set)]
    }

    /// In how many ways a role can be filled.
    fn ways(&self, gathered: &Gathered, role: usize) -> u64 {
        let filling = &self.roles[role];
        let n = self.of(gathered, role).all.len() as u64;
        if filling.single {
            return n + u64::from(filling.optional);
        }
        (u64::from(filling.least)..=u64::from(filling.most).min(n)).map(|k| choose(n, k)).sum()
    }

    /// The `index`-th way to fill a role.
    fn way(&self, gathered: &Gathered, role: usize, index: u64) -> Option<Chosen> {
        let (filling, candidates) = (&self.roles[role], &self.of(gathered, role).all);
        if filling.single {
            let index = if filling.optional { index.checked_sub(1) } else { Some(index) };
            return match index {
                None => Some(Chosen::One(NONE)),
                Some(index) => candidates.get(index as usize).map(|candidate| Chosen::One(candidate.id)),
            };
        }
        let mut left = index;
        let mut result = None;
        for_subsets(candidates.len(), |mask| {
            if !filling.takes(mask) {
                return false;
            }
            if left == 0 {
                result = Some(Chosen::Set { mask, list: OF_ROLE });
                return true;
            }
            left -= 1;
            false
        });
        result
    }

    /// How many sets, with each thing that may join them, sum to how many targets.
    fn count_sums(&self, gathered: &Gathered, set: usize, joker: Option<usize>, target: usize) -> u64 {
        let (filling, members) = (&self.roles[set], self.of(gathered, set).all.as_slice());
        if filling.least > 2 || (filling.most as usize) < members.len() {
            let mut count = 0;
            self.for_sums(gathered, set, joker, target, |_, _, hits| {
                count += hits;
                false
            });
            return count;
        }
        let Candidates { all: targets, highest, .. } = self.of(gathered, target);
        let highest = (*highest).max(0);
        let jokers = joker.map(|joker| self.of(gathered, joker).all.as_slice());
        if members.len() <= MOST_IN_LANES && (highest as usize) < LANES {
            let mut ways = ways_in_lanes(members);
            take_off_small(&mut ways, members, filling.least);
            hits(targets, jokers, |sum| ways.get(sum as usize).map_or(0, |ways| u64::from(*ways)))
        } else {
            let mut ways = ways_to(members, highest);
            take_off_small(&mut ways, members, filling.least);
            hits(targets, jokers, |sum| ways.get(sum as usize).copied().unwrap_or(0))
        }
    }

    /// Calls `visit` on each set and what may join it, in order, with the number of targets that show the sum.
    fn for_sums(
        &self,
        gathered: &Gathered,
        set: usize,
        joker: Option<usize>,
        target: usize,
        mut visit: impl FnMut(u32, Option<usize>, u64) -> bool,
    ) {
        let (filling, candidates) = (&self.roles[set], self.of(gathered, set).all.as_slice());
        let targets = self.of(gathered, target).all.as_slice();
        let hits = |sum: i32| targets.iter().map(|target| u64::from(target.key == sum)).sum();
        for_subsets(candidates.len(), |mask| {
            if !filling.takes(mask) {
                return false;
            }
            let sum = sum_of(candidates, mask);
            match joker {
                None => visit(mask, None, hits(sum)),
                Some(joker) => {
                    let mut jokers = self.of(gathered, joker).all.iter().enumerate();
                    jokers.any(|(index, joker)| visit(mask, Some(index), hits(sum + joker.key)))
                }
            }
        });
    }

    /// The arguments of the `index`-th move.
    pub fn nth(&self, gathered: &Gathered, index: u64, roles: usize) -> Option<[Chosen; MOST_ROLES]> {
        if index >= self.count {
            return None;
        }
        let mut chosen = [Chosen::One(NONE); MOST_ROLES];
        match self.method {
            Method::Found => return self.found.get(index as usize).copied(),
            Method::Product => {
                let mut rest = index;
                for role in (0..roles).rev() {
                    let ways = self.ways(gathered, role);
                    chosen[role] = self.way(gathered, role, rest % ways)?;
                    rest /= ways;
                }
            }
            Method::Compare { left, right, operator } => {
                let (l, r) = self.nth_pair(gathered, index, left, right, operator)?;
                chosen[left] = Chosen::One(l);
                chosen[right] = Chosen::One(r);
            }
            Method::SumEqual { set, joker, target } => {
                let (mask, third, hit) = self.nth_sum(gathered, index, set, joker, target)?;
                chosen[set] = Chosen::Set { mask, list: OF_ROLE };
                if let (Some(joker), Some(third)) = (joker, third) {
                    chosen[joker] = Chosen::One(third);
                }
                chosen[target] = Chosen::One(hit);
            }
        }
        Some(chosen)
    }

    /// Pairs in order of the role that is declared first.
    fn nth_pair(
        &self,
        gathered: &Gathered,
        index: u64,
        left: usize,
        right: usize,
        operator: Comparison,
    ) -> Option<(Value, Value)> {
        let (outer, inner, operator) = if left < right { (left, right, operator) } else { (right, left, operator.flipped()) };
        let (outer, inner) = (&self.of(gathered, outer).all, &self.of(gathered, inner).all);
        let mut rest = index;
        for o in outer {
            for i in inner {
                if operator.holds(o.key, i.key) {
                    if rest == 0 {
                        return Some(if left < right { (o.id, i.id) } else { (i.id, o.id) });
                    }
                    rest -= 1;
                }
            }
        }
        None
    }

    /// The set, what joins it, and the target of a move.
    fn nth_sum(
        &self,
        gathered: &Gathered,
        index: u64,
        set: usize,
        joker: Option<usize>,
        target: usize,
    ) -> Option<(u32, Option<Value>, Value)> {
        let mut rest = index;
        let mut found = None;
        self.for_sums(gathered, set, joker, target, |mask, third, hits| {
            if rest < hits {
                found = Some((mask, third));
                return true;
            }
            rest -= hits;
            false
        });
        let (mask, third) = found?;
        let third = joker.zip(third).and_then(|(joker, third)| self.of(gathered, joker).all.get(third));
        let sum = sum_of(&self.of(gathered, set).all, mask) + third.map_or(0, |third| third.key);
        let mut hits = self.of(gathered, target).all.iter().filter(|target| target.key == sum);
        hits.nth(rest as usize).map(|hit| (mask, third.map(|third| third.id), hit.id))
    }

    /// Takes the shape of an action whose roles are filled as is known, from the first sets that are gathered.
    pub fn lay_out(&mut self, action: &ActionInfo) {
        self.clear();
        (self.first, self.roles) = (0, action.fillings.unwrap_or_default());
        self.method = match &action.search {
            SearchPlan::Product => Method::Product,
            SearchPlan::Compare { left, right, operator, .. } => {
                Method::Compare { left: *left, right: *right, operator: *operator }
            }
            SearchPlan::SumEqual { set, joker, target, .. } => {
                Method::SumEqual { set: *set, joker: joker.map(|(role, _)| role), target: *target }
            }
            SearchPlan::Walk(_) => Method::Found,
        };
    }

    /// Counts the moves anew; false if the candidates are such that the action must be looked at more closely.
    #[inline]
    pub fn recount(&mut self, gathered: &Gathered, roles: usize) -> bool {
        let counted = match self.method {
            Method::Compare { left, right, operator } => {
                Some(count_pairs(&self.of(gathered, left).all, &self.of(gathered, right).all, operator))
            }
            Method::SumEqual { set, joker, target } => {
                let fits = |role: usize| self.of(gathered, role).has_small_keys();
                let fit = fits(set) && fits(target) && joker.is_none_or(fits);
                let few = self.of(gathered, set).all.len() <= MOST_CANDIDATES;
                (fit && few).then(|| self.count_sums(gathered, set, joker, target))
            }
            Method::Product => {
                let few = |role: usize| self.roles[role].single || self.of(gathered, role).all.len() <= MOST_CANDIDATES;
                let ways = |product: u64, role: usize| product.checked_mul(self.ways(gathered, role));
                if (0..roles).all(few) { (0..roles).try_fold(1u64, ways) } else { None }
            }
            Method::Found => None,
        };
        self.count = counted.unwrap_or(0);
        counted.is_some()
    }

    /// The things of a role's argument, in order.
    pub fn members<'a>(&'a self, gathered: &'a Gathered, role: usize, chosen: Chosen) -> impl Iterator<Item = Value> + 'a {
        let (all, listed, mask, one): (&[Candidate], &[Value], u32, Option<Value>) = match chosen {
            Chosen::One(value) => (&[], &[], 0, Some(value)),
            Chosen::Set { mask, list: OF_ROLE } => (&self.of(gathered, role).all, &[], mask, None),
            Chosen::Set { mask, list } => (&[], self.lists.get(list as usize).map_or(&[], Vec::as_slice), mask, None),
        };
        one.into_iter().chain(members(all, mask).map(|candidate| candidate.id)).chain(members(listed, mask).copied())
    }

    fn clear(&mut self) {
        self.count = 0;
        if self.method == Method::Found {
            self.found.clear();
            self.lists.clear();
            self.method = Method::Product;
        }
    }
}
