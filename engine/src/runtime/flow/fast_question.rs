//! Plain questions: moves of one family whose candidates are in zones and whose searches are kernels, or that take at most one
//! thing.
//!
//! In an unwatched game, such a question only needs the number of moves, and the chosen move.
//!
//! A *family* is a set of actions to choose from, and each action has *roles* that *candidates* fill. A *kernel* counts the moves
//! of an action from numbers (*keys*) of its candidates. *Alternatives* are the other options: passing, offers, and actions that
//! abilities grant. [`FastQuestion`] is prepared before play; [`MoveCounts`] holds the counts of the open question. `None` means
//! that the question has to be built in full, by `run_ask`.

mod record;

use crate::runtime::context::{Grant, Roster};
use crate::runtime::decision::Choice;
use crate::runtime::decision::{Decision, Form};
use crate::runtime::eval::Eval;
use crate::runtime::eval::question::QuestionForm;
use crate::runtime::eval::search::{Candidates, Pairs, SubsetKernel, SumSets, sums_work};
use crate::runtime::eval::substitute::substitute_slots;
use crate::runtime::flow::{Machine, PlayContext};
use crate::runtime::limits::PAIRS_PER_WORK;
use crate::runtime::state::{NOWHERE, State, Values};
use ludex_program::{
    ActionId, ActionInfo, Address, AskCode, AskCodeWhat, Expr, FamilyId, Filling, Instruction, Key, MOST_ROLES, NONE, Program,
    RoleAmount, RoleInfo, SearchPlan, Value,
};
use record::RecordLayout;

/// Maximum number of candidate sets, and of actions, in a fast question.
const MOST_SETS: usize = 6;
const MOST_ACTIONS: usize = 8;

/// An `ask`, simplified for these players.
#[derive(Clone, Debug)]
pub struct FastQuestion {
    family: FamilyId,
    sets: Vec<FastCandidates>,
    actions: Vec<FastAction>,
    /// Minimum and maximum number of things in the first role of an action, if these are known only in play.
    amounts: Vec<(usize, Expr, Expr)>,
    /// True if abilities may offer the side alternatives.
    others: bool,
    /// True if some actions have conditions that mention no role.
    has_guards: bool,
    /// True if something is evaluated in the slots of the family.
    needs_slots: bool,
}

/// The candidates of one action, or of several that share them.
#[derive(Clone, Debug)]
struct FastCandidates {
    from: CandidateSource,
    /// A bitmask of the actions that take them. If none of these may be chosen, the candidates are not looked up.
    taken_by: u32,
}

#[derive(Clone, Debug)]
enum CandidateSource {
    /// The pieces of a zone without an excluded mark. The zone is evaluated in the slots of the question.
    Zone { zone: Expr, excluded_marks: u32, key: Key },
    /// The candidates of this role of an action, looked up in the slots of the family.
    Role(ActionId, u16),
}

/// An action of the family.
#[derive(Clone, Debug)]
struct FastAction {
    id: ActionId,
    guard: Guard,
    kernel: Kernel,
    /// The layout of its moves' records, if they need no evaluation.
    record: Option<RecordLayout>,
}

/// The conditions of an action that mention no role.
#[derive(Clone, Debug)]
enum Guard {
    InSlotsOfQuestion(Vec<Expr>),
    /// Evaluated in their original form.
    InSlotsOfFamily,
}

/// The way to count and find the moves of an action. Roles and sets are given by their indexes.
#[derive(Clone, Copy, Debug)]
enum Kernel {
    /// A single move without any choice.
    Alone,
    /// One thing of a set.
    One(usize),
    Pairs(Pairs),
    Sums(SumSets),
    Sets(SubsetKernel),
}

