//! Runs a procedure for every throw, and finds the probability of each of its values.
//!
//! A *point* is a throw in a procedure. A state at a point is identified by the slots that are read later; paths to the same
//! state merge. Most slots are not looked at before the next point: they are passed on, or added to, so one run to the next point
//! serves all their values. A called procedure is solved once for equal arguments, for all callers. The states and their
//! transitions form a chain, which `chain` solves.
//!
//! If procedures change the table, a state is the whole machine, and none of this applies: see `whole_states`.
//!
//! A *start* is a procedure with its arguments, at its first throw or call; a *place* is a state of it. A *stop* is a throw
//! without dice, at which states can meet (`stops`). A *clamp* is a value that represents all higher ones (`clamps`). A *fold* is
//! a number made from the results die by die (`readings`). *Open* dice have no results yet and *fall* later (`open_dice`). A
//! *cap* is the most rounds of a loop (`caps`). `floor` is the index of a procedure's frame.

mod whole_states;

use crate::odds::budget::{Budget, Trouble};
use crate::odds::caps::{self, CapChance};
use crate::odds::chain::{Cases, Transitions, solve_chain};
use crate::odds::clamps::find_clamps;
use crate::odds::folds::compute_face_shares;
use crate::odds::fraction::Fraction;
use crate::odds::highest_members::{find_tops, keep_highest};
use crate::odds::open_dice::{MOST_FACES, MOST_OPEN, OpenDie, Walk, count_highest, find_throw_to_draw, may_be_open};
use crate::odds::points::{Point, Source};
use crate::odds::readings::{FoldKind, Reading, WaitingFrame, find_reading};
use crate::odds::slots::{LiveSlots, Memories, SlotContent, pool_at};
use crate::odds::stops::Loop;
use crate::odds::throws::{Share, Way, folded_ways, ordered_ways, unordered_ways};
use crate::odds::weight::{Denominator, Factors, Weight};
use crate::odds::{Effort, OddsQuery};
use crate::runtime::Dice;
use crate::runtime::dice::{RandomDraw, RandomKind, RandomRequest};
use crate::runtime::eval::meter::Meter;
use crate::runtime::flow::Machine;
use crate::runtime::state::{FrameRole, NO_SLOT};
use foldhash::fast::FixedState;
use indexmap::IndexSet;
use ludex_program::{Address, NONE, ProcedureId, Slot, Value};
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::rc::Rc;

/// The possible values with their probabilities.
pub struct ExactShares {
    pub shares: BTreeMap<Vec<Value>, Weight>,
    pub factors: Factors,
    /// The work done.
    pub work: u64,
    /// The outcomes left out have a total probability below 10 to the power of this.
    pub cut: Option<i64>,
}

/// The results of a stopped search: a lower bound on each value's probability, rounded.
pub type SettledShares = BTreeMap<Vec<Value>, f64>;

/// Computes the exact probabilities. Starts again with other settings as often as the search finds that it needs them. If it is
/// stopped, `settled` gets lower bounds.
pub fn compute_exact_shares(asked: &OddsQuery, effort: &Effort, settled: &mut SettledShares) -> Result<ExactShares, Trouble> {
    let mut budget = Budget::new(effort);
    let mut settings = Settings { whole: !asked.stops.is_alone(asked.procedure), ..Settings::default() };
    let mut with_open_dice = None;
    loop {
        let asked = with_open_dice.as_ref().unwrap_or(asked);
        let mut search = Search::new(asked, std::mem::replace(&mut budget, Budget::new(effort)), settings);
        let trouble = match search.solve_query() {
            Ok(shares) => {
                let cut = search.cut;
                return Ok(ExactShares { shares, work: search.budget.spent, factors: search.factors, cut });
            }
            Err(trouble) => trouble,
        };
        match trouble {
            Trouble::Again => {}
            // Beyond the cap of a loop, rules may do things that never happen in play, or need more work: so count the rounds.
            Trouble::Problem(_) | Trouble::TooMuch if search.has_uncounted_loops() => search.count_all_loops(),
            trouble => {
                *settled = search.settled;
                return Err(trouble);
            }
        }
        budget = search.budget;
        budget.begin_again();
        settings = search.settings;
        if settings.open != *asked.stops.open_throws() {
            with_open_dice = Some(asked.with_open_dice(&settings.open)?);
        }
    }
}

/// Settings that the search discovers on the way.
#[derive(Default)]
pub struct Settings {
    /// The first steps of the rounds of loops whose rounds are counted. Other long loops may end before their cap, and are
    /// followed without a count.
    counted: BTreeSet<Address>,
    /// Throws whose dice stay open until a step looks at them.
    open: BTreeSet<Address>,
    /// Each state is the whole machine, because procedures change more than their own slots.
    whole: bool,
}

/// The cost of running to the next point, in steps of a chain.
pub const WORK_OF_RUN: u64 = 10;

/// This much work of play costs as much as one step of a chain.
const PLAY_PER_WORK: u64 = 32;

/// Maximum number of states of one procedure.
const MOST_STATES: usize = 4_000_000;

/// Approximate memory of a state in bytes, without its values.
const BYTES_OF_STATE: usize = 300;

/// Maximum depth of procedure calls.
const MOST_DEPTH: usize = 60;

/// If the rest of an endless loop is less likely than this, it is left out.
const NEGLIGIBLE: f64 = 1e-30;

/// The work allowed after a stop to combine what is known: some hundredths of a second, a few megabytes.
const WORK_OF_SETTLING: u64 = 100_000;

/// The work allowed after a stop to bound the caps of loops, which costs less per unit.
const WORK_OF_CAPS: u64 = 2_000_000;

/// A stopped search does not follow the rest of a loop below this: its bounds are rounded more coarsely.
const NEGLIGIBLE_AT_STOP: f64 = 1e-12;

/// A description of throws that have the same results.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ThrowKey {
    /// Dice of these sizes, in order.
    Ordered(Vec<i64>),
    /// This many dice of one size, in any order.
    Unordered(usize, i64),
    /// This many dice, with the contribution of each face to the folds.
    Folded(usize, Vec<FoldKind>, Vec<Vec<Share>>),
}

/// The distinguishable results of a throw: one representative of each, with its number of cases.
pub struct Throw {
    pub results: Vec<Vec<i64>>,
    pub cases: Rc<Cases>,
}

