//! Counting and finding the legal moves of an action, without making a list of them.
//!
//! The order of moves is that of their arguments: the first role's candidates by id, a set's by size and then by ids,
//! within them the second role's, and so on. Every plan keeps to it, so that an index means the same move under each.

use super::machine::{Machine, Rules};
use crate::program::{ActionInfo, Comparison, Expr, Key, NONE, RoleAmount, SearchPlan, Value};
use std::sync::LazyLock;

/// The most roles an action has.
pub const MOST_ROLES: usize = 6;
/// The most candidates of a role that is a set: all its subsets are looked at.
pub const MOST_CANDIDATES: usize = 20;
/// Subsets of up to so many candidates are walked in an order worked out once.
const TABLED: usize = 10;
/// Keys up to this are counted in a table by value; sums beyond it stay at it and match nothing.
const MOST_KEY: i32 = u16::MAX as i32 - 1;

/// One argument of a chosen move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    One(Value),
    /// A subset of the role's candidates, one bit each.
    Set(u32),
}

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
    Compare { left: usize, right: usize, operator: Comparison },
    SumEqual { set: usize, joker: Option<usize>, target: usize },
    Found,
}

/// For each number of candidates up to [`TABLED`], all subsets by size and then by members.
static SUBSETS: LazyLock<Vec<Vec<u16>>> = LazyLock::new(|| (0..=TABLED as u32).map(|n| ordered_subsets(n).map(|m| m as u16).collect()).collect());

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
        search.count = 0;
        search.found.clear();
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
            SearchPlan::Compare { left, right, left_key, right_key, operator } => {
                search.method = Method::Compare { left: *left, right: *right, operator: *operator };
                self.read_keys(&mut search.roles[*left], *left_key);
                self.read_keys(&mut search.roles[*right], *right_key);
                search.count_compare(*left, *right, *operator);
            }
            SearchPlan::SumEqual { set, set_key, joker, target, target_key } => {
                search.method = Method::SumEqual { set: *set, joker: joker.map(|(role, _)| role), target: *target };
                self.read_keys(&mut search.roles[*set], *set_key);
                self.read_keys(&mut search.roles[*target], *target_key);
                if let Some((role, key)) = joker {
                    self.read_keys(&mut search.roles[*role], *key);
                }
                search.count_sums(*set, joker.map(|(role, _)| role), *target);
            }
            SearchPlan::Walk(conditions) => self.walk(rules, base, action, conditions, search),
        }
        self.state.lists.truncate(lists);
    }

    /// Collects a role's candidates in order of their ids. False if there can be no move.
    fn gather(&mut self, rules: Rules, base: usize, action: &ActionInfo, index: usize, into: &mut Candidates) -> bool {
        let role = &action.roles[index];
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
        if let (Expr::ZoneList(zone), false) = (&role.from, role.dependent) {
            let zone = self.evaluate(rules, base, zone);
            into.ids.extend(self.state.board.pieces(zone).map(Value::from));
        } else {
            if role.dependent {
                // Candidates that depend on an earlier role are looked at one by one; see `walk`.
                return true;
            }
            let list = self.evaluate(rules, base, &role.from);
            let members = self.state.list(list);
            into.ids.extend_from_slice(members);
        }
        for filter in &role.filter {
            self.keep(rules, base, role.filter_slot, filter, &mut into.ids);
        }
        if !into.ids.is_sorted() {
            into.ids.sort_unstable();
        }
        into.ids.dedup();
        if !into.single && into.ids.len() > MOST_CANDIDATES {
            self.fault("more than 20 things stand for one choice of several: no one can look through them");
            return false;
        }
        into.optional || into.ids.len() as u32 >= into.least
    }

    fn keep(&mut self, rules: Rules, base: usize, slot: u16, filter: &Expr, ids: &mut Vec<Value>) {
        if let Expr::Not(inner) = filter
            && let Expr::HasMark { of, mark } = inner.as_ref()
            && matches!(of.as_ref(), Expr::Local(s) if *s == slot)
        {
            ids.retain(|id| !self.has_mark(*id, *mark));
            return;
        }
        ids.retain(|id| self.test(rules, base, slot, *id, filter));
    }

    #[inline]
    fn read_keys(&self, candidates: &mut Candidates, key: Key) {
        candidates.keys.clear();
        match key {
            Key::Itself => candidates.keys.extend_from_slice(&candidates.ids),
            Key::Field(field) => {
                let board = &self.state.board;
                candidates.keys.extend(candidates.ids.iter().map(|id| board.field(*id, field).unwrap_or(NONE)));
            }
        }
    }

    fn count_product(&mut self, action: &ActionInfo, search: &mut Search) {
        search.method = Method::Product;
        search.count = search.roles[..action.roles.len()].iter().map(Candidates::ways).product();
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
        if role.dependent {
            let list = self.evaluate(rules, base, &role.from);
            let mut ids = self.state.list(list).to_vec();
            for filter in &role.filter {
                self.keep(rules, base, role.filter_slot, filter, &mut ids);
            }
            ids.sort_unstable();
            search.roles[index].ids = ids;
        }
        let slot = action.context + index as u16;
        let candidates = search.roles[index].clone();
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
                chosen[index] = Chosen::Set(mask);
                self.walk_from(rules, base, action, conditions, search, index + 1, chosen, found);
            }
        }
        self.state.lists.truncate(lists);
    }
}

