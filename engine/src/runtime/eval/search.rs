//! Counting and finding the legal moves of an action, without making a list of them.
//!
//! Moves are ordered by their arguments: the first role's candidates by id, a set's by size and then by ids, within them the
//! second role's, and so on. Every plan follows this order, so that an index means the same move under each.
//!
//! A *role* of an action is filled by one of its *candidates*, or by a set of them. Candidates are *gathered* first, in sets that
//! actions may share ([`CandidateSets`]). A *kernel* counts the moves of an action with a frequent form of condition by arithmetic
//! on numbers (*keys*) of candidates. Sets of many candidates are found by *rank*, with tables. Otherwise every combination is
//! tested, and the legal moves are listed. [`Eval::count_moves`] chooses, for each action of a question or of `can`.

mod automaton;
mod fillings;
mod gather;
mod large;
mod members;
mod pairing;
mod pairs;
mod ranks;
mod reach;
mod read_sets;
mod set_moves;
mod sets;
mod sums;
#[cfg(test)]
mod tests;
mod track;
mod walk;

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::limits::{
    CELLS_PER_WORK, MOST_CELLS, MOST_FREE, MOST_LOOKED_AT, MOST_NUMBERED, MOST_SEARCHED, MOST_SETS_SEARCHED, MOST_SUMMED,
    PAIRS_PER_WORK, SUMS_PER_WORK,
};
use gather::Candidate;
pub use gather::{CandidateSets, Candidates};
pub use large::MoveIndex;
use ludex_program::{
    ActionInfo, ConditionInfo, Expr, Filling, JoiningCondition, MOST_ROLES, NONE, RoleAmount, RoleInfo, SearchPlan, Value,
};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use pairing::PairTable;
pub use pairs::Pairs;
pub use ranks::Ranks;
pub use set_moves::SetMoves;
pub use sets::SubsetKernel;
use sets::{count_sets, nth_set};
pub use sums::SumSets;
use sums::{SumKernel, SumMove, SumRoles, subset_members};

/// Maximum number of candidates for which a move is found among the subsets fast enough to be shown.
const FEW_CANDIDATES: usize = 10;
/// Keys up to this are summed by a kernel; others are walked. All its bits are set, see [`Candidates::key_bits`].
const MOST_KEY: u32 = (1 << 11) - 1;

/// One argument of a chosen move: the filling of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    One(Value),
    /// A subset of the role's candidates, one bit each. `list` selects the candidates, see [`Search::role_things`].
    Set {
        mask: u64,
        list: u32,
    },
    /// All things of a list.
    Listed(u32),
    /// The set of the move with this index, found on demand.
    Ranked(u64),
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
    /// The candidate set and the size limits of each role.
    roles: [Filling; MOST_ROLES],
    /// Index of the first of the sets that the fillings refer to.
    first: usize,
    method: Method,
    /// For plans without structure: every legal combination. For moves found by rank: the first ones.
    found: Vec<[Chosen; MOST_ROLES]>,
    /// The candidates of sets that depend on an earlier role, one list for each of its values; or sets themselves.
    lists: Vec<Vec<Value>>,
    /// For two roles whose conditions are evaluated for all candidates of the second at once: the matching pairs.
    pairing: PairTable,
    /// For sets of many candidates: the tables that find each move.
    ranks: Option<Box<Ranks>>,
}

/// The way in which the moves are counted and found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Method {
    #[default]
    Product,
    /// Pairs whose keys compare.
    Compare(Pairs),
    /// Sets with the sum that another thing has as its key.
    SumEqual(SumRoles),
    /// Pairs in the table `pairing`.
    Paired,
    /// Sets that are found by rank.
    Ranked,
    /// Moves that were tested, listed in `found`.
    Found,
}

