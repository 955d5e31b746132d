//! A question with its possible answers, counted when it is asked. Options are made only on request.
//!
//! Options are counted in *groups*: one for each action or offer, then one for passing. The *bound values* of a group are the first
//! slots of its action or offer: the arguments of the family or hook, then `me` and `holder` of an ability. A family is *plain* if
//! its actions share all candidates and the sizes of their sets are constant; the groups of its actions are kept from one question
//! to the next. `place` is the index of a group. `flow` asks questions, and searches for a move (`can`) use them, too.

use crate::runtime::context::{Context, Listener};
use crate::runtime::decision::{Answers, Choice, Decision, Form};
use crate::runtime::eval::meter::Meter;
use crate::runtime::eval::narrowing::Narrowing;
use crate::runtime::eval::search::{CandidateSets, Chosen, Search};
use crate::runtime::state::NOWHERE;
use ludex_program::{ActionId, FamilyId, MOST_ROLES, NONE, RoleAmount, Shape, Value};

/// A question and its options, in groups.
#[derive(Debug, Default)]
pub struct Question {
    /// The seat that is asked.
    pub side: usize,
    pub form: QuestionForm,
    groups: Vec<Group>,
    /// Number of groups in use.
    used: usize,
    /// The plain family whose actions form the first groups, kept from one question to the next.
    laid_out: Option<FamilyId>,
    /// Number of these groups.
    kept: usize,
    /// The candidates of all groups.
    pub gathered: CandidateSets,
    /// The values that actions and offers depend on: the arguments of families and hooks, owners of abilities.
    contexts: Vec<Value>,
    /// The range of the bound values for the next groups.
    bound: (u32, u32),
    /// Number of options, or of things to choose from.
    pub count: u64,
    /// Number of moves that `must choose` obliges to.
    pub obliged: u64,
    /// The things to choose from, for choices among things.
    pub items: Vec<Value>,
    pub item_shape: Option<Shape>,
    /// The possible answers depend on hidden information.
    pub veiled: bool,
    /// The answer is not announced to anyone else.
    pub private: bool,
    /// It is asked even if there is only one answer.
    pub even_when_forced: bool,
    /// There is nothing to answer, so passing is the only answer.
    only_pass: bool,
    /// Passing means having nothing to choose, which is hidden from the others.
    pub passes_unseen: bool,
    /// Choosing nothing is allowed, too: no things, no number, no order, no amounts.
    pub may_pass: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QuestionForm {
    /// Moves, offers and passing.
    #[default]
    Options,
    /// One of [`Question::items`].
    OneItem,
    /// Yes, which is the first option, or no.
    YesNo,
    /// This form, which is never [`Form::One`].
    Of(Form),
}

impl QuestionForm {
    /// Whether the answer is a list.
    pub fn gives_list(self) -> bool {
        matches!(self, QuestionForm::Of(form) if form.gives_list())
    }
}

/// Options of one action or offer, or passing.
#[derive(Debug, Default)]
pub struct Group {
    pub kind: GroupKind,
    pub action: ActionId,
    /// For an offer: its clause.
    pub clause: u16,
    /// The ability in play that grants or offers it, or [`NOWHERE`].
    pub instance: u16,
    /// The range of its bound values in the question's.
    bound: (u32, u32),
    /// Number of roles of the action.
    pub roles: usize,
    pub search: Search,
    pub count: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupKind {
    #[default]
    Pass,
    /// An action of the rules.
    Action,
    /// An action that an ability grants.
    Grant,
    /// An offer with an action that declares its targets.
    OfferWithTargets,
    Offer,
}

impl Group {
    /// Whether both hold moves of one action or offer.
    pub fn has_same_action(&self, other: &Group) -> bool {
        let of = |group: &Group| (group.kind, group.action, group.clause, group.instance, group.bound);
        of(self) == of(other)
    }

