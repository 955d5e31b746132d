//! Actions without a shape that a kernel knows: every combination is tested.

use super::gather::Gathered;
use super::sums::{for_subsets, members};
use super::{Chosen, MOST_CANDIDATES, Method, OF_ROLE, Search};
use crate::program::{ActionInfo, Expr, MOST_ROLES, NONE};
use crate::runtime::machine::{Machine, Rules};

impl Machine {
    /// Tests every combination, role by role, so that later roles may depend on earlier ones.
    pub(super) fn walk(
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
            if !self.suffices(&search.roles[index], candidates, MOST_CANDIDATES) {
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
                    masks.push(u64::from(mask));
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