impl Eval {
    /// Counts the moves of an action. The slots at `base` hold its bound values; those of its roles are free to use. `gathered`
    /// gets the candidates, and `search` the moves.
    pub fn count_moves(
        &mut self,
        context: &Context,
        base: usize,
        action: &ActionInfo,
        gathered: &mut CandidateSets,
        search: &mut Search,
    ) {
        search.clear();
        search.first = 0;
        if !self.spend_work(1) {
            return;
        }
        for guard in &action.guard {
            if self.evaluate(context, base, guard) == 0 {
                return;
            }
        }
        let lists = self.state.lists.len();
        // Ranges of numbers come first, because they are fast. If one is empty, nothing else is looked up.
        let is_number = |role: &RoleInfo| matches!(role.from, Expr::Range(..));
        let numbers = action.roles.iter().enumerate().filter(|(_, role)| is_number(role));
        for (index, role) in numbers.chain(action.roles.iter().enumerate().filter(|(_, role)| !is_number(role))) {
            let filling = &mut search.roles[index];
            let (place, known) = gathered.claim_set(role.shared);
            // The candidates of a role that depends on an earlier one are looked up for each of its values; see `Walk`.
            if role.after > 0 {
                *filling = Filling { set: place as u16, ..Filling::default() };
            } else {
                *filling = self.evaluate_filling(context, base, role, place as u16);
                let Some(candidates) = gathered.sets.get_mut(place) else { return };
                if !known {
                    self.look_up_candidates(context, base, role, candidates);
                }
                if !self.has_enough_candidates(filling, candidates, action, role, most_candidates(action)) {
                    self.state.lists.truncate(lists);
                    return;
                }
            }
        }
        search.method = Method::for_plan(&action.search);
        if self.spend_on_search(action.span, search.kernel_work(gathered)) {
            self.count_gathered(context, base, action, gathered, search);
        }
        if self.is_seen() {
            search.materialize(gathered, action.roles.len());
        }
        self.state.lists.truncate(lists);
    }

    /// Counts the moves of an action whose candidates are gathered: by its kernel, or else one by one.
    fn count_gathered(
        &mut self,
        context: &Context,
        base: usize,
        action: &ActionInfo,
        gathered: &mut CandidateSets,
        search: &mut Search,
    ) {
        if search.recount_moves(gathered, action.roles.len()) {
            return;
        }
        match &action.search {
            SearchPlan::SumEqual { .. } if self.rank_large_sum(action, gathered, search) => {}
            SearchPlan::Product | SearchPlan::Compare { .. } | SearchPlan::SumEqual { .. } => {
                let after = action.roles.len();
                let joining = |condition: &ConditionInfo| JoiningCondition { expr: condition.expr.clone(), after };
                let conditions: Vec<JoiningCondition> = action.conditions.iter().map(joining).collect();
                self.walk_roles(context, base, action, &conditions, gathered, search);
            }
            SearchPlan::Walk(_) if self.find_pairs(context, base, action, gathered, search) => {}
            SearchPlan::Walk(_) if self.read_sets(context, base, action, gathered, search) => {}
            SearchPlan::Walk(conditions) => self.walk_roles(context, base, action, conditions, gathered, search),
        }
    }

    /// Counts the work of a search; false if it exceeds the budget, which is reported at the action.
    pub(super) fn spend_on_search(&mut self, action: Span, work: u64) -> bool {
        self.spend_work(work) || self.search_is_too_much(action)
    }

    /// Adds the action to the fault. Always returns false.
    #[cold]
    fn search_is_too_much(&mut self, action: Span) -> bool {
        if let Some(fault) = &mut self.fault
            && fault.labels.is_empty()
        {
            fault.labels.push((action, "too many candidates to search".to_string()));
            fault.help = Some(
                "use a `where` in a role to leave fewer things to choose from, or ask for one thing after another".to_string(),
            );
        }
        false
    }