    /// The listener whose offer this is; `None` for moves and passing.
    pub fn offer_listener(&self) -> Option<Listener> {
        matches!(self.kind, GroupKind::Offer | GroupKind::OfferWithTargets)
            .then_some(Listener { clause: self.clause, instance: self.instance })
    }
}

impl Question {
    /// Clears the question for a new one. The layout of a plain family is kept.
    pub fn begin_question(&mut self, side: usize, form: QuestionForm) {
        self.side = side;
        self.form = form;
        self.used = 0;
        self.gathered.clear();
        self.contexts.clear();
        self.count = 0;
        self.obliged = 0;
        self.items.clear();
        self.may_pass = false;
        (self.veiled, self.even_when_forced, self.private) = (false, false, false);
        (self.only_pass, self.passes_unseen) = (false, false);
    }

    /// Whether it is numbered and announced, however few answers there are.
    pub fn is_always_announced(&self) -> bool {
        self.veiled || self.even_when_forced
    }

    /// Makes passing the only answer, because there is nothing to answer.
    pub fn allow_only_pass(&mut self) {
        self.only_pass = true;
        match self.form {
            QuestionForm::Options => self.add_pass(),
            QuestionForm::OneItem => {
                self.items = vec![NONE];
                self.count = 1;
            }
            QuestionForm::YesNo => {}
            QuestionForm::Of(form) => {
                self.items.clear();
                self.form = QuestionForm::Of(form.without_options());
                (self.count, self.may_pass) = (0, true);
            }
        }
    }

    /// Sets the things to choose from.
    pub fn set_items(&mut self, items: Vec<Value>, shape: &Shape) {
        self.count = items.len() as u64;
        self.items = items;
        self.item_shape = Some(shape.clone());
    }

    /// Stores bound values for the groups that follow.
    #[inline]
    pub fn begin_context(&mut self, bound: &[Value]) {
        let start = self.contexts.len();
        self.contexts.extend_from_slice(bound);
        self.bound = (start as u32, self.contexts.len() as u32);
    }

    /// The bound values for the groups that follow.
    #[inline]
    pub fn bound_values(&self) -> &[Value] {
        &self.contexts[self.bound.0 as usize..self.bound.1 as usize]
    }

    /// The bound values of a group's action or offer.
    #[inline]
    pub fn context_of(&self, group: &Group) -> &[Value] {
        self.contexts.get(group.bound.0 as usize..group.bound.1 as usize).unwrap_or(&[])
    }

    /// Starts a group with the current bound values, and returns it with the candidates that groups may share.
    #[inline(always)]
    pub fn next_group(&mut self, kind: GroupKind) -> (&mut Group, &mut CandidateSets) {
        if self.groups.len() == self.used {
            self.groups.push(Group::default());
        }
        // The groups of a plain family are kept only as long as other groups come after them.
        if self.used < self.kept {
            (self.laid_out, self.kept) = (None, 0);
        }
        let group = &mut self.groups[self.used];
        self.used += 1;
        (group.kind, group.instance, group.roles, group.bound) = (kind, NOWHERE, 0, self.bound);
        (group, &mut self.gathered)
    }

    /// Counts the moves of a plain family whose candidates have been gathered, as the first groups of the question. False if one
    /// of its actions needs a more detailed search.
    #[inline]
    pub fn count_plain(&mut self, context: &Context, family: FamilyId, meter: &mut Meter) -> bool {
        if self.used > 0 {
            return false;
        }
        let stand = meter.work_so_far();
        let counted = self.recount_plain(context, family, meter);
        if !counted {
            (self.used, self.count, self.obliged) = (0, 0, 0);
            meter.restore_work(stand);
        }
        counted
    }

