//! Actions without a shape that a kernel knows: every combination is tested.
//!
//! `index` is that of a role, and `set` the index of its candidates among those gathered. A condition that joins roles is tested
//! once `after` roles are filled.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::search::gather::{Candidate, CandidateSets};
use crate::runtime::eval::search::sets::nth_set;
use crate::runtime::eval::search::sums::subset_masks;
use crate::runtime::eval::search::{Chosen, LARGE_FREE, Method, OF_ROLE, Search, most_candidates};
use crate::runtime::limits::{MOST_LOOKED_AT, MOST_SEARCHED, WORK_OF_FOUND, WORK_OF_MOVE};
use ludex_program::{ActionInfo, JoiningCondition, MOST_ROLES, NONE, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;

/// A walk through all combinations, role by role. Candidates that depend on earlier roles are looked up, and conditions are
/// tested, as soon as those roles are filled.
struct Walk<'a> {
    action: &'a ActionInfo,
    conditions: &'a [JoiningCondition],
    gathered: &'a mut CandidateSets,
    search: &'a mut Search,
    /// The fillings of the roles so far.
    chosen: [Chosen; MOST_ROLES],
    /// For each role that is a set, the index of the list of its candidates, see [`Search::role_things`].
    lists: [u32; MOST_ROLES],
    found: Vec<[Chosen; MOST_ROLES]>,
}

impl Walk<'_> {
    /// The candidates of a role, by their index among those gathered.
    fn set_candidates(&self, set: usize) -> &[Candidate] {
        self.gathered.sets.get(set).map_or(&[], |candidates| candidates.all.as_slice())
    }
}

impl Eval {
    /// Lists the legal moves of an action by trying every combination. `conditions` are those that join roles.
    pub(super) fn walk_roles(
        &mut self,
        context: &Context,
        base: usize,
        action: &ActionInfo,
        conditions: &[JoiningCondition],
        gathered: &mut CandidateSets,
        search: &mut Search,
    ) {
        search.method = Method::Found;
        let found = std::mem::take(&mut search.found);
        let (chosen, lists) = ([Chosen::One(NONE); MOST_ROLES], [OF_ROLE; MOST_ROLES]);
        let mut walk = Walk { action, conditions, gathered, search, chosen, lists, found };
        if self.can_continue_walk(context, base, &mut walk, 0) {
            self.fill_walk_role(context, base, &mut walk, 0);
        }
        let found = walk.found;
        search.count = found.len() as u64;
        search.found = found;
    }

    /// Fills a role in every way, and continues from each.
    fn fill_walk_role(&mut self, context: &Context, base: usize, walk: &mut Walk, index: usize) {
        if index == walk.action.roles.len() {
            if walk.found.len() as u64 >= MOST_LOOKED_AT {
                self.too_many_moves(walk.action);
                return;
            }
            if !self.spend_on_search(walk.action.span, WORK_OF_FOUND) {
                return;
            }
            walk.found.push(walk.chosen);
            return;
        }
        let filling = walk.search.roles[index];
        let set = walk.search.first + usize::from(filling.set);
        if filling.single {
            if filling.optional {
                self.continue_walk(context, base, walk, index, Chosen::One(NONE), NONE);
            }
            let is_last = index + 1 == walk.action.roles.len();
            if is_last && self.takes_every_candidate(context, base, walk, index) {
                self.fill_last(walk, index, set);
                return;
            }
            let candidates = walk.set_candidates(set).len();
            if !self.spend_on_search(walk.action.span, candidates as u64 * 2) {
                return;
            }
            if is_last {
                self.try_last(context, base, walk, index, set);
                return;
            }
            for place in 0..candidates {
                let Some(id) = walk.set_candidates(set).get(place).map(|candidate| candidate.id) else { break };
                self.continue_walk(context, base, walk, index, Chosen::One(id), id);
            }
            return;
        }
        let things = walk.set_candidates(set).len();
        let all = subset_masks(things);
        if !self.spend_on_search(walk.action.span, all.len() as u64) {
            return;
        }
        for mask in all.iter().filter(|mask| filling.accepts_set(**mask)).map(|mask| u64::from(*mask)) {
            if !self.fill_with(context, base, walk, (index, set), mask) {
                return;
            }
        }
        // With more things there are few sets, because `has_enough_candidates` has checked that.
        if things > MOST_SEARCHED {
            let (things, least, most) = (things as u64, u64::from(filling.least), u64::from(filling.most));
            let mut place = 0;
            while let Some(mask) = nth_set(things, least, most, place)
                && self.fill_with(context, base, walk, (index, set), mask)
            {
                place += 1;
            }
        }
    }