    /// Counts sums over too many candidates for a search; false if there are few enough to search.
    fn rank_large_sum(&mut self, action: &ActionInfo, gathered: &CandidateSets, search: &mut Search) -> bool {
        let Method::SumEqual(roles) = search.method else { return false };
        let candidates = search.candidate_set(gathered, roles.set).all.len();
        if candidates <= MOST_SEARCHED {
            return false;
        }
        if !search.rank_sums(gathered, roles) {
            self.too_many_things(action, &action.roles[roles.set], candidates, MOST_SEARCHED, LARGE_SUMS);
        }
        true
    }

    /// The number of things that a role takes at this moment.
    #[inline(always)]
    fn evaluate_filling(&mut self, context: &Context, base: usize, role: &RoleInfo, set: u16) -> Filling {
        let (single, optional, least, most) = match &role.amount {
            RoleAmount::One => (true, false, 1, 1),
            RoleAmount::OneOrNone => (true, true, 0, 1),
            RoleAmount::Some(least, most) => {
                let least = self.evaluate(context, base, least).max(0) as u32;
                let most = most.as_ref().map_or(u32::MAX, |most| self.evaluate(context, base, most).max(0) as u32);
                (false, false, least, most)
            }
        };
        Filling { set, single, optional, least, most }
    }

    /// Whether there are enough candidates for a role, and not too many to search. Too many are a fault, with this help.
    #[inline]
    fn has_enough_candidates(
        &mut self,
        filling: &Filling,
        candidates: &Candidates,
        action: &ActionInfo,
        role: &RoleInfo,
        (most, help): (usize, &'static str),
    ) -> bool {
        let count = candidates.all.len();
        let most = if filling.single || count <= most { count } else { most.max(most_searched(&action.search, filling)) };
        if count > most {
            self.too_many_things(action, role, count, most, help);
            return false;
        }
        filling.optional || count as u32 >= filling.least
    }

    /// Raises the fault for too many candidates of a role that is a set.
    #[cold]
    fn too_many_things(&mut self, action: &ActionInfo, role: &RoleInfo, count: usize, most: usize, help: &'static str) {
        let message =
            format!("`{}` of `{}` has {count} things to choose from, but at most {most} are allowed", role.name, action.name);
        self.raise_with(
            Problem::error(codes::TOO_MANY_MOVES, message).with_label(action.span, "too many possible sets").help(help),
        );
    }
}

/// The help for too many things in a role of several without conditions.
pub(super) const LARGE_FREE: &str = "use a `where` to leave fewer things to choose from, or ask for some of them first";
/// The same if all sets are tested.
const LARGE_SEARCH: &str = "use a `where` to leave fewer things; more are allowed if few are chosen, as in `dice: 1 to 3 in …`, \
    or if conditions only ask for a sum, a count, the highest or lowest, the first, or whether all or any of them match";
/// The same for sums that cannot be counted by a table.
const LARGE_SUMS: &str = "with more things, only sums of numbers that are at least 0 are counted, up to a sum of about 350; \
    use a `where` to leave fewer things to choose from";

/// Maximum number of candidates of a role that is a set, for a plan, and the help for larger numbers.
fn most_candidates(action: &ActionInfo) -> (usize, &'static str) {
    match &action.search {
        // Fewer candidates may be too many to read, too; see `Eval::read_sets`.
        SearchPlan::Walk(_) if action.aggregation.is_some() => (MOST_FREE, LARGE_FREE),
        SearchPlan::Product => (MOST_FREE, LARGE_FREE),
        SearchPlan::SumEqual { .. } => (MOST_SUMMED, LARGE_FREE),
        SearchPlan::Compare { .. } | SearchPlan::Walk(_) => (MOST_SEARCHED, LARGE_SEARCH),
    }
}

/// Maximum number of candidates for which each set in a role can be tested, if the plan does that.
fn most_searched(plan: &SearchPlan, filling: &Filling) -> usize {
    let sets = |things: usize| count_sets(things as u64, u64::from(filling.least), u64::from(filling.most));
    let can_be = |things: &usize| sets(*things).is_some_and(|sets| sets <= MOST_SETS_SEARCHED);
    let is_walk = matches!(plan, SearchPlan::Walk(_));
    (MOST_SEARCHED..=MOST_FREE).rev().find(|things| is_walk && can_be(things)).unwrap_or(MOST_SEARCHED)
}

impl SumRoles {
    /// Returns the role fillings of a move.
    fn fill_sum_roles(self, found: &SumMove) -> [Chosen; MOST_ROLES] {
        let mut chosen = [Chosen::One(NONE); MOST_ROLES];
        chosen[self.set] = Chosen::Set { mask: u64::from(found.mask), list: OF_ROLE };
        chosen[self.target] = Chosen::One(found.target);
        if let Some((role, joker)) = self.joker.zip(found.joker) {
            chosen[role] = Chosen::One(joker.id);
        }
        chosen
    }
}

impl Method {
    /// The kernel for a plan.
    fn for_plan(plan: &SearchPlan) -> Method {
        match plan {
            SearchPlan::Product => Method::Product,
            SearchPlan::Compare { left, right, operator, .. } => Method::Compare(Pairs::of_roles(*left, *right, *operator)),
            SearchPlan::SumEqual { set, joker, target, .. } => {
                Method::SumEqual(SumRoles { set: *set, joker: joker.map(|(role, _)| role), target: *target })
            }
            SearchPlan::Walk(_) => Method::Found,
        }
    }
}

/// The work of looking for sums of sets: by testing each set, or with a table of sums.
pub fn sums_work(things: u64, jokers: u64, targets: u64) -> u64 {
    let pairs = jokers.max(1).saturating_mul(targets.max(1));
    match things <= MOST_SEARCHED as u64 {
        true => (1u64 << things).saturating_mul(pairs) / SUMS_PER_WORK,
        false => things.saturating_mul(MOST_CELLS as u64).saturating_add(pairs) / CELLS_PER_WORK,
    }
}

impl Search {
    /// Index of the gathered set that holds the candidates of a role.
    #[inline]
    fn set_index(&self, role: usize) -> usize {
        self.first + usize::from(self.roles[role].set)
    }

