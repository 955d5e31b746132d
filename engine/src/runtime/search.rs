//! Counting and finding the legal moves of an action, without making a list of them.
//!
//! The order of moves is that of their arguments: the first role's candidates by id, a set's by size and then by ids,
//! within them the second role's, and so on. Every plan keeps to it, so that an index means the same move under each.

#[cfg(test)]
mod tests;

use super::machine::{Machine, Rules};
use crate::program::MOST_ROLES;
use crate::program::{ActionInfo, Comparison, Expr, Key, NONE, RoleAmount, RoleInfo, SearchPlan, Value};
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

/// The list of a role that has the same candidates in every move.
const OF_ROLE: u32 = u32::MAX;

/// The legal moves of one action in one situation.
#[derive(Clone, Debug, Default)]
pub struct Search {
    pub count: u64,
    roles: Vec<Candidates>,
    method: Method,
    /// How many targets show each value.
    histogram: Vec<u16>,
    /// The sum of each subset of the set role.
    sums: Vec<u16>,
    /// For plans without structure: every legal combination.
    found: Vec<[Chosen; MOST_ROLES]>,
    /// The candidates of sets that depend on an earlier role, one list for each of its values.
    lists: Vec<Vec<Value>>,
}

/// Who may fill a role.
#[derive(Clone, Debug, Default)]
struct Candidates {
    ids: Vec<Value>,
    keys: Vec<i32>,
    single: bool,
    optional: bool,
    least: u32,
    most: u32,
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

impl Machine {
    /// Counts the moves of an action. The slots at `base` hold its context; those of its roles are free to use.
    pub fn count_moves(&mut self, rules: Rules, base: usize, action: &ActionInfo, search: &mut Search) {
        search.clear();
        for guard in &action.guard {
            if self.evaluate(rules, base, guard) == 0 {
                return;
            }
        }
        if search.roles.len() < action.roles.len() {
            search.roles.resize_with(action.roles.len(), Candidates::default);
        }
        let lists = self.state.lists.len();
        for index in 0..action.roles.len() {
            if !self.gather(rules, base, action, index, &mut search.roles[index]) {
                self.state.lists.truncate(lists);
                return;
            }
        }
        match &action.search {
            SearchPlan::Product => self.count_product(action, search),
            SearchPlan::Compare { left, right, operator, .. } => {
                search.method = Method::Compare { left: *left, right: *right, operator: *operator };
                search.count_compare(*left, *right, *operator);
            }
            SearchPlan::SumEqual { set, joker, target, .. } => {
                let joker = joker.map(|(role, _)| role);
                let fits = |role: &usize| search.roles[*role].keys.iter().all(|key| (0..=MOST_KEY).contains(key));
                if [*set, *target].iter().chain(&joker).all(fits) {
                    search.method = Method::SumEqual { set: *set, joker, target: *target };
                    search.count_sums(*set, joker, *target);
                } else {
                    let conditions: Vec<Expr> = action.conditions.iter().map(|condition| condition.expr.clone()).collect();
                    self.walk(rules, base, action, &conditions, search);
                }
            }
            SearchPlan::Walk(conditions) => self.walk(rules, base, action, conditions, search),
        }
        self.state.lists.truncate(lists);
    }

    /// Collects a role's candidates in order of their ids. False if there can be no move.
    fn gather(&mut self, rules: Rules, base: usize, action: &ActionInfo, index: usize, into: &mut Candidates) -> bool {
        let role = &action.roles[index];
        // What depends on an earlier role is looked up for each of its values; see `walk_from`.
        if role.dependent { true } else { self.look_up(rules, base, role, into) }
    }