    /// Fills a role with a set of candidates and continues; false if the budget is spent.
    fn fill_with(&mut self, context: &Context, base: usize, walk: &mut Walk, (role, set): (usize, usize), mask: u64) -> bool {
        if !self.spend_on_search(walk.action.span, WORK_OF_MOVE) {
            return false;
        }
        let lists = self.state.lists.len();
        let list = walk.gathered.sets[set].push_members(mask, &mut self.state.lists);
        self.continue_walk(context, base, walk, role, Chosen::Set { mask, list: walk.lists[role] }, list);
        self.state.lists.truncate(lists);
        self.fault.is_none()
    }

    /// Whether every candidate of the last role makes a move: no condition is left, or the known ones are enough.
    fn takes_every_candidate(&mut self, context: &Context, base: usize, walk: &Walk, index: usize) -> bool {
        walk.conditions.iter().all(|condition| condition.after <= index)
            || walk.action.enough.as_ref().is_some_and(|enough| self.evaluate_condition(context, base, enough))
    }

    /// Fills the last role if no condition on it is left.
    fn fill_last(&mut self, walk: &mut Walk, index: usize, set: usize) {
        if !self.spend_on_search(walk.action.span, walk.set_candidates(set).len() as u64 * WORK_OF_FOUND) {
            return;
        }
        let Walk { action, gathered, chosen, found, .. } = walk;
        found.extend(gathered.sets[set].all.iter().map(|candidate| {
            chosen[index] = Chosen::One(candidate.id);
            *chosen
        }));
        if found.len() as u64 > MOST_LOOKED_AT {
            self.too_many_moves(action);
        }
    }

    /// Tries each candidate of the last role.
    fn try_last(&mut self, context: &Context, base: usize, walk: &mut Walk, index: usize, set: usize) {
        let (lists, slot) = (self.state.lists.len(), walk.action.context + index as u16);
        let already = walk.found.len();
        let conditions = walk.conditions;
        for candidate in &walk.gathered.sets[set].all {
            self.set_slot(base, slot, candidate.id);
            let now = conditions.iter().filter(|condition| condition.after == index + 1);
            let fits = now.map(|condition| &condition.expr).all(|condition| self.evaluate_condition(context, base, condition));
            self.state.lists.truncate(lists);
            if self.fault.is_some() {
                return;
            }
            if fits {
                walk.chosen[index] = Chosen::One(candidate.id);
                walk.found.push(walk.chosen);
            }
        }
        self.spend_on_search(walk.action.span, (walk.found.len() - already) as u64 * WORK_OF_FOUND);
        if walk.found.len() as u64 > MOST_LOOKED_AT {
            self.too_many_moves(walk.action);
        }
    }

    #[cold]
    fn too_many_moves(&mut self, action: &ActionInfo) {
        let message = format!("`{}` has more than 100,000 moves, each of which must be tested", action.name);
        let problem = Problem::error(codes::TOO_MANY_MOVES, message).with_label(action.span, "too many moves");
        self.raise_with(problem.help(LARGE_FREE));
    }

    /// Continues with a role filled, if the conditions known by now allow it. `value` is the thing, or the list of things, for
    /// the role's slot.
    fn continue_walk(&mut self, context: &Context, base: usize, walk: &mut Walk, index: usize, chosen: Chosen, value: Value) {
        if self.fault.is_some() {
            return;
        }
        let lists = self.state.lists.len();
        self.set_slot(base, walk.action.context + index as u16, value);
        walk.chosen[index] = chosen;
        if self.can_continue_walk(context, base, walk, index + 1) {
            self.fill_walk_role(context, base, walk, index + 1);
        }
        self.state.lists.truncate(lists);
    }

    /// With `filled` roles filled: whether the conditions known by now hold, and whether there are enough candidates for the
    /// roles that can be looked up by now.
    fn can_continue_walk(&mut self, context: &Context, base: usize, walk: &mut Walk, filled: usize) -> bool {
        for condition in walk.conditions.iter().filter(|condition| condition.after == filled) {
            if !self.evaluate_condition(context, base, &condition.expr) {
                return false;
            }
        }
        if filled == 0 {
            return true;
        }
        for (index, role) in walk.action.roles.iter().enumerate().filter(|(_, role)| role.after == filled) {
            let place = walk.search.roles[index].set;
            let filling = self.evaluate_filling(context, base, role, place);
            let candidates = &mut walk.gathered.sets[walk.search.first + usize::from(place)];
            self.look_up_candidates(context, base, role, candidates);
            if !self.has_enough_candidates(&filling, candidates, walk.action, role, most_candidates(walk.action)) {
                return false;
            }
            walk.search.roles[index] = filling;
            if !filling.single {
                walk.lists[index] = walk.search.lists.len() as u32;
                walk.search.lists.push(candidates.all.iter().map(|candidate| candidate.id).collect());
            }
        }
        true
    }
}