    #[inline]
    fn candidate_set<'a>(&self, gathered: &'a CandidateSets, role: usize) -> &'a Candidates {
        &gathered.sets[self.set_index(role)]
    }

    /// The work of counting the kernel's moves or finding one, once the candidates are gathered.
    pub fn kernel_work(&self, gathered: &CandidateSets) -> u64 {
        let things = |role: usize| self.candidate_set(gathered, role).all.len() as u64;
        match self.method {
            Method::Compare(Pairs { outer, inner, .. }) => things(outer).saturating_mul(things(inner)) / PAIRS_PER_WORK,
            Method::SumEqual(SumRoles { set, joker, target }) => sums_work(things(set), joker.map_or(1, things), things(target)),
            Method::Product | Method::Paired | Method::Ranked | Method::Found => 0,
        }
    }

    /// Number of ways to fill a role, as far as they are numbered.
    fn count_ways(&self, gathered: &CandidateSets, role: usize) -> u64 {
        let filling = &self.roles[role];
        let n = self.candidate_set(gathered, role).all.len() as u64;
        let ways = match filling.single {
            true => Some(n + u64::from(filling.optional)),
            false => count_sets(n, u64::from(filling.least), u64::from(filling.most)),
        };
        ways.map_or(MOST_NUMBERED, |ways| ways.min(MOST_NUMBERED))
    }

    /// The `index`-th way to fill a role.
    fn nth_way(&self, gathered: &CandidateSets, role: usize, index: u64) -> Option<Chosen> {
        let (filling, candidates) = (&self.roles[role], &self.candidate_set(gathered, role).all);
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

    /// Whether the roles are independent.
    pub fn is_free(&self) -> bool {
        self.method == Method::Product
    }

    /// Whether the candidates of each role are the same in every move.
    pub fn has_candidates(&self) -> bool {
        self.method != Method::Found
    }

    /// The filling of a role.
    pub fn role_filling(&self, role: usize) -> Filling {
        self.roles[role]
    }

    /// The candidates of a role, if they are the same in every move.
    pub fn candidate_ids<'a>(&self, gathered: &'a CandidateSets, role: usize) -> impl Iterator<Item = Value> + 'a {
        self.candidate_set(gathered, role).all.iter().map(|candidate| candidate.id)
    }

    /// The kernel for the sums of a set.
    fn sum_kernel<'a>(&self, gathered: &'a CandidateSets, SumRoles { set, joker, target }: SumRoles) -> SumKernel<'a> {
        let of = |role: usize| self.candidate_set(gathered, role);
        let Filling { least, most, .. } = self.roles[set];
        SumKernel { set: of(set), jokers: joker.map(of), targets: of(target), least, most }
    }

    /// Calls `visit` on every move in order, with its index, until it returns true.
    pub fn visit_moves(&self, gathered: &CandidateSets, roles: usize, mut visit: impl FnMut(u64, &[Chosen; MOST_ROLES]) -> bool) {
        // Finding them by index would start from the first set each time.
        if let Method::SumEqual(roles) = self.method {
            let mut index = 0;
            self.sum_kernel(gathered, roles).find_sum(|found| {
                index += 1;
                visit(index - 1, &roles.fill_sum_roles(found))
            });
            return;
        }
        if self.method == Method::Found {
            let _ = self.found.iter().enumerate().any(|(index, chosen)| visit(index as u64, chosen));
            return;
        }
        if let Some(pairs) = self.paired_moves(gathered) {
            let (mut index, mut chosen) = (0, [Chosen::One(NONE); MOST_ROLES]);
            for (first, row) in pairs.matching_rows() {
                chosen[0] = Chosen::One(first.id);
                for second in row.flatten() {
                    chosen[1] = Chosen::One(pairs.second[second].id);
                    if visit(index, &chosen) {
                        return;
                    }
                    index += 1;
                }
            }
            return;
        }
        let moves = (0..self.count).map_while(|index| Some((index, self.nth_move(gathered, index, roles)?)));
        let _ = moves.into_iter().any(|(index, chosen)| visit(index, &chosen));
    }

    /// Lists moves that would be searched for among many sets, so that each is found at once.
    pub fn materialize(&mut self, gathered: &CandidateSets, roles: usize) {
        let Method::SumEqual(SumRoles { set, .. }) = self.method else { return };
        if self.candidate_set(gathered, set).all.len() > FEW_CANDIDATES && self.count <= MOST_LOOKED_AT {
            self.keep_moves(self.all_moves(gathered, roles));
        }
    }

    /// All moves in order.
    fn all_moves(&self, gathered: &CandidateSets, roles: usize) -> Vec<[Chosen; MOST_ROLES]> {
        let mut moves = Vec::with_capacity(self.count as usize);
        self.visit_moves(gathered, roles, |_, chosen| {
            moves.push(*chosen);
            false
        });
        moves
    }

    /// The arguments of the `index`-th move.
    pub fn nth_move(&self, gathered: &CandidateSets, index: u64, roles: usize) -> Option<[Chosen; MOST_ROLES]> {
        if index >= self.count {
            return None;
        }
        let mut chosen = [Chosen::One(NONE); MOST_ROLES];
        match self.method {
            Method::Found => return self.found.get(index as usize).copied(),
            Method::Product => {
                let mut rest = index;
                for role in (0..roles).rev() {
                    let ways = self.count_ways(gathered, role);
                    chosen[role] = self.nth_way(gathered, role, rest % ways)?;
                    rest /= ways;
                }
            }
            Method::Compare(pairs) => {
                let (outer, inner) = pairs.nth_pair(
                    self.candidate_set(gathered, pairs.outer),
                    self.candidate_set(gathered, pairs.inner),
                    index,
                )?;
                chosen[pairs.outer] = Chosen::One(outer);
                chosen[pairs.inner] = Chosen::One(inner);
            }
            Method::Paired => {
                let (first, second) = self.pairing.nth_pair(index)?;
                chosen[0] = Chosen::One(self.candidate_set(gathered, 0).all.get(first)?.id);
                chosen[1] = Chosen::One(self.candidate_set(gathered, 1).all.get(second)?.id);
            }
            Method::Ranked => return self.nth_ranked(index),
            Method::SumEqual(roles) => {
                return self.sum_kernel(gathered, roles).nth_sum(index).map(|found| roles.fill_sum_roles(&found));
            }
        }
        Some(chosen)
    }

    /// Keeps only these moves.
    pub fn keep_moves(&mut self, kept: Vec<[Chosen; MOST_ROLES]>) {
        (self.count, self.method, self.found, self.ranks) = (kept.len() as u64, Method::Found, kept, None);
    }

    /// Takes the layout of an action whose fillings are constant, starting from the first gathered set.
    pub fn lay_out(&mut self, action: &ActionInfo) {
        self.clear();
        (self.first, self.roles) = (0, action.fillings.unwrap_or_default());
        self.method = Method::for_plan(&action.search);
    }

    /// Counts the moves again; false if the candidates require a more detailed search.
    #[inline]
    pub fn recount_moves(&mut self, gathered: &CandidateSets, roles: usize) -> bool {
        let counted = match self.method {
            Method::Compare(pairs) => {
                Some(pairs.count_pairs(self.candidate_set(gathered, pairs.outer), self.candidate_set(gathered, pairs.inner)))
            }
            Method::SumEqual(roles) => self.sum_kernel(gathered, roles).count_sums(),
            Method::Product => {
                let few = |role: usize| self.roles[role].single || self.candidate_set(gathered, role).all.len() <= MOST_FREE;
                let ways = |product: u64, role: usize| product.saturating_mul(self.count_ways(gathered, role)).min(MOST_NUMBERED);
                (0..roles).all(few).then(|| (0..roles).fold(1u64, ways))
            }
            Method::Paired | Method::Found | Method::Ranked => None,
        };
        self.count = counted.unwrap_or(0);
        counted.is_some()
    }

    /// The things of a role's argument, in order.
    pub fn role_things<'a>(
        &'a self,
        gathered: &'a CandidateSets,
        role: usize,
        chosen: Chosen,
    ) -> impl Iterator<Item = Value> + 'a {
        let list = |list: u32| self.lists.get(list as usize).map_or(&[][..], Vec::as_slice);
        let (mut all, mut listed, mut mask, mut whole, mut one): (&[Candidate], &[Value], u64, &[Value], Option<Value>) =
            (&[], &[], 0, &[], None);
        let mut ranked = Vec::new();
        match chosen {
            Chosen::One(value) => one = Some(value),
            Chosen::Set { mask: members, list: OF_ROLE } => (all, mask) = (&self.candidate_set(gathered, role).all, members),
            Chosen::Set { mask: members, list: of } => (listed, mask) = (list(of), members),
            Chosen::Listed(of) => whole = list(of),
            Chosen::Ranked(index) => ranked = self.ranked_set(index),
        }
        let of_role = subset_members(all, mask).map(|candidate| candidate.id);
        one.into_iter().chain(of_role).chain(subset_members(listed, mask).chain(whole).copied()).chain(ranked)
    }

    fn clear(&mut self) {
        self.count = 0;
        if matches!(self.method, Method::Paired | Method::Found | Method::Ranked) {
            self.found.clear();
            self.lists.clear();
            self.ranks = None;
            self.method = Method::Product;
        }
    }
}