    /// A role's candidates as things are now. False if there are too few to fill it.
    fn look_up(&mut self, rules: Rules, base: usize, role: &RoleInfo, into: &mut Candidates) -> bool {
        into.ids.clear();
        (into.single, into.optional, into.least, into.most) = match &role.amount {
            RoleAmount::One => (true, false, 1, 1),
            RoleAmount::OneOrNone => (true, true, 0, 1),
            RoleAmount::Some(least, most) => {
                let least = self.evaluate(rules, base, least).max(0) as u32;
                let most = most.as_ref().map_or(u32::MAX, |most| self.evaluate(rules, base, most).max(0) as u32);
                (false, false, least, most)
            }
        };
        into.keys.clear();
        match &role.from {
            Expr::ZoneList(zone) if role.tests.is_empty() => {
                let zone = self.evaluate(rules, base, zone);
                self.gather_zone(zone, role, into);
            }
            from => {
                let list = self.evaluate(rules, base, from);
                into.ids.extend_from_slice(self.state.list(list));
                self.keep(rules, base, role, &mut into.ids);
                into.in_order();
                self.read_keys(into, role.key);
            }
        }
        if !into.single && into.ids.len() > MOST_CANDIDATES {
            self.fault("more than 20 things stand for one choice of several: no one can look through them");
            return false;
        }
        into.optional || into.ids.len() as u32 >= into.least
    }

    /// The pieces of a zone that bear no barred mark, with their keys.
    #[inline]
    fn gather_zone(&self, zone: Value, role: &RoleInfo, into: &mut Candidates) {
        let board = &self.state.board;
        let Some(zone) = board.zone(zone) else { return };
        let field = match role.key {
            Some(Key::Field(field)) => Some(field as usize),
            _ => None,
        };
        let (mut next, mut sorted, mut last) = (zone.first, true, -1);
        while let Some(entity) = board.entities.get(next as usize) {
            if entity.marks & role.barred == 0 {
                let id = Value::from(next);
                sorted &= id > last;
                last = id;
                into.ids.push(id);
                if let Some(field) = field {
                    into.keys.push(board.cells.get(entity.cells as usize + field).copied().unwrap_or(NONE));
                }
            }
            next = entity.next;
        }
        if !sorted || (field.is_none() && role.key.is_some()) {
            into.in_order();
            self.read_keys(into, role.key);
        }
    }

    /// Drops candidates that bear a barred mark or fail a test.
    fn keep(&mut self, rules: Rules, base: usize, role: &RoleInfo, ids: &mut Vec<Value>) {
        if role.barred != 0 {
            ids.retain(|id| self.state.board.entities.get(*id as usize).is_none_or(|entity| entity.marks & role.barred == 0));
        }
        for test in &role.tests {
            ids.retain(|id| self.test(rules, base, role.filter_slot, *id, test));
        }
    }

    fn read_keys(&self, candidates: &mut Candidates, key: Option<Key>) {
        candidates.keys.clear();
        match key {
            None => {}
            Some(Key::Itself) => candidates.keys.extend_from_slice(&candidates.ids),
            Some(Key::Field(field)) => {
                let board = &self.state.board;
                candidates.keys.extend(candidates.ids.iter().map(|id| board.field(*id, field).unwrap_or(NONE)));
            }
        }
    }

    fn count_product(&mut self, action: &ActionInfo, search: &mut Search) {
        search.method = Method::Product;
        let mut ways = search.roles[..action.roles.len()].iter().map(Candidates::ways);
        match ways.try_fold(1u64, |product, ways| product.checked_mul(ways)) {
            Some(count) => search.count = count,
            None => {
                self.fault("an action has more moves than can be counted");
            }
        }
    }

    /// Tests every combination, role by role, so that later roles may depend on earlier ones.
    fn walk(&mut self, rules: Rules, base: usize, action: &ActionInfo, conditions: &[Expr], search: &mut Search) {
        search.method = Method::Found;
        let mut chosen = [Chosen::One(NONE); MOST_ROLES];
        let mut found = std::mem::take(&mut search.found);
        self.walk_from(rules, base, action, conditions, search, 0, &mut chosen, &mut found);
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
        if role.dependent && !self.look_up(rules, base, role, &mut search.roles[index]) {
            self.state.lists.truncate(lists);
            return;
        }
        let slot = action.context + index as u16;
        let candidates = search.roles[index].clone();
        let mut list_of_set = OF_ROLE;
        if role.dependent && !candidates.single {
            list_of_set = search.lists.len() as u32;
            search.lists.push(candidates.ids.clone());
        }
        if candidates.single {
            if candidates.optional {
                self.set_slot(base, slot, NONE);
                chosen[index] = Chosen::One(NONE);
                self.walk_from(rules, base, action, conditions, search, index + 1, chosen, found);
            }
            for id in candidates.ids {
                self.set_slot(base, slot, id);
                chosen[index] = Chosen::One(id);
                self.walk_from(rules, base, action, conditions, search, index + 1, chosen, found);
            }
        } else {
            let mut masks = Vec::new();
            for_subsets(candidates.ids.len(), |mask| {
                if candidates.takes(mask) {
                    masks.push(mask);
                }
                false
            });
            for mask in masks {
                let members: Vec<Value> = members(&candidates.ids, mask).collect();
                let list = self.push_list(&members);
                self.set_slot(base, slot, list);
                chosen[index] = Chosen::Set { mask, list: list_of_set };
                self.walk_from(rules, base, action, conditions, search, index + 1, chosen, found);
            }
        }
        self.state.lists.truncate(lists);
    }
}

/// The members of a subset, in order.
fn members(ids: &[Value], mask: u32) -> impl Iterator<Item = Value> + '_ {
    ids.iter().enumerate().filter(move |(index, _)| mask >> index & 1 == 1).map(|(_, id)| *id)
}

