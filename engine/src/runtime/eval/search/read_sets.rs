//! Actions whose conditions can be evaluated by reading a role of several member by member. Their moves are counted without
//! testing sets.
//!
//! `automaton` reads the sets, and `ranks` counts and finds the moves. Its plan, the [`Aggregation`] of the action, is made by the
//! compiler.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::search::automaton::{SetReading, Unreadable};
use crate::runtime::eval::search::fillings::Fillings;
use crate::runtime::eval::search::gather::CandidateSets;
use crate::runtime::eval::search::ranks::Ranks;
use crate::runtime::eval::search::set_moves::SetMoves;
use crate::runtime::eval::search::sets::count_sets;
use crate::runtime::eval::search::{LARGE_SEARCH, Search, most_searched};
use crate::runtime::limits::{CELLS_PER_WORK, FEW_MOVES, MOST_COMBINED};
use ludex_program::{ActionInfo, Aggregation, NONE, Value};

impl Eval {
    /// Counts the moves of an action in this way; false if its sets are few, or must be tested after all.
    pub(super) fn read_sets(
        &mut self,
        context: &Context,
        base: usize,
        action: &ActionInfo,
        gathered: &CandidateSets,
        search: &mut Search,
    ) -> bool {
        let plan = action.aggregation.as_deref().filter(|plan| search.has_many_sets(gathered, action, plan));
        plan.is_some_and(|plan| self.read_any_sets(context, base, action, plan, gathered, search))
    }

    /// The same even for few sets.
    pub(super) fn read_any_sets(
        &mut self,
        context: &Context,
        base: usize,
        action: &ActionInfo,
        plan: &Aggregation,
        gathered: &CandidateSets,
        search: &mut Search,
    ) -> bool {
        let filling = search.roles[plan.set];
        let members: Vec<Value> = search.candidate_ids(gathered, plan.set).collect();
        let (least, most) = (filling.least as usize, (filling.most as usize).min(members.len()));
        let (fillings, ways_before) = search.other_fillings(gathered, action, plan);
        let reading = SetReading { context, base, action, plan, members: &members, fillings: &fillings, least, most };
        match self.rank_sets(&reading, ways_before) {
            Ok(ranks) => search.take_ranks(ranks),
            Err(Unreadable::Fault(fault)) => self.fault = Some(fault),
            Err(Unreadable::TooMuch) => {
                let most = most_searched(&action.search, &filling);
                if members.len() <= most {
                    return false;
                }
                self.too_many_things(action, &action.roles[plan.set], members.len(), most, LARGE_SEARCH);
            }
        }
        true
    }

    /// Computes the tables of the moves. `ways_before` is the number of ways to fill the roles before the set.
    fn rank_sets(&mut self, reading: &SetReading, ways_before: usize) -> Result<Ranks, Unreadable> {
        if reading.fillings.filling_count() > MOST_COMBINED {
            return Err(Unreadable::TooMuch);
        }
        let tracks = self.build_tracks(reading)?;
        let ranks = Ranks::new(SetMoves::from_tracks(reading, ways_before, tracks)).ok_or(Unreadable::TooMuch)?;
        match self.spend_on_search(reading.action.span, ranks.count_cells() as u64 / CELLS_PER_WORK) {
            true => Ok(ranks),
            false => Err(self.fault.take().map_or(Unreadable::TooMuch, Unreadable::Fault)),
        }
    }
}

impl Search {
    /// Whether there are more combinations than are quickly tested one by one.
    fn has_many_sets(&self, gathered: &CandidateSets, action: &ActionInfo, plan: &Aggregation) -> bool {
        let filling = &self.roles[plan.set];
        let others = other_roles(action, plan).map(|role| self.count_ways(gathered, role)).fold(1, u64::saturating_mul);
        let sets = count_sets(self.candidate_ids(gathered, plan.set).count() as u64, filling.least.into(), filling.most.into());
        sets.is_none_or(|sets| sets.saturating_mul(others) > FEW_MOVES)
    }

    /// All fillings of the roles beside the role of several, and the number of fillings of those before it.
    fn other_fillings(&self, gathered: &CandidateSets, action: &ActionInfo, plan: &Aggregation) -> (Fillings, usize) {
        let mut fillings = Fillings::default();
        let mut ways_before = 1;
        for role in other_roles(action, plan) {
            let nothing = self.roles[role].optional.then_some(NONE);
            fillings.add_role(role, nothing.into_iter().chain(self.candidate_ids(gathered, role)).collect(), Vec::new());
            if role < plan.set {
                ways_before = fillings.filling_count();
            }
        }
        (fillings, ways_before)
    }
}

/// The roles beside the role of several.
fn other_roles(action: &ActionInfo, plan: &Aggregation) -> impl Iterator<Item = usize> {
    let set = plan.set;
    (0..action.roles.len()).filter(move |role| *role != set)
}