/// The end of a run from a point. The sources say where each value of the new state comes from, so that the outcome holds for all
/// states of a [`Segment`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Outcome {
    /// The procedure has returned its value: one number, or the members of a list. The values at some places of the state are
    /// added.
    Value(Vec<Value>, Box<[u16]>),
    /// A point of the same procedure, by its number, with the sources of its state.
    Point(u32, Box<[Source]>),
    /// A call of another procedure, which begins at `start`. Its result is put into a state at the point `after` of this
    /// procedure.
    Call { start: u32, after: u32, state: Box<[Source]> },
}

/// The outcomes from a point on, for all states that agree in the values that are looked at.
struct Segment {
    outcomes: Vec<Outcome>,
    cases: Rc<Cases>,
}

/// A state of a procedure that is running, like an [`Outcome`] with all values known. Lists in a state are numbers in
/// [`Search::lists`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ProcedureState {
    Value(Vec<Value>),
    Point(u32, Box<[Value]>),
    Call { start: u32, after: u32, state: Box<[Value]> },
}

/// A procedure at its first throw or call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Start {
    procedure: ProcedureId,
    place: ProcedureState,
}

/// The values that a procedure returns, with their cases.
#[derive(Debug)]
struct Distribution {
    values: Vec<Vec<Value>>,
    cases: Rc<Cases>,
}

/// The use of a procedure's value by its callers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ResultUse {
    /// The places where play continues, if the value is a list.
    callers: Vec<WaitingFrame>,
    /// All values above this one count as equal to it.
    clamp: Option<Value>,
}

/// A set of items, numbered in order of insertion.
struct NumberedSet<T>(IndexSet<T, FixedState>);

impl<T: Eq + Hash> NumberedSet<T> {
    fn new() -> NumberedSet<T> {
        NumberedSet(IndexSet::default())
    }

    /// The number of an item, and whether it is new.
    fn number_item(&mut self, item: T) -> (u32, bool) {
        let (number, is_new) = self.0.insert_full(item);
        (number as u32, is_new)
    }
}

/// The slots of a procedure whose values are clamped, with the clamp of each.
type Clamps = Rc<BTreeMap<Slot, Value>>;

/// Hashes are the same in every run, so the amount of work is too.
type StableMap<K, V> = HashMap<K, V, FixedState>;

/// A search with fixed settings. A procedure is followed from each [`Start`], and its results are kept for all callers.
pub struct Search<'a> {
    asked: &'a OddsQuery,
    memories: Memories,
    /// The reading of each throw's results, by its address and the callers that wait.
    readings: StableMap<(Address, Vec<WaitingFrame>), Rc<Reading>>,
    throws: StableMap<ThrowKey, Rc<Throw>>,
    /// The points found so far. The same throw is another point if its procedure's result is used differently.
    points: NumberedSet<(ProcedureId, Address, ResultUse)>,
    /// The data of each point.
    known: Vec<Rc<Point>>,
    /// The lists in states, by number.
    lists: NumberedSet<Box<[Value]>>,
    clamps: StableMap<(ProcedureId, Option<Value>), Clamps>,
    /// Truncated lists, by the list and the number of highest members that they keep.
    tops: StableMap<(Value, Value), Value>,
    /// The outcomes from a point, by the values of a state that are looked at before the next point.
    segments: StableMap<(u32, Box<[Value]>), Rc<Segment>>,
    /// The procedures with their arguments, at their first throw or call.
    starts: NumberedSet<Start>,
    /// The results of the starts that are solved.
    distributions: StableMap<u32, Rc<Distribution>>,
    /// The starts that are being solved, the outermost first.
    open: Vec<u32>,
    settings: Settings,
    pub factors: Factors,
    pub budget: Budget,
    /// Lower bounds, if the search was stopped.
    settled: SettledShares,
    cut: Option<i64>,
}