/// The counted moves of a fast question.
#[derive(Debug, Default)]
pub struct MoveCounts {
    /// True if the open question is a fast one.
    open: bool,
    /// The seat that is asked.
    side: usize,
    /// The candidates of each set of the question.
    sets: [Candidates; MOST_SETS],
    /// Number of moves of each action.
    counts: [u64; MOST_ACTIONS],
    /// Minimum and maximum number of things in the first role of each action, if these are known only in play.
    amounts: [(u64, u64); MOST_ACTIONS],
    /// Number of moves of all actions.
    moves: u64,
    /// Number of alternatives: the options of the first question, or only passing.
    others: u64,
    /// True if the alternatives are the options of the first question of the scratch.
    questioned: bool,
}

impl FastQuestion {
    /// The fast form of an `ask`, if it has one.
    pub fn from_ask(program: &Program, roster: &Roster, ask: &AskCode) -> Option<FastQuestion> {
        if ask.veiled || ask.even_when_forced || ask.private {
            return None;
        }
        let AskCodeWhat::Families(families) = &ask.what else { return None };
        let [(id, arguments)] = families.as_slice() else { return None };
        let family = &program.families[*id as usize];
        // Abilities that forbid moves need a test of each.
        if !roster.restrictions[*id as usize].is_empty() || family.shared.len() > MOST_SETS || family.actions.len() > MOST_ACTIONS
        {
            return None;
        }
        let mut sets: Vec<FastCandidates> =
            family.shared.iter().map(|place| FastCandidates::from_role(program, *place, arguments)).collect();
        let mut actions = Vec::new();
        for (place, id) in family.actions.iter().enumerate() {
            actions.push(FastAction::from_action(program, *id, arguments, &mut sets)?);
            let taken = program.actions[*id as usize].roles.iter().filter_map(|role| role.shared);
            taken.for_each(|set| sets[usize::from(set)].taken_by |= 1 << place);
            if let Kernel::One(set) = actions[place].kernel {
                sets[set].taken_by |= 1 << place;
            }
        }
        if sets.len() > MOST_SETS {
            return None;
        }
        let mut amounts = Vec::new();
        for (place, id) in family.actions.iter().enumerate() {
            if matches!(actions[place].kernel, Kernel::Sets(_)) {
                let (least, most) = amount_range(&program.actions[*id as usize], arguments)?;
                amounts.push((place, least, most));
            }
        }
        let hears = ask.during.as_ref().is_some_and(|(hook, _)| roster.has_listeners(*hook));
        let others = hears || !roster.grants[*id as usize].is_empty();
        if has_words_to_check(program, ask, *id, others) {
            return None;
        }
        let needs_slots = sets.iter().any(|set| !set.are_of_zone())
            || actions.iter().any(|action| matches!(action.guard, Guard::InSlotsOfFamily));
        let has_guards = family.actions.iter().any(|id| !program.actions[*id as usize].guard.is_empty());
        Some(FastQuestion { family: *id, sets, actions, amounts, others, has_guards, needs_slots })
    }
}

/// Whether the words of a question, or of one of its options, can fail. Texts of alternatives count only if there are `others`.
fn has_words_to_check(program: &Program, ask: &AskCode, family: FamilyId, others: bool) -> bool {
    let says = |action: &ActionId| program.actions[usize::from(*action)].says;
    let own = program.families[usize::from(family)].actions.iter().filter_map(says);
    let of_actions = program.actions.iter().filter_map(|action| action.says);
    let of_others = of_actions.chain(program.clauses.iter().filter_map(|clause| clause.says)).filter(|_| others);
    let mut texts = ask.prompt.into_iter().chain(ask.pass_text).chain(own).chain(of_others);
    texts.any(|text| program.is_checked(text))
}

impl FastCandidates {
    /// The candidates of a role. `arguments` are those of the family in the question.
    fn from_role(program: &Program, (action, role): (ActionId, u16), arguments: &[Expr]) -> FastCandidates {
        let RoleInfo { from, excluded_marks, key, .. } = &program.actions[action as usize].roles[role as usize];
        let zone = if let Expr::ZoneList(zone) = from { in_slots_of(zone, arguments) } else { None };
        let from = match zone {
            Some(zone) => CandidateSource::Zone { zone, excluded_marks: *excluded_marks, key: key.unwrap_or(Key::Itself) },
            None => CandidateSource::Role(action, role),
        };
        FastCandidates { from, taken_by: 0 }
    }

