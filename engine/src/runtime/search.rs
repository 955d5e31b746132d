//! Counting and finding the legal moves of an action, without making a list of them.
//!
//! The order of moves is that of their arguments: the first role's candidates by id, a set's by size and then by ids,
//! within them the second role's, and so on. Every plan keeps to it, so that an index means the same move under each.

mod gather;
mod pairs;
mod sets;
mod sums;
#[cfg(test)]
mod tests;
mod walk;

use super::machine::{Machine, Rules};
use crate::program::MOST_ROLES;
use crate::program::{ActionInfo, Comparison, ConditionInfo, Filling, Joining, NONE, RoleAmount, RoleInfo, SearchPlan, Value};
use gather::Candidate;
pub use gather::{Candidates, Gathered};
pub use pairs::Pairs;
use pairs::{count_pairs, nth_pair};
pub use sets::Sets;
use sets::{MOST_THINGS, count_sets, nth_set, place_of_set};
pub use sums::Sums;
use sums::{count_equal, for_subsets, members, sum_of};

/// The most candidates of a role that is a set, where all its subsets are looked at.
pub const MOST_CANDIDATES: usize = 20;
/// Among the subsets of so many candidates a move is sought fast enough to be shown.
const FEW_CANDIDATES: usize = 10;
/// The most moves of one action that are written down for somebody who looks at them.
const MOST_WRITTEN_DOWN: u64 = 100_000;
/// Keys up to this are summed by a kernel; others are walked. All bits of it are set, see [`Candidates::key_bits`].
const MOST_KEY: u32 = (1 << 11) - 1;