/// The members of a subset, in order.
pub fn members(ids: &[Value], mask: u32) -> impl Iterator<Item = Value> + '_ {
    ids.iter().enumerate().filter(move |(index, _)| mask >> index & 1 == 1).map(|(_, id)| *id)
}

impl Candidates {
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
                result = Some(Chosen::Set(mask));
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
        self.count = self.roles[left].keys.iter().map(|l| right_keys.iter().filter(|r| operator.holds(*l, **r)).count() as u64).sum();
    }

    /// All subset sums once; then each set has as many moves as there are targets that show its sum.
    fn count_sums(&mut self, set: usize, joker: Option<usize>, target: usize) {
        self.fill_sums(set);
        let highest = self.roles[target].keys.iter().copied().max().unwrap_or(0).clamp(0, MOST_KEY);
        self.histogram.clear();
        self.histogram.resize(highest as usize + 1, 0);
        for key in &self.roles[target].keys {
            if let Some(entry) = self.histogram.get_mut(*key as usize) {
                *entry += 1;
            }
        }
        let candidates = &self.roles[set];
        let at = |sum: i32| u64::from(self.histogram.get(sum as usize).copied().unwrap_or(0));
        let mut count = 0;
        for (mask, sum) in self.sums.iter().enumerate() {
            if !candidates.takes(mask as u32) {
                continue;
            }
            count += match joker {
                None => at(i32::from(*sum)),
                Some(joker) => self.roles[joker].keys.iter().map(|key| at(i32::from(*sum) + key)).sum(),
            };
        }
        self.count = count;
    }

    /// `sums[mask]` is the total of the candidates in the subset; too large ones stay at the highest number.
    fn fill_sums(&mut self, set: usize) {
        let keys = &self.roles[set].keys;
        self.sums.clear();
        self.sums.reserve(1 << keys.len());
        self.sums.push(0);
        for key in keys {
            let key = u16::try_from(*key).unwrap_or(u16::MAX);
            for mask in 0..self.sums.len() {
                self.sums.push(self.sums[mask].saturating_add(key));
            }
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
                chosen[set] = Chosen::Set(mask);
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

    /// The candidates of a role, in order.
    pub fn candidates(&self, role: usize) -> &[Value] {
        self.roles.get(role).map_or(&[], |role| &role.ids)
    }

    pub fn clear(&mut self) {
        self.count = 0;
        self.found.clear();
    }
}