    /// Whether they are the pieces of a zone.
    fn are_of_zone(&self) -> bool {
        matches!(self.from, CandidateSource::Zone { .. })
    }
}

impl FastAction {
    /// The fast form of an action. If it needs its own set of candidates, that is added after the shared ones.
    fn from_action(program: &Program, id: ActionId, arguments: &[Expr], sets: &mut Vec<FastCandidates>) -> Option<FastAction> {
        let action = &program.actions[id as usize];
        if action.obliges.is_some() {
            return None;
        }
        let record = RecordLayout::from_action(id, action, arguments);
        let guards: Option<Vec<Expr>> = action.guard.iter().map(|guard| in_slots_of(guard, arguments)).collect();
        let guard = guards.map_or(Guard::InSlotsOfFamily, Guard::InSlotsOfQuestion);
        Some(FastAction { id, guard, kernel: find_kernel(id, action, sets)?, record })
    }
}

/// The way to count and find the moves of an action, if it is simple. `sets` are the question's sets of candidates; a role
/// without a shared set gets a new one.
fn find_kernel(id: ActionId, action: &ActionInfo, sets: &mut Vec<FastCandidates>) -> Option<Kernel> {
    match (action.roles.as_slice(), &action.search) {
        ([], SearchPlan::Product) => Some(Kernel::Alone),
        ([role], SearchPlan::Product) if matches!(role.amount, RoleAmount::One) && role.after == 0 => {
            let set = role.shared.map_or(sets.len(), usize::from);
            if set == sets.len() {
                sets.push(FastCandidates { from: CandidateSource::Role(id, 0), taken_by: 0 });
            }
            Some(Kernel::One(set))
        }
        (roles, search) => {
            // Kernels read all their sets, even if one of them is empty.
            let are_of_zones = roles.iter().all(|role| role.shared.is_some_and(|set| sets[usize::from(set)].are_of_zone()));
            match (&action.fillings, roles, search) {
                _ if !are_of_zones => None,
                (Some(fillings), _, _) => kernel_of_two(action, fillings),
                // Any subset of one set with an allowed size.
                (None, [role], SearchPlan::Product) => Some(Kernel::Sets(SubsetKernel { set: usize::from(role.shared?) })),
                _ => None,
            }
        }
    }
}

/// Minimum and maximum number of things in the first role of an action. `None` unless both are given and can be evaluated in the
/// slots of the question.
fn amount_range(action: &ActionInfo, arguments: &[Expr]) -> Option<(Expr, Expr)> {
    let RoleAmount::Some(least, Some(most)) = &action.roles.first()?.amount else { return None };
    Some((in_slots_of(least, arguments)?, in_slots_of(most, arguments)?))
}

/// The kernel of an action with two roles: one thing for each whose keys compare, or a set of any size and a thing with its sum.
fn kernel_of_two(action: &ActionInfo, fillings: &[Filling]) -> Option<Kernel> {
    let [first, second, ..] = fillings else { return None };
    if action.roles.len() != 2 {
        return None;
    }
    let (one, other) = (usize::from(first.set), usize::from(second.set));
    match &action.search {
        SearchPlan::Compare { left, right, operator, .. } => {
            let pairs = Pairs::of_roles(*left, *right, *operator);
            Some(Kernel::Pairs(Pairs { outer: one, inner: other, ..pairs }))
        }
        SearchPlan::SumEqual { set: 0, joker: None, target: 1, .. } => {
            let sums = SumSets { set: one, target: other, least: first.least };
            (sums.least <= 2 && first.most == u32::MAX).then_some(Kernel::Sums(sums))
        }
        _ => None,
    }
}