impl Candidates {
    /// Sorts by id, each once.
    fn in_order(&mut self) {
        if !self.ids.is_sorted_by(|a, b| a < b) {
            self.ids.sort_unstable();
            self.ids.dedup();
        }
    }

    fn takes(&self, mask: u32) -> bool {
        (self.least..=self.most).contains(&mask.count_ones())
    }

    /// In how many ways the role can be filled.
    fn ways(&self) -> u64 {
        let n = self.ids.len() as u64;
        if self.single {
            return n + u64::from(self.optional);
        }
        (u64::from(self.least)..=u64::from(self.most).min(n)).map(|k| choose(n, k)).sum()
    }

    /// The `index`-th way.
    fn way(&self, index: u64) -> Option<Chosen> {
        if self.single {
            let index = if self.optional { index.checked_sub(1) } else { Some(index) };
            return match index {
                None => Some(Chosen::One(NONE)),
                Some(index) => self.ids.get(index as usize).map(|id| Chosen::One(*id)),
            };
        }
        let mut left = index;
        let mut result = None;
        for_subsets(self.ids.len(), |mask| {
            if !self.takes(mask) {
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
}

fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}

impl Search {
    fn count_compare(&mut self, left: usize, right: usize, operator: Comparison) {
        let right_keys = &self.roles[right].keys;
        self.count =
            self.roles[left].keys.iter().map(|l| right_keys.iter().filter(|r| operator.holds(*l, **r)).count() as u64).sum();
    }

    /// All subset sums once; then each set has as many moves as there are targets that show its sum.
    fn count_sums(&mut self, set: usize, joker: Option<usize>, target: usize) {
        self.fill_sums(set);
        let keys = &self.roles[target].keys;
        let highest = keys.iter().copied().max().unwrap_or(0).clamp(0, MOST_KEY) as usize;
        self.histogram.clear();
        self.histogram.resize((highest + 1).max(32), 0);
        for key in keys {
            if let Some(entry) = self.histogram.get_mut(*key as usize) {
                *entry += 1;
            }
        }
        let (histogram, sums) = (self.histogram.as_slice(), self.sums.as_slice());
        let at = |sum: usize| histogram.get(sum).map_or(0, |count| u64::from(*count));
        let candidates = &self.roles[set];
        self.count = match joker {
            None => {
                // Sets outside the bounds are few: they are taken off again.
                let all: u64 = sums.iter().map(|sum| at(usize::from(*sum))).sum();
                let outside = if candidates.least > 2 || candidates.most < candidates.ids.len() as u32 {
                    (0..sums.len()).filter(|mask| !candidates.takes(*mask as u32)).map(|mask| at(usize::from(sums[mask]))).sum()
                } else {
                    let none = if candidates.least > 0 { at(0) } else { 0 };
                    let single: u64 =
                        if candidates.least > 1 { candidates.keys.iter().map(|key| at(*key as usize)).sum() } else { 0 };
                    none + single
                };
                all - outside
            }
            Some(joker) => {
                let keys = &self.roles[joker].keys;
                let sets = (0..sums.len()).filter(|mask| candidates.takes(*mask as u32));
                sets.map(|mask| keys.iter().map(|key| at((i32::from(sums[mask]) + key) as usize)).sum::<u64>()).sum()
            }
        };
    }

    /// `sums[mask]` is the total of the candidates in the subset; too large ones stay at the highest number.
    fn fill_sums(&mut self, set: usize) {
        let keys = &self.roles[set].keys;
        self.sums.clear();
        self.sums.resize(1 << keys.len(), 0);
        let mut filled = 1;
        for key in keys {
            let key = u16::try_from(*key).unwrap_or(u16::MAX);
            let (done, rest) = self.sums.split_at_mut(filled);
            for (sum, new) in done.iter().zip(rest) {
                *new = sum.saturating_add(key);
            }
            filled *= 2;
        }
    }

    /// The arguments of the `index`-th move.
    pub fn nth(&self, index: u64, roles: usize) -> Option<[Chosen; MOST_ROLES]> {
        if index >= self.count {
            return None;
        }
        let mut chosen = [Chosen::One(NONE); MOST_ROLES];
        match self.method {
            Method::Found => return self.found.get(index as usize).copied(),
            Method::Product => {
                let mut rest = index;
                for role in (0..roles).rev() {
                    let ways = self.roles[role].ways();
                    chosen[role] = self.roles[role].way(rest % ways)?;
                    rest /= ways;
                }
            }
            Method::Compare { left, right, operator } => {
                let (l, r) = self.nth_pair(index, left, right, operator)?;
                chosen[left] = Chosen::One(l);
                chosen[right] = Chosen::One(r);
            }
            Method::SumEqual { set, joker, target } => {
                let (mask, third, hit) = self.nth_sum(index, set, joker, target)?;
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
    fn nth_pair(&self, index: u64, left: usize, right: usize, operator: Comparison) -> Option<(Value, Value)> {
        let (outer, inner, operator) = if left < right { (left, right, operator) } else { (right, left, operator.flipped()) };
        let (outer, inner) = (&self.roles[outer], &self.roles[inner]);
        let mut rest = index;
        for (o, outer_key) in outer.keys.iter().enumerate() {
            for (i, inner_key) in inner.keys.iter().enumerate() {
                if operator.holds(*outer_key, *inner_key) {
                    if rest == 0 {
                        let pair = (*outer.ids.get(o)?, *inner.ids.get(i)?);
                        return Some(if left < right { pair } else { (pair.1, pair.0) });
                    }
                    rest -= 1;
                }
            }
        }
        None
    }

    fn nth_sum(&self, index: u64, set: usize, joker: Option<usize>, target: usize) -> Option<(u32, Option<Value>, Value)> {
        let candidates = &self.roles[set];
        let targets = &self.roles[target];
        let at = |sum: i32| u64::from(self.histogram.get(sum as usize).copied().unwrap_or(0));
        let hit = |sum: i32, nth: u64| {
            let mut hits = targets.ids.iter().zip(&targets.keys).filter(|(_, key)| **key == sum);
            hits.nth(nth as usize).map(|(id, _)| *id)
        };
        let mut rest = index;
        let mut result = None;
        for_subsets(candidates.ids.len(), |mask| {
            if !candidates.takes(mask) {
                return false;
            }
            let sum = i32::from(self.sums[mask as usize]);
            let Some(joker) = joker else {
                let here = at(sum);
                if rest < here {
                    result = hit(sum, rest).map(|hit| (mask, None, hit));
                    return true;
                }
                rest -= here;
                return false;
            };
            for (id, key) in self.roles[joker].ids.iter().zip(&self.roles[joker].keys) {
                let here = at(sum + key);
                if rest < here {
                    result = hit(sum + key, rest).map(|hit| (mask, Some(*id), hit));
                    return true;
                }
                rest -= here;
            }
            false
        });
        result
    }

    /// The things of a role's argument, in order.
    pub fn members(&self, role: usize, chosen: Chosen) -> impl Iterator<Item = Value> + '_ {
        let (ids, mask, one) = match chosen {
            Chosen::One(value) => (&[][..], 0, Some(value)),
            Chosen::Set { mask, list: OF_ROLE } => (self.roles.get(role).map_or(&[][..], |role| &role.ids), mask, None),
            Chosen::Set { mask, list } => (self.lists.get(list as usize).map_or(&[][..], Vec::as_slice), mask, None),
        };
        one.into_iter().chain(members(ids, mask))
    }

    pub fn clear(&mut self) {
        self.count = 0;
        self.found.clear();
        self.lists.clear();
    }
}