    /// Counts the moves of a plain family in its groups, which are laid out first if need be.
    #[inline]
    fn recount_plain(&mut self, context: &Context, family: FamilyId, meter: &mut Meter) -> bool {
        let actions = &context.program.families[family as usize].actions;
        if self.laid_out != Some(family) {
            self.lay_out(context, family, actions);
        }
        self.used = actions.len();
        for group in &mut self.groups[..actions.len()] {
            if !meter.may_add(1 + group.search.kernel_work(&self.gathered))
                || !group.search.recount_moves(&self.gathered, group.roles)
            {
                return false;
            }
            group.count = group.search.count;
            self.count = self.count.saturating_add(group.count);
        }
        self.obliged = self.count;
        true
    }

    /// Lists moves that would take too long to find again; see [`Search::materialize`].
    pub fn materialize(&mut self) {
        for group in &mut self.groups[..self.used] {
            group.search.materialize(&self.gathered, group.roles);
        }
    }

    /// Makes a group for each action of a plain family.
    #[inline(never)]
    fn lay_out(&mut self, context: &Context, family: FamilyId, actions: &[ActionId]) {
        self.used = 0;
        for action in actions {
            let info = &context.program.actions[*action as usize];
            let (group, _) = self.next_group(GroupKind::Action);
            (group.action, group.roles) = (*action, info.roles.len());
            group.search.lay_out(info);
        }
        (self.laid_out, self.kept) = (Some(family), actions.len());
    }

    /// Drops the last group if it has no option, and otherwise counts it.
    pub fn settle_group(&mut self, count: u64) {
        match count {
            0 => self.used -= 1,
            _ => {
                self.groups[self.used - 1].count = count;
                self.count = self.count.saturating_add(count);
            }
        }
    }

    /// Keeps only these moves of a group that has not been settled.
    pub fn keep_moves(&mut self, place: usize, kept: Vec<[Chosen; MOST_ROLES]>) {
        self.groups[place].search.keep_moves(kept);
    }

    /// The search for the moves of a group that satisfy a narrowing; `None` if they would have to be tested one by one.
    pub fn narrow_search(&mut self, place: usize, narrowing: &Narrowing) -> Option<Search> {
        let group = &self.groups[place];
        group.search.narrow_search(&mut self.gathered, group.roles, narrowing)
    }

    /// Replaces the search of a group that has not been settled.
    pub fn replace_search(&mut self, place: usize, search: Search) {
        self.groups[place].search = search;
    }

    /// Prepares the first moves of a group for visiting in order.
    pub fn list_moves(&mut self, place: usize, most: u64) {
        let group = &mut self.groups[place];
        group.search.list_moves(&self.gathered, group.roles, most);
    }

    /// Prepares the first options for visiting in order.
    pub fn list_first(&mut self, most: u64) {
        let mut left = most;
        for place in 0..self.used {
            self.list_moves(place, left);
            left = left.saturating_sub(self.groups[place].count);
        }
    }

    /// Finds all sums by rank, without testing any set.
    pub fn rank_sums(&mut self) {
        for group in &mut self.groups[..self.used] {
            group.search.rank_if_sum(&self.gathered);
        }
    }

    /// Adds a move without a number after all options, by its role fillings, and returns its index.
    pub fn add_unnumbered_move(&mut self, context: &Context, place: usize, filled: &[Vec<Value>]) -> u64 {
        let Group { kind, action, clause, instance, bound, .. } = self.groups[place];
        let index = self.groups().iter().map(|group| group.count).sum();
        let search = &self.groups[place].search;
        let in_order = |(role, things): (usize, &Vec<Value>)| {
            let mut things = things.clone();
            things
                .sort_by_cached_key(|thing| search.candidate_ids(&self.gathered, role).position(|candidate| candidate == *thing));
            things
        };
        let filled: Vec<Vec<Value>> = filled.iter().enumerate().map(in_order).collect();
        self.add_single_move(context, action, &filled);
        let last = &mut self.groups[self.used - 1];
        (last.kind, last.clause, last.instance, last.bound) = (kind, clause, instance, bound);
        index
    }