/// An expression over parameters, translated to the slots that hold the arguments. `None` unless it is simple and reads only
/// arguments that are variables.
fn in_slots_of(expr: &Expr, arguments: &[Expr]) -> Option<Expr> {
    substitute_slots(expr, &|slot| {
        arguments.get(usize::from(slot)).filter(|argument| matches!(argument, Expr::Local(_))).cloned()
    })
}

/// A copy starts without counts.
impl Clone for MoveCounts {
    fn clone(&self) -> MoveCounts {
        MoveCounts::default()
    }
}

impl MoveCounts {
    /// Whether the open question is a fast one, so that its moves are only counted.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Whether the first question of the scratch holds the alternatives.
    pub fn has_alternatives_in_question(&self) -> bool {
        self.questioned
    }

    /// Causes the open question to be built in full.
    #[inline]
    pub fn close_question(&mut self) {
        self.open = false;
    }

    /// Number of answers.
    #[inline]
    fn answer_count(&self) -> u64 {
        self.moves + self.others
    }

    /// Counts the moves of all actions except the barred ones, given as a bitmask, and returns the work. `None` if some keys do
    /// not suit a kernel. Kernels do so little work that the budget need not be checked before.
    #[inline]
    fn count_moves(&mut self, fast: &FastQuestion, barred: u32) -> Option<u64> {
        let sets = &self.sets;
        let mut work = fast.actions.len() as u64;
        let mut moves = 0;
        for (place, (action, count)) in fast.actions.iter().zip(&mut self.counts).enumerate() {
            *count = match action.kernel {
                _ if barred >> place & 1 == 1 => 0,
                Kernel::Alone => 1,
                Kernel::One(set) => sets[set].all.len() as u64,
                Kernel::Pairs(pairs) => {
                    let (outer, inner) = (&sets[pairs.outer], &sets[pairs.inner]);
                    work += outer.all.len() as u64 * inner.all.len() as u64 / PAIRS_PER_WORK;
                    pairs.count_pairs(outer, inner)
                }
                Kernel::Sums(sums) => {
                    let (set, target) = (&sets[sums.set], &sets[sums.target]);
                    work += sums_work(set.all.len() as u64, 1, target.all.len() as u64);
                    sums.count_sums(sets)?
                }
                Kernel::Sets(found) => found.subset_count(sets, self.amounts[place])?,
            };
            moves += *count;
        }
        self.moves = moves;
        Some(work)
    }

    /// The action of a move, and its role fillings. `index` counts through the moves of all actions.
    #[inline(always)]
    fn find_move<'p>(&self, fast: &'p FastQuestion, index: u64) -> Option<(&'p FastAction, MoveFillings)> {
        let mut rest = index;
        for (place, (action, count)) in fast.actions.iter().zip(&self.counts).enumerate() {
            if rest < *count {
                let found = match action.kernel {
                    Kernel::Alone => Some(MoveFillings::Pair(NONE, NONE)),
                    Kernel::One(set) => {
                        let one = self.sets.get(set).and_then(|candidates| candidates.all.get(rest as usize));
                        one.map(|one| MoveFillings::Pair(one.id, NONE))
                    }
                    Kernel::Pairs(pairs) => {
                        let found = pairs.nth_pair(&self.sets[pairs.outer], &self.sets[pairs.inner], rest);
                        found.map(|(one, other)| MoveFillings::Pair(one, other))
                    }
                    Kernel::Sums(sums) => {
                        sums.nth_sum(&self.sets, rest).map(|(mask, target)| MoveFillings::Set(sums.set, u64::from(mask), target))
                    }
                    Kernel::Sets(sets) => {
                        sets.nth_subset(&self.sets, self.amounts[place], rest).map(|mask| MoveFillings::Set(sets.set, mask, NONE))
                    }
                };
                return found.map(|found| (action, found));
            }
            rest -= count;
        }
        None
    }
}

/// The role fillings of a move.
enum MoveFillings {
    /// One thing for each role; none for a missing role.
    Pair(Value, Value),
    /// The index of a set of candidates, its members as a bitmask, and the filling of a second role.
    Set(usize, u64, Value),
}