/// One argument of a chosen move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    One(Value),
    /// A subset of the role's candidates, one bit each; `list` tells which candidates, see [`Search::members`].
    Set {
        mask: u64,
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

impl Machine {
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
            // What depends on an earlier role is looked up for each of its values; see `Walk`.
            if role.after > 0 {
                *filling = Filling { set: place as u16, ..Filling::default() };
            } else {
                *filling = self.filling(rules, base, role, place as u16);
                let candidates = &mut gathered.sets[place];
                if !known {
                    self.look_up(rules, base, role, candidates);
                }
                if !self.suffices(filling, candidates, most_candidates(&action.search)) {
                    self.state.lists.truncate(lists);
                    return;
                }
            }
        }
        self.count(rules, base, action, gathered, search);
        if self.is_seen() {
            search.write_down(gathered, action.roles.len());
        }
        self.state.lists.truncate(lists);
    }

    /// Counts the moves of an action whose candidates are gathered: by its kernel, or else one by one.
    fn count(&mut self, rules: Rules, base: usize, action: &ActionInfo, gathered: &mut Gathered, search: &mut Search) {
        search.method = Method::of(&action.search);
        if search.recount(gathered, action.roles.len()) {
            return;
        }
        match &action.search {
            SearchPlan::Product => {
                self.fault("an action has more moves than can be counted");
            }
            SearchPlan::Compare { .. } | SearchPlan::SumEqual { .. } => {
                let after = action.roles.len();
                let joining = |condition: &ConditionInfo| Joining { expr: condition.expr.clone(), after };
                let conditions: Vec<Joining> = action.conditions.iter().map(joining).collect();
                self.walk(rules, base, action, &conditions, gathered, search);
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
    fn suffices(&mut self, filling: &Filling, candidates: &Candidates, most: usize) -> bool {
        let count = candidates.all.len();
        if !filling.single && count > most {
            self.fault(&format!("more than {most} things stand for one choice of several: no one can look through them"));
            return false;
        }
        filling.optional || count as u32 >= filling.least
    }
}

/// The most candidates of a role that is a set, for a plan.
fn most_candidates(plan: &SearchPlan) -> usize {
    match plan {
        SearchPlan::Product => MOST_THINGS,
        SearchPlan::Compare { .. } | SearchPlan::SumEqual { .. } | SearchPlan::Walk(_) => MOST_CANDIDATES,
    }
}

impl Method {
    /// The kernel for a plan.
    fn of(plan: &SearchPlan) -> Method {
        match plan {
            SearchPlan::Product => Method::Product,
            SearchPlan::Compare { left, right, operator, .. } => {
                Method::Compare { left: *left, right: *right, operator: *operator }
            }
            SearchPlan::SumEqual { set, joker, target, .. } => {
                Method::SumEqual { set: *set, joker: joker.map(|(role, _)| role), target: *target }
            }
            SearchPlan::Walk(_) => Method::Found,
        }
    }
}

impl Search {
    #[inline]
    fn of<'a>(&self, gathered: &'a Gathered, role: usize) -> &'a Candidates {
        &gathered.sets[self.first + usize::from(self.roles[role].set)]
    }

    /// In how many ways a role can be filled; none if they are beyond counting.
    fn ways(&self, gathered: &Gathered, role: usize) -> Option<u64> {
        let filling = &self.roles[role];
        let n = self.of(gathered, role).all.len() as u64;
        match filling.single {
            true => Some(n + u64::from(filling.optional)),
            false => count_sets(n, u64::from(filling.least), u64::from(filling.most)),
        }
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
        let mask = nth_set(candidates.len() as u64, u64::from(filling.least), u64::from(filling.most), index)?;
        Some(Chosen::Set { mask, list: OF_ROLE })
    }

    /// Whether every way to fill a role goes with every way to fill the others.
    pub fn is_free(&self) -> bool {
        self.method == Method::Product
    }

    /// How a role is filled.
    pub fn filling(&self, role: usize) -> Filling {
        self.roles[role]
    }

    /// What may fill a role of a free search.
    pub fn candidates<'a>(&self, gathered: &'a Gathered, role: usize) -> impl Iterator<Item = Value> + 'a {
        self.of(gathered, role).all.iter().map(|candidate| candidate.id)
    }

    /// The index of a move of a free search, given for each role the places of what fills it among its candidates, in
    /// order; none if it cannot be filled so.
    pub fn index_of(&self, gathered: &Gathered, filled: &[Vec<usize>]) -> Option<u64> {
        let mut index = 0;
        for (role, places) in filled.iter().enumerate() {
            let filling = &self.roles[role];
            let way = match (filling.single, places.as_slice()) {
                (true, []) if filling.optional => 0,
                (true, [place]) => *place as u64 + u64::from(filling.optional),
                (true, _) => return None,
                (false, _) if !(filling.least as usize..=filling.most as usize).contains(&places.len()) => return None,
                (false, _) => {
                    let set = places.iter().fold(0, |set, place| set | 1u64 << place);
                    place_of_set(self.of(gathered, role).all.len() as u64, u64::from(filling.least), set)
                }
            };
            index = index * self.ways(gathered, role)? + way;
        }
        Some(index)
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
        let targets = self.of(gathered, target);
        let jokers = joker.map(|joker| self.of(gathered, joker).all.as_slice());
        count_equal(members, filling.least, &targets.all, targets.key_bits, jokers)
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

    /// Calls `visit` on every move in order, with its index, until it says that this is enough.
    pub fn each(&self, gathered: &Gathered, roles: usize, mut visit: impl FnMut(u64, &[Chosen; MOST_ROLES]) -> bool) {
        // One by one each would be sought from the first set on.
        if let Method::SumEqual { set, joker, target } = self.method {
            return self.each_sum(gathered, set, joker, target, visit);
        }
        let moves = (0..self.count).map_while(|index| Some((index, self.nth(gathered, index, roles)?)));
        let _ = moves.into_iter().any(|(index, chosen)| visit(index, &chosen));
    }

    /// The same for sets that sum to a target, perhaps with something that joins them.
    fn each_sum(
        &self,
        gathered: &Gathered,
        set: usize,
        joker: Option<usize>,
        target: usize,
        mut visit: impl FnMut(u64, &[Chosen; MOST_ROLES]) -> bool,
    ) {
        let mut chosen = [Chosen::One(NONE); MOST_ROLES];
        let mut index = 0;
        let (members, targets) = (&self.of(gathered, set).all, &self.of(gathered, target).all);
        self.for_sums(gathered, set, joker, target, |mask, third, hits| {
            if hits == 0 {
                return false;
            }
            let third = joker.zip(third).and_then(|(joker, third)| Some((joker, self.of(gathered, joker).all.get(third)?)));
            let sum = sum_of(members, mask) + third.map_or(0, |(_, third)| third.key);
            chosen[set] = Chosen::Set { mask: u64::from(mask), list: OF_ROLE };
            if let Some((joker, third)) = third {
                chosen[joker] = Chosen::One(third.id);
            }
            targets.iter().filter(|target| target.key == sum).any(|hit| {
                chosen[target] = Chosen::One(hit.id);
                index += 1;
                visit(index - 1, &chosen)
            })
        });
    }

    /// Writes the moves down where each would be sought among many sets, so that it is found at once.
    pub fn write_down(&mut self, gathered: &Gathered, roles: usize) {
        let Method::SumEqual { set, .. } = self.method else { return };
        if self.of(gathered, set).all.len() > FEW_CANDIDATES && self.count <= MOST_WRITTEN_DOWN {
            let mut moves = Vec::with_capacity(self.count as usize);
            self.each(gathered, roles, |_, chosen| {
                moves.push(*chosen);
                false
            });
            self.keep(moves);
        }
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
                    let ways = self.ways(gathered, role)?;
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
                let mut found = None;
                self.each_sum(gathered, set, joker, target, |place, sum| {
                    found = (place == index).then_some(*sum);
                    found.is_some()
                });
                return found;
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
        let (outer, inner) = nth_pair(outer, inner, operator, index)?;
        Some(if left < right { (outer, inner) } else { (inner, outer) })
    }

    /// Only these moves are left.
    pub fn keep(&mut self, kept: Vec<[Chosen; MOST_ROLES]>) {
        (self.count, self.method, self.found) = (kept.len() as u64, Method::Found, kept);
    }

    /// Takes the shape of an action whose roles are filled as is known, from the first sets that are gathered.
    pub fn lay_out(&mut self, action: &ActionInfo) {
        self.clear();
        (self.first, self.roles) = (0, action.fillings.unwrap_or_default());
        self.method = Method::of(&action.search);
    }

    /// Counts the moves anew; false if the candidates are such that the action must be looked at more closely.
    #[inline]
    pub fn recount(&mut self, gathered: &Gathered, roles: usize) -> bool {
        let counted = match self.method {
            Method::Compare { left, right, operator } => {
                Some(count_pairs(self.of(gathered, left), self.of(gathered, right), operator))
            }
            Method::SumEqual { set, joker, target } => {
                let fits = |role: usize| self.of(gathered, role).has_small_keys();
                let fit = fits(set) && fits(target) && joker.is_none_or(fits);
                let few = self.of(gathered, set).all.len() <= MOST_CANDIDATES;
                (fit && few).then(|| self.count_sums(gathered, set, joker, target))
            }
            Method::Product => {
                let few = |role: usize| self.roles[role].single || self.of(gathered, role).all.len() <= MOST_THINGS;
                let ways = |product: u64, role: usize| product.checked_mul(self.ways(gathered, role)?);
                if (0..roles).all(few) { (0..roles).try_fold(1u64, ways) } else { None }
            }
            Method::Found => None,
        };
        self.count = counted.unwrap_or(0);
        counted.is_some()
    }

    /// The things of a role's argument, in order.
    pub fn members<'a>(&'a self, gathered: &'a Gathered, role: usize, chosen: Chosen) -> impl Iterator<Item = Value> + 'a {
        let (all, listed, mask, one): (&[Candidate], &[Value], u64, Option<Value>) = match chosen {
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