impl<'a> Search<'a> {
    pub fn new(asked: &'a OddsQuery, budget: Budget, settings: Settings) -> Search<'a> {
        Search {
            asked,
            memories: Memories::default(),
            readings: StableMap::default(),
            throws: StableMap::default(),
            points: NumberedSet::new(),
            known: Vec::new(),
            lists: NumberedSet::new(),
            clamps: StableMap::default(),
            tops: StableMap::default(),
            segments: StableMap::default(),
            starts: NumberedSet::new(),
            distributions: StableMap::default(),
            open: Vec::new(),
            settings,
            factors: Factors::default(),
            budget,
            settled: SettledShares::new(),
            cut: None,
        }
    }

    /// The values of the whole expression.
    fn solve_query(&mut self) -> Result<BTreeMap<Vec<Value>, Weight>, Trouble> {
        let machine = self.asked.start_machine(Dice::ExternalAll, usize::from(!self.settings.whole));
        if self.settings.whole {
            return self.solve_whole_machines(machine);
        }
        // Frame 0 only waits for the value of the expression.
        let place = match self.find_outcome(&machine, 1, None)? {
            Outcome::Value(value, _) => return Ok(BTreeMap::from([(value, Weight::one())])),
            outcome => fixed_place(&outcome),
        };
        let (start, _) = self.starts.number_item(Start { procedure: self.asked.procedure, place });
        let ends = self.solve_start(start)?;
        self.note_omitted_chance(&ends);
        Ok(ends.into_iter().collect())
    }

    /// Notes the probability that the solved chain has left out, as a power of ten.
    fn note_omitted_chance(&mut self, ends: &[(Vec<Value>, Weight)]) {
        let mut sum = Weight::default();
        ends.iter().for_each(|(_, weight)| self.factors.add_share(&mut sum, &weight.numerator, &weight.denominator));
        let rest = Fraction::one().minus(&self.factors.fraction_of_weight(&sum));
        if !rest.is_zero() {
            self.note_cut(rest.power_of_ten_above());
        }
    }

    /// Notes that outcomes with a total probability below 10 to a power are left out.
    fn note_cut(&mut self, power: i64) {
        self.cut = Some(self.cut.map_or(power, |cut| cut.max(power)));
    }

    /// The values that a procedure returns from a start, by its number. Fails with `TooMuch` if calls are recursive or too deep.
    fn find_distribution(&mut self, start: u32) -> Result<Rc<Distribution>, Trouble> {
        if let Some(known) = self.distributions.get(&start) {
            return Ok(Rc::clone(known));
        }
        if self.open.len() >= MOST_DEPTH || self.open.contains(&start) {
            return Err(Trouble::TooMuch);
        }
        let (values, weights): (Vec<_>, Vec<_>) = self.solve_start(start)?.into_iter().unzip();
        let (ways, of) = self.factors.over_common_denominator(&weights);
        let cases = Rc::new(Cases::new(ways, of, &self.factors));
        self.budget.reserve_bytes((1 + values.len()) * BYTES_OF_STATE)?;
        let found = Rc::new(Distribution { values, cases });
        self.distributions.insert(start, Rc::clone(&found));
        Ok(found)
    }

    /// Follows a procedure from a start to all its ends. Returns its values with their probabilities, the lowest first.
    fn solve_start(&mut self, start: u32) -> Result<Vec<(Vec<Value>, Weight)>, Trouble> {
        self.open.push(start);
        let Start { procedure, place } = self.starts.0[start as usize].clone();
        let mut chain = Chain { places: NumberedSet::new(), steps: Vec::new(), followed: 0 };
        chain.number_place(place);
        let ends = self.find_ends(&mut chain, procedure).inspect_err(|trouble| {
            if matches!(trouble, Trouble::Stopped(_)) {
                self.note_lower_bounds(&mut chain, procedure);
            }
        })?;
        // After a failure the start stays open, to tell which procedures were being followed.
        self.open.pop();
        let places = &chain.places.0;
        let mut found: Vec<(Vec<Value>, Weight)> = ends
            .into_iter()
            .filter_map(|(state, weight)| match &places[state as usize] {
                ProcedureState::Value(value) => Some((value.clone(), weight)),
                _ => None,
            })
            .collect();
        found.sort_by(|one, other| one.0.cmp(&other.0));
        Ok(found)
    }

    /// The end states of a procedure with their probabilities, by their numbers in the chain.
    fn find_ends(&mut self, chain: &mut Chain, procedure: ProcedureId) -> Result<BTreeMap<u32, Weight>, Trouble> {
        self.explore_chain(chain, procedure)?;
        self.check_caps(chain, procedure)?;
        let places = &chain.places.0;
        let is_end = |state: u32| matches!(places[state as usize], ProcedureState::Value(_));
        solve_chain(&chain.steps, is_end, &mut self.factors, &mut self.budget)
    }

    /// Finds the states that a procedure can reach, level by level. A loop without a count may go on for ever, so its rest is
    /// left out once it is negligible.
    fn explore_chain(&mut self, chain: &mut Chain, procedure: ProcedureId) -> Result<(), Trouble> {
        let may_go_on = self.asked.stops.loops.iter().any(|own| own.procedure == procedure && self.is_uncounted(own));
        // The probability of each state after as many steps as levels were followed.
        let mut level: Vec<(u32, f64)> = vec![(0, 1.0)];
        let mut waiting: Vec<u32> = vec![0];
        let mut more: Option<usize> = None;
        while !waiting.is_empty() {
            for state in std::mem::take(&mut waiting) {
                let before = chain.steps.len();
                chain.followed = state;
                self.find_transitions(chain, state)?;
                waiting.extend((before as u32..chain.steps.len() as u32).filter(|state| chain.steps[*state as usize].is_none()));
                more = more.map(|more| more.saturating_sub(1));
            }
            if may_go_on {
                level = self.next_level(&chain.steps, &level)?;
            }
            waiting.retain(|state| !matches!(chain.places.0[*state as usize], ProcedureState::Value(_)));
            let left: f64 = level.iter().map(|(_, chance)| chance).sum();
            if may_go_on && left < NEGLIGIBLE {
                // A few more states may complete the chain; if they do not, the rest is left out.
                if *more.get_or_insert(1_000 + chain.steps.len() / 4) == 0 {
                    break;
                }
            }
        }
        Ok(())
    }

    /// The probability of each state one step later. `level` has those now.
    fn next_level(&mut self, steps: &[Transitions], level: &[(u32, f64)]) -> Result<Vec<(u32, f64)>, Trouble> {
        let mut next: StableMap<u32, f64> = StableMap::default();
        let mut order = Vec::new();
        for (state, chance) in level {
            let Some((to, cases)) = &steps[*state as usize] else {
                continue;
            };
            self.budget.spend_work(1 + to.len() as u64 / 16)?;
            for (to, part) in to.iter().zip(&cases.chances) {
                let more = chance * part;
                *next.entry(*to).or_insert_with(|| {
                    order.push(*to);
                    0.0
                }) += more;
            }
        }
        Ok(order.into_iter().map(|state| (state, next[&state])).collect())
    }

    /// Notes, after a stop, a lower bound on each value's probability, as far as the states of a procedure are known. If the
    /// search was stopped in a procedure that this one waits for, that one has noted its own bounds, and its possible results are
    /// passed on.
    fn note_lower_bounds(&mut self, chain: &mut Chain, procedure: ProcedureId) {
        self.budget.allow_to_settle(WORK_OF_SETTLING);
        let given = std::mem::take(&mut self.settled);
        let waits = chain.steps[chain.followed as usize].is_none() && !given.is_empty();
        if let ProcedureState::Call { after, state, .. } = chain.places.0[chain.followed as usize].clone()
            && waits
        {
            let (values, chances): (Vec<Vec<Value>>, Vec<f64>) = given.into_iter().unzip();
            let mut waiting: Vec<u32> = values.iter().map(|value| self.state_after_call(chain, after, &state, value)).collect();
            let cases = Cases { ways: Vec::new(), of: Denominator::default(), chances };
            chain.steps[chain.followed as usize] = Some((waiting.clone().into(), Rc::new(cases)));
            while let Some(state) = waiting.pop() {
                if chain.steps[state as usize].is_none() && self.find_transitions(chain, state).is_ok() {
                    waiting.extend(chain.steps[state as usize].iter().flat_map(|(to, _)| to.iter()));
                }
            }
        }
        let places = &chain.places.0;
        let settled = self.settle_shares(&chain.steps, |state| match &places[state as usize] {
            ProcedureState::Value(value) => Some(value.clone()),
            _ => None,
        });
        // The consequences of reaching a cap are not known, if it can be reached.
        self.budget.allow_to_settle(WORK_OF_CAPS);
        if self.check_caps(chain, procedure).is_ok() {
            self.settled = settled;
        }
    }

    /// Lower bounds on the probabilities of values, as far as the transitions of states are known. `value` returns the value of
    /// an end state.
    fn settle_shares(&mut self, steps: &[Transitions], value: impl Fn(u32) -> Option<Vec<Value>>) -> SettledShares {
        let mut settled = SettledShares::new();
        let mut level = vec![(0, 1.0)];
        while level.iter().map(|(_, chance)| chance).sum::<f64>() > NEGLIGIBLE_AT_STOP {
            for (state, chance) in &level {
                if let Some(value) = value(*state) {
                    *settled.entry(value).or_insert(0.0) += chance;
                }
            }
            level = self.next_level(steps, &level).unwrap_or_default();
        }
        settled
    }

    /// The number of the state at the point `after`, once the call has returned a value into `state`.
    fn state_after_call(&mut self, chain: &mut Chain, after: u32, state: &[Value], value: &[Value]) -> u32 {
        let mut state: Box<[Value]> = state.into();
        if let Some((place, is_list)) = self.known[after as usize].result_place {
            state[place] = if is_list { self.number_list(value) } else { value.first().copied().unwrap_or(NONE) };
        }
        chain.number_place(ProcedureState::Point(after, state))
    }

    /// Finds the transitions of a state of a chain, by its number.
    fn find_transitions(&mut self, chain: &mut Chain, state: u32) -> Result<(), Trouble> {
        // Counting rounds needs some of the budget.
        if self.budget.is_half_spent() && self.has_uncounted_loops() {
            return Err(Trouble::TooMuch);
        }
        if chain.steps.len() > MOST_STATES {
            return Err(Trouble::TooMuch);
        }
        let before = chain.places.0.len();
        let place = chain.places.0[state as usize].clone();
        let (to, cases): (Vec<u32>, Rc<Cases>) = match &place {
            ProcedureState::Value(_) => return Ok(()),
            ProcedureState::Point(point, values) => {
                let segment = self.find_segment(*point, values)?;
                let mut to = Vec::with_capacity(segment.outcomes.len());
                for outcome in &segment.outcomes {
                    to.push(chain.number_place(self.apply_outcome(outcome, values, *point)?));
                }
                (to, Rc::clone(&segment.cases))
            }
            ProcedureState::Call { start, after, state } => {
                let given = self.find_distribution(*start)?;
                let to: Vec<u32> = given.values.iter().map(|value| self.state_after_call(chain, *after, state, value)).collect();
                (to, Rc::clone(&given.cases))
            }
        };
        self.budget.spend_work(to.len() as u64)?;
        self.budget.reserve_bytes(to.len() * size_of::<u32>())?;
        for place in &chain.places.0[before..] {
            match place {
                ProcedureState::Value(value) if self.open.len() == 1 => self.budget.reserve_for_value(value.len())?,
                ProcedureState::Value(_) => self.budget.reserve_bytes(BYTES_OF_STATE)?,
                ProcedureState::Point(_, state) | ProcedureState::Call { state, .. } => {
                    self.budget.reserve_bytes(BYTES_OF_STATE + state.len() * size_of::<Value>())?;
                }
            }
        }
        chain.steps[state as usize] = Some((to.into(), cases));
        Ok(())
    }

    /// The place that an outcome leads to from the state `from` at a point.
    fn apply_outcome(&mut self, outcome: &Outcome, from: &[Value], point: u32) -> Result<ProcedureState, Trouble> {
        let fill = |sources: &[Source]| sources.iter().map(|source| source.value_from(from)).collect::<Option<Box<[Value]>>>();
        let place = match outcome {
            Outcome::Value(value, plus) => self.add_addends(value, from, plus, point).map(ProcedureState::Value),
            Outcome::Point(point, sources) => {
                fill(sources).map(|state| ProcedureState::Point(*point, self.drop_irrelevant(*point, state)))
            }
            Outcome::Call { start, after, state } => fill(state).map(|state| ProcedureState::Call {
                start: *start,
                after: *after,
                state: self.drop_irrelevant(*after, state),
            }),
        };
        match place {
            Some(place) => Ok(place),
            None => Err(self.overflow_trouble(from, point)),
        }
    }

    /// Drops irrelevant data from a state at a point: amounts above a clamp, and members of lists that are never read.
    fn drop_irrelevant(&mut self, point: u32, state: Box<[Value]>) -> Box<[Value]> {
        let known = Rc::clone(&self.known[point as usize]);
        let mut state = known.clamp_state(state);
        for (place, read) in &known.tops {
            let list = state[*place];
            let Some(most) = read.iter().map(|read| read.value_from(&state)).max().flatten().filter(|_| list != NO_LIST) else {
                continue;
            };
            state[*place] = match self.tops.get(&(list, most)) {
                Some(short) => *short,
                None => {
                    let short = self.number_list(&keep_highest(&self.lists.0[list as usize], usize::try_from(most).unwrap_or(0)));
                    self.tops.insert((list, most), short);
                    short
                }
            };
        }
        state
    }

    /// A returned value with the values at the places `plus` of the state `from` added; `None` on overflow.
    fn add_addends(&self, value: &[Value], from: &[Value], plus: &[u16], point: u32) -> Option<Vec<Value>> {
        let [number] = value else { return Some(value.to_vec()) };
        let sum = plus.iter().try_fold(*number, |sum, place| sum.checked_add(from[usize::from(*place)]))?;
        let clamp = self.known[point as usize].clamp.unwrap_or(Value::MAX);
        Some(vec![sum.min(clamp)])
    }

    /// Runs the machine from a state in which a sum overflows, so that the fault is reported in the machine's own words.
    fn overflow_trouble(&mut self, from: &[Value], point: u32) -> Trouble {
        let known = Rc::clone(&self.known[point as usize]);
        let machine = self.machine_at(&known, from, true);
        let throw = match self.throw_at(&known, &machine) {
            Ok(throw) => throw,
            Err(trouble) => return trouble,
        };
        for results in &throw.results {
            let mut machine = machine.clone();
            self.run_from(&known, &mut machine, results);
            if let Some(fault) = machine.fault.take() {
                return Trouble::Problem(fault);
            }
        }
        Trouble::TooMuch
    }

    // --- from point to point -------------------------------------------------------

    /// The outcomes from a point on in a state, from memory if another state agrees in all values that are looked at.
    fn find_segment(&mut self, point: u32, values: &[Value]) -> Result<Rc<Segment>, Trouble> {
        let known = Rc::clone(&self.known[point as usize]);
        let looked_at = (point, known.relevant_values(values));
        if let Some(segment) = self.segments.get(&looked_at) {
            return Ok(Rc::clone(segment));
        }
        let mut machine = self.machine_at(&known, values, false);
        if let Some(segment) = self.let_dice_fall(point, &known, values, &mut machine)? {
            let segment = Rc::new(segment);
            self.segments.insert(looked_at, Rc::clone(&segment));
            return Ok(segment);
        }
        let throw = self.throw_at(&known, &machine)?;
        let mut outcomes: NumberedSet<Outcome> = NumberedSet::new();
        let mut ways: Vec<BigUint> = Vec::new();
        let before = machine.state.clone();
        for (results, cases) in throw.results.iter().zip(&throw.cases.ways) {
            self.budget.spend_work(WORK_OF_RUN)?;
            // In a self-contained procedure, the rest of the machine does not change.
            machine.state.frames.clone_from(&before.frames);
            machine.state.slots.clone_from(&before.slots);
            machine.state.lists.clone_from(&before.lists);
            machine.memory.invalidate_values();
            self.run_from(&known, &mut machine, results);
            self.budget.spend_work(work_beyond_run(&machine))?;
            let outcome = self.find_outcome(&machine, known.floor, Some(&known))?;
            let (number, is_new) = outcomes.number_item(outcome);
            if is_new { ways.push(cases.clone()) } else { ways[number as usize] += cases }
        }
        let cases = if ways.len() == throw.cases.ways.len() {
            Rc::clone(&throw.cases)
        } else {
            Rc::new(Cases::new(ways, throw.cases.of.clone(), &self.factors))
        };
        let segment = Rc::new(Segment { outcomes: outcomes.0.into_iter().collect(), cases });
        self.budget.reserve_bytes(BYTES_OF_STATE * (1 + segment.outcomes.len()))?;
        self.segments.insert(looked_at, Rc::clone(&segment));
        Ok(segment)
    }

    /// Lets the highest open dice of a throw fall if the step after a stop looks at them. Play is then at the same stop. `None`
    /// if the step can run.
    fn let_dice_fall(
        &mut self,
        point: u32,
        known: &Point,
        values: &[Value],
        machine: &mut Machine,
    ) -> Result<Option<Segment>, Trouble> {
        let asked = self.asked;
        let looks = asked.stops.looks_after(known.at);
        if looks.is_empty() {
            return Ok(None);
        }
        let base = machine.state.frames[known.floor].base as usize;
        self.budget.spend_work(WORK_OF_RUN)?;
        let Some(look) = find_throw_to_draw(looks, &asked.game.play_context(), machine, base, &mut self.budget) else {
            return Ok(None);
        };
        let held = known.list_places().filter(|(place, slot)| look.slots.contains_key(slot) && values[*place] != NO_LIST);
        let lists: Vec<(usize, Rc<[Value]>)> =
            held.map(|(place, _)| (place, Rc::from(&*self.lists.0[values[place] as usize]))).collect();
        let Some((dice, most)) = lists.iter().find_map(|(_, list)| look.open_dice(list)) else { return Ok(None) };
        let (mut outcomes, mut ways) = (Vec::new(), Vec::new());
        for (shown, cases) in count_highest(dice, most, &mut self.budget)? {
            let mut state: Vec<Source> = (0..values.len()).map(|place| Source::Kept(place as u16, 0)).collect();
            for (place, list) in &lists {
                state[*place] = Source::Fixed(self.number_list(&look.let_fall(list, shown)));
            }
            self.budget.check_memory(0)?;
            outcomes.push(Outcome::Point(point, state.into()));
            ways.push(cases);
        }
        let of = self.factors.factor_number(&BigUint::from(most.unsigned_abs())).raise_to(dice as u32);
        let cases = Rc::new(Cases::new(ways, of, &self.factors));
        Ok(Some(Segment { outcomes, cases }))
    }

    /// Continues from a point with these results of its dice. The roll is not run again, because the number of dice is no longer
    /// known.
    fn run_from(&self, point: &Point, machine: &mut Machine, results: &[i64]) {
        machine.meter = Meter::default();
        machine.request = None;
        let shown: Vec<Value> = results.iter().map(|result| *result as Value).collect();
        let list = machine.push_list(&shown);
        let base = machine.state.frames[point.floor].base as usize;
        machine.set_slot(base, point.pool, list);
        machine.state.frames[point.floor].at = point.at + 1;
        machine.run(&self.asked.game.play_context(), point.floor);
    }

    /// A machine that waits at a point. Slots that are only passed on are 0, unless `all` is set.
    fn machine_at(&mut self, point: &Point, values: &[Value], all: bool) -> Machine {
        let mut machine = point.machine.clone();
        let frame = machine.state.frames[point.floor];
        let base = frame.base as usize;
        machine.state.lists.truncate(frame.lists as usize);
        for (place, (slot, holds)) in point.state.iter().enumerate() {
            let value = values[Point::DICE + place];
            let is_passed_by = !all && point.passes_on_slot(place);
            let value = match holds {
                _ if is_passed_by => {
                    if *holds == SlotContent::List {
                        NONE
                    } else {
                        0
                    }
                }
                SlotContent::List if value == NO_LIST => NONE,
                SlotContent::List => machine.push_list(&self.lists.0[value as usize]),
                _ => value,
            };
            machine.set_slot(base, *slot, value);
        }
        let length = machine.state.lists.len() as Value;
        point.lengths.iter().for_each(|slot| machine.set_slot(base, *slot, length));
        // A state begins with the number and the size of the dice.
        let draw = RandomDraw { piece: None, size: i64::from(values[1]), faces: None };
        let draws = vec![draw; usize::try_from(values[0]).unwrap_or(0)];
        machine.request = Some(RandomRequest { id: 0, kind: RandomKind::Roll, draws, reason: String::new() });
        machine
    }

    /// The outcome of a machine that has run from the point `from`, or from the beginning of a procedure if that is `None`.
    /// `floor` is the index of the procedure's frame.
    fn find_outcome(&mut self, machine: &Machine, floor: usize, from: Option<&Point>) -> Result<Outcome, Trouble> {
        if let Some(fault) = &machine.fault {
            return Err(Trouble::Problem(fault.clone()));
        }
        let frames = &machine.state.frames;
        if frames.len() <= floor {
            let plus = from.map_or_else(Box::default, |from| from.given.clone());
            return Ok(Outcome::Value(self.returned_value(machine, floor, from), plus));
        }
        let (Some(frame), Some(_)) = (frames.get(floor), &machine.request) else { return Err(self.give_up()) };
        let FrameRole::Procedure { procedure, .. } = frame.role else { return Err(self.give_up()) };
        // If it is not, a called procedure throws dice, and this one waits for its result.
        let is_top = frames.len() == floor + 1;
        let Some(point) = self.find_point(machine, floor, procedure, frame.at)? else { return Err(self.give_up()) };
        let known = Rc::clone(&self.known[point as usize]);
        let dice =
            machine.request.as_ref().filter(|_| is_top).map_or((1, 1), |request| {
                (request.draws.len() as Value, request.draws.first().map_or(1, |draw| draw.size as Value))
            });
        let mut state: Vec<Source> = vec![Source::Fixed(dice.0), Source::Fixed(dice.1)];
        for (place, (slot, holds)) in known.state.iter().enumerate() {
            let value = machine.read_slot(frame.base as usize, *slot);
            let waits_for_it = !is_top && known.result_place.is_some_and(|(result, _)| result == Point::DICE + place);
            let is_dropped = self.is_uncounted_counter(&known, *slot);
            state.push(match from.and_then(|from| from.passed_on_place(*slot)) {
                _ if is_dropped || waits_for_it => Source::Fixed(0),
                Some(passed) if *holds == SlotContent::List => Source::Kept(passed, 0),
                Some(passed) => Source::Kept(passed, value),
                None if *holds == SlotContent::List && value == NONE => Source::Fixed(NO_LIST),
                None if *holds == SlotContent::List => Source::Fixed(self.number_list(machine.state.list_values(value))),
                None => Source::Fixed(value),
            });
        }
        for walk in self.asked.stops.walks_at(procedure, self.asked.stops.original_step(frame.at)) {
            self.forget_read(walk, &known, machine, frame.base as usize, &mut state);
        }
        if is_top {
            return Ok(Outcome::Point(point, state.into()));
        }
        let FrameRole::Procedure { procedure: called, .. } = frames[floor + 1].role else { return Err(self.give_up()) };
        if !self.asked.stops.is_alone(called) {
            return Err(self.give_up());
        }
        let place = match self.find_outcome(machine, floor + 1, None)? {
            Outcome::Value(..) => return Err(self.give_up()),
            outcome => fixed_place(&outcome),
        };
        let (start, is_new) = self.starts.number_item(Start { procedure: called, place });
        if is_new {
            // This includes the arguments, and the results that are found later.
            self.budget.count_bytes(4 * BYTES_OF_STATE);
        }
        Ok(Outcome::Call { start, after: point, state: state.into() })
    }

    /// Drops the members of a list of fallen dice that a walk has passed: they are never read again. Zeros take their places, so
    /// that the others keep theirs.
    fn forget_read(&mut self, walk: &Walk, point: &Point, machine: &Machine, base: usize, state: &mut [Source]) {
        let Some(place) = point.state.iter().position(|(slot, _)| *slot == walk.list) else { return };
        let Source::Fixed(list) = state[Point::DICE + place] else { return };
        let Some(members) = usize::try_from(list).ok().and_then(|list| self.lists.0.get_index(list)) else { return };
        let mut members = members.to_vec();
        let read = walk.count_read_members(machine.read_slot(base, walk.place)).min(members.len());
        members[..read].fill(0);
        state[Point::DICE + place] = Source::Fixed(self.number_list(&members));
    }

    /// The value of a procedure that has just ended. `from` is the point from which it ran, if it has thrown dice.
    fn returned_value(&self, machine: &Machine, floor: usize, from: Option<&Point>) -> Vec<Value> {
        let (slot, is_list) = from.map_or((0, self.asked.shape.is_list()), |point| (point.result, point.gives_list));
        if slot == NO_SLOT {
            return Vec::new();
        }

        let base = machine.state.frames.get(floor - 1).map_or(0, |frame| frame.base as usize);
        let value = machine.read_slot(base, slot);
        if is_list { machine.state.list_values(value).to_vec() } else { vec![value] }
    }

    /// Gives up on solving procedure by procedure, and starts again with whole machines.
    fn give_up(&mut self) -> Trouble {
        self.settings.whole = true;
        Trouble::Again
    }

    /// The number of a list.
    fn number_list(&mut self, members: &[Value]) -> Value {
        let (number, is_new) = self.lists.number_item(members.into());
        if is_new {
            self.budget.count_bytes(size_of_val(members) + size_of::<Box<[Value]>>());
        }
        number as Value
    }

    /// The point at which a frame is; `None` if its relevant state cannot be determined.
    fn find_point(
        &mut self,
        machine: &Machine,
        floor: usize,
        procedure: ProcedureId,
        at: Address,
    ) -> Result<Option<u32>, Trouble> {
        let program = &self.asked.game.program;
        let Some(pool) = pool_at(program, at) else { return Ok(None) };
        let callers = waiting_callers(machine, floor, |procedure| program.procedures[usize::from(procedure)].gives.is_list());
        let clamp = self.result_clamp(machine, floor);
        let key = (procedure, at, ResultUse { callers: callers.clone(), clamp });
        if let Some(number) = self.points.0.get_index_of(&key) {
            return Ok(Some(number as u32));
        }
        let LiveSlots::Slots(slots) = self.memories.memory_at_throw(program, procedure, at) else { return Ok(None) };
        if slots.iter().any(|(_, holds)| *holds == SlotContent::Anything) {
            return Ok(None);
        }
        let slots = slots.clone();
        let reading = self.cached_reading(at, pool, callers);
        let clamps = self.procedure_clamps(procedure, clamp);
        let (place, asked) = ((at, pool), self.asked);
        let mut point = Point::new((&asked.game.program, &asked.stops), machine, floor, place, &slots, &reading);
        point.clamp = clamp;
        point.clamps = point.state.iter().map(|(slot, _)| clamps.get(slot).copied().unwrap_or(Value::MAX)).collect();
        // The result of a call is not known while play waits for it.
        let is_given = |place: usize| point.result_place.is_some_and(|(given, _)| given == place);
        let is_known = |source: &Source| !matches!(source, Source::Kept(place, _) if is_given(usize::from(*place)));
        let tops = |(place, slot)| Some((place, point.find_sources(&find_tops(program, at, slot)?)?));
        let tops = point.list_places().filter(|(place, _)| !is_given(*place)).filter_map(tops);
        point.tops = tops.filter(|(_, read)| read.iter().all(is_known)).collect();
        self.known.push(Rc::new(point));
        Ok(Some(self.points.number_item(key).0))
    }

    /// The clamped slots of a procedure, given the clamp of its result.
    fn procedure_clamps(&mut self, procedure: ProcedureId, clamp: Option<Value>) -> Clamps {
        let program = &self.asked.game.program;
        let found = self.clamps.entry((procedure, clamp)).or_insert_with(|| Rc::new(find_clamps(program, procedure, clamp)));
        Rc::clone(found)
    }

    /// The clamp of the procedure's result in a frame, derived from the frames that wait for it.
    fn result_clamp(&mut self, machine: &Machine, floor: usize) -> Option<Value> {
        let mut clamp = None;
        for pair in machine.state.frames[..=floor].windows(2).skip(1) {
            let (FrameRole::Procedure { procedure, .. }, FrameRole::Procedure { result, .. }) = (pair[0].role, pair[1].role)
            else {
                return None;
            };
            clamp = self.procedure_clamps(procedure, clamp).get(&result).copied();
        }
        clamp
    }

    /// The reading of the results that the throw at `at` puts into `slot`, for these waiting callers.
    fn cached_reading(&mut self, at: Address, slot: Slot, callers: Vec<WaitingFrame>) -> Rc<Reading> {
        let program = &self.asked.game.program;
        let found = self
            .readings
            .entry((at, callers))
            .or_insert_with_key(|(at, callers)| Rc::new(find_reading(program, *at, slot, callers)));
        Rc::clone(found)
    }

    // --- throws --------------------------------------------------------------------

    /// The distinguishable results of the dice at a point; open dice, if the throw is left open.
    fn throw_at(&mut self, point: &Point, machine: &Machine) -> Result<Rc<Throw>, Trouble> {
        let draws = machine.request.as_ref().map_or(&[][..], |request| &request.draws);
        let base = machine.state.frames[point.floor].base as usize;
        let origin = self.asked.stops.original_step(point.at);
        let size = draws.first().map_or(0, |draw| draw.size);
        // Another caller may read the same throw in order.
        let may_be_open = draws.len() > 1 && size <= i64::from(MOST_FACES) && *point.reading != Reading::Ordered;
        let is_stop = !self.asked.stops.looks_after(point.at).is_empty();
        if let Some(throw) = self.asked.stops.open_throw(origin).filter(|_| may_be_open && !is_stop) {
            let die = OpenDie { throw, most: size as Value, plus: 0 };
            let open = vec![i64::from(die.code()); draws.len()];
            return Ok(Rc::new(self.make_throw(vec![(open, BigUint::from(1u8))], Denominator::default())));
        }
        // A fold cannot be computed from dice of another throw that are still open.
        let reading = if reads_open_dice(point, machine, base) { &Reading::Unordered } else { point.reading.as_ref() };
        let found = self.find_throw(draws, Some((reading, point.pool, base)), machine);
        let is_large = match &found {
            Ok(throw) => throw.results.len() as u64 > self.budget.most_drawn,
            Err(trouble) => matches!(trouble, Trouble::TooMuch),
        };
        // A throw that is read only by folds has few results, unless the folds have many values.
        if is_large && may_be_open && self.try_leave_open(point, origin) { Err(Trouble::Again) } else { found }
    }

    /// Leaves the throw at a step of the rules open from now on, if that is allowed. The search must then start again.
    fn try_leave_open(&mut self, point: &Point, step: Address) -> bool {
        let is_room = self.settings.open.len() < MOST_OPEN;
        is_room && may_be_open(&self.asked.rules, step, point.pool) && self.settings.open.insert(step)
    }

    /// The distinguishable results of some draws. `read` is how the results in a slot are read, with the base of the slots;
    /// `None` if each must be told apart in order.
    fn find_throw(
        &mut self,
        draws: &[RandomDraw],
        read: Option<(&Reading, Slot, usize)>,
        machine: &Machine,
    ) -> Result<Rc<Throw>, Trouble> {
        let (count, size) = (draws.len(), draws.first().map_or(1, |draw| draw.size));
        let most = self.budget.work_left() / WORK_OF_RUN;
        match read {
            None | Some((Reading::Ordered, ..)) => {
                let alike = ThrowKey::Ordered(draws.iter().map(|draw| draw.size).collect());
                let is_plain = draws.iter().all(|draw| draw.faces.is_none());
                if let Some(known) = self.throws.get(&alike).filter(|_| is_plain) {
                    return Ok(Rc::clone(known));
                }
                let ways = ordered_ways(draws, most, &mut self.budget)?;
                let of = draws.iter().fold(Denominator::default(), |of, draw| {
                    of.times(&self.factors.factor_number(&BigUint::from(draw.size.unsigned_abs())))
                });
                let throw = Rc::new(self.make_throw(ways, of));
                if is_plain {
                    self.throws.insert(alike, Rc::clone(&throw));
                }
                Ok(throw)
            }
            Some((Reading::Folds(folds, names), slot, base)) if size.unsigned_abs() <= most => {
                let slots: Vec<Slot> = names.iter().copied().chain([slot]).collect();
                let faces: Vec<Value> = (1..=size as Value).collect();
                let given =
                    compute_face_shares(&self.asked.game.play_context(), machine, base, folds, &slots, &faces, &mut self.budget);
                let (kinds, faces) = match given {
                    Err(Trouble::TooMuch) => return self.find_unordered_throw(count, size),
                    given => given?,
                };
                let alike = ThrowKey::Folded(count, kinds, faces);
                if let Some(known) = self.throws.get(&alike) {
                    return Ok(Rc::clone(known));
                }
                let ThrowKey::Folded(_, kinds, faces) = &alike else { return self.find_unordered_throw(count, size) };
                let ways = match folded_ways(count, kinds, faces, &mut self.budget) {
                    Err(Trouble::TooMuch) => return self.find_unordered_throw(count, size),
                    ways => ways?,
                };
                let of = self.factors.factor_number(&BigUint::from(size.unsigned_abs())).raise_to(count as u32);
                let throw = Rc::new(self.make_throw(ways, of));
                self.throws.insert(alike, Rc::clone(&throw));
                Ok(throw)
            }
            Some(_) => self.find_unordered_throw(count, size),
        }
    }

    /// The results of dice of one size, as far as their order does not matter.
    fn find_unordered_throw(&mut self, count: usize, size: i64) -> Result<Rc<Throw>, Trouble> {
        let alike = ThrowKey::Unordered(count, size);
        if let Some(known) = self.throws.get(&alike) {
            return Ok(Rc::clone(known));
        }
        let ways = unordered_ways(count, size, self.budget.work_left() / WORK_OF_RUN, &mut self.budget)?;
        let of = self.factors.factor_number(&BigUint::from(size.unsigned_abs())).raise_to(count as u32);
        let throw = Rc::new(self.make_throw(ways, of));
        self.throws.insert(alike, Rc::clone(&throw));
        Ok(throw)
    }

    /// Makes a throw of these ways, out of `of` cases.
    fn make_throw(&self, ways: Vec<Way>, of: Denominator) -> Throw {
        let (results, ways) = ways.into_iter().unzip();
        Throw { results, cases: Rc::new(Cases::new(ways, of, &self.factors)) }
    }

    // --- loops ---------------------------------------------------------------------

    /// The loops whose rounds are not counted, in the procedures that are being followed.
    fn uncounted_loops(&self) -> Vec<Address> {
        let is_open = |procedure| self.open.iter().any(|start| self.starts.0[*start as usize].procedure == procedure);
        let loops = self.asked.stops.loops.iter().filter(|own| is_open(own.procedure) && self.is_uncounted(own));
        loops.map(|own| own.step).collect()
    }

    /// Whether a procedure that is being followed has a loop whose rounds are not counted.
    fn has_uncounted_loops(&self) -> bool {
        !self.uncounted_loops().is_empty()
    }

    /// Counts, from the next search on, the rounds of all loops in the procedures that are being followed.
    fn count_all_loops(&mut self) {
        let dropped = self.uncounted_loops();
        self.settings.counted.extend(dropped);
    }

    /// Whether the rounds of a loop are not counted.
    fn is_uncounted(&self, own: &Loop) -> bool {
        own.may_end && !self.settings.counted.contains(&own.step)
    }

    /// Whether a slot at a point is the counter of a loop whose rounds are not counted, so that its value is dropped.
    fn is_uncounted_counter(&self, point: &Point, slot: Slot) -> bool {
        let stops = &self.asked.stops;
        let at = stops.original_step(point.at);
        let is_it = |own: &Loop| own.counter == slot && own.procedure == point.procedure && own.contains(at);
        stops.loops.iter().any(|own| is_it(own) && self.is_uncounted(own))
    }

    /// Notes how likely the uncounted loops of a procedure are to reach their caps. If that is likely, counts their rounds and
    /// fails with [`Trouble::Again`].
    fn check_caps(&mut self, chain: &Chain, procedure: ProcedureId) -> Result<(), Trouble> {
        let asked = self.asked;
        for own in asked.stops.loops.iter().filter(|own| own.procedure == procedure) {
            if !self.is_uncounted(own) {
                continue;
            }
            let is_head = |place: &ProcedureState| matches!(place, ProcedureState::Point(point, _) if self.known[*point as usize].at == own.head);
            let heads: Vec<u32> =
                (0..chain.steps.len() as u32).filter(|state| is_head(&chain.places.0[*state as usize])).collect();
            let mut most: Option<Value> = None;
            for head in &heads {
                let ProcedureState::Point(point, values) = &chain.places.0[*head as usize] else { continue };
                let known = Rc::clone(&self.known[*point as usize]);
                let mut machine = self.machine_at(&known, values, true);
                let base = machine.state.frames[known.floor].base as usize;
                let cap = machine.evaluate(&self.asked.game.play_context(), base, &own.most);
                most = Some(most.map_or(cap, |most| most.min(cap)));
            }
            let Some(most) = most.filter(|most| *most > 0) else { continue };
            match caps::find_cap_chance(&chain.steps, &heads, u64::from(most.unsigned_abs()), &mut self.budget)? {
                CapChance::Never => {}
                CapChance::Below(power) => self.note_cut(power),
                CapChance::Likely => {
                    self.settings.counted.insert(own.step);
                    return Err(Trouble::Again);
                }
            }
        }
        Ok(())
    }

    /// The distinguishable results of the draws that a machine waits for. Used where a state is a whole machine, here and in
    /// `best`.
    pub fn find_throw_for_machine(&mut self, machine: &Machine) -> Result<Rc<Throw>, Trouble> {
        let (kind, draws) = match &machine.request {
            Some(request) => (request.kind, request.draws.clone()),
            None => (RandomKind::Roll, Vec::new()),
        };
        if kind != RandomKind::Roll {
            return self.find_throw(&draws, None, machine);
        }
        let pool = machine.state.frames.last().and_then(|frame| match frame.role {
            FrameRole::Procedure { .. } => Some((frame.at, pool_at(&self.asked.game.program, frame.at)?, frame.base as usize)),
            _ => None,
        });
        let Some((at, slot, base)) = pool else { return self.find_throw(&draws, None, machine) };
        let reading = self.cached_reading(at, slot, waiting_callers(machine, machine.state.frames.len() - 1, |_| true));
        self.find_throw(&draws, Some((&reading, slot, base)), machine)
    }
}

/// The cost of a long run beyond [`WORK_OF_RUN`], which is spent for each run.
fn work_beyond_run(machine: &Machine) -> u64 {
    (machine.meter.work_so_far() / PLAY_PER_WORK).saturating_sub(WORK_OF_RUN)
}

/// Whether the folds of a throw read lists with open dice of another throw. `base` is that of the procedure's slots in the
/// machine.
fn reads_open_dice(point: &Point, machine: &Machine, base: usize) -> bool {
    let Reading::Folds(folds, _) = point.reading.as_ref() else { return false };
    let is_open = |slot: Slot| {
        let list = machine.read_slot(base, slot);
        list != NONE && machine.state.list_values(list).iter().any(|member| OpenDie::from_code(*member).is_some())
    };
    let lists = point.list_places().map(|(_, slot)| slot);
    lists.filter(|slot| folds.iter().any(|fold| fold.reads_slot(*slot))).any(is_open)
}

/// The value of a missing list in a state. Other lists are numbers of [`Search::lists`].
const NO_LIST: Value = -1;

/// The states of a procedure with their transitions.
struct Chain {
    places: NumberedSet<ProcedureState>,
    steps: Vec<Transitions>,
    /// The last state that was followed.
    followed: u32,
}

impl Chain {
    /// The number of a place in the chain, which is added if it is new.
    fn number_place(&mut self, place: ProcedureState) -> u32 {
        let (number, is_new) = self.places.number_item(place);
        if is_new {
            self.steps.push(None);
        }
        number
    }
}

/// The place that an outcome leads to if all its values are known, as at the start of a procedure.
fn fixed_place(outcome: &Outcome) -> ProcedureState {
    let fill = |sources: &[Source]| sources.iter().map(|source| source.value_from(&[]).unwrap_or(NONE)).collect();
    match outcome {
        Outcome::Value(value, _) => ProcedureState::Value(value.clone()),
        Outcome::Point(point, sources) => ProcedureState::Point(*point, fill(sources)),
        Outcome::Call { start, after, state } => ProcedureState::Call { start: *start, after: *after, state: fill(state) },
    }
}

/// The frames that wait below a frame for lists, the innermost first: the addresses at which they continue, and the slots for the
/// results. Stops at the first one whose procedure does not return a list.
fn waiting_callers(machine: &Machine, frame: usize, gives_list: impl Fn(ProcedureId) -> bool) -> Vec<WaitingFrame> {
    let frames = &machine.state.frames;
    let mut found = Vec::new();
    for pair in frames[..=frame].windows(2).skip(1).rev() {
        let (FrameRole::Procedure { .. }, FrameRole::Procedure { procedure, result }) = (pair[0].role, pair[1].role) else {
            break;
        };
        if !gives_list(procedure) {
            break;
        }
        found.push((pair[0].at, Some(result).filter(|result| *result != NO_SLOT)));
    }
    found
}