impl Machine {
    /// Calls `visit` on each move of the open question, if that is a fast one, with its action and the fillings of the first and
    /// second role. Returns true if passing is the only other answer; if false, the first question of the scratch holds any
    /// others.
    pub fn each_counted_move(&self, context: &PlayContext, mut visit: impl FnMut(ActionId, &[Value], Value)) -> Option<bool> {
        let counts = &self.move_counts;
        let frame = self.state.frames.last().filter(|_| self.scratch.ready && counts.open)?;
        let fast = context.code.get(frame.at as usize)?.fast.as_ref()?;
        let family = &context.program.families[usize::from(fast.family)];
        let mut members = Vec::new();
        let mut index = 0;
        for (action, count) in family.actions.iter().zip(&counts.counts).take(fast.actions.len()) {
            for _ in 0..*count {
                match counts.find_move(fast, index)?.1 {
                    MoveFillings::Pair(one, other) => visit(*action, &[one], other),
                    MoveFillings::Set(set, mask, other) => {
                        members.clear();
                        counts.sets[set].push_members(mask, &mut members);
                        // The list begins with its length.
                        visit(*action, members.get(1..).unwrap_or(&[]), other);
                    }
                }
                index += 1;
            }
        }
        Some(counts.others > 0 && !counts.questioned)
    }

    /// Runs an `Ask` that has a fast form, and returns whether it must wait. `None` if the question must be built in full. `at`
    /// and `base` are those of the question, and `next` is the address after it.
    #[inline(never)]
    pub(super) fn ask_fast(
        &mut self,
        context: &PlayContext,
        base: usize,
        at: Address,
        next: Address,
        code: &AskCode,
        fast: &FastQuestion,
    ) -> Option<bool> {
        let counted = match self.scratch.ready {
            true => self.move_counts.open,
            false => self.count_candidates(context, base, code, fast),
        };
        if !counted {
            return None;
        }
        let is_forced = self.move_counts.answer_count() == 1 && !self.asks_all;
        // An answer is taken even if there was nothing to choose.
        let given = if self.given.is_some() { Some(self.take_given()) } else { None };
        // The only answer is the first option, a move or not.
        let index = match given {
            _ if is_forced => 0,
            Some(index) => index,
            None => {
                self.wait_for_counted();
                return Some(true);
            }
        };
        Some(self.apply_fast(context, base, at, next, code, fast, index))
    }

    /// The chosen option, or an invalid index if the answer is not an option.
    #[inline(never)]
    fn take_given(&mut self) -> u64 {
        match self.given.take() {
            Some((_, Choice::Option(index))) => index,
            _ => u64::MAX,
        }
    }

    /// Answers the open question if it is a fast one, and returns whether play must wait.
    #[inline]
    pub fn answer_fast(&mut self, context: &PlayContext, index: u64) -> Option<bool> {
        if !self.scratch.ready || !self.move_counts.open || self.is_seen() {
            return None;
        }
        let frame = self.state.frames.last()?;
        let (at, base) = (frame.at, frame.base as usize);
        let step = context.code.get(at as usize)?;
        let (Instruction::Ask(code), Some(fast)) = (&step.instruction, &step.fast) else { return None };
        Some(self.apply_fast(context, base, at, step.next, code, fast, index))
    }

    /// Carries out a choice, and returns whether play must wait. The moves come first among the options, then the alternatives.
    #[expect(clippy::too_many_arguments, reason = "an answer is carried out with everything that its question is made of")]
    #[inline(always)]
    fn apply_fast(
        &mut self,
        context: &PlayContext,
        base: usize,
        at: Address,
        next: Address,
        code: &AskCode,
        fast: &FastQuestion,
        index: u64,
    ) -> bool {
        let moves = self.move_counts.moves;
        if index < moves {
            let chosen = self.write_fast_record(context, base, code, fast, index);
            self.finish_answer();
            self.set_slot(base, code.slot, chosen);
            self.go_to(next);
        } else if self.move_counts.questioned {
            return self.apply_option(context, base, at, code, index - moves);
        } else {
            self.finish_answer();
            self.pass_question(context, base, at, code);
        }
        false
    }