    /// Adds a move of an action with the current bound values, by its role fillings.
    pub fn add_single_move(&mut self, context: &Context, action: ActionId, filled: &[Vec<Value>]) {
        let roles = &context.program.actions[usize::from(action)].roles;
        let (group, _) = self.next_group(GroupKind::Action);
        (group.action, group.roles, group.count) = (action, roles.len(), 1);
        group.search = Search::with_single_move(filled, |role| matches!(roles[role].amount, RoleAmount::Some(..)));
    }

    pub fn add_pass(&mut self) {
        self.next_group(GroupKind::Pass);
        self.settle_group(1);
    }

    pub fn groups(&self) -> &[Group] {
        &self.groups[..self.used]
    }

    /// The group that contains an option, and the option's index there.
    #[inline]
    pub fn locate_option(&self, index: u64) -> Option<(&Group, u64)> {
        let mut rest = index;
        for group in self.groups() {
            if rest < group.count {
                return Some((group, rest));
            }
            rest -= group.count;
        }
        None
    }

    /// The arguments of a move of one of the groups.
    pub fn move_arguments(&self, group: &Group, index: u64) -> Option<[Chosen; MOST_ROLES]> {
        group.search.nth_move(&self.gathered, index, group.roles)
    }

    /// Calls `visit` on every move of a group in order, with its index there, until it returns true.
    pub fn each_move(&self, group: &Group, visit: impl FnMut(u64, &[Chosen; MOST_ROLES]) -> bool) {
        group.search.visit_moves(&self.gathered, group.roles, visit);
    }

    /// The things of all arguments of a move.
    pub fn move_things(&self, group: &Group, chosen: &[Chosen; MOST_ROLES]) -> Vec<Value> {
        (0..group.roles).flat_map(|role| self.role_things(group, role, chosen[role])).collect()
    }

    /// The things of one argument, in order.
    pub fn role_things<'a>(&'a self, group: &'a Group, role: usize, chosen: Chosen) -> impl Iterator<Item = Value> + 'a {
        group.search.role_things(&self.gathered, role, chosen)
    }

    /// Whether no answer is possible.
    pub fn is_void(&self) -> bool {
        !self.only_pass && self.possible_answers().is_void()
    }

    /// Whether one of the answers is to choose nothing.
    pub fn offers_passing(&self) -> bool {
        self.may_pass || self.items.contains(&NONE) || self.groups().iter().any(|group| group.kind == GroupKind::Pass)
    }

    /// Whether an answer passes.
    pub fn is_pass(&self, answer: &Choice) -> bool {
        match (answer, self.form) {
            (Choice::Option(index), QuestionForm::Options) => {
                self.locate_option(*index).is_some_and(|(group, _)| group.kind == GroupKind::Pass)
            }
            _ => self.chooses_nothing(answer),
        }
    }

    /// Whether an answer chooses nothing although something could be chosen.
    pub fn chooses_nothing(&self, answer: &Choice) -> bool {
        match (answer, self.form) {
            (Choice::Option(index), QuestionForm::OneItem) => self.items.get(*index as usize) == Some(&NONE),
            _ => self.possible_answers().is_passing(answer),
        }
    }

    /// The answer, if there is only one.
    pub fn forced_answer(&self) -> Option<Choice> {
        self.possible_answers().only_answer()
    }

    /// The possible answers.
    #[inline]
    pub fn possible_answers(&self) -> Answers {
        let form = match self.form {
            QuestionForm::Options | QuestionForm::OneItem | QuestionForm::YesNo => Form::One,
            QuestionForm::Of(form) => form,
        };
        Answers { form, count: self.count, may_pass: self.may_pass }
    }

    /// The decision for this question, still without its number.
    pub fn make_decision(&self) -> Decision {
        let (Answers { form, count, may_pass }, veiled) = (self.possible_answers(), self.veiled);
        let forced = veiled && !self.even_when_forced && self.forced_answer().is_some();
        Decision { id: 0, seat: self.side, form, count, may_pass, group: None, secret: false, veiled, forced }
    }
}