    /// Counts the options; false if the question must be built in full.
    #[inline]
    fn count_candidates(&mut self, context: &PlayContext, base: usize, code: &AskCode, fast: &FastQuestion) -> bool {
        self.move_counts.open = false;
        let side = self.who_is_asked(context, base, code);
        // These players have no ability that restricts the family, but marks may.
        if side == NONE || self.is_out(side) || self.is_restricted_by_marks(context, fast.family) {
            return false;
        }
        let (stand, lists, slots) = (self.meter.work_so_far(), self.state.lists.len(), self.state.slots.len());
        let own = if fast.needs_slots { self.open_family(context, base, code, fast.family) } else { base };
        let barred = if fast.has_guards { self.barred_actions(context, (base, own), fast) } else { 0 };
        for (place, set) in fast.sets.iter().enumerate() {
            // No action that may be chosen takes these.
            if set.taken_by & !barred == 0 {
                continue;
            }
            match &set.from {
                CandidateSource::Zone { zone, excluded_marks, key } => {
                    let zone = self.evaluate_inline(context, base, zone);
                    let (eval, counts) = self.eval_and_counts();
                    let pieces = eval.state.board.unordered_pieces(zone);
                    eval.meter.add_work(pieces.len() as u64);
                    if let Some(candidates) = counts.sets.get_mut(place) {
                        candidates.gather_pieces(&eval.state.board, pieces, *excluded_marks, *key);
                    }
                }
                CandidateSource::Role(action, role) => {
                    let role = &context.program.actions[usize::from(*action)].roles[usize::from(*role)];
                    let (eval, counts) = self.eval_and_counts();
                    if let Some(candidates) = counts.sets.get_mut(place) {
                        eval.look_up_candidates(context, own, role, candidates);
                    }
                }
            }
        }
        for (action, least, most) in &fast.amounts {
            let (least, most) = (self.evaluate(context, base, least), self.evaluate(context, base, most));
            self.move_counts.amounts[*action] = (least.max(0) as u64, most.max(0) as u64);
        }
        self.state.lists.truncate(lists);
        self.state.slots.truncate(slots);
        let (eval, counts) = self.eval_and_counts();
        if eval.fault.is_some() || !counts.count_moves(fast, barred).is_some_and(|work| eval.meter.may_add(work)) {
            // The question is built in full, which reports exceeded limits.
            eval.meter.restore_work(stand);
            return false;
        }
        counts.open = true;
        counts.side = side as usize;
        counts.others = u64::from(!code.must || counts.moves == 0);
        counts.questioned = false;
        eval.scratch.ready = true;
        if fast.others && self.may_do_other(context, code, fast.family, side as u16) {
            self.count_others(context, base, code);
        }
        true
    }

    /// Opens the slots of the family for evaluation, and returns their base. The caller removes them.
    #[inline(never)]
    fn open_family(&mut self, context: &PlayContext, base: usize, code: &AskCode, family: FamilyId) -> usize {
        let given = self.family_arguments(context, base, code);
        self.open_slots(&given, context.program.families[usize::from(family)].slots)
    }

    /// The arguments of the only family of a question.
    fn family_arguments(&mut self, context: &PlayContext, base: usize, code: &AskCode) -> Values {
        match &code.what {
            AskCodeWhat::Families(families) => match families.as_slice() {
                [(_, arguments)] => self.evaluate_arguments(context, base, arguments),
                _ => Values::new(),
            },
            _ => Values::new(),
        }
    }

    /// A bitmask of the actions with a guard that fails. `base` and `own` are the slots of the question and of the family.
    #[inline(never)]
    fn barred_actions(&mut self, context: &PlayContext, (base, own): (usize, usize), fast: &FastQuestion) -> u32 {
        let mut barred = 0;
        for (place, action) in fast.actions.iter().enumerate() {
            let (guards, base) = match &action.guard {
                Guard::InSlotsOfQuestion(guards) => (guards.as_slice(), base),
                Guard::InSlotsOfFamily => (context.program.actions[usize::from(action.id)].guard.as_slice(), own),
            };
            let holds = guards.iter().all(|guard| self.evaluate(context, base, guard) != 0);
            barred |= u32::from(!holds) << place;
        }
        barred
    }

    /// Whether a side has usable abilities that offer an alternative to the moves of a family.
    #[inline(always)]
    fn may_do_other(&mut self, context: &PlayContext, code: &AskCode, family: FamilyId, side: u16) -> bool {
        for Grant { instance, .. } in &context.roster.grants[usize::from(family)] {
            let is_own = self.side_of_ability(context, *instance) == Value::from(side);
            if is_own && self.ability_works(context, *instance) && self.can_use(context, *instance) {
                return true;
            }
        }
        code.during.as_ref().is_some_and(|(hook, _)| self.has_offer(context, *hook, side))
    }

    /// Builds a question of the alternatives.
    #[inline(never)]
    fn count_others(&mut self, context: &PlayContext, base: usize, code: &AskCode) {
        let AskCodeWhat::Families(families) = &code.what else { return };
        let MoveCounts { side, moves, .. } = self.move_counts;
        self.make_question(0, |machine, question| {
            question.begin_question(side, QuestionForm::Options);
            question.obliged = moves;
            machine.add_others(context, base, code, families, question);
        });
        let others = self.scratch.questions[0].count;
        (self.move_counts.others, self.move_counts.questioned) = (others, true);
    }

    /// Opens the decision of a counted question.
    #[inline]
    fn wait_for_counted(&mut self) {
        if !self.state.waiting {
            self.number_question(1);
        }
        let (id, side, count) = (self.state.asked, self.move_counts.side, self.move_counts.answer_count());
        self.decisions.clear();
        self.decisions.push(Decision {
            id,
            seat: side,
            form: Form::One,
            count,
            may_pass: false,
            group: None,
            secret: false,
            veiled: false,
            forced: false,
        });
    }

    /// Both parts at once, for use side by side.
    #[inline(always)]
    fn eval_and_counts(&mut self) -> (&mut Eval, &mut MoveCounts) {
        (&mut self.questions, &mut self.move_counts)
    }

    /// Makes the record of a move. Returns its place in the arena; none, and a fault, if there is no such move.
    #[inline(never)]
    fn write_fast_record(
        &mut self,
        context: &PlayContext,
        base: usize,
        code: &AskCode,
        fast: &FastQuestion,
        index: u64,
    ) -> Value {
        let (eval, counts) = self.eval_and_counts();
        let Some((action, found)) = counts.find_move(fast, index) else {
            return eval.raise("an answer names an option that does not exist");
        };
        let State { lists, slots, .. } = &mut eval.state;
        let roles = match found {
            MoveFillings::Pair(one, other) => [one, other],
            MoveFillings::Set(set, mask, other) => [counts.sets[set].push_members(mask, lists), other],
        };
        match &action.record {
            Some(record) => record.write_cells(lists, roles, slots.get(base..).unwrap_or(&[])),
            None => self.evaluate_record(context, base, code, action.id, roles),
        }
    }

    /// Makes the record of a move with fields that must be evaluated.
    #[inline(never)]
    fn evaluate_record(
        &mut self,
        context: &PlayContext,
        base: usize,
        code: &AskCode,
        action: ActionId,
        roles: [Value; 2],
    ) -> Value {
        let given = self.family_arguments(context, base, code);
        let mut values = [NONE; MOST_ROLES];
        values[..2].copy_from_slice(&roles);
        self.record_filled(context, (action, NOWHERE), &given, &values)
    }
}
